"""The kernels of a mechanism: inverse and forward dynamics, mass matrix, bias, gravity, frames, Jacobians."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any

from codegen.errors import FeatherError
from codegen.frontends.define import kernel
from codegen.frontends.formula import lower
from codegen.ir.program import Arg, Program
from codegen.ir.types import Array
from codegen.library import MODULES
from codegen.library.rotation.kernels import quat_to_dcm_unit
from codegen.mechanisms import reference as by_definition
from codegen.mechanisms.acting import Acting, under
from codegen.mechanisms.arguments import FORCES, GRAVITY, PAYLOADS, Arguments, identifier
from codegen.mechanisms.base_parameter_kernels import BaseParameters
from codegen.mechanisms.base_parameters import BaseSet
from codegen.mechanisms.bodies import Bodies
from codegen.mechanisms.carriage import choices_of_late, late_for_forces, late_for_masses, on_the_ground
from codegen.mechanisms.contact_kernels import Contacts
from codegen.mechanisms.coordinates import of_coordinates, of_links
from codegen.mechanisms.description import Mechanism
from codegen.mechanisms.dynamics import (
    Base,
    forward_dynamics,
    in_rows,
    inverse_dynamics,
    mass_matrix,
)
from codegen.mechanisms.elimination import eliminated_dynamics
from codegen.mechanisms.equations import Equations, Frame, equations_of, symbols
from codegen.mechanisms.exact import SNAP, Angles
from codegen.mechanisms.forward_slope_kernels import ForwardDerivatives
from codegen.mechanisms.kinematics import frame_jacobian, frame_pose
from codegen.mechanisms.limb_choice import IN_LOOPS, LimbChoice
from codegen.mechanisms.limb_loops import LimbLoops, best_loops
from codegen.mechanisms.limbs import Limbs
from codegen.mechanisms.negligible import tidied
from codegen.mechanisms.nonzero_kernels import Nonzeros
from codegen.mechanisms.quantity_kernels import Quantities
from codegen.mechanisms.record import record_of
from codegen.mechanisms.reduce import for_forces, for_limbs, for_masses, framings, pointed, regrouped
from codegen.mechanisms.reference import Definition
from codegen.mechanisms.regressor_kernels import Regressors
from codegen.mechanisms.settle import settled
from codegen.mechanisms.slope_kernels import Derivatives
from codegen.mechanisms.tree import Tree, tree_of
from codegen.mechanisms.written import exact
from codegen.modeling.algebra import Motion, Transform, UnitQuaternion, Vec3
from codegen.modeling.kernel import Kernel
from codegen.modeling.names import LONGEST_NAME, check_name
from codegen.modeling.scalar import bare
from codegen.notation.blocks import Block, column
from codegen.passes import nearly_simplified, optimise
from codegen.passes.search.search import price

_SMALL = 500
"""The search is quick for Programs with fewer nodes."""

ACTING = (GRAVITY, FORCES, PAYLOADS)
"""What acts on a robot besides its joints, where that is known at run time only."""

OF_RNEA = ("q_WB", "V_B", "A_B", "q", "v", "a", *ACTING)
"""The arguments of inverse dynamics, those that a robot has."""

FORWARD_TOLERANCE = 16
"""In eps times the size of inverse dynamics at the accelerations found: elimination is less exact."""

SOURCE = (
    "Featherstone, Rigid Body Dynamics Algorithms (2008), chapters 5 and 6; Khalil and Dombre, Modeling, "
    "Identification and Control of Robots (2002), sections 9.4 and 9.6, for the regrouping of masses"
)
OF_FRAMES = frozenset({"pose", "jacobian", "jacobian_local", "jacobian_rate", "twist", "acceleration"})
"""The functions that there are for each frame."""

FUNCTIONS = (
    "rnea", "bias_forces", "gravity_forces", "crba", "forward_dynamics", "com", "momentum", "kinetic_energy",
    "potential_energy", "pose", "jacobian", "jacobian_local", "twist", "acceleration",
)  # fmt: skip


IN_CONTACT = ("delassus", "forward_dynamics_in_contact", "impulse_response")
"""Functions of a robot whose contacts are named."""

ON_REQUEST = (
    "rnea_derivatives", "rnea_base_derivatives", "forward_dynamics_derivatives", "jacobian_rate",
    "momentum_matrix", "regressor", "base_regressor", "base_parameters", *IN_CONTACT,
    "crba_nonzeros", "rnea_derivatives_nonzeros", "regressor_nonzeros", "base_regressor_nonzeros",
)  # fmt: skip
"""Functions that are only generated where they are named: they take long, or are not of every robot."""


def robot_kernels(
    mechanism: Mechanism,
    functions: Iterable[str] = FUNCTIONS,
    frames: Iterable[str] = (),
    snap: Any = SNAP,
    limbs: bool = False,
) -> list[Kernel]:
    """The kernels of a mechanism, in a module of its name.

    `frames` are the links whose poses and Jacobians are wanted; by default one at the end of each branch.
    Angles within `snap` (rad) of a multiple of 90 degrees are taken for it. With `limbs`, inverse dynamics
    has a loop over the limbs of a floating base that are alike. FeatherError for an unknown function or link,
    where no limbs are alike, or when the mass matrix of the mechanism is singular.
    """
    return kernels_of(Robot(mechanism, exact(snap)), functions, frames, limbs)


def kernels_of(
    robot: Robot, functions: Iterable[str], frames: Iterable[str] = (), limbs: bool = False
) -> list[Kernel]:
    """The kernels of a robot, as `robot_kernels` returns them."""
    mechanism = robot.mechanism
    wanted = list(dict.fromkeys(functions))
    for name in wanted:
        if name not in (known := (*FUNCTIONS, *ON_REQUEST)):
            raise FeatherError(f"there is no function {name!r} of a robot; known are {', '.join(known)}")
    inputs = mechanism.inputs
    for links in (inputs.forces, inputs.payloads, inputs.inertias, inputs.contacts):
        _check_distinct(mechanism, links)
    chosen = list(dict.fromkeys(frames)) or robot.ends
    if OF_FRAMES & {*wanted}:
        _check_distinct(mechanism, chosen)
    if {"forward_dynamics", "forward_dynamics_derivatives", *IN_CONTACT} & {*wanted}:
        robot.check_regular()
    made: list[Kernel] = []
    for name in (*FUNCTIONS, *ON_REQUEST):
        if name in wanted:
            parts = (
                Quantities,
                Derivatives,
                ForwardDerivatives,
                Contacts,
                Regressors,
                BaseParameters,
                Nonzeros,
            )
            owners = (robot, *(part(robot) for part in parts))
            build = next(getattr(owner, name) for owner in owners if hasattr(owner, name))
            own = [build(mechanism.body(f).name) for f in chosen] if name in OF_FRAMES else [build()]
            made += [robot.looped(k) for k in own] if limbs and name in IN_LOOPS else own
    record = record_of(mechanism, wanted, list(dict.fromkeys(frames)), robot.snap, limbs)
    return [replace(kernel, robot=record) for kernel in made]


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


@dataclass(frozen=True)
class Robot:
    """The kernels of one mechanism. Angles within `snap` (rad) of a right angle are taken for it."""

    mechanism: Mechanism
    snap: Any = SNAP

    @cached_property
    def _settled(self) -> Mechanism:
        """The mechanism that is generated and proven."""
        return settled(tidied(self.mechanism), Angles(self.snap))

    @cached_property
    def whole(self) -> Tree:
        """The tree as it is described."""
        return tree_of(self._settled, Angles(self.snap))

    @cached_property
    def tree(self) -> Tree:
        """The tree in simple frames."""
        return self._framings[0]

    @cached_property
    def _framings(self) -> list[Tree]:
        """The tree in simple frames, of which those that take fewest operations are chosen by count."""
        return framings(self.whole)

    @cached_property
    def light(self) -> Tree:
        """The tree for recursions of forces: with masses at joints, or without, whichever is cheaper.

        Of each row of parallel joints, the bodies that are late are chosen by count, too.
        """
        light, least = self._cheapest([for_forces(self.tree), for_masses(self.tree)])
        for choices in choices_of_late(light):
            rest, known = late_for_forces(light) - frozenset().union(*choices), late_for_forces(light)
            others = [rest | late for late in dict.fromkeys(choices) if rest | late != known]
            light, least = self._cheapest([replace(light, late=late) for late in others], (light, least))
        return light

    def _cheapest(self, trees: Sequence[Tree], known: tuple[Tree, float] | None = None) -> tuple[Tree, float]:
        """The tree whose inverse dynamics takes fewest operations, with their price; `known` is another."""
        inputs = self.arguments.named("q_WB", "V_B", "A_B", "q", "v", "a")
        outputs = self.arguments.named("F_B", "tau")
        works = [(tree, self._work(inputs, outputs, partial(_forces, tree))) for tree in trees]
        return min([known, *works] if known else works, key=lambda work: work[1])

    @cached_property
    def composed(self) -> Tree:
        """The tree for recursions of composite bodies, in the frames that are cheaper."""
        return min(self._masses, key=self._work_of_masses) if self._masses[1:] else self._masses[0]

    @cached_property
    def _masses(self) -> list[Tree]:
        """The trees for recursions of composite and articulated bodies."""
        return [for_masses(tree) for tree in self._framings]

    def _work_of_masses(self, tree: Tree) -> float:
        formula = partial(_mass_elements, tree, late_for_masses(tree))
        return self._work(self.arguments.named("q"), [self._packed], formula)

    @cached_property
    def definition(self) -> Definition:
        """The definition by virtual work."""
        return Definition.of(self._settled, Angles(self.snap))

    @cached_property
    def base_set(self) -> BaseSet:
        """Its base parameters."""
        return BaseParameters(self).analysed()

    @property
    def name(self) -> str:
        """The module's name."""
        own = check_name(identifier(self.mechanism.name), "robot")
        if own in MODULES:
            raise FeatherError(f"the library has a module {own}: give the robot another name")
        return own

    @cached_property
    def arguments(self) -> Arguments:
        """The arguments of the functions."""
        return Arguments(self.mechanism)

    @property
    def ends(self) -> list[str]:
        """For each moving body that carries no other, the first of the last links on it."""
        last = [i for i in self.tree.jointed if not self.tree.children(i)]
        on = [(self.tree.frames[name].body, name) for name in self.mechanism.leaves]
        return [next(name for body, name in on if body == i) for i in last]

    def named_for(self, what: str, frame: str) -> str:
        """The name of a function for a frame; of a long name the end is kept."""
        room = LONGEST_NAME - len(f"{self.name}_{what}_")
        return f"{what}_{identifier(frame)[-max(room, 1) :].strip('_')}"

    def check_regular(self) -> None:
        """FeatherError when a joint moves no mass, so that forces do not determine accelerations."""
        import numpy as np

        q = self._somewhere()
        solid = [(name, np.array([1, 0, 0, 0, 1, 0, 0, 1, 0, 1])) for name in self.mechanism.inputs.inertias]
        define = self.definition.under(Acting(None, (), solid))
        M = define.mass_matrix(q, self.mechanism.floating).astype(float)
        joints = [j.name for j in self.mechanism.moving for _ in range(j.freedoms)]
        for name, x in zip([*["the base"] * (len(M) - len(joints)), *joints], np.diag(M), strict=True):
            if not x > 1e-24:
                what = "a negative inertia" if x < -1e-24 else "no mass"
                raise FeatherError(
                    f"{self.mechanism.name}: joint {name} moves {what}, so forward_dynamics has no answer: "
                    "give its link an inertia, or leave out forward_dynamics"
                )
        scale = np.sqrt(np.diag(M))
        if np.linalg.eigvalsh(M / np.outer(scale, scale))[0] < 1e-12:
            raise FeatherError(
                f"{self.mechanism.name}: its mass matrix is singular, so forward_dynamics has no answer"
            )

    def _somewhere(self) -> Any:
        """Positions where nothing is special."""
        import numpy as np

        angles = iter(np.linspace(0.3, 1.1, self.mechanism.count))
        turned = [
            (0.7, 0.1, 0.5, 0.5) if j.kind == "spherical" else [next(angles) for _ in range(j.freedoms)]
            for j in self.mechanism.moving
        ]
        return np.array([x for positions in turned for x in positions])

    # Kernels

    def kernel(
        self,
        name: str,
        inputs: Sequence[Arg],
        outputs: Sequence[Arg],
        formula: Callable[..., Any],
        reference: Callable[..., Any],
        title: str,
        equation: str,
        about: Mapping[str, Any] | None = None,
        **rest: Any,
    ) -> Kernel:
        """A kernel; formula and reference take the inputs by name.

        `about` names the frame, the points of contact or the links that its equation is about.
        """
        names = [a.name for a in inputs]

        def traced(*values: Any) -> Any:
            return formula(**self.given(names, values))

        def defined(*values: Any, **limits: Any) -> Any:
            return reference(**self.described(names, values), **limits)

        own = check_name(f"{self.name}_{name}", "function")
        _signed(traced, own, names, f"{title}\n\n{self.arguments.details}\n\n{symbols(equation)}")
        made = kernel(
            inputs=inputs,
            outputs=outputs,
            equation=equation,
            source=SOURCE,
            reference=defined,
            requires="q_WB is a unit quaternion" if "q_WB" in names else "",
            **rest,
        )(traced)
        setting = self.bodies.setting(inputs, self.by_coordinate, **(about or {}))
        return replace(made, module=self.name, indices=self.arguments.indices, setting=setting)

    @cached_property
    def bodies(self) -> Bodies:
        """What the letters of the equations stand for."""
        return Bodies(self.whole)

    def framed(self, frame: str) -> Frame:
        """A link's frame as the equations have it."""
        return Frame.at(self.whole.frames[self.mechanism.body(frame).name])

    def told_forces(self, found: Mapping[str, Any], given: Mapping[str, Block]) -> dict[str, Block]:
        """The joint forces, and the wrench of a base that floats, in equations for their derivatives."""
        q, v, a = (of_links(self.tree, found[n]) for n in ("q", "v", "a"))
        of_base: dict[str, Any] = {n: x for n, x in found.items() if n not in ("q", "v", "a")}
        *wrench, tau = _forces(self.light, q, v, a, **of_base)
        told = {"tau": column(tau)}
        for F in wrench:
            told["F_0"] = column(list(F.scalars()))
        return told

    @cached_property
    def equations(self) -> Equations:
        """The equations of the functions."""
        return equations_of(self.whole, self.mechanism)

    def given(self, names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
        """The arguments of a formula: positions, velocities and accelerations for each link of the tree."""
        found = self.by_coordinate(names, values)
        return {n: of_links(self.tree, x) if n in ("q", "v", "a") else x for n, x in found.items()}

    def by_coordinate(self, names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
        """The arguments of a formula: positions, velocities and accelerations for each coordinate."""
        found = dict(zip(names, map(_bare, values), strict=True))
        if self.arguments.positions[0] in found:
            places = self.arguments.each_place(found)
            turned = [quat_to_dcm_unit(x) if isinstance(x, UnitQuaternion) else x for x in places]
            for name in self.arguments.positions:
                del found[name]
            found["q"] = turned
        acting = self.arguments.acting(found)
        if acting is not None:
            found["acting"] = acting
        return found

    def described(self, names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
        """The arguments of a definition: all positions in one array, with the four numbers of quaternions."""
        import numpy as np

        found = {n: np.atleast_1d(x) for n, x in zip(names, values, strict=True)}
        if self.arguments.positions[0] in found:
            places = [np.atleast_1d(x) for x in self.arguments.each_place(found) if x is not None]
            for name in self.arguments.positions:
                del found[name]
            found["q"] = np.concatenate(places)
        acting = self.arguments.acting(found)
        return found if acting is None else found | {"acting": acting}

    def base_of(self, given: Mapping[str, Any]) -> Base | None:
        """The motion of a floating base, of which what is not given is zero; None where it stands still."""
        return _base_of(given)

    def made(
        self, name: str, inputs: Sequence[str], outputs: Sequence[Arg], *rest: Any, **others: Any
    ) -> Kernel:
        """A kernel of inputs that are named: formula, reference, title and equation follow."""
        return self.kernel(name, self.arguments.named(*inputs), outputs, *rest, **others)

    def rnea(self) -> Kernel:
        """Inverse dynamics."""
        title = "Inverse dynamics: the joint forces of a motion, gravity included."
        return self._forces("rnea", OF_RNEA, title, self.equations.inverse_dynamics("tau = {}"))

    def bias_forces(self) -> Kernel:
        """Inverse dynamics without acceleration."""
        title = "Bias forces: the joint forces without acceleration, gravity included."
        return self._forces(
            "bias_forces",
            ("q_WB", "V_B", "q", "v", *ACTING),
            title,
            self.equations.inverse_dynamics("tau = {}", "", False),
        )

    def gravity_forces(self) -> Kernel:
        """Inverse dynamics at rest."""
        title = "Gravity forces: the joint forces at rest."
        return self._forces(
            "gravity_forces", ("q_WB", "q", GRAVITY, PAYLOADS), title, self.equations.at_rest()
        )

    def _forces(self, name: str, inputs: Sequence[str], title: str, equation: str) -> Kernel:
        """A case of inverse dynamics: motions that are no input are zero."""
        given, found = self.arguments.named(*inputs), self.arguments.named("F_B", "tau")
        still, tree = (0,) * len(self.tree.jointed), self.light
        places = (0,) * self.mechanism.count

        def formula(q: Any, v: Any = still, a: Any = still, **of_base: Any) -> Any:
            return _forces(tree, q=q, v=v, a=a, **of_base)

        def reference(q: Any, v: Any = None, a: Any = None, acting: Any = None, **of_base: Any) -> Any:
            zero, base = by_definition.lifted(places, q), by_definition.base_of(of_base, q[0])
            F, tau = self.definition.under(acting).torques(
                q, zero if v is None else v, zero if a is None else a, True, base
            )
            return by_definition.result(F, tau) if of_base else by_definition.result(tau)

        return self.kernel(name, given, found, formula, reference, title, equation)

    def looped(self, kernel: Kernel) -> Kernel:
        """A case of inverse dynamics with a loop over limbs that are alike."""
        best = self._limb_loops(kernel.inputs, kernel.outputs)
        if best is None:
            raise FeatherError(
                f"{self.mechanism.name} has no two limbs on a floating base that are alike: leave out --limbs"
            )
        return replace(kernel, looped=lambda checks: best.looped)

    @cached_property
    def _limb_loops(self) -> Callable[[tuple[Arg, ...], tuple[Arg, ...]], LimbLoops | None]:
        """The loops of a case of inverse dynamics, searched once for each."""
        return cache(self._best_limb_loops)

    def _best_limb_loops(self, inputs: tuple[Arg, ...], outputs: tuple[Arg, ...]) -> LimbLoops | None:
        """The loops of a case of inverse dynamics; None where no limbs are alike."""
        links, parts = self.mechanism.inputs.links, (for_masses, for_forces, regrouped, pointed)

        def make(tree: Tree, groups: Sequence[Limbs]) -> LimbLoops:
            return LimbLoops(tree, groups, inputs, outputs, self.by_coordinate, _base_of)

        framed = (self.tree, for_limbs(self.whole)) if not self.mechanism.balls else ()
        return best_loops([reduce(tree) for tree in framed for reduce in parts], links, make)

    @property
    def limb_choice(self) -> LimbChoice | None:
        """What a loop over limbs does to inverse dynamics; None where no limbs are alike."""
        inputs, outputs = (tuple(self.arguments.named(*names)) for names in (OF_RNEA, ("F_B", "tau")))
        loops = self._limb_loops(inputs, outputs) if self.mechanism.floating else None
        if loops is None:
            return None
        firsts = tuple(self.tree.links[bodies[0]].name for limbs in loops.groups for bodies in limbs.bodies)
        straight = price(self._straight(inputs, outputs, partial(_forces, self.light))).work
        return LimbChoice(firsts, loops.work / straight, loops.length / straight)

    @property
    def _packed(self) -> Arg:
        """The mass matrix as an output."""
        floating = self.mechanism.floating
        n = self.mechanism.count + 6 * floating
        rows = "the base's twist, angular first, then the joints" if floating else "the joints"
        return Arg(
            "M", Array((n * (n + 1) // 2,)), "mixed", f"mass matrix of {rows}: upper triangle, row by row"
        )

    def crba(self) -> Kernel:
        """The mass matrix."""
        floating = self.mechanism.floating

        def reference(q: Any, acting: Any = None) -> Any:
            define = self.definition.under(acting)
            return by_definition.result(by_definition.packed(define.mass_matrix(q, floating)))

        output = self._packed
        title = "The joint-space mass matrix, from composite bodies."
        inputs = self.arguments.named("q", PAYLOADS)
        rule = late_for_masses(self.composed)
        formulas = [
            partial(_mass_elements, self.composed, late)
            for late in dict.fromkeys((rule, rule | on_the_ground(self.composed)))
        ]
        formula = min(formulas, key=partial(self._work, inputs, [output])) if formulas[1:] else formulas[0]
        return self.kernel("crba", inputs, [output], formula, reference, title, self.equations.of_masses(),
            about={"told": self.bodies.motions("J")},
        )  # fmt: skip

    def forward_dynamics(self) -> Kernel:
        """The accelerations for given forces."""

        def reference(q: Any, v: Any, tau: Any, F_B: Any = None, acting: Any = None, **of_base: Any) -> Any:
            define = self.definition.under(acting)
            a = define.accelerations(q, v, tau, by_definition.base_of(of_base, q[0]), F_B)
            return by_definition.result(a) if F_B is None else by_definition.result(a[:6], a[6:])

        inputs = self.arguments.named("q_WB", "V_B", "q", "v", "tau", "F_B", *ACTING)
        title = "Forward dynamics: the accelerations that joint forces cause, gravity included."
        return self.kernel(
            "forward_dynamics", inputs, self.arguments.named("A_B", "a"), self.accelerating, reference, title,
            self.equations.inverse_dynamics("tau = {}"),
            invariants=self.inverse([a.name for a in inputs]), tolerance=FORWARD_TOLERANCE,
        )  # fmt: skip

    @cached_property
    def accelerating(self) -> Callable[..., Any]:
        """The formula of forward dynamics that takes fewer operations for this mechanism.

        Elimination has to save a twentieth, because the search finds more to save in the other one.
        """
        inputs = self.arguments.named("q_WB", "V_B", "q", "v", "tau", "F_B", *ACTING)
        outputs = self.arguments.named("A_B", "a")
        works: list[tuple[float, Callable[..., Any]]] = []
        forms: list[tuple[Callable[..., Any], tuple[Tree, ...], float]] = [
            (forward_dynamics, (self.light, tree), 0.95) for tree in self._masses
        ]
        if not self.tree.shared:
            forms += [(eliminated_dynamics, (tree,), 1.0) for tree in self._masses]
        for recursion, trees, share in forms:
            found = partial(_accelerations, recursion, trees)
            works.append((share * self._work(inputs, outputs, found), found))
        return min(works, key=lambda work: work[0])[1]

    def _work(self, inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any]) -> float:
        """The price of a formula that takes its inputs by name, after the search where that is quick.

        Else it is that of a form nearly as simple as the last one.
        """
        program = self._straight(inputs, outputs, formula)
        return price(optimise(program) if len(program.nodes) < _SMALL else program).work

    def _straight(
        self, inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any]
    ) -> Program:
        """A Program of a formula that takes its inputs by name, nearly as simple as the last one."""

        def traced(*values: Any) -> Any:
            return formula(**self.given([a.name for a in inputs], values))

        return nearly_simplified(lower(inputs, outputs, traced, False))

    def inverse(self, inputs: Sequence[str]) -> Callable[..., Any]:
        """The forces of the accelerations that were found, which are those given for every right answer."""
        names = [*inputs, *(["A_B"] if self.mechanism.floating else []), "a"]

        def invariants(*values: Any) -> Any:
            given = self.given(names, values)
            return _forces(self.light, **{n: x for n, x in given.items() if n not in ("tau", "F_B")})

        return invariants

    def pose(self, frame: str) -> Kernel:
        """The pose of a link's frame in the root's."""
        place, root = self.tree.frames[self.mechanism.body(frame).name], self.mechanism.root

        def reference(q: Any) -> Any:
            T = self.definition.poses(q)[frame]
            return by_definition.result(T[:3, :3], T[:3, 3])

        doc, title = f"pose of {frame} in the frame of {root}", f"Pose of {frame} in the frame of {root}."
        return self.kernel(
            self.named_for("pose", frame), self.arguments.named("q"), [Arg("T", Transform, "1; m", doc)],
            lambda q: frame_pose(self.tree, place, q), reference, title,
            self.equations.pose(self.framed(frame)), about={"frame": frame},
        )  # fmt: skip

    def jacobian(self, frame: str) -> Kernel:
        """The Jacobian of a link's frame, in axes of the root."""
        place, root = self.tree.frames[self.mechanism.body(frame).name], self.mechanism.root
        shape, doc = (
            Array((6, self.mechanism.count)),
            f"angular velocity of {frame}, then velocity of its ",
        )
        output = Arg("J", shape, "mixed", f"{doc}origin, per joint velocity", f"axes of {root}")
        return self.kernel(
            self.named_for("jacobian", frame), self.arguments.named("q"), [output],
            lambda q: frame_jacobian(self.tree, place, q),
            lambda q: by_definition.result(self.definition.jacobian(q, frame)),
            f"Jacobian of {frame} at its origin, in axes of {root}.",
            self.equations.jacobian(self.framed(frame)), about={"frame": frame},
        )  # fmt: skip


def _signed(function: Any, name: str, parameters: Sequence[str], text: str) -> None:
    """Give a function a name, parameters and a docstring."""
    ordinary = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__name__, function.__doc__ = name, text
    function.__signature__ = inspect.Signature([inspect.Parameter(p, ordinary) for p in parameters])


def _accelerations(
    recursion: Callable[..., Any],
    trees: Sequence[Tree],
    q: Any,
    v: Any,
    tau: Any,
    F_B: Any = None,
    acting: Acting | None = None,
    **of_base: Any,
) -> Any:
    """The results of a recursion of forward dynamics: those of a floating base first, where there is one."""
    A, a = recursion(*(under(tree, acting) for tree in trees), q, v, tau, F_B, _base_of(of_base))
    return (a,) if A is None else (A, a)


def _mass_elements(tree: Tree, late: frozenset[int], q: Any, acting: Acting | None = None) -> Any:
    """The upper triangle of the mass matrix, row by row."""
    elements, n = in_rows(mass_matrix(under(tree, acting), q, late)), tree.count + 6 * tree.floating
    return ([elements.get((i, j), 0) for i in range(n) for j in range(i, n)],)


def _forces(tree: Tree, q: Any, v: Any, a: Any, acting: Acting | None = None, **of_base: Any) -> Any:
    """The results of inverse dynamics: those of a floating base first, where there is one."""
    F, tau = inverse_dynamics(under(tree, acting), q, v, a, _base_of(of_base), late_for_forces(tree))
    found = of_coordinates(tree, tau)
    return (found,) if F is None else (F, found)


def _bare(value: Any) -> Any:
    """An argument without its unit: constants of a robot have units that a formula does not state."""
    if hasattr(value, "map"):
        return value.map(bare)
    return [bare(x) for x in value] if isinstance(value, Sequence) else bare(value)


def _base_of(given: Mapping[str, Any]) -> Base | None:
    """The motion of a floating base, of which what is not given is zero; None where the base stands still."""
    if "q_WB" not in given:
        return None
    still = Motion(Vec3.zero(), Vec3.zero())
    return Base(quat_to_dcm_unit(given["q_WB"]), given.get("V_B", still), given.get("A_B", still))
