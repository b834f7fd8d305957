"""The types of rigid-body mathematics, over scalars of any kind.

Immutable values with the operations of the textbooks. The same code runs on traced expressions, SymPy
symbols, CasADi SX, floats and fractions. Conventions: `R_AB` takes coordinates from B to A, quaternions are
Hamilton [w, x, y, z], spatial vectors are angular first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self, overload

from codegen.errors import FeatherError
from codegen.ir.composite import Composite
from codegen.ir.types import (
    POSITIVE,
    REAL,
    Array,
    Draw,
    Scalar,
    Value,
    check_index,
    component_names,
    flatten,
    row_names,
)
from codegen.modeling.types import guessed, physical, samples
from codegen.modeling.types.matrices import product
from codegen.modeling.types.scalar import sqrt


@dataclass(frozen=True, eq=False)
class Vec3(Value):
    """A vector's three coordinates in one frame."""

    x: Scalar
    y: Scalar
    z: Scalar

    c_name = "vec3"
    layout: ClassVar = {"x": REAL, "y": REAL, "z": REAL}
    instead: ClassVar = guessed.OF_VECTOR
    independent = True

    @staticmethod
    def zero() -> Vec3:
        """The zero vector."""
        return Vec3(0, 0, 0)

    def __rmatmul__(self, other: Any) -> Any:
        """The product with a NumPy array or a list on the left."""
        return product(other, self)

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Iterator[Scalar]:
        """x, y and z."""
        return iter((self.x, self.y, self.z))

    def __getitem__(self, index: int | slice) -> Any:
        """Coordinate 0, 1 or 2, or the tuple of a slice."""
        check_index(index, len(self), "a Vec3")
        return (self.x, self.y, self.z)[index]

    @property
    def norm_squared(self) -> Scalar:
        """v.v"""
        return self.dot(self)

    @property
    def norm(self) -> Scalar:
        """The length of v; its derivative does not exist where v is zero."""
        return sqrt(self.norm_squared)

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

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """No rotation, lengths near zero and near half and whole turns."""
        lengths = [*samples.NEAR, *map(Fraction, (1e-9, math.pi, 22 / 7, 6.0, 2 * math.pi))]
        return [[0, 0, 0], *([x / 3, -2 * x / 3, 2 * x / 3] for x in lengths)]


class Variances(Vec3):
    """The variances of a vector's coordinates, which are not negative."""

    independent = False

    @classmethod
    def sample(cls, draw: Draw) -> list[Scalar]:
        """Positive numbers."""
        return [s for _ in range(3) for s in POSITIVE.sample(draw)]


class Rodrigues(Vec3):
    """Modified Rodrigues parameters: the axis times tan(angle / 4)."""

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """No rotation, a half turn, an oblique turn, and one beyond the unit sphere."""
        return [[0, 0, 0], [1, 0, 0], [Fraction(3, 4), Fraction(-1, 2), Fraction(1, 2)], [3, -4, 0]]


class Geocentric(Vec3):
    """A position on the scale of the Earth, in metres from its centre."""

    @classmethod
    def sample(cls, draw: Draw) -> list[Scalar]:
        """A position some Earth radii from the centre."""
        return [samples.EARTH * draw() for _ in range(3)]

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """The centre, the poles, the equator, and positions deep below and far above the ground."""
        r = samples.EARTH
        return [
            [0, 0, 0], [r, 0, 0], [-r, 0, 0], [0, r, 0], [0, 0, r], [0, 0, -r],
            [1000, 1, r], [5 * r, -r, 3 * r], [60_000, 0, 10_000],
        ]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Mat3(Value):
    """A 3x3 matrix, row-major."""

    m: tuple[Scalar, ...]

    c_name = "mat3"
    layout: ClassVar = {"m": Array((9,))}
    instead: ClassVar = guessed.OF_MATRIX
    independent = True

    @classmethod
    def component_names(cls) -> list[str]:
        """Row and column: `_01`."""
        return component_names(Array((3, 3)))

    @classmethod
    def row_names(cls, name: str) -> list[str]:
        """Three elements in each row."""
        return row_names(Array((3, 3)), name)

    @classmethod
    def identity(cls) -> Self:
        """The unit matrix."""
        return cls((1, 0, 0, 0, 1, 0, 0, 0, 1))

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

    def solve(self, v: Vec3) -> Vec3:
        """x of A x = v; zero, with the status SINGULAR, where A has no inverse (`MatrixValue.solve`)."""
        return _solved(self, v)

    @property
    def transpose(self) -> Self:
        """The transpose; of a rotation, its inverse."""
        return self.from_rows(*self.columns)

    def table(self) -> Sequence[Any]:
        """The rows."""
        return [row.scalars() for row in self.rows]

    @overload
    def __matmul__(self, other: Vec3) -> Vec3: ...

    @overload
    def __matmul__(self, other: Mat3) -> Self: ...

    @overload
    def __matmul__(self, other: Any) -> Any: ...

    def __matmul__(self, other: Any) -> Any:
        if not isinstance(other, (Vec3, Mat3)):
            return NotImplemented if isinstance(other, Composite) else product(self, other)
        if isinstance(other, Vec3):
            return Vec3(*(row.dot(other) for row in self.rows))
        return type(self).from_columns(*(self @ column for column in other.columns))

    def __rmatmul__(self, other: Any) -> Any:
        """The product with a NumPy array or a list on the left."""
        return product(other, self)

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

    independent, constrained = False, True

    @classmethod
    def sample(cls, draw: Draw) -> list[Scalar]:
        """The matrix of a random unit quaternion."""
        return samples.rotation(draw)

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """Half turns, gimbal locks of Euler angles, and rotations near these."""
        return samples.rotation_edges()

    def check(self, name: str) -> None:
        """FeatherError unless the rows are orthonormal and right-handed, within 1e-6."""
        x, y, z = self.rows
        if not all(map(physical.is_one, (x.dot(x), y.dot(y), z.dot(z), x.cross(y).dot(z)))):
            raise FeatherError(f"{name} is not a rotation: its rows are not orthonormal and right-handed")


def _solved(A: Mat3 | SymMat3, v: Vec3) -> Vec3:
    from codegen.modeling.types.matrices import matrix  # which few models need

    return Vec3(*matrix(A.table()).solve(v))


@dataclass(frozen=True, eq=False)
class SymMat3(Value):
    """A symmetric 3x3 matrix, six numbers."""

    xx: Scalar
    xy: Scalar
    xz: Scalar
    yy: Scalar
    yz: Scalar
    zz: Scalar

    c_name = "sym3"
    instead: ClassVar = guessed.OF_SYMMETRIC_MATRIX
    layout: ClassVar = dict.fromkeys(("xx", "xy", "xz", "yy", "yz", "zz"), REAL)
    independent = True

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

    def table(self) -> Sequence[Any]:
        """The rows."""
        return [row.scalars() for row in self.rows]

    @overload
    def __matmul__(self, v: Vec3) -> Vec3: ...

    @overload
    def __matmul__(self, v: Any) -> Any: ...

    def __matmul__(self, v: Any) -> Any:
        if not isinstance(v, Vec3):
            return NotImplemented if isinstance(v, Composite) else product(self, v)
        return Vec3(*(row.dot(v) for row in self.rows))

    def __rmatmul__(self, other: Any) -> Any:
        """The product with a NumPy array or a list on the left."""
        return product(other, self)

    def solve(self, v: Vec3) -> Vec3:
        """x of S x = v; zero, with the status SINGULAR, where S has no inverse (`MatrixValue.solve`)."""
        return _solved(self, v)

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

    independent = False

    @classmethod
    def sample(cls, draw: Draw) -> list[Scalar]:
        """The inertia of a few point masses."""
        return samples.body(draw)

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """Zero, a rod, a disc, a point mass off the axes, and matrices that are not inertias of a body."""
        rod, disc, tilted = [0, 0, 0, 1, 0, 1], [1, 0, 0, 1, 0, 2], samples.point_mass(1, (1, 2, -1))
        no_body = [[1, 0, 0, 1, 0, 5], [-1, 0, 0, 1, 0, 1], [1, 3, 0, 1, 0, 1]]
        return [[0] * 6, rod, disc, tilted, *no_body]

    def check(self, name: str) -> None:
        """FeatherError unless it is positive definite, and thus invertible, and the inertia of a body."""
        physical.check_definite(name, self.scalars())
        physical.check_moments(name, self.scalars())


@dataclass(frozen=True, eq=False)
class Quaternion(Value):
    """A Hamilton quaternion w + x i + y j + z k, ij = k."""

    w: Scalar
    x: Scalar
    y: Scalar
    z: Scalar

    c_name = "quat"
    layout: ClassVar = {"w": REAL, "x": REAL, "y": REAL, "z": REAL}
    instead: ClassVar = guessed.OF_QUATERNION
    meanings: ClassVar = {"w": "scalar part", "v": "vector part"}
    independent = True

    @classmethod
    def sample(cls, draw: Draw) -> list[Scalar]:
        """A unit quaternion times a number, so that its norm is rational, too."""
        scale = draw()
        return [scale * x for x in samples.unit_quaternion(draw)]

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """The zero quaternion, and twice the unit quaternions at which formulas break."""
        return [[0] * 4, *([2 * x for x in q] for q in samples.quaternion_edges())]

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

    independent, constrained = False, True

    @classmethod
    def sample(cls, draw: Draw) -> list[Scalar]:
        """u^2 / |u|^2 of a random quaternion u."""
        return samples.unit_quaternion(draw)

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """Half turns, gimbal locks of Euler angles, and rotations near half turns."""
        return samples.quaternion_edges()

    def check(self, name: str) -> None:
        """FeatherError unless its squared norm is 1 within 1e-6."""
        if not physical.is_one(self.norm_squared):
            raise FeatherError(f"{name} is not a unit quaternion: its norm is not 1")


class Angles(Vec3):
    """Three angles in radians, such as roll, pitch and yaw (phi, theta, psi)."""

    angular = True

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """Second angles at right angles and near them, half a turn, and beyond one."""
        right = samples.RIGHT_ANGLE
        angles = [0, right, -right, *(right - x for x in samples.NEAR), Fraction(math.pi), Fraction(7)]
        return [[Fraction(1, 3), a, Fraction(-5, 7)] for a in angles] + [[0, 0, 0]]


@dataclass(frozen=True, eq=False)
class Motion(Value):
    """A spatial motion vector [w; v]: angular velocity, and velocity of the point at the frame's origin."""

    w: Vec3
    v: Vec3

    c_name = "motion"
    layout: ClassVar = {"w": Vec3, "v": Vec3}
    instead: ClassVar = guessed.OF_MOTION
    meanings: ClassVar = {"w": "angular part", "v": "linear part, at the frame's origin"}
    independent = True

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """Zero, pure rotation, pure translation."""
        return _PURE


@dataclass(frozen=True, eq=False)
class Force(Value):
    """A spatial force vector [n; f]: moment about the frame's origin, and force."""

    n: Vec3
    f: Vec3

    c_name = "force"
    layout: ClassVar = {"n": Vec3, "f": Vec3}
    instead: ClassVar = guessed.OF_FORCE
    meanings: ClassVar = {"n": "angular part, about the frame's origin", "f": "linear part"}
    independent = True

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """Zero, a pure moment, a pure force."""
        return _PURE


@dataclass(frozen=True, eq=False)
class Transform(Value):
    """A pose T_AB = (R_AB, p_AB_A): rotation and position of frame B relative to A."""

    R: Mat3
    p: Vec3

    c_name = "transform"
    layout: ClassVar = {"R": Rotation, "p": Vec3}
    instead: ClassVar = guessed.OF_TRANSFORM
    textbook = "[[R, p], [0, 1]]"
    from_textbook = "R = whole[0:3, 0:3], p = whole[0:3, 3]"
    meanings: ClassVar = {
        "R": "rotation matrix",
        "p": "position of {0}'s origin from {1}'s, in {1}",
    }
    constrained = True

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """Half turns about the origin."""
        return [[*samples.rotation_of(q), 0, 0, 0] for q in samples.HALF_TURNS[:4]]


@dataclass(frozen=True, eq=False)
class Inertia(Value):
    """A spatial inertia about the frame's origin: mass m, first moment h = m c, rotational inertia J."""

    m: Scalar
    h: Vec3
    J: SymMat3

    c_name = "inertia"
    layout: ClassVar = {"m": POSITIVE, "h": Vec3, "J": SymMat3}
    textbook = "[[J, h~], [-h~, m 1]]"
    from_textbook = "m = whole[5, 5], h = vee(whole[0:3, 3:6]), J = whole[0:3, 0:3]"
    meanings: ClassVar = {
        "m": "mass",
        "h": "first moment, the mass times the centre of mass",
        "J": "inertia matrix about the frame's origin",
    }

    @classmethod
    def sample(cls, draw: Draw) -> list[Scalar]:
        """A few point masses, about the origin."""
        return samples.inertia(draw)

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """Zero, a point mass, a ball, and inertias of no body: h too large for J, zero or negative mass."""
        far = [0, 0, 2]
        return [*_BODIES, [1, *far, *_BALL], [0, 0, 0, 0, *_BALL], [-1, 0, 0, 0, *_BALL]]

    def check(self, name: str) -> None:
        """FeatherError unless the inertia about the centre of mass is that of a body; it may be zero."""
        to_com = Mat3.skew(self.h / self.m)
        shift = to_com @ to_com.transpose
        xx, xy, xz, _, yy, yz, _, _, zz = (self.m * x for x in shift.m)
        physical.check_moments(f"{name}.J", (self.J - SymMat3(xx, xy, xz, yy, yz, zz)).scalars())


@dataclass(frozen=True, eq=False)
class CentralInertia(Value):
    """A spatial inertia whose rotational part is about the centre of mass: m, h = m c, Jc."""

    m: Scalar
    h: Vec3
    Jc: SymMat3

    c_name = "central_inertia"
    layout: ClassVar = {"m": POSITIVE, "h": Vec3, "Jc": InertiaTensor}
    textbook = "[[Jc + ((h.h) 1 - h h^T) / m, h~], [-h~, m 1]]"
    from_textbook = "m = whole[5, 5], h = vee(whole[0:3, 3:6]), Jc = whole[0:3, 0:3] - ((h.h) 1 - h h^T) / m"
    meanings: ClassVar = {**Inertia.meanings, "Jc": "inertia matrix about the centre of mass"}

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """Zero, a point mass, a ball."""
        return _BODIES


@dataclass(frozen=True, eq=False)
class UnitInertia(Value):
    """A spatial inertia per mass: m, centre of mass c, and G = J / m about the frame's origin."""

    m: Scalar
    c: Vec3
    G: SymMat3

    c_name = "unit_inertia"
    layout: ClassVar = {"m": POSITIVE, "c": Vec3, "G": SymMat3}
    textbook = "m [[G, c~], [-c~, 1]]"
    from_textbook = "m = whole[5, 5], c = vee(whole[0:3, 3:6]) / m, G = whole[0:3, 0:3] / m"
    meanings: ClassVar = {
        "m": "mass",
        "c": "centre of mass, from the frame's origin",
        "G": "inertia matrix about the frame's origin, divided by the mass",
    }

    @classmethod
    def sample(cls, draw: Draw) -> list[Scalar]:
        """A few point masses, about the origin and per mass."""
        return samples.unit_inertia(draw)

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """Zero, a point mass, a ball."""
        return _BODIES


@dataclass(frozen=True, eq=False)
class ArticulatedInertia(Value):
    """An articulated-body inertia [[J, H], [H^T, M]]: J and M symmetric, H any 3x3 matrix."""

    J: SymMat3
    H: Mat3
    M: SymMat3

    c_name = "articulated_inertia"
    layout: ClassVar = {"J": SymMat3, "H": Mat3, "M": SymMat3}
    textbook = "[[J, H], [H^T, M]]"
    from_textbook = "J = whole[0:3, 0:3], H = whole[0:3, 3:6], M = whole[3:6, 3:6]"
    meanings: ClassVar = {
        "J": "rotational block, the moment per angular acceleration",
        "H": "coupling block, the moment per linear acceleration",
        "M": "translational block, the force per linear acceleration",
    }

    @classmethod
    def sample(cls, draw: Draw) -> list[Scalar]:
        """A rigid body and a symmetric dyad: positive definite."""
        return samples.articulated(draw)


@dataclass(frozen=True, eq=False)
class ContactWrench(Value):
    """A row of a contact Jacobian for one body, or a wrench on it: f_N in world axes, n_B in body axes."""

    f_N: Vec3
    n_B: Vec3

    c_name = "contact_wrench"
    layout: ClassVar = {"f_N": Vec3, "n_B": Vec3}
    meanings: ClassVar = {"f_N": "linear part, in world axes", "n_B": "angular part, in body axes"}


@dataclass(frozen=True, eq=False)
class ContactTwist(Value):
    """A body's velocity: of its centre of mass in world axes, angular velocity in body axes."""

    v_N: Vec3
    w_B: Vec3

    c_name = "contact_twist"
    layout: ClassVar = {"v_N": Vec3, "w_B": Vec3}
    meanings: ClassVar = {"v_N": "velocity of the centre of mass", "w_B": "angular velocity"}


_PURE: list[list[Scalar]] = [[0] * 6, [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]]
_BALL = [1, 0, 0, 1, 0, 1]
_BODIES: list[list[Scalar]] = [[0] * 10, [1, *[0] * 9], [2, 0, 0, 0, *_BALL]]
