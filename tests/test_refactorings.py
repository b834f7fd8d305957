"""Refactorings of routines that do the same are cosmetic, with few exceptions, each of which is listed here.

Compilers give the ground truth: versions are run beside each other, and leave the same bits at all data. Each
refactoring is a case in both directions. Where one direction allows C to do what it did not before, as to
overflow where the other one does not, no class but unreadable would be right, and it is no case. False alarms
are 2 of 675 cases (0.3 %) over the five routines of the contact solver, and 3 of 116 cases (2.6 %) over eight
routines that are no part of the library; together 5 of 791 cases (0.6 %).
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from codegen.emit.options import Options
from codegen.library.routines import routines
from codegen.review.diff import ChangeClass, compare_trees
from codegen.review.diff.changes import Change
from codegen.tree.assemble import render_tree
from codegen.verify.native import compilers
from tests.conftest import IN_CI, ROOT, compiled, sampled
from tests.refactorings import (
    OTHERS,
    SOLVER,
    Refactoring,
    refactorings,
    routine,
    singles,
    wrong_neighbours,
)
from tests.routine_copies import differences, named, tree

STEPS = "its steps differ here, and steps with loops or integers are not compared as formulas"
READS = "it reads, or calculates with integers, where it did not before: whether C allows it is not known"

FALSE_ALARMS = {
    "velocity_update: struct copied by member 1, forward": STEPS,
    "velocity_update: struct copied by member 2, forward": STEPS,
    "smooth: loop from 0 with offset 1, forward": READS,
    "lookup: apart tested 1, forward": READS,
    "lookup: apart tested 1, backward": READS,
}
"""The cases that are unreadable though both versions do the same, with the reason that is given."""

_ROW = (
    "n * i + j passes the largest int where n is 46341, and a pointer n * i behind the first element does not"
)
_PART = "copied structs must not overlap in part, as v and v_next may"
MORE_UNDEFINED = {
    "velocity_update: odd turn first 1, forward": "i + 1 passes the largest int where nb is that",
    "velocity_update: odd turn first 2, forward": "i + 1 passes the largest int where nb is that",
    "velocity_update: one loop as two 1, forward": "nb - 1 passes the smallest int where nb is that",
    "velocity_update: helper that returns a status 1, forward": "lambda[i] is also read without a body",
    "velocity_update: helper that returns early 1, forward": "lambda[i] is also read without a body",
    "velocity_update: struct copied by member 1, backward": _PART,
    "velocity_update: struct copied by member 2, backward": _PART,
    "solve_pgs: pointer to a row 1, backward": _ROW,
    "solve_pgs: pointer along a row 1, backward": _ROW,
    "solve_pgs: sum spelled out 1, backward": _ROW,
    "solve_pgs: pointer over a matrix 1, backward": _ROW,
    "solve_apgd: pointer to a row 1, backward": _ROW,
    "solve_apgd: pointer along a row 1, backward": _ROW,
    "solve_apgd: sum spelled out 1, backward": _ROW,
    "solve_apgd: pointer over a matrix 1, backward": _ROW,
    "smooth: loop from 0 with offset 1, backward": "i + width passes the largest int where width is near it",
    "factor: row pointer 1, backward": _ROW,
    "lookup: high begun later 1, backward": "n - 1 passes the smallest int where n is that",
    "normal: column walk 1, forward": "the offset behind the last row passes the largest int",
}
"""The directions in which the new version has no defined behaviour somewhere where the old one has."""

OTHERWISE_WHERE_ARRAYS_OVERLAP = (
    "peak: local, stored at end 1",
    "cascade: temporaries 1",
    "normal: sum in local 1",
)
"""Refactorings that look harmless, and keep what their routines do only where no output is also an input."""

BENIGN = {ChangeClass.IDENTICAL, ChangeClass.COSMETIC, ChangeClass.ADDED, ChangeClass.REMOVED}
"""The classes of what does the same, and of its helpers."""

SANITIZERS = ["-fsanitize=undefined,address", "-fno-sanitize-recover=undefined"]


class Case(NamedTuple):
    """A refactoring in one of its directions."""

    of: Refactoring
    direction: str

    def __str__(self) -> str:
        return f"{self.of}, {self.direction}"


class Batch(NamedTuple):
    """Cases of one routine in one direction, which are compared in one tree."""

    cases: tuple[Case, ...]

    def __str__(self) -> str:
        return f"from {self.cases[0]}"


def every_case(names: Iterable[str]) -> list[Case]:
    """The cases of some routines: what is harmless in this direction."""
    both = [
        Case(one, direction)
        for name in names
        for direction in ("forward", "backward")
        for one in refactorings(name)
        if str(one) not in OTHERWISE_WHERE_ARRAYS_OVERLAP
    ]
    return [case for case in both if str(case) not in MORE_UNDEFINED]


def batches(names: Iterable[str], size: int) -> list[Batch]:
    """The cases of some routines that are to be cosmetic, those of one routine and direction together."""
    found = list[Batch]()
    for name in names:
        for direction in ("forward", "backward"):
            cases = [c for c in every_case([name]) if c.direction == direction]
            plain = [c for c in cases if str(c) not in FALSE_ALARMS]
            found += [Batch(tuple(plain[i : i + size])) for i in range(0, len(plain), size)]
    return found


def named_cases(names: Iterable[str]) -> list[Case]:
    """Cases by their names."""
    known = {
        str(Case(r, d)): Case(r, d)
        for n in (*SOLVER, *OTHERS)
        for r in refactorings(n)
        for d in ("forward", "backward")
    }
    return [known[name] for name in names]


def changes(cases: Sequence[Case]) -> list[list[Change]]:
    """The changes of each case of a batch: those of the routine and of its helpers."""
    of = cases[0].of.routine
    plain = [Refactoring("as it is", 0, of, of.text)] * len(cases)
    trees = tree(of, plain), tree(of, [case.of for case in cases])
    old, new = trees if cases[0].direction == "forward" else trees[::-1]
    found = compare_trees(old, new)
    ends = [re.compile(rf"_{i}(_f32)?$") for i in range(len(cases))]
    assert {named(of, i) for i in range(len(cases))} <= {c.symbol for c in found}
    own = [[c for c in found if end.search(c.symbol)] for end in ends]
    rest = [c for c in found if not any(c in part for part in own)]
    assert {c.kind for c in rest} <= {ChangeClass.IDENTICAL}, rest
    return own


def alarm(found: Sequence[Change]) -> str:
    """What is said of a version that does not count as the same; empty where it does."""
    worse = [c for c in found if not c.kinds <= BENIGN]
    return "; ".join(f"{c.symbol}: {c.kind.value}: {c.detail}" for c in worse)


# The list


def test_false_alarms_are_few() -> None:
    """At most 1 % over the routines of the library."""
    cases = {str(case) for case in every_case(SOLVER)}
    assert len(cases) > 600
    assert len(cases & FALSE_ALARMS.keys()) <= len(cases) / 100


def test_false_alarms_are_few_over_all_routines() -> None:
    """At most 1 % of all cases."""
    cases = every_case((*SOLVER, *OTHERS))
    assert len(cases) > 750
    assert len(FALSE_ALARMS) <= len(cases) / 100


def test_the_rates_are_those_that_are_stated_above() -> None:
    for names in (SOLVER, OTHERS, (*SOLVER, *OTHERS)):
        cases = {str(case) for case in every_case(names)}
        alarms = len(cases & FALSE_ALARMS.keys())
        stated = f"{alarms} of {len(cases)} cases ({alarms / len(cases):.1%})".replace("%", " %")
        assert stated in " ".join(str(__doc__).split())
    assert f"{alarms} of {len(cases)} cases" in " ".join((ROOT / "README.md").read_text().split())


def test_each_name_in_the_lists_is_one_of_a_refactoring() -> None:
    every = {str(one) for name in (*SOLVER, *OTHERS) for one in refactorings(name)}
    listed = [name.rsplit(", ", 1)[0] for name in (*FALSE_ALARMS, *MORE_UNDEFINED)]
    assert {*listed, *OTHERWISE_WHERE_ARRAYS_OVERLAP} <= every
    assert not FALSE_ALARMS.keys() & MORE_UNDEFINED.keys()


def test_the_refactorings_differ_from_each_other() -> None:
    for name in (*SOLVER, *OTHERS):
        texts = [(one.text, one.helper) for one in refactorings(name)]
        assert len(set(texts)) == len(texts)
        assert (routine(name).text, "") not in texts


def test_a_refactoring_whose_text_is_gone_is_an_error() -> None:
    gone = "== a sum: residual\nfloat no_longer = 0.0F;\n-->\nfloat no_longer;\n"
    with pytest.raises(AssertionError, match="a sum: residual: its text is not found any more"):
        list(singles(gone))
    with pytest.raises(AssertionError, match="found 2 times"):
        list(singles("== a sum: residual\n= 0.0F;\n-->\n= -0.0F;\n"))


# Verdicts


QUICK = [name for name in (*OTHERS, *SOLVER) if name != "solve_apgd"]


@pytest.mark.parametrize(
    "batch",
    [
        *sampled(batches(QUICK, 8), every=38, exhaustive=12),
        *sampled(batches(["solve_apgd"], 2), every=999, exhaustive=15),
    ],
    ids=str,
)
def test_refactorings_are_cosmetic(batch: Batch) -> None:
    alarms = {
        str(c): said for c, f in zip(batch.cases, changes(batch.cases), strict=True) if (said := alarm(f))
    }
    assert not alarms


@pytest.mark.parametrize("case", sampled(named_cases(FALSE_ALARMS), every=6), ids=str)
def test_false_alarms_give_their_reason(case: Case) -> None:
    """A case that is no false alarm any more is to be deleted from the list."""
    (found,) = changes([case])
    said = alarm(found)
    assert said, "it is no false alarm any more: delete it from the list, and state the new rates"
    assert ": unreadable: " in said
    assert said.endswith(FALSE_ALARMS[str(case)])


@pytest.mark.parametrize("case", sampled(named_cases(MORE_UNDEFINED), every=20, exhaustive=2), ids=str)
def test_what_is_less_defined_than_before_is_unreadable(case: Case) -> None:
    (found,) = changes([case])
    assert ": unreadable: " in alarm(found)


@pytest.mark.parametrize("one", OTHERWISE_WHERE_ARRAYS_OVERLAP)
def test_what_differs_where_arrays_overlap_is_unreadable(one: str) -> None:
    for case in named_cases([f"{one}, forward", f"{one}, backward"]):
        (found,) = changes([case])
        assert ": unreadable: " in alarm(found)


WRONG = list(wrong_neighbours())


@pytest.mark.parametrize("first", sampled(range(0, len(WRONG), 3), every=len(WRONG)))
def test_wrong_neighbours_are_no_cosmetic_change(first: int) -> None:
    cases = [Case(one, "forward") for one in WRONG[first : first + 3]]
    for case, found in zip(cases, changes(cases), strict=True):
        said = alarm(found)
        assert ": unreadable: " in said or ": changed: " in said, str(case)


# Ground truth


@cache
def command(compiler: str) -> list[str]:
    """A compiler with its options: with sanitizers, where it has them."""
    plain = [*shlex.split(compiler), "-O1", "-ffp-contract=off", "-fno-strict-aliasing"]
    done = subprocess.run(
        [*plain, *SANITIZERS, "-x", "c", "-", "-o", "/dev/null"],
        input="int main(void) { return 0; }",
        text=True,
        capture_output=True,
        check=False,
    )
    return plain if done.returncode else [*plain, *SANITIZERS]


class Run(NamedTuple):
    """All refactorings of a routine, compiled."""

    compiler: str
    name: str

    def __str__(self) -> str:
        return f"{self.name} with {Path(self.compiler).name}"


ORDER = ("residual", *OTHERS, "delassus", "velocity_update", "solve_pgs", "solve_apgd")
RUNS = [Run(compiler, name) for compiler in compilers() for name in ORDER]


@pytest.mark.parametrize("run", sampled(RUNS, every=len(ORDER)), ids=str)
def test_compilers_agree_that_refactorings_do_the_same(run: Run, tmp_path: Path) -> None:
    """They compile without warnings, and leave the same bits as the routine; no run is undefined anywhere."""
    versions = refactorings(run.name)
    found = differences(routine(run.name), versions, command(run.compiler), tmp_path, 300)
    differing = {str(versions[i]) for i in found}
    assert differing == {one for one in OTHERWISE_WHERE_ARRAYS_OVERLAP if one.startswith(f"{run.name}: ")}


@pytest.mark.parametrize("compiler", compilers())
def test_compilers_agree_that_wrong_neighbours_do_not(compiler: str, tmp_path: Path) -> None:
    plain = [*shlex.split(compiler), "-O1", "-ffp-contract=off"]
    found = differences(routine("residual"), WRONG, plain, tmp_path, 300)
    assert len(found) == len(WRONG), [str(one) for i, one in enumerate(WRONG) if i not in found]


_NO_BODIES = """
    const int bodies[2] = {-1, -1};
    fc_contact_wrench_f32 D[2] = {{{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F}}};
    fc_contact_twist_f32 v;
    F(0, 2, NULL, NULL, bodies, bodies, D, D, NULL, &v, &v);
"""
POINTS = {
    "velocity_update: one loop as two 1, forward": """
        fc_contact_twist_f32 v;
        F(INT_MIN, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &v, &v);
    """,
    "velocity_update: helper that returns a status 1, forward": _NO_BODIES,
    "velocity_update: helper that returns early 1, forward": _NO_BODIES,
    "lookup: high begun later 1, backward": "float x = 0.0F; F(&x, &x, INT_MIN, 1.0F);",
}
"""Calls at which the new version is undefined and the old one is not; the others take arrays of gigabytes."""


@pytest.mark.parametrize("name", sampled(POINTS, every=4))
def test_sanitizers_agree_that_versions_are_less_defined(name: str, tmp_path: Path) -> None:
    if not set(SANITIZERS) <= set(command(compilers()[0])):
        (pytest.fail if IN_CI else pytest.skip)("the compiler has no sanitizers; CI must install them")
    (case,) = named_cases([name])
    plain = Refactoring("as it is", 0, case.of.routine, case.of.routine.text)
    versions = [plain, case.of] if case.direction == "forward" else [case.of, plain]
    said = [run_once(version, POINTS[name], tmp_path) for version in versions]
    assert said[0] == ""
    assert "runtime error: " in said[1]


def run_once(version: Refactoring, call: str, place: Path) -> str:
    """What a sanitizer says of one call of a version, which is F there."""
    files = tree(version.routine, [version])
    body = call.replace("F(", f"(void){named(version.routine, 0)}(")
    text = f"#include <limits.h>\n{files['routines.c']}\nint main(void)\n{{\n{body}\nreturn 0;\n}}\n"
    for path, content in {**files, "routines.c": text}.items():
        (place / path).write_text(content, encoding="utf-8")
    compiled([*command(compilers()[0]), "-O0", "-w", "routines.c", "-o", "run", "-lm"], place)
    done = subprocess.run([str(place / "run")], capture_output=True, text=True, check=False)
    return done.stderr


# The other layout


@cache
def header_only() -> Mapping[str, str]:
    """The headers of the contact solver, in the layout without C files."""
    rendered = render_tree(list(routines().values()), Options(layout="header-only"))
    names = ("fc_types.h", "fc_contact_f32.h", "fc_contact_solver_f32.h")
    return {name: rendered[name] for name in names}


def in_header(text: str, one: Refactoring) -> str:
    """The header of the solver with a refactoring in it."""
    start = text.rindex("/**", 0, re.search(rf"{one.routine.symbol}\((const|int) ", text).start())  # type: ignore[union-attr]
    before, after = (version.partition("\n{\n")[2] for version in (one.routine.text, one.text))
    assert text.count(before) == 1
    return (text[:start] + one.helper + "\n" + text[start:]).replace(before, after)


@pytest.mark.parametrize("first", sampled(range(0, 40, 4), every=99, exhaustive=5))
def test_refactorings_in_headers_are_cosmetic(first: int) -> None:
    """One of each routine at once, so that those that call others are no more than cosmetic, too."""
    path = "fc_contact_solver_f32.h"
    old = dict(header_only())
    new = dict(old)
    chosen = list[Refactoring]()
    for name in SOLVER:
        cases = [c.of for c in every_case([name]) if c.direction == "forward" and str(c) not in FALSE_ALARMS]
        fitting = [one for one in cases if not re.search("FLT_|mem[sc]", one.text)]
        chosen.append(fitting[first * len(fitting) // 40])
        new[path] = in_header(new[path], chosen[-1])
    found = {c.symbol: c for c in compare_trees(old, new)}
    assert not alarm(list(found.values())), list(map(str, chosen))
    assert all(found[one.routine.symbol].kind is ChangeClass.COSMETIC for one in chosen)
