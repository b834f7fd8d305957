"""Properties of an inertia: its centre of mass, validity, solution, factors and principal axes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial.transform import Rotation

from codegen.emit.options import Options
from codegen.frontends.define import kernel
from codegen.ir.domain import cases
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, evaluate
from codegen.ir.systems import F32, F64, Precision, floating
from codegen.library import library
from codegen.modeling.kernel import Kernel
from codegen.passes.pipeline import optimised
from codegen.tree.write import generate
from codegen.verify.oracle import Expected, Oracle, Reason, Unknown
from codegen.verify.verify import verify
from tests.conftest import GENERATED, Compiled, sampled

Array = npt.NDArray[Any]

NOT_FINITE, MASS, SINGULAR, NOT_PHYSICAL, NOT_CONVERGED = 1, 2, 4, 8, 128
KERNELS = ("inertia_com", "inertia_validate", "inertia_solve", "inertia_factor", "inertia_principal")
UPPER = np.triu_indices(3)
NAN, INF = np.nan, np.inf


def skew(v: Any) -> Array:
    """The matrix of the cross product."""
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def full(packed: Any) -> Array:
    """The symmetric matrix of six numbers, in double."""
    S = np.zeros((3, 3))
    S[UPPER] = np.asarray(packed, dtype=np.float64)
    return S + np.triu(S, 1).T


def tensor(moments: Any, rotation: Rotation | None = None) -> Array:
    """Six numbers of the matrix with these eigenvalues."""
    R = np.eye(3) if rotation is None else rotation.as_matrix()
    packed: Array = (R @ np.diag(moments) @ R.T)[UPPER]
    return packed


def about_origin(m: float, c: Any, central: Any) -> Array:
    """The ten numbers of a body with this central inertia."""
    J = full(central) - m * skew(c) @ skew(c)
    return np.array([m, *(m * np.asarray(c)), *J[UPPER]])


def matrix(body: Any) -> Array:
    """The 6x6 matrix of ten numbers."""
    m, h, J = body[0], skew(body[1:4]), full(body[4:])
    return np.block([[J, h], [-h, m * np.eye(3)]])


def pseudo(body: Any) -> Array:
    """The pseudo-inertia of ten numbers, in double."""
    m, h, J = body[0], np.reshape(body[1:4], (3, 1)), full(body[4:])
    return np.block([[np.trace(J) / 2 * np.eye(3) - J, h], [h.T, np.full((1, 1), m)]])


def rotations(rng: np.random.Generator, count: int) -> Iterator[Rotation]:
    """Random rotations."""
    yield from Rotation.from_quat(rng.normal(size=(count, 4)))


ROD, DISC, BALL, BODY, POINT = [0, 1, 1], [1, 1, 2], [1, 1, 1], [1, 2, 2.5], [0, 0, 0]
CENTRE = np.array([0.3, -0.2, 0.5])


# --- centre of mass ---------------------------------------------------------------------------------------


def test_the_centre_of_mass_is_h_over_m(fc: Compiled) -> None:
    result = fc.call.inertia_com(about_origin(2, CENTRE, tensor(BODY)))
    assert result.status == 0
    np.testing.assert_allclose(result.c, CENTRE, rtol=2 * fc.eps)


@pytest.mark.parametrize("m", [0.0, -1.0, NAN])
def test_without_mass_there_is_no_centre(fc: Compiled, m: float) -> None:
    result = fc.call.inertia_com([m, 1, 2, 3, *np.ones(6)])
    assert result.status == MASS
    assert not result.c.any()


def test_a_centre_beyond_the_largest_number_is_refused(fc: Compiled) -> None:
    for m, h in ((fc.min, fc.max), (fc.min / 8, 0.0), (1.0, INF), (1.0, NAN)):
        result = fc.call.inertia_com([m, h, 0, 0, *np.ones(6)])
        assert result.status == NOT_FINITE
        assert not result.c.any()


# --- validity ---------------------------------------------------------------------------------------------


def test_inertias_of_bodies_are_valid(fc: Compiled, rng: np.random.Generator) -> None:
    for central in (ROD, DISC, BALL, BODY, POINT, [1e-9, 1, 1]):
        for rotation in rotations(rng, 20):
            body = about_origin(rng.uniform(0.1, 3), rng.normal(size=3), tensor(central, rotation))
            assert fc.call.inertia_validate(body).status == 0


@pytest.mark.parametrize("m", [1e-6, 1e-3, 1.0, 1e3, 1e6])
def test_kilograms_do_not_excuse_what_is_short_of_square_metres(fc: Compiled, m: float) -> None:
    """J = m r^2 diag(1, 1, 3) is no body's at any radius of gyration, diag(1, 1, 1.99) is one's at all."""
    for r in (1e-5, 1e-4, 1e-3, 1.7e-3, 1e-2, 1, 1e2, 1e4):
        for moments, status in (([1, 1, 3], NOT_PHYSICAL), ([1, 1, 1.99], 0)):
            J = m * r**2 * tensor(moments)
            assert fc.call.inertia_validate([m, 0, 0, 0, *J]).status == status
            h = m * np.array([r, -2 * r, r])
            assert fc.call.inertia_validate(about_origin(m, h / m, J)).status == status


@pytest.mark.parametrize("m", [1.0, 0.5])
def test_a_mass_without_digits_is_none(fc: Compiled, m: float) -> None:
    least = fc.min * m
    assert fc.call.inertia_validate([least, *[0] * 9]).status == 0
    assert fc.call.inertia_validate([least, 0, 0, 0, *tensor(BODY)]).status == MASS


def test_validity_is_that_of_the_pseudo_inertia(fc: Compiled, rng: np.random.Generator) -> None:
    """Random matrices, and bodies that are unphysical by a little more or less than the tolerance."""
    seen = {0: 0, NOT_PHYSICAL: 0}
    for deficit in (0, 4, 8, 28, 64, 1e3):
        for rotation in rotations(rng, 30):
            moments = np.array([1.0, 2.0, 3.0])  # of second moments 2, 1, 0 before the deficit
            moments[2] += deficit * fc.eps * 9 * 0.99
            m = rng.uniform(0.5, 2)
            body = about_origin(m, rng.normal(size=3) / 2, tensor(moments, rotation)).astype(fc.dtype)
            P = pseudo(body.astype(float))
            values = np.linalg.eigvalsh(P[:3, :3] - np.outer(P[3, :3], P[3, :3]) / P[3, 3])
            size = np.trace(P[:3, :3])
            threshold = -16 * fc.eps * size
            if abs(values[0] - threshold) < 6 * fc.eps * size:
                continue  # rounding may decide
            expected = 0 if values[0] > threshold else NOT_PHYSICAL
            assert fc.call.inertia_validate(body).status == expected
            seen[expected] += 1
    for _ in range(200):
        body = np.array([rng.uniform(0.1, 3), *rng.normal(size=3), *full(rng.normal(size=6))[UPPER]])
        body[[4, 7, 9]] += 2
        expected = 0 if np.linalg.eigvalsh(pseudo(body))[0] > 0 else NOT_PHYSICAL
        assert fc.call.inertia_validate(body).status == expected
        seen[expected] += 1
    assert min(seen.values()) > 40


def test_a_definite_inertia_need_not_be_that_of_a_body(fc: Compiled) -> None:
    """J is positive definite, but too small for a mass so far away: I_com = (-3, -3, 1)."""
    assert fc.call.inertia_validate([1, 0, 0, 2, 1, 0, 0, 1, 0, 1]).status == NOT_PHYSICAL
    assert fc.call.inertia_validate([1, 0, 0, 0.5, 1, 0, 0, 1, 0, 1]).status == 0
    assert fc.call.inertia_validate([1, 0, 0, 0, *tensor([1, 1, 2.01])]).status == NOT_PHYSICAL


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ([0, *[0] * 9], 0),
        ([1, *[0] * 9], 0),
        ([-1, 0, 0, 0, *tensor(BODY)], MASS | NOT_PHYSICAL),
        ([0, 0, 0, 0, *tensor(BODY)], MASS),
        ([0, 0, 1e-3, 0, *[0] * 6], MASS),
        ([0, 0, 0, 0, 0, 1e-3, 0, 0, 0, 0], MASS | NOT_PHYSICAL),
        ([1, 1, 0, 0, *[0] * 6], NOT_PHYSICAL),
        ([1, 0, 0, 0, 1, 3, 0, 1, 0, 1], NOT_PHYSICAL),
        ([1, 0, 0, 0, *tensor([-1, -1, -1])], NOT_PHYSICAL),
        ([1, 1e30, 0, 0, *tensor(BODY)], NOT_PHYSICAL),
    ],
    ids=str,
)
def test_each_fault_has_its_flag(fc: Compiled, body: Any, status: int) -> None:
    assert fc.call.inertia_validate(body).status == status


@pytest.mark.parametrize("place", range(10))
@pytest.mark.parametrize("value", [NAN, INF, -INF])
def test_an_inertia_that_is_not_finite_is_not_valid(fc: Compiled, place: int, value: float) -> None:
    body = about_origin(2, CENTRE, tensor(BODY))
    body[place] = value
    flags = fc.call.inertia_validate(body).status
    assert flags & NOT_FINITE
    assert flags & NOT_PHYSICAL or (place, value) == (0, INF)  # whose centre of mass is the origin
    assert flags & ~(NOT_FINITE | NOT_PHYSICAL | MASS) == 0


@pytest.mark.parametrize("exponent", [-30, -15, 15, 30])
def test_size_does_not_decide_what_is_valid(fc: Compiled, exponent: int) -> None:
    good, bad = about_origin(2, CENTRE, tensor(ROD)), about_origin(2, CENTRE, tensor([1, 1, 2.01]))
    assert fc.call.inertia_validate(good * 10.0**exponent).status == 0
    assert fc.call.inertia_validate(bad * 10.0**exponent).status == NOT_PHYSICAL


# --- solution ---------------------------------------------------------------------------------------------


def test_the_solution_is_that_of_the_6x6_system(fc: Compiled, rng: np.random.Generator) -> None:
    for rotation in rotations(rng, 100):
        body = about_origin(rng.uniform(0.5, 2), rng.normal(size=3) / 2, tensor(BODY, rotation))
        f = rng.normal(size=6).astype(fc.dtype)
        body = body.astype(fc.dtype)
        result = fc.call.inertia_solve(body, f)
        assert result.status == 0
        M = matrix(body.astype(float))
        expected = np.linalg.solve(M, f.astype(float))
        bound = 8 * fc.eps * np.linalg.cond(M) * np.linalg.norm(expected)
        np.testing.assert_allclose(result.a, expected, rtol=0, atol=bound)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ([0.0] * 10, MASS | SINGULAR),
        ([-1.0, 0, 0, 0, *tensor(BODY)], MASS | SINGULAR),
        (about_origin(1, CENTRE, tensor(POINT)), SINGULAR),
        (about_origin(1, [0, 0, 0], tensor(ROD)), SINGULAR),
        (about_origin(1, [0, 0, 2], tensor(BALL)) * [1, 1, 1, 1, 0.2, 1, 1, 0.2, 1, 1], SINGULAR),
        ([1, 0, 0, 0, *tensor([1, 1, -1])], SINGULAR),
        ([1, 0, 0, 0, *tensor([-1, -1, 1])], SINGULAR),
        ([NAN, 0, 0, 0, *tensor(BODY)], MASS | SINGULAR),
        ([1, 0, NAN, 0, *tensor(BODY)], SINGULAR),
        ([1, 0, 0, 0, 1, NAN, 0, 1, 0, 1], SINGULAR),
    ],
    ids=str,
)
def test_singular_inertias_are_refused(fc: Compiled, body: Any, status: int) -> None:
    result = fc.call.inertia_solve(body, [1, 2, 3, 4, 5, 6])
    assert result.status == status
    assert not result.a.any()


def test_rods_anywhere_are_singular(fc: Compiled, rng: np.random.Generator) -> None:
    """Where the centre of mass is far away, rounding must not raise the rank."""
    for distance in (0, 1, 10, 100):
        for rotation in rotations(rng, 50):
            c = distance * rng.normal(size=3)
            result = fc.call.inertia_solve(about_origin(2, c, tensor(ROD, rotation)), np.ones(6))
            assert result.status == SINGULAR
            assert not result.a.any()


def test_a_solution_that_overflows_is_not_finite(fc: Compiled) -> None:
    for f in ([0, 0, 0, fc.max, 0, 0], [fc.max, 0, 0, 0, 0, 0], [NAN, *[0] * 5]):
        result = fc.call.inertia_solve([0.25, 0, 0, 0, 0.25, 0, 0, 0.25, 0, 0.25], f)
        assert result.status == NOT_FINITE
        assert not result.a.any()


# --- factors ----------------------------------------------------------------------------------------------


def rebuilt(result: Any) -> Array:
    """The matrix with these factors."""
    L, D = np.eye(3), np.diag(result.D.astype(float))
    L[[1, 2, 2], [0, 0, 1]] = result.L
    S = np.zeros((3, 3))
    S[np.ix_(result.perm, result.perm)] = L @ D @ L.T
    return S


@pytest.mark.parametrize(
    ("moments", "rank"),
    [(POINT, 0), (ROD, 2), (DISC, 3), (BALL, 3), (BODY, 3), ([0, 0, 1], 1), ([1e-3, 1, 1], 3)],
    ids=str,
)
def test_factors_rebuild_the_matrix(fc: Compiled, rng: np.random.Generator, moments: Any, rank: int) -> None:
    for scale in (1, 1e-30, 1e30, 3e4):
        for rotation in rotations(rng, 20):
            packed = (tensor(moments, rotation) * scale).astype(fc.dtype)
            result = fc.call.inertia_factor(packed)
            assert (result.status, result.rank) == (0, rank)
            assert result.perm.dtype == np.intc
            assert sorted(result.perm) == [0, 1, 2]
            assert (np.abs(result.L) <= 1 + fc.eps).all()
            assert (result.D[:rank] > 0).all()
            assert not result.D[rank:].any()
            tolerance = (4 if rank == 3 else 40) * fc.eps * scale  # what is left of a rank is dropped
            np.testing.assert_allclose(rebuilt(result), full(packed), rtol=0, atol=tolerance)


def test_denormal_inertias_count_as_none(fc: Compiled) -> None:
    """The smallest subnormal number has one bit: its reciprocal overflows, and L would be infinite."""
    denormal = fc.min * fc.eps  # 5e-324 in double
    for size, rank in ((denormal, 0), (fc.min / 2, 0), (fc.min, 0), (4 * fc.min, 3)):
        result = fc.call.inertia_factor(size * np.array([1.0, 0, 0, 1, 0, 1]))
        assert (result.status, result.rank) == (0, rank)
        assert np.isfinite(result.L).all()
        assert np.count_nonzero(result.D) == rank


def test_factors_are_those_of_elimination(fc: Compiled, rng: np.random.Generator) -> None:
    """Against numpy's Cholesky factor of the permuted matrix: L D L^T = (L sqrt(D)) (L sqrt(D))^T."""
    for rotation in rotations(rng, 30):
        packed = tensor([0.7, 1.1, 1.6], rotation).astype(fc.dtype)
        result = fc.call.inertia_factor(packed)
        C = np.linalg.cholesky(full(packed)[np.ix_(result.perm, result.perm)])
        np.testing.assert_allclose(result.D, np.diag(C) ** 2, rtol=0, atol=8 * fc.eps)
        np.testing.assert_allclose(result.L, (C / np.diag(C))[[1, 2, 2], [0, 0, 1]], rtol=0, atol=16 * fc.eps)
        assert result.D[0] == packed[[0, 3, 5]].max()


@pytest.mark.parametrize(
    ("packed", "perm"),
    [
        ([3, 0, 0, 2, 0, 1], [0, 1, 2]),
        ([1, 0, 0, 2, 0, 3], [2, 1, 0]),
        ([1, 0, 0, 3, 0, 2], [1, 2, 0]),
        ([2, 0, 0, 2, 0, 2], [0, 1, 2]),
        ([1, 0, 0, 1, 0, 2], [2, 1, 0]),
        ([0, 0, 0, 0, 0, 0], [0, 1, 2]),
    ],
    ids=str,
)
def test_the_largest_pivot_comes_first(fc: Compiled, packed: Any, perm: list[int]) -> None:
    result = fc.call.inertia_factor(packed)
    assert result.perm.tolist() == perm
    assert result.D.tolist() == sorted((packed[0], packed[3], packed[5]), reverse=True)


@pytest.mark.parametrize(
    "packed",
    [
        [-1, 0, 0, 1, 0, 1],
        [1, 3, 0, 1, 0, 1],
        [0, 1e-3, 0, 0, 0, 0],
        [1, 0, 0, 0, 1e-3, 0],
        [0, 0, 0, -1, 0, 0],
        [-1, 0, 0, -1, 0, -1],
        [1, 0, 0, -3, 0, 0],
    ],
    ids=str,
)
def test_what_is_not_semidefinite_is_refused(fc: Compiled, packed: Any) -> None:
    nothing(fc.call.inertia_factor(packed))
    for scale in (1e-30, 1e30):
        nothing(fc.call.inertia_factor(np.asarray(packed) * scale))


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("value", [NAN, INF, -INF])
@pytest.mark.parametrize("packed", [tensor(BODY), tensor(ROD), tensor(POINT)], ids=["body", "rod", "point"])
def test_factors_of_what_is_not_finite_are_refused(
    fc: Compiled, packed: Array, place: int, value: float
) -> None:
    nothing(fc.call.inertia_factor([value if i == place else x for i, x in enumerate(packed)]))


def nothing(result: Any) -> None:
    """Refused, and all results are zero."""
    assert result.status == NOT_PHYSICAL
    assert not any(np.any(output) for output in result[:-1])


# --- principal axes ---------------------------------------------------------------------------------------


def principal(fc: Compiled, packed: Any) -> Any:
    """The result, after its defining property has been checked."""
    packed = np.asarray(packed, fc.dtype)
    result = fc.call.inertia_principal(packed)
    moments, R = result.moments.astype(float), result.R_BP.reshape(3, 3).astype(float)
    assert result.status == 0
    assert moments[0] <= moments[1] <= moments[2]
    size = max(float(np.abs(packed.astype(float)).max()), fc.min)
    np.testing.assert_allclose(R.T @ R, np.eye(3), rtol=0, atol=8 * fc.eps)
    assert abs(np.linalg.det(R) - 1) < 8 * fc.eps
    np.testing.assert_allclose(
        R @ np.diag(moments) @ R.T / size, full(packed) / size, rtol=0, atol=16 * fc.eps
    )
    np.testing.assert_allclose(
        moments / size, np.linalg.eigvalsh(full(packed) / size), rtol=0, atol=16 * fc.eps
    )
    return result


@pytest.mark.parametrize(
    "moments",
    [
        BODY, ROD, DISC, BALL, POINT, [0, 0, 1], [1, 1, 1 + 1e-5], [1, 1 + 1e-6, 2], [1, 2, 2 + 1e-6],
        [1e-9, 1e-4, 1], [-1, 0, 1], [-2, 1, 1], [-3, -2, -1],
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("scale", [1, 1e-30, 1e30, 2.5e-7])
def test_principal_axes_of_any_spectrum(
    fc: Compiled, rng: np.random.Generator, moments: Any, scale: float
) -> None:
    for rotation in rotations(rng, 20):
        principal(fc, tensor(moments, rotation) * scale)


@pytest.mark.parametrize(
    "moments", [[3, 1, 2], [1, 2, 3], [2, 2, 1], [1, 2, 2], [0, 0, 0], [5, 1e-7, 5]], ids=str
)
def test_a_diagonal_matrix_keeps_its_elements(fc: Compiled, moments: list[float]) -> None:
    result = principal(fc, tensor(moments))
    np.testing.assert_allclose(result.moments, sorted(moments), rtol=4 * fc.eps)
    axes = np.sort(np.abs(result.R_BP.reshape(3, 3)))
    np.testing.assert_allclose(axes, [[0, 0, 1]] * 3, rtol=0, atol=fc.eps)


@pytest.mark.parametrize("exponent", range(-24, 0, 2))
def test_nearly_diagonal_and_nearly_equal(fc: Compiled, rng: np.random.Generator, exponent: int) -> None:
    """Off-diagonals from zero to a hundredth, on equal and on different diagonals."""
    for diagonal in ([1, 1, 1], [1, 1, 2], [1, 2, 3], [0, 1, 1]):
        for _ in range(5):
            off = rng.normal(size=3) * 10.0**exponent
            principal(fc, [diagonal[0], off[0], off[1], diagonal[1], off[2], diagonal[2]])


def test_the_smallest_and_the_largest_numbers(fc: Compiled) -> None:
    for size in (fc.min, fc.min / 64, fc.min * 64, 1 / fc.min / 8):
        packed = tensor(BODY, Rotation.from_rotvec([0.3, 0.5, -0.7])) * size
        result = fc.call.inertia_principal(packed)
        assert result.status == 0
        np.testing.assert_allclose(
            result.moments.astype(float),
            np.multiply(BODY, size),
            rtol=0,
            atol=2 * max(fc.min, 8 * fc.eps * size),
        )
        assert np.isfinite(result.R_BP).all()


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "max"])
def test_numbers_out_of_range_do_not_converge(fc: Compiled, place: int, value: str) -> None:
    packed = tensor(BODY)
    packed[place] = fc.max if value == "max" else float(value)
    result = fc.call.inertia_principal(packed)
    assert result.status == NOT_CONVERGED
    assert not result.moments.any()
    np.testing.assert_array_equal(result.R_BP.reshape(3, 3), np.eye(3))


@pytest.mark.parametrize("precision", [F32, F64], ids=lambda p: p.name)
@pytest.mark.parametrize(("part", "converged"), [(0, True), (64, True), (64.001, False), (NAN, False)])
def test_axes_that_are_not_principal_to_64_eps_do_not_converge(
    part: float, converged: bool, precision: Precision
) -> None:
    """No argument is known whose computed axes are so far off: the residual is set instead."""
    program = library()["inertia_principal"].program(True)
    (residual,) = (node for node, label in program.labels.items() if label == "residual")
    nodes = [*program.nodes[:residual], Node(Op.INPUT, (), 6), *program.nodes[residual + 1 :]]
    inputs = [*tensor(BODY), part * float(precision.named("eps"))]
    found = evaluate(replace(program, nodes=tuple(nodes), labels={}), floating(precision), inputs)
    assert [bool(holds) for holds, _ in found.status] == [converged]
    usual = evaluate(program, floating(precision), inputs)
    assert found.results == (usual.results if converged else [0, 0, 0, *np.eye(3).ravel()])


# --- results that are a matter of choice ------------------------------------------------------------------


def edited(directory: Path, pattern: str, replacement: str) -> Path:
    """A copy of the tree's principal axes in which the C is changed."""
    generate([library()["inertia_principal"]], Options(precisions=("f64",)), directory)
    (source,) = directory.glob("fc_*.c")
    text, found = re.subn(pattern, replacement, source.read_text())
    assert found
    source.write_text(text)
    return directory


@pytest.fixture
def compared_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled code is compared with the reference; the proof, which takes long, is another test's."""
    monkeypatch.setattr("codegen.verify.verify._mathematics", lambda kernel: ("proven", "", -1000.0))


@pytest.mark.usefixtures("compared_alone")
def test_axes_may_point_the_other_way(tmp_path: Path) -> None:
    turned = edited(tmp_path, r"m\[([124578])\] = (.*);", r"m[\1] = -(\2);")
    (row,) = verify(turned, library(), count=4)
    assert row.ok, row


@pytest.mark.usefixtures("compared_alone")
@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (r"m\[([147])\] = (.*);", r"m[\1] = -(\2);"),
        (r"m\[4\] = (.*);", r"m[4] = 1.000000000001 * (\1);"),
        (r"moments->x = (.*);", r"moments->x = (\1) + 1e-9;"),
        (r"moments->x", "moments->z"),
    ],
    ids=["left-handed", "not unit", "no moment", "not written"],
)
def test_but_not_anywhere(tmp_path: Path, pattern: str, replacement: str) -> None:
    (row,) = verify(edited(tmp_path, pattern, replacement), library(), count=4)
    assert not row.ok
    assert row.problems


def test_the_self_test_measures_what_is_unique() -> None:
    """In C, by the code that the invariants become."""
    text = (GENERATED / "selftest.c").read_text()
    body = text[text.index(" call_fc_inertia_principal_f32") :]
    assert "out[19] =" in body[: body.index("return status")]  # 9 + 9 elements, determinant, order


# --- the oracle -------------------------------------------------------------------------------------------


def square_root(reference: Any) -> Kernel:
    """A kernel with one requirement, and something else as its reference."""
    from codegen.ir.status import Status
    from codegen.ir.types import REAL
    from codegen.modeling.types.scalar import require, select, sqrt

    x, root = (Arg(name, REAL, "1", "a number") for name in ("x", "root"))
    failures = {Status.DEGENERATE: "x is not positive: 1"}

    def formula(x: Any) -> Any:
        """Square root."""
        return sqrt(select(require(x > 0, Status.DEGENERATE), x, 1))

    made = kernel(
        inputs=[x],
        outputs=[root],
        equation="",
        source="",
        name="root",
        failures=failures,
        reference=reference,
    )
    return made(formula)


def test_cases_that_an_unchecked_function_is_not_meant_for_have_no_expected_value() -> None:
    root = square_root(None)
    for checks in (True, False):
        oracle, program = Oracle(root, F32, checks), optimised(root, checks)
        four, minus = (oracle.expected(program, [Fraction(x)]) for x in (4, -4))
        assert isinstance(four, Expected)
        assert (four.values, four.status) == ([2], 0)
        if isinstance(minus, Expected):
            assert (checks, minus.values, minus.status) == (True, [1], 64)
        else:
            assert (checks, minus) == (False, Unknown(Reason.PRECONDITION))


def test_a_reference_on_fifty_digits_need_not_give_exact_zeros() -> None:
    """The tolerance is never below 1e-45 of the inputs and results, even where the Program gives zero."""
    from codegen.ir.types import REAL

    args = [Arg(name, REAL, "1", "a number") for name in ("x", "zero")]
    nothing_ = kernel(inputs=args[:1], outputs=args[1:], equation="", source="", name="nothing")(
        lambda x: x * 0
    )
    expected = Oracle(nothing_, F64, True).expected(optimised(nothing_), [Fraction(7)])
    assert isinstance(expected, Expected)
    assert expected.values == [0]
    assert 1e-45 < expected.tolerances[0] < 1e-44


REFUSED = dict(zip(KERNELS, (4, 3, 6, 2, 0), strict=True))
"""How many of the trials an unchecked function may not be called with."""


@pytest.mark.parametrize("name", sampled(REFUSED, every=3))
def test_unchecked_functions_are_right_where_they_may_be_called(name: str, tmp_path: Path) -> None:
    generate([library()[name]], Options(precisions=("f64",), checks=False), tmp_path)
    (row,) = verify(tmp_path, library(), count=8)
    assert row.ok, row
    assert row.cases == len(list(cases(library()[name].inputs, 8, ""))) - REFUSED[name]
