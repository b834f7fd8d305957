"""Robots of other authors, and the results of Pinocchio and MuJoCo: `make test-robots` installs them."""

from __future__ import annotations

from fractions import Fraction
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import codegen
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.ir.cost import cost
from codegen.measure.static import assembly, static
from codegen.measure.targets import TARGETS, compilable
from codegen.mechanisms import Mechanism, robot_kernels
from codegen.mechanisms.description.inputs import Inputs
from codegen.mechanisms.kernels.arguments import Arguments, identifier
from codegen.mechanisms.kernels.layouts import IN_LOOPS, LIMBS
from codegen.mechanisms.trees.tree import tree_of
from codegen.passes import optimise
from codegen.passes.pipeline import optimised_loops
from codegen.tree.write import generate
from tests.test_joint_types import SOLID, pair
from tests.test_mechanisms import ARM, values
from tests.test_mjcf import BEAST, mjcf

pytestmark = pytest.mark.robots

LOCKED = ("panda_finger_joint1", "panda_finger_joint2")
COUNTS = {
    ("ur_description/urdf/ur5_robot.urdf", ()): {
        "rnea": 201, "crba": 71, "forward_dynamics": 287, "rnea_derivatives": 585,
    },
    ("panda_description/urdf/panda.urdf", LOCKED): {
        "rnea": 537, "crba": 333, "forward_dynamics": 1044, "rnea_derivatives": 2762,
    },
}  # fmt: skip
FLOATING = {
    "go1_description/urdf/go1.urdf": {
        "rnea": 1241,
        "crba": 517,
        "forward_dynamics": 2388,
        "rnea_derivatives": 3539,
    },
    "anymal_c_simple_description/urdf/anymal.urdf": {
        "rnea": 1241,
        "crba": 511,
        "forward_dynamics": 2387,
        "rnea_derivatives": 3538,
    },
    "talos_data/robots/talos_reduced.urdf": {
        "rnea": 3316,
        "crba": 3025,
        "forward_dynamics": 7574,
        "rnea_derivatives": 19771,
    },
}


def robot(name: str) -> Path:
    """A description of example-robot-data."""
    data = distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data/robots")
    return Path(str(data)) / name


REFUSED = {
    "alex_psyonic_hands.urdf": "joint Left_index_q2 follows index_q1, but there is no such joint",
    "iris_simple.urdf": "it has no joint that moves",
    "quadrotor_base.urdf": "it has no joint that moves",
    "ur3.urdf": "it has no link",
}


def test_descriptions_are_read_or_refused_with_a_reason() -> None:
    """What `python -m benchmarks.robots` generates and proves, which takes hours."""
    refused = {}
    for path in (paths := sorted(robot("").rglob("*.urdf"))):
        try:
            tree_of(Mechanism.from_urdf(path))
        except FeatherError as error:
            refused[path.name] = str(error)
    assert refused.keys() == REFUSED.keys()
    assert all(REFUSED[name] in reason for name, reason in refused.items())
    assert len(paths) - len(refused) >= 64


@pytest.mark.parametrize(("name", "locked"), COUNTS)
def test_operations_stay_few(name: str, locked: tuple[str, ...]) -> None:
    mechanism = Mechanism.from_urdf(robot(name)).locked(*locked)
    most = COUNTS[name, locked]
    for kernel, limit in zip(robot_kernels(mechanism, most), most.values(), strict=True):
        count = cost(optimise(kernel.program()))
        assert count.mul + count.add + count.div <= limit, kernel.name


@pytest.mark.parametrize("name", FLOATING)
def test_operations_on_floating_bases_stay_few(name: str) -> None:
    mechanism = Mechanism.from_urdf(robot(name), floating=True)
    for kernel, limit in zip(robot_kernels(mechanism, FLOATING[name]), FLOATING[name].values(), strict=True):
        count = cost(optimise(kernel.program()))
        assert count.mul + count.add + count.div <= limit, kernel.name


def test_a_loop_over_the_legs_of_a_quadruped_takes_hardly_more_operations() -> None:
    mechanism = Mechanism.from_urdf(robot("go1_description/urdf/go1.urdf"), floating=True)
    (kernel,) = robot_kernels(mechanism, ["rnea"], layout="limbs")
    looped = optimised_loops(kernel, True)
    assert looped is not None
    costs = [(cost(part.program), part.turns or 1) for part in looped.parts]
    assert sum((c.mul + c.add + c.div) * turns for c, turns in costs) <= 1269


def test_a_quadruped_has_loops_over_its_legs_and_an_arm_straight_lines() -> None:
    legged = Mechanism.from_urdf(robot("go1_description/urdf/go1.urdf"), floating=True)
    kernels = robot_kernels(legged, [*IN_LOOPS[LIMBS], "com"], layout="auto")
    in_loops = [kernel.name for kernel in kernels if kernel.loops() is not None]
    assert {*in_loops} == {f"go1_{function}" for function in IN_LOOPS[LIMBS]}
    arm = Mechanism.from_urdf(robot("ur_description/urdf/ur5_robot.urdf"))
    assert all(k.loops() is None and not k.notes for k in robot_kernels(arm, IN_LOOPS[LIMBS], layout="auto"))


def test_a_loop_over_the_legs_of_a_quadruped_takes_little_flash_and_stack(tmp_path: Path) -> None:
    target = TARGETS["m4f"]
    if not compilable(target):
        pytest.skip("the compiler for the Cortex-M4F is not installed")
    mechanism = Mechanism.from_urdf(robot("go1_description/urdf/go1.urdf"), floating=True)
    generate(robot_kernels(mechanism, ["rnea"], layout="limbs"), Options(precisions=("f32",)), tmp_path / "c")
    assembled = assembly([*(tmp_path / "c").glob("fc_*_f32.c")], tmp_path / "c", target, tmp_path)
    found = static(assembled, target)["fc_go1_rnea_f32"]
    assert found.flash <= 3000
    assert found.stack is not None
    assert found.stack <= 250


@pytest.mark.parametrize("name", [*(name for name, _ in COUNTS), "z1_description/urdf/z1.urdf"])
def test_results_are_those_of_pinocchio(name: str) -> None:
    import pinocchio

    path = robot(name)
    mechanism = Mechanism.from_urdf(path)
    rnea, crba, forward = robot_kernels(mechanism, ["rnea", "crba", "forward_dynamics"], snap=Fraction(0))
    model = pinocchio.buildModelFromUrdf(str(path), mimic=True)
    data = model.createData()
    assert [str(n) for n in model.names][1:] == [j.name for j in mechanism.ordered if j.moves]
    rng = np.random.default_rng(16)
    for _ in range(20):
        q, v, a = rng.standard_normal((3, model.nv))
        tau = pinocchio.rnea(model, data, q, v, a)
        M = np.triu(pinocchio.crba(model, data, q))
        assert np.abs(values(rnea, q, v, a) - tau).max() < 1e-12 * max(1, np.abs(tau).max())
        assert np.abs(values(crba, q) - M[np.triu_indices(model.nv)]).max() < 1e-12
        assert np.abs(values(forward, q, v, tau) - a).max() < 1e-9


TEN = {
    "ur5": "ur_description/urdf/ur5_robot.urdf",
    "panda": "panda_description/urdf/panda.urdf",
    "z1": "z1_description/urdf/z1.urdf",
    "kinova": "kinova_description/robots/kinova.urdf",
    "xarm7": "xarm_description/urdf/xarm7.urdf",
    "go1": "go1_description/urdf/go1.urdf",
    "anymal": "anymal_c_simple_description/urdf/anymal.urdf",
    "hyq": "hyq_description/robots/hyq_no_sensors.urdf",
    "solo12": "solo_description/robots/solo12.urdf",
    "talos": "talos_data/robots/talos_reduced.urdf",
}
ON_LEGS = ("go1", "anymal", "hyq", "solo12", "talos")


@pytest.mark.parametrize("name", TEN)
def test_compiled_functions_agree_with_pinocchio_at_a_thousand_states(name: str, tmp_path: Path) -> None:
    """Forward dynamics is judged by the forces of its accelerations: these are given to 1e-12."""
    floats, path = name in ON_LEGS, robot(TEN[name])
    mechanism = Mechanism.from_urdf(path, floating=floats, name=name)
    peer = Peer(path, mechanism)
    kernels = robot_kernels(mechanism, ["rnea", "crba", "forward_dynamics"], snap=Fraction(0))
    generate(kernels, Options(precisions=("f64",), interface="array"), tmp_path / "c")
    library, rng = codegen.load(tmp_path / "c"), np.random.default_rng(16)
    rnea, crba, forward = (library[f"fc_{k.name}_f64"] for k in kernels)
    for _ in range(1000):
        q = rng.uniform(-np.pi, np.pi, mechanism.count)
        v, a = rng.standard_normal((2, mechanism.count + 6 * floats))
        attitude = rng.standard_normal(4)
        attitude /= np.linalg.norm(attitude)
        tau, M = peer.dynamics(attitude, q, v, a)
        bases = [[x[:6]] * floats for x in (v, a, tau)]
        at, joints = [attitude] * floats, [x[6 * floats :] for x in (v, a, tau)]
        found = flat(rnea(*at, *bases[0], *bases[1], q, *joints[:2]))
        scale = max(1, np.abs(tau).max())
        assert np.abs(found - tau).max() < 1e-12 * scale
        assert np.abs(flat(crba(q)) - M).max() < 1e-12 * max(1, np.abs(M).max())
        caused = flat(forward(*at, *bases[0], q, joints[0], joints[2], *bases[2]))
        again = rnea(*at, *bases[0], *[caused[:6]] * floats, q, joints[0], caused[6 * floats :])
        assert np.abs(flat(again) - tau).max() < 1e-12 * scale


@pytest.mark.parametrize("name", ["ur5", "panda", "kinova", "xarm7"])
def test_mass_matrices_with_loops_over_joints_are_those_of_pinocchio(name: str, tmp_path: Path) -> None:
    path = robot(TEN[name])
    mechanism = Mechanism.from_urdf(path, name=name)
    (kernel,) = robot_kernels(mechanism, ["crba"], layout="joints", snap=Fraction(0))
    assert kernel.loops() is not None
    generate([kernel], Options(), tmp_path / "c")
    peer, still, rng = Peer(path, mechanism), np.zeros(mechanism.count), np.random.default_rng(12)
    for precision, eps in (("f64", 2.3e-16), ("f32", 1.2e-7)):
        crba = codegen.load(tmp_path / "c")[f"fc_{kernel.name}_{precision}"]
        for q in rng.standard_normal((50, mechanism.count)):
            _, M = peer.dynamics(None, q, still, still)
            assert np.abs(flat(crba(q)) - M).max() < 50 * eps * np.abs(M).max()


@pytest.mark.parametrize("name", ["ur5", "xarm7"])
def test_derivatives_with_loops_over_joints_are_those_of_pinocchio(name: str, tmp_path: Path) -> None:
    import pinocchio

    mechanism = Mechanism.from_urdf(robot(TEN[name]), name=name)
    (kernel,) = robot_kernels(mechanism, ["rnea_derivatives"], layout="joints", snap=Fraction(0))
    assert kernel.loops() is not None
    generate([kernel], Options(), tmp_path / "c")
    model = pinocchio.buildModelFromUrdf(str(robot(TEN[name])))
    assert model.nq == model.nv == mechanism.count
    data, rng = model.createData(), np.random.default_rng(13)
    for precision, eps in (("f64", 2.3e-16), ("f32", 1.2e-7)):
        derivatives = codegen.load(tmp_path / "c")[f"fc_{kernel.name}_{precision}"]
        for q, v, a in rng.standard_normal((50, 3, mechanism.count)):
            by_q, by_v, _ = pinocchio.computeRNEADerivatives(model, data, q, v, a)
            for found, expected in zip(derivatives(q, v, a), (by_q, by_v), strict=True):
                scale = max(1, np.abs(expected).max())
                assert np.abs(np.reshape(found, expected.shape) - expected).max() < 200 * eps * scale


def flat(results: Any) -> Any:
    """The results of a compiled function in one array."""
    parts = results if isinstance(results, tuple) else (results,)
    return np.concatenate([np.ravel(part) for part in parts])


class Peer:
    """Pinocchio's model of a robot, with our order of coordinates: a floating base first, angular first."""

    def __init__(self, path: Path, mechanism: Mechanism) -> None:
        import pinocchio

        base = [pinocchio.JointModelFreeFlyer()] * mechanism.floating
        self.floats = mechanism.floating
        self.model = pinocchio.buildModelFromUrdf(str(path), *base, mimic=True)
        self.data = self.model.createData()
        self.joints = [self.model.joints[self.model.getJointId(j.name)] for j in mechanism.moving]
        self.order = [3, 4, 5, 0, 1, 2] * self.floats + [j.idx_v for j in self.joints]

    def dynamics(self, attitude: Any, q: Any, v: Any, a: Any) -> tuple[Any, Any]:
        """The joint forces, and the upper triangle of the mass matrix."""
        import pinocchio

        at = pinocchio.neutral(self.model)
        if self.floats:
            at[3:7] = np.roll(attitude, -1)
        for joint, angle in zip(self.joints, q, strict=True):
            at[joint.idx_q : joint.idx_q + joint.nq] = (
                angle if joint.nq == 1 else (np.cos(angle), np.sin(angle))
            )
        rates, gains = np.zeros((2, self.model.nv))
        rates[self.order], gains[self.order] = v, a
        tau = pinocchio.rnea(self.model, self.data, at, rates, gains)[self.order]
        M = np.triu(pinocchio.crba(self.model, self.data, at))
        full = (M + np.triu(M, 1).T)[np.ix_(self.order, self.order)]
        return tau, full[np.triu_indices(self.model.nv)]


@pytest.mark.parametrize(("name", "frame"), [("ur5", "tool0"), ("z1", "link06"), ("xarm7", "link7")])
def test_motions_momentum_and_energies_are_those_of_pinocchio(name: str, frame: str) -> None:
    """Pinocchio's vectors have their linear part first."""
    import pinocchio

    path = robot(TEN[name])
    mechanism = Mechanism.from_urdf(path)
    quantities = ("pose", "twist", "acceleration", "com", "momentum", "momentum_matrix", "kinetic_energy",
                  "potential_energy")  # fmt: skip
    jacobians = ("jacobian", "jacobian_local", "jacobian_spatial")
    made = robot_kernels(mechanism, [*quantities, *jacobians, *(f"{j}_rate" for j in jacobians)], [frame], 0)
    kernels = {k.name.removeprefix(f"{k.module}_").removesuffix(f"_{identifier(frame)}"): k for k in made}
    model = pinocchio.buildModelFromUrdf(str(path), mimic=True)
    data, at, rng = model.createData(), model.getFrameId(frame), np.random.default_rng(18)
    first = [3, 4, 5, 0, 1, 2]
    for _ in range(5):
        q, v, a = rng.standard_normal((3, mechanism.count))

        def own(name: str, *given: Any) -> Any:
            return values(kernels[name], *given)

        pinocchio.computeJointJacobiansTimeVariation(model, data, q, v)
        pinocchio.forwardKinematics(model, data, q, v, a)
        pinocchio.updateFramePlacements(model, data)
        there = data.oMf[at]
        assert own("pose", q) == pytest.approx([*there.rotation.ravel(), *there.translation], abs=1e-12)
        local, aligned, world = (
            getattr(pinocchio.ReferenceFrame, n) for n in ("LOCAL", "LOCAL_WORLD_ALIGNED", "WORLD")
        )
        for which, kind in zip(jacobians, (aligned, local, world), strict=True):
            J = pinocchio.getFrameJacobian(model, data, at, kind)[first]
            dJ = pinocchio.getFrameJacobianTimeVariation(model, data, at, kind)[first]
            assert own(which, q) == pytest.approx(J.ravel(), abs=1e-12), which
            assert own(f"{which}_rate", q, v) == pytest.approx(dJ.ravel(), abs=1e-11), which
        twist = pinocchio.getFrameVelocity(model, data, at, local).vector[first]
        spatial = pinocchio.getFrameAcceleration(model, data, at, local).vector[first]
        assert own("twist", q, v) == pytest.approx(twist, abs=1e-12)
        assert own("acceleration", q, v, a) == pytest.approx(spatial, abs=1e-11)
        assert own("com", q) == pytest.approx(pinocchio.centerOfMass(model, data, q), abs=1e-12)
        momentum = pinocchio.computeCentroidalMomentum(model, data, q, v).vector[first]
        assert own("momentum", q, v) == pytest.approx(momentum, abs=1e-11)
        matrix = pinocchio.computeCentroidalMap(model, data, q)[first]
        assert own("momentum_matrix", q) == pytest.approx(matrix.ravel(), abs=1e-11)
        energy = pinocchio.computeKineticEnergy(model, data, q, v)
        assert own("kinetic_energy", q, v) == pytest.approx(energy, rel=1e-12)
        energy = pinocchio.computePotentialEnergy(model, data, q)
        assert own("potential_energy", q) == pytest.approx(energy, rel=1e-12)


@pytest.mark.parametrize("name", TEN)
def test_limits_are_those_of_pinocchio(name: str) -> None:
    import pinocchio

    mechanism = Mechanism.from_urdf(robot(TEN[name]))
    model = pinocchio.buildModelFromUrdf(str(robot(TEN[name])), mimic=True)
    joints = [model.joints[model.getJointId(j.name)] for j in mechanism.moving]
    limits = Arguments(mechanism).limits
    peers = {"Q_MIN": model.lowerPositionLimit, "Q_MAX": model.upperPositionLimit,
             "V_MAX": model.upperVelocityLimit, "TAU_MAX": model.upperEffortLimit}  # fmt: skip
    for limited, theirs in peers.items():
        for k, joint in enumerate(joints):
            x = limits[limited].values[k]
            if x is not None and joint.nq == joint.nv:
                at = joint.idx_q if limited.startswith("Q") else joint.idx_v
                assert float(x) == pytest.approx(theirs[at], rel=1e-15)


def test_external_wrenches_and_gravity_are_those_of_pinocchio() -> None:
    import pinocchio

    path, link = robot("ur_description/urdf/ur5_robot.urdf"), "wrist_2_link"
    mechanism = Mechanism.from_urdf(path).with_inputs(Inputs(gravity=True, forces=(link,)))
    (rnea,) = robot_kernels(mechanism, ["rnea"], snap=Fraction(0))
    model = pinocchio.buildModelFromUrdf(str(path))
    data, rng, frame = model.createData(), np.random.default_rng(2), model.frames[model.getFrameId(link)]
    for _ in range(20):
        (q, v, a), wrench = rng.standard_normal((3, model.nv)), rng.standard_normal(6)
        model.gravity.linear = g = rng.standard_normal(3)
        pushes = [pinocchio.Force.Zero() for _ in model.joints]
        pushes[frame.parentJoint] = frame.placement.act(pinocchio.Force(wrench[3:], wrench[:3]))
        tau = pinocchio.rnea(model, data, q, v, a, pushes)
        assert np.abs(values(rnea, q, v, a, g, wrench) - tau).max() < 1e-12 * max(1, np.abs(tau).max())


def test_mjcf_files_are_read_as_by_mujoco(tmp_path: Path) -> None:
    import mujoco

    path = mjcf(tmp_path, BEAST.format("").replace('<geom type="mesh" mass="0"/>', ""))
    rnea, crba = robot_kernels(Mechanism.from_mjcf(path, damping=True), ["rnea", "crba"])
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_SPRING
    data, rng, n = mujoco.MjData(model), np.random.default_rng(3), model.nv
    full = np.zeros((n, n))
    for _ in range(20):
        q, (v, a) = rng.standard_normal(model.nq), rng.standard_normal((2, n))
        q[3:] /= np.linalg.norm(q[3:])
        data.qpos, data.qvel, data.qacc = q, v, a
        mujoco.mj_inverse(model, data)
        assert np.abs(values(rnea, q[:3], q[3:], v, a) - data.qfrc_inverse).max() < 1e-12
        for column, unit in zip(full, np.eye(n), strict=True):
            mujoco.mj_mulM(model, data, column, unit)
        assert np.abs(values(crba, q[:3], q[3:]) - full[np.triu_indices(n)]).max() < 1e-12


SWARM = """<mujoco><worldbody>
<body name="a" pos="0 0 1"><freejoint/><inertial pos="0.1 0 0.2" mass="1" diaginertia="0.1 0.2 0.25"/>
  <body name="tail" pos="0.1 0.2 0"><joint name="j" axis="0 1 1"/>
    <inertial pos="0.1 0 0" mass="0.5" diaginertia="0.01 0.02 0.02"/></body></body>
<body name="b"><joint type="free" name="fly"/><inertial pos="0 0 0" mass="2" diaginertia="1 2 2"/></body>
<body name="door"><joint axis="0 0 1"/><inertial pos="0.4 0 0" mass="9" diaginertia="1 2 2"/></body>
</worldbody></mujoco>"""
"""Two bodies that move freely, one of them with another body on it, beside one on a joint."""


def test_bodies_that_move_freely_beside_others_are_those_of_mujoco(tmp_path: Path) -> None:
    import mujoco

    path = mjcf(tmp_path, SWARM)
    rnea, crba = robot_kernels(Mechanism.from_mjcf(path), ["rnea", "crba"])
    model = mujoco.MjModel.from_xml_path(str(path))
    data, rng, n = mujoco.MjData(model), np.random.default_rng(3), model.nv
    full = np.zeros((n, n))
    for _ in range(20):
        q, (v, a) = rng.standard_normal(model.nq), rng.standard_normal((2, n))
        for ball in (q[3:7], q[11:15]):
            ball /= np.linalg.norm(ball)
        own = [np.concatenate([q[:3], q[7:11], q[15:]]), q[3:7], q[11:15]]
        data.qpos, data.qvel, data.qacc = q, v, a
        mujoco.mj_inverse(model, data)
        tau = data.qfrc_inverse
        assert np.abs(values(rnea, *own, v, a) - tau).max() < 1e-12 * max(1, np.abs(tau).max())
        for column, unit in zip(full, np.eye(n), strict=True):
            mujoco.mj_mulM(model, data, column, unit)
        assert np.abs(values(crba, *own) - full[np.triu_indices(n)]).max() < 1e-12


def test_derivatives_are_those_of_pinocchio() -> None:
    import pinocchio

    path = robot("panda_description/urdf/panda.urdf")
    (slopes,) = robot_kernels(
        Mechanism.from_urdf(path).locked(*LOCKED[:1]), ["rnea_derivatives"], snap=Fraction(0)
    )
    whole = pinocchio.buildModelFromUrdf(str(path))
    model = pinocchio.buildReducedModel(whole, [whole.getJointId(n) for n in LOCKED], np.zeros(whole.nq))
    data, rng, n = model.createData(), np.random.default_rng(10), model.nv
    for _ in range(20):
        q, v, a = rng.standard_normal((3, n))
        by_q, by_v, _ = pinocchio.computeRNEADerivatives(model, data, q, v, a)
        found = values(slopes, q, v, a).reshape(2, n, n)
        assert np.abs(found - np.array([by_q, by_v])).max() < 1e-11


def test_derivatives_of_forward_dynamics_are_those_of_pinocchio() -> None:
    import pinocchio

    path = robot("ur_description/urdf/ur5_robot.urdf")
    names = ["forward_dynamics_derivatives", "momentum_matrix"]
    slopes, momentum = robot_kernels(Mechanism.from_urdf(path), names, snap=Fraction(0))
    model = pinocchio.buildModelFromUrdf(str(path))
    data, rng, n = model.createData(), np.random.default_rng(11), model.nv
    for _ in range(20):
        q, v, tau = rng.standard_normal((3, n))
        by_q, by_v, by_tau = pinocchio.computeABADerivatives(model, data, q, v, tau)
        expected = [by_q.ravel(), by_v.ravel(), by_tau[np.triu_indices(n)]]
        found = values(slopes, q, v, tau)[n:]
        for part, peer in zip(np.split(found, np.cumsum([n * n, n * n])), expected, strict=True):
            assert np.abs(part - peer).max() < 1e-10 * max(1, np.abs(peer).max())
        A = pinocchio.computeCentroidalMap(model, data, q)
        assert np.abs(values(momentum, q).reshape(6, n) - A[[3, 4, 5, 0, 1, 2]]).max() < 1e-12


def test_followers_are_those_of_pinocchio() -> None:
    import pinocchio

    path = robot("panda_description/urdf/panda.urdf")
    rnea, forward = robot_kernels(Mechanism.from_urdf(path), ["rnea", "forward_dynamics"], snap=Fraction(0))
    model = pinocchio.buildModelFromUrdf(str(path), mimic=True)
    data, rng = model.createData(), np.random.default_rng(8)
    for _ in range(20):
        q, v, a = rng.standard_normal((3, model.nv))
        tau = pinocchio.rnea(model, data, q, v, a)
        assert np.abs(values(rnea, q, v, a) - tau).max() < 1e-12 * max(1, np.abs(tau).max())
        assert np.abs(values(forward, q, v, tau) - a).max() < 1e-9


def in_pinocchio(name: str) -> Any:
    """The model of a joint that turns, and one of this type after it."""
    import pinocchio

    described, model = pair(name), pinocchio.Model()
    model.gravity.linear[2] = -9.81
    along = np.array([1, 2, 2]) / 3
    kinds = {
        "spherical": pinocchio.JointModelSpherical(),
        "helical": pinocchio.JointModelHelicalUnaligned(along, 0.05),
        "universal": pinocchio.JointModelUniversal(along, np.array([0.0, 0, 1])),
    }
    xx, xy, xz, yy, yz, zz = map(float, SOLID)
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    parent = 0
    for joint, kind in zip(described.joints, [pinocchio.JointModelRY(), kinds[name]], strict=True):
        rpy, xyz = (np.array(x, float) for x in (joint.rpy, joint.xyz))
        at = pinocchio.SE3(pinocchio.rpy.rpyToMatrix(rpy), xyz)
        parent = model.addJoint(parent, kind, at, joint.name)
        body = described.body(joint.child)
        inertia = pinocchio.Inertia(float(body.m), np.array(body.centre, float), J)
        model.appendBodyToJoint(parent, inertia, pinocchio.SE3.Identity())
    return model


def test_derivatives_by_turns_of_a_ball_are_those_of_pinocchio() -> None:
    import pinocchio

    functions = ["rnea_derivatives", "forward_dynamics_derivatives"]
    inverse, forward = robot_kernels(pair("spherical"), functions, snap=Fraction(0))
    model = in_pinocchio("spherical")
    data, rng, n = model.createData(), np.random.default_rng(14), model.nv
    for _ in range(20):
        q = pinocchio.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq))
        own, (v, a) = [q[:1], np.roll(q[1:], 1)], rng.standard_normal((2, n))
        by_q, by_v, _ = pinocchio.computeRNEADerivatives(model, data, q, v, a)
        found = values(inverse, *own, v, a).reshape(2, n, n)
        assert np.abs(found - np.array([by_q, by_v])).max() < 1e-11
        tau = pinocchio.rnea(model, data, q, v, a)
        by_q, by_v, by_tau = pinocchio.computeABADerivatives(model, data, q, v, tau)
        expected = np.concatenate([a, by_q.ravel(), by_v.ravel(), by_tau[np.triu_indices(n)]])
        assert np.abs(values(forward, *own, v, tau) - expected).max() < 1e-10 * np.abs(expected).max()


@pytest.mark.parametrize("name", ["spherical", "helical", "universal"])
def test_joint_types_are_those_of_pinocchio(name: str) -> None:
    import pinocchio

    kernels = robot_kernels(pair(name), ["rnea", "crba", "forward_dynamics"], snap=Fraction(0))
    model = in_pinocchio(name)
    data, rng = model.createData(), np.random.default_rng(9)
    for _ in range(20):
        q = pinocchio.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq))
        v, a = rng.standard_normal((2, model.nv))
        own = [q[:1], np.roll(q[1:], 1)] if name == "spherical" else [q]
        tau = pinocchio.rnea(model, data, q, v, a)
        M = np.triu(pinocchio.crba(model, data, q))
        rnea, crba, forward = kernels
        assert np.abs(values(rnea, *own, v, a) - tau).max() < 1e-12 * max(1, np.abs(tau).max())
        assert np.abs(values(crba, *own) - M[np.triu_indices(model.nv)]).max() < 1e-12
        assert np.abs(values(forward, *own, v, tau) - a).max() < 1e-10


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


@pytest.mark.parametrize("name", ["ur5", "z1", "kinova", "xarm7", "solo12", "talos"])
def test_mujoco_agrees_where_it_reads_the_same_robot(name: str) -> None:
    """It refuses inertias of go1, anymal and hyq, and has no joint that follows another, as panda does."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(without_shapes(robot(TEN[name])))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    model.dof_damping[:] = 0
    mechanism = Mechanism.from_urdf(robot(TEN[name]), name=name)
    rnea, crba = robot_kernels(mechanism, ["rnea", "crba"], snap=Fraction(0))
    order = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, j.name) for j in mechanism.moving]
    data, rng, n = mujoco.MjData(model), np.random.default_rng(4), model.nv
    full = np.zeros((n, n))
    for _ in range(20):
        q, v, a = rng.standard_normal((3, n))
        data.qpos[order], data.qvel[order], data.qacc[order] = q, v, a
        mujoco.mj_inverse(model, data)
        tau = data.qfrc_inverse[order]
        assert np.abs(values(rnea, q, v, a) - tau).max() < 1e-12 * max(1, np.abs(tau).max())
        for column, unit in zip(full, np.eye(n), strict=True):
            mujoco.mj_mulM(model, data, column, unit)
        M = full[np.ix_(order, order)][np.triu_indices(n)]
        assert np.abs(values(crba, q) - M).max() < 1e-12 * max(1, np.abs(M).max())


def without_shapes(path: Path) -> str:
    """A URDF without what MuJoCo would look for in other files; links on fixed joints are merged."""
    root = ElementTree.parse(path).getroot()
    for link in root.iter("link"):
        for shape in [e for e in link if e.tag in ("visual", "collision")]:
            link.remove(shape)
    ElementTree.SubElement(ElementTree.SubElement(root, "mujoco"), "compiler", {"fusestatic": "true"})
    return ElementTree.tostring(root, encoding="unicode")
