"""What a change of the self-test means: what it no longer tests, and what else decides its verdict.

The C of a self-test is a frame, the same in every tree, and parts: a function's table, its call, its row in
the list of tests. Parts of functions that have changed may differ; each must still test its function.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import product

from codegen.emit.render import render
from codegen.ir.systems import PRECISIONS
from codegen.review.diff.callers.headers import listed
from codegen.review.diff.text.comments import separate

_TOKEN = re.compile(
    r"\"[^\"\n]*\"|\.?\d(?:[eEpP][-+]|[\w.])*|\w+|->|\+\+|--|&&|\|\||[-+*/%&|^=<>!]=|[^ \t\f\v]", re.ASCII
)
_PART = re.compile(r"static (?:const )?\w+ (?:\* )?(?:table|call|failures)_(\w+) [\[(]")
_LIST = re.compile(r"(static const \w+ tests_\w+ \[ \] = \{)(.*)\} ;")
_ROW = re.compile(r'\{ "(\w+)" , call_(\w+) , table_(\w+) , (\d+) , (\d+) , (\d+) , (\d+) \} ,')
_LOOP = re.compile(
    r"for \( int i = 0 ; i < (\d+) ; i \+\+ \) \{ "
    r"if \( failures_(\w+) \( & tests_(\w+) \[ i \] \) > 0 \) \{ "
    r"REPORT \( tests_\w+ \[ i \] \. name \) ; wrong = 1 ; \} \}"
)
_SINGLE = re.compile(r'if \( failures_(\w+) \( \) > 0 \) \{ REPORT \( "(\w+)" \) ; wrong = 1 ; \}')
_FORMATS = ("f32", "f64")


@dataclass
class SelfTest:
    """The frame of a self-test, the parts of each function, and what is wrong with them."""

    frame: list[str] = field(default_factory=list)
    parts: dict[str, list[str]] = field(default_factory=dict)
    listed: dict[str, int] = field(default_factory=dict)
    looped: dict[str, int] = field(default_factory=dict)
    run: set[str] = field(default_factory=set)
    rows: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def tested(self) -> set[str]:
        """The functions that the self-test calls."""
        return self.rows.keys() | self.run


def read_selftest(text: str) -> SelfTest:
    """The parts of a self-test; whatever has another form belongs to its frame."""
    found = SelfTest()
    for item in _items(separate(_spliced(text)).code):
        part, tests = _PART.match(item), _LIST.fullmatch(item)
        if part and part[1] not in _FORMATS:
            found.parts.setdefault(part[1], []).append(item)
        elif tests:
            found.frame.append(_listed(tests, found))
        elif item.startswith("int main ("):
            found.frame.append(_main(item, found))
        else:
            found.frame.append(re.sub(r"found \[ \d+ \]", "found [ ]", item))
    return found


def _spliced(text: str) -> str:
    """The text as compilers see it, in which a backslash at its end joins a line to the next one."""
    return re.sub(r"\\[ \t\f\v]*\n", "", text.replace("\r\n", "\n"))


def _items(code: str) -> Iterator[str]:
    """Directives, declarations and definitions, each as its tokens."""
    tokens, depth, function = list[str](), 0, False
    for line in code.split("\n"):
        if line.lstrip().startswith("#") and depth == 0:
            yield _directive(line)
            continue
        for token in _TOKEN.findall(line):
            if token == "{" and depth == 0:
                function = tokens[-1:] == [")"]
            tokens.append(token)
            depth += (token in "({") - (token in ")}")
            if depth == 0 and (token == ";" or (token == "}" and function)):
                yield " ".join(tokens)
                tokens, function = [], False
    if tokens:
        yield " ".join(tokens)


def _directive(line: str) -> str:
    """The tokens of a directive; those of a macro tell whether it has parameters."""
    words = " ".join(_TOKEN.findall(line))
    return re.sub(r"(# define \w+) \(", r"\1(", words) if _PARAMETERS.match(line) else words


_PARAMETERS = re.compile(r"[ \t]*#[ \t]*define[ \t]+\w+\(")


def _listed(tests: re.Match[str], found: SelfTest) -> str:
    """The head of a list of tests, and what is no row of it."""
    rows = list(_ROW.finditer(tests[2]))
    for name, *called, rows_, width, inputs, results in (r.groups() for r in rows):
        if set(called) == {name}:
            found.rows[name] = (int(rows_), int(width), int(inputs), int(results))
        found.parts.setdefault(name, []).append(f"{rows_} {width} {inputs} {results}")
    kind = tests[1].split("tests_")[1].split()[0]
    found.listed[kind] = len(rows)
    return tests[1] + _ROW.sub("", tests[2]).strip()


def _main(item: str, found: SelfTest) -> str:
    for count, *kinds in (m.groups() for m in _LOOP.finditer(item)):
        if len(set(kinds)) == 1:
            found.looped[kinds[0]] = int(count)
    for names in (m.groups() for m in _SINGLE.finditer(item)):
        if len(set(names)) == 1:
            found.run.add(names[0])
    return re.sub(" +", " ", _SINGLE.sub("", _LOOP.sub("", item))).strip(" ")


def effects(
    texts: tuple[str, str], prefix: str, same: Collection[str], defined: Collection[str]
) -> Iterator[str]:
    """What the change of a self-test means.

    `prefix` is that of the new tree, `same` are the functions that have not changed, `defined` those of the
    new tree.
    """
    if not only_for_tests(texts, prefix):
        yield "has other code outside of #ifdef ..._SELFTEST_MAIN, which every program that compiles it has"
    old, new = map(read_selftest, texts)
    if new.frame != old.frame and new.frame not in _generated(prefix):
        yield "decides otherwise whether a function is right"
    lost = sorted((old.tested() - new.tested()) & set(defined))
    if lost:
        yield f"no longer tests {listed(lost)}"
    for kind, count in new.listed.items():
        if new.looped.get(kind) != count:
            yield f"runs {new.looped.get(kind, 0)} of {count} tests in {kind}"
    other = sorted(f for f in same if f in old.parts and f in new.parts and old.parts[f] != new.parts[f])
    if other:
        yield f"tests otherwise what has not changed: {listed(other)}"
    yield from _void(new)


def only_for_tests(texts: tuple[str, str], prefix: str) -> bool:
    """Whether both texts are the same to programs without a self-test, or the new one as it is generated.

    Two texts that are programs of their own, as those of earlier versions were, are in no other program.
    """
    old, new = map(_outside, texts)
    header = f'# include "{prefix.removesuffix("_")}.h"'
    own = [header, f"# ifdef {prefix.upper()}{_GUARD}", "# endif"]
    return new in (old, own) or all(_is_program(text, header) for text in texts)


def _is_program(text: str, header: str) -> bool:
    """Whether a text has a main in any case, and nothing beside it that a linker or another file sees."""
    mains, depth = 0, 0
    for item in _items(separate(text.replace("\r\n", "\n")).code):
        depth += item.startswith("# if") - item.startswith("# endif")
        if item.startswith("int main (") and depth == 0:
            mains += 1
        elif not item.startswith("static ") and not _DIRECTIVE.match(item) and item != header:
            return False
    return mains == 1 and not _UNUSUAL.search(text)


_DIRECTIVE = re.compile(r"# (?:ifdef|else|endif|define REPORT)\b|# include < stdio \. h >")
_UNUSUAL = re.compile(r"\?\?|\\\s*\n|<:|%:|\b_*(?:asm|attribute|Pragma|declspec)")
"""What can run code before main, or hide it from the one who reads."""


_GUARD = "SELFTEST_MAIN"
_BEGIN = re.compile(rf"# ifdef \w+_{_GUARD}")
_ENDS = ("# endif", "# else", "# elif")


def _outside(text: str) -> list[str]:
    """The lines outside of `#ifdef ..._SELFTEST_MAIN`, and the directives of that block."""
    lines = [" ".join(_TOKEN.findall(line)) for line in separate(_spliced(text)).code.split("\n")]
    lines = [re.sub(r"^% :", "#", line) for line in lines if line]
    kept, depth = list[str](), 0
    for line in lines:
        if depth == 0 or (depth == 1 and line.startswith(_ENDS)):
            kept.append(line)
            depth = int(depth == 0 and _BEGIN.fullmatch(line) is not None)
        else:
            depth += line.startswith("# if") - line.startswith("# endif")
    return lines if "??" in text else kept  # a trigraph may stand for # or for the end of a line


def _generated(prefix: str) -> Iterator[list[str]]:
    """The frames of the self-tests that featherc generates for a prefix."""
    if not prefix:
        return
    row = {"symbol": "f", "rows": [["0"]], "inputs": 0, "results": 0, "body": []}
    for formats in (("f64", "f32"), ("f32", "f64"), ("f64",), ("f32",)):
        for math, (tests, routines) in product((False, True), (([row], []), ([row], [1]), ([], [1]))):
            precisions = [
                {"name": p, "scalar": PRECISIONS[p].ctype, "tests": tests, "most": 1} for p in formats
            ]
            yield read_selftest(
                render(
                    "selftest.c.j2",
                    license="",
                    header=f"{prefix.removesuffix('_')}.h",
                    macro=prefix.upper(),
                    status=f"{prefix}status",
                    math=math,
                    left_out=[],
                    precisions=precisions,
                    routines=[_ROUTINE] if routines else [],
                )
            ).frame


_ROUTINE = {"symbol": "f", "variables": [], "comparisons": [], "returns_status": False, "call": ""}


def _void(test: SelfTest) -> Iterator[str]:
    """The functions whose part does not test them."""
    for name, (rows, width, inputs, results) in sorted(test.rows.items()):
        table = next((p for p in test.parts[name] if f" table_{name} [" in p), "")
        count = table.partition("{")[2].count(",")
        if rows == 0 or rows * width != count or width != 1 + inputs + 2 * results:
            yield f"tests {name} at {rows} rows of {width} numbers, but its table has {count} numbers"
    for name, parts in sorted(test.parts.items()):
        if name in test.tested() and not any(re.search(rf"\b{name} \(", p) for p in parts):
            yield f"does not call {name}"
