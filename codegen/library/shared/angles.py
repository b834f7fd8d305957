"""Euler angles of any sequence: the formulas that roll-pitch-yaw and all 24 sequences share.

All are written in the axes of `Sequence`. There R = R3(a2) R2(a1) R1(a0) is a Tait-Bryan sequence, and a
proper one, R1(a2) R2(a1) R1(a0), is R2(pi/2) R3(a2) R2(a1 - pi/2) R1(a0): a Tait-Bryan sequence whose middle
angle is smaller by pi/2, rotated by pi/2 about axis 2. Both are in gimbal lock where two of their axes align.
"""

from codegen.ir.status import Status
from codegen.ir.types import Scalar
from codegen.library.shared.guards import bounded, finite_or_zero
from codegen.library.shared.sequences import Sequence, signed
from codegen.modeling.types.algebra import Angles, Mat3, Quaternion, Rotation, Vec3
from codegen.modeling.types.scalar import EPS, PI, absolute, atan2, cos, let, require, select, sin, sqrt


def _sine_and_cosine(name: str, angle: Scalar) -> tuple[Scalar, Scalar]:
    return let(f"sin_{name}", sin(angle)), let(f"cos_{name}", cos(angle))


def quaternion_of_angles(sequence: Sequence, angles: Vec3) -> Quaternion:
    """The product of the three rotations [cos(a/2), sin(a/2) e]."""
    halves = zip(sequence.names, (angles / 2).scalars(), strict=True)
    (s0, c0), (s1, c1), (s2, c2) = (_sine_and_cosine(f"half_{name}", a) for name, a in halves)
    s2 = signed(sequence.last_sign, s2)
    if sequence.proper:  # the outer two share an axis: their angles add and subtract
        cosine_sum, sine_sum = c2 * c0 - s2 * s0, c2 * s0 + s2 * c0
        cosine_difference, sine_difference = c2 * c0 + s2 * s0, s2 * c0 - c2 * s0
        own = Quaternion(c1 * cosine_sum, c1 * sine_sum, s1 * cosine_difference, s1 * sine_difference)
    else:
        cc, ss, cs, sc = let("cc", c1 * c0), let("ss", s1 * s0), let("cs", c1 * s0), let("sc", s1 * c0)
        own = Quaternion(c2 * cc + s2 * ss, c2 * cs - s2 * sc, c2 * sc + s2 * cs, s2 * cc - c2 * ss)
    return sequence.quaternion(own)


def matrix_of_angles(sequence: Sequence, angles: Vec3) -> Rotation:
    """The product of the three elementary matrices."""
    _, middle, last = sequence.names
    named = zip(sequence.names, angles.scalars(), strict=True)
    (s0, c0), (s1, c1), (s2, c2) = (_sine_and_cosine(name, a) for name, a in named)
    trig, along, across = ("cos", c1, s1) if sequence.proper else ("sin", s1, c1)
    right, sign = -1 if sequence.proper else 1, sequence.last_sign
    k = signed(right, let(f"cos_{last}_{trig}_{middle}", c2 * along))
    s = signed(right * sign, let(f"sin_{last}_{trig}_{middle}", s2 * along))
    s2 = signed(sign, s2)
    rows = (
        Vec3(c2 * across, k * s0 - s2 * c0, k * c0 + s2 * s0),
        Vec3(s2 * across, s * s0 + c2 * c0, s * c0 - c2 * s0),
        Vec3(signed(-right, along), across * s0, across * c0),
    )
    if sequence.proper:
        rows = rows[2], rows[1], -rows[0]
    return sequence.matrix(Mat3.from_rows(*rows))


def angles_of_matrix(sequence: Sequence, R: Rotation) -> Angles:
    """Angles of a rotation matrix.

    The image of the first rotation's axis gives the middle and the last angle. The first angle is computed
    from the rows rotated back by the last, so that the angles reproduce the matrix at any distance from
    gimbal lock, where the last is 0.
    """
    first, middle, last = sequence.names
    own = sequence.own_matrix(R)
    upper, centre, lower = (-own.row(2), own.row(1), own.row(0)) if sequence.proper else own.rows
    distance = sqrt(upper.x * upper.x + centre.x * centre.x)
    distance = let(f"{'sin' if sequence.proper else 'cos'}_{middle}", distance)
    off_lock = let("off_lock", require(distance > 4 * EPS, Status.GIMBAL_LOCK))
    last_y = let(f"{last}_y", select(off_lock, signed(sequence.last_sign, centre.x), 0))
    last_x = let(f"{last}_x", select(off_lock, upper.x, 1))
    own_y = signed(sequence.last_sign, last_y)
    first_y = let(f"{first}_y", own_y * upper.z - last_x * centre.z)
    first_x = let(f"{first}_x", last_x * centre.y - own_y * upper.y)
    ok = bounded(distance + lower.x + first_y + first_x)  # atan2 of infinities is a finite number
    angles = Angles(
        atan2(first_y, first_x),
        atan2(distance, lower.x) if sequence.proper else atan2(-lower.x, distance),
        atan2(last_y, last_x),
    )
    return select(ok, angles, Angles(0, 0, 0))


def _wrapped(angle: Scalar) -> Scalar:
    """An angle in [-2 pi, 2 pi] wrapped to [-pi, pi]."""
    turn = select(angle > PI, 2 * PI, select(angle < -PI, -2 * PI, 0))
    return angle - turn


def angles_of_quaternion(sequence: Sequence, q: Quaternion) -> Angles:
    """Angles of a unit quaternion, from half the sum and half the difference of the outer two."""
    first, _, last = sequence.names
    x, y, z = sequence.own_vector(q.vector).scalars()
    sign, last_sign = sequence.sign, sequence.last_sign
    if sequence.proper:
        a, b, c, d = q.w, x, y, signed(sign, z)
    else:
        a, b, c, d = q.w - y, x + z, q.w + y, signed(sign, z - x)
    a, b, c, d = let("a", a), let("b", b), let("c", c), let("d", d)
    up, down = let("up", sqrt(a * a + b * b)), let("down", sqrt(c * c + d * d))
    if sequence.proper:
        distance, middle = let("sin_" + sequence.names[1], 2 * up * down), 2 * atan2(down, up)
    else:
        distance = let("cos_" + sequence.names[1], up * down)
        middle = atan2(2 * (q.w * y - z * x), distance)
    off_lock = let("off_lock", require(distance > 4 * EPS, Status.GIMBAL_LOCK))
    half_sum = let("half_sum", atan2(b, a))
    half_difference = signed(sign, let("half_difference", atan2(d, c)))
    twist = select(up > down, 2 * half_sum, -2 * half_difference)
    whole = signed(last_sign, half_sum) + signed(last_sign, half_difference)
    return Angles(
        _wrapped(let(first, select(off_lock, half_sum - half_difference, twist))),
        middle,
        _wrapped(let(last, select(off_lock, whole, 0))),
    )


def _axes(sequence: Sequence, angles: Vec3) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Sine and cosine of the angle next to B; then (x, y) of the last axis, [x, y sin, y cos] in B."""
    first, middle, _ = sequence.names
    s, c = _sine_and_cosine(first, angles.x)
    if sequence.proper:
        return s, c, cos(angles.y), let(f"sin_{middle}", sin(angles.y))
    return s, c, -sin(angles.y), let(f"cos_{middle}", cos(angles.y))


def rates_of_angles(sequence: Sequence, angles: Vec3, w: Vec3) -> Vec3:
    """Rates of the angles at an angular velocity of B in B; 0 where one is not finite."""
    return finite_or_zero(True, unchecked_rates_of_angles(sequence, angles, w))


def unchecked_rates_of_angles(sequence: Sequence, angles: Vec3, w: Vec3) -> Vec3:
    """Rates of the angles at an angular velocity of B in B, whether they are finite or not.

    The axes of the outer angles are normal to that of the middle one. Where they align, the rate of the third
    angle is 0, and the least-squares rates of the other two are the projections on their axes.
    """
    body = sequence.from_the_body
    s, c, along, across = _axes(body, sequence.order(angles))
    own = body.own_vector(w)
    sign = body.last_sign
    off_lock = let("off_lock", require(absolute(across) > sqrt(EPS), Status.GIMBAL_LOCK))
    turning = signed(sign, s * own.y + c * own.z)
    at_lock = signed(sign, along * own.x) + across * turning if sequence.intrinsic else 0
    last = select(off_lock, turning, at_lock) / select(off_lock, across, 1)
    last = let("d" + body.names[2], last)
    first = own.x - signed(sign, along) * last
    first = select(off_lock, first, 0) if sequence.intrinsic else first
    middle = let("d" + body.names[1], c * own.y - s * own.z)
    return sequence.order(Vec3(let("d" + body.names[0], first), middle, last))


def velocity_of_angles(sequence: Sequence, angles: Vec3, dangles: Vec3) -> Vec3:
    """The angular velocity of B in B at these rates of the angles: each about its own axis."""
    body = sequence.from_the_body
    s, c, along, across = _axes(body, sequence.order(angles))
    first, middle, last = sequence.order(dangles).scalars()
    last = signed(body.last_sign, last)
    level = let("level", across * last)
    return body.vector(Vec3(first + along * last, c * middle + s * level, c * level - s * middle))
