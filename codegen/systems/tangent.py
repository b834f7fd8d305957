"""Errors of states: what a filter's covariance is about, and derivatives of formulas by them.

The error of a vector is the difference. That of a unit quaternion q_AB is a rotation vector d in its
right-hand frame B, q = q_estimated exp(d), so that it has three components: the covariance of an attitude is
3 x 3.
Sola, Quaternion kinematics for the error-state Kalman filter (2017), sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

from codegen.errors import FeatherError
from codegen.frontends.define import formula_kernel
from codegen.frontends.differentiate import jacobian_program
from codegen.frontends.formula import output_scalars, typed_values
from codegen.ir.expression import as_expr
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program, evaluate
from codegen.ir.rewriting import Builder, rebuild
from codegen.ir.systems import sympy_system, system_of
from codegen.ir.types import Array, Scalar, flatten, scalars_of, value_of
from codegen.library.rotation.kernels import quat_multiply
from codegen.library.rotation_vector.kernels import quat_from_rotvec
from codegen.modeling.bind import substituted
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Quaternion, UnitQuaternion, Vec3
from codegen.modeling.types.matrix_types import Matrix, Vector
from codegen.modeling.types.scalar import bare, closed_forms, removable
from codegen.passes.fold import fold

DELTA = "delta"
"""The argument of a differentiated formula that is the error of its states."""


def _smooth(program: Program) -> Program:
    """The Program with roots that have a derivative at zero, too: it is 0 there, as at a body at rest.

    The root of numbers below the smallest normal one is that of this number.
    """

    def rule(graph: Builder, node: Node, _: int) -> int:
        if node.op is not Op.SQRT or _is_away_from_zero(graph, *node.args):
            return graph.keep(node)
        least = graph.add(Op.NAMED, value="min")
        zero = graph.add(Op.LE, *node.args, least)
        return graph.add(Op.SQRT, graph.add(Op.SELECT, zero, least, *node.args))

    return rebuild(program, rule)


def _is_away_from_zero(graph: Builder, i: int) -> bool:
    """Whether node i is selected so already: a normal number where it would be below the smallest one."""
    op, args, _ = graph.nodes[i]
    if op is not Op.SELECT:
        return False
    condition, least, value = args
    below = graph.operands(condition, Op.LE)
    named = Node(Op.NAMED, (), "min")
    return (
        below is not None
        and (graph.nodes[below[0]], graph.nodes[below[1]]) == (graph.nodes[value], named)
        and (graph.number(least) or 0) >= Fraction(2) ** -126
    )


def zeros(count: int) -> list[Scalar]:
    """Traced zeros, each a sum of its own, by which a derivative can be taken."""
    return [as_expr(0) + 0 for _ in range(count)]


def is_attitude(state: Arg) -> bool:
    """Whether a state is a unit quaternion, whose error is a rotation vector."""
    return isinstance(state.type, type) and issubclass(state.type, UnitQuaternion)


def error_size(state: Arg) -> int:
    """Number of components of a state's error."""
    return 3 if is_attitude(state) else state.size


def error_places(states: Sequence[Arg]) -> list[range]:
    """The places of each state's error among the components of all."""
    ends = list(accumulate(map(error_size, states), initial=0))
    return [range(first, end) for first, end in pairwise(ends)]


def errors_of(states: Sequence[Arg], error: Sequence[Scalar]) -> list[list[Scalar]]:
    """The components of the error of each state."""
    return [list(error[at.start : at.stop]) for at in error_places(states)]


def corrected(state: Arg, value: Any, error: Sequence[Scalar]) -> Any:
    """The state with an error of any size: a sum, or a product with an exponential."""
    if is_attitude(state):
        return quat_multiply(value, quat_from_rotvec(Vec3(*error)))
    return _sum(state, value, error)


def _nearby(state: Arg, value: Any, error: Sequence[Scalar]) -> Any:
    """The state with an error, to first order in it."""
    if is_attitude(state):
        return value @ Quaternion.from_parts(1, Vec3(*error) / 2)
    return _sum(state, value, error)


def _sum(state: Arg, value: Any, error: Sequence[Scalar]) -> Any:
    pairs = zip(scalars_of(state.type, value), error, strict=True)
    return value_of(state.type, [x + d for x, d in pairs])


def _difference(state: Arg, value: Any, estimate: Any) -> list[Scalar]:
    """The error of a state that is near its estimate, to first order in it."""
    if is_attitude(state):
        w, x, y, z = flatten(estimate)
        return ((Quaternion(w, -x, -y, -z) @ Quaternion(*flatten(value))).vector * 2).scalars()
    pairs = zip(scalars_of(state.type, value), scalars_of(state.type, estimate), strict=True)
    return [x - y for x, y in pairs]


def _at_zero(program: Program, kept: Sequence[Arg]) -> Program:
    """The Program where all inputs but these are 0."""
    still = {a.name: (Fraction(0),) * a.size for a in program.inputs if a not in kept}
    return fold(substituted(program, tuple(kept), still))


@dataclass(frozen=True, eq=False)
class Linearised:
    """A formula's derivatives by the errors of states, and by other inputs that are zero, at their estimates.

    `of` has the states among its inputs. Where `results` are given, they are the arguments of states whose
    errors are differentiated, in the order of the outputs; otherwise the outputs are plain numbers.
    """

    of: Kernel
    states: tuple[Arg, ...]
    noise: tuple[Arg, ...] = ()
    results: tuple[Arg, ...] = ()

    @cached_property
    def inputs(self) -> tuple[Arg, ...]:
        """The inputs of the formula without the noise, of which the derivatives need some."""
        return tuple(a for a in self.of.inputs if a not in self.noise)

    @property
    def size(self) -> int:
        """Number of components of the error of all states."""
        return sum(map(error_size, self.states))

    def with_error(self, *values: Any) -> list[Scalar]:
        """The result of the formula, or its error, for an error of the states; the noise is before it."""
        *given, error = values
        arguments = [*self.inputs, *self.noise]
        estimates = dict(zip((a.name for a in arguments), given, strict=True))
        parts = zip(self.states, errors_of(self.states, flatten(error)), strict=True)
        moved = {**estimates, **{s.name: _nearby(s, estimates[s.name], d) for s, d in parts}}
        after = self._called(moved)
        if not self.results:
            return [x for value in after for x in flatten(value)]
        still = {n.name: value_of(n.type, [0] * n.size) for n in self.noise}
        before = self._called({**estimates, **still})
        triples = zip(self.results, after, before, strict=True)
        return [x for s, value, estimate in triples for x in _difference(s, value, estimate)]

    def _called(self, given: dict[str, Any]) -> list[Any]:
        if self.of.formula is None:
            raise FeatherError(f"kernel {self.of.name} has no formula: a filter needs one to differentiate")
        results = self.of.formula(*(given[a.name] for a in self.of.inputs))
        return typed_values(self.of.outputs, output_scalars(self.of.outputs, results))

    @property
    def rows(self) -> int:
        """Number of results that are differentiated."""
        return self.size if self.results else sum(a.size for a in self.of.outputs)

    @cached_property
    def kernel(self) -> Kernel:
        """The kernel of the results for an error of the states."""
        return formula_kernel(
            self.with_error,
            module=self.of.module,
            name=self.of.name,
            title=self.of.title,
            equation=self.of.equation,
            source=self.of.source,
            inputs=(*self.inputs, *self.noise, Arg(DELTA, Vector(self.size), "mixed", "error of the states")),
            outputs=(Arg("error_after", Vector(self.rows), "mixed", "error of the results"),),
        )

    @property
    def program(self) -> Program:
        """The derivatives by the error of the states, then by each noise, of the inputs alone."""
        return self._programs[removable(True) is False]

    @cached_property
    def _programs(self) -> dict[bool, Program]:
        """The derivatives; for True of the closed form, without limits and series."""
        with closed_forms():
            closed = self.kernel.lower(False)
        moving = {False: self._smooth_slopes, True: self._slopes(closed)}
        return {is_closed: _at_zero(program, self.inputs) for is_closed, program in moving.items()}

    @cached_property
    def _smooth_slopes(self) -> Program:
        return self._slopes(_smooth(self.kernel.program(False)))

    def _slopes(self, program: Program) -> Program:
        """The derivatives at any noise, and at any error of the states."""
        moving = self.kernel.inputs[len(self.inputs) :]
        matrices = [Arg(f"d_{a.name}", Array((self.rows, a.size)), "mixed", "") for a in moving]
        return jacobian_program(program, matrices, ["error_after"], [[a.name] for a in moving])

    @cached_property
    def at_zero(self) -> tuple[Arg, ...]:
        """The noise on whose values the derivatives depend: they are taken where it is 0."""
        read = _at_zero(self._smooth_slopes, (*self.inputs, *self.noise)).read
        return tuple(a for a in self.noise if a in read)

    def traced(self, given: dict[str, Any]) -> tuple[list[Scalar], list[Scalar], list[list[Scalar]]]:
        """The traced results of the formula, or its errors, and what they may be differentiated by.

        These are the error of the states and each noise, all of them 0.
        """
        error, *noise = map(zeros, (self.size, *(a.size for a in self.noise)))
        arguments = [value_of(a.type, given[a.name]) for a in self.inputs]
        moving = [value_of(a.type, x) for a, x in zip(self.noise, noise, strict=True)]
        with closed_forms():
            return self.with_error(*arguments, *moving, error), error, noise

    @cached_property
    def needed(self) -> tuple[Arg, ...]:
        """The inputs that the derivatives depend on."""
        return self._programs[False].read

    def apart(self, values: Sequence[Any]) -> tuple[dict[str, Any], Sequence[Any]]:
        """The values of the inputs that the derivatives depend on, by name, and those that follow them."""
        given = dict(zip((a.name for a in self.needed), values, strict=False))
        return given, values[len(self.needed) :]

    def derivatives(self, given: dict[str, Any]) -> list[Any]:
        """The matrices of the derivatives at values of the inputs; those that are not needed may be missing.

        Structural zeros and ones are plain numbers, which cost nothing in products.
        """
        scalars = [
            bare(x)
            for a in self.inputs
            for x in (scalars_of(a.type, given[a.name]) if a.name in given else [0] * a.size)
        ]
        found = evaluate(self.program, system_of(tuple(scalars)), scalars).results
        nodes = [self.program.nodes[r] for r in self.program.results]
        plain = [
            int(n.value) if n.op is Op.CONSTANT and n.value in (0, 1) else x
            for n, x in zip(nodes, found, strict=True)
        ]
        stream = iter(plain)
        sizes = [*(n.size for n in self.noise), self.size]
        *noise, errors = [
            Matrix.from_rows(*([next(stream) for _ in range(columns)] for _ in range(self.rows)))
            for columns in sizes
        ]
        return [errors, *noise]

    def by_sympy(self, given: dict[str, Any]) -> list[Any]:
        """The same matrices, differentiated by SymPy, for SymPy values of the inputs."""
        import sympy

        around = [*self.noise, self.kernel.inputs[-1]]
        symbols = [[sympy.Symbol(f"{a.name}_{i}", real=True) for i in range(a.size)] for a in around]
        fixed = [x for a in self.inputs for x in (given[a.name] if a.name in given else [0] * a.size)]
        free = [x for part in symbols for x in part]
        with closed_forms():
            program = self.kernel.lower(False)
        results = evaluate(program, sympy_system(), [*fixed, *free]).results
        still = dict.fromkeys(free, 0)
        column = sympy.Matrix(results)
        # a whole part has a derivative of 0, which SymPy does not know
        constants = {whole: sympy.Dummy(real=True) for whole in column.atoms(sympy.floor)}
        between = column.xreplace(constants)
        back = {constant: whole for whole, constant in constants.items()}
        matrices = [between.jacobian(part).xreplace(back).subs(still) for part in symbols]
        return [matrices[-1], *matrices[:-1]]
