"""Air data of a velocity: the property that defines them.

A property takes the arguments, then the results, and returns residuals that are all zero where the results
are right and no status flag is raised.
"""

from __future__ import annotations

from sympy import Expr, Matrix, cos, sqrt

from codegen.library.air_data.definitions import velocity_from_air_data
from codegen.library.shared.textbook import Scalars, flat


def air_data_from_velocity(v_air_B: Scalars, V: Expr, alpha: Expr, beta: Expr) -> list[Expr]:
    """The velocity of V, alpha and beta is v, and cos(beta) is not negative."""
    level = V * cos(beta) - sqrt(v_air_B[0] ** 2 + v_air_B[2] ** 2)
    return [*flat(Matrix(velocity_from_air_data(V, alpha, beta)) - Matrix(v_air_B)), level]
