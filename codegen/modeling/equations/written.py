"""Writes a Program in the notation of equations: the values that it names, and its requirements."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain

from codegen.errors import FeatherError
from codegen.ir.operations import LEAVES, LIBM, Op, Sort
from codegen.ir.program import Arg, Program
from codegen.ir.types import Array
from codegen.modeling.equations.textbook import block, is_notation, traced_table
from codegen.modeling.kernel import Kernel
from codegen.notation.reader import read

_SUM, _PRODUCT, _POWER, _ATOM = range(4)
_SIGNS = {Op.ADD: (" + ", _SUM), Op.SUB: (" - ", _PRODUCT)}
_RELATIONS = {Op.LT: "<", Op.LE: "<="}
_TURNED = {Op.LT: ">", Op.LE: ">="}
_CONNECTIVES = {Op.AND: "and", Op.OR: "or"}


def is_named(program: Program, i: int) -> bool:
    """Whether a value of a Program that has a name is written by it."""
    return program.nodes[i].op.result is Sort.REAL


class Writer:
    """Writes a Program in the notation of equations.

    The results of the Program are those of the kernel, and then the scalars of `blocks`: of the vectors and
    matrices that its formula names.
    """

    def __init__(self, kernel: Kernel, program: Program, blocks: Sequence[Arg] = ()) -> None:
        self._program, self._outputs, self._blocks = program, kernel.outputs, blocks
        self._inputs = [name for a in kernel.inputs for name in _elements(a)]
        taken = {a.name for a in (*kernel.inputs, *kernel.outputs, *blocks)} | _letters(kernel)
        self._own = self._in_blocks()
        self._scalars = _unique(program, taken, self._own)
        self._names = {**self._scalars, **self._own}

    def equations(self) -> Iterator[str]:
        """The results, then the values that they need."""
        stream = iter(self._program.results)
        for a in self._outputs:
            yield _of_block(a, [self._value(next(stream), _SUM) for _ in range(a.size)])
        for a in self._blocks:
            yield _of_block(a, [self._element(name, next(stream)) for name in _elements(a)])
        for i, name in self._scalars.items():
            yield f"{name} = {self._operation(i, _SUM)}"

    def _in_blocks(self) -> dict[int, str]:
        """The names of values as elements of the blocks, of the first one that has them.

        An element from which another one of its block is computed has a name of its own.
        """
        own: dict[int, str] = {}
        stream = iter(self._program.results[sum(a.size for a in self._outputs) :])
        for a in self._blocks:
            elements = [(next(stream), name) for name in _elements(a)]
            needed = self._needed_inside({i for i, _ in elements})
            for i, name in elements:
                if self._program.nodes[i].op not in LEAVES and i not in needed:
                    own.setdefault(i, name)
        return own

    def _needed_inside(self, elements: Container[int]) -> set[int]:
        """Those elements of a block from which others of it are computed."""
        needed, below = set[int](), list[set[int]]()
        for i, (_, args, _) in enumerate(self._program.nodes):
            below.append(set().union(*(below[a] | ({a} if a in elements else set()) for a in args)))
            if i in elements:
                needed |= below[i]
        return needed

    def _element(self, name: str, i: int) -> str:
        """What stands in a block for an element: its expression, or its name in another block."""
        return self._operation(i, _SUM) if self._own.get(i) == name else self._value(i, _SUM)

    def expression(self, i: int) -> str:
        """The expression of a node."""
        return self._value(i, _SUM)

    def requirement(self, longest: int) -> tuple[str, bool]:
        """The condition of the only requirement, and the named values that it needs, the nearest first.

        Named values are left out where the text is longer; whether all are stated.
        """
        ((node, _),) = self._program.status
        needed, waiting = dict[int, None](), [node]
        for i in waiting:
            inside = [] if self._sum_of_results(i) else list(self._program.nodes[i].args)
            needed.update(dict.fromkeys(a for a in inside if a in self._names))
            waiting += [a for a in inside if a not in waiting]
        parts = [", ".join(self._condition(part) for part in self._joined(node))]
        for i in needed:
            parts.append(f"{self._names[i]} = {self._operation(i, _SUM)}")
            if len(", ".join(parts)) > longest:
                return ", ".join(parts[:-1]), False
        return ", ".join(parts), True

    def _joined(self, i: int) -> Iterator[int]:
        """The conditions of which all must hold."""
        op, args, _ = self._program.nodes[i]
        if op is not Op.AND:
            yield i
        else:
            for a in args:
                yield from self._joined(a)

    def _value(self, i: int, at_least: int) -> str:
        """The expression of a node; one that has a name is called by it."""
        return self._names[i] if i in self._names else self._operation(i, at_least)

    def _operation(self, i: int, at_least: int) -> str:
        text, binds = self._written(i)
        return f"({text})" if binds < at_least else text

    def _written(self, i: int) -> tuple[str, int]:
        op, args, value = self._program.nodes[i]
        if op is Op.INPUT:
            return self._inputs[int(value or 0)], _ATOM
        if op is Op.CONSTANT:
            return _number(Fraction(value or 0))
        if op is Op.NAMED:
            return str(value), _ATOM
        if op is Op.ADD and args[1] not in self._names and self._program.nodes[args[1]].op is Op.NEG:
            op, args = Op.SUB, (args[0], *self._program.nodes[args[1]].args)
        if op in _SIGNS:
            sign, right = _SIGNS[op]
            return f"{self._value(args[0], _SUM)}{sign}{self._value(args[1], right)}", _SUM
        if op is Op.MUL and args[0] == args[1]:
            return f"{self._value(args[0], _ATOM)}^2", _POWER
        if op is Op.MUL:
            return f"{self._value(args[0], _PRODUCT)} {self._value(args[1], _POWER)}", _PRODUCT
        if op is Op.DIV:
            return f"{self._value(args[0], _POWER)} / {self._value(args[1], _POWER)}", _SUM
        if op is Op.NEG:
            return f"-{self._value(args[0], _PRODUCT)}", _SUM
        if op is Op.ABS:
            return f"|{self._sum_of_results(args[0]) or self._value(args[0], _SUM)}|", _ATOM
        if op is Op.SELECT:
            chosen, other = (self._value(a, _SUM) for a in args[1:])
            return f"{{{chosen} if {self._condition(args[0])}, {other} otherwise}}", _ATOM
        if op in (Op.SQRT, Op.MIN, Op.MAX) or op in LIBM:
            return f"{op.label}({', '.join(self._value(a, _SUM) for a in args)})", _ATOM
        raise FeatherError(f"{op.label} has no notation")

    def _sum_of_results(self, i: int) -> str:
        """The sum of all scalars of some results, whatever is stored in their place; empty if it is none."""
        stream = iter(self._program.results)
        own = {a.name: {self._stored(next(stream)) for _ in range(a.size)} for a in self._outputs}
        terms = set(self._terms(i, set().union(*own.values())))
        named = [name for name, scalars in own.items() if scalars <= terms]
        whole = set().union(*(own[name] for name in named))
        return f"sum({', '.join(named)})" if len(terms) > 1 and terms == whole else ""

    def _stored(self, i: int) -> int:
        """The value that is stored for a scalar of the results where no flag is raised."""
        op, args, _ = self._program.nodes[i]
        is_guarded = op is Op.SELECT and self._program.nodes[args[2]].op is Op.CONSTANT
        return self._stored(args[1]) if is_guarded else i

    def _terms(self, i: int, known: Collection[int]) -> Iterator[int]:
        """The terms of a sum, down to known values."""
        op, args, _ = self._program.nodes[i]
        if op is not Op.ADD or i in known:
            yield i
        else:
            for a in args:
                yield from self._terms(a, known)

    @cached_property
    def _thresholds(self) -> frozenset[int]:
        """The values that are numbers, or are computed with eps, min or max."""
        nodes, found = self._program.nodes, set[int]()
        for i, (op, args, _) in enumerate(nodes):
            if op in (Op.CONSTANT, Op.NAMED) or any(
                a in found and nodes[a].op is not Op.CONSTANT for a in args
            ):
                found.add(i)
        return frozenset(found)

    def _condition(self, i: int) -> str:
        op, args, _ = self._program.nodes[i]
        if op in _RELATIONS:
            if args[0] in self._thresholds and args[1] not in self._thresholds:
                return f"{self._value(args[1], _SUM)} {_TURNED[op]} {self._value(args[0], _SUM)}"
            return f"{self._value(args[0], _SUM)} {_RELATIONS[op]} {self._value(args[1], _SUM)}"
        if op in _CONNECTIVES:
            return f"({self._condition(args[0])} {_CONNECTIVES[op]} {self._condition(args[1])})"
        if op is Op.NOT:
            return f"not ({self._condition(args[0])})"
        raise FeatherError(f"{op.label} is no condition")


def stated_block(a: Arg, scalars: Sequence[Fraction]) -> str:
    """The equation of a result with these numbers; zeros and the unit matrix are written as 0 and 1."""
    if not any(scalars):
        return f"{a.name} = 0"
    rows = block(a.type, list(scalars), traced_table()).rows
    if (
        len(rows) > 1
        and all(x == (i == j) for i, row in enumerate(rows) for j, x in enumerate(row))
        and len(rows) == len(rows[0])
    ):
        return f"{a.name} = 1"
    return _of_block(a, [_number(x)[0] for x in scalars])


def _of_block(a: Arg, scalars: Sequence[str]) -> str:
    """The equation of a result, of which the scalars are written."""
    rows = block(a.type, scalars, traced_table()).rows
    shown = [", ".join(map(str, row)) for row in rows]
    if len(rows) == 1 and len(rows[0]) == 1:
        return f"{a.name} = {shown[0]}"
    if len(rows[0]) == 1:
        return f"{a.name} = [{', '.join(shown)}]"
    return f"{a.name} = [{', '.join(f'[{row}]' for row in shown)}]"


def _elements(a: Arg) -> Sequence[str]:
    """The scalars of an argument, as the notation calls them."""
    if not isinstance(a.type, Array):
        return a.scalar_names
    found: dict[int, str] = {}
    for i, row in enumerate(block(a.type, range(a.size), traced_table()).rows):
        for j, number in enumerate(row):
            found.setdefault(int(number), f"{a.name}[{i}]" if len(row) == 1 else f"{a.name}[{i}, {j}]")
    return [found[number] for number in range(a.size)]


def _letters(kernel: Kernel) -> set[str]:
    """The letters of a kernel's equation, which keep their meaning on its page."""
    equations = read(kernel.equation) if is_notation(kernel.equation) else ()
    nodes = (node for e in equations for side in e.sides for node in side.nodes())
    return {node.name for node in nodes if len(node.name) == 1}


def _unique(program: Program, taken: set[str], others: Container[int]) -> Mapping[int, str]:
    """A name for each named value but others; names that a formula gives several times are counted."""
    found: dict[int, str] = {}
    used = set(taken)
    for i, label in sorted(program.labels.items()):
        if is_named(program, i) and program.nodes[i].op is not Op.INPUT and i not in others:
            head, *rest = label.split("_")
            counted = ("_".join((f"{head}{k}", *rest)) for k in range(2, len(program.nodes)))
            found[i] = next(name for name in chain([label], counted) if name not in used)
            used.add(found[i])
    return found


def _number(value: Fraction) -> tuple[str, int]:
    """A number as a decimal if it is a short one, else as a quotient."""
    decimal = repr(float(value))
    if Fraction(decimal) == value:
        text = str(int(value)) if value.denominator == 1 else decimal
        return text, _ATOM if value >= 0 else _SUM
    return f"{value.numerator} / {value.denominator}", _SUM
