"""The kernels that are compared, each in one or more mathematically equal forms."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.records import M4F_INSTRUCTIONS, OPERATIONS
from benchmarks.textbook import textbook
from codegen.frontends.define import jacobian
from codegen.ir.program import Program
from codegen.library import library
from codegen.loading.python_file import load_model
from codegen.modeling.bind import bind
from codegen.modeling.kernel import Kernel

EXAMPLES = Path(__file__).parent.parent / "examples"

MODELS = {"covariance_prediction": "ekf", "ur5_inverse_dynamics": "ur5"}
"""The kernels that are an example's; the others are the library's."""

_BOUND = {"baumgarte": (Fraction(1),)}


@dataclass(frozen=True)
class Form:
    """One way to state a problem: a Program to compute, or to differentiate for each range of inputs."""

    program: Program
    ours: Kernel
    ranges: tuple[tuple[tuple[int, int], ...], ...] = ()


@dataclass(frozen=True)
class Problem:
    """A kernel to compare, bound as it is compared, with its forms: expert, textbook, derived.

    It has the inputs of the problem of another kernel where it names one.
    """

    kernel: Kernel
    forms: dict[str, Form] = field(default_factory=dict)
    other: str = ""

    @property
    def seed(self) -> str:
        """What its inputs are drawn by."""
        return f"bench {self.other or self.kernel.name}"

    @property
    def best_known(self) -> int:
        """The fewest operations known."""
        return OPERATIONS[self.kernel.name]

    @property
    def best_m4f(self) -> int | None:
        """The fewest instructions known of a Cortex-M4F."""
        return M4F_INSTRUCTIONS.get(self.kernel.name)

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
    return [problem(name) for name in OPERATIONS]


@cache
def problem(name: str) -> Problem:
    """The problem of the kernel with this name."""
    stated = _stated(name)
    kernel = bind(stated, _BOUND)
    forms = {"expert": _form(kernel)}
    if name.endswith("_jacobian"):
        dynamics = _stated(name.removesuffix("_jacobian"))
        forms["derived"] = _derived(kernel, bind(dynamics, _BOUND))
        forms["textbook"] = _derived(kernel, bind(textbook(dynamics), _BOUND))
    else:
        forms["textbook"] = _form(bind(textbook(stated), _BOUND))
    named = {label: replace(f, ours=replace(f.ours, name=f"{name}_{label}")) for label, f in forms.items()}
    return Problem(kernel, named)


def _stated(name: str) -> Kernel:
    """The kernel as the library or an example has it."""
    kernels = load_model(EXAMPLES / f"{MODELS[name]}.py") if name in MODELS else library()
    return kernels[name]


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
