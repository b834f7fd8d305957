"""Rewrites C so that its effects stand in statements of their own: commas, and steps within expressions.

`x = (a = 1, a + b);` becomes `a = 1; x = a + b;`, `if (a = b)` becomes `a = b; if (a)`, and `*to++ = y;`
becomes `*to = y; to += 1;`. `while (n-- > 0) {...}` becomes `while (n > 0) { n -= 1; ...} n -= 1;`. What C
leaves open, or does only on some ways, stays as it is: readers refuse it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from codegen.review.diff.text.trees import breaks, kinds_of, nodes_of

STEPS = {"++": "+", "p++": "+", "--": "-", "p--": "-"}
"""The operators that change a variable by one, each with the operation that does it."""


def in_sequence(function: Any, addressed: Collection[str]) -> None:
    """Rewrite the body of a function; `addressed` are the names to whose variables pointers may point."""
    body = _Sequences(addressed).of(function.body)
    function.body.block_items = body[0].block_items


class _Sequences:
    """Rewrites statements of one function."""

    def __init__(self, addressed: Collection[str]) -> None:
        self.addressed = addressed

    def of(self, statement: Any) -> list[Any]:
        """The statements that do the same as a statement, one after the other."""
        from pycparser import c_ast

        for name in ("iftrue", "iffalse", "stmt"):
            if getattr(statement, name, None) is not None:
                setattr(statement, name, self._one(getattr(statement, name)))
        for name in ("block_items", "stmts"):
            if getattr(statement, name, None):
                setattr(statement, name, [s for below in getattr(statement, name) for s in self.of(below)])
        if isinstance(statement, c_ast.For) and any(map(_steps_within, _parts(statement.next))):
            statement.next = self._one(statement.next)
        if isinstance(statement, c_ast.ExprList):
            return [s for part in statement.exprs for s in self.of(part)]
        if isinstance(statement, c_ast.For | c_ast.While) and (step := self._counted(statement.cond)):
            return self._with_step(statement, step)
        before = [s for part in self._separated(statement) for s in self.of(part)]
        inner = [s for part in self._assigned_within(statement) for s in self.of(part)]
        return [*before, *inner, *self._stepped(statement)]

    def _one(self, statement: Any) -> Any:
        from pycparser import c_ast

        found = self.of(statement)
        return found[0] if len(found) == 1 else c_ast.Compound(found, statement.coord)

    # Commas

    def _separated(self, statement: Any) -> list[Any]:
        """Take from a statement what is done before its value is known."""
        from pycparser import c_ast

        name = _VALUES.get(type(statement).__name__, "")
        value: Any = getattr(statement, name, None)
        target = statement if isinstance(statement, c_ast.Decl) else getattr(statement, "lvalue", None)
        if isinstance(value, c_ast.ExprList):
            *first, last = value.exprs
        elif self._is_of_variable(value) and not isinstance(statement, c_ast.Assignment):
            first, last = [value], value.lvalue
        else:
            return []
        is_apart = target is None or self._is_apart(target, first, getattr(statement, "op", "="))
        if not is_apart or getattr(statement, "storage", None):
            return []
        setattr(statement, name, last)
        return [*first, *self._separated(statement)]

    def _is_of_variable(self, value: Any) -> bool:
        """Whether a value is that of an assignment to a variable to which no pointer points."""
        target: Any = getattr(value, "lvalue", None)
        return type(target).__name__ == "ID" and target.name not in self.addressed

    def _is_apart(self, target: Any, first: Collection[Any], op: str) -> bool:
        """Whether what is done first changes nothing that tells where, or to what, a value is stored."""
        names = {node.name for node in _all(target) if type(node).__name__ in _NAMES}
        if not any(map(_has_effects, first)):
            return type(target).__name__ != "Decl" or target.name not in _named(*first)
        is_settled = type(target).__name__ in _NAMES if op != "=" else _is_settled(target)
        return is_settled and names.isdisjoint({*_named(*first), *self.addressed})

    # Conditions of loops

    def _counted(self, condition: Any) -> Any | None:
        """The step of a variable in `n-- > 0`, `--n >= 0` or `n--`; None where a condition is another one."""
        from pycparser import c_ast

        sides = [condition.left, condition.right] if isinstance(condition, c_ast.BinaryOp) else [condition]
        steps = [side for side in sides if isinstance(side, c_ast.UnaryOp) and side.op in STEPS]
        is_one = len(steps) == 1 and isinstance(steps[0].expr, c_ast.ID)
        if not is_one or (len(sides) == 2 and condition.op not in ORDERS):
            return None
        name = steps[0].expr.name
        is_plain = name not in self.addressed and [*_named(condition)].count(name) == 1
        return steps[0] if is_plain and all(_is_plain(s) for s in sides if s is not steps[0]) else None

    def _with_step(self, loop: Any, step: Any) -> list[Any]:
        """A loop whose condition has a step, as one that has it elsewhere: behind the test, or before it."""
        from pycparser import c_ast

        def done() -> Any:
            one = c_ast.Constant("int", "1", step.coord)
            name = c_ast.ID(step.expr.name, step.coord)
            return c_ast.Assignment(f"{STEPS[step.op]}=", name, one, step.coord)

        is_behind, where, init = step.op[0] == "p", loop.coord, getattr(loop, "init", None)
        if is_behind and _leaves(loop.stmt):
            over = c_ast.UnaryOp("!", _without(loop.cond, [step]), where)
            ended = c_ast.If(over, c_ast.Compound([done(), c_ast.Break(where)], where), None, where)
            turn = c_ast.Compound([ended, done(), loop.stmt], where)
            return [c_ast.For(init, None, getattr(loop, "next", None), turn, where)]
        test, steps = _without(loop.cond, [step]), [*_parts(getattr(loop, "next", None))]
        body = c_ast.Compound([done(), loop.stmt], where) if is_behind else loop.stmt
        steps += [] if is_behind else [done()]
        following = c_ast.ExprList(steps, where) if len(steps) > 1 else (steps or [None])[0]
        again = c_ast.For(None, test, following, body, where)
        first = list(init.decls) if isinstance(init, c_ast.DeclList) else _parts(init)
        is_over = any(_is_own_unsigned(part, step.expr.name) for part in first)
        around = [again, done()] if is_behind and not is_over else [again] if is_behind else [done(), again]
        return [c_ast.Compound([*first, *around], where)]

    # Assignments

    def _assigned_within(self, statement: Any) -> list[Any]:
        """Take from a statement the assignments to variables that it does on every way, once each.

        No variable that is assigned or stepped within the statement may stand in it a second time, so that
        C leaves open when it changes, and it does not matter.
        """
        name = _VALUES.get(type(statement).__name__, "")
        value: Any = getattr(statement, name, None)
        done = [] if value is None or getattr(statement, "storage", None) else _certain(value)
        if not done:
            return []
        within = [node for node in nodes_of(value) if _is_effect(node)]
        targets = [node.expr if _is_step(node) else node.lvalue for node in within]
        names = [target.name for target in targets if type(target).__name__ == "ID"]
        named = [*_named(value if type(statement).__name__ in ("If", "Switch") else statement)]
        is_apart = len(names) == len(within) and {*names}.isdisjoint(self.addressed)
        if not is_apart or any(named.count(n) > 1 for n in names):
            return []
        setattr(statement, name, _with_variables(value, done))
        return done

    # Steps

    def _stepped(self, statement: Any) -> list[Any]:
        """A statement, with the steps in it before and behind it."""
        from pycparser import c_ast

        simple = (c_ast.Assignment, c_ast.Decl, c_ast.FuncCall, c_ast.Cast)
        is_simple = isinstance(statement, simple) and not getattr(statement, "storage", None)
        steps = _steps(statement) if is_simple else []
        names = [s.expr.name for s in steps if isinstance(s.expr, c_ast.ID)]
        is_plain = 0 < len(names) == len(steps) and not {*names} & {*self.addressed}
        if not is_plain or _is_doubtful(statement):
            return [statement]
        named = [*_named(statement)]
        if any(named.count(name) > 1 for name in names):
            return [statement]
        before, behind = list[Any](), list[Any]()
        for step in steps:
            one = c_ast.Constant("int", "1")
            done = c_ast.Assignment(f"{STEPS[step.op]}=", step.expr, one, step.coord)
            (behind if step.op[0] == "p" else before).append(done)
        return [*before, _without(statement, steps), *behind]


_VALUES = {"Assignment": "rvalue", "Decl": "init", "If": "cond", "Return": "expr", "Switch": "cond"}
"""Where statements have a value before all else that they do."""
_NAMES = ("ID", "Decl")
_SOMETIMES = {"TernaryOp": ("iftrue", "iffalse"), "BinaryOp": ("right",)}
"""The parts of an expression that are only evaluated on some ways; of a BinaryOp, behind && and ||."""
_EFFECTS = ("Assignment", "FuncCall")
_UNSIGNED = frozenset(["unsigned", "size_t", "uint8_t", "uint16_t", "uint32_t"])
ORDERS = ("<", "<=", ">", ">=", "==", "!=")
"""The operators that compare."""


def _all(node: Any) -> Iterator[Any]:
    """A node and all below it, apart from the value of a declaration."""
    yield node
    for name, below in node.children():
        if name != "init":
            yield from _all(below)


def _named(*nodes: Any) -> Iterator[str]:
    """The names of variables in statements, each as often as it stands there."""
    for node in nodes:
        if type(node).__name__ in _NAMES:
            yield node.name
        yield from _named(*(below for _, below in node.children()))


def _has_effects(node: Any) -> bool:
    """Whether an expression may change anything."""
    is_effect = type(node).__name__ in _EFFECTS or _is_step(node)
    return is_effect or any(_has_effects(below) for _, below in node.children())


def _is_effect(node: Any) -> bool:
    return type(node).__name__ == "Assignment" or _is_step(node)


def _certain(node: Any) -> list[Any]:
    """The outermost assignments in an expression that are done whenever it is evaluated."""
    kind = type(node).__name__
    if kind == "Assignment":
        return [node]
    if kind == "FuncCall":
        return [found for part in _parts(node.args) for found in _certain(part)]
    if kind == "ExprList" or (kind == "UnaryOp" and node.op == "sizeof"):
        return []
    is_plain = kind == "BinaryOp" and node.op not in ("&&", "||")
    left_out = () if is_plain else _SOMETIMES.get(kind, ())
    return [found for name, below in node.children() if name not in left_out for found in _certain(below)]


def _with_variables(node: Any, done: Collection[Any]) -> Any:
    """An expression with variables in place of the assignments to them."""
    if any(node is assignment for assignment in done):
        return node.lvalue
    return _replaced(node, lambda below: _with_variables(below, done))


def _replaced(node: Any, change: Callable[[Any], Any]) -> Any:
    """The node with each of the nodes below it changed."""
    for name in node.__slots__:
        below = getattr(node, name, None)
        if isinstance(below, list):
            setattr(node, name, [change(b) if hasattr(b, "children") else b for b in below])
        elif hasattr(below, "children"):
            setattr(node, name, change(below))
    return node


def _is_settled(target: Any) -> bool:
    """Whether a place depends on variables alone, and on nothing in memory."""
    from pycparser import c_ast

    if isinstance(target, c_ast.StructRef):
        return _is_settled(target.name)
    if isinstance(target, c_ast.ArrayRef):
        return _is_settled(target.name) and _is_plain(target.subscript)
    if isinstance(target, c_ast.UnaryOp):
        return target.op == "*" and _is_plain(target.expr)
    return isinstance(target, c_ast.Decl) or _is_plain(target)


def _is_plain(expr: Any) -> bool:
    kinds = {type(node).__name__ for node in _all(expr)}
    return kinds <= {"ID", "Constant", "BinaryOp"}


def _is_step(node: Any) -> bool:
    return type(node).__name__ == "UnaryOp" and node.op in STEPS


def _parts(statement: Any) -> list[Any]:
    """The statements that commas part."""
    return getattr(statement, "exprs", None) or ([] if statement is None else [statement])


def _steps(node: Any) -> list[Any]:
    """The steps in an expression."""
    below = _steps_within(node)
    return [node, *below] if _is_step(node) else below


def _steps_within(node: Any) -> list[Any]:
    return [step for _, part in node.children() for step in _steps(part)]


def _is_doubtful(node: Any) -> bool:
    """Whether a step is only done on some ways, or never, or beside a comma, or stands for a variable."""
    kind, parts = type(node).__name__, [part for _, part in node.children()]
    if kind == "FuncCall":
        return any(map(_is_doubtful, _parts(node.args)))
    is_never = kind == "UnaryOp" and node.op == "sizeof"
    if (kind in ("TernaryOp", "ExprList") or is_never) and any(map(_steps, parts)):
        return True
    if kind == "BinaryOp" and node.op in ("&&", "||") and _steps(node.right):
        return True
    of = node.lvalue if kind == "Assignment" else node.expr if kind == "UnaryOp" and node.op == "&" else None
    return (of is not None and _is_step(of)) or any(map(_is_doubtful, parts))


def _is_own_unsigned(declared: Any, name: str) -> bool:
    """Whether a loop declares this variable, whose last step means nothing then: it cannot overflow."""
    kind = getattr(getattr(declared, "type", None), "type", None)
    return getattr(declared, "name", "") == name and not _UNSIGNED.isdisjoint(getattr(kind, "names", ()))


def _leaves(statement: Any) -> bool:
    """Whether a statement may leave the loop around it other than by its condition."""
    return breaks(statement) or not kinds_of(statement).isdisjoint(("Goto", "Label"))


def _without(node: Any, steps: Collection[Any]) -> Any:
    """An expression with variables in place of their steps."""
    if any(node is step for step in steps):
        return node.expr
    return _replaced(node, lambda below: _without(below, steps))
