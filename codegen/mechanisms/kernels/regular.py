"""The check that a robot's mass matrix has an inverse."""

from __future__ import annotations

from typing import Any

from codegen.errors import FeatherError
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.acting import Acting


def check_regular(robot: Robot) -> None:
    """FeatherError when a joint moves no mass, so that forces do not determine accelerations."""
    import numpy as np

    q = _somewhere(robot)
    solid = [(name, np.array([1, 0, 0, 0, 1, 0, 0, 1, 0, 1])) for name in robot.mechanism.inputs.inertias]
    define = robot.definition.under(Acting(None, (), solid))
    M = define.mass_matrix(q, robot.mechanism.floating).astype(float)
    joints = [j.name for j in robot.mechanism.moving for _ in range(j.freedoms)]
    for name, x in zip([*["the base"] * (len(M) - len(joints)), *joints], np.diag(M), strict=True):
        if not x > 1e-24:
            what = "a negative inertia" if x < -1e-24 else "no mass"
            raise FeatherError(
                f"{robot.mechanism.name}: joint {name} moves {what}, so forward_dynamics has no answer: "
                "give its link an inertia, or leave out forward_dynamics"
            )
    scale = np.sqrt(np.diag(M))
    if np.linalg.eigvalsh(M / np.outer(scale, scale))[0] < 1e-12:
        raise FeatherError(
            f"{robot.mechanism.name}: its mass matrix is singular, so forward_dynamics has no answer"
        )


def _somewhere(robot: Robot) -> Any:
    """Positions where nothing is special."""
    import numpy as np

    angles = iter(np.linspace(0.3, 1.1, robot.mechanism.count))
    turned = [
        (0.7, 0.1, 0.5, 0.5) if j.kind == "spherical" else [next(angles) for _ in range(j.freedoms)]
        for j in robot.mechanism.moving
    ]
    return np.array([x for positions in turned for x in positions])
