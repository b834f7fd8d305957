"""The order of operations: few live values where there are more values than registers."""

from __future__ import annotations

from itertools import pairwise

from codegen.emit.body import Load, Store
from codegen.emit.c99 import emit
from codegen.ir.expression import Expr, constant
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program, input_scalars, program_of
from codegen.ir.systems import F64
from codegen.ir.types import Array
from codegen.modeling.types.scalar import sin
from codegen.passes import optimise
from codegen.passes.registers import registers, streamed
from codegen.passes.schedule import schedule


def sums(n: int) -> Program:
    """n products of neighbours, all first, and then their sum from the last to the first."""
    inputs = [Arg("x", Array((n + 1,)), "1", "numbers")]
    x = input_scalars(inputs)
    products = [x[i] * x[i + 1] for i in range(n)]
    total = products[-1]
    for product in reversed(products[:-1]):
        total = product + total
    return program_of(inputs, [Arg("y", Array((n + 1,)), "1", "results")], [total, *products])


def most_alive(program: Program) -> int:
    """The largest number of values that are needed at once."""
    last = {arg: i for i, node in enumerate(program.nodes) for arg in node.args}
    last.update(dict.fromkeys(program.roots, len(program.nodes)))
    return max(sum(j <= i < last[j] for j in last) for i in range(len(program.nodes)))


def test_a_program_that_fits_stays_as_it_is() -> None:
    program = schedule(sums(10))
    assert registers(program) == program


def test_what_frees_values_goes_first() -> None:
    """A tree of sums over products, written level by level."""
    inputs = [Arg("x", Array((64,)), "1", "numbers")]
    level = [x * x for x in input_scalars(inputs)]
    wide = level
    while len(level) > 1:
        level = [a + b for a, b in zip(level[::2], level[1::2], strict=True)]
    crossed = [wide[i] - wide[63 - i] for i in range(32)]
    product = crossed[0]
    for factor in crossed[1:]:
        product = product * factor
    program = schedule(program_of(inputs, [Arg("y", Array((2,)), "1", "results")], [level[0], product]))
    ordered = registers(program)
    assert len(ordered.nodes) == len(program.nodes)
    assert most_alive(ordered) < most_alive(program)


def test_many_inputs_are_read_where_they_are_used() -> None:
    few, many = (
        emit(optimise(sums(n)), F64, [f"x[{i}]" for i in range(n + 1)], [f"y[{i}]" for i in range(n + 1)])
        for n in (8, 20)
    )
    read_first, read_late = ([isinstance(s, Load) for s in body.statements] for body in (few, many))
    assert (sum(read_first), sum(read_late)) == (9, 21)
    assert read_first == sorted(read_first, reverse=True)
    assert read_late != sorted(read_late, reverse=True)


def test_calls_of_sums_of_inputs_come_before_what_would_outlive_them() -> None:
    """Twenty products, more than the registers that a call saves, then a sine that scales their sum."""
    inputs = [Arg("x", Array((21,)), "1", "numbers")]
    x = input_scalars(inputs)
    products = [x[i] * x[i + 1] for i in range(20)]
    for angle, first in ((x[3] + x[20], True), (x[3] * x[20], False)):
        factor = sin(angle)
        turned = [product * factor for product in reversed(products)]
        total = turned[0]
        for part in turned[1:]:
            total = total + part
        program = program_of(inputs, [Arg("y", Array((21,)), "1", "results")], [*products, total])
        ops = [node.op for node in registers(schedule(program)).nodes]
        assert (ops.index(Op.SIN) < ops.index(Op.MUL)) == first


def test_few_values_outlive_a_call_that_is_a_result() -> None:
    """The sine of a sum of twenty products, which another sum needs from the last to the first."""
    inputs = [Arg("x", Array((21,)), "1", "numbers")]
    x = input_scalars(inputs)
    products = [x[i] * x[i + 1] for i in range(20)]
    angle, total = products[0], products[-1]
    for part in products[1:]:
        angle = angle + part
    for part in reversed(products[:-1]):
        total = part - total
    program = program_of(inputs, [Arg("y", Array((2,)), "1", "results")], [sin(angle), total])
    ordered = streamed(schedule(program))
    (call,) = (i for i, node in enumerate(ordered.nodes) if node.op is Op.SIN)
    outlive = {arg for node in ordered.nodes[call + 1 :] for arg in node.args if arg < call}
    assert len(outlive) <= 16


def limbs(count: int, rows: int, joints: int) -> Program:
    """Rows of results, one of each limb, which all need all sines of the limb."""
    inputs = [Arg("x", Array((joints,)), "1", "numbers")]
    x = input_scalars(inputs)
    sines = [[sin(number * (limb + 2)) for number in x] for limb in range(count)]
    results = [_turned(sines[limb], row) for row in range(rows) for limb in range(count)]
    return program_of(inputs, [Arg("y", Array((rows, count)), "1", "results")], results)


def _turned(numbers: list[Expr], first: int) -> Expr:
    total = numbers[first]
    for number in (*numbers[first + 1 :], *numbers[:first]):
        total = total * number + number
    return total


def most_sines(program: Program) -> int:
    """The largest number of sines that later operations need at once."""
    last = {arg: i for i, node in enumerate(program.nodes) for arg in node.args}
    sines = [(i, last[i]) for i, node in enumerate(program.nodes) if node.op is Op.SIN]
    return max(sum(first < i < end for first, end in sines) for i in range(len(program.nodes)))


def test_a_large_program_finishes_a_limb_before_the_next_one() -> None:
    program = schedule(limbs(8, 7, 20))
    assert len(program.nodes) > 2000
    assert most_sines(program) > 150
    for ordered in (registers(program), streamed(program)):
        assert len(ordered.nodes) == len(program.nodes)
        assert most_sines(ordered) <= 20


def test_constants_are_stored_last() -> None:
    """Where inputs are read before results are stored; else the first, as no input is in a register yet."""
    inputs = [Arg("x", Array((20,)), "1", "numbers")]
    x = input_scalars(inputs)
    results = [x[0] * x[1], constant(0), *(a * b for a, b in pairwise(x))]
    program = program_of(inputs, [Arg("y", Array((21,)), "1", "results")], results)
    for apart, place in ((False, -1), (True, 0)):
        body = emit(program, F64, [f"x[{i}]" for i in range(20)], [f"y[{i}]" for i in range(21)], apart=apart)
        stores = [s for s in body.statements if isinstance(s, Store)]
        assert stores[place].result == 1
