"""Whether a filter's process and measurements agree with its states: in types, units and frames."""

from __future__ import annotations

from collections.abc import Mapping

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.modeling.kernel import Kernel
from codegen.modeling.quantities.units import scalar_units
from codegen.systems.tangent import is_attitude


def check_process(process: Kernel, states: tuple[str, ...], noise: Mapping[str, Arg]) -> None:
    """FeatherError unless the outputs of a process are its states after a step, in their order."""
    inputs = {a.name: a for a in process.inputs}
    for name in (*states, *noise):
        if name not in inputs:
            raise FeatherError(f"the process has no input {name}")
    ordered = "the outputs of the process must be its states after a step, in their order"
    if len(process.outputs) != len(states):
        raise FeatherError(f"it has {len(states)} states, but {len(process.outputs)} outputs: {ordered}")
    for name, after in zip(states, process.outputs, strict=True):
        if reason := _contradiction(after, inputs[name]):
            raise FeatherError(f"output {after.name} stands for the state {name}, but {reason}: {ordered}")
    for name, variance in noise.items():
        _check_noise(inputs[name], variance)


def _check_noise(noise: Arg, variance: Arg) -> None:
    """FeatherError unless there is a variance for each scalar of a noise, in its frame."""
    if variance.size != noise.size:
        raise FeatherError(
            f"{variance.name} has {variance.size} variances, but {noise.name} {noise.size} scalars: "
            "give it a type of as many, such as Vec3 for a Vec3"
        )
    if _differ(variance.frame, noise.frame):
        raise FeatherError(
            f"{variance.name} has the variances of {noise.name}, but is in the frame {variance.frame}, "
            f"and {noise.name} in {noise.frame}"
        )


def check_measurement(measurement: Kernel, states: tuple[Arg, ...]) -> None:
    """FeatherError unless the inputs of a measurement that have the names of states are these."""
    known = {s.name: s for s in states}
    for a in measurement.inputs:
        if a.name not in known:
            continue
        reason = _contradiction(a, known[a.name])
        if not reason and is_attitude(a) != is_attitude(known[a.name]):
            reason = f"is {'a' if is_attitude(a) else 'no'} UnitQuaternion, unlike the state"
        if reason:
            raise FeatherError(
                f"{measurement.name} has an input {a.name}, which is a state of the filter, but {reason}"
            )


def _contradiction(given: Arg, state: Arg) -> str:
    """In what an argument differs from the state that it stands for; empty if it does not."""
    if given.size != state.size:
        return f"has {given.size} scalars instead of {state.size}"
    units = zip(scalar_units(given), scalar_units(state), strict=True)
    if any(a is not None and b is not None and a != b for a, b in units):
        return f"is in {given.unit or 'no unit'} instead of {state.unit or 'no unit'}"
    if _differ(given.frame, state.frame):
        return f"is in the frame {given.frame} instead of {state.frame}"
    return ""


def _differ(frame: str, other: str) -> bool:
    """Whether both frames are given and not the same."""
    return bool(frame and other and frame != other)
