"""Refactorings of routines, functions with loops over arguments, that keep every bit of what those do.

They are made of the text of the routines as it is now: those of the contact solver as it is generated, and
eight others in tests/data/refactorings/routines_f32.c. Rewrites of loops and of expressions are applied to
the first loops or places of each routine of the solver that they fit, each alone; each rewrite of a loop has
a wrong neighbour, which does something else. Single refactorings are read from the text files beside the
routines: below a heading with their kind and their routines

    == sum in a local variable: solve_apgd
    the text that is replaced, in any layout
    -->
    the text that replaces it
    with
    a helper function that is put in front of the routine

with `----` between several replacements, of which each applies to what the former ones leave. A replaced text
is found exactly once; `--> everywhere` replaces it wherever it is found, `--> first` where it is found first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from string import Template
from typing import NamedTuple

from tests.conftest import GENERATED

DATA = Path(__file__).parent / "data" / "refactorings"


class Routine(NamedTuple):
    """A function with loops over arguments, without the comment before it."""

    name: str
    symbol: str
    text: str


class Refactoring(NamedTuple):
    """One refactoring of a routine, with the helper functions or constants that it puts in front."""

    kind: str
    number: int
    routine: Routine
    text: str
    helper: str = ""

    def __str__(self) -> str:
        return f"{self.routine.name}: {self.kind} {self.number}"


SOLVER = ("residual", "delassus", "velocity_update", "solve_pgs", "solve_apgd")
OTHERS = ("smooth", "peak", "factor", "cascade", "lookup", "classes", "normal", "limit")


@cache
def routine(name: str) -> Routine:
    """A routine by its short name."""
    if name in SOLVER:
        symbol, path = f"fc_contact_{name}_f32", GENERATED / "fc_contact_solver_f32.c"
    else:
        symbol, path = f"fc_{name}_f32", DATA / "routines_f32.c"
    return Routine(name, symbol, definitions(path.read_text(encoding="utf-8"))[symbol])


def definitions(text: str) -> Mapping[str, str]:
    """The functions that a C file defines with linkage, by name."""
    found = re.finditer(r"^\w+ (fc_\w+)\([^;{]*\)\n\{\n.*?^\}\n", text, re.MULTILINE | re.DOTALL)
    return {match[1]: match[0] for match in found}


# Rewrites of loops


class Loop(NamedTuple):
    """A loop of the form `for (v = a; v < b; v++) { turn }`."""

    v: str
    a: str
    b: str
    turn: str
    start: int
    end: int

    def turn_of(self, other: str) -> str:
        """The turn with something else in place of the counter."""
        return re.sub(rf"\b{self.v}\b", other, self.turn)

    def written(self, template: str) -> str:
        """A template for this loop: `$v`, `$a`, `$b` and turns of the counter, or of something else."""
        turns = {
            "turn": self.turn,
            "turn_of_own": self.turn_of("own"),
            "turn_of_next": self.turn_of(f"({self.v} + 1)"),
            "turn_of_first": self.turn_of("0"),
            "turn_of_last": self.turn_of(f"({self.b} - 1)"),
            "turn_of_even": self.turn_of("(2 * half)"),
            "turn_of_odd": self.turn_of("(2 * half + 1)"),
            "turn_in_row": self.turn.replace(ELEMENT, "row[j]"),
            "turn_at_pointer": self.turn.replace(ELEMENT, "*at"),
            "turn_with_offset": self.turn.replace(ELEMENT, "N[row + j]"),
        }
        return Template(template).substitute(v=self.v, a=self.a, b=self.b, **turns)


ELEMENT = "N[nc * i + j]"
Fits = Callable[[Loop], bool]


def any_loop(loop: Loop) -> bool:
    return True


def without_jumps(loop: Loop) -> bool:
    return "break" not in loop.turn and "continue" not in loop.turn


def from_0(loop: Loop) -> bool:
    return without_jumps(loop) and loop.a == "0"


def innermost(loop: Loop) -> bool:
    return without_jumps(loop) and "for (" not in loop.turn


def innermost_from_0(loop: Loop) -> bool:
    return innermost(loop) and loop.a == "0"


def innermost_to_size(loop: Loop) -> bool:
    return innermost_from_0(loop) and loop.b in ("nb", "nc")


def over_a_row(loop: Loop) -> bool:
    is_stored = re.search(rf"{re.escape(ELEMENT)} \+?= ", loop.turn)
    return loop.v == "j" and ELEMENT in loop.turn and not is_stored


class Rewrite(NamedTuple):
    """A rewrite of the first loops of a routine that it fits, and what makes it wrong."""

    kind: str
    fits: Fits
    most: int
    template: str
    right: str
    wrong: str


LOOPS = [
    Rewrite(
        "while",
        without_jumps,
        4,
        "$v = $a; while ($v < $b) { $turn $v++; }",
        "$v = $a;",
        "$v = $a + 1;",
    ),
    Rewrite(
        "counter of the loop",
        any_loop,
        3,
        "for (int own = $a; own < $b; own++) { $turn_of_own }",
        "own < $b",
        "own + 1 < $b",
    ),
    Rewrite(
        "bound turned",
        any_loop,
        2,
        "for ($v = $a; $b > $v; $v += 1) { $turn }",
        "+= 1",
        "+= 2",
    ),
    Rewrite(
        "do while",
        from_0,
        3,
        "if ($a < $b) { $v = $a; do { $turn $v++; } while ($v < $b); }",
        "while ($v < $b)",
        "while ($v + 1 < $b)",
    ),
    Rewrite(
        "another counter",
        any_loop,
        2,
        "{ int own; for (own = $a; own < $b; own++) { $turn_of_own } }",
        "own = $a",
        "own = $a + 1",
    ),
    Rewrite(
        "odd turn first",
        innermost_to_size,
        3,
        """if ($b % 2 == 1) { $v = 0; $turn }
        for ($v = $b % 2 == 1 ? 1 : 0; $v + 1 < $b; $v += 2) { { $turn } { $turn_of_next } }""",
        "? 1 : 0",
        "? 1 : 2",
    ),
    Rewrite(
        "odd turn last",
        innermost_to_size,
        3,
        """for ($v = 0; $v < $b - $b % 2; $v += 2) { { $turn } { $turn_of_next } }
        if ($b > 0 && $b % 2 != 0) { $v = $b - 1; $turn }""",
        "% 2 != 0",
        "% 2 == 0",
    ),
    Rewrite(
        "counter of pairs",
        innermost_to_size,
        3,
        """{ int half; for (half = 0; half < $b / 2; half++) { { $turn_of_even } { $turn_of_odd } }
        if ($b > 0 && $b % 2 == 1) { $turn_of_last } }""",
        "half < $b / 2",
        "half + 1 < $b / 2",
    ),
    Rewrite(
        "halves",
        innermost_to_size,
        3,
        """for ($v = 0; $v < $b / 2; $v++) { $turn }
        for ($v = $b / 2; $v < $b; $v++) { $turn }""",
        "$v = $b / 2;",
        "$v = $b / 2 + 1;",
    ),
    Rewrite(
        "halves continued",
        innermost_to_size,
        3,
        """{ const int half = $b / 2; for ($v = 0; $v < half; $v++) { $turn }
        for (; $v < $b; $v++) { $turn } }""",
        "for (; $v",
        "for ($v++; $v",
    ),
    Rewrite(
        "two turns at once",
        innermost,
        3,
        """for ($v = $a; $v + 1 < $b; $v += 2) { { $turn } { $turn_of_next } }
        for (; $v < $b; $v++) { $turn }""",
        "for (; $v < $b; $v++) { $turn }",
        "",
    ),
    Rewrite(
        "first turn before",
        innermost_from_0,
        3,
        "if ($b > 0) { $turn_of_first } for ($v = 1; $v < $b; $v++) { $turn }",
        "$v = 1",
        "$v = 2",
    ),
    Rewrite(
        "last turn behind",
        innermost_from_0,
        2,
        "for ($v = 0; $v + 1 < $b; $v++) { $turn } if ($v < $b) { $turn }",
        "if ($v < $b) { $turn }",
        "",
    ),
    Rewrite(
        "pointer to a row",
        over_a_row,
        3,
        "{ const float *row = &N[nc * i]; for (j = $a; j < $b; j++) { $turn_in_row } }",
        "&N[nc * i]",
        "&N[i]",
    ),
    Rewrite(
        "pointer along a row",
        over_a_row,
        2,
        "{ const float *at = N + nc * i; for (j = $a; j < $b; j++) { $turn_at_pointer at++; } }",
        "N + nc * i",
        "N + i",
    ),
    Rewrite(
        "offset of a row",
        over_a_row,
        2,
        "{ const int row = nc * i; for (j = $a; j < $b; j++) { $turn_with_offset } }",
        "row = nc * i",
        "row = i",
    ),
]


def loops(text: str) -> Iterator[Loop]:
    """The loops of a function that count up by one, the outer before the inner."""
    for match in re.finditer(r"for \((\w+) = (\w+); \1 < (\w+); \1\+\+\) \{", text):
        end = _closing(text, match.end())
        yield Loop(match[1], match[2], match[3], text[match.end() : end], match.start(), end + 1)


def _closing(text: str, start: int) -> int:
    """The place of the brace that closes the block that begins here."""
    depth = 1
    for i in range(start, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i
    raise AssertionError("a block is not closed")


def rewritten(of: Routine, rewrite: Rewrite, template: str) -> list[str]:
    """The routine with the rewrite of each of its first loops that it fits."""
    fitting = [loop for loop in loops(of.text) if rewrite.fits(loop)][: rewrite.most]
    return [
        _without_unused(of.text[: loop.start] + loop.written(template) + of.text[loop.end :])
        for loop in fitting
    ]


def _without_unused(text: str) -> str:
    """A function without the declarations of counters that their blocks do not use any more."""
    for match in reversed(list(re.finditer(r"^ *int (\w+);\n", text, re.MULTILINE))):
        if not re.search(rf"\b{match[1]}\b", text[match.end() : _closing(text, match.end())]):
            text = text[: match.start()] + text[match.end() :]
    return text


def wrong_neighbours() -> Iterator[Refactoring]:
    """Each rewrite of a loop, made wrong, at the first loops that it fits of a routine."""
    of = routine("residual")
    for rewrite in LOOPS:
        assert rewrite.template.count(rewrite.right) == 1, rewrite.kind
        template = rewrite.template.replace(rewrite.right, rewrite.wrong)
        texts = rewritten(of, rewrite, template)
        assert texts, rewrite.kind
        yield from (Refactoring(rewrite.kind, i, of, text) for i, text in enumerate(texts, 1))


# Rewrites of expressions


EVERYWHERE = [
    ("index commuted", r"nc \* i \+ j", "i * nc + j"),
    ("index with the row behind", r"nc \* i \+ j", "j + nc * i"),
    ("increment before", r"(\w+)\+\+\)", r"++\1)"),
    ("declaration later", r"^    int i;\n((?:.*\n)*?)(    for \(i = )", r"\1    int i;\n\2"),
]
"""Kinds, patterns and their replacements, wherever they match in a routine."""

_FINITE = (
    r"!\((\S+|N\[nc \* i \+ j\]) >= -3\.4028235e\+38F && (?:\S+|N\[nc \* i \+ j\]) <= 3\.4028235e\+38F\)"
)

AT_ONE_PLACE = [
    ("assignment spelled out", r"^( *)([\w\[\]* +]+?) ([+*|])= ([^;?(]+);", r"\1\2 = \2 \3 (\4);", 4),
    ("isfinite", r"!\((\S+) >= -3\.4028235e\+38F && \S+ <= 3\.4028235e\+38F\)", r"!isfinite(\1)", 6),
    ("De Morgan", _FINITE, r"(!(\1 >= -3.4028235e+38F) || !(\1 <= 3.4028235e+38F))", 6),
    ("magnitude of a sum", _FINITE, r"!(fabsf(\1) <= 3.4028235e+38F)", 6),
    (
        "returns for a choice",
        r"return (\*residual <= tolerance) \? FC_OK : FC_NOT_CONVERGED;",
        r"if (\1) { return FC_OK; } return FC_NOT_CONVERGED;",
        6,
    ),
    ("without const", r"const (float|int) (\w+) =", r"\1 \2 =", 2),
]
"""Kinds, patterns and their replacements at each of the first so many places of a routine."""


def _general(of: Routine) -> Iterator[tuple[str, str]]:
    """The kinds of the rewrites of a routine, and what they make of it."""
    for rewrite in LOOPS:
        yield from ((rewrite.kind, text) for text in rewritten(of, rewrite, rewrite.template))
    for kind, pattern, replacement in EVERYWHERE:
        yield kind, re.sub(pattern, replacement, of.text, flags=re.MULTILINE)
    for kind, pattern, replacement, most in AT_ONE_PLACE:
        for match in list(re.finditer(pattern, of.text, re.MULTILINE))[:most]:
            yield kind, of.text[: match.start()] + match.expand(replacement) + of.text[match.end() :]


# Single refactorings


def singles(text: str) -> Iterator[Refactoring]:
    """The refactorings of a text file, each without its number."""
    for heading, body in re.findall(r"^== (.*)\n((?:(?!== ).*\n)*)", text, re.MULTILINE):
        kind, names = heading.split(": ")
        edits, _, helper = body.partition("\nwith\n")
        for name in names.split(", "):
            changed = routine(name).text
            for edit in edits.split("\n----\n"):
                before, how, after = re.fullmatch(r"(.*)\n--> ?(\w*)\n?(.*)", edit, re.DOTALL).groups()  # type: ignore[union-attr]
                changed = replaced(changed, before, after, how, heading)
            yield Refactoring(kind, 0, routine(name), changed, helper)


def replaced(text: str, before: str, after: str, how: str, heading: str) -> str:
    """A text with one replacement, in whatever layout what is replaced stands there."""
    pattern = r"\s+".join(map(re.escape, before.split()))
    found = len(re.findall(pattern, text))
    assert found > 0, f"{heading}: its text is not found any more: {before}"
    assert how in ("everywhere", "first") or (how == "" and found == 1), f"{heading}: found {found} times"
    return re.sub(pattern, lambda _: after.strip("\n"), text, count=1 if how == "first" else 0)


@cache
def refactorings(name: str) -> list[Refactoring]:
    """Every refactoring of a routine, each numbered among those of its kind."""
    of = routine(name)
    found = list[Refactoring]()
    if name in SOLVER:
        changed = [(kind, text) for kind, text in _general(of) if text != of.text]
        found += [Refactoring(kind, 0, of, text) for kind, text in changed]
    found += [one for one in _of_files() if one.routine.name == name]
    numbers = {one.kind: count(1) for one in found}
    return [one._replace(number=next(numbers[one.kind])) for one in found]


@cache
def _of_files() -> list[Refactoring]:
    texts = [(DATA / name).read_text(encoding="utf-8") for name in ("contact_solver.txt", "routines.txt")]
    return [one for text in texts for one in singles(text)]
