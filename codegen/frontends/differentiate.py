"""Derivatives of Programs, by CasADi's algorithmic differentiation.

A guard is a select by what the Program requires. A result that a guard selects is differentiated in its
closed form, as if its requirements held: no guard that they imply is differentiated. The result's guard then
selects the derivatives, once each, and the values in them are those that the other guards make safe.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import casadi

from codegen.errors import FeatherError
from codegen.frontends import from_casadi
from codegen.frontends.formula import typed_values
from codegen.ir.expression import Expr
from codegen.ir.operations import LEAVES, Op
from codegen.ir.program import Arg, Node, Program, evaluate, program_of
from codegen.ir.systems import NumberSystem, casadi_system
from codegen.ir.types import Array, flatten

Requirements: TypeAlias = frozenset[int]
"""Nodes of a Program's status."""

NOTHING: Requirements = frozenset()


def jacobian_program(
    program: Program, matrices: Sequence[Arg], of: Sequence[str], by: Sequence[Sequence[str]]
) -> Program:
    """The Program of the Jacobians of the outputs `of`, one matrix for each list of inputs in `by`."""
    system = casadi_system()
    symbols = [casadi.SX.sym(name) for a in program.inputs for name in a.scalar_names]
    columns = [_scalars_of(program.inputs, range(len(symbols)), names) for names in by]
    moving = _moving(program, {c for wanted in columns for c in wanted})
    _check_tables(program, moving)
    whole = _form(program, system, symbols, {}, moving)
    results, guards = _scalars_of(program.outputs, program.results, of), _guards(program)
    closed: dict[Requirements, _Form] = {}
    for needs in dict.fromkeys(guards[r] for r in results if r in guards):
        implied = {g: program.nodes[g].args[1] for g, own in guards.items() if own <= needs}
        closed[needs] = _form(program, system, symbols, implied, moving)
    arguments = guards.keys() - set(results)
    jacobians = [_jacobian(program, whole, closed, results, wanted) for wanted in columns]
    made_safe = [
        (form.values[g], whole.values[g])
        for form in closed.values()
        for g in form.open
        if g in arguments or g in form.fresh
    ]
    fresh = [symbol for form in closed.values() for symbol in form.fresh.values()]
    conditions = [casadi.SX(whole.values[n]) for n, _ in program.status]
    pairs = [casadi.SX(value) for pair in made_safe for value in pair]
    function = from_casadi.function_of("jacobian", [*symbols, *fresh], [*pairs, *jacobians, *conditions])
    inputs = (*program.inputs, *_numbers("guarded", len(fresh)))
    outputs = (*_numbers("safe", len(pairs)), *matrices)
    lowered = from_casadi.lower(inputs, outputs, function, [flag for _, flag in program.status])
    return _made_safe(lowered, len(pairs), program.inputs, matrices)


def _scalars_of(arguments: Sequence[Arg], scalars: Sequence[Any], names: Sequence[str]) -> list[Any]:
    values = dict(zip((a.name for a in arguments), typed_values(arguments, scalars), strict=True))
    return [scalar for name in names for scalar in flatten(values[name])]


def _numbers(name: str, count: int) -> list[Arg]:
    return [Arg(name, Array((count,)), "1", "")] if count else []


def _guards(program: Program) -> dict[int, Requirements]:
    """The selects whose condition is a requirement, or several together, with these."""
    required = {node for node, _ in program.status}
    needs: dict[int, Requirements] = {}
    guards: dict[int, Requirements] = {}
    for i, node in enumerate(program.nodes):
        if i in required:
            needs[i] = frozenset([i])
        elif node.op is Op.AND and needs.keys() >= set(node.args):
            needs[i] = NOTHING.union(*(needs[a] for a in node.args))
        elif node.op is Op.SELECT and node.args[0] in needs:
            guards[i] = needs[node.args[0]]
    return guards


def _moving(program: Program, inputs: Container[int]) -> set[int]:
    """The nodes that depend on some input scalars."""
    found: set[int] = set()
    for i, node in enumerate(program.nodes):
        if (node.op is Op.INPUT and node.value in inputs) or not found.isdisjoint(node.args):
            found.add(i)
    return found


def _check_tables(program: Program, moving: Container[int]) -> None:
    """FeatherError where the numbers of a table are among what is differentiated by."""
    for node in program.nodes:
        if node.op is Op.LIST and any(a in moving for a in node.args):
            about = program.nodes[node.args[0]].value
            raise FeatherError(
                f"derivatives by the numbers of table {about} are not available: "
                "name the other inputs, as in jacobian(f, 'slopes', ['y'], {'dy': ['alpha']})"
            )


@dataclass(frozen=True)
class _Form:
    """A Program's values over CasADi's symbols, with some guards open: an open guard has its first value.

    Where that is an input, or does not depend on what is differentiated by, a fresh symbol stands for it.
    """

    symbols: Sequence[Any]
    values: Sequence[Any]
    open: Sequence[int]
    fresh: Mapping[int, Any]


def _form(
    program: Program,
    system: NumberSystem,
    symbols: Sequence[Any],
    open_: Mapping[int, int],
    moving: Container[int],
) -> _Form:
    """The Program with open guards, which are given by their nodes and those of their values."""
    nodes, through, fresh = list(program.nodes), dict[int, int](), dict[int, Any]()
    for i, (op, args, value) in enumerate(program.nodes):
        seen = tuple(through.get(a, a) for a in args)
        nodes[i] = Node(op, seen, value)
        if i in open_ and (open_[i] not in moving or program.nodes[seen[1]].op in LEAVES):
            nodes[i] = Node(Op.INPUT, (), len(symbols) + len(fresh))
            fresh[i] = casadi.SX.sym(f"guarded_{i}")
        elif i in open_:
            through[i] = seen[1]
    opened = replace(program, nodes=tuple(nodes))
    values = evaluate(opened, system, [*symbols, *fresh.values()]).values
    return _Form(symbols, [values[through.get(i, i)] for i in range(len(values))], list(open_), fresh)


def _jacobian(
    program: Program,
    whole: _Form,
    closed: Mapping[Requirements, _Form],
    results: Sequence[int],
    columns: Sequence[int],
) -> Any:
    """The derivatives of the results by some inputs; those of a guard are selected by its condition."""
    guards = _guards(program)
    found = casadi.SX(len(results), len(columns))
    plain = [i for i, r in enumerate(results) if r not in guards]
    rows = _rows(program, whole, [results[i] for i in plain], columns)
    for k, i in enumerate(plain):
        found[i, :] = rows[k, :]
    for needs, form in closed.items():
        own = [i for i, r in enumerate(results) if guards.get(r) == needs]
        conditions, then, otherwise = zip(*(program.nodes[results[i]].args for i in own), strict=True)
        arms = _rows(program, form, then, columns), _rows(program, whole, otherwise, columns)
        for k, i in enumerate(own):
            for j in range(len(columns)):
                if any(arm.sparsity().has_nz(k, j) for arm in arms):
                    found[i, j] = casadi.if_else(whole.values[conditions[k]], *(arm[k, j] for arm in arms))
    return casadi.densify(found)


def _rows(program: Program, form: _Form, nodes: Sequence[int], columns: Sequence[int]) -> Any:
    """The derivatives of nodes, a row for each."""
    values = casadi.vertcat(*(casadi.SX(form.values[n]) for n in nodes))
    derived = casadi.jacobian(values, casadi.vertcat(*(form.symbols[c] for c in columns)))
    for guard, symbol in form.fresh.items():
        leaf = program.nodes[program.nodes[guard].args[1]]
        if leaf.op is Op.INPUT and leaf.value in columns:
            derived[:, columns.index(leaf.value)] += casadi.jacobian(values, symbol)
    return derived


def _made_safe(lowered: Program, count: int, inputs: Sequence[Arg], outputs: Sequence[Arg]) -> Program:
    """The derivatives with the guards' values; the first results are pairs of a guard's input and output."""
    own = sum(a.size for a in inputs)
    plain: list[Expr] = []
    for op, args, value in lowered.nodes:
        plain.append(Expr(op, tuple(plain[a] for a in args), value))
    safe: dict[int, Expr] = {}
    for taken, given in zip(lowered.results[:count:2], lowered.results[1:count:2], strict=True):
        op, _, value = lowered.nodes[taken]
        if op not in LEAVES or (op is Op.INPUT and int(value or 0) >= own):
            safe[taken] = plain[given]
    derived: list[Expr] = []
    for i, (op, args, value) in enumerate(lowered.nodes):
        same = i not in safe and all(derived[a] is plain[a] for a in args)
        new = plain[i] if same else Expr(op, tuple(derived[a] for a in args), value)
        derived.append(safe.get(i, new))
    results = [derived[r] for r in lowered.results[count:]]
    return program_of(inputs, outputs, results, [(plain[n], flag) for n, flag in lowered.status])
