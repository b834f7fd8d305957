"""Small random models of every operation, type and front end, and the commands that users run on a model."""

from __future__ import annotations

import inspect as signatures
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import casadi
import numpy as np
import sympy
from hypothesis import strategies as st

from codegen.emit.function import Function, functions
from codegen.emit.options import Options
from codegen.explain.inspection.inspect import inspect
from codegen.frontends.define import from_casadi, from_sympy, jacobian, kernel, nonzeros
from codegen.frontends.dimensions import check_units
from codegen.frontends.formula import typed_values
from codegen.frontends.from_casadi import function_of
from codegen.ir.expression import EPS, MAX, MIN, PI
from codegen.ir.operations import LEAVES, Op, Sort
from codegen.ir.program import Arg, evaluate
from codegen.ir.status import Status
from codegen.ir.systems import apply, floating
from codegen.ir.types import INTEGER, POSITIVE, REAL, Array, Component, flatten
from codegen.modeling.bind import bind
from codegen.modeling.kernel import Kernel
from codegen.modeling.types import algebra
from codegen.modeling.types.scalar import require, select
from codegen.tree.assemble import render_tree
from codegen.verify.verify import Verification, check

TYPES: list[Component] = [
    REAL, REAL, POSITIVE, INTEGER, Array((2,)), Array((2, 2)), algebra.Vec3, algebra.Angles,
    algebra.RotationVector, algebra.Rodrigues, algebra.Geocentric, algebra.Mat3, algebra.Rotation,
    algebra.SymMat3, algebra.InertiaTensor, algebra.Quaternion, algebra.UnitQuaternion, algebra.Motion,
    algebra.Force, algebra.Transform, algebra.Inertia, algebra.CentralInertia, algebra.UnitInertia,
    algebra.ArticulatedInertia,
]  # fmt: skip
UNITS = ["1"] * 12 + ["rad", "m", "kg m^2/s", "deg", "mixed", ""]
OPERATIONS = [op for op in Op if op not in LEAVES and {*op.arguments, op.result} <= {Sort.REAL, Sort.BOOLEAN}]
"""All but those of look-ups, which only tables apply."""
CONSTANTS: list[Any] = [
    0, 1, -1, 2, 0.5, 0.1, Fraction(1, 3), -7, 100, 0.1 + 0.2, 1e-30, 1e30, 1e-320, Fraction(1, 10**400),
    3.141592653589793, EPS, MIN, MAX, PI, np.float64(0.25), np.float32(0.1), np.int64(3),
]  # fmt: skip
"""Some do not exist in float, one not in double either."""


@dataclass(frozen=True)
class Step:
    """An operation on earlier values of the right sorts, by their places counted from the last."""

    op: Op
    places: tuple[int, ...]
    constant: int | None  # in place of its last operand


@dataclass(frozen=True)
class Model:
    """A front end, arguments, steps, the place of a condition that is required, and places of results."""

    way: str
    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    steps: tuple[Step, ...]
    guard: int | None
    results: tuple[int, ...]
    options: Options


@st.composite
def models(draw: st.DrawFn) -> Model:
    """A small model."""
    place = st.integers(0, 30)
    inputs = [
        Arg(name, draw(st.sampled_from(TYPES)), draw(st.sampled_from(UNITS)), "an argument")
        for name in draw(st.sampled_from(["x", "xy", "xyz"]))
    ]
    outputs = [
        Arg(name, draw(st.sampled_from(TYPES)), draw(st.sampled_from(["1", "", ""])), "a result")
        for name in draw(st.sampled_from(["a", "a", "ab"]))
    ]
    constant = st.none() | st.none() | st.integers(0, len(CONSTANTS) - 1)
    step = st.builds(Step, st.sampled_from(OPERATIONS), st.tuples(place, place, place), constant)
    return Model(
        way=draw(st.sampled_from(["formula", "formula", "sympy", "casadi", "jacobian", "nonzeros", "bound"])),
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        steps=tuple(draw(st.lists(step, max_size=8))),
        guard=draw(st.none() | place),
        results=tuple(draw(st.lists(place, min_size=1, max_size=4))),
        options=Options(
            precisions=draw(st.sampled_from([("f64",), ("f32",)])),
            checks=draw(st.booleans()),
            interface=draw(st.sampled_from(["struct", "array"])),
            layout=draw(st.sampled_from(["library", "header-only"])),
        ),
    )


def run(model: Model, scalars: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The model's results for scalars of any kind, and its conditions."""
    values: dict[Sort, list[Any]] = {Sort.REAL: [*scalars], Sort.BOOLEAN: []}
    for step in model.steps:
        if any(not values[sort] for sort in step.op.arguments):
            continue
        operands = [
            values[sort][-1 - place % len(values[sort])]
            for sort, place in zip(step.op.arguments, step.places, strict=False)
        ]
        if step.constant is not None and step.op.arguments[-1] is Sort.REAL and len(operands) > 1:
            operands[-1] = CONSTANTS[step.constant]
        values[step.op.result].append(apply(step.op, *operands))
    reals = values[Sort.REAL]
    size = sum(a.size for a in model.outputs)
    places = [model.results[i % len(model.results)] + i // len(model.results) for i in range(size)]
    return [reals[-1 - place % len(reals)] for place in places], values[Sort.BOOLEAN]


def built(model: Model) -> Kernel:
    """The kernel of a model; FeatherError where the model is a mistake."""
    names = [name for a in model.inputs for name in a.scalar_names]
    if model.way == "sympy":
        symbols = sympy.symbols(names, real=True)
        results = typed(model.outputs, [sympy.sympify(x) for x in run(model, symbols)[0]])
        arguments = typed(model.inputs, symbols)
        return from_sympy(
            "f",
            list(zip(model.inputs, arguments, strict=True)),
            list(zip(model.outputs, results, strict=True)),
        )
    if model.way == "casadi":
        sx = [casadi.SX.sym(name) for name in names]
        outputs = [casadi.SX(x) for x in run(model, sx)[0]]
        return from_casadi(function_of("f", sx, outputs), model.inputs, model.outputs, name="f")
    own = of_formula(model)
    if model.way == "jacobian":
        return jacobian(own, "f", [model.outputs[0].name], {"D": [model.inputs[0].name]})
    if model.way == "nonzeros":
        return nonzeros(jacobian(own, "g", [model.outputs[0].name], {"D": [model.inputs[0].name]}), "f")
    if model.way == "bound":
        return bind(own, {model.inputs[0].name: tuple(Fraction(n % 3) for n in range(model.inputs[0].size))})
    return own


def typed(arguments: Sequence[Arg], scalars: Sequence[Any]) -> list[Any]:
    """The scalars, argument by argument, as matrices of one column."""
    parts = [flatten(value) for value in typed_values(arguments, scalars)]
    return [sympy.Matrix(part) for part in parts]


def of_formula(model: Model) -> Kernel:
    """The kernel of a formula over the project's types."""

    def f(*values: Any) -> Any:
        results, conditions = run(model, flatten(values))
        if model.guard is not None and conditions:
            met = require(conditions[model.guard % len(conditions)], Status.SINGULAR)
            results = [select(met, x, 0) for x in results]
        assembled = typed_values(model.outputs, results)
        return assembled[0] if len(assembled) == 1 else assembled

    parameters = [
        signatures.Parameter(a.name, signatures.Parameter.POSITIONAL_OR_KEYWORD) for a in model.inputs
    ]
    f.__signature__ = signatures.Signature(parameters)  # type: ignore[attr-defined]
    return kernel(inputs=model.inputs, outputs=model.outputs, equation="a = f(x)", source="drawn")(f)


class Interpreted:
    """A function, evaluated by its Program in the precision's arithmetic instead of compiled C."""

    def __init__(self, f: Function) -> None:
        self.f = f
        self.arguments = [
            SimpleNamespace(label=p.arg.name, by_value=p.passed == "value")
            for p in f.parameters
            if p.direction == "in"
        ]

    def __call__(self, *values: Any) -> list[Any]:
        system = floating(self.f.precision)
        scalars = [system.constant(Fraction(x)) for value in values for x in np.ravel(value)]
        with np.errstate(all="ignore"):
            found = evaluate(self.f.program, system, scalars)
        status = sum({flag for met, flag in found.status if not met})
        return [*found.results, *([status] if self.f.returns_status else [])]


FORMS = ("text", "latex", "markdown", "html", "json", "svg", "dot")


def used(model: Model, form: str) -> Verification:
    """Run what `check_units`, `generate`, `inspect` and `verify` do; FeatherError for a mistake."""
    own = built(model)
    for checks in (True, False):
        own.program(checks)
    check_units(own)
    render_tree([own], model.options)
    inspect(own, "", form, model.options)
    (f,) = functions([own], model.options)
    stand_in: Any = Interpreted(f)
    return check(f, stand_in, model.options.checks, count=1)
