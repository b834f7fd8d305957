"""The UR5's inverse dynamics in textbook form: a recursion over dense 6x6 matrices, zeros included.

Source: Featherstone 2008 "Rigid Body Dynamics Algorithms", table 5.1, with the gravity as an acceleration of
the base.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from codegen.library.inertia.reference import inertia_matrix
from codegen.library.shared.dense import Array, Result, result, zeros
from codegen.library.spatial.reference import crf, crm
from codegen.library.transform.reference import inverse, motion_matrix, pack_transform
from codegen.modeling.types.scalar import cos, sin

GRAVITY = "9.80665"

JOINTS = (
    (0, ("0", "0", "0.089159")),
    (1, ("0", "0", "0")),
    (0, ("-0.425", "0", "0")),
    (0, ("-0.39225", "0", "0.10915")),
    (1, ("0", "-0.09465", "0")),
    (-1, ("0", "0", "0")),
)
"""Each joint in the frame of the link before it: right angles about x, and the place in m."""

AXIS = np.array([0, 0, 1, 0, 0, 0])


def inverse_dynamics(q: Array, dq: Array, ddq: Array, *bodies: Array) -> Result:
    """Outwards v' = X v + S dq, a' = X a + S ddq + v' x S dq, f = I a' + v' x* I v'; inwards tau = S.f,
    and X^T f for the link before.
    """
    v, a = zeros(6), np.array([0, 0, 0, 0, 0, Fraction(GRAVITY)])
    transforms: list[Array] = []
    forces: list[Array] = []
    for k, body in enumerate(bodies):
        X, inertia, turning = motion_matrix(inverse(pose(k, q[k]))), inertia_matrix(body), AXIS * dq[k]
        v = X @ v + turning
        a = X @ a + AXIS * ddq[k] + crm(v) @ turning
        transforms.append(X)
        forces.append(inertia @ a + crf(v) @ (inertia @ v))
    torques: list[Any] = []
    for k in reversed(range(len(bodies))):
        torques.insert(0, AXIS @ forces[k])
        if k:
            forces[k - 1] = forces[k - 1] + transforms[k].T @ forces[k]
    return result(np.array(torques))


def pose(joint: int, angle: Any) -> Array:
    """The link's frame in that of the link before it."""
    turn, place = JOINTS[joint]
    c, s, upright = cos(angle), sin(angle), 1 - abs(turn)
    tilted = np.array([[1, 0, 0], [0, upright, -turn], [0, turn, upright]])
    spun = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return pack_transform(tilted @ spun, np.array([Fraction(x) for x in place]))
