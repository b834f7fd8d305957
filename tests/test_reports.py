"""Reports on a comparison: each format says the same, is valid, and cannot be spoilt by what it reports."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import fastjsonschema
import pytest
from rich.console import Console

from codegen.ir.cost import Cost
from codegen.review.diff.changes import Change, ChangeClass, Extent, Unreadable, Witness
from codegen.review.diff.declared import Quantity
from codegen.review.diff.text.flags import named
from codegen.review.explanation import Edit, Explanation
from codegen.review.footprint import Footprint, counted
from codegen.review.policy import breaches, parse_policy
from codegen.review.reports import FORMATS, SUMMARY, append_summary, text
from codegen.review.reports.formula import formula
from codegen.review.reports.report import Entry, Report, with_twins
from tests.conftest import ROOT

SCHEMA = ROOT / "tests" / "data" / "sarif-2.1.0-rtm.4.json"
NASTY = 'a\x1b[31m|`<script>&"]]>\n::error::x\r\u202e\udcff\0%.c'
"""What a stranger may call a file."""

BEFORE = Cost(mul=4, add=3, neg=0, div=0, sqrt=0, cmp=0, select=0, abs=0, libm={})
AFTER = replace(BEFORE, mul=5, libm={"sin": 1})
WITNESS = Witness({"x": 0.1, "y": -2.0}, {"z": 1.0, "w": 3.0}, {"z": math.nan, "w": 3.0}, math.inf)
CHANGES = [
    Change("fc_same_f64", ChangeClass.IDENTICAL, "", "fc_a_f64.c", 10, BEFORE, BEFORE),
    Change("fc_tidy_f64", ChangeClass.COSMETIC, "other names", "fc_a_f64.c", 20, BEFORE, BEFORE),
    Change(
        "fc_sum_f32", ChangeClass.REASSOCIATED, "rounding differs", "fc_a_f32.c", 30, BEFORE, AFTER, WITNESS
    ),
    Change("fc_sign_f32", ChangeClass.CHANGED, "other values", "fc_a_f32.c", 40, BEFORE, AFTER, WITNESS),
    Change("fc_face_f32", ChangeClass.INTERFACE, "x is a vector", "fc_a_f32.c", 50, BEFORE, AFTER),
    Change("fc_new_f32", ChangeClass.ADDED, "", "fc_a_f32.c", 60, None, AFTER),
    Change("fc_old_f32", ChangeClass.REMOVED, "", "fc_a_f32.c", 70, BEFORE, None),
    Change(NASTY, ChangeClass.CHANGED, "", NASTY, 0, unreadable=Unreadable(NASTY, 0, NASTY)),
]


def report(items: str = "") -> Report:
    """The report on CHANGES under a policy."""
    policy = parse_policy(items.split(","), {})
    rows = []
    for change in CHANGES:
        footprint = Footprint(counted(change.old_cost), counted(change.new_cost))
        reasons = tuple(breaches(change, footprint, policy))
        rows.append(Entry(change, footprint, f"generated/{change.path}", reasons))
    return Report("HEAD~1:generated", "generated", rows)


POLICY = "changed,cost>5%"
FAILING = ["fc_sum_f32", "fc_sign_f32", "fc_face_f32", NASTY]
IN_ORDER = [CHANGES[i] for i in (3, 7, 4, 2, 6, 5, 1)]
"""What is not identical: first what fails under POLICY, then the worst class first."""


def test_json_has_everything() -> None:
    content = json.loads(FORMATS["json"](report(POLICY)), parse_constant=pytest.fail)
    assert content["within_policy"] is False
    functions = {f["symbol"]: f for f in content["functions"]}
    assert list(functions) == [c.symbol for c in CHANGES]
    assert [s for s, f in functions.items() if f["outside_policy"]] == FAILING
    sign = functions["fc_sign_f32"]
    assert (sign["class"], sign["file"], sign["line"]) == ("changed", "generated/fc_a_f32.c", 40)
    assert sign["before"] == {
        "cost": 7, "mul": 4, "add": 3, "neg": 0, "div": 0, "sqrt": 0, "abs": 0, "cmp": 0, "select": 0,
        "libm": 0,
    }  # fmt: skip
    assert (sign["after"]["cost"], sign["after"]["libm"]) == (18, 1)
    assert sign["witness"] == {
        "inputs": {"x": 0.1, "y": -2.0},
        "old": {"z": 1.0, "w": 3.0},
        "new": {"z": "nan", "w": 3.0},
        "ulp": "inf",
        "extent": None,
        "certain": True,
    }
    assert functions[NASTY]["unreadable"] == {"path": NASTY, "line": 0, "reason": NASTY}
    assert json.loads(FORMATS["json"](report("added")))["within_policy"] is False
    assert json.loads(FORMATS["json"](report()))["within_policy"] is True


def test_sarif_is_valid_and_has_file_and_line() -> None:
    log = json.loads(FORMATS["sarif"](report(POLICY)))
    fastjsonschema.compile(json.loads(SCHEMA.read_text()))(log)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [r["ruleId"] for r in run["results"]] == [c.kind.value for c in IN_ORDER[:-1]]
    assert all(rules[r["ruleIndex"]] == r["ruleId"] for r in run["results"])
    assert [r["level"] for r in run["results"]] == ["error"] * 4 + ["warning", "note"]
    places = [r["locations"][0]["physicalLocation"] for r in run["results"]]
    assert places[0]["artifactLocation"]["uri"] == "generated/fc_a_f32.c"
    assert places[0]["region"]["startLine"] == 40
    assert places[1]["region"]["startLine"] == 1
    assert re.fullmatch(r"[\w./%~-]+", places[1]["artifactLocation"]["uri"], re.ASCII)


def twins(float_: Change, double: Change, items: str = "changed") -> Report:
    """A report on a function in float and in double."""
    policy, rows = parse_policy(items.split(","), {}), []
    for change in (float_, double):
        footprint = Footprint({"cost": 7}, {"cost": 8 if change is float_ else 9})
        rows.append(Entry(change, footprint, change.path, tuple(breaches(change, footprint, policy))))
    return Report("old", "new", rows)


FLOAT = replace(CHANGES[3], symbol="fc_twin_f32", detail="z is 3 instead of 1")
DOUBLE = replace(CHANGES[3], symbol="fc_twin_f64", detail="z is 5 instead of 1", path="fc_a_f64.c")


def test_float_and_double_with_the_same_verdict_share_an_entry() -> None:
    (row,) = twins(FLOAT, DOUBLE).differing
    assert (row.title, row.where, row.figure("cost")) == (
        "fc_twin, float and double", "fc_a_f64.c:40", "7 -> 8 / 7 -> 9",
    )  # fmt: skip
    for name in ("markdown", "github", "sarif"):
        written = FORMATS[name](twins(FLOAT, DOUBLE))
        assert written.count("z is") == written.count("z is 5 instead of 1") == 1
    assert "2 changed" in FORMATS["markdown"](twins(FLOAT, DOUBLE))
    (result,) = json.loads(FORMATS["sarif"](twins(FLOAT, DOUBLE)))["runs"][0]["results"]
    places = [place["physicalLocation"]["artifactLocation"]["uri"] for place in result["locations"]]
    assert places == ["fc_a_f64.c", "fc_a_f32.c"]


def test_json_lists_twins_apart() -> None:
    functions = json.loads(FORMATS["json"](twins(FLOAT, DOUBLE)))["functions"]
    assert [(f["symbol"], f["twin"]) for f in functions] == [
        ("fc_twin_f32", "fc_twin_f64"),
        ("fc_twin_f64", "fc_twin_f32"),
    ]


@pytest.mark.parametrize(
    ("other", "items"),
    [
        (replace(DOUBLE, kind=ChangeClass.REASSOCIATED), "changed,re-associated"),
        (replace(DOUBLE, also=(ChangeClass.CONTRACT,)), "changed"),
        (replace(DOUBLE, symbol="fc_twins_f64"), "changed"),
        (DOUBLE, "cost>1"),
    ],
    ids=["class", "further class", "name", "policy"],
)
def test_float_and_double_that_differ_have_two_entries(other: Change, items: str) -> None:
    rows = twins(FLOAT, other, items)
    assert [row.title for row in rows.differing] == [row.symbol for row in rows.differing]
    assert len(rows.differing) == 2
    functions = json.loads(FORMATS["json"](rows))["functions"]
    assert [f["twin"] for f in functions] == [None, None]


@pytest.mark.parametrize(
    ("float_", "double", "same"),
    [
        (("const float y = fabsf(a) * 0.1F;", "const float y = a * 0.1F;"),
         ("const double y = fabs(a) * 0.1;", "const double y = a * 0.1;"), True),
        (("y = x > 1.1754944e-38F;", "y = x >= 1.1754944e-38F;"),
         ("y = x > 2.2250738585072014e-308;", "y = x >= 2.2250738585072014e-308;"), True),
        (("y = 0.16666667F * x;", "y = 0.33333333F * x;"),
         ("y = 0.16666666666666666 * x;", "y = 0.3333333333333333 * x;"), True),
        (("y = 0.5F * x;", "y = 0.6F * x;"), ("y = 0.5 * x;", "y = 0.7 * x;"), False),
        (("y = a + b;", "y = a - b;"), ("z = a + b;", "z = a - b;"), False),
    ],
    ids=["names", "epsilon", "digits", "number", "statement"],
)  # fmt: skip
def test_twins_have_the_same_edits(float_: tuple[str, str], double: tuple[str, str], same: bool) -> None:
    rows = [
        replace(row, explanation=Explanation((Edit((was,), (now,), 1, 1, ()),)))
        for row, (was, now) in zip(twins(FLOAT, DOUBLE).rows, (float_, double), strict=True)
    ]
    assert len(with_twins(rows)) == (1 if same else 2)


def test_twins_that_are_re_associated_state_both_differences() -> None:
    float_, double = (
        replace(c, kind=ChangeClass.REASSOCIATED, detail=f"{n} ulp") for c, n in ((FLOAT, 2), (DOUBLE, 5))
    )
    written = FORMATS["markdown"](twins(float_, double, "added"))
    assert "in double: 5 ulp" in plain_text(written)
    assert "in float: 2 ulp" in plain_text(written)


def plain_text(markdown: str) -> str:
    return re.sub(r"&#(\d+);", lambda mark: chr(int(mark[1])), markdown)


def test_the_schema_is_not_toothless() -> None:
    log = json.loads(FORMATS["sarif"](report()))
    log["runs"][0]["results"][0]["level"] = "loud"
    with pytest.raises(fastjsonschema.JsonSchemaException):
        fastjsonschema.compile(json.loads(SCHEMA.read_text()))(log)


def test_junit_has_one_case_for_each_function() -> None:
    suite = ElementTree.fromstring(FORMATS["junit"](report(POLICY)))
    cases = suite.findall("testcase")
    assert len(cases) == len(CHANGES) == int(suite.attrib["tests"])
    assert [c.attrib["name"] for c in cases[:-1]] == [c.symbol for c in CHANGES[:-1]]
    failed = [c for c in cases if c.find("failure") is not None]
    assert [c.attrib["name"] for c in failed[:-1]] == FAILING[:-1]
    assert len(failed) == len(FAILING) == int(suite.attrib["failures"])
    failure = failed[1].find("failure")
    assert failure is not None
    assert "at x = 0.1\n   y = -2\n" in (failure.text or "")
    assert "z: 1 -> nan" in (failure.text or "")
    assert "it is changed; cost>5%: from 7 to 18" in failure.attrib["message"]


def test_github_annotations_are_at_their_lines() -> None:
    lines = FORMATS["github"](report(POLICY)).splitlines()
    commands = [line.split(" ")[0].lstrip(":") for line in lines[:-1]]
    assert commands == ["error"] * 4 + ["warning", "notice"]
    assert (
        "file=generated/fc_a_f32.c,line=40,title=fc_sign_f32%3A changed::other values%0Aat x = 0.1"
        in lines[0]
    )
    assert lines[-1] == "2 changed, 1 interface, 1 removed, 1 added, 1 re-associated, 1 cosmetic, 1 identical"


def test_markdown_is_a_table_with_details() -> None:
    said = FORMATS["markdown"](report(POLICY))
    rows = [line for line in said.splitlines() if line.startswith("| ")]
    assert rows[0] == "| function | class | cost | libm | policy |"
    assert "| `fc_sign_f32` | changed | 7 → 18 | 0 → 1 | **failed** |" in rows
    assert "| `fc_tidy_f64` | cosmetic | 7 | 0 | ok |" in rows
    assert [row.split(" | ")[1] for row in rows[2:]] == [c.kind.value for c in IN_ORDER]
    assert all(row.count("|") == 6 for row in rows)
    assert "**4 outside the policy**" in said
    assert "- z&#58; 1 -&#62; nan\n" in said
    assert "fc_same" not in said


def test_markdown_is_cut_where_a_summary_would_be() -> None:
    many = Report("a", "b", [report().rows[3]] * 250)
    said = FORMATS["markdown"](many)
    assert said.count("<details>") == 200
    assert said.endswith("50 more functions are not shown.\n")


def test_text_is_plain_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    text.show(report(POLICY))
    said = capsys.readouterr().out
    assert "\x1b" not in said
    head, *rows = said.split("\n\n")[0].splitlines()
    assert head.split() == ["function", "class", "cost", "libm", "policy"]
    assert [row.split()[0] for row in rows if "\\n" not in row] == [
        c.symbol for c in IN_ORDER if c.symbol != NASTY
    ]
    assert rows[0].split() == ["fc_sign_f32", "changed", "7", "->", "18", "0", "->", "1", "FAILED"]
    paragraph = said[said.index("fc_sign_f32 (") :].split("\n\n")[0].splitlines()
    assert paragraph == [
        "fc_sign_f32 (generated/fc_a_f32.c:40): changed",
        "    other values",
        "    at x = 0.1",
        "       y = -2",
        "    z: 1 -> nan",
        "    outside the policy: it is changed",
        "    outside the policy: cost>5%: from 7 to 18",
    ]
    assert said.endswith("1 re-associated, 1 cosmetic, 1 identical\n")
    assert "fc_tidy_f64 (" not in said


def test_text_has_colours_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Console, "is_terminal", True)
    text.show(report(POLICY))
    said = capsys.readouterr().out
    assert "\x1b[31m" in said
    assert "\x1b[31m|`<script>" not in said


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_that_is_reported_gets_out_of_its_place(form: str) -> None:
    """Names and reasons come from a stranger's tree."""
    said = FORMATS[form](report(POLICY))
    said.encode("utf-8")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", said)
    assert not re.search(r"^::error::x", said, re.MULTILINE)
    assert said.endswith("\n")
    if form in ("markdown", "junit"):
        assert "<script>" not in re.sub(r"`[^`\n]*`", "", said)


def test_nothing_to_compare_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    empty = Report("a", "b", [])
    text.show(empty)
    assert capsys.readouterr().out == "no functions\n"
    for render in FORMATS.values():
        assert render(empty)


def test_the_summary_is_appended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "summary.md"
    place.write_text("before\n")
    monkeypatch.setenv(SUMMARY, str(place))
    append_summary(report(POLICY))
    assert place.read_text(encoding="utf-8") == "before\n" + FORMATS["markdown"](report(POLICY))


@pytest.mark.parametrize("where", [None, "", "nowhere/summary.md", "."])
def test_a_summary_that_cannot_be_written_is_no_verdict(
    where: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(SUMMARY, raising=False)
    if where is not None:
        monkeypatch.setenv(SUMMARY, where)
    append_summary(report(POLICY))
    assert capsys.readouterr().err.startswith("featherc: no summary was written: ")


# GitLab and GitHub


def test_gitlab_lists_what_differs() -> None:
    issues = json.loads(FORMATS["gitlab"](report(POLICY)))
    assert [i["severity"] for i in issues] == ["blocker"] * 4 + ["major", "info"]
    assert issues[0]["location"] == {"path": "generated/fc_a_f32.c", "lines": {"begin": 40}}
    assert issues[0]["check_name"] == "featherc diff: changed"
    assert "other values" in issues[0]["description"]
    assert len({i["fingerprint"] for i in issues}) == len(issues)


def test_a_fingerprint_does_not_depend_on_place_and_example() -> None:
    moved = replace(FLOAT, line=99, detail="z is 4 instead of 1", witness=None)
    prints = [json.loads(FORMATS["gitlab"](twins(c, FAR)))[0]["fingerprint"] for c in (FLOAT, moved)]
    assert prints[0] == prints[1]
    other = replace(FLOAT, kind=ChangeClass.GUARDS)
    assert json.loads(FORMATS["gitlab"](twins(other, FAR)))[0]["fingerprint"] != prints[0]


FAR = replace(DOUBLE, symbol="fc_far_f64", kind=ChangeClass.IDENTICAL)


def many(count: int) -> Report:
    """A report on functions in two files, of which the last in each is outside the policy."""
    rows = []
    for i in range(count):
        path, breaks = f"fc_{i % 2}.c", ("it is changed",) if i >= count - 2 else ()
        change = replace(CHANGES[3], symbol=f"fc_f{i}_f64", path=path, line=i + 1)
        rows.append(Entry(change, Footprint(), path, breaks))
    return Report("old", "new", rows)


def test_github_gets_one_annotation_for_each_file_where_there_are_many() -> None:
    assert FORMATS["github"](many(50)).count("\n::") + 1 == 50
    lines = FORMATS["github"](many(51)).splitlines()
    assert [line.split("::")[1] for line in lines[:-1]] == [
        "error file=fc_1.c,line=50,title=25 functions differ",
        "error file=fc_0.c,line=51,title=26 functions differ",
    ]
    named = "".join(lines[:-1])
    assert all(f"fc_f{i}_f64: changed" in named for i in range(51))
    assert lines[-1] == "51 changed"


# HTML


class Page(HTMLParser):
    """The tags, attributes and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.text = set[str](), set[tuple[str, str]](), ""
        self.ids, self.targets = list[str](), list[str]()
        self.open = list[str]()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {(tag, name) for name, _ in attrs}
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.targets += [value or "" for name, value in attrs if name == "href"]
        if tag not in ("meta", "br", "mspace"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "mspace":
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)">"\'&{x}</style></table><!--\x1b\u202e'


def hostile_report() -> Report:
    """A report in which a stranger wrote all that he can write."""
    witness = Witness(
        {HOSTILE: 1.0, f"{HOSTILE}->x": 1.0}, {HOSTILE: 1.0}, {HOSTILE: 2.0}, 9.0,
        Extent(9, 0.5, HOSTILE, 1.0, {HOSTILE: 1.0}),
    )  # fmt: skip
    change = Change(
        HOSTILE, ChangeClass.CHANGED, HOSTILE, f"{HOSTILE}.c", 1,
        witness=witness, unreadable=Unreadable(HOSTILE, 1, HOSTILE),
    )  # fmt: skip
    edits = (
        Edit((f"{HOSTILE};",), ("x = a < b ? a : b;",), 1, 1, (HOSTILE,)),
        Edit((f'x = f("{HOSTILE}");',), ("</td>",), 0, 0, ()),
    )
    said = Explanation(edits, {HOSTILE: Quantity(HOSTILE, HOSTILE, ())}, (HOSTILE,))
    row = Entry(change, Footprint(), HOSTILE, (HOSTILE,), explanation=said)
    return Report(HOSTILE, HOSTILE, [row], (HOSTILE,))


def test_html_escapes_all_that_is_foreign() -> None:
    written = FORMATS["html"](hostile_report())
    page = Page(written)
    assert not page.open
    assert page.tags <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h3", "p", "code", "strong", "div", "table",
        "tr", "th", "td", "a", "details", "summary", "br", "ul", "li",
        "math", "mrow", "mi", "mo", "mn", "mtext", "msub", "mtable", "mtr", "mtd",
    }  # fmt: skip
    assert not {name for _, name in page.attributes if name.startswith("on") or name in ("src", "srcset")}
    assert page.text.count("<script>alert(1)</script>") > 10
    assert "\x1b" not in written
    assert "\u202e" not in written


def test_html_is_one_file_that_needs_nothing_else() -> None:
    written = FORMATS["html"](report(POLICY))
    assert written == FORMATS["html"](report(POLICY))
    page = Page(written)
    assert "script" not in page.tags
    assert {f"#{i}" for i in page.ids} == set(page.targets)
    assert not re.search(r"https?:|url\(|@import", written)
    assert "default-src 'none'" in written


def test_html_shows_what_the_other_formats_show() -> None:
    text_ = Page(FORMATS["html"](report(POLICY))).text
    for said in ("4 outside the policy", "fc_sign_f32: changed", "other values", "7 -> 18", "it is changed"):
        assert said in text_
    assert re.search(r"x\s*0\.1", text_)
    unreadable = replace(CHANGES[3], unreadable=Unreadable("a.c", 7, "a loop without an end"))
    assert "a.c, line 7: a loop without an end" in Page(FORMATS["html"](twins(unreadable, FAR))).text


@pytest.mark.parametrize(
    ("statement", "markup"),
    [
        (
            "const double t = a + b * 2.0;",
            "<mi>t</mi><mo>=</mo><mrow><mi>a</mi><mo>+</mo>",
        ),
        ("v->x = sqrtf(a) / -b;", "<mfrac><msqrt><mi>a</mi></msqrt>"),
        ("const int ok = x < 1.0F && !y;", "<mo>∧</mo>"),
        ("const float u = ok ? atan2f(a, b) : 0.0F;", "<mtext>, otherwise\u00a0</mtext><mn>0</mn>"),
        ("const float u = ok ? a + b : 0.0F;", "<mtext>otherwise</mtext>"),
        ("t = (a + b) * c;", "<mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow><mo>\u22c5</mo>"),
        ("*h += q->w;", "<mo>+=</mo><mi>q_w</mi>"),
    ],
)
def test_a_statement_is_a_formula(statement: str, markup: str) -> None:
    written = formula(statement)
    assert markup in written
    ElementTree.fromstring(written)


@pytest.mark.parametrize(
    "statement",
    ["if (x) {", "return;", "x = a = b;", "x = {1};", "x = (", f"x = {'(' * 60}1{')' * 60};",
     f"x = {'a+' * 2000}1;", "x = <b>;", "x = a[i];", "x = sizeof(a);"],
)  # fmt: skip
def test_what_is_no_formula_is_shown_as_c_only(statement: str) -> None:
    assert formula(statement) == ""


@pytest.mark.parametrize(
    ("status", "name"),
    [(0, "FC_OK"), (2, "FC_MASS"), (6, "FC_MASS | 4"), (4, "4"), (3, "FC_NOT_FINITE | FC_MASS")],
)
def test_a_status_has_the_names_of_its_flags(status: int, name: str) -> None:
    assert named(status, {0: "FC_OK", 1: "FC_NOT_FINITE", 2: "FC_MASS"}) == name
