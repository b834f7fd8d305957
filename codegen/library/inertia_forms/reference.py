"""Central, unit and pseudo-inertia by the textbook's three-dimensional formulas.

Source: Featherstone 2008 "Rigid Body Dynamics Algorithms", section 2.13; Drake's SpatialInertia;
Wensing, Kim and Slotine 2018 for the pseudo-inertia.
"""

from __future__ import annotations

import numpy as np

from codegen.library.inertia.reference import inertia_matrix
from codegen.library.shared.dense import (
    Array,
    Limits,
    Result,
    Scalar,
    Status,
    identity,
    pack_symmetric,
    result,
    skew,
    symmetric,
)
from codegen.library.shared.elementary import exp, log, sqrt
from codegen.library.transform.reference import linear_first, unpack_transform

__all__ = [
    "central_from_com",
    "central_merge",
    "central_multiply",
    "central_rotate",
    "central_to_inertia",
    "central_transform",
    "central_translate",
    "inertia_from_log_cholesky",
    "inertia_from_pseudo",
    "inertia_to_central",
    "inertia_to_log_cholesky",
    "inertia_to_matrix_linear_first",
    "inertia_to_pseudo",
    "inertia_to_unit",
    "unit_add",
    "unit_from_central",
    "unit_multiply",
    "unit_reexpress",
    "unit_shift",
    "unit_to_inertia",
]


def pack(m: Scalar, first: Array, second: Array) -> Array:
    """The ten numbers of a form: mass, a vector, a symmetric matrix."""
    return np.array([m, *first, *pack_symmetric(second)])


def unpack(form: Array) -> tuple[Scalar, Array, Array]:
    """The mass, the vector and the symmetric matrix of a form."""
    return form[0], form[1:4], symmetric(form[4:])


def parallel_axis(c: Array) -> Array:
    """-c~ c~, what a unit mass at c adds to the inertia about the origin."""
    return -skew(c) @ skew(c)


def checked(form: Array, limits: Limits | None) -> Result:
    """The form, or zeros where the sum of its numbers overflows."""
    status = 0
    if limits is not None and not abs(form.sum()) <= limits.max:
        status = Status.NOT_FINITE
    return result(np.zeros(10, form.dtype) if status else form, status=status)


def without_mass(m: Scalar, limits: Limits | None) -> bool:
    """Whether a mass that must be positive is not a normal number."""
    return limits is not None and not m > limits.min


def no_mass(like: Array) -> Result:
    """Zeros, because there is no mass."""
    return result(np.zeros(10, like.dtype), status=Status.MASS)


def com(m: Scalar, h: Array) -> Array:
    """c = h / m, and the origin where there is no mass."""
    return h / m if m != 0 else h


def central_from_com(m: Scalar, c: Array, I_com: Array) -> Result:
    """(m, m c, I_com)."""
    return result(pack(m, c * m, symmetric(I_com)))


def inertia_to_central(I_O: Array, limits: Limits | None = None) -> Result:
    """Jc = J + m c~ c~, c = h / m."""
    m, h, J = unpack(I_O)
    if without_mass(m, limits):
        return no_mass(I_O)
    return checked(pack(m, h, J - parallel_axis(h / m) * m), limits)


def central_to_inertia(C_O: Array, limits: Limits | None = None) -> Result:
    """J = Jc - m c~ c~, c = h / m."""
    m, h, Jc = unpack(C_O)
    if without_mass(m, limits):
        return no_mass(C_O)
    return checked(pack(m, h, Jc + parallel_axis(h / m) * m), limits)


def central_transform(T_AB: Array, C_B: Array) -> Result:
    """h = m (p + R c_B) = R h_B + m p, Jc = R Jc_B R^T."""
    (R, p), (m, h, Jc) = unpack_transform(T_AB), unpack(C_B)
    return result(pack(m, R @ h + p * m, R @ Jc @ R.T))


def central_rotate(R_AB: Array, C_B: Array) -> Result:
    """h = R h_B, Jc = R Jc_B R^T."""
    R, (m, h, Jc) = R_AB.reshape(3, 3), unpack(C_B)
    return result(pack(m, R @ h, R @ Jc @ R.T))


def central_translate(p_AB_A: Array, C_B: Array) -> Result:
    """h = h_B + m p."""
    m, h, Jc = unpack(C_B)
    return result(pack(m, h + p_AB_A * m, Jc))


def central_merge(T_AB: Array, C_A: Array, C_B: Array, limits: Limits | None = None) -> Result:
    """Each body's inertia shifted to the common centre of mass, c = (h_A + h_B) / (m_A + m_B)."""
    (C_moved,), _ = central_transform(T_AB, C_B)
    parts = [unpack(C_A), unpack(C_moved)]
    m, h = parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]
    if without_mass(m, limits):
        return no_mass(C_A)
    about = [Jc + parallel_axis(com(m_i, h_i) - h / m) * m_i for m_i, h_i, Jc in parts]
    return checked(pack(m, h, about[0] + about[1]), limits)


def central_multiply(C_O: Array, v: Array) -> Result:
    """f = m v_com, n = Jc w + c x f."""
    (m, h, Jc), w, v_O = unpack(C_O), v[:3], v[3:]
    f = v_O * m + skew(w) @ h
    return result(np.concatenate([Jc @ w + skew(com(m, h)) @ f, f]))


def unit_from_central(m: Scalar, c: Array, I_com: Array, limits: Limits | None = None) -> Result:
    """G = I_com / m - c~ c~."""
    if without_mass(m, limits):
        return no_mass(I_com)
    return checked(pack(m, c, symmetric(I_com) / m + parallel_axis(c)), limits)


def unit_shift(p_PQ: Array, U_P: Array) -> Result:
    """G + c~ c~ - c'~ c'~, c' = c - p."""
    m, c, G = unpack(U_P)
    moved = c - p_PQ
    return result(pack(m, moved, G - parallel_axis(c) + parallel_axis(moved)))


def unit_reexpress(R_AB: Array, U_B: Array) -> Result:
    """c = R c_B, G = R G_B R^T."""
    R, (m, c, G) = R_AB.reshape(3, 3), unpack(U_B)
    return result(pack(m, R @ c, R @ G @ R.T))


def unit_add(U_1: Array, U_2: Array) -> Result:
    """The mean of c and of G, weighted with the masses; the first one's where these sum to zero."""
    (m_1, c_1, G_1), (m_2, c_2, G_2) = unpack(U_1), unpack(U_2)
    m = m_1 + m_2
    if m == 0:
        return result(pack(m, c_1, G_1))
    return result(pack(m, (c_1 * m_1 + c_2 * m_2) / m, (G_1 * m_1 + G_2 * m_2) / m))


def unit_multiply(U_O: Array, v: Array) -> Result:
    """I v with the inertia m [[G, c~], [-c~, 1]]."""
    unit = np.array([U_O[0] * 0 + 1, *U_O[1:]])
    return result((inertia_matrix(unit) @ v) * U_O[0])


def unit_to_inertia(U_O: Array) -> Result:
    """h = m c, J = m G."""
    m, c, G = unpack(U_O)
    return result(pack(m, c * m, G * m))


def inertia_to_unit(I_O: Array, limits: Limits | None = None) -> Result:
    """c = h / m, G = J / m."""
    m, h, J = unpack(I_O)
    if without_mass(m, limits):
        return no_mass(I_O)
    return checked(pack(m, h / m, J / m), limits)


def inertia_to_matrix_linear_first(I_O: Array) -> Result:
    """[[m 1, -h~], [h~, J]], row-major."""
    return result(linear_first(inertia_matrix(I_O)))


def inertia_to_pseudo(I_O: Array) -> Result:
    """[[tr(J)/2 1 - J, h], [h^T, m]], row-major."""
    m, h, J = unpack(I_O)
    S = identity() * (np.trace(J) / 2) - J
    return result(np.vstack([np.column_stack([S, h]), [*h, m]]))


def inertia_from_log_cholesky(theta: Array) -> Result:
    """The factor's part above the diagonal, squared; then what its diagonal adds."""
    m, xx, yy, zz = (exp(value * 2) for value in theta[:4])
    (s_12, s_23, s_13), t = theta[4:7], theta[7:]
    above = np.array([[s_12, s_13], [0, s_23], [0, 0]])
    sides = np.array([s_12 * exp(theta[2]), s_13 * exp(theta[3]), s_23 * exp(theta[3])])
    crossed = np.array([[xx, sides[0], sides[1]], [sides[0], yy, sides[2]], [sides[1], sides[2], zz]])
    S = (crossed + above @ above.T + np.outer(t, t)) * m
    return result(pack(m, t * m, identity() * np.trace(S) - S))


def inertia_to_log_cholesky(I_O: Array, limits: Limits | None = None) -> Result:
    """Elimination of the pseudo-inertia's rows, the last first: each takes away the dyad of a column."""
    m, _, J = unpack(I_O)
    if without_mass(m, limits):
        return result(I_O * 0, status=Status.MASS | Status.NOT_PHYSICAL)
    least = None if limits is None else max(np.trace(J) * 8 * limits.eps / m, 0)
    (P,), _ = inertia_to_pseudo(I_O)
    rest, squares, columns = P.reshape(4, 4) / m, [m], []
    t = rest[:3, 3]
    rest = rest[:3, :3] - np.outer(t, t)
    for k in (2, 1, 0):
        pivot = rest[k, k]
        if least is not None and not pivot > least:
            return result(I_O * 0, status=Status.NOT_PHYSICAL)
        columns.append(rest[:, k] / sqrt(pivot))
        squares.append(pivot)
        rest = rest - np.outer(columns[-1], columns[-1])
    third, second, _ = columns
    logarithms = [log(squares[i]) / 2 for i in (0, 3, 2, 1)]
    return checked(np.array([*logarithms, second[0], third[1], third[0], *t]), limits)


def inertia_from_pseudo(P: Array) -> Result:
    """J = tr(S) 1 - S with the symmetric S of the upper triangle."""
    matrix = P.reshape(4, 4)
    S = symmetric(pack_symmetric(matrix[:3, :3]))
    return result(pack(matrix[3, 3], matrix[:3, 3], identity() * np.trace(S) - S))
