"""Articulated-body inertia: the apparent inertia of a body that carries other bodies on joints."""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import REAL, Array, Scalar
from codegen.library.shared.arguments import articulated, force, inertia, motion, pose
from codegen.library.shared.guards import bounded, total
from codegen.library.spatial.kernels import block_rows, motion_dot_force
from codegen.modeling.algebra import (
    ArticulatedInertia,
    Force,
    Inertia,
    Mat3,
    Motion,
    SymMat3,
    Transform,
    Vec3,
)
from codegen.modeling.failures import Failure
from codegen.modeling.scalar import EPS, let, require, select

SECTION = "Featherstone, Rigid Body Dynamics Algorithms (2008), section 7.1"
RIGHT = "`R_AB` is orthonormal, of determinant 1"


@kernel(
    inputs=[inertia("I_O", "A")],
    outputs=[articulated("IA_O", "A")],
    equation="J = J_O; H = h~; M = m 1",
    source=SECTION,
)
def articulated_from_inertia(I_O: Inertia) -> ArticulatedInertia:
    """Articulated-body inertia of a single rigid body."""
    return ArticulatedInertia(I_O.J, Mat3.skew(I_O.h), SymMat3.isotropic(I_O.m))


@kernel(
    inputs=[articulated("IA_1", "A"), articulated("IA_2", "A")],
    outputs=[articulated("IA_sum", "A")],
    equation="IA_sum = IA_1 + IA_2",
    source=SECTION,
)
def articulated_add(IA_1: ArticulatedInertia, IA_2: ArticulatedInertia) -> ArticulatedInertia:
    """Sum of two articulated-body inertias in the same frame."""
    return IA_1 + IA_2


@kernel(
    inputs=[articulated("IA_1", "A"), inertia("I_2", "A")],
    outputs=[articulated("IA_sum", "A")],
    equation="IA_sum = IA_1 + [[J_2, h_2~], [-h_2~, m_2 1]]",
    source=SECTION,
)
def articulated_add_inertia(IA_1: ArticulatedInertia, I_2: Inertia) -> ArticulatedInertia:
    """Sum of an articulated-body inertia and a rigid body's inertia in the same frame."""
    return articulated_add(IA_1, articulated_from_inertia(I_2))  # type: ignore[no-any-return]


@kernel(
    inputs=[articulated("IA_O", "A"), motion("v", "A", "spatial acceleration", "rad/s^2; m/s^2")],
    outputs=[force("f", "A")],
    equation="f = IA_O v = [J w + H v_O, H^T w + M v_O]; v = [w, v_O]",
    source=SECTION,
)
def articulated_multiply(IA_O: ArticulatedInertia, v: Motion) -> Force:
    """Force on the handle of an articulated body for a spatial acceleration, without the bias force."""
    return Force(IA_O.J @ v.w + IA_O.H @ v.v, IA_O.H.transpose @ v.w + IA_O.M @ v.v)


def _rotated(IA: ArticulatedInertia, R: Mat3) -> ArticulatedInertia:
    """Every block in other axes: R B R^T."""
    return ArticulatedInertia(
        let("J_turned", IA.J.rotated(R)),
        let("H_turned", IA.H.rotated(R)),
        let("M_turned", IA.M.rotated(R)),
    )


def _moved(IA: ArticulatedInertia, p: Mat3) -> ArticulatedInertia:
    """The inertia about a new origin, given p~, p being the position of the old origin from the new one.

    M does not change, H' = H + p~ M, J' = J - H p~ + p~ H'^T, which is symmetric and has the diagonal of
    J + p~ (H + H')^T.
    """
    H = let("H_moved", IA.H + p @ IA.M.dense)
    C, D = p @ H.transpose - IA.H @ p, p @ let("H_sum", IA.H + H).transpose
    return ArticulatedInertia(IA.J + SymMat3(D.m[0], C.m[1], C.m[2], D.m[4], C.m[5], D.m[8]), H, IA.M)


@kernel(
    inputs=[pose("T_AB"), articulated("IA_B", "B")],
    outputs=[articulated("IA_A", "A")],
    equation="IA_A = X IA_B X^T = [[J_A, H_A], [H_A^T, M]]; X = [[R, p~ R], [0, R]]; "
    "J = R J_B R^T; H = R H_B R^T; M = R M_B R^T; H_A = H + p~ M; J_A = J - H p~ + p~ H_A^T",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 7.1 and appendix A",
    requires=RIGHT,
)
def articulated_transform(T_AB: Transform, IA_B: ArticulatedInertia) -> ArticulatedInertia:
    """Articulated-body inertia in A from that in B."""
    return _moved(_rotated(IA_B, T_AB.R), Mat3.skew(T_AB.p))


@kernel(
    inputs=[pose("T_AB"), articulated("IA_A", "A")],
    outputs=[articulated("IA_B", "B")],
    equation="IA_B = X^T IA_A X = [[J_B, H_B], [H_B^T, M_B]]; X = [[R, 0], [p~ R, R]]; "
    "H = H_A - p~ M_A; J = J_A + H_A p~ - p~ H^T; J_B = R^T J R; H_B = R^T H R; M_B = R^T M_A R",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 7.1 and appendix A",
    requires=RIGHT,
)
def articulated_transform_inverse(T_AB: Transform, IA_A: ArticulatedInertia) -> ArticulatedInertia:
    """Articulated-body inertia in B from that in A."""
    return _rotated(_moved(IA_A, Mat3.skew(-T_AB.p)), T_AB.R.transpose)


@kernel(
    inputs=[articulated("IA_O", "A")],
    outputs=[Arg("M", Array((6, 6)), "mixed", "articulated-body inertia matrix, row-major", "A")],
    equation="M = [[J, H], [H^T, M_O]]",
    source=SECTION,
)
def articulated_to_matrix(IA_O: ArticulatedInertia) -> list[Scalar]:
    """Articulated-body inertia as a symmetric 6x6 matrix, angular first."""
    return block_rows(IA_O.J.dense, IA_O.H, IA_O.H.transpose, IA_O.M.dense)


def _outer(a: Vec3, b: Vec3) -> Mat3:
    """a b^T"""
    return Mat3.from_rows(a.x * b, a.y * b, a.z * b)


def _symmetric_outer(a: Vec3, b: Vec3) -> SymMat3:
    """a b^T of parallel a and b."""
    return SymMat3(a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.y, a.y * b.z, a.z * b.z)


def _along_axes(IA: ArticulatedInertia, S: Motion) -> Scalar:
    """sum_i S_i^2 IA_ii, the scale of rounding in S.(IA S); each term has the unit of S.(IA S)."""
    J, M = IA.J, IA.M
    squares = (a * a for a in (*S.w.scalars(), *S.v.scalars()))
    return sum(a * b for a, b in zip(squares, (J.xx, J.yy, J.zz, M.xx, M.yy, M.zz), strict=True))


@kernel(
    inputs=[
        articulated("IA_O", "A"),
        force("pA", "A", "bias force of the articulated body"),
        motion("S", "A", "motion of the joint at unit rate", "mixed"),
        motion("c", "A", "velocity-product acceleration of the joint", "rad/s^2; m/s^2"),
        Arg("tau", REAL, "mixed", "force of the joint along S"),
    ],
    outputs=[
        articulated("Ia", "A", "apparent inertia through the joint"),
        force("pa", "A", "apparent bias force through the joint"),
        force("U", "A", "`IA_O S`", "mixed"),
        Arg("D", REAL, "mixed", "`S.U`, the apparent inertia along the joint"),
        Arg("u", REAL, "mixed", "joint force less the bias force along S"),
    ],
    equation="U = IA_O S; D = S.U; u = tau - S.pA; Ia = IA_O - U U^T / D; pa = pA + Ia c + (u / D) U",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 7.3",
    failures={
        Status.NOT_FINITE: Failure("|sum(pa) + D| <= max", "Ia = 0, pa = 0, U = 0, D = 0, u = 0"),
        Status.SINGULAR: Failure(
            "D > 16 eps (S[0]^2 J_O_xx + S[1]^2 J_O_yy + S[2]^2 J_O_zz + S[3]^2 M_O_xx + S[4]^2 M_O_yy "
            "+ S[5]^2 M_O_zz)",
            "Ia = IA_O, pa = pA + IA_O c",
            "otherwise there is no inertia along the joint",
        ),
    },
)
def articulated_reduce(
    IA_O: ArticulatedInertia, pA: Force, S: Motion, c: Motion, tau: Scalar
) -> tuple[ArticulatedInertia, Force, Force, Scalar, Scalar]:
    """Apparent inertia and bias force of an articulated body through a joint of one degree of freedom."""
    U = let("IA_S", articulated_multiply(IA_O, S))
    D, u = let("S_IA_S", motion_dot_force(S, U)), let("rest", tau - motion_dot_force(S, pA))
    least = let("least", 16 * EPS * let("scale", _along_axes(IA_O, S)))
    ok = let("regular", require(least < D, Status.SINGULAR))
    inv_D = let("inv_D", select(ok, 1, 0) / select(ok, D, 1))
    G = let("G", U * inv_D)
    Ia = let(
        "shown",
        ArticulatedInertia(
            IA_O.J - _symmetric_outer(U.n, G.n),
            IA_O.H - _outer(U.n, G.f),
            IA_O.M - _symmetric_outer(U.f, G.f),
        ),
    )
    pa = pA + articulated_multiply(Ia, c) + u * G
    # products with Ia, U and u are part of pa, and 0 times infinity is NaN
    ok = bounded(total(pa) + D)
    held = (select(ok, value, value.map(lambda _: 0)) for value in (Ia, pa, U))
    return *held, select(ok, D, 0), select(ok, u, 0)
