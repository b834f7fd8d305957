"""Steps of Euler angles, written once for all sequences (`codegen.library.shared.sequences`).

S has the sequence's own axes 1, 2, 3 as its columns. Read as an extrinsic product in these axes, with the
matrix transposed where the sequence is intrinsic (there det S = -1 keeps the sense of rotation), every
sequence is 1-2-3 or 1-2-1.
"""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Matrix, cos, eye, sin, sqrt

from codegen.library.shared.sequences import SEQUENCES, Sequence
from codegen.library.shared.sources import DIEBEL
from codegen.library.shared.textbook import (
    Scalars,
    flat,
    left_product,
    matrix3,
    rotation_x,
    rotation_y,
    rotation_z,
)
from codegen.modeling.steps import Step, condition, step

ANGLES = "Diebel, Representing Attitude (2006), section 5"
HALVES = "Bernardes and Viollet, Quaternion to Euler angles conversion, PLoS ONE 17(11), 2022"
ELEMENTARY = {"x": rotation_x, "y": rotation_y, "z": rotation_z}


def _axis(letter: str) -> Matrix:
    return eye(3)[:, "xyz".index(letter)]


def _own_axes(s: Sequence) -> Matrix:
    """S, whose columns are the axes 1, 2, 3."""
    first, second, third = (eye(3)[:, i] for i in s.axes)
    return Matrix.hstack(first, second, s.sign * third)


def _last(s: Sequence) -> Callable[[Expr], Matrix]:
    """The elementary matrix of the last rotation, in the sequence's own axes."""
    return rotation_x if s.proper else rotation_z


def _own_matrix(s: Sequence, R_AB: Scalars) -> Matrix:
    """The rotation matrix in own axes."""
    R, S = matrix3(R_AB), _own_axes(s)
    return S.T * (R.T if s.intrinsic else R) * S


def _own_text(s: Sequence) -> str:
    """The product in own axes, as equations write it: `E3(-a2) E2(a1) E1(a0)`."""
    a, b, c = s.names
    sign = "-" if s.last_sign < 0 else ""
    return f"E{1 if s.proper else 3}({sign}{c}) E2({b}) E1({a})"


def _axes_text(s: Sequence) -> str:
    first, second, third = ("xyz"[i] for i in s.axes)
    return f"S = [e_{first}, e_{second}, {'-' if s.sign < 0 else ''}e_{third}]"


def matrix_steps(s: Sequence) -> tuple[Step, Step]:
    """Angles -> rotation matrix: in own axes, then multiplied out."""
    inner = f"({_own_text(s)})" + ("^T" if s.intrinsic else "")

    def placed(own: Matrix) -> list[Expr]:
        S = _own_axes(s)
        return flat(S * (own.T if s.intrinsic else own) * S.T)

    def in_own_axes(angles: Scalars) -> list[Expr]:
        a, b, c = angles
        return placed(_last(s)(s.last_sign * c) * rotation_y(b) * rotation_x(a))

    def multiplied(angles: Scalars) -> list[Expr]:
        (s0, s1, s2), (c0, c1, c2) = ([f(a) for a in angles] for f in (sin, cos))
        s2 = s.last_sign * s2
        if s.proper:
            rows = [c1, s1 * s0, s1 * c0], [s2 * s1, c2 * c0 - s2 * c1 * s0, -c2 * s0 - s2 * c1 * c0]
            last = [-c2 * s1, s2 * c0 + c2 * c1 * s0, c2 * c1 * c0 - s2 * s0]
        else:
            rows = [c2 * c1, c2 * s1 * s0 - s2 * c0, c2 * s1 * c0 + s2 * s0], [
                s2 * c1, s2 * s1 * s0 + c2 * c0, s2 * s1 * c0 - c2 * s0]  # fmt: skip
            last = [-s1, c1 * s0, c1 * c0]
        return placed(Matrix([*rows, last]))

    return (
        step(
            "Write the product in the sequence's own axes",
            f"R = S {inner} S^T, {_axes_text(s)}, E_i active elementary matrices",
            by="S^T R_n(a) S = R_m(a det S) with m = S^T n; (A B)^T = B^T A^T",
            source=ANGLES,
        )(in_own_axes),
        step(
            "Multiply the three elementary matrices out",
            _MATRIX[s.proper],
            by="rows times columns; c1 = cos of the middle angle, s0 = sin of the first, and so on",
            source=ANGLES,
        )(multiplied),
    )


_MATRIX = {
    True: "E1(a2) E2(a1) E1(a0) = [[c1, s1 s0, s1 c0],\n"
    "  [s2 s1, c2 c0 - s2 c1 s0, -c2 s0 - s2 c1 c0],\n"
    "  [-c2 s1, s2 c0 + c2 c1 s0, c2 c1 c0 - s2 s0]]",
    False: "E3(a2) E2(a1) E1(a0) = [[c2 c1, c2 s1 s0 - s2 c0, c2 s1 c0 + s2 s0],\n"
    "  [s2 c1, s2 s1 s0 + c2 c0, s2 s1 c0 - c2 s0],\n"
    "  [-s1, c1 s0, c1 c0]]",
}


def quaternion_steps(s: Sequence) -> tuple[Step, Step]:
    """Angles -> quaternion: in own axes, then multiplied out."""
    last = 1 if s.proper else 3

    def placed(w: Expr, own: Scalars) -> list[Expr]:
        return [w, *(_own_axes(s) * Matrix(own))]

    def turn(axis: int, angle: Expr) -> list[Expr]:
        return [cos(angle / 2), *(sin(angle / 2) * eye(3)[:, axis - 1])]

    def in_own_axes(angles: Scalars) -> list[Expr]:
        a, b, c = angles
        q = left_product(turn(last, s.last_sign * c)) * left_product(turn(2, b)) * Matrix(turn(1, a))
        return placed(q[0], q[1:])

    def multiplied(angles: Scalars) -> list[Expr]:
        (s0, s1, s2), (c0, c1, c2) = ([f(a / 2) for a in angles] for f in (sin, cos))
        s2 = s.last_sign * s2
        if s.proper:
            return placed(
                c1 * (c2 * c0 - s2 * s0),
                [c1 * (c2 * s0 + s2 * c0), s1 * (c2 * c0 + s2 * s0), s1 * (s2 * c0 - c2 * s0)],
            )
        return placed(
            c2 * c1 * c0 + s2 * s1 * s0,
            [c2 * c1 * s0 - s2 * s1 * c0, c2 * s1 * c0 + s2 * c1 * s0, s2 * c1 * c0 - c2 * s1 * s0],
        )

    return (
        step(
            "Write the product in the sequence's own axes",
            f"q_AB = [w, S u], [w, u] = {_own_text(s).replace('E', 'h')}, {_axes_text(s)},\n"
            "h_i(a) = [cos(a/2), sin(a/2) e_i]",
            by="a rotation of all axes rotates u; q -> [w, q1, q2, -q3] reads a product backwards",
            source=DIEBEL,
        )(in_own_axes),
        step(
            "Multiply the three rotations out",
            _QUATERNION[s.proper],
            by="e1 e2 = e3; c1 = cos of half the middle angle, s0 = sin of half the first, and so on",
            source=DIEBEL,
        )(multiplied),
    )


_QUATERNION = {
    True: "h1(a2) h2(a1) h1(a0) = [c1 (c2 c0 - s2 s0), c1 (c2 s0 + s2 c0),\n"
    "  s1 (c2 c0 + s2 s0), s1 (s2 c0 - c2 s0)]",
    False: "h3(a2) h2(a1) h1(a0) = [c2 c1 c0 + s2 s1 s0, c2 c1 s0 - s2 s1 c0,\n"
    "  c2 s1 c0 + s2 c1 s0, s2 c1 c0 - c2 s1 s0]",
}


def angles_of_matrix_steps(s: Sequence) -> tuple[Step, Step]:
    """Rotation matrix -> angles: the image of axis 1, then the matrix without the last rotation."""
    a, b, c = s.names
    where = f"O = S^T {'R^T' if s.intrinsic else 'R'} S, {_axes_text(s)}"

    def first_column(R_AB: Scalars, angles: Scalars) -> list[Expr]:
        _, middle, last = angles
        image = _last(s)(s.last_sign * last) * rotation_y(middle) * Matrix([1, 0, 0])
        return flat(_own_matrix(s, R_AB)[:, 0] - image)

    def turned_back(R_AB: Scalars, angles: Scalars) -> list[Expr]:
        first, _, last = angles
        rest = _last(s)(s.last_sign * last).T * _own_matrix(s, R_AB)
        return flat(rest[1, :].T - Matrix([0, cos(first), -sin(first)]))

    image = f"[cos({b}), s2 sin({b}), -c2 sin({b})]" if s.proper else f"[c2 cos({b}), s2 cos({b}), -sin({b})]"
    sign = "-" if s.last_sign < 0 else ""
    return (
        condition(
            "Read the middle and the last angle off the image of axis 1",
            f"O e1 = {image}, {where};\nc2 = cos({c}), s2 = {sign}sin({c})",
            by=f"O = {_own_text(s)}, and E1(a) e1 = e1",
            source=ANGLES,
        )(first_column),
        condition(
            "Rotate the matrix back by the last angle",
            f"row 2 of E{1 if s.proper else 3}({sign}{c})^T O = [0, cos({a}), -sin({a})]",
            by=f"the rest is E2({b}) E1({a}), whose second row does not contain {b}: {a} needs no division",
            source=ANGLES,
        )(turned_back),
    )


def angles_of_quaternion_steps(s: Sequence) -> tuple[Step, Step]:
    """Quaternion -> angles: two pairs of components, in polar form."""
    a, b, c = s.names

    def pairs(q_AB: Scalars) -> list[Expr]:
        w, (x, y, z) = q_AB[0], _own_axes(s).T * Matrix(q_AB[1:])
        return [w, x, y, z] if s.proper else [w - y, x + z, w + y, z - x]

    def phases(q_AB: Scalars, angles: Scalars) -> list[Expr]:
        first, _, last = angles
        up, across, down, over = pairs(q_AB)
        total, difference = (s.last_sign * last + first) / 2, (s.last_sign * last - first) / 2
        return [
            up * sin(total) - across * cos(total),
            down * sin(difference) - over * cos(difference),
        ]

    def lengths(q_AB: Scalars, angles: Scalars) -> list[Expr]:
        up, across, down, over = pairs(q_AB)
        upper, lower = sqrt(up**2 + across**2), sqrt(down**2 + over**2)
        if s.proper:
            half = angles[1] / 2
            return [upper * sin(half) - lower * cos(half)]
        return [upper * lower * sin(angles[1]) - (lower**2 - upper**2) / 2 * cos(angles[1])]

    components = "(w, q1), (q2, q3)" if s.proper else "(w - q2, q1 + q3), (w + q2, q3 - q1)"
    sign = "-" if s.last_sign < 0 else ""
    middle = (
        f"tan({b} / 2) = |second pair| / |first pair|"
        if s.proper
        else f"tan({b}) = (|second pair|^2 - |first pair|^2) / (2 |first pair| |second pair|)"
    )
    factors = f"cos and sin of {b} / 2" if s.proper else f"cos -+ sin of {b} / 2"
    return (
        condition(
            "Write half the sum and half the difference of the outer angles as phases of two pairs",
            f"{components} have the angles ({sign}{c} + {a}) / 2, ({sign}{c} - {a}) / 2, up to half turns;\n"
            f"[w, q1, q2, q3] the quaternion in own axes, {_axes_text(s)}",
            by=f"angle addition: the pairs are {factors} times (cos, sin) of these angles",
            source=HALVES,
        )(phases),
        condition(
            "Compute the middle angle from the lengths of the pairs",
            middle,
            by="cos^2 + sin^2 = 1, applied to each pair; a norm of q cancels",
            source=HALVES,
        )(lengths),
    )


def velocity_steps(s: Sequence) -> tuple[Step]:
    """Rates -> angular velocity: from the axis fixed in A to that fixed in B."""
    body = s.from_the_body
    a, b, c = tuple(body.letters)
    first, middle, last = body.names

    def nested(angles: Scalars, dangles: Scalars) -> list[Expr]:
        (t, u, _), (dt, du, dv) = ([*x][:: -1 if s.intrinsic else 1] for x in (angles, dangles))
        inner = _axis(b) * du + ELEMENTARY[b](u).T * _axis(c) * dv
        return flat(_axis(a) * dt + ELEMENTARY[a](t).T * inner)

    return (
        step(
            "Rotate vectors back instead of axes, from the outermost rate inwards",
            f"w_B = e_{a} d{first} + R{a}({first})^T (e_{b} d{middle} + R{b}({middle})^T e_{c} d{last})",
            by="the axis of a rate is rotated back by the factors to its right; R_n n = n",
            source=ANGLES,
        )(nested),
    )


def rate_steps(s: Sequence) -> tuple[Step]:
    """Angular velocity -> rates: a triangular system."""
    body = s.from_the_body
    a, b, c = tuple(body.letters)
    first, middle, last = body.names

    def solved(angles: Scalars, w_B: Scalars) -> list[Expr]:
        t, u, _ = [*angles][:: -1 if s.intrinsic else 1]
        turned, outer = ELEMENTARY[a](t) * Matrix(w_B), ELEMENTARY[b](u).T * _axis(c)
        normal = _axis(a).cross(_axis(b))
        d_last = turned.dot(normal) / outer.dot(normal)
        rates = [turned.dot(_axis(a)) - outer.dot(_axis(a)) * d_last, turned.dot(_axis(b)), d_last]
        return rates[:: -1 if s.intrinsic else 1]

    return (
        step(
            f"Rotate w_B back by {first}, which makes the system triangular",
            f"u = R{a}({first}) w_B, k = R{b}({middle})^T e_{c}, n = e_{a} x e_{b}:\n"
            f"d{last} = (n.u) / (n.k), d{middle} = e_{b}.u, d{first} = e_{a}.u - (e_{a}.k) d{last}",
            by=f"u = e_{a} d{first} + e_{b} d{middle} + k d{last}, and k is normal to e_{b}",
            source=ANGLES,
        )(solved),
    )


STEPS: dict[str, tuple[Step, ...]] = {
    name: steps
    for s in SEQUENCES
    for name, steps in (
        (f"quat_from_euler_{s.suffix}", quaternion_steps(s)),
        (f"dcm_from_euler_{s.suffix}", matrix_steps(s)),
        (f"euler_{s.suffix}_from_quat", angles_of_quaternion_steps(s)),
        (f"euler_{s.suffix}_from_dcm", angles_of_matrix_steps(s)),
        (f"euler_{s.suffix}_kinematics", rate_steps(s)),
        (f"euler_{s.suffix}_kinematics_inverse", velocity_steps(s)),
    )
}
