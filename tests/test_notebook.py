"""Notebooks: what they display, and a model in a cell."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import codegen
from codegen.explain.notebook import kernels_of
from codegen.explain.typeset import typeset
from codegen.library import library
from codegen.modeling.kernel import Kernel
from codegen.passes.pipeline import optimised
from codegen.proof.derivation import derivation
from codegen.review.reports.report import Report
from tests.conftest import ROOT, tool

CELL = """
from codegen import REAL, Arg, kernel

@kernel(
    inputs=[Arg("m", REAL, "kg", "<b>mass</b>"), Arg("v", REAL, "m/s", "speed")],
    outputs=[Arg("E", REAL, "J", "kinetic energy")],
    equation="E = m v^2 / 2",
    source="a lecture",
)
def energy(m, v):
    \"\"\"Kinetic energy of a particle.\"\"\"
    return m * v * v / 2
"""


def test_a_kernel_shows_its_equation_derivation_c_and_cost() -> None:
    text = library()["quat_rotate"]._repr_html_() or ""
    assert "<math" in text
    assert "<summary>Derivation: " in text
    assert "fc_quat_rotate_f32(" in text
    assert re.search(r"<h4>Cost</h4><p>\d+ mul", text)
    assert "http" not in text.replace("http://www.w3.org", "")  # it works offline


def test_every_format_is_in_the_bundle() -> None:
    kernel = library()["quat_rotate"]
    bundle = kernel._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "text/latex"}
    assert bundle["text/latex"] == kernel._repr_latex_()
    assert bundle["text/latex"].startswith("$$")
    assert set(kernel._repr_mimebundle_(include=["text/latex"])) == {"text/latex"}
    assert "text/html" not in kernel._repr_mimebundle_(exclude=["text/html"])


def test_steps_and_programs_are_displayed() -> None:
    kernel = library()["inertia_transform"]
    (step,) = (s for s in derivation(kernel) if s.title.startswith("Rotate the matrix"))
    assert "<math" in (step._repr_html_() or "")
    assert "\\begin{gathered}" in (step._repr_latex_() or "")
    program = optimised(kernel)
    assert "mul(" in (program._repr_html_() or "")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("quat_conjugate", r"\mathtt{q\_conj\_x} &= - \mathtt{q\_x}"),
        (
            "rpy_kinematics",
            r"\mathtt{off\_lock} &= \sqrt{\varepsilon} < \left| \mathtt{cos\_theta} \right|",
        ),
        ("rpy_kinematics", r"\text{GIMBAL\_LOCK} &\text{ unless } \mathtt{off\_lock}"),
        ("angle_wrap", r"\begin{cases} \pi & \text{where } \mathtt{turned} \le \mathtt{t1} \\"),
        (
            "motion_dot_force",
            r"\mathtt{v\_w\_x} \cdot \mathtt{f\_n\_x} + \mathtt{v\_w\_y} \cdot \mathtt{f\_n\_y}",
        ),
    ],
)
def test_a_program_is_typeset(name: str, line: str) -> None:
    text = optimised(library()[name])._repr_latex_() or ""
    assert text.startswith(r"$$\begin{aligned} ")
    assert line in text


def test_a_line_of_a_typeset_program_is_its_operations() -> None:
    """Each value that is shared or named has a line before its first use, and so has each result."""
    program = optimised(library()["inertia_transform"])
    lines = (typeset(program) or "").removeprefix(r"$$\begin{aligned} ").split(r" \\ ")
    names = [line.partition(" &")[0] for line in lines]
    assert len(names) == len(set(names))
    for i, name in enumerate(names):
        assert not any(name in earlier.partition("&=")[2].split() for earlier in lines[:i]), name
    assert typeset(replace(program, nodes=program.nodes * 10)) is None  # too many to be read


@pytest.mark.exhaustive
def test_typeset_programs_compile(tmp_path: Path) -> None:
    shown = [text for k in library().values() if (text := typeset(optimised(k)))]
    assert len(shown) > 280
    # what is wider than a page is no error
    body = "\n\n".join(shown[::10])
    source = "\\documentclass{article}\\usepackage{amsmath}\\allowdisplaybreaks\\begin{document}\n"
    (tmp_path / "all.tex").write_text(f"{source}{body}\n\\end{{document}}\n", encoding="utf-8")
    command = [tool("pdflatex"), "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def test_a_report_is_a_page_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codegen.explain.notebook.render", lambda report: '<p class="x">same</p>')
    shown = object.__new__(Report)._repr_html_() or ""
    assert shown.startswith('<iframe srcdoc="&lt;p class=&quot;x&quot;')
    assert "sandbox" in shown
    monkeypatch.setattr("codegen.explain.notebook.markdown.render", lambda report: "| same |")
    bundle = object.__new__(Report)._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "text/markdown"}
    assert bundle["text/markdown"] == bundle["text/plain"] == "| same |"
    assert object.__new__(Report)._repr_markdown_() == "| same |"


class Shell:
    """What the extension needs of an IPython shell."""

    def __init__(self) -> None:
        self.magics: dict[str, Any] = {}
        self.names: dict[str, Any] = {}

    def register_magic_function(self, magic: Any, magic_kind: str, magic_name: str) -> None:
        assert magic_kind == "cell"
        self.magics[magic_name] = magic

    def push(self, names: dict[str, Any]) -> None:
        self.names.update(names)


def test_a_cell_is_a_model(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[Kernel] = []
    display = types.SimpleNamespace(display=shown.append)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(display=display))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    shell = Shell()
    codegen.load_ipython_extension(shell)
    shell.magics["featherc"]("", CELL)
    assert list(shell.names) == ["energy"]
    assert shown == [shell.names["energy"]]
    text = shown[0]._repr_html_() or ""
    assert "fc_energy_f32" in text
    assert "&lt;b&gt;mass&lt;/b&gt;" in text
    assert "<b>mass" not in text
    shell.magics["featherc"]("", CELL.replace("return m", "return v + m"))
    assert capsys.readouterr().err.startswith("featherc: ")
    assert len(shown) == 1


def test_a_cell_keeps_its_kernels_apart_from_those_of_another() -> None:
    one, other = kernels_of(CELL), kernels_of(CELL.replace("/ 2", "/ 4"))
    assert one["energy"].program(True) != other["energy"].program(True)


NOTEBOOK = ROOT / "examples" / "notebook.ipynb"


def test_the_example_has_no_outputs_and_its_cells_are_models() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    assert all(c["outputs"] == [] for c in cells if c["cell_type"] == "code")
    models = [c.partition("\n")[2] for c in code if c.startswith("%%featherc")]
    assert [list(kernels_of(m)) for m in models] == [["thrust"]]


@pytest.mark.exhaustive
def test_the_example_runs(tmp_path: Path) -> None:
    import nbclient
    import nbformat

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    done = nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": tmp_path}}
    ).execute()
    outputs = [o for c in done.cells for o in c.get("outputs", [])]
    assert not [o for o in outputs if o.output_type in ("error", "stream")]
    displayed = [o.data for o in outputs if "data" in o]
    assert sum("text/html" in d for d in displayed) >= 4
    assert any("fc_thrust_f32" in d.get("text/html", "") for d in displayed)
