"""Blocks: systems with states in discrete time, as kernels over a structure of their states.

A block has a kernel of its initial state, one of its step, and perhaps one of a state that fits given values.
Each is straight-line code like any other kernel. A formula gives the new states, or the rates of continuous
ones, which an integrator advances.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from codegen.errors import FeatherError, naming
from codegen.ir.program import Arg
from codegen.misuse import explained
from codegen.modeling.failures import Stated, failures_of
from codegen.modeling.kernel import Kernel
from codegen.modeling.names import check_name
from codegen.modeling.steps import Form
from codegen.modeling.types.records import Record
from codegen.systems.block_kernels import (
    definition_form,
    direct,
    documented,
    init_kernel,
    integrated,
    rates_kernel,
    reference_form,
    reset_kernel,
    stated_rates,
    step_kernel,
    timed,
)
from codegen.systems.declaration import DT, Declared, declare, names_of, parameters_of, time_step
from codegen.systems.declaration import State as State
from codegen.systems.integrators import METHODS


@explained
@dataclass(frozen=True, eq=False)
class Block:
    """A block: the kernels of its initial state, of its step, and of a state that fits given values.

    `state` and `parameters` are the types of its structures, which other blocks and kernels may use. `rates`
    is the kernel of the rates of continuous states and of the outputs.
    """

    name: str
    state: type[Record]
    parameters: type[Record] | None
    init: Kernel
    step: Kernel
    reset: Kernel | None = None
    rates: Kernel | None = None

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The kernels whose C is generated."""
        return (self.init, *([self.reset] if self.reset else []), self.step)


@explained
def block(
    *,
    states: Sequence[State],
    inputs: Sequence[Arg] = (),
    outputs: Sequence[Arg] = (),
    parameters: Sequence[Arg] = (),
    equation: str,
    source: str,
    name: str = "",
    integrator: str = "",
    sample_time: Any = None,
    reset: Callable[..., Any] | None = None,
    reset_equation: str = "",
    requires: str = "",
    failures: Stated | None = None,
    tolerance: int = 4,
    definition: Form | None = None,
    reference: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Block]:
    """Make a block of a formula over states, inputs and parameters, by name and in this order, and then dt.

    The formula returns the new states and then the outputs; with an `integrator` (euler, semi_implicit, rk4),
    the rates of the states and then the outputs, which are those at the beginning of the step. dt, in s, is
    an input of the step; `sample_time` states its value, or its range as a pair. `reset` is a function of any
    of these arguments and of outputs that returns the states which fit them; `reset_equation` states these,
    as x' = ... for a state x. `definition` (SymPy, or equations) and `reference` (NumPy) are independent
    forms of the step, with the arguments of the formula, and dt last if the step has it; both give the new
    states and the outputs.
    """

    def decorate(formula: Callable[..., Any]) -> Block:
        own = check_name(name or formula.__name__, "block")
        with naming(f"block {own}"):
            declared = declare(own, states, inputs, outputs, parameters, time_step(sample_time))
            names = parameters_of(formula, declared, {*names_of(declared.flat), DT})
            wanted = [*names_of(declared.flat), *([DT] if integrator or DT in names else [])]
            described = {"equation": equation, "source": source, "module": formula.__module__}
            fields = {
                "details": _details(formula, integrator),
                "requires": requires,
                "failures": failures_of(failures),
                "tolerance": tolerance,
                "definition": definition_form(declared, wanted, definition),
                "reference": reference_form(declared, wanted, reference),
            }
            advance = _advance(declared, formula, names, integrator)
            rates = stated_rates(declared, wanted, integrator) if integrator else None
            step = step_kernel(declared, advance, wanted, {**described, **fields}, rates)
            fits = _reset(declared, reset, described, reset_equation)
            return Block(
                own,
                declared.state_type,
                declared.parameter_type,
                init_kernel(declared, described),
                timed(step, sample_time, True),
                timed(fits, sample_time, False) if fits else None,
                rates_kernel(declared, formula, names, described) if integrator else None,
            )

    return decorate


def _reset(
    declared: Declared, reset: Callable[..., Any] | None, described: Mapping[str, Any], equation: str
) -> Kernel | None:
    """The kernel of the reset, if the block has one."""
    if reset is None and equation:
        raise FeatherError("it has an equation of a reset, but no reset: give the function, too")
    return reset_kernel(declared, reset, described, equation) if reset else None


def _advance(
    declared: Declared, formula: Callable[..., Any], names: Sequence[str], integrator: str
) -> Callable[..., Any]:
    """The function that advances the states, under the name of the formula."""
    if integrator:
        return wraps(formula)(integrated(declared, formula, names, integrator))
    return wraps(formula)(direct(formula, names))


def _details(formula: Callable[..., Any], integrator: str) -> str:
    """What a step's comment says after its title."""
    _, details = documented(formula, "")
    if integrator and integrator not in METHODS:
        raise FeatherError(f"its integrator is {integrator!r}, but must be one of {', '.join(METHODS)}")
    rule = f"Integrator: {integrator}; inputs are constant during the step." if integrator else ""
    place = "`next` may be the same object as `state`."
    return "\n\n".join(filter(None, (details, rule, place)))
