"""Steps of quaternions, direction cosine matrices and roll-pitch-yaw: products split into vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sympy import And, Expr, Matrix, Piecewise, eye, sin, sqrt

from codegen.library.euler import steps as euler
from codegen.library.shared.sequences import Sequence
from codegen.library.shared.sources import DIEBEL, GOLUB, SCHAUB
from codegen.library.shared.textbook import Scalars, blocks, flat, left_product, matrix3, skew, vee
from codegen.modeling.steps import Step, condition, step

SHEPPERD = "Shepperd, Quaternion from Rotation Matrix, J. Guidance and Control 1(3), 1978"
MATRICES = "Diebel, Representing Attitude (2006), section 4"


def product(p: Scalars, q: Scalars) -> list[Expr]:
    """Hamilton's product in scalar and vector part."""
    a, b, u, v = p[0], q[0], Matrix(p[1:]), Matrix(q[1:])
    return [a * b - u.dot(v), *(a * v + b * u + u.cross(v))]


_product = step(
    "Split the product into scalar and vector part",
    "pq = [p_w q_w - p.q, p_w q_v + q_w p_v + p_v x q_v]",
    by="ij = k = -ji and so on: two vectors have the product [-p.q, p x q]",
    source=DIEBEL,
)(product)


@step(
    "Change the sign of the vector part",
    "q_conj = [q_w, -q_v], componentwise",
    by="the definition of the conjugate",
    source=DIEBEL,
)
def _conjugated(q: Scalars) -> list[Expr]:
    return [q[0], *(-x for x in q[1:])]


@step(
    "Multiply L(q) q_inv = 1 by L(q)^T",
    "q_inv = L(q)^T [1, 0, 0, 0] / (q.q) = q_conj / (q.q)",
    by="L(q)^T L(q) = (q.q) 1, L(q)^T = L(q_conj)",
    source=DIEBEL,
)
def _inverse(q: Scalars) -> list[Expr]:
    return flat(left_product(q).T[:, 0] / Matrix(q).dot(Matrix(q)))


@step(
    "Share one reciprocal square root among all components",
    "q_unit = s q, s = 1 / sqrt(q.q)",
    by="x / r = (1 / r) x",
    source=DIEBEL,
)
def _scaled(q: Scalars) -> list[Expr]:
    scale = 1 / sqrt(Matrix(q).dot(Matrix(q)))
    return [scale * x for x in q]


def rotated(q: Scalars, v: Matrix, sign: int = 1) -> Matrix:
    """v + 2 w u x v + 2 u x (u x v), or with sign -1 the inverse rotation."""
    w, u = sign * q[0], Matrix(q[1:])
    turned: Matrix = v + 2 * w * u.cross(v) + 2 * u.cross(u.cross(v))
    return turned


def _rotated(sign: int, after: str, v: str) -> tuple[Step, Step]:
    """The sandwich q v q* (sign 1) or q* v q (sign -1) of a unit quaternion, in vectors."""
    plus, outer = ("+", "q v q*") if sign > 0 else ("-", "q* v q")

    def expanded(q: Scalars, v: Scalars) -> list[Expr]:
        w, u, vector = sign * q[0], Matrix(q[1:]), Matrix(v)
        return flat((w * w - u.dot(u)) * vector + 2 * u.dot(vector) * u + 2 * w * u.cross(vector))

    def crossed(q: Scalars, v: Scalars) -> list[Expr]:
        return flat(rotated(q, Matrix(v), sign))

    return (
        step(
            f"Multiply {outer} out in scalar and vector parts",
            f"{after} = (w^2 - u.u) {v} + 2 (u.{v}) u {plus} 2 w u x {v}, q = [w, u]",
            by="two vectors have the product [-a.b, a x b]; the scalar parts cancel",
            source=DIEBEL,
        )(expanded),
        step(
            "Replace w^2 and the part along u",
            f"{after} = {v} {plus} 2 w u x {v} + 2 u x (u x {v})",
            by="q.q = 1: w^2 = 1 - u.u; u x (u x v) = (u.v) u - (u.u) v",
            source=DIEBEL,
        )(crossed),
    )


def _matrix(norm: Callable[[Scalars], Any], n: str, by: str) -> tuple[Step, Step]:
    """The matrix of the sandwich over the squared norm `norm`, which equations call `n`."""

    def dyadic(q: Scalars) -> list[Expr]:
        w, u = q[0], Matrix(q[1:])
        return flat(((w * w - u.dot(u)) * eye(3) + 2 * u * u.T + 2 * w * skew(q[1:])) / norm(q))

    def crossed(q: Scalars) -> list[Expr]:
        U = skew(q[1:])
        return flat(eye(3) + 2 / norm(q) * (q[0] * U + U * U))

    return (
        step(
            "Read the matrix off the sandwich product",
            f"R_AB = ((w^2 - u.u) 1 + 2 u u^T + 2 w u~) / {n}, q_AB = [w, u]",
            by="q v q* = (w^2 - u.u) v + 2 (u.v) u + 2 w u x v for every v",
            source=DIEBEL,
        )(dyadic),
        step(
            "Write the dyad as a product of skew matrices",
            f"R_AB = 1 + (2 / {n}) (w u~ + u~ u~)",
            by=f"u u^T = u~ u~ + (u.u) 1; {by}",
            source=DIEBEL,
        )(crossed),
    )


def _outer_product(R_AB: Scalars) -> Matrix:
    """K = 4 q q^T, linear in R."""
    R = matrix3(R_AB)
    axis = vee(R - R.T)
    return blocks(Matrix([1 + R.trace()]), axis.T, axis, R + R.T + (1 - R.trace()) * eye(3))


@step(
    "Select the row of 4 q q^T first, then take one square root",
    "q = +-K_p / (2 sqrt(K_pp)), row p of K(R) = 4 q q^T;\n"
    "p the first largest of (tr R, R00, R11, R22), the sign makes w >= 0",
    by="K_p = 4 q_p q, K_pp = 4 q_p^2; the largest q_p^2 is at least 1/4, so that the root is never small",
    source=SHEPPERD,
)
def _one_root(R_AB: Scalars) -> list[Expr]:
    K, R = _outer_product(R_AB), matrix3(R_AB)
    sizes = (R.trace(), R[0, 0], R[1, 1], R[2, 2])
    largest = [And(*(sizes[p] >= other for other in sizes[p + 1 :])) for p in range(4)]

    def of_pivot(entries: Iterable[Expr]) -> Expr:
        return Piecewise(*zip(entries, largest, strict=True))

    half = 1 / (2 * sqrt(of_pivot(K[p, p] for p in range(4))))
    w = [K[p, 0] / (2 * sqrt(K[p, p])) for p in (1, 2, 3)]
    sign = of_pivot([1, *(Piecewise((-1, x < 0), (1, True)) for x in w)])
    return [sign * half * of_pivot(K[p, i] for p in range(4)) for i in range(4)]


@condition(
    "Recover the matrix 4 q q^T from the rotation matrix",
    "4 q q^T = K(R) = [[1 + tr R, a^T], [a, R + R^T + (1 - tr R) 1]], a~ = R - R^T",
    by="R = 1 + 2 (w u~ + u~ u~) is linear in the products q_i q_j, and q.q = 1",
    source=SHEPPERD,
)
def _linear(R_AB: Scalars, q_AB: Scalars) -> list[Expr]:
    return flat(4 * Matrix(q_AB) * Matrix(q_AB).T - _outer_product(R_AB))


@step(
    "Split the product with the pure quaternion [0, w_B]",
    "dq = [-u.w_B, w w_B + u x w_B] / 2 - b (q.q - 1) q, q_AB = [w, u]",
    by="two vectors have the product [-a.b, a x b]; the second term is 0 on q.q = 1",
    source=DIEBEL,
)
def _rate(q_AB: Scalars, w_B: Scalars, baumgarte: Expr) -> list[Expr]:
    q, turning = Matrix(q_AB), Matrix(product(q_AB, [0, *w_B])) / 2
    return flat(turning - baumgarte * (q.dot(q) - 1) * q)


@step(
    "Rotate each column of the right factor",
    "column j of R_AC = R_AB (column j of R_BC): rows times columns, 9 dot products",
    by="the columns of R_BC are the axes of C in B",
    source=MATRICES,
)
def _columns(R_AB: Scalars, R_BC: Scalars) -> list[Expr]:
    R = matrix3(R_BC)
    return flat(Matrix.hstack(*(matrix3(R_AB) * R[:, j] for j in range(3))))


@step(
    "Project on each row",
    "v_A = [r0.v_B, r1.v_B, r2.v_B], r_i the rows of R_AB",
    by="the rows of R_AB are the axes of A in B",
    source=MATRICES,
)
def _rows(R_AB: Scalars, v_B: Scalars) -> list[Expr]:
    R = matrix3(R_AB)
    return [R[i, :].dot(Matrix(v_B)) for i in range(3)]


@step(
    "Transpose instead of inverting",
    "v_B = R_AB^T v_A",
    by="R R^T = 1",
    source=MATRICES,
)
def _transposed(R_AB: Scalars, v_A: Scalars) -> list[Expr]:
    return flat(matrix3(R_AB).T * Matrix(v_A))


@step(
    "Compute the product row by row",
    "row i of dR_AB = r_i x w_B, r_i the rows of R_AB",
    by="r^T w~ = (w~^T r)^T = (-w x r)^T = (r x w)^T",
    source=f"{SCHAUB} 3.2",
)
def _row_rates(R_AB: Scalars, w_B: Scalars) -> list[Expr]:
    R = matrix3(R_AB)
    return flat(*(R[i, :].T.cross(Matrix(w_B)) for i in range(3)))


@step(
    "Compute the part of c1 normal to x by two cross products",
    "x = c0 / |c0|, y = (x x c1) x x / |(x x c1) x x|, z = x x y",
    by="(x x c1) x x = (x.x) c1 - (x.c1) x, and x.x = 1",
    source=f"{GOLUB} 5.2.7",
)
def _by_two_products(R: Scalars) -> list[Expr]:
    c0, c1 = matrix3(R)[:, 0], matrix3(R)[:, 1]
    x = c0 / sqrt(c0.dot(c0))
    across = x.cross(c1).cross(x)
    y = across / sqrt(across.dot(across))
    return flat(Matrix.hstack(x, y, x.cross(y)))


@condition(
    "Compare the angles",
    "sin((wrapped - angle) / 2) = 0: they differ by whole turns",
    by="sin a = sin b and cos a = cos b where a - b is a multiple of 2 pi; atan2 is in [-pi, pi]",
    source="NIST Digital Library of Mathematical Functions, section 4.21",
)
def _whole_turns(angle: Expr, wrapped: Expr) -> list[Expr]:
    return [sin((wrapped - angle) / 2)]


RPY = Sequence("xyz", names=("phi", "theta", "psi"))

STEPS: dict[str, tuple[Step, ...]] = {
    "quat_multiply": (_product,),
    "quat_conjugate": (_conjugated,),
    "quat_inverse": (_inverse,),
    "quat_normalize": (_scaled,),
    "quat_rotate": _rotated(1, "v_A", "v_B"),
    "quat_rotate_inverse": _rotated(-1, "v_B", "v_A"),
    "quat_to_dcm": _matrix(lambda q: Matrix(q).dot(Matrix(q)), "(q.q)", "w^2 - u.u = q.q - 2 u.u"),
    "quat_to_dcm_unit": _matrix(lambda q: 1, "1", "q.q = 1: w^2 - u.u = 1 - 2 u.u"),
    "dcm_to_quat": (_linear, _one_root),
    "quat_kinematics": (_rate,),
    "dcm_multiply": (_columns,),
    "dcm_rotate": (_rows,),
    "dcm_rotate_inverse": (_transposed,),
    "dcm_kinematics": (_row_rates,),
    "dcm_orthonormalize": (_by_two_products,),
    "quat_from_rpy": euler.quaternion_steps(RPY),
    "dcm_from_rpy": euler.matrix_steps(RPY),
    "rpy_from_dcm": euler.angles_of_matrix_steps(RPY),
    "rpy_from_quat": euler.angles_of_quaternion_steps(RPY),
    "rpy_kinematics": euler.rate_steps(RPY),
    "rpy_kinematics_inverse": euler.velocity_steps(RPY),
    "angle_wrap": (_whole_turns,),
}
