"""MJCF files: bodies, joints, orientations, classes and geoms; what is refused; and generated trees."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from codegen.__main__ import run
from codegen.errors import FeatherError
from codegen.mechanisms import Mechanism, robot_kernels
from tests.test_mechanisms import values

BEAST = """<mujoco model="beast">
<compiler angle="degree" eulerseq="zyx"/>
<option gravity="0 0 -9.80665"/>
<default>
 <joint armature="0.01"/><geom density="500"/>
 <default class="leg"><joint damping="0.3" axis="0 1 0"/><geom type="capsule" size="0.04"/></default>
</default>
<worldbody>
 <light pos="0 0 1"/>
 <body name="trunk" pos="0 0 1">
  {}
  <geom type="box" size="0.2 0.1 0.05" pos="0.01 0 0" euler="10 20 30"/>
  <geom type="ellipsoid" size="0.2 0.1 0.05" mass="0.3" pos="0 0.1 0"/>
  <geom type="mesh" mass="0"/>
  <site name="imu" pos="0.1 0 0" quat="1 1 0 0"/>
  <body name="thigh" pos="0.2 0.1 0" quat="0.9 0.1 0.2 0.3" childclass="leg">
   <joint name="hx" pos="0 0 0.02" axis="1 0 0" ref="15" range="-40 40"/>
   <joint name="hy" pos="0.01 0 0"/>
   <geom fromto="0 0 0 0.1 0 -0.3"/>
   <body name="shank" pos="0.1 0 -0.3" axisangle="0 1 1 33">
    <joint name="knee" type="slide" axis="0 1 2" ref="0.03" frictionloss="0.2" stiffness="3"/>
    <inertial mass="0.7" pos="0 0.01 -0.1" quat="1 0.2 0 0.1" diaginertia="0.01 0.012 0.004"/>
    <body name="foot" pos="0 0 -0.3" xyaxes="0 1 0 -1 0 0.2">
     <joint name="ankle" type="ball" pos="0 0 0.05"/>
     <geom type="sphere" size="0.05"/><geom type="cylinder" size="0.02 0.1" zaxis="1 1 0"/>
    </body>
   </body>
  </body>
 </body>
</worldbody>
<actuator><motor joint="knee"/></actuator>
</mujoco>
"""


def mjcf(tmp_path: Path, text: str) -> Path:
    """A file with this text."""
    path = tmp_path / "beast.xml"
    path.write_text(text)
    return path


def test_bodies_joints_and_classes_are_read(tmp_path: Path) -> None:
    robot = Mechanism.from_mjcf(mjcf(tmp_path, BEAST.format("")), damping=True)
    joints = {j.name: j for j in robot.joints}
    assert [j.name for j in robot.moving] == ["hx", "hy", "knee", "ankle"]
    assert [joints[n].kind for n in ("hx", "knee", "ankle")] == ["revolute", "prismatic", "spherical"]
    assert (robot.root, robot.floating, robot.gravity) == ("world", False, Fraction("9.80665"))
    assert (joints["hy"].damping, joints["hy"].armature) == (Fraction(3, 10), Fraction(1, 100))
    assert joints["hy"].axis == (0, 1, 0)
    assert joints["knee"].offset == Fraction(-3, 100)
    assert float(joints["hx"].offset) == pytest.approx(-np.radians(15), rel=1e-15)
    assert [float(x) for x in joints["hx"].limits or ()] == pytest.approx(np.radians([-40, 40]), rel=1e-15)
    assert robot.body("imu").m == 0
    assert robot.notes == (
        "not modelled: stiffness of joint knee",
        "not modelled: <actuator>",
        "not modelled without --friction: friction of joint knee",
    )


def test_masses_of_geoms_are_those_of_their_shapes(tmp_path: Path) -> None:
    robot = Mechanism.from_mjcf(mjcf(tmp_path, BEAST.format("")))
    assert float(robot.body("trunk").m) == pytest.approx(500 * 8 * 0.2 * 0.1 * 0.05 + 0.3, rel=1e-15)
    length = np.hypot(0.1, 0.3)
    volume = np.pi * 0.04**2 * (length + 4 / 3 * 0.04)
    thigh = robot.body("thigh")
    assert float(thigh.m) == pytest.approx(500 * volume, rel=1e-15)
    assert [float(x) for x in thigh.centre] == pytest.approx([0.05, 0, -0.15], rel=1e-15, abs=1e-18)


def test_a_free_joint_makes_the_base_float(tmp_path: Path) -> None:
    for joint in ("<freejoint/>", '<joint type="free"/>'):
        robot = Mechanism.from_mjcf(mjcf(tmp_path, BEAST.format(joint)))
        assert (robot.root, robot.floating) == ("trunk", True)


def test_a_pendulum_of_geoms_falls_like_a_pendulum(tmp_path: Path) -> None:
    body = (
        '<mujoco><worldbody><body name="rod" euler="0 0 90"><joint axis="0 1 0" pos="0 0 1"/>'
        '<geom type="sphere" size="0.1" mass="2"/></body></worldbody></mujoco>'
    )
    (forward,) = robot_kernels(Mechanism.from_mjcf(mjcf(tmp_path, body)), ["forward_dynamics"])
    inertia = 2 * 1 + 2 / 5 * 2 * 0.1**2
    assert values(forward, [0.3], [0.0], [0.0])[0] == pytest.approx(-2 * 9.81 * np.sin(0.3) / inertia)


WRONG = {
    "<robot/>": "the root element is <robot>, but that of an MJCF file is <mujoco>",
    "<mujoco><worldbody><frame/></worldbody></mujoco>": "MuJoCo expands this element",
    "<mujoco><include file='x'/></mujoco>": "MuJoCo expands this element",
    "<mujoco><compiler settotalmass='1'/></mujoco>": "settotalmass changes masses",
    "<mujoco><compiler inertiagrouprange='0 1'/></mujoco>": "inertiagrouprange changes inertias",
    "<mujoco><compiler balanceinertia='true'/></mujoco>": "balanceinertia changes inertias",
    "<mujoco><compiler angle='grad'/></mujoco>": "angle='grad' is none of degree, radian",
    "<mujoco><compiler coordinate='global'/></mujoco>": "coordinates other than local",
    "<mujoco><option gravity='0 1 0'/><worldbody/></mujoco>": "gravity is not along -z",
    "<mujoco><worldbody/></mujoco>": "it has no joint that moves",
}
BODY = {
    "<joint type='screw'/>": "joint: joints of type screw cannot be generated; known are hinge, slide, ball",
    "<joint axis='0 0 0'/>": "its axis is zero",
    "<joint name='j' armature='x'/>": ":1: joint j: armature: 'x' is not a number",
    "<joint damping='1 2'/>": "damping='1 2' is not a number",
    "<joint pos='1 2'/>": "pos='1 2' is not 3 numbers",
    "<joint range='0 1' limited='maybe'/>": "limited='maybe' is none of auto, true, false",
    "<inertial mass='1' pos='0 0 0' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/>": "has both diaginertia",
    "<joint class='none'/>": "there is no default class 'none'",
    "<body><joint type='free'/></body>": "only a body of the world can move freely",
    "</body><body><joint/><freejoint/>": "a body that moves freely has no other joint",
    "<inertial pos='0 0 0'/>": "its <inertial> has no mass",
    "<inertial mass='1' pos='0 0 0'/>": "neither diaginertia nor fullinertia",
    "<inertial mass='-1' pos='0 0 0' diaginertia='1 1 1'/>": "body b: its mass is negative",
    "<geom mesh='m' name='g'/>": "geom g: the inertia of a geom of type mesh is not computed",
    "<geom type='box' size='1'/>": "a box has 3 sizes",
    "<geom type='capsule' size='1 1' quat='0 0 0 0'/>": "its quaternion is zero",
    "<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>": "its direction is zero",
    "<geom type='sphere' size='1' euler='0 0 0' quat='1 0 0 0'/>": "it has two orientations",
    "<geom type='box' size='1 1 1' xyaxes='1 0 0 2 0 0'/>": "its axes are zero or parallel",
}
INSIDE = "<mujoco><worldbody><body name='b'><joint/>{}</body></worldbody></mujoco>"


@pytest.mark.parametrize(
    ("text", "message"), [*WRONG.items(), *((INSIDE.format(text), message) for text, message in BODY.items())]
)
def test_wrong_files_are_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FeatherError, match=r"beast\.xml") as error:
        Mechanism.from_mjcf(mjcf(tmp_path, text))
    assert message in str(error.value)


def test_forces_that_are_not_modelled_are_named(tmp_path: Path) -> None:
    """A class gives the free joint its losses, as MuJoCo does for <joint type="free"> only."""
    text = (
        "<mujoco><option viscosity='1e-5'/><default><joint damping='1' armature='0.1'/></default><worldbody>"
        "<body name='trunk'>{}<geom size='0.1'/><body name='leg' gravcomp='1'><joint/><geom size='0.1'/>"
        "</body></body></worldbody></mujoco>"
    )
    lifted, fluid = "not modelled: gravcomp of body leg", "not modelled: forces of the medium"
    free = Mechanism.from_mjcf(mjcf(tmp_path, text.format("<joint type='free'/>")), damping=True)
    assert free.notes == (lifted, "not modelled: damping, armature of the free joint", fluid)
    plain = Mechanism.from_mjcf(mjcf(tmp_path, text.format("<freejoint/>")), damping=True)
    assert plain.notes == (lifted, fluid)


def test_a_flag_turns_gravity_off(tmp_path: Path) -> None:
    text = (
        "<mujoco><option gravity='0 0 -3'><flag gravity='{}'/></option>"
        "<worldbody><body><joint/></body></worldbody></mujoco>"
    )
    found = [Mechanism.from_mjcf(mjcf(tmp_path, text.format(x))).gravity for x in ("disable", "enable")]
    assert found == [0, 3]


@pytest.mark.exhaustive
def test_trees_of_mjcf_files_are_checked_and_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, place = mjcf(tmp_path, BEAST.format("")), tmp_path / "c"
    assert run(["robot", str(path), "-f", "com", "-p", "f64", "-o", str(place)]) == 0
    assert run(["check", str(place), "--model", str(path)]) == 0
    assert json.loads((place / "manifest.json").read_text())["robots"][0]["gravity"] == "9.80665"
    assert run(["inspect", "beast_com", "--stage", "c", "--model", str(place)]) == 0
    source = place / "fc_beast_f64.c"
    line = next(i for i, x in enumerate(source.read_text().splitlines(), 1) if "c->x" in x)
    capsys.readouterr()
    assert run(["trace", f"{source}:{line}"]) == 0
    assert "beast_com" in capsys.readouterr().out
    source.write_text(source.read_text() + "\n")
    assert run(["check", str(place)]) == 1
    said = capsys.readouterr()
    assert "run featherc robot with the robot's description" in said.err
    assert "featherc generate" not in said.out + said.err
    assert run(["inspect", "beast_com", "--model", str(tmp_path)]) == 2
    assert "records no robot" in capsys.readouterr().err


def test_floating_is_stated_by_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = mjcf(tmp_path, BEAST.format(""))
    assert run(["robot", str(path), "--floating", "-f", "com", "-o", str(tmp_path / "c")]) == 2
    assert "give its body a <freejoint/>" in capsys.readouterr().err


COUPLED = """<mujoco><compiler angle="radian"/><worldbody><body name="arm">
 <joint name="lead" axis="0 1 0" ref="0.2"/><inertial mass="2" pos="0 0 -0.2" diaginertia="0.1 0.1 0.1"/>
 <body name="hand" pos="0 0 -0.5"><joint name="follow" axis="1 0 0" range="-1 1" ref="0.1"/>
  <inertial mass="1" pos="0 0.1 -0.2" diaginertia="0.02 0.03 0.04"/></body>
</body></worldbody><equality>{}</equality></mujoco>"""


def test_joints_that_an_equality_couples_follow_each_other(tmp_path: Path) -> None:
    equality = '<joint joint1="follow" joint2="lead" polycoef="0.3 -1.5 0 0 0"/>'
    free = Mechanism.from_mjcf(mjcf(tmp_path, COUPLED.format("")))
    coupled = Mechanism.from_mjcf(mjcf(tmp_path, COUPLED.format(equality)))
    assert coupled.notes == ("equality of joint follow: it holds exactly, which it does softly in MuJoCo",)
    assert coupled.count == 1
    (whole,), (own,) = (robot_kernels(m, ["rnea"]) for m in (free, coupled))
    q, v, a = 0.7, -0.4, 1.2
    follower = 0.1 + 0.3 - 1.5 * (q - 0.2)
    tau = values(whole, [q, follower], [v, -1.5 * v], [a, -1.5 * a])
    assert values(own, [q], [v], [a]) == pytest.approx(tau[0] - 1.5 * tau[1], rel=1e-13)


def test_an_equality_of_one_joint_holds_it(tmp_path: Path) -> None:
    held = Mechanism.from_mjcf(mjcf(tmp_path, COUPLED.format('<joint joint1="follow" polycoef="0"/>')))
    assert [j.name for j in held.moving] == ["lead"]


@pytest.mark.parametrize(
    "equality",
    [
        '<joint joint1="follow" joint2="lead" polycoef="0 1 2"/>',
        '<joint joint1="follow" polycoef="0.1"/>',
        '<weld body1="hand"/>',
    ],
)
def test_other_equalities_are_not_modelled(tmp_path: Path, equality: str) -> None:
    robot = Mechanism.from_mjcf(mjcf(tmp_path, COUPLED.format(equality)))
    assert robot.count == 2
    assert robot.notes == (f"not modelled: equality of kind <{equality[1:].split()[0]}>",)


def test_equalities_that_are_not_active_do_nothing(tmp_path: Path) -> None:
    equality = '<joint joint1="follow" joint2="lead" active="false"/>'
    robot = Mechanism.from_mjcf(mjcf(tmp_path, COUPLED.format(equality)))
    assert (robot.count, robot.notes) == (2, ())


@pytest.mark.parametrize(
    ("equality", "message"),
    [
        ('<joint joint1="follow" joint2="leed"/>', "equality: there is no joint leed"),
        ('<joint joint1="follow" joint2="lead" polycoef="x"/>', "'x' is not a number"),
        ('<joint joint2="lead"/>', "it names no joint1"),
        ('<joint joint1="follow" joint2="follow"/>', "follows follow, which follows follow itself"),
    ],
)
def test_hostile_equalities_are_refused(tmp_path: Path, equality: str, message: str) -> None:
    with pytest.raises(FeatherError, match=message):
        Mechanism.from_mjcf(mjcf(tmp_path, COUPLED.format(equality)))
