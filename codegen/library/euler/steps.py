"""Steps of Euler angles, written once for all sequences (`codegen.library.shared.sequences`).

S has the sequence's own axes 1, 2, 3 as its columns. Read as an extrinsic product in these axes, with the
matrix transposed where the sequence is intrinsic (there det S = -1 keeps the sense of rotation), every
sequence is 1-2-3 or 1-2-1.
"""

from __future__ import annotations

from codegen.library.shared.sequences import SEQUENCES, Sequence
from codegen.library.shared.works import BERNARDES, DIEBEL
from codegen.modeling.steps import Step, stated, stated_condition

ANGLES = DIEBEL.at("section 5")
RATES = DIEBEL.at("section 5.2")
QUATERNIONS = DIEBEL.at("section 6")
HALVES = BERNARDES


def _own_axes(s: Sequence) -> str:
    """S, whose columns are the axes 1, 2, 3."""
    first, second, third = ("xyz"[i] for i in s.axes)
    return f"S = cols(e_{first}, e_{second}, {'-' if s.sign < 0 else ''}e_{third})"


def _last(s: Sequence) -> str:
    """The last angle in the sequence's own axes."""
    return f"{'-' if s.last_sign < 0 else ''}{s.names[2]}"


def _last_matrix(s: Sequence) -> str:
    """The elementary matrix of the last rotation, in the sequence's own axes."""
    return f"R{'x' if s.proper else 'z'}({_last(s)})"


def _own_matrix(s: Sequence) -> str:
    """The rotation matrix in own axes, O."""
    return f"O = S^T {s.matrix_name}{'^T' if s.intrinsic else ''} S; {_own_axes(s)}"


def _functions(s: Sequence, of: str) -> str:
    """Cosines and sines of the angles or their halves: `c_0 = cos(a_0), s_0 = sin(a_0), ...`."""
    found = []
    for k, angle in enumerate((*s.names[:2], _last(s))):
        found.append(f"c_{k} = cos({s.names[k]}{of}), s_{k} = sin({angle}{of})")
    return ", ".join(found)


def matrix_steps(s: Sequence) -> tuple[Step, Step]:
    """Angles -> rotation matrix: in own axes, then multiplied out."""
    a, b, _ = s.names
    transposed = "^T" if s.intrinsic else ""
    return (
        stated(
            "Write the product in the sequence's own axes",
            f"{s.matrix_name} = S ({_last_matrix(s)} Ry({b}) Rx({a})){transposed} S^T; {_own_axes(s)};\n"
            f"{s.pattern}",
            by="a rotation keeps its angle in other axes, with the opposite sign if these are left-handed; "
            "the transpose of a product has the factors in reverse",
            source=ANGLES,
        ),
        stated(
            "Multiply the three elementary matrices out",
            f"{s.matrix_name} = S O{transposed} S^T; {_own_axes(s)};\n{_MATRIX[s.proper]};\n"
            f"{_functions(s, '')}; {s.pattern}",
            by="the rows of a factor are multiplied by the columns of the next",
            source=ANGLES,
        ),
    )


_MATRIX = {
    True: "O = [[c_1, s_1 s_0, s_1 c_0],\n"
    "  [s_2 s_1, c_2 c_0 - s_2 c_1 s_0, -c_2 s_0 - s_2 c_1 c_0],\n"
    "  [-c_2 s_1, s_2 c_0 + c_2 c_1 s_0, c_2 c_1 c_0 - s_2 s_0]]",
    False: "O = [[c_2 c_1, c_2 s_1 s_0 - s_2 c_0, c_2 s_1 c_0 + s_2 s_0],\n"
    "  [s_2 c_1, s_2 s_1 s_0 + c_2 c_0, s_2 s_1 c_0 - c_2 s_0],\n"
    "  [-s_1, c_1 s_0, c_1 c_0]]",
}


def quaternion_steps(s: Sequence) -> tuple[Step, Step]:
    """Angles -> quaternion: in own axes, then multiplied out."""
    a, b, _ = s.names
    last = "e_x" if s.proper else "e_z"
    return (
        stated(
            "Write the product in the sequence's own axes",
            f"{s.quaternion_name} = [w, S u]; {_own_axes(s)};\n"
            f"[w, u] = q({_last(s)}, {last}) (x) q({b}, e_y) (x) q({a}, e_x);\n"
            f"q(a, n) = [cos(a / 2), sin(a / 2) n]; {s.pattern}",
            by="a rotation of the axes rotates the vector part; in left-handed axes the cross product has "
            "the opposite sign, so that the factors stand in reverse order",
            source=QUATERNIONS,
        ),
        stated(
            "Multiply the three rotations out",
            f"{s.quaternion_name} = [w, S u]; {_own_axes(s)};\n{_QUATERNION[s.proper]};\n"
            f"{_functions(s, ' / 2')}; {s.pattern}",
            by="the product of two unit vectors is their cross product if they are perpendicular, and -1 if "
            "they are equal",
            source=QUATERNIONS,
        ),
    )


_QUATERNION = {
    True: "w = c_1 (c_2 c_0 - s_2 s_0);\n"
    "u = [c_1 (c_2 s_0 + s_2 c_0), s_1 (c_2 c_0 + s_2 s_0), s_1 (s_2 c_0 - c_2 s_0)]",
    False: "w = c_2 c_1 c_0 + s_2 s_1 s_0;\n"
    "u = [c_2 c_1 s_0 - s_2 s_1 c_0, c_2 s_1 c_0 + s_2 c_1 s_0, s_2 c_1 c_0 - c_2 s_1 s_0]",
}


def angles_of_matrix_steps(s: Sequence) -> tuple[Step, Step]:
    """Rotation matrix -> angles: the image of the first axis, then the matrix without the last rotation."""
    a, b, _ = s.names
    c, s_2 = f"cos({s.names[2]})", f"sin({_last(s)})"
    if s.proper:
        image, normal = f"[cos({b}), {s_2} sin({b}), -{c} sin({b})]", "[0, -O[2, 0], O[1, 0]]"
    else:
        image, normal = f"[{c} cos({b}), {s_2} cos({b}), -sin({b})]", "[-O[1, 0], O[0, 0], 0]"
    length = f"{'sin' if s.proper else 'cos'}({b})"
    in_words = f"the {'sine' if s.proper else 'cosine'} of the middle angle"
    return (
        stated_condition(
            "Read the middle and the last angle off the image of the first rotation's axis",
            f"O e_x = {image};\n{_own_matrix(s)}; {s.pattern}",
            by="the first rotation keeps its own axis",
            source=ANGLES,
        ),
        stated_condition(
            "Rotate the matrix back by the last angle, and read the first angle off its second row",
            f"O^T n = {length} [0, cos({a}), -sin({a})]; n = {normal};\n{_own_matrix(s)}; {s.pattern}",
            by=f"`n` is the second axis after the last rotation, times {in_words}, which cancels in the "
            "ratio of cosine and sine",
            source=ANGLES,
        ),
    )


def _lengths(s: Sequence) -> str:
    """Vectors as long as the pairs of a proper sequence: the signs of its own axes do not matter to them."""
    i = s.axes[0]
    return f"g = [p[0], p[{i + 1}]], k = [p[{(i + 1) % 3 + 1}], p[{(i + 2) % 3 + 1}]]"


def angles_of_quaternion_steps(s: Sequence) -> tuple[Step, Step]:
    """Quaternion -> angles: two pairs of components, in polar form."""
    a, b, _ = s.names
    if s.proper:
        pairs = "g = [m[0], m[1]], h = [m[2], m[3]]"
        middle = f"|g| sin({b} / 2) = |k| cos({b} / 2)"
        factors = "the cosine and the sine of half the middle angle"
    else:
        pairs = "g = [m[0] - m[2], m[1] + m[3]], h = [m[0] + m[2], m[3] - m[1]]"
        middle = f"2 |g| |h| sin({b}) = (h.h - g.g) cos({b})"
        factors = "the difference and the sum of cosine and sine of half the middle angle"
    where = f"{pairs};\nm = [p[0], S^T p[1:4]]; p = q / |q|; {_own_axes(s)}; {s.pattern}"
    lengths = f"{_lengths(s)}; p = q / |q|; {s.pattern}" if s.proper else where
    return (
        stated_condition(
            "Write half the sum and half the difference of the outer angles as phases of two pairs",
            f"g[0] sin(sigma) = g[1] cos(sigma), h[0] sin(delta) = h[1] cos(delta);\n"
            f"sigma = ({_last(s)} + {a}) / 2, delta = ({_last(s)} - {a}) / 2; {where}",
            by=f"the pairs are {factors} times cosine and sine of these angles, by the addition theorem",
            source=HALVES,
        ),
        stated_condition(
            "Compute the middle angle from the lengths of the pairs",
            f"{middle};\n{lengths}",
            by="squared cosine and sine add up to 1, for each pair",
            source=HALVES,
        ),
    )


def _poisson(s: Sequence) -> Step:
    """Poisson's equation, by the columns of the rotation matrix."""
    columns = (
        f"jacobian({s.matrix_name} e_{x}, [{s.argument}]) d{s.argument} = {s.matrix_name} (w_B x e_{x})"
        for x in "xyz"
    )
    return stated_condition(
        "Differentiate the rotation matrix",
        f"{', '.join(columns)};\n{s.matrix_name} = {s.product()}; {s.pattern}",
        by="Poisson's equation: the columns are the axes of B, which move at the angular velocity cross "
        "themselves",
        source=RATES,
    )


def velocity_steps(s: Sequence) -> tuple[Step, Step, Step]:
    """Rates -> angular velocity: from the axis fixed in A to that fixed in B."""
    body = s.from_the_body
    (a, b, c), (first, middle, last) = tuple(body.letters), body.names
    return (
        _poisson(s),
        stated(
            "Add the three rates, each about its own axis",
            f"w_B = e_{a} d{first} + R{a}({first})^T e_{b} d{middle} "
            f"+ R{a}({first})^T R{b}({middle})^T e_{c} d{last};\n{s.rate_pattern}; {s.pattern}",
            by="a matrix times a vector is the sum of its columns with the components; angular velocities "
            "add up",
            source=RATES,
        ),
        stated(
            "Rotate vectors back instead of axes, from the outermost rate inwards",
            f"{velocity(s)}; {s.rate_pattern}; {s.pattern}",
            by="two of the terms have the first rotation in common; a rate's axis is rotated back by the "
            "factors to its right, and a rotation keeps its own axis",
            source=RATES,
        ),
    )


def velocity(s: Sequence) -> str:
    """The angular velocity as the sum of the rates about their axes, in B."""
    body = s.from_the_body
    (a, b, c), (first, middle, last) = tuple(body.letters), body.names
    return f"w_B = e_{a} d{first} + R{a}({first})^T (e_{b} d{middle} + R{b}({middle})^T e_{c} d{last})"


def rate_steps(s: Sequence) -> tuple[Step, Step, Step]:
    """Angular velocity -> rates: a triangular system."""
    body = s.from_the_body
    a, b, c = tuple(body.letters)
    first, middle, last = body.names
    third = "xyz"[body.axes[2]]
    return (
        _poisson(s),
        stated_condition(
            "Write the angular velocity as the sum of the three rates about their axes",
            f"{velocity(s)};\n{s.rate_pattern}; {s.pattern}",
            by="a rate's axis is rotated back by the factors to its right; a rotation keeps its own axis",
            source=RATES,
        ),
        stated(
            f"Rotate `w_B` back by `{first}`, which makes the system triangular",
            f"d{last} = u_{third} / k_{third}, d{middle} = u_{b}, d{first} = u_{a} - k_{a} d{last};\n"
            f"u = R{a}({first}) w_B, k = R{b}({middle})^T e_{c};\n"
            f"u_x = e_x.u, u_y = e_y.u, u_z = e_z.u, k_{a} = e_{a}.k, k_{third} = e_{third}.k;\n"
            f"{s.rate_pattern}; {s.pattern}",
            by=f"the axis of `d{last}` is then `k`, which is perpendicular to `e_{b}`",
            source=RATES,
        ),
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
