"""Rotations: quaternions [w, x, y, z] (Hamilton), direction-cosine matrices, roll-pitch-yaw."""

from __future__ import annotations

from sympy import And, Expr, Matrix, Piecewise, cos, eye, sin, sqrt

from codegen.library.shared.textbook import (
    Scalars,
    blocks,
    flat,
    inverse,
    left_product,
    matrix3,
    rotation_x,
    rotation_y,
    rotation_z,
    sandwich,
    skew,
    vee,
)

# The product is that of Hamilton, ij = k (Diebel 2006).

quat_multiply = "pq = p (x) q"

quat_conjugate = "q_conj = q^*"

quat_inverse = "q_inv = L^-1 [1, 0, 0, 0], L = [[q_w, -q_v^T], [q_v, q_w 1 + q_v~]]"

quat_normalize = "q_unit = q / |q|"

quat_rotate = "[0, v_A] = q_AB (x) [0, v_B] (x) q_AB^*"

quat_rotate_inverse = "[0, v_B] = q_AB^* (x) [0, v_A] (x) q_AB"


def quat_to_dcm(q_AB: Scalars) -> list[Expr]:
    """R of [0, R v] = q (x) [0, v] (x) q^-1, q^-1 = q*/(q.q), for any q that is not zero."""
    q = Matrix(q_AB)
    return flat(sandwich(q) / q.dot(q))


def quat_to_dcm_unit(q_AB: Scalars) -> list[Expr]:
    """R of [0, R v] = q (x) [0, v] (x) q*, q unit."""
    return flat(sandwich(q_AB))


def dcm_to_quat(R_AB: Scalars) -> list[Expr]:
    """q of R by Shepperd's method (1978), with w >= 0.

    The matrix K = 4 q q^T is linear in R. Its row of the pivot, the first largest of
    (tr R, R00, R11, R22), divided by 2 sqrt of its diagonal entry is +-q. Piecewise takes the
    first condition that holds, so a pivot need only be compared with those after it.
    """
    R = matrix3(R_AB)
    trace, axis = R.trace(), vee(R - R.T)
    K = blocks(Matrix([1 + trace]), axis.T, axis, R + R.T + (1 - trace) * eye(3))
    candidates = (trace, R[0, 0], R[1, 1], R[2, 2])
    branches = []
    for row, pivot in enumerate(candidates):
        q = K[row, :] / (2 * sqrt(K[row, row]))
        sign = Piecewise((-1, q[0] < 0), (1, True)) if row > 0 else 1  # q[0] is a root in row 0
        largest = And(*(pivot >= later for later in candidates[row + 1 :]))
        branches.append((sign * q, largest))
    return [Piecewise(*((q[i], largest) for q, largest in branches)) for i in range(4)]


def quat_kinematics(q_AB: Scalars, w_B: Scalars, baumgarte: Expr) -> list[Expr]:
    """dq/dt = q (x) [0, w_B] / 2 - baumgarte (q.q - 1) q."""
    q = Matrix(q_AB)
    return flat(left_product(q) * Matrix([0, *w_B]) / 2 - baumgarte * (q.dot(q) - 1) * q)


def dcm_multiply(R_AB: Scalars, R_BC: Scalars) -> list[Expr]:
    """The matrix product R_AB R_BC."""
    return flat(matrix3(R_AB) * matrix3(R_BC))


def dcm_rotate(R_AB: Scalars, v_B: Scalars) -> list[Expr]:
    """R_AB v_B."""
    return flat(matrix3(R_AB) * Matrix(v_B))


def dcm_rotate_inverse(R_AB: Scalars, v_A: Scalars) -> list[Expr]:
    """R_AB^-1 v_A, by the inverse matrix."""
    return flat(inverse(matrix3(R_AB)) * Matrix(v_A))


def dcm_kinematics(R_AB: Scalars, w_B: Scalars) -> list[Expr]:
    """R_AB w_B~ (Poisson's equation)."""
    return flat(matrix3(R_AB) * skew(w_B))


def dcm_orthonormalize(R: Scalars) -> list[Expr]:
    """Gram and Schmidt's axes x and y of the first two columns, and x x y."""
    c0, c1 = matrix3(R)[:, 0], matrix3(R)[:, 1]
    x = c0 / sqrt(c0.dot(c0))
    across = c1 - x.dot(c1) * x
    y = across / sqrt(across.dot(across))
    return flat(Matrix.hstack(x, y, x.cross(y)))


def quat_from_rpy(rpy: Scalars) -> list[Expr]:
    """q_NB = qz(psi) (x) qy(theta) (x) qx(phi), each [cos(a/2), sin(a/2) axis]."""
    phi, theta, psi = (angle / 2 for angle in rpy)
    q_x = Matrix([cos(phi), sin(phi), 0, 0])
    q_y = Matrix([cos(theta), 0, sin(theta), 0])
    q_z = Matrix([cos(psi), 0, 0, sin(psi)])
    return flat(left_product(q_z) * left_product(q_y) * q_x)


def dcm_from_rpy(rpy: Scalars) -> list[Expr]:
    """R_NB = Rz(psi) Ry(theta) Rx(phi), the aerospace 3-2-1 attitude (Stevens & Lewis)."""
    phi, theta, psi = rpy
    return flat(rotation_z(psi) * rotation_y(theta) * rotation_x(phi))


def rpy_kinematics(rpy: Scalars, w_B: Scalars) -> list[Expr]:
    """drpy/dt = E(rpy)^-1 w_B, E the matrix of rpy_kinematics_inverse (Stevens & Lewis)."""
    return flat(inverse(_rate_axes(rpy)) * Matrix(w_B))


def rpy_kinematics_inverse(rpy: Scalars, drpy: Scalars) -> list[Expr]:
    """w_B = E(rpy) drpy/dt: each rate is about its own axis (Stevens & Lewis)."""
    return flat(_rate_axes(rpy) * Matrix(drpy))


def _rate_axes(rpy: Scalars) -> Matrix:
    """E = [x, Rx^T y, Rx^T Ry^T z]: the axes of the three rotations, written in B."""
    phi, theta, _ = rpy
    to_B, axes = rotation_x(phi).T, eye(3)
    return Matrix.hstack(axes[:, 0], to_B * axes[:, 1], to_B * rotation_y(theta).T * axes[:, 2])
