"""Properties of an inertia: centre of mass, validity, solution, triangular factors, principal axes."""

from collections.abc import Callable
from dataclasses import dataclass

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import INTEGER, Array, Scalar
from codegen.library.inertia.kernels import (
    INERTIA_SECTION,
    is_semidefinite,
    offset_inertia,
    second_moment_of,
    swapped,
)
from codegen.library.shared.arguments import central_inertia, force, inertia, motion, rotation, vector
from codegen.library.shared.guards import NO_NORMAL_DET
from codegen.library.shared.works import GOLUB, SMITH, WENSING
from codegen.modeling.failures import Failure
from codegen.modeling.types.algebra import (
    Force,
    Inertia,
    InertiaTensor,
    Mat3,
    Motion,
    Rotation,
    SymMat3,
    Vec3,
)
from codegen.modeling.types.scalar import (
    EPS,
    MIN,
    absolute,
    acos,
    bare,
    cos,
    every,
    finite,
    let,
    maximum,
    minimum,
    require,
    select,
    sqrt,
)


@kernel(
    inputs=[inertia("I_O", "A")],
    outputs=[vector("c", "m", "centre of mass, measured from the frame's origin", "A")],
    equation="c = h / m",
    source=INERTIA_SECTION,
    failures={
        Status.MASS: Failure("m > 0", "c = 0"),
        Status.NOT_FINITE: Failure("finite(c)", "c = 0"),
    },
)
def inertia_com(I_O: Inertia) -> Vec3:
    """Centre of mass of a body."""
    has_mass = let("has_mass", require(I_O.m > 0, Status.MASS))
    c: Vec3 = I_O.h * let("inv_m", 1 / select(has_mass, I_O.m, 1))
    let("c", c)
    bounded = require(every(*map(finite, c.scalars())), Status.NOT_FINITE)
    return select(let("ok", every(has_mass, bounded)), c, Vec3.zero())


@kernel(
    inputs=[inertia("I_O", "A")],
    outputs=[],
    equation="P = [[(tr(J) / 2) 1 - J, h], [h^T, m]]; tr(P) >= 0; tr(P)^2 - tr(P P) >= 0; tr(adj(P)) >= 0; "
    "det(P) >= 0",
    source=WENSING,
    failures={
        Status.NOT_FINITE: Failure("finite(I_O)"),
        Status.MASS: Failure(
            "m >= 0, {0 if m > min, |h_x| + |h_y| + |h_z| + |J_xx| + |J_xy| + |J_xz| + |J_yy| + |J_yz| "
            "+ |J_zz| otherwise} <= 0",
            words="otherwise the mass is negative, or something without a mass has a moment",
        ),
        Status.NOT_PHYSICAL: Failure(
            "m >= 0, min(minors(S - h c^T + 16 eps tr(S) 1)) >= 0, S = (tr(J) / 2) 1 - J, "
            "c = {h / m if m > min, 0 otherwise}",
            words="otherwise no body has this inertia: the second moment about the centre of mass has an "
            "eigenvalue that is negative by more than rounding; of a trace that is no normal number, "
            "rounding decides",
            certified=True,
        ),
    },
)
def inertia_validate(I_O: Inertia) -> tuple[()]:
    """Whether an inertia is physical, that is, whether a distribution of mass can have it.

    `P` is the pseudo-inertia, the integral over the mass of the dyad of the position with a 1 below it. It
    has to be positive semidefinite: the coefficients of its characteristic polynomial have alternating signs.
    That `J` is positive definite is not enough: no principal moment about the centre of mass may exceed the
    sum of the other two.
    """
    m, h, J = I_O.m, I_O.h, I_O.J
    require(every(*map(finite, I_O.scalars())), Status.NOT_FINITE)
    others = let(
        "others", sum(map(absolute, map(bare, J.scalars())), sum(map(absolute, map(bare, h.scalars()))))
    )
    massive = let("massive", m > MIN)
    require(every(m >= 0, select(massive, 0, others) <= 0), Status.MASS)
    trace = let("trace", J.trace / 2)  # of the second moment
    inv_size = let("inv_size", 1 / select(trace > MIN, trace, 1))  # so that no square over- or underflows
    c = let("c", select(massive, h, Vec3.zero()) * (1 / select(massive, m, 1)))
    tolerance = let("tolerance", 16 * EPS * (trace * inv_size))
    S = second_moment_of(J) * inv_size + SymMat3.isotropic(tolerance)
    about_com = let("about_com", S - _outer(h * inv_size, c))
    require(every(m >= 0, is_semidefinite(about_com, _ABOUT_COM)), Status.NOT_PHYSICAL)
    return ()


_ABOUT_COM = (
    "Q = (S - h c^T + 16 eps tr(S) 1) / s, S = (tr(J) / 2) 1 - J, c = {h / m if m > min, 0 otherwise}, "
    "s = {tr(S) if tr(S) > min, 1 otherwise}"
)


def _outer(h: Vec3, c: Vec3) -> SymMat3:
    """h c^T of parallel h and c."""
    return SymMat3(h.x * c.x, h.x * c.y, h.x * c.z, h.y * c.y, h.y * c.z, h.z * c.z)


def solved_failures(results: str, body: str = "") -> dict[Status, Failure]:
    """The failures MASS and SINGULAR of a kernel that solves about the centre of mass; `body` defines Jc."""
    return {
        Status.MASS: Failure("m > min", results),
        Status.SINGULAR: Failure(
            "Jc[0, 0] > 0, A[2, 2] > 0, det(Jc) > min, det(Jc) > 16 eps (Jc[0, 0] Jc[1, 1] Jc[2, 2] + "
            "P[0, 0] A[0, 0] + P[1, 1] A[1, 1] + P[2, 2] A[2, 2]), A = adj(Jc), P = J - Jc" + body,
            results,
            "otherwise `Jc` is not positive definite, or its determinant is lost in rounding, or "
            f"{NO_NORMAL_DET}",
        ),
    }


@kernel(
    inputs=[inertia("I_O", "A"), force("f", "A")],
    outputs=[motion("a", "A", "spatial acceleration; for a momentum, the velocity", "rad/s^2; m/s^2")],
    equation="a = I_O^-1 f = [alpha, f_O / m + c x alpha]; alpha = Jc^-1 (n - c x f_O); "
    "Jc = J - m ((c.c) 1 - c c^T); c = h / m; f = [n, f_O]",
    source=INERTIA_SECTION,
    failures={
        **solved_failures("a = 0"),
        Status.NOT_FINITE: Failure("|sum(alpha)| <= max, |sum(a[3:6])| <= max", "a = 0"),
    },
)
def inertia_solve(I_O: Inertia, f: Force) -> Motion:
    """Spatial acceleration that a force gives to a body: the inverse of inertia_multiply.

    About the centre of mass rotation and translation decouple, which reduces the 6x6 system to a 3x3 system.
    """
    body = about_com(I_O)
    w = let("w", body.response(let("torque", f.n - body.c.cross(f.f))))
    return body.finite_or_zero(w, let("v", f.f * body.inv_m + body.c.cross(w)))


@dataclass(frozen=True)
class AboutCom:
    """A body about its centre of mass c, and whether a force determines its acceleration."""

    inv_m: Scalar
    c: Vec3
    Jc: SymMat3
    regular: Scalar
    response: Callable[[Vec3], Vec3]  # Jc^-1 times a vector

    def finite_or_zero(self, w: Vec3, v: Vec3) -> Motion:
        """The motion [w; v], or zero where the body is not regular or a number overflows."""
        totals = (select(self.regular, a.x + a.y + a.z, 0) for a in (w, v))
        bounded = require(every(*map(finite, totals)), Status.NOT_FINITE)
        return select(let("ok", every(self.regular, bounded)), Motion(w, v), Motion.of([0] * 6))


def about_com(I_O: Inertia) -> AboutCom:
    """A body about its centre of mass, with its requirements MASS and SINGULAR."""
    has_mass = let("has_mass", require(I_O.m > MIN, Status.MASS))
    inv_m = let("inv_m", 1 / select(has_mass, I_O.m, 1))
    c = let("c", I_O.h * inv_m)
    offset = let("offset", offset_inertia(I_O.h, c))
    Jc = let("Jc", I_O.J - offset)
    adj = let("adj", Jc.adjugate)
    det = let("det", Jc.xx * adj.xx + Jc.xy * adj.xy + Jc.xz * adj.xz)
    definite = every(
        has_mass, Jc.xx > 0, adj.zz > 0, det > MIN, det > 16 * EPS * _size_of_det(Jc, adj, offset)
    )
    regular = let("regular", require(definite, Status.SINGULAR))
    inv_det = let("inv_det", 1 / select(regular, det, 1))
    return AboutCom(inv_m, c, Jc, regular, lambda torque: (adj @ torque) * inv_det)


def _size_of_det(Jc: SymMat3, adj: SymMat3, offset: SymMat3) -> Scalar:
    """The scale of rounding in det(Jc); Jc = J - offset has a rounding error of eps times the offset, too."""
    return Jc.xx * Jc.yy * Jc.zz + (offset.xx * adj.xx + offset.yy * adj.yy + offset.zz * adj.zz)


def _permuted_back(
    I_com: SymMat3, L: tuple[Scalar, ...], D: tuple[Scalar, ...], perm: tuple[Scalar, ...], rank: Scalar
) -> tuple[Mat3, Scalar]:
    """The matrix with these factors, and its rank; the factors themselves are not unique for equal pivots."""
    lower = Mat3((1, 0, 0, L[0], 1, 0, L[1], L[2], 1))
    scaled = Mat3.from_columns(*(column * d for column, d in zip(lower.columns, D, strict=True)))
    axes = [[select(every(p >= k, p <= k), 1, 0) for k in range(3)] for p in perm]
    E = Mat3.from_rows(*(Vec3(*row) for row in axes))
    matrix = E.transpose @ (scaled @ lower.transpose) @ E
    return matrix, rank


@kernel(
    inputs=[central_inertia("I_com", "B")],
    outputs=[
        Arg("L", Array((3,)), "1", "L10, L20, L21, below the diagonal of L; its diagonal is 1"),
        Arg("D", Array((3,)), "kg m^2", "the pivots, the diagonal of D, largest first; 0 beyond the rank"),
        Arg("perm", Array((3,), integer=True), "1", "the axis (0, 1, 2) that each row of L belongs to"),
        Arg("rank", INTEGER, "1", "3 for a body, 2 for a rod, 0 for a point"),
    ],
    equation="T diag(D) T^T = P I_com P^T; T = [[1, 0, 0], [L[0], 1, 0], [L[1], L[2], 1]]; "
    "P = rows(e(perm[0]), e(perm[1]), e(perm[2])); "
    "e(i) = [{1 if i < 1, 0 otherwise}, {1 if 0 < i and i < 2, 0 otherwise}, {1 if 1 < i, 0 otherwise}]; "
    "rank = n(D[0]) + n(D[1]) + n(D[2]); n(d) = {1 if 0 < d, 0 otherwise}; min(0, D) = 0",
    source=GOLUB.at("section 4.2"),
    failures={
        Status.NOT_PHYSICAL: Failure(
            "finite(tr(I_com)), min(E[0, 0], E[1, 1], E[2, 2]) >= -t, "
            "|E[0, 1]| + |E[0, 2]| + |E[1, 2]| <= t, "
            "E = I_com - P^T T diag(D) T^T P, t = max(16 eps tr(I_com), min)",
            "L = 0, D = 0, perm = 0, rank = 0",
            "otherwise what the factors leave of `I_com` is more than rounding: it has a negative eigenvalue",
            certified=True,
        )
    },
    invariants=_permuted_back,
)
def inertia_factor(I_com: InertiaTensor) -> tuple[list[Scalar], list[Scalar], list[Scalar], Scalar]:
    """Triangular factors of a central inertia, with the largest pivot first, and its rank.

    The rank counts the pivots above 16 eps times the trace of `I_com` and above the smallest normal number:
    subnormal numbers have too few digits for factors, and count as 0. At rank 3, `L` and `D` serve to solve
    and to invert, and `L` with its columns times the square roots of `D` is the Cholesky factor.
    """
    tolerance = let("tolerance", maximum(16 * EPS * let("trace", I_com.trace), MIN))
    y_first = every(I_com.yy > I_com.xx, I_com.yy >= I_com.zz)
    z_first = every(I_com.zz > I_com.xx, I_com.zz > I_com.yy)
    S = let("swapped", select(z_first, swapped(I_com, 2), select(y_first, swapped(I_com, 1), I_com)))
    axes = select(z_first, 2, select(y_first, 1, 0)), select(y_first, 0, 1), select(z_first, 0, 2)

    some = let("some", S.xx > tolerance)
    inv_1 = let("inv_1", 1 / select(some, S.xx, 1))
    y, z = let("factor_y", select(some, S.xy, 0) * inv_1), let("factor_z", select(some, S.xz, 0) * inv_1)
    yy, yz = let("schur_yy", S.yy - y * S.xy), let("schur_yz", S.yz - y * S.xz)
    zz = let("schur_zz", S.zz - z * S.xz)

    turn = let("turn", zz > yy)
    second, least = let("second", select(turn, zz, yy)), select(turn, yy, zz)
    two = let("two", every(some, second > tolerance))
    L21 = let("factor_zy", select(two, yz, 0) * (1 / select(two, second, 1)))
    third = let("third", least - L21 * yz)
    three = let("three", every(two, third > tolerance))

    left = select(some, select(two, 0, absolute(yz)), absolute(S.xy) + absolute(S.xz) + absolute(yz))
    semidefinite = every(finite(I_com.trace), third >= -tolerance, left <= tolerance)
    ok = let("ok", require(semidefinite, Status.NOT_PHYSICAL))
    return (
        [select(ok, x, 0) for x in (select(turn, z, y), select(turn, y, z), L21)],
        [select(every(ok, has), d, 0) for has, d in ((some, S.xx), (two, second), (three, third))],
        [select(ok, p, 0) for p in (axes[0], select(turn, axes[2], axes[1]), select(turn, axes[1], axes[2]))],
        select(ok, select(three, 3, select(two, 2, select(some, 1, 0))), 0),
    )


def _of_axes(I_com: SymMat3, moments: Vec3, R_BP: Rotation) -> tuple[Mat3, Mat3, Scalar, Scalar]:
    """The property of principal axes; their signs, and the axes of equal moments, are not unique."""
    scaled = Mat3.from_columns(*(a * m for a, m in zip(R_BP.columns, moments.scalars(), strict=True)))
    rebuilt, gram = scaled @ R_BP.transpose, R_BP.transpose @ R_BP
    ascending = every(moments.x <= moments.y, moments.y <= moments.z)
    x, y, z = R_BP.columns
    return rebuilt, gram, x.cross(y).dot(z), select(ascending, 1, 0)


@kernel(
    inputs=[central_inertia("I_com", "B")],
    outputs=[
        vector("moments", "kg m^2", "principal moments, ascending", "P"),
        rotation("R_BP", "its columns are the principal axes, in the order of the moments"),
    ],
    equation="I_com = R_BP diag(moments) R_BP^T; R_BP^T R_BP = 1; det(R_BP) = 1; "
    "moments[0] <= moments[1] <= moments[2]",
    source=SMITH,
    failures={
        Status.NOT_CONVERGED: Failure(
            "n min <= 1, n = |I_com_xx| + |I_com_xy| + |I_com_xz| + |I_com_yy| + |I_com_yz| + |I_com_zz|",
            "moments = 0, R_BP = 1",
            "otherwise the numbers are out of range; also returned if the computed axes are not principal up "
            "to rounding, as those of exact numbers are",
            certified=True,
        )
    },
    tolerance=8,  # three normalisations and two changes of basis; Jacobi's iteration is no more accurate
    invariants=_of_axes,
)
def inertia_principal(I_com: InertiaTensor) -> tuple[Vec3, Rotation]:
    """Principal moments and axes of inertia, without iteration.

    Unless all moments are equal, one of them is well separated from the other two. Its axis follows from
    Smith's formula, which is accurate for it; one Jacobi rotation in the plane normal to it gives the others.
    """
    size = let("size", sum(map(absolute, I_com.scalars()), 0))
    is_some = let("is_some", size > MIN)
    S = let("S", I_com * let("inv_size", 1 / select(is_some, size, 1)))
    w, largest = _separate_axis(S)
    u, v = _perpendicular(w)
    Su, Sv = let("S_plane_1", S @ u), let("S_plane_2", S @ v)
    residual = let("residual", absolute(w.dot(Su)) + absolute(w.dot(Sv)))
    ok = let("ok", require(every(size * MIN <= 1, residual <= 64 * EPS), Status.NOT_CONVERGED))

    (low, low_axis), (high, high_axis) = _principal_in_plane(u, v, u.dot(Su), u.dot(Sv), v.dot(Sv))
    own = let("own", w.dot(S @ w))
    moments = Vec3(
        select(largest, low, minimum(own, low)),
        select(largest, high, low),
        select(largest, maximum(own, high), high),
    )
    R_BP = Rotation.from_columns(
        select(largest, low_axis, w), select(largest, high_axis, low_axis), select(largest, w, high_axis)
    )
    restored = moments * select(is_some, size, 1)
    return select(ok, restored, Vec3.zero()), select(ok, R_BP, Rotation.identity())


@kernel(
    inputs=[
        vector("moments", "kg m^2", "principal moments", "P"),
        rotation("R_BP", "its columns are the principal axes, in the order of the moments"),
    ],
    outputs=[central_inertia("I_com", "B")],
    equation="I_com = R_BP diag(moments) R_BP^T",
    requires="`R_BP` is orthonormal with determinant 1",
    source=GOLUB.at("section 8.1"),
)
def inertia_from_principal(moments: Vec3, R_BP: Rotation) -> SymMat3:
    """Inertia about the centre of mass from principal moments and axes; nothing is checked.

    The dyads of the axes add up to 1, so that the third axis is not read.
    """
    a, b, _ = R_BP.columns
    more_x, more_y = let("more_x", moments.x - moments.z), let("more_y", moments.y - moments.z)
    p, q = let("scaled_a", a * more_x), let("scaled_b", b * more_y)
    return SymMat3(
        moments.z + a.x * p.x + b.x * q.x, a.y * p.x + b.y * q.x, a.z * p.x + b.z * q.x,
        moments.z + a.y * p.y + b.y * q.y, a.z * p.y + b.z * q.y, moments.z + a.z * p.z + b.z * q.z,
    )  # fmt: skip


def _separate_axis(S: SymMat3) -> tuple[Vec3, Scalar]:
    """The axis of the eigenvalue that is farthest from the others, and whether that is the largest.

    The eigenvalues of B = (S - q 1) / p with tr(B) = 0 and tr(B B) = 6 are 2 cos(angle + 2 pi k / 3), where
    cos(3 angle) = det(B) / 2. For one of them, x, the adjugate of B - x 1 is a multiple of w w^T.
    """
    deviator = let("deviator", S - SymMat3.isotropic(S.trace / 3))
    xx, xy, xz, yy, yz, zz = (element * element for element in deviator.scalars())
    square = let("p_p", (xx + yy + zz) / 6 + (xy + xz + yz) / 3)
    B = let("B", deviator * (1 / sqrt(select(square > MIN, square, 1))))
    cofactors = B.adjugate
    cosine = let("cosine", (B.xx * cofactors.xx + B.xy * cofactors.xy + B.xz * cofactors.xz) / 2)
    largest = let("largest", cosine >= 0)
    distance = 2 * cos(acos(minimum(absolute(cosine), 1)) / 3)
    x = let("x", select(largest, distance, -distance))
    A = let("A", (B - SymMat3.isotropic(x)).adjugate)
    y_first, z_first = every(A.yy > A.xx, A.yy >= A.zz), every(A.zz > A.xx, A.zz > A.yy)
    column_x, column_y, column_z = A.rows
    w = let("column", select(z_first, column_z, select(y_first, column_y, column_x)))
    square = let("square", w.dot(w))
    known = let("known", square > 1)  # at least 12, unless B consists of rounding errors only
    return let("axis", select(known, w, Vec3(1, 0, 0)) * (1 / sqrt(select(known, square, 1)))), largest


def _perpendicular(w: Vec3) -> tuple[Vec3, Vec3]:
    """Two unit vectors u, v that make u, v, w right-handed and orthonormal (Duff et al., JCGT 6(1), 2017)."""
    sign = let("sign", select(w.z >= 0, 1, -1))
    a = let("a", -1 / (sign + w.z))
    b = let("b", w.x * w.y * a)
    u = Vec3(1 + sign * (w.x * w.x * a), sign * b, -sign * w.x)
    return let("plane_1", u), let("plane_2", Vec3(b, sign + w.y * w.y * a, -w.y))


def _principal_in_plane(
    u: Vec3, v: Vec3, uu: Scalar, uv: Scalar, vv: Scalar
) -> tuple[tuple[Scalar, Vec3], tuple[Scalar, Vec3]]:
    """The lower and the higher eigenvalue of [[uu, uv], [uv, vv]] with their axes, by Jacobi's rotation."""
    let("uu", uu), let("uv", uv), let("vv", vv)
    half = let("half", (vv - uu) / 2)
    reach = let("reach", absolute(half) + sqrt(half * half + uv * uv))
    is_apart = reach > EPS * EPS  # below, uv is negligible, squares may underflow
    t = let("tangent", uv / select(is_apart, reach, 1))
    wide = let("wide", 1 / sqrt(1 + t * t))
    narrow = let("narrow", t * wide)
    u_first = let("u_first", half >= 0)
    c, s = let("c", select(u_first, wide, narrow)), let("s", select(u_first, narrow, wide))
    shift = let("shift", t * uv)
    return (
        (let("low", minimum(uu, vv) - shift), let("low_axis", c * u - s * v)),
        (let("high", maximum(uu, vv) + shift), let("high_axis", s * u + c * v)),
    )
