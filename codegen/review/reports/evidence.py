"""The wording of a report: why a change has its class, a counterexample, the statements that differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from codegen.review.diff.changes import Change, ChangeClass, Extent
from codegen.review.diff.declared import Quantity
from codegen.review.diff.text.flags import Flags, named
from codegen.review.reports.report import Entry
from codegen.review.reports.units import units_of
from codegen.show import printable

MOST = 400
"""Inputs and results of a counterexample that are shown; the JSON has all of them."""

EDITS, CALLERS = 3, 8
"""Places of different statements, and callers, that are shown; the JSON has all of them."""


def evidence(row: Entry) -> list[str]:
    """The lines that explain a change: its class, a counterexample, what differs, the verdict.

    Of twins, the counterexample and the statements are those in double.
    """
    return [
        *details(row),
        *_counterexample(row),
        *_statements(row),
        *_callers(row),
        *waived_texts(row),
        *reasons(row),
    ]


def details(row: Entry) -> list[str]:
    """The explanation of the class; twins have one if they agree, except where it is only an example."""
    said = [printable(e.change.detail) for e in row.both]
    if len(said) == 2 and said[0] != said[1] and row.change.kind is not ChangeClass.CHANGED:
        return [f"in double: {said[0]}", f"in float: {said[1]}"]
    return said[:1] if said[0] else []


def reasons(row: Entry) -> list[str]:
    """Why the entry is outside the policy."""
    unlike = dict.fromkeys(reason for e in row.both for reason in e.breaches)
    return [f"outside the policy: {printable(reason)}" for reason in unlike]


def waived_texts(row: Entry) -> list[str]:
    """What is said of the classes of a change that are waived."""
    texts = (f"{w.kind.value} is waived until {w.expires}: {w.reason}" for e in row.both for w in e.waived)
    return list(dict.fromkeys(map(printable, texts)))


# The counterexample


class Given(NamedTuple):
    """An argument, or a part of one, at a counterexample: its name, value, unit and frame; safe to print.

    Where the members of a value have several units, these stand in the value.
    """

    name: str
    value: str
    unit: str
    frame: str

    def __str__(self) -> str:
        frame = f", {self.frame}" if self.frame else ""
        return f"{self.name} = {self.value}{f' {self.unit}' if self.unit else ''}{frame}"


def _counterexample(row: Entry) -> Iterator[str]:
    """The inputs at which values differ, the values on both sides, and how far they differ elsewhere."""
    witness = row.change.witness
    if witness is None:
        return
    inputs = given(row, witness.inputs)
    if not inputs:
        yield "the function has no inputs"
    for i, argument in enumerate(inputs):
        yield f"{'   ' if i else 'at '}{argument}"
    if len(witness.inputs) > MOST:
        yield f"and {len(witness.inputs) - MOST} more inputs"
    results = differing(row)
    for name, old, new in results[:MOST]:
        yield f"{name}: {old} -> {new}"
    if len(results) > MOST:
        yield f"{len(results) - MOST} more results differ"
    if witness.extent:
        yield extent(row, witness.extent)
    if is_uncertain(row.change):
        yield UNCERTAIN


UNCERTAIN = (
    "the last place of a <math.h> result decides here: another library may return the same on both sides"
)
"""What is said of a counterexample that depends on the library for mathematics."""


def is_uncertain(change: Change) -> bool:
    """Whether values are changed, or guards, but the only counterexample depends on the library."""
    equal = change.kind is ChangeClass.REASSOCIATED
    return change.witness is not None and not change.witness.certain and not equal


def extent(row: Entry, found: Extent) -> str:
    """How far both versions differ over the input domain, and where most."""
    line = f"differs at {100 * found.share:.0f} % of {found.points} sampled points of the input domain"
    if not found.output:
        return line
    unit = _units(row).get(found.output, "")
    where = ", ".join(f"{g.name} = {g.value}" for g in given(row, found.inputs, 4))
    most = f"{found.most:.4g}{f' {unit}' if unit else ''}"
    return f"{line}: {printable(found.output)} by up to {most}{f', at {where}' if where else ''}"


def given(row: Entry, values: Mapping[str, float], digits: int | None = None) -> list[Given]:
    """The values of inputs, those of a vector or matrix in one, with unit and frame."""
    figures, units = digits or digits_of(row.change), _units(row)
    groups = dict[tuple[str, str, str], list[_Member]]()
    for name, value in list(values.items())[:MOST]:
        part = _part(name)
        unit = units.get(name.removesuffix(_BEFORE), "")
        groups.setdefault(part.group, []).append(_Member(part.member, number(value, figures), unit))
    known = row.explanation.arguments
    return [
        Given(
            printable(f"{argument}{_label(container, [m.name for m in members])}{suffix}"),
            _together(members, known.get(argument), container),
            members[0].unit if _alike(members) else "",
            printable(known[argument].frame) if argument in known else "",
        )
        for (argument, container, suffix), members in groups.items()
    ]


def differing(row: Entry) -> list[tuple[str, str, str]]:
    """The outputs that have different values on the two sides: name, and both values with their unit."""
    witness, digits = row.change.witness, digits_of(row.change)
    if witness is None:
        return []
    names = dict.fromkeys([*witness.old, *witness.new])
    pairs = [(n, witness.old.get(n), witness.new.get(n)) for n in names]
    unlike = [(n, a, b) for n, a, b in pairs if repr(a) != repr(b)]
    shown = [(n, a, b) for n, a, b in unlike if a != b] or unlike  # zeros of other signs are a detail
    (old, new), units = row.explanation.flags, _units(row)
    return [
        (
            _element(n, row),
            _value(n, a, digits, old),
            f"{_value(n, b, digits, new)} {units.get(n, '')}".rstrip(),
        )
        for n, a, b in shown
    ]


def _value(name: str, value: float | int | None, digits: int, flags: Flags) -> str:
    if name == "status" and isinstance(value, int):
        return printable(named(value, flags))
    return number(value, digits)


class _Part(NamedTuple):
    """A scalar by its name in C: the argument, the struct or array in it, and the member of that."""

    argument: str
    container: str
    member: str
    suffix: str

    @property
    def group(self) -> tuple[str, str, str]:
        return self.argument, self.container, self.suffix

    @property
    def path(self) -> list[str]:
        return [name for name in (*self.container.split("."), self.member) if name]


_BEFORE = " before the call"


def _part(name: str) -> _Part:
    suffix = _BEFORE if name.endswith(_BEFORE) else ""
    head, arrow, path = name.removesuffix(suffix).lstrip("*").partition("->")
    if path.endswith("]") or (head.endswith("]") and not arrow):
        whole, _, index = (path or head).rstrip("]").rpartition("[")
        return _Part(head, f".{whole}", index, suffix) if arrow else _Part(whole, "", index, suffix)
    container, _, member = path.rpartition(".")
    return _Part(head, f".{container}" if container else "", member, suffix)


class _Member(NamedTuple):
    """A member of a struct or array: its name, its value and its unit as they are printed."""

    name: str
    value: str
    unit: str


def _alike(members: Sequence[_Member]) -> bool:
    """Whether all members have the same unit."""
    return len({m.unit for m in members}) == 1


def _label(container: str, names: Sequence[str]) -> str:
    """The part of an argument, of which the array in a matrix is the matrix itself."""
    first, *others = names
    if first.isdigit():
        part = container.removesuffix(".m")
        return part if others else f"{part}[{first}]"
    return container if others or not first else f"{container}.{first}"


def _together(members: Sequence[_Member], known: Quantity | None, container: str) -> str:
    """The members of a struct or array as one value, each with its unit where these are not the same."""
    names, alike = [m.name for m in members], _alike(members)
    values = [m.value if alike else f"{m.value} {m.unit}".rstrip() for m in members]
    if len(values) == 1:
        return values[0]
    if names[0].isdigit():
        width = _width(len(values), known, container)
        between = " " if alike and width < len(values) else ", "
        return f"[{'; '.join(between.join(values[i : i + width]) for i in range(0, len(values), width))}]"
    if names in (["x", "y", "z"], ["w", "x", "y", "z"]):
        return f"({', '.join(values)})"
    return f"({', '.join(printable(f'{name} {v}') for name, v in zip(names, values, strict=True))})"


def _width(count: int, known: Quantity | None, container: str) -> int:
    """The columns of an array: as the manifest says, three of a rotation matrix, else all."""
    if container.endswith(".m") and count == 9:
        return 3
    shape = known.shape if known and not container else ()
    return shape[1] if len(shape) == 2 and prod(shape) == count and shape[1] > 0 else count


def _element(name: str, row: Entry) -> str:
    """The name of an output, that of a matrix element with its row and column, which count from 0."""
    part, witness = _part(name), row.change.witness
    if witness is None or not part.member.isdigit():
        return printable(name)
    count = sum(_part(n).group == part.group for n in witness.new)
    width = _width(count, row.explanation.arguments.get(part.argument), part.container)
    i, j = divmod(int(part.member), width)
    return printable(f"{name} (row {i}, column {j})" if width < count else name)


def _units(row: Entry) -> dict[str, str]:
    """The unit of each scalar of the counterexample, by its name; empty where it has none; safe to print."""
    witness = row.change.witness
    scalars = dict[str, dict[str, list[str]]]()
    for name in (*witness.inputs, *witness.new) if witness else ():
        part = _part(name)
        scalars.setdefault(part.argument, {})[name.removesuffix(part.suffix)] = part.path
    return {
        scalar: "" if unit in _NO_UNITS else printable(unit)
        for argument, known in row.explanation.arguments.items()
        if (paths := scalars.get(argument))
        for scalar, unit in zip(paths, units_of(known.unit, paths.values()), strict=True)
    }


_NO_UNITS = ("", "1", "any", "mixed")


def digits_of(change: Change) -> int:
    """The digits that determine a number of a function's precision."""
    return 9 if change.symbol.endswith("_f32") else 17


def number(value: float | int | None, digits: int) -> str:
    """The fewest digits that read back as the value, at most those of its precision."""
    if not isinstance(value, float):
        return str(value)
    short = f"{value:.{digits}g}"
    return repr(value) if len(repr(value)) < len(short) else short


# What differs


def _statements(row: Entry) -> Iterator[str]:
    """The statements that differ, with those before, and the equations they serve."""
    edits = row.explanation.edits
    for edit in edits[:EDITS]:
        yield from (f"was: {printable(text)}" for text in edit.old[:EDITS])
        yield from (f"now: {printable(text)}" for text in edit.new[:EDITS])
        if (rest := max(len(edit.old), len(edit.new)) - EDITS) > 0:
            yield f"and {rest} more statements there"
        yield from (f"equation: {printable(text)}" for text in edit.equations[:EDITS])
    if len(edits) > EDITS:
        yield f"statements differ in {_places(len(edits) - EDITS)}"


def _places(count: int) -> str:
    return f"{count} more place{'s' if count > 1 else ''}"


def _callers(row: Entry) -> Iterator[str]:
    callers = list(dict.fromkeys(c for e in row.both for c in e.explanation.callers))
    if callers:
        more = f" and {len(callers) - CALLERS} more" if len(callers) > CALLERS else ""
        yield f"called by {printable(', '.join(callers[:CALLERS]))}{more}"
