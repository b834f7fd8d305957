"""Generated trees: the committed one is up to date, every variant compiles, tests and describes itself."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import make_dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from codegen.emit.cases import cases_of
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.systems import PRECISIONS
from codegen.ir.types import REAL, Value
from codegen.library import MODULES, library
from codegen.library.routines import routines
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.modeling.types.algebra import Angles, Rodrigues, RotationVector
from codegen.notation.prose import plain
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from codegen.verify.native import STRICT
from tests.conftest import GENERATED, ROOT, sampled, tool

MANIFEST: dict[str, Any] = json.loads((GENERATED / "manifest.json").read_text())
FUNCTIONS: list[dict[str, Any]] = MANIFEST["functions"]
SYMBOLS = [f["symbol"] for f in FUNCTIONS]
SUBSET = (
    "quat_inverse", "rpy_from_dcm", "transform_compose", "motion_dot_force", "inertia_to_array",
    "inertia_to_matrix", "articulated_add_inertia", "rigid_body_dynamics_rpy",
)  # fmt: skip
"""Kernels with every kind of argument, scalars in and out, arrays, structs, with and without status."""


def contents(directory: Path) -> dict[str, bytes]:
    """The bytes of every file."""
    return {p.name: p.read_bytes() for p in directory.iterdir()}


def differing(left: Mapping[str, bytes], right: Mapping[str, bytes]) -> list[str]:
    """Names of files that differ or are on one side only."""
    return sorted(name for name in left.keys() | right.keys() if left.get(name) != right.get(name))


def some(*names: str) -> list[Kernel]:
    """Kernels of the library."""
    return [library()[name] for name in names]


# bytes


JOBS = {
    "library": [],
    "quadrotor": ["-m", "examples/quadrotor.py", "-b", "examples/quadrotor.toml", "--no-checks"],
    "f16": ["rigid_body_dynamics_quat", "-b", "examples/f16.toml", "--layout", "header-only"],
}


LIBRARY = pytest.param("library", marks=pytest.mark.exhaustive)
"""`make check` compares the committed library with what is generated under a random hash seed."""

PROCESSORS = {"1": {}, "20080131": {"OPENBLAS_CORETYPE": "Prescott"}}
"""Under the second seed NumPy multiplies matrices as on an old processor, whose sums round otherwise."""

Tree = dict[str, bytes]


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Tree]:
    """The tree of a job under a hash seed; the committed one is that of the library under the first."""
    place = tmp_path_factory.mktemp("seeded")

    @cache
    def tree(job: str, seed: str) -> Tree:
        if (job, seed) == ("library", "1"):
            return contents(GENERATED)
        subprocess.run(
            [sys.executable, "-m", "codegen", "generate", *JOBS[job], "-o", str(place / seed / job)],
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, **PROCESSORS[seed]},
            stdout=subprocess.DEVNULL,
        )
        return contents(place / seed / job)

    return tree


@pytest.mark.parametrize("job", [LIBRARY, "f16", pytest.param("quadrotor", marks=pytest.mark.exhaustive)])
def test_neither_hash_seed_nor_processor_shows(job: str, seeded: Callable[[str, str], Tree]) -> None:
    """Nor is the committed library other than what is generated; `make generate` brings it up to date."""
    assert differing(seeded(job, "1"), seeded(job, "20080131")) == []


@pytest.mark.parametrize("job", JOBS)
def test_nothing_of_the_machine_shows(job: str, seeded: Callable[[str, str], Tree]) -> None:
    strange = [str(ROOT), str(Path.home()), socket.gethostname(), sys.prefix, "/tmp"]
    strange += [version(name) for name in ("featherc", "sympy", "casadi", "numpy", "jinja2", "mpmath")]
    for name, data in seeded(job, "1").items():
        text = data.decode("utf-8")
        assert [s for s in strange if re.search(rf"(?<![\w.]){re.escape(s)}(?![\w.])", text)] == [], name
        assert not re.search(r"\b20\d\d-\d\d-\d\d\b|\b\d\d:\d\d:\d\d\b", text), name
        assert "\r" not in text, name
        assert text.endswith("\n"), name
        assert not re.search(r"[ \t]$", text, re.MULTILINE), name


def test_the_order_of_generation_does_not_show() -> None:
    """A kernel's C does not depend on the other kernels that are generated with it."""
    alone = render_tree(some("quat_inverse"), Options())
    amid = render_tree(some("rpy_from_dcm", "quat_inverse", "quat_multiply"), Options())
    body = alone["fc_rotation_f64.c"].partition("fc_status fc_quat_inverse_f64")[2]
    assert body
    assert body in amid["fc_rotation_f64.c"]


# the manifest

NAME = r"[A-Za-z][A-Za-z0-9_]*"
COUNTS = ("mul", "add", "neg", "div", "sqrt", "cmp", "select", "abs")
SCHEMA: dict[str, Any] = {
    "schema": 1,
    "prefix": "fc_",
    "layout": "library",
    "interface": "struct",
    "checks": True,
    "license": "MIT-0",
    "status": {flag.name: flag.value for flag in Status},
    "files": [{"path": re.compile(r"[\w.]+"), "sha256": re.compile(r"[0-9a-f]{64}")}],
    "types": [
        {
            "name": re.compile(rf"fc_{NAME}_f(64|32)"),
            "scalar": re.compile(r"double|float"),
            "scalars": int,
            "fields": [
                {
                    "name": re.compile(NAME),
                    "type": re.compile(rf"(double|float)(\[\d+\])?|fc_{NAME}"),
                    "offset": int,
                }
            ],
        }
    ],
    "functions": [
        {
            "symbol": re.compile(rf"fc_{NAME}_f(64|32)"),
            "kernel": re.compile(NAME),
            "precision": re.compile(r"f64|f32"),
            "header": re.compile(r"fc_\w+\.h"),
            "source": re.compile(r"fc_\w+\.c"),
            "returns": re.compile(r"void|status"),
            "requires": re.compile(r".+"),
            "arguments": [
                {
                    "name": re.compile(NAME),
                    "direction": re.compile(r"in|out|inout"),
                    "type": re.compile(rf"double|float|int|fc_{NAME}"),
                    "pass": re.compile(r"value|pointer"),
                    "shape": [re.compile(r"\d+|nb|nc")],
                    "unit": re.compile(r".+"),
                    "frame": re.compile(r".*"),
                    "doc": re.compile(r".+"),
                    "range": list,
                    "kind": re.compile(r"[A-Z]\w+"),
                    "positive": [re.compile(rf"{NAME}(\.{NAME})*")],
                }
            ],
            "cost": {**dict.fromkeys(COUNTS, int), "libm": Mapping},
            "calls": [re.compile(rf"fc_{NAME}_f(64|32)")],
            "constants": Mapping,
            "equation": re.compile(r".+"),
            "reference": re.compile(r".+"),
        }
    ],
}
"""The manifest's form: values, kinds, patterns; objects have these keys, lists items of one form."""

OPTIONAL = {"calls", "constants", "range", "kind", "positive", "requires", *COUNTS, "libm"}
"""Keys that some have and others not: routines state no cost, and few inputs have a range."""


def violations(value: Any, form: Any, where: str = "manifest") -> list[str]:
    """Where a value does not have the form."""
    if isinstance(form, dict):
        if not isinstance(value, dict) or value.keys() - OPTIONAL != form.keys() - OPTIONAL:
            return [f"{where}: {value!r} has not the keys {sorted(form)}"]
        present = {key: below for key, below in form.items() if key in value}
        return [v for key, below in present.items() for v in violations(value[key], below, f"{where}.{key}")]
    if isinstance(form, list):
        if not isinstance(value, list):
            return [f"{where}: {value!r} is no list"]
        return [v for i, item in enumerate(value) for v in violations(item, form[0], f"{where}[{i}]")]
    if isinstance(form, re.Pattern):
        fits = isinstance(value, (str, int)) and form.fullmatch(str(value)) is not None
    elif isinstance(form, type):
        fits = isinstance(value, form) and not isinstance(value, bool)
    else:
        fits = value == form and type(value) is type(form)
    return [] if fits else [f"{where}: {value!r} is not {form}"]


def test_the_manifest_has_its_form() -> None:
    assert violations(MANIFEST, SCHEMA) == []
    assert MANIFEST["status"] == {
        "NOT_FINITE": 1, "MASS": 2, "SINGULAR": 4, "NOT_PHYSICAL": 8,
        "GIMBAL_LOCK": 16, "ZERO_NORM": 32, "DEGENERATE": 64, "NOT_CONVERGED": 128, "OUTSIDE": 256,
    }  # fmt: skip


def test_the_manifest_lists_every_file_with_its_hash() -> None:
    listed = {f["path"]: f["sha256"] for f in MANIFEST["files"]}
    files = {n: hashlib.sha256(d).hexdigest() for n, d in contents(GENERATED).items() if n != "manifest.json"}
    assert listed == files


def prototype(f: Mapping[str, Any]) -> str:
    """A function's C declaration, from the manifest alone."""
    parameters = []
    for a in f["arguments"]:
        extent = _extent(a["shape"])
        pointer = "*" if a["pass"] == "pointer" and not extent else ""
        const = "const " if a["direction"] == "in" and a["pass"] == "pointer" else ""
        parameters.append(f"{const}{a['type']} {pointer}{a['name']}{extent}")
    returns = f"{MANIFEST['prefix']}status" if f["returns"] == "status" else "void"
    return f"{returns} {f['symbol']}({', '.join(parameters)})"


def _extent(shape: Sequence[int | str]) -> str:
    """`[36]` of a 6x6 array, `[]` where arguments tell how many there are."""
    if any(isinstance(n, str) for n in shape):
        return "[]"
    return f"[{math.prod(map(int, shape))}]" if shape else ""


def flat(text: str) -> str:
    """Text with every run of white space as one blank."""
    return re.sub(r"\( ", "(", " ".join(text.split()))


def test_every_function_is_declared_and_defined_as_described() -> None:
    text = {p.name: flat(p.read_text()) for p in GENERATED.glob("fc*.[ch]")}
    for f in FUNCTIONS:
        assert f"*/ {prototype(f)};" in text[f["header"]], f["symbol"]
        assert f" {prototype(f)} {{" in text[f["source"]], f["symbol"]


def test_every_definition_is_in_the_manifest() -> None:
    defined = re.findall(
        r"^(?:fc_status|void) (\w+)\(",
        "\n".join(p.read_text() for p in GENERATED.glob("fc_*.c")),
        re.MULTILINE,
    )
    assert sorted(defined) == sorted(SYMBOLS)
    assert len(set(SYMBOLS)) == 2 * len([*library(), *routines()])


def test_types_lie_in_memory_as_described(tmp_path: Path) -> None:
    """sizeof and offsetof, counted in scalars, as gcc has them."""
    checks = []
    for t in MANIFEST["types"]:
        checks.append(f"sizeof({t['name']}) == {t['scalars']} * sizeof({t['scalar']})")
        for field in t["fields"]:
            kind, _, extent = field["type"].partition("[")
            size = f"{extent.rstrip(']') or 1} * sizeof({kind})"
            member = f"(({t['name']} *)0)->{field['name']}"
            checks.append(
                f"offsetof({t['name']}, {field['name']}) == {field['offset']} * sizeof({t['scalar']})"
            )
            checks.append(f"sizeof({member}) == {size}")
            checks.append(f"_Generic({member}{'[0]' if extent else ''}, {kind}: 1, default: 0)")
    assert len(checks) > 100
    lines = "\n".join(f'_Static_assert({check}, "");' for check in checks)
    program = tmp_path / "types.c"
    program.write_text(f'#include <stddef.h>\n#include "fc.h"\n{lines}\n')
    subprocess.run([tool("gcc"), "-std=c11", "-fsyntax-only", f"-I{GENERATED}", str(program)], check=True)


def test_the_manifest_of_arrays_needs_no_types() -> None:
    """In the array interface every argument says how many scalars it has."""
    tree = render_tree(some(*SUBSET), Options(interface="array", precisions=("f32",)))
    manifest = json.loads(tree["manifest.json"])
    assert manifest["types"] == []
    for f in manifest["functions"]:
        assert flat(prototype(f)) in flat(tree[f["header"]])
        assert {a["type"] for a in f["arguments"]} == {"float"}
    shapes = {f["kernel"]: {a["name"]: a["shape"] for a in f["arguments"]} for f in manifest["functions"]}
    assert shapes["inertia_to_matrix"] == {"I_O": [10], "M": [6, 6]}
    assert shapes["rigid_body_dynamics_rpy"]["m"] == []


def test_the_manifest_tells_what_is_bound() -> None:
    from codegen.modeling.vehicle import bind_vehicle

    kernels = bind_vehicle(some("rigid_body_dynamics_quat"), ROOT / "examples" / "f16.toml")
    manifest = json.loads(render_tree(kernels, Options())["manifest.json"])
    for f in manifest["functions"]:
        assert f["bound"].keys() == {"m", "J_B"}
        assert len(f["bound"]["J_B"]) == 6


# documentation

KERNELS = list(library().values())
EVERYTHING: list[Kernel | Routine] = [*KERNELS, *routines().values()]


def comment_of(symbol: str, header: str) -> str:
    """The comment before a declaration, its lines joined."""
    text = (GENERATED / header).read_text()
    before = text[: re.search(rf"^\w+ {symbol}\(", text, re.MULTILINE).start()]  # type: ignore[union-attr]
    return flat(re.sub(r"^ \* ?", "", before[before.rindex("/**") + 3 :], flags=re.MULTILINE))


@pytest.mark.parametrize("module", MODULES)
def test_every_comment_says_what_a_caller_must_know(module: str) -> None:
    for known in KERNELS:
        for precision in PRECISIONS:
            if known.module == module:
                says_what_a_caller_must_know(known, precision)


def says_what_a_caller_must_know(kernel: Kernel, precision: str) -> None:
    f = function(kernel, PRECISIONS[precision], Options())
    described = FUNCTIONS[SYMBOLS.index(f.symbol)]
    comment = comment_of(f.symbol, described["header"])
    assert comment.startswith(flat(plain(kernel.title)))
    assert flat(plain(kernel.details)) in comment
    assert kernel.equation
    for part in kernel.equation.split("; "):
        assert flat(part) in comment
    for a in described["arguments"]:
        start = comment.index(f"@param[{a['direction']}] {a['name']} ")
        entry = re.split(r" (?:@|Cost: )", comment[start:])[0]
        assert flat(a["doc"]) in entry
        ends = a.get("range", ())
        each = "each " if a["shape"] else ""
        span = f", {each}{ends[0]} to {ends[1]}".replace(str(math.pi / 2), "pi/2") if ends else ""
        assert entry.endswith(f"[{a['unit']}]{span}")
        assert not a["frame"] or f"{a['frame']} [" in entry
    assert f"Source: {flat(plain(kernel.source))}." in comment
    assert not kernel.requires or f"@pre {flat(plain(kernel.requires))}." in comment
    cost = comment[comment.index("Cost: ") :].partition(".")[0]
    for name, count in {**described["cost"], **described["cost"]["libm"]}.items():
        if name != "libm" and count:
            assert name in cost
    flags = {flag for _, flag in f.program.status}
    assert flags == set(kernel.failures), "every flag that it returns, and no other, has a reason"
    assert cases_of(kernel).keys() == kernel.failures.keys()
    for flag, cases in cases_of(kernel).items():
        assert f"FC_{flag.name}" in comment
        for case in cases:
            assert flat(plain(case.condition)) in comment
            assert case.outcome or not kernel.outputs, "a case says what the results then hold"
            assert flat(plain(case.outcome)) in comment
    assert ("@return FC_OK, or these flags" in comment) == bool(flags)


def test_every_argument_has_a_unit_and_every_vector_a_frame() -> None:
    for known in KERNELS:
        for a in (*known.inputs, *known.outputs):
            assert a.unit, (known.name, a.name)
            assert a.doc, (known.name, a.name)
            if getattr(a.type, "c_name", "") in ("vec3", "motion", "force") and not parameters(a):
                assert a.frame, (known.name, a.name)


def parameters(a: Arg) -> bool:
    """Whether a vec3 holds parameters of a rotation, or their rates: they are coordinates in no frame."""
    rates = ("drpy", "dangles", "ds", "axis")
    return a.type in (Angles, RotationVector, Rodrigues) or a.name in rates


def test_headers_state_conventions_and_owner() -> None:
    for name in ("fc.h", "fc_types.h"):
        text = flat((GENERATED / name).read_text().replace(" *", ""))
        for statement in (
            "SPDX-License-Identifier: MIT-0", "-ffast-math", "v_A = R_AB v_B", "Hamilton", "angular first",
            "row-major", "SI units", "same object as an input", "Outputs must not overlap",
        ):  # fmt: skip
            assert statement in text
    for path in GENERATED.glob("fc_*.[ch]"):
        assert "This file belongs to whoever generated it." in flat(path.read_text().replace(" *", ""))
        assert "do not edit" in path.read_text()


CHECKED = {
    Status.ZERO_NORM: "not zero", Status.MASS: "m > 0", Status.SINGULAR: "positive definite",
    Status.GIMBAL_LOCK: "away from", Status.NOT_PHYSICAL: "negative", Status.DEGENERATE: "dt > 0",
}  # fmt: skip
"""Words in which a precondition would demand what a flag reports."""


def test_a_precondition_demands_nothing_that_a_flag_reports() -> None:
    twice = [
        (kernel.name, flag.name)
        for kernel in KERNELS
        for flag in kernel.failures
        if CHECKED.get(flag, "\0") in kernel.requires
    ]
    assert not twice


def test_without_checks_what_would_be_checked_is_a_precondition() -> None:
    (header,) = (
        t
        for n, t in render_tree(some("quat_inverse"), Options(checks=False)).items()
        if n == "fc_rotation_f64.h"
    )
    assert re.findall(
        r"@pre (.*?), which this function does not check\.", flat(header.replace("\n *", "\n"))
    ) == [
        "q.q > min",
        "q.q <= max",
    ]
    assert "@return" not in header


# compiling


def selftest(directory: Path, place: Path, *flags: str, compiler: str = "gcc") -> int:
    """The exit code of the self-test of a tree, compiled with warnings as errors."""
    program = place / "selftest"
    sources = [str(p) for p in sorted(directory.glob("*.c"))]
    macro = json.loads((directory / "manifest.json").read_text())["prefix"].upper() + "SELFTEST_MAIN"
    command = [
        tool(compiler),
        *STRICT,
        *flags,
        f"-D{macro}",
        f"-I{directory}",
        *sources,
        "-o",
        str(program),
        "-lm",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return subprocess.run([str(program)], check=False).returncode


VARIANTS = [
    Options(layout=layout, interface=interface, checks=checks)
    for layout in ("library", "header-only")
    for interface in ("struct", "array")
    for checks in (True, False)
]


@pytest.mark.parametrize(
    "options",
    sampled(VARIANTS, every=3),
    ids=lambda o: f"{o.layout}, {o.interface}, {'checks' if o.checks else 'no checks'}",
)
def test_every_variant_compiles_strictly_and_tests_itself(options: Options, tmp_path: Path) -> None:
    generate(some(*SUBSET), options, tmp_path / "c")
    assert selftest(tmp_path / "c", tmp_path, "-O1") == 0


def test_the_library_tests_itself(objects: Path, tmp_path: Path) -> None:
    program = tmp_path / "selftest"
    subprocess.run([tool("gcc"), *objects.glob("*.o"), "-o", program, "-lm"], check=True)
    assert subprocess.run([program], check=False).returncode == 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("flags", [["-O0"], ["-O2", "-ffp-contract=fast"]], ids=" ".join)
def test_the_library_tests_itself_however_it_is_compiled(flags: list[str], tmp_path: Path) -> None:
    assert selftest(GENERATED, tmp_path, *flags) == 0


@pytest.mark.exhaustive
def test_the_farthest_variant_of_the_whole_library(tmp_path: Path) -> None:
    options = Options(prefix="nav", layout="header-only", interface="array", checks=False)
    generate(EVERYTHING, options, tmp_path / "c")
    assert selftest(tmp_path / "c", tmp_path, "-O1", compiler="clang") == 0


def test_kernels_without_inputs_or_conditions_compile(tmp_path: Path) -> None:
    """A kernel may be all constants once its inputs are bound."""
    from fractions import Fraction

    from codegen.modeling.bind import bind

    constant = bind(
        library()["quat_rotate"], {"q_AB": (Fraction(1), *[Fraction(0)] * 3), "v_B": (Fraction(3),) * 3}
    )
    generate([constant], Options(), tmp_path / "c")
    assert "void fc_quat_rotate_f64(fc_vec3_f64 *v_A)" in (tmp_path / "c" / "fc_rotation_f64.h").read_text()
    assert selftest(tmp_path / "c", tmp_path) == 0


# the self-test finds what is wrong

MUTANTS = {
    "sign": ("fc_rotation_f64.c", r"( - )", " + "),
    "operand": ("fc_transform_f32.c", r" = T_AB->p\.(x)", "y"),
    "index": ("fc_transform_f64.c", r"R\.m\[(3)\]", "4"),
    "output": ("fc_spatial_f64.c", r"->w\.(x) =", "y"),
    "literal": ("fc_rotation_f32.c", r"(2\.0F)", "2.00001F"),
    "function": ("fc_rotation_f32.c", r"(sin)f", "cos"),
    "flag": ("fc_rigid_body_f64.c", r"FC_(MASS)", "SINGULAR"),
    "condition": ("fc_rotation_f64.c", r"( > )", " < "),
    "dropped term": ("fc_articulated_f32.c", r"( \+ \w+ \* \w+);", ""),
    "inertia": ("fc_inertia_f64.c", r"(0\.5)", "0.25"),
}
"""File, pattern whose group is replaced where it first stands, replacement."""


@pytest.mark.parametrize("name", MUTANTS)
def test_the_selftest_finds_a_mutant(name: str, objects: Path, tmp_path: Path) -> None:
    file, pattern, replacement = MUTANTS[name]
    text = (GENERATED / file).read_text()
    found = re.search(pattern, re.sub(r"/\*.*?\*/", lambda c: " " * len(c[0]), text, flags=re.DOTALL))
    assert found
    mutant = tmp_path / file
    mutant.write_text(text[: found.start(1)] + replacement + text[found.end(1) :])
    others = [str(p) for p in objects.glob("*.o") if p.stem != mutant.stem]
    program = tmp_path / "selftest"
    subprocess.run(
        [tool("gcc"), "-std=c99", "-w", f"-I{GENERATED}", str(mutant), *others, "-o", str(program), "-lm"],
        check=True,
    )
    assert subprocess.run([str(program)], check=False).returncode == 1


def test_the_selftest_names_what_is_wrong(tmp_path: Path) -> None:
    generate(some("quat_multiply", "motion_cross"), Options(), tmp_path / "c")
    source = tmp_path / "c" / "fc_spatial_f32.c"
    source.write_text(source.read_text().replace(" - ", " + ", 1))
    program = tmp_path / "selftest"
    sources = [str(p) for p in sorted((tmp_path / "c").glob("*.c"))]
    subprocess.run(
        [
            tool("gcc"),
            "-std=c99",
            "-DFC_SELFTEST_MAIN",
            "-DFC_SELFTEST_PRINT",
            *sources,
            "-o",
            str(program),
            "-lm",
        ],
        check=True,
    )
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "fc_motion_cross_f32 is wrong here\n")


def test_the_selftest_has_vectors_for_every_function() -> None:
    """Three of success, and one for each flag that inputs within bounds can bring about."""
    text = (GENERATED / "selftest.c").read_text()
    for f in FUNCTIONS:
        if f["kernel"] in library():
            has_vectors(f["symbol"], text)


OUTSIDE_THE_CONTRACT = {"rigid_body_step_rk4_dcm": {Status.DEGENERATE}}
"""Flags that only arguments bring about which break the contract, as a matrix that is no rotation."""


def has_vectors(symbol: str, text: str) -> None:
    table = text.partition(f" table_{symbol}[] = {{")[2].partition("}")[0]
    numbers = [float(x.rstrip("F")) for x in table.replace(",", " ").split()]
    listed = re.search(rf"table_{symbol}, (\d+), (\d+), (\d+), (\d+)}}", text)
    assert listed is not None
    rows, width, inputs, results = map(int, listed.groups())
    assert (len(numbers), width) == (rows * width, 1 + inputs + 2 * results)
    assert rows >= 3
    codes = [int(status) for status in numbers[::width]]
    assert codes.count(0) >= 1
    described = FUNCTIONS[SYMBOLS.index(symbol)]
    assert described["returns"] == "status" or not any(codes)
    if described["returns"] == "status":
        flags = library()[described["kernel"]].failures.keys() - {Status.NOT_FINITE, Status.NOT_CONVERGED}
        for flag in flags - OUTSIDE_THE_CONTRACT.get(described["kernel"], set()):
            assert any(code & flag for code in codes), flag.name


# what stays and what goes


def test_dropped_kernels_leave_no_files(tmp_path: Path) -> None:
    out = tmp_path / "c"
    generate(some("quat_multiply", "motion_cross"), Options(), out)
    (out / "mine.c").write_text("mine")
    (out / "extra").mkdir()
    generate(some("motion_cross"), Options(precisions=("f64",)), out)
    assert {p.name for p in out.iterdir()} == {
        "CMakeLists.txt", "fc.h", "fc_spatial_f64.c", "fc_spatial_f64.h", "fc_types.h", "manifest.json",
        "selftest.c", "mine.c", "extra",
    }  # fmt: skip
    generate(some("motion_cross"), Options(prefix="x_"), out)
    assert not list(out.glob("fc*"))
    assert (out / "mine.c").read_text() == "mine"
    shutil.rmtree(out / "extra")


def test_an_edited_file_is_generated_again(tmp_path: Path) -> None:
    generate(some("quat_multiply"), Options(), tmp_path)
    before = contents(tmp_path)
    (tmp_path / "fc_rotation_f64.c").write_text("edited")
    (tmp_path / "fc.h").unlink()
    generate(some("quat_multiply"), Options(), tmp_path)
    assert differing(contents(tmp_path), before) == []


def test_two_kernels_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FeatherError, match="fc_quat_multiply_f64 would be defined twice in C"):
        generate(some("quat_multiply", "quat_multiply"), Options(), tmp_path / "c")
    with pytest.raises(FeatherError, match="nothing to generate"):
        generate([], Options(), tmp_path / "c")
    assert not (tmp_path / "c").exists()


# several trees in one program

TOGETHER = """\
#include "a/fc.h"
#include "b/fc.h"
#include "c/nav.h"

int main(void)
{
    const fc_quat_f64 q = {2.0, 0.0, 0.0, 0.0};
    const fc_vec3_f64 w = {1.0, 2.0, 3.0};
    const nav_vec3_f32 v = {1.0F, 2.0F, 3.0F};
    fc_quat_f64 unit;
    fc_vec3_f64 turned;
    nav_vec3_f32 rates;
    const fc_status status = fc_quat_normalize_f64(&q, &unit);
    const nav_status lock = nav_rpy_kinematics_f32(&v, &v, &rates);
    fc_quat_rotate_f64(&unit, &w, &turned);
    return status == FC_OK && lock == NAV_OK && turned.x > 0.5 && turned.x < 1.5 ? 0 : 1;
}
"""
"""Uses two trees with one prefix, whose modules have the same names, and one with another prefix."""


@pytest.mark.parametrize(
    "language", [["-xc", *STRICT], ["-xc++", "-std=c++11", "-Wall", "-Wextra", "-Werror"]]
)
@pytest.mark.parametrize("layout", ["library", "header-only"])
def test_several_trees_are_one_program(layout: str, language: list[str], tmp_path: Path) -> None:
    """Their self-tests are compiled with them, and define nothing."""
    generate(some("quat_normalize", "transform_compose"), Options(layout=layout), tmp_path / "a")
    generate(some("quat_rotate", "transform_inverse"), Options(layout=layout), tmp_path / "b")
    generate(some("rpy_kinematics"), Options(layout=layout, prefix="nav_"), tmp_path / "c")
    main = tmp_path / "main.c"
    main.write_text(TOGETHER)
    sources = [main, *sorted(tmp_path.glob("[abc]/*.c"))]
    command = [tool("gcc"), *language, *map(str, sources), "-o", str(tmp_path / "main"), "-lm", "-lstdc++"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert subprocess.run([str(tmp_path / "main")], check=False).returncode == 0


def kernel_of_a_state(module: str, *members: str) -> Kernel:
    """A kernel that copies a structure with these members, which is called fc_state in C."""
    fields = [(name, Any) for name in members]
    state = make_dataclass("State", fields, bases=(Value,), frozen=True)
    described = {"c_name": "state", "layout": dict.fromkeys(members, REAL), "__doc__": "A state."}
    for attribute, value in described.items():
        setattr(state, attribute, value)
    inputs, outputs = [Arg("s", state, "1", "state")], [Arg("s_next", state, "1", "the same")]
    made = kernel(inputs=inputs, outputs=outputs, equation="s_next = s", source="", name=module)(lambda s: s)
    return replace(made, module=module)


def test_types_of_one_name_are_shared_only_if_they_have_the_same_members(tmp_path: Path) -> None:
    """Two models may have one prefix; a struct that they declare differently is an error of the compiler."""
    generate([kernel_of_a_state("one", "x", "v")], Options(), tmp_path / "a")
    generate([kernel_of_a_state("two", "x", "v")], Options(), tmp_path / "b")
    generate([kernel_of_a_state("three", "v", "x")], Options(), tmp_path / "c")
    for other, compiles in (("b", True), ("c", False)):
        text = f'#include "a/fc.h"\n#include "{other}/fc.h"\n'
        (tmp_path / "main.c").write_text(text)
        command = [tool("gcc"), *STRICT, "-fsyntax-only", str(tmp_path / "main.c")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == compiles, done.stderr
        assert ("fc_state_f64" in done.stderr) != compiles
