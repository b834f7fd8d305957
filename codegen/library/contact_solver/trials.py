"""Contact problems with known answers, by dense algebra: D^T M^-1 D, and enumeration of active sets.

Scenes are random but always the same. Source: Cottle, Pang and Stone, The Linear Complementarity Problem
(1992), on active sets and error bounds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codegen.ir.status import Status
from codegen.ir.systems import Precision
from codegen.library.shared.dense import symmetric
from codegen.modeling.routine import Trial

Array = NDArray[np.float64]

GRID = 2.0**20
"""Normally distributed numbers are rounded to multiples of 1 / GRID."""


def _normal(source: random.Random, *shape: int) -> Array:
    """Normally distributed numbers, so few bits long that sums of their products are exact.

    The arguments that are products of such matrices are therefore the same on every processor and with every
    version of NumPy, whatever the order and the instructions of the additions.
    """
    numbers = [round(source.gauss(0, 1) * GRID) / GRID for _ in range(int(np.prod(shape)))]
    return np.array(numbers, dtype=float).reshape(shape)


class Scene:
    """Bodies, some of them fixed, and contacts between them or with the world, some of them duplicated."""

    def __init__(self, seed: int, nb: int, nc: int) -> None:
        source = random.Random(f"scene {seed}")
        self.m = np.array([source.uniform(0.5, 3) * (source.random() > 0.2) for _ in range(nb)])
        clouds = [np.sum(p * p) * np.eye(3) - p.T @ p for p in (_normal(source, 8, 3) for _ in range(nb))]
        self.J_B = np.array([c[np.triu_indices(3)] for c in clouds]).reshape(nb, 6)
        self.body_A, self.body_B = (
            np.array([source.randrange(-1, nb) for _ in range(nc)], dtype=int) for _ in range(2)
        )
        self.D_A, self.D_B = (_normal(source, nc, 6) for _ in range(2))
        self.lambda_ = abs(_normal(source, nc))
        self.v = _normal(source, nb, 6)

    @property
    def arguments(self) -> list[Any]:
        """The arguments that describe the scene, in the order of the routines."""
        counts = [len(self.m), len(self.body_A)]
        return [*counts, self.m, self.J_B, self.body_A, self.body_B, self.D_A, self.D_B]

    def rounded(self, precision: Precision) -> Scene:
        """The scene, its numbers rounded to the precision."""
        kind = np.float32 if precision.name == "f32" else np.float64
        for name in ("m", "J_B", "D_A", "D_B", "lambda_", "v"):
            setattr(self, name, getattr(self, name).astype(kind).astype(float))
        return self

    @property
    def mass_inverse(self) -> Array:
        """M^-1 of all bodies, block diagonal; zero for fixed bodies."""
        inverse = np.zeros((6 * len(self.m), 6 * len(self.m)))
        for b, m in enumerate(self.m):
            if m > 0:
                i = 6 * b
                inverse[i : i + 3, i : i + 3] = np.eye(3) / m
                inverse[i + 3 : i + 6, i + 3 : i + 6] = np.linalg.inv(symmetric(self.J_B[b]))
        return inverse

    @property
    def jacobian(self) -> Array:
        """D, a row for each velocity of each body, a column for each contact."""
        D = np.zeros((6 * len(self.m), len(self.body_A)))
        for i in range(len(self.body_A)):
            for body, column in ((self.body_A[i], self.D_A[i]), (self.body_B[i], self.D_B[i])):
                if 0 <= body < len(self.m):
                    D[6 * body : 6 * body + 6, i] += column
        return D


SIZES = ((0, 0), (1, 1), (2, 1), (3, 4), (4, 6), (5, 8))


def delassus_trials(precision: Precision) -> Iterator[Trial]:
    """D^T M^-1 D; the tolerance is in proportion to the sum of absolute values."""
    for seed, (nb, nc) in enumerate(SIZES):
        scene = Scene(seed, nb, nc).rounded(precision)
        D, inverse = scene.jacobian, scene.mass_inverse
        size = abs(D).T @ _inverse_size(scene) @ abs(D)
        yield Trial(scene.arguments, [D.T @ inverse @ D], [16 * float(precision.eps) * size])


def _inverse_size(scene: Scene) -> Array:
    """abs(M^-1) times the condition number of the inertias, the scale of its rounding."""
    worst = max([np.linalg.cond(symmetric(J)) for J in scene.J_B], default=1.0)
    return abs(scene.mass_inverse) * worst


def update_trials(precision: Precision) -> Iterator[Trial]:
    """v + M^-1 D lambda."""
    for seed, (nb, nc) in enumerate(SIZES):
        scene = Scene(seed, nb, nc).rounded(precision)
        change = scene.mass_inverse @ scene.jacobian @ scene.lambda_
        size = _inverse_size(scene) @ abs(scene.jacobian) @ scene.lambda_ + abs(scene.v.reshape(-1))
        expected = scene.v + change.reshape(nb, 6)
        tolerance = 16 * float(precision.eps) * size.reshape(nb, 6)
        yield Trial([*scene.arguments, scene.lambda_, scene.v], [expected], [tolerance])


def residual_trials(precision: Precision) -> Iterator[Trial]:
    """The natural residual of impulses that are not a solution."""
    for seed, (_, nc) in enumerate(SIZES):
        N, r, start = _problem(seed, nc, precision)
        rates = N @ start + r
        size = abs(N) @ abs(start) + abs(r) + abs(start)
        expected = max(abs(np.minimum(start, rates)), default=0.0)
        tolerance = 2 * (nc + 1) * float(precision.eps) * max(size, default=0.0)
        yield Trial([N, r, start, nc], [expected], [tolerance])


def solver_trials(precision: Precision) -> Iterator[Trial]:
    """Well-posed problems, one with a contact between fixed bodies, and one without a solution."""
    tolerance = float(precision.eps) ** 0.5 / 16
    for seed, (_, nc) in enumerate(SIZES):
        N, r, start = _problem(seed, nc, precision)
        exact = solution(N, r)
        bound = tolerance * (1 + np.linalg.norm(N)) / min(np.linalg.eigvalsh(N), default=1.0)
        accepted = [np.full(nc, bound), tolerance, None]
        yield Trial([N, r, start, nc, 4000, tolerance], [exact, 0.0, None], accepted)
    fixed = [np.diag([2.0, 0.0]), np.array([-1.0, -1.0]), np.array([0.0, 0.25]), 2, 100, tolerance]
    yield Trial(fixed, [np.array([0.5, 0.25]), 0.0, None], [np.full(2, tolerance), tolerance, None])
    squeezed = [np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([-1.0, -1.0]), np.zeros(2), 2, 50, tolerance]
    yield Trial(squeezed, [None, None, 50], [None, None, 0], Status.NOT_CONVERGED)


def _problem(seed: int, nc: int, precision: Precision) -> tuple[Array, Array, Array]:
    """A positive definite N of moderate condition, r, and impulses to start from."""
    source = random.Random(f"problem {seed}")
    root = _normal(source, nc, nc)
    kind = np.float32 if precision.name == "f32" else np.float64
    numbers = root @ root.T + np.eye(nc), _normal(source, nc), abs(_normal(source, nc))
    N, r, start = (x.astype(kind).astype(float) for x in numbers)
    return N, r, start


def solution(N: Array, r: Array) -> Array:
    """The solution of a problem with a positive definite N: all active sets are tried."""
    nc = len(r)
    for choice in product((False, True), repeat=nc):
        active = np.array(choice, dtype=bool)
        impulses = np.zeros(nc)
        if active.any():
            impulses[active] = np.linalg.solve(N[np.ix_(active, active)], -r[active])
        if (impulses >= 0).all() and (N @ impulses + r >= -1e-12 * (1 + abs(r)))[~active].all():
            return impulses
    raise ValueError("the problem has no solution")


TRIALS = {
    "contact_delassus": delassus_trials,
    "contact_velocity_update": update_trials,
    "contact_residual": residual_trials,
    "contact_solve_pgs": solver_trials,
    "contact_solve_apgd": solver_trials,
}
"""Routine -> the calls that verify it, for a precision."""
