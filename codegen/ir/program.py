"""Program: straight-line code in static single-assignment form, the representation of all passes.

Nodes are numbered; a node's arguments come before it. Inputs and outputs are typed arguments that
flatten to scalars in C order. Status is a list of (requirement, flag) beside the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from codegen.characters import visible
from codegen.displayed import Displayed
from codegen.errors import FeatherError, naming
from codegen.ir.arrays import Constants
from codegen.ir.expression import Expr, LeafValue
from codegen.ir.operations import LEAVES, NAMED_CONSTANTS, Op, Sort
from codegen.ir.ranges import Ends, Range, ends_of, frozen, in_words
from codegen.ir.status import Status
from codegen.ir.systems import NumberSystem
from codegen.ir.types import Component, check_component, component_names, size
from codegen.misuse import explained


@explained
@dataclass(frozen=True)
class Arg:
    """An argument or result of a kernel: name, type, unit, meaning, frame and range.

    A result may be `optional`: a null pointer in C skips it, and what only it needs.

    `unit` gives one unit for all scalars, or one per component of the type, separated by semicolons
    ("rad/s; m/s" for a motion). `range` is a pair (low, high) in that unit for all scalars, or a list of
    such pairs, one for each: the values that an input takes, the ends included. The types whose scalars
    depend on each other, such as rotations and inertias, take none.
    """

    name: str
    type: Component
    unit: str
    doc: str
    frame: str = ""
    range: Range | None = None
    optional: bool = False

    def __post_init__(self) -> None:
        for what in ("name", "unit", "doc", "frame"):
            text = getattr(self, what)
            if not isinstance(text, str):
                raise FeatherError(
                    f"argument {self.name}: its {what} is {text!r}, but must be a string; "
                    f"write {self._written}"
                )
            object.__setattr__(self, what, visible(text))
        if not isinstance(self.optional, bool):
            raise FeatherError(
                f"argument {self.name}: optional is {self.optional!r}, but must be True or False"
            )
        with naming(f"argument {self.name}"):
            check_component(self.type)
        object.__setattr__(self, "range", frozen(self.range))

    @property
    def _written(self) -> str:
        """How an argument is declared, in a message."""
        return "Arg(name, type, unit, doc, frame)"

    @property
    def size(self) -> int:
        """Number of scalars."""
        return size(self.type)

    @cached_property
    def ends(self) -> tuple[Ends, ...]:
        """The lowest and highest value of each scalar; none where no range is declared.

        FeatherError when what is declared is no range of this type; a Kernel refuses such an input.
        """
        return ends_of(self.name, self.type, self.range)

    @property
    def meaning(self) -> str:
        """What it means, for a table; of an optional result, that it is one."""
        return f"{self.doc} (optional)" if self.optional else self.doc

    @property
    def range_in_words(self) -> str:
        """The range as text, as in `-3.2 to 3.2`; empty where none is declared."""
        return in_words(self.ends, self.scalar_names) if self.ends else ""

    @cached_property
    def scalar_names(self) -> tuple[str, ...]:
        """A name for each scalar: v_B_x, R_AB_01."""
        return tuple(self.name + suffix for suffix in component_names(self.type))


class Node(NamedTuple):
    """One operation on earlier nodes; `value` is that of a leaf."""

    op: Op
    args: tuple[int, ...] = ()
    value: LeafValue = None


@dataclass(frozen=True)
class Program(Displayed):
    """Nodes in order; `results` are the nodes of the outputs' scalars, `status` the requirements."""

    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    nodes: tuple[Node, ...]
    results: tuple[int, ...]
    status: tuple[tuple[int, Status], ...] = ()
    labels: Mapping[int, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.inputs, self.nodes, self.results, self.status))  # labels are a dictionary

    @property
    def roots(self) -> tuple[int, ...]:
        """The nodes of the results and of the requirements."""
        return self.results + tuple(node for node, _ in self.status)

    @property
    def required(self) -> dict[Status, list[int]]:
        """The nodes of the requirements of each flag, in their order."""
        found: dict[Status, list[int]] = {}
        for node, flag in self.status:
            found.setdefault(flag, []).append(node)
        return found

    @property
    def read(self) -> tuple[Arg, ...]:
        """The inputs of which a node is a scalar."""
        numbers = {node.value for node in self.nodes if node.op is Op.INPUT}
        first = starts(self.inputs)
        return tuple(
            a for a in self.inputs if not numbers.isdisjoint(range(first[a.name], first[a.name] + a.size))
        )

    def uses(self) -> list[int]:
        """How often each node is used, as an argument or as a root."""
        counts = [0] * len(self.nodes)
        for node in self.nodes:
            for arg in node.args:
                counts[arg] += 1
        for root in self.roots:
            counts[root] += 1
        return counts


def unloaded(program: Program) -> set[int]:
    """The inputs that only arrays known at run time have, and these arrays: no variable holds them."""
    arrays = {i for i, node in enumerate(program.nodes) if node.op is Op.LIST}
    held = {a for i in arrays for a in program.nodes[i].args}
    read = {a for i, node in enumerate(program.nodes) if i not in arrays for a in node.args}
    return (held - read - set(program.roots)) | arrays


def entries_read(program: Program) -> list[int]:
    """The entries that are read of arrays known at run time only."""
    nodes = program.nodes
    return [i for i, node in enumerate(nodes) if node.op is Op.ENTRY and nodes[node.args[0]].op is Op.LIST]


class Evaluation(NamedTuple):
    """The values of a Program's nodes, and of its results and requirements."""

    values: list[Any]
    results: list[Any]
    status: list[tuple[Any, Status]]


def leaf(node: Node, system: NumberSystem, inputs: Sequence[Any]) -> Any:
    """The value of a node without arguments."""
    if node.op is Op.INPUT:
        return inputs[node.value]
    if node.op is Op.CONSTANT:
        return system.constant(node.value)
    return system.named(str(node.value)) if node.op is Op.NAMED else node.value


def evaluate(program: Program, system: NumberSystem, inputs: Sequence[Any]) -> Evaluation:
    """The Program's values in a number system, for the flattened input scalars."""
    values: list[Any] = []
    for node in program.nodes:
        if node.args:
            values.append(system.table[node.op](*[values[a] for a in node.args]))
        else:
            values.append(leaf(node, system, inputs))
    return _evaluation(program, values)


def evaluate_beside(
    program: Program, system: NumberSystem, known: Evaluation, place: int, scalar: Any
) -> Evaluation:
    """The values where one input scalar has another value: what does not depend on it is known."""
    values, differ = list(known.values), [False] * len(program.nodes)
    for i, node in enumerate(program.nodes):
        if node.op is Op.INPUT:
            if node.value == place:
                values[i], differ[i] = scalar, True
        elif any(differ[a] for a in node.args):
            values[i], differ[i] = system.table[node.op](*[values[a] for a in node.args]), True
    return _evaluation(program, values)


def _evaluation(program: Program, values: list[Any]) -> Evaluation:
    results = [values[r] for r in program.results]
    return Evaluation(values, results, [(values[n], flag) for n, flag in program.status])


def value_numbers(program: Program, known: dict[object, int]) -> list[int]:
    """A number for each node, the same one for the same operation on the same values.

    `known` holds the numbers that are taken; Programs that share it agree on them.
    """
    numbers: list[int] = []
    for op, args, value in program.nodes:
        operation = op, tuple(numbers[a] for a in args), value
        numbers.append(known.setdefault(operation, len(known)))
    return numbers


def starts(arguments: Sequence[Arg]) -> dict[str, int]:
    """The number of each argument's first scalar among those of all."""
    firsts = accumulate((a.size for a in arguments), initial=0)
    return {a.name: first for a, first in zip(arguments, firsts, strict=False)}


def input_scalars(inputs: Iterable[Arg]) -> list[Expr]:
    """Fresh expressions for all input scalars, in C order."""
    return [Expr(Op.INPUT, (), i) for i in range(sum(a.size for a in inputs))]


def program_of(
    inputs: Sequence[Arg],
    outputs: Sequence[Arg],
    results: Sequence[Expr],
    requirements: Sequence[tuple[Expr, Status]] = (),
) -> Program:
    """The Program that computes these expressions of the inputs, in the order of their first use."""
    roots = [*results, *(condition for condition, _ in requirements)]
    index: dict[int, int] = {}
    nodes: list[Node] = []
    labels: dict[int, str] = {}
    for expr in _in_order(roots):
        index[id(expr)] = len(nodes)
        if expr.label is not None:
            labels[len(nodes)] = expr.label
        nodes.append(Node(expr.op, tuple(index[id(a)] for a in expr.args), expr.value))
    program = Program(
        tuple(inputs),
        tuple(outputs),
        tuple(nodes),
        tuple(index[id(r)] for r in results),
        tuple((index[id(condition)], flag) for condition, flag in requirements),
        labels,
    )
    validate(program)
    return program


def _in_order(roots: Iterable[Expr]) -> Iterable[Expr]:
    """Every expression below the roots once, arguments first, without recursion."""
    seen: set[int] = set()
    for root in roots:
        stack = [(root, False)]
        while stack:
            expr, ready = stack.pop()
            if ready:
                yield expr
            elif id(expr) not in seen:
                seen.add(id(expr))
                stack.append((expr, True))
                stack.extend((arg, False) for arg in reversed(expr.args) if id(arg) not in seen)


class InvalidProgram(AssertionError):
    """A Program that is not well formed: a bug in a front end or a pass."""


def validate(program: Program) -> None:
    """Raise InvalidProgram unless the Program is well formed; runs after every pass."""
    scalars = sum(a.size for a in program.inputs)
    for i, node in enumerate(program.nodes):
        sorts = node.op.sorts(len(node.args))
        _expect(len(node.args) == len(sorts), i, "wrong number of arguments")
        for arg, sort in zip(node.args, sorts, strict=True):
            if not 0 <= arg < i:
                raise InvalidProgram(f"node {i}: argument does not come before its use")
            if program.nodes[arg].op.result is not sort:
                raise InvalidProgram(f"node {i}: argument is not {sort.value}")
        _expect((node.value is not None) == (node.op in LEAVES), i, "value on the wrong operation")
        if node.op in _LEAF_RULES and not _LEAF_RULES[node.op](node.value):
            raise InvalidProgram(f"node {i}: {node.value!r} is no {node.op.label}")
        if node.op is Op.INPUT:
            _expect(0 <= int(node.value or 0) < scalars, i, "no such input")
    _expect(len(program.results) == sum(a.size for a in program.outputs), -1, "results missing")
    for root, sort in [(r, Sort.REAL) for r in program.results] + [
        (n, Sort.BOOLEAN) for n, _ in program.status
    ]:
        _expect(0 <= root < len(program.nodes), root, "no such node")
        _expect(program.nodes[root].op.result is sort, root, f"root is not {sort.value}")
    for label in program.labels:
        _expect(0 <= label < len(program.nodes), label, "no such node to label")
        _expect(program.nodes[label].op not in LEAVES, label, "a leaf has a label")


_LEAF_RULES: Mapping[Op, Callable[[LeafValue], bool]] = {
    Op.CONSTANT: lambda v: isinstance(v, Fraction),
    Op.NAMED: lambda v: v in NAMED_CONSTANTS,
    Op.INPUT: lambda v: isinstance(v, int),
    Op.TRUTH: lambda v: isinstance(v, bool),
    Op.ARRAY: lambda v: isinstance(v, Constants),
    Op.WHOLE: lambda v: isinstance(v, int),
}


def _expect(condition: bool, node: int, problem: str) -> None:
    if not condition:
        raise InvalidProgram(f"node {node}: {problem}")


def conjuncts(program: Program, node: int) -> Iterator[int]:
    """The conditions that must all hold for this one to hold."""
    seen, waiting = {node}, [node]
    while waiting:
        op, args, _ = program.nodes[i := waiting.pop()]
        if op is Op.AND:
            waiting += set(args) - seen
            seen.update(args)
        else:
            yield i
