"""The signs and functions of the notation, for the page of conventions."""

from __future__ import annotations

from codegen.ir.program import Arg
from codegen.ir.types import REAL
from codegen.modeling.algebra import Mat3, Motion, Quaternion, Vec3

KNOWN = (
    *(Arg(name, Vec3, "1", "a vector") for name in "ab"),
    *(Arg(name, Quaternion, "1", "a quaternion") for name in "pq"),
    *(Arg(name, REAL, "1", "a number") for name in "km"),
    Arg("A", Mat3, "1", "a matrix"),
    Arg("V", Motion, "1", "a spatial velocity"),
)
"""What the letters of the glossary stand for."""

GLOSSARY = (
    ("a x b", "Cross product."),
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
    ("integral(k, [k, 0, m])", "The integral of the first argument by k, from 0 to m."),
    ("jacobian(a, b)", "The derivatives of a with respect to b: a row for each element of a."),
    ("eps", "The distance from 1 to the next larger number: 2^-52 in double, 2^-23 in float."),
    ("min", "The smallest positive normal number: 2^-1022 in double, 2^-126 in float."),
    ("max", "The largest number: about 1.8e308 in double, 3.4e38 in float."),
    ("pi", "Half a turn."),
)  # fmt: skip
"""Signs and functions as they are written in a model, with their meaning."""
