"""Steps of the properties of an inertia: elimination of blocks, factors, and the characteristic equation."""

from __future__ import annotations

from codegen.library.shared.works import DUFF, FEATHERSTONE, GOLUB, SMITH, WENSING
from codegen.modeling.steps import Step, stated, stated_condition

_SECOND_MOMENT = "(tr(J) / 2) 1 - J"
_BODY = f"min(0, minors(P)) = 0; P = [[{_SECOND_MOMENT}, h], [h^T, m]]"

_a_body = Step(
    "Definition",
    _BODY,
    "wherever no flag is returned; a symmetric matrix has no negative eigenvalue if none of its principal "
    "minors is negative",
    WENSING,
    _BODY,
    "definition",
    implicit=True,
)

_about_com = stated_condition(
    "Eliminate the last row: the second moment about the centre of mass",
    f"min(0, m, minors(S), minors(m S - h h^T)) = 0; S = {_SECOND_MOMENT}",
    by="the Schur complement of the mass is `S` less the dyad of `h` over the mass; without mass, the last "
    "minors are negative unless there is no first moment either",
    source=GOLUB.at("section 4.2"),
)


_solved_about_com = stated(
    "Move the force to the centre of mass, solve, and move the motion back",
    "a = [alpha, f_O / m + c x alpha]; alpha = Jc^-1 (n - c x f_O);\n"
    "Jc = J + m c~ c~; c = h / m; f = [n, f_O]",
    by="about the centre of mass, rotation and translation decouple",
    source=FEATHERSTONE.at("section 2.15", "equation 2.74"),
)


_solved_by_adjugate = stated(
    "Solve by the adjugate of a symmetric matrix, with one division",
    "a = [alpha, f_O / m + c x alpha]; alpha = adj(Jc) (n - c x f_O) / det(Jc);\n"
    "Jc = J - ((h.c) 1 - h c^T); c = h / m; f = [n, f_O]",
    by="Cramer's rule; the adjugate of a symmetric matrix is symmetric and has six cofactors",
    source=FEATHERSTONE.at("section 2.15", "equation 2.74"),
)


_PERMUTED = (
    "S = P I_com P^T; P = rows(e(perm[0]), e(perm[1]), e(perm[2]));\n"
    "e(i) = [{1 if i < 1, 0 otherwise}, {1 if 0 < i and i < 2, 0 otherwise}, {1 if 1 < i, 0 otherwise}]"
)
"""The matrix with its axes in the order of perm."""

_first_pivot = stated_condition(
    "Bring the largest diagonal element to the front",
    "perm[0] = {2 if I_com[0, 0] < I_com[2, 2] and I_com[1, 1] < I_com[2, 2], "
    "1 if I_com[0, 0] < I_com[1, 1], 0 otherwise}",
    by="no element of the factor is then larger than 1; of equal pivots, the first axis is taken",
    source=GOLUB.at("section 4.2"),
)

_first_column = stated_condition(
    "Compare the first column",
    f"D[0] = S[0, 0]; L[0] D[0] = S[1, 0]; L[1] D[0] = S[2, 0]; {_PERMUTED}",
    by="the lower triangular factor has a diagonal of ones",
    source=GOLUB.at("section 4.2"),
)

_schur = stated_condition(
    "Eliminate it, and compare the rest",
    "D[1] = S[1, 1] - L[0] S[1, 0]; L[2] D[1] = S[2, 1] - L[0] S[2, 0];\n"
    f"D[2] = S[2, 2] - L[1] S[2, 0] - L[2]^2 D[1]; {_PERMUTED}",
    by="the Schur complement of the first pivot is a product of the same form with one row less; the larger "
    "element of its diagonal is the next pivot",
    source=GOLUB.at("section 4.2"),
)


_DEVIATOR = "B = D / p; D = I_com - k 1; k = tr(I_com) / 3; p = sqrt(tr(D D) / 6)"
_EIGENVALUES = [f"x_{i} = (moments[{i}] - k) / p" for i in range(3)]
_MOMENTS = f"{'; '.join(_EIGENVALUES)};\n{_DEVIATOR}"
_OUTER_MOMENTS = f"{'; '.join(_EIGENVALUES[::2])};\n{_DEVIATOR}"
"""The part of the matrix that is not isotropic, scaled, and its eigenvalues."""

_cubic = stated_condition(
    "Subtract the mean moment and scale, which leaves a cubic without its square",
    "x_0^3 - 3 x_0 - det(B) = 0; x_1^3 - 3 x_1 - det(B) = 0; x_2^3 - 3 x_2 - det(B) = 0;\n"
    "tr(B) = 0; tr(B B) = 6;\n" + _MOMENTS,
    by="the characteristic polynomial of `B` is zero at its eigenvalues; the two traces are its other "
    "coefficients",
    source=SMITH,
)

_cosine = stated_condition(
    "Solve it by a cosine",
    "2 cos(3 theta_0) = det(B); 2 cos(3 theta_1) = det(B); 2 cos(3 theta_2) = det(B);\n"
    "theta_0 = acos(x_0 / 2); theta_1 = acos(x_1 / 2); theta_2 = acos(x_2 / 2);\n"
    "cos(3 theta_0) = 4 cos(theta_0)^3 - 3 cos(theta_0);\n" + _MOMENTS,
    by="each root is twice a cosine, by the cosine of a triple angle, which is written out for the first; "
    "the three angles differ by a third of a turn",
    source=SMITH,
)

_BASIS = (
    "u = [1 - w[0]^2 / (1 + w[2]), -w[0] w[1] / (1 + w[2]), -w[0]];\n"
    "v = [-w[0] w[1] / (1 + w[2]), 1 - w[1]^2 / (1 + w[2]), -w[1]];\n"
    "w = r_2; cols(r_0, r_1, r_2) = R_BP"
)
"""Two unit vectors normal to the axis of the largest moment and to each other."""

_largest = stated_condition(
    "Take the root of largest modulus",
    "{x_2 if r >= 0, x_0 otherwise} = x; x = {2 cos(theta) if r >= 0, -2 cos(theta) otherwise};\n"
    "theta = acos(min(|r|, 1)) / 3; r = det(B) / 2;\n" + _OUTER_MOMENTS,
    by="of the three cosines, the one of the smallest angle is the largest; where `r` is negative, it is "
    "that of the opposite matrix; this root is farther from the two others than they are from each other",
    source=SMITH,
)

_normal = stated_condition(
    "Complete the basis with two vectors normal to its axis",
    "u.w = 0; v.w = 0; u.v = 0; u x v = w;\nw[0]^2 + w[1]^2 = (1 - w[2]) (1 + w[2]);\n" + _BASIS,
    by="here for the third axis, and the same for the first, which have unit length; where the third "
    "component is negative, the code takes the mirrored vectors, with the difference in place of the sum, so "
    "that nothing is divided by less than 1",
    source=DUFF,
)

_rotated = stated_condition(
    "Annul the product of inertia in their plane by Jacobi's rotation",
    "moments[0] = min(u.(I_com u), v.(I_com v)) - t d;\n"
    "moments[1] = max(u.(I_com u), v.(I_com v)) + t d;\n"
    "t = d / (|h| + sqrt(h^2 + d^2)); h = (v.(I_com v) - u.(I_com u)) / 2; d = u.(I_com v);\n"
    "d t^2 + 2 |h| t - d = 0;\n" + _BASIS,
    by="here in the plane normal to the third axis: `t` is the tangent of the angle, the smaller root of a "
    "quadratic; the rotation moves the product of `t` and `d` from one diagonal element to the other; the "
    "code works on the matrix divided by the sum of its elements' moduli, so that nothing overflows",
    source=GOLUB.at("section 8.5"),
)

_separate = stated_condition(
    "Take the axis of a moment from the adjugate",
    "adj(B - x_0 1) = (x_1 - x_0) (x_2 - x_0) r_0 r_0^T;\n"
    "adj(B - x_2 1) = (x_0 - x_2) (x_1 - x_2) r_2 r_2^T;\n"
    "cols(r_0, r_1, r_2) = R_BP; tr(B) = 0; tr(B B) = 6;\n" + _MOMENTS,
    by="in principal axes `B` less an eigenvalue is diagonal with one zero, so that the adjugate has one "
    "element; of the least and the largest moment, the formula takes the one that is farther from the others",
    source=GOLUB.at("section 8.1"),
)

_in_plane = stated_condition(
    "Turn the two other axes in the plane normal to it",
    "cols(r_0, r_1)^T I_com cols(r_0, r_1) = diag(moments[0], moments[1]);\n"
    "cols(r_1, r_2)^T I_com cols(r_1, r_2) = diag(moments[1], moments[2]); cols(r_0, r_1, r_2) = R_BP",
    by="a symmetric matrix takes the plane normal to an eigenvector to itself; Jacobi's rotation makes the "
    "product of inertia in this plane zero",
    source=GOLUB.at("section 8.5"),
)

_axes = stated_condition(
    "Order the moments, and complete a right-handed frame",
    "I_com r_0 = moments[0] r_0; I_com r_1 = moments[1] r_1; I_com r_2 = moments[2] r_2; r_0 x r_1 = r_2;\n"
    "cols(r_0, r_1, r_2) = R_BP",
    by="the matrix is multiplied by the orthonormal axes from the right",
    source=GOLUB.at("section 8.1"),
)


STEPS: dict[str, tuple[Step, ...]] = {
    "inertia_com": (
        stated(
            "Divide once",
            "c = k h; k = 1 / m",
            by="a quotient is the product with the reciprocal",
            source=FEATHERSTONE.at("section 2.13"),
        ),
    ),
    "inertia_validate": (_a_body, _about_com),
    "inertia_solve": (_solved_about_com, _solved_by_adjugate),
    "inertia_factor": (_first_pivot, _first_column, _schur),
    "inertia_from_principal": (
        stated(
            "Add the dyads as a product of matrices",
            "I_com = R_BP diag(moments) R_BP^T",
            by="a product with the transpose is the sum of the dyads of the columns",
            source=GOLUB.at("section 8.1"),
        ),
        stated(
            "Leave out the third axis",
            "I_com = moments[2] 1 + (moments[0] - moments[2]) a a^T + (moments[1] - moments[2]) b b^T;\n"
            "a a^T + b b^T + c c^T = 1; cols(a, b, c) = R_BP",
            by="the dyads of orthonormal axes add up to the unit matrix",
            source=GOLUB.at("section 8.1"),
        ),
    ),
    "inertia_principal": (_cubic, _cosine, _largest, _separate, _normal, _rotated, _in_plane, _axes),
}
