"""Programs compared on all of their paths at once: the answer of every comparison is an unknown.

A comparison is an arbitrary function of its two sides, and select(c, a, b) is b + c (a - b). Results that
agree so are the same polynomials in the answers, and agree for 0 and 1 in particular, whatever they depend
on. Absolute values, extremes and roots are arbitrary functions as well. Two Programs can be equal without
agreeing here, because c c = c holds only for 0 and 1: then nothing is decided.

A polynomial identity says nothing where a divisor is zero. Each divisor therefore has to differ from zero for
every answer of the selects that it depends on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from codegen.ir.domain import drawn
from codegen.ir.exploration import POINTS, inputs_in
from codegen.ir.modular import NoRoot, World, modular, residues
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program, evaluate, leaf
from codegen.ir.status import Status
from codegen.ir.systems import NumberSystem, fractions
from codegen.proof.extents import Account, Extent, extents

_CHOICES = (Op.SELECT, Op.MIN, Op.MAX, Op.ABS, Op.SQRT)
_ORDERED = {Op.LT: True, Op.LE: True, Op.MIN: True, Op.MAX: False}
"""Whether the first side is the smaller one where the answer is true."""

_MOST_CHOICES = 8
"""A divisor that depends on more is not looked into."""

_MOST_TRIES = 128
"""Points tried until enough have all the roots that a divisor depends on."""

_APART = 2.0**-20
"""Constants that are further apart, relative to their sizes, are in the same order after rounding."""


def outputs_at(world: World, inputs: Sequence[Arg], program: Program, flags: Sequence[Status]) -> list[Any]:
    """Results and, for each flag, the product of its conditions, with the answers as unknowns."""
    scalars = inputs_in(world, inputs, residues(world))
    return _outputs(_with_unknowns(modular(world), _arbitrary(world)), scalars, program, flags)


def size_of(account: Account, inputs: Sequence[Arg], program: Program, flags: Sequence[Status]) -> None:
    """Take note of the sizes of these outputs."""
    unary = dict.fromkeys((Op.ABS, Op.MIN, Op.MAX, Op.SQRT), Extent.function)
    system = _with_unknowns(extents(account), {Op.LT: Extent.function, Op.LE: Extent.function, **unary})
    account.note_all(_outputs(system, drawn(inputs, account.unknown), program, flags))


def _outputs(
    system: NumberSystem, scalars: Sequence[Any], program: Program, flags: Sequence[Status]
) -> list[Any]:
    found = evaluate(program, system, scalars)
    held = []
    for flag in flags:
        conditions = [met for met, raised in found.status if raised == flag]
        held.append(_product(system, conditions))
    return [*found.results, *held]


def _product(system: NumberSystem, conditions: Sequence[Any]) -> Any:
    total: Any = 1
    for condition in conditions:
        total = condition * total
    return total


def _arbitrary(world: World) -> dict[Op, Any]:
    """Comparisons as arbitrary functions: a <= b is not b < a."""

    def below(a: Any, b: Any) -> Any:
        return world.number(world.draw("below", world.integer(a), world.integer(b)))

    return {Op.LT: below, Op.LE: lambda a, b: 1 - below(b, a)}


def _with_unknowns(system: NumberSystem, special: Mapping[Op, Any]) -> NumberSystem:
    """The system where truths are numbers."""
    logic: dict[Op, Any] = {
        Op.AND: lambda a, b: a * b,
        Op.OR: lambda a, b: a + b - a * b,
        Op.NOT: lambda a: 1 - a,
        Op.SELECT: lambda condition, a, b: b + condition * (a - b),
    }
    return replace(system, table={**system.table, **logic, **special})


# Divisors


def divides_safely(seed: str, inputs: Sequence[Arg], program: Program) -> bool:
    """Whether each divisor differs from zero at some points, for every answer that it depends on."""
    decided, common, cases = _decided(program), set[int](), list[_Case]()
    for divisor in {node.args[1] for node in program.nodes if node.op is Op.DIV}:
        cone = _cone(program, divisor)
        choices = sorted({_choice(program, i) for i in cone if program.nodes[i].op in _CHOICES})
        if len(choices) > _MOST_CHOICES:
            return False
        common |= cone - decided
        for answers in product((True, False), repeat=len(choices)):
            case = _Case(divisor, sorted(cone & decided), dict(zip(choices, answers, strict=True)))
            if not _is_impossible(program, case.answers):
                cases.append(case)
    return _differ_from_zero(seed, inputs, program, sorted(common), cases)


class _Case(NamedTuple):
    """A divisor with an answer to each choice that it depends on, and the nodes that these decide."""

    divisor: int
    decided: list[int]
    answers: Mapping[int, bool]


def _decided(program: Program) -> set[int]:
    """The nodes whose values depend on the answer to a choice."""
    found = set[int]()
    for i, (op, args, _) in enumerate(program.nodes):
        if op in _CHOICES or not found.isdisjoint(args):
            found.add(i)
    return found


def _is_impossible(program: Program, answers: Mapping[int, bool]) -> bool:
    """Whether a comparison or an extreme of two constants has another answer, by far more than round-off."""
    for choice, answer in answers.items():
        op, args, _ = program.nodes[choice]
        if op in _ORDERED:
            a, b = (_constant(program, side, answers) for side in args)
            if a is None or b is None:
                continue
            if (a < b) != (answer == _ORDERED[op]) and abs(a - b) > _APART * max(abs(a), abs(b)):
                return True
    return False


def _constant(program: Program, node: int, answers: Mapping[int, bool]) -> Fraction | None:
    """The value of a node that depends on no input where the choices are answered so; else None."""
    values: dict[int, Any] = {}
    for i in sorted(_cone(program, node)):
        op, args, _ = program.nodes[i]
        if op is Op.SELECT:
            values[i] = values[args[1 if answers[args[0]] else 2]] if args[0] in answers else None
        elif op is Op.INPUT or any(values[a] is None for a in args):
            values[i] = None
        else:
            values[i] = _folded(program, i, [values[a] for a in args])
    constant: Fraction | None = values[node]
    return constant


def _folded(program: Program, node: int, operands: Sequence[Fraction]) -> Fraction | None:
    """The exact value of an operation on constants; None if it has none."""
    system, record = fractions(), program.nodes[node]
    try:
        value: Fraction = system.table[record.op](*operands) if operands else leaf(record, system, ())
    except ArithmeticError:
        return None
    return value


def _choice(program: Program, node: int) -> int:
    """What decides a node: the condition of a select, an absolute value, extreme or root itself."""
    op, args, _ = program.nodes[node]
    return args[0] if op is Op.SELECT else node


def _cone(program: Program, node: int) -> set[int]:
    """The numbers that a node depends on; not the conditions."""
    found, stack = set[int](), [node]
    while stack:
        i = stack.pop()
        if i not in found:
            found.add(i)
            op, args, _ = program.nodes[i]
            stack += args[1:] if op is Op.SELECT else args
    return found


def _differ_from_zero(
    seed: str, inputs: Sequence[Arg], program: Program, common: Sequence[int], cases: Sequence[_Case]
) -> bool:
    """Whether the divisors of all cases are not zero at any of a few points.

    The points are the same for all cases, so that a root has both signs at each. The nodes that are `common`
    to the cases are computed once.
    """
    missing = dict.fromkeys(range(len(cases)), POINTS)
    for world in (World(f"{seed} divisor {i}") for i in range(_MOST_TRIES)):
        if not missing:
            break
        system, scalars = modular(world), inputs_in(world, inputs, residues(world))
        try:
            known = _values(program, common, system, scalars, {}, {})
            for k in list(missing):
                with suppress(NoRoot):
                    divisor, decided, answers = cases[k]
                    if _values(program, decided, system, scalars, answers, known)[divisor] == 0:
                        return False
                    missing[k] -= 1
        except ZeroDivisionError:
            return False
        missing = {k: n for k, n in missing.items() if n}
    return not missing


def _values(
    program: Program,
    nodes: Sequence[int],
    system: NumberSystem,
    scalars: Sequence[Any],
    answers: Mapping[int, bool],
    known: Mapping[int, Any],
) -> dict[int, Any]:
    """The values that are known, and those of these nodes, each choice answered."""
    values = dict(known)
    for i in nodes:
        op, args, _ = program.nodes[i]
        if not args:
            values[i] = leaf(program.nodes[i], system, scalars)
        elif op is Op.SELECT:
            values[i] = values[args[1] if answers[args[0]] else args[2]]
        elif op in (Op.MIN, Op.MAX):
            values[i] = values[args[0] if answers[i] else args[1]]
        elif op in (Op.ABS, Op.SQRT):
            root = values[args[0]] if op is Op.ABS else system.table[op](values[args[0]])
            values[i] = root if answers[i] or root.is_positive else -root
        else:
            values[i] = system.table[op](*(values[a] for a in args))
    return values
