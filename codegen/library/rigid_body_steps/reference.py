"""Steps of one rigid body: its equations of motion, and the kinematics of each attitude, four times.

Source: Hairer, Norsett & Wanner "Solving Ordinary Differential Equations I", the classical method.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from codegen.library.rigid_body.reference import accelerations_of, runge_kutta, taken
from codegen.library.rodrigues.reference import mrp_kinematics, mrp_shadow, unit_quaternion
from codegen.library.rotation.reference import dcm_of_rpy, dcm_orthonormalize, rpy_kinematics, sandwich
from codegen.library.shared.dense import Array, Limits, Result, Scalar, skew

__all__ = ["rigid_body_step_rk4_dcm", "rigid_body_step_rk4_mrp", "rigid_body_step_rk4_rpy"]

Kinematics = Callable[[Array, Array, Array], tuple[Array, Array, int]]
"""Attitude, v, w -> the rates of position and attitude, and flags."""


def stepped(
    start: Array, kinematics: Kinematics, accelerations: Callable[[Array, Array], Array], dt: Scalar
) -> tuple[Array, int]:
    """The sum of the classical method, and the flags of all of its stages."""
    flags = []

    def rates(y: Array) -> Array:
        attitude, v, w = y[3:-6], y[-6:-3], y[-3:]
        dp, turning, flag = kinematics(attitude, v, w)
        flags.append(flag)
        return np.concatenate([dp, turning, accelerations(v, w)])

    end = runge_kutta(rates, start, dt)
    return end, int(np.bitwise_or.reduce(flags))


def rigid_body_step_rk4_rpy(
    p_N: Array,
    rpy: Array,
    v_B: Array,
    w_B: Array,
    F_B: Array,
    M_B: Array,
    m: Scalar,
    J_B: Array,
    dt: Scalar,
    limits: Limits | None = None,
) -> Result:
    """Each stage at R_NB = Rz(psi) Ry(theta) Rx(phi), with the rates about the axes of the angles."""
    accelerations, status = accelerations_of(F_B, M_B, m, J_B, limits)

    def kinematics(angles: Array, v: Array, w: Array) -> tuple[Array, Array, int]:
        (drpy,), lock = rpy_kinematics(angles, w, limits)
        return dcm_of_rpy(angles) @ v, drpy, lock

    start = np.concatenate([p_N, rpy, v_B, w_B])
    end, lock = stepped(start, kinematics, accelerations, dt)
    return taken(start, end, end[3:6].sum(), status | lock, limits)


def rigid_body_step_rk4_dcm(
    p_N: Array,
    R_NB: Array,
    v_B: Array,
    w_B: Array,
    F_B: Array,
    M_B: Array,
    m: Scalar,
    J_B: Array,
    dt: Scalar,
    limits: Limits | None = None,
) -> Result:
    """Each stage with dR = R w~; then Cholesky's factor of the first two columns makes them orthonormal."""
    accelerations, status = accelerations_of(F_B, M_B, m, J_B, limits)

    def kinematics(elements: Array, v: Array, w: Array) -> tuple[Array, Array, int]:
        R = elements.reshape(3, 3)
        return R @ v, (R @ skew(w)).reshape(-1), 0

    start = np.concatenate([p_N, R_NB, v_B, w_B])
    end, _ = stepped(start, kinematics, accelerations, dt)
    columns = end[3:12].reshape(3, 3)[:, :2]
    (orthonormal,), degenerate = dcm_orthonormalize(end[3:12], limits)
    end[3:12] = orthonormal
    return taken(start, end, (columns * columns).sum(), status | degenerate, limits)


def rigid_body_step_rk4_mrp(
    p_N: Array,
    s_NB: Array,
    v_B: Array,
    w_B: Array,
    F_B: Array,
    M_B: Array,
    m: Scalar,
    J_B: Array,
    dt: Scalar,
    limits: Limits | None = None,
) -> Result:
    """Each stage through the quaternion of the parameters; then those of its opposite, if shorter."""
    accelerations, status = accelerations_of(F_B, M_B, m, J_B, limits)

    def kinematics(s: Array, v: Array, w: Array) -> tuple[Array, Array, int]:
        return sandwich(unit_quaternion(s), v), mrp_kinematics(s, w).outputs[0], 0

    start = np.concatenate([p_N, s_NB, v_B, w_B])
    end, _ = stepped(start, kinematics, accelerations, dt)
    size = end[3:6].sum()
    end[3:6] = mrp_shadow(end[3:6]).outputs[0]
    return taken(start, end, size, status, limits)
