"""WGS 84, its axes, air data and adapters: published values, round trips, poles, centre; double and float."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial.transform import Rotation

from codegen.library import library as library_kernels
from codegen.library.air_data import kernels as air_data
from codegen.library.navigation import kernels as navigation
from codegen.verify.libraries import Library

Array = npt.NDArray[Any]

NOT_FINITE, ZERO_NORM, DEGENERATE, OUTSIDE = 1, 32, 64, 256
SEMI_MAJOR, SEMI_MINOR = 6378137.0, 6356752.314245179
HALF_PI = np.pi / 2
NAN, INF = np.nan, np.inf


@dataclass(frozen=True)
class Compiled:
    """The kernels of both modules at one precision, and at the other one for derivatives."""

    call: Any
    double: Any
    dtype: Any

    @property
    def eps(self) -> float:
        """Machine epsilon."""
        return float(np.finfo(self.dtype).eps)


@pytest.fixture(params=["f64", "f32"])
def fc(request: pytest.FixtureRequest, library: Library) -> Compiled:
    dtype = np.float64 if request.param == "f64" else np.float32
    return Compiled(getattr(library, request.param), library.f64, dtype)


def close(actual: Any, expected: Any, atol: float) -> None:
    np.testing.assert_allclose(np.ravel(actual).astype(float), np.ravel(expected), rtol=0, atol=atol)


def same(actual: Any, expected: Any) -> None:
    np.testing.assert_array_equal(actual, expected)


# --- the ellipsoid ----------------------------------------------------------------------------------------


def test_the_constants_are_those_that_are_published() -> None:
    """NIMA TR8350.2, tables 3.1, 3.3 and 3.4."""
    assert abs(float(navigation.E2) - 6.69437999014e-3) < 1e-14
    assert abs(float(navigation.A * (1 - navigation.F)) - 6356752.3142) < 1e-4
    assert abs(float(navigation.BULGE) - 0.00193185265241) < 1e-11  # from g_e and g_p before rounding
    assert abs(float(navigation.SPIN) - 0.00344978650684) < 1e-14


PUBLISHED = {
    "MATLAB lla2ecef": ((0, 45, 1000), (4510731, 4510731, 0), 0.5),
    "pymap3d": ((42, -82, 200), (660675.2518247, -4700948.68316, 4245737.66222), 1e-5),
    "on the equator": ((0, 0, 0), (SEMI_MAJOR, 0, 0), 1e-8),
    "east": ((0, 90, 0), (0, SEMI_MAJOR, 0), 1e-8),
    "north pole": ((90, 0, 0), (0, 0, SEMI_MINOR), 1e-8),
    "south pole": ((-90, 0, 100), (0, 0, -SEMI_MINOR - 100), 1e-8),
}


@pytest.mark.parametrize("where", PUBLISHED)
def test_published_points(fc: Compiled, where: str) -> None:
    (lat, lon, h), p_E, digits = PUBLISHED[where]
    rounding = 2 * fc.eps * SEMI_MAJOR
    there = fc.call.ecef_from_geodetic(np.radians(lat), np.radians(lon), h).p_E
    close(there, p_E, digits + rounding)
    back = fc.call.geodetic_from_ecef(p_E)
    assert back.status == 0
    close([back.lat, back.lon], np.radians([lat, lon]), digits / SEMI_MAJOR + 2 * fc.eps)
    close(back.h, h, digits + rounding)


LATITUDES = np.radians([-90, -89.9999, -60, -45, -1e-6, 0, 1e-3, 30, 45.0001, 75, 89.999, 90])
LONGITUDES = np.radians([-180, -179.999, -90, -33, 0, 1e-6, 60, 135, 180])
HEIGHTS = (-10e3, 0, 1e3, 12e3, 4e5, 2e7, 5e7)


@pytest.mark.parametrize("h", HEIGHTS)
def test_there_and_back(fc: Compiled, h: float) -> None:
    """A round trip keeps a position to its last digits, and so a latitude, a longitude and a height."""
    for lat, lon in itertools.product(LATITUDES, LONGITUDES):
        p_E = fc.call.ecef_from_geodetic(lat, lon, h).p_E
        lat_, lon_, h_, status = fc.call.geodetic_from_ecef(p_E)
        size = SEMI_MAJOR + abs(h)
        assert status == 0
        close(fc.call.ecef_from_geodetic(lat_, lon_, h_).p_E, p_E, 6 * fc.eps * size)
        close(lat_, lat, 3 * fc.eps)
        close(h_, h, 6 * fc.eps * size)
        if abs(lat) < 1.5:  # at the poles the longitude is lost in the rounding of x and y
            turn = np.exp(1j * (float(lon_) - lon))
            close([turn.real, turn.imag], [1, 0], 4 * fc.eps)


@pytest.mark.parametrize("h", [-6.3e6, -4e6, -1e5, *HEIGHTS, 4e8, 1.5e11])
def test_height_and_latitude_are_right_to_the_last_digits(fc: Compiled, h: float) -> None:
    """Against a search on 40 digits for the given, rounded position; half of it is far outside its use."""
    from codegen.library.navigation.reference import ecef_from_geodetic, geodetic_from_ecef

    with mpmath.workdps(40):
        for lat, lon in itertools.product(LATITUDES[::2], (0.3, -2.0)):
            p_E = ecef_from_geodetic(lat, lon, h).outputs[0].astype(fc.dtype)
            if np.linalg.norm(p_E) < 51e3:
                continue
            exact = np.array([mpmath.mpf(float(x)) for x in p_E], dtype=object)
            (lat_,), (lon_,), (h_,) = geodetic_from_ecef(exact).outputs
            found = fc.call.geodetic_from_ecef(p_E)
            close(found.lat, float(lat_), 1.5 * fc.eps)
            close(found.lon, float(lon_), 2 * fc.eps)
            close(found.h, float(h_), 3 * fc.eps * max(SEMI_MAJOR, float(np.linalg.norm(p_E))))


@pytest.mark.parametrize("z", [SEMI_MINOR, -SEMI_MINOR, 6.4e6, -7e6, 60e3, -4e7])
def test_the_longitude_of_the_polar_axis_is_zero(fc: Compiled, z: float) -> None:
    for x, y in itertools.product((0.0, -0.0), repeat=2):
        lat, lon, h, status = fc.call.geodetic_from_ecef([x, y, z])
        assert (status, lon) == (0, 0)
        close(lat, np.copysign(HALF_PI, z), fc.eps)
        close(h, abs(z) - SEMI_MINOR, 2 * fc.eps * max(abs(z), SEMI_MINOR))


def test_near_the_axis_the_longitude_is_that_of_x_and_y(fc: Compiled) -> None:
    for size in (1.0, 1e-6, 1e-25):  # the square of the last one underflows in float
        found = fc.call.geodetic_from_ecef([-size, -size, 6.4e6])
        close(found.lon, -3 * np.pi / 4, 2 * fc.eps)


def test_the_antimeridian_is_one_place_from_both_sides(fc: Compiled) -> None:
    west, east = (fc.call.geodetic_from_ecef([-4e6, y, 5e6]) for y in (-0.0, 0.0))
    close([west.lon, east.lon], [-np.pi, np.pi], 2 * fc.eps)
    assert (west.lat, west.h) == (east.lat, east.h)


@pytest.mark.parametrize("p_E", [[0, 0, 0], [50e3, 0, 0], [0, -50e3, 0], [1, 2, 49e3], [-3e4, 3e4, 2e4]])
def test_near_the_centre_there_is_no_latitude(fc: Compiled, p_E: list[float]) -> None:
    same(fc.call.geodetic_from_ecef(p_E), [0, 0, 0, DEGENERATE])


@pytest.mark.parametrize("p_E", [[51e3, 0, 0], [0, 0, 51e3], [0, 0, -51e3], [-30e3, 30e3, 30e3]])
def test_from_50_km_on_the_nearest_point_is_found(fc: Compiled, p_E: list[float]) -> None:
    lat, lon, h, status = fc.call.geodetic_from_ecef(p_E)
    assert status == 0
    close(fc.call.ecef_from_geodetic(lat, lon, h).p_E, p_E, 8 * fc.eps * SEMI_MAJOR)


def test_what_is_not_finite_or_too_far_is_refused(fc: Compiled) -> None:
    largest = float(np.finfo(fc.dtype).max)
    far = SEMI_MAJOR * largest**0.25
    for x in (INF, -INF, largest, 2 * far):
        for place in itertools.permutations([x, 1e6, -2e6]):
            same(fc.call.geodetic_from_ecef(place), [0, 0, 0, NOT_FINITE])
    for place in itertools.permutations([NAN, 1e6, 2e6]):
        same(fc.call.geodetic_from_ecef(place), [0, 0, 0, NOT_FINITE | DEGENERATE])
    distant = fc.call.geodetic_from_ecef([far / 3, far / 3, -far / 3])
    assert distant.status == 0
    close([distant.h / far, distant.lon], [np.sqrt(3) / 3, np.pi / 4], 4 * fc.eps)


# --- local axes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lat", "lon"), [(0.7, 2.1), (-1.2, -0.4), (0, 0), (1.55, 3.1), (-0.3, -2.9)])
def test_north_east_and_down_are_where_the_position_moves(fc: Compiled, lat: float, lon: float) -> None:
    def position(*moved: float) -> Array:
        return np.asarray(fc.double.ecef_from_geodetic(*moved).p_E)

    steps = np.diag([1e-5, 1e-5, -1e2])
    here = np.array([lat, lon, 500.0])
    changes = [position(*(here + s)) - position(*(here - s)) for s in steps]
    axes = [change / np.linalg.norm(change) for change in changes]
    close(fc.call.dcm_ecef_to_ned(lat, lon).R_NE, axes, 2e-9 + 2 * fc.eps)


def test_local_axes_at_the_pole_and_at_zero(fc: Compiled) -> None:
    close(fc.call.dcm_ecef_to_ned(0, 0).R_NE, [0, 0, 1, 0, 1, 0, -1, 0, 0], 0)
    for lat, lon in itertools.product((HALF_PI, -HALF_PI), (0.0, 1.0, -3.0)):
        R = np.reshape(fc.call.dcm_ecef_to_ned(lat, lon).R_NE, (3, 3)).astype(float)
        close(R @ R.T, np.eye(3), 4 * fc.eps)
        close(np.linalg.det(R), 1, 4 * fc.eps)
        close(R[2], [0, 0, -np.sign(lat)], fc.eps)


def in_radians(place: tuple[float, float, float]) -> tuple[float, float, float]:
    """Latitude and longitude in radians, from degrees, and the height."""
    return float(np.radians(place[0])), float(np.radians(place[1])), place[2]


HERE = in_radians((42, -82, 200))
"""The origin of pymap3d's tests, which compare it with MATLAB's Mapping Toolbox."""
NEAR = [660930.1927610816, -4701424.222957011, 4246579.604632881], [286.842228, 186.277521, -939.692621]


def test_local_positions_are_those_of_matlab(fc: Compiled) -> None:
    """Azimuth 33, elevation 70 and range 1000 m, as printed in the tests of pymap3d and matmap3d."""
    p_E, p_N = NEAR
    rounding = 4 * fc.eps * SEMI_MAJOR
    close(fc.call.ned_from_ecef(p_E, *HERE).p_N, p_N, 1e-6 + rounding)
    close(fc.call.ecef_from_ned(p_N, *HERE).p_E, p_E, 1e-5 + rounding)


def test_local_positions_are_known_at_the_equator(fc: Compiled) -> None:
    """At lat = lon = 0 north is z, east is y and down is against x."""
    same(fc.call.ned_from_ecef([SEMI_MAJOR + 7, 2, 3], 0, 0, 0).p_N, [3, 2, -7])
    same(fc.call.ned_from_ecef([SEMI_MAJOR + 7, 2, 3], 0, 0, 7).p_N, [3, 2, 0])
    same(fc.call.ecef_from_ned([3, 2, -7], 0, 0, 0).p_E, [SEMI_MAJOR + 7, 2, 3])


@pytest.mark.parametrize("lat", [-HALF_PI, -1.0, 0.3, HALF_PI])
def test_local_positions_go_there_and_back(fc: Compiled, lat: float) -> None:
    for lon, h, p_N in ((2.0, 500.0, [1e3, -2e3, -3e2]), (-3.1, -20.0, [0.5, 0.25, 1e5])):
        p_E = fc.call.ecef_from_ned(p_N, lat, lon, h).p_E
        close(fc.call.ned_from_ecef(p_E, lat, lon, h).p_N, p_N, 6 * fc.eps * SEMI_MAJOR)


# --- curvature, and the rates of the axes -----------------------------------------------------------------

PUBLISHED_RADII = {
    0: (6335439.327, 6378137.0),
    45: (6367381.816, 6388838.290),
    90: (6399593.6258, 6399593.6258),
}
"""Latitude in degrees -> M and N: the tests of PyGeodesy, `roc2`; NIMA TR8350.2, table 3.3, at the pole."""


@pytest.mark.parametrize("lat", PUBLISHED_RADII)
def test_radii_of_curvature_are_those_that_are_published(fc: Compiled, lat: int) -> None:
    for sign in (1, -1):
        found = fc.call.curvature_radii(sign * np.radians(lat))
        close(found, PUBLISHED_RADII[lat], 5e-4 + 4 * fc.eps * SEMI_MAJOR)


OMEGA = 7.292115e-5


def test_the_earth_turns_about_north_at_the_equator_and_about_up_at_the_north_pole(fc: Compiled) -> None:
    """15.041 degrees an hour."""
    same(fc.call.earth_rate_ned(0, OMEGA).w_N, np.array([OMEGA, 0, 0]).astype(fc.dtype))
    for pole, down in ((HALF_PI, -1), (-HALF_PI, 1)):
        w_N = np.asarray(fc.call.earth_rate_ned(pole, OMEGA).w_N, float)
        close(w_N, [0, 0, down * OMEGA], 2 * fc.eps * OMEGA)
        close(np.degrees(w_N[2]) * 3600, down * 15.041, 1e-4)


def test_the_axes_turn_about_north_flying_east_and_about_west_flying_north(fc: Compiled) -> None:
    """On the equator: once around it at 1 degree of longitude a second."""
    degree = np.radians(1)
    east = fc.call.transport_rate_ned(0, 1000, [0, degree * (SEMI_MAJOR + 1000), 5])
    close(east.w_N, [degree, 0, 0], 4 * fc.eps * degree)
    north = fc.call.transport_rate_ned(0, 1000, [degree * (6335439.327 + 1000), 0, -5])
    close(north.w_N, [0, -degree, 0], 1e-9 * degree + 4 * fc.eps * degree)
    assert east.status == north.status == 0


@pytest.mark.parametrize("lat", [-1.5, -0.6, 0.2, 1.1, 1.57])
def test_the_axes_turn_as_the_matrix_does(fc: Compiled, lat: float) -> None:
    """R_NE in double a moment before and after, at a position moved along the velocity."""
    lon, h, v_N = 0.4, 11e3, np.array([210.0, -130.0, 8.0])
    R_NE = np.reshape(fc.double.dcm_ecef_to_ned(lat, lon).R_NE, (3, 3))
    p_E, dt = np.asarray(fc.double.ecef_from_geodetic(lat, lon, h).p_E), 2e-2

    def axes(t: float) -> Array:
        there = fc.double.geodetic_from_ecef(p_E + R_NE.T @ v_N * t)
        return np.reshape(fc.double.dcm_ecef_to_ned(there.lat, there.lon).R_NE, (3, 3))

    W = R_NE @ (axes(dt) - axes(-dt)).T / (2 * dt)
    w_N, status = fc.call.transport_rate_ned(lat, h, v_N)
    assert status == 0
    size = float(np.max(np.abs(w_N)))
    close(w_N, [W[2, 1], W[0, 2], W[1, 0]], 3e-6 * size + 4 * fc.eps * size / np.cos(lat))


def test_at_a_pole_north_stays_where_it_is(fc: Compiled) -> None:
    for lat in (HALF_PI, -HALF_PI, HALF_PI - 0.5 * fc.eps**0.5):
        w_N, status = fc.call.transport_rate_ned(lat, 0, [100, 200, 3])
        assert status == DEGENERATE
        close(w_N, [200 / 6399593.6258, -100 / 6399593.6258, 0], 1e-15 + 4e-5 * fc.eps)
    for lat in (HALF_PI - 2 * fc.eps**0.5, np.pi):
        assert fc.call.transport_rate_ned(lat, 0, [100, 200, 3]).status == 0


def test_a_transport_rate_that_is_not_finite_is_refused(fc: Compiled) -> None:
    for x in (NAN, INF, -INF):
        assert fc.call.transport_rate_ned(x, 0, [1, 2, 3]).status & NOT_FINITE
        for v_N in ([x, 1, 2], [1, x, 2]):
            w_N, status = fc.call.transport_rate_ned(0.5, 0, v_N)
            same([*w_N, status], [0, 0, 0, NOT_FINITE])
    w_N, status = fc.call.transport_rate_ned(0, -SEMI_MAJOR, [1, 2, 3])
    same([*w_N, status], [0, 0, 0, NOT_FINITE])


# --- inertial axes ----------------------------------------------------------------------------------------


def test_a_star_stands_in_the_west_after_the_earth_has_turned_east(fc: Compiled) -> None:
    """Over the meridian of lon = 0 at first, over that of 90 degrees west a quarter turn later."""
    R_EI = np.reshape(fc.call.dcm_eci_to_ecef(HALF_PI).R_EI, (3, 3))
    close(R_EI @ [1, 0, 0], [0, -1, 0], fc.eps)
    close(R_EI @ [0, 0, 1], [0, 0, 1], 0)
    close(R_EI @ R_EI.T, np.eye(3), 2 * fc.eps)


def test_a_geostationary_satellite_stands_still(fc: Compiled) -> None:
    """42164.17 km from the centre and eastward at 3074.66 m/s in inertial axes."""
    for theta, lon in ((0.0, 0.0), (1.0, 0.0), (2.5, 1.2)):
        place = np.array([np.cos(theta + lon), np.sin(theta + lon), 0])
        moved = np.array([-np.sin(theta + lon), np.cos(theta + lon), 0])
        p_E, v_E = fc.call.ecef_from_eci(42164170 * place, 3074.66 * moved, theta, OMEGA)
        close(p_E, 42164170 * np.array([np.cos(lon), np.sin(lon), 0]), 8 * fc.eps * 42164170)
        close(v_E, [0, 0, 0], 5e-3 + 8 * fc.eps * 3074.66)


def test_a_point_of_the_ground_is_carried_east_at_465_m_s(fc: Compiled) -> None:
    p_I, v_I = fc.call.eci_from_ecef([SEMI_MAJOR, 0, 0], [0, 0, 0], HALF_PI, OMEGA)
    close(p_I, [0, SEMI_MAJOR, 0], 2 * fc.eps * SEMI_MAJOR)
    close(v_I, [-465.101, 0, 0], 1e-3)


def test_inertial_velocities_are_changes_of_inertial_positions(fc: Compiled) -> None:
    p_E, v_E, theta, dt = np.array([4e6, -3e6, 5e6]), np.array([250.0, -90.0, 30.0]), 0.8, 1.0
    before, after = (
        np.asarray(fc.double.eci_from_ecef(p_E + v_E * t, v_E, theta + OMEGA * t, OMEGA).p_I)
        for t in (-dt, dt)
    )
    p_I, v_I = fc.call.eci_from_ecef(p_E, v_E, theta, OMEGA)
    close(v_I, (after - before) / (2 * dt), 1e-6 + 8 * fc.eps * 600)
    back = fc.call.ecef_from_eci(p_I, v_I, theta, OMEGA)
    close(back.p_E, p_E, 6 * fc.eps * 7e6)
    close(back.v_E, v_E, 6 * fc.eps * 7e6 * OMEGA + 6 * fc.eps * 600)


# --- the atmosphere ---------------------------------------------------------------------------------------

ATMOSPHERE = {
    -5000: (320.65, 177687.0, 1.93047, 358.972),
    0: (288.15, 101325.0, 1.225, 340.294),
    5000: (255.65, 54019.9, 0.736116, 320.529),
    11000: (216.65, 22632.0, 0.363918, 295.069),
    15000: (216.65, 12044.5, 0.193673, 295.069),
    20000: (216.65, 5474.87, 0.0880345, 295.069),
    32000: (228.65, 868.014, 0.0132249, 303.131),
}
"""Geopotential height -> T, p, rho, a, to six digits as tables round them; the tests below need no table."""

BASES = {11000: 22632.1, 20000: 5474.89, 32000: 868.02}
"""The pressures at which the layers of the U.S. Standard Atmosphere 1976 begin, as printed."""


@pytest.mark.parametrize("h", ATMOSPHERE)
def test_the_atmosphere_is_that_which_is_published(fc: Compiled, h: int) -> None:
    *found, status = fc.call.isa_atmosphere(h)
    assert status == 0
    np.testing.assert_allclose(np.ravel(found).astype(float), ATMOSPHERE[h], rtol=6e-6 + 16 * fc.eps)


def hydrostatic(h: int) -> tuple[float, float]:
    """Temperature and pressure at a geopotential height, from dp/dh = -g p / (R T), integrated by mpmath."""
    with mpmath.workdps(30):

        def temperature(y: Any) -> Any:
            return (
                mpmath.mpf("288.15")
                - mpmath.mpf("0.0065") * min(y, 11000)
                + max(y - 20000, 0) / mpmath.mpf(1000)
            )

        ends = [0, *(y for y in (11000, 20000) if y < h), h]
        weight = mpmath.quad(
            lambda y: mpmath.mpf("9.80665") / (mpmath.mpf("287.05287") * temperature(y)), ends
        )
        return float(temperature(mpmath.mpf(h))), float(101325 * mpmath.exp(-weight))


@pytest.mark.parametrize("h", [-5000, -1, 0, 5000, 10999, 11000, 11001, 15000, 20000, 20001, 25000, 32000])
def test_the_atmosphere_is_in_equilibrium(fc: Compiled, h: int) -> None:
    """An integral in 30 digits, without a closed form; the exponent, 5 at most, is off by a few eps."""
    T, p = hydrostatic(h)
    found = fc.call.isa_atmosphere(h)
    expected = (T, p, p / (287.05287 * T), 20.046796 * math.sqrt(T))
    np.testing.assert_allclose(np.ravel(found[:4]).astype(float), expected, rtol=32 * fc.eps)


@pytest.mark.parametrize("h", BASES)
def test_layers_begin_at_the_pressures_of_1976(fc: Compiled, h: int) -> None:
    """Whose gas constant, 8314.32 / 28.9644, is larger by 7e-7: the logarithm of the pressure is smaller."""
    p = float(fc.call.isa_atmosphere(h).p)
    of_1976 = 101325 * (p / 101325) ** (287.05287 * 28.9644 / 8314.32)
    np.testing.assert_allclose(of_1976, BASES[h], rtol=2e-6 + 16 * fc.eps)


def test_beyond_its_ends_the_atmosphere_is_that_of_the_nearer_one(fc: Compiled) -> None:
    for h, end in ((-6000, -5000), (33000, 32000), (INF, 32000), (-INF, -5000)):
        *found, status = fc.call.isa_atmosphere(h)
        assert status == OUTSIDE
        same(found, fc.call.isa_atmosphere(end)[:4])
    assert fc.call.isa_atmosphere(NAN).status == OUTSIDE


def test_airspeeds_are_those_that_are_published(fc: Compiled) -> None:
    """FL350 at Mach 0.8: 272 knots calibrated, in tables of whole knots."""
    _, p, rho, a, _ = fc.call.isa_atmosphere(10668)
    M, q_bar, CAS, status = fc.call.airspeeds(0.8 * a, p, rho)
    assert status == 0
    close(M, 0.8, 1e-5)
    close(q_bar, 0.7 * p * 0.64, 1e-4 * p)
    close(CAS * 3600 / 1852, 272, 0.5)


def test_at_sea_level_airspeeds_agree(fc: Compiled) -> None:
    _, p, rho, _, _ = fc.call.isa_atmosphere(0)
    for V in (1e-3, 1.0, 100.0, 340.0):
        found = fc.call.airspeeds(V, p, rho)
        close(found.CAS, V, 2e-6 * V + 16 * fc.eps * V)
    above = fc.call.airspeeds(341, p, rho)
    assert (above.status, above.CAS) == (OUTSIDE, 0)


# --- gravity ----------------------------------------------------------------------------------------------


def test_gravity_at_the_equator_and_the_poles(fc: Compiled) -> None:
    close(fc.call.gravity_wgs84(0, 0).g, 9.7803253359, 9.8 * fc.eps)
    for pole in (HALF_PI, -HALF_PI):
        close(fc.call.gravity_wgs84(pole, 0).g, 9.8321849378, 9.8 * 2 * fc.eps)


def normal_gravity(lat: float, h: float) -> float:
    """|grad U| of the exact field of the level ellipsoid (Heiskanen and Moritz, section 2-7)."""
    gm, omega, mp = mpmath.mpf("3.986004418e14"), mpmath.mpf("7.292115e-5"), mpmath
    a, f = mpmath.mpf(6378137), 1 / mpmath.mpf("298.257223563")
    b = a * (1 - f)
    E = mp.sqrt(a * a - b * b)

    def q(u: Any) -> Any:
        return ((1 + 3 * (u / E) ** 2) * mp.atan(E / u) - 3 * u / E) / 2

    def potential(rho: Any, z: Any) -> Any:
        d = rho**2 + z**2 - E**2
        u = mp.sqrt(d / 2 * (1 + mp.sqrt(1 + (2 * E * z / d) ** 2)))
        sine2 = (z / u) ** 2
        swirl = omega**2 / 2 * (a**2 * q(u) / q(b) * (sine2 - mpmath.mpf(1) / 3) + rho**2)
        return gm / E * mp.atan(E / u) + swirl

    N = a / mp.sqrt(1 - f * (2 - f) * mp.sin(lat) ** 2)
    rho, z = (N + h) * mp.cos(lat), (N * (1 - f) ** 2 + h) * mp.sin(lat)
    return float(mp.hypot(mp.diff(potential, (rho, z), (1, 0)), mp.diff(potential, (rho, z), (0, 1))))


STATED = [(0, 1e-10), (1e4, 8e-7), (2e4, 1.5e-6), (5e4, 2.1e-5), (1e5, 1.6e-4), (2e5, 1.2e-3)]
"""The header's errors of the series, by height."""


@pytest.mark.parametrize(("h", "series"), STATED)
@pytest.mark.parametrize("lat", [0.0, 0.5, -0.8, 1.2, HALF_PI])
def test_gravity_is_that_of_the_level_ellipsoid(fc: Compiled, lat: float, h: float, series: float) -> None:
    with mpmath.workdps(40):
        close(fc.call.gravity_wgs84(lat, h).g, normal_gravity(lat, h), series + 9.8 * 3 * fc.eps)


# --- air data ---------------------------------------------------------------------------------------------

FLOWS = [(35.0, 0.1, -0.05), (240.0, -0.3, 0.4), (1e-3, 2.5, 1.2), (5.0, -3.0, -1.5), (1.0, 0.0, 0.0)]


@pytest.mark.parametrize(("V", "alpha", "beta"), FLOWS)
def test_wind_axes_carry_the_airspeed(fc: Compiled, V: float, alpha: float, beta: float) -> None:
    R_BW = np.reshape(fc.call.dcm_from_wind(alpha, beta).R_BW, (3, 3)).astype(float)
    velocity = fc.call.velocity_from_air_data(V, alpha, beta).v_air_B
    direction = [np.cos(alpha) * np.cos(beta), np.sin(beta), np.sin(alpha) * np.cos(beta)]
    close(velocity, V * np.array(direction), 2 * fc.eps * V)
    close(R_BW @ [V, 0, 0], velocity, 4 * fc.eps * V)
    close(R_BW @ R_BW.T, np.eye(3), 4 * fc.eps)
    close(np.linalg.det(R_BW), 1, 4 * fc.eps)
    assert R_BW[1, 2] == 0  # z stays in the plane of symmetry
    found = fc.call.air_data_from_velocity(velocity)
    assert found.status == 0
    close(found[:3], [V, alpha, beta], 4 * fc.eps * max(V, np.pi) / np.cos(beta))


def test_wind_axes_are_not_those_of_the_printed_order(fc: Compiled) -> None:
    """Passive elementary matrices C: the text prints C_z(-beta) C_y(alpha), which is another attitude."""
    alpha, beta = 0.2, 0.3
    C_y, C_z = (Rotation.from_euler(i, x).as_matrix().T for i, x in (("y", alpha), ("z", -beta)))
    R_BW = np.reshape(fc.call.dcm_from_wind(alpha, beta).R_BW, (3, 3))
    close(R_BW, C_y @ C_z, 2 * fc.eps)
    flow = fc.call.velocity_from_air_data(1, alpha, beta).v_air_B
    assert np.max(np.abs(C_z @ C_y - R_BW)) > 0.05
    assert np.max(np.abs((C_z @ C_y)[:, 0] - flow)) > 0.005


def test_air_data_of_every_direction(fc: Compiled) -> None:
    cases = {
        (3, 0, 0): (3, 0, 0),
        (-2, 0, 0): (2, np.pi, 0),
        (0, 5, 0): (5, 0, HALF_PI),
        (0, -5, 0): (5, 0, -HALF_PI),
        (0, 0, 4): (4, HALF_PI, 0),
        (0, 0, -4): (4, -HALF_PI, 0),
        (1, 1e-8, -1e-9): (1, -1e-9, 1e-8),  # acos(u / V) loses such angles
        (1, 1e8, 0): (1e8, 0, HALF_PI - 1e-8),  # asin(v / V) loses the difference
    }
    for velocity, expected in cases.items():
        found = fc.call.air_data_from_velocity(velocity)
        assert found.status == 0
        np.testing.assert_allclose(found[:3], expected, rtol=2 * fc.eps)


def test_air_without_speed_or_with_too_much(fc: Compiled) -> None:
    info = np.finfo(fc.dtype)
    still, fast = float(np.sqrt(info.tiny)) / 2, float(np.sqrt(info.max)) * 2
    for x, status in (
        (0.0, ZERO_NORM),
        (-0.0, ZERO_NORM),
        (still, ZERO_NORM),
        (fast, NOT_FINITE),
        (-INF, NOT_FINITE),
        (NAN, ZERO_NORM | NOT_FINITE),
    ):
        for place in itertools.permutations([x, 0.0, 0.0]):
            same(fc.call.air_data_from_velocity(place), [0, 0, 0, status])
    for scale in (still * 8, 1e-6, 1e6, fast / 8):
        found = fc.call.air_data_from_velocity(np.array([1, 2, 3]) * scale)
        assert found.status == 0
        close([found.V / scale, *found[1:3]], [14**0.5, np.arctan2(3, 1), np.arctan2(2, 10**0.5)], 8 * fc.eps)


# --- adapters ---------------------------------------------------------------------------------------------


def test_quaternions_in_the_order_of_scipy(fc: Compiled) -> None:
    attitude = Rotation.from_euler("xyz", [0.1, 0.2, 0.3])
    xyzw = attitude.as_quat().astype(fc.dtype)
    same(fc.call.quat_from_xyzw(xyzw).q, [xyzw[3], *xyzw[:3]])
    same(fc.call.quat_to_xyzw(fc.call.quat_from_xyzw(xyzw).q).xyzw, xyzw)
    close(fc.call.quat_from_xyzw(xyzw).q, [0.9833474433, 0.0342707986, 0.1060205111, 0.1435721750], 1e-7)


def test_a_heading_in_the_world_and_body_of_ros(fc: Compiled) -> None:
    """Nose north and level is yaw 90 degrees there; roll keeps its sign, pitch and yaw change theirs."""
    R_UN = np.reshape(fc.call.dcm_ned_to_enu().R_UN, (3, 3))
    R_LB = np.reshape(fc.call.dcm_frd_to_flu().R_LB, (3, 3))
    same(R_UN @ [1, 2, 3], [2, 1, -3])
    same(R_LB @ [1, 2, 3], [1, -2, -3])
    for R in (R_UN, R_LB):
        same(R @ R, np.eye(3))
        assert np.linalg.det(R) == 1
    for roll, pitch, yaw in ((0, 0, 0), (0.1, 0.2, 0.3), (-0.4, -0.6, -2.0)):
        R_NB = Rotation.from_euler("xyz", [roll, pitch, yaw]).as_matrix()
        ros = Rotation.from_matrix(R_UN @ R_NB @ R_LB.T).as_euler("xyz")
        close(ros, [roll, -pitch, (HALF_PI - yaw + np.pi) % (2 * np.pi) - np.pi], 1e-12)


def test_every_kernel_here_is_proven_or_certified() -> None:
    from codegen.proof.proof import prove

    for name, k in library_kernels().items():
        if k.module in (air_data.__name__.split(".")[-1], navigation.__name__.split(".")[-1]):
            certified = "certified numerically at 38 of 40 points"  # the others are too near the centre
            assert prove(k).status == (certified if name == "geodetic_from_ecef" else "proven")
