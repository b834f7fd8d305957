"""The wind axes from how the velocity changes with airspeed, sideslip and angle of attack."""

from __future__ import annotations

import casadi as ca
from casadi import SX

from codegen.library.rotation.derivations import elementary_product
from codegen.library.shared.calculus import flat, jacobian


def velocity_from_air_data(V: SX, alpha: SX, beta: SX) -> SX:
    """Forward flight, turned by a yaw of `beta` and a pitch of `alpha` downward."""
    return flat(elementary_product(ca.vertcat(0, -alpha, 0)) @ _sideways(V, beta))


def dcm_from_wind(alpha: SX, beta: SX) -> SX:
    """The columns are the directions in which `V`, `beta` and `alpha` change the velocity."""

    def velocity(polar: SX) -> SX:
        return velocity_from_air_data(polar[0], polar[1], polar[2])

    changes = jacobian(velocity, ca.vertcat(1, alpha, beta))
    return flat(ca.horzcat(changes[:, 0], changes[:, 2], changes[:, 1] / ca.cos(beta)))


def _sideways(V: SX, beta: SX) -> SX:
    return elementary_product(ca.vertcat(0, 0, beta)) @ ca.vertcat(V, 0, 0)
