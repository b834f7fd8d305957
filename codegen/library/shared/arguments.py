"""Arguments that many kernels share, with one name, unit and frame for each meaning."""

from collections.abc import Sequence

from codegen.ir.program import Arg
from codegen.ir.types import POSITIVE
from codegen.modeling.types.algebra import (
    Angles,
    ArticulatedInertia,
    Force,
    Inertia,
    InertiaTensor,
    Motion,
    Quaternion,
    Rotation,
    Transform,
    UnitQuaternion,
    Vec3,
)

VELOCITY = "rad/s; m/s"
WRENCH = "N m; N"
POSE = "1; m"
INERTIA = "kg; kg m; kg m^2"
ARTICULATED = "kg m^2; kg m; kg"


def quaternion(name: str, doc: str) -> Arg:
    """Any quaternion; one of a name like q_AB is an attitude."""
    _, _, ends = name.partition("_")
    is_attitude = len(ends) == 2 and ends.isupper()
    return Arg(name, Quaternion, "1", doc, frames(name) if is_attitude else "")


def attitude(name: str, doc: str = "attitude, unit quaternion") -> Arg:
    """A unit quaternion q_AB."""
    return Arg(name, UnitQuaternion, "1", doc, frames(name))


def rotation(name: str, doc: str = "rotation matrix, orthonormal") -> Arg:
    """An orthonormal matrix R_AB."""
    return Arg(name, Rotation, "1", doc, frames(name))


def pose(name: str, doc: str = "") -> Arg:
    """A pose T_AB."""
    a, b = name[-2], name[-1]
    doc = doc or f"pose of {b} in {a}: rotation `R_{a}{b}` and position `p_{a}{b}_{a}`"
    return Arg(name, Transform, POSE, doc, frames(name))


def frames(name: str) -> str:
    """`B to A`, from a name that ends in AB."""
    return f"{name[-1]} to {name[-2]}"


def vector(name: str, unit: str, doc: str, frame: str) -> Arg:
    """A vector expressed in a frame."""
    return Arg(name, Vec3, unit, doc, frame)


def rpy(name: str = "rpy") -> Arg:
    """Roll, pitch and yaw."""
    return Arg(name, Angles, "rad", "roll, pitch, yaw: `R_NB = Rz(psi) Ry(theta) Rx(phi)`", "B to N")


def motion(name: str, frame: str, doc: str = "spatial velocity", unit: str = VELOCITY) -> Arg:
    """A spatial motion vector."""
    return Arg(name, Motion, unit, doc, frame)


def force(name: str, frame: str, doc: str = "spatial force", unit: str = WRENCH) -> Arg:
    """A spatial force vector."""
    return Arg(name, Force, unit, doc, frame)


def inertia(name: str, frame: str, doc: str = "spatial inertia about the frame's origin") -> Arg:
    """A spatial inertia in master form."""
    return Arg(name, Inertia, INERTIA, doc, frame)


def articulated(name: str, frame: str, doc: str = "articulated-body inertia") -> Arg:
    """An articulated-body inertia."""
    return Arg(name, ArticulatedInertia, ARTICULATED, doc, frame)


def mass(name: str = "m") -> Arg:
    """A positive mass."""
    return Arg(name, POSITIVE, "kg", "mass")


def central_inertia(name: str, frame: str) -> Arg:
    """A rotational inertia about the centre of mass."""
    doc = (
        "inertia about the centre of mass; off-diagonal `J_xy` is minus the integral, over the mass, of x "
        "times y"
    )
    return Arg(name, InertiaTensor, "kg m^2", doc, frame)


def wrench() -> Sequence[Arg]:
    """Velocities of a rigid body in its own axes, force and moment on it, and its mass and inertia."""
    return (
        vector("v_B", "m/s", "velocity of the centre of mass relative to N", "B"),
        vector("w_B", "rad/s", "angular velocity of B relative to N", "B"),
        vector("F_B", "N", "total force, gravity included", "B"),
        vector("M_B", "N m", "total moment about the centre of mass", "B"),
        mass(),
        central_inertia("J_B", "B"),
    )
