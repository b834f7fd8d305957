"""Articulated-body inertia: the apparent inertia of a body that carries other bodies on joints."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import mul, sub
from typing import Any

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import REAL, Array, Scalar, flatten
from codegen.library.shared.arguments import articulated, force, inertia, motion, pose
from codegen.library.shared.guards import bounded, total
from codegen.library.shared.works import FEATHERSTONE
from codegen.library.spatial.kernels import block_rows, motion_dot_force
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.modeling.types import elimination
from codegen.modeling.types.algebra import (
    ArticulatedInertia,
    Force,
    Inertia,
    Mat3,
    Motion,
    SymMat3,
    Transform,
    Vec3,
)
from codegen.modeling.types.matrices import MatrixValue, VectorValue, from_upper, matrix
from codegen.modeling.types.matrix_types import Matrix, Symmetric, Vector
from codegen.modeling.types.scalar import EPS, every, let, require, select

SECTION = FEATHERSTONE.at("section 7.1")
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
    source=FEATHERSTONE.at("section 7.1", "appendix A"),
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
    source=FEATHERSTONE.at("section 7.1", "appendix A"),
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


def _dyad(a: Force, b: Force) -> ArticulatedInertia:
    """a b^T of parallel a and b."""
    return ArticulatedInertia(_symmetric_outer(a.n, b.n), _outer(a.n, b.f), _symmetric_outer(a.f, b.f))


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
        force("U", "A", "`U = IA_O S`", "mixed"),
        Arg("D", REAL, "mixed", "`D = S.U`, the apparent inertia along the joint"),
        Arg("u", REAL, "mixed", "joint force less the bias force along S"),
    ],
    equation="U = IA_O S; D = S.U; u = tau - S.pA; Ia = IA_O - U U^T / D; pa = pA + Ia c + (u / D) U",
    source=FEATHERSTONE.at("section 7.3"),
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
    Ia = let("shown", IA_O - _dyad(U, G))
    pa = pA + articulated_multiply(Ia, c) + u * G
    # products with Ia, U and u are part of pa, and 0 times infinity is NaN
    ok = bounded(total(pa) + D)
    held = (select(ok, value, value.map(lambda _: 0)) for value in (Ia, pa, U))
    return *held, select(ok, D, 0), select(ok, u, 0)


@dataclass(frozen=True)
class Pivots:
    """Gaussian elimination of the directions of a joint, one after the other: S^T U = L diag(d) L^T."""

    W: list[Force]  # the columns of U L^-T
    L: list[list[Scalar]]  # its rows below the diagonal, which is 1
    inv_d: list[Scalar]  # 1 / d, or 0 where the joint is held

    @staticmethod
    def of(IA: ArticulatedInertia, S: Sequence[Motion], U: Sequence[Force]) -> "Pivots":
        """Each pivot has to be above the rounding of the inertia along its direction."""
        W: list[Force] = []
        L: list[list[Scalar]] = []
        inverses: list[Scalar] = []
        regular: Scalar = True
        for k, (s, u) in enumerate(zip(S, U, strict=True)):
            across = [let(f"across_{k}{j}", motion_dot_force(s, w)) for j, w in enumerate(W)]
            row = [let(f"L_{k}{j}", a * inv) for j, (a, inv) in enumerate(zip(across, inverses, strict=True))]
            d = let(f"d_{k}", motion_dot_force(s, u) - sum(map(mul, row, across)))
            least = let(f"least_{k}", 16 * EPS * let(f"scale_{k}", _along_axes(IA, s)))
            regular = let(f"regular_{k}", every(regular, require(least < d, Status.SINGULAR)))
            inverses.append(let(f"inverse_{k}", 1 / select(regular, d, 1)))
            W.append(let(f"W_{k}", reduce(sub, (w * x for w, x in zip(W, row, strict=True)), u)))
            L.append(row)
        return Pivots(W, L, [let(f"inv_d_{k}", select(regular, x, 0)) for k, x in enumerate(inverses)])


def _elimination_failures(n: int) -> dict[Status, Failure]:
    """The failures of the elimination of a joint of n degrees of freedom, by the pivots of `D = S^T U`."""
    pivots = (
        "D[0, 0]",
        "D[1, 1] - D[0, 1]^2 / D[0, 0]",
        "det(D) / (D[0, 0] D[1, 1] - D[0, 1]^2)",
    )
    conditions = [f"{pivot} > 16 eps E[{k}, {k}]" for k, pivot in enumerate(pivots[:n])]
    return {
        Status.NOT_FINITE: Failure(
            "|sum(pa) + sum(D_inv)| <= max",
            f"Ia = 0, pa = 0, U = zeros(6, {n}), D_inv = zeros({n}, {n}), u = 0",
        ),
        Status.SINGULAR: Failure(
            ", ".join([*conditions, "E = S^T diag(J_O_xx, J_O_yy, J_O_zz, M_O_xx, M_O_yy, M_O_zz) S"]),
            f"Ia = IA_O, pa = pA + IA_O c, D_inv = zeros({n}, {n})",
            "otherwise there is no inertia along a direction of the joint, which is held",
        ),
    }


def joint_elimination(n: int, name: str, joints: str) -> Kernel:
    """The kernel that eliminates a joint of n degrees of freedom."""

    def formula(
        IA_O: ArticulatedInertia, pA: Force, S: MatrixValue, c: Motion, tau: VectorValue
    ) -> tuple[Any, ...]:
        directions = [Motion.of(list(column)) for column in S.columns]
        U = [let(f"U_{k}", articulated_multiply(IA_O, s)) for k, s in enumerate(directions)]
        u = [t - motion_dot_force(s, pA) for s, t in zip(directions, tau, strict=True)]
        let("rest", u)
        pivots = Pivots.of(IA_O, directions, U)
        Ia, pa = IA_O, pA
        for W, inv_d, y in zip(pivots.W, pivots.inv_d, elimination.forward(pivots.L, u), strict=True):
            G = let("G", W * inv_d)
            Ia, pa = Ia - _dyad(W, G), pa + y * G
        pa = pa + articulated_multiply(let("shown", Ia), c)
        D_inv = from_upper(elimination.inverse_of_factors(pivots.L, pivots.inv_d))
        ok = bounded(total(pa, D_inv))
        values = Ia, pa, matrix([flatten(column) for column in U]).T, D_inv, VectorValue(u)
        return tuple(select(ok, value, value.map(lambda _: 0)) for value in values)

    formula.__doc__ = f"""Apparent inertia and bias force through a joint of {n} degrees of freedom.

    With `a` the sum of `c` and the acceleration of the body below the joint, the joint's accelerations are
    `D_inv` times the excess of `u` over the transpose of `U` times `a`.
    """
    return kernel(
        name=name,
        inputs=[
            articulated("IA_O", "A"),
            force("pA", "A", "bias force of the articulated body"),
            Arg("S", Matrix(6, n), "mixed", f"motion subspace of the joint, as from {joints}", "A"),
            motion("c", "A", "velocity-product acceleration of the joint", "rad/s^2; m/s^2"),
            Arg("tau", Vector(n), "mixed", "forces of the joint along the columns of S"),
        ],
        outputs=[
            articulated("Ia", "A", "apparent inertia through the joint"),
            force("pa", "A", "apparent bias force through the joint"),
            Arg("U", Matrix(6, n), "mixed", "`U = IA_O S`", "A"),
            Arg("D_inv", Symmetric(n), "mixed", "inverse of `D`, the apparent inertia along the joint"),
            Arg("u", Vector(n), "mixed", "joint forces less the bias force along S"),
        ],
        equation="U = IA_O S; D_inv = D^-1; D = S^T U; u = tau - S^T pA; Ia = IA_O - U D_inv U^T; "
        "pa = pA + Ia c + U D_inv u",
        source=FEATHERSTONE.at("section 7.3"),
        failures=_elimination_failures(n),
    )(formula)


articulated_reduce_two = joint_elimination(2, "articulated_reduce_two", "joint_universal")
articulated_reduce_three = joint_elimination(3, "articulated_reduce_three", "joint_spherical or joint_planar")
