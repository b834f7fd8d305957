"""The kernels of the motion of a robot's frames: pose, Jacobians, twist and acceleration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import Array
from codegen.mechanisms.definition import reference as by_definition
from codegen.mechanisms.description.exact import IDENTITY
from codegen.mechanisms.kernels.equations import Frame
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.dynamics import Base
from codegen.mechanisms.recursions.kinematics import (
    base_jacobian,
    frame_jacobian,
    frame_pose,
    jacobian_rate,
    local_base_jacobian,
    local_jacobian,
    local_jacobian_rate,
    spatial_jacobian,
    spatial_jacobian_rate,
)
from codegen.mechanisms.recursions.quantities import frame_acceleration, frame_twist
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Motion, Transform


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

    def jacobian(self, frame: str) -> Kernel:
        """The Jacobian of a link's frame, in axes of the root."""
        root, define = self.robot.mechanism.root, self.robot.definition
        return self._jacobian(
            "jacobian", frame, frame_jacobian, define.jacobian, f"axes of {root}",
            f"Jacobian of {frame} at its origin, in axes of {root}.", self.robot.equations.jacobian,
        )  # fmt: skip

    def jacobian_local(self, frame: str) -> Kernel:
        """The Jacobian of a link's frame, in axes of the frame."""
        return self._jacobian(
            "jacobian_local", frame, local_jacobian, self.robot.definition.local_jacobian, f"axes of {frame}",
            f"Jacobian of {frame} at its origin, in its own axes.", self.robot.equations.local_jacobian,
        )  # fmt: skip

    def jacobian_spatial(self, frame: str) -> Kernel:
        """The Jacobian of a link at the root's origin, in axes of the root."""
        root, define = self.robot.mechanism.root, self.robot.definition
        return self._jacobian(
            "jacobian_spatial", frame, spatial_jacobian, define.spatial_jacobian, f"axes of {root}",
            f"Spatial Jacobian of {frame}: at the origin of {root}, in its axes.",
            self.robot.equations.spatial_jacobian, f"its point at the origin of {root}",
        )  # fmt: skip

    def jacobian_base(self, frame: str) -> Kernel:
        """The Jacobian of a link by the twist of the floating base, in axes of the base."""
        root, define = self.robot.mechanism.root, self.robot.definition
        return self._of_base(
            "jacobian_base", frame, base_jacobian, define.base_jacobian, f"axes of {root}",
            self.robot.equations.base_jacobian,
        )  # fmt: skip

    def jacobian_local_base(self, frame: str) -> Kernel:
        """The Jacobian of a link by the twist of the floating base, in axes of the link."""
        define = self.robot.definition
        return self._of_base(
            "jacobian_local_base", frame, local_base_jacobian, define.local_base_jacobian, f"axes of {frame}",
            self.robot.equations.local_base_jacobian,
        )  # fmt: skip

    def jacobian_rate(self, frame: str) -> Kernel:
        """The derivative of a link's Jacobian by time."""
        return self._jacobian_rate(
            "jacobian", frame, jacobian_rate, self.robot.definition.jacobian,
            f"axes of {self.robot.mechanism.root}", f"the Jacobian of {frame}",
            "its origin accelerates by J a + dJ v", self.robot.equations.jacobian_rate,
        )  # fmt: skip

    def jacobian_local_rate(self, frame: str) -> Kernel:
        """The derivative of a link's Jacobian in its own axes by time."""
        return self._jacobian_rate(
            "jacobian_local", frame, local_jacobian_rate, self.robot.definition.local_jacobian,
            f"axes of {frame}", f"the Jacobian of {frame} in its own axes",
            "its spatial acceleration is J a + dJ v", self.robot.equations.local_jacobian_rate,
        )  # fmt: skip

    def jacobian_spatial_rate(self, frame: str) -> Kernel:
        """The derivative of a link's spatial Jacobian by time."""
        return self._jacobian_rate(
            "jacobian_spatial", frame, spatial_jacobian_rate, self.robot.definition.spatial_jacobian,
            f"axes of {self.robot.mechanism.root}", f"the spatial Jacobian of {frame}",
            "its spatial acceleration is J a + dJ v", self.robot.equations.spatial_jacobian_rate,
        )  # fmt: skip

    def _jacobian(
        self,
        name: str,
        frame: str,
        formula: Callable[..., Any],
        definition: Callable[..., Any],
        axes: str,
        title: str,
        equation: Callable[[Frame], str],
        point: str = "its origin",
    ) -> Kernel:
        """A matrix of a frame with a column per joint velocity."""
        doc = f"angular velocity of {frame}, then velocity of {point}, per joint velocity"
        output = Arg("J", Array((6, self.robot.mechanism.count)), "mixed", doc, axes)
        return self._of_positions(name, frame, formula, definition, output, title, equation)

    def _of_base(
        self,
        name: str,
        frame: str,
        formula: Callable[..., Any],
        definition: Callable[..., Any],
        axes: str,
        equation: Callable[[Frame], str],
    ) -> Kernel:
        """A matrix of a frame with a column per component of the base's twist."""
        mechanism = self.robot.mechanism
        if not mechanism.floating:
            raise FeatherError(f"{name} is for a floating base: generate with --floating")
        doc = f"angular velocity of {frame}, then velocity of its origin, per component of V_B"
        title = f"Jacobian of {frame} at its origin by the twist V_B of {mechanism.root}, in {axes}."
        output = Arg("J_B", Array((6, 6)), "mixed", doc, axes)
        return self._of_positions(name, frame, formula, definition, output, title, equation)

    def _of_positions(
        self,
        name: str,
        frame: str,
        formula: Callable[..., Any],
        definition: Callable[..., Any],
        output: Arg,
        title: str,
        equation: Callable[[Frame], str],
    ) -> Kernel:
        """A matrix of a frame, which the positions of the joints give."""

        def reference(q: Any) -> Any:
            return by_definition.result(definition(q, frame))

        return self.robot.made(
            self.robot.named_for(name, frame), ("q",), [output],
            partial(formula, self.robot.tree, self.robot.tree.frames[frame]), reference, title,
            equation(self.robot.framed(frame)), about={"frame": frame},
        )  # fmt: skip

    def _jacobian_rate(
        self,
        name: str,
        frame: str,
        formula: Callable[..., Any],
        definition: Callable[..., Any],
        axes: str,
        of: str,
        use: str,
        equation: Callable[[Frame], str],
    ) -> Kernel:
        """The derivative of such a matrix by time, relative to the root."""
        mechanism = self.robot.mechanism

        def reference(q: Any, v: Any) -> Any:
            return by_definition.result(self.robot.definition.rate(definition, q, v, frame))

        doc = f"derivative of {of} by time, relative to {mechanism.root}"
        return self.robot.made(
            self.robot.named_for(f"{name}_rate", frame), ("q", "v"),
            [Arg("dJ", Array((6, mechanism.count)), "mixed", doc, axes)],
            partial(formula, self.robot.tree, self.robot.tree.frames[frame]), reference,
            f"Derivative of {of} by time: {use}.", equation(self.robot.framed(frame)), about={"frame": frame},
        )  # fmt: skip
