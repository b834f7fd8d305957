"""Equations of kernels: arguments and results as the vectors and matrices of the notation.

A rotation is its matrix, a symmetric matrix has all its elements, a quaternion is a column whose vector part
is `q_v`; a spatial inertia is its 6x6 matrix, and a pose the homogeneous matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from codegen.errors import FeatherError, Misfit, naming
from codegen.ir.derivative import derivatives
from codegen.ir.expression import Expr, as_expr
from codegen.ir.operations import Op
from codegen.ir.patterns import row_pattern
from codegen.ir.program import Arg, Node, Program, input_scalars, program_of
from codegen.ir.types import Array, Component, Real, Value, component_names, size
from codegen.modeling.equations.tables import setting_of
from codegen.modeling.kernel import Kernel, Rates
from codegen.modeling.types import scalar
from codegen.modeling.types.algebra import Mat3, Quaternion, SymMat3
from codegen.modeling.types.records import Record
from codegen.notation import syntax
from codegen.notation.blocks import Block, Scalar, column
from codegen.notation.families import Setting
from codegen.notation.functions import OF_SCALARS, Table
from codegen.notation.layout import Layout, Row, without_rate
from codegen.notation.meaning import Meaning
from codegen.notation.names import Place
from codegen.notation.reader import read
from codegen.notation.syntax import Equation

_SYMMETRIC = (0, 1, 2, 1, 3, 4, 2, 4, 5)
"""The place of each element of a symmetric matrix among its six numbers."""


def results(
    text: str,
    inputs: Sequence[Arg],
    outputs: Sequence[Arg],
    scalars: Sequence[Scalar],
    table: Table,
    setting: Setting | None = None,
) -> list[Scalar]:
    """The results of a kernel, in C order, that its equations give; FeatherError where they give none."""
    given, lengths = arguments(inputs, scalars, table), _lengths(outputs)
    meaning = _meaning(read(text), given, table, setting=setting, lengths=lengths)
    return [s for a in outputs for s in _result(a.name, a.type, meaning, table)]


class Part(NamedTuple):
    """A result, or a member of one: the scalars that an equation gives it, or why it gives none."""

    name: str
    size: int
    scalars: list[Scalar]
    reason: str = ""


def each_result(kernel: Kernel) -> list[Part]:
    """The results of a kernel in C order, of records of which some members are stated the members.

    FeatherError where the equation as a whole cannot be read.
    """
    inputs, table = kernel.all_inputs, traced_table()
    given = arguments(inputs, _with_bound(kernel, input_scalars(kernel.inputs)), table)
    equations, lengths = read(kernel.equation), _lengths(kernel.outputs)
    meaning = _meaning(equations, given, table, setting=setting_of(kernel), lengths=lengths)
    return [found for a in kernel.outputs for found in _each(a.name, a.type, meaning, table)]


def _each(name: str, component: Component, meaning: Meaning, table: Table) -> list[Part]:
    try:
        return [Part(name, size(component), _result(name, component, meaning, table))]
    except FeatherError as error:
        whole = [Part(name, size(component), [], str(error))]
    if not (isinstance(component, type) and issubclass(component, Record)):
        return whole
    named = [(_part_name(part, name, meaning), inside) for part, inside in component.layout.items()]
    parts = [p for part, inside in named for p in _each(part, inside, meaning, table)]
    return parts if any(p.scalars for p in parts) else whole


def _lengths(outputs: Sequence[Arg]) -> dict[str, int]:
    """The number of elements of each result that is a vector or a scalar: a column is taken apart by them."""
    shapes = {a: block(a.type, [0] * a.size, _ZEROS).shape for a in outputs if not _is_structure(a.type)}
    return {n: rows for a, (rows, columns) in shapes.items() if columns == 1 for n in spellings(a.name)}


def _meaning(
    equations: Sequence[Equation],
    known: Mapping[str, Block],
    table: Table,
    names: Sequence[str] = (),
    setting: Setting | None = None,
    lengths: Mapping[str, int] | None = None,
) -> Meaning:
    """The values in equations, those of names that a setting knows included; `names` are those of results."""
    if setting is None:
        return Meaning(equations, known, table, names, lengths=lengths)
    functions = setting.functions(known)
    meaning = Meaning(setting.expanded(equations), setting.known(known), table, names, functions, lengths)
    for name in meaning.defined:  # in order, or a long chain of bodies would be nested too deeply
        meaning.has_value(name)
    return meaning


def is_notation(text: str) -> bool:
    """Whether a text can be read as equations."""
    try:
        return bool(read(text))
    except FeatherError:
        return False


def equation_program(kernel: Kernel) -> Program | None:
    """The Program of the equation in a kernel's documentation; None where `unevaluated` says why."""
    found = _equation(kernel)
    return found if isinstance(found, Program) else None


def unevaluated(kernel: Kernel) -> str:
    """Why a kernel's equation does not give its results; empty if it does."""
    found = _equation(kernel)
    return str(found) if isinstance(found, FeatherError) else ""


def check_shapes(kernel: Kernel) -> None:
    """FeatherError names the kernel and the shapes where those in its equation do not fit."""
    found = _equation(kernel) if is_notation(kernel.equation) else None
    if isinstance(found, Misfit):
        raise Misfit(
            f"kernel {kernel.name}: the shapes in its equation do not fit: {found}; correct it, or "
            "write it in words"
        )


@cache
def _equation(kernel: Kernel) -> Program | FeatherError:
    if not kernel.outputs:
        return FeatherError("the kernel returns a status only")
    rates = kernel.block.rates if kernel.block else None
    try:
        return _of_results(kernel) if rates is None else _of_step(rates, kernel)
    except FeatherError as error:
        return error


def _of_results(kernel: Kernel) -> Program:
    """The Program of an equation that states the results; FeatherError where it does not."""
    inputs, scalars = kernel.all_inputs, _with_bound(kernel, input_scalars(kernel.inputs))
    found = results(kernel.equation, inputs, kernel.outputs, scalars, traced_table(), setting_of(kernel))
    check_patterns(kernel, kernel.equation)
    _evaluate_conditions(kernel)
    return program_of(kernel.inputs, kernel.outputs, [as_expr(x) for x in found], [])


def _of_step(rates: Rates, kernel: Kernel) -> Program:
    """The Program of a step with an integrator, whose equation states rates or the states after the step."""
    given = arguments(rates.inputs, input_scalars(rates.inputs), traced_table())
    meaning = _meaning(read(kernel.equation), given, traced_table(), setting=setting_of(kernel))
    if not stated_parts(meaning, kernel.outputs[:1]):
        return _of_rates(rates, kernel)
    if any(meaning.defines(a.name) for a in rates.outputs if a not in kernel.outputs):
        raise FeatherError("it states rates as well as states after the step: state one of the two")
    return _of_results(kernel)


def _of_rates(rates: Rates, kernel: Kernel) -> Program:
    """The Program of a step whose equation states the rates that its integrator advances."""
    setting = setting_of(kernel)
    if has_conditions(kernel.equation, rates.inputs, rates.outputs, setting):
        raise FeatherError("it states more than the rates and the outputs, which are compared alone")

    def stated(values: Sequence[Scalar]) -> list[Scalar]:
        return results(kernel.equation, rates.inputs, rates.outputs, values, traced_table(), setting)

    with scalar.closed_forms():
        found = rates.advanced(stated, _with_bound(kernel, input_scalars(kernel.inputs)))
    return program_of(kernel.inputs, kernel.outputs, [as_expr(x) for x in found], [])


@cache
def equation_condition(kernel: Kernel) -> str | None:
    """The equation in a kernel's documentation, if it holds more than the values of the results show.

    Such are conditions between arguments and results, and the further sides of a chain. None where there are
    no such, where it cannot be evaluated, and where it neither gives the results nor states conditions on
    each of their scalars.
    """
    if not is_notation(kernel.equation) or not kernel.outputs:
        return None
    known = (*kernel.inputs, *kernel.outputs)
    scalars, explicit = input_scalars(known), equation_program(kernel) is not None
    if not explicit and kernel.block and kernel.block.rates:
        return None  # its rates would not be compared
    try:
        inputs = kernel.all_inputs
        if explicit and not has_conditions(kernel.equation, inputs, kernel.outputs, setting_of(kernel)):
            return None
        found = traced_residuals(kernel, kernel.equation, scalars)
    except FeatherError:
        return None
    stated = explicit or _contain(known, found, scalars[sum(a.size for a in kernel.inputs) :])
    return kernel.equation if found and stated else None


def _contain(known: Sequence[Arg], expressions: Sequence[Scalar], scalars: Sequence[Scalar]) -> bool:
    """Whether traced expressions contain all these scalars of the arguments."""
    if not expressions:
        return False
    whole = [Arg("expressions", Array((len(expressions),)), "1", "expressions")]
    nodes = set(program_of(known, whole, [as_expr(x) for x in expressions]).nodes)
    return all(Node(s.op, (), s.value) in nodes for s in scalars)


def check_patterns(kernel: Kernel, text: str) -> None:
    """FeatherError where equations give a matrix its non-zeros elsewhere than a kernel's pattern has them."""
    dense = kernel.of.outputs if kernel.of is not None else ()
    matrices = [matrix for matrix in dense if f"{matrix.name}_COLUMNS" in kernel.constants]
    if not matrices:
        return
    inputs, scalars = kernel.all_inputs, _with_bound(kernel, input_scalars(kernel.inputs))
    known = arguments(inputs, scalars, traced_table())
    meaning = _meaning(read(text), known, traced_table(), setting=setting_of(kernel))
    for matrix in matrices:
        if meaning.defines(matrix.name):
            _check_pattern(matrix, meaning.value(matrix.name), kernel.constants)


def _check_pattern(matrix: Arg, value: Block, constants: Mapping[str, Sequence[int]]) -> None:
    name, shape = matrix.name, matrix.type.shape if isinstance(matrix.type, Array) else ()
    if value.shape != shape:
        stored = "x".join(map(str, shape))
        raise FeatherError(f"{name} is {value.described} instead of a {stored} one")
    filled = [k for k, x in enumerate(value.flat()) if not _is_structural_zero(x)]
    if row_pattern(matrix, filled) != (constants[f"{name}_ROW_STARTS"], constants[f"{name}_COLUMNS"]):
        raise FeatherError(f"the non-zeros of {name} are not where {name}_COLUMNS has them")


def _evaluate_conditions(kernel: Kernel) -> None:
    """FeatherError where a condition or a further side of a kernel's equation cannot be evaluated."""
    scalars = input_scalars([*kernel.inputs, *kernel.outputs])
    traced_residuals(kernel, kernel.equation, scalars)


def traced_residuals(kernel: Kernel, text: str, scalars: Sequence[Scalar]) -> list[Scalar]:
    """What is zero where equations hold between traced scalars of a kernel's arguments and results."""
    inputs, every = kernel.all_inputs, _with_bound(kernel, scalars)
    return residuals(text, inputs, kernel.outputs, every, traced_table(), setting_of(kernel))


def traced_inequalities(kernel: Kernel, text: str, scalars: Sequence[Scalar]) -> list[Any]:
    """The truth of each inequality that equations state between traced scalars of arguments and results.

    Those of a chain, and all that are joined by "and", are inequalities by themselves.
    """
    equations = read(text)
    alone = [part for e in equations if len(e.sides) == 1 for part in syntax.conjuncts(e.sides[0])]
    if not alone:
        return []
    meaning = _with_results(kernel, equations, _known_results(kernel, scalars))
    return [meaning.holds(part) for part in alone]


def traced_claim(kernel: Kernel, text: str, claim: Equation, scalars: Sequence[Scalar]) -> list[Scalar]:
    """What is zero where an equation holds between traced scalars of a kernel's arguments and results.

    The equations of a text define further names; so does each attitude, which is a quaternion, its matrix.
    """
    known = _known_results(kernel, scalars)
    equations = read(text) if text else ()
    matrices = (e for name in known for e in _matrix_of(name) if e.sides[0].name not in known)
    return _with_results(kernel, (*equations, *matrices), known).zeros(claim)


def _known_results(kernel: Kernel, scalars: Sequence[Scalar]) -> dict[str, Block]:
    """The values of arguments and results by name, of traced scalars."""
    return arguments([*kernel.all_inputs, *kernel.outputs], _with_bound(kernel, scalars), traced_table())


def _with_results(kernel: Kernel, equations: Sequence[Equation], known: Mapping[str, Block]) -> Meaning:
    """What equations mean where the results are known besides the arguments."""
    names = [a.name for a in kernel.outputs]
    return _meaning(equations, known, traced_table(), names, setting_of(kernel))


def _matrix_of(name: str) -> tuple[Equation, ...]:
    """What defines the matrix R_AB, if a name is that of an attitude q_AB."""
    letter, _, frames = name.partition("_")
    if letter != "q" or len(frames) != 2 or not frames.isupper():
        return ()
    return read(f"R_{frames} = 1 + (2 / ({name}.{name})) ({name}_w {name}_v~ + {name}_v~ {name}_v~)")


def _with_bound(kernel: Kernel, scalars: Sequence[Scalar]) -> list[Scalar]:
    """The scalars of all arguments of the signature, those that are bound included, and what follows them."""
    stream, found = iter(scalars), list[Scalar]()
    for a in kernel.all_inputs:
        bound = kernel.bound.get(a.name)
        found += map(as_expr, bound) if bound else [next(stream) for _ in range(a.size)]
    return [*found, *stream]


@cache
def traced_table() -> Table:
    """The functions of the notation on traced values."""
    special: dict[str, Callable[..., Any]] = {
        "abs": scalar.absolute,
        "min": scalar.minimum,
        "max": scalar.maximum,
    }
    table = {n: _traced(special.get(n) or getattr(scalar, n)) for n in OF_SCALARS}
    constants = {"pi": scalar.PI, "eps": scalar.EPS, "min": scalar.MIN, "max": scalar.MAX}
    return {
        **table,
        "number": lambda value: value,
        "constant": constants.__getitem__,
        "select": scalar.select,
        "derivatives": derivatives,
    }


def _traced(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of traced values; of constants, too, it may be irrational."""
    return lambda *values: function(*map(as_expr, values))


class Shown(NamedTuple):
    """Equations about a kernel: evaluated on traced values, where they have any, and how they are laid out.

    `known` are the arguments whose scalars are given: the inputs, and the results that are not defined here.
    """

    equations: tuple[Equation, ...]
    meaning: Meaning
    layout: Layout
    known: tuple[Arg, ...]


def shown(text: str, inputs: Sequence[Arg], outputs: Sequence[Arg], setting: Setting | None = None) -> Shown:
    """Equations as they are printed; FeatherError where the text is no notation.

    Vectors and matrices are bold where the equations can be evaluated. The letter of an angular velocity,
    w in names of code, is omega.
    """
    equations = read(text)
    defined = Meaning(equations, {}, traced_table())
    stated = [a for a in outputs if any(map(defined.defines, spellings(a.name)))]
    others = tuple(a for a in outputs if a not in stated)
    known = (*inputs, *others)
    try:
        meaning = _evaluated(equations, known, outputs, setting)
    except FeatherError:  # what the equations are about has no value
        setting = None
        meaning = _evaluated(equations, known, outputs, setting)
    if not all(any(map(meaning.has_value, spellings(a.name))) for a in stated):  # they are conditions
        known = (*inputs, *outputs)
        meaning = _evaluated(equations, known, outputs, setting)
    shapes = {**_under_integrals(equations, known, outputs), **_shapes(meaning, equations, setting)}
    layout = Layout(shapes, letters([*inputs, *outputs]), no_rates([*inputs, *outputs]))
    return Shown(equations, meaning, layout, known)


def _shapes(
    meaning: Meaning, equations: Sequence[Equation], setting: Setting | None
) -> Mapping[syntax.Node, tuple[int, int]]:
    """The rows and columns of the expressions met; of one with an index, those for its first number."""
    found = meaning.shapes
    if setting is None:
        return found
    return {node: found[one] for node, one in setting.instances(equations) if one in found}


def _under_integrals(
    equations: Sequence[Equation], known: Sequence[Arg], outputs: Sequence[Arg]
) -> Mapping[syntax.Node, tuple[int, int]]:
    """The shapes of what integrals define, whose values are known symbolically only: those of integrands."""
    nodes = (n for e in equations for side in e.sides for n in side.nodes())
    if all(n.kind is not syntax.Kind.CALL or n.name != "integral" for n in nodes):
        return {}
    of_shapes = {"variable": lambda name: 1, "integral": lambda integrand, *_: integrand}
    given, names = arguments(known, input_scalars(known), traced_table()), [a.name for a in outputs]
    meaning = Meaning(equations, given, {**traced_table(), **of_shapes}, names)
    meaning.evaluate_all()
    return meaning.shapes


def _evaluated(
    equations: Sequence[Equation],
    known: Sequence[Arg],
    outputs: Sequence[Arg],
    setting: Setting | None,
) -> Meaning:
    """Equations with all their values on traced scalars of the arguments that are known."""
    given = arguments(known, input_scalars(known), traced_table())
    meaning = _meaning(equations, given, traced_table(), [a.name for a in outputs], setting)
    meaning.evaluate_all()
    return meaning


def laid_out(
    text: str, inputs: Sequence[Arg], outputs: Sequence[Arg], setting: Setting | None = None
) -> list[Row]:
    """Equations as they are printed; FeatherError where the text is no notation."""
    found = shown(text, inputs, outputs, setting)
    return [found.layout.equation(e) for e in found.equations]


def letters(known: Sequence[Arg]) -> Mapping[str, str]:
    """Letters that stand for others on the page of a kernel."""
    return {"w": "omega"} if any(map(_has_spin, known)) else {}


def no_rates(known: Sequence[Arg]) -> frozenset[str]:
    """The arguments that are called like rates, but of no other argument, and are not per second."""
    heads = {a.name: a.name.split("_")[0] for a in known}
    found = set()
    for a in known:
        letter, is_rate = without_rate(heads[a.name])
        if is_rate and letter not in heads.values() and "/s" not in a.unit:
            found.add(heads[a.name])
    return frozenset(found)


def _has_spin(a: Arg) -> bool:
    """Whether an argument is an angular velocity or acceleration, or a spatial velocity."""
    if a.name.split("_")[0] in ("w", "dw") and "rad/s" in a.unit:
        return True
    layout = a.type.layout if isinstance(a.type, type) and issubclass(a.type, Value) else {}
    parts = [name for name, part in layout.items() if not isinstance(part, Real)]
    return "rad/s" in a.unit.split("; ") and any(name.split("_")[0] == "w" for name in parts)


def has_conditions(
    text: str, inputs: Sequence[Arg], outputs: Sequence[Arg], setting: Setting | None = None
) -> bool:
    """Whether equations for results state more than these.

    Such are conditions, as [0, v] = ..., both triangles of a matrix, and F_x = ... besides F = ....
    """
    scalars = input_scalars(inputs)
    if any(_is_redundant(a.type) for a in outputs):
        return True
    given = arguments(inputs, scalars, traced_table())
    meaning = _meaning(read(text), given, traced_table(), setting=setting)
    wholes = arguments(outputs, input_scalars(outputs), traced_table())
    if meaning.has_conditions or any(
        _is_stated_twice(a.name, a.type, wholes[a.name], meaning) for a in outputs
    ):
        return True
    return any(map(meaning.defines, setting.told(given) if setting else ()))


def residuals(
    text: str,
    inputs: Sequence[Arg],
    outputs: Sequence[Arg],
    scalars: Sequence[Scalar],
    table: Table,
    setting: Setting | None = None,
) -> list[Scalar]:
    """What is zero where the equations hold between arguments and results, all elements of matrices."""
    known = arguments([*inputs, *outputs], scalars, table)
    meaning = _meaning(read(text), known, table, [a.name for a in outputs], setting)
    parts = [p for a in outputs for p in _parts(a.name, a.type, known[a.name], meaning)]
    told = setting.told(known) if setting else {}
    parts += [_difference(meaning.value(n), value) for n, value in told.items() if meaning.defines(n)]
    return [*meaning.residuals(), *(x for part in parts for x in part)]


def stated_parts(meaning: Meaning, outputs: Sequence[Arg]) -> Mapping[str, Place]:
    """The names by which equations define results and that are not theirs: of parts, and primed ones."""
    given = arguments(outputs, input_scalars(outputs), traced_table())
    found: dict[str, Place] = {}
    for a in outputs:
        whole = Place(given[a.name], a.name)
        own = [n for n in spellings(a.name) if meaning.defines(n)]
        found |= {n: whole for n in own if n != a.name} or ({} if own else _stated_below(a, whole, meaning))
    return found


def _stated_below(a: Arg, whole: Place, meaning: Meaning) -> dict[str, Place]:
    """The names that define the parts of a result, or its components."""
    if not _is_structure(a.type):
        names = {f"{a.name}{s}": s.removeprefix("_") for s in component_names(a.type) if s}
        return {n: whole._replace(component=c) for n, c in names.items() if meaning.defines(n)}
    named = {_part_name(part, a.name, meaning): part for part in a.type.layout}  # type: ignore[union-attr]
    return {
        n: Place(whole.block.parts[part], a.name, part) for n, part in named.items() if meaning.defines(n)
    }


def _parts(name: str, component: Component, value: Block, meaning: Meaning) -> Iterator[list[Scalar]]:
    """The differences between a result, or its parts, and what equations define under another name."""
    again = _stated_again(name, value, meaning)
    yield from (_difference(meaning.value(n), part) for n, part in again.items())
    if meaning.states(name) and not meaning.defines(name):
        return  # an equation of its own is a condition already
    for spelled in spellings(name):
        if meaning.defines(spelled):
            yield _difference(meaning.value(spelled), value)
            return
    if _is_structure(component):
        for part, inside in component.layout.items():  # type: ignore[union-attr]
            yield from _parts(_part_name(part, name, meaning), inside, value.parts[part], meaning)


def _stated_again(name: str, value: Block, meaning: Meaning) -> dict[str, Block]:
    """The parts of a result that equations define besides the whole: F_B_x where F_B is defined, too."""
    if not any(meaning.states(n) or meaning.defines(n) for n in spellings(name)):
        return {}
    return dict(_defined_below(name, value, meaning))


def _is_stated_twice(name: str, component: Component, value: Block, meaning: Meaning) -> bool:
    """Whether equations define a result, or a part of one, and parts of the same besides."""
    if _stated_again(name, value, meaning):
        return True
    parts = component.layout.items() if _is_structure(component) else ()  # type: ignore[union-attr]
    return any(_is_stated_twice(_part_name(p, name, meaning), c, value.parts[p], meaning) for p, c in parts)


def _defined_below(name: str, value: Block, meaning: Meaning) -> Iterator[tuple[str, Block]]:
    """The names of parts of a value, and of their parts, that equations define."""
    for part, inside in value.parts.items():
        below = f"{name}_{part}"
        if meaning.defines(below):
            yield below, inside
        yield from _defined_below(below, inside, meaning)


def _difference(stated: Block, value: Block) -> list[Scalar]:
    return [x - y for x, y in zip(stated.fitted(*value.shape).flat(), value.flat(), strict=True)]


def _is_redundant(component: Component) -> bool:
    """Whether the matrices of a type have more elements than the type has numbers."""
    if isinstance(component, Array):
        rows = component.matrix([0] * component.size)
        return rows is not None and sum(map(len, rows)) > component.size
    if isinstance(component, Real):
        return False
    redundant = issubclass(component, SymMat3) or bool(component.from_textbook)
    return redundant or any(map(_is_redundant, component.layout.values()))


def arguments(known: Sequence[Arg], scalars: Sequence[Scalar], table: Table) -> dict[str, Block]:
    """The value of each argument in the notation, and of members of records; of equal names the first."""
    stream = iter(scalars)
    found: dict[str, Block] = {}
    members: dict[str, Block] = {}
    for a in known:
        numbers = tuple(next(stream) for _ in range(a.size))
        found[a.name] = replace(block(a.type, numbers, table), scalars=numbers)
        if isinstance(a.type, type) and issubclass(a.type, Record):
            members = {**_members(a.type, numbers, table), **members}
    return {**members, **found}


def _members(record: type[Record], numbers: Sequence[Scalar], table: Table) -> dict[str, Block]:
    stream = iter(numbers)
    own = {m.name: (m.type, tuple(next(stream) for _ in range(m.size))) for m in record.members}
    return {name: replace(block(kind, x, table), scalars=x) for name, (kind, x) in own.items()}


def block(component: Component, scalars: Sequence[Scalar], table: Table) -> Block:
    """The value of a type in the notation, of its scalars in C order."""
    if isinstance(component, Real):
        return Block(((scalars[0],),))
    if isinstance(component, Array):
        rows = component.matrix(scalars) or _rows(component.shape, scalars)
        parts = dict(zip(component.suffixes(), scalars, strict=True))
        return Block(tuple(map(tuple, rows)), parts=_scalars({k.lstrip("_"): v for k, v in parts.items()}))
    return _structure(component, scalars, table)


def _rows(shape: Sequence[int], scalars: Sequence[Scalar]) -> list[list[Scalar]]:
    width = shape[1] if len(shape) == 2 else 1
    return [list(scalars[k : k + width]) for k in range(0, len(scalars), width)]


def _scalars(parts: Mapping[str, Scalar]) -> dict[str, Block]:
    return {name: Block(((value,),)) for name, value in parts.items()}


def _structure(kind: type[Value], scalars: Sequence[Scalar], table: Table) -> Block:
    names = [name.removeprefix("_") for name in kind.component_names()]
    if issubclass(kind, Mat3):
        return Block(
            tuple(tuple(scalars[k : k + 3]) for k in (0, 3, 6)),
            parts=_scalars(dict(zip(names, scalars, strict=True))),
        )
    if issubclass(kind, SymMat3):
        every = [scalars[k] for k in _SYMMETRIC]
        return Block(
            tuple(tuple(every[k : k + 3]) for k in (0, 3, 6)),
            parts=_scalars(dict(zip(names, scalars, strict=True))),
        )
    parts = {}
    stream = iter(scalars)
    for name, part in kind.layout.items():
        parts[name] = block(part, [next(stream) for _ in range(size(part))], table)
    if issubclass(kind, Quaternion):
        parts["v"] = column(scalars[1:])
    if not kind.textbook:
        return Block(column(scalars).rows, parts=parts)
    (equation,) = read(f"whole = {kind.textbook}")
    return Block(Meaning([equation], parts, table).value("whole").rows, parts=parts)


def _result(name: str, component: Component, meaning: Meaning, table: Table) -> list[Scalar]:
    """The scalars of a result, from its own equation or from those of its parts."""
    for spelled in spellings(name):
        if meaning.defines(spelled):
            value = meaning.value(spelled)
            with naming(spelled):
                return _taken(component, value, table)
    matrix = name.removesuffix("_nonzeros")
    if matrix != name and meaning.defines(matrix):
        return _nonzeros(name, component, meaning.value(matrix))
    suffixes = component_names(component)
    if all(meaning.defines(name + suffix) for suffix in suffixes):
        return [meaning.value(name + suffix).scalar for suffix in suffixes]
    if not _is_structure(component):
        raise FeatherError(f"no equation defines {name}")
    named = [(_part_name(part, name, meaning), inside) for part, inside in component.layout.items()]  # type: ignore[union-attr]
    return [s for part, inside in named for s in _result(part, inside, meaning, table)]


def _nonzeros(name: str, component: Component, matrix: Block) -> list[Scalar]:
    """The elements of a matrix that are not zero whatever the inputs are, row by row."""
    found = [x for x in matrix.flat() if not _is_structural_zero(x)]
    if len(found) != size(component):
        raise FeatherError(
            f"{name} has {size(component)} elements, but {len(found)} elements of the matrix are not zero"
        )
    return found


def _is_structural_zero(x: Scalar) -> bool:
    return x.op is Op.CONSTANT and x.value == 0 if isinstance(x, Expr) else bool(x == 0)


def _is_structure(component: Component) -> bool:
    """Whether a type has parts that equations name by themselves, unlike the coordinates of a vector."""
    return (
        isinstance(component, type)
        and issubclass(component, Value)
        and not issubclass(component, Mat3)
        and (issubclass(component, Record) or not all(isinstance(x, Real) for x in component.layout.values()))
    )


def spellings(name: str) -> Iterator[str]:
    """The names that equations may use for a result: p_N_next is also p_N'."""
    yield name
    if name.endswith("_next"):
        yield f"{name.removesuffix('_next')}'"


def _part_name(part: str, whole: str, meaning: Meaning) -> str:
    """The name of a part of a structure: with its frames, or primed, or alone, or below that of the whole."""
    _, _, frames = whole.partition("_")
    framed = f"{part}_{frames}" if frames else part
    longer = [n for n in meaning.defined if n.startswith(f"{framed}_")]
    for name in (framed, *longer[:1], f"{part}'", part):
        if meaning.defines(name):
            return name
    path = f"{whole}_{part}"
    is_path = any(n == path or n.startswith(f"{path}_") for n in meaning.defined)
    return path if is_path else framed


def _taken(component: Component, value: Block, table: Table) -> list[Scalar]:
    """The scalars of a type, in C order, of a value of the notation."""
    expected = (
        value.shape if _is_written_out(component) else block(component, [0] * size(component), _ZEROS).shape
    )
    fitted = value.fitted(*expected)
    if isinstance(component, Array):
        same = component.elements(_Table(fitted))
        return [s[0] for s in same] if same is not None else fitted.flat()
    if isinstance(component, type) and issubclass(component, SymMat3):
        return [fitted.rows[i][j] for i in range(3) for j in range(i, 3)]
    if isinstance(component, type) and component.from_textbook:
        inside = Meaning(read(component.from_textbook), {"whole": fitted}, table)
        return [s for name, part in component.layout.items() for s in _taken(part, inside.value(name), table)]
    return fitted.flat()


def _is_written_out(component: Component) -> bool:
    return isinstance(component, type) and bool(component.textbook)


class _Table:
    """The elements of a block, as of a matrix of NumPy or SymPy."""

    def __init__(self, of: Block) -> None:
        self.shape = of.shape
        self._rows = of.rows

    def __getitem__(self, place: tuple[int, int]) -> Scalar:
        return self._rows[place[0]][place[1]]


_ZEROS: Table = {}
