"""Joints of every type are proven by virtual work, which finds mutants; losses, offsets, followers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codegen.__main__ import run
from codegen.errors import FeatherError
from codegen.ir.cost import cost
from codegen.library.rotation.kernels import quat_to_dcm_unit
from codegen.mechanisms import Body, Joint, Mechanism, robot_kernels
from codegen.mechanisms.description.inputs import Inputs
from codegen.mechanisms.description.record import mechanism_of, record_of
from codegen.mechanisms.kernels.arguments import joint_text
from codegen.mechanisms.kernels.functions import FURTHER_JACOBIANS
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.dynamics import shifted_moments
from codegen.mechanisms.trees import tree
from codegen.mechanisms.trees.tree import Moments, Move
from codegen.mechanisms.trees.turns import OfMomenta, OfMoments
from codegen.modeling.types.algebra import SymMat3, UnitQuaternion, Vec3
from codegen.passes import optimise
from codegen.proof.proof import prove
from tests.conftest import prove_as_written, sampled
from tests.test_mechanisms import MECHANISMS, urdf, values

SOLID = ("0.02", "0.001", "-0.002", "0.03", "0.0005", "0.025")
JOINTS: dict[str, dict[str, Any]] = {
    "spherical": {"kind": "spherical"},
    "planar": {"kind": "planar", "axis": (0, 1, 0)},
    "universal": {"kind": "universal", "axis": (1, 2, 2), "axis2": (0, 0, 1)},
    "helical": {"kind": "helical", "axis": (1, 2, 2), "pitch": "0.05"},
    "mimic": {"kind": "revolute", "axis": (1, 2, 2), "mimic": "first", "multiplier": "-1.5", "offset": "0.3"},
    "offset": {"kind": "revolute", "axis": (1, 2, 2), "offset": "0.3"},
    "friction": {"kind": "prismatic", "friction": "0.7", "creep": "0.01"},
    "sign": {"kind": "revolute", "friction": "0.7"},
}


def pair(name: str, floating: bool = False) -> Mechanism:
    """A joint that turns, and one of this type after it."""
    masses = {"a": "3", "b": "1.2", "c": "0.7"}
    bodies = [Body(n, m, ("0.1", "0.03", "0.05"), SOLID) for n, m in masses.items()]
    joints = [
        Joint("first", "revolute", "a", "b", ("0.1", "0.2", 0), ("0.3", 0, 0), (0, 1, 0)),
        Joint(
            "second", parent="b", child="c", xyz=("0.1", "0.2", "0.3"), rpy=("0.3", 0, "0.1"), **JOINTS[name]
        ),
    ]
    return Mechanism("pair", bodies, joints, floating)


ALL = ("rnea", "crba", "forward_dynamics", "pose", "jacobian", "jacobian_local", "twist", "acceleration",
       "momentum", "kinetic_energy", "potential_energy", "com")  # fmt: skip
QUICK = {("mimic", "crba"), ("spherical", "jacobian"), ("helical", "jacobian_local"), ("planar", "pose"),
         ("universal", "twist"), ("offset", "pose")}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "function", "floating"),
    [
        pytest.param(
            name, function, floating,
            marks=() if (name, function) in QUICK and not floating else pytest.mark.exhaustive,
        )
        for name in JOINTS for function in ALL for floating in (False, True)
    ],
)  # fmt: skip
def test_each_type_is_proven_by_virtual_work(
    name: str, function: str, floating: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a free base the formula is proven as it is written; on a fixed one, as it is optimised."""
    if floating:
        prove_as_written(monkeypatch)
    proof = prove(robot_kernels(pair(name, floating), [function])[0])
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


def lowering(floating: bool = False) -> Mechanism:
    """A joint that slides against the axis of the one before, and one that turns behind it."""
    bodies = [Body(n, "1.2", ("0.1", "0.03", "0.05"), SOLID) for n in "abcd"]
    joints = [
        Joint("swivel", "revolute", "a", "b", ("0.1", "0.2", 0), ("0.3", 0, 0), (0, 0, 1)),
        Joint("quill", "prismatic", "b", "c", ("0.4", 0, "0.3"), (0, 0, 0), (0, 0, -1)),
        Joint("wrist", "revolute", "c", "d", ("0.1", 0, "-0.2"), (0, 0, 0), (0, 1, 0)),
    ]
    return Mechanism("lowering", bodies, joints, floating)


@pytest.mark.parametrize(
    "function",
    [pytest.param(f, marks=() if f in ("rnea", "pose") else pytest.mark.exhaustive) for f in ALL],
)
def test_a_joint_that_slides_against_the_axis_before_it_is_proven(function: str) -> None:
    """Frames of parallel axes are the same, so that it slides by minus its position."""
    assert any(link.slides and link.sign < 0 for link in Robot(lowering()).tree.links)
    proof = prove(robot_kernels(lowering(), [function])[0])
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "function",
    ["rnea_derivatives", *FURTHER_JACOBIANS, "momentum_matrix", "regressor", "base_regressor"],
)
def test_rates_and_regressors_of_such_a_joint_are_proven(function: str) -> None:
    proof = prove(robot_kernels(lowering(function.endswith("_base")), [function])[0])
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


MUTANTS: dict[str, Callable[[list[Move]], list[Move]]] = {
    "spherical": lambda m: [m[0], m[1]._replace(which=1), m[2]._replace(which=0)],
    "planar": lambda m: [m[0]._replace(which=1), m[1]._replace(which=0), m[2]],
    "universal": lambda m: [m[0], m[1]._replace(axis=(0, 1, 0))],
    "helical": lambda m: [m[0]._replace(ratio=-m[0].ratio), m[1]],
    "mimic": lambda m: [m[0]._replace(ratio=Fraction(3, 2))],
    "prismatic": lambda m: [m[0]._replace(slides=False)],
    "revolute": lambda m: [m[0]._replace(axis=(2, 1, 2))],
}


@pytest.mark.parametrize("name", sampled(MUTANTS, every=3))
def test_a_mutant_of_each_type_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = pair({"prismatic": "friction", "revolute": "offset"}.get(name, name))
    right = tree._moves

    def wrong(joint: Joint) -> list[Move]:
        return MUTANTS[name](right(joint)) if joint.name == "second" else right(joint)

    monkeypatch.setattr(tree, "_moves", wrong)
    assert prove(robot_kernels(robot, ["jacobian"])[0]).status.startswith("failed")


DIRECTIONS = [tuple(sign * (k == j) for k in range(3)) for j in range(3) for sign in (1, -1)]


@pytest.mark.parametrize("axis", sampled(DIRECTIONS, every=3))
def test_joints_about_and_along_every_axis_are_those_of_the_definition(axis: tuple[int, ...]) -> None:
    """One slides and one turns, so that each axis is parallel to some other, or opposite."""
    swivel, quill, wrist = lowering().joints
    planar = Joint("table", "planar", "d", "e", ("0.1", "0.2", 0), axis=axis)
    joints = [swivel, replace(quill, axis=axis), replace(wrist, axis=axis), planar]
    bodies = [*lowering().bodies, Body("e", "0.8", ("0.1", 0, "0.2"), SOLID)]
    q, v, a = np.random.default_rng(3).standard_normal((3, 6))
    given = {"q": q, "v": v, "a": a}
    for kernel in robot_kernels(Mechanism("axes", bodies, joints), ["rnea", "crba", "pose", "twist"]):
        inputs = [given[x.name] for x in kernel.inputs]
        assert kernel.reference is not None
        defined = np.concatenate([np.ravel(x) for x in kernel.reference(*inputs).outputs])
        assert values(kernel, *inputs) == pytest.approx(defined, rel=1e-11, abs=1e-11)


def test_a_spherical_joint_has_a_quaternion_and_an_angular_velocity() -> None:
    (rnea,) = robot_kernels(pair("spherical"), ["rnea"])
    assert [a.name for a in rnea.inputs] == ["q", "q_second", "v", "a"]
    assert rnea.indices == {"FIRST": 0, "SECOND": 1, "JOINTS": 4, "FIRST_Q": 0}
    assert rnea.inputs[1].frame == "c to b"
    assert "1 to 3 second (spherical, velocities about x, y and z of c)" in rnea.details


def test_the_header_of_spherical_joints_says_what_the_letters_of_its_equation_are() -> None:
    (turning,), (sliding,) = (robot_kernels(pair(name), ["rnea"]) for name in ("spherical", "friction"))
    assert "E_i" in turning.equation
    assert "E_i =" not in turning.equation
    assert "`E_i` takes vectors from the axes of `p` to those of `i`" in turning.details
    assert "`E_i` takes" not in sliding.details


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("planar", "1 to 3 second (planar along z, along x, then about y)"),
        ("universal", "1 to 2 second (universal about [1, 2, 2], then about z)"),
    ],
)
def test_the_header_says_what_each_coordinate_of_a_joint_is(name: str, text: str) -> None:
    (pose,) = robot_kernels(pair(name), ["pose"])
    assert f"{text}. Axes are those of the child where its joint is at zero." in pose.details


def test_axes_of_planar_joints_may_point_back() -> None:
    back = replace(pair("planar").joints[1], axis=(0, 0, -1))
    assert joint_text(back) == "second (planar along x, along y, then about -z)"


def test_a_free_top_keeps_its_angular_momentum() -> None:
    top = Mechanism(
        "top", [Body("a"), Body("b", 2, (0, 0, 0), SOLID)], [Joint("ball", "spherical", "a", "b")]
    )
    (forward,) = robot_kernels(top, ["forward_dynamics"])
    w = np.array([0.3, -0.7, 1.1])
    xx, xy, xz, yy, yz, zz = map(float, SOLID)
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    dw = values(forward, [0.5, 0.5, -0.5, 0.5], w, np.zeros(3))
    assert J @ dw == pytest.approx(np.cross(J @ w, w), rel=1e-13)


def test_a_follower_adds_to_the_force_of_the_joint_that_it_follows() -> None:
    robot = pair("mimic")
    free = replace(robot, joints=[replace(j, mimic="", multiplier=1) if j.mimic else j for j in robot.joints])
    (rnea,), (both,) = robot_kernels(robot, ["rnea"]), robot_kernels(free, ["rnea"])
    q, v, a = 0.4, 1.1, -0.7
    along = np.array([1, -1.5])
    tau = values(both, along * q, along * v, along * a)
    assert values(rnea, [q], [v], [a])[0] == pytest.approx(tau @ along, rel=1e-13)
    assert rnea.indices == {"FIRST": 0, "JOINTS": 1}
    assert "second (revolute, follows first times -1.5, offset 0.3 rad)" in rnea.details


@pytest.mark.parametrize("name", ["mimic", "offset"])
def test_the_place_of_a_body_is_said_to_be_where_q_is_zero(name: str) -> None:
    """Its joint is at its offset there."""
    (rnea,) = robot_kernels(pair(name), ["rnea"])
    assert "`R_i` and `p_i` are the attitude and place of `i` in `p` where `q` is zero." in rnea.details
    turned = Robot(pair(name)).whole.links[-1].R
    assert (
        turned
        != Robot(replace(pair(name), joints=[replace(j, offset=0) for j in pair(name).joints]))
        .whole.links[-1]
        .R
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "share"), [("friction", np.tanh(30)), ("sign", 1)])
def test_friction_opposes_velocity(name: str, share: float) -> None:
    rough, smooth = pair(name), pair(name).frictionless()
    assert smooth.notes == ("not modelled without --friction: friction of joint second",)
    (with_it,), (without,) = (robot_kernels(m, ["rnea"]) for m in (rough, smooth))
    for rate in (0.3, -0.3, 0.0):
        motion = [0.2, 0.1], [0.5, rate], [0, 0]
        lost = values(with_it, *motion) - values(without, *motion)
        assert lost == pytest.approx([0, 0.7 * share * np.sign(rate)], abs=1e-12)


def test_each_joint_has_a_friction_of_its_own() -> None:
    """Two of them rise with the velocity, one by its sign."""
    creeps: dict[str, Any] = {"swivel": "0.02", "quill": "0.3", "wrist": 0}
    joints = [replace(j, friction="0.7", creep=creeps[j.name]) for j in lowering().joints]
    (rough,), (smooth,) = (
        robot_kernels(m, ["rnea"]) for m in (replace(lowering(), joints=joints), lowering())
    )
    v = np.array([0.01, -0.2, -0.3])
    lost = values(rough, np.ones(3), v, np.zeros(3)) - values(smooth, np.ones(3), v, np.zeros(3))
    assert lost == pytest.approx(0.7 * np.array([np.tanh(0.5), -np.tanh(2 / 3), -1]), rel=1e-12)
    assert "+ sum_l(mu_l tanh((n_l.v) / creep_l) n_l) + sum_j(mu_j sign(n_j.v) n_j)" in rough.equation
    proof = prove(rough)
    assert (proof.status, {"reference", "equation"} <= {*proof.ways}) == ("proven", True)


@pytest.mark.parametrize("name", JOINTS)
def test_records_keep_every_type(name: str) -> None:
    robot = pair(name)
    assert mechanism_of(record_of(robot, ["rnea"], [], 0, layout="")) == robot


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"kind": "planar", "axis": (0, 1, 1)}, "the axis of a planar joint is x, y or z"),
    ({"kind": "universal", "axis2": (0, 0, -2)}, "its two axes are parallel"),
    ({"kind": "spherical", "limits": (0, 1)}, "a spherical joint has no limits or offset"),
    ({"kind": "revolute", "multiplier": 2}, "has a multiplier, but follows no joint"),
    ({"kind": "revolute", "mimic": "third"}, "follows third, but there is no such joint"),
    ({"kind": "revolute", "mimic": "second"}, "follows second, which follows second itself"),
    ({"kind": "revolute", "friction": -1}, "its friction is negative"),
    ({"kind": "screw"}, "there is no kind 'screw' here"),
    ({"kind": "revolute", "axis": 1}, "joint second: axis takes 3 numbers"),
    ({"kind": "revolute", "limits": 3}, "joint second: limits takes 2 numbers"),
    ({"kind": "revolute", "parent": Body("b")}, "the name of a parent link is a text, not of type Body"),
]


@pytest.mark.parametrize(("fields", "message"), WRONG)
def test_wrong_joints_are_refused(fields: dict[str, Any], message: str) -> None:
    first, _ = pair("offset").joints

    def made() -> Mechanism:
        joints = [first, Joint("second", **{"parent": "b", "child": "c", **fields})]
        return replace(pair("offset"), joints=joints)

    with pytest.raises(FeatherError, match=message):
        made()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Body("rod", centre=0), "link rod: centre takes 3 numbers"),  # type: ignore[arg-type]
        (lambda: Body(7), "the name of a link is a text, not of type int"),  # type: ignore[arg-type]
        (
            lambda: robot_kernels(pair("offset"), "rnea"),
            r"functions takes a list of names, such as",
        ),
        (lambda: robot_kernels(pair("offset"), ["pose"], "c"), "frames takes a list of names"),
        (lambda: Inputs(forces="c"), "forces takes a list of names"),  # type: ignore[arg-type]
    ],
)
def test_likely_mistakes_of_types_are_named(wrong: Callable[[], Any], message: str) -> None:
    with pytest.raises(FeatherError, match=message):
        wrong()


def test_locking_a_joint_locks_those_that_follow_it() -> None:
    robot = pair("mimic")
    with pytest.raises(FeatherError, match="joint second cannot be locked, as it has an offset"):
        robot.locked("first")
    level = replace(robot, joints=[replace(j, offset=0) for j in robot.joints])
    with pytest.raises(FeatherError, match="no joint that moves"):
        level.locked("first")


def test_urdfs_state_planar_joints_followers_and_friction(tmp_path: Path) -> None:
    inertia = (
        '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    body = "".join(f'<link name="{n}">{inertia}</link>' for n in "abcd") + (
        '<joint name="j" type="planar"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>'
        '<joint name="k" type="revolute"><parent link="b"/><child link="c"/>'
        '<dynamics friction="0.2"/></joint>'
        '<joint name="l" type="revolute"><parent link="c"/><child link="d"/>'
        '<mimic joint="k" multiplier="-2" offset="0.1"/></joint>'
    )
    path = urdf(tmp_path, body)
    robot = Mechanism.from_urdf(path, friction="0.05")
    assert dict(robot.places) == {"j": 0, "k": 3, "l": 3}
    k, follower = robot.joints[1:]
    assert (k.friction, k.creep) == (Fraction(1, 5), Fraction(1, 20))
    assert (follower.mimic, follower.multiplier, follower.offset) == ("k", -2, Fraction(1, 10))
    out = tmp_path / "c"
    assert run(["robot", str(path), "--friction", "0.05", "-f", "pose", "-p", "f32", "-o", str(out)]) == 0
    assert run(["check", str(out)]) == 0
    assert run(["check", str(out), "--model", str(path)]) == 0


def test_robots_of_single_joints_have_no_other_places() -> None:
    for build in MECHANISMS.values():
        (pose, *_) = robot_kernels(build(), ["pose"])
        assert [a.name for a in pose.inputs] == ["q"]


def balls(floating: bool = False) -> Mechanism:
    """Two spherical joints in a row, the first with losses, and joints that turn and slide behind them."""
    bodies = [Body(n, "1.3", ("0.1", "0.03", "0.05"), SOLID) for n in "abcde"]
    hip = Joint("hip", "spherical", "a", "b", ("0.1", "0.2", 0), ("0.3", 0, 0))
    joints = [
        replace(hip, damping="0.1", armature="0.2", friction="0.3", creep="0.1"),
        Joint("knee", "spherical", "b", "c", ("0.1", 0, "0.3"), (0, "0.2", 0)),
        Joint("rail", "prismatic", "c", "d", ("0.1", "0.2", "0.3"), ("0.3", 0, "0.1"), (1, 2, 2)),
        Joint("turn", "revolute", "b", "e", ("0.1", "0.2", "0.3"), ("0.3", 0, "0.1"), (1, 0, 0)),
    ]
    return Mechanism("balls", bodies, joints, floating)


@pytest.mark.parametrize(
    ("build", "function"),
    [
        (partial(pair, "spherical"), "jacobian_rate"),
        pytest.param(balls, "jacobian_rate", marks=pytest.mark.exhaustive),
        pytest.param(balls, "rnea_derivatives", marks=pytest.mark.exhaustive),
        pytest.param(partial(pair, "spherical", True), "rnea_derivatives", marks=pytest.mark.exhaustive),
        pytest.param(partial(pair, "spherical", True), "rnea_base_derivatives", marks=pytest.mark.exhaustive),
        pytest.param(
            partial(pair, "spherical", True), "forward_dynamics_derivatives", marks=pytest.mark.exhaustive
        ),
    ],
    ids=["rate", "rates", "balls", "floating", "base", "forward"],
)
def test_derivatives_by_turns_of_a_ball_are_proven(
    monkeypatch: pytest.MonkeyPatch, build: Callable[[], Mechanism], function: str
) -> None:
    prove_as_written(monkeypatch)
    proof = prove(robot_kernels(build(), [function])[0])
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


@pytest.mark.parametrize("function", FURTHER_JACOBIANS)
@pytest.mark.parametrize(
    "build",
    [
        partial(pair, "spherical"),
        *(
            pytest.param(build, marks=pytest.mark.exhaustive)
            for build in (balls, *(partial(pair, name) for name in JOINTS if name != "spherical"))
        ),
    ],
    ids=["spherical", "balls", *(name for name in JOINTS if name != "spherical")],
)
def test_further_jacobians_are_proven(
    monkeypatch: pytest.MonkeyPatch, build: Callable[[], Mechanism], function: str
) -> None:
    """Those by the twist of the base are of a base that floats."""
    prove_as_written(monkeypatch)
    robot = replace(build(), floating=function.endswith("_base"))
    proof = prove(robot_kernels(robot, [function])[0])
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


def test_forward_dynamics_of_a_ball_starts_without_angular_acceleration() -> None:
    """Then dw~ leaves the matrix U of its body, which is symmetric: five operations fewer."""
    (forward,) = robot_kernels(pair("spherical"), ["forward_dynamics"])
    count = cost(optimise(forward.program()))
    assert count.mul + count.add + count.div <= 260


def test_momenta_of_turned_bodies_are_used_twice() -> None:
    (crba,) = robot_kernels(balls(), ["crba"])
    count = cost(optimise(crba.program()))
    assert count.mul + count.add + count.div <= 290


def test_the_constant_rotation_before_a_ball_is_a_product_of_quaternions() -> None:
    """One for all vectors that pass the joint: with a rotation of each of them it is 194 operations."""
    (rnea,) = robot_kernels(pair("spherical"), ["rnea"])
    count = cost(optimise(rnea.program()))
    assert count.mul + count.add + count.div <= 179


TURNS = [
    ("0.3", 0, 0),
    ("0.3", 0, "0.1"),
    (0, "-0.7", "2.5"),
    ("0.3", "0.2", "0.1"),
    ("1.2", "-2.9", "3"),
    ("1.5707963267948966", "0.2", "3.141592653589793"),
]


@pytest.mark.parametrize("rpy", TURNS)
def test_a_ball_behind_a_constant_rotation_turns_by_both(rpy: Any) -> None:
    """About one axis, about two in each order, about three, and with some that only permute axes."""
    robot = pair("spherical")
    first, second = robot.joints
    (pose,) = robot_kernels(replace(robot, joints=[first, replace(second, rpy=rpy)]), ["pose"])
    for quaternion in np.random.default_rng(5).standard_normal((5, 4)):
        inputs = [0.4], quaternion / np.linalg.norm(quaternion)
        assert pose.reference is not None
        defined = np.concatenate([np.ravel(x) for x in pose.reference(*inputs).outputs])
        assert values(pose, *inputs) == pytest.approx(defined, abs=1e-14)


@pytest.mark.parametrize("kind", [OfMomenta, OfMoments])
@pytest.mark.parametrize("start", [(0.3, -0.2, 0.5), (0.3, -0.2, 0), (0, 0, 0.5), (0, 0, 0)])
def test_a_body_behind_a_ball_is_turned_and_shifted(kind: type[OfMomenta], start: Any) -> None:
    """With a mass of its own as well, which it has by a payload only."""
    R, p = quat_to_dcm_unit(UnitQuaternion(0.5, -0.1, 0.7, 0.5)), Vec3(*start)
    body = Moments(1.3, Vec3(0.2, -0.4, 0.7), SymMat3(0.5, 0.1, -0.2, 0.7, 0.05, 0.9))  # type: ignore[arg-type]
    found = kind(R, p).body(body)
    S, h = shifted_moments(body.S.rotated(R), R @ body.h, body.m, p)
    assert [*found.h.scalars(), *found.S.scalars()] == pytest.approx([*h.scalars(), *S.scalars()], abs=1e-14)
    assert found.m == body.m


def turned(quaternion: Any, turn: Any) -> Any:
    """A quaternion times exp(turn / 2)."""
    angle = np.linalg.norm(turn)
    (w, u), c = (quaternion[0], quaternion[1:]), np.cos(angle / 2)
    s = turn * (np.sin(angle / 2) / angle if angle else 0.5)
    return np.array([w * c - u @ s, *(w * s + c * u + np.cross(u, s))])


def test_derivatives_by_turns_of_a_ball_are_slopes() -> None:
    slopes, rnea = (robot_kernels(balls(), [f])[0] for f in ("rnea_derivatives", "rnea"))
    n, rng = rnea.indices["JOINTS"], np.random.default_rng(2)
    q, hip, knee = rng.standard_normal(2), *(x / np.linalg.norm(x) for x in rng.standard_normal((2, 4)))
    v, a = rng.standard_normal((2, n))

    def torque(turn: Any, speed: Any) -> Any:
        moved = q + turn[6:], turned(hip, turn[:3]), turned(knee, turn[3:6])
        return values(rnea, *moved, v + speed, a)

    by_q, by_v = values(slopes, q, hip, knee, v, a).reshape(2, n, n)
    for k, step in enumerate(1e-5 * np.eye(n)):
        none = np.zeros(n)
        slope = (torque(step, none) - torque(-step, none)) / 2e-5
        assert by_q[:, k] == pytest.approx(slope, rel=1e-7, abs=1e-7)
        slope = (torque(none, step) - torque(none, -step)) / 2e-5
        assert by_v[:, k] == pytest.approx(slope, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("name", sampled(["friction", "mimic"], every=2))
def test_derivatives_know_friction_and_followers(name: str) -> None:
    slopes, rnea = (robot_kernels(pair(name), [f])[0] for f in ("rnea_derivatives", "rnea"))
    n = rnea.indices["JOINTS"]
    q, v, a = np.random.default_rng(2).standard_normal((3, n))
    v[-1] *= 1e-2
    by_q, by_v = values(slopes, q, v, a).reshape(2, n, n)
    for k, step in enumerate(1e-6 * np.eye(n)):
        slope = (values(rnea, q + step, v, a) - values(rnea, q - step, v, a)) / 2e-6
        assert by_q[:, k] == pytest.approx(slope, abs=1e-6)
        slope = (values(rnea, q, v + step, a) - values(rnea, q, v - step, a)) / 2e-6
        assert by_v[:, k] == pytest.approx(slope, rel=1e-6, abs=1e-6)
