"""Base parameters of robots: as few as the rank of the regressor, and the same joint forces."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from codegen.mechanisms import Mechanism, robot_kernels
from codegen.mechanisms.definition.reference import base_of
from codegen.mechanisms.description.exact import SNAP
from codegen.mechanisms.kernels.base_parameters import BaseParameters
from codegen.mechanisms.kernels.functions import kernels_of
from codegen.mechanisms.kernels.regressor import moving_links
from codegen.mechanisms.kernels.robot import Robot
from codegen.proof.proof import prove
from tests.test_joint_types import pair
from tests.test_mechanisms import ARM, EXHAUSTIVE, branches, chain, values

ROBOTS: dict[str, tuple[Callable[[], Mechanism], int]] = {
    "arm": (lambda: Mechanism.from_urdf(ARM), 26),
    "branches": (branches, 7),
    "floating": (lambda: branches(True), 28),
    "chain": (chain, 17),
    **{name: (partial(pair, name), 12) for name in ("spherical", "helical", "universal", "planar")},
}
"""Mechanisms, and how many base parameters they have: the rank of the regressor, by singular values."""

UR5 = 36
"""Of a robot like the PUMA 560, whose first axis is vertical (Gautier and Khalil 1990)."""


def states(robot: Robot, count: int) -> list[dict[str, Any]]:
    """Random motions of a robot, by the names of the arguments of inverse dynamics."""
    rng = np.random.default_rng(16)
    names = robot.arguments.named("q_WB", "V_B", "A_B", "q", "v", "a")
    found = [{a.name: rng.standard_normal(a.size) for a in names} for _ in range(count)]
    for state in found:
        for name in state:
            if name == "q_WB" or name.startswith("q_"):
                state[name] /= np.linalg.norm(state[name])
    return found


def matrix(robot: Robot, state: dict[str, Any]) -> Any:
    """The regressor of all parameters of the links, by virtual work."""
    given = robot.arguments.described(list(state), list(state.values()))
    of_base: dict[str, Any] = {n: x for n, x in given.items() if n in ("q_WB", "V_B", "A_B")}
    q, v, a = (given[n] for n in "qva")
    Y = robot.definition.regressor(q, v, a, base_of(of_base, q[0]), moving_links(robot.mechanism))
    return np.array(Y if of_base else Y[6:], dtype=float)


QUICK = ("branches", "helical")


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=EXHAUSTIVE) for n in ROBOTS])
def test_base_parameters_are_as_many_as_the_rank_and_give_the_same_forces(name: str) -> None:
    build, count = ROBOTS[name]
    robot = Robot(build(), SNAP)
    by_base, parameters = kernels_of(robot, ["base_regressor", "base_parameters"])
    moving = states(robot, 30)
    whole = [matrix(robot, state) for state in moving]
    parts = [
        np.reshape(values(by_base, *state.values()), (len(Y), -1))
        for state, Y in zip(moving, whole, strict=True)
    ]
    for stacked in (np.vstack(whole), np.vstack(parts)):
        scale = np.linalg.norm(stacked, axis=0)
        felt = scale > 1e-12 * scale.max()
        sizes = np.linalg.svd(stacked[:, felt] / scale[felt], compute_uv=False)
        assert sum(sizes > 1e-9 * sizes[0]) == count
        assert not sum((sizes < 1e-5 * sizes[0]) & (sizes > 1e-13 * sizes[0]))
    assert parts[0].shape[1] == count
    pi = np.random.default_rng(1).standard_normal(whole[0].shape[1])
    beta = values(parameters, pi)
    for Y, Y_b in zip(whole, parts, strict=True):
        assert Y_b @ beta == pytest.approx(Y @ pi, rel=1e-9, abs=1e-9)


@EXHAUSTIVE
@pytest.mark.parametrize("name", ROBOTS)
def test_base_parameters_and_their_regressor_are_proven(name: str) -> None:
    build, _ = ROBOTS[name]
    for kernel in robot_kernels(build(), ["base_regressor", "base_parameters"]):
        proof = prove(kernel)
        assert (proof.status, "reference" in proof.ways) == ("proven", True), kernel.name


@pytest.mark.robots
def test_an_arm_with_six_axes_has_as_many_base_parameters_as_is_published() -> None:
    from tests.test_outside_robots import robot

    path = robot("ur_description/urdf/ur5_robot.urdf")
    assert len(BaseParameters(Robot(Mechanism.from_urdf(path), SNAP)).base_set.kept) == UR5
