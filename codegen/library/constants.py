"""The constants of the library's equations that have a name there: their units and meanings, by subject."""

from __future__ import annotations

from collections.abc import Mapping

CONSTANTS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "air_data": {
        "T_0": ("K", "temperature of the standard atmosphere at sea level"),
        "T_11": ("K", "temperature of the standard atmosphere from 11 km to 20 km"),
        "beta": ("K/m", "decrease of the temperature with height below 11 km"),
        "gamma": ("K/m", "increase of the temperature with height above 20 km"),
        "p_0": ("Pa", "pressure of the standard atmosphere at sea level"),
        "g_0": ("m/s^2", "standard gravity"),
        "R": ("J/(kg K)", "gas constant of air"),
        "a_0": ("m/s", "speed of sound of the standard atmosphere at sea level"),
        "B": ("m/K", "integral of the reciprocal temperature up to 20 km"),
    },
    "navigation": {
        "a": ("m", "semi-major axis of the ellipsoid of WGS 84"),
        "b": ("m", "semi-minor axis of the ellipsoid of WGS 84"),
        "f": ("1", "flattening of the ellipsoid of WGS 84"),
        "e": ("1", "first eccentricity of the ellipsoid of WGS 84"),
        "g_e": ("m/s^2", "gravity at the equator"),
        "g_p": ("m/s^2", "gravity at the poles"),
        "k": ("1", "Somigliana's constant"),
        "m": ("1", "Helmert's ratio of the centrifugal acceleration and gravity at the equator"),
        "Omega": ("rad/s", "the Earth's rate of rotation"),
        "GM": ("m^3/s^2", "the Earth's gravitational constant, of its mass with the atmosphere"),
    },
}

_STATES = {
    "Y": ("mixed", "state before the step: position, attitude, velocity and angular velocity"),
    "z": ("mixed", "state after the step, in which the attitude is a sum like the others"),
}

QUANTITIES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "air_data": {
        "I": ("m/K", "integral of the reciprocal temperature from sea level"),
        "L": ("m/K", "integral of the reciprocal temperature from the height down to sea level"),
        "q_c": ("Pa", "impact pressure: the total pressure less the static one"),
    },
    "loads": {
        "n": ("1", "unit vector from the attracting body"),
        "V": ("m^2/s^2", "potential of gravitation, which is positive"),
        "G": ("1/s^2", "derivative of the gravitational acceleration by the position"),
        "P": ("kg m^2", "sum of the masses of all particles times the dyads of their positions"),
    },
    "navigation": {
        "n": ("1", "normal of the ellipsoid, upwards"),
        "N": ("m", "radius of curvature in the prime vertical"),
        "R_N": ("m", "radius of curvature in the prime vertical"),
        "R_M": ("m", "radius of curvature in the meridian"),
        "rho": ("m", "distance from the polar axis"),
        "north": ("1", "unit vector to the north"),
        "east": ("1", "unit vector to the east"),
        "up": ("1", "unit vector upwards, the normal of the ellipsoid"),
        "p_0": ("m", "position of the origin of the local axes"),
    },
    "rigid_body": {
        "H": ("kg m^2/s", "angular momentum about the centre of mass"),
        "tau": ("N m", "moment less the gyroscopic moment"),
        **_STATES,
    },
    "rigid_body_steps": _STATES,
}
"""Quantities that depend on the arguments, which equations define and the textbook calls by these names."""
