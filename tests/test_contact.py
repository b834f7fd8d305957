"""Many contacts at once: Delassus matrix, solvers, residual, velocities, the scenes of the example."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import nnls

from codegen.ir.status import Status
from tests.conftest import GENERATED, ROOT, Compiled, tool

Array = NDArray[np.float64]
SOLVERS = ("contact_solve_pgs", "contact_solve_apgd")
ENOUGH = 20000


def problem(rng: np.random.Generator, nc: int, rank: int | None = None) -> tuple[Array, Array]:
    """N of the given rank with elements about 1, and an r for which a solution exists."""
    root = rng.normal(size=(nc, rank or nc))
    r = root @ rng.normal(size=rank or nc) if rank else rng.normal(size=nc)
    return root @ root.T / nc, r


def nonnegative_least_squares(N: Array, r: Array) -> Array:
    """The minimum of 1/2 x.N x + r.x over x >= 0, by SciPy: of |L^T x + L^-1 r|."""
    L = np.linalg.cholesky(N)
    x: Array = nnls(L.T, -np.linalg.solve(L, r))[0]
    return x


def solve(fc: Compiled, solver: str, N: Array, r: Array, start: Any, tolerance: float) -> Any:
    return getattr(fc.call, solver)(N, r, start, len(r), ENOUGH, tolerance)


@pytest.mark.parametrize("solver", SOLVERS)
def test_impulses_are_those_of_a_quadratic_program(
    fc: Compiled, solver: str, rng: np.random.Generator
) -> None:
    tolerance = fc.eps**0.5 / 100
    for nc in range(1, 13):
        N, r = problem(rng, nc)
        N += 0.3 * np.eye(nc)  # condition below about 50
        found = solve(fc, solver, N, r, np.zeros(nc), tolerance)
        assert found.status == 0
        assert found.residual <= tolerance
        assert found.used <= ENOUGH
        bound = (1 + np.linalg.norm(N)) / np.linalg.eigvalsh(N)[0]  # of a natural residual (Pang, 1986)
        assert np.linalg.norm(found.lambda_ - nonnegative_least_squares(N, r)) <= bound * tolerance * nc


@pytest.mark.parametrize("solver", SOLVERS)
def test_identity_56_kkt_conditions(fc: Compiled, solver: str, rng: np.random.Generator) -> None:
    N, r = problem(rng, 8)
    N += 0.2 * np.eye(8)
    tolerance = 1e-4
    found = solve(fc, solver, N, r, rng.uniform(0, 1, 8), tolerance)
    rates = N @ found.lambda_ + r
    slack = tolerance + 32 * fc.eps * np.abs(N).sum()
    assert found.lambda_.min() >= 0
    assert rates.min() >= -slack
    assert np.all(np.minimum(found.lambda_, rates) <= slack)


@pytest.mark.parametrize("solver", SOLVERS)
def test_identity_66_doubled_contacts_push_alike(fc: Compiled, solver: str, rng: np.random.Generator) -> None:
    """The same contact twice: N is singular, lambda is not unique, D lambda is."""
    D = rng.normal(size=(12, 4))
    r = rng.normal(size=4)
    once = solve(fc, solver, D.T @ D, r, np.zeros(4), 1e-5)
    twice = D[:, [0, 1, 2, 3, 3, 0]]
    doubled = solve(fc, solver, twice.T @ twice, r[[0, 1, 2, 3, 3, 0]], np.zeros(6), 1e-5)
    assert once.status == doubled.status == 0
    assert np.allclose(D @ once.lambda_, twice @ doubled.lambda_, atol=1e-3)


@pytest.mark.parametrize("solver", SOLVERS)
def test_squeezed_between_walls_is_reported(fc: Compiled, solver: str) -> None:
    """No impulses solve it: they grow with the iterations, the residual is reported, nothing is NaN."""
    N, r = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([-1.0, -1.0])
    sizes = []
    for iterations in (10, 1000):
        found = getattr(fc.call, solver)(N, r, np.zeros(2), 2, iterations, 1e-6)
        assert found.status == Status.NOT_CONVERGED
        assert found.used == iterations
        assert found.residual >= 1
        assert np.all(np.isfinite(found.lambda_))
        sizes.append(found.lambda_.max())
    assert solver == "contact_solve_apgd" or sizes[1] > 50 * sizes[0]


@pytest.mark.parametrize("solver", SOLVERS)
def test_contacts_that_nothing_moves_are_skipped(fc: Compiled, solver: str) -> None:
    N, r = np.diag([2.0, 0.0]), np.array([-1.0, -5.0])
    found = solve(fc, solver, N, r, [0.0, 0.25], 1e-6)
    assert found.status == 0
    assert np.allclose(found.lambda_, [0.5, 0.25], atol=1e-6)
    assert fc.call.contact_residual(N, r, found.lambda_, 2).residual <= 1e-6


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_contacts_no_iterations_and_a_solved_start(fc: Compiled, solver: str) -> None:
    function = getattr(fc.call, solver)
    empty = function(np.zeros((0, 0)), [], [], 0, 10, 1e-6)
    assert (empty.residual, empty.used, empty.status) == (0, 0, 0)
    stopped = function([[1.0]], [-1.0], [0.0], 1, 0, 1e-6)
    assert (stopped.lambda_[0], stopped.residual, stopped.used) == (0, 1, 0)
    assert stopped.status == Status.NOT_CONVERGED
    warm = function([[1.0]], [-1.0], [1.0], 1, 10, 1e-6)
    assert (warm.lambda_[0], warm.used, warm.status) == (1, 0, 0)


def test_more_contacts_than_there_is_room_for(fc: Compiled) -> None:
    nc = 65
    found = fc.call.contact_solve_apgd(np.eye(nc), -np.ones(nc), np.zeros(nc), nc, 10, 1e-6)
    assert found.status == Status.NOT_CONVERGED
    assert not found.lambda_.any()
    assert found.used == 0
    assert fc.call.contact_solve_pgs(np.eye(nc), -np.ones(nc), np.zeros(nc), nc, 10, 1e-6).status == 0


def test_warm_start_saves_iterations(fc: Compiled, rng: np.random.Generator) -> None:
    N, r = problem(rng, 10)
    N += 0.3 * np.eye(10)
    for solver in SOLVERS:
        cold = solve(fc, solver, N, r, np.zeros(10), 1e-5)
        warm = solve(fc, solver, N, 1.001 * r, cold.lambda_, 1e-5)
        assert warm.used < cold.used


def descent(N: Array, r: Array, with_r: bool, iterations: int) -> Array:
    """Accelerated projected gradient with the line search on f itself, as printed with and without `+ r`."""
    x, y, theta, L = np.zeros(len(r)), np.zeros(len(r)), 1.0, float(np.diag(N).max())

    def f(z: Array) -> float:
        return float(z @ (N @ z / 2 + (r if with_r else 0 * r)))

    for _ in range(iterations):
        g = N @ y + r
        while True:
            following = np.maximum(y - g / L, 0)
            d = following - y
            if f(following) <= f(y) + g @ d + L / 2 * d @ d + 1e-12:
                break
            L *= 2
        theta_next = (theta * np.sqrt(theta**2 + 4) - theta**2) / 2
        momentum = theta * (1 - theta) / (theta**2 + theta_next)
        y, theta = following + momentum * (following - x), theta_next
        if g @ (following - x) > 0:
            y, theta = following, 1.0
        x, L = following, 0.9 * L
    return x


def test_line_search_has_the_plus_r(fc: Compiled, rng: np.random.Generator) -> None:
    """f with r in it accepts the steps that the compiled routine takes; without r it accepts others."""
    N, r = problem(rng, 6)
    N += 0.1 * np.eye(6)
    found = fc.call.contact_solve_apgd(N, r, np.zeros(6), 6, 4, 0)
    best = min((descent(N, r, True, k) for k in range(5)), key=lambda x: residual(N, r, x))
    other = min((descent(N, r, False, k) for k in range(5)), key=lambda x: residual(N, r, x))
    assert np.allclose(found.lambda_, best, atol=1e3 * fc.eps)
    assert not np.allclose(found.lambda_, other, atol=1e-3)


def residual(N: Array, r: Array, x: Array) -> float:
    return float(abs(np.minimum(x, N @ x + r)).max())


def scene(rng: np.random.Generator, nb: int, nc: int) -> list[Any]:
    clouds = rng.normal(size=(nb, 9, 3))
    tensors = [np.sum(p * p) * np.eye(3) - p.T @ p for p in clouds]
    bodies = [rng.integers(-1, nb, nc) for _ in range(2)]
    return [
        nb, nc, rng.uniform(0.5, 2, nb), [t[np.triu_indices(3)] for t in tensors],
        *bodies, rng.normal(size=(nc, 6)), rng.normal(size=(nc, 6)),
    ]  # fmt: skip


def dense(arguments: list[Any]) -> tuple[Array, Array]:
    """D and M^-1 of a scene."""
    nb, nc, m, J_B, body_A, body_B, D_A, D_B = arguments
    D, inverse = np.zeros((6 * nb, nc)), np.zeros((6 * nb, 6 * nb))
    for b in range(nb):
        J = np.zeros((3, 3))
        J[np.triu_indices(3)] = J_B[b]
        J = J + np.triu(J, 1).T
        inverse[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = np.eye(3) / m[b]
        inverse[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = np.linalg.inv(J)
    for i in range(nc):
        for body, column in ((body_A[i], D_A[i]), (body_B[i], D_B[i])):
            if body >= 0:
                D[6 * body : 6 * body + 6, i] += column
    return D, inverse


def test_delassus_is_symmetric_and_dense(fc: Compiled, rng: np.random.Generator) -> None:
    arguments = scene(rng, 5, 9)
    D, inverse = dense(arguments)
    found = fc.call.contact_delassus(*arguments)
    assert found.status == 0
    assert np.array_equal(found.N, found.N.T)
    assert np.allclose(found.N, D.T @ inverse @ D, atol=200 * fc.eps)


def test_velocity_update_in_place_of_its_input(fc: Compiled, rng: np.random.Generator) -> None:
    arguments = scene(rng, 5, 9)
    D, inverse = dense(arguments)
    impulses, v = rng.uniform(0, 1, 9), rng.normal(size=(5, 6))
    found = fc.call.contact_velocity_update(*arguments, impulses, v)
    assert found.status == 0
    expected = v + (inverse @ D @ impulses).reshape(5, 6)
    assert np.allclose(found.v_next.reshape(5, 6), expected, atol=200 * fc.eps)


def test_static_and_impossible_bodies(fc: Compiled, rng: np.random.Generator) -> None:
    arguments = scene(rng, 2, 3)
    arguments[4], arguments[5] = np.array([0, 0, -1]), np.array([1, -1, 7])  # 7 is no body
    arguments[2][:] = 0
    found = fc.call.contact_delassus(*arguments)
    assert found.status == 0
    assert not found.N.any()
    arguments[2][0] = -1
    assert fc.call.contact_delassus(*arguments).status == Status.MASS
    arguments[2][0], arguments[3][0] = 1, np.zeros(6)
    assert fc.call.contact_delassus(*arguments).status == Status.SINGULAR


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_scenes_of_the_example(precision: str, compiler: str, tmp_path: Path) -> None:
    """A drop, a collision and a stack of 20: no overlap, momentum, complementarity in 1000 steps."""
    sources = sorted(GENERATED.glob(f"fc_contact*_{precision}.c"))
    program = tmp_path / "balls"
    flags = [
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-O2",
        f"-DBALLS_{precision.upper()}",
        f"-I{GENERATED}",
    ]
    flags.append(f"-DBALLS_{precision.upper()}")
    paths = [ROOT / "examples" / "balls.c", *sources]
    subprocess.run([tool(compiler), *flags, *map(str, paths), "-lm", "-o", str(program)], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count(": ok") == 3
