"""The types of rigid-body mathematics, over scalars of any kind.

Small values with the operations that textbooks write them with. The same code runs on traced
expressions, SymPy symbols, CasADi SX, floats and fractions. Conventions: `R_AB` takes coordinates from B
to A, quaternions are Hamilton [w, x, y, z], spatial vectors are angular first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self, TypeAlias, overload

from codegen.scalar import Scalar


@dataclass(frozen=True)
class Real:
    """The type of a scalar argument: `positive` where only x > 0 makes sense, `integer` for an int."""

    positive: bool = False
    integer: bool = False


@dataclass(frozen=True)
class Array:
    """The type of a plain array of scalars, row-major; `integer` says that they are ints."""

    shape: tuple[int, ...]
    integer: bool = False

    @property
    def size(self) -> int:
        """Number of scalars."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count


class Value:
    """A structured value: named components that flatten to scalars in a fixed order, which is C's."""

    c_name: ClassVar[str]
    layout: ClassVar[dict[str, Component]]

    def scalars(self) -> list[Scalar]:
        """All scalars in C order."""
        return [scalar for f in fields(self) for scalar in flatten(getattr(self, f.name))]  # type: ignore[arg-type]

    @classmethod
    def of(cls, scalars: list[Scalar]) -> Self:
        """The value made of these scalars in C order."""
        stream = iter(scalars)
        value = cls(*(_take(component, stream) for component in cls.layout.values()))
        if next(stream, None) is not None:
            raise ValueError(f"too many scalars for {cls.__name__}")
        return value

    def map(self, function: Callable[[Scalar], Scalar]) -> Self:
        """`function` applied to each scalar."""
        return type(self).of([function(scalar) for scalar in self.scalars()])

    def zip_with(self, other: Value, function: Callable[[Scalar, Scalar], Scalar]) -> Self:
        """`function` applied to corresponding scalars."""
        pairs = zip(self.scalars(), other.scalars(), strict=True)
        return type(self).of([function(a, b) for a, b in pairs])

    def named_leaves(self, name: str) -> list[tuple[str, Scalar]]:
        """Each scalar with its name below `name`: v_x, R_01."""
        suffixes = component_names(type(self))
        return [(name + s, x) for s, x in zip(suffixes, self.scalars(), strict=True)]

    def __add__(self, other: Self) -> Self:
        return self.zip_with(other, lambda a, b: a + b)

    def __sub__(self, other: Self) -> Self:
        return self.zip_with(other, lambda a, b: a - b)

    def __neg__(self) -> Self:
        return self.map(lambda a: -a)

    def __mul__(self, scale: Scalar) -> Self:
        return self.map(lambda a: a * scale)

    def __rmul__(self, scale: Scalar) -> Self:
        return self.map(lambda a: scale * a)

    def __truediv__(self, divisor: Scalar) -> Self:
        return self.map(lambda a: a / divisor)


Component: TypeAlias = type[Value] | Real | Array
"""The type of an argument or of a component of a value."""

REAL = Real()
POSITIVE = Real(positive=True)
INTEGER = Real(integer=True)


def flatten(value: Any) -> list[Scalar]:
    """The scalars of a value, a tuple or list of values, or a scalar."""
    if isinstance(value, Value):
        return value.scalars()
    if isinstance(value, (tuple, list)):
        return [scalar for part in value for scalar in flatten(part)]
    return [value]


def is_integer(component: Component) -> bool:
    """Whether the scalars of a type are ints in C."""
    return isinstance(component, (Real, Array)) and component.integer


def size(component: Component) -> int:
    """Number of scalars of a type."""
    if isinstance(component, Real):
        return 1
    if isinstance(component, Array):
        return component.size
    return sum(size(part) for part in component.layout.values())


def assemble(component: Component, scalars: list[Scalar]) -> Any:
    """A value of the type from its scalars in C order."""
    return _take(component, iter(scalars))


def _take(component: Component, stream: Iterator[Scalar]) -> Any:
    if isinstance(component, Real):
        return next(stream)
    if isinstance(component, Array):
        return tuple(next(stream) for _ in range(component.size))
    return component(*(_take(part, stream) for part in component.layout.values()))


def component_names(component: Component) -> list[str]:
    """The suffix that tells each scalar of a type apart in a name: `_w_x`, `_R_01`; empty for a scalar."""
    if isinstance(component, Real):
        return [""]
    if isinstance(component, Array):
        digits = "" if max(component.shape) <= 10 else "_"
        return ["_" + digits.join(map(str, index)) for index in _indices(component.shape)]
    if issubclass(component, Mat3):
        return component_names(Array((3, 3)))
    return [f"_{name}{below}" for name, part in component.layout.items() for below in component_names(part)]


def _indices(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    if not shape:
        return [()]
    return [(i, *rest) for i in range(shape[0]) for rest in _indices(shape[1:])]


@dataclass(frozen=True)
class Vec3(Value):
    """A vector's three coordinates in one frame."""

    x: Scalar
    y: Scalar
    z: Scalar

    c_name = "vec3"
    layout: ClassVar = {"x": REAL, "y": REAL, "z": REAL}

    @staticmethod
    def zero() -> Vec3:
        """The zero vector."""
        return Vec3(0, 0, 0)

    def dot(self, other: Vec3) -> Scalar:
        """Inner product."""
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: Vec3) -> Vec3:
        """Cross product, right-handed: x cross y is z."""
        return Vec3(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )


class RotationVector(Vec3):
    """A rotation as its axis times its angle, in radians."""


class Rodrigues(Vec3):
    """Modified Rodrigues parameters: the axis times tan(angle / 4)."""


class Geocentric(Vec3):
    """A position on the scale of the Earth, in metres from its centre."""


@dataclass(frozen=True)
class Mat3(Value):
    """A 3x3 matrix, row-major."""

    m: tuple[Scalar, ...]

    c_name = "mat3"
    layout: ClassVar = {"m": Array((9,))}

    @classmethod
    def from_rows(cls, *rows: Vec3) -> Self:
        """The matrix with these rows."""
        return cls(tuple(flatten(rows)))

    @classmethod
    def from_columns(cls, *columns: Vec3) -> Self:
        """The matrix with these columns."""
        return cls(tuple(s for row in zip(*map(flatten, columns), strict=True) for s in row))

    @staticmethod
    def skew(a: Vec3) -> Mat3:
        """The matrix of the cross product: skew(a) b = a cross b."""
        return Mat3((0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0))

    def row(self, i: int) -> Vec3:
        """Row i, counted from 0."""
        return Vec3(*self.m[3 * i : 3 * i + 3])

    def column(self, j: int) -> Vec3:
        """Column j, counted from 0."""
        return Vec3(*self.m[j::3])

    @property
    def rows(self) -> tuple[Vec3, Vec3, Vec3]:
        """The three rows."""
        return self.row(0), self.row(1), self.row(2)

    @property
    def columns(self) -> tuple[Vec3, Vec3, Vec3]:
        """The three columns."""
        return self.column(0), self.column(1), self.column(2)

    @property
    def transpose(self) -> Self:
        """The transpose; of a rotation, its inverse."""
        return self.from_rows(*self.columns)

    @overload
    def __matmul__(self, other: Vec3) -> Vec3: ...

    @overload
    def __matmul__(self, other: Mat3) -> Self: ...

    def __matmul__(self, other: Vec3 | Mat3) -> Vec3 | Self:
        if isinstance(other, Vec3):
            return Vec3(*(row.dot(other) for row in self.rows))
        return type(self).from_columns(*(self @ column for column in other.columns))

    def rotated(self, R: Mat3) -> Mat3:
        """R M R^T for a rotation R: orthonormal, of determinant 1 (78 operations).

        M = zz 1 + v~ + L with v = [-yz, xz, 0], which leaves L without a last column. R v~ R^T = (R v)~, and
        the trace, which a rotation keeps, gives the last element.
        """
        xx, xy, xz, yx, yy, yz, zx, zy, zz = self.m
        a, d, e, f = xx - zz, yy - zz, zx + xz, zy + yz
        rows = [(r.x * a + r.y * yx + r.z * e, r.x * xy + r.y * d + r.z * f) for r in R.rows]
        (s_00, s_01, s_02), (s_10, s_11, s_12), (s_20, s_21, _) = (
            [k * r.x + n * r.y for r in R.rows] for k, n in rows
        )
        x, y, z = (r.y * xz - r.x * yz for r in R.rows)
        s_11 = s_11 + zz
        last = (xx - s_00) + yy - s_11
        return Mat3((s_00 + zz, s_01 - z, s_02 + y, s_10 + z, s_11, s_12 - x, s_20 - y, s_21 + x, last))


class Rotation(Mat3):
    """An orthonormal matrix R_AB of determinant 1: v_A = R_AB v_B."""


@dataclass(frozen=True)
class SymMat3(Value):
    """A symmetric 3x3 matrix, six numbers."""

    xx: Scalar
    xy: Scalar
    xz: Scalar
    yy: Scalar
    yz: Scalar
    zz: Scalar

    c_name = "sym3"
    layout: ClassVar = dict.fromkeys(("xx", "xy", "xz", "yy", "yz", "zz"), REAL)

    @classmethod
    def isotropic(cls, s: Scalar) -> Self:
        """s times the identity."""
        return cls(s, 0, 0, s, 0, s)

    @property
    def rows(self) -> tuple[Vec3, Vec3, Vec3]:
        """The three rows."""
        return (
            Vec3(self.xx, self.xy, self.xz),
            Vec3(self.xy, self.yy, self.yz),
            Vec3(self.xz, self.yz, self.zz),
        )

    @property
    def dense(self) -> Mat3:
        """The nine elements."""
        return Mat3.from_rows(*self.rows)

    @property
    def trace(self) -> Scalar:
        """Sum of the diagonal."""
        return self.xx + self.yy + self.zz

    def __matmul__(self, v: Vec3) -> Vec3:
        return Vec3(*(row.dot(v) for row in self.rows))

    @property
    def adjugate(self) -> SymMat3:
        """The transposed cofactors: adj(S) S = det(S) 1."""
        xx, xy, xz, yy, yz, zz = self.scalars()
        return SymMat3(
            yy * zz - yz * yz,
            xz * yz - xy * zz,
            xy * yz - xz * yy,
            xx * zz - xz * xz,
            xy * xz - xx * yz,
            xx * yy - xy * xy,
        )

    def rotated(self, R: Mat3) -> SymMat3:
        """R S R^T for a rotation R: 56 operations."""
        turned = self.dense.rotated(R).m
        return SymMat3(*(turned[i] for i in (0, 1, 2, 4, 5, 8)))


class InertiaTensor(SymMat3):
    """The rotational inertia of a body about its centre of mass: positive definite, kg m^2."""


@dataclass(frozen=True)
class Quaternion(Value):
    """A Hamilton quaternion w + x i + y j + z k, ij = k."""

    w: Scalar
    x: Scalar
    y: Scalar
    z: Scalar

    c_name = "quat"
    layout: ClassVar = {"w": REAL, "x": REAL, "y": REAL, "z": REAL}

    @classmethod
    def identity(cls) -> Self:
        """The quaternion 1: no rotation."""
        return cls(1, 0, 0, 0)

    @staticmethod
    def from_parts(w: Scalar, u: Vec3) -> Quaternion:
        """The quaternion with scalar part w and vector part u."""
        return Quaternion(w, u.x, u.y, u.z)

    @property
    def vector(self) -> Vec3:
        """The vector part."""
        return Vec3(self.x, self.y, self.z)

    @property
    def conjugate(self) -> Self:
        """w - u; of a unit quaternion, its inverse."""
        return type(self)(self.w, -self.x, -self.y, -self.z)

    @property
    def norm_squared(self) -> Scalar:
        """q.q"""
        return self.w * self.w + self.x * self.x + self.y * self.y + self.z * self.z

    def __matmul__(self, other: Quaternion) -> Quaternion:
        """Hamilton product."""
        p, q = self, other
        return Quaternion(
            p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
            p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
            p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
            p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
        )


class UnitQuaternion(Quaternion):
    """A quaternion of norm 1: q_AB goes with R_AB."""


class Angles(Vec3):
    """Three angles in radians, for roll-pitch-yaw (phi, theta, psi)."""


@dataclass(frozen=True)
class Motion(Value):
    """A spatial motion vector [w; v]: angular velocity, and velocity of the point at the frame's origin."""

    w: Vec3
    v: Vec3

    c_name = "motion"
    layout: ClassVar = {"w": Vec3, "v": Vec3}


@dataclass(frozen=True)
class Force(Value):
    """A spatial force vector [n; f]: moment about the frame's origin, and force."""

    n: Vec3
    f: Vec3

    c_name = "force"
    layout: ClassVar = {"n": Vec3, "f": Vec3}


@dataclass(frozen=True)
class Transform(Value):
    """A pose T_AB = (R_AB, p_AB_A): where frame B is, seen from A."""

    R: Mat3
    p: Vec3

    c_name = "transform"
    layout: ClassVar = {"R": Rotation, "p": Vec3}


@dataclass(frozen=True)
class Inertia(Value):
    """A spatial inertia about the frame's origin: mass m, first moment h = m c, rotational inertia J."""

    m: Scalar
    h: Vec3
    J: SymMat3

    c_name = "inertia"
    layout: ClassVar = {"m": POSITIVE, "h": Vec3, "J": SymMat3}


@dataclass(frozen=True)
class CentralInertia(Value):
    """A spatial inertia whose rotational part is about the centre of mass: m, h = m c, Jc."""

    m: Scalar
    h: Vec3
    Jc: SymMat3

    c_name = "central_inertia"
    layout: ClassVar = {"m": POSITIVE, "h": Vec3, "Jc": InertiaTensor}


@dataclass(frozen=True)
class UnitInertia(Value):
    """A spatial inertia per mass: m, centre of mass c, and G = J / m about the frame's origin."""

    m: Scalar
    c: Vec3
    G: SymMat3

    c_name = "unit_inertia"
    layout: ClassVar = {"m": POSITIVE, "c": Vec3, "G": SymMat3}


@dataclass(frozen=True)
class ArticulatedInertia(Value):
    """An articulated-body inertia [[J, H], [H^T, M]]: J and M symmetric, H any 3x3 matrix."""

    J: SymMat3
    H: Mat3
    M: SymMat3

    c_name = "articulated_inertia"
    layout: ClassVar = {"J": SymMat3, "H": Mat3, "M": SymMat3}


@dataclass(frozen=True)
class ContactWrench(Value):
    """A body's row of a contact Jacobian, or what acts on it: f_N in the world's axes, n_B in its own."""

    f_N: Vec3
    n_B: Vec3

    c_name = "contact_wrench"
    layout: ClassVar = {"f_N": Vec3, "n_B": Vec3}


@dataclass(frozen=True)
class ContactTwist(Value):
    """A body's velocity: that of its centre of mass in the world's axes, angular velocity in its own."""

    v_N: Vec3
    w_B: Vec3

    c_name = "contact_twist"
    layout: ClassVar = {"v_N": Vec3, "w_B": Vec3}
