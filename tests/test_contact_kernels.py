"""Contact kernels: normals, columns, mass, right-hand side and impulses, against motion and momentum.

Tests named after a number hold an identity of the table of 68. The spheres sit off their bodies' centres of
mass. Everything runs in double and in float.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial.transform import Rotation

from codegen.verify.libraries import Library

Array = npt.NDArray[Any]

NOT_FINITE, MASS, SINGULAR, DEGENERATE = 1, 2, 4, 64
NAN, INF = np.nan, np.inf
UPPER = np.triu_indices(3)
AT_REST = np.zeros(6)
KERNELS = (
    "sphere_sphere_contact",
    "sphere_plane_contact",
    "contact_jacobian",
    "contact_mass_inverse",
    "contact_free_velocity",
    "contact_rhs",
    "contact_dot",
    "contact_apply",
)


@dataclass(frozen=True)
class Compiled:
    """The kernels at one precision."""

    call: Any
    dtype: Any

    @property
    def eps(self) -> float:
        """Machine epsilon."""
        return float(np.finfo(self.dtype).eps)


@pytest.fixture(params=["f64", "f32"])
def fc(request: pytest.FixtureRequest, library: Library) -> Compiled:
    return Compiled(getattr(library, request.param), np.float64 if request.param == "f64" else np.float32)


@dataclass(frozen=True)
class Body:
    """A rigid sphere-shaped body whose sphere is centred at `offset` from the centre of mass, in the body."""

    m: float
    J: Array
    R: Array
    p: Array
    v: Array  # velocity of the centre of mass in N, angular velocity in the body
    offset: Array
    radius: float

    @property
    def sphere(self) -> Array:
        """The sphere's centre, in N."""
        centre: Array = self.p + self.R @ self.offset
        return centre

    def after(self, t: float) -> Body:
        """The body after moving for a time with its velocity."""
        turned = Rotation.from_rotvec(t * self.v[3:]).as_matrix()
        return replace(self, p=self.p + t * self.v[:3], R=self.R @ turned)

    def velocity_at(self, c: Array) -> Array:
        """Velocity in N of the body's point that is at c."""
        velocity: Array = self.v[:3] + np.cross(self.R @ self.v[3:], c - self.p)
        return velocity


def body(rng: np.random.Generator, p: Any, offset: float = 0.3) -> Body:
    """A random body."""
    A = rng.normal(size=(3, 3))
    return Body(
        m=float(rng.uniform(0.5, 3)),
        J=A @ A.T + np.eye(3),
        R=Rotation.random(random_state=int(rng.integers(10**6))).as_matrix(),
        p=np.asarray(p) + rng.normal(size=3) / 10,
        v=rng.normal(size=6),
        offset=offset * rng.normal(size=3),
        radius=float(rng.uniform(0.5, 1.5)),
    )


@pytest.fixture(params=range(3))
def pair(request: pytest.FixtureRequest) -> tuple[Body, Body]:
    """Two bodies."""
    rng = np.random.default_rng([52, request.param])
    return body(rng, [0, 0, 0]), body(rng, [2, -1, 1.5])


@dataclass(frozen=True)
class Contact:
    """The results of the kernels for two bodies."""

    n: Array
    gap: float
    c_A: Array
    c_B: Array
    D_A: Array
    D_B: Array


def contact(fc: Compiled, a: Body, b: Body) -> Contact:
    """The contact of two bodies, by the kernels."""
    n, gap, c_A, c_B, status = fc.call.sphere_sphere_contact(a.sphere, a.radius, b.sphere, b.radius)
    assert status == 0
    D_A, D_B = fc.call.contact_jacobian(a.R, b.R, n, c_A, c_B, a.p, b.p)
    return Contact(n, float(gap), c_A, c_B, np.ravel(D_A), np.ravel(D_B))


def gap_between(a: Body, b: Body) -> float:
    """Plain geometry."""
    return float(np.linalg.norm(b.sphere - a.sphere) - a.radius - b.radius)


def rate(fc: Compiled, c: Contact, v_A: Array, v_B: Array) -> float:
    """D.v of both bodies."""
    return float(fc.call.contact_dot(c.D_A, v_A).rate) + float(fc.call.contact_dot(c.D_B, v_B).rate)


def close(fc: Compiled, actual: Any, expected: Any, size: float = 4, truncation: float = 0) -> None:
    """Equal to eight eps of the size of the terms, and the truncation of a method."""
    found, wanted = np.ravel(actual).astype(float), np.ravel(expected).astype(float)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=8 * fc.eps * size + truncation)


def same(actual: Any, expected: Any) -> None:
    np.testing.assert_array_equal(np.ravel(actual), np.ravel(expected))


# --- geometry ---------------------------------------------------------------------------------------------


def test_spheres_apart_touching_and_overlapping(fc: Compiled) -> None:
    for distance, gap in ((5.0, 2.0), (3.0, 0.0), (2.5, -0.5), (0.25, -2.75)):
        found = fc.call.sphere_sphere_contact([1, 2, 3], 1, [1, 2 + distance, 3], 2)
        assert found.status == 0
        same(found.n, [0, 1, 0])
        close(fc, found.gap, gap)
        close(fc, found.c_A, [1, 3, 3])
        close(fc, found.c_B, [1, distance, 3])


def test_the_normal_goes_from_a_to_b_and_the_points_are_on_the_spheres(
    fc: Compiled, pair: tuple[Body, Body]
) -> None:
    a, b = pair
    c = contact(fc, a, b)
    close(fc, np.linalg.norm(c.n), 1)
    assert c.n @ (b.sphere - a.sphere) > 0
    close(fc, np.linalg.norm(c.c_A - a.sphere), a.radius)
    close(fc, np.linalg.norm(c.c_B - b.sphere), b.radius)
    close(fc, c.c_B - c.c_A, c.gap * c.n)
    close(fc, c.gap, gap_between(a, b))


def test_coincident_centres_have_a_documented_normal(fc: Compiled) -> None:
    tiny = float(np.sqrt(np.finfo(fc.dtype).tiny)) / 2
    for offset in (0.0, -0.0, tiny, -tiny):
        found = fc.call.sphere_sphere_contact([0, 0, 0], 1, [0, offset, 0], 2)
        assert found.status == DEGENERATE
        for value, expected in zip(found[:4], ([1, 0, 0], [-3], [1, 0, 0], [-2, offset, 0]), strict=True):
            same(value, np.asarray(expected, fc.dtype))


def test_centres_too_far_or_not_finite(fc: Compiled) -> None:
    largest = float(np.finfo(fc.dtype).max)
    for x, status in ((largest, NOT_FINITE), (INF, NOT_FINITE), (NAN, NOT_FINITE | DEGENERATE)):
        found = fc.call.sphere_sphere_contact([x, 0, 0], 1, [-1, 0, 0], 2)
        assert found.status == status
        same(found.n, [1, 0, 0])
        same([found.gap, *found.c_A, *found.c_B], np.zeros(7))


def test_a_sphere_and_a_plane(fc: Compiled) -> None:
    n = np.array([2, -3, 6]) / 7
    for height in (2.0, 0.5, 0.0, -0.25):
        foot = 1.5 * n + np.cross(n, [1.0, 2.0, 3.0])
        gap, c_A, c_B = fc.call.sphere_plane_contact(n, 1.5, foot + (height + 0.5) * n, 0.5)
        close(fc, gap, height)
        close(fc, c_A, foot)
        close(fc, c_B, foot + height * n)


def test_a_plane_is_a_very_large_sphere(fc: Compiled, pair: tuple[Body, Body]) -> None:
    b, radius, n = pair[1], 1e5, np.array([0.6, 0, 0.8])
    plane = fc.call.sphere_plane_contact(n, 0.25, b.sphere, b.radius)
    sphere = fc.call.sphere_sphere_contact((0.25 - radius) * n, radius, b.sphere, b.radius)
    curvature = float(b.sphere @ b.sphere) / radius
    close(fc, plane.gap, sphere.gap, radius, curvature)
    close(fc, plane.c_A, sphere.c_A, radius, curvature)
    close(fc, plane.c_B, sphere.c_B, radius, curvature)


# --- the Jacobian -----------------------------------------------------------------------------------------


def test_52_the_column_is_the_gradient_of_the_gap(fc: Compiled, pair: tuple[Body, Body]) -> None:
    a, b = pair
    h = 1e-5
    difference = (gap_between(a.after(h), b.after(h)) - gap_between(a.after(-h), b.after(-h))) / (2 * h)
    close(fc, rate(fc, contact(fc, a, b), a.v, b.v), difference, truncation=1e-8)


def test_52_catches_the_other_sign_of_either_part(fc: Compiled, pair: tuple[Body, Body]) -> None:
    """C10 and C11: the moment is s x n with that body's own normal, the normal points from A to B."""
    a, b = pair
    c = contact(fc, a, b)
    right = rate(fc, c, a.v, b.v)
    for flip in ([-1] * 6, [1, 1, 1, -1, -1, -1], [-1, -1, -1, 1, 1, 1]):
        for wrong in (replace(c, D_A=c.D_A * flip), replace(c, D_B=c.D_B * flip)):
            assert abs(rate(fc, wrong, a.v, b.v) - right) > 1e-3


def test_53_contact_forces_have_no_resultant(fc: Compiled, pair: tuple[Body, Body]) -> None:
    a, b = pair
    c = contact(fc, a, b)
    close(fc, c.D_A[:3] + c.D_B[:3], np.zeros(3))
    moments = [x.R @ D[3:] + np.cross(x.p, D[:3]) for x, D in ((a, c.D_A), (b, c.D_B))]
    close(fc, sum(moments), np.zeros(3), 10)


def test_54_naming_the_bodies_the_other_way_round(fc: Compiled, pair: tuple[Body, Body]) -> None:
    a, b = pair
    there, back = contact(fc, a, b), contact(fc, b, a)
    close(fc, there.n, -back.n)
    close(fc, there.gap, back.gap)
    close(fc, there.D_A, back.D_B)
    close(fc, there.D_B, back.D_A)


def test_68_the_column_is_the_virtual_power_at_the_contact(fc: Compiled, pair: tuple[Body, Body]) -> None:
    a, b = pair
    c = contact(fc, a, b)
    close(fc, rate(fc, c, a.v, b.v), c.n @ (b.velocity_at(c.c_B) - a.velocity_at(c.c_A)))


# --- mass -------------------------------------------------------------------------------------------------


def test_the_inverse_mass(fc: Compiled, pair: tuple[Body, Body]) -> None:
    a, wrench = pair[0], np.array([1, -2, 3, -0.5, 0.25, 2])
    found = fc.call.contact_mass_inverse(a.m, a.J[UPPER], wrench)
    assert found.status == 0
    twist = np.ravel(found.twist)
    expected = np.array([*(wrench[:3] / a.m), *np.linalg.solve(a.J, wrench[3:])])
    close(fc, twist, expected, 4 * np.linalg.cond(a.J))


def every_push(fc: Compiled, m: float, J: Any, v: Any = AT_REST, load: float = 1.0) -> list[Any]:
    """Velocity and status of the three kernels that divide by the mass, as changes from v = 0 or from v."""
    wrench = load * np.array([1, -2, 3, -0.5, 0.25, 2])
    change = fc.call.contact_mass_inverse(m, J, wrench)
    free = fc.call.contact_free_velocity(v, wrench, m, J, 1)
    applied = fc.call.contact_apply(v, m, J, wrench, 1)
    return [(np.ravel(change[0]) + np.asarray(v, fc.dtype), change.status), free, applied]


SPHERE = [0.4, 0, 0, 0.4, 0, 0.4]
MOVING = np.array([1, 2, 3, 0.5, -0.25, 1])


@pytest.mark.parametrize("J", [SPHERE, [0] * 6, [-1] * 6, [NAN] * 6])
def test_a_static_body_keeps_its_velocity(fc: Compiled, J: Any) -> None:
    """Its inertia is not used either; a velocity that is not zero is a prescribed motion."""
    for m in (0.0, -0.0):
        for v, status in every_push(fc, m, J, MOVING):
            same(v, MOVING.astype(fc.dtype))
            assert status == 0


@pytest.mark.parametrize("m", [-1.0, -1e-30, -INF, NAN])
def test_a_negative_mass_is_refused(fc: Compiled, m: float) -> None:
    for v, status in every_push(fc, m, SPHERE, MOVING):
        same(v, MOVING.astype(fc.dtype))
        assert status == MASS


@pytest.mark.parametrize(
    "J",
    [
        [0, 0, 0, 0, 0, 0],
        [1, 0, 0, 1, 0, 0],
        [1, 1, 0, 1, 0, 1],
        [-1, 0, 0, -1, 0, 1],
        [1, 3, 0, 1, 0, 1],
        [1, 0, 0, 1, 0, NAN],
        [INF, 0, 0, 1, 0, 1],
    ],
)
def test_a_singular_inertia_is_refused(fc: Compiled, J: list[float]) -> None:
    for v, status in every_push(fc, 2, J, MOVING):
        same(v, MOVING.astype(fc.dtype))
        assert status == SINGULAR


@pytest.mark.parametrize(("short_of_singular", "status"), [(4, SINGULAR), (16, 0)])
def test_a_nearly_singular_inertia_is_refused(fc: Compiled, short_of_singular: int, status: int) -> None:
    """det(J) = 1 - a^2 is 8 and 32 eps; rounding of J may turn a determinant of 0 into 16 eps."""
    a = 1 - short_of_singular * fc.eps
    for _, found in every_push(fc, 2, [1, a, 0, 1, 0, 1], MOVING):
        assert found == status


def test_overflow_keeps_the_velocity(fc: Compiled) -> None:
    largest, denormal = float(np.finfo(fc.dtype).max), float(np.finfo(fc.dtype).tiny) / 64
    for m, load in ((0.05, largest / 4), (denormal, 1.0), (denormal, 0.0), (1.0, NAN), (1.0, INF)):
        for v, status in every_push(fc, m, SPHERE, MOVING, load):
            same(v, MOVING.astype(fc.dtype))
            assert status == NOT_FINITE


# --- motion -----------------------------------------------------------------------------------------------


def test_the_free_velocity_keeps_the_angular_momentum(fc: Compiled, pair: tuple[Body, Body]) -> None:
    """In N, to second order of the step: the gyroscopic torque is w x J w, with the minus."""
    a = pair[0]
    h = 1e-3
    found = fc.call.contact_free_velocity(a.v, AT_REST, a.m, a.J[UPPER], h)
    assert found.status == 0
    v_star = np.ravel(found.v_star).astype(float)
    close(fc, v_star[:3], a.v[:3])
    before, after = a.R @ a.J @ a.v[3:], a.after(h).R @ a.J @ v_star[3:]
    size = float(np.linalg.norm(a.J)) * float(a.v @ a.v)
    close(fc, after, before, size * np.linalg.cond(a.J), 5 * h**2 * size)
    assert np.linalg.norm(a.after(h).R @ a.J @ a.v[3:] - before) > 20 * h**2


def test_the_free_velocity_of_a_falling_body(fc: Compiled) -> None:
    v = np.array([1, 0, 0, 0, 0, 0])
    found = fc.call.contact_free_velocity(v, [0, 0, 2 * 9.81, 0, 0.8, 0], 2, SPHERE, 0.01)
    close(fc, found.v_star, [1, 0, 0.0981, 0, 0.02, 0], 1)


def effective_mass(fc: Compiled, c: Contact, a: Body, b: Body) -> float:
    """N = D^T M^-1 D of one contact, by the kernels."""
    changes = [fc.call.contact_mass_inverse(x.m, x.J[UPPER], D).twist for x, D in ((a, c.D_A), (b, c.D_B))]
    return rate(fc, c, *(np.ravel(change) for change in changes))


def applied(fc: Compiled, c: Contact, a: Body, b: Body, impulse: float) -> tuple[Body, Body]:
    """Both bodies after an impulse."""
    bodies = []
    for x, D in ((a, c.D_A), (b, c.D_B)):
        found = fc.call.contact_apply(x.v, x.m, x.J[UPPER], D, impulse)
        assert found.status == 0
        bodies.append(replace(x, v=np.ravel(found.v_next).astype(float)))
    return bodies[0], bodies[1]


@pytest.mark.parametrize("impulse", [0.0, 0.7, 5.0])
def test_the_gap_velocity_is_n_lambda_plus_r(fc: Compiled, pair: tuple[Body, Body], impulse: float) -> None:
    """C1, C3: c = N lambda + r with N > 0, so that pushing opens the gap; not r - N lambda."""
    a, b = pair
    c = contact(fc, a, b)
    N, dt = effective_mass(fc, c, a, b), 0.1
    assert N > 0.1
    found = fc.call.contact_rhs(c.gap, dt, 100, c.D_A, c.D_B, a.v, b.v)
    assert found.status == 0
    pushed = applied(fc, c, a, b, impulse)
    close(fc, c.gap / dt + rate(fc, c, pushed[0].v, pushed[1].v), N * impulse + float(found.r), 100)


def test_the_impulse_that_closes_the_gap_is_minus_r_over_n(fc: Compiled, pair: tuple[Body, Body]) -> None:
    """C5, C12: N lambda = -r, and then gap + dt c = 0: the bodies touch after the step."""
    a, b = pair
    b = replace(b, radius=float(np.linalg.norm(b.sphere - a.sphere)) - a.radius - 0.01)
    c, dt = contact(fc, a, b), 0.01
    closing = 2.0  # fast enough to overlap within the step
    a = replace(a, v=np.array([*(closing * c.n), 0, 0, 0]))
    b = replace(b, v=AT_REST)
    r = float(fc.call.contact_rhs(c.gap, dt, 1, c.D_A, c.D_B, a.v, b.v).r)
    impulse = -r / effective_mass(fc, c, a, b)
    assert r < 0 < impulse
    a, b = applied(fc, c, a, b, impulse)
    close(fc, c.gap + dt * rate(fc, c, a.v, b.v), 0)


def test_57_a_head_on_inelastic_pair_goes_on_together(fc: Compiled) -> None:
    centred = {"J": 0.4 * np.eye(3), "R": np.eye(3), "offset": np.zeros(3), "radius": 0.5}
    a = Body(m=1, p=np.zeros(3), v=np.array([3, 0, 0, 0, 0, 0]), **centred)  # type: ignore[arg-type]
    b = Body(m=2, p=np.array([1.0, 0, 0]), v=np.array([-1.5, 0, 0, 0, 0, 0]), **centred)  # type: ignore[arg-type]
    c = contact(fc, a, b)
    r = float(fc.call.contact_rhs(c.gap, 0.01, 1, c.D_A, c.D_B, a.v, b.v).r)
    close(fc, r, -4.5)
    close(fc, effective_mass(fc, c, a, b), 1.5)
    a, b = applied(fc, c, a, b, -r / 1.5)
    close(fc, [*a.v, *b.v], np.zeros(12))


def test_an_impulse_keeps_the_momentum_of_the_pair(fc: Compiled, pair: tuple[Body, Body]) -> None:
    a, b = pair
    after = applied(fc, contact(fc, a, b), a, b, 2.5)

    def momentum(bodies: tuple[Body, Body]) -> Array:
        P = sum(x.m * x.v[:3] for x in bodies)
        L = sum(x.R @ x.J @ x.v[3:] + np.cross(x.p, x.m * x.v[:3]) for x in bodies)
        return np.concatenate([P, L])

    size = sum(float(np.linalg.norm(x.J)) * np.linalg.cond(x.J) for x in pair)
    close(fc, momentum(after), momentum(pair), 4 * size)


def test_65_a_sphere_about_its_centre_of_mass_is_not_spun(fc: Compiled) -> None:
    rng = np.random.default_rng(65)
    a, b = body(rng, [0, 0, 0], offset=0), body(rng, [2, -1, 1.5], offset=0)
    after = applied(fc, contact(fc, a, b), a, b, 10)
    for x, y in zip((a, b), after, strict=True):
        close(fc, y.v[3:], x.v[3:], 10)
        assert np.linalg.norm(y.v[:3] - x.v[:3]) > 1


def test_a_static_body_is_a_wall(fc: Compiled, pair: tuple[Body, Body]) -> None:
    a, b = replace(pair[0], m=0.0, v=AT_REST), pair[1]
    c = contact(fc, a, b)
    r = float(fc.call.contact_rhs(0, 0.01, 1, c.D_A, c.D_B, a.v, b.v).r)
    after = applied(fc, c, a, b, -r / effective_mass(fc, c, a, b))
    same(after[0].v, AT_REST)
    close(fc, rate(fc, c, after[0].v, after[1].v), 0, 10)
    assert effective_mass(fc, c, a, replace(b, m=0.0)) == 0  # two static bodies: the solver skips these


# --- the right-hand side ----------------------------------------------------------------------------------


def test_a_gap_may_close_in_the_step_and_an_overlap_is_pushed_apart_gently(fc: Compiled) -> None:
    nothing = (AT_REST,) * 4
    for gap, r in ((0.5, 5.0), (0.0, 0.0), (-0.01, -0.1), (-5.0, -2.0), (-1e6, -2.0)):
        found = fc.call.contact_rhs(gap, 0.1, 2, *nothing)
        assert found.status == 0
        close(fc, found.r, r)
    close(fc, fc.call.contact_rhs(-5, 0.1, INF, *nothing).r, -50, 50)


def test_a_step_that_is_none_is_refused(fc: Compiled) -> None:
    for dt, max_push in ((0.0, 1), (-0.0, 1), (-1.0, 1), (NAN, 1), (0.1, -1e-3), (0.1, NAN)):
        assert tuple(fc.call.contact_rhs(1, dt, max_push, *(MOVING,) * 4)) == (0, DEGENERATE)


def test_a_right_hand_side_that_overflows_is_zero(fc: Compiled) -> None:
    largest = float(np.finfo(fc.dtype).max)
    still = (AT_REST,) * 4
    for gap, dt in ((largest, 0.1), (INF, 0.1), (NAN, 0.1), (1.0, float(np.finfo(fc.dtype).tiny) / 8)):
        assert tuple(fc.call.contact_rhs(gap, dt, 1, *still)) == (0, NOT_FINITE)
    fast = largest * np.ones(6)
    assert tuple(fc.call.contact_rhs(0, 1, 1, MOVING, MOVING, fast, fast)) == (0, NOT_FINITE)
