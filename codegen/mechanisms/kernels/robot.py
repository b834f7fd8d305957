"""A mechanism with the trees and recursions that take fewest operations, and what its kernels share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from codegen.errors import FeatherError
from codegen.frontends.define import kernel
from codegen.frontends.formula import lower
from codegen.ir.program import Arg, Program
from codegen.library import MODULES
from codegen.library.shared.works import FEATHERSTONE, KHALIL
from codegen.mechanisms.definition.balls import on_balls
from codegen.mechanisms.definition.reference import Definition
from codegen.mechanisms.description.exact import SNAP, Angles
from codegen.mechanisms.description.mechanism import Mechanism
from codegen.mechanisms.description.negligible import tidied
from codegen.mechanisms.kernels.arguments import ACTING, Arguments, identifier
from codegen.mechanisms.kernels.bodies import Bodies
from codegen.mechanisms.kernels.equations import Equations, Frame, equations_of, symbols
from codegen.mechanisms.recursions.dynamics import forward_dynamics, mass_elements
from codegen.mechanisms.recursions.elimination import eliminated_dynamics
from codegen.mechanisms.recursions.formulas import accelerations, forces, packed_masses
from codegen.mechanisms.trees.carriage import choices_of_late, late_for_forces
from codegen.mechanisms.trees.coordinates import of_links
from codegen.mechanisms.trees.reduce import for_forces, for_masses, framings
from codegen.mechanisms.trees.settle import settled
from codegen.mechanisms.trees.tree import Tree, tree_of
from codegen.modeling.kernel import Kernel
from codegen.modeling.names import check_name
from codegen.passes import nearly_simplified, optimise
from codegen.passes.search.search import price

_LONGEST = 56
"""Characters of the name of a function for a frame, up to which the name of the frame is not cut."""

_SMALL = 500
"""The search is quick for Programs with fewer nodes."""

SOURCE = f"{FEATHERSTONE.at('section 5.3', 'section 6.2')}; {KHALIL}, for the regrouping of masses"


@dataclass(frozen=True)
class Robot:
    """A mechanism with the trees and recursions that take fewest operations.

    Angles within `snap` (rad) of a right angle are taken for it.
    """

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
        works = [(tree, self.work(inputs, outputs, partial(forces, tree))) for tree in trees]
        return min([known, *works] if known else works, key=lambda work: work[1])

    @cached_property
    def composed(self) -> Tree:
        """The tree for recursions of composite bodies that is cheaper.

        To turn bodies by their momenta may take a twentieth more before the search, which finds more to save
        in that form.
        """
        return min(self.masses, key=self._work_of_masses) if self.masses[1:] else self.masses[0]

    @cached_property
    def masses(self) -> list[Tree]:
        """The trees for recursions of composite and articulated bodies."""
        found = [for_masses(tree) for tree in self._framings]
        return [*found, *(replace(tree, by_momenta=True) for tree in found if self.mechanism.balls)]

    def _work_of_masses(self, tree: Tree) -> float:
        formula = partial(packed_masses, mass_elements, tree)
        share = 0.95 if tree.by_momenta else 1.0
        return self.work(self.arguments.named("q"), [self.arguments.packed_masses], formula, share)

    @cached_property
    def accelerating(self) -> Callable[..., Any]:
        """The formula of forward dynamics that takes fewer operations for this mechanism.

        Elimination has to save a twentieth before the search, which finds more to save in the other one.
        """
        inputs = self.arguments.named("q_WB", "V_B", "q", "v", "tau", "F_B", *ACTING)
        outputs = self.arguments.named("A_B", "a")
        works: list[tuple[float, Callable[..., Any]]] = []
        forms: list[tuple[Callable[..., Any], tuple[Tree, ...], float]] = [
            (forward_dynamics, (self.light, tree), 0.95) for tree in self.masses
        ]
        if not self.tree.shared:
            forms += [(eliminated_dynamics, (tree,), 1.0) for tree in self.masses if not tree.by_momenta]
        for recursion, trees, share in forms:
            found = partial(accelerations, recursion, trees)
            works.append((self.work(inputs, outputs, found, share), found))
        return min(works, key=lambda work: work[0])[1]

    @cached_property
    def definition(self) -> Definition:
        """The definition by virtual work."""
        return Definition.of(self._settled, Angles(self.snap))

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

    @cached_property
    def bodies(self) -> Bodies:
        """What the letters of the equations stand for."""
        return Bodies(self.whole)

    @cached_property
    def equations(self) -> Equations:
        """The equations of the functions."""
        return equations_of(self.whole, self.mechanism)

    @property
    def ends(self) -> list[str]:
        """For each moving body that carries no other, the first of the last links on it."""
        last = [i for i in self.tree.jointed if not self.tree.children(i)]
        on = [(self.tree.frames[name].body, name) for name in self.mechanism.leaves]
        return [next(name for body, name in on if body == i) for i in last]

    def named_for(self, what: str, frame: str) -> str:
        """The name of a function for a frame; of a long name the end is kept."""
        room = _LONGEST - len(f"{self.name}_{what}_")
        return f"{what}_{identifier(frame)[-max(room, 1) :].strip('_')}"

    def framed(self, frame: str) -> Frame:
        """A link's frame as the equations have it."""
        return Frame.at(self.whole.frames[self.mechanism.body(frame).name])

    def given(self, names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
        """The arguments of a formula: positions, velocities and accelerations for each link of the tree."""
        found = self.arguments.by_coordinate(names, values)
        return {n: of_links(self.tree, x) if n in ("q", "v", "a") else x for n, x in found.items()}

    def work(
        self, inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any], share: float = 1
    ) -> float:
        """The price of a formula that takes its inputs by name, after the search where that is quick.

        Else it is that of a form nearly as simple as the last one, times the `share` that the search leaves
        of it compared with others.
        """
        program = self.straight(inputs, outputs, formula)
        if len(program.nodes) < _SMALL:
            return price(optimise(program)).work
        return share * price(program).work

    def straight(self, inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any]) -> Program:
        """A Program of a formula that takes its inputs by name, nearly as simple as the last one."""

        def traced(*values: Any) -> Any:
            return formula(**self.given([a.name for a in inputs], values))

        return nearly_simplified(lower(inputs, outputs, traced, False))

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

        def define(*values: Any, **limits: Any) -> Any:
            return reference(**self.arguments.described(names, values), **limits)

        def defined(*values: Any, **limits: Any) -> Any:
            return on_balls(define, values, limits)

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
        setting = self.bodies.setting(inputs, self.arguments.by_coordinate, **(about or {}))
        places, limits = self.arguments.indices, self.arguments.limits
        return replace(made, module=self.name, indices=places, limits=limits, setting=setting)

    def made(
        self, name: str, inputs: Sequence[str], outputs: Sequence[Arg], *rest: Any, **others: Any
    ) -> Kernel:
        """A kernel of inputs that are named: formula, reference, title and equation follow."""
        return self.kernel(name, self.arguments.named(*inputs), outputs, *rest, **others)


def _signed(function: Any, name: str, parameters: Sequence[str], text: str) -> None:
    """Give a function a name, parameters and a docstring."""
    ordinary = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__name__, function.__doc__ = name, text
    function.__signature__ = inspect.Signature([inspect.Parameter(p, ordinary) for p in parameters])
