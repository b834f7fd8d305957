"""The books, papers and reports that the project cites, with the places in them that were looked up.

A place stands here only if a text was seen that gives it this number in this edition. It has its title or, in
lower case, its subject where the text that was seen gives no title. Where nothing was looked up, or it is not
known which edition is meant, the work is cited alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from codegen.errors import FeatherError


class Work(str):
    """The citation of a work: authors, title, edition (year), or for a paper the journal, year."""

    places: Mapping[str, str]

    def __new__(cls, citation: str, places: Mapping[str, str] | None = None) -> Work:
        """With the titles of the places that were looked up, by kind and number."""
        work = super().__new__(cls, citation)
        work.places = places or {}
        return work

    def at(self, *places: str) -> str:
        """The citation of places in it, such as "section 2.13"."""
        for place in places:
            if place not in self.places:
                raise FeatherError(
                    f"{self}: {place} was not looked up: add its title, or cite the work alone"
                )
        return ", ".join((self, *(f"{place}, {self.places[place]}" for place in places)))


ANITESCU = Work("Anitescu and Tasora, An iterative approach for cone complementarity problems, COAP 47, 2010")
BARFOOT = Work(
    "Barfoot, State Estimation for Robotics (2017)",
    {"equation 7.85b": "left Jacobian of SE(3)", "equation 7.86b": "its block Q"},
)
BERNARDES = Work("Bernardes and Viollet, Quaternion to Euler angles conversion, PLoS ONE 17(11), 2022")
BIERMAN = Work("Bierman, Factorization Methods for Discrete Sequential Estimation (1977)")
BOWRING = Work("Bowring, The accuracy of geodetic latitude and height equations, Survey Review 28, 1985")
BUCY = Work("Bucy and Joseph, Filtering for Stochastic Processes")
COTTLE = Work("Cottle, Pang and Stone, The Linear Complementarity Problem (1992)")
CRASSIDIS = Work(
    "Markley and Crassidis, Fundamentals of Spacecraft Attitude Determination and Control (2014)"
)
DIEBEL = Work(
    "Diebel, Representing Attitude (2006)",
    {
        "section 2": "Rotation Matrix",
        "section 5": "Euler Angles",
        "section 5.2": "Euler Angle Rates and Angular Velocity",
        "section 6": "Quaternions",
        "equation 79": "rates of the sequence (1, 2, 3)",
    },
)
DRAKE = Work("Drake, documentation of SpatialInertia and UnitInertia")
DUFF = Work("Duff et al., Building an Orthonormal Basis, Revisited, JCGT 6(1), 2017")
FEATHERSTONE = Work(
    "Featherstone, Rigid Body Dynamics Algorithms (2008)",
    {
        "section 2.5": "Line Vectors and Free Vectors",
        "section 2.6": "Scalar Product",
        "section 2.8": "Coordinate Transforms",
        "section 2.9": "Spatial Cross Products",
        "section 2.13": "Inertia",
        "section 2.14": "Equation of Motion",
        "section 2.15": "Inverse Inertia",
        "section 4.4": "calculations of a joint",
        "section 5.3": "The Recursive Newton-Euler Algorithm",
        "section 6.2": "The Composite-Rigid-Body Algorithm",
        "section 6.5": "Sparse Factorization Algorithms",
        "section 7.1": "Articulated-Body Inertia",
        "section 7.3": "The Articulated-Body Algorithm",
        "equation 2.28": "transform of motions",
        "equation 2.31": "cross product of motions",
        "equation 2.63": "inertia from mass and centre of mass",
        "equation 2.67": "kinetic energy",
        "equation 2.74": "inverse of an inertia",
        "appendix A": "efficient spatial arithmetic",
    },
)
GOLDSTEIN = Work("Goldstein, Classical Mechanics")
GOLUB = Work(
    "Golub and Van Loan, Matrix Computations, 4th ed. (2013)",
    {
        "section 4.1": "Diagonal Dominance and Symmetry",
        "section 4.2": "Positive Definite Systems",
        "section 5.2": "The QR Factorization",
        "section 8.1": "Properties and Decompositions",
        "section 8.5": "Jacobi Methods",
    },
)
GRACEY = Work("Gracey, Measurement of Aircraft Speed and Altitude, NASA RP-1046 (1980)")
GROVES = Work(
    "Groves, Principles of GNSS, Inertial, and Multisensor Integrated Navigation Systems, 2nd ed. (2013)",
    {
        "equation 2.105": "radii of curvature",
        "equation 2.112": "Cartesian position",
        "equation 2.145": "turn from ECI to ECEF",
        "equation 2.146": "position in ECI and ECEF",
        "equation 2.147": "velocity in ECI and ECEF",
        "equation 2.150": "turn from ECEF to NED",
        "equation 5.44": "transport rate",
    },
)
HAIRER = Work(
    "Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, 2nd ed. (1993)",
    {"section II.1": "The First Runge-Kutta Methods"},
)
HUGHES = Work("Hughes, Spacecraft Attitude Dynamics (1986)")
IERS = Work("IERS Conventions (2010)", {"equation 5.15": "Earth rotation angle"})
ISO = Work("ISO 2533:1975, Standard Atmosphere")
JAIN = Work("Jain, Robot and Multibody Dynamics (2011)")
KHALIL = Work("Khalil and Dombre, Modeling, Identification and Control of Robots (2002)")
LUBICH = Work(
    "Hairer, Lubich and Wanner, Geometric Numerical Integration, 2nd ed. (2006)",
    {"section I.1": "First Problems and Methods"},
)
MARKLEY = Work("Markley, Cheng, Crassidis and Oshman, Averaging quaternions, JGCD 30(4), 2007")
MAYBECK = Work("Maybeck, Stochastic Models, Estimation, and Control, volume 1 (1979)")
MAZHAR = Work(
    "Mazhar, Heyn, Negrut and Tasora, Using Nesterov's method to accelerate multibody dynamics with friction "
    "and contact, ACM Trans. Graphics 34(3), 2015"
)
MICRO_LIE = Work(
    "Sola, Deray and Atchuthan, A micro Lie theory for state estimation in robotics (2018)",
    {"appendix B": "SO(3)", "appendix D": "SE(3)"},
)
MONTENBRUCK = Work("Montenbruck and Gill, Satellite Orbits (2000)", {"section 3.2": "Geopotential"})
MURRAY = Work(
    "Murray, Li and Sastry, A Mathematical Introduction to Robotic Manipulation (1994)",
    {"chapter 2, section 2": "Rotational Motion in R^3", "chapter 2, section 3": "Rigid Motion in R^3"},
)
NESTEROV = Work(
    "Nesterov, Lectures on Convex Optimization, 2nd ed. (2018)", {"section 2.2": "Optimal Methods"}
)
NIMA = Work(
    "NIMA TR8350.2, Department of Defense World Geodetic System 1984 (2000)",
    {
        "equation 4-1": "normal gravity on the ellipsoid",
        "equation 4-3": "normal gravity above the ellipsoid",
        "equation 4-15": "radius of curvature in the prime vertical",
    },
)
NIST = Work(
    "NIST Digital Library of Mathematical Functions",
    {"section 4.21": "Identities", "section 4.23": "Inverse Trigonometric Functions"},
)
PLASTINO = Work(
    "Plastino and Muzzio, On the use and abuse of Newton's second law for variable mass problems, "
    "Celestial Mechanics 53, 1992"
)
REP = Work("ROS REP 103, Standard Units of Measure and Coordinate Conventions")
ROS = Work("ROS, message geometry_msgs/Quaternion")
RUCKER = Work("Rucker and Wensing, Smooth parameterization of rigid-body inertia, IEEE RA-L 7(2), 2022")
SCHAUB = Work("Schaub and Junkins, Analytical Mechanics of Space Systems")
SHEPPERD = Work("Shepperd, Quaternion from Rotation Matrix, J. Guidance and Control 1(3), 1978")
SHOEMAKE = Work("Shoemake, Animating rotation with quaternion curves, SIGGRAPH 1985")
SMITH = Work("Smith, Eigenvalues of a symmetric 3x3 matrix, Communications of the ACM 4(4), 1961")
SOLA = Work(
    "Sola, Quaternion kinematics for the error-state Kalman filter (2017)",
    {
        "section 2.4": "The rotation group and the quaternion",
        "section 4.6": "Time-integration of rotation rates",
        "section 4": "Perturbations, derivatives and integrals",
        "section 5": "Error-state kinematics for IMU-driven systems",
        "section 6": "Fusing IMU with complementary sensory data",
        "section 7": "The ESKF using global angular errors",
    },
)
STEVENS = Work(
    "Stevens and Lewis, Aircraft Control and Simulation, 2nd ed. (2003)",
    {
        "equation 1.3-20": "turn by yaw, pitch and roll",
        "equation 1.5-16": "motion over the rotating Earth",
    },
)
STEWART = Work("Stewart and Trinkle, An implicit time-stepping scheme, IJNME 39, 1996")
TASORA = Work("Tasora and Anitescu, A matrix-free cone complementarity approach, CMAME 200, 2011")
VERMEILLE = Work(
    "Vermeille, Direct transformation from geocentric coordinates to geodetic coordinates, "
    "J. Geodesy 76, 2002"
)
WENSING = Work(
    "Wensing, Kim and Slotine, Linear matrix inequalities for physically consistent inertial parameter "
    "identification, IEEE RA-L 3(1), 2018"
)
