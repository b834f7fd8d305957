"""The functions of PX4's derivations as kernels; featherc executes this file in SymForce's environment.

The derivations stand in the checkout of PX4 that the variable PX4 names. They are executed unchanged, but
what they would have SymForce generate becomes a kernel. Covariances are symmetric. With STATE=parts the
state of EKF2 is no vector of scalars but an argument for each part, and the attitude is a unit quaternion.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

import symforce

symforce.set_epsilon_to_symbol()
symforce.set_epsilon_to_symbol = lambda: None

import symforce.symbolic as sf  # noqa: E402  (epsilon must be set first)

from codegen import from_symforce  # noqa: E402

EKF = Path(os.environ["PX4"]) / "src/modules/ekf2/EKF"
DERIVATIONS = ("python/ekf_derivation/derivation.py", "yaw_estimator/derivation/derivation_yaw_estimator.py")
COVARIANCES = {
    "predict_covariance": ("P", "res"),
    "yaw_est_predict_covariance": ("P", "res"),
    "yaw_est_compute_measurement_update": ("P", "S_inv", "P_new"),
    "compute_wind_init_and_cov_from_airspeed": ("P_wind",),
}
"""The symmetric arguments, where they are not the P of a measurement alone."""

Made = list[tuple[Callable[..., Any], Sequence[str]]]


def derived(path: Path) -> tuple[ModuleType, Made]:
    """A derivation's module, and the functions that it has generated, with the names of their results."""
    made: Made = []
    for name in ("utils.derivation_utils", "derivation_utils"):
        with contextlib.suppress(ImportError):
            utilities: Any = importlib.import_module(name)
            utilities.generate_px4_function = lambda function, output_names=(): made.append(
                (function, output_names or ())
            )
            utilities.generate_px4_state = lambda *ignored: None
    spec: Any = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module, made


def of_parts(function: Callable[..., Any], state: Any) -> Callable[..., Any]:
    """The function of the state's parts instead of the parameter `state`."""
    types = get_type_hints(function)
    types.pop("return", None)
    parts = {name: type(part) for name, part in state.items()}

    def whole(*values: Any) -> Any:
        first = [scalar for value in values[: len(parts)] for scalar in scalars(value)]
        return function(sf.Matrix(first), *values[len(parts) :])

    def scalars(value: Any) -> Iterator[Any]:
        """Those of a part in PX4's order, which is w, x, y, z for an attitude."""
        stored = value.to_storage()
        yield from (stored[-1:] + stored[:-1] if isinstance(value, sf.Rot3) else stored)

    given = {**parts, **{name: t for name, t in types.items() if name != "state"}}
    whole.__name__, whole.__annotations__ = function.__name__, given
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    whole.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in given])  # type: ignore[attr-defined]
    return whole


def symmetric(function: Callable[..., Any]) -> Sequence[str]:
    """The symmetric arguments of a function."""
    taken = inspect.signature(function).parameters
    return COVARIANCES.get(function.__name__, ("P",) if "P" in taken else ())


sys.path[:0] = [str(EKF / "python/ekf_derivation"), str(EKF / "python/ekf_derivation/utils")]
sys.argv = sys.argv[:1]
for name in DERIVATIONS:
    with contextlib.redirect_stdout(io.StringIO()):
        module, functions = derived(EKF / name)
    for function, outputs in functions:
        named = symmetric(function)
        if os.environ.get("STATE") == "parts" and get_type_hints(function).get("state") is getattr(
            module, "VState", ()
        ):
            function = of_parts(function, module.State)
        globals()[function.__name__] = from_symforce(function, outputs, symmetric=named)
