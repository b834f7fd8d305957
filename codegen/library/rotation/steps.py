"""Steps of quaternions, direction cosine matrices and roll-pitch-yaw: products split into vectors."""

from __future__ import annotations

from codegen.library.euler import steps as euler
from codegen.library.shared.sequences import Sequence
from codegen.library.shared.works import DIEBEL, GOLUB, NIST, SCHAUB, SHEPPERD
from codegen.modeling.steps import Step, stated, stated_condition

MATRICES = DIEBEL.at("section 2")
QUATERNIONS = DIEBEL.at("section 6")


_product = stated(
    "Split the product into scalar and vector part",
    "pq = [p_w q_w - p_v.q_v, p_w q_v + q_w p_v + p_v x q_v]",
    by="the product of two of the units is the third one, and changes its sign with their order: the product "
    "of two pure quaternions has minus their scalar product as its scalar part and their cross product as "
    "its vector part",
    source=QUATERNIONS,
)

_components = stated(
    "Write the components",
    "pq_w = p_w q_w - p_x q_x - p_y q_y - p_z q_z; pq_x = p_w q_x + p_x q_w + p_y q_z - p_z q_y;\n"
    "pq_y = p_w q_y - p_x q_z + p_y q_w + p_z q_x; pq_z = p_w q_z + p_x q_y - p_y q_x + p_z q_w",
    by="a component of the cross product is a difference of two products of the others",
    source=QUATERNIONS,
)

_conjugated = stated(
    "Change the sign of the vector part",
    "q_conj = [q_w, -q_v]",
    by="the definition of the conjugate",
    source=QUATERNIONS,
)

_inverse = (
    stated(
        "Invert the matrix of the product by its transpose",
        "q_inv = L^T [1, 0, 0, 0] / (q.q);\n"
        "L = cols(q (x) [1, 0, 0, 0], q (x) [0, 1, 0, 0], q (x) [0, 0, 1, 0], q (x) [0, 0, 0, 1])",
        by="the norm of a product is the product of the norms, so that the columns are orthogonal and as "
        "long as `q`",
        source=QUATERNIONS,
    ),
    stated(
        "Read the first row of the matrix",
        "q_inv = q^* / (q.q)",
        by="it is the conjugate: a quaternion times its conjugate is its squared norm",
        source=QUATERNIONS,
    ),
)

_scaled = (
    stated(
        "Write the norm with the scalar product",
        "q_unit = q / sqrt(q.q)",
        by="the norm is the root of the sum of the squares of all four components",
        source=QUATERNIONS,
    ),
    stated(
        "Share one reciprocal square root among all components",
        "q_unit = s q, s = 1 / sqrt(q.q)",
        by="a quotient is the product with the reciprocal",
        source=QUATERNIONS,
    ),
)


def _rotated(before: str, after: str, outer: str, sign: str) -> tuple[Step, Step]:
    """The sandwich product of a unit quaternion with a vector, or with its conjugate the inverse rotation."""
    return (
        stated(
            f"Multiply {outer} out in scalar and vector parts",
            f"{after} = (w^2 - u.u) {before} + 2 (u.{before}) u {sign} 2 w u x {before}; q_AB = [w, u]",
            by="the product of pure quaternions has minus their scalar product as its scalar part and their "
            "cross product as its vector part; the scalar parts cancel",
            source=QUATERNIONS,
        ),
        stated(
            "Replace the square of the scalar part, and the part along the axis",
            f"{after} = {before} {sign} 2 w u x {before} + 2 u x (u x {before}); q_AB = [w, u]",
            by="the quaternion has unit norm, and a vector triple product is a difference of two vectors",
            source=QUATERNIONS,
        ),
    )


def _matrix(norm: str, by: str) -> tuple[Step, Step]:
    """The matrix of the sandwich product, over a squared norm."""
    over, scale = (f" / ({norm})", f"(2 / ({norm}))") if norm else ("", "2")
    return (
        stated(
            "Read the matrix off the sandwich product",
            f"R_AB = ((w^2 - u.u) 1 + 2 u u^T + 2 w u~){over}; q_AB = [w, u]",
            by="it is linear in the rotated vector",
            source=QUATERNIONS,
        ),
        stated(
            "Write the dyad as a product of cross-product matrices",
            f"R_AB = 1 + {scale} (w u~ + u~ u~); q_AB = [w, u]",
            by="the dyad of a vector is the square of its cross-product matrix plus its squared length; "
            f"{by}",
            source=QUATERNIONS,
        ),
    )


_BY_W = "if tr(R) >= R[0, 0] and tr(R) >= R[1, 1] and tr(R) >= R[2, 2]"
_BY_X = "if R[0, 0] >= R[1, 1] and R[0, 0] >= R[2, 2]"
_BY_Y = "if R[1, 1] >= R[2, 2]"


def _pivoted(by_w: str, by_x: str, by_y: str, by_z: str) -> str:
    """Cases for the largest component, the first of equal ones."""
    return f"{{{by_w} {_BY_W}, {by_x} {_BY_X}, {by_y} {_BY_Y}, {by_z} otherwise}}"


_linear = stated_condition(
    "Recover the products of the components from the rotation matrix",
    "4 q q^T = [[1 + tr(R), a^T], [a, R + R^T + (1 - tr(R)) 1]]; a = vee(R - R^T)",
    by="the matrix is linear in these products, and the quaternion has unit norm",
    source=SHEPPERD,
)

ONE_ROOT = "Select the row of the largest component first, then take one square root"

ONE_ROOT_BY = (
    "a row has the common factor of its own component, whose square is at least a quarter of the sum of all "
    "four, so that the root is never small; the sign makes the scalar part positive"
)


def one_root(row: str, square: str, axis: str) -> str:
    """The row of the largest component, its own element and its sign, for `s row / (2 sqrt(square))`."""
    rows = [f"{row}_{i}" for i in range(4)]
    return (
        f"{row} = {_pivoted(*rows)};\n"
        f"{square} = {_pivoted(*(f'{name}[{i}]' for i, name in enumerate(rows)))};\n"
        f"s = {{-1 if {row}[0] / sqrt({square}) < 0, 1 otherwise}};\n"
        f"rows({', '.join(rows)}) = [[1 + tr(R), {axis}^T], [{axis}, R + R^T + (1 - tr(R)) 1]]; "
        f"{axis} = vee(R - R^T)"
    )


_one_root = stated(
    ONE_ROOT, f"q_AB = s k / (2 sqrt(p));\n{one_root('k', 'p', 'a')}", by=ONE_ROOT_BY, source=SHEPPERD
)

_rate = (
    stated(
        "Split the product with a pure quaternion",
        "dq = [-u.w_B, w w_B + u x w_B] / 2 - baumgarte (q.q - 1) q_AB; q_AB = [w, u]",
        by="the scalar part of the angular velocity is zero; the second term vanishes for unit quaternions",
        source=QUATERNIONS,
    ),
    stated(
        "Halve the angular velocity first",
        "dq = [-u.h, w h + u x h] - k q_AB; h = w_B / 2; k = baumgarte (q.q - 1); q_AB = [w, u]",
        by="the product is linear in the angular velocity",
        source=QUATERNIONS,
    ),
)

_columns = stated(
    "Rotate each column of the right factor",
    "R_AC = cols(R_AB c_0, R_AB c_1, R_AB c_2); R_BC = cols(c_0, c_1, c_2)",
    by="the columns of a rotation matrix are the axes of the frame that it takes coordinates from",
    source=MATRICES,
)

_rows = stated(
    "Project on each row",
    "v_A = [r_0.v_B, r_1.v_B, r_2.v_B]; R_AB = rows(r_0, r_1, r_2)",
    by="the rows are the axes of A in B",
    source=MATRICES,
)

_transposed = (
    stated(
        "Transpose instead of inverting",
        "v_B = R_AB^T v_A",
        by="the matrix is orthonormal",
        source=MATRICES,
    ),
    stated(
        "Project on each column",
        "v_B = [c_0.v_A, c_1.v_A, c_2.v_A]; R_AB = cols(c_0, c_1, c_2)",
        by="the columns are the axes of B in A, and the rows of the transpose",
        source=MATRICES,
    ),
)

_row_rates = (
    stated(
        "Transpose the product",
        "dR_AB = -(w_B~ R_AB^T)^T",
        by="the transpose of a product has the transposed factors in reverse, and the cross-product matrix "
        "is antisymmetric",
        source=SCHAUB,
    ),
    stated(
        "Compute the product row by row",
        "dR_AB = rows(r_0 x w_B, r_1 x w_B, r_2 x w_B); R_AB = rows(r_0, r_1, r_2)",
        by="the columns of the transpose are the rows of the matrix; exchanging the factors of a cross "
        "product changes its sign",
        source=SCHAUB,
    ),
)

_by_two_products = (
    stated(
        "Write the part of the second column normal to the first as a vector triple product",
        "R_unit = cols(e_0, e_1, e_0 x e_1); e_0 = c_0 / |c_0|, e_1 = n / |n|, n = e_0 x (c_1 x e_0);\n"
        "R = cols(c_0, c_1, c_2)",
        by="a vector triple product is a difference of two vectors, of which the first is the second column "
        "times the squared length of a unit vector",
        source=GOLUB.at("section 5.2"),
    ),
    stated(
        "Exchange the factors of both cross products",
        "R_unit = cols(e_0, e_1, e_0 x e_1); e_0 = c_0 / |c_0|, e_1 = n / |n|, n = (e_0 x c_1) x e_0;\n"
        "R = cols(c_0, c_1, c_2)",
        by="each exchange changes the sign, and the inner cross product has the direction of the third axis",
        source=GOLUB.at("section 5.2"),
    ),
)


_whole_turns = stated_condition(
    "Compare the angles",
    "sin((wrapped - angle) / 2) = 0",
    by="angles with equal sines and cosines differ by whole turns; an arc tangent is at most half a turn",
    source=NIST.at("section 4.21"),
)

_principal = stated_condition(
    "Take the principal value",
    "wrapped = {angle if -pi < angle and angle <= pi, atan2(sin(angle), cos(angle)) otherwise}",
    by="the arc tangent of two arguments is the angle of this sine and cosine in the interval; an angle that "
    "is already there is returned without rounding",
    source=NIST.at("section 4.23"),
)

RPY = Sequence("xyz", names=("phi", "theta", "psi"), argument="rpy", frames="NB")

_body_rate = (
    stated(
        "Split the product with the conjugate into scalar and vector part",
        "[s, w_B] = 2 [w dw + v.dv, w dv - dw v - v x dv]; q_AB = [w, v]; dq = [dw, dv]",
        by="the conjugate has the opposite vector part; the product of vector parts has minus their scalar "
        "product as its scalar part and their cross product as its vector part",
        source=QUATERNIONS,
    ),
    stated(
        "Keep the vector part",
        "w_B = 2 (w dv - dw v - v x dv); q_AB = [w, v]; dq = [dw, dv]",
        by="the scalar part is the rate of the squared norm, which is 0 along unit quaternions",
        source=QUATERNIONS,
    ),
)

_between = (
    stated(
        "Split the product of both directions into scalar and vector part",
        "q_AB = s / |s|; s = [|v_A| |v_B| + v_A.v_B, v_B x v_A]",
        by="minus the product of two pure quaternions is their scalar product and the opposite of their "
        "cross product",
        source=QUATERNIONS,
    ),
    stated(
        "Make both vectors unit vectors first",
        "q_AB = p / |p|; p = [1 + a.b, b x a]; a = v_A / |v_A|, b = v_B / |v_B|",
        by="all terms are linear in the length of each vector, which cancels",
        source=QUATERNIONS,
    ),
)

STEPS: dict[str, tuple[Step, ...]] = {
    "quat_multiply": (_product, _components),
    "quat_conjugate": (_conjugated,),
    "quat_inverse": _inverse,
    "quat_normalize": _scaled,
    "quat_rotate": _rotated("v_B", "v_A", "the sandwich product", "+"),
    "quat_rotate_inverse": _rotated("v_A", "v_B", "the inverse sandwich product", "-"),
    "quat_to_dcm": _matrix("q.q", "the squared norm is divided out"),
    "quat_to_dcm_unit": _matrix("", "the norm is 1"),
    "dcm_to_quat": (_linear, _one_root),
    "quat_kinematics": _rate,
    "quat_kinematics_inverse": _body_rate,
    "quat_from_vectors": _between,
    "dcm_multiply": (_columns,),
    "dcm_rotate": (_rows,),
    "dcm_rotate_inverse": _transposed,
    "dcm_kinematics": _row_rates,
    "dcm_orthonormalize": _by_two_products,
    "quat_from_rpy": euler.quaternion_steps(RPY),
    "dcm_from_rpy": euler.matrix_steps(RPY),
    "rpy_from_dcm": euler.angles_of_matrix_steps(RPY),
    "rpy_from_quat": euler.angles_of_quaternion_steps(RPY),
    "rpy_kinematics": euler.rate_steps(RPY),
    "rpy_kinematics_inverse": euler.velocity_steps(RPY),
    "angle_wrap": (_whole_turns, _principal),
}
