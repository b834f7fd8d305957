"""Rewrites a switch whose cases do not fall into each other as the choices that it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from codegen.review.diff.text.syntax import Refused


class _Group(NamedTuple):
    """Cases without statements between them, what they do, and whether the default is among them."""

    labels: list[Any]
    statements: list[Any]
    is_default: bool


def as_choices(switch: Any, number: Callable[[Any], int | None], is_truth: bool) -> Any:
    """The switch as `if (x == 1) {...} else if (x == 2) {...} else {...}`.

    Its conditions are compared once at most, as no statement comes between them. `number` is the value of a
    label; `is_truth` says that x is 0 or 1: the last of two cases is then what happens otherwise. Refused
    where a case falls into the next one or declares something, which the other cases would see.
    """
    from pycparser import c_ast

    groups = _groups(switch)
    numbers = [number(label) for group in groups for label in group.labels]
    if None in numbers or len(set(numbers)) < len(numbers):
        raise Refused(switch, "a case whose number is not constant, or is that of another one")
    if is_truth and set(numbers) == {0, 1} and not any(g.is_default for g in groups):
        groups[-1] = groups[-1]._replace(is_default=True)
    default = [g for g in groups if g.is_default]
    if len(default) > 1:
        raise Refused(switch, "a switch with two defaults")
    choices = c_ast.Compound(default[0].statements if default else [], switch.coord)
    for group in reversed([g for g in groups if not g.is_default]):
        tests = [c_ast.BinaryOp("==", switch.cond, label, switch.coord) for label in group.labels]
        condition = tests[0]
        for test in tests[1:]:
            condition = c_ast.BinaryOp("||", condition, test, switch.coord)
        body = c_ast.Compound(group.statements, switch.coord)
        choices = c_ast.If(condition, body, choices, switch.coord)
    return choices


def _groups(switch: Any) -> list[_Group]:
    from pycparser import c_ast

    cases = switch.stmt.block_items if isinstance(switch.stmt, c_ast.Compound) else None
    if not cases or not all(isinstance(case, c_ast.Case | c_ast.Default) for case in cases):
        raise Refused(switch, "a switch with statements outside of its cases")
    found, labels, is_default = list[_Group](), list[Any](), False
    for case in cases:
        if isinstance(case, c_ast.Default):
            is_default = True
        else:
            labels.append(case.expr)
        if case.stmts:
            found.append(_Group(labels, _ended(case, case.stmts, case is cases[-1]), is_default))
            labels, is_default = [], False
    return [*found, _Group(labels, [], is_default)] if labels or is_default else found


def _ended(where: Any, statements: Sequence[Any], is_last: bool) -> list[Any]:
    """The statements of a case without the `break` at their end, or that of their only block."""
    from pycparser import c_ast

    if any(isinstance(statement, c_ast.Decl) for statement in statements):
        raise Refused(where, "a declaration in a case")
    *before, last = statements
    if isinstance(last, c_ast.Break):
        return before
    if isinstance(last, c_ast.Return | c_ast.Goto) or (is_last and not isinstance(last, c_ast.Compound)):
        return list(statements)
    if isinstance(last, c_ast.Compound) and last.block_items:
        inner = last.block_items[-1]
        if isinstance(inner, c_ast.Break | c_ast.Return | c_ast.Goto) or is_last:
            kept = last.block_items[:-1] if isinstance(inner, c_ast.Break) else last.block_items
            return [*before, c_ast.Compound(kept, last.coord)]
    raise Refused(where, "a case that falls into the next one")
