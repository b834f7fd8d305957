"""Robots with spherical joints, of which there is no URDF: an arm of three, and four legs on such hips."""

from __future__ import annotations

from typing import Any

from codegen.mechanisms import Body, Joint, Mechanism

_SOLID = ("0.02", "0.001", "-0.002", "0.03", "0.0005", "0.025")
_TRUNK = ("0.1", "0.001", "0.002", "0.3", "0.0005", "0.35")
_THIGH = ("0.01", "0.0001", "-0.0002", "0.011", "0.0003", "0.002")
_SHANK = ("0.004", 0, "-0.0001", "0.004", 0, "0.0002")
_HIPS = {"fl": ("0.2", "0.1"), "fr": ("0.2", "-0.1"), "hl": ("-0.2", "0.1"), "hr": ("-0.2", "-0.1")}


def arm() -> Mechanism:
    """Three spherical joints in a row, each behind a constant rotation, and a hand that turns."""
    bodies = [
        Body(n, "1.3", ("0.1", "0.03", "0.05"), _SOLID) for n in ("base", "upper", "lower", "wrist", "hand")
    ]
    place = ("0.1", "0.2", "0.3"), ("0.3", 0, "0.1")
    joints = [
        Joint("shoulder", "spherical", "base", "upper", *place),
        Joint("elbow", "spherical", "upper", "lower", *place),
        Joint("carpus", "spherical", "lower", "wrist", *place),
        Joint("grip", "revolute", "wrist", "hand", *place),
    ]
    return Mechanism("ball_arm", bodies, joints)


def legs() -> Mechanism:
    """A trunk that floats, with a spherical hip and a knee for each leg."""
    bodies, joints = [Body("trunk", "8", ("0.02", "0.01", 0), _TRUNK)], []
    for name, (x, y) in _HIPS.items():
        thigh, shank = f"thigh_{name}", f"shank_{name}"
        bodies.append(Body(thigh, "1", ("0.01", "0.02", "-0.05"), _THIGH))
        bodies.append(Body(shank, "0.3", ("0.01", 0, "-0.1"), _SHANK))
        joints.append(Joint(f"hip_{name}", "spherical", "trunk", thigh, (x, y, 0)))
        joints.append(Joint(f"knee_{name}", "revolute", thigh, shank, (0, 0, "-0.2"), axis=(0, 1, 0)))
    return Mechanism("ball_legs", bodies, joints, floating=True)


SPHERICAL = {"ball_arm": arm, "ball_legs": legs}


def in_pinocchio(mechanism: Mechanism) -> Any:
    """Pinocchio's model of a mechanism of spherical joints and of those that turn about an axis."""
    import numpy as np
    import pinocchio

    model, found = pinocchio.Model(), {mechanism.root: 0}
    if mechanism.floating:
        found[mechanism.root] = model.addJoint(
            0, pinocchio.JointModelFreeFlyer(), pinocchio.SE3.Identity(), "base"
        )
    for joint in mechanism.moving:
        rpy, xyz, axis = (np.array(x, float) for x in (joint.rpy, joint.xyz, joint.axis))
        kind = (
            pinocchio.JointModelSpherical()
            if joint.kind == "spherical"
            else pinocchio.JointModelRevoluteUnaligned(axis / np.linalg.norm(axis))
        )
        at = pinocchio.SE3(pinocchio.rpy.rpyToMatrix(rpy), xyz)
        found[joint.child] = model.addJoint(found[joint.parent], kind, at, joint.name)
    for body in mechanism.bodies:
        xx, xy, xz, yy, yz, zz = map(float, body.J)
        J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        inertia = pinocchio.Inertia(float(body.m), np.array(body.centre, float), J)
        model.appendBodyToJoint(found[body.name], inertia, pinocchio.SE3.Identity())
    return model
