"""Evaluates equations on scalars of any kind: numbers, SymPy's expressions, traced values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple

from codegen.errors import FeatherError, Misfit, naming
from codegen.notation import blocks, functions
from codegen.notation.blocks import Block, Scalar
from codegen.notation.functions import Table
from codegen.notation.names import Names
from codegen.notation.reader import read
from codegen.notation.syntax import Equation, Kind, Node, is_integral

_MOST = 20_000
"""Limit on the operations of expressions, counted each time that they are evaluated."""

_DEEPEST = 120
"""Limit on expressions within expressions, those of names included."""

_NOTHING: Mapping[str, Any] = {}
_BY_ADJUGATE = {(2, 2), (3, 3)}
"""The shapes of matrices whose inverse is the adjugate over the determinant; larger ones are eliminated."""

_UNIT_VECTORS = {"e_x": 0, "e_y": 1, "e_z": 2}


class Met(NamedTuple):
    """An expression that was evaluated, its value, and the outermost call in the definition of a function."""

    node: Node
    value: Block
    call: Node | None


class Meaning:
    """The values of the names in equations, given those of the arguments.

    A name that is no argument is defined by the equation that has it alone on its left, or as a part of a
    known value. Functions are those of the notation, those that equations define, and those that are `given`.
    Equations that define nothing are conditions. A column is taken apart by the `lengths` of results that are
    among its elements. `met` holds every expression that was
    evaluated, with its value, parts before wholes; so are the first factors of a product, and the squared
    length of a vector.
    """

    def __init__(
        self,
        equations: Sequence[Equation],
        arguments: Mapping[str, Block],
        table: Table,
        results: Collection[str] = (),
        given: Mapping[str, Callable[..., Scalar]] = _NOTHING,
        lengths: Mapping[str, int] | None = None,
    ) -> None:
        self._equations = equations
        self._work = 0
        self._depth = 0
        self._names = Names(arguments, results)
        self._table = table
        self._given = given
        self._lengths = lengths or {}
        self._defined: dict[str, Callable[[], Block]] = {}
        self._functions: dict[str, tuple[list[str], Node]] = {}
        self._values: dict[str, Block | None] = {}
        self._conditions: list[Callable[[], Block]] = []
        self.met: list[Met] = []
        self._call: Node | None = None
        self._shapes: dict[Node, tuple[int, int]] = {}
        self._alone = {e.sides[0].name for e in equations if len(e.sides) > 1}
        for equation in equations:
            self._take(equation)

    def defines(self, name: str) -> bool:
        """Whether an equation defines a name."""
        return name in self._defined

    def states(self, name: str) -> bool:
        """Whether a name is a side of an equation by itself."""
        sides = (side for equation in self._equations for side in equation.sides)
        return any(side.kind is Kind.NAME and side.name == name for side in sides)

    @property
    def defined(self) -> list[str]:
        """The names that equations define."""
        return list(self._defined)

    def value(self, name: str) -> Block:
        """The value of a name that an equation defines."""
        if name not in self._defined:
            raise FeatherError(f"no equation defines {name}")
        if name not in self._values:
            self._values[name] = None
            try:
                with naming(name):
                    self._values[name] = self._defined[name]()
            except FeatherError:
                del self._values[name]
                raise
        found = self._values[name]
        if found is None:
            raise FeatherError(f"{name} is defined by itself")
        return found

    def has_value(self, name: str) -> bool:
        """Whether equations define a name, and it can be evaluated."""
        with suppress(FeatherError):
            return bool(self.value(name).rows)
        return False

    @property
    def has_conditions(self) -> bool:
        """Whether an equation, or a further side of one, is a condition."""
        return bool(self._conditions)

    @property
    def shapes(self) -> Mapping[Node, tuple[int, int]]:
        """The rows and columns of the expressions met; of results, those that they have as arguments.

        So a vector of zeros is one where an equation states only the number.
        """
        sides = (side for equation in self._equations for side in equation.sides)
        named = {side: self._known(side.name) for side in sides if side.kind is Kind.NAME}
        return (
            self._shapes
            | {node: found.shape for node, found, _ in self.met}
            | {
                node: found.shape
                for node, found in named.items()
                if found is not None and found.shape != (1, 1)
            }
        )

    def _known(self, name: str) -> Block | None:
        """The value of a name as an argument; of parts, one that an equation defines is a result's."""
        with suppress(FeatherError):
            place = self._names.place(name)
            if place is not None and (not self.defines(name) or self._names.is_result(place)):
                return place.block
        return None

    def evaluate_all(self) -> None:
        """Evaluate all equations that have a value, so that their expressions are met."""
        named = (lambda name=name: self.value(name) for name in self._defined)
        sides = (
            lambda side=side: self.evaluate(side)
            for equation in self._equations
            for side in equation.sides
            if side.kind in (Kind.NAME, Kind.COLUMN)
        )
        for evaluate in (*named, *self._conditions, *sides):
            with suppress(FeatherError):
                evaluate()

    def holds(self, condition: Node) -> Any:
        """The truth of a condition."""
        return self._condition(condition, _NOTHING)

    def residuals(self) -> list[Scalar]:
        """What is zero where the conditions hold."""
        return [x for side in self._conditions for x in side().flat()]

    def zeros(self, claim: Equation) -> list[Scalar]:
        """What is zero where a further equation holds, which defines nothing."""
        first, *others = claim.sides
        if not others:
            return self._violation(first).flat()
        return [x for side in others for x in self._difference(first, side).flat()]

    # What an equation defines

    def _take(self, equation: Equation) -> None:
        if len(equation.sides) == 1:
            (inequality,) = equation.sides
            self._conditions.append(lambda: self._violation(inequality))
            return
        left, right, *more = equation.sides
        if left.kind is Kind.POWER and self._is_new(left.args[0]):
            self._define(_power_name(left), lambda: self.evaluate(right))
        elif left.kind is Kind.CALL and left.name not in (*functions.GIVEN, *self._functions):
            self._functions[left.name] = ([a.name for a in left.args], right)
        elif left.kind is Kind.NAME and left.name not in self._names.arguments:
            self._define(left.name, lambda: self.evaluate(right))
        elif left.kind is Kind.NAME and self._is_pattern(right):
            self._take_apart(right, lambda: self.evaluate(left))
        elif self._is_pattern(left):
            self._take_apart(left, lambda: self.evaluate(right))
        else:
            self._conditions.append(lambda: self._difference(left, right))
        for side in more:
            self._conditions.append(lambda side=side: self._difference(right, side))  # type: ignore[misc]

    def _define(self, name: str, value: Callable[[], Block]) -> None:
        if name in self._defined:
            raise FeatherError(f"{name} is defined twice")
        self._defined[name] = value

    def _is_pattern(self, node: Node) -> bool:
        """Whether a column, the columns or rows of a matrix, or its four blocks, are new names, or numbers.

        Names that another equation defines are no new ones.
        """
        of_blocks = node.kind is Kind.BLOCKS and (node.value, len(node.args)) == (2, 4)
        if not of_blocks and node.kind is not Kind.COLUMN and node.name not in ("cols", "rows"):
            return False
        new = [a for a in node.args if self._is_new(a)]
        if any(a.name in self._defined or a.name in self._alone for a in new):
            return False
        numbers = [a for a in node.args if a.kind is Kind.NUMBER]
        return bool(new) and len(new) + len(numbers) == len(node.args)

    def _is_new(self, node: Node) -> bool:
        return node.kind is Kind.NAME and node.name not in self._names.arguments

    def _take_apart(self, pattern: Node, whole: Callable[[], Block]) -> None:
        for k, part in enumerate(pattern.args):
            piece = lambda k=k: _piece(pattern, whole(), k, self._lengths)  # noqa: E731
            if part.kind is Kind.NAME:
                self._define(part.name, piece)
            else:
                self._conditions.append(lambda part=part, piece=piece: self._less(piece(), part))  # type: ignore[misc]

    def _violation(self, inequality: Node) -> Block:
        """0 where an inequality holds, else 1."""
        return blocks.scalar(self._table["select"](self._condition(inequality, _NOTHING), 0, 1))

    def _difference(self, left: Node, right: Node) -> Block:
        return self._less(self.evaluate(left), right)

    def _less(self, left: Block, right: Node) -> Block:
        minus = self.evaluate(right).each(lambda x: -x)
        return blocks.added([left, minus])

    # The values of expressions

    def evaluate(self, node: Node, local: Mapping[str, Block] = _NOTHING) -> Block:
        """The value of an expression; FeatherError where its operations do not fit."""
        self._work += 1
        if self._work > _MOST:
            raise FeatherError(f"its equations take more than {_MOST} operations")
        if self._depth == _DEEPEST:
            raise FeatherError(
                f"its equations need each other more than {_DEEPEST} deep, or a function itself"
            )
        self._depth += 1
        try:
            found = self._evaluated(node, local)
        except ZeroDivisionError:
            raise FeatherError("it divides by zero") from None
        finally:
            self._depth -= 1
        self._meet(node, found)
        return found

    def _meet(self, node: Node, value: Block) -> None:
        self.met.append(Met(node, value, self._call))

    def _evaluated(self, node: Node, local: Mapping[str, Block]) -> Block:
        if node.kind is Kind.NUMBER:
            return blocks.scalar(self._number(node), unit=True)
        if node.kind is Kind.NAME:
            return self._named(node.name, local)
        if node.kind is Kind.CALL:
            return self._applied(node, local)
        if node.kind is Kind.CASES:
            return self._cases(node, local)
        if node.kind is Kind.POWER and self.defines(_power_name(node)):
            return self.value(_power_name(node))
        args = [self.evaluate(a, local) for a in node.args]
        if node.kind is Kind.POWER and isinstance(node.value, Fraction):
            return self._broken_power(node, args[0])
        if node.kind is Kind.NORM:
            return self._norm(node.args[0], args[0])
        if node.kind is Kind.PRODUCT:
            return self._product(node, args)
        if node.kind is Kind.INVERSE and args[0].shape in _BY_ADJUGATE:
            self._meet_adjugate(node.args[0], args[0])
        return _RULES[node.kind](node, args)

    def _broken_power(self, node: Node, base: Block) -> Block:
        """A power of a positive number whose exponent is a fraction, with a root if that has halves."""
        exponent = Fraction(node.value)  # type: ignore[arg-type]

        def applied(function: str, x: Block) -> Block:
            return functions.apply(function, [x], self._table)

        if exponent.denominator == 2:
            return blocks.scalar(applied("sqrt", base).scalar ** exponent.numerator)
        return applied("exp", blocks.scalar(self._number(node) * applied("log", base).scalar))

    def _norm(self, vector: Node, of: Block) -> Block:
        """The length of a vector, the absolute value of a scalar."""
        if of.shape == (1, 1):
            return blocks.scalar(self._table["abs"](of.scalar))
        squared = blocks.dotted(of, of)
        self._meet(Node(Kind.DOT, (vector, vector)), squared)
        return blocks.scalar(self._table["sqrt"](squared.scalar))

    def _meet_adjugate(self, matrix: Node, value: Block) -> None:
        """Meet what the inverse of a matrix is computed from: its adjugate and its determinant."""
        self._meet(Node(Kind.CALL, (matrix,), "adj"), blocks.adjugate(value))
        self._meet(Node(Kind.CALL, (matrix,), "det"), blocks.scalar(blocks.determinant(value)))

    def _product(self, node: Node, args: Sequence[Block]) -> Block:
        """A product; with 1 as its last factor, a scalar stands for a multiple of the unit matrix."""
        product = args[0]
        for k, a in enumerate(args[1:], 2):
            product = blocks.multiplied(product, a)
            if k < len(args):
                self._meet(Node(Kind.PRODUCT, node.args[:k]), product)
        last = node.args[-1]
        return Block(product.rows, last.kind is Kind.NUMBER and last.value == 1 and product.shape == (1, 1))

    def _number(self, node: Node) -> Scalar:
        value = Fraction(node.value)  # type: ignore[arg-type]
        return value.numerator if value.denominator == 1 else self._table["number"](value)

    def _named(self, name: str, local: Mapping[str, Block]) -> Block:
        found = local.get(name)
        if found is None and self.defines(name):
            return self.value(name)
        if found is None and name in functions.CONSTANTS and name not in self._names.arguments:
            found = blocks.scalar(self._table["constant"](name))
        if found is None:
            found = self._names.find(name)
            if found is not None and name in _UNIT_VECTORS and name not in self._names.arguments:
                raise FeatherError(
                    f"{name} may be a unit vector or a component: write [1, 0, 0] and the like, or the "
                    "component with its frames, or give the argument another letter than e"
                )
        if found is None and name in _UNIT_VECTORS:
            found = blocks.column([int(i == _UNIT_VECTORS[name]) for i in range(3)])
        if found is None:
            raise FeatherError(
                f"{name} is neither an argument nor defined by an equation{self._element_of(name)}"
            )
        return found

    def _element_of(self, name: str) -> str:
        """How an element of what an equation defines is written, where a name looks like one."""
        whole, _, part = name.rpartition("_")
        if not self.defines(whole) or part not in ("w", "x", "y", "z", "v"):
            return ""
        return f": its elements are {whole}[0], {whole}[1], ..., some of them {whole}[1:4]"

    def _applied(self, node: Node, local: Mapping[str, Block]) -> Block:
        if node.name == "integral":
            return self._integral(node, local)
        if node.name == "jacobian":
            return self._jacobian(node, local)
        args = [self.evaluate(a, local) for a in node.args]
        if node.name in self._functions:
            names, body = self._functions[node.name]
            if len(names) != len(args):
                raise FeatherError(f"{node.name} has {len(names)} arguments, but is given {len(args)}")
            return self._called(node, body, dict(zip(names, args, strict=True)))
        if node.name in self._given:
            return blocks.scalar(self._given[node.name](*(a.scalar for a in args)))
        if node.name in functions.DEFINED:
            return _defined_function(node.name, args, self._table)
        return functions.apply(node.name, args, self._table)

    def _called(self, call: Node, body: Node, local: Mapping[str, Block]) -> Block:
        """The value of the definition of a function; what is met in it is for the outermost call."""
        before, self._call = self._call, self._call or call
        try:
            return self.evaluate(body, local)
        finally:
            self._call = before

    def _integral(self, node: Node, local: Mapping[str, Block]) -> Block:
        """The integral of the first argument over ranges [variable, from, to], the first of them inmost."""
        integrand, *ranges = node.args
        if not ranges or not is_integral(node):
            raise FeatherError("an integral is written as integral(f, [x, a, b])")
        names = [r.args[0].name for r in ranges]
        if "integral" not in self._table:
            self._only_shapes(integrand, {**local, **dict.fromkeys(names, blocks.scalar(0))})
            raise FeatherError("an integral can only be evaluated symbolically")
        variables = [self._table["variable"](n) for n in names]
        inside = {**local, **{n: blocks.scalar(v) for n, v in zip(names, variables, strict=True)}}
        found = self.evaluate(integrand, inside)
        for r, variable in zip(ranges, variables, strict=True):
            low, high = (self.evaluate(a, inside).scalar for a in r.args[1:])
            found = found.each(lambda f: self._table["integral"](f, variable, low, high))  # noqa: B023
        return Block(found.rows)

    def _only_shapes(self, node: Node, local: Mapping[str, Block]) -> None:
        """Keep the shapes of an expression, and of those in it, at an arbitrary place."""
        before = len(self.met)
        self.evaluate(node, local)
        self._shapes.update({n: found.shape for n, found, _ in self.met[before:]})
        del self.met[before:]

    def _jacobian(self, node: Node, local: Mapping[str, Block]) -> Block:
        """The derivatives of a column, a row each, with respect to the elements of a column of arguments."""
        if "derivatives" not in self._table:
            raise FeatherError("a derivative can only be evaluated symbolically")
        if len(node.args) != 2:
            raise FeatherError("a Jacobian is written as jacobian(f, x)")
        f, x = (self.evaluate(a, local).column for a in node.args)
        columns = [self._table["derivatives"](f, s) for s in x]
        return Block(tuple(zip(*columns, strict=True)))

    def _cases(self, node: Node, local: Mapping[str, Block]) -> Block:
        found = self.evaluate(node.args[-1], local)
        for k in range(len(node.args) - 3, -1, -2):
            value, condition = self.evaluate(node.args[k], local), self._condition(node.args[k + 1], local)
            value, found = value.fitted(*_larger(value, found)), found.fitted(*_larger(value, found))
            choose = self._table["select"]
            rows = (
                tuple(choose(condition, x, y) for x, y in zip(r, s, strict=True))
                for r, s in zip(value.rows, found.rows, strict=True)
            )
            found = Block(tuple(rows))
        return found

    def _condition(self, node: Node, local: Mapping[str, Block]) -> Any:
        if node.kind is Kind.RELATION:
            a, b = (self.evaluate(x, local).scalar for x in node.args)
            return {"<": lambda: a < b, "<=": lambda: a <= b, ">": lambda: a > b, ">=": lambda: a >= b}[
                str(node.value)
            ]()
        if node.kind is Kind.CALL:
            return self._finite(node, local)
        parts = [self._condition(a, local) for a in node.args]
        if node.kind is Kind.NOT:
            return ~parts[0]
        return parts[0] & parts[1] if node.kind is Kind.AND else parts[0] | parts[1]

    def _finite(self, node: Node, local: Mapping[str, Block]) -> Any:
        """Whether all numbers of the arguments are finite."""
        absolute, most = self._table["abs"], self._table["constant"]("max")
        numbers = [x for a in node.args for x in self.evaluate(a, local).numbers]
        return reduce(lambda a, b: a & b, (absolute(x) <= most for x in numbers))


def _power_name(power: Node) -> str:
    """The name of a power that equations define, as in e^2 = f (2 - f)."""
    return f"{power.args[0].name}^{power.value}"


def _larger(a: Block, b: Block) -> tuple[int, int]:
    return max(a.shape, b.shape)


def _piece(pattern: Node, whole: Block, k: int, lengths: Mapping[str, int]) -> Block:
    """Part k of a value that is taken apart; `lengths` are those of names that are known."""
    if pattern.name == "cols":
        return whole.cut(0, whole.shape[0], k, k + 1)
    if pattern.name == "rows":
        return whole.cut(k, k + 1, 0, whole.shape[1]).transposed
    if pattern.kind is Kind.BLOCKS:
        return _quarter(whole, k)
    sizes = _sizes(len(whole.column), pattern.args, lengths)
    first = sum(sizes[:k])
    return whole.cut(first, first + sizes[k])


def _quarter(whole: Block, k: int) -> Block:
    """Block k of the four of a homogeneous matrix, or of a 6x6 matrix."""
    if whole.shape not in ((4, 4), (6, 6)):
        raise Misfit(f"{whole.described} cannot be taken apart into four blocks")
    ends = (0, 3, whole.shape[0])
    i, j = divmod(k, 2)
    return whole.cut(ends[i], ends[i + 1], ends[j], ends[j + 1])


_TAKEN_APART: Mapping[tuple[int, int], Sequence[int]] = {(4, 2): (1, 3), (6, 2): (3, 3)}
"""The sizes of the parts of a quaternion, and of a spatial vector."""


def _sizes(length: int, parts: Sequence[Node], lengths: Mapping[str, int]) -> Sequence[int]:
    known = [lengths.get(part.name, 1) for part in parts]
    if sum(known) == length:
        return known
    sizes = [1] * len(parts) if length == len(parts) else _TAKEN_APART.get((length, len(parts)))
    if sizes is None:
        raise Misfit(f"a vector of {length} cannot be taken apart into {len(parts)} parts")
    if length == 4 and parts[-1].kind is Kind.NUMBER:  # a point with its homogeneous coordinate, [p, 1]
        return sizes[::-1]
    return sizes


def _defined_function(name: str, args: Sequence[Block], table: Table) -> Block:
    """A function that is defined in the notation itself."""
    (definition, *others) = read(functions.DEFINED[name])
    signature, body = definition.sides
    if len(args) != len(signature.args):
        raise FeatherError(f"{name} has {len(signature.args)} arguments, but is given {len(args)}")
    known = {a.name: value for a, value in zip(signature.args, args, strict=True)}
    return Meaning(others, known, table).evaluate(body)


# The rules of the operations


def _power(node: Node, args: Sequence[Block]) -> Block:
    (base,) = args
    exponent = int(node.value)  # type: ignore[arg-type]
    if base.shape == (1, 1):
        return blocks.scalar(base.scalar**exponent)
    power = base
    for _ in range(exponent - 1):
        power = blocks.multiplied(power, base)
    return power


def _entry(node: Node, args: Sequence[Block]) -> Block:
    spans: Any = node.value
    (first, end, _), *columns = spans
    left, right = (columns[0][0], columns[0][1]) if columns else (0, 1)
    return args[0].cut(first, end, left, right)


def _inverse(_: Node, args: Sequence[Block]) -> Block:
    (a,) = args
    if a.shape[1] == 1 and a.shape[0] > 1:
        raise Misfit("a vector has no inverse")
    return blocks.inverse(a) if a.shape != (1, 1) else blocks.scalar(blocks.divided(1, a.scalar))


def _conjugate(_: Node, args: Sequence[Block]) -> Block:
    w, *vector = args[0].of_length(4, "the conjugate")
    return blocks.column([w, *(-x for x in vector)])


def _quotient(_: Node, args: Sequence[Block]) -> Block:
    a, b = args
    return Block(a.each(lambda x: blocks.divided(x, b.scalar)).rows)


_RULES: Mapping[Kind, Callable[[Node, Sequence[Block]], Block]] = {
    Kind.SUM: lambda _, args: blocks.added(args),
    Kind.NEGATIVE: lambda _, args: args[0].each(lambda x: -x),
    Kind.QUOTIENT: _quotient,
    Kind.CROSS: lambda _, args: blocks.crossed(*args),
    Kind.DOT: lambda _, args: blocks.dotted(*args),
    Kind.HAMILTON: lambda _, args: blocks.hamilton(*args),
    Kind.POWER: _power,
    Kind.TRANSPOSE: lambda _, args: args[0].transposed,
    Kind.INVERSE: _inverse,
    Kind.SKEW: lambda _, args: blocks.skew(args[0]),
    Kind.CONJUGATE: _conjugate,
    Kind.COLUMN: lambda _, args: blocks.stacked(args),
    Kind.BLOCKS: lambda node, args: blocks.assembled(args, int(node.value)),  # type: ignore[arg-type]
    Kind.ENTRY: _entry,
}
