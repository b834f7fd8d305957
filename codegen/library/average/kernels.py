"""Averages of attitudes: the nearest rotation to a matrix, means of two and of many quaternions."""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import POSITIVE, REAL, Scalar
from codegen.library.rotation.kernels import dcm_to_quat
from codegen.library.shared.arguments import attitude, rotation
from codegen.library.shared.guards import bounded, total
from codegen.library.shared.works import CRASSIDIS, MARKLEY
from codegen.modeling.failures import Failure
from codegen.modeling.types.algebra import Mat3, Quaternion, Rotation, UnitQuaternion
from codegen.modeling.types.elimination import inner
from codegen.modeling.types.matrices import SymmetricValue, from_upper
from codegen.modeling.types.matrix_types import Matrix, Symmetric
from codegen.modeling.types.scalar import (
    EPS,
    MIN,
    absolute,
    acos,
    cos,
    every,
    let,
    maximum,
    minimum,
    require,
    select,
    sqrt,
)

LARGEST = (
    "s = sqrt(k + 2 p cos(acos(c) / 3)); c = (e_3^2 + 2 k^3 - k e_2) / (2 p^3); p = sqrt(k^2 - e_2 / 3); "
    "k = e_1 / 3; e_1 = tr(M^T M); e_2 = tr(adj(M)^T adj(M)); e_3 = det(M)"
)
"""The largest singular value s of a matrix M; the sum of the others has the square e_1 - s^2 + 2 e_3 / s."""


def _not_unique(results: str) -> dict[Status, Failure]:
    """The failure of an average of a matrix M where no attitude is clearly the best."""
    size = " + ".join(f"|M[{i}, {j}]|" for i in range(3) for j in range(3))
    condition = (
        "n > min, n min <= 1, 8 (s^2 + s g + e_3 / s) g^2 > sqrt(eps) e_1^2, "
        f"g = sqrt(e_1 - s^2 + 2 e_3 / s), n = {size}"
    )
    words = (
        "`s` is the largest singular value of `M`, and `g` the sum of the others, of which the last has the "
        "sign of the determinant; otherwise round-off leaves the result open, or the numbers are out of range"
    )
    return {Status.DEGENERATE: Failure(condition, results, words, certified=True)}


def _nearest(M: Mat3) -> Rotation:
    """The rotation R(q) of the largest tr(R(q)^T M) = q.K q.

    q is the eigenvector of the largest eigenvalue a of K. N = -adj(K - a 1) is a multiple of q q^T, whose
    elements make up R(q). As a is rounded, N has an error, of which N N has the square.
    """
    size = let("size", sum(map(absolute, M.m), 0))
    in_range = let("in_range", every(size > MIN, size * MIN <= 1))
    M = let("scaled", M * let("inv_size", 1 / select(in_range, size, 1)))
    largest, ok = _largest_eigenvalue(M, in_range)
    N = let("adjugate", let("shifted", _attitude_matrix(M) - Matrix.diag([largest] * 4)).adjugate)
    dyad = let("N_N", (N @ N.T).symmetric)
    R: Rotation = select(
        ok, Rotation(_sum_of_rotations(dyad).m) / select(ok, dyad.trace, 1), Rotation.identity()
    )
    return R


def _largest_eigenvalue(M: Mat3, in_range: Scalar) -> tuple[Scalar, Scalar]:
    """The largest eigenvalue of K, s_1 + s_2 + s_3, and whether M is in range and no other is too close.

    The characteristic polynomial of K is (x^2 - e_1)^2 - 8 e_3 x - 4 e_2. One step of Newton's method
    restores the digits that the closed form loses. The slope is the product of the distances to the other
    eigenvalues, `others` is half the least of them.
    """
    a, b, c = M.rows
    cofactors = let("cofactors", Mat3.from_rows(b.cross(c), c.cross(a), a.cross(b)))
    e_1 = let("squares", sum(x * x for x in M.m))
    e_2, e_3 = let("minors", sum(x * x for x in cofactors.m)), let("det", a.dot(cofactors.rows[0]))
    square = let("square", _largest_square(e_1, e_2, e_3))
    s_1 = let("s_1", sqrt(select(in_range, square, 1)))
    others = let("others", sqrt(maximum(e_1 - square + 2 * (e_3 / s_1), 0)))
    x = let("estimate", s_1 + others)
    excess, eightfold = let("excess", x * x - e_1), let("eightfold", 8 * e_3)
    slope = let("slope", 4 * x * excess - eightfold)
    clear = slope * others > sqrt(EPS) * (e_1 * e_1)
    ok = let("ok", require(every(in_range, clear), Status.DEGENERATE))
    value = excess * excess - eightfold * x - 4 * e_2
    return let("largest", x - value / select(ok, slope, 1)), ok


def _largest_square(e_1: Scalar, e_2: Scalar, e_3: Scalar) -> Scalar:
    """The square of the largest singular value, a root of x^3 - e_1 x^2 + e_2 x - e_3^2.

    With x = k + y this is y^3 - 3 p^2 y - 2 r, whose largest root is 2 p cos(acos(r / p^3) / 3).
    """
    k = let("third", e_1 / 3)
    spread = let("spread", k * k - e_2 / 3)
    apart = let("apart", spread > EPS * EPS)  # otherwise the three are equal up to rounding
    p_p = let("positive", select(apart, spread, 1))
    p = let("root", sqrt(p_p))
    r = let("r", (e_3 * e_3 - k * (e_2 - 2 * k * k)) / 2)
    cosine = let("cosine", -minimum(-minimum(r / (p_p * p), 1), 1))  # between -1 and 1
    return k + select(apart, 2 * p, 0) * cos(acos(cosine) / 3)


def _attitude_matrix(M: Mat3) -> SymmetricValue:
    """K = [[t, z^T], [z, M + M^T - t 1]] with t = tr(M), z~ = M - M^T."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = M.m
    x, y, z = zy - yz, xz - zx, yx - xy
    d = xx - yy
    return from_upper([xx + yy + zz, x, y, z, d - zz, xy + yx, xz + zx, -d - zz, yz + zy, zz - xx - yy])


def _sum_of_rotations(A: SymmetricValue) -> Mat3:
    """The sum of w R(q) from that of w q q^T, for unit quaternions."""
    yz, zx, xy = (2 * A[i, j] for i, j in ((2, 3), (1, 3), (1, 2)))
    wx, wy, wz = (2 * A[0, i] for i in (1, 2, 3))
    ww, xx, yy, zz = (A[i, i] for i in range(4))
    row_x = ww + xx - yy - zz, xy - wz, zx + wy
    row_y = xy + wz, ww - xx + yy - zz, yz - wx
    row_z = zx - wy, yz + wx, ww - xx - yy + zz
    return Mat3((*row_x, *row_y, *row_z))


@kernel(
    inputs=[Arg("M_AB", Mat3, "any", "matrix of any scale", "B to A")],
    outputs=[rotation("R_AB", "nearest rotation matrix, orthonormal, of determinant 1")],
    equation="R_AB^T R_AB = 1; det(R_AB) = 1; S^T = S; tr(S) = s + sqrt(e_1 - s^2 + 2 e_3 / s); "
    f"S = R_AB^T M; {LARGEST}; M = M_AB",
    source=CRASSIDIS,
    failures=_not_unique("R_AB = 1"),
)
def dcm_nearest(M_AB: Mat3) -> Rotation:
    """Rotation matrix that is nearest to any matrix: the sum of the squares of their differences is least.

    Of a matrix that has drifted from a rotation, all columns count, while dcm_orthonormalize keeps the
    direction of the first. If `M_AB` is the weighted sum, over directions, of the dyad of a direction in A
    and the same one in B, the result is the attitude of Wahba's problem. A scale does not matter.
    """
    return _nearest(M_AB)


SUM = "the sum, over quaternions, of their dyads times their weights, upper triangle"


@kernel(
    inputs=[
        Arg("A", Symmetric(4), "1", SUM + ", zero at first"),
        attitude("q_NB"),
        Arg("w", REAL, "1", "its weight"),
    ],
    outputs=[Arg("A_next", Symmetric(4), "1", "the sum with `q_NB`")],
    equation="A_next = A + w q_NB q_NB^T",
    source=MARKLEY,
)
def quat_mean_add(A: SymmetricValue, q_NB: UnitQuaternion, w: Scalar) -> SymmetricValue:
    """Sum of the dyads of quaternions with a further one, from which quat_mean has their mean.

    `q_NB` and its opposite are one attitude, and contribute the same.
    """
    q = q_NB.scalars()
    scaled = let("scaled", w * q_NB).scalars()
    return from_upper([A[i, j] + scaled[i] * q[j] for i in range(4) for j in range(i, 4)])


@kernel(
    inputs=[Arg("A", Symmetric(4, positive=True), "1", SUM)],
    outputs=[attitude("q_NB", "mean attitude, unit quaternion")],
    equation="A q_NB = a q_NB; q_NB.q_NB = 1; min(0, q_NB[0]) = 0; "
    "4 a - tr(A) = s + sqrt(e_1 - s^2 + 2 e_3 / s); a = q_NB.(A q_NB); "
    f"{LARGEST}; M = (A[0, 0] - tr(B)) 1 + 2 B + 2 v~; v = A[1:4, 0]; B = A[1:4, 1:4]",
    source=MARKLEY,
    failures=_not_unique("q_NB = [1, 0, 0, 0]"),
)
def quat_mean(A: SymmetricValue) -> Quaternion:
    """Mean attitude of many quaternions with weights, which quat_mean_add has added up.

    It maximises the weighted sum of the squares of its scalar products with the quaternions, and its matrix
    is the nearest rotation to the weighted sum of theirs. Of `q_NB` and its opposite, which are one attitude,
    it is the one with `q_w >= 0`.
    """
    q_NB: Quaternion = dcm_to_quat(let("R", _nearest(let("sum_of_R", _sum_of_rotations(A)))))
    return q_NB


@kernel(
    inputs=[
        Arg("q_1", UnitQuaternion, "1", "first attitude, unit quaternion"),
        Arg("w_1", POSITIVE, "1", "weight of `q_1`; it may be 0"),
        Arg("q_2", UnitQuaternion, "1", "second attitude, unit quaternion"),
        Arg("w_2", POSITIVE, "1", "weight of `q_2`; it may be 0"),
    ],
    outputs=[Arg("q_mean", UnitQuaternion, "1", "their mean, a unit quaternion")],
    equation="q_mean = v / |v|; v = (z + d) q_1 + 2 b c q_2; z = sqrt(d^2 + 4 a b c^2); d = a - b; "
    "c = q_1.q_2; a = w_1 / (w_1 + w_2); b = w_2 / (w_1 + w_2)",
    source=MARKLEY,
    requires="`q_1` and `q_2` are unit quaternions",
    failures={
        Status.DEGENERATE: Failure(
            "w_1 >= 0, w_2 >= 0, w_1 + w_2 > min, (w_1 + w_2) min <= 1, z > 16 eps",
            "q_mean = [1, 0, 0, 0]",
            "otherwise a weight is negative, their sum is zero or out of range, or the weights are equal and "
            "the attitudes half a turn apart",
        ),
        Status.NOT_FINITE: Failure("|sum(q_1, q_2)| <= max", "q_mean = [1, 0, 0, 0]"),
    },
)
def quat_mean_pair(q_1: UnitQuaternion, w_1: Scalar, q_2: UnitQuaternion, w_2: Scalar) -> Quaternion:
    """Mean of two attitudes with weights: on the short arc between them; `q_mean.q_1 >= 0`.

    With equal weights it is half way. Otherwise it is nearer to the attitude of the greater weight than
    quat_slerp at `b`; for attitudes that are close, both agree. Where `d` is negative, the code computes
    another multiple of `v`, in which nothing cancels.
    """
    size = let("size", w_1 + w_2)
    in_range = let("in_range", every(w_1 >= 0, w_2 >= 0, size > MIN, size * MIN <= 1))
    inv_size = let("inv_size", 1 / select(in_range, size, 1))
    a, b = let("a", w_1 * inv_size), let("b", w_2 * inv_size)
    cosine = let("c", inner(q_1.scalars(), q_2.scalars()))
    q, c = let("q", select(cosine < 0, -q_2, q_2)), let("abs_c", absolute(cosine))
    d = let("d", a - b)
    z = let("z", sqrt(d * d + 4 * (a * b) * (c * c)))
    unique = let("unique", require(every(in_range, z > 16 * EPS), Status.DEGENERATE))
    first = let("first", d >= 0)
    greater, less = let("greater", z + absolute(d)), let("less", 2 * c * select(first, b, a))
    v = let("v", select(first, greater, less) * q_1 + select(first, less, greater) * q)
    n = let("n", v.norm_squared)
    ok = let("ok", every(unique, bounded(total(q_1, q_2))))
    q_mean: Quaternion = select(ok, v, Quaternion.identity()) * let("scale", 1 / sqrt(select(ok, n, 1)))
    return q_mean
