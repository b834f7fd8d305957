"""Steps of the properties of an inertia: elimination of blocks, factors, and the characteristic equation."""

from __future__ import annotations

from itertools import combinations

from sympy import Eq, Expr, Integer, Matrix, Min, Piecewise, eye

from codegen.library.inertia.steps import componentwise, parallel
from codegen.library.shared.sources import FEATHERSTONE, GOLUB
from codegen.library.shared.textbook import Scalars, blocks, flat, inverse, matrix3, skew, symmetric
from codegen.modeling.steps import Step, condition, step

WENSING = (
    "Wensing, Kim and Slotine, Linear Matrix Inequalities for Physically Consistent Inertial Parameter "
    "Identification, IEEE RA-L 3(1), 2018"
)
SMITH = "Smith, Eigenvalues of a symmetric 3x3 matrix, Communications of the ACM 4(4), 1961"


def _parts(I_O: Scalars) -> tuple[Expr, Matrix, Matrix]:
    return I_O[0], Matrix(I_O[1:4]), symmetric(I_O[4:])


def _negative_minors(S: Matrix) -> list[Expr]:
    """All principal minors of a matrix, with 0 for those that are not negative."""
    n = S.rows
    chosen = [list(rows) for k in range(1, n + 1) for rows in combinations(range(n), k)]
    return [Min(S.extract(rows, rows).det(method="berkowitz"), 0) for rows in chosen]


def _second_moment(J: Matrix) -> Matrix:
    return J.trace() / 2 * eye(3) - J


def _pseudo_inertia(I_O: Scalars) -> list[Expr]:
    m, h, J = _parts(I_O)
    return _negative_minors(blocks(_second_moment(J), h, h.T, Matrix([m])))


_a_body = Step(
    "Definition",
    "where no flag is returned, no principal minor of P = integral [r; 1] [r; 1]^T dm\n"
    "= [[tr(J)/2 1 - J, h], [h^T, m]] is negative",
    "a symmetric matrix has no negative eigenvalue where it has no negative principal minor",
    WENSING,
    _pseudo_inertia,
    "definition",
    implicit=True,
)


@condition(
    "Eliminate the last row: the second moment about the centre of mass",
    "m >= 0, and S - h c^T has no negative eigenvalue, S = tr(J)/2 1 - J, c = h / m; without mass h = 0",
    by="Schur's complement: [[S, h], [h^T, m]] is congruent to diag(S - h h^T / m, m)",
    source=f"{GOLUB} 4.2",
)
def _about_com(I_O: Scalars) -> list[Expr]:
    m, h, J = _parts(I_O)
    c = h / (m + Piecewise((0, m > 0), (1, True)))
    return [Min(m, 0), *_negative_minors(_second_moment(J) - h * c.T)]


@step(
    "Move the force to the centre of mass, solve, and move the motion back",
    "w = Jc^-1 (n - c x f), v = f / m + c x w, c = h / m, Jc = J + m c~ c~",
    by="X^T [n; f] = [n - c x f; f]; about c, rotation and translation decouple",
    source=f"{FEATHERSTONE} 2.15",
)
def _solved_about_com(I_O: Scalars, f: Scalars) -> list[Expr]:
    (m, h, J), moment, force = _parts(I_O), Matrix(f[:3]), Matrix(f[3:])
    c = h / m
    w = inverse(J + m * skew(list(c)) * skew(list(c))) * (moment - c.cross(force))
    return flat(w, force / m + c.cross(w))


def solved_by_adjugate(S: Matrix, b: Matrix) -> Matrix:
    """S^-1 b of a symmetric matrix, with one division."""
    x, y, z = (S[:, i] for i in range(3))
    adjugate = Matrix.hstack(y.cross(z), z.cross(x), x.cross(y))
    return adjugate * b * (1 / x.dot(adjugate[:, 0]))


@step(
    "Solve by the adjugate of a symmetric matrix, with one division",
    "w = adj(Jc) (n - c x f) / det(Jc), Jc = J - ((h.c) 1 - h c^T);\n"
    "adj(Jc) = [y x z, z x x, x x y] for the columns x, y, z, det(Jc) = x.(y x z)",
    by="adj(S) S = det(S) 1 (Cramer's rule); the adjugate of a symmetric matrix is symmetric: six cofactors",
    source=f"{FEATHERSTONE} 2.15",
)
def _solved_by_adjugate(I_O: Scalars, f: Scalars) -> list[Expr]:
    (m, h, J), moment, force = _parts(I_O), Matrix(f[:3]), Matrix(f[3:])
    c = h / m
    w = solved_by_adjugate(J - parallel(h, c), moment - c.cross(force))
    return flat(w, force / m + c.cross(w))


def _permuted(I_com: Scalars, perm: Scalars) -> Matrix:
    """The matrix with its axes in the order of perm."""
    P = Matrix(3, 3, lambda i, j: Piecewise((1, Eq(perm[i], j)), (0, True)))
    return P * symmetric(I_com) * P.T


@condition(
    "Compare the first column",
    "D0 = S00, L10 D0 = S10, L20 D0 = S20, S = I_com[perm][:, perm]",
    by="L D L^T with L of unit diagonal",
    source=f"{GOLUB} 4.2.8",
)
def _first_column(I_com: Scalars, L: Scalars, D: Scalars, perm: Scalars, rank: Expr) -> list[Expr]:
    S = _permuted(I_com, perm)
    return [D[0] - S[0, 0], L[0] * D[0] - S[1, 0], L[1] * D[0] - S[2, 0]]


@condition(
    "Eliminate it, and compare the rest",
    "D1 = S11 - L10 S10, L21 D1 = S21 - L10 S20, D2 = S22 - L20 S20 - L21^2 D1",
    by="Schur's complement of the first pivot is L D L^T of one row less",
    source=f"{GOLUB} 4.2.8",
)
def _schur(I_com: Scalars, L: Scalars, D: Scalars, perm: Scalars, rank: Expr) -> list[Expr]:
    S = _permuted(I_com, perm)
    return [
        D[1] - S[1, 1] + L[0] * S[1, 0],
        L[2] * D[1] - S[2, 1] + L[0] * S[2, 0],
        D[2] - S[2, 2] + L[1] * S[2, 0] + L[2] ** 2 * D[1],
    ]


@condition(
    "Subtract the mean moment, which removes the square from the cubic",
    "x^3 - 3 p^2 x - det(B) = 0 for x = moment - q, q = tr(I_com) / 3, B = I_com - q 1, 6 p^2 = tr(B B);\n"
    "x = 2 p cos(a) turns it into cos(3 a) = det(B) / (2 p^3)",
    by="Cayley and Hamilton with tr B = 0; 4 cos^3 a - 3 cos a = cos 3a",
    source=SMITH,
)
def _cubic(I_com: Scalars, moments: Scalars, R_BP: Scalars) -> list[Expr]:
    S = symmetric(I_com)
    q = S.trace() / 3
    B = S - q * eye(3)
    p2 = (B * B).trace() / 6
    size = (1 + (S * S).trace()) ** 2  # a cubic of large moments has large errors
    return [((x - q) ** 3 - 3 * p2 * (x - q) - B.det()) / size for x in moments]


@condition(
    "Find each axis as an eigenvector of the matrix",
    "I_com r_i = moments_i r_i, r_i the columns of R_BP; r_0 x r_1 = r_2",
    by="I_com R = R diag(moments) since R^T R = 1; the adjugate of I_com - moments_i 1 is along r_i r_i^T",
    source=f"{GOLUB} 8.1",
)
def _axes(I_com: Scalars, moments: Scalars, R_BP: Scalars) -> list[Expr]:
    R, S = matrix3(R_BP), symmetric(I_com)
    stretched = [S * R[:, i] - moments[i] * R[:, i] for i in range(3)]
    return flat(*stretched, R[:, 0].cross(R[:, 1]) - R[:, 2])


def _centre(I_O: Scalars) -> list[Expr]:
    inverse_mass = Integer(1) / I_O[0]
    return [inverse_mass * x for x in I_O[1:4]]


STEPS: dict[str, tuple[Step, ...]] = {
    "inertia_com": (componentwise("c = k h, k = 1 / m", "x / m = (1 / m) x", _centre),),
    "inertia_validate": (_a_body, _about_com),
    "inertia_solve": (_solved_about_com, _solved_by_adjugate),
    "inertia_factor": (_first_column, _schur),
    "inertia_principal": (_cubic, _axes),
}
