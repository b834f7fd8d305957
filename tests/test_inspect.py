"""inspect, trace and the graph: the content of each format, of traced lines and of comparisons."""

from __future__ import annotations

import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from codegen.__main__ import FINE, USER
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.explain.graph import Graph, dot, graph
from codegen.explain.graph_svg import svg
from codegen.explain.graph_values import by_value
from codegen.explain.inspection.inspect import FORMS, inspect
from codegen.ir.operations import LEAVES, Op
from codegen.ir.systems import F32, F64
from codegen.library import library
from codegen.loading.python_file import load_model
from codegen.passes.pipeline import optimised
from codegen.provenance.trace import trace
from tests.conftest import GENERATED, ROOT, Featherc, tool
from tests.work import at_most

SVG = "{http://www.w3.org/2000/svg}"

HOSTILE = '''
from codegen import REAL, Arg, kernel


@kernel(
    inputs=[Arg("x", REAL, "1", frame="<i>",
                doc="<b>m</b> <script>alert(1)</script> & \\\\input{/etc/passwd} | `rm` \\x1b[31m")],
    outputs=[Arg("y", REAL, "1", "a </textarea> {{ 7 * 7 }} $x$ %d #")],
    equation="y = x <img src=x onerror=alert(1)> \\\\write18{ls}; \\\\end{verbatim} </script>",
    source="\\\\end{document} <svg onload=alert(1)> ~ ^ _",
    requires="x < 1 & x > 0 \\u2264 \\u00e9",
)
def hostile(x):
    """Ends \\\\end{verbatim} \\\\end{document} <script>alert(2)</script> here.

````
<script>alert(3)</script>
    """
    return x + 1
'''


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """featherc as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "codegen", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )


# the whole view


def test_inspect_shows_everything_in_order(featherc: Featherc) -> None:
    shown = featherc("inspect", "rpy_kinematics", "-p", "f32").out
    wanted = [
        "rpy_kinematics: Rates of roll, pitch and yaw at a body rate.",
        "Signature", "B to N", "rad/s", "angular velocity",
        "Equation", "ψ̇ = (sin(φ) ω_y + cos(φ) ω_z) / cos(θ)", "Source: Diebel",
        "Singularities", "GIMBAL_LOCK", "drpy = [ω_x, cos(φ) ω_y - sin(φ) ω_z, 0]",
        "Step 1: Definition", "Test the arguments and the results", "with CasADi",
        "Formula", "def rpy_kinematics(",
        "Program", "off_lock", "lt(",
        "C\n", "fc_status fc_rpy_kinematics_f32(", "status |= FC_GIMBAL_LOCK;",
        "Cost\n  5 mul, 5 add, 1 div",
    ]  # fmt: skip
    place = 0
    for text in wanted:
        assert text in shown[place:], text
        place = shown.index(text, place)
    assert "double" not in shown[shown.index("fc_status fc_") :]
    assert not any(line.endswith(" ") for line in shown.splitlines())


def test_a_kernel_without_failures_says_so(featherc: Featherc) -> None:
    assert "None: it returns no status." in featherc("inspect", "quat_multiply").out


def test_a_kernel_that_divides_without_a_status_says_so(featherc: Featherc, tmp_path: Path) -> None:
    (tmp_path / "aero.py").write_text(
        "from codegen import REAL, Arg, kernel, sqrt\n"
        "@kernel(inputs=[Arg('m', REAL, '1', 'm'), Arg('de', REAL, 'deg', 'elevator')], "
        "outputs=[Arg('y', REAL, 'deg', 'y')], equation='y = de sqrt(m) / m', source='')\n"
        "def f(m, de):\n"
        "    return de * sqrt(m) / m\n"
    )
    shown = featherc("inspect", "--model", tmp_path / "aero.py", "f").out
    said = "The function returns no status: no flag reports the root of a negative number or a division by 0."
    assert said in " ".join(shown.split())
    assert "y = (de √(m)) / m" in shown, "an elevator is no rate of e"


def test_a_routine_shows_what_it_calls(featherc: Featherc) -> None:
    shown = featherc("inspect", "contact_solve_pgs", "-p", "f32").out
    assert "Calls\n  contact_residual, contact_project" in shown
    assert "for (;;) {" in shown
    assert featherc("inspect", "contact_solve_pgs", "--as", "svg").said("is a loop", "contact_residual")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["inertia_solve", "air_data_from_velocity", "inertia_validate"])
def test_every_form_is_shown(name: str, form: str, featherc: Featherc) -> None:
    done = featherc("inspect", name, "--as", form)
    assert (done.code, done.err) == (FINE, "")
    assert name in done.out.replace("\\", "")
    assert done.out.endswith("\n")


def test_ranges_have_a_column_where_an_argument_has_one(featherc: Featherc) -> None:
    with_ranges = featherc("inspect", "isa_atmosphere").out
    assert re.search(
        r"name +type +unit +range +frame +meaning\n +in +h +real +m +-10000 to 40000 ", with_ranges
    )
    assert re.search(r"name +type +unit +frame +meaning\n", featherc("inspect", "quat_rotate").out)


@pytest.mark.parametrize("name", ["quat_rotate", "angle_wrap", "inertia_principal"])
def test_the_blanks_of_formulas_are_no_escapes(name: str, featherc: Featherc) -> None:
    """Thin and fixed spaces are not printable for Python, and were written as escapes."""
    page = featherc("inspect", name, "--as", "html").out
    formulas = re.findall(r"<math.*?</math>", page, re.DOTALL)
    assert any("\N{THIN SPACE}" in formula for formula in formulas)
    assert not any("\\" in formula for formula in formulas)


def test_the_graph_of_a_large_function_has_a_node_for_each_named_value(
    featherc: Featherc, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "Each node is an argument, a result or a named value."
    assert said in featherc("inspect", "inertia_principal", "--as", "html").out
    assert said not in featherc("inspect", "quat_rotate", "--as", "html").out
    monkeypatch.setattr("codegen.explain.graph_svg._MOST", 2)
    page = featherc("inspect", "inertia_principal", "--as", "html")
    assert page.code == FINE
    assert "nodes is too large to draw; try --as dot with Graphviz.</p>" in page.out


def test_a_symbol_names_its_kernel_and_precision(featherc: Featherc) -> None:
    shown = featherc("inspect", "--from-symbol", "fc_inertia_transform_f32", "--stage", "c").out
    assert "void fc_inertia_transform_f32(" in shown
    assert featherc("inspect", "--from-symbol", "nav_quat_rotate_f64", "--stage", "program").out.startswith(
        "# quat_rotate: "
    )
    for symbol in ("fc_inertia_transform", "fc_nonsense_f32", "quat_rotate_f16", ""):
        assert featherc("inspect", "--from-symbol", symbol).code == USER


@pytest.mark.parametrize(
    ("kernel", "row"), [("rigid_body_step_rk4_quat", r"^q_NB_next_w +="), ("quat_mean", r"^0 +=")]
)
def test_a_definition_too_large_to_write_out_names_its_parts(
    kernel: str, row: str, featherc: Featherc
) -> None:
    shown = featherc("inspect", kernel, "--stage", "definition").out
    assert max(map(len, shown.splitlines())) < 400
    assert re.search(row, shown, re.MULTILINE)


def test_a_property_of_a_definition_has_no_equations_without_content(featherc: Featherc) -> None:
    shown = featherc("inspect", "dcm_to_quat", "--stage", "definition").out.splitlines()
    assert sum(line.startswith("0 = ") for line in shown) == 11
    assert "0 = 0" not in shown


@pytest.mark.parametrize(
    ("arguments", "calls"),
    [
        ("inertia_transform", 2_000_000),
        pytest.param("rigid_body_step_rk4_quat --as html", 5_000_000, marks=pytest.mark.exhaustive),
        ("inertia_principal --stage formula --as latex", 2_000_000),
        ("so3_left_jacobian_inverse --stage definition --as latex", 2_000_000),
    ],
)
def test_inspect_is_little_work(arguments: str, calls: int, featherc: Featherc) -> None:
    """The largest graph, the largest formula and the slowest definition are among them.

    A machine of 2024 makes about two million calls in a second; what is imported counts.
    """
    with at_most(calls):
        done = featherc("inspect", *arguments.split())
    assert done.code == FINE


EVERY_FORM = """
from codegen.__main__ import run
from tests.test_inspect import *
for form in ("text", "html", "json", "svg"):
    assert run(["inspect", "rpy_kinematics", "--as", form]) == 0
f = function(library()["articulated_transform"], F64, Options())
print(dot(by_value(graph(f.program, trace(f, Options())), f.program)))
"""


@pytest.mark.exhaustive
def test_the_same_bytes_under_any_hash_seed() -> None:
    first, second = (
        subprocess.run(
            [sys.executable, "-c", EVERY_FORM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "12"
    )
    assert first
    assert first == second


# text that is not ours


@pytest.fixture
def hostile(place: Path) -> Path:
    """A model whose texts contain markup."""
    path = place / "hostile.py"
    path.write_text(HOSTILE)
    return path


class _Tags(html.parser.HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize("form", ["html", "svg"])
def test_markup_of_a_model_is_escaped(form: str, hostile: Path, featherc: Featherc) -> None:
    done = featherc("inspect", "hostile", "-m", hostile, "--as", form)
    assert done.code == FINE
    page = _Tags()
    page.feed(done.out)
    assert not page.tags & {"script", "img", "b", "i", "textarea", "iframe"}
    assert not {name for name in page.attributes if name.startswith("on")}
    assert form == "svg" or "alert(1)" in done.out


def test_latex_of_a_model_is_escaped(hostile: Path, featherc: Featherc) -> None:
    for arguments in ([], ["--stage", "c"], ["--stage", "formula"]):
        shown = featherc("inspect", "hostile", "-m", hostile, "--as", "latex", *arguments).out
        typeset = shown.partition("\n")[2]  # the first line is a comment
        assert typeset.count("\\begin{verbatim}") == typeset.count("\\end{verbatim}")
        outside = re.sub(r"\\begin{verbatim}.*?\\end{verbatim}", "", typeset, flags=re.DOTALL)
        assert outside.count("\\end{document}") == 1
        assert not re.search(r"\\(input|write18)\b", outside)


def test_markdown_of_a_model_is_escaped(hostile: Path, featherc: Featherc) -> None:
    shown = featherc("inspect", "hostile", "-m", hostile, "--as", "markdown").out
    outside = re.sub(r"^(`{3,})\w*\n.*?^\1`*$", "", shown, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"<\w", outside)
    assert all(row.count("|") - row.count("\\|") == 7 for row in outside.splitlines() if row.startswith("| "))


def test_a_terminal_gets_no_control_characters(hostile: Path) -> None:
    kernel = load_model(hostile)["hostile"]
    for form in ("text", "latex", "markdown", "html", "json"):
        for stage in ("", "program", "c"):
            assert "\x1b" not in inspect(kernel, stage, form, Options())


@pytest.mark.exhaustive
def test_latex_compiles(hostile: Path, place: Path) -> None:
    """The views of a kernel of each module, and of a hostile one, in one document."""
    shown = [*{k.module: k for k in library().values()}.values(), load_model(hostile)["hostile"]]
    pages = [inspect(kernel, "", "latex", Options()) for kernel in shown]
    pages += [inspect(kernel, "definition", "latex", Options()) for kernel in shown[:-1]]
    start, end = "\\begin{document}\n", "\\end{document}\n"
    bodies = [page.partition(start)[2].removesuffix(end) for page in pages]
    head = pages[0].partition(start)[0]
    (place / "page.tex").write_text(head + start + "\\clearpage\n".join(bodies) + end)
    done = subprocess.run(
        [tool("pdflatex"), "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=place,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


# the graph


def graph_of(name: str) -> Graph:
    """The graph of a library function in float, with its statements."""
    f = function(library()[name], F32, Options())
    return graph(f.program, trace(f, Options()))


def test_the_graph_has_every_value_once_and_shows_what_is_shared() -> None:
    g = graph_of("rpy_kinematics")
    program = function(library()["rpy_kinematics"], F32, Options()).program
    computed = [n for n in g.nodes if n.kind in ("value", "condition")]
    assert len(computed) == sum(node.op not in LEAVES for node in program.nodes)
    assert {n.name for n in computed if n.shared} >= {"sin_phi", "cos_phi", "cos_theta", "off_lock", "dpsi"}
    assert sum(n.kind == "input" for n in g.nodes) == sum(node.op is Op.INPUT for node in program.nodes)
    assert [n.label for n in g.nodes if n.kind == "output"] == ["drpy_x", "drpy_y", "drpy_z"]
    keys = [n.key for n in g.nodes]
    assert len(set(keys)) == len(keys)
    assert all({e.source, e.target} <= set(keys) for e in g.edges)
    assert all(n.statement for n in g.nodes)
    users = {n.key: sum(e.source == n.key for e in g.edges) for n in g.nodes}
    assert all((users[n.key] > 1) == n.shared for n in computed)


@pytest.mark.parametrize(
    "name", ["rpy_kinematics", "inertia_validate", "articulated_reduce", "rigid_body_step_rk4_quat"]
)
def test_a_large_graph_has_a_node_for_each_named_value(name: str) -> None:
    kernel = library()[name]
    f = function(kernel, F64, Options())
    whole = graph(f.program, trace(f, Options()))
    g = by_value(whole, f.program)
    keys = [n.key for n in g.nodes]
    assert len(keys) == len({*keys})
    assert {s for n in g.nodes for s in n.statement.split()} == {n.statement for n in whole.nodes} - {""}
    assert {n.label for n in g.nodes if n.kind == "output"} == {a.name for a in kernel.outputs}
    assert {n.label for n in g.nodes if n.kind == "input"} == {a.name for a in f.program.read}
    assert {n.label for n in g.nodes if n.kind == "status"} == {
        n.label for n in whole.nodes if n.kind == "status"
    }
    order = {key: i for i, key in enumerate(TopologicalSorter(sources(g)).static_order())}
    assert all(order[e.source] < order[e.target] for e in g.edges)
    for a in kernel.outputs:
        of = {n.key for n in whole.nodes if n.kind == "output" and n.label.startswith(a.name)}
        (to,) = (n.key for n in g.nodes if n.kind == "output" and n.label == a.name)
        needed = {n.label for n in whole.nodes if n.kind == "input" and n.key in reached(whole, of)}
        shown = {n.label for n in g.nodes if n.kind == "input" and n.key in reached(g, {to})}
        assert {b.name for b in kernel.inputs if any(x.startswith(b.name) for x in needed)} <= shown


def reached(g: Graph, ends: set[str]) -> set[str]:
    """What the values at these ends depend on, with themselves."""
    used, found, pending = sources(g), set[str](), [*ends]
    while pending:
        key = pending.pop()
        if key not in found:
            found.add(key)
            pending += used[key]
    return found


@pytest.mark.parametrize("name", ["articulated_reduce", "rigid_body_dynamics_spatial"])
def test_the_picture_of_a_large_graph_is_no_wider_than_two_screens(name: str) -> None:
    f = function(library()[name], F64, Options())
    image = svg(by_value(graph(f.program, trace(f, Options())), f.program))
    width, *_ = re.findall(r'width="(\d+)" height', image)
    assert int(width) <= 3840


def sources(g: Graph) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {n.key: set() for n in g.nodes}
    for e in g.edges:
        found[e.target].add(e.source)
    return found


def test_constants_stand_in_the_nodes_that_use_them() -> None:
    labels = {n.name: n.label for n in graph_of("rpy_kinematics").nodes if n.name}
    assert labels["off_lock"] == "0.000345267 < ·"
    assert [n.label for n in graph_of("dcm_frd_to_flu").nodes][:2] == ["R_LB_00 = 1", "R_LB_01 = 0"]


@pytest.mark.parametrize("name", ["rpy_kinematics", "inertia_validate", "dcm_frd_to_flu", "quat_to_xyzw"])
def test_the_drawing_holds_the_graph(name: str) -> None:
    g = graph_of(name)
    root = ElementTree.fromstring(svg(g))
    boxes = {e.get("data-node"): e for e in root.iter(f"{SVG}g")}
    assert list(boxes) == [n.key for n in g.nodes]
    assert [e.get("data-statement") for e in boxes.values()] == [n.statement for n in g.nodes]
    paths = [(e.get("data-source"), e.get("data-target")) for e in root.iter(f"{SVG}path")]
    assert paths == [(e.source, e.target) for e in g.edges]
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    places = []
    for group in boxes.values():
        (rect,) = group.iter(f"{SVG}rect")
        x, y, w, h = (float(rect.get(a, 0)) for a in ("x", "y", "width", "height"))
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height
        places.append((x, y, w, h))
    for i, (x, y, w, h) in enumerate(places):
        assert not any(x < u + p and u < x + w and y < v + q and v < y + h for u, v, p, q in places[:i])


def test_a_value_stands_below_what_it_is_computed_from() -> None:
    g = graph_of("inertia_validate")
    root = ElementTree.fromstring(svg(g))
    top = {
        group.get("data-node"): float(next(group.iter(f"{SVG}rect")).get("y", 0))
        for group in root.iter(f"{SVG}g")
    }
    assert all(top[e.source] < top[e.target] for e in g.edges)


def test_dot_holds_the_graph() -> None:
    g = graph_of("rpy_kinematics")
    text = dot(g)
    assert text.count(" -> ") == len(g.edges)
    assert text.count("shape=") == len(g.nodes)
    assert 'label="dpsi: ÷", shape=ellipse, style=bold' in text


def test_only_the_program_is_drawn(featherc: Featherc) -> None:
    drawn = featherc("inspect", "quat_rotate", "--as", "dot", "--stage", "program").out
    assert drawn == featherc("inspect", "quat_rotate", "--as", "dot").out
    assert len(optimised(library()["quat_rotate"]).nodes) > drawn.count("shape=ellipse") > 10
    assert featherc("inspect", "quat_rotate", "--as", "svg", "--stage", "c").said("--stage c")


# lines of C


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated tree without a sidecar."""
    names = ["rpy_kinematics", "inertia_solve", "contact_residual"]
    out = tmp_path_factory.mktemp("trees") / "out"
    command("generate", *names, "-o", str(out), "-p", "f32")
    return out


def line_of(path: Path, text: str) -> int:
    """The number of the first line that contains the text."""
    return next(n for n, line in enumerate(path.read_text().splitlines(), 1) if text in line)


def asked(featherc: Featherc, path: Path, text: str) -> str:
    """The output of trace for the line with the text."""
    done = featherc("trace", f"{path}:{line_of(path, text)}")
    assert (done.code, done.err) == (FINE, "")
    return done.out


def test_a_line_leads_to_its_equation_step_and_inputs(featherc: Featherc, tree: Path) -> None:
    said = asked(featherc, tree / "fc_rotation_f32.c", "const float dpsi =")
    assert "the value dpsi, in fc_rpy_kinematics_f32" in said
    assert re.search(r"^equation +ψ̇ = \(sin\(φ\) ω_y \+ cos\(φ\) ω_z\) / cos\(θ\)$", said, re.MULTILINE)
    assert re.search(r"^is +ψ̇, in ψ̇ = u_z / k_z$", said, re.MULTILINE)
    assert re.search(r"^unit +rad/s$", said, re.MULTILINE)
    assert re.search(r"^used by +dphi, bounded, drpy_z$", said, re.MULTILINE)
    assert re.search(
        r"^flag +NOT_FINITE: unless \|sum\(drpy\)\| ≤ max \(where GIMBAL.*\): drpy = 0$", said, re.MULTILINE
    )
    assert re.search(r"^input +w_B_y, w_B_z: angular velocity .* \[rad/s\], frame B$", said, re.MULTILINE)
    assert "dphi = w_x" not in said.partition("step  ")[0]


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (["--help"], ["numpy", "sympy", "casadi", "codegen.library"]),
        (["list"], ["numpy", "sympy", "casadi"]),
        (["inspect", "quat_rotate"], ["sympy"]),
        (["inspect", "quat_rotate", "--stage", "definition"], ["casadi", "codegen.passes.search.search"]),
        (["inspect", "inertia_transform", "--stage", "c"], ["sympy", "casadi", "codegen.mechanisms"]),
    ],
)
def test_a_command_imports_what_it_needs(arguments: list[str], unneeded: list[str]) -> None:
    script = (
        "import sys; from codegen.__main__ import run; "
        f"run({arguments}); print('imported', *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not set(unneeded) & set(done.stderr.split())


def test_a_guard_reads_as_a_guard(featherc: Featherc, tree: Path) -> None:
    said = asked(featherc, tree / "fc_inertia_factors_f32.c", "const int has_mass =")
    assert re.search(r"^condition +m > min$", said, re.MULTILINE)
    assert re.search(r"^limit +min: smallest positive normal number of the precision$", said, re.MULTILINE)
    assert re.search(r"^step +Test the arguments and the results$", said, re.MULTILINE)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("const float w_B_x = w_B->x;", "the input w_B_x"),
        ("drpy->x =", "the output drpy_x"),
        ("/ (off_lock ? cos_theta", "the value dpsi"),  # the second line of its statement
        ("status |= FC_GIMBAL_LOCK", "the status"),
        ("fc_status fc_rpy_kinematics_f32", "the head of fc_rpy_kinematics_f32"),
        ("#include <math.h>", "a preprocessor directive"),
        ("SPDX", "a comment"),
        ("{", "a brace of fc_rpy_kinematics_f32"),
        ("", "a comment"),
    ],
)
def test_a_line_says_what_it_is(text: str, says: str, featherc: Featherc, tree: Path) -> None:
    assert says in asked(featherc, tree / "fc_rotation_f32.c", text)


def test_lines_outside_of_functions_say_what_they_are(featherc: Featherc, tree: Path) -> None:
    assert "a declaration" in asked(featherc, tree / "fc_rotation_f32.h", "fc_status fc_rpy_kinematics_f32(")
    assert "which the manifest does not list as a function" in asked(
        featherc, tree / "selftest.c", "return wrong"
    )
    assert "a statement of a loop" in asked(featherc, tree / "fc_contact_solver_f32.c", "rate +=")


def test_the_sidecar_says_the_same(featherc: Featherc, tree: Path, place: Path) -> None:
    featherc("generate", "rpy_kinematics", "inertia_solve", "-o", "out", "-p", "f32", "--trace")
    for text in ("const float dpsi =", "drpy->x =", "const int off_lock =", "const float rpy_x"):
        with_sidecar = asked(featherc, place / "out" / "fc_rotation_f32.c", text)
        without = asked(featherc, tree / "fc_rotation_f32.c", text)
        assert with_sidecar.split("\n", 1)[1] == without.split("\n", 1)[1]


def test_edited_lines_are_told_apart(featherc: Featherc, tree: Path, place: Path) -> None:
    shutil.copytree(tree, place / "edited")
    path = place / "edited" / "fc_rotation_f32.c"
    path.write_text("\n" + path.read_text().replace("w_B_x + sinf", "w_B_x - sinf"))
    changed = asked(featherc, path, "const float dphi =")
    assert "edited by hand" in changed
    assert "`const float dphi = w_B_x + sinf(rpy_y) * dpsi;`" in changed
    kept = asked(featherc, path, "drpy->y =")  # one line further down than it was
    assert "the output drpy_y" in kept
    assert "other lines of the file are edited" in kept


def test_lines_of_older_definitions_are_told_apart(featherc: Featherc, place: Path) -> None:
    model = place / "mine.py"
    text = HOSTILE.replace("hostile", "mine")
    model.write_text(text)
    featherc("generate", "-m", model, "-o", "out", "-p", "f32")
    path = place / "out" / "fc_mine_f32.c"
    found = featherc("trace", f"{path}:{line_of(path, '*y = ')}", "-m", model)
    assert "the output y" in found.out
    assert "\x1b" not in found.out
    model.write_text(text.replace("x + 1", "x + 2"))
    found = featherc("trace", f"{path}:{line_of(path, '*y = ')}", "-m", model)
    assert "generate again" in found.out
    assert featherc("trace", f"{path}:{line_of(path, '*y = ')}").said("mine", "--model")


def test_a_header_only_tree_is_traced(featherc: Featherc, place: Path) -> None:
    featherc("generate", "rpy_kinematics", "-o", "out", "--layout", "header-only", "--interface", "array")
    assert "the value dpsi" in asked(featherc, place / "out" / "fc_rotation_f64.h", "const double dpsi =")


def test_trace_has_data_for_programs(featherc: Featherc, tree: Path) -> None:
    path = tree / "fc_rotation_f32.c"
    done = featherc("trace", f"{path}:{line_of(path, 'const float dpsi =')}", "--json")
    answer = json.loads(done.out)
    assert answer["symbol"] == "fc_rpy_kinematics_f32"
    assert answer["statement"]["value"] == "dpsi"
    assert answer["equations"] == ["ψ̇ = (sin(φ) ω_y + cos(φ) ω_z) / cos(θ)"]
    assert answer["step"]["title"] == "Rotate ω_B back by φ, which makes the system triangular"
    assert answer["statement"]["name"] == "ψ̇"


def test_the_sample_of_the_readme_is_what_is_said(featherc: Featherc) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^\$ featherc trace .*\n.*\n((?:.*\n)*?)```", readme, re.MULTILINE)
    statement = re.search(r"^C +(.{40})", shown, re.MULTILINE)
    assert statement
    said = asked(featherc, GENERATED / "fc_rotation_f32.c", statement[1])
    assert said.split("\n", 1)[1] == shown


def test_wrong_places_are_one_line(featherc: Featherc, tree: Path, place: Path) -> None:
    source = tree / "fc_rotation_f32.c"
    assert featherc("trace", source).said("name a file and a line")
    assert featherc("trace", f"{source}:0").said("no line 0")
    assert featherc("trace", f"{source}:99999").said("no line 99999")
    assert featherc("trace", f"{source}:-1").said("name a file and a line")
    assert featherc("trace", f"{tree}/nothing.c:1").said("nothing.c", "manifest")
    (place / "mine.c").write_text("int x;\n")
    assert featherc("trace", "mine.c:1").code == USER
    shutil.copytree(tree, place / "damaged")
    featherc("generate", "quat_rotate", "-o", "traced", "--trace")
    (place / "traced" / "trace.json").write_text("{}")
    path = place / "traced" / "fc_rotation_f64.c"
    assert featherc("trace", f"{path}:{line_of(path, 'const double')}").said("trace.json", "damaged")


# comparisons


def agreement(featherc: Featherc, a: str, b: str, *more: object) -> dict[tuple[str, str], tuple[str, str]]:
    """The finding of a comparison for each pair of results, and the conversion."""
    done = featherc("inspect", "--compare", a, b, "--as", "json", *more)
    assert (done.code, done.err) == (FINE, "")
    return {(r["left"], r["right"]): (r["found"], r["through"]) for r in json.loads(done.out)["agreement"]}


PROVEN, NEARLY = "proven", "equal on 60 digits"


def test_forms_of_inertia_agree_through_their_conversions(featherc: Featherc) -> None:
    for a, b, pair, through in (
        ("inertia_transform", "central_transform", ("I_A", "C_A"), "inertia_to_central"),
        ("inertia_rotate", "unit_reexpress", ("I_A", "U_A"), "inertia_to_unit"),
        ("inertia_transform", "articulated_transform", ("I_A", "IA_A"), "articulated_from_inertia"),
        ("inertia_multiply", "unit_multiply", ("f", "f"), ""),
        ("inertia_to_matrix", "inertia_to_matrix_linear_first", ("M", "M"), "angular and linear exchanged"),
    ):
        assert agreement(featherc, a, b) == {pair: (PROVEN, through)}


@pytest.mark.exhaustive
def test_forms_of_dynamics_agree_through_their_conversions(featherc: Featherc) -> None:
    quat, mrp, dcm, rpy = (f"rigid_body_dynamics_{form}" for form in ("quat", "mrp", "dcm", "rpy"))
    same = {(name, name): (PROVEN, "") for name in ("dp_N", "dv_B", "dw_B")}
    assert agreement(featherc, quat, mrp) == {
        **same, ("dq", "ds_NB"): (PROVEN, "derivative of quat_from_mrp")
    }  # fmt: skip
    assert agreement(featherc, dcm, quat) == {
        **same, ("dR_NB", "dq"): (PROVEN, "derivative of quat_to_dcm")
    }  # fmt: skip
    assert agreement(featherc, rpy, dcm)["drpy", "dR_NB"] == (PROVEN, "derivative of dcm_from_rpy")
    found = agreement(featherc, rpy, mrp)
    assert found["drpy", "ds_NB"] == (NEARLY, "derivative of quat_from_rpy, mrp_from_quat")


WRONG = '''
from codegen import Arg, Vec3, kernel
from codegen.library.rigid_body.kernels import rigid_body_dynamics_quat as right


@kernel(inputs=right.inputs, outputs=right.outputs, equation=right.equation, source="")
def wrong(p_N, q_NB, v_B, w_B, F_B, M_B, m, J_B, baumgarte):
    """The Coriolis term has the wrong sign."""
    dp_N, dq, dv_B, dw_B = right(p_N, q_NB, v_B, w_B, F_B, M_B, m, J_B, baumgarte)
    return dp_N, dq, dv_B + 2 * w_B.cross(v_B), dw_B
'''


def test_what_differs_is_found(featherc: Featherc, place: Path) -> None:
    (place / "mine.py").write_text(WRONG)
    found = agreement(featherc, "rigid_body_dynamics_mrp", "wrong", "-m", "mine.py")
    assert found["dv_B", "dv_B"] == ("different", "")
    assert found["dw_B", "dw_B"] == (PROVEN, "")
    assert agreement(featherc, "quat_rotate", "quat_rotate_inverse") == {("v_A", "v_B"): ("different", "")}


def test_a_comparison_shows_costs_and_the_conversion(featherc: Featherc) -> None:
    shown = featherc("inspect", "--compare", "inertia_transform", "central_transform").out
    assert re.search(r"^  total +\d+ +\d+$", shown, re.MULTILINE)
    assert "inertia_to_central: 9 mul" in shown
    for form in ("markdown", "html", "latex"):
        assert "proven" in featherc("inspect", "--compare", "quat_rotate", "dcm_rotate", "--as", form).out


def test_kernels_with_nothing_in_common_are_shown_all_the_same(featherc: Featherc) -> None:
    shown = featherc("inspect", "--compare", "quat_rotate", "thin_rod_inertia").out
    assert "The library has no conversion between their arguments." in shown
    assert agreement(featherc, "quat_rotate", "thin_rod_inertia") == {}


def test_wrong_comparisons_are_one_line(featherc: Featherc) -> None:
    assert featherc("inspect", "--compare", "quat_rotate", "quat_rotate").said("two different kernels")
    assert featherc("inspect", "--compare", "quat_rotate", "contact_residual").said("no routines")
    assert featherc("inspect", "--compare", "quat_rotate", "nonsense").said("nonsense")
    assert featherc("inspect", "--compare", "quat_rotate", "dcm_rotate", "--as", "svg").said("no svg")
