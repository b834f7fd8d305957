"""The matrices of the SymPy definitions, and their conversions to and from flat lists."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Expr, Matrix, cos, eye, sin
from sympy.matrices import dotprodsimp

Scalars = Sequence[Expr]


def flat(*parts: Matrix) -> list[Expr]:
    """All entries of the matrices, each row by row, in one list."""
    return [entry for part in parts for entry in part]


def matrix3(m: Scalars) -> Matrix:
    """The 3x3 matrix of nine row-major numbers."""
    return Matrix(3, 3, list(m))


def symmetric(s: Scalars) -> Matrix:
    """The symmetric 3x3 matrix of [xx, xy, xz, yy, yz, zz]."""
    xx, xy, xz, yy, yz, zz = s
    return Matrix([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def skew(v: Scalars) -> Matrix:
    """The cross-product matrix v~, v~ u = v x u."""
    x, y, z = v
    return Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def vee(S: Matrix) -> Matrix:
    """The inverse of skew: v of the antisymmetric matrix v~."""
    return Matrix([S[2, 1], S[0, 2], S[1, 0]])


def blocks(A: Matrix, B: Matrix, C: Matrix, D: Matrix) -> Matrix:
    """The matrix [[A, B], [C, D]]."""
    return Matrix.vstack(Matrix.hstack(A, B), Matrix.hstack(C, D))


def inverse(A: Matrix) -> Matrix:
    """A^-1 = adj(A) / det(A), the determinant by Laplace's expansion along the first row, not simplified."""
    with dotprodsimp(False):
        adjugate = A.adjugate()
    return adjugate / A[0, :].dot(adjugate[:, 0])


def rotation_x(angle: Expr) -> Matrix:
    """The active rotation Rx about the first axis."""
    c, s = cos(angle), sin(angle)
    return Matrix([[1, 0, 0], [0, c, -s], [0, s, c]])


def rotation_y(angle: Expr) -> Matrix:
    """The active rotation Ry about the second axis."""
    c, s = cos(angle), sin(angle)
    return Matrix([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def rotation_z(angle: Expr) -> Matrix:
    """The active rotation Rz about the third axis."""
    c, s = cos(angle), sin(angle)
    return Matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def conjugate(q: Scalars) -> Matrix:
    """q* = [w, -x, -y, -z]."""
    return Matrix([q[0], -q[1], -q[2], -q[3]])


def left_product(p: Scalars) -> Matrix:
    """The 4x4 matrix L(p) of Hamilton's product (ij = k): p (x) q = L(p) q (Diebel 2006)."""
    w, u = p[0], Matrix(p[1:])
    return blocks(Matrix([w]), -u.T, u, w * eye(3) + skew(u))


def right_product(q: Scalars) -> Matrix:
    """The 4x4 matrix of the product seen from its right factor: p (x) q = right_product(q) p."""
    w, u = q[0], Matrix(q[1:])
    return blocks(Matrix([w]), -u.T, u, w * eye(3) - skew(u))


def sandwich(q: Scalars) -> Matrix:
    """The 3x3 matrix of v -> q (x) [0, v] (x) q*, (q.q) times a rotation."""
    return (left_product(q) * right_product(conjugate(q)))[1:, 1:]


def quat_to_dcm(q_AB: Scalars) -> list[Expr]:
    """R of [0, R v] = q (x) [0, v] (x) q^-1, for any q that is not zero."""
    return flat(sandwich(q_AB) / Matrix(q_AB).dot(Matrix(q_AB)))


def quat_to_dcm_unit(q_AB: Scalars) -> list[Expr]:
    """R of [0, R v] = q (x) [0, v] (x) q*, q unit."""
    return flat(sandwich(q_AB))


def quat_kinematics(q_AB: Scalars, w_B: Scalars, baumgarte: Expr) -> list[Expr]:
    """dq/dt = q (x) [0, w_B] / 2 - baumgarte (q.q - 1) q."""
    q = Matrix(q_AB)
    return flat(left_product(q) * Matrix([0, *w_B]) / 2 - baumgarte * (q.dot(q) - 1) * q)


def dcm_from_rpy(rpy: Scalars) -> list[Expr]:
    """R_NB = Rz(psi) Ry(theta) Rx(phi), the aerospace 3-2-1 attitude."""
    phi, theta, psi = rpy
    return flat(rotation_z(psi) * rotation_y(theta) * rotation_x(phi))


def rpy_kinematics(rpy: Scalars, w_B: Scalars) -> list[Expr]:
    """drpy/dt = E^-1 w_B, E = [x, Rx^T y, Rx^T Ry^T z] the axes of the three rotations in B."""
    phi, theta, _ = rpy
    to_B, axes = rotation_x(phi).T, eye(3)
    E = Matrix.hstack(axes[:, 0], to_B * axes[:, 1], to_B * rotation_y(theta).T * axes[:, 2])
    return flat(inverse(E) * Matrix(w_B))
