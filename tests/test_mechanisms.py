"""Robots: descriptions, tree passes, recursions against virtual work, and the command line."""

from __future__ import annotations

import html
import itertools
import json
import os
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import codegen
from codegen.__main__ import run
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.frontends.formula import lower
from codegen.ir.cost import cost
from codegen.ir.exploration import inputs_in
from codegen.ir.modular import World, modular, residues
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import F32, F64, PI_60, floating
from codegen.ir.types import REAL, Array
from codegen.library.rotation.kernels import quat_to_dcm_unit
from codegen.loading.model_file import load_kernels
from codegen.mechanisms import FUNCTIONS, Body, Joint, Mechanism, free_joints, robot_kernels
from codegen.mechanisms.description.exact import IDENTITY, Angles
from codegen.mechanisms.description.record import mechanism_of
from codegen.mechanisms.description.written import exact
from codegen.mechanisms.kernels.arguments import Arguments
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.dynamics import (
    Base,
    forward_dynamics,
    inverse_dynamics,
    mass_elements,
    mass_matrix,
)
from codegen.mechanisms.recursions.elimination import eliminated_dynamics
from codegen.mechanisms.recursions.formulas import packed_masses
from codegen.mechanisms.trees.carriage import late_for_forces
from codegen.mechanisms.trees.reduce import (
    aligned,
    for_forces,
    for_masses,
    framed,
    leaves_turned,
    pointed,
    regrouped,
    slid,
)
from codegen.mechanisms.trees.settle import settled
from codegen.mechanisms.trees.tree import Tree, tree_of
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.scalar import atan2, constant, cos, sin
from codegen.passes import optimise, simplified
from codegen.proof.equivalence import Driven, compare
from codegen.proof.proof import prove
from codegen.tree.write import generate
from codegen.verify.native import STRICT, run_compiler
from codegen.verify.verify import check
from tests.conftest import ROOT, sampled

ARM = ROOT / "examples" / "arm.urdf"


def arm() -> Mechanism:
    """The arm of the example."""
    return Mechanism.from_urdf(ARM)


def branches(floating: bool = False) -> Mechanism:
    """A tree of two branches, with an oblique axis, an axis that points back, and links on fixed joints."""
    solid = ("0.02", "0.001", "-0.002", "0.03", "0.0005", "0.025")
    bodies = [
        Body("trunk", 3, ("0.01", "0.02", "0.03"), solid),
        Body("left", "1.2", (0, "0.1", "0.05"), solid, rpy=("0.2", 0, "-0.4")),
        Body("right", "1.1", ("0.1", 0, "0.05"), solid),
        Body("hand", "0.7", ("0.02", "0.01", "0.04"), solid),
        Body("foot", "0.4", ("0.03", 0, "0.01"), solid),
    ]
    joints = [
        Joint("hip", "revolute", "trunk", "left", ("0.1", "0.2", 0), ("0.5", 0, 0), (1, 2, 2)),
        Joint("weld", "fixed", "left", "foot", (0, 0, "-0.3"), (0, "0.7", 0)),
        Joint("arm", "continuous", "trunk", "right", (0, "-0.2", "0.1"), (0, 0, "0.3"), (0, 0, -1)),
        Joint("grip", "prismatic", "right", "hand", ("0.3", 0, 0), ("0.1", "0.2", "0.3"), (0, -1, 0)),
    ]
    return Mechanism("branches", bodies, joints, floating)


def chain() -> Mechanism:
    """Three joints, the last two of them parallel, and first moments that are along no axis."""
    solid = ("0.02", "0.001", "-0.002", "0.03", "0.0005", "0.025")
    bodies = [
        Body("trunk", 3, ("0.01", "0.02", "0.03"), solid),
        Body("hip", "1.3", ("0.1", "0.02", "0.04"), solid),
        Body("thigh", "1.2", ("0.1", "0.03", "0.05"), solid),
        Body("hand", "0.7", ("0.02", "0.05", "0.04"), solid),
    ]
    joints = [
        Joint("first", "revolute", "trunk", "hip", ("0.1", "0.2", "0.3"), (0, 0, 0), (1, 0, 0)),
        Joint("second", "revolute", "hip", "thigh", ("0.3", 0, 0), (0, 0, 0), (0, 1, 0)),
        Joint("third", "revolute", "thigh", "hand", ("0.4", 0, 0), (0, 0, 0), (0, 1, 0)),
    ]
    return Mechanism("chain", bodies, joints)


def damped(floating: bool = False) -> Mechanism:
    """The tree of two branches with damping and rotors."""
    losses = {"hip": ("0.3", "0.02"), "arm": ("0.1", "0"), "grip": ("4.5", "0.8")}
    joints = [
        replace(j, damping=losses[j.name][0], armature=losses[j.name][1]) if j.name in losses else j
        for j in branches().joints
    ]
    return replace(branches(floating), name="damped", joints=joints)


MECHANISMS: dict[str, Callable[[], Mechanism]] = {
    "arm": arm,
    "branches": branches,
    "floating": lambda: branches(floating=True),
    "chain": chain,
    "damped": damped,
    "damped floating": lambda: damped(floating=True),
}


# The recursions


EXHAUSTIVE = pytest.mark.exhaustive
SAMPLE = {
    *(("branches", f) for f in ("rnea", "crba")),
    ("floating", "twist"),
    ("chain", "gravity_forces"),
    ("damped", "crba"),
    ("chain", "potential_energy"),
}


def each_function() -> list[Any]:
    """Every function of every mechanism; the sample has those that others are made of, and a few more."""
    return [
        pytest.param(
            name,
            function,
            id=f"{function}-{name}",
            marks=() if (name, function) in SAMPLE else EXHAUSTIVE,
        )
        for function in FUNCTIONS
        for name in MECHANISMS
    ]


@pytest.mark.parametrize(("name", "function"), each_function())
def test_each_function_is_proven_by_virtual_work(name: str, function: str) -> None:
    (kernel, *_) = robot_kernels(MECHANISMS[name](), [function])
    proof = prove(kernel)
    assert proof.status == "proven", proof.status
    assert "reference" in proof.ways


@pytest.mark.exhaustive
@pytest.mark.parametrize("build", [branches, damped, partial(damped, True), chain])
def test_derivatives_of_inverse_dynamics_are_proven_by_dual_numbers(build: Callable[[], Mechanism]) -> None:
    (kernel,) = robot_kernels(build(), ["rnea_derivatives"])
    proof = prove(kernel)
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


@pytest.mark.exhaustive
def test_derivatives_are_slopes_of_inverse_dynamics() -> None:
    (kernel,) = robot_kernels(chain(), ["rnea_derivatives"])
    (rnea,) = robot_kernels(chain(), ["rnea"])
    q, v, a = np.random.default_rng(7).standard_normal((3, 3))
    by_q, by_v = values(kernel, q, v, a).reshape(2, 3, 3)
    for k, step in enumerate(1e-6 * np.eye(3)):
        slope = (values(rnea, q + step, v, a) - values(rnea, q - step, v, a)) / 2e-6
        assert by_q[:, k] == pytest.approx(slope, abs=1e-7)
        slope = (values(rnea, q, v + step, a) - values(rnea, q, v - step, a)) / 2e-6
        assert by_v[:, k] == pytest.approx(slope, abs=1e-7)


@pytest.mark.exhaustive
def test_derivatives_by_the_base_are_proven_by_dual_numbers() -> None:
    (kernel,) = robot_kernels(damped(True), ["rnea_base_derivatives"])
    proof = prove(kernel)
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


@pytest.mark.exhaustive
def test_derivatives_by_the_base_are_slopes_of_inverse_dynamics() -> None:
    robot = branches(floating=True)
    slopes, joints, rnea = (
        robot_kernels(robot, [f])[0] for f in ("rnea_base_derivatives", "rnea_derivatives", "rnea")
    )
    rng = np.random.default_rng(11)
    attitude, (V, A), (q, v, a) = (
        rng.standard_normal(4),
        rng.standard_normal((2, 6)),
        rng.standard_normal((3, 3)),
    )
    attitude /= np.linalg.norm(attitude)
    found = values(slopes, attitude, V, A, q, v, a)
    by_phi, by_V = np.vstack([found[:18].reshape(6, 3), found[18:27].reshape(3, 3)]), found[27:]
    by_V = np.vstack([by_V[:36].reshape(6, 6), by_V[36:].reshape(3, 6)])
    w, x, y, z = attitude
    turns = np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]).T / 2  # d attitude / d phi
    step = 1e-6
    for k in range(3):
        ends = (values(rnea, attitude + s * step * turns[k], V, A, q, v, a) for s in (1, -1))
        assert by_phi[:, k] == pytest.approx((next(ends) - next(ends)) / (2 * step), abs=1e-6)
    for k, unit in enumerate(step * np.eye(6)):
        ends = (values(rnea, attitude, V + s * unit, A, q, v, a) for s in (1, -1))
        assert by_V[:, k] == pytest.approx((next(ends) - next(ends)) / (2 * step), abs=1e-6)
    F_q, tau_q, _, _ = np.split(values(joints, attitude, V, A, q, v, a), np.cumsum([18, 9, 18]))
    by_q = np.vstack([F_q.reshape(6, 3), tau_q.reshape(3, 3)])
    for k, unit in enumerate(step * np.eye(3)):
        ends = (values(rnea, attitude, V, A, q + s * unit, v, a) for s in (1, -1))
        assert by_q[:, k] == pytest.approx((next(ends) - next(ends)) / (2 * step), abs=1e-6)


def test_derivatives_by_the_base_need_a_base_that_floats() -> None:
    with pytest.raises(FeatherError, match="generate with --floating"):
        robot_kernels(branches(), ["rnea_base_derivatives"])


@EXHAUSTIVE
def test_momentum_is_that_of_the_centre_of_mass_and_energy_is_its_integral() -> None:
    com, momentum, kinetic = robot_kernels(arm(), ["com", "momentum", "kinetic_energy"])
    q, v = np.random.default_rng(5).standard_normal((2, 5))
    step = 1e-5 * v
    velocity = (values(com, q + step) - values(com, q - step)) / 2e-5
    mass = sum(float(link.moments.m) for link in tree_of(arm()).links)
    assert values(momentum, q, v)[3:] == pytest.approx(mass * velocity, rel=1e-8)
    (crba,) = robot_kernels(arm(), ["crba"])
    M = np.zeros((5, 5))
    M[np.triu_indices(5)] = values(crba, q)
    M += np.triu(M, 1).T
    assert values(kinetic, q, v) == pytest.approx(v @ M @ v / 2, rel=1e-13)


@pytest.mark.parametrize("name", ["com", "momentum", "forward_dynamics"])
def test_robots_without_mass_have_no_dynamics(name: str) -> None:
    bare = Mechanism("bare", [Body("a"), Body("b")], [Joint("j", "revolute", "a", "b")])
    with pytest.raises(FeatherError, match=r"bare: .* mass, so .* answer: give"):
        robot_kernels(bare, [name])


def test_twist_is_the_local_jacobian_times_velocity_and_its_derivative_the_acceleration() -> None:
    made = robot_kernels(arm(), ["pose", "jacobian", "jacobian_local", "twist", "acceleration"], ["tip"])
    pose, jacobian, local, twist, acceleration = made
    q, v, a = np.random.default_rng(6).standard_normal((3, 5))
    J = values(local, q).reshape(6, 5)
    assert values(twist, q, v) == pytest.approx(J @ v, rel=1e-13)
    R = values(pose, q)[:9].reshape(3, 3)
    across = np.kron(np.eye(2), R)
    assert across @ J == pytest.approx(values(jacobian, q).reshape(6, 5), rel=1e-13, abs=1e-15)
    t = 1e-5
    ahead, back = (values(twist, q + s * t * v + t * t * a / 2, v + s * t * a) for s in (1, -1))
    assert values(acceleration, q, v, a) == pytest.approx((ahead - back) / (2 * t), rel=1e-7)


def test_the_spatial_jacobian_is_that_of_the_point_at_the_origin_of_the_base() -> None:
    names = ["pose", "jacobian", "jacobian_spatial"]
    pose, jacobian, spatial = robot_kernels(arm(), names, ["tip"])
    q = np.random.default_rng(7).standard_normal(5)
    J, p = values(jacobian, q).reshape(6, 5), values(pose, q)[9:]
    at_base = np.vstack([J[:3], J[3:] + np.cross(p, J[:3].T).T])
    assert values(spatial, q).reshape(6, 5) == pytest.approx(at_base, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("of", ["jacobian", "jacobian_local"])
def test_the_twist_of_a_floating_robot_is_that_of_its_base_and_its_joints(of: str) -> None:
    functions = ["pose", of, "twist", f"{of}_base"]
    pose, joints, twist, base = (robot_kernels(branches(True), [f])[-1] for f in functions)
    rng = np.random.default_rng(13)
    V, q, v = (rng.standard_normal(n) for n in (6, *2 * [len(branches().moving)]))
    J, J_B = values(joints, q).reshape(6, -1), values(base, q).reshape(6, 6)
    R = values(pose, q)[:9].reshape(3, 3) if of == "jacobian" else np.eye(3)
    assert J_B @ V + J @ v == pytest.approx(np.kron(np.eye(2), R) @ values(twist, V, q, v), rel=1e-12)
    assert prove(base).status == "proven"


@pytest.mark.parametrize("name", ["jacobian_base", "jacobian_local_base"])
def test_a_base_that_stands_still_has_no_columns(name: str) -> None:
    with pytest.raises(FeatherError, match=f"{name} is for a floating base: generate with --floating"):
        robot_kernels(branches(), [name])


@pytest.mark.parametrize("of", ["jacobian_local", "jacobian_spatial"])
def test_rates_of_jacobians_are_slopes(of: str) -> None:
    rate, jacobian = (robot_kernels(branches(True), [f])[-1] for f in (f"{of}_rate", of))
    q, v = np.random.default_rng(12).standard_normal((2, len(branches().moving)))
    slope = (values(jacobian, q + 1e-6 * v) - values(jacobian, q - 1e-6 * v)) / 2e-6
    assert values(rate, q, v) == pytest.approx(slope, abs=1e-8)
    assert prove(rate).status == "proven"


@EXHAUSTIVE
@pytest.mark.parametrize("build", [chain, branches])
@pytest.mark.parametrize("of", ["jacobian", "jacobian_local", "jacobian_spatial"])
def test_rates_of_jacobians_are_proven_and_slopes(build: Callable[[], Mechanism], of: str) -> None:
    rate, jacobian = (robot_kernels(build(), [f])[-1] for f in (f"{of}_rate", of))
    proof = prove(rate)
    assert (proof.status, "reference" in proof.ways) == ("proven", True)
    q, v = np.random.default_rng(12).standard_normal((2, len(build().moving)))
    slope = (values(jacobian, q + 1e-6 * v) - values(jacobian, q - 1e-6 * v)) / 2e-6
    assert values(rate, q, v) == pytest.approx(slope, abs=1e-8)


def forces(tree: Tree, late: Sequence[int] = ()) -> list[Any]:
    """The joint forces of a tree on a base that stands still, at a random point modulo a prime."""
    return at_a_point(tree, "qva", lambda q, v, a: inverse_dynamics(tree, q, v, a, None, late)[1])


def at_a_point(tree: Tree, names: str, formula: Callable[..., Any]) -> list[Any]:
    """The results of a formula of values of the joints, at a random point modulo a prime."""
    world = World("point")
    draw = residues(world)
    program = of_joints(tree, names, formula)
    return evaluate(program, modular(world), [draw() for _ in range(len(names) * len(tree.jointed))]).results


def values(kernel: Kernel, *inputs: Any) -> Any:
    """The results of a kernel in double."""
    scalars = [float(x) for argument in inputs for x in argument]
    return np.array(evaluate(simplified(kernel.program()), floating(F64), scalars).results, dtype=float)


def of_joints(tree: Tree, names: str, formula: Callable[..., Any]) -> Program:
    """The Program of a formula of values of the joints."""
    n = len(tree.jointed)
    inputs = [Arg(x, Array((n,)), "mixed", "") for x in names]
    count = len(formula(*([constant(1)] * n for _ in names)))
    return lower(inputs, [Arg("y", Array((count,)), "mixed", "")], lambda *x: (formula(*x),), False)


def settled_tree(mechanism: Mechanism) -> Tree:
    """The tree of a mechanism whose leaves can be turned exactly."""
    return tree_of(settled(mechanism, Angles()))


def test_the_first_joint_on_a_base_that_stands_still_needs_no_sine_in_the_mass_matrix() -> None:
    """No mass depends on its angle, which rows of parallel joints would add to those behind it."""
    bodies = [Body("post"), *(Body(n, 1, ("0.2", 0, 0), (0, 0, 0, 0, 0, "0.02")) for n in ("upper", "fore"))]
    joints = [
        Joint("shoulder", "revolute", "post", "upper", axis=(0, 0, 1)),
        Joint("elbow", "revolute", "upper", "fore", ("0.5", 0, 0), axis=(0, 0, 1)),
    ]
    crba, forward = robot_kernels(Mechanism("arm", bodies, joints), ["crba", "forward_dynamics"])
    masses, both = (cost(optimise(kernel.program())) for kernel in (crba, forward))
    assert (masses.mul + masses.add, dict(masses.libm)) == (4, {"cos": 1})
    assert both.mul + both.add + both.div <= 21
    assert dict(both.libm) == {"sin": 1, "cos": 1}


PASSES: dict[str, Callable[[Tree], Tree]] = {
    "aligned": aligned, "slid": slid, "regrouped": regrouped, "pointed": pointed, "turned": leaves_turned,
    "for masses": lambda tree: for_masses(framed(tree)), "for forces": lambda tree: for_forces(framed(tree)),
}  # fmt: skip


@pytest.mark.parametrize("build", [branches, chain])
@pytest.mark.parametrize("name", PASSES)
def test_passes_change_the_tree_and_keep_its_forces(name: str, build: Callable[[], Mechanism]) -> None:
    before = settled_tree(build())
    after = PASSES[name](before)
    assert after != before
    assert forces(after) == forces(before)


def test_centres_of_mass_settle_within_their_rounding() -> None:
    before, after = chain(), settled(chain(), Angles())
    ((old, new),) = ((a, b) for a, b in zip(before.bodies, after.bodies, strict=True) if a != b)
    assert old.name == "hand"
    assert (
        0
        < max(abs(exact(x) - exact(y)) for x, y in zip(old.centre, new.centre, strict=True))
        < Fraction(1, 2**58)
    )
    (leaf,) = (link for link in leaves_turned(settled_tree(chain())).links if link.name == "hand")
    assert leaf.moments.h.y == 0 != leaf.phase[1]
    assert leaf.phase[0] ** 2 + leaf.phase[1] ** 2 == 1
    (leaf,) = (link for link in leaves_turned(tree_of(chain())).links if link.name == "hand")
    assert leaf.phase[1] == 0


def test_masses_at_joints_take_elements_of_first_moments() -> None:
    grouped, pointed_ = (p(framed(settled_tree(chain()))) for p in (regrouped, pointed))

    def elements(tree: Tree) -> int:
        return sum(bool(x) for link in tree.links for x in link.moments.h.scalars()[:2])

    assert elements(pointed_) < elements(grouped)
    assert any(link.moments.m for link in pointed_.links)


def test_masses_at_joints_do_not_exceed_that_of_the_robot() -> None:
    """At an offset of a micrometre, that would be tons, whose forces cancel."""
    second = replace(chain().joints[1], xyz=(0, "1e-6", 0))
    tree = tree_of(replace(chain(), joints=(chain().joints[0], second, chain().joints[2])))
    assert max(abs(link.moments.m) for link in pointed(tree).links) < 5


@EXHAUSTIVE
def test_constant_angles_are_literals_in_c(tmp_path: Path) -> None:
    (kernel,) = robot_kernels(chain(), ["gravity_forces"])
    generate([kernel], Options(precisions=("f32",)), tmp_path)
    text = (tmp_path / "fc_chain_f32.c").read_text()
    assert "atan2" not in text
    c, s = Robot(chain()).light.links[-1].phase
    assert f"q_1 + q_2 + {np.float32(np.arctan2(float(s), float(c)))!s}F" in text


def test_forces_tell_trees_apart() -> None:
    tree = tree_of(arm())
    link = tree.links[2]
    heavier = replace(link, moments=replace(link.moments, m=link.moments.m + Fraction(1, 10**9)))
    assert forces(tree.with_link(2, heavier)) != forces(tree)


def test_regrouped_bodies_have_nothing_on_their_axis() -> None:
    tree = for_masses(framed(tree_of(arm())))
    for link in tree.links:
        S, h, m = link.moments.S, link.moments.h, link.moments.m
        assert not any(S.scalars() if link.slides else (m, h.z, S.zz)), link.name


def test_parallel_axes_get_parallel_frames() -> None:
    tree = for_masses(framed(tree_of(arm())))
    assert tree.links[2].R == IDENTITY
    assert all(sum(map(bool, link.p.scalars())) <= 1 for link in tree.links[1:4])


def test_late_bodies_do_not_change_the_results() -> None:
    tree = for_masses(framed(tree_of(arm())))
    expected = forces(tree)
    for size in range(5):
        for late in itertools.combinations(range(5), size):
            assert forces(tree, late) == expected, late


@pytest.mark.parametrize("name", MECHANISMS)
def test_both_recursions_of_forward_dynamics_agree(name: str) -> None:
    mechanism = MECHANISMS[name]()
    tree, floats = for_masses(framed(settled_tree(mechanism))), mechanism.floating
    inputs = Arguments(mechanism).named("q_WB", "V_B", "q", "v", "tau", "F_B")
    outputs = Arguments(mechanism).named("A_B", "a")

    def accelerations(recursion: Callable[..., Any]) -> list[Any]:
        def formula(*values: Any) -> Any:
            if not floats:
                return (recursion(tree, *values)[1],)
            attitude, V, q, v, tau, F = values
            return recursion(tree, q, v, tau, F, Base(quat_to_dcm_unit(attitude), V, V))

        world = World("both")
        program = lower(inputs, outputs, formula, False)
        return evaluate(program, modular(world), inputs_in(world, inputs, residues(world))).results

    light = for_forces(framed(settled_tree(mechanism)))
    found = accelerations(eliminated_dynamics)
    assert found == accelerations(partial(forward_dynamics, light))
    assert len(found) == len(mechanism.moving) + 6 * floats


@pytest.mark.exhaustive
def test_forward_dynamics_takes_the_cheaper_recursion() -> None:
    def recursion(mechanism: Mechanism) -> Any:
        return Robot(mechanism).accelerating.args[0]  # type: ignore[attr-defined]

    assert recursion(arm()) is forward_dynamics
    leg = [replace(j, parent="trunk" if j.parent == "base" else j.parent) for j in arm().joints]
    legs = [
        replace(j, name=f"{j.name}{k}", child=f"{j.child}{k}",
                parent=j.parent if j.parent == "trunk" else f"{j.parent}{k}")
        for k in range(4) for j in leg if j.name not in ("mount", "reach", "roll")
    ]  # fmt: skip
    bodies = [Body("trunk", 9, (0, 0, 0), ("0.1", 0, 0, "0.2", 0, "0.2"))]
    bodies += [replace(arm().body(j.child[:-1]), name=j.child) for j in legs]
    assert recursion(Mechanism("quadruped", bodies, legs, floating=True)) is eliminated_dynamics


def test_a_form_that_was_searched_is_judged_by_its_price_alone() -> None:
    """What the search may save more in other forms counts only where it is not run."""
    robot = Robot(arm())
    inputs, formula = robot.arguments.named("q"), partial(packed_masses, mass_elements, robot.composed)
    prices = [robot.work(inputs, [robot.arguments.packed_masses], formula, share) for share in (1, 0.5)]
    assert prices[0] == prices[1]


def test_late_bodies_do_not_change_the_mass_matrix() -> None:
    tree = for_masses(framed(tree_of(arm())))

    def elements(late: Sequence[int]) -> list[Any]:
        return at_a_point(tree, "q", lambda q: list(mass_matrix(tree, q, late).elements.values()))

    assert elements([]) == elements([1, 2]) == elements(range(5))


@EXHAUSTIVE
def test_parallel_joints_are_turned_once() -> None:
    tree = for_masses(framed(tree_of(arm())))

    def optimised(late: frozenset[int]) -> int:
        count = cost(
            optimise(of_joints(tree, "qva", lambda q, v, a: inverse_dynamics(tree, q, v, a, None, late)[1]))
        )
        return count.mul + count.add

    assert late_for_forces(tree) == {1, 2, 3} - {3}
    assert optimised(late_for_forces(tree)) < optimised(frozenset())


def test_snapped_angles_are_counted() -> None:
    angles = Angles()
    quarter = Joint("j", "revolute", "a", "b", rpy=("1.57079632679", 0, 0))
    tree_of(Mechanism("m", [Body("a"), Body("b", 1, (1, 0, 0))], [quarter]), angles)
    assert angles.snapped == 1
    assert Fraction(1, 10**13) < angles.furthest < Fraction(1, 10**11)
    exact = Angles(snap=Fraction(0))
    R = exact.rpy([Fraction("1.57079632679"), Fraction("0.3"), Fraction(-2)])
    assert R @ R.transpose == IDENTITY
    c, s = exact.point(Fraction("1.57079632679"))
    assert abs(c - (PI_60 / 2 - Fraction("1.57079632679"))) < Fraction(1, 10**17)
    assert c * c + s * s == 1
    assert exact.snapped == 0


def test_the_pendulum_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = (b for b in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if "pendulum" in b)
    scope: dict[str, Any] = {}
    exec(block, scope)
    rnea, forward = scope["kernels"]
    m, c, inertia, g = 0.5, 0.2, 0.0067, 9.81
    expected = (inertia + m * c * c) * 2.0 + m * g * c * np.sin(0.3)
    assert values(rnea, [0.3], [1.7], [2.0])[0] == pytest.approx(expected, rel=1e-14)
    assert values(forward, [0.3], [1.7], [expected])[0] == pytest.approx(2.0, rel=1e-13)


# Sines of sums


def _program(results: Callable[[Any, Any], Sequence[Any]]) -> Program:
    arguments = [Arg("a", REAL, "rad", ""), Arg("b", REAL, "rad", "")]
    out = [Arg("y", Array((2,)), "1", "")]
    return lower(arguments, out, lambda a, b: (list(results(a, b)),), False)


PHASE = atan2(constant(Fraction(3, 5)), constant(Fraction(4, 5)))
EQUAL = [
    (lambda a, b: (sin(a + b), cos(a - b)),
     lambda a, b: (sin(a) * cos(b) + cos(a) * sin(b), cos(a) * cos(b) + sin(a) * sin(b))),
    (lambda a, b: (sin(a + a), cos(a + b - a)), lambda a, b: (2 * sin(a) * cos(a), cos(b))),
    (lambda a, b: (sin(a + PHASE), cos(b - PHASE)),
     lambda a, b: ((4 * sin(a) + 3 * cos(a)) / 5, (4 * cos(b) + 3 * sin(b)) / 5)),
]  # fmt: skip


@pytest.mark.parametrize("forms", EQUAL)
def test_sines_of_sums_are_proven(forms: tuple[Any, Any]) -> None:
    first, second = (_program(form) for form in forms)
    verdict = compare(first.inputs, {"sums": Driven(first), "products": Driven(second)})
    assert verdict.proven, verdict.shortcoming


def test_a_wrong_sine_of_a_sum_is_found() -> None:
    first = _program(lambda a, b: (sin(a + b), cos(a + b)))
    wrong = _program(lambda a, b: (sin(a) * cos(b) + cos(a) * sin(b), cos(a) * cos(b)))
    assert compare(first.inputs, {"sums": Driven(first), "products": Driven(wrong)}).difference


# Descriptions


def urdf(tmp_path: Path, body: str, head: str = "") -> Path:
    """A file with a robot of these elements."""
    path = tmp_path / "bot.urdf"
    path.write_text(f'{head}<robot name="bot">\n{body}\n</robot>\n')
    return path


LINKS = '<link name="a"/><link name="b"><inertial><mass value="1"/></inertial></link>'
JOINT = '<joint name="j" type="{}"><parent link="a"/><child link="b"/>{}</joint>'
HOSTILE = {
    "no mass": ('<link name="a"><inertial/></link>', ":2: link a: its <inertial> has no <mass>"),
    "negative mass": ('<link name="a"><inertial><mass value="-1"/></inertial></link>', "mass is negative"),
    "nan": ('<link name="a"><inertial><mass value="nan"/></inertial></link>', "'nan' is not a finite"),
    "text": (LINKS + JOINT.format("revolute", '<origin xyz="1 x 0"/>'), "joint j: 'x' is not a number"),
    "two numbers": (LINKS + JOINT.format("revolute", '<origin xyz="1 0"/>'), "is not three numbers"),
    "zero axis": (LINKS + JOINT.format("revolute", '<axis xyz="0 0 0"/>'), "joint j: its axis is zero"),
    "unknown type": (LINKS + JOINT.format("screw", ""), "joints of type screw cannot be generated"),
    "no child": (LINKS + '<joint name="j" type="revolute"><parent link="a"/></joint>', "needs a <parent>"),
    "missing link": (LINKS.replace('"b"', '"c"') + JOINT.format("revolute", ""), "there is no link 'b'"),
    "no joint": (LINKS, "hang from no joint"),
    "two links": (LINKS + '<link name="a"/>', "two links are called a"),
    "two parents": (LINKS + JOINT.format("revolute", "") + JOINT.format("fixed", "").replace('"j"', '"k"'),
                    "is the child of another joint"),
    "loop": (
        '<link name="r"/>' + LINKS + JOINT.format("fixed", "")
        + '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>',
        "is its own ancestor",
    ),
    "all fixed": (LINKS + JOINT.format("fixed", ""), "no joint that moves"),
    "limits": (LINKS + JOINT.format("revolute", '<limit lower="2" upper="1"/>'), "above the upper"),
    "underscore": (LINKS.replace('"1"', '"1_0"'), "link b: <mass> value: '1_0' is not a number"),
    "other digits": (LINKS.replace('"1"', '"\u0661"'), "is not a number"),
    "negative effort": (LINKS + JOINT.format("revolute", '<limit effort="-1"/>'), "effort is negative"),
    "no name": ("<link/>", ":2: link: <link> has no attribute name"),
    "too large for float": (
        LINKS.replace("/></inertial>", '/><origin xyz="1e60 0 0"/></inertial>')
        + JOINT.format("continuous", '<axis xyz="0 0 1"/>'),
        "is not finite in float",
    ),
    "one name in C": (
        LINKS.replace('"b"', '"b.1"') + JOINT.format("continuous", "").replace('"b"', '"b.1"')
        + LINKS.replace('"a"', '"r"').replace('"b"', '"b_1"')
        + JOINT.format("continuous", "").replace('"b"', '"b_1"').replace('"j"', '"k"')
        + JOINT.format("fixed", "").replace('"b"', '"r"').replace('"j"', '"l"'),
        "links b.1 and b_1 have the same name in C",
    ),
    "empty name": ('<link name=" "/>', "the name of a link is empty"),
    "reversed text": ('<link name="a&#x202e;b"/>', "link a\\u202eb: its name has a character that cannot be"),
    "two lines": (LINKS + JOINT.format("fixed", "").replace('"j"', '"j&#10;k"'), "cannot be seen"),
    "broken": ("<link", "this is not XML"),
    "huge": ("".join(f'<link name="l{i}"/>' for i in range(501)), "at most 500"),
    "long": (
        "".join(f'<link name="l{i}"/>' for i in range(200))
        + "".join(
            f'<joint name="j{i}" type="{"fixed" if i else "revolute"}"><origin rpy="0.1 0.2 0.3"/>'
            f'<parent link="l{i}"/><child link="l{i + 1}"/></joint>'
            for i in range(199)
        ),
        "link l102 hangs on more than 100 fixed joints in a row",
    ),
    "follows itself": (LINKS + JOINT.format("revolute", '<mimic joint="j"/>'), "which follows j itself"),
    "follows nobody": (LINKS + JOINT.format("revolute", '<mimic joint="k"/>'), "there is no such joint"),
    "own child": (LINKS + JOINT.format("fixed", "").replace('"a"', '"b"'), "link b is its own ancestor"),
    "two joints": (
        '<link name="c"/>' + LINKS + JOINT.format("revolute", "")
        + JOINT.format("revolute", "").replace('"b"', '"c"'),
        "two joints are called j",
    ),
    "infinite": (LINKS + JOINT.format("revolute", '<limit lower="-inf"/>'), "'-inf' is not a finite number"),
    "too large": (LINKS.replace('"1"', '"1e99999999"'), "'1e99999999' is not a finite number"),
    "too long": (LINKS.replace('"1"', f'"0.{"1" * 10**6}"'), "has more than 200 digits: round it"),
    "too deep": ("<a>" * 10**5, "nested deeper than 64"),
    "floating alone": (LINKS + JOINT.format("floating", ""), "no joint that moves"),
    "floating beside a name": (
        '<link name="c"/><link name="b.y"/>' + LINKS + JOINT.format("floating", "")
        + JOINT.format("fixed", "").replace('"j"', '"k"').replace('"b"', '"c"'),
        "two links are called b.y: rename one",
    ),
    "floating behind another": (
        '<link name="c"/>' + LINKS + JOINT.format("floating", '<mimic joint="k"/>')
        + JOINT.format("revolute", "").replace('"j"', '"k"').replace('"b"', '"c"'),
        ":2: joint j: a joint that moves freely follows no other one: leave out its <mimic>",
    ),
    "floating from itself": (
        '<link name="b"/>' + JOINT.format("floating", "").replace('"a"', '"b"'), "link b is its own ancestor"
    ),
    "macro": (LINKS + JOINT.format("revolute", '<origin xyz="${l} 0 0"/>'), "'${l}' is not a number"),
    "long name": (LINKS.replace('"b"', f'"{"b" * 10**6}"') + JOINT.format("revolute", ""), "shorten it"),
    "negative inertia": (
        LINKS.replace("</inertial>", '<inertia ixx="-1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>')
        + JOINT.format("revolute", ""),
        "joint j moves a negative inertia",
    ),
    "massless": (LINKS.replace('value="1"', 'value="0"') + JOINT.format("revolute", ""), "moves no mass"),
    "point on its axis": (LINKS + JOINT.format("revolute", ""), "moves no mass"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_urdfs_are_refused_in_one_line(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, message = HOSTILE[case]
    path = urdf(tmp_path, body)
    assert run(["robot", str(path), "-o", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert message in said[-1], said
    assert "bug" not in said[-1]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no element found"),
        (b"\0" * 100, "not well-formed"),
        (bytes(range(256)), "not well-formed"),
        (f'<robot name="bot">{LINKS}</robot>'.encode("utf-32"), "not well-formed"),
        (f'<robot name="bot">{LINKS}</robot>'.replace('"a"', '"\xe9"').encode("latin-1"), "not well-formed"),
        (b'<?xml version="1.0" encoding="UTF-16"?><robot/>', "encoding specified in XML declaration"),
        (b"<robot/><robot/>", "junk after document element"),
    ],
    ids=["empty", "zeros", "binary", "UTF-32", "Latin-1", "not UTF-16", "two robots"],
)
def test_files_that_are_not_xml_are_refused_in_one_line(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bot.urdf"
    path.write_bytes(content)
    assert run(["robot", str(path), "-o", str(tmp_path / "out")]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "bot.urdf:1: this is not XML: " in line
    assert message in line


def test_messages_do_not_repeat_a_whole_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bot.urdf"
    path.write_bytes(b"<" + b"r" * 10**6 + b"/>")
    assert run(["robot", str(path), "-o", str(tmp_path / "out")]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "but that of a URDF is <robot>" in line
    assert len(line) < 5000


@pytest.mark.parametrize("encoding", ["rot13", "base64", "idna", "nothing"])
def test_encodings_that_are_not_of_text_are_refused(encoding: str, tmp_path: Path) -> None:
    with pytest.raises(FeatherError, match=r"bot\.urdf: its encoding is none that can be read here"):
        Mechanism.from_urdf(urdf(tmp_path, LINKS, f'<?xml version="1.0" encoding="{encoding}"?>'))


def test_document_types_are_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>\n'
    with pytest.raises(FeatherError, match=r"bot\.urdf:1: it has a document type"):
        Mechanism.from_urdf(urdf(tmp_path, "<link name='&b;'/>", bomb))


def test_a_file_that_never_ends_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bot.urdf")
    with pytest.raises(FeatherError, match=r"bot\.urdf is not a regular file of at most 32 MB"):
        Mechanism.from_urdf(tmp_path / "bot.urdf")


LINES = {
    "missing link": (f"{LINKS}\n" + JOINT.format("revolute", "").replace('"a"', '"c"'), 3),
    "two joints": (f"{LINKS}\n" + JOINT.format("revolute", "") + "\n" + JOINT.format("fixed", ""), 4),
    "two links": (f'{LINKS}\n<link name="b"/>\n' + JOINT.format("revolute", ""), 3),
    "two roots": (f'{LINKS}\n<link name="j"/>\n<link name="k"/>\n' + JOINT.format("revolute", ""), 3),
    "follows nobody": (f"{LINKS}\n" + JOINT.format("revolute", '\n<mimic joint="k"/>'), 3),
    "loop": (
        LINKS + '<link name="r"/>' + JOINT.format("fixed", "").replace('"a"', '"b"').replace('"j"', '"k"'), 2,
    ),
    "actuator": (
        f"{LINKS}\n" + JOINT.format("revolute", '<mimic joint="k"/>') + '\n<transmission><joint name="j"/>'
        "</transmission>", 3,
    ),
}  # fmt: skip
"""Descriptions whose parts do not fit together, with the line of the part at fault."""


@pytest.mark.parametrize("case", LINES)
def test_parts_that_do_not_fit_are_named_with_their_line(case: str, tmp_path: Path) -> None:
    body, line = LINES[case]
    path = urdf(tmp_path, body)
    with pytest.raises(FeatherError) as raised:
        Mechanism.from_urdf(path)
    assert str(raised.value).startswith(f"{path}:{line}: mechanism bot: ")


def test_a_floating_joint_from_the_world_makes_the_base_float(tmp_path: Path) -> None:
    free = '<link name="w"/>' + JOINT.format("floating", "").replace('"a"', '"w"').replace('"b"', '"a"')
    parts = LINKS + JOINT.format("revolute", "").replace('"j"', '"k"')
    robot = Mechanism.from_urdf(urdf(tmp_path, free + parts))
    plain = tmp_path / "plain"
    plain.mkdir()
    assert robot == Mechanism.from_urdf(urdf(plain, parts), floating=True)
    assert robot.notes == ("joint j: the base, link a, floats",)


STONE = (
    '<link name="{}"><inertial><mass value="2"/>'
    '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
)


def test_floating_joints_beside_others_are_slides_and_a_spherical_joint(tmp_path: Path) -> None:
    """The slides are along the axes of the joint's <origin>; a stone that is free falls, turning or not."""
    free = JOINT.format("floating", '<origin xyz="0.1 0 0" rpy="0.3 0 0"/>')
    stones = STONE.format("b") + free + STONE.format("c") + free.replace('"j"', '"k"').replace('"b"', '"c"')
    robot = Mechanism.from_urdf(urdf(tmp_path, '<link name="a"/>' + stones))
    assert robot.notes == ("on slides and a spherical joint, as it moves freely: link b and 1 more",)
    places = ("0.1", 0, 0), ("0.3", 0, 0)
    bodies, joints = free_joints("j", "a", "b", *places)
    others, more = free_joints("k", "a", "c", *places)
    links = [Body("a"), *(Body(name, 2, inertia=(1, 0, 0, 1, 0, 1)) for name in "bc")]
    assert robot == Mechanism("bot", [*links, *bodies, *others], [*joints, *more], gravity=robot.gravity)
    (forward,) = robot_kernels(robot, ["forward_dynamics"])
    v = np.arange(12.0)
    found = values(forward, np.ones(6), [0.6, 0, 0.8, 0], [1, 0, 0, 0], v, np.zeros(12))
    fall = [0, -9.81 * np.sin(0.3), -9.81 * np.cos(0.3)]
    assert found == pytest.approx([*fall, 0, 0, 0, *fall, 0, 0, 0], abs=1e-14)


def test_losses_of_joints_that_move_freely_are_said_not_to_be_modelled(tmp_path: Path) -> None:
    free = JOINT.format("floating", '<dynamics damping="1"/>')
    joint = JOINT.format("revolute", "").replace('"j"', '"k"').replace('"b"', '"c"')
    robot = Mechanism.from_urdf(urdf(tmp_path, LINKS + STONE.format("c") + free + joint))
    assert robot.notes[-1] == "not modelled: <dynamics> of the floating joint j"


def test_impossible_inertias_are_said(tmp_path: Path) -> None:
    moments = '<mass value="1"/><inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/>'
    body = LINKS.replace('<mass value="1"/>', moments) + JOINT.format("revolute", '<dynamics damping="1"/>')
    first, second = Mechanism.from_urdf(urdf(tmp_path, body)).notes
    assert "link b is not a body's inertia" in first
    assert second == "not modelled without --damping: damping of joint j"
    assert Mechanism.from_urdf(tmp_path / "bot.urdf", damping=True).notes == (first,)
    body = body.replace('damping="1"', 'friction="0.1" damping="0.0"')
    note = "not modelled without --friction: friction of joint j"
    assert Mechanism.from_urdf(urdf(tmp_path, body)).notes[1] == note


def test_frames_are_the_ends_of_branches_and_long_names_are_cut() -> None:
    names = [k.name for k in robot_kernels(branches(), ["pose"])]
    assert names == ["branches_pose_foot", "branches_pose_hand"]
    long = "the_frame_of_a_camera_that_looks_along_the_lower_arm"
    joints = [replace(j, child=long) if j.name == "weld" else j for j in branches().joints]
    bodies = [replace(b, name=long) if b.name == "foot" else b for b in branches().bodies]
    (pose, _) = robot_kernels(Mechanism("branches", bodies, joints), ["pose"])
    assert len(pose.name) <= 56
    assert pose.name.endswith("along_the_lower_arm")
    assert long in pose.title


def test_joints_are_numbered_depth_first_and_locked_by_name() -> None:
    mechanism = branches()
    assert [j.name for j in mechanism.moving] == ["hip", "arm", "grip"]
    assert [j.name for j in mechanism.locked("arm").moving] == ["hip", "grip"]
    with pytest.raises(FeatherError, match="no moving joint 'weld'; there are hip, arm, grip"):
        mechanism.locked("weld")


def test_joints_with_one_name_in_c_have_places_of_their_own() -> None:
    called = dict(zip(("hip", "arm", "grip"), ("arm_2", "joints", "Arm.2"), strict=True))
    joints = [replace(j, name=called.get(j.name, j.name)) for j in branches().joints]
    (rnea,) = robot_kernels(Mechanism("branches", branches().bodies, joints), ["rnea"])
    assert rnea.indices == {"ARM_2": 0, "JOINTS_1": 1, "ARM_2_2": 2, "JOINTS": 3}


# C

WORDS = ("int", "class", "M_PI", "errno", "q", "v", "turn", "x0", "3", "a/../b")
ODD = (*WORDS, "*/", "%s\\", "\xe9", "-" * 300)
"""Names of links and joints: words of C and its headers, names of arguments and locals, and no words."""


def test_any_name_that_can_be_read_gives_c(tmp_path: Path) -> None:
    bodies = [Body("base"), *(Body(name, 1, (0, "0.1", 0)) for name in ODD)]
    joints = [Joint(name, "revolute", "base", name, axis=(1, 0, 0)) for name in ODD]
    kernels = robot_kernels(Mechanism("odd", bodies, joints), ["potential_energy", "pose"], WORDS)
    generate(kernels, Options(precisions=("f32",)), tmp_path / "c")
    user = tmp_path / "user.c"
    user.write_text('#include <complex.h>\n#include <errno.h>\n#include <math.h>\n#include "fc.h"\n')
    sources = [str(user), *map(str, sorted((tmp_path / "c").glob("fc_*.c")))]
    run_compiler(["gcc", *STRICT, "-fsyntax-only", f"-I{tmp_path / 'c'}", *sources])


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The potential energy of the arm, generated by the command."""
    place = tmp_path_factory.mktemp("arm") / "c"
    assert run(["robot", str(ARM), "-o", str(place), "-f", "potential_energy", "-p", "f32"]) == 0
    return place


def test_the_header_names_joints_limits_and_gravity(tree: Path) -> None:
    header = (tree / "fc_arm_f32.h").read_text()
    assert "#define FC_ARM_ELBOW 2\n" in header
    assert "#define FC_ARM_JOINTS 5\n" in header
    flat = re.sub(r"\s+\*?\s*", " ", header)
    assert "gravity is 9.81 m/s^2 along -z of base" in flat
    assert "4 reach (prismatic from 0 to 0.12 m, velocity at most 0.5 m/s, effort at most 80 N)" in flat
    assert "[rad; rad; rad; rad; m]" in flat


@pytest.mark.exhaustive
def test_inverse_dynamics_verify(tmp_path: Path) -> None:
    assert run(["robot", str(ARM), "-o", str(tmp_path / "c"), "-f", "rnea", "-p", "f32"]) == 0
    assert run(["verify", str(tmp_path / "c")]) == 0


def test_the_tree_verifies(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(tree), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["proof"] for row in rows} == {"proven"}
    assert all(row["cases"] > 40 for row in rows), rows
    assert run(["check", str(tree), "--model", str(ARM)]) == 0


@pytest.mark.exhaustive
def test_forward_dynamics_is_judged_by_its_inverse(tmp_path: Path) -> None:
    (kernel,) = robot_kernels(branches(), ["forward_dynamics"])
    generate([kernel], Options(precisions=("f32",)), tmp_path / "c")
    compiled = codegen.load(tmp_path / "c")["fc_branches_forward_dynamics_f32"]
    row = check(function(kernel, F32, Options()), compiled, checks=True, count=8)
    assert (row.problems, row.left_out) == ([], [])
    assert row.cases > 12
    assert row.proof == "proven"


def test_a_millimetre_shows_in_diff(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    longer = tmp_path / "arm.urdf"
    longer.write_text(ARM.read_text().replace('xyz="0.3 0 0"', 'xyz="0.301 0 0"'))
    old, new = tmp_path / "old", tmp_path / "new"
    for source, place in ((ARM, old), (longer, new)):
        assert run(["robot", str(source), "-o", str(place), "-f", "potential_energy", "-p", "f64"]) == 0
    capsys.readouterr()
    assert run(["diff", str(old), str(new), "--fail-on", "changed"]) == 1
    said = capsys.readouterr().out
    assert "fc_arm_potential_energy_f64" in said
    cause = "robot arm: joint elbow: xyz: 0.3 0 0 -> 0.301 0 0"
    assert f"\n{cause}\n" in said
    for form in ("markdown", "html", "json"):
        assert run(["diff", str(old), str(new), "--format", form]) == 0
        assert cause in html.unescape(capsys.readouterr().out)
    assert run(["diff", str(old), str(old), "--fail-on", "changed,interface"]) == 0
    shutil.copytree(old, tmp_path / "told")
    shutil.copy(new / "manifest.json", tmp_path / "told")
    capsys.readouterr()
    assert run(["diff", str(old), str(tmp_path / "told"), "--fail-on", "build"]) == 1
    assert "describes the robot arm otherwise, though its functions are the same" in capsys.readouterr().out


def test_a_tree_records_its_robot_and_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place, model = tmp_path / "c", tmp_path / "arm.urdf"
    options = [
        "--floating",
        "--lock",
        "roll",
        "--gravity",
        "1.62",
        "--snap",
        "0",
        "--frame",
        "tip",
        "--name",
        "bot",
        "--armature",
        "elbow=0.02",
        "--damping",
    ]
    wanted = ["-f", "pose", "-p", "f32", "-o", str(place)]
    assert run(["robot", str(ARM), *options, *wanted]) == 0
    (record,) = json.loads((place / "manifest.json").read_text())["robots"]
    robot = Mechanism.from_urdf(ARM, floating=True, gravity="1.62", name="bot", damping=True)
    assert mechanism_of(record) == robot.locked("roll").with_armature(elbow="0.02")
    assert run(["verify", str(place)]) == 0
    for extra in ([], ["--model", str(ARM)]):
        assert run(["check", str(place), *extra]) == 0
    model.write_text(ARM.read_text().replace('xyz="0.3 0 0"', 'xyz="0.301 0 0"'))
    assert run(["check", str(place), "--model", str(model)]) == 1
    capsys.readouterr()


def test_the_command_takes_the_options_of_generate_for_the_form_of_the_c(tmp_path: Path) -> None:
    form = [
        "--license",
        "LicenseRef-Own",
        "--trace",
        "--gitattributes",
        "--layout",
        "header-only",
        "--no-checks",
    ]
    place = tmp_path / "c"
    assert run(["robot", str(ARM), "-f", "potential_energy", "-p", "f32", *form, "-o", str(place)]) == 0
    assert {p.name for p in place.iterdir()} >= {".gitattributes", "trace.json"}
    assert not list(place.glob("fc_*.c"))
    assert (place / "fc_arm_f32.h").read_text().startswith("/* SPDX-License-Identifier: LicenseRef-Own */")
    assert json.loads((place / "manifest.json").read_text())["checks"] is False
    assert run(["check", str(place)]) == 0


def test_damaged_records_of_robots_are_refused(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = json.loads((tree / "manifest.json").read_text())
    (record,) = manifest["robots"]
    damaged = [
        [{}], {}, "arm", [{**record, "bodies": [1]}], [{**record, "joints": [{"name": "j"}]}],
        [{**record, "gravity": "heavy"}], [{**record, "functions": ["dance"]}],
        [{**record, "frames": [[1]]}], [{**record, "locked": [{}]}], [{**record, "functions": [None]}],
        [{**record, "bodies": [{**record["bodies"][0], "mass": ["1", "2"]}]}],
    ]  # fmt: skip
    for robots in damaged:
        place = tmp_path / "c"
        place.mkdir(exist_ok=True)
        (place / "manifest.json").write_text(json.dumps({**manifest, "robots": robots}))
        assert run(["verify", str(place)]) == 2, robots
        assert "manifest.json" in capsys.readouterr().err


@pytest.mark.exhaustive
def test_a_model_file_makes_kernels_of_a_robot(tmp_path: Path) -> None:
    model = tmp_path / "bot.py"
    model.write_text(
        "from codegen.mechanisms import Mechanism, robot_kernels\n"
        f"robot = Mechanism.from_urdf({str(ARM)!r}, floating=True, name='bot').locked('reach')\n"
        "kernels = robot_kernels(robot, ['rnea', 'pose'], frames=['tip'])\n"
    )
    found = load_kernels(model)
    assert list(found) == ["bot_rnea", "bot_pose_tip"]
    assert [a.name for a in found["bot_rnea"].inputs] == ["q_WB", "V_B", "A_B", "q", "v", "a"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-f", "rnea,crb"], "there is no function 'crb' of a robot"),
        (["--frame", "tool_tip"], "there is no link 'tool_tip'"),
        (["--lock", "reached"], "there is no moving joint 'reached'; there are turn"),
        (["--armature", "reached=1"], "there is no moving joint 'reached'; there are turn"),
        (["--armature", "reach"], "--armature reach is not JOINT=VALUE"),
        (["--armature", "reach=-1"], "joint reach: its armature is negative"),
        (["--armature", "reach=x"], "joint reach: armature: 'x' is not a number"),
        (["--snap", "1"], "angles are snapped within 0 to 0.01 rad"),
        (["--snap", "-1"], "angles are snapped within 0 to 0.01 rad"),
        (["--friction", "-1"], "the creep velocity of friction: it is negative (-1)"),
        (["--friction", "low"], "the creep velocity of friction: 'low' is not a number"),
        (["--gravity", "heavy"], "gravity: 'heavy' is not a number"),
        (["--name", "euler"], "the library has a module euler"),
    ],
)
def test_wrong_options_are_refused(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = [] if "-f" in arguments else ["-f", "pose"]
    assert run(["robot", str(ARM), "-o", str(tmp_path / "out"), *few, *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", ["turn", "elbow", "reach"])
def test_a_joint_about_another_axis_is_another_robot(name: str) -> None:
    joints = [replace(j, axis=(0, 3, 4)) if j.name == name else j for j in arm().joints]
    assert forces(tree_of(replace(arm(), joints=joints))) != forces(tree_of(arm()))


MOST = {"jacobian": 47, "gravity_forces": 40, "crba": 97}
"""Operations of functions of the arm."""


@pytest.mark.parametrize("name", sampled(MOST, every=3))
def test_the_arm_takes_few_operations(name: str) -> None:
    (kernel,) = robot_kernels(arm(), [name])
    count = cost(optimise(kernel.program()))
    assert count.mul + count.add + count.div <= MOST[name]
