"""constraints: identities between the components of a rotation matrix and of a unit quaternion.

The rows and the columns of a rotation are orthonormal, and every element is its own cofactor. Where an input
is of such a type, its documented precondition lets a polynomial be written with fewer or other terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import TypeAlias

from codegen.ir.operations import Op
from codegen.ir.program import Program
from codegen.ir.types import Array, Component, Real, size
from codegen.modeling.types.algebra import Rotation, UnitQuaternion
from codegen.passes.search.polynomials import Monomial, Polynomial, accumulate, merged, quotient

Rules: TypeAlias = Mapping[Monomial, Polynomial]
"""The replacement of a product of two variables."""

Matrix: TypeAlias = Sequence[Sequence[int]]


def relations(program: Program) -> list[Polynomial]:
    """Polynomials of the inputs that are zero by their types."""
    found = [_norm(q) for q in _constrained(program, UnitQuaternion)]
    for elements in _constrained(program, Rotation):
        R = _matrix(elements)
        pairs = [(i, j) for i in range(3) for j in range(i, 3)]
        found += [p for i, j in pairs for p in (_dot(R, i, j), _dot(_transposed(R), i, j))]
        found += [_cofactor(R, i, j) for i in range(3) for j in range(3)]
    return found


def shortened(p: Polynomial, zeros: Sequence[Polynomial]) -> Polynomial:
    """The polynomial with multiples of zeros added wherever that leaves fewer terms."""
    by_product: dict[Monomial, list[Polynomial]] = {}
    for zero in zeros:
        for m in zero:
            by_product.setdefault(m, []).append(zero)
    p = dict(p)
    waiting = sorted(p, reverse=True)
    while waiting:
        monomial = waiting.pop()
        if monomial in p and (better := _shorter(p, monomial, by_product)) is not None:
            waiting += sorted(better.keys() - p.keys(), reverse=True)
            p = better
    return p


def _shorter(
    p: Polynomial, monomial: Monomial, by_product: Mapping[Monomial, list[Polynomial]]
) -> Polynomial | None:
    """The shortest polynomial from adding to p one zero that shares a product with it, if it is shorter."""
    best = None
    for product in sorted(set(combinations(monomial, 2))):
        for zero in by_product.get(product, ()):
            rest = quotient(monomial, product) or ()
            changed = dict(p)
            terms = ((merged(rest, m), c) for m, c in zero.items())
            accumulate(changed, terms, -p[monomial] * zero[product])  # every coefficient there is 1 or -1
            if len(changed) < len(best or p):
                best = changed
    return best


def rules(program: Program) -> Rules:
    """Rules that reduce the products of elements of a rotation, and remove w^2 of a unit quaternion.

    The last row and column go: r_i2 r_j2 = d_ij - r_i0 r_j0 - r_i1 r_j1,
    r_2a r_2b = d_ab - r_0a r_0b - r_1a r_1b, r_ia r_j2 = r_i2 r_ja +- r_kb. So the trace of
    a rotated matrix and its isotropic part result from the rules alone.
    """
    found: dict[Monomial, Polynomial] = {}
    for q in _constrained(program, UnitQuaternion):
        found |= _solved(_norm(q), (q[0], q[0]))
    for elements in _constrained(program, Rotation):
        R = _matrix(elements)
        for i, j in combinations_with_replacement(range(3), 2):
            found |= _solved(_dot(R, i, j), (R[i][2], R[j][2]))
            found |= _solved(_dot(_transposed(R), i, j), (R[2][i], R[2][j]))
        for i, j in combinations(range(3), 2):
            for b in range(2):
                found |= _solved(_cofactor(R, 3 - i - j, b), (R[i][1 - b], R[j][2]))
    return found


def rewritten(p: Polynomial, found: Rules) -> Polynomial:
    """The polynomial after the rules, until none applies."""
    p = dict(p)
    waiting = sorted(p, reverse=True)
    while waiting:
        monomial = waiting.pop()
        product = next((pair for pair in combinations(monomial, 2) if pair in found), None)
        if product is not None and monomial in p:
            rest, coefficient = quotient(monomial, product) or (), p.pop(monomial)
            terms = [(merged(rest, m), c) for m, c in found[product].items()]
            accumulate(p, terms, coefficient)
            waiting += [m for m, _ in terms]
    return p


def _constrained(program: Program, kind: type[Rotation] | type[UnitQuaternion]) -> Iterator[list[int]]:
    """The nodes of each input of this type, where all its components are used."""
    nodes = {node.value: i for i, node in enumerate(program.nodes) if node.op is Op.INPUT}
    first = 0
    for argument in program.inputs:
        for offset in _offsets(argument.type, kind):
            scalars = range(first + offset, first + offset + size(kind))
            if all(s in nodes for s in scalars):
                yield [nodes[s] for s in scalars]
        first += argument.size


def _offsets(component: Component, kind: type[Rotation] | type[UnitQuaternion]) -> Iterator[int]:
    if isinstance(component, (Real, Array)):
        return
    if issubclass(component, kind):
        yield 0
        return
    first = 0
    for part in component.layout.values():
        yield from (first + offset for offset in _offsets(part, kind))
        first += size(part)


def _matrix(elements: Sequence[int]) -> Matrix:
    return [elements[3 * i : 3 * i + 3] for i in range(3)]


def _transposed(R: Matrix) -> Matrix:
    return list(zip(*R, strict=True))


def _norm(q: Sequence[int]) -> Polynomial:
    """q.q - 1"""
    return {**{(v, v): 1 for v in q}, (): -1}


def _dot(R: Matrix, i: int, j: int) -> Polynomial:
    """Row i times row j, less its value."""
    products: Polynomial = {merged((a,), (b,)): 1 for a, b in zip(R[i], R[j], strict=True)}
    return {**products, (): -1} if i == j else products


def _cofactor(R: Matrix, i: int, j: int) -> Polynomial:
    """The cofactor of an element, less the element."""
    a, b, c, d = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
    return {merged((R[a][c],), (R[b][d],)): 1, merged((R[a][d],), (R[b][c],)): -1, (R[i][j],): -1}


def _solved(zero: Polynomial, product: Sequence[int]) -> dict[Monomial, Polynomial]:
    """The rule that replaces the product by the value that the other terms give it."""
    key = tuple(sorted(product))
    return {key: {m: -c * zero[key] for m, c in zero.items() if m != key}}
