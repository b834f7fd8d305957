"""Robots whose gravity, external wrenches and inertias are arguments."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codegen.__main__ import run
from codegen.errors import FeatherError
from codegen.frontends.dimensions import check_units
from codegen.mechanisms import Body, Joint, Mechanism, robot_kernels
from codegen.mechanisms.description.inputs import Inputs
from codegen.proof.proof import prove
from tests.conftest import prove_as_written, sampled, tool
from tests.test_mechanisms import arm, branches, values

ALL = Inputs(gravity=True, forces=("hand", "foot"), payloads=("foot",), inertias=("hand",))
LOAD = [0.5, 0.02, 0.01, -0.03, 0.02, 0.001, -0.002, 0.03, 0.003, 0.04]
WRENCH = [0.3, -0.2, 0.5, 1.1, -2.0, 0.7]
SWING = """<robot name="swing"><link name="post"/><link name="rod"><inertial><origin xyz="0 0 -0.2"/>
<mass value="0.5"/><inertia ixx="0.0067" iyy="0.0067" izz="0.0001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="pin" type="continuous"><parent link="post"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>"""
SAMPLE = {("rnea", False), ("crba", False), ("potential_energy", True)}
FUNCTIONS = (
    "rnea", "bias_forces", "gravity_forces", "crba", "forward_dynamics", "com", "momentum", "kinetic_energy",
    "potential_energy", "rnea_derivatives",
)  # fmt: skip


@pytest.mark.parametrize(
    ("function", "floating"),
    [
        pytest.param(f, floats, marks=() if (f, floats) in SAMPLE else pytest.mark.exhaustive)
        for f in FUNCTIONS
        for floats in (False, True)
    ],
)
def test_functions_with_arguments_are_proven(
    monkeypatch: pytest.MonkeyPatch, function: str, floating: bool
) -> None:
    """On a free base the formula is proven as it is written; on a fixed one, as it is optimised."""
    if floating:
        prove_as_written(monkeypatch)
    (kernel,) = robot_kernels(branches(floating).with_inputs(ALL), [function])
    proof = prove(kernel)
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


@pytest.mark.exhaustive
def test_derivatives_by_the_base_are_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    prove_as_written(monkeypatch)
    (kernel,) = robot_kernels(branches(True).with_inputs(ALL), ["rnea_base_derivatives"])
    assert prove(kernel).status == "proven"


def carrying(mechanism: Mechanism, link: str, load: list[float]) -> Mechanism:
    """The mechanism with a body on a link, whose inertia about the link's origin is this."""
    m, h, J = load[0], np.array(load[1:4]), np.array(load[4:])
    c = h / m
    shift = m * (c @ c * np.eye(3) - np.outer(c, c))
    central = J - shift[np.triu_indices(3)]
    body = Body("load", m, c.tolist(), central.tolist())
    weld = Joint("bond", "fixed", link, "load")
    return replace(mechanism, bodies=(*mechanism.bodies, body), joints=(*mechanism.joints, weld))


@pytest.mark.parametrize("function", ["rnea", "crba", "momentum"])
@pytest.mark.parametrize("link", sampled(["hand", "foot"], every=2))
def test_a_payload_is_a_body_on_its_link(function: str, link: str) -> None:
    (own,) = robot_kernels(branches().with_inputs(Inputs(payloads=(link,))), [function])
    (bound,) = robot_kernels(carrying(branches(), link, LOAD), [function])
    inputs = np.random.default_rng(3).standard_normal((len(bound.inputs), 3))
    expected = values(bound, *inputs)
    assert values(own, *inputs, LOAD) == pytest.approx(expected, rel=1e-12, abs=1e-13)
    assert values(own, *inputs, [0.0] * 10) != pytest.approx(expected, rel=1e-3)


def test_an_inertia_that_is_given_is_that_of_its_link() -> None:
    bare = branches().with_inputs(Inputs(inertias=("hand",)))
    (own,), (bound,) = (robot_kernels(m, ["rnea"]) for m in (bare, branches()))
    q, v, a = np.random.default_rng(4).standard_normal((3, 3))
    m, c = 0.7, np.array([0.02, 0.01, 0.04])
    J = np.array([0.02, 0.001, -0.002, 0.03, 0.0005, 0.025])
    J += m * (c @ c * np.eye(3) - np.outer(c, c))[np.triu_indices(3)]
    assert values(own, q, v, a, [m, *m * c, *J]) == pytest.approx(values(bound, q, v, a), rel=1e-13)


def test_gravity_that_is_given_is_that_which_was_bound() -> None:
    given = branches().with_inputs(Inputs(gravity=True))
    (own,), (bound,) = (robot_kernels(m, ["rnea"]) for m in (given, branches()))
    q, v, a = np.random.default_rng(5).standard_normal((3, 3))
    assert values(own, q, v, a, [0, 0, -9.81]) == pytest.approx(values(bound, q, v, a), rel=1e-14)
    sideways = values(own, q, v, a, [9.81, 0, 0])
    assert sideways != pytest.approx(values(bound, q, v, a), rel=1e-2)


@pytest.mark.parametrize("link", ["hand", "foot"])
def test_joints_carry_external_wrenches_by_the_jacobian(link: str) -> None:
    pushed = branches().with_inputs(Inputs(forces=(link,)))
    (own,), (bound,), (jacobian,) = (
        robot_kernels(m, [f], [link] * (f == "jacobian_local"))
        for m, f in ((pushed, "rnea"), (branches(), "rnea"), (branches(), "jacobian_local"))
    )
    q, v, a = np.random.default_rng(6).standard_normal((3, 3))
    J = values(jacobian, q).reshape(6, 3)
    expected = values(bound, q, v, a) - J.T @ WRENCH
    assert values(own, q, v, a, WRENCH) == pytest.approx(expected, rel=1e-13)


def test_whole_lengths_and_losses_of_a_robot_have_units() -> None:
    """A link of 1/2 m is no coefficient, nor is a friction of 1/5 N m, by which tanh is multiplied."""
    joints = [
        replace(j, xyz=("0.5", 0, 0), friction="0.2" if j.name == "arm" else 0, creep="0.1")
        for j in branches().joints
    ]
    robot = replace(branches(), joints=joints)
    for kernel in robot_kernels(robot, ["rnea", "pose", "com", "momentum"]):
        check_units(kernel)


def test_functions_without_external_wrenches_do_not_speak_of_them() -> None:
    pushed = branches().with_inputs(Inputs(forces=("hand",)))
    rnea, gravity, regressor = robot_kernels(pushed, ["rnea", "gravity_forces", "regressor"])
    assert "`W_i` is the external wrench on `i`" in rnea.details
    for kernel in (gravity, regressor):
        assert not any(a.name == "F_hand" for a in kernel.inputs)
        assert "W_i" not in kernel.equation + kernel.details
    assert gravity.title == "Gravity forces: the joint forces at rest, without external wrenches."


def test_forward_dynamics_inverts_inverse_dynamics_with_all_arguments(tmp_path: Path) -> None:
    (tmp_path / "swing.urdf").write_text(SWING)
    swing = Mechanism.from_urdf(tmp_path / "swing.urdf").with_inputs(
        Inputs(True, ("rod",), ("rod",), ("rod",))
    )
    rnea, forward = robot_kernels(swing, ["rnea", "forward_dynamics"])
    q, v, a = np.random.default_rng(7).standard_normal((3, 1))
    rest: list[Any] = [[1, 2, -9], WRENCH, LOAD, [1.1 * x for x in LOAD]]
    tau = values(rnea, q, v, a, *rest)
    assert values(forward, q, v, tau, *rest) == pytest.approx(a, rel=1e-10)


def test_links_that_stand_still_take_no_arguments() -> None:
    with pytest.raises(FeatherError, match="link trunk does not move"):
        branches().with_inputs(Inputs(forces=("trunk",)))
    with pytest.raises(FeatherError, match="there is no link 'hnad'; did you mean hand"):
        branches().with_inputs(Inputs(payloads=("hnad",)))
    assert branches(True).with_inputs(Inputs(forces=("trunk",))).inputs.forces == ("trunk",)


def test_a_link_that_is_named_twice_has_one_argument() -> None:
    inputs = Inputs(forces=("tip", "tip"), payloads=("tip", "forearm", "tip"))
    assert (inputs.forces, inputs.payloads) == (("tip",), ("tip", "forearm"))
    (rnea,) = robot_kernels(arm().with_inputs(inputs), ["gravity_forces"])
    assert [a.name for a in rnea.inputs] == ["q", "payload_tip", "payload_forearm"]


def test_the_command_line_takes_arguments_and_the_manifest_records_them(tmp_path: Path) -> None:
    description, out = tmp_path / "swing.urdf", tmp_path / "out"
    description.write_text(SWING)
    options = ["--gravity", "input", "--force", "rod", "--payload", "rod", "--inertia", "rod"]
    assert run(["robot", str(description), "-f", "rnea", "-p", "f64", *options, "-o", str(out)]) == 0
    header = (out / "fc_swing_f64.h").read_text()
    for line in (
        "@param[in] g acceleration of gravity, axes of post [m/s^2]",
        "@param[in] F_rod wrench on rod, about its origin, axes of rod [N m; N]",
        "@param[in] payload_rod inertia that rod carries besides its own, about its origin",
        "@param[in] inertia_rod inertia of rod, about its origin, axes of rod [kg; kg m; kg m^2]",
        "gravity is the argument g",
    ):
        assert line in header
    assert run(["check", str(out)]) == 0
    assert run(["check", "--model", str(description), str(out)]) == 0


def test_positions_of_sliding_joints_have_the_range_of_their_limits() -> None:
    (energy,) = robot_kernels(arm(), ["kinetic_energy"])
    q = energy.inputs[0]
    assert [tuple(map(float, pair)) for pair in q.ends] == [*[(-100, 100)] * 4, (0, 0.12)]
    joints = [replace(j, limits=None) for j in arm().joints]
    (free,) = robot_kernels(replace(arm(), joints=joints), ["kinetic_energy"])
    assert [*map(float, free.inputs[0].ends[4])] == [-100, 100]
    assert not any(a.ends for a in energy.inputs[1:])
    (turning,) = robot_kernels(Mechanism("pair", *turning_pair()), ["kinetic_energy"])
    assert not turning.inputs[0].ends


def turning_pair() -> tuple[list[Body], list[Joint]]:
    """A body that turns on another."""
    rod = Body("rod", mass="0.5", centre=(0, 0, "-0.2"), inertia=("0.0067", 0, 0, "0.0067", 0, "0.0001"))
    return [Body("post"), rod], [Joint("pin", "continuous", "post", "rod", axis=(0, 1, 0))]


def test_the_selftest_of_a_robot_declares_the_functions_that_it_calls(tmp_path: Path) -> None:
    """It inverts forward dynamics with sines and cosines of its own."""
    (tmp_path / "swing.urdf").write_text(SWING)
    tree = tmp_path / "c"
    assert run(["robot", str(tmp_path / "swing.urdf"), "-f", "forward_dynamics", "-o", str(tree)]) == 0
    strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-DFC_SELFTEST_MAIN"]
    sources = map(str, sorted(tree.glob("*.c")))
    command = [tool("gcc"), *strict, f"-I{tree}", *sources, "-o", str(tmp_path / "test"), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert subprocess.run([str(tmp_path / "test")], check=False).returncode == 0
