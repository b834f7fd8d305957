"""Waivers: one excuses exactly the change for which it was written, until its last day, and nothing else."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import FAILED, FINE, USER
from codegen.review.reports import FORMATS
from tests.conftest import Featherc
from tests.test_release import BASE, C, H, edited, write

DIFF = [
    "diff",
    "old",
    "new",
    "--fail-on",
    "changed,contract,unreadable,guards changed,interface,build,removed",
]
RELEASE = ["release", "old", "new", "--baseline-version", "1.2.3", "--version", "1.2.4"]
COMMANDS = {"diff": DIFF, "release": RELEASE}
DAY = ["--today", "2026-11-22"]
SIGN = (C, "F_B->x = -(k * x)", "F_B->x = k * x")
LIFT = (C, "q * c * 3.0F", "q * c * 4.0F")


@pytest.fixture
def old(place: Path) -> Path:
    """The tree `old`; `new` beside it has one change."""
    write("new", edited(SIGN))
    return write("old", BASE)


def offered(featherc: Featherc, command: str, *more: object) -> list[dict[str, Any]]:
    """The waivers that a command prints, with a reason."""
    done = featherc(*COMMANDS[command], "--format", "waivers", *DAY, *more)
    assert done.code == FAILED
    text = re.sub(r'reason = "".*', 'reason = "reviewed by A"', done.out)
    return list(tomllib.loads(text)["waiver"])


def waive(*waivers: dict[str, Any]) -> None:
    """Write waivers to featherc.toml."""
    lines = []
    for waiver in waivers:
        lines.append("[[waiver]]")
        for key, value in waiver.items():
            lines.append(f"{key} = {value if key == 'expires' else json.dumps(value)}")
    Path("featherc.toml").write_text("\n".join([*lines, ""]))


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_printed_waives_the_change(command: str, featherc: Featherc, old: Path) -> None:
    (waiver,) = offered(featherc, command)
    assert (waiver["function"], waiver["class"]) == ("fc_drag_f32", "changed")
    assert str(waiver["expires"]) == "2027-02-20"
    waive(waiver)
    done = featherc(*COMMANDS[command], *DAY)
    assert (done.code, done.err) == (FINE, "")
    assert "changed is waived until 2027-02-20: reviewed by A" in done.out
    done = featherc(*COMMANDS[command], *DAY, "--format", "json")
    (entry,) = (f for f in json.loads(done.out)["functions"] if f["symbol"] == "fc_drag_f32")
    assert entry["waived"] == ["changed"]
    assert featherc(*COMMANDS[command], "--format", "waivers", *DAY).out == "# nothing fails\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_both_commands_take_the_same_waiver(command: str, featherc: Featherc, old: Path) -> None:
    waivers = [offered(featherc, name) for name in COMMANDS]
    assert waivers[0] == waivers[1]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", FORMATS)
def test_a_waived_change_fails_in_no_format(command: str, form: str, featherc: Featherc, old: Path) -> None:
    waive(*offered(featherc, command))
    assert featherc(*COMMANDS[command], "--format", form, *DAY).code == FINE


@pytest.mark.parametrize("command", COMMANDS)
def test_the_last_day(command: str, featherc: Featherc, old: Path) -> None:
    (waiver,) = offered(featherc, command)
    waive(waiver)
    assert featherc(*COMMANDS[command], "--today", "2027-02-20").code == FINE
    done = featherc(*COMMANDS[command], "--today", "2027-02-21")
    assert done.code == FAILED
    assert "warning: the waiver of fc_drag_f32 for changed expired on 2027-02-20\n" in done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_the_clock_is_the_default(command: str, featherc: Featherc, old: Path) -> None:
    (waiver,) = offered(featherc, command)
    for year, code in ((1999, FAILED), (9999, FINE)):
        waive({**waiver, "expires": f"{year}-01-01"})
        assert featherc(*COMMANDS[command]).code == code


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unused_waiver_is_reported_and_no_failure(command: str, featherc: Featherc, old: Path) -> None:
    waive(*offered(featherc, command))
    write("new", BASE)
    done = featherc(*COMMANDS[command], *DAY)
    assert done.code == FINE
    said = "the waiver of fc_drag_f32 for changed is not used: there is no such change; remove it"
    assert done.err == f"featherc: warning: {said}\n"


OTHER = {
    "another value of the function": [(C, "F_B->x = -(k * x)", "F_B->x = 2.0F * k * x")],
    "more of the same function": [SIGN, (C, "F_B->y = -(k * y)", "F_B->y = k * y")],
    "a type that it uses": [SIGN, (H, "float x, y, z;", "float y, x, z;")],
    "a macro that it uses": [SIGN, (C, "static", "#define k_1 1.0F\nstatic"), (C, "k * x", "k_1 * x")],
    "what its header says": [SIGN, (H, "[kg/m]", "[g/m]")],
    "the words of its header": [SIGN, (H, "Drag of a body.", "The drag of a body.")],
    "a comment in it": [SIGN, (C, "F_B->y", "/* y */ F_B->y")],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", OTHER)
def test_a_waiver_is_for_one_change(command: str, name: str, featherc: Featherc, old: Path) -> None:
    waive(*offered(featherc, command))
    write("new", edited(*OTHER[name]))
    done = featherc(*COMMANDS[command], *DAY)
    assert done.code == FAILED
    why = "not used: there is no such" if "type" in name else "for another change: its digest differs\n"
    assert done.err.startswith(f"featherc: warning: the waiver of fc_drag_f32 for changed is {why}")


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_waived_function_calls_is_part_of_it(command: str, featherc: Featherc, place: Path) -> None:
    tree = {C: "void fc_f_f32(float x, float *y)\n{\n    *y = x;\n}\n\nvoid fc_g_f32(float x, float *y)\n"
               "{\n    fc_f_f32(2.0F * x, y);\n}\n"}  # fmt: skip
    write("old", tree)
    write("new", {C: tree[C].replace("*y = x", "*y = 2.0F * x")})
    waivers = offered(featherc, command)
    assert [(w["function"], w["class"]) for w in waivers] == [
        ("fc_f_f32", "changed"),
        ("fc_g_f32", "changed"),
    ]
    waive(*waivers)
    assert featherc(*COMMANDS[command], *DAY).code == FINE
    write("new", {C: tree[C].replace("*y = x", "*y = 3.0F * x")})
    done = featherc(*COMMANDS[command], *DAY)
    assert done.code == FAILED
    assert "the waiver of fc_g_f32 for changed is for another change" in done.err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["*", "fc_*", "", "fc_lift_f32", "FC_DRAG_F32", "fc_drag_f32 "])
def test_a_waiver_matches_one_name_only(command: str, name: str, featherc: Featherc, old: Path) -> None:
    (waiver,) = offered(featherc, command)
    waive({**waiver, "function": name})
    done = featherc(*COMMANDS[command], *DAY)
    assert done.code == FAILED
    assert "is not used" in done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_waiver_of_one_function_is_none_of_another(command: str, featherc: Featherc, old: Path) -> None:
    write("new", edited(SIGN, LIFT))
    drag, lift = offered(featherc, command)
    assert drag["digest"] != lift["digest"]
    waive(drag)
    done = featherc(*COMMANDS[command], *DAY, "--format", "github")
    assert done.code == FAILED
    assert [
        x.split("title=")[1].split("%3A")[0] for x in done.out.splitlines() if x.startswith("::error")
    ] == ["fc_lift_f32"]
    waive(drag, {**lift, "digest": drag["digest"]})
    assert featherc(*COMMANDS[command], *DAY).code == FAILED
    waive(drag, lift)
    assert featherc(*COMMANDS[command], *DAY).code == FINE


@pytest.mark.parametrize("command", COMMANDS)
def test_a_waiver_of_one_class_is_none_of_another(command: str, featherc: Featherc, old: Path) -> None:
    write("new", edited(SIGN, (H, "[kg/m]", "[g/m]")))
    waivers = {w["class"]: w for w in offered(featherc, command)}
    assert waivers.keys() == {"changed", "contract"}
    for kind in waivers:
        waive(waivers[kind])
        assert featherc(*COMMANDS[command], *DAY).code == FAILED
    waive(*waivers.values())
    assert featherc(*COMMANDS[command], *DAY).code == FINE
    waive(waivers["contract"], {**waivers["changed"], "class": "re-associated"})
    assert featherc(*COMMANDS[command], *DAY).code == FAILED, "a lesser class than that of the change"


def test_limits_are_not_waived(featherc: Featherc, old: Path) -> None:
    write("new", edited((C, "F_B->x = -(k * x)", "F_B->x = -(k * x * 1.5F)")))
    limited = ["diff", "old", "new", "--fail-on", "changed,cost>0", *DAY]
    done = featherc(*limited, "--format", "waivers")
    assert "# fc_drag_f32: limits, budgets and files that are not read cannot be waived\n" in done.out
    waive(*offered(featherc, "diff"))
    done = featherc(*limited)
    assert done.code == FAILED
    assert "outside the policy: cost>0: from" in done.out
    assert "outside the policy: it is changed" not in done.out


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_is_waived_by_its_content(command: str, featherc: Featherc, old: Path) -> None:
    write("new", {**BASE, "more.cmake": "set(X 1)\n"})
    (waiver,) = offered(featherc, command)
    assert (waiver["function"], waiver["class"]) == ("more.cmake", "build")
    waive(waiver)
    assert featherc(*COMMANDS[command], *DAY).code == FINE
    Path("new", "more.cmake").write_text("set(X 2)\n")
    assert featherc(*COMMANDS[command], *DAY).code == FAILED


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_not_read_cannot_be_waived(command: str, featherc: Featherc, old: Path) -> None:
    """Its content could be another one tomorrow."""
    write("new", BASE)
    Path("new", "more.c").symlink_to("/etc/passwd")
    done = featherc(*COMMANDS[command], "--format", "waivers", *DAY)
    assert done.code == FAILED
    assert done.out == "# more.c: limits, budgets and files that are not read cannot be waived\n"
    waive(
        {
            "function": "more.c",
            "class": "unreadable",
            "reason": "x",
            "expires": "2027-01-01",
            "digest": "0" * 64,
        }
    )
    assert featherc(*COMMANDS[command], *DAY).code == FAILED


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"reason": " "}, "waiver 1: the reason is empty: say why the change of fc_drag_f32 is accepted"),
        ({"reason": 5}, "waiver 1: reason must be a string"),
        ({"class": "all"}, "'all' is no class of change; known are identical"),
        ({"class": "*"}, "'*' is no class of change"),
        ({"expires": '"2027-01-01"'}, "expires must be a date such as 2027-03-31"),
        ({"expires": "2027-01-01T00:00:00Z"}, "expires must be a date"),
        ({"expires": "true"}, "expires must be a date"),
        ({"expires": "2027-02-30"}, "featherc.toml is not valid TOML"),
        ({"digest": ""}, "the digest must be 64 hexadecimal digits"),
        ({"digest": "F" * 64}, "the digest must be 64 hexadecimal digits"),
        ({"until": "x"}, "unknown key 'until'; known are function, class, reason, expires, digest"),
    ],
)
def test_a_wrong_waiver_is_named(change: dict[str, Any], said: str, featherc: Featherc, old: Path) -> None:
    (waiver,) = offered(featherc, "diff")
    waive({**waiver, **change})
    for command in COMMANDS.values():
        done = featherc(*command)
        assert done.code == USER
        assert done.said(said)


def test_an_incomplete_or_repeated_waiver_is_named(featherc: Featherc, old: Path) -> None:
    (waiver,) = offered(featherc, "diff")
    for key in waiver:
        waive(waiver, {k: v for k, v in waiver.items() if k != key})
        assert featherc(*DIFF).said(f"waiver 2: {key} is missing")
    waive(waiver, {**waiver, "reason": "again"})
    assert featherc(*DIFF).said("waiver 2: the waiver of fc_drag_f32 for changed is there twice")
    for toml in ("waiver = 5", "[waiver]\nx = 1", "waiver = [5]"):
        Path("featherc.toml").write_text(toml)
        done = featherc(*DIFF)
        assert done.code == USER
        assert done.said("waiver must be an array of tables")


@pytest.mark.parametrize("name", ['a".c', "line\nbreak.c", "##[error]x.c", "\x7f.c", "\U0001f600\u202e.c"])
def test_odd_names_are_written_so_that_they_read_back(name: str, featherc: Featherc, old: Path) -> None:
    write("new", {**BASE, name: "int (x\n"})
    waivers = offered(featherc, "diff")
    assert {w["function"] for w in waivers} == {name}
    done = featherc(*DIFF, "--format", "waivers", *DAY)
    assert not re.search(r"##\w*\[", done.out)
    assert "\x7f" not in done.out
    Path("featherc.toml").write_text(re.sub(r'reason = "".*', 'reason = "x"', done.out), encoding="utf-8")
    assert featherc(*DIFF, *DAY).code == FINE


def test_a_name_that_is_no_text_cannot_be_waived(featherc: Featherc, old: Path) -> None:
    write("new", BASE)
    Path("new", "\udcff.c").write_text("int (x\n")
    done = featherc(*DIFF, "--format", "waivers", *DAY)
    assert done.code == FAILED
    tomllib.loads(done.out)
