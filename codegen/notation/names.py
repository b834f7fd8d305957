"""Finds what a name in an equation stands for among the arguments.

Frames may be left out where no other argument has the letter: `w` is w_B, `q_v` the vector part of q_AB. The
parts of a structure have its frames: `R_AB` and `p_AB_A` are the rotation and position of T_AB, `h_1` the
first moment of I_1. The parts of every argument also go by its name and theirs, as in the C: `nav_v_N_x` is
component x of the part v_N of nav.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from codegen.errors import FeatherError
from codegen.notation.blocks import Block


class Place(NamedTuple):
    """What a name stands for: an argument, its part `J`, or a component of either, as `xx`."""

    block: Block
    argument: str
    part: str = ""
    component: str = ""


class _Entity(NamedTuple):
    """Something with a letter, the frames that follow it, and the argument or part of one that it is."""

    letter: str
    frames: tuple[str, ...]
    whole: Place


class Names:
    """The names that arguments and their parts go by.

    Where a letter belongs to an argument and to one of the `results`, it is that of the argument.
    """

    def __init__(self, arguments: Mapping[str, Block], results: Collection[str] = ()) -> None:
        self.arguments = arguments
        self._results = results
        self._entities = list(_entities(arguments))

    def find(self, name: str) -> Block | None:
        """The value of a name, None where it is unknown; FeatherError where it is ambiguous."""
        found = self.place(name)
        return None if found is None else found.block

    def place(self, name: str) -> Place | None:
        """What a name stands for, None where it is unknown; FeatherError where it is ambiguous."""
        if name in self.arguments:
            return Place(self.arguments[name], name)
        letter, *below = name.split("_")
        exact: list[Place] = []
        short: list[Place] = []
        for entity in self._entities:
            if entity.letter != letter:
                continue
            framed = tuple(below[: len(entity.frames)]) == entity.frames
            rest = below[len(entity.frames) :] if framed else below
            found = _below(entity, rest)
            if found is not None:
                (exact if framed else short).append(found)
        every = exact or short
        matches = [m for m in every if not self._is_repeated(m)] or every[:1]
        matches = [m for m in matches if m.argument not in self._results] or matches
        if len(matches) > 1:
            those = ", ".join(sorted(set(map(self._called, matches))))
            raise FeatherError(f"{name} may stand for {those}: write its frames")
        return matches[0] if matches else None

    def is_result(self, place: Place) -> bool:
        """Whether a name stands for a result or a part of one."""
        return place.argument in self._results

    def _is_repeated(self, place: Place) -> bool:
        """Whether it is a member of a structure that is among the arguments by its own name, too."""
        own = self.arguments.get(place.part)
        if own is not None and place.component:
            own = own.parts.get(place.component)
        if own is None or own.shape != place.block.shape:
            return False
        return all(a is b for a, b in zip(own.flat(), place.block.flat(), strict=True))

    def _called(self, place: Place) -> str:
        """What an equation calls an argument, or a part of one."""
        return f"{place.part} of {place.argument}" if place.part else place.argument


def _entities(arguments: Mapping[str, Block]) -> Iterator[_Entity]:
    for name, block in arguments.items():
        letter, *frames = name.split("_")
        yield _Entity(letter, tuple(frames), Place(block, name))
        for part, inside in block.parts.items():
            if (
                inside.parts
                or inside.shape != (1, 1)
                or (len(part) == 1 and part.isalpha() and part not in "wxyz")
            ):
                head, *below = part.split("_")
                yield _Entity(head, (*below, *frames), Place(inside, name, part))


def _below(entity: _Entity, rest: list[str]) -> Place | None:
    """The entity itself, also with the frame of its coordinates, or its component."""
    if not rest:
        return entity.whole
    inside = _inside(entity.whole, rest)
    if inside is not None:
        return inside
    is_frame = len(rest) == 1 and len(rest[0]) == 1 and rest[0].isupper()
    return entity.whole if is_frame and entity.frames else None


def _inside(whole: Place, rest: list[str]) -> Place | None:
    """What is inside of an argument or part: [v, N, x] is component x of the part v_N."""
    for k in range(len(rest), 0, -1):
        name = "_".join(rest[:k])
        block = whole.block.parts.get(name)
        if block is None:
            continue
        if k == len(rest):
            return whole._replace(block=block, component=name)
        part = f"{whole.part}_{name}" if whole.part else name
        found = _inside(whole._replace(block=block, part=part), rest[k:])
        if found is not None:
            return found
    return None
