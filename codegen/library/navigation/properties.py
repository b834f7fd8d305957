"""Geodetic coordinates of a position: the property that defines them.

A property states equations between the arguments and the results, which hold where the results are right and
no status flag is raised.
"""

from codegen.library.navigation.definitions import POSITION

# The position of lat, lon and h is p, and (N + h) cos(lat) is not negative; both angles are the usual ones.

geodetic_from_ecef = f"""{POSITION}; (N + h) cos(lat) = sqrt(p_x^2 + p_y^2)
|lat| <= pi / 2, |lon| <= pi; [p_x, p_y, p_z] = p_E"""
