"""Files around the C: what a change of the build file, the self-test, the manifest or a new file means."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from codegen.emit.options import Options
from codegen.ir.cost import Cost
from codegen.library import library
from codegen.library.routines import routines
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.review.diff import ChangeClass, compare_trees
from codegen.review.files import cmake, manifest, selftest
from codegen.review.files.compare import Trees, build_changes
from codegen.review.files.manifest import build_file
from codegen.tree.assemble import render_tree
from tests.conftest import GENERATED, sampled, tool

Tree = dict[str, str]
CMAKE, SELFTEST, MANIFEST, SOURCE = "CMakeLists.txt", "selftest.c", "manifest.json", "fc_rotation_f32.c"
NAMES = ["quat_multiply", "quat_normalize"]


def rendered(*names: str, options: Options | None = None) -> Tree:
    known: dict[str, Kernel | Routine] = {**library(), **routines()}
    return dict(render_tree([known[n] for n in names], options or Options(precisions=("f32",))))


@pytest.fixture(scope="module")
def tree() -> Tree:
    return rendered(*NAMES)


def edited(tree: Tree, path: str, old: str, new: str) -> Tree:
    assert old in tree[path], old
    return {**tree, path: tree[path].replace(old, new, 1)}


def effects(old: Tree, new: Tree) -> dict[str, str]:
    """What is said of each file."""
    found = list(build_changes(Trees(old, new, compare_trees(old, new))))
    assert {c.kind for c in found} <= {ChangeClass.BUILD}
    assert len({c.symbol for c in found}) == len(found)
    return {c.symbol: c.detail for c in found}


# The build file


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("set(scope PUBLIC)", "set(scope PUBLIC)\nadd_compile_options(-ffast-math)",
         "compiles with -ffast-math, which changes results, so that tests for NaN and infinity are void"),
        ("set(scope PUBLIC)", 'set(scope PUBLIC)\nset(CMAKE_C_FLAGS "${CMAKE_C_FLAGS} -w -Ofast")',
         "compiles with -Ofast, which changes results"),
        ("set(scope PUBLIC)", "set(scope PUBLIC)\nadd_definitions(-Dsinf=cosf)",
         "compiles every file with sinf standing for cosf"),
        ("set(scope PUBLIC)", "set(scope PUBLIC)\ntarget_compile_definitions(fc PRIVATE sinf=cosf)",
         "compiles every file with sinf standing for cosf"),
        ("set(scope PUBLIC)", "set(scope PUBLIC)\nADD_Definitions([=[-Dconst=]=])",
         "compiles every file with const standing for nothing"),
        ("set(scope PUBLIC)", "set(scope PUBLIC)\nexecute_process(COMMAND sh -c id)",
         "runs a program while the build is configured"),
        ("set(scope PUBLIC)", "set(scope PUBLIC)\ninclude(evil.cmake)", "reads another build file"),
        ("    fc_rotation_f32.c\n", "", "no longer compiles fc_rotation_f32.c"),
        ("    fc_rotation_f32.c\n", "    fc_rotation_f32.c ../other.c\n", "compiles ../other.c as well"),
        ("C_STANDARD 99", "C_STANDARD 90", "instead of set_target_properties(fc PROPERTIES C_STANDARD 99"),
        ("PRIVATE -fno-tree-slp-vectorize", "PRIVATE -fno-math-errno", "compiles with -fno-math-errno"),
        ("enable_testing()", "", "no longer has enable_testing()"),
        ("add_library(fc\n", "add_library(fc\n    # fc_rotation_f32.c\n", ""),
        ("set(scope PUBLIC)", "set( scope\n   PUBLIC )   # as before", ""),
        ("set(scope PUBLIC)", "set(scope\u00a0PUBLIC)", "set(scope\u00a0PUBLIC)"),
        ("if(UNIX)", 'if("UNIX")', 'has if("UNIX"), which is new'),
        ("set(scope PUBLIC)", "set\n(scope PUBLIC)", "cannot be read by CMake: line"),
        ("set(scope PUBLIC)\n", "set(scope PUBLIC) ", "cannot be read by CMake: line"),
        ("fc ${scope}", "fc [[${scope}]]", "[[${scope}]]"),
    ],
)  # fmt: skip
def test_the_effect_of_a_build_file_is_named(old: str, new: str, said: str, tree: Tree) -> None:
    found = effects(tree, edited(tree, CMAKE, old, new))
    assert (said in found[CMAKE]) if said else not found


def test_a_build_file_in_another_order(tree: Tree) -> None:
    text = tree[CMAKE].replace("include(GNUInstallDirs)\n", "") + "include(GNUInstallDirs)\n"
    assert effects(tree, {**tree, CMAKE: text}) == {CMAKE: "has its commands in another order"}


def test_a_build_file_that_is_generated_says_nothing(tree: Tree) -> None:
    """The functions that came with it are entries of their own."""
    new = rendered(*NAMES, "mrp_shadow", "contact_residual")
    assert not effects(tree, new)
    assert not effects(new, tree)
    older = edited(new, CMAKE, "enable_testing()", "enable_testing()\nmessage(STATUS older)")
    assert not effects(older, new), "what featherc generates now"
    content = json.loads(new[MANIFEST])
    content["functions"] = [f for f in content["functions"] if "mrp" not in f["symbol"]]
    liar = edited(new, CMAKE, "    fc_rodrigues_f32.c\n", "")
    liar = edited(liar, CMAKE, "    fc_rodrigues_f32.h\n", "") | {MANIFEST: json.dumps(content)}
    found = effects(new, liar)
    assert found[CMAKE] == "no longer compiles fc_rodrigues_f32.c"
    assert "no longer lists fc_mrp_shadow_f32" in found[MANIFEST]


@pytest.mark.parametrize("options", [
    Options(layout="header-only"), Options(interface="array"), Options(prefix="nav_"), Options(),
])  # fmt: skip
def test_the_build_file_follows_from_the_manifest(options: Options) -> None:
    tree = rendered(*NAMES, "mrp_shadow", "contact_residual", options=options)
    places = {c.symbol: c.path for c in compare_trees({}, tree)}
    assert build_file(tree[MANIFEST], places) == tree[CMAKE]


def test_the_committed_build_file_follows_from_its_manifest() -> None:
    content = (GENERATED / MANIFEST).read_text()
    places = {f["symbol"]: f["source"] for f in json.loads(content)["functions"]}
    assert build_file(content, places) == (GENERATED / CMAKE).read_text()


@pytest.mark.parametrize("source", [
    'x.c)\nexecute_process(COMMAND id)\nset(y z.c', "x.c", SELFTEST, "more.c", "../x.c", "-w.c", "x;y.c",
])  # fmt: skip
@pytest.mark.parametrize("symbol", ["fc_phantom_f32", "fc_quat_multiply_f32"])
def test_a_manifest_generates_no_build_file_for_what_is_not_there(
    source: str, symbol: str, tree: Tree
) -> None:
    """The build file is what featherc prints for the sources that the manifest claims."""
    old = {**tree, "more.c": "static int unused;\n"}

    def claim(content: Any) -> None:
        known = next(f for f in content["functions"] if f["symbol"] == "fc_quat_multiply_f32")
        content["functions"].append({**known, "symbol": symbol, "source": source})

    lines = f"    fc_rotation_f32.c\n    {source}\n"
    new = edited(described(old, claim), CMAKE, "    fc_rotation_f32.c\n", lines)
    found = effects(old, new)
    assert CMAKE in found
    if symbol == "fc_phantom_f32":
        assert f"lists {symbol}, which no C of the tree defines" in found[MANIFEST]


def test_a_new_file_does_not_hide_an_argument_of_its_name(tree: Tree) -> None:
    flags = edited(tree, CMAKE, "set(scope PUBLIC)", "set(scope PUBLIC)\nadd_compile_options(-w)")
    flagged = edited(flags, CMAKE, "(-w)", "(-w -Ofast)") | {"-Ofast": ""}
    assert "-Ofast" in effects(flags, flagged)[CMAKE]


def test_sources_that_the_build_file_does_not_name(tree: Tree) -> None:
    """A library without some of its functions does not link, or is not built at all."""
    moved = {**{p: t for p, t in tree.items() if p != SOURCE}, "fc_turn_f32.c": tree[SOURCE]}
    said = "compiles fc_rotation_f32.c, which is missing; does not compile fc_turn_f32.c"
    assert effects(tree, moved)[CMAKE] == said
    followed = {**moved, CMAKE: tree[CMAKE].replace(SOURCE, "fc_turn_f32.c")}
    assert CMAKE not in effects(tree, followed)
    split = {**tree, "fc_rest_f32.c": tree[SOURCE]}
    assert effects(tree, split)[CMAKE] == "does not compile fc_rest_f32.c"
    assert CMAKE not in effects(split, split | {"README": "x"})
    headers = rendered(*NAMES, options=Options(precisions=("f32",), layout="header-only"))
    assert not effects(headers, headers | {"README": "x"})


_IF, _DOC = "if(fc_SELFTEST)", '"Build the self-test"'


@pytest.mark.parametrize(
    ("old", "new", "says_nothing"),
    [
        (_IF, "if((fc_SELFTEST))", True), (_IF, "if( ( (fc_SELFTEST) ) )", True),
        (_IF, "if((fc_SELFTEST) OR (UNIX))", False), (_IF, 'if("(" fc_SELFTEST ")")', False),
        (_IF, "if(())", False), (_IF, "if((UNIX))", False),
        (_DOC, "[[\nBuild the self-test]]", True), (_DOC, '"Builds the test of the library"', True),
        (_DOC, "Build the self-test", False), (_DOC, '"${x}"', False), (_DOC, "a;b", False),
        (_DOC, "", False), (f"{_DOC} OFF", f"{_DOC} ON", False), ("m)\nendif()", "m)\nendif(UNIX)", True),
    ],
)  # fmt: skip
def test_what_cmake_does_not_look_at(old: str, new: str, says_nothing: bool, tree: Tree) -> None:
    assert (not effects(tree, edited(tree, CMAKE, old, new))) is says_nothing


def test_the_description_of_an_option_may_mean_something_to_a_function() -> None:
    own = 'function(option name text)\n  add_compile_options("-D${text}")\nendfunction()\noption(A "B" OFF)\n'
    assert list(cmake.effects(own, own.replace('"B"', '"C"')))


def test_commands_are_read_as_cmake_reads_them() -> None:
    text = 'A(b "c (d)" #[[ e( ]] # f(\n [==[g ]=] h]==] (i AND (j)))\nK()\nl("'
    assert cmake.commands(text) == [
        ("a", ("b", "c (d)", "g ]=] h", "(", "i", "AND", "(", "j", ")", ")")), ("k", ()), ("l", ("",)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a(b)\n", None), ("  a (b) # c\n  d( e\n f)\n", None), ('a("(")\n', None),
        ("a([[)\n]])\nb()\n", None), ("#[[ c\n]]\na()", None), ("", None),
        ('"a"(b)', 1), ('a("b""c")', 1), ('a(b"c")', 1), ("a(b#[[ c ]]d)", None), ("#[[ c ]] a(b)", 1),
        ("a #[[ c ]] (b)", 1), ("a(b) #[[ c\n]] d(e)", 2), ("a(b) # c\n\n# d\ne(f)", None),
        ('a("b" c)', None),
        ("a((b) c)", None), ("a(b) d(e)", 1), ("a\n(b)", 2), ("a(b", 1), ("(a)", 1), ("a(b))", 1), ("a", 1),
    ],
)  # fmt: skip
def test_a_command_stands_on_lines_of_its_own(text: str, line: int | None) -> None:
    assert cmake.misplaced(text) == line


# The self-test


SPOILT: dict[str, tuple[str, str, str]] = {
    "it always passes": ("return wrong;", "return 0;", "decides otherwise"),
    "it ends at once": ("int wrong = 0;", "return 0;\n    int wrong = 0;", "decides otherwise"),
    "everything is right": ("return !(error <=", "return 0 && !(error <=", "decides otherwise"),
    "nothing is counted": ("failures += t->call", "t->call", "decides otherwise"),
    "a macro": ("int main", "#define failures_f32(x) 0\nint main", "decides otherwise"),
    "no tests are run": (
        "i < 2; i++) {\n        if",
        "i < 0; i++) {\n        if",
        "runs 0 of 2 tests in f32",
    ),
    "a test is not run": (
        "i < 2; i++) {\n        if",
        "i < 1; i++) {\n        if",
        "runs 1 of 2 tests in f32",
    ),
    "an operator in two parts": ("failures += t->call", "failures + = t->call", "decides otherwise"),
    "a blank that is none": ("int wrong", "int\u00a0wrong", "decides otherwise"),
    "a macro without its parameter": (
        "#define REPORT(name)",
        "#define REPORT (name)",
        "decides otherwise",
    ),
    "a comment that swallows a line": (
        "        wrong = 1;",
        "        // wrong \\\n        wrong = 1;",
        "decides otherwise",
    ),
    "other tolerances": ("e-06F,", "e+30F,", "tests otherwise what has not changed: fc_quat_multiply_f32"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_self_test_that_no_longer_tests(name: str, tree: Tree) -> None:
    old, new, said = SPOILT[name]
    text = tree[SELFTEST]
    if old not in text:
        old, new = re.search(r"\d\.\d+e-\d+F,\n", text)[0][:-1], "1e30F,"  # type: ignore[index]
    assert said in effects(tree, edited(tree, SELFTEST, old, new))[SELFTEST]


def test_a_self_test_that_is_more_than_one(tree: Tree) -> None:
    """What is outside of its guard is compiled into every program that compiles the file."""
    more = edited(tree, SELFTEST, "#ifdef", "static void call_f(void) __attribute__((constructor));\n#ifdef")
    assert "outside of #ifdef" in effects(tree, more)[SELFTEST]
    without = {p: t for p, t in tree.items() if p != SELFTEST}
    assert not effects(without, tree)
    assert "is new" in effects(without, more)[SELFTEST]


def test_a_byte_order_mark_means_nothing(tree: Tree) -> None:
    for path in ("selftest.c", "CMakeLists.txt"):
        assert not effects(tree, {**tree, path: "\ufeff" + tree[path]})


def test_an_empty_self_test(tree: Tree) -> None:
    found = effects(tree, {**tree, SELFTEST: "int main(void)\n{\n    return 0;\n}\n"})[SELFTEST]
    assert "decides otherwise" in found
    assert "no longer tests fc_quat_multiply_f32, fc_quat_normalize_f32" in found
    assert "removed" in effects(tree, {p: t for p, t in tree.items() if p != SELFTEST})[SELFTEST]


def test_a_changed_function_still_has_to_be_tested(tree: Tree) -> None:
    negated = edited(tree, SOURCE, "p_w * q_w - p_x", "p_w * q_w + p_x")
    other = edited(negated, SELFTEST, "F,\n", "1F,\n")
    assert SELFTEST not in effects(tree, other), "expected values follow the function"
    row = re.search(r"table_fc_quat_multiply_f32, (\d+),", tree[SELFTEST])
    assert row
    none = edited(negated, SELFTEST, row[0], "table_fc_quat_multiply_f32, 0,")
    assert "tests fc_quat_multiply_f32 at 0 rows" in effects(tree, none)[SELFTEST]
    call = "    fc_quat_multiply_f32((const"
    uncalled = edited(negated, SELFTEST, call, "    (void)in; out[0] = in[0]; other((const")
    assert "does not call fc_quat_multiply_f32" in effects(tree, uncalled)[SELFTEST]


def test_a_self_test_that_is_generated_says_nothing(tree: Tree) -> None:
    for new in (
        rendered(*NAMES, "mrp_shadow"),
        rendered(*NAMES, "contact_residual"),
        rendered(*NAMES, "contact_residual", options=Options(precisions=("f64",))),
        rendered(*NAMES, options=Options(precisions=("f32", "f64"))),
    ):
        for a, b in ((tree, new), (new, tree)):
            assert SELFTEST not in effects(a, b)
    older = edited(tree, SELFTEST, "return wrong;", "return wrong != 0;")
    assert not effects(older, tree), "what featherc generates now"
    assert not effects(tree, edited(tree, SELFTEST, "int wrong", "/* as before */ int\nwrong"))


def test_only_the_self_test_of_a_tree_is_not_compared(tree: Tree) -> None:
    new = {**tree, "more/selftest.c": "void fc_more_f32(void)\n{\n}\n"}
    assert "fc_more_f32" in {c.symbol for c in compare_trees(tree, new)}
    assert selftest.read_selftest(new["more/selftest.c"]).frame


# The manifest


def described(tree: Tree, change: Callable[[dict[str, object]], object]) -> Tree:
    content = json.loads(tree[MANIFEST])
    change(content)
    return {**tree, MANIFEST: json.dumps(content, indent=1)}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda m: m["status"].update(MASS=4), 'status is {"NOT_FINITE": 1, "MASS": 4'),
        (lambda m: m.update(checks=False), "checks is false instead of true"),
        (lambda m: m["types"][0]["fields"][0].update(offset=1), "describes the type fc_quat_f32 otherwise"),
        (lambda m: m["types"].pop(0), "no longer describes fc_quat_f32"),
        (lambda m: m.pop("types"), "no longer describes fc_quat_f32"),
        (lambda m: m["functions"].pop(0), "no longer lists fc_quat_multiply_f32"),
        (lambda m: m["functions"][0].update(returns="status"),
         'fc_quat_multiply_f32: returns is "status" instead of "void"'),
        (lambda m: m["functions"][0]["arguments"][0].update(direction="out"),
         "fc_quat_multiply_f32: describes its arguments otherwise"),
        (lambda m: m["functions"][0]["arguments"].reverse(), "describes its arguments otherwise"),
        (lambda m: m["files"][0].update(sha256="0"), "has another hash than that of CMakeLists.txt"),
        (lambda m: m["files"].pop(0), "no longer lists CMakeLists.txt"),
        (lambda m: m["functions"].insert(0, {**m["functions"][0], "returns": "status"}),
         "has functions of the same name or without one"),
        (lambda m: m["functions"].__setitem__(0, 5), "no longer lists fc_quat_multiply_f32"),
        (lambda m: m.update(functions=5), "no longer lists fc_quat_multiply_f32, fc_quat_normalize_f32"),
        (lambda m: m["functions"][0].update(cost={}), "fc_quat_multiply_f32: cost is {} instead of {"),
        (lambda m: m["functions"][0]["cost"].update(mul=1), "fc_quat_multiply_f32: cost is {"),
        (lambda m: m["functions"][0].pop("cost"), "fc_quat_multiply_f32: no longer states cost, which was {"),
        (lambda m: m.update(note=""), ""),
    ],
)  # fmt: skip
def test_what_a_manifest_tells_other_programs(
    change: Callable[[dict[str, object]], object], said: str, tree: Tree
) -> None:
    found = effects(tree, described(tree, change))
    assert (said in found[MANIFEST]) if said else not found


def test_a_manifest_may_state_another_cost_that_is_true(tree: Tree) -> None:
    """Forms of the same bits may cost something else: half of x is a product, or a quotient by two."""
    symbol = "fc_quat_multiply_f32"
    found = json.loads(tree[MANIFEST])
    (own,) = (f for f in found["functions"] if f["symbol"] == symbol)
    own["cost"] |= {"mul": own["cost"]["mul"] - 1, "div": 1}
    true = Cost(**own["cost"])
    for cost, is_told in ((true, False), (replace(true, div=2), True), (None, True)):
        costs = {} if cost is None else {symbol: cost}
        content = (tree[MANIFEST], json.dumps(found))
        assert any(manifest.effects(content, {symbol}, {symbol}, {}, costs)) is is_told


def test_a_flag_that_is_new_in_the_header_too_is_no_other_manifest(tree: Tree) -> None:
    """Callers of an earlier version are unaffected: its header has an entry for the new macro."""
    manifest = described(tree, lambda m: m["status"].update(LATE=4096))  # type: ignore[attr-defined]
    flag = "#define FC_OK 0u\n"
    for line, is_told in (
        (f"{flag}#define FC_LATE 4096u\n", False),
        (f"{flag}#define FC_LATE 8192u\n", True),
    ):
        new = {**manifest, "fc_types.h": tree["fc_types.h"].replace(flag, line)}
        assert ("status is" in effects(tree, new).get(MANIFEST, "")) is is_told
        as_bytes = {path: text.encode() for path, text in new.items()}  # as a revision is read
        assert ("status is" in effects(tree, as_bytes).get(MANIFEST, "")) is is_told  # type: ignore[arg-type]
    assert "status is" in effects(tree, manifest)[MANIFEST]
    assert "status is" in effects(manifest, tree)[MANIFEST]


def test_a_manifest_that_is_damaged_or_gone(tree: Tree) -> None:
    for text in (
        "",
        "{",
        "[]",
        '{"schema": NaN}',
        "[" * 100_000,
        '{"status": {"MASS": 1}, ' + tree[MANIFEST][1:],
    ):
        assert "is damaged" in effects(tree, {**tree, MANIFEST: text})[MANIFEST]
        assert not effects({**tree, MANIFEST: text}, {**tree, MANIFEST: f"{text} "})
    assert "was removed" in effects(tree, {p: t for p, t in tree.items() if p != MANIFEST})[MANIFEST]


# Files that come and go


@pytest.mark.parametrize("path", sampled([
    "more.c", "sub/more.c", "more.C", "more.cpp", "more.S", "more.inc", "Makefile", "more.mk",
    "toolchain.cmake",
    "sub/CMakeLists.txt", "CMakePresets.json", "meson.build", "fc_rotation_f32.o", "libfc.a", "flash.ld",
    "fc_types.h.gch", "fc.h.GCH/x", "fc.h.gch/selftest.c", "fc.h.gch/more.c",
    "fc.h.pch", "more.tcc", "more.cp", "more.h++", "more.ino", "more.f90",
    "more.go", "more.rs", "more.d", "Kbuild", "idf_component.yml", "module.modulemap",
    "fc.pc", "Cargo.toml", "setup.py", "package.json", "zephyr/module.yml", "west.yml",
    ".gitmodules", "sub/.gitattributes", "math.h", "sub/string.h", "more.h", ".bazelrc",
    "makefile.in", "CMAKELISTS.TXT", "Sconstruct", "libfc.so.1.2", "more.lo", "flash.icf", "Android.bp",
    "fc.xcodeproj/project", "fc.slnx", "pyproject.toml", "meson.options", "fc.ioc", ".project",
    "xmake.lua", "Package.swift", "vcpkg.json", "sdkconfig.defaults", "prj.conf", "fc.ewp", "BUCK",
], every=4))  # fmt: skip
def test_a_new_file_that_a_build_takes(path: str, tree: Tree) -> None:
    new = {**tree, path: "int x;"}
    found = effects(tree, new)
    unread = [c.path for c in compare_trees(tree, new) if c.kind is ChangeClass.UNREADABLE]
    is_c, is_standard = (
        path.endswith((".c", ".h")) and ".gch" not in path,
        path.endswith(("math.h", "string.h")),
    )
    assert (path in unread) == is_c or ".gch" in path
    assert (path in found) == (not is_c or is_standard)
    if path.endswith("math.h"):
        assert found[path] == "is included in place of the compiler's <math.h>"


@pytest.mark.parametrize("path", ["README.md", "notes.txt", "trace.json", "figure.svg", "LICENSE"])
def test_a_new_file_that_nothing_takes(path: str, tree: Tree) -> None:
    assert not effects(tree, {**tree, path: "x"})


def test_files_that_featherc_adds(tree: Tree) -> None:
    options = Options(precisions=("f32",), gitattributes=True, trace=True)
    with_both = rendered(*NAMES, options=options)
    assert not effects(tree, with_both)
    assert "git" in effects(with_both, tree)[".gitattributes"]
    filtered = edited(with_both, ".gitattributes", "text", "filter=run text")
    other_first = {**with_both, ".gitattributes": "* filter=run\n* linguist-generated text eol=lf\n"}
    for new in (filtered, other_first):
        assert effects(with_both, new) == {".gitattributes": "git treats the files of the tree otherwise"}


def test_a_header_that_is_gone(tree: Tree) -> None:
    found = effects(tree, {p: t for p, t in tree.items() if p != "fc.h"})
    assert found["fc.h"] == "was removed: programs that include it do not compile"


def test_the_effect_is_real(tree: Tree, tmp_path: Path) -> None:
    """A self-test of which the comparison says that it decides otherwise passes for a wrong function."""
    wrong = edited(tree, SOURCE, "p_w * q_w - p_x", "p_w * q_w + p_x")
    void = edited(wrong, SELFTEST, "return wrong;", "return 0;")
    assert "decides otherwise" in effects(wrong, void)[SELFTEST]
    for place, content, code in ((tmp_path / "a", wrong, 1), (tmp_path / "b", void, 0)):
        place.mkdir()
        for path, text in content.items():
            (place / path).write_text(text)
        sources = [str(p) for p in place.glob("*.c")]
        command = [tool("gcc"), "-DFC_SELFTEST_MAIN", *sources, "-o", str(place / "test"), "-lm"]
        subprocess.run(command, check=True)
        assert subprocess.run([place / "test"], check=False).returncode == code
        shutil.rmtree(place)
