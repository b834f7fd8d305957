"""Steps of articulated-body inertia: congruences in blocks, and the elimination of a joint."""

from __future__ import annotations

from codegen.library.inertia.steps import by_trace, without_last_column
from codegen.library.shared.works import FEATHERSTONE, GOLUB
from codegen.modeling.steps import Step, stated

SECTION = FEATHERSTONE.at("section 7.1")
JOINT = FEATHERSTONE.at("section 7.3")

_BY_TRACE = (
    "B(K, S) = [[K[0, 0], K[0, 1], K[0, 2]], [K[1, 0], K[1, 1], K[1, 2]],\n"
    "[K[2, 0], K[2, 1], tr(S) - K[0, 0] - K[1, 1]]];\n"
    f"L(S) = {without_last_column('S')};\n"
    "u(S) = [-S[1, 2], S[0, 2], 0]"
)


def _congruence(
    J: tuple[str, str], H: tuple[str, str], M: str, turned: str, by_columns: str, p: str = "p"
) -> tuple[Step, ...]:
    """The congruence in blocks: J, H before and after the shift by p, M, and the rotation of the blocks."""
    (J_old, J_new), (H_old, H_new) = J, H
    shifted = f"{H_new} = {H_old} + {p}~ {M}"
    update = f"{J_new} = {J_old} - {H_old} {p}~ + {p}~ {H_new}^T; {shifted}"
    return (
        stated(
            "Multiply the congruence out in blocks",
            f"{J_new} = {J_old} + {p}~ {H_old}^T - {H_old} {p}~ - {p}~ {M} {p}~; {shifted};\n{turned}",
            by="the congruence is a rotation of all blocks and a shift without rotation; a cross-product "
            "matrix is antisymmetric",
            source=SECTION,
        ),
        stated(
            "Use the new block `H` for the new block `J`",
            f"{update};\n{turned}",
            by="the transpose of the new block contains the product of `M` with the cross-product matrix",
            source=FEATHERSTONE.at("section 7.1", "appendix A"),
        ),
        by_trace(f"{update};\n{by_columns};\n{_BY_TRACE}"),
    )


_multiplied = stated(
    "Multiply the blocks",
    "f = [J w + H v_O, H^T w + M v_O]; v = [w, v_O]",
    by="the matrix has the blocks `J`, `H`, the transpose of `H`, and `M`",
    source=SECTION,
)

_RATE = "U = IA_O S; D = S.U; u = tau - S.pA"

_eliminated = stated(
    "Eliminate the acceleration of the joint",
    f"Ia = IA_O - U U^T / D; pa = pA + IA_O c + ((u - U.c) / D) U;\n{_RATE}",
    by="the force on the body is that of its acceleration, `c` and the joint's acceleration along `S`, and "
    "its part along `S` is `tau`: Gaussian elimination leaves the Schur complement of the pivot `D`",
    source=JOINT,
)

_divided_once = stated(
    "Divide `U` once, and use `Ia` for the bias",
    f"Ia = IA_O - U G^T; pa = pA + Ia c + u G; G = (1 / D) U;\n{_RATE}",
    by="the part of `U` in the direction of `c` is what `Ia` lacks of the inertia",
    source=JOINT,
)

_SUBSPACE = "D = S^T U; U = IA_O S; u = tau - S^T pA"

_solved_at_once = stated(
    "Eliminate the accelerations of the joint",
    f"D_inv = D^-1; Ia = IA_O - U D^-1 U^T; pa = pA + IA_O c + U D^-1 (u - U^T c);\n{_SUBSPACE}",
    by="the force on the body is that of its acceleration, `c` and the joint's accelerations along the "
    "columns of `S`, and its parts along them are `tau`: block elimination leaves the Schur complement of "
    "`D`",
    source=JOINT,
)


def _one_by_one(L: str, d: str) -> Step:
    """The elimination of one direction after the other, given the triangular factor and the pivots."""
    return stated(
        "Eliminate one direction after the other",
        "D_inv = (L diag(d) L^T)^-1; Ia = IA_O - W diag(d)^-1 W^T; pa = pA + Ia c + W diag(d)^-1 L^-1 u;\n"
        f"L diag(d) L^T = D; W = U (L^T)^-1; L = {L};\n{d}; {_SUBSPACE}",
        by="the triangular factor `L` of `D` has a diagonal of ones: each pivot `d` is the inertia along a "
        "direction of the joint where the directions before it are free",
        source=GOLUB.at("section 4.1"),
    )


_OF_BODY = "the blocks of the matrix of a rigid body"

STEPS: dict[str, tuple[Step, ...]] = {
    "articulated_from_inertia": (
        stated("Name the blocks", "J = J_O; H = h~; M = m 1", by=_OF_BODY, source=SECTION),
    ),
    "articulated_add": (
        stated(
            "Add the blocks",
            "J_sum = J_1 + J_2; H_sum = H_1 + H_2; M_sum = M_1 + M_2",
            by="the matrix is linear in the 21 numbers",
            source=SECTION,
        ),
    ),
    "articulated_add_inertia": (
        stated(
            "Add the blocks",
            "J_sum = J_1 + J_2; H_sum = H_1 + h_2~; M_sum = M_1 + m_2 1",
            by=_OF_BODY,
            source=SECTION,
        ),
    ),
    "articulated_multiply": (_multiplied,),
    "articulated_transform": _congruence(
        ("J", "J_A"),
        ("H", "H_A"),
        "M",
        "M_A = M; J = R J_B R^T; H = R H_B R^T; M = R M_B R^T",
        "M_A = M; J = B(K(J_B), J_B); H = B(K(H_B), H_B); M = B(K(M_B), M_B);\n"
        "K(S) = R L(S) R^T + S[2, 2] 1 + (R u(S))~",
    ),
    "articulated_transform_inverse": _congruence(
        ("J_A", "J"),
        ("H_A", "H"),
        "M_A",
        "J_B = R^T J R; H_B = R^T H R; M_B = R^T M_A R; r = -p_AB_A",
        "J_B = B(K(J), J); H_B = B(K(H), H); M_B = B(K(M_A), M_A);\n"
        "K(S) = R^T L(S) R + S[2, 2] 1 + (R^T u(S))~; r = -p_AB_A",
        "r",
    ),
    "articulated_to_matrix": (
        stated(
            "Copy the blocks",
            "M = [[J, H], [H^T, M_O]]",
            by="the matrix is symmetric, and its last block is also called `M`",
            source=SECTION,
        ),
    ),
    "articulated_reduce": (_eliminated, _divided_once),
    "articulated_reduce_two": (
        _solved_at_once,
        _one_by_one("[[1, 0], [l, 1]]", "d = [D[0, 0], D[1, 1] - l D[0, 1]]; l = D[0, 1] / D[0, 0]"),
    ),
    "articulated_reduce_three": (
        _solved_at_once,
        _one_by_one(
            "[[1, 0, 0], [l, 1, 0], [m, n, 1]]",
            "d = [D[0, 0], e, D[2, 2] - m D[0, 2] - n^2 e]; e = D[1, 1] - l D[0, 1]; l = D[0, 1] / D[0, 0];\n"
            "m = D[0, 2] / D[0, 0]; n = (D[1, 2] - l D[0, 2]) / e",
        ),
    ),
}
