"""Writes the body of a function so that nothing follows its returns, which become assignments to its result.

`if (c) { return a; } ... return b;` becomes `if (c) { r = a; } else { ... r = b; }`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from codegen.review.diff.text.syntax import Refused
from codegen.review.diff.text.trees import kinds_of


def ended_once(statements: Sequence[Any], result: Any | None) -> list[Any]:
    """Statements with an assignment to a result, if there is one, in place of each return.

    Raises Refused where a return leads out of a loop, and where not every way ends with a result.
    """
    from pycparser import c_ast

    for k, statement in enumerate(statements):
        before, rest = [*statements[:k]], [*statements[k + 1 :]]
        if isinstance(statement, c_ast.Return):
            if rest or (statement.expr is None) != (result is None):
                raise Refused(statement, "a return that does not end a function")
            return [*before, *_assigned(statement, result)]
        if "Return" not in kinds_of(statement):
            continue
        if isinstance(statement, c_ast.Compound):
            return [*before, *ended_once([*(statement.block_items or []), *rest], result)]
        if not isinstance(statement, c_ast.If):
            raise Refused(statement, "a return out of a loop")
        return [*before, _with_rest(statement, rest, result)]
    if result is not None:
        raise Refused(None, "a function that does not return a value on every way")
    return [*statements]


def _assigned(returned: Any, result: Any | None) -> list[Any]:
    from pycparser import c_ast

    if result is None:
        return []
    return [c_ast.Assignment("=", c_ast.ID(result.name, result.coord), returned.expr, result.coord)]


def _with_rest(choice: Any, rest: Sequence[Any], result: Any | None) -> Any:
    """A choice with the statements behind it in the branch that leads to them."""
    from pycparser import c_ast

    branches = [[] if part is None else [part] for part in (choice.iftrue, choice.iffalse)]
    go_on = [not _surely_returns(branch) for branch in branches]
    if all(go_on) or (rest and not any(go_on)):
        raise Refused(choice, "a return that only some ways through a branch reach")
    ends = [
        c_ast.Compound(ended_once([*branch, *(rest if leads else [])], result), choice.coord)
        for branch, leads in zip(branches, go_on, strict=True)
    ]
    return c_ast.If(choice.cond, *ends, choice.coord)


def _surely_returns(statements: Sequence[Any]) -> bool:
    """Whether the last of some statements is a return, or a choice of which both branches are."""
    from pycparser import c_ast

    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, c_ast.Compound):
        return _surely_returns(last.block_items or [])
    if isinstance(last, c_ast.If):
        return all(part is not None and _surely_returns([part]) for part in (last.iftrue, last.iffalse))
    return isinstance(last, c_ast.Return)
