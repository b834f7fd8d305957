"""The pages of the rules: their examples are of the class that they explain, and all documents have them."""

from __future__ import annotations

import json
from pathlib import Path

import fastjsonschema
import pytest

from codegen.__main__ import FINE, USER
from codegen.review.diff.changes import ChangeClass
from codegen.review.reports import FORMATS
from codegen.review.reports.report import Report
from codegen.review.rules import RULES, Bump, as_markdown, as_text
from tests.conftest import ROOT, Featherc

BESIDE = {
    "fc_mass_f32.c": "void fc_mass_f32(float m, float *M)\n{\n    *M = m;\n}\n",
    "manifest.json": '{"prefix": "fc_"}\n',
}
"""The files of both trees: each has some C and names with a prefix."""


@pytest.mark.parametrize("name", RULES)
def test_the_example_is_of_the_class(name: str, featherc: Featherc, place: Path) -> None:
    rule = RULES[name]
    for side, text in (("old", rule.example.before), ("new", rule.example.after)):
        Path(side).mkdir()
        for path, content in {**BESIDE, rule.example.path: text}.items():
            Path(side, path).write_text(content)
    done = featherc("release", "old", "new", "--format", "json")
    said = json.loads(done.out)
    assert (done.code, said["required"]) == (FINE, str(rule.bump))
    found = {r for f in said["functions"] for r in f["rules"] if r != "identical" or name == "identical"}
    assert found == ({name} if name != "files" else set())


def test_each_class_has_its_rule() -> None:
    assert {kind.value for kind in ChangeClass} < set(RULES)
    assert list(RULES) == [rule.name for rule in RULES.values()]


def test_the_pages_are_printed(featherc: Featherc) -> None:
    listed = featherc("rules")
    assert listed.code == FINE
    for name, rule in RULES.items():
        (line,) = (x for x in listed.out.splitlines() if x.startswith(f"{name}  "))
        assert line.split("  ")[-1].strip() == "" or rule.meaning in line
        page = featherc("rules", name)
        assert (page.code, page.out) == (FINE, as_text(rule))
        assert rule.meaning in " ".join(page.out.split())
        assert " ".join(rule.remedy.split()) in " ".join(page.out.split())
        assert max(map(len, page.out.splitlines())) <= 100
    assert featherc("rules", "guards-changed").out == as_text(RULES["guards changed"])
    assert featherc("rules", "--markdown").out == "\n".join(map(as_markdown, RULES.values()))
    done = featherc("rules", "chnaged")
    assert done.code == USER
    assert done.said("there is no rule 'chnaged'", "guards changed")


def test_sarif_carries_the_pages() -> None:
    log = json.loads(FORMATS["sarif"](Report("a", "b", [])))
    schema = ROOT / "tests" / "data" / "sarif-2.1.0-rtm.4.json"
    fastjsonschema.compile(json.loads(schema.read_text()))(log)
    for rule in log["runs"][0]["tool"]["driver"]["rules"]:
        page = RULES[rule["id"]]
        assert rule["shortDescription"]["text"] == page.meaning
        assert rule["help"] == {"text": as_text(page), "markdown": as_markdown(page)}
        assert rule["name"].isalpha()


def test_the_readme_has_the_bumps_of_the_rules() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for bump in (Bump.MAJOR, Bump.MINOR, Bump.PATCH):
        names = ", ".join(f"*{rule.name}*" for rule in RULES.values() if rule.bump is bump)
        assert f"| {bump} | {names} |" in readme
