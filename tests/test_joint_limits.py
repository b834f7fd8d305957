"""Limits of joints in headers and manifests: places, rounding, units, names, and what a diff says of them."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codegen.__main__ import run
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.ir.systems import F32, F64, Precision
from codegen.mechanisms import Body, Joint, Mechanism, robot_kernels
from codegen.mechanisms.description.limits import exact_range, range_of, speed_of
from codegen.mechanisms.kernels.report import remarks
from codegen.tree.write import generate
from codegen.verify.native import STRICT, run_compiler
from tests.conftest import ROOT
from tests.test_mechanisms import JOINT, LINKS, urdf
from tests.test_mjcf import mjcf

ARM = ROOT / "examples/arm.urdf"
NONE = None


def limbs() -> Mechanism:
    """A tree with joints of several kinds, of which some state limits, and one that follows another."""
    solid = ("0.02", "0.001", "-0.002", "0.03", "0.0005", "0.025")
    bodies = [Body("trunk"), *(Body(name, 1, ("0.1", "0.03", "0.05"), solid) for name in "abcdef")]
    joints = [
        Joint("slide", "prismatic", "trunk", "a", limits=("-0.1", "0.3"), effort="1000.1"),
        Joint("ball", "spherical", "a", "b", effort="7.3", velocity="2.4"),
        Joint("hook", "universal", "b", "c", axis=(1, 0, 0), velocity="3.1"),
        Joint("turn", "revolute", "trunk", "d", limits=("-2.4", "3.1"), effort="12"),
        Joint("free", "continuous", "d", "e", effort="1e60"),
        Joint(
            "finger",
            "revolute",
            "d",
            "f",
            limits=(0, 1),
            velocity="4.6",
            effort=5,
            mimic="turn",
            multiplier=2,
            offset="0.2",
        ),
    ]
    return Mechanism("limbs", bodies, joints, floating=True)


WANTED: dict[str, list[str | None]] = {
    "Q_MIN": ["-0.1", NONE, NONE, "-0.1", NONE],
    "Q_MAX": ["0.3", NONE, NONE, "0.4", NONE],
    "V_MAX": [NONE, "2.4", "2.4", "2.4", "3.1", "3.1", "2.3", NONE],
    "TAU_MAX": ["1000.1", "7.3", "7.3", "7.3", NONE, NONE, "12", "1e60"],
}
"""The limits of the robot above in the order of q, v and tau."""


@pytest.mark.parametrize("precision", [F32, F64], ids=["f32", "f64"])
def test_numbers_are_rounded_down_and_up(precision: Precision) -> None:
    kind: Any = np.float32 if precision is F32 else np.float64
    numbers = [
        "0.1",
        "3.1",
        "-2.4",
        "1",
        "16777217",
        "1e-40",
        "-1e-46",
        "5e-324",
        "1e-400",
        "0.99999999999999999",
    ]
    for x in map(Fraction, numbers):
        below, above = precision.floor(x), precision.ceiling(x)
        assert below <= x <= above, x
        assert Fraction(float(kind(float(below)))) == below
        if below != above:
            assert Fraction(float(np.nextafter(kind(float(below)), kind(np.inf)))) == above, x
        else:
            assert below == x
    huge = Fraction(10) ** 400
    assert (precision.floor(huge), precision.ceiling(-huge)) == (precision.max, -precision.max)
    with pytest.raises(OverflowError):
        precision.ceiling(huge)


@pytest.mark.parametrize("layout", ["library", "header-only"])
def test_the_header_has_the_limits_in_the_order_of_the_arguments(layout: str, tmp_path: Path) -> None:
    place = tmp_path / "c"
    generate(robot_kernels(limbs(), ["potential_energy"]), Options(prefix="my_", layout=layout), place)
    macros = {
        f"MY_LIMBS_{name}_{precision.name.upper()}": (WANTED[name], precision)
        for name in WANTED
        for precision in (F32, F64)
    }
    read = _compiled(macros, place)
    manifest = json.loads((place / "manifest.json").read_text())
    assert manifest["indices"]["MY_LIMBS_TURN"] == 6
    stated = {a["name"]: a for a in manifest["limits"]}
    assert read.keys() == stated.keys() == macros.keys()
    for macro, (wanted, precision) in macros.items():
        _check(read[macro], wanted, precision, lower="MIN" in macro)
        known = [None if limit is None else x for x, limit in zip(read[macro], wanted, strict=True)]
        assert (stated[macro]["values"], stated[macro]["header"]) == (known, f"my_limbs_{precision.name}.h")


def _compiled(macros: Mapping[str, tuple[Any, Precision]], place: Path) -> dict[str, list[float]]:
    """The numbers of each macro, as a program prints them that includes the headers of both precisions."""
    printing = "".join(
        f"{{ static const {precision.ctype} x[] = {macro}; size_t i;\n"
        f'for (i = 0; i < sizeof x / sizeof *x; i++) printf("{macro} %a\\n", (double)x[i]); }}\n'
        for macro, (_, precision) in macros.items()
    )
    user = place.parent / "user.c"
    user.write_text(f'#include <stdio.h>\n#include "my.h"\nint main(void)\n{{\n{printing}return 0;\n}}\n')
    sources = [str(user), *map(str, sorted(place.glob("my_*.c")))]
    run_compiler(["gcc", *STRICT, f"-I{place}", *sources, "-lm", "-o", str(user.with_suffix(""))])
    printed = subprocess.run([user.with_suffix("")], capture_output=True, text=True, check=True).stdout
    found: dict[str, list[float]] = {}
    for macro, number in map(str.split, printed.splitlines()):
        found.setdefault(macro, []).append(float.fromhex(number))
    return found


def _check(found: list[float], wanted: list[str | None], precision: Precision, lower: bool) -> None:
    """The numbers are the limits, none is exceeded, and the largest finite number stands for none."""
    for number, limit in zip(found, wanted, strict=True):
        if limit is None:
            assert number == float(-precision.max if lower else precision.max)
            continue
        exact = Fraction(limit)
        assert Fraction(number) >= exact if lower else Fraction(number) <= exact
        assert number == pytest.approx(min(float(exact), float(precision.max)), rel=float(2 * precision.eps))


def test_units_and_meanings_are_stated(tmp_path: Path) -> None:
    generate(robot_kernels(limbs(), ["potential_energy"]), Options(precisions=("f32",)), tmp_path / "c")
    header = (tmp_path / "c/fc_limbs_f32.h").read_text()
    header = re.sub(r"\s+(?:\* )?", " ", header)
    lowest = "/* The lowest positions, q, at which finger is within limits, too [m; rad; rad; rad; rad]. */"
    assert f"{lowest} #define FC_LIMBS_Q_MIN_F32 {{-0.099999994F," in header
    efforts = "/* The largest magnitudes of joint forces, tau, without the limits of finger"
    assert f"{efforts} [N; N m; N m; N m; N m; N m; N m; N m]. */" in header
    assert "3.4028235e+38F, the largest finite float, or its negative stands where" in re.sub(
        r"\s+", " ", header
    )
    described = re.sub(r"\s+\*?\s*", " ", header)
    assert "6 turn (revolute from -2.4 to 3.1 rad, effort at most 12 N m)" in described
    assert "1 to 3 ball (spherical, velocities about x, y and z of b, velocity at most 2.4 rad/s" in described


def test_nothing_is_stated_where_a_robot_states_no_limit(tmp_path: Path) -> None:
    joints = [replace(j, limits=None, velocity=None, effort=None) for j in limbs().joints]
    free = replace(limbs(), joints=joints)
    generate(robot_kernels(free, ["potential_energy"]), Options(precisions=("f32",)), tmp_path / "c")
    assert "_MAX_F32" not in (tmp_path / "c/fc_limbs_f32.h").read_text()
    assert "limits" not in json.loads((tmp_path / "c/manifest.json").read_text())
    only = replace(free, joints=[replace(j, velocity=2) if j.name == "turn" else j for j in joints])
    (kernel,) = robot_kernels(only, ["potential_energy"])
    assert list(kernel.limits) == ["V_MAX"]


def test_no_joint_takes_the_name_of_a_limit() -> None:
    joints = [replace(j, name="q_min_f32") if j.name == "turn" else j for j in limbs().joints[:-1]]
    named = Mechanism("limbs", [b for b in limbs().bodies if b.name != "f"], joints)
    (kernel,) = robot_kernels(named, ["potential_energy"])
    assert kernel.indices["Q_MIN_F32_3"] == 6


def test_a_limit_that_no_number_reaches_is_refused(tmp_path: Path) -> None:
    joints = [replace(j, limits=("1e50", "1e60")) if j.name == "turn" else j for j in limbs().joints]
    joints[-1] = replace(joints[-1], limits=None)
    kernels = robot_kernels(replace(limbs(), joints=joints), ["potential_energy"])
    with pytest.raises(FeatherError, match=r"FC_LIMBS_Q_MIN_F32: the limit 1.0e\+50 is not finite in float"):
        generate(kernels, Options(), tmp_path / "c")


@pytest.mark.parametrize(
    ("stated", "ratio", "offset", "wanted"),
    [
        (("-1", "1"), "0.5", "-0.1", ("-1", "1")),
        (("-1", "1"), "-4", "0.2", ("-0.05", "0.2")),
        (("-1", "0.1"), "-4", "0.2", ("-0.05", "0.1")),
        (None, "3", "0.001", ("-601/3000", "399/3000")),
        (("0.1", "0.2"), "0", "0.1", ("0.1", "0.2")),
    ],
)  # fmt: skip
def test_limits_are_those_of_followers_too(
    stated: tuple[str, str] | None, ratio: str, offset: str, wanted: tuple[str, str]
) -> None:
    """Exactly: thirds are no decimals."""
    leader = Joint("a", "prismatic", "x", "y", limits=stated, velocity="7")
    follower = Joint(
        "b", "revolute", "y", "z", limits=("-0.6", "0.4"), velocity="14",
        mimic="a", multiplier=ratio, offset=offset,
    )  # fmt: skip
    assert range_of(leader, [follower]) == tuple(map(Fraction, wanted))
    assert range_of(leader, [replace(follower, mimic="c")]) == (leader.limits and exact_range(leader))
    assert speed_of(leader, [follower]) == min(7, 14 / abs(Fraction(ratio))) if Fraction(ratio) else 7


def test_limits_that_a_follower_never_meets_are_refused() -> None:
    def kernels(**of_finger: Any) -> Any:
        *others, finger = limbs().joints
        return robot_kernels(replace(limbs(), joints=[*others, replace(finger, **of_finger)]), ["crba"])

    for wrong in ({"offset": 7}, {"multiplier": 0, "offset": "1.1"}):
        with pytest.raises(FeatherError, match=r"joint finger follows turn times .* but no position of turn"):
            kernels(**wrong)
    assert kernels(multiplier=0, offset="0.9")


def test_what_followers_take_from_limits_is_said() -> None:
    said = list(remarks(limbs(), Fraction(0)))
    because = "as the limits of finger, which follows it, allow"
    assert f"joint turn moves from -0.1 to 0.4 only, {because}" in said
    assert f"the largest velocity of joint turn is 2.3, {because}" in said
    *others, finger = limbs().joints
    wide = replace(limbs(), joints=[*others, replace(finger, limits=(-9, 9), velocity=None)])
    assert not any("finger" in line for line in remarks(wide, Fraction(0)))


@pytest.mark.parametrize(
    ("old", "new", "cause", "value"),
    [
        ('effort="60"', 'effort="55"', "joint shoulder: effort: 60 -> 55",
         "in FC_ARM_TAU_MAX_F32, [1] is 55.0F"),
        ('lower="-2.5"', 'lower="-2.4"', "joint elbow: limits: -2.5 2.5 -> -2.4 2.5",
         "in FC_ARM_Q_MIN_F32, [2] is -2.3999999F instead of -2.5F"),
        ('velocity="6"', 'velocity="5"', "joint roll: velocity: 6 -> 5", "in FC_ARM_V_MAX_F32, [3] is 5.0F"),
    ],
    ids=["effort", "position", "velocity"],
)  # fmt: skip
def test_a_changed_limit_shows_in_diff_and_check(
    old: str, new: str, cause: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "arm.urdf"
    other.write_text(ARM.read_text().replace(old, new))
    for source, place in ((ARM, "old"), (other, "new")):
        given = ["-f", "potential_energy", "-p", "f32"]
        assert run(["robot", str(source), "-o", str(tmp_path / place), *given]) == 0
    capsys.readouterr()
    assert run(["diff", str(tmp_path / "old"), str(tmp_path / "new"), "--fail-on", "contract"]) == 1
    said = capsys.readouterr().out
    assert f"\nrobot arm: {cause}\n" in said
    assert value in said
    assert re.search(r"^fc_arm_potential_energy_f32 +contract", said, re.MULTILINE)
    assert run(["check", str(tmp_path / "old"), "--model", str(ARM)]) == 0
    assert run(["check", str(tmp_path / "old"), "--model", str(other)]) == 1
    header = tmp_path / "new/fc_arm_f32.h"
    header.write_text(header.read_text().replace("12.0F", "13.0F"))
    assert run(["check", str(tmp_path / "new")]) == 1


def test_a_manifest_that_states_other_limits_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in ("old", "new"):
        generate(robot_kernels(limbs(), ["potential_energy"]), Options(precisions=("f32",)), tmp_path / place)
    manifest = tmp_path / "new/manifest.json"
    text = manifest.read_text().replace('"doc": "the lowest', '"doc": "the highest')
    manifest.write_text(text.replace('"FC_LIMBS_TURN": 6', '"FC_LIMBS_TURN": 5'))
    assert run(["diff", str(tmp_path / "old"), str(tmp_path / "new"), "--fail-on", "build"]) == 1
    said = capsys.readouterr().out
    assert "describes the limits FC_LIMBS_Q_MIN_F32 otherwise" in said
    assert "FC_LIMBS_TURN is 5 instead of 6" in said


def test_urdf_limits_of_planar_joints_are_not_taken(tmp_path: Path) -> None:
    planar = JOINT.format("planar", '<axis xyz="0 0 1"/><limit effort="3" velocity="2"/>')
    robot = Mechanism.from_urdf(urdf(tmp_path, LINKS + planar))
    assert (robot.joints[0].effort, robot.joints[0].velocity) == (None, None)
    assert robot.notes[-1] == "not read: <limit> of the planar joint j: URDF does not say what it limits"


def test_limits_of_zero_and_elements_of_another_name_are_said(tmp_path: Path) -> None:
    joint = JOINT.format("revolute", '<limit effort="0" velocity="0"/><Limit lower="-1" upper="1"/>')
    robot = Mechanism.from_urdf(urdf(tmp_path, LINKS + joint))
    said = list(remarks(robot, Fraction(0)))
    assert "the largest velocity of joint j is 0, as the description states" in said
    assert "the largest effort of joint j is 0, as the description states" in said
    assert "not read: <Limit> of joint j" in said


def test_mjcf_efforts_are_read(tmp_path: Path) -> None:
    body = '<body name="{0}"><joint name="{0}" {1}/><geom size="0.1"/></body>'
    joints = {
        "a": 'actuatorfrcrange="-3 3"',
        "b": 'actuatorfrcrange="-3 2"',
        "c": 'actuatorfrcrange="-3 3" actuatorfrclimited="false"',
        "d": 'type="ball" range="0 40"',
    }
    text = "".join(body.format(*each) for each in joints.items())
    robot = Mechanism.from_mjcf(mjcf(tmp_path, f"<mujoco><worldbody>{text}</worldbody></mujoco>"))
    assert [j.effort for j in robot.moving] == [3, None, None, None]
    assert robot.notes == (
        "no limit here: actuatorfrcrange of joint b, whose ends differ in magnitude and 1 more",
    )
