"""The symbols of a page's equations that neither its table of arguments nor an equation explains.

They are parts of arguments and results, such as the mass `m` of an inertia, arguments whose frames are left
out or whose letter is another one, unit vectors, constants of a precision, and physical constants with units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from codegen.errors import FeatherError
from codegen.ir.expression import Expr
from codegen.ir.operations import Op
from codegen.ir.program import Arg, input_scalars
from codegen.ir.types import Value
from codegen.library.constants import CONSTANTS, QUANTITIES
from codegen.modeling.equations.textbook import Shown, arguments, stated_parts, traced_table
from codegen.modeling.kernel import Kernel
from codegen.modeling.quantities.units import unit_texts
from codegen.modeling.routine import Routine
from codegen.notation import functions
from codegen.notation.layout import Box, Row
from codegen.notation.layout import Symbol as Printed
from codegen.notation.names import Names, Place
from codegen.notation.prose import listed
from codegen.notation.syntax import Equation, Kind, Node, is_integral
from codegen.proof.derivation import derivation
from codegen.provenance.shown import Prose, all_inputs, all_outputs, equations, prose


@dataclass(frozen=True)
class Symbol:
    """Names in equations, as they are printed, with what they are.

    Names of parts of arguments, `of` which they are, are listed together where their meaning is the same.
    """

    names: tuple[str, ...]
    printed: tuple[Row, ...]
    meaning: Prose
    of: tuple[str, ...] = ()
    is_part: bool = False
    unit: str = ""
    frame: str = ""

    @property
    def plain(self) -> Prose:
        """The meaning with the arguments that it is of."""
        named = listed(self.of)
        return (f"{'of ' if self.is_part else ''}{named}: ", *self.meaning) if named else self.meaning

    def joined(self, other: Symbol) -> Symbol:
        """Both as one."""
        return replace(
            self,
            names=(*self.names, *other.names),
            printed=(*self.printed, *other.printed),
            of=tuple(dict.fromkeys((*self.of, *other.of))),
        )


def texts(subject: Kernel | Routine) -> list[str]:
    """The equations on a page: those of the definition, of the steps, and of the formula."""
    steps = derivation(subject) if isinstance(subject, Kernel) else []
    return list(dict.fromkeys([*(s.equation for s in steps if s.kind != "passes"), subject.equation]))


def symbols(subject: Kernel | Routine) -> list[Symbol]:
    """The symbols that a page explains beside its arguments, in the order of its equations."""
    return _joined(s for new in introduced(subject).values() for s in new)


def introduced(subject: Kernel | Routine) -> dict[str, list[Symbol]]:
    """For each text of a page, the symbols in its equations that no text before it has."""
    told = set[str]()
    found: dict[str, list[Symbol]] = {}
    for text, page in _pages(subject):
        new = {s.names[0]: s for s in page.symbols() if s.names[0] not in told}
        told |= new.keys()
        found[text] = _joined(new.values())
    return found


COUNTED = "Elements of vectors and matrices are counted from 0."


def counts_elements(subject: Kernel | Routine) -> bool:
    """Whether its arguments or equations have elements with numbers, as `R_12` or `v[0]`."""
    below = (s.removeprefix(a.name) for a in all_arguments(subject) for s in a.scalar_names)
    if any(name.rpartition("_")[2].isdigit() for name in below):
        return True
    stated = filter(None, (equations(subject, text) for text in texts(subject)))
    sides = (side for found in stated for e in found.equations for side in e.sides)
    return any(node.kind is Kind.ENTRY for side in sides for node in side.nodes())


def all_arguments(subject: Kernel | Routine) -> list[Arg]:
    """Its inputs and results, each once."""
    return list(dict.fromkeys([*all_inputs(subject), *all_outputs(subject)]))


def _joined(each: Iterable[Symbol]) -> list[Symbol]:
    """The symbols, those that have the same meaning in one row."""
    found: dict[object, Symbol] = {}
    for s in each:
        alone = () if s.is_part or not s.of else s.names
        key = (s.meaning, s.unit, s.frame, alone)
        found[key] = found[key].joined(s) if key in found else s
    return list(found.values())


def unexplained(subject: Kernel | Routine) -> set[str]:
    """The names in equations of a page that nothing there explains."""
    told = {name for s in symbols(subject) for name in s.names}
    return {name for _, page in _pages(subject) for name in page.used if name not in page.explained} - told


def _pages(subject: Kernel | Routine) -> Iterator[tuple[str, _Page]]:
    for text in texts(subject):
        stated = equations(subject, text)
        if stated is not None:
            yield text, _Page(subject, stated)


class _Page:
    """Equations about a kernel, with what their names are."""

    def __init__(self, subject: Kernel | Routine, stated: Shown) -> None:
        self._subject, self._stated = subject, stated
        every = all_arguments(subject)
        self._arguments = {**{m.name: m for a in every for m in _members(a)}, **{a.name: a for a in every}}
        given = arguments(every, input_scalars(every), traced_table())
        self._names = Names(given, [a.name for a in subject.outputs])
        self._of_results = stated_parts(stated.meaning, all_outputs(subject))
        self._declared = {a.name: a for a in ([] if isinstance(subject, Kernel) else subject.symbols)}
        self.used = list(dict.fromkeys(n for e in stated.equations for n in _names_in(e)))

    @property
    def explained(self) -> set[str]:
        """The names that arguments have, or that an equation defines."""
        return {*self._arguments, *map(_base, self._stated.meaning.defined)}

    def symbols(self) -> Iterator[Symbol]:
        """The symbols in the order of the equations."""
        for name in self.used:
            if name in self._declared:
                declared = self._declared[name]
                yield self._symbol(name, declared.doc, None, declared.unit)
            elif self._is_renamed(name):
                yield self._placed(name, Place(self._names.arguments[name], name))
            elif name in self._of_results:
                yield self._placed(name, self._of_results[name])
            elif name in self.explained:
                yield from self._defined(name)
            else:
                yield from self._found(name)

    def _found(self, name: str) -> Iterator[Symbol]:
        """A constant of a precision, an argument or a part of one, a unit vector."""
        place = None if name in functions.CONSTANTS else self._place(name)
        if place is not None:
            yield self._placed(name, place)
        elif name in _KNOWN:
            yield self._symbol(name, _KNOWN[name], None, "")

    def _place(self, name: str) -> Place | None:
        with suppress(FeatherError):  # it is of a family, as w_i is
            return self._names.place(name)
        return None

    def _is_renamed(self, name: str) -> bool:
        """Whether an argument is printed with another letter, as the w of an angular velocity."""
        letter, printed = name.partition("_")[0], self._box(name)
        if letter not in self._stated.layout.letters or name not in self._arguments:
            return False
        return isinstance(printed, Printed) and printed.letter != letter

    def _defined(self, name: str) -> Iterator[Symbol]:
        """A physical constant or a quantity of the subject: what an equation computes, in words."""
        values = [n for n in self._stated.meaning.defined if _base(n) == name]
        known = QUANTITIES if any(map(self._varies, values)) else CONSTANTS
        unit, meaning = known.get(self._subject.module, {}).get(name, ("", ""))
        if meaning and name not in self._arguments:
            yield self._symbol(name, meaning, None, unit)

    def _varies(self, name: str) -> bool:
        """Whether the value of a name depends on an argument."""
        meaning = self._stated.meaning
        pending = [*meaning.value(name).numbers] if meaning.has_value(name) else []
        while pending:
            x = pending.pop()
            if isinstance(x, Expr):
                if x.op is Op.INPUT:
                    return True
                pending += x.args
        return False

    def _placed(self, name: str, place: Place) -> Symbol:
        """An argument, or a part or component of one, in its unit and frame."""
        a = self._arguments[place.argument]
        if place.component in _parts_of(a) and not place.part:
            place = place._replace(part=place.component, component="")
        unit, told = _unit(a, place), _parts_of(a).get(place.part, "part")
        if place.component:
            return self._symbol(name, f"component of the {told}" if place.part else "component", a, unit)
        if place.part:
            has_axes = place.block.shape != (1, 1) and ", " not in a.frame  # which has one for each part
            return self._symbol(name, told, a if has_axes else replace(a, frame=""), unit)
        return replace(self._symbol(name, a.doc, a, unit), is_part=False)

    def _symbol(self, name: str, meaning: str, of: Arg | None, unit: str) -> Symbol:
        told = prose(self._subject, meaning)
        owner, frame = ((of.name,), of.frame) if of else ((), "")
        return Symbol((name,), (Row((self._box(name),)),), told, owner, of is not None, unit, frame)

    def _box(self, name: str) -> Box:
        return self._stated.layout.box(Node(Kind.NAME, (), name))


_KNOWN = {
    **dict.fromkeys(("e_x", "e_y", "e_z"), "unit vector of the axis with this letter"),
    "pi": "half a turn",
    "eps": "distance from 1 to the next larger number of the precision",
    "min": "smallest positive normal number of the precision",
    "max": "largest number of the precision",
}
"""Names of the notation itself."""


def _names_in(equation: Equation) -> Iterator[str]:
    """The names in an equation, without the variables of functions that it defines and of integrals."""
    left = equation.sides[0]
    own = left.kind is Kind.CALL and left.name not in functions.GIVEN
    bound = frozenset(a.name for a in left.args) if own else frozenset[str]()
    for side in equation.sides:
        yield from _free(side, bound)


def _free(node: Node, bound: frozenset[str]) -> Iterator[str]:
    if node.kind is Kind.NAME and node.name not in bound:
        yield node.name
    if is_integral(node):
        bound |= {span.args[0].name for span in node.args[1:]}
    for a in node.args:
        yield from _free(a, bound)


def _base(name: str) -> str:
    """The name of which an equation defines a power."""
    return name.partition("^")[0]


def _members(a: Arg) -> Sequence[Arg]:
    return a.type.members if isinstance(a.type, type) else ()


def _parts_of(a: Arg) -> Mapping[str, str]:
    """What the parts of a structure are, in the frames of the argument."""
    if not (isinstance(a.type, type) and issubclass(a.type, Value)):
        return {}
    first, _, second = a.frame.partition(" to ")
    frames = (first, second) if second else ("the first frame", "the second frame")
    return {part: meaning.format(*frames) for part, meaning in a.type.meanings.items()}


def _unit(a: Arg, place: Place) -> str:
    """The unit of an argument, or of its scalars that a name stands for."""
    below = "_".join((a.name, *filter(None, (place.part, place.component))))
    units = zip(a.scalar_names, unit_texts(a), strict=True)
    those = {unit for scalar, unit in units if scalar == below or scalar.startswith(f"{below}_")}
    return those.pop() if len(those) == 1 else a.unit
