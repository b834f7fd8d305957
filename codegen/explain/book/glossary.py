"""The signs and functions of the notation, and the formulas of the pages that are the same in every book."""

from __future__ import annotations

from fractions import Fraction

from codegen.ir.program import Arg
from codegen.ir.systems import F32, F64
from codegen.ir.types import REAL, Array
from codegen.modeling.types.algebra import Mat3, Motion, Quaternion, Rotation, Vec3

KNOWN = (
    *(Arg(name, Vec3, "1", "a vector") for name in "ab"),
    *(Arg(name, Quaternion, "1", "a quaternion") for name in "pq"),
    *(Arg(name, REAL, "1", "a number") for name in "km"),
    Arg("A", Mat3, "1", "a matrix"),
    Arg("V", Motion, "1", "a spatial velocity"),
)
"""What the letters of the glossary stand for."""

_ROTATIONS = ("R", "R_AB", "R_BA", "R_NB", "R_BE", "E")
_QUATERNIONS = ("q", "q_AB", "q_BC", "q_AC", "q_NB", "dq", "dq_AB")
_POSITIONS, _RATES = ("p", "p_A", "p_B", "p_AB_A", "r", "c"), ("omega", "w_A", "w_B")
_VECTORS = ("v", "v_A", "v_B", "v_O", "n_O", "f_O", "h", "dh", "M_B", "a", "u_rel", "f", "n", "Omega")

LETTERS = (
    *(Arg(name, Rotation, "1", "a rotation") for name in _ROTATIONS),
    *(Arg(name, Quaternion, "1", "a quaternion") for name in _QUATERNIONS),
    *(Arg(name, Vec3, "1", "a vector") for name in (*_POSITIONS, *_VECTORS)),
    *(Arg(name, Vec3, "rad/s", "an angular velocity") for name in _RATES),
    *(Arg(name, Array((4, 4)), "1", "a pose") for name in ("T", "T_AB", "T_BC", "T_AC")),
    *(Arg(name, Array((6,)), "1", "a spatial vector") for name in ("V", "F", "A")),
    *(Arg(name, Array((6, 6)), "1", "a matrix of spatial vectors") for name in ("X", "X_AB", "X_BA", "I")),
    *(Arg(name, Mat3, "1", "a matrix") for name in ("J", "J_O", "J_C", "H", "M", "G", "dR_AB")),
    *(Arg(name, Array((4,)), "1", "a value of each contact") for name in ("lambda", "u", "b")),
    Arg("N", Array((4, 4)), "1", "the Delassus matrix"),
)
"""What the letters stand for on the pages that are the same in every book."""

FORMULAS = {
    "coordinates": "v_A = R_AB v_B",
    "other_way": "R_BA = R_AB^T",
    "pose": "T_AB = [[R_AB, p_AB_A], [0, 1]]",
    "point": "p_A = p_AB_A + R_AB p_B",
    "poses": "T_AC = T_AB T_BC",
    "rotation_rate": "dR_AB = R_AB w_B~",
    "units": "[0, e_x] (x) [0, e_y] = [0, e_z]",
    "quaternion": "q = [q_w, q_x, q_y, q_z]",
    "rotated": "[0, v_A] = q_AB (x) [0, v_B] (x) q_AB^*",
    "quaternions": "q_AC = q_AB (x) q_BC",
    "quaternion_rate": "dq_AB = 1/2 q_AB (x) [0, w_B] - k (q_AB.q_AB - 1) q_AB",
    "attitude": "R_NB = Rz(psi) Ry(theta) Rx(phi)",
    "motion": "V = [omega, v_O]",
    "force": "F = [n_O, f_O]",
    "power": "F.V",
    "motion_matrix": "X_AB = [[R, 0], [p~ R, R]]",
    "force_matrix": "(X_AB^-1)^T = [[R, p~ R], [0, R]]",
    "crm": "crm(V) = [[omega~, 0], [v_O~, omega~]]",
    "crf": "crf(V) = -crm(V)^T",
    "dynamics": "F = I A + crf(V) I V",
    "bias": "crf(V) I V",
    "first_moment": "h = m c",
    "inertia": "I = [[J, h~], [-h~, m 1]]",
    "articulated": "[[J, H], [H^T, M]]",
    "books_rotation": "E = R_AB^T",
    "books_position": "r = p_AB_A",
    "screw": "[v, omega]",
    "coscrew": "[f, n]",
    "mass_times_centre": "m c",
    "unit_inertia": "J = m G",
    "rate_in_body": "dq = 1/2 q (x) [0, w_B]",
    "rate_outside": "dq = 1/2 [0, w_A] (x) q",
    "norm": "q.q",
    "parallel_axes": "J_O = J_C + m ((c.c) 1 - c c^T)",
    "variable_mass": "f = m a + dm v",
    "jet": "dm u_rel",
    "rotors": "M_B - dh - omega x h",
    "centrifugal": "-Omega x (Omega x p)",
    "coriolis": "-2 Omega x v",
    "contact": "u = N lambda + b",
    "no_approach": "u >= 0",
    "no_pull": "lambda >= 0",
    "one_or_other": "u.lambda = 0",
    "at_rest": "N lambda = -b",
}
"""The formulas of these pages, which are compared with the functions of the library."""

MEANINGS = (
    ("R_AB", "Rotation matrix: the coordinates in A of a vector that is written in B."),
    ("q_AB", "Quaternion of the same rotation."),
    ("p_AB_A", "Position of B's origin from A's, written in A; with one index, of a point."),
    ("T_AB", "Pose of B in A: rotation and position."),
    ("w_B", "Angular velocity of B relative to the other frame, written in B."),
    ("v_B", "Velocity, or any free vector, written in B."),
    ("m", "Mass."),
    ("c", "Centre of mass, from the frame's origin."),
    ("h", "First moment, the mass times the centre of mass; also the angular momentum of rotors."),
    ("J", "Inertia matrix about the frame's origin, or about the centre of mass where the page says so."),
    (
        "I",
        "Spatial inertia: mass, first moment and inertia matrix, or the matrix of six rows that they make.",
    ),
    ("X_AB", "Matrix of six rows that changes the axes and the origin of spatial motions from B to A."),
    ("V", "Spatial velocity: angular velocity and velocity of the origin."),
    ("F", "Spatial force: moment about the origin, and force."),
    ("A", "Spatial acceleration."),
)
"""Letters with one meaning in the whole book, where a page says nothing else."""


def _in_both(name: str) -> str:
    """The value of a constant of a precision in double and in float."""
    return " and ".join(f"{_size(p.named(name))} in {p.ctype}" for p in (F64, F32))


def _size(number: Fraction) -> str:
    """A power of 2, or two digits."""
    power = number.denominator.bit_length() - 1
    return f"2^-{power}" if number == Fraction(1, 2**power) else f"about {float(number):.1e}".replace("+", "")


GLOSSARY = (
    ("a x b", "Cross product."),
    ("[e_x, e_y, e_z]", "The unit vectors of the axes, one below the other."),
    ("(a + b)~", "Matrix of the cross product of a sum."),
    ("a.b", "Scalar product."),
    ("a b^T", "Dyadic product: a matrix."),
    ("a~", "Matrix of the cross product: its product with b is the cross product of a and b."),
    ("vee(A)", "The vector whose cross-product matrix is A."),
    ("|a|", "Length of a vector; of a number, its absolute value."),
    ("A^T", "Transpose."),
    ("A^-1", "Inverse."),
    ("A^2", "Power."),
    ("det(A)", "Determinant."),
    ("adj(A)", "Adjugate: the determinant times the inverse."),
    ("tr(A)", "Trace: the sum of the diagonal elements."),
    ("diag(a)", "Diagonal matrix with these elements."),
    ("minors(A)", "Column of the principal minors, the smallest ones first."),
    ("k 1 - A", "A number 1 beside a matrix is the unit matrix; 0 is a vector or matrix of zeros."),
    ("[k, a]", "Column of numbers and vectors, one below the other."),
    ("[[A, 0], [a^T, k]]", "Matrix of blocks, row by row."),
    ("zeros(3, 4)", "Matrix of zeros, with its numbers of rows and columns."),
    ("identity(3)", "Unit matrix, with its numbers of rows and columns."),
    ("cols(a, b)", "Matrix of these columns."),
    ("rows(a, b)", "Matrix of these rows."),
    ("A[1, 2]", "Element, by its row and column, which are counted from 0."),
    ("A[0:2, 1]", "Elements from the first index up to, but not including, the second one."),
    ("q (x) p", "Hamilton's product of quaternions."),
    ("q^*", "Conjugate of a quaternion."),
    ("vec(q)", "Vector part of a quaternion."),
    ("q_w + q_v.a", "Scalar part and vector part of a quaternion."),
    ("Rx(k)", "Active rotation about the x axis; Ry and Rz are those about the other axes."),
    ("Ry(k) Rz(m)", "Rotations that follow each other, the right one first."),
    ("crm(V)", "Matrix of the cross product of a spatial velocity with motions (Featherstone)."),
    ("crf(V)", "Matrix of the cross product of a spatial velocity with forces (Featherstone)."),
    ("da", "Derivative with respect to time."),
    ("a'", "The value after a step, or about the new origin."),
    ("sqrt(k) / m", "Root and quotient."),
    ("sin(k) + cos(k)", "Angles are in radians."),
    ("acos(k)", "The angle from 0 to half a turn with this cosine."),
    ("atan2(k, m)", "The angle of the point with ordinate k and abscissa m, up to half a turn either way."),
    ("exp(k)", "The power of e, the base of natural logarithms."),
    ("log(k)", "Natural logarithm."),
    ("min(k, m)", "The smaller number."),
    ("max(k, m)", "The larger number."),
    ("sum(a, A)", "The sum of all numbers: it is finite only where each of them is."),
    ("finite(a)", "All numbers are finite."),
    ("{k if k > 0, -k otherwise}", "The first case whose condition holds."),
    ("k >= 0 and k < m or not m <= 1", "Conditions."),
    ("integral(k, [k, 0, m])", "The integral of the first argument with respect to k, from 0 to m."),
    ("jacobian(a, b)", "The derivatives of a with respect to b: a row for each element of a."),
    ("eps", f"The distance from 1 to the next larger number: {_in_both('eps')}."),
    ("min", f"The smallest positive normal number: {_in_both('min')}."),
    ("max", f"The largest number: {_in_both('max')}."),
    ("pi", "Half a turn."),
)  # fmt: skip
"""Signs and functions as they are written in a model, with their meaning."""
