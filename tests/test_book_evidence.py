"""The book's page on evidence: what it says is what the proof and the verification found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from click.testing import CliRunner

from codegen.cli.commands import cli
from codegen.errors import FeatherError
from codegen.explain.book.calls import Built, trees
from codegen.explain.book.evidence import GAPS, Evidence, Gap, groups, of_kernel
from codegen.explain.book.listing import listing
from codegen.explain.book.site import build
from codegen.ir.program import Arg
from codegen.ir.types import REAL
from codegen.library import library
from codegen.modeling.types.algebra import Vec3
from codegen.proof.proof import independent_forms
from codegen.verify.record import Recorded, digest, read_record
from tests.test_stated import S, V, made

T = Arg("T", REAL, "1", "")
NAMES = ("quat_multiply", "quat_slerp", "rotvec_from_quat")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a verification of three kernels."""
    directory = tmp_path_factory.mktemp("record")
    for arguments in (
        ["generate", *NAMES, "-o", str(directory / "c")],
        ["verify", "--json", str(directory / "c")],
    ):
        done = CliRunner().invoke(cli, arguments)
        assert done.exit_code == 0, done.output
    (directory / "record.json").write_text(done.stdout, encoding="utf-8")
    return directory / "record.json"


@pytest.fixture(scope="module")
def pages(record: Path) -> Path:
    build([*NAMES, "quat_rotate"], {}, record.parent / "book", record)
    return record.parent / "book"


def text_of(file: Path) -> str:
    """The words of a page."""
    body = file.read_text(encoding="utf-8").partition("<body>")[2].partition("</body>")[0]
    return " ".join(" ".join(fromstring(f"<body>{_closed(body)}</body>").itertext()).split())


def _closed(html: str) -> str:
    """The page as XML: its empty elements closed."""
    import re

    return re.sub(
        r"<(input|img|br)\b([^>]*)>", r"<\1\2/>", re.sub(r" (hidden|data-[\w-]+)(?=[ >])", "", html)
    )


def test_the_page_shows_what_the_verification_found(pages: Path, record: Path) -> None:
    shown = text_of(pages / "evidence.html")
    rows = {row["symbol"]: row for row in json.loads(record.read_text(encoding="utf-8"))}
    double, single = rows["fc_quat_multiply_f64"], rows["fc_quat_multiply_f32"]
    chance, trials = f"2 {double['chance']:.0f}", double["cases"] + single["cases"]
    errors = f"{double['worst_scaled']:.2f} {single['worst_scaled']:.2f} {double['tolerance']}"
    assert f"proven {chance} {trials} {errors}" in shown
    assert "Of 4 functions, 2 are proven , 1 is certified numerically , 1 is not in the record" in shown
    assert "Not in the record: 1" in shown
    own = text_of(pages / "kernel-quat_multiply.html")
    assert f"Mathematics: proven; the chance that a difference goes unnoticed is below {chance} ." in own


def test_what_is_not_proven_is_listed(pages: Path) -> None:
    shown = text_of(pages / "evidence.html")
    assert "Only a property at single points: 1" in shown
    assert "Limits and series: 2" in shown
    assert "of an angle in its range the angle itself" in shown
    of_page = {"rotvec_from_quat": ("property", "series"), "quat_slerp": ("series", "requires")}
    for name, kinds in of_page.items():
        titles = [GAPS[kind][0] for kind in kinds]
        own = text_of(pages / f"kernel-{name}.html")
        assert all(f"Not proven: {title[0].lower()}{title[1:]}" in own for title in titles)
    assert "Not proven" not in text_of(pages / "kernel-quat_multiply.html")


def test_a_record_of_another_version_is_refused(record: Path, tmp_path: Path) -> None:
    rows = json.loads(record.read_text(encoding="utf-8"))
    changed = tmp_path / "record.json"
    changed.write_text(json.dumps([{**row, "program": "0"} for row in rows]), encoding="utf-8")
    with pytest.raises(
        FeatherError, match="fc_quat_multiply_f64 is of another version of it: verify it again"
    ):
        build(["quat_multiply"], {}, tmp_path / "book", changed)
    assert not (tmp_path / "book").exists()


@pytest.mark.parametrize(
    "text", ["", "[1]", '{"a": 1}', "[{}]", "[" * 100000, '[{"symbol": "x", "kernel": 1}]']
)
def test_what_is_no_record_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "record.json").write_text(text, encoding="utf-8")
    with pytest.raises(FeatherError, match=r"record\.json is no record of `featherc verify --json`"):
        read_record(tmp_path / "record.json")
    with pytest.raises(FeatherError, match=r"nothing\.json: No such file"):
        read_record(tmp_path / "nothing.json")


def test_the_digest_is_that_of_what_is_computed() -> None:
    one, other = (library()[name].program(True) for name in ("quat_multiply", "quat_rotate"))
    assert digest(one) == digest(library()["quat_multiply"].program(True)) != digest(other)


def test_every_function_that_is_not_proven_is_in_a_list() -> None:
    """Those that only a property defines, or nothing, are in a list whatever a verification found."""
    found = {name: {g.kind for g in of_kernel(k, [], [], None).gaps} for name, k in library().items()}
    doubtful = {name for name, k in library().items() if set(independent_forms(k)) <= {"property"}}
    assert len(doubtful) == 63
    assert all(found[name] & {"property", "alone"} for name in doubtful)
    assert not any(found[name] & {"property", "alone"} for name in found.keys() - doubtful)


def test_a_statement_counts_where_it_leads_to_what_a_person_wrote() -> None:
    found = listing(library()["rpy_kinematics"])
    evidence = of_kernel(library()["rpy_kinematics"], found.hows, found.functions, None)
    other = sum(how in ("guard", "case", "rewritten") for how in found.hows)
    assert (evidence.statements, evidence.led) == (len(found.hows), len(found.hows) - other)
    assert 0 < evidence.led < evidence.statements


def recorded(verdict: str, ok: bool = True, left_out: int = 0) -> Recorded:
    return Recorded(
        "k",
        "f64",
        verdict,
        -200.0,
        10,
        left_out,
        1.0,
        4,
        ok,
        digest(library()["quat_multiply"].program(True)),
    )


@pytest.mark.parametrize(
    ("found", "kind", "where"),
    [
        (recorded("tested at 5 points: more paths"), "tested", "tested at 5 points: more paths"),
        (recorded("failed: they differ", ok=False), "failed", "failed: they differ"),
        (recorded("proven", left_out=30), "left out", "30 of 40"),
    ],
)
def test_what_the_record_says_is_a_gap(found: Recorded, kind: str, where: str) -> None:
    functions: Any = listing(library()["quat_conjugate"]).functions[:1]
    record = {functions[0].symbol: found._replace(program=digest(functions[0].program))}
    evidence = of_kernel(library()["quat_conjugate"], [], functions, record)
    assert evidence.gaps == (Gap(kind, where),)
    assert [(g.title, g.members) for g in groups([evidence])] == [
        (GAPS[kind][0], (("quat_conjugate", where),))
    ]


def test_what_is_built_from_what() -> None:
    below = {"a": ["b", "c"], "b": ["d"], "c": [], "d": [], "e": ["b"], "f": []}
    leaf = Built("d", (), False)
    assert trees(below) == [
        Built("a", (Built("b", (leaf,), False), Built("c", (), False)), False),
        Built("e", (Built("b", (), True),), False),
    ]


def test_a_function_without_gaps_is_in_no_list() -> None:
    assert groups([Evidence("k")]) == []


def test_results_that_no_equation_gives_are_a_gap() -> None:
    """Of a kernel that is proven in part; where the equation gives all there is no gap."""

    def formula(v: Vec3, s: Any) -> Any:
        """A test."""
        return s * v, s * v.dot(v)

    kinds = []
    for equation in ("F = s v", "F = s v; T = s v.v"):
        found = of_kernel(made(equation, [V, S], [Arg("F", Vec3, "1", ""), T], formula), [], [], None)
        kinds.append([g for g in found.gaps if g.kind in ("in part", "alone", "equation")])
    assert kinds == [[Gap("in part", "T")], []]
