"""References for the identities: point masses, poses, differences, integration; and their tolerances.

Nothing here uses a kernel's formula, nor spatial algebra.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from tests.conftest import Compiled

Array = npt.NDArray[Any]
Rng = np.random.Generator
EYE = np.eye(3)
UPPER = np.triu_indices(3)
ZERO = np.zeros(3)
G_N = np.array([0, 0, 9.81])

ROUNDINGS = 4
"""A kernel sums at most about twenty products of two or three rounded numbers. Its error stays below this
many eps times the sum of the products' magnitudes (their roundings partly cancel), which a test bounds by
norms of what goes in and of what passes from kernel to kernel: its `size`."""


def close(
    fc: Compiled, actual: Any, expected: Any, size: float, calls: int = 1, truncation: float = 0
) -> None:
    """Equal to ROUNDINGS eps of the size for each kernel in the chain, and the truncation of a method."""
    bound = ROUNDINGS * calls * fc.eps * size + truncation
    np.testing.assert_allclose(np.ravel(actual), np.ravel(expected), rtol=0, atol=bound)


def same(actual: Any, expected: Any) -> None:
    """Bitwise equal, except for the sign of zero."""
    np.testing.assert_array_equal(actual, expected)


def norm(*factors: Any) -> float:
    """The product of norms: a bound of the terms of a product of vectors and matrices."""
    return float(np.prod([np.linalg.norm(f) for f in factors]))


def slope(f: Callable[[float], Any], h: float = 1e-5) -> Array:
    """Central difference at 0."""
    difference: Array = (np.asarray(f(h), float) - np.asarray(f(-h), float)) / (2 * h)
    return difference


def gradient(f: Callable[[Array], Any], q: Array) -> Array:
    """Central differences along each coordinate."""

    def along(unit: Array) -> Array:
        return slope(lambda t: f(q + t * unit))

    return np.array([along(unit) for unit in np.eye(len(q))])


def close_slope(fc: Compiled, f: Callable[[float], Any], expected: Any, size: float) -> None:
    """Equal to a difference of kernels with a step h = eps^(1/3).

    It errs by h^2 / 6 of the third derivative, which at rates of 1 rad/s and 1 m/s is up to about eight times
    the value, and by eps / h = h^2 of the value for each rounding.
    """
    h = float(np.cbrt(fc.eps))
    close(fc, slope(f, h), expected, 0, truncation=2 * ROUNDINGS * h**2 * size)


def random_rotation(rng: Rng) -> Any:
    return Rotation.from_quat(rng.normal(size=4))


def random_unit(rng: Rng, count: int) -> Array:
    v = rng.normal(size=count)
    unit: Array = v / norm(v)
    return unit


def scalar_first(rotation: Any) -> Array:
    """SciPy's quaternion, which is scalar-last, in our order."""
    return np.roll(rotation.as_quat(), 1)


def attitude_of(q: Array) -> Any:
    """A quaternion of ours as a SciPy rotation."""
    return Rotation.from_quat(np.roll(q, -1))


@dataclass(frozen=True)
class Pose:
    """The pose of B in A: a SciPy rotation and a position."""

    rotation: Any
    p: Array

    @classmethod
    def random(cls, rng: Rng) -> Pose:
        return cls(random_rotation(rng), rng.normal(size=3))

    @property
    def packed(self) -> Array:
        return np.append(self.rotation.as_matrix(), self.p)

    @property
    def size(self) -> float:
        """A bound of the norms of its Plücker matrices."""
        return 1 + norm(self.p)

    def points(self, r: Array) -> Array:
        moved: Array = self.rotation.apply(r) + self.p
        return moved

    def carried(self, v_B: Array, t: float) -> Pose:
        """The pose after a time t, correct to first order, when B moves at v_B relative to A."""
        turned = self.rotation * Rotation.from_rotvec(v_B[:3] * t)
        return Pose(turned, self.p + t * self.rotation.apply(v_B[3:]))


def velocities(motion: Array, points: Array) -> Array:
    """The velocities of points of a body that moves."""
    moved: Array = motion[3:] + np.cross(motion[:3], points)
    return moved


@dataclass(frozen=True)
class Cloud:
    """Point masses: a rigid body from first principles."""

    masses: Array
    points: Array

    @classmethod
    def random(cls, rng: Rng, count: int = 6, spread: float = 1) -> Cloud:
        return cls(rng.uniform(0.2, 1, count), spread * (rng.normal(size=(count, 3)) + rng.normal(size=3)))

    @property
    def mass(self) -> float:
        return float(self.masses.sum())

    @property
    def centre(self) -> Array:
        centre: Array = self.masses @ self.points / self.mass
        return centre

    @property
    def matrix(self) -> Array:
        """The 6x6 matrix of twice the kinetic energy: sum of m J^T J."""
        moved = np.array([velocities(unit, self.points) for unit in np.eye(6)])
        matrix: Array = np.einsum("ipk,jpk,p->ij", moved, moved, self.masses)
        return matrix

    @property
    def size(self) -> float:
        return norm(self.matrix)

    @property
    def tensor(self) -> Array:
        """The inertia about the origin, packed."""
        return self.matrix[:3, :3][UPPER]

    @property
    def stiffness(self) -> float:
        """The factor by which solving with the tensor magnifies errors."""
        return float(np.linalg.cond(self.matrix[:3, :3]))

    def seen_from(self, pose: Pose) -> Cloud:
        return Cloud(self.masses, pose.points(self.points))

    def joined(self, other: Cloud) -> Cloud:
        return Cloud(np.append(self.masses, other.masses), np.vstack([self.points, other.points]))

    def centred(self) -> Cloud:
        return Cloud(self.masses, self.points - self.centre)

    def momentum(self, motion: Array) -> Array:
        p = self.masses[:, None] * velocities(motion, self.points)
        return np.append(np.cross(self.points, p).sum(axis=0), p.sum(axis=0))

    def energy(self, motion: Array) -> float:
        return float(self.masses @ (velocities(motion, self.points) ** 2).sum(axis=1) / 2)

    def inertia(self, fc: Compiled) -> Array:
        """Its ten numbers, as the library computes them from mass, centre and central inertia."""
        result = fc.call.inertia_from_com(self.mass, self.centre, self.centred().tensor)
        assert result.status == 0
        packed: Array = result.I_O
        return packed


def pack_articulated(matrix: Array) -> Array:
    """The 21 numbers of a symmetric 6x6 matrix."""
    return np.concatenate([matrix[:3, :3][UPPER], matrix[:3, 3:].ravel(), matrix[3:, 3:][UPPER]])


def random_articulated(rng: Rng) -> Array:
    """A symmetric positive 6x6 matrix with a general off-diagonal block."""
    root = rng.normal(size=(6, 6))
    matrix: Array = root @ root.T
    return matrix


def same_attitude(fc: Compiled, q: Array, expected: Array, calls: int = 1) -> None:
    """Quaternions of one attitude: equal up to their common sign."""
    close(fc, q if q @ expected > 0 else -q, expected, 1, calls)


def integrate(rates: Callable[[Array], Array], start: Any, duration: float, steps: int = 40) -> Array:
    """The Runge-Kutta method of fourth order, in double."""
    x, h = np.asarray(start, float), duration / steps
    for _ in range(steps):
        k1 = rates(x)
        k2 = rates(x + h / 2 * k1)
        k3 = rates(x + h / 2 * k2)
        k4 = rates(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


TRUNCATION = 1e-6
"""Of `integrate`: (rate h)^4 with steps h of about 0.01 s and rates of about 3/s."""

SECONDS = 0.5
