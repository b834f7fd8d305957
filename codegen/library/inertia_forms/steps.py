"""Steps of central, unit and pseudo-inertia: the effect of a change of the reference point on each."""

from __future__ import annotations

from codegen.library.inertia.steps import DYADS, by_trace, turned_by_trace
from codegen.library.shared.works import DRAKE, FEATHERSTONE, JAIN, RUCKER, WENSING
from codegen.modeling.steps import Step, stated, stated_condition

SECTION = FEATHERSTONE.at("section 2.13")


def _parallel_axis(new: str, old: str, plus: str, minus: str) -> tuple[Step, Step]:
    """Steps of the shift from the centre of mass to the origin, or with the signs exchanged back."""
    kept = "m_O = m; h_O = h; c = h / m"
    return (
        stated(
            "Multiply the congruence out about the centre of mass",
            f"{new} = {old} {minus} m c~ c~; {kept}",
            by="the first moment about the centre of mass is zero, so that the terms in `h` and `c` combine",
            source=SECTION,
        ),
        stated(
            "Write the product of cross-product matrices as a dyad",
            f"{new} = {old} {plus} ((h.c) 1 - h c^T); {kept}",
            by=f"{DYADS}, and the mass times `c` is `h`",
            source=JAIN,
        ),
    )


def _parallel_terms_cancel(equation: str) -> Step:
    return stated(
        "Cancel the parallel-axis terms of the two changes of origin",
        equation,
        by="the term of the mass at `c` is subtracted at the old origin and added, in new axes, at the new "
        "one",
        source=JAIN,
    )


_TURNED = turned_by_trace("Jc_A", "Jc_B", "R", "R^T")
_H_IN_A = "h = R h_B + m_B p"

_common_centre = stated(
    "Refer both bodies to the common centre of mass",
    "Jc_sum = Jc_A - m_A a~ a~ + R Jc_B R^T - m_B b~ b~; a = h_A / m_A - c; b = h / m_B - c;\n"
    f"m_sum = m_A + m_B; h_sum = h_A + h; c = h_sum / m_sum; {_H_IN_A}",
    by="the parallel-axis theorem for each body",
    source=JAIN,
)

_reduced_mass = stated(
    "Use the vector between the centres of mass",
    "Jc_sum = Jc_A + R Jc_B R^T + k ((d.d) 1 - d d^T); k = m_A m_B / m_sum; d = h / m_B - h_A / m_A;\n"
    f"m_sum = m_A + m_B; h_sum = h_A + h; {_H_IN_A}",
    by="each centre of mass is as far from the common one as the other body's share of the mass times `d`",
    source=JAIN,
)

_momentum = (
    stated(
        "Form the momentum about the centre of mass, then shift it to the origin",
        "f = [Jc w + c x f_O, f_O]; f_O = m (v_O + w x c); c = h / m; v = [w, v_O]",
        by="the linear momentum is the mass times the velocity of the centre of mass; at `c` it has a moment "
        "about the origin",
        source=JAIN,
    ),
    stated(
        "Use the first moment for the mass times `c`",
        "f = [Jc w + c x f_O, f_O]; f_O = m v_O + w x h; c = h / m; v = [w, v_O]",
        by="the cross product is linear in each of its vectors",
        source=JAIN,
    ),
)

_shifted_to_origin = stated_condition(
    "Shift the origin from the centre of mass, by the theorem of Huygens and Steiner",
    "m G = I_com - m c~ c~; m_O = m; c_O = c",
    by="`G` is the rotational inertia about the origin of a body of mass 1",
    source=DRAKE,
)

_per_mass = stated(
    "Write the product of cross-product matrices as a dyad",
    "m_O = m; c_O = c; G = I_com / m + (c.c) 1 - c c^T",
    by=DYADS,
    source=DRAKE,
)

_shift_by_dyads = stated(
    "Write products of cross-product matrices as dyads",
    "m_Q = m_P; c_Q = c_P - p; G_Q = G_P - ((c_P.c_P) 1 - c_P c_P^T) + (c_Q.c_Q) 1 - c_Q c_Q^T",
    by=DYADS,
    source=DRAKE,
)

_shift_by_pair = stated(
    "Use both positions: a symmetric update of rank two",
    "m_Q = m_P; c_Q = c_P + q; G_Q = G_P + ((c_P + c_Q).q) 1 - c_P q^T - q c_Q^T; q = -p",
    by="a difference of two squares is the product of the sum and the difference, for vectors as for dyads",
    source=SECTION,
)

_unit_by_trace = by_trace(f"m_A = m_B; c_A = R c_B;\n{turned_by_trace('G_A', 'G_B', 'R', 'R^T')}")

_weighted = (
    stated(
        "Add masses, first moments and rotational inertias, and divide by the mass of both",
        "m_sum = m_1 + m_2; c_sum = (m_1 c_1 + m_2 c_2) / m_sum; G_sum = (m_1 G_1 + m_2 G_2) / m_sum",
        by="the matrix is linear in them, and each is the mass times that of a unit mass",
        source=DRAKE,
    ),
    stated(
        "Weight the unit inertias by the mass fractions",
        "m_sum = m_1 + m_2; c_sum = k_1 c_1 + k_2 c_2; G_sum = k_1 G_1 + k_2 G_2;\n"
        "k_1 = m_1 / m_sum; k_2 = m_2 / m_sum",
        by="a sum is divided term by term, and both terms have the same denominator in all components",
        source=DRAKE,
    ),
)

_unit_momentum = (
    stated(
        "Factor the mass out, and multiply the blocks",
        "f = m [G w + c~ v_O, v_O - c~ w]; v = [w, v_O]",
        by="the mass is a factor of all blocks",
        source=DRAKE,
    ),
    stated(
        "Write the matrices as cross products",
        "f = [m (G w + c x v_O), m (v_O - c x w)]; v = [w, v_O]",
        by="the cross-product matrix of `c` times a vector is their cross product",
        source=DRAKE,
    ),
)

_linear_first = stated(
    "Exchange the blocks",
    "M = [[m 1, h~^T], [h~, J]]",
    by="the permutation exchanges rows and columns of blocks, and a cross-product matrix is antisymmetric",
    source=SECTION,
)

_trace_of_moments = stated_condition(
    "Write the rotational inertia with the second moment, and take the trace",
    "I_O = [[J, h~], [-h~, m 1]]; J = tr(S) 1 - S, tr(J) = 2 tr(S);\n"
    "S = P[0:3, 0:3], h = P[0:3, 3], m = P[3, 3]",
    by="the square of a cross-product matrix is the dyad less the squared length times the unit matrix, "
    "integrated over the mass",
    source=WENSING,
)

_second_moments = stated(
    "Read the second moments off the rotational inertia",
    "P = [[s_x, -J_xy, -J_xz, h_x], [-J_xy, s_y, -J_yz, h_y], [-J_xz, -J_yz, s_z, h_z],\n"
    "[h_x, h_y, h_z, m]];\n"
    "s_x = (J_yy + J_zz - J_xx) / 2; s_y = (J_xx + J_zz - J_yy) / 2; s_z = (J_xx + J_yy - J_zz) / 2",
    by="a moment of inertia is the sum of the second moments along the two other axes, a product of inertia "
    "the negative mixed moment",
    source=WENSING,
)

_from_second_moments = stated(
    "Add the second moments along two axes",
    "m = P[3, 3]; h = [P[0, 3], P[1, 3], P[2, 3]];\n"
    "J = [[P[1, 1] + P[2, 2], -P[0, 1], -P[0, 2]], [-P[0, 1], P[0, 0] + P[2, 2], -P[1, 2]],\n"
    "[-P[0, 2], -P[1, 2], P[0, 0] + P[1, 1]]]",
    by="the trace less an element of the diagonal is the sum of the two others",
    source=WENSING,
)

STEPS: dict[str, tuple[Step, ...]] = {
    "central_from_com": (
        stated(
            "Keep the rotational inertia",
            "m_O = m; h = m c; Jc = I_com",
            by="the form has its rotational part about the centre of mass",
            source=JAIN,
        ),
    ),
    "inertia_to_central": _parallel_axis("Jc", "J", "-", "+"),
    "central_to_inertia": _parallel_axis("J", "Jc", "+", "-"),
    "central_rotate": (
        _parallel_terms_cancel("m_A = m_B; h_A = R h_B; Jc_A = R Jc_B R^T"),
        by_trace(f"m_A = m_B; h_A = R h_B;\n{_TURNED}"),
    ),
    "central_translate": (
        stated(
            "Multiply the congruence out, and refer it to the new centre of mass",
            "m_A = m_B; h_A = h_B + m_B p; Jc_A = J_B - p~ h_B~ - h_B~ p~ - m_B p~ p~ + m_A c_A~ c_A~;\n"
            "J_B = Jc_B - m_B c_B~ c_B~; c_B = h_B / m_B; c_A = h_A / m_A",
            by="the parallel-axis theorem to the old origin, the shift of the origin, and the theorem back: "
            "the centre of mass is at `c_B` from the old origin and at `c_A` from the new one",
            source=SECTION,
        ),
        _parallel_terms_cancel("m_A = m_B; h_A = h_B + m_B p; Jc_A = Jc_B"),
    ),
    "central_transform": (
        _parallel_terms_cancel("m_A = m_B; h_A = R h_B + m_B p; Jc_A = R Jc_B R^T"),
        by_trace(f"m_A = m_B; h_A = R h_B + m_B p;\n{_TURNED}"),
    ),
    "central_merge": (_common_centre, _reduced_mass),
    "central_multiply": _momentum,
    "unit_from_central": (_shifted_to_origin, _per_mass),
    "unit_shift": (_shift_by_dyads, _shift_by_pair),
    "unit_reexpress": (
        stated(
            "Multiply the congruence out in blocks",
            "m_A = m_B; c_A = R c_B; G_A = R G_B R^T",
            by="the mass is a factor of all blocks, and a cross-product matrix between a rotation and its "
            "transpose is that of the rotated vector",
            source=SECTION,
        ),
        _unit_by_trace,
    ),
    "unit_add": _weighted,
    "unit_multiply": _unit_momentum,
    "unit_to_inertia": (
        stated(
            "Multiply the parts by the mass",
            "m_O = m; h = m c; J = m G",
            by="the matrix is the mass times that of a unit mass",
            source=DRAKE,
        ),
    ),
    "inertia_to_unit": (
        stated(
            "Divide once",
            "m_O = m; c = k h; G = k J; k = 1 / m",
            by="a quotient is the product with the reciprocal",
            source=DRAKE,
        ),
    ),
    "inertia_to_matrix_linear_first": (_linear_first,),
    "inertia_from_log_cholesky": (
        stated(
            "Multiply the factor and its transpose in blocks",
            "m = exp(2 theta[0]); h = m t; J = m (tr(S) 1 - S); S = V V^T + t t^T; t = theta[7:10];\n"
            "V = [[exp(theta[1]), theta[4], theta[6]], [0, exp(theta[2]), theta[5]], [0, 0, exp(theta[3])]]",
            by="the last row of the factor is [0, 0, 0, 1], so that the last column of the product is that "
            "of the factor: the centre of mass, and 1",
            source=RUCKER,
        ),
        stated(
            "Multiply the triangular matrix and its transpose: the diagonal apart, then the rest",
            "m = exp(2 theta[0]); h = m t; J = m (tr(S) 1 - S); S = D + N N^T + t t^T; t = theta[7:10];\n"
            "N = [[theta[4], theta[6]], [0, theta[5]], [0, 0]];\n"
            "D = [[exp(2 theta[1]), a, b], [a, exp(2 theta[2]), c], [b, c, exp(2 theta[3])]];\n"
            "a = theta[4] exp(theta[2]), b = theta[6] exp(theta[3]), c = theta[5] exp(theta[3])",
            by="squares of exponentials are exponentials of twice the number; a row is multiplied by rows "
            "from its own element of the diagonal on",
            source=RUCKER,
        ),
    ),
    "inertia_to_log_cholesky": (
        stated(
            "Name the pivots, quotients of the minors of the last rows",
            "theta = [log(m) / 2, log(z_1) / 2, log(z_2) / 2, log(z_3) / 2, u / sqrt(z_2), "
            "S[1, 2] / sqrt(z_3),\n"
            "S[0, 2] / sqrt(z_3), t[0], t[1], t[2]]; z_3 = S[2, 2]; z_2 = S[1, 1] - S[1, 2]^2 / z_3;\n"
            "z_1 = S[0, 0] - S[0, 2]^2 / z_3 - u^2 / z_2; u = S[0, 1] - S[0, 2] S[1, 2] / z_3;\n"
            "S = ((tr(J) / 2) 1 - J) / m - t t^T; t = h / m",
            by="Gaussian elimination from the last row leaves the minors unchanged: each is the product of "
            "the pivots of its rows",
            source=RUCKER,
        ),
        stated(
            "Compare the product of the factor and its transpose from the last row on",
            "theta = [alpha, d_1, d_2, d_3, s_12, s_23, s_13, t_1, t_2, t_3]; [t_1, t_2, t_3] = t;\n"
            "alpha = log(m) / 2; d_1 = log(z_1) / 2; d_2 = log(z_2) / 2; d_3 = log(z_3) / 2;\n"
            "z_1 = S[0, 0] - s_12^2 - s_13^2; z_2 = S[1, 1] - s_23^2; z_3 = S[2, 2];\n"
            "s_12 = (S[0, 1] - s_13 s_23) / sqrt(z_2); s_23 = S[1, 2] / sqrt(z_3);\n"
            "s_13 = S[0, 2] / sqrt(z_3); S = ((tr(J) / 2) 1 - J) / m - t t^T; t = h / m",
            by="the factor is upper triangular: its last column is that of `S` over the root of the "
            "pivot, and what is left of `S` has one row less",
            source=RUCKER,
        ),
    ),
    "inertia_to_pseudo": (_trace_of_moments, _second_moments),
    "inertia_from_pseudo": (_from_second_moments,),
}
