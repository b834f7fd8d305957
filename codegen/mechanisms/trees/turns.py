"""Rotations from the frame of one body to that of the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from codegen.ir.types import Scalar
from codegen.library.rotation.kernels import dcm_of, quat_to_dcm_unit
from codegen.mechanisms.description.exact import IDENTITY
from codegen.mechanisms.trees.tree import Moments
from codegen.modeling.types.algebra import Force, Mat3, Quaternion, Rotation, SymMat3, UnitQuaternion, Vec3
from codegen.modeling.types.elimination import is_zero
from codegen.modeling.types.scalar import constant


@dataclass(frozen=True)
class Turn:
    """A rotation about z by its angle's cosine and sine: v_A = R v_B."""

    angle: Scalar
    c: Scalar
    s: Scalar

    def ahead(self, v: Vec3) -> Vec3:
        """R v."""
        return Vec3(self.c * v.x - self.s * v.y, self.s * v.x + self.c * v.y, v.z)

    def back(self, v: Vec3) -> Vec3:
        """R^T v."""
        return Vec3(self.c * v.x + self.s * v.y, self.c * v.y - self.s * v.x, v.z)

    def tensor(self, S: SymMat3) -> SymMat3:
        """R S R^T: xx' = xx - s u, yy' = yy + s u, xy' = c u - xy with u = s (xx - yy) + 2 c xy."""
        u = self.s * (S.xx - S.yy) + self.c * (S.xy + S.xy)
        across = self.ahead(Vec3(S.xz, S.yz, 0))
        return SymMat3(S.xx - self.s * u, self.c * u - S.xy, across.x, S.yy + self.s * u, across.y, S.zz)

    def matrix(self, A: Mat3) -> Mat3:
        """R A R^T: its upper left quarter keeps the trace and the difference of the other two elements."""
        a, b, x, d, e, y, p, q, zz = A.m
        u = self.s * (a - e) + self.c * (b + d)
        right, below = self.ahead(Vec3(x, y, 0)), self.ahead(Vec3(p, q, 0))
        return Mat3((
            a - self.s * u, self.c * u - d, right.x, self.c * u - b, e + self.s * u, right.y, below.x,
            below.y, zz, ))  # fmt: skip


@dataclass(frozen=True)
class Given:
    """A rotation by any matrix: v_A = R v_B."""

    R: Mat3

    def ahead(self, v: Vec3) -> Vec3:
        """R v."""
        return self.R @ v

    def back(self, v: Vec3) -> Vec3:
        """R^T v."""
        return self.R.transpose @ v

    def matrix(self, A: Mat3) -> Mat3:
        """R A R^T."""
        return self.R @ (A @ self.R.transpose)

    def tensor(self, S: SymMat3) -> SymMat3:
        """R S R^T."""
        return S.rotated(self.R)


@dataclass(frozen=True)
class Constant(Given):
    """A constant rotation; R is the matrix for formulas, `exact` that of its numbers."""

    exact: Mat3

    @classmethod
    def of(cls, exact: Mat3) -> Constant:
        """The rotation by this matrix of exact numbers."""
        return cls(exact.map(number), exact)

    def tensor(self, S: SymMat3) -> SymMat3:
        """R S R^T."""
        if permutes(self.exact):
            return _permuted(S, self.exact)
        return super().tensor(S)


@dataclass(frozen=True)
class OfMomenta(Given):
    """The rotation of a spherical joint whose momenta the mass matrix needs: they are turned once.

    The joint starts from the point `start` of the parent, in the axes before the joint.
    """

    start: Vec3

    def wrench(self, wrench: Force) -> Force:
        """A wrench in the child's axes about the joint, about the parent's origin in those before it."""
        f = self.ahead(wrench.f)
        return Force(self.ahead(wrench.n) + self.start.cross(f), f)

    def reach(self, h: Vec3) -> Scalar:
        """p . R h of the start p and a first moment h."""
        return self.start.dot(self.ahead(h))

    def body(self, body: Moments) -> Moments:
        """A body about the joint in the child's axes, about the parent's origin in those before the joint.

        With N the angular momenta of unit rates about the child's axes, S' = (tr(S) + p.R h) 1 - N R^T
        + p (R h)^T + m p p^T. The trace of N R^T is 2 (tr(S) + p.R h), as a rotation keeps it.
        """
        N = Mat3.from_columns(*(self.wrench(momentum(axis, body)).n for axis in IDENTITY.columns))
        p, whole = self.start.scalars(), body.S.trace + self.reach(body.h)
        after = self.ahead(body.h) + self.start * body.m

        def turned(i: int, j: int) -> Scalar:
            return N.row(i).dot(self.R.row(j))

        def shifted(i: int, j: int) -> Scalar:
            return p[i] * after.scalars()[j]

        def across(i: int, j: int) -> Scalar:
            first, last = (j, i) if is_zero(p[j]) else (i, j)
            return shifted(first, last) - turned(first, last)

        xx, yy = turned(0, 0), turned(1, 1)
        S = SymMat3(
            shifted(0, 0) + whole - xx, across(0, 1), across(0, 2),
            shifted(1, 1) + whole - yy, across(1, 2), shifted(2, 2) + xx + yy - whole,
        )  # fmt: skip
        return Moments(body.m, after, S)


@dataclass(frozen=True)
class OfMoments(OfMomenta):
    """The same where nothing needs the forces: momenta are shifted in the child's axes, and turned then."""

    @property
    def arm(self) -> Vec3:
        """The start in the child's axes."""
        return self.back(self.start)

    def wrench(self, wrench: Force) -> Force:
        """A wrench in the child's axes about the joint, about the parent's origin in those before it."""
        return Force(self.ahead(wrench.n + self.arm.cross(wrench.f)), self.ahead(wrench.f))

    def reach(self, h: Vec3) -> Scalar:
        """p . R h of the start p and a first moment h."""
        return self.arm.dot(h)


def momentum(axis: Vec3, body: Moments) -> Force:
    """The momentum of a body that turns about an axis through its origin, at unit rate."""
    S = body.S
    J = SymMat3(S.yy + S.zz, -S.xy, -S.xz, S.xx + S.zz, -S.yz, S.xx + S.yy)
    return Force(J @ axis, axis.cross(body.h))


Step = Turn | Given


def behind(R: Mat3, q: UnitQuaternion) -> tuple[Mat3, Rotation]:
    """R, which has exact numbers, times the rotation of a spherical joint, as a product of two rotations.

    The first only permutes and negates axes; the product of quaternions in the other is the shortest.
    """
    first = min(_PERMUTATIONS, key=lambda P: sum(map(_length, _factors(_quaternion(P.transpose @ R)))))
    rest = first.transpose @ R
    if rest == IDENTITY:
        return first, Rotation(quat_to_dcm_unit(q).m)
    product: Quaternion = q
    square = Fraction(1)
    for factor in reversed(_factors(_quaternion(rest))):
        product = Quaternion(*map(number, factor)) @ product
        square *= sum(x * x for x in factor)
    return first, dcm_of(product.w, product.vector, product.vector * number(2 / square))


_SIGNS = (Fraction(1), Fraction(-1))
_UNITS = [Vec3(*(sign * int(j == k) for j in range(3))) for k in range(3) for sign in _SIGNS]
_PERMUTATIONS = [
    IDENTITY,
    *(Mat3.from_columns(x, y, x.cross(y)) for x in _UNITS for y in _UNITS if x.dot(y) == 0),
]
"""The rotations that only permute and negate axes, the identity first: the least change is preferred."""


def _length(quaternion: Sequence[Fraction]) -> int:
    """How many operations a product with a constant quaternion takes, divided by four."""
    products = sum(x not in (-1, 0, 1) for x in quaternion)
    return products + sum(map(bool, quaternion)) - 1


def _quaternion(R: Mat3) -> list[Fraction]:
    """A quaternion of a rotation by exact numbers, whose largest number is 1."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = R.m
    rows = (
        (1 + xx + yy + zz, zy - yz, xz - zx, yx - xy),
        (zy - yz, 1 + xx - yy - zz, xy + yx, xz + zx),
        (xz - zx, xy + yx, 1 - xx + yy - zz, yz + zy),
        (yx - xy, xz + zx, yz + zy, 1 - xx - yy + zz),
    )
    diagonal = [row[k] for k, row in enumerate(rows)]
    largest = diagonal.index(max(diagonal))
    return [x / diagonal[largest] for x in rows[largest]]


def _factors(q: Sequence[Fraction]) -> list[Sequence[Fraction]]:
    """The quaternion of a turn about one axis, or two in a row, as those of each; any other as it is."""
    w, *xyz = q
    if w != 1:
        return [q]
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        for first, last, sign in ((i, j, 1), (j, i, -1)):
            if xyz[first] and xyz[last] and xyz[k] == sign * xyz[first] * xyz[last]:
                return [[w, *(xyz[n] * (n == m) for n in range(3))] for m in (first, last)]
    return [q]


def number(x: Fraction) -> Scalar:
    """An exact number for formulas, on scalars of any kind."""
    return int(x) if x in (-1, 0, 1) else constant(x)


def permutes(R: Mat3) -> bool:
    """Whether R only permutes and negates axes."""
    return all(sum(map(bool, row.scalars())) == 1 for row in R.rows)


def _permuted(S: SymMat3, R: Mat3) -> SymMat3:
    """R S R^T for an R that only permutes and negates axes."""
    rows = S.dense.rows
    place = [next((j, int(x)) for j, x in enumerate(row.scalars()) if x) for row in R.rows]

    def element(a: int, b: int) -> Scalar:
        (i, x), (j, y) = place[a], place[b]
        return x * y * rows[i].scalars()[j]

    return SymMat3(*(element(a, b) for a, b in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))))
