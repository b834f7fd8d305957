"""Robots: from a description, by hand or from a URDF, to kernels of their kinematics and dynamics.

A description becomes a tree of bodies with exact numbers, passes reduce the tree, and recursions over it are
formulas like those of the library. The definition that proves them, virtual work, knows no recursion.
"""

from codegen.mechanisms.description.free import free_joints
from codegen.mechanisms.description.joints import Joint
from codegen.mechanisms.description.mechanism import Body, Mechanism
from codegen.mechanisms.kernels.functions import FUNCTIONS, robot_kernels

__all__ = ["FUNCTIONS", "Body", "Joint", "Mechanism", "free_joints", "robot_kernels"]
