"""The functions of a robot that can be asked for, and their kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from codegen.errors import FeatherError
from codegen.mechanisms.description.exact import SNAP
from codegen.mechanisms.description.mechanism import Mechanism
from codegen.mechanisms.description.record import record_of
from codegen.mechanisms.description.written import check_listed, exact
from codegen.mechanisms.kernels.arguments import identifier
from codegen.mechanisms.kernels.base_parameters import BaseParameters
from codegen.mechanisms.kernels.budget import flash_limit
from codegen.mechanisms.kernels.contacts import Contacts
from codegen.mechanisms.kernels.dynamics import Dynamics
from codegen.mechanisms.kernels.forward_slopes import ForwardDerivatives
from codegen.mechanisms.kernels.frames import Frames
from codegen.mechanisms.kernels.laid_out import LaidOut, LayingOut
from codegen.mechanisms.kernels.layouts import ALL_STRAIGHT, STRAIGHT, Layouts, recorded_layout
from codegen.mechanisms.kernels.nonzeros import Nonzeros
from codegen.mechanisms.kernels.quantities import Quantities
from codegen.mechanisms.kernels.regressor import Regressors
from codegen.mechanisms.kernels.regular import check_regular
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.kernels.slopes import Derivatives
from codegen.modeling.kernel import Kernel

FURTHER_JACOBIANS = (
    "jacobian_spatial", "jacobian_base", "jacobian_local_base",
    "jacobian_rate", "jacobian_local_rate", "jacobian_spatial_rate",
)  # fmt: skip
"""Jacobians and rates that are only generated where they are named."""

OF_FRAMES = frozenset({"pose", "jacobian", "jacobian_local", *FURTHER_JACOBIANS, "twist", "acceleration"})
"""The functions that there are for each frame."""

FUNCTIONS = (
    "rnea", "bias_forces", "gravity_forces", "crba", "forward_dynamics", "com", "momentum", "kinetic_energy",
    "potential_energy", "pose", "jacobian", "jacobian_local", "twist", "acceleration",
)  # fmt: skip


OF_FORWARD_DYNAMICS = ("forward_dynamics_derivatives", "forward_dynamics_base_derivatives")
"""The derivatives of forward dynamics."""

IN_CONTACT = ("delassus", "forward_dynamics_in_contact", "impulse_response")
"""Functions of a robot whose contacts are named."""

ON_REQUEST = (
    "rnea_derivatives", "rnea_base_derivatives", *OF_FORWARD_DYNAMICS, *FURTHER_JACOBIANS,
    "momentum_matrix", "regressor", "base_regressor", "base_parameters", *IN_CONTACT,
    "crba_nonzeros", "rnea_derivatives_nonzeros", "forward_dynamics_derivatives_nonzeros",
    "regressor_nonzeros", "base_regressor_nonzeros",
)  # fmt: skip
"""Functions that are only generated where they are named: they take long, or are not of every robot."""

ALL = (*FUNCTIONS, *ON_REQUEST)

DIVIDING = frozenset(
    {"forward_dynamics", *OF_FORWARD_DYNAMICS, "forward_dynamics_derivatives_nonzeros", *IN_CONTACT}
)
"""The functions that need an invertible mass matrix."""


def robot_kernels(
    mechanism: Mechanism,
    functions: Iterable[str] = FUNCTIONS,
    frames: Iterable[str] = (),
    snap: Any = SNAP,
    layout: str = STRAIGHT,
    flash: int | str | None = None,
) -> list[Kernel]:
    """The kernels of a mechanism, in a module of its name.

    `frames` are the links whose poses and Jacobians are wanted; by default one at the end of each branch.
    Angles within `snap` (rad) of a multiple of 90 degrees are taken for it. With the layout `limbs`,
    functions have loops over the limbs of a floating base that are alike, where they can, with `joints` loops
    over the joints in a row on a base that stands still, and with `auto` what is fastest;
    `straight,crba=limbs` is for one of them. With `flash`, the bytes that there are for the functions, as
    20000 or "32K", `auto` chooses the fastest layouts that fit. FeatherError for an unknown function, link or
    layout, where nothing is there to loop over or nothing fits, or when the mass matrix of the mechanism is
    singular.
    """
    robot = Robot(mechanism, exact(snap))
    limit = None if flash is None else flash_limit(str(flash))
    return kernels_of(robot, functions, frames, Layouts.of(layout), limit)


def kernels_of(
    robot: Robot,
    functions: Iterable[str],
    frames: Iterable[str] = (),
    layouts: Layouts = ALL_STRAIGHT,
    limit: int | None = None,
) -> list[Kernel]:
    """The kernels of a robot, as `robot_kernels` returns them; `limit` is the bytes of flash there are."""
    return laid_out(robot, functions, frames, layouts, limit).kernels


def laid_out(
    robot: Robot, functions: Iterable[str], frames: Iterable[str], layouts: Layouts, limit: int | None
) -> LaidOut:
    """The kernels of a robot as `kernels_of` returns them, with what to know of their layouts."""
    mechanism = robot.mechanism
    check_listed("functions", functions)
    check_listed("frames", frames)
    wanted = list(dict.fromkeys(functions))
    for name in wanted:
        if name not in ALL:
            raise FeatherError(f"there is no function {name!r} of a robot; known are {', '.join(ALL)}")
    inputs = mechanism.inputs
    for links in (inputs.forces, inputs.payloads, inputs.inertias, inputs.contacts):
        _check_distinct(mechanism, links)
    chosen = list(dict.fromkeys(frames)) or robot.ends
    if OF_FRAMES & {*wanted}:
        _check_distinct(mechanism, chosen)
    if DIVIDING & {*wanted}:
        check_regular(robot)
    laying_out = LayingOut(robot, layouts, limit)
    laying_out.check(wanted)
    build = _builders(robot)
    made = list[tuple[str, Kernel]]()
    for name in (name for name in ALL if name in wanted):
        own = [build[name](mechanism.body(f).name) for f in chosen] if name in OF_FRAMES else [build[name]()]
        made += [(name, kernel) for kernel in own]
    found = laying_out.laid_out(made)
    layout = recorded_layout(found.in_loops)
    record = record_of(mechanism, wanted, list(dict.fromkeys(frames)), robot.snap, layout)
    return found._replace(kernels=[replace(kernel, robot=record) for kernel in found.kernels])


def _builders(robot: Robot) -> Mapping[str, Callable[..., Kernel]]:
    """For each function what makes its kernel; one of `OF_FRAMES` takes the name of a link."""
    dynamics, derivatives, forward = Dynamics(robot), Derivatives(robot), ForwardDerivatives(robot)
    regressors, base = Regressors(robot), BaseParameters(robot)
    parts = (
        dynamics,
        Quantities(robot),
        Frames(robot),
        derivatives,
        forward,
        regressors,
        base,
        Contacts(robot),
        Nonzeros(dynamics, derivatives, forward, regressors, base),
    )
    return {name: getattr(part, name) for part in parts for name in ALL if hasattr(part, name)}


def _check_distinct(mechanism: Mechanism, frames: Iterable[str]) -> None:
    """FeatherError when two links have one name in C."""
    known: dict[str, str] = {}
    for frame in frames:
        other = known.setdefault(identifier(frame), frame)
        if other != frame:
            raise FeatherError(
                f"{mechanism.name}: links {other} and {frame} have the same name in C, {identifier(frame)}: "
                f"rename one in the description, or choose other links"
            )
