"""The kernels of the motion of a robot's frames: pose, Jacobians, twist and acceleration."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from codegen.ir.program import Arg
from codegen.ir.types import Array
from codegen.mechanisms import reference as by_definition
from codegen.mechanisms.dynamics import Base
from codegen.mechanisms.exact import IDENTITY
from codegen.mechanisms.kinematics import frame_jacobian, frame_pose, jacobian_rate, local_jacobian
from codegen.mechanisms.quantities import frame_acceleration, frame_twist
from codegen.mechanisms.robot import Robot
from codegen.modeling.algebra import Motion, Transform
from codegen.modeling.kernel import Kernel


@dataclass(frozen=True)
class Frames:
    """The kernels of one robot, each for a link whose frame is named."""

    robot: Robot

    def pose(self, frame: str) -> Kernel:
        """The pose of a link's frame in the root's."""
        place, root = self.robot.tree.frames[self.robot.mechanism.body(frame).name], self.robot.mechanism.root

        def reference(q: Any) -> Any:
            T = self.robot.definition.poses(q)[frame]
            return by_definition.result(T[:3, :3], T[:3, 3])

        doc, title = f"pose of {frame} in the frame of {root}", f"Pose of {frame} in the frame of {root}."
        return self.robot.made(
            self.robot.named_for("pose", frame), ("q",), [Arg("T", Transform, "1; m", doc)],
            lambda q: frame_pose(self.robot.tree, place, q), reference, title,
            self.robot.equations.pose(self.robot.framed(frame)), about={"frame": frame},
        )  # fmt: skip

    def jacobian(self, frame: str) -> Kernel:
        """The Jacobian of a link's frame, in axes of the root."""
        place, root = self.robot.tree.frames[self.robot.mechanism.body(frame).name], self.robot.mechanism.root
        shape, doc = (
            Array((6, self.robot.mechanism.count)),
            f"angular velocity of {frame}, then velocity of its ",
        )
        output = Arg("J", shape, "mixed", f"{doc}origin, per joint velocity", f"axes of {root}")
        return self.robot.made(
            self.robot.named_for("jacobian", frame), ("q",), [output],
            lambda q: frame_jacobian(self.robot.tree, place, q),
            lambda q: by_definition.result(self.robot.definition.jacobian(q, frame)),
            f"Jacobian of {frame} at its origin, in axes of {root}.",
            self.robot.equations.jacobian(self.robot.framed(frame)), about={"frame": frame},
        )  # fmt: skip

    def twist(self, frame: str) -> Kernel:
        """The twist of a link's frame, in the frame."""
        place, define = self.robot.tree.frames[frame], self.robot.definition

        def formula(q: Any, v: Any, V_B: Any = None) -> Any:
            return (frame_twist(self.robot.tree, place, q, v, V_B),)

        def reference(q: Any, v: Any, V_B: Any = None) -> Any:
            return by_definition.result(define.twist(q, v, V_B, frame))

        output = Arg("V", Motion, "rad/s; m/s", f"twist of {frame} relative to the world", f"axes of {frame}")
        title = f"Twist of {frame}, in its own axes."
        name = self.robot.named_for("twist", frame)
        return self.robot.made(name, ("V_B", "q", "v"), [output], formula, reference, title,
            self.robot.equations.twist(self.robot.framed(frame)), about={"frame": frame},
        )  # fmt: skip

    def acceleration(self, frame: str) -> Kernel:
        """The spatial acceleration of a link's frame, in the frame."""
        place, define = self.robot.tree.frames[frame], self.robot.definition

        def formula(q: Any, v: Any, a: Any, V_B: Any = None, A_B: Any = None) -> Any:
            base = None if V_B is None else Base(IDENTITY, V_B, A_B)
            return (frame_acceleration(self.robot.tree, place, q, v, a, base),)

        def reference(q: Any, v: Any, a: Any, V_B: Any = None, A_B: Any = None) -> Any:
            return by_definition.result(define.acceleration(q, v, a, V_B, A_B, frame))

        doc = f"spatial acceleration of {frame}, the derivative of its twist"
        output = Arg("A", Motion, "rad/s^2; m/s^2", doc, f"axes of {frame}")
        title = f"Spatial acceleration of {frame}, in its own axes; without gravity."
        name = self.robot.named_for("acceleration", frame)
        inputs = ("V_B", "A_B", "q", "v", "a")
        return self.robot.made(name, inputs, [output], formula, reference, title,
            self.robot.equations.acceleration(self.robot.framed(frame)), about={"frame": frame},
        )  # fmt: skip

    def jacobian_rate(self, frame: str) -> Kernel:
        """The derivative of a link's Jacobian by time."""
        mechanism, place = self.robot.mechanism, self.robot.tree.frames[frame]

        def reference(q: Any, v: Any) -> Any:
            return by_definition.result(self.robot.definition.jacobian_rate(q, v, frame))

        doc = f"derivative of the Jacobian of {frame} by time, relative to {mechanism.root}"
        output = Arg("dJ", Array((6, mechanism.count)), "mixed", doc, f"axes of {mechanism.root}")
        title = f"Derivative of the Jacobian of {frame} by time: its origin accelerates by J a + dJ v."
        name = self.robot.named_for("jacobian_rate", frame)
        formula = partial(jacobian_rate, self.robot.tree, place)
        return self.robot.made(name, ("q", "v"), [output], formula, reference, title,
            self.robot.equations.jacobian_rate(self.robot.framed(frame)), about={"frame": frame},
        )  # fmt: skip

    def jacobian_local(self, frame: str) -> Kernel:
        """The Jacobian of a link's frame, in axes of the frame."""
        place, n = self.robot.tree.frames[frame], self.robot.mechanism.count

        def reference(q: Any) -> Any:
            return by_definition.result(self.robot.definition.local_jacobian(q, frame))

        doc = f"angular velocity of {frame}, then velocity of its origin, per joint velocity"
        output = Arg("J", Array((6, n)), "mixed", doc, f"axes of {frame}")
        title = f"Jacobian of {frame} at its origin, in its own axes."
        name = self.robot.named_for("jacobian_local", frame)
        formula = partial(local_jacobian, self.robot.tree, place)
        return self.robot.made(name, ("q",), [output], formula, reference, title,
            self.robot.equations.local_jacobian(self.robot.framed(frame)), about={"frame": frame},
        )  # fmt: skip
