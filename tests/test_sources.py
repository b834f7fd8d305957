"""Errors in the five source documents, compared with the compiled library.

Each test is named after its rows in the list of checked equations: F for its findings, R for the Rust page, K
for KSL's, H for hazards of KSL's code, D for Drake's, A for the article on Archimedes, C for the post on
contacts. It writes down the printed form, shows that the library's function differs from it, and that it
agrees with something built another way: point masses, differences, inertial motion, energy, SciPy.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.spatial.transform import Rotation

from codegen.ir.status import Status
from tests.conftest import Compiled
from tests.physics import (
    EYE,
    G_N,
    ROUNDINGS,
    UPPER,
    ZERO,
    Array,
    Cloud,
    Pose,
    Rng,
    close,
    norm,
    random_rotation,
    random_unit,
    same,
    scalar_first,
    slope,
)
from tests.test_identities_mechanisms import CHAIN, DIFFERENCES, Geometry, Recursions

MARKED = [
    *("F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8"),
    *("R6", "R7", "R8", "R9", "R12", "R16"),
    *("K1", "K2", "K4", "K5", "K6", "K7", "K8", "K15", "K17", "K19", "H1", "H2", "H3", "H4", "H5"),
    *("D2", "D3", "D9"),
    *("A3", "A6", "A7", "A8", "A9", "A10", "A11", "A12", "A13", "A15", "A16", "A17", "A18", "A19", "A20"),
    *("A21", "A22", "A26", "A28", "A29", "A30", "A31", "A33", "A35", "A36", "A37", "A38", "A39", "A40"),
    *("A41", "A42", "A44", "A46"),
    *("C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C14"),
]
"""The rows marked wrong, typo, bug, sign error, reversed, inconsistent, stale, or ambiguous, and those marked
correct whose note names a wrong reading."""

NOTHING_TO_EMIT = {
    "R16": "a line break is missing before `h x:`; h~ itself is right and is in inertia_to_matrix",
    "K1": "M_11 for M_cc: the index 1 is an older name of the frame c, the matrix is right",
    "K4": "Ad*_10, M_11 for Ad*_fc, M_cc: again older names of frames, the equation is right",
    "K5": "asterisks of p_f are missing in the lines before; what it derives is right",
    "D3": "the symbol of a table's row, c x, is blank; the meaning beside it is right",
    "A6": "LaTeX lacks braces, R_EB prints as R_E B; the transposition that it shows is right",
    "A9": "a variable that holds R_BE is called R_EB; the value is right",
    "A17": "a variable called R_BA holds an attitude object, without .as_matrix(); Python only",
    "A26": "the sketch of a Python class is stale; its equations have rows of their own",
    "A37": "returns another Python class than it declares, a TypeError; C functions return rates",
    "A39": "inheritance from the Python class of A26, a TypeError; no equation",
    "A40": "names and arguments of a Python sketch do not exist; no equation but gravity's, which is A38",
    "A41": "right: motions and forces are dual; R6 shows which acceleration is meant",
    "A44": "names of algorithms are misspelt",
    "C7": "r is called k in one line; the condition is right and is what C5's test holds",
    "C9": "dots are missing in a column vector; the sparsity is right",
}
"""Rows about names, prose, typesetting and Python sketches: no formula follows from the wrong form."""

MARGIN = 10
"""By how many bounds of the rounding a printed form has to miss, so that the comparison can tell it."""


def tells(
    fc: Compiled,
    kernel: Any,
    right: Any,
    *printed: Any,
    size: float,
    calls: int = 1,
    truncation: float = 0,
) -> None:
    """The kernel agrees with what is right, to the bound of `close`, and with none of the printed forms."""
    close(fc, kernel, right, size, calls, truncation)
    bound = ROUNDINGS * calls * fc.eps * size + truncation
    for form in printed:
        assert np.abs(np.ravel(form) - np.ravel(kernel)).max() > MARGIN * bound


DIFFERENCE = 1e-8
"""Error of `slope` in double: h^2 = 1e-10 of third derivatives up to about 30, and eps / h = 2e-11."""


def tilde(a: Array) -> Array:
    """The matrix of the cross product."""
    matrix: Array = np.cross(a, EYE).T
    return matrix


def dense(packed: Any) -> Array:
    """A symmetric matrix from its upper triangle."""
    matrix = np.zeros((3, 3))
    matrix[UPPER] = packed
    full: Array = matrix + np.triu(matrix, 1).T
    return full


def turn(axis: int, angle: float) -> Any:
    """The active rotation about a coordinate axis, which rotates vectors."""
    return Rotation.from_rotvec(angle * EYE[axis])


def about_own_axes(*turns: tuple[int, float]) -> Any:
    """A body's attitude after rotations about its own axes, which move with it."""
    attitude = Rotation.identity()
    for axis, angle in turns:
        attitude = Rotation.from_rotvec(angle * attitude.apply(EYE[axis])) * attitude
    return attitude


def about_fixed_axes(*turns: tuple[int, float]) -> Any:
    """A body's attitude after rotations about fixed axes."""
    attitude = Rotation.identity()
    for axis, angle in turns:
        attitude = turn(axis, angle) * attitude
    return attitude


def matrix_of(result: Any) -> Array:
    """A 3x3 matrix that a kernel returned."""
    matrix: Array = np.reshape(result[0], (3, 3)).astype(float)
    return matrix


# --- the Rust page ----------------------------------------------------------------------------------------


def test_R6_R7_momentum_force_and_acceleration(fc: Compiled, rng: Rng) -> None:
    """Printed: `f = I v`, "the core operation in forward dynamics for calculating forces from accelerations".

    I v is a momentum; I a lacks the bias; forces from accelerations are inverse dynamics, f = I a + v x* I v.
    Right: the particles' masses times their accelerations.
    """
    cloud, (v, a) = Cloud.random(rng), rng.normal(size=(2, 6))
    w, r = v[:3], cloud.points
    accelerations = velocities_of(a, r) + np.cross(w, velocities_of(v, r))
    forces = cloud.masses[:, None] * accelerations
    right = np.append(np.cross(r, forces).sum(axis=0), forces.sum(axis=0))
    I_O, times = cloud.inertia(fc), fc.call.inertia_multiply
    needed = times(I_O, a).f + fc.call.inertia_bias_force(I_O, v).f
    size = cloud.size * (norm(a) + norm(v, v))
    tells(fc, needed, right, times(I_O, v).f, times(I_O, a).f, size=size, calls=3)
    forward = fc.call.rigid_body_dynamics_spatial(Pose.random(rng).packed, v, right, I_O)
    assert forward.status == 0
    stiffness = norm(np.linalg.inv(cloud.matrix))
    tells(fc, forward.dv, a, times(I_O, right).f, size=size * stiffness * cloud.stiffness, calls=3)


def velocities_of(motion: Array, points: Array) -> Array:
    """Of points of a body in motion; of a spatial acceleration, what is linear in it."""
    moved: Array = motion[3:] + np.cross(motion[:3], points)
    return moved


def test_R8_new_refuses_what_zero_and_scale_make(fc: Compiled, rng: Rng) -> None:
    """Printed: `new` panics unless mass > 0, yet ZERO is public, and `scale` makes any mass.

    Right: only the constructor wants a positive mass; massless points have inertia zero, and that is legal.
    """
    cloud, v, T = Cloud.random(rng), rng.normal(size=6), Pose.random(rng).packed
    I_O, zero = cloud.inertia(fc), np.zeros(10)
    for mass, status in ((0, Status.MASS), (-1, Status.MASS), (np.nan, Status.MASS), (np.inf, 0)):
        made = fc.call.inertia_from_com(mass, cloud.centre, cloud.centred().tensor)
        assert made.status & status == status
        assert made.status != 0
        same(made.I_O, zero)
    massless = Cloud(0 * cloud.masses, cloud.points)
    assert not massless.mass > 0  # the printed rule, of which ZERO and scale(0) know nothing
    assert fc.call.inertia_validate(zero).status == 0
    assert fc.call.inertia_validate(fc.call.inertia_scale(I_O, 0).I_scaled).status == 0
    assert fc.call.inertia_validate(fc.call.inertia_scale(I_O, -1).I_scaled).status & Status.MASS
    same(fc.call.inertia_to_matrix(zero).M, massless.matrix)
    same(fc.call.inertia_multiply(zero, v).f, massless.momentum(v))
    same(fc.call.inertia_transform(T, zero).I_A, zero)


def test_R9_zero_is_an_identity_of_addition_only(fc: Compiled, rng: Rng) -> None:
    """Printed: ZERO is "the identity element for certain inertia operations".

    Of addition; read as that of multiplication it would return what it is given. Massless points do not.
    """
    cloud, v, zero = Cloud.random(rng), rng.normal(size=6), np.zeros(10)
    I_O, massless = cloud.inertia(fc), Cloud(0 * cloud.masses, cloud.points)
    same(fc.call.inertia_add(I_O, zero).I_sum, I_O)
    same(fc.call.inertia_add(zero, I_O).I_sum, I_O)
    union = cloud.joined(massless)
    close(fc, fc.call.inertia_to_matrix(fc.call.inertia_add(I_O, zero).I_sum).M, union.matrix, cloud.size)
    tells(fc, fc.call.inertia_multiply(zero, v).f, massless.momentum(v), v, size=0)


def test_F5_R12_an_inertia_has_ten_numbers(fc: Compiled, rng: Rng) -> None:
    """Printed: mass, h.x, h.y, h.z, inertia[0] ... inertia[9], which are 14. Right: up to inertia[5]."""
    cloud = Cloud.random(rng)
    x, y, z = cloud.points.T
    moments = [1 + 0 * x, x, y, z, y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y]
    array = fc.call.inertia_to_array(cloud.inertia(fc)).array
    close(fc, array, moments @ cloud.masses, cloud.size, calls=2)
    printed = ["mass", "h.x", "h.y", "h.z", *(f"inertia[{i}]" for i in range(9 + 1))]
    assert len(printed) == 14
    assert len(array) == 10
    with pytest.raises(ValueError, match="takes 10 numbers, not 14"):
        fc.call.inertia_from_array(np.zeros(len(printed)))


# --- KSL --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Carried:
    """A body in its centre-of-mass frame c, and where c is in f."""

    fc: Compiled
    cloud: Cloud
    T_fc: Pose

    @classmethod
    def random(cls, fc: Compiled, rng: Rng) -> Carried:
        return cls(fc, Cloud.random(rng).centred(), Pose.random(rng))

    @cached_property
    def R_fc(self) -> Array:
        matrix: Array = self.T_fc.rotation.as_matrix()
        return matrix

    @cached_property
    def Jc(self) -> Array:
        """The central inertia in the axes of c."""
        return self.cloud.matrix[:3, :3]

    @cached_property
    def central(self) -> Array:
        """In c, as the library stores it."""
        packed: Array = self.fc.call.central_from_com(self.cloud.mass, ZERO, self.cloud.tensor).C_O
        return packed

    @cached_property
    def M_ff(self) -> Array:
        """The library's matrix in f, linear first."""
        call = self.fc.call
        C_f = call.central_transform(self.T_fc.packed, self.central).C_A
        matrix: Array = call.inertia_to_matrix_linear_first(call.central_to_inertia(C_f).I_O).M
        return matrix

    @cached_property
    def particles(self) -> Array:
        """The particles' matrix in f, linear first."""
        swap = [3, 4, 5, 0, 1, 2]
        matrix: Array = self.cloud.seen_from(self.T_fc).matrix[np.ix_(swap, swap)]
        return matrix

    @property
    def size(self) -> float:
        return self.cloud.size * self.T_fc.size**2

    def tells(self, *printed: Array, rows: slice = slice(6), columns: slice = slice(6)) -> None:
        """A part of M_ff is that of the particles and not as printed."""
        part = (rows, columns)
        tells(self.fc, self.M_ff[part], self.particles[part], *printed, size=self.size, calls=3)


LINEAR, ANGULAR = slice(3), slice(3, 6)


def test_K2_momentum_in_the_frame_of_its_velocity(fc: Compiled, rng: Rng) -> None:
    """Printed: p*_f = M_cc v_c. Right: that is p*_c; in f the moment is another, as the particles' is."""
    body, v_c = Carried.random(fc, rng), rng.normal(size=6)
    in_axes_of_f = np.append(*body.T_fc.rotation.apply(v_c.reshape(2, 3)))
    v_f = in_axes_of_f - np.append(ZERO, np.cross(in_axes_of_f[:3], body.T_fc.p))
    p_c = fc.call.central_multiply(body.central, v_c).f
    p_f = fc.call.force_transform(body.T_fc.packed, p_c).f_A
    right = body.cloud.seen_from(body.T_fc).momentum(v_f)
    tells(fc, p_f, right, p_c, size=body.size * norm(v_c), calls=2)
    close(fc, p_c, body.cloud.momentum(v_c), body.size * norm(v_c))


def test_F4_K6_minimum_operations(fc: Compiled, rng: Rng) -> None:
    """Printed: r~_cf R_cf where the second row needs r~_fc R_fc. It fails with r_cf in either axes."""
    body = Carried.random(fc, rng)
    m, R, r_fc = body.cloud.mass, body.R_fc, body.T_fc.p

    def printed(r_cf: Array) -> Array:
        r = tilde(r_cf)
        below = r @ R.T @ (m * EYE)
        return np.block(
            [[R @ (m * EYE) @ R.T, R @ (m * r) @ R.T], [below @ R.T, below @ r @ R.T + R @ body.Jc @ R.T]]
        )

    body.tells(printed(-R.T @ r_fc), printed(-r_fc))
    close(fc, body.M_ff[LINEAR], printed(-R.T @ r_fc)[LINEAR], body.size, calls=3)  # the first row is right


def test_F4_K7_further_simplified(fc: Compiled, rng: Rng) -> None:
    """Printed: J_c - m r~_cf^2 below right. Right: R_fc (J_c - m r~_cf^2) R_cf, in the axes of f."""
    body = Carried.random(fc, rng)
    m, R, r_fc = body.cloud.mass, body.R_fc, body.T_fc.p

    def printed(r_cf: Array) -> Array:
        r = tilde(r_cf)
        beside = m * R @ r @ R.T
        return np.block([[m * EYE, beside], [-beside, body.Jc - m * r @ r]])

    body.tells(printed(-R.T @ r_fc), printed(-r_fc))
    close(fc, body.M_ff[LINEAR], printed(-R.T @ r_fc)[LINEAR], body.size, calls=3)  # the rest is right
    close(fc, body.M_ff[:, LINEAR], printed(-R.T @ r_fc)[:, LINEAR], body.size, calls=3)


def test_F4_K8_further_simplified_2(fc: Compiled, rng: Rng) -> None:
    """Printed: [[m 1, m r~_cf], [-m r~_cf, J_c - m r~_cf^2]], which holds in the axes of f only.

    With J in the axes of c, with r_cf in those of c, or with the r_fc that is stored, it is wrong.
    """
    body = Carried.random(fc, rng)
    m, R, r_fc = body.cloud.mass, body.R_fc, body.T_fc.p

    def printed(r: Array, J: Array) -> Array:
        return np.block([[m * EYE, m * tilde(r)], [-m * tilde(r), J - m * tilde(r) @ tilde(r)]])

    in_f = R @ body.Jc @ R.T
    body.tells(printed(-r_fc, body.Jc), printed(-R.T @ r_fc, in_f), printed(r_fc, in_f))
    close(fc, body.M_ff, printed(-r_fc, in_f), body.size, calls=3)  # all in the axes of f


def test_K15_a_rotated_inertia_is_not_the_matrix(fc: Compiled, rng: Rng) -> None:
    """Printed: M_ff = R_fb J_bb R_bf, 3x3. Right: that is the central inertia in the axes of f alone."""
    body = Carried.random(fc, rng)
    in_f = body.R_fc @ body.Jc @ body.R_fc.T
    body.tells(in_f, rows=ANGULAR, columns=ANGULAR)
    turned = fc.call.central_rotate(body.R_fc, body.central).C_A
    close(fc, dense(turned[4:]), in_f, body.size)
    assert body.M_ff.shape == (6, 6)


def test_K17_the_second_factor_is_r(fc: Compiled, rng: Rng) -> None:
    """Printed: J - t~ t~ with t = m r. Right: J - t~ r~."""
    body = Carried.random(fc, rng)
    in_f, r = body.R_fc @ body.Jc @ body.R_fc.T, tilde(body.T_fc.p)
    t = body.cloud.mass * r
    body.tells(in_f - t @ t, rows=ANGULAR, columns=ANGULAR)
    close(fc, body.M_ff[ANGULAR, ANGULAR], in_f - t @ r, body.size, calls=3)


def test_K19_the_trace_is_taken_once(fc: Compiled, rng: Rng) -> None:
    """Printed: result <- b a^T; result -= trace(result) 1. Taken anew for each element, it has changed."""
    body = Carried.random(fc, rng)
    in_f, r = body.R_fc @ body.Jc @ body.R_fc.T, body.T_fc.p
    result = np.outer(r, body.cloud.mass * r)
    for i in range(3):
        result[i, i] -= np.trace(result)
    body.tells(in_f - result, rows=ANGULAR, columns=ANGULAR)


def test_H1_H2_outputs_are_written_never_read(fc: Compiled, rng: Rng) -> None:
    """KSL's `_translated` accumulates into what the output holds; `_translate` passes it an unset temporary.

    Whatever is in the output, and when it is the input itself: the particles', moved.
    """
    body, p = Carried.random(fc, rng), rng.normal(size=3).astype(fc.dtype)
    function, given = fc.call.central_translate, body.central.astype(fc.dtype)
    moved = Cloud(body.cloud.masses, body.cloud.points + p)
    right = np.concatenate([[moved.mass], moved.mass * moved.centre, body.cloud.tensor])
    for held in (7, -0.5, np.nan):
        output = np.full(10, held, fc.dtype)
        into(function, p, given, output)
        close(fc, output, right, body.size)
        assert not np.allclose(held + right - given, output)  # accumulated, or as unset as before
    into(function, p, given, given)
    close(fc, given, right, body.size)


def into(function: Any, *arrays: Array) -> None:
    """Call a compiled function with these very objects, its outputs last."""
    function.pointer(*(array.ctypes.data for array in arrays))


def test_H3_translations_add_up(fc: Compiled, rng: Rng) -> None:
    """KSL shifts J by the offset mt / m that has been reached, so that the first step counts twice."""
    cloud, (a, b) = Cloud.random(rng).centred(), rng.normal(size=(2, 3))
    J, t = cloud.matrix[:3, :3].copy(), ZERO
    for step in (a, b):
        t = t + cloud.mass * step
        J -= cloud.mass * tilde(t / cloud.mass) @ tilde(t / cloud.mass)
    once = fc.call.inertia_translate(a, cloud.inertia(fc)).I_A
    twice = fc.call.inertia_translate(b, once).I_A
    moved = Cloud(cloud.masses, cloud.points + a + b)
    size = cloud.size * (2 + norm(a) + norm(b)) ** 2
    tells(fc, dense(twice[4:]), moved.matrix[:3, :3], J, size=size, calls=3)
    central = fc.call.central_from_com(cloud.mass, ZERO, cloud.tensor).C_O
    central = fc.call.central_translate(b, fc.call.central_translate(a, central).C_A).C_A
    close(fc, fc.call.central_to_inertia(central).I_O, twice, size, calls=4)


def test_H4_massless_bodies_are_moved_and_merged(fc: Compiled, rng: Rng) -> None:
    """KSL divides by m when it translates and merges: 0/0 for a massless body."""
    T, zero = Pose.random(rng), np.zeros(10)
    with np.errstate(invalid="ignore"):
        printed = zero[1:4] / zero[0]
    assert np.isnan(printed).all()
    same(fc.call.central_translate(T.p, zero).C_A, zero)
    same(fc.call.central_transform(T.packed, zero).C_A, zero)
    same(fc.call.inertia_translate(T.p, zero).I_A, zero)
    merged = fc.call.central_merge(T.packed, zero, zero)
    assert merged.status == Status.MASS
    same(merged.C_sum, zero)
    body = Carried.random(fc, rng)
    alone = fc.call.central_merge(T.packed, body.central, zero)
    assert alone.status == 0
    close(fc, alone.C_sum, body.central, body.size)


@pytest.mark.parametrize("moments", [[1.0, 1.5, 2.0], [0.0, 2.0, 2.0], [0.0, 0.0, 0.0]], ids=str)
def test_H5_factors_are_returned_with_their_rank(fc: Compiled, rng: Rng, moments: list[float]) -> None:
    """KSL's `factor` keeps no factors and returns 2 for ranks 2 and 3. Right: what NumPy finds."""
    R = random_rotation(rng).as_matrix()
    tensor = R @ np.diag(moments) @ R.T
    found = fc.call.inertia_factor(tensor[UPPER])
    rank = np.linalg.matrix_rank(tensor, tol=32 * fc.eps * sum(moments))
    assert found.status == 0
    assert found.rank == rank
    if rank == 3:
        assert found.rank != 2
    L = EYE.copy()
    L[[1, 2, 2], [0, 0, 1]] = found.L
    perm = list(found.perm)
    close(fc, L @ np.diag(found.D) @ L.T, tensor[np.ix_(perm, perm)], 4 * sum(moments), calls=2)


# --- Drake ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["massless", "point", "rod", "body"])
def test_D2_the_matrix_is_only_semidefinite(fc: Compiled, rng: Rng, kind: str) -> None:
    """Printed: "positive definite", with a mass that is "nonnegative".

    Particles have motions without energy: all, if they have no mass; spins of a point about itself, of a rod
    along itself. There a solution is refused, not NaN.
    """
    at, along, w = rng.normal(size=(3, 3))
    points = {"point": at[None], "rod": at + np.outer([-1, -0.5, 0.5, 1], along)}
    points |= {"massless": rng.normal(size=(4, 3)), "body": rng.normal(size=(4, 3))}
    cloud = Cloud((kind != "massless") * rng.uniform(1, 2, len(points[kind])), points[kind])
    idle = along if kind == "rod" else w
    motion = np.append(idle, np.cross(at, idle))  # turns about an axis through `at`
    I_O = cloud.inertia(fc) if cloud.mass > 0 else np.zeros(10)
    energy = fc.call.inertia_kinetic_energy(I_O, motion).energy
    size = cloud.size * norm(motion, motion)
    close(fc, energy, cloud.energy(motion), size, calls=2)
    eigenvalues = np.linalg.eigvalsh(fc.call.inertia_to_matrix(I_O).M.astype(float))
    bound = ROUNDINGS * fc.eps * cloud.size
    assert eigenvalues[0] >= -bound
    assert (eigenvalues > bound).sum() == {"massless": 0, "point": 3, "rod": 5, "body": 6}[kind]
    solved = fc.call.inertia_solve(I_O, rng.normal(size=6))
    assert np.all(np.isfinite(solved.a))
    if kind == "body":
        assert solved.status == 0
        assert energy > MARGIN * ROUNDINGS * 2 * fc.eps * size
    else:
        assert solved.status & (Status.MASS if kind == "massless" else Status.SINGULAR)
        assert abs(energy) <= ROUNDINGS * 2 * fc.eps * size  # a definite matrix would give more


@pytest.mark.parametrize("reach", [1, 10, 100, 1000])
def test_D9_about_a_distant_point_the_shape_is_lost(fc: Compiled, rng: Rng, reach: float) -> None:
    """Printed: unit inertia "permits numerically robust representation" of the shape of small masses.

    At m = 0 it does. About a point far off it loses the central inertia; only the central form keeps that.
    """
    m, c, Ic = 1.7, reach * random_unit(rng, 3), [0.37, 0, 0, 0.37, 0, 0.37]
    about_origin = fc.call.inertia_from_com(m, c, Ic).I_O
    back = fc.call.inertia_to_central(about_origin).C_O[4:]
    unit = fc.call.unit_shift(c, fc.call.unit_from_central(m, c, Ic).U_O).U_Q
    kept = fc.call.central_from_com(m, c, Ic).C_O[4:]
    same(kept, np.asarray(Ic, fc.dtype))
    lost = max(abs(back - kept).max(), m * abs(unit[4:] - kept / m).max()) / 0.37
    assert lost <= ROUNDINGS * 2 * fc.eps * (1 + m * reach**2 / 0.37)
    if reach == 1000:
        assert lost > 100 * fc.eps  # and in float, more than a thousandth
        assert fc.name == "f64" or lost > 1e-3


def test_D9_without_mass_the_shape_stays_in_the_unit_form(fc: Compiled, rng: Rng) -> None:
    """The part of the claim that holds: c and G outlive m = 0, while h / m is 0/0."""
    T, c = Pose.random(rng), rng.normal(size=3)
    cloud = Cloud.random(rng)
    G = cloud.tensor / cloud.mass
    for m in (0, 1e-30, cloud.mass):
        turned = fc.call.unit_reexpress(T.rotation.as_matrix(), [m, *cloud.centre, *G]).U_A
        there = fc.call.unit_shift(c, turned).U_Q
        moved = Cloud(cloud.masses, T.rotation.apply(cloud.points) - c)
        size = cloud.size / cloud.mass * (2 + norm(c)) ** 2
        close(fc, there[1:], [*moved.centre, *(moved.tensor / cloud.mass)], size, calls=2)
    gone = fc.call.inertia_to_unit(np.zeros(10))
    assert gone.status == Status.MASS
    same(gone.U_O, np.zeros(10))


# --- Archimedes: attitude ---------------------------------------------------------------------------------


def hamilton(p: Array, q: Array) -> Array:
    """The product of quaternions, i j = k."""
    return np.append(p[0] * q[0] - p[1:] @ q[1:], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))


def turned_quat(attitude: Any, w_B: Array) -> Callable[[float], Array]:
    """The quaternion of a body as it turns at w_B, continuous."""
    q = scalar_first(attitude)

    def at(t: float) -> Array:
        later = scalar_first(attitude * Rotation.from_rotvec(w_B * t))
        return later if later @ q > 0 else -later

    return at


def test_A3_A10_which_matrix_and_which_way(fc: Compiled, rng: Rng) -> None:
    """Printed: "orientation of B relative to A" and "coordinate transform from A to B" are one thing.

    The rotation that carries A's axes onto B's has them as columns: R_AB, that takes coordinates from B to A.
    `as_matrix` returns the transpose, R(q)^T, so that as_matrix(p q) = as_matrix(q) as_matrix(p).
    """
    p, q = random_rotation(rng), random_rotation(rng)
    R = matrix_of(fc.call.quat_to_dcm(scalar_first(q)))
    tells(fc, R, q.apply(EYE).T, q.as_matrix().T, size=2)
    product = fc.call.quat_multiply(scalar_first(p), scalar_first(q)).pq
    R_pq, passive = matrix_of(fc.call.quat_to_dcm(product)), (p.as_matrix().T, q.as_matrix().T)
    tells(fc, R_pq, p.apply(q.apply(EYE)).T, passive[0] @ passive[1], size=4, calls=2)


def test_A7_rotate_says_neither_which_way_nor_which_axis(fc: Compiled, rng: Rng) -> None:
    """Printed: `rotate(vectors, inverse=False)` "with the transformation represented by the attitude".

    Coordinates from A to B, or vectors as SciPy does, which is the inverse; (3, N) or (N, 3). The library has
    a function for each way, on one vector.
    """
    attitude, vectors = random_rotation(rng), rng.normal(size=(3, 3))
    q = scalar_first(attitude)
    to_A = [fc.call.quat_rotate(q, v).v_A for v in vectors]
    to_B = [fc.call.quat_rotate_inverse(q, v).v_B for v in vectors]
    active, passive = attitude.apply(vectors), attitude.inv().apply(vectors)
    size = 4 * norm(vectors)
    tells(fc, to_A, active, passive, active.T, attitude.as_matrix() @ vectors, size=size)
    tells(fc, to_B, passive, active, passive.T, size=size)


def test_A8_quaternions_are_not_minimal(fc: Compiled, rng: Rng) -> None:
    """Printed: "a minimal, singularity-free representation". Of four numbers, R does not see the length.

    Three numbers are minimal, and all of them are singular somewhere.
    """
    attitude = random_rotation(rng)
    q = scalar_first(attitude)
    for scale in (1, -1, 2.5):
        close(fc, matrix_of(fc.call.quat_to_dcm(scale * q)), attitude.as_matrix(), 2)

    def along(unit: Array) -> Array:
        return slope(lambda t: fc.call.quat_to_dcm(q + t * unit).R_AB, 0.01).ravel()

    sizes = np.linalg.svd([along(unit) for unit in np.eye(4)], compute_uv=False)
    assert sizes[2] > 1  # three directions turn the body
    assert sizes[3] < 1e-2  # the fourth does not, to h^2 of third derivatives up to about 50, and eps / h
    upright = fc.call.dcm_from_rpy([0.1, np.pi / 2, 0.3]).R_NB
    assert fc.call.rpy_from_dcm(upright).status == Status.GIMBAL_LOCK


def test_A11_the_body_rate_multiplies_from_the_right(fc: Compiled, rng: Rng) -> None:
    """Right: q w_B / 2. With w_B on the left it is the rate of a body that turns at w_N = w_B."""
    attitude, w = random_rotation(rng), rng.normal(size=3)
    right = slope(turned_quat(attitude, w))
    printed = hamilton(np.append(0, w), scalar_first(attitude)) / 2
    dq = fc.call.quat_kinematics(scalar_first(attitude), w, 0).dq
    tells(fc, dq, right, printed, size=norm(w), truncation=DIFFERENCE)


@pytest.mark.parametrize("scale", [0.8, 1.2])
def test_A12_baumgarte_pulls_with_twice_its_rate(fc: Compiled, rng: Rng, scale: float) -> None:
    """-b (q.q - 1) q is right. +b diverges; with (|q| - 1) for (|q|^2 - 1) it pulls at half the rate.

    Right: n = q.q follows n(t) = 1 / (1 - (1 - 1/n0) exp(-2 b t)).
    """
    q, w, b = scale * scalar_first(random_rotation(rng)), rng.normal(size=3), 1.5
    n = float(q @ q)
    right = slope(lambda t: 1 / (1 - (1 - 1 / n) * np.exp(-2 * b * t)))
    diverging, half = 2 * b * n * (n - 1), -2 * b * n * (np.sqrt(n) - 1)
    dn = 2 * q @ fc.call.quat_kinematics(q, w, b).dq
    tells(fc, dn, right, diverging, half, size=2 * n * (b + norm(w)), calls=2, truncation=DIFFERENCE)


def test_A13_nothing_pulls_unless_asked(fc: Compiled, rng: Rng) -> None:
    """Printed: a factor of 1 "is the default in RigidBody". It is not: the rate of 1.2 q is 1.2 that of q."""
    attitude, (w, v, F, M) = random_rotation(rng), rng.normal(size=(4, 3))
    q, J = 1.2 * scalar_first(attitude), Cloud.random(rng).centred().tensor
    right = 1.2 * slope(turned_quat(attitude, w))
    for dq in (
        fc.call.quat_kinematics(q, w, 0).dq,
        fc.call.rigid_body_dynamics_quat(ZERO, q, v, w, F, M, 2, J, 0).dq,
    ):
        tells(fc, dq, right, right - (q @ q - 1) * q, size=2 * norm(w), truncation=DIFFERENCE)


def test_F1_A15_the_order_of_roll_pitch_and_yaw(fc: Compiled, rng: Rng) -> None:
    """Printed: roll about x, then the new y, then the new z; R_BE = R_z(psi) R_y(theta) R_x(psi).

    With phi put right and passive matrices the formula is the text's order, else not even that. Right, as the
    article's own code and numbers: yaw, pitch about the new y, roll about the new x; R_BE = C_x C_y C_z.
    """
    phi, theta, psi = angles = rng.uniform(0.3, 1.2, 3)
    right = about_own_axes((2, psi), (1, theta), (0, phi)).as_matrix().T
    text = about_own_axes((0, phi), (1, theta), (2, psi)).as_matrix().T
    active = [turn(2, psi) * turn(1, theta) * turn(0, last) for last in (psi, phi)]
    passive = [turn(2, -psi) * turn(1, -theta) * turn(0, -last) for last in (psi, phi)]
    formulas = [rotation.as_matrix() for rotation in (*active, *passive)]
    close(fc, text, formulas[3], 2)
    R_BE = matrix_of(fc.call.dcm_from_rpy(angles)).T
    tells(fc, R_BE, right, text, *formulas, size=2)
    from_quat = matrix_of(fc.call.quat_to_dcm(fc.call.quat_from_rpy(angles).q_NB)).T
    tells(fc, from_quat, right, text, *formulas, size=2, calls=2)


@pytest.mark.parametrize("letters", ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx"])
@pytest.mark.parametrize("proper", [False, True])
def test_A16_A21_lower_case_letters_are_fixed_axes(
    fc: Compiled, rng: Rng, letters: str, proper: bool
) -> None:
    """Printed: "exactly three non-repeating axes". Right: only neighbours must differ, as in zxz.

    Lower case turns about fixed axes, upper case (here `_intrinsic`) about the body's own: not the other way.
    """
    letters = letters[:2] + letters[0] if proper else letters
    turns = list(zip(("xyz".index(letter) for letter in letters), rng.uniform(0.3, 1.2, 3), strict=True))
    fixed, own = about_fixed_axes(*turns).as_matrix(), about_own_axes(*turns).as_matrix()
    angles = [angle for _, angle in turns]
    lower = matrix_of(getattr(fc.call, f"dcm_from_euler_{letters}")(angles))
    upper = matrix_of(getattr(fc.call, f"dcm_from_euler_{letters}_intrinsic")(angles))
    tells(fc, lower, fixed, own, size=2)
    tells(fc, upper, own, fixed, size=2)
    mirrored = getattr(fc.call, f"dcm_from_euler_{letters[::-1]}_intrinsic")(angles[::-1])
    close(fc, matrix_of(mirrored), fixed, 2)
    back = getattr(fc.call, f"euler_{letters}_from_dcm")(fixed)
    assert back.status == 0
    close(fc, back.angles, angles, 16)  # cos or sin of the middle angle is above 0.29


def test_A18_wind_axes(fc: Compiled, rng: Rng) -> None:
    """Printed: R_BW = EulerAngles([-beta, alpha], "zy"), with the code C_z(-beta) C_y(alpha).

    Right: [V, 0, 0] is V [cos a cos b, sin b, sin a cos b], and W's z axis is in B's plane of symmetry:
    EulerAngles([alpha, -beta], "yz").
    """
    alpha, beta = rng.uniform(0.2, 0.8, 2)
    x = np.array([np.cos(alpha) * np.cos(beta), np.sin(beta), np.sin(alpha) * np.cos(beta)])
    z = np.array([-np.sin(alpha), 0, np.cos(alpha)])
    right = np.array([x, np.cross(z, x), z]).T
    printed = about_fixed_axes((2, -beta), (1, alpha)).as_matrix().T
    R_BW = matrix_of(fc.call.dcm_from_wind(alpha, beta))
    tells(fc, R_BW, right, printed, size=2)
    tells(fc, R_BW[:, 0], x, printed[:, 0], size=2)
    close(fc, about_fixed_axes((1, alpha), (2, -beta)).as_matrix().T, right, 2)


def test_A19_the_perifocal_frame(fc: Compiled, rng: Rng) -> None:
    """R_PE = EulerAngles([w, i, W], "zxz") holds with the code, not in the text's order.

    Right: the rows are the directions of periapsis and of angular momentum, and what is across.
    """
    argument, inclination, node = angles = rng.uniform(0.3, 1.2, 3)
    line = np.array([np.cos(node), np.sin(node), 0])
    normal = np.cos(inclination) * EYE[2] + np.sin(inclination) * np.cross(line, EYE[2])
    periapsis = np.cos(argument) * line + np.sin(argument) * np.cross(normal, line)
    right = np.array([periapsis, np.cross(normal, periapsis), normal])
    text = about_own_axes((2, argument), (0, inclination), (2, node)).as_matrix().T
    R_PE = matrix_of(fc.call.dcm_from_euler_zxz(angles)).T
    tells(fc, R_PE, right, text, right.T, size=2)


def test_A20_the_printed_numbers_are_of_the_code_not_of_the_text(fc: Compiled) -> None:
    """q and the zyx angles of (0.1, 0.2, 0.3), to eight digits."""
    rpy, digits = [0.1, 0.2, 0.3], 1e-8
    q_right = [0.98334744, 0.0342708, 0.10602051, 0.14357218]
    zyx_right = [0.2857717, 0.22012403, 0.03787988]
    text = about_own_axes(*enumerate(rpy))
    q = fc.call.quat_from_rpy(rpy).q_NB
    tells(fc, q, q_right, scalar_first(text), size=1, truncation=digits)
    zyx = fc.call.euler_zyx_from_quat(q)
    assert zyx.status == 0
    tells(fc, zyx.angles, zyx_right, text.as_euler("zyx"), size=2, calls=2, truncation=digits)


def test_A22_euler_rates_belong_to_the_order_of_the_code(fc: Compiled, rng: Rng) -> None:
    """Right: differences of SciPy's xyz angles as the body turns. In the text's order rates are others."""
    angles, w = rng.uniform(0.3, 1.0, 3), rng.normal(size=3)

    def rates(letters: str) -> Array:
        attitude = Rotation.from_euler(letters, angles)
        return slope(lambda t: (attitude * Rotation.from_rotvec(w * t)).as_euler(letters))

    lever = 2 / np.cos(angles[1])
    found = fc.call.rpy_kinematics(angles, w)
    assert found.status == 0
    tells(fc, found.drpy, rates("xyz"), rates("XYZ"), size=lever * norm(w), truncation=lever * DIFFERENCE)
    w_back = fc.call.rpy_kinematics_inverse(angles, rates("xyz")).w_B
    close(fc, w_back, w, lever * norm(w), truncation=lever * DIFFERENCE)


def printed_quat_of_matrix(R: Array) -> Array:
    """Archimedes 0.4.0: SciPy's four forms, in which the largest of the diagonal and the trace is the pivot.

    SciPy puts the entries of the pivot's own axis i and of j and k, which follow it in the cycle, into the
    places i, j and k; here they stay in the order i, j, k.
    """
    pivot = int(np.argmax([*np.diag(R), np.trace(R)]))
    if pivot == 3:
        vector = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
        scalar = 1 + np.trace(R)
    else:
        i, j, k = np.roll(np.arange(3), -pivot)
        vector = np.array([1 - np.trace(R) + 2 * R[i, i], R[j, i] + R[i, j], R[k, i] + R[i, k]])
        scalar = R[k, j] - R[j, k]
    q = np.append(scalar, vector)
    return q / norm(q)


def test_F7_quaternion_of_a_matrix_on_every_branch(fc: Compiled, rng: Rng) -> None:
    """Archimedes 0.4.0 is wrong wherever R11 or R22 is the pivot; right: SciPy's quaternion, up to sign."""
    branches = np.zeros((4, 2), int)
    for rotation in Rotation.from_quat(rng.normal(size=(200, 4))):
        R, q = rotation.as_matrix(), scalar_first(rotation)
        found = fc.call.dcm_to_quat(R).q_AB
        close(fc, found * np.sign(found @ q), q, 1, calls=2)
        printed = printed_quat_of_matrix(R)
        wrong = 1 - abs(printed @ q) > 1e-4
        branches[np.argmax([*np.diag(R), np.trace(R)]), int(wrong)] += 1
    assert branches.min(axis=1).tolist() == [0] * 4
    assert branches[[0, 3], 0].min() > 10  # right where the order happens to be i, j, k
    assert branches[[1, 2], 1].min() > 10  # wrong in every other case


# --- Archimedes: bodies in motion -------------------------------------------------------------------------


@dataclass(frozen=True)
class Motion:
    """A body's state: what dynamics need besides forces."""

    cloud: Cloud
    attitude: Any
    p: Array
    v: Array
    w: Array

    @classmethod
    def random(cls, rng: Rng) -> Motion:
        return cls(Cloud.random(rng).centred(), random_rotation(rng), *rng.normal(size=(3, 3)))

    def rates(self, fc: Compiled, F_B: Any = ZERO, M_B: Any = ZERO) -> Any:
        """By the library."""
        q = scalar_first(self.attitude)
        mass, tensor = self.cloud.mass, self.cloud.tensor
        result = fc.call.rigid_body_dynamics_quat(self.p, q, self.v, self.w, F_B, M_B, mass, tensor, 0)
        assert result.status == 0
        return result

    @property
    def size(self) -> float:
        """A bound of the terms of dw, as solving magnifies them."""
        return 2 * self.cloud.stiffness**2 * (1 + norm(self.w)) ** 2


Flow = Callable[[float], tuple[Array, Array]]


def free_spin(masses: Array, flow: Flow, w: Array) -> Array:
    """dw of particles that turn with a body and move in it, when no moment acts: L in N does not change."""

    def L_N(t: float, rate: Array, moving: bool = True) -> Array:
        r, dr = flow(t)
        momenta = masses[:, None] * (np.cross(rate, r) + moving * dr)
        total: Array = Rotation.from_rotvec(w * t).apply(np.cross(r, momenta).sum(axis=0))
        return total

    J = np.array([L_N(0, unit, moving=False) for unit in EYE]).T
    dw: Array = -np.linalg.solve(J, slope(lambda t: L_N(t, w)))
    return dw


@pytest.mark.parametrize("thrown", [False, True], ids=["let-go", "thrown"])
def test_F6_A28_mass_that_leaves(fc: Compiled, rng: Rng, thrown: bool) -> None:
    """Printed: m dv + dm v = F, the pseudo-force -dm v, and no w x m v.

    Right, by the momentum of what stays and what has left: m (dv + w x v) = F + dm u_rel. What is let go
    (u_rel = 0) leaves the velocity as it is; the printed force would accelerate the body.
    """
    body, u_rel = Motion.random(rng), thrown * rng.normal(size=3)
    m, dm, v, w = body.cloud.mass, -0.8, body.v, body.w

    def v_B(t: float) -> Array:
        """From m v = (m + dm t) v' - dm t (v + u_rel), in axes that turn."""
        kept: Array = (m * v + dm * t * (v + u_rel)) / (m + dm * t)
        turned: Array = Rotation.from_rotvec(w * t).inv().apply(kept)
        return turned

    dv = body.rates(fc, fc.call.mass_flow_force(dm, u_rel).F).dv_B
    printed, without_turning = body.rates(fc, -dm * v).dv_B, -dm * v / m
    size = norm(v, w) + abs(dm) / m * (norm(u_rel) + norm(v))
    tells(fc, dv, slope(v_B), printed, without_turning, size=size, calls=2, truncation=DIFFERENCE)


def test_A29_a_body_that_changes_its_shape(fc: Compiled, rng: Rng) -> None:
    """Printed: J dw + dJ w = M. Right: J dw + dJ w + w x J w = M; particles that spread keep L in N."""
    body, k = Motion.random(rng), 0.7
    J, r, w = body.cloud.matrix[:3, :3], body.cloud.points, body.w
    right = free_spin(body.cloud.masses, lambda t: ((1 + k * t) * r, k * r), w)
    dJ = 2 * k * J
    dw = body.rates(fc, M_B=fc.call.inertia_rate_moment(dJ[UPPER], w).M).dw_B
    printed = np.linalg.solve(J, -dJ @ w)
    tells(fc, dw, right, printed, size=body.size, calls=2, truncation=DIFFERENCE * body.cloud.stiffness)


def test_A29_a_body_that_sheds_its_mass(fc: Compiled, rng: Rng) -> None:
    """Printed: -dJ w whatever the reason. Right: particles that are let go take their momentum along.

    A body that loses the same part of every particle spins on as it was; the printed moment spins it up.
    """
    body, k = Motion.random(rng), 0.7
    J, r, w = body.cloud.matrix[:3, :3], body.cloud.points, body.w
    right = free_spin(body.cloud.masses, lambda t: (r, 0 * r), w)
    printed = body.rates(fc, M_B=fc.call.inertia_rate_moment(-k * J[UPPER], w).M).dw_B
    dw = body.rates(fc).dw_B
    tells(fc, dw, right, printed, size=body.size, calls=2, truncation=DIFFERENCE * body.cloud.stiffness)


def test_A30_from_the_state_to_the_reference_point(fc: Compiled, rng: Rng) -> None:
    """Printed: v = v_ref + dr + w x r, from which to convert v to v_ref. Right: then both signs change."""
    v, w, r, dr = rng.normal(size=(4, 3))

    def reference(t: float) -> Array:
        """Where the reference point is, when the centre of mass moves on straight."""
        at: Array = v * t - Rotation.from_rotvec(w * t).apply(r + dr * t)
        return at

    found, size = fc.call.reference_velocity(v, w, r, dr).v_ref, norm(v) + norm(dr) + 2 * norm(w, r)
    tells(fc, found, slope(reference), v + dr + np.cross(w, r), size=size, truncation=DIFFERENCE)


def test_A31_moments_move_with_a_minus(fc: Compiled, rng: Rng) -> None:
    """Printed: the arm is "the vector from that reference point to the CM": M - (r_cm - r_P) x F, not plus.

    And r_cm alone is the arm only where the reference point is the origin. Right: forces on particles.
    """
    points, forces = rng.normal(size=(2, 5, 3))
    P, cm = rng.normal(size=(2, 3))
    F = forces.sum(axis=0)

    def about(point: Array) -> Array:
        moment: Array = np.cross(points - point, forces).sum(axis=0)
        return moment

    found, size = (
        fc.call.moment_transfer(about(P), F, P, cm).M_cm,
        norm(about(P)) + norm(F) * (norm(P) + norm(cm)),
    )
    tells(fc, found, about(cm), about(P) + np.cross(cm - P, F), about(P) - np.cross(cm, F), size=size)


def test_A33_a_rotors_momentum_is_relative_to_the_body(fc: Compiled, rng: Rng) -> None:
    """Printed: h_int = J_rot w_rot, without saying relative to what, J being that of all.

    With the absolute w_rot the rotor counts twice. Right: a ring that spins in a body, both of particles.
    """
    body, axes, spin = Motion.random(rng), random_rotation(rng), 6.0
    ring = Cloud(np.full(4, 0.6), axes.apply([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]]))
    axis, still = axes.apply(EYE[2]), body.cloud.points

    def flow(t: float) -> tuple[Array, Array]:
        turned = Rotation.from_rotvec(spin * t * axis).apply(ring.points)
        return np.vstack([still, turned]), np.vstack([0 * still, np.cross(spin * axis, turned)])

    whole, J_rot = replace(body, cloud=body.cloud.joined(ring)), ring.matrix[:3, :3]

    def spun(w_rot: Array) -> Array:
        moment = fc.call.gyroscopic_moment(ZERO, body.w, J_rot @ w_rot, ZERO).M_eff
        dw: Array = whole.rates(fc, M_B=moment).dw_B
        return dw

    right = free_spin(whole.cloud.masses, flow, body.w)
    size, truncation = whole.size * (1 + spin), DIFFERENCE * whole.cloud.stiffness
    tells(fc, spun(spin * axis), right, spun(spin * axis + body.w), size=size, calls=2, truncation=truncation)


def test_F2_A35_A36_the_turning_earth(fc: Compiled, rng: Rng) -> None:
    """Printed: att.kinematics(w_B - w_B - R_BE W) and dv = F/m - W x (2 v - W x p).

    Right: w_B - R_BE W, and a centrifugal plus. A body that is pushed by F and turns at w_B in the inertial
    frame is seen from the Earth, whose axes are those of that frame at t = 0.
    """
    body, (F, W) = Motion.random(rng), rng.normal(size=(2, 3))
    m, p, v = body.cloud.mass, body.p, body.v

    def seen(t: float) -> Array:
        """The velocity relative to the Earth, in its axes."""
        u = v + np.cross(W, p)
        p_N = p + u * t + F / m * t**2 / 2
        relative: Array = Rotation.from_rotvec(-W * t).apply(u + F / m * t - np.cross(W, p_N))
        return relative

    def attitude(t: float) -> Array:
        earth = Rotation.from_rotvec(-W * t)
        later = scalar_first(earth * body.attitude * Rotation.from_rotvec(body.w * t))
        return later if later @ q > 0 else -later

    q = scalar_first(body.attitude)
    result = fc.call.rigid_body_dynamics_ecef(p, q, v, body.w, F, ZERO, m, body.cloud.tensor, W, 0)
    assert result.status == 0
    size = norm(F) / m + 2 * norm(W, v) + norm(W, W, p)
    printed = F / m - np.cross(W, 2 * v - np.cross(W, p))
    tells(fc, result.dv_E, slope(seen), printed, size=size, truncation=DIFFERENCE)
    W_B = body.attitude.inv().apply(W)
    stuck = hamilton(q, np.append(0, body.w - body.w - W_B)) / 2
    tells(fc, result.dq, slope(attitude), stuck, size=norm(W) + norm(body.w), truncation=DIFFERENCE)


def test_A38_gravity_in_the_body(fc: Compiled, rng: Rng) -> None:
    """`R_BN @ m g` is right, with z down; with R_NB, which some call the attitude's matrix, it is not."""
    attitude, m = random_rotation(rng), 2.5
    F_B = fc.call.gravity_body(scalar_first(attitude), m, G_N).F_B
    right = m * np.array([G_N @ axis for axis in attitude.apply(EYE)])  # components along the body's axes
    tells(fc, F_B, right, attitude.apply(m * G_N), size=4 * m * norm(G_N))


def test_A42_a_pose_has_both_parts_in_one_frame(fc: Compiled, rng: Rng) -> None:
    """Printed: apply(p) = t + R p, with t the position in N and R = as_matrix() = R_BN: two frames at once.

    Right: p_N = p + R_NB p_B, the body's point carried along; and r_B = R_BE (r_E - p), whose t is not p.
    """
    T, r = Pose.random(rng), rng.normal(size=3)
    R_BN, size = T.rotation.as_matrix().T, T.size * (T.size + norm(r))
    tells(fc, fc.call.transform_point(T.packed, r).p_A, T.points(r), T.p + R_BN @ r, size=size)
    r_N = T.points(r)
    tells(fc, fc.call.transform_point_inverse(T.packed, r_N).p_B, r, T.p + R_BN @ r_N, size=size)
    t = fc.call.transform_inverse(T.packed).T_BA[9:]
    tells(fc, t, T.rotation.inv().apply(-T.p), T.p, size=size)


def test_A46_the_earths_rate(fc: Compiled) -> None:
    """Printed: 7.292e-5 rad/s, off by 630 m at the equator each day. Right: a turn in 86164.0989 s."""
    arguments = fc.call.rigid_body_dynamics_ecef.arguments
    (text,) = (a.description["doc"] for a in arguments if a.label == "Omega_E")
    stated = [float(number) for number in re.findall(r"\d\.\d+e-5", text)]
    right = 2 * np.pi / 86164.0989
    rounding = 1e-7 * right
    assert len(stated) == 1
    assert abs(stated[0] - right) < rounding
    assert abs(7.292e-5 - right) > MARGIN * rounding


# --- contacts ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ball:
    """A rigid body with a sphere off its centre of mass. v: that point's velocity in N, w in the body."""

    cloud: Cloud
    attitude: Any
    p: Array
    v: Array
    offset: Array
    radius: float

    @property
    def J(self) -> Array:
        return self.cloud.matrix[:3, :3]

    @property
    def sphere(self) -> Array:
        centre: Array = self.p + self.attitude.apply(self.offset)
        return centre

    def after(self, v: Array, t: float) -> Ball:
        turned = self.attitude * Rotation.from_rotvec(t * v[3:])
        return replace(self, p=self.p + t * v[:3], attitude=turned)

    def struck(self, impulse: Array, at: Array) -> Array:
        """Its velocity after an impulse at a point, both in N: by the change of its momenta."""
        moment = self.attitude.inv().apply(np.cross(at - self.p, impulse))
        change = np.append(impulse / self.cloud.mass, np.linalg.solve(self.J, moment))
        after: Array = self.v + change
        return after

    def energy(self, v: Array) -> float:
        return self.cloud.energy(np.append(v[3:], self.attitude.inv().apply(v[:3])))


@dataclass(frozen=True)
class Touch:
    """Two balls, their contact by plain geometry, and by the library."""

    fc: Compiled
    a: Ball
    b: Ball

    @classmethod
    def random(cls, fc: Compiled, rng: Rng) -> Touch:
        def ball(p: Any) -> Ball:
            v, offset = rng.normal(size=6), 0.3 * rng.normal(size=3)
            return Ball(Cloud.random(rng).centred(), random_rotation(rng), np.array(p), v, offset, 1.0)

        return cls(fc, ball([0.0, 0, 0]), ball([2.0, -1, 1.5]))

    @staticmethod
    def distance(a: Ball, b: Ball) -> float:
        return norm(b.sphere - a.sphere) - a.radius - b.radius

    @property
    def gap(self) -> float:
        return self.distance(self.a, self.b)

    @property
    def n(self) -> Array:
        """From A to B."""
        apart = self.b.sphere - self.a.sphere
        unit: Array = apart / norm(apart)
        return unit

    @property
    def point(self) -> Array:
        at: Array = self.a.sphere + self.a.radius * self.n
        return at

    def rate(self, v_A: Array, v_B: Array) -> float:
        """Of the gap, by differences."""
        return float(slope(lambda t: self.distance(self.a.after(v_A, t), self.b.after(v_B, t))))

    def struck(self, impulse: float) -> tuple[Array, Array]:
        """Both velocities after an impulse that pushes them apart."""
        return self.a.struck(-impulse * self.n, self.point), self.b.struck(impulse * self.n, self.point)

    @cached_property
    def column(self) -> Array:
        """D, the gradient of the gap: for A, then for B."""
        still = np.zeros(6)
        return np.array(
            [*(self.rate(u, still) for u in np.eye(6)), *(self.rate(still, u) for u in np.eye(6))]
        )

    @cached_property
    def inverse_mass(self) -> Array:
        matrix = np.zeros((12, 12))
        for i, ball in ((0, self.a), (6, self.b)):
            matrix[i : i + 3, i : i + 3] = EYE / ball.cloud.mass
            matrix[i + 3 : i + 6, i + 3 : i + 6] = np.linalg.inv(ball.J)
        return matrix

    @cached_property
    def D(self) -> tuple[Array, Array]:
        """The library's columns."""
        a, b, call = self.a, self.b, self.fc.call
        n, _, c_A, c_B, status = call.sphere_sphere_contact(a.sphere, a.radius, b.sphere, b.radius)
        assert status == 0
        R_NA, R_NB = (x.attitude.as_matrix() for x in (a, b))
        D_A, D_B = call.contact_jacobian(R_NA, R_NB, n, c_A, c_B, a.p, b.p)
        return D_A.ravel(), D_B.ravel()

    def N(self) -> float:
        """The library's D^T M^-1 D."""
        balls = (self.a, self.b)
        masses, tensors = [x.cloud.mass for x in balls], [x.cloud.tensor for x in balls]
        D_A, D_B = self.D
        found = self.fc.call.contact_delassus(2, 1, masses, tensors, [0], [1], [D_A], [D_B])
        assert found.status == 0
        return float(found.N[0, 0])

    def r(self, dt: float, v_A: Array, v_B: Array) -> float:
        """The library's r."""
        found = self.fc.call.contact_rhs(self.gap, dt, self.fc.max, *self.D, v_A, v_B)
        assert found.status == 0
        return float(found.r)

    @property
    def size(self) -> float:
        """A bound of the terms of a velocity along the normal: levers, and inverses magnified by solving."""
        lever = 1 + max(norm(x.p - self.point) for x in (self.a, self.b))
        stiff = max(x.cloud.stiffness * norm(np.linalg.inv(x.J)) for x in (self.a, self.b))
        return lever**2 * (stiff + norm(self.a.v) + norm(self.b.v) + 2)


def solved(fc: Compiled, solver: str, N: Any, r: Any, tolerance: float) -> Array:
    """Impulses, from none at the start."""
    count = len(np.ravel(r))
    found = getattr(fc.call, solver)(N, r, np.zeros(count), count, 20000, tolerance)
    assert found.status == 0
    impulses: Array = found.lambda_
    return impulses


SOLVERS = pytest.mark.parametrize("solver", ["contact_solve_pgs", "contact_solve_apgd"])


def test_F3_C1_C3_the_signs_of_the_system(fc: Compiled, rng: Rng) -> None:
    """Printed: [[M, D], [D^T, 0]] [q; l] - [f; b] = [0; c], which gives c = -N l + D^T M^-1 f - b.

    Right: [[M, -D], [D^T, 0]] [q; l] - [f; -b] = [0; c], so c = N l + r with r = b + D^T M^-1 f: an impulse
    opens the gap. By the momenta of two bodies that push each other, and differences of their distance.
    """
    touch, dt = Touch.random(fc, rng), 0.5
    b, v = touch.gap / dt, np.append(touch.a.v, touch.b.v)
    N, r = touch.N(), touch.r(dt, touch.a.v, touch.b.v)
    close(fc, r, b + touch.rate(touch.a.v, touch.b.v), touch.size, calls=2, truncation=DIFFERENCE)
    for impulse in (0.0, 0.7, 3.0):
        right = b + touch.rate(*touch.struck(impulse))
        q = v - touch.inverse_mass @ touch.column * impulse  # M q + D l = f, f = M v
        printed = touch.column @ q - b
        size = touch.size * (1 + impulse)
        tells(fc, N * impulse + r, right, printed, size=size, calls=4, truncation=DIFFERENCE)


def test_C2_the_schur_complement_is_minus_n(fc: Compiled, rng: Rng) -> None:
    """Printed: "taking the Shur Compliment" of the matrix, which is 0 - D^T M^-1 D: no minimum would exist.

    Right: N = D^T M^-1 D, twice the energy of bodies at rest after a unit impulse.
    """
    touch = Touch.random(fc, rng)
    still = replace(touch, a=replace(touch.a, v=np.zeros(6)), b=replace(touch.b, v=np.zeros(6)))
    v_A, v_B = still.struck(1)
    right = 2 * (touch.a.energy(v_A) + touch.b.energy(v_B))
    tells(fc, touch.N(), right, -right, size=touch.size, calls=3)


def test_C4_complementarity_is_by_components(fc: Compiled) -> None:
    """Printed: l c = 0. As a product of vectors it also holds where one gap opens as another one closes.

    Right: min(l_i, c_i) = 0 for each contact.
    """
    impulses, rates = np.array([1.0, 1.0]), np.array([1.0, -1.0])
    r = rates - impulses
    solution = nnls(EYE[:2, :2], -r)[0]
    residual = fc.call.contact_residual(EYE[:2, :2], r, impulses, 2).residual
    tells(fc, residual, abs(solution - impulses).max(), impulses @ rates, size=1)
    rounding = fc.eps * solution.max()  # which the residual includes
    assert fc.call.contact_residual(EYE[:2, :2], r, solution, 2).residual <= rounding


def conjugate_gradients(N: Array, b: Array) -> Array:
    """N x = b, without constraints."""
    x, residual = 0 * b, b
    direction = residual
    for _ in range(len(b)):
        step = residual @ residual / (direction @ N @ direction)
        x = x + step * direction
        following = residual - step * N @ direction
        direction = following + following @ following / (residual @ residual) * direction
        residual = following
    return x


@SOLVERS
def test_F3_C5_C14_impulses_push(fc: Compiled, rng: Rng, solver: str) -> None:
    """Printed: "solved in a straightforward manner", N l = r; part 2 announces conjugate gradients.

    N l = -r holds only where every contact pushes, and impulses that pull cannot be clamped afterwards.
    Right: SciPy's non-negative least squares, |L^T l + L^-1 r| with N = L L^T.
    """
    root = rng.normal(size=(6, 6))
    N, r = root @ root.T / 6 + 0.3 * np.eye(6), rng.normal(size=6)
    L = np.linalg.cholesky(N)
    right = nnls(L.T, -np.linalg.solve(L, r))[0]
    assert 0 < (right > 0).sum() < 6
    tolerance = fc.eps**0.5 / 100
    bound = 6 * tolerance * (1 + norm(N)) / np.linalg.eigvalsh(N)[0]  # of a natural residual (Pang, 1986)
    printed, straightforward = np.linalg.solve(N, r), conjugate_gradients(N, -r)
    close(fc, straightforward, np.linalg.solve(N, -r), norm(r), truncation=bound)
    forms = printed, straightforward, np.maximum(straightforward, 0)
    tells(fc, solved(fc, solver, N, r, tolerance), right, *forms, size=0, truncation=bound)


@SOLVERS
@pytest.mark.parametrize("speed", [1.5, -1.5], ids=["approaching", "parting"])
def test_F3_C6_a_reaction_or_a_gap(fc: Compiled, rng: Rng, solver: str, speed: float) -> None:
    """Printed: either the multiplier is positive, "constraint is not satisfied", or the gap is zero "and
    therefore there is no reaction force".

    Right: a reaction where the gap stays closed, none where it opens. Two spheres about their centres of mass
    touch head on: they go on together, or part freely.
    """
    touch = Touch.random(fc, rng)
    n = np.array([0.6, 0, 0.8])
    a = replace(touch.a, offset=ZERO, p=ZERO, v=np.append(speed * n, ZERO))
    b = replace(touch.b, offset=ZERO, p=(a.radius + touch.b.radius) * n, v=np.zeros(6))
    head_on, dt = replace(touch, a=a, b=b), 0.1
    N, r, m_A, m_B = head_on.N(), head_on.r(dt, a.v, b.v), a.cloud.mass, b.cloud.mass
    (impulse,) = solved(fc, solver, [[N]], [r], 16 * fc.eps * head_on.size)
    reaction = speed * m_A * m_B / (m_A + m_B)  # takes all of the approach
    right, opening = (reaction, 0.0) if speed > 0 else (0.0, -speed)
    printed = 0.0 if speed > 0 else -reaction
    size = head_on.size / min(1, N)
    tells(fc, impulse, right, printed, size=size, calls=4)
    close(fc, N * impulse + r, opening, size / dt, calls=4)


def test_C8_a_body_that_turns_has_a_torque_of_its_own(fc: Compiled, rng: Rng) -> None:
    """Printed: M holds J in the body's axes, and f is "external forces" alone.

    Right: velocity rows are then in the body, too, and f has -w x J w. Spin that keeps L in N.
    """
    ball = Touch.random(fc, rng).a
    r = ball.cloud.points
    right = free_spin(ball.cloud.masses, lambda t: (r, 0 * r), ball.v[3:])
    found = fc.call.contact_free_velocity(ball.v, np.zeros(6), ball.cloud.mass, ball.cloud.tensor, 1)
    assert found.status == 0
    change = np.ravel(found.v_star)[3:] - ball.v[3:]
    size = 2 * ball.cloud.stiffness**2 * (1 + norm(ball.v)) ** 2
    tells(fc, change, right, ZERO, size=size, truncation=DIFFERENCE * ball.cloud.stiffness)


def test_C10_C11_the_column_of_a_contact(fc: Compiled, rng: Rng) -> None:
    """Printed: entries n and b for each body, with n~ = A^T n "in the LRF" and b = s~ n; which n is not said.

    Right: from A to B, so [-n; -s~ A^T n; n; s~ A^T n], with n in N in the rows of the velocity and in each
    body's axes in those of its spin: the gradient of the gap. Read otherwise it is not.
    """
    touch = Touch.random(fc, rng)
    n, balls = touch.n, (touch.a, touch.b)
    local = [x.attitude.inv().apply(n) for x in balls]
    arms = [x.attitude.inv().apply(touch.point - x.p) for x in balls]
    moments = [np.cross(s, n_local) for s, n_local in zip(arms, local, strict=True)]
    in_N = [np.cross(touch.point - x.p, n) for x in balls]
    forms = {
        "n in the body": [-local[0], -moments[0], local[1], moments[1]],
        "moments in N": [-n, -in_N[0], n, in_N[1]],
        "n x s": [-n, moments[0], n, -moments[1]],
        "one n for both": [n, moments[0], n, moments[1]],
        "from B to A": [n, moments[0], -n, -moments[1]],
    }
    printed = [np.concatenate(form) for form in forms.values()]
    column = np.concatenate(touch.D)
    size = 2 + norm(arms) + sum(norm(x.p) for x in balls)
    # The point is c_B with the other body; its arm differs along n only, which has no moment.
    tells(fc, column, touch.column, *printed, size=size, calls=2, truncation=DIFFERENCE)


def test_C12_impulses_and_velocities(fc: Compiled, rng: Rng) -> None:
    """Printed: f are "external forces" and b "correction factors", with no units and no time step.

    Right, on velocities: f = M v + h f_ext in N s and b = gap / h in m/s. Then gap + h c = 0 after the step,
    with c the rate that the impulse -r / N leaves. With forces and lengths instead it is not.
    """
    touch, dt, forces = Touch.random(fc, rng), 0.1, rng.normal(size=(2, 6))
    balls = (touch.a, touch.b)
    free, right, newtons = [], [], []
    for ball, force in zip(balls, forces, strict=True):
        m, J = ball.cloud.mass, ball.cloud.tensor
        found = fc.call.contact_free_velocity(ball.v, force, m, J, dt)
        assert found.status == 0
        free.append(np.ravel(found.v_star).astype(float))
        torque = force[3:] - np.cross(ball.v[3:], ball.J @ ball.v[3:])
        change = np.append(force[:3] / m, np.linalg.solve(ball.J, torque))
        right.append(ball.v + dt * change)
        newtons.append(ball.v + change)
    r, size = touch.r(dt, *free), touch.size * (2 + norm(forces) + norm(touch.a.v) + norm(touch.b.v)) ** 2
    printed = touch.gap + touch.rate(*newtons)
    truncation = DIFFERENCE
    tells(fc, r, touch.gap / dt + touch.rate(*right), printed, size=size, calls=2, truncation=truncation)
    after = replace(touch, a=replace(touch.a, v=free[0]), b=replace(touch.b, v=free[1]))
    left = touch.gap + dt * touch.rate(*after.struck(-r / touch.N()))
    close(fc, left, 0, size * dt, calls=4, truncation=truncation)


# --- what energy does not see -----------------------------------------------------------------------------


class WithoutBias(Recursions):
    """Inverse and forward dynamics that both leave out v x* I v."""

    def biases(self, velocities: list[Array]) -> list[Array]:
        return [np.zeros(6) for _ in velocities]


def test_F8_energy_is_blind_to_what_does_no_work(fc: Compiled, rng: Rng) -> None:
    """Without v x* I v in RNEA and ABA alike, they still agree and the energy of the points still stays.

    Only the torques of the Christoffel symbols, from differences of the points' mass matrix, tell them apart.
    """
    geometry = Geometry.random(rng)
    right, blind = Recursions(fc, geometry), WithoutBias(fc, geometry)
    q, (dq, ddq), none = rng.uniform(-2, 2, 5), rng.normal(size=(2, 5)), np.zeros(5)
    size = geometry.size(dq, ddq)
    least = float(np.linalg.eigvalsh(geometry.mass_matrix(q))[0])

    def energy(t: float, free: Array) -> float:
        there = q + t * dq + t**2 / 2 * free
        return geometry.energy(there, dq + t * free) + geometry.potential(there)

    for recursions in (right, blind):
        torque = recursions.inverse_dynamics(q, dq, ddq, G_N)
        back = recursions.forward_dynamics(q, dq, torque, G_N)
        close(fc, back, ddq, size / least, calls=CHAIN)
        free = recursions.forward_dynamics(q, dq, none, G_N)
        lost = slope(partial(energy, free=free))
        close(fc, lost, 0, size * norm(dq), calls=CHAIN, truncation=DIFFERENCES)
    torques = [recursions.inverse_dynamics(q, dq, none, ZERO) for recursions in (right, blind)]
    expected = geometry.christoffel_torque(q, dq)
    tells(fc, torques[0], expected, torques[1], size=size, calls=CHAIN, truncation=DIFFERENCES)


# --- completeness -----------------------------------------------------------------------------------------


def test_every_marked_row_is_tested_or_needs_no_function() -> None:
    names = (re.match(r"test((?:_[A-Z]\d+)+)_", name) for name in globals())
    tested = {row for found in names if found for row in found[1].split("_")[1:]}
    assert tested.isdisjoint(NOTHING_TO_EMIT)
    assert sorted(tested | set(NOTHING_TO_EMIT)) == sorted(MARKED)
    assert len(set(MARKED)) == len(MARKED)
