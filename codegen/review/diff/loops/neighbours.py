"""What stands beside a loop of a routine, and statements that no C has, of which its readers make use."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from codegen.review.diff.loops.routine_loops import parts_of
from codegen.review.diff.loops.routines import departs
from codegen.review.diff.text.sequences import STEPS
from codegen.review.diff.text.trees import declared_in, nodes_of


class Tested(NamedTuple):
    """A statement that calculates the condition of what is read as a part of something else."""

    condition: Any

    def children(self) -> list[tuple[str, Any]]:
        """What is below it in a tree."""
        return [("condition", self.condition)]


class Placed(NamedTuple):
    """A statement that gives variables values."""

    values: Mapping[str, int]

    def children(self) -> list[tuple[str, Any]]:
        """What is below it in a tree."""
        return []


class Forgotten(NamedTuple):
    """A statement at a place in the text after which the values of some variables are not known."""

    place: int
    names: Collection[str]

    def children(self) -> list[tuple[str, Any]]:
        """What is below it in a tree."""
        return []


class Begun(NamedTuple):
    """A statement that begins a variable with a value, and leaves memory as it is here."""

    name: str
    type: str
    value: int
    memory: int

    def children(self) -> list[tuple[str, Any]]:
        """What is below it in a tree."""
        return []


Made = Tested | Placed | Forgotten | Begun
"""The statements that no C has."""


class Behind(NamedTuple):
    """What is behind a statement: declarations, assignments, what follows these, and all other statements."""

    declared: Sequence[Any]
    between: Sequence[Any]
    statement: Any
    after: Sequence[Any]


class AsLoop(NamedTuple):
    """A loop, whether it is a turn under a test that is written as one, and what is stepped in this alone."""

    loop: Any
    is_turn: bool = False
    stepped: frozenset[str] = frozenset()


def behind(first: Any, rest: Sequence[Any]) -> Behind | None:
    """What is behind a statement, up to the first loop or `if`; None where anything else is before that.

    Nothing that is declared there has the name of a variable before it: it may be declared before the
    statement, too.
    """
    from pycparser import c_ast

    declared, between = list[Any](), list[Any]()
    for k, statement in enumerate(rest):
        is_plain = isinstance(statement, c_ast.Assignment) and isinstance(statement.lvalue, c_ast.ID)
        if _is_variable(statement) and statement.init is None and not statement.storage:
            if statement.name in names_in([first, *between]):
                return None
            declared.append(statement)
        elif is_plain or isinstance(statement, Made):
            between.append(statement)
        elif isinstance(statement, c_ast.For | c_ast.While | c_ast.If):
            return Behind(declared, between, statement, rest[k + 1 :])
        elif not isinstance(statement, c_ast.EmptyStatement):
            return None
    return None


def is_plain_loop(statement: Any) -> bool:
    """Whether a statement is a loop that tests before each turn, and that only its test ends."""
    from pycparser import c_ast

    is_loop = isinstance(statement, c_ast.For | c_ast.While) and statement.cond is not None
    return is_loop and not departs(statement.stmt)


def may_be_in_a_turn(statement: Any) -> bool:
    """Whether a statement is one behind which the next one follows."""
    from pycparser import c_ast

    kinds = c_ast.Assignment | c_ast.UnaryOp | c_ast.FuncCall | c_ast.Compound | c_ast.If
    loops = c_ast.For | c_ast.While | c_ast.DoWhile
    return _is_variable(statement) or (isinstance(statement, kinds | loops) and not departs(statement))


def _is_variable(statement: Any) -> bool:
    """Whether a statement declares a variable, and not enumerators."""
    return type(statement).__name__ == "Decl" and statement.name is not None


def as_loops(statement: Any, first: Any) -> Iterator[AsLoop]:
    """What is behind a loop as a loop: an `if` is one of a turn, with or without the step of the loop."""
    from pycparser import c_ast

    if is_plain_loop(statement):
        yield AsLoop(statement)
    if not isinstance(statement, c_ast.If) or statement.iffalse is not None or departs(statement):
        return
    where, every = statement.coord, parts_of(getattr(first, "next", None))
    steps = [step for step in map(single_step, every) if step is not None]
    yield AsLoop(c_ast.For(None, statement.cond, None, statement.iftrue, where), True)
    if steps and len(steps) == len(every):
        names = frozenset(step.lvalue.name for step in steps)
        after = c_ast.ExprList(steps, where)
        yield AsLoop(c_ast.For(None, statement.cond, after, statement.iftrue, where), True, names)


def single_step(step: Any) -> Any | None:
    """`i += 1` for `i += 4`; None for others."""
    from pycparser import c_ast

    target = step.expr if isinstance(step, c_ast.UnaryOp) else getattr(step, "lvalue", None)
    op = STEPS.get(step.op) if isinstance(step, c_ast.UnaryOp) else {"+=": "+", "-=": "-"}.get(step.op)
    if not isinstance(target, c_ast.ID) or op is None:
        return None
    return c_ast.Assignment(f"{op}=", target, c_ast.Constant("int", "1"), step.coord)


def without_head(loop: Any) -> Any:
    """A loop without what it begins with."""
    from pycparser import c_ast

    return c_ast.For(None, loop.cond, getattr(loop, "next", None), loop.stmt, loop.coord)


def turn_of(loop: Any) -> list[Any]:
    """The statements of a turn whose test has held."""
    return [block_of([loop.stmt], loop), *parts_of(getattr(loop, "next", None))]


def block_of(statements: Sequence[Any], where: Any) -> Any:
    """Statements as a block."""
    from pycparser import c_ast

    return c_ast.Compound([*statements], where.coord)


def in_scope(statements: Sequence[Any], where: Any) -> list[Any]:
    """Statements, in a block of their own where they declare anything."""
    return [block_of(statements, where)] if declared_by(statements) else [*statements]


def declared_by(statements: Sequence[Any]) -> set[str]:
    """The names that statements declare for those that follow them."""
    return {s.name for s in statements if type(s).__name__ == "Decl"}


def names_of(tree: Any) -> set[str]:
    """The names of variables in a tree."""
    return {node.name for node in nodes_of(tree) if type(node).__name__ == "ID"}


def names_and_declared(tree: Any) -> set[str]:
    """The names of variables that a tree uses or declares."""
    return names_of(tree) | declared_in(tree)


def names_in(statements: Sequence[Any]) -> set[str]:
    """The names of variables in statements, as C has them."""
    return set[str]().union(
        *(names_of(s) for s in statements if not isinstance(s, Placed | Forgotten | Begun))
    )


def spelled(tree: Any) -> str:
    """C that says the same as a tree; nothing for none."""
    from pycparser import c_generator

    return "" if tree is None else str(c_generator.CGenerator().visit(tree))
