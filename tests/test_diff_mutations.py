"""Every single mistake in emitted C is reported as changed, and no rewrite that keeps its value is.

Edits of every function of the library, in batches that are compared and compiled together, and of functions
in the other layouts: `make test` runs the first batch, `make test-all` all. A mutant
that the compiler makes the same machine code of as of the original is no mistake, and may be cosmetic. One
that is reported without a witness must behave like the original wherever it is called here; those are
constants that are exact with and without their suffix, values that only stand in for others in guards, and
comparisons whose two sides give the same at the edge.
"""

from __future__ import annotations

import ctypes
import pickle
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from codegen.emit.options import Options
from codegen.library import library
from codegen.loading.python_file import load_model
from codegen.modeling.vehicle import bind_vehicle
from codegen.review.diff import Change, ChangeClass, Witness, compare_trees
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import MANIFEST, Source, read_source
from codegen.tree.assemble import render_tree
from codegen.verify.manifest import read_manifest
from codegen.verify.native import PLAIN, compilers
from tests.conftest import GENERATED, ROOT, Shared, sampled
from tests.edits import COSMETIC, MUTATIONS, REASSOCIATING, Edits, edited, restyled

BATCHES = 22
"""The number of batches of the library, each of functions that follow each other."""

EXAMPLES = ROOT / "examples"


def _library(first: int, options: Options) -> dict[str, str]:
    """A tree of a batch of the library."""
    return render_tree(list(library().values())[first::11], options)


def _vehicle() -> dict[str, str]:
    """The quadrotor with the parameters of one vehicle, and the F-16."""
    models = bind_vehicle(list(load_model(EXAMPLES / "quadrotor.py").values()), EXAMPLES / "quadrotor.toml")
    f16 = bind_vehicle([library()["rigid_body_dynamics_quat"]], EXAMPLES / "f16.toml")
    return render_tree([*models, *f16], Options())


TREES: Mapping[str, Callable[[], dict[str, str]]] = {
    "library": lambda: {p.name: p.read_text("utf-8") for p in GENERATED.iterdir() if p.is_file()},
    "header-only": lambda: _library(2, Options(layout="header-only")),
    "arrays": lambda: _library(4, Options(interface="array", prefix="nav_")),
    "header-only arrays": lambda: _library(6, Options(layout="header-only", interface="array")),
    "without checks": lambda: _library(8, Options(checks=False, prefix="Quick")),
    "without aliases": lambda: _library(10, Options(no_alias=True)),
    "bound vehicles": _vehicle,
}


class Batch(NamedTuple):
    """Functions of a tree that are compared together: one of several parts."""

    tree: str
    part: int = 0
    parts: int = 1

    def __str__(self) -> str:
        return f"{self.tree} {self.part}" if self.parts > 1 else self.tree

    @property
    def functions(self) -> list[tuple[int, str, Item]]:
        """The functions with their numbers and symbols."""
        every = [(i, symbol, item) for i, (symbol, item) in enumerate(straight(self.tree))]
        return every[self.part * len(every) // self.parts : (self.part + 1) * len(every) // self.parts]


OF_LIBRARY = [Batch("library", part, BATCHES) for part in reversed(range(BATCHES))]
ALL = [*OF_LIBRARY, *map(Batch, list(TREES)[1:])]

EACH = pytest.mark.parametrize("batch", sampled(ALL, every=len(ALL), exhaustive=4), ids=str)
"""A test of each batch; the first is the sample."""

RARE = ("comparison", "wrong function", "literal without suffix", "constant")
"""Kinds of which few functions have a place."""

IN_THE_LAST_PLACE = {"literal without suffix", "constant"}
"""Kinds that may change a result by no more than the last place of a function of <math.h> does."""

Kinds = Mapping[str, Callable[[Any], Edits]]


class Edited(NamedTuple):
    """A function with one edit."""

    symbol: str
    kind: str
    original: Item
    text: str


@cache
def tree_of(name: str) -> dict[str, str]:
    return TREES[name]()


@cache
def source_of(tree: str) -> Source:
    return read_source(tree_of(tree))


@cache
def straight(tree: str) -> list[tuple[str, Item]]:
    """The functions without loops."""
    functions = source_of(tree).functions
    return [(s, items[0]) for s, items in functions.items() if "for (" not in items[0].code]


def plan(kinds: Kinds, batch: Batch) -> list[Edited]:
    """One edit of each function of a batch, the kinds in turn, rare ones preferred for every second."""
    return [e for i, symbol, item in batch.functions for e in _one(kinds, i, symbol, item)]


def _one(kinds: Kinds, i: int, symbol: str, item: Item) -> list[Edited]:
    turned = [list(kinds)[(i // 2 + j) % len(kinds)] for j in range(len(kinds))]
    order = sorted(turned, key=lambda kind: kind not in RARE) if i % 2 else turned
    for kind in order:
        text = edited(item.text, kinds, kind, 13 * i)
        if text is not None:
            return [Edited(symbol, kind, item, text)]
    return []


def called(e: Edited) -> str:
    return f"{e.symbol}-{e.kind}"


def changes_of(edits: Collection[Edited], name: str) -> dict[str, Change]:
    """What the comparison says of all edits of a tree at once; files that they do not need are left out."""
    source, whole = source_of(name), tree_of(name)
    needed = {path for e in edits for path in source.reached(e.original.path)}
    old = {path: text for path, text in whole.items() if path in needed or path == MANIFEST}
    new = dict(old)
    for e in edits:
        assert new[e.original.path].count(e.original.text) == 1
        new[e.original.path] = new[e.original.path].replace(e.original.text, e.text)
    return {c.symbol: c for c in compare_trees(old, new)}


@cache
def mutants(batch: Batch) -> list[Edited]:
    return plan(MUTATIONS, batch)


@cache
def rewrites(batch: Batch) -> list[Edited]:
    styles = [Edited(s, "style", item, restyled(item.text)) for _, s, item in batch.functions]
    return [*plan(COSMETIC, batch), *plan(REASSOCIATING, batch), *styles]


Reported = Callable[[Batch], dict[str, Change]]


@pytest.fixture(scope="session")
def reported(shared: Shared) -> Reported:
    """What is said of the mutants of a batch, by symbol."""

    def changes(batch: Batch) -> dict[str, Change]:
        def compare(place: Path) -> None:
            (place / "changes").write_bytes(pickle.dumps(changes_of(mutants(batch), batch.tree)))

        found: dict[str, Change] = pickle.loads((shared(f"{batch}", compare) / "changes").read_bytes())
        return found

    return changes


@pytest.mark.parametrize("batches", sampled([1, BATCHES], every=2))
def test_the_edits_cover_the_library(batches: int) -> None:
    """All kinds, modules and precisions, and functions with roots, trigonometry, divisions and choices."""
    share = batches / BATCHES
    mistakes = [m for batch in OF_LIBRARY[:batches] for m in mutants(batch)]
    kept = [r for batch in OF_LIBRARY[:batches] for r in rewrites(batch)]
    counts = Counter(m.kind for m in mistakes)
    assert counts.keys() >= MUTATIONS.keys() - (set(RARE) if batches == 1 else set())
    assert min(counts.values()) >= 15 * share, counts
    assert len(mistakes) >= 500 * share
    assert len(kept) >= 1000 * share
    assert {r.kind for r in kept} == {*COSMETIC, *REASSOCIATING, "style"}
    files = {m.original.path for m in mistakes}
    assert batches == 1 or files == {p.name for p in GENERATED.glob("fc_*.c")}
    for pattern in (r"sqrtf?\(", r"(sin|cos|atan2)f?\(", r" / ", r" \? "):
        assert sum(bool(re.search(pattern, m.original.code)) for m in mistakes) >= 100 * share, pattern


@EACH
def test_mutants_are_reported(batch: Batch, reported: Reported, tmp_path: Path) -> None:
    """As changed, and their witnesses show different values when both sides are compiled and run.

    A witness that depends on the last place of a libm result says so, and need not show.
    """
    pairs = Pairs(tmp_path, tree_of(batch.tree), mutants(batch))
    changes = reported(batch)
    missed = [(m, why) for m in mutants(batch) if (why := _missed(m, changes[m.symbol], pairs))]
    missed = [(m, why) for m, why in missed if called(m) not in EQUIVALENT]
    assert not missed, "\n\n".join(f"{called(m)}: {why}: {m.text}" for m, why in missed)


def _missed(mutant: Edited, change: Change, pairs: Pairs) -> str:
    """Why what is said of a mutant is wrong; empty where it is right."""
    if change.kind is not ChangeClass.CHANGED:
        return "" if pairs.same_machine_code(mutant) else change.kind.value
    if change.witness is not None and not change.witness.certain:
        return ""
    if change.witness is not None:
        return "" if pairs.differ(mutant.symbol, change.witness) else f"{change.witness} does not show"
    return change.detail if pairs.differ_anywhere(mutant.symbol) else ""


EQUIVALENT = (
    "fc_contact_violation_f32-comparison",  # |min(a, b)|, where a = b
    "fc_contact_violation_f64-comparison",  # |min(a, b)|, where a = b
    "fc_euler_zyz_intrinsic_from_dcm_f32-constant",  # atan2(1.1 y, 1.1 x)
    "fc_euler_yxz_from_dcm_f32-constant",
    "fc_so3_right_jacobian_inverse_f64-constant",  # 0 / 1.1 in place of 0 / 1
)
"""Mutants with the values of the original."""


@pytest.mark.parametrize("batches", sampled([1, BATCHES], every=2))
def test_few_mutants_have_no_witness(batches: int, reported: Reported) -> None:
    said = [(batch, reported(batch)) for batch in OF_LIBRARY[:batches]]
    tried = [(m, changes[m.symbol]) for batch, changes in said for m in mutants(batch)]
    found = [m for m, change in tried if change.witness is None]
    assert len(found) <= len(tried) // 10 + 2, list(map(called, found))
    others = [m for m in found if m.kind not in {*RARE, "swapped outputs"}]
    uncertain = [m for m, change in tried if change.witness and not change.witness.certain]
    in_last_place = [m for m, _ in tried if m.kind in IN_THE_LAST_PLACE]
    assert {m.kind for m in uncertain} <= IN_THE_LAST_PLACE, list(map(called, uncertain))
    assert len(uncertain) <= len(in_last_place) // 10 + 1, list(map(called, uncertain))
    assert all(s.startswith(IS_FINITE) for m in others for s in changed(m)), list(map(called, others))


IS_FINITE = ("constintbounded=", "constintall_finite=", "constfloatt2=dw_x_x+dw_x_y+")
"""What only says whether results are finite, and a part of such a sum: a term less in it seldom shows."""


def changed(e: Edited) -> list[str]:
    """The statements that are not what they were, without comments, blanks and parentheses."""
    before, after = (
        re.sub(r"/\*.*?\*/|[\s()]", "", text, flags=re.DOTALL).split(";")
        for text in (e.original.code, e.text)
    )
    return [statement for statement in after if statement not in before]


UNDECIDED = "inertia_principal"
"""It has more paths than can be followed: rewrites of it count as changed."""


AT_THE_THRESHOLD = "fc_so3_right_jacobian_inverse_f32-re-association"
"""Where r.r is within its round-off of the largest float, the status differs."""


@EACH
def test_rewrites_are_no_change(batch: Batch) -> None:
    for kinds in (set(COSMETIC), set(REASSOCIATING), {"style"}):
        edits = [e for e in rewrites(batch) if e.kind in kinds]
        changes = changes_of(edits, batch.tree)
        misjudged = [(e, c) for e in edits if not _right(e, c := changes[e.symbol])]
        misjudged = [(e, c) for e, c in misjudged if UNDECIDED not in e.symbol]
        misjudged = [(e, c) for e, c in misjudged if called(e) != AT_THE_THRESHOLD]
        assert not misjudged, "\n\n".join(
            f"{called(e)}: {c.kind.value}: {c.detail}: {e.text}" for e, c in misjudged
        )


def _right(rewrite: Edited, change: Change) -> bool:
    """Whether what is said of a rewrite is right."""
    if change.kind is ChangeClass.REASSOCIATED and rewrite.kind in REASSOCIATING:
        return change.witness is not None and change.old_cost is not None
    return change.kind is ChangeClass.COSMETIC


# Routines: their loops are not read, so that every other token is a change that a reviewer must look at


@cache
def routines() -> dict[str, str]:
    """The files of the contact solvers in float, and of what they call."""
    names = [f"fc_{name}_f32.{end}" for name in ("contact", "contact_solver") for end in "ch"]
    return {name: tree_of("library")[name] for name in (*names, "fc_types.h")}


@cache
def looping() -> dict[str, Item]:
    """The functions with loops over arguments."""
    source = read_source(routines())
    return {s: i[0] for s, i in source.functions.items() if re.search(r"for \(\w+ = ", i[0].code)}


_TOKEN = re.compile(r"[A-Za-z_]\w*|[\d.]+\w*|[-+*/<>=!&|]+")
_OTHER = {
    **{
        "+": "-",
        "-": "+",
        "*": "/",
        "/": "*",
        "<": "<=",
        "<=": "<",
        ">": ">=",
        ">=": ">",
        "==": "!=",
        "=": "+=",
    },
    **{
        "!=": "==",
        "+=": "-=",
        "-=": "+=",
        "|=": "=",
        "&&": "||",
        "||": "&&",
        "++": "--",
        "->": "[0].",
        "!": "",
    },
    **{"continue": "break", "break": "continue", "for": "if", "if": "while", "const": "", "int": "float"},
    **{"float": "double", "double": "float", "return": "", "?": ":"},
}
"""Another token in place of one: other words become a neighbouring word, numbers larger ones."""


def tokens_of(item: Item) -> list[re.Match[str]]:
    """The tokens of a function's body."""
    without = re.sub(r"/\*.*?\*/", lambda found: " " * len(found[0]), item.text)
    return list(_TOKEN.finditer(without, item.text.index("{")))


def mutants_at(place: int) -> dict[str, str]:
    """The files of the routines, each of which has another token at a place if its body is as long."""
    tree = dict(routines())
    for item in looping().values():
        if place < len(tokens_of(item)):
            tree[item.path] = tree[item.path].replace(item.text, mutant_of(item, place))
    return tree


def mutant_of(item: Item, place: int) -> str:
    """A function with another token at a place of its body."""
    tokens = tokens_of(item)
    at = tokens[place]
    return item.text[: at.start()] + _other(at[0], [t[0] for t in tokens]) + item.text[at.end() :]


def _other(token: str, words: list[str]) -> str:
    if token in _OTHER:
        return _OTHER[token]
    if token[0].isdigit():
        return "7" + token
    names = [w for w in dict.fromkeys(words) if w.isidentifier() and w not in _OTHER]
    return names[names.index(token) - 1] if token in names else token + token


PLACES = 530
"""As many as the longest routine has tokens, and a few more; a test finds out when it has grown longer."""


def test_every_token_of_the_routines_is_mutated() -> None:
    assert PLACES - 20 <= max(len(tokens_of(item)) for item in looping().values()) <= PLACES


@pytest.mark.parametrize("first", sampled(range(0, PLACES, 5), every=PLACES, exhaustive=25))
def test_mutants_of_routines_are_no_lesser_change(first: int, tmp_path: Path) -> None:
    """Each with the line at which reading ended, or with the same machine code."""
    for place in range(first, first + 5):
        changed = {s for s, item in looping().items() if place < len(tokens_of(item))}
        changes = compare_trees(routines(), mutants_at(place))
        assert changed <= {c.symbol for c in changes}
        for c in changes:
            if c.symbol not in changed:
                calls = c.symbol in looping() and c.detail.startswith("calls ")
                assert c.kind is (ChangeClass.UNREADABLE if calls else ChangeClass.IDENTICAL), (c, place)
            elif c.kind is ChangeClass.COSMETIC:
                assert same_listing(looping()[c.symbol], place, tmp_path), (c.symbol, place)
            else:
                assert c.kind is ChangeClass.UNREADABLE, (c.symbol, place, c.detail)
                assert re.match(r"cannot be read: \S+, line \d+: |calls \w+: unreadable", c.detail), c.detail


def same_listing(item: Item, place: int, directory: Path) -> bool:
    """Whether the compiler makes the same machine code of a function with another token."""
    found = []
    for text in (item.text, mutant_of(item, place)):
        for name, original in routines().items():
            (directory / name).write_text(original.replace(item.text, text), encoding="utf-8")
        found.append(listing(directory, item.path))
    return found[0] == found[1] != ""


def test_mutants_of_routines_are_mistakes(tmp_path: Path) -> None:
    """The compiler refuses most of them, or makes other machine code of them."""
    for name, text in routines().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    originals = {path: listing(tmp_path, path) for path in {i.path for i in looping().values()}}
    assert all(originals.values())
    same = 0
    for place in range(0, PLACES, 130):
        for item in looping().values():
            mutated = routines()[item.path].replace(item.text, mutant_of(item, place % len(tokens_of(item))))
            (tmp_path / item.path).write_text(mutated, encoding="utf-8")
            same += listing(tmp_path, item.path) == originals[item.path]
    assert same <= 2


def listing(directory: Path, path: str) -> str:
    """The machine code of a file; empty where it does not compile."""
    command = [compilers()[0], *PLAIN, "-w", "-S", path, "-o", "one.s"]
    done = subprocess.run(command, cwd=directory, capture_output=True, check=False)
    return "" if done.returncode else (directory / "one.s").read_text(encoding="utf-8")


@pytest.mark.parametrize("gap", ["  ", "\n", " /* why */ ", " \\\n ", " // why\n"])
def test_another_layout_of_routines_is_cosmetic(gap: str) -> None:
    tree = dict(routines())
    for item in looping().values():
        head, brace, body = item.text.partition("{")
        tree[item.path] = tree[item.path].replace(item.text, head + brace + body.replace("; ", f";{gap}"))
    assert {c.kind for c in compare_trees(routines(), tree) if c.symbol in looping()} == {
        ChangeClass.COSMETIC
    }


def test_what_a_routine_calls_changes_it() -> None:
    symbol = "fc_contact_dot_f32"
    (item,) = read_source(routines()).functions[symbol]
    tree = {
        **routines(),
        item.path: routines()[item.path].replace(item.text, item.text.replace(" + ", " - ")),
    }
    found = {c.symbol: c for c in compare_trees(routines(), tree) if c.kind is not ChangeClass.IDENTICAL}
    assert found.pop(symbol).kind is ChangeClass.CHANGED
    assert {(c.kind, c.detail) for c in found.values()} == {(ChangeClass.CHANGED, f"calls {symbol}: changed")}
    assert found.keys() == {s for s, i in looping().items() if f"{symbol}(" in i.code}


# Compiled originals and mutants


class Pairs:
    """Each original beside its mutant, compiled."""

    def __init__(self, directory: Path, tree: Mapping[str, str], mutants: Iterable[Edited]) -> None:
        for path, text in tree.items():
            (directory / path).write_text(text, encoding="utf-8")
        manifest = read_manifest(directory)
        self.preamble = f'#include "{manifest["prefix"]}types.h"\n#include <math.h>\n'
        self.described = {f["symbol"]: f for f in manifest["functions"]}
        self.sizes = {t["name"]: t["scalars"] for t in manifest["types"]}
        self.directory = directory
        parts = [_named(text, m.symbol, side) for m in mutants for side, text in _sides(m)]
        (directory / "pairs.c").write_text(self.preamble + "\n".join(parts), encoding="utf-8")
        self._compile("-shared", "-fPIC", "pairs.c", "-o", "pairs.so", "-lm")
        self.library = ctypes.CDLL(str(directory / "pairs.so"))

    def same_machine_code(self, mutant: Edited) -> bool:
        """Whether the compiler sees no difference."""
        listings = []
        for _, text in _sides(mutant):
            (self.directory / "one.c").write_text(self.preamble + text, encoding="utf-8")
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
        command = [compilers()[0], *PLAIN, "-w", "-I.", *arguments]
        subprocess.run(command, cwd=self.directory, check=True)


def _sides(mutant: Edited) -> Iterator[tuple[str, str]]:
    yield "old", mutant.original.text
    yield "new", mutant.text


def _named(text: str, symbol: str, side: str) -> str:
    """The function under another name, with linkage."""
    text = re.sub(r"\b(?:static|inline) ", "", text)
    return re.sub(rf"\b{symbol}\b", f"{side}_{symbol}", text)
