"""Versions of a routine beside each other: a tree to compare, and a program that runs them on the same data.

The program calls each version with the same arguments, of all sizes down to negative ones and up to the
capacity, with ordinary and with extreme numbers. Arguments are blocks of their own, of which the sanitizers
see each end, or lie in one block, where they may overlap by whole elements.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from codegen.verify.native import STRICT
from tests.conftest import GENERATED, compiled
from tests.refactorings import DATA, SOLVER, Refactoring, Routine, definitions

INCLUDES = ["<float.h>", "<math.h>", "<stddef.h>", "<string.h>"]


def copied(version: Refactoring, number: int) -> str:
    """A version of a routine with its helpers, declared and defined under names of its own."""
    text, helper = version.text, version.helper and f"{version.helper.strip()}\n\n"
    symbol = version.routine.symbol
    for name in _defined(helper):
        text, helper = (re.sub(rf"\b{name}\b", f"{name}_{number}", part) for part in (text, helper))
    text = re.sub(rf"\b{symbol}\b", named(version.routine, number), text)
    prototype = text[: text.index("\n{")]
    return f"{helper}{prototype};\n{text}\n"


def named(of: Routine, number: int) -> str:
    """The name of a version of a routine."""
    return of.symbol.replace("_f32", f"_{number}_f32")


def _defined(helper: str) -> list[str]:
    """The functions, constants and macros that a helper defines."""
    lists = re.findall(r"^enum \{(.*)\};", helper, re.MULTILINE)
    others = re.findall(r"^(?:static [^(=\n]*?|#define )(\w+)(?=\(| =| \d)", helper, re.MULTILINE)
    return [*others, *re.findall(r"\w+(?= =)", "".join(lists))]


def tree(of: Routine, versions: Sequence[Refactoring]) -> dict[str, str]:
    """A tree with the versions of a routine, what they call, and the headers."""
    headers, called = _surroundings(of)
    copies = [copied(version, number) for number, version in enumerate(versions)]
    includes = [f'"{header}"' for header in headers] + INCLUDES
    text = "".join(f"#include {name}\n" for name in includes) + "\n" + "\n".join([*called, *copies])
    return {**headers, "routines.c": text}


@cache
def _surroundings(of: Routine) -> tuple[Mapping[str, str], Sequence[str]]:
    """The headers of a routine, and the functions that it calls, directly or not."""
    if of.name not in SOLVER:
        return {"routines_f32.h": (DATA / "routines_f32.h").read_text(encoding="utf-8")}, []
    names = ["fc_types.h", "fc_contact_f32.h", "fc_contact_solver_f32.h"]
    sources = [GENERATED / name.replace(".h", ".c") for name in names[1:]]
    known = [definitions(path.read_text(encoding="utf-8")) for path in sources]
    every = {**known[0], **known[1]}
    called = list[str]()
    waiting = [of.symbol]
    while waiting:
        calls = re.findall(r"\bfc_\w+(?=\()", every[waiting.pop()])
        new = [name for name in dict.fromkeys(calls) if name not in called and name != of.symbol]
        called += new
        waiting += new
    return {n: (GENERATED / n).read_text("utf-8") for n in names}, [
        every[name] for name in every if name in called
    ]


ELEMENTS = {
    "residual": "N nc*nc, r nc, lambda nc, residual 1",
    "delassus": "m nb, J_B nb, body_A nc, body_B nc, D_A nc, D_B nc, N nc*nc",
    "velocity_update": "m nb, J_B nb, body_A nc, body_B nc, D_A nc, D_B nc, lambda nc, v nb, v_next nb",
    "solve_pgs": "N nc*nc, r nc, lambda nc, residual 1, used 1",
    "solve_apgd": "N nc*nc, r nc, lambda nc, residual 1, used 1",
    "smooth": "x n, y n",
    "peak": "x n, largest 1",
    "factor": "A n*n",
    "cascade": "s sections, m sections, x n, y n",
    "lookup": "points n, values n",
    "classes": "x n, counts classes, beyond 1",
    "normal": "A rows*cols, x cols, t rows, y cols, norm 1",
    "limit": "x n, y n",
}
"""How many elements the arrays of each routine have."""

SIZES = ("nc", "n", "rows", "cols")
"""The sizes that go up to the capacity; other integers stay small."""

SHAPES = {"N": "definite", "A": "definite", "J_B": "inertias", "m": "positive", "points": "ascending"}
"""What arrays often hold that routines do not come far with otherwise."""


class Parameter(NamedTuple):
    """A parameter of a routine; `elements` is empty where it is no array."""

    type: str
    name: str
    elements: str


def parameters(of: Routine) -> list[Parameter]:
    """The parameters of a routine, in order."""
    written = of.text[of.text.index("(") + 1 : of.text.index(")")]
    elements = dict(one.split() for one in ELEMENTS[of.name].split(", "))
    found = re.findall(r"(\w+) \*?(\w+)(?:\[\])?(?:,|$)", written)
    return [Parameter(kind, name, elements.get(name, "")) for kind, name in found]


def differences(
    of: Routine, versions: Sequence[Refactoring], command: Sequence[str], place: Path, seeds: int
) -> list[int]:
    """The numbers of the versions that leave other bits than the routine itself at some data.

    All are compiled with the flags of generated C by the command, which has the compiler and its options.
    """
    every = [Refactoring("as it is", 0, of, of.text), *versions]
    for name, text in tree(of, every).items():
        (place / name).write_text(text, encoding="utf-8")
    (place / "driver.c").write_text(driver(of, len(every), seeds), encoding="utf-8")
    compiled([*command, *STRICT, "-c", "routines.c"], place)
    compiled([*command, "-w", "driver.c", "routines.o", "-o", "run", "-lm"], place)
    done = subprocess.run([str(place / "run")], cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{of.name}: {done.stderr[:2000]}"
    return [int(line.split()[0]) - 1 for line in done.stdout.splitlines()]


def driver(of: Routine, versions: int, seeds: int) -> str:
    """The program that runs so many versions of a routine."""
    known = parameters(of)
    arrays = [one for one in known if one.elements]
    head = of.text[: of.text.index("\n{")]
    declared = [re.sub(rf"\b{of.symbol}\b", named(of, i), head) + ";" for i in range(versions)]
    headers, _ = _surroundings(of)
    return "\n".join(
        [
            *(f'#include "{name}"' for name in headers),
            f"enum {{ VERSIONS = {versions}, SEEDS = {seeds}, ARGUMENTS = {len(arrays)} }};",
            (DATA / "driver.c").read_text(encoding="utf-8"),
            *declared,
            "typedef " + head.replace(of.symbol, "(*routine)") + ";",
            f"static const routine versions[] = {{{', '.join(named(of, i) for i in range(versions))}}};",
            *_preparation(known, arrays),
            *_calls(of, known, arrays),
        ]
    )


def _preparation(known: Sequence[Parameter], arrays: Sequence[Parameter]) -> list[str]:
    """The parameters, and the functions that draw them and tell the arrays."""
    values = [one for one in known if not one.elements]
    bodies = "nb" if "nb" in [one.name for one in values] else "5"
    lines = [f"static {one.type} {one.name};" for one in values]
    lines += ["static int prepare(int mode, int is_large) {", "(void)mode;"]
    for one in values:
        whole = "up_to_capacity(is_large)" if one.name in SIZES else "small()"
        lines.append(f"{one.name} = {whole if one.type == 'int' else 'parameter(mode)'};")
    for i, one in enumerate(arrays):
        step = f"(int)sizeof({one.type}) / 4"
        count = " * ".join(f"({size} > 0 ? {size} : 0)" for size in one.elements.split("*"))
        is_int = int(one.type == "int")
        lines.append(f"arguments[{i}] = (argument){{{count} * {step}, {step}, {is_int}, 0, 0}};")
    lines += [f"return {bodies} > 0 ? {bodies} : 0;", "}", "static void shape(void) {"]
    shaped = [(i, SHAPES[one.name]) for i, one in enumerate(arrays) if one.name in SHAPES]
    return [*lines, *(f"{shape}(begins({i}), arguments[{i}].words);" for i, shape in shaped), "}"]


def _calls(of: Routine, known: Sequence[Parameter], arrays: Sequence[Parameter]) -> list[str]:
    """The function that calls a version and gives the bits of what it returns."""
    passed = [f"at({arrays.index(one)})" if one.elements else one.name for one in known]
    call = f"versions[version]({', '.join(passed)})"
    kind = of.text.partition(" ")[0]
    body = f"{call};" if kind == "void" else f"const {kind} got = {call}; memcpy(&bits, &got, sizeof bits);"
    return ["static uint32_t call(int version) {", "uint32_t bits = 0;", body, "return bits;", "}", ""]
