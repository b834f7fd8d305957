"""Robots of other authors, and the results of Pinocchio and MuJoCo: `make test-robots` installs them."""

from __future__ import annotations

from fractions import Fraction
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import pytest

from codegen.ir.cost import cost
from codegen.mechanisms import Mechanism, robot_kernels
from codegen.passes import optimise
from tests.test_mechanisms import ARM, values

pytestmark = pytest.mark.robots

LOCKED = ("panda_finger_joint1", "panda_finger_joint2")
COUNTS = {
    ("ur_description/urdf/ur5_robot.urdf", ()): {"rnea": 208, "crba": 71, "forward_dynamics": 316},
    ("panda_description/urdf/panda.urdf", LOCKED): {"rnea": 546, "crba": 333, "forward_dynamics": 1070},
}
FLOATING = {
    "go1_description/urdf/go1.urdf": {"rnea": 1305, "crba": 550},
    "anymal_c_simple_description/urdf/anymal.urdf": {"rnea": 1305, "crba": 543},
}


def robot(name: str) -> Path:
    """A description of example-robot-data."""
    data = distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data/robots")
    return Path(str(data)) / name


@pytest.mark.parametrize(("name", "locked"), COUNTS)
def test_operations_stay_few(name: str, locked: tuple[str, ...]) -> None:
    mechanism = Mechanism.from_urdf(robot(name)).locked(*locked)
    most = COUNTS[name, locked]
    for kernel, limit in zip(robot_kernels(mechanism, most), most.values(), strict=True):
        count = cost(optimise(kernel.program()))
        assert count.mul + count.add + count.div <= limit, kernel.name


@pytest.mark.parametrize("name", FLOATING)
def test_operations_of_quadrupeds_stay_few(name: str) -> None:
    mechanism = Mechanism.from_urdf(robot(name), floating=True)
    for kernel, limit in zip(robot_kernels(mechanism, FLOATING[name]), FLOATING[name].values(), strict=True):
        count = cost(optimise(kernel.program()))
        assert count.mul + count.add + count.div <= limit, kernel.name


@pytest.mark.parametrize("name", [*(name for name, _ in COUNTS), "z1_description/urdf/z1.urdf"])
def test_results_are_those_of_pinocchio(name: str) -> None:
    import pinocchio

    path = robot(name)
    mechanism = Mechanism.from_urdf(path)
    rnea, crba, forward = robot_kernels(mechanism, ["rnea", "crba", "forward_dynamics"], snap=Fraction(0))
    model = pinocchio.buildModelFromUrdf(str(path))
    data = model.createData()
    assert [str(n) for n in model.names][1:] == [j.name for j in mechanism.moving]
    rng = np.random.default_rng(16)
    for _ in range(20):
        q, v, a = rng.standard_normal((3, model.nq))
        tau = pinocchio.rnea(model, data, q, v, a)
        M = np.triu(pinocchio.crba(model, data, q))
        assert np.abs(values(rnea, q, v, a) - tau).max() < 1e-12 * max(1, np.abs(tau).max())
        assert np.abs(values(crba, q) - M[np.triu_indices(model.nq)]).max() < 1e-12
        assert np.abs(values(forward, q, v, tau) - a).max() < 1e-9


def test_results_are_those_of_mujoco() -> None:
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(ARM))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT  # the ends of joints
    data = mujoco.MjData(model)
    rnea, crba = robot_kernels(Mechanism.from_urdf(ARM), ["rnea", "crba"])
    full = np.zeros((5, 5))
    rng = np.random.default_rng(4)
    for _ in range(20):
        data.qpos, data.qvel, data.qacc = motion = rng.standard_normal((3, 5))
        mujoco.mj_inverse(model, data)
        assert np.abs(values(rnea, *motion) - data.qfrc_inverse).max() < 1e-12
        mujoco.mj_forward(model, data)
        for column, unit in zip(full, np.eye(5), strict=True):
            mujoco.mj_mulM(model, data, column, unit)
        assert np.abs(values(crba, motion[0]) - full[np.triu_indices(5)]).max() < 1e-12
