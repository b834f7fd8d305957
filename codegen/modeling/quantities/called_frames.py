"""The frames of arguments and results: as they are declared, and by the names of who calls a kernel.

They are known where a formula is evaluated on values in frames (`codegen.frontends.framed`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import Value
from codegen.modeling.quantities.frames import (
    REMEDY,
    Frame,
    described,
    frame_of,
    framed,
    inverted,
    is_followed,
    known,
    parts_of,
)
from codegen.modeling.types.records import Record, members_of


@dataclass(frozen=True)
class CalledFrames:
    """By the names of frames that a kernel declares, those of the values that it is called with.

    The frames of a kernel of the library stand for any: where no value says which, its results have none.
    """

    names: Mapping[str, str]
    is_generic: bool

    def of_results(self, outputs: Sequence[Arg], results: Any) -> Any:
        """Results in the frames that the kernel declares for them, by the names of the caller."""
        if not is_followed():
            return results
        if len(outputs) == 1:
            return seen(outputs[0], results, self._named)
        if type(results) not in (tuple, list) or len(results) != len(outputs):
            return results
        return type(results)(seen(a, x, self._named) for a, x in zip(outputs, results, strict=True))

    def _named(self, declared: Frame) -> Frame | None:
        if self.is_generic and not {*declared} <= self.names.keys():
            return None
        return Frame(*(self.names.get(name, name) for name in declared))


def called_frames(
    kernel: str, arguments: Sequence[Arg], values: Sequence[Any], is_generic: bool
) -> CalledFrames:
    """The frames of the values that a kernel is called with; FeatherError where they do not fit together."""
    names: dict[str, str] = {}
    witness: dict[str, _Given] = {}
    for argument, value in _members(arguments, values):
        declared, frame = frame_of(argument.frame, type(value)), known(value)
        if declared is None or frame is None:
            continue
        given = _Given(argument.name, declared, value)
        for name, own in zip(declared, frame, strict=True):
            if names.setdefault(name, own) != own:
                raise FeatherError(_unlike(kernel, name, witness[name], given))
            witness.setdefault(name, given)
    return CalledFrames(names, is_generic)


class _Given(NamedTuple):
    """An argument, its declared frame, and the value that it is called with, which knows its own."""

    argument: str
    declared: Frame
    value: Any

    def named(self, frame: Frame) -> set[tuple[str, str]]:
        """What the names of the declared frame stand for, where this is the frame of the value."""
        return {*zip(self.declared, frame, strict=True)}


def _unlike(kernel: str, name: str, first: _Given, other: _Given) -> str:
    """What is said where a name of the kernel would stand for two frames of the formula that calls it."""
    taken, given, remedies = [], [], [REMEDY]
    for one, another in ((first, other), (other, first)):
        frame = one.value.frame
        taken.append(f"{one.argument} {one.declared}")
        given.append(f"with {described(one.value)}, so that its {name} is {dict(one.named(frame))[name]}")
        inverse = inverted(one.value)
        if inverse and _fit(one.named(frame.reversed), another.named(another.value.frame)):
            remedies.insert(0, f"write {inverse}")
    called = f"kernel {kernel} takes {' and '.join(taken)}, but is called {', and '.join(given)}"
    return f"{called}: {', or '.join(remedies)}"


def _fit(one: set[tuple[str, str]], other: set[tuple[str, str]]) -> bool:
    """Whether each name stands for one frame in both."""
    return len(one | other) == len({name for name, _ in one | other})


def without_frames(arguments: Sequence[Arg], values: Sequence[Any]) -> list[Any]:
    """The values that a kernel's formula takes: without frames, if it declares what becomes of them."""
    if not is_followed() or not any(frame_of(a.frame, type(x)) for a, x in _members(arguments, values)):
        return list(values)
    return [framed(value, None) if isinstance(value, Value) else value for value in values]


def seen(argument: Arg, value: Any, named: Callable[[Frame], Frame | None] = lambda frame: frame) -> Any:
    """A value in the frames that an argument, or the members of its record, declare."""
    if isinstance(value, Record):
        inside = zip(value.members, members_of(value), strict=True)
        return type(value)(*(seen(m, part, named) for m, part in inside))
    declared = frame_of(argument.frame, type(value))
    return framed(value, named(declared), argument.name) if declared else value


def check_result(output: Arg, result: Any) -> None:
    """FeatherError where a result, or a part of it, is in another frame than the output declares."""
    for argument, value in _members([output], [result]):
        declared = frame_of(argument.frame, type(value))
        for part, frame in [(value, declared), *parts_of(value, declared)] if declared else ():
            found = known(part)
            if found is not None and found != frame:
                raise FeatherError(
                    f"output {argument.name} is declared {frame}, but its result is {described(part)}: "
                    "rotate it, or state by in_frame(value, frame) in which frame it is to be seen"
                )


def _members(arguments: Sequence[Arg], values: Sequence[Any]) -> Iterator[tuple[Arg, Any]]:
    """Each argument with its value, of a record those of its members."""
    for a, value in zip(arguments, values, strict=False):
        if isinstance(value, Record):
            yield from _members(value.members, members_of(value))
        else:
            yield a, value
