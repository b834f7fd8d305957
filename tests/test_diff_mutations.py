"""Every single mistake in emitted C is reported as changed, and no rewrite that keeps its value is.

A sample here; in CI and by `make mutations`, edits of every function of the library. A mutant
that the compiler makes the same machine code of as of the original is no mistake, and may be cosmetic. One
that is reported without a witness must behave like the original wherever it is called here; those are
constants that are exact with and without their suffix, values that only stand in for others in guards, and
comparisons whose two sides give the same at the edge.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from codegen.diff import Change, Kind, Witness, compare_trees
from codegen.diff.source import Item, read_source
from codegen.native import PLAIN, compilers, read_manifest
from tests.conftest import GENERATED, IN_CI
from tests.edits import COSMETIC, MUTATIONS, REASSOCIATING, Edits, edited, restyled

EVERY = IN_CI or "MUTATIONS" in os.environ
STEP, REWRITE_STEP = (1, 1) if EVERY else (11, 17)
"""Of so many functions, one is edited."""

RARE = ("comparison", "wrong function", "literal without suffix", "constant")
"""Kinds of which few functions have a place."""

Kinds = Mapping[str, Callable[[Any], Edits]]


class Edited(NamedTuple):
    """A function with one edit."""

    symbol: str
    kind: str
    original: Item
    text: str


@cache
def committed() -> dict[str, str]:
    return {p.name: p.read_text(encoding="utf-8") for p in GENERATED.iterdir() if p.is_file()}


@cache
def straight() -> list[tuple[str, Item]]:
    """The functions without loops."""
    source = read_source(committed())
    return [(s, items[0]) for s, items in source.functions.items() if "for (" not in items[0].code]


def plan(kinds: Kinds, step: int) -> list[Edited]:
    """One edit of each function, the kinds in turn, rare ones preferred for every second."""
    return [
        e
        for i, (symbol, item) in enumerate(straight())
        if i % step == 0
        for e in _one(kinds, i, symbol, item)
    ]


def _one(kinds: Kinds, i: int, symbol: str, item: Item) -> list[Edited]:
    turned = [list(kinds)[(i // 2 + j) % len(kinds)] for j in range(len(kinds))]
    order = sorted(turned, key=lambda kind: kind not in RARE) if i % 2 else turned
    for kind in order:
        text = edited(item.text, kinds, kind, 13 * i)
        if text is not None:
            return [Edited(symbol, kind, item, text)]
    return []


def changes_of(edits: list[Edited]) -> dict[str, Change]:
    """What the comparison says of all of them at once."""
    tree = dict(committed())
    for e in edits:
        assert tree[e.original.path].count(e.original.text) == 1
        tree[e.original.path] = tree[e.original.path].replace(e.original.text, e.text)
    return {c.symbol: c for c in compare_trees(committed(), tree)}


MUTANTS = plan(MUTATIONS, STEP)
REWRITES = [
    *plan(COSMETIC, REWRITE_STEP),
    *plan(REASSOCIATING, REWRITE_STEP),
    *(Edited(s, "style", item, restyled(item.text)) for s, item in straight()[::REWRITE_STEP]),
]


@pytest.fixture(scope="module")
def reported() -> dict[str, Change]:
    return changes_of(MUTANTS)


def called(e: Edited) -> str:
    return f"{e.symbol}-{e.kind}"


def test_the_edits_cover_the_library() -> None:
    """All kinds, modules and precisions, and functions with roots, trigonometry, divisions and choices."""
    share = 1 / STEP
    counts = Counter(m.kind for m in MUTANTS)
    assert counts.keys() == MUTATIONS.keys()
    assert min(counts.values()) >= 15 * share, counts
    assert len(MUTANTS) >= 500 * share
    assert len(REWRITES) >= 1000 / REWRITE_STEP
    assert {r.kind for r in REWRITES} == {*COSMETIC, *REASSOCIATING, "style"}
    files = {m.original.path for m in MUTANTS}
    assert not EVERY or files == {p.name for p in GENERATED.glob("fc_*.c")}
    for pattern in (r"sqrtf?\(", r"(sin|cos|atan2)f?\(", r" / ", r" \? "):
        assert sum(bool(re.search(pattern, m.original.code)) for m in MUTANTS) >= 100 * share, pattern


@pytest.mark.parametrize("mutant", MUTANTS, ids=called)
def test_a_mutant_is_reported(mutant: Edited, reported: dict[str, Change], pairs: Pairs) -> None:
    """As changed, and its witness shows different values when both are compiled and run."""
    change = reported[mutant.symbol]
    if change.kind is not Kind.CHANGED:
        assert pairs.same_machine_code(mutant), f"{change.kind.value}: {mutant.text}"
    elif change.witness is not None:
        assert pairs.differ(mutant.symbol, change.witness), f"{change.witness} does not show: {mutant.text}"
    else:
        assert not pairs.differ_anywhere(mutant.symbol), f"{change.detail}: {mutant.text}"


def test_few_mutants_have_no_witness(reported: dict[str, Change]) -> None:
    found = [m for m in MUTANTS if reported[m.symbol].witness is None]
    assert len(found) <= len(MUTANTS) // 10 + 2, list(map(called, found))
    others = [m for m in found if m.kind not in {*RARE, "swapped outputs"}]
    assert all("constintbounded" in s for m in others for s in changed(m)), list(map(called, others))


def changed(e: Edited) -> list[str]:
    """The statements that are not what they were, without blanks and parentheses.

    One that only says whether a result is finite seldom shows.
    """
    before, after = (re.sub(r"[\s()]", "", text).split(";") for text in (e.original.code, e.text))
    return [statement for statement in after if statement not in before]


@pytest.fixture(scope="module")
def judged() -> dict[str, Change]:
    """What is said of the rewrites, by the name of each."""
    found: dict[str, Change] = {}
    for kinds in (set(COSMETIC), set(REASSOCIATING), {"style"}):
        edits = [e for e in REWRITES if e.kind in kinds]
        changes = changes_of(edits)
        found |= {called(e): changes[e.symbol] for e in edits}
    return found


@pytest.mark.parametrize("rewrite", REWRITES, ids=called)
def test_a_rewrite_is_no_change(rewrite: Edited, judged: dict[str, Change]) -> None:
    change = judged[called(rewrite)]
    expected = [Kind.COSMETIC] if rewrite.kind not in REASSOCIATING else [Kind.COSMETIC, Kind.REASSOCIATED]
    assert change.kind in expected, f"{change.detail}: {rewrite.text}"
    if change.kind is Kind.REASSOCIATED:
        assert change.witness is not None
        assert change.old_cost is not None


# Compiled originals and mutants


class Pairs:
    """Each original beside its mutant, compiled."""

    def __init__(self, directory: Path) -> None:
        manifest = read_manifest(GENERATED)
        self.described = {f["symbol"]: f for f in manifest["functions"]}
        self.sizes = {t["name"]: t["scalars"] for t in manifest["types"]}
        self.directory = directory
        parts = [_named(text, m.symbol, side) for m in MUTANTS for side, text in _sides(m)]
        (directory / "pairs.c").write_text(_PREAMBLE + "\n".join(parts), encoding="utf-8")
        self._compile("-shared", "-fPIC", "pairs.c", "-o", "pairs.so", "-lm")
        self.library = ctypes.CDLL(str(directory / "pairs.so"))

    def same_machine_code(self, mutant: Edited) -> bool:
        """Whether the compiler sees no difference."""
        listings = []
        for _, text in _sides(mutant):
            (self.directory / "one.c").write_text(_PREAMBLE + text, encoding="utf-8")
            self._compile("-S", "one.c", "-o", "one.s")
            listings.append((self.directory / "one.s").read_bytes())
        return listings[0] == listings[1]

    def differ(self, symbol: str, witness: Witness) -> bool:
        """Whether both return different values for the witness."""
        inputs = {name: [] for name in self._arguments(symbol)}  # type: dict[str, list[float]]
        before: dict[str, dict[str, float]] = {}
        for place, value in witness.inputs.items():
            name = re.match(r"\*?(\w+)", place)[1]  # type: ignore[index]
            if place.endswith(" before the call"):
                before.setdefault(name, {})[place.removesuffix(" before the call")] = value
            else:
                inputs[name].append(value)
        for name, known in before.items():
            places = [p for p in witness.old if re.match(r"\*?(\w+)", p)[1] == name]  # type: ignore[index]
            inputs[name] = [known.get(place, 0.0) for place in places]
        return self._run("old", symbol, inputs) != self._run("new", symbol, inputs)

    def differ_anywhere(self, symbol: str) -> bool:
        """Whether both return different values at one of some inputs of all sizes."""
        random = np.random.default_rng(5)
        for size in [0.0] * 300 + [2.0**k for k in range(-110, 111, 2)] * 3:
            inputs = {
                name: list(random.standard_normal(count) * (size or 1.0))
                for name, count in self._arguments(symbol).items()
            }
            if self._run("old", symbol, inputs) != self._run("new", symbol, inputs):
                return True
        return False

    def _arguments(self, symbol: str) -> dict[str, int]:
        """How many scalars each argument has."""
        return {
            a["name"]: int(np.prod(a["shape"], dtype=int)) * self.sizes.get(a["type"], 1)
            for a in self.described[symbol]["arguments"]
        }

    def _run(self, side: str, symbol: str, inputs: Mapping[str, list[float]]) -> list[bytes]:
        """What a function leaves in its outputs, NaNs alike, zeros alike, and its status."""
        description = self.described[symbol]
        kind: Any = np.float64 if description["precision"] == "f64" else np.float32
        function = getattr(self.library, f"{side}_{symbol}")
        passed: list[Any] = []
        outputs = []
        for a in description["arguments"]:
            count = self._arguments(symbol)[a["name"]]
            array = np.zeros(count, np.intc if a["type"] == "int" else kind)
            if inputs[a["name"]] and a["type"] != "int":
                with np.errstate(over="ignore"):
                    array[:] = inputs[a["name"]]
            if a["direction"] == "out":
                outputs.append(array)
            by_value = ctypes.c_double if kind is np.float64 else ctypes.c_float
            passed.append(by_value(array[0]) if a["pass"] == "value" else ctypes.c_void_p(array.ctypes.data))
            passed[-1].keep = array
        returned = function(*passed)
        status = returned if description["returns"] == "status" else 0
        return [*(np.where(np.isnan(o), np.nan, o + 0).tobytes() for o in outputs), bytes([status])]

    def _compile(self, *arguments: str) -> None:
        command = [compilers()[0], *PLAIN, "-w", f"-I{GENERATED}", *arguments]
        subprocess.run(command, cwd=self.directory, check=True)


_PREAMBLE = '#include "fc_types.h"\n#include <math.h>\n'


def _sides(mutant: Edited) -> Iterator[tuple[str, str]]:
    yield "old", mutant.original.text
    yield "new", mutant.text


def _named(text: str, symbol: str, side: str) -> str:
    return re.sub(rf"\b{symbol}\b", f"{side}_{symbol}", text)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Pairs:
    return Pairs(tmp_path_factory.mktemp("pairs"))
