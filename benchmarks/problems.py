"""The kernels that are compared, each in one or more forms that say the same."""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from codegen import reference
from codegen.bind import bind
from codegen.describe import Kernel, jacobian
from codegen.expression import Expr, as_expr
from codegen.kernels import library
from codegen.lookup import own_function
from codegen.program import Program, input_scalars, program_of

BEST_KNOWN = {
    "inertia_transform": 95,
    "central_transform": 75,
    "inertia_multiply": 42,
    "motion_transform": 42,
    "force_transform": 42,
    "motion_cross": 30,
    "force_cross": 30,
    "inertia_bias_force": 69,
    "articulated_transform": 269,
    "rigid_body_dynamics_quat": 172,
    "rigid_body_dynamics_quat_jacobian": 254,
    "quat_from_rpy": 19,
    "quat_to_dcm_unit": 24,
}
"""The kernels, with the fewest operations published or measured before, trigonometry apart: README.md."""

_BOUND = {"baumgarte": (Fraction(1),)}


@dataclass(frozen=True)
class Form:
    """One way to state a problem: a Program to compute, or to differentiate for each range of inputs."""

    program: Program
    ours: Kernel
    ranges: tuple[tuple[tuple[int, int], ...], ...] = ()


@dataclass(frozen=True)
class Problem:
    """A kernel to compare, bound as it is compared, with its forms: expert, textbook, derived."""

    kernel: Kernel
    best_known: int
    forms: dict[str, Form] = field(default_factory=dict)

    def as_json(self, form: str) -> dict[str, Any]:
        """What a worker reads."""
        stated = self.forms[form]
        return {
            "name": self.kernel.name,
            "form": form,
            "inputs": [(a.name, a.size) for a in self.kernel.inputs],
            "outputs": [(a.name, a.size) for a in self.kernel.outputs],
            "nodes": [(n.op.label, n.args, _value(n.value)) for n in stated.program.nodes],
            "results": stated.program.results,
            "ranges": stated.ranges,
        }


def _value(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value


def problems() -> list[Problem]:
    """Every problem, in the order of the table."""
    return [_problem(name, best) for name, best in BEST_KNOWN.items()]


def _problem(name: str, best: int) -> Problem:
    kernel = bind(library()[name], _BOUND)
    forms = {"expert": _form(kernel)}
    if name.endswith("_jacobian"):
        dynamics = library()[name.removesuffix("_jacobian")]
        forms["derived"] = _derived(kernel, bind(dynamics, _BOUND))
        forms["textbook"] = _derived(kernel, bind(textbook(dynamics), _BOUND))
    else:
        forms["textbook"] = _form(bind(textbook(library()[name]), _BOUND))
    named = {label: replace(f, ours=replace(f.ours, name=f"{name}_{label}")) for label, f in forms.items()}
    return Problem(kernel, best, named)


def _form(kernel: Kernel) -> Form:
    return Form(kernel.program(False), kernel)


def _derived(kernel: Kernel, of: Kernel) -> Form:
    """The Jacobians by the state and by force and moment, for every engine to derive by itself."""
    by = {"A": ("p_N", "q_NB", "v_B", "w_B"), "B": ("F_B", "M_B")}
    starts: dict[str, tuple[int, int]] = {}
    first = 0
    for a in of.inputs:
        starts[a.name] = (first, first + a.size)
        first += a.size
    ranges = tuple(tuple(starts[name] for name in names) for names in by.values())
    return Form(of.program(False), jacobian(of, kernel.name, [a.name for a in of.outputs], by), ranges)


def textbook(kernel: Kernel) -> Kernel:
    """The kernel stated by its independent reference, over dense matrices; where that needs NumPy's own
    functions, by its SymPy definition.
    """

    def lower(_: bool) -> Program:
        modules = [m.name for m in pkgutil.iter_modules(reference.__path__)]
        stated = own_function("codegen.reference", modules, kernel.name)
        assert stated is not None
        try:
            outputs = stated(*_arrays(kernel)).outputs
        except AttributeError:
            return _defined(kernel)
        return program_of(kernel.inputs, kernel.outputs, [_scalar(x) for out in outputs for x in out])

    return replace(kernel, lower=lower, formula=None)


def _defined(kernel: Kernel) -> Program:
    from codegen.frontends.from_sympy import lower, symbols_for
    from codegen.proof import definition_of

    define = definition_of(kernel)
    assert define is not None
    symbols = symbols_for(kernel.inputs)
    return lower(kernel.inputs, kernel.outputs, symbols, list(define(*_parts(kernel, symbols))))


def _arrays(kernel: Kernel) -> list[Any]:
    return [
        np.array(p, dtype=object) if isinstance(p, list) else p
        for p in _parts(kernel, input_scalars(kernel.inputs))
    ]


def _parts(kernel: Kernel, scalars: Sequence[Any]) -> list[Any]:
    """The scalars argument by argument; that of a scalar argument without a list."""
    parts, first = [], 0
    for a in kernel.inputs:
        part = list(scalars[first : first + a.size])
        parts.append(part if a.size > 1 else part[0])
        first += a.size
    return parts


def _scalar(x: Any) -> Expr:
    return as_expr(int(x) if isinstance(x, np.integer) else x)
