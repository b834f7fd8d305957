"""The modules of the search, each by itself: polynomials, divisors, networks, constraints, chains, guards."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, count
from typing import Any

import numpy as np
import pytest

from codegen.ir.operations import Op
from codegen.ir.program import InvalidProgram, Node, Program, evaluate
from codegen.ir.systems import F64, floating, fractions
from codegen.ir.types import REAL, Component, Scalar, flatten, sample
from codegen.modeling.types.algebra import Mat3, Rotation, UnitQuaternion, Vec3
from codegen.modeling.types.scalar import let, select, sin, sqrt
from codegen.passes import optimise
from codegen.passes.search.cancel import cancel
from codegen.passes.search.chains import chains, fusable
from codegen.passes.search.constraints import relations, rewritten, rules, shortened
from codegen.passes.search.divisors import extracted
from codegen.passes.search.growth import Growth, growths, steepness, within_range
from codegen.passes.search.labels import relabelled
from codegen.passes.search.network import Network, collapsed, expanded, rebuilt
from codegen.passes.search.polynomials import (
    Monomial,
    Polynomial,
    accumulate,
    constant,
    exact,
    merged,
    multiplications,
    operations,
    parted,
    quotient,
    substituted,
    times,
    variable,
)
from codegen.passes.search.products import moderated
from codegen.passes.search.rounding import Bounded, running_error
from codegen.passes.search.scales import rescaled
from codegen.passes.search.search import Price, price, search
from tests.test_search import program

Definitions = Mapping[int, Polynomial]


def value(p: Polynomial, point: Mapping[int, Fraction]) -> Fraction:
    """The polynomial at a point."""
    return Fraction(sum(c * math.prod(point[v] for v in m) for m, c in p.items()))


def drawn(seed: int, variables: int = 5, terms: int = 8, degree: int = 3) -> Polynomial:
    """A random polynomial; the same for a seed in every run."""
    source = random.Random(seed)
    p: Polynomial = {}
    for _ in range(terms):
        monomial = tuple(sorted(source.choices(range(variables), k=source.randint(0, degree))))
        p[monomial] = exact(Fraction(source.choice([2, -2, 4, -4, 6, 1]), 2))
    return p


def somewhere(seed: int, variables: int = 40) -> dict[int, Fraction]:
    """A random point."""
    source = random.Random(seed)
    return {v: Fraction(source.randint(-99, 99), source.randint(1, 99)) for v in range(variables)}


# polynomials


def test_brackets_are_multiplied_out_and_zeros_drop_out() -> None:
    assert times({(0,): 1, (1,): 1}, {(0,): 1, (1,): -1}) == {(0, 0): 1, (1, 1): -1}
    assert times(variable(3), constant(0)) == {}


def test_sums_keep_whole_coefficients_as_ints_and_drop_zeros() -> None:
    total: Polynomial = {(0,): Fraction(1, 2), (1,): 3}
    accumulate(total, [((0,), 1), ((1,), 6), ((2,), 1)], Fraction(-1, 2))
    assert total == {(2,): Fraction(-1, 2)}
    accumulate(total, [((2,), Fraction(5, 2))])
    assert total == {(2,): 2}
    assert type(total[2,]) is int
    assert type(exact(Fraction(4, 2))) is int


def test_a_polynomial_takes_the_place_of_a_variable_at_every_power() -> None:
    p: Polynomial = {(0, 0, 1): 2, (1,): 1, (): 5}
    assert substituted(p, 0, {(1,): 1, (): 2}) == {(1, 1, 1): 2, (1, 1): 8, (1,): 9, (): 5}


@pytest.mark.parametrize("seed", range(5))
def test_arithmetic_of_polynomials_is_that_of_their_values(seed: int) -> None:
    p, q, point = drawn(seed), drawn(seed + 100), somewhere(seed)
    assert value(times(p, q), point) == value(p, point) * value(q, point)
    instead = {**point, 2: value(q, point)}
    assert value(substituted(p, 2, q), point) == value(p, instead)


@pytest.mark.parametrize(
    ("m", "n", "common", "left", "right"),
    [
        ((0, 0, 1), (0, 1, 2), (0, 1), (0,), (2,)),
        ((0, 0), (0, 0, 0), (0, 0), (), (0,)),
        ((1,), (2,), (), (1,), (2,)),
        ((), (3,), (), (), (3,)),
    ],
)
def test_monomials_have_a_greatest_common_divisor(
    m: Monomial, n: Monomial, common: Monomial, left: Monomial, right: Monomial
) -> None:
    assert parted(m, n) == (common, left, right)
    assert merged(common, left) == m
    assert quotient(n, common) == right
    assert quotient(common, (9,)) is None
    assert quotient((0,), (0, 0)) is None


def test_operations_are_counted_as_a_polynomial_is_written() -> None:
    assert [multiplications(m, c) for m, c in [((), 7), ((0,), -1), ((0,), 3), ((0, 1, 1), 1)]] == [
        0,
        0,
        1,
        2,
    ]
    assert operations({(0, 1): 2, (2,): -1, (): 5}) == 4
    assert operations({}) == 0


# divisors


def resolved(definitions: Definitions, point: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """The value of each definition, which may use variables that others define."""
    known = dict(point)

    def of(v: int) -> Fraction:
        if v in definitions:
            below = {x: of(x) for m in definitions[v] for x in m}
            return value(definitions[v], below)
        return known[v]

    return {v: of(v) for v in definitions}


@pytest.mark.parametrize("split", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_what_is_taken_out_keeps_every_value_and_costs_no_more(seed: int, split: bool) -> None:
    before = {100 + i: drawn(10 * seed + i, terms=10) for i in range(3)}
    after = extracted(before, 200, split)
    point = somewhere(seed)
    values = resolved(after, point)
    assert {v: values[v] for v in before} == {v: value(p, point) for v, p in before.items()}
    assert sum(map(operations, after.values())) <= sum(map(operations, before.values()))
    assert set(after) - set(before) == set(range(200, 200 + len(after) - len(before)))


def test_a_common_sum_of_three_terms_is_taken_out_at_once() -> None:
    """(x0 + x1 - x2) x3 and (x0 + x1 - x2)(x0 + 1)."""
    s: Polynomial = {(0,): 1, (1,): 1, (2,): -1}
    found = extracted({10: times(s, variable(3)), 11: times(s, {(0,): 1, (): 1})}, 20, False)
    assert found[20] == s
    assert found[10] == {(3, 20): 1}
    assert sum(map(operations, found.values())) == 5


def test_common_products_are_taken_out() -> None:
    found = extracted({10: {(0, 1, 2): 1}, 11: {(0, 1, 3): 1}}, 20, False)
    assert sum(map(operations, found.values())) == 3
    assert (0, 1) in found[20]


def test_nothing_is_taken_out_where_nothing_is_common() -> None:
    apart: dict[int, Polynomial] = {10: {(0, 1): 1, (2, 3): 1}, 11: {(4,): 1}}
    assert extracted(apart, 20, False) == apart


# networks


def nodes_of_inputs(p: Program) -> list[int]:
    places = {node.value: i for i, node in enumerate(p.nodes) if node.op is Op.INPUT}
    return [places[k] for k in sorted(places, key=int)]


def test_a_network_is_multiplied_out_down_to_its_inputs() -> None:
    p = program(lambda a, b: [(a + b) * (a - b)], REAL, REAL)
    a, b = nodes_of_inputs(p)
    network = expanded(p, lambda _: False, 900)
    assert network.definitions == {p.results[0]: {(a, a): 1, (b, b): -1}}
    assert (network.operations, network.terms) == (3, 2)
    assert network.fixed == {p.results[0]}


def test_what_is_kept_is_a_variable() -> None:
    p = program(lambda a, b: [(a + b) * (a - b)], REAL, REAL)
    a, b = nodes_of_inputs(p)
    total = next(i for i, node in enumerate(p.nodes) if node.op is Op.ADD)
    network = expanded(p, lambda i: i == total, 900)
    assert network.definitions[total] == {(a,): 1, (b,): 1}
    assert network.definitions[p.results[0]] == {(a, total): 1, (b, total): -1}


def test_a_product_of_too_many_terms_has_variables_for_its_factors() -> None:
    p = program(lambda a, b: [(a + b) * (a - b)], REAL, REAL)
    network = expanded(p, lambda _: False, 3)
    assert sorted(map(len, network.definitions.values())) == [1, 2, 2]


def test_what_a_comparison_looks_at_is_not_arithmetic() -> None:
    p = program(lambda a, b: [select(a * b + a < 1, a + b + a, b)], REAL, REAL)
    network = expanded(p, lambda _: False, 900)
    compared = next(node.args[0] for node in p.nodes if node.op is Op.LT)
    assert compared not in network.definitions
    assert [len(q) for q in network.definitions.values()] == [2]  # 2 a + b


FORMULAS: list[tuple[Callable[..., Any], tuple[Component, ...]]] = [
    (lambda a, b: [(a + b) * (a - b) * a, b - a - a], (REAL, REAL)),
    (lambda a, b: [-a - b * b, select(a * b < b, a / (b * b + 1), a)], (REAL, REAL)),
    (lambda v, w: v.cross(w).cross(v), (Vec3, Vec3)),
]


@pytest.mark.parametrize(("formula", "types"), FORMULAS)
def test_a_rebuilt_network_has_the_values_of_its_program(
    formula: Callable[..., Any], types: tuple[Component, ...]
) -> None:
    p = program(formula, *types)
    network = expanded(p, lambda _: False, 900)
    scattered = replace(
        network,
        definitions=extracted(network.definitions, 1 + max([len(p.nodes), *network.definitions]), True),
    )
    source = random.Random(3)
    for found in (network, scattered, collapsed(scattered, 8)):
        again = rebuilt(found)
        for _ in range(4):
            point = [Fraction(source.randint(-20, 20), 7) for a in p.inputs for _ in range(a.size)]
            assert evaluate(again, fractions(), point).results == evaluate(p, fractions(), point).results


def test_a_sum_begins_with_a_positive_term() -> None:
    p = program(lambda a, b, c: [-(a * b) + c], REAL, REAL, REAL)
    again = rebuilt(expanded(p, lambda _: False, 900))
    assert Op.NEG not in {node.op for node in again.nodes}


def test_variables_that_save_little_are_put_back() -> None:
    """(a + b) c and (a + b) a take 6 operations instead of 3; what the Program needs stays in any case."""
    p = program(lambda a, b, c: [(s := a + b) * c, s * a], REAL, REAL, REAL)
    total = next(i for i, node in enumerate(p.nodes) if node.op is Op.ADD)
    network = expanded(p, lambda i: i == total, 900)
    saved = 3
    assert total in collapsed(network, saved - 1).definitions
    assert total not in collapsed(network, saved).definitions
    needed = replace(network, fixed=network.fixed | {total})
    assert total in collapsed(needed, 100).definitions


# scales


def network_of(definitions: Mapping[int, Polynomial], own: Sequence[int]) -> Network:
    """A network of a Program whose own values are the variables up to those."""
    nodes = (Node(Op.CONSTANT, (), 0),) * (1 + max(own))
    return Network(Program((), (), nodes, ()), dict(definitions), frozenset(own))


@pytest.mark.parametrize("seed", range(8))
def test_other_scales_keep_what_is_needed_and_cost_no_more(seed: int) -> None:
    before = {100 + i: drawn(20 * seed + i, terms=10) for i in range(3)}
    taken = extracted(before, 200, False)
    after = rescaled(network_of(taken, list(before)))
    point = somewhere(seed)
    values = resolved(after.definitions, point)
    assert {v: values[v] for v in before} == {v: value(p, point) for v, p in before.items()}
    assert after.operations <= sum(map(operations, taken.values()))


def test_a_quadratic_form_takes_each_factor_of_two_once() -> None:
    """x (P_xx x + 2 (P_xy y + P_xz z)) in place of 2 x (P_xx x / 2 + P_xy y + P_xz z)."""
    half: Polynomial = {(0, 1): Fraction(1, 2), (2, 3): 1, (4, 5): 1}
    found = rescaled(network_of({10: {(6,): 1, (1, 11): 2}, 11: half}, [10]))
    assert found.operations == 2 + 3 + 3  # x s + r; P_xx x + 2 t; t = P_xy y + P_xz z
    assert found.definitions[10] == {(6,): 1, (1, 11): 1}


def test_what_a_program_computes_itself_keeps_its_scale() -> None:
    definitions: dict[int, Polynomial] = {10: {(6,): 1, (1, 11): 2}, 11: {(0, 1): Fraction(1, 2), (2,): 1}}
    assert rescaled(network_of(definitions, [10, 11])).definitions == definitions


def test_what_has_a_name_keeps_its_scale() -> None:
    """E stands beside 2 E y + 4 y and E w + x / 2, which take one operation less with 2 E."""

    def formula(x: Scalar, y: Scalar, w: Scalar) -> list[Scalar]:
        e = let("E", (x * y) / 3 + (w * x) / 2)
        return [2 * (e * y) + 4 * y, e * w + x / 2]

    def at(p: Program) -> Callable[[str], Fraction]:
        numbers = [Fraction(2), Fraction(3), Fraction(5)]
        values = evaluate(p, fractions(), numbers).values
        return lambda name: next(values[i] for i, label in p.labels.items() if label == name)

    p = program(formula, REAL, REAL, REAL)
    assert at(optimise(p))("E") == at(p)("E") == Fraction(2) + Fraction(5)


# constraints


def user_of(kind: Component) -> Program:
    """A Program that uses every scalar of an input of a type."""
    return program(lambda x: [math.prod(flatten(x))], kind)


def points_of(p: Program, kind: Component, seed: int) -> dict[int, Fraction]:
    """The scalars of a random value of the type, exactly, by the nodes of the Program's inputs."""
    source = random.Random(seed)
    drawn = sample(kind, lambda: Fraction(source.randint(-9, 9), source.randint(1, 9)))
    return dict(zip(nodes_of_inputs(p), map(Fraction, drawn), strict=True))


@pytest.mark.parametrize(("kind", "number"), [(UnitQuaternion, 1), (Rotation, 21)])
def test_relations_are_zero_where_an_input_is_of_its_type(kind: Component, number: int) -> None:
    p = user_of(kind)
    found = relations(p)
    assert len(found) == number
    for seed in range(3):
        point = points_of(p, kind, seed)
        assert [value(zero, point) for zero in found] == [0] * number
        off = {v: x + Fraction(1, 3) for v, x in point.items()}
        assert all(value(zero, off) for zero in found)


def test_there_are_relations_only_of_types_that_are_used_whole() -> None:
    assert relations(user_of(Mat3)) == []
    assert relations(program(lambda q: [q.w * q.x], UnitQuaternion)) == []


@pytest.mark.parametrize("kind", [UnitQuaternion, Rotation])
@pytest.mark.parametrize("seed", range(4))
def test_polynomials_rewritten_by_a_type_keep_their_values(kind: Component, seed: int) -> None:
    p = user_of(kind)
    inputs = nodes_of_inputs(p)
    any_of = drawn(seed, variables=len(inputs), terms=12)
    given = {tuple(inputs[v] for v in m): c for m, c in any_of.items()}
    short, ruled = shortened(given, relations(p)), rewritten(given, rules(p))
    point = points_of(p, kind, seed)
    assert value(short, point) == value(ruled, point) == value(given, point)
    assert len(short) <= len(given)
    left = {pair for m in ruled for pair in combinations(m, 2)}
    assert left.isdisjoint(rules(p))


def test_a_length_that_a_type_knows_is_one() -> None:
    p = user_of(Rotation)
    inputs = nodes_of_inputs(p)
    column: Polynomial = {(v, v): 1 for v in inputs[1::3]}
    assert shortened(column, relations(p)) == {(): 1}
    q = user_of(UnitQuaternion)
    w, *rest = nodes_of_inputs(q)
    without: Polynomial = {(v, v): -1 for v in rest}
    assert rewritten({(w, w): 1}, rules(q)) == {**without, (): 1}


# cancel and chains


def same_values(p: Program, q: Program) -> bool:
    source = random.Random(11)
    points = [[Fraction(source.randint(1, 50), 7) for a in p.inputs for _ in range(a.size)] for _ in range(3)]
    return all(evaluate(p, fractions(), x).results == evaluate(q, fractions(), x).results for x in points)


def sums(p: Program) -> int:
    """Additions and subtractions that a result needs."""
    needed, stack = set[int](), list(p.roots)
    while stack:
        i = stack.pop()
        if i not in needed:
            needed.add(i)
            stack += p.nodes[i].args
    return sum(p.nodes[i].op in (Op.ADD, Op.SUB) for i in needed)


@pytest.mark.parametrize(
    ("formula", "left"),
    [
        (lambda a, c: (c - a) + a, 0),
        (lambda a, c: (c + a) - a, 0),
        (lambda a, c: (a + c) - a, 0),
        (lambda a, c: a + (c - a), 0),
        (lambda a, c: a - (c + a), 0),
        (lambda a, c: (a - c) - a, 0),
        (lambda a, c: (a - c) + a, 2),
        (lambda a, c: a - (c - a), 2),
        (lambda a, c: (a + c) + a, 2),
    ],
)
def test_what_is_added_and_taken_away_drops_out(formula: Callable[..., Scalar], left: int) -> None:
    p = program(lambda a, c: [formula(a, c)], REAL, REAL)
    found = cancel(p)
    assert sums(p) == 2
    assert sums(found) == left
    assert same_values(p, found)


def test_a_sum_of_products_in_a_sum_becomes_a_chain() -> None:
    p = program(lambda a, b, c, d, e: [a + (b * c - d * e)], *[REAL] * 5)
    found = chains(p)
    root = found.nodes[found.results[0]]
    inner = found.nodes[root.args[0]]
    assert (root.op, inner.op) == (Op.SUB, Op.ADD)
    assert found.nodes[inner.args[0]].op is Op.INPUT
    assert price(found).instructions == price(p).instructions - 1 == 2
    assert same_values(p, found)


def test_a_chain_begins_with_what_is_no_product() -> None:
    p = program(lambda a, b, c, d, e: [b * c + d * e + a], *[REAL] * 5)
    found = chains(p)
    inner = found.nodes[found.nodes[found.results[0]].args[0]]
    assert Op.INPUT in {found.nodes[a].op for a in inner.args}
    assert same_values(p, found)


def test_a_sum_that_has_a_name_or_no_products_stays_by_itself() -> None:
    for formula in (lambda a, b, c, d, e: [a + (b + c)], lambda a, b, c, d, e: [a + let("s", b * c - d * e)]):
        p = program(formula, *[REAL] * 5)
        assert chains(p).nodes == p.nodes


def test_only_products_that_sums_alone_use_can_be_fused() -> None:
    p = program(lambda a, b, c: [a * b + c, sin(a * c) + b, b * c], REAL, REAL, REAL)
    products = [i for i, node in enumerate(p.nodes) if node.op is Op.MUL]
    assert [i in fusable(p) for i in products] == [True, False, False]


# what guards the search


@pytest.mark.parametrize(
    ("wanted", "other", "kept"),
    [
        (lambda a, b, c: [a * (b / c)], lambda a, b, c: [a * b / c], False),
        (lambda a, b, c: [a * b / c], lambda a, b, c: [a * (b / c)], True),
        (lambda a, b, c: [a / b / c], lambda a, b, c: [a / (b * c)], False),
        (lambda a, b, c: [sqrt(a) * sqrt(b)], lambda a, b, c: [sqrt(a * b)], False),
        (lambda a, b, c: [a + b], lambda a, b, c: [b + a], True),
    ],
)
def test_no_result_takes_higher_powers_on_its_way(
    wanted: Callable[..., Any], other: Callable[..., Any], kept: bool
) -> None:
    before, after = program(wanted, *[REAL] * 3), program(other, *[REAL] * 3)
    assert within_range(after, before) is kept


@pytest.mark.parametrize(
    ("formula", "powers"),
    [
        (lambda a, b, c: [a * b * (1 / b)], 1),
        (lambda a, b, c: [a * (b * b) * (c * (1 / (b * b)))], 2),
        (lambda a, b, c: [a * b * c * (1 / (a * b * c))], 3),
        (lambda a, b, c: [(b * a) * (1 / b), b * a], 2),
        (lambda a, b, c: [let("s", b * a) * (1 / b)], 2),
        (lambda a, b, c: [sin(a * b) * c * (1 / c)], 2),
    ],
)
def test_products_are_in_an_order_that_grows_little(formula: Callable[..., Any], powers: int) -> None:
    """A partial product that has another use or a name stays, and so do the arguments of functions."""
    p = program(formula, *[REAL] * 3)
    found = moderated(p)
    real = [steepness(g) for g in growths(found) if isinstance(g, Growth)]
    assert max(real) == powers
    assert price(found) == price(p)
    point = [np.float64(x) for x in (0.7, -1.3, 2.1)]
    known, changed = (evaluate(q, floating(F64), point).results for q in (p, found))
    assert np.allclose(known, changed, rtol=1e-15, atol=0)


def test_each_result_is_held_to_its_own_powers() -> None:
    """An error bound that grows is rejected even if another one had grown before."""
    before = program(lambda a, b: [a * a * a, b], REAL, REAL)
    after = program(lambda a, b: [a * a * a, b * b / b], REAL, REAL)
    assert not within_range(after, before)


@pytest.mark.parametrize(
    "formula",
    [
        lambda a, b, c: [a + b - c],
        lambda a, b, c: [(a - b) * (b - c) / (c * c + 1)],
        lambda a, b, c: [a * b - c * c, -(a / 3) + abs(b) * c],
        lambda a, b, c: [sqrt(a * a + b * b) - c],
        lambda a, b, c: [sqrt(abs(a * b - c * c))],
    ],
)
def test_no_rounding_error_is_larger_than_its_bound(formula: Callable[..., Any]) -> None:
    """In double against 100 binary digits more, at points that cancel and points that do not."""
    import mpmath

    p = program(formula, REAL, REAL, REAL)
    source = random.Random(5)
    truth = mpmath.mp.clone()
    truth.prec = 153
    unit = 2.0**-53
    for scale in (1.0, 1e-6, 1e-12):
        for _ in range(20):
            a = source.uniform(1, 2)
            point = [a, a + scale * source.uniform(-1, 1), a + scale * source.uniform(-1, 1)]
            bounds = evaluate(
                p, running_error(), [Bounded(np.float64(x), np.float64(0)) for x in point]
            ).results
            found = evaluate(p, floating(F64), list(map(np.float64, point))).results
            exactly = exact_results(formula, [truth.mpf(x) for x in point], truth)
            for bound, x, right in zip(bounds, found, exactly, strict=True):
                assert float(bound.value) == float(x)
                assert abs(truth.mpf(float(x)) - right) <= bound.error * unit * (1 + 1e-9)


def exact_results(formula: Callable[..., Any], point: Sequence[Any], context: Any) -> list[Any]:
    """The formula's values, by an independent evaluator of the Program's structure."""
    p = program(formula, REAL, REAL, REAL)
    table = {
        Op.ADD: lambda a, b: a + b, Op.SUB: lambda a, b: a - b, Op.MUL: lambda a, b: a * b,
        Op.DIV: lambda a, b: a / b, Op.NEG: lambda a: -a, Op.ABS: abs, Op.SQRT: context.sqrt,
    }  # fmt: skip
    values: list[Any] = []
    for node in p.nodes:
        if node.op is Op.INPUT:
            values.append(point[int(node.value)])
        elif node.op is Op.CONSTANT:
            number = Fraction(node.value)
            values.append(context.mpf(number.numerator) / number.denominator)
        else:
            values.append(table[node.op](*(values[a] for a in node.args)))
    return [values[r] for r in p.results]


def test_a_bound_follows_the_operands() -> None:
    """(a b) - c is off by the product's rounding and its own, in units of the last place of 1."""
    p = program(lambda a, b, c: [a * b - c], REAL, REAL, REAL)
    (bound,) = evaluate(
        p, running_error(), [Bounded(np.float64(x), np.float64(0)) for x in (3, 5, 14)]
    ).results
    assert (bound.value, bound.error) == (1, 15 + 1)


# labels and the whole


def test_names_find_their_values_again() -> None:
    original = program(lambda a, b: [let("total", a + b) * a], REAL, REAL)
    written = program(
        lambda a, b: [
            (b + a) * a,
        ],
        REAL,
        REAL,
    )
    found = relabelled(replace(written, labels={}), original)
    (place,) = found.labels
    assert found.labels[place] == "total"
    assert found.nodes[place].op is Op.ADD


def test_a_name_whose_value_is_gone_goes_with_it() -> None:
    original = program(lambda a, b: [let("total", a + b) * a], REAL, REAL)
    written = program(lambda a, b: [a * a + a * b], REAL, REAL)
    assert relabelled(written, original).labels == {}


def test_a_search_that_changes_a_value_is_refused() -> None:
    original = program(lambda a, b: [a + b], REAL, REAL)
    with pytest.raises(InvalidProgram, match="changed a value"):
        relabelled(program(lambda a, b: [a - b], REAL, REAL), original)


def test_a_price_is_work_and_then_instructions() -> None:
    """Of two products in a sum, one is fused; a division counts ten multiplications."""
    assert price(program(lambda a, b, c: [a * b + c], *[REAL] * 3)) == Price(4, 1)
    assert price(program(lambda a, b, c, d: [a * b + c * d], *[REAL] * 4)) == Price(6, 2)
    assert price(program(lambda a, b: [a / b], *[REAL] * 2)) == Price(20, 1)


def test_the_search_finds_a_common_factor() -> None:
    p = program(lambda a, b, c: [a * b + a * c], *[REAL] * 3)
    found = search(p, lambda q: q)
    assert price(found).work == 4
    assert same_values(p, found)


def test_the_search_returns_what_it_cannot_better() -> None:
    p = program(lambda a, b: [a * b], REAL, REAL)
    assert search(p, lambda q: q) is p


def test_the_search_asks_its_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    p = program(lambda a, b, c: [a * b + a * c], *[REAL] * 3)
    asked = count()

    def never(candidate: Program, original: Program) -> bool:
        assert original is p
        next(asked)
        return False

    monkeypatch.setattr("codegen.passes.search.search.trustworthy", never)
    assert search(p, lambda q: q) is p
    assert next(asked) > 0


def test_a_variable_that_cancels_is_put_back_nowhere() -> None:
    """Where s2 = z - s0 is put back into s1 = s0 + s2 + x, s0 cancels; then s1 is put back, then s0."""
    x, z, out, s0, s1, s2 = range(6)
    one = Fraction(1)
    definitions: dict[int, Polynomial] = {
        out: {(s1,): one, (x, x): one},
        s0: {(x,): one, (z,): one},
        s1: {(s0,): one, (s2,): one, (x,): one},
        s2: {(z,): one, (s0,): -one},
    }
    p = program(lambda x, z: [x * z], REAL, REAL)
    found = collapsed(Network(p, definitions, frozenset([out])), 100)
    assert found.definitions == {out: {(z,): one, (x,): one, (x, x): one}}
