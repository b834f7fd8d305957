"""The Program of a formula with the names of its local variables, for readers of the code alone.

The C uses the formula's names of intermediate values. To find them the formula is run once more, apart from
the Program that is compiled, so that a name cannot change what is computed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from codegen.frontends.formula import lower, lower_loops
from codegen.ir.expression import Expr
from codegen.ir.loops import Looped
from codegen.ir.operations import LEAVES
from codegen.ir.program import Arg, Program
from codegen.modeling.types.scalar import named_leaves


def named(inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any]) -> Program:
    """The formula's Program, each value under the name of the outermost local variable that holds it."""
    return lower(inputs, outputs, _observed(formula), checks=True)


def named_loops(
    inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any], checks: bool
) -> Looped | None:
    """The parts of a formula with loops, with names as `named` gives them; None where it has no loop."""
    return lower_loops(inputs, outputs, _observed(formula), checks)


def _observed(formula: Callable[..., Any]) -> Callable[..., Any]:
    """The formula, whose values get the names of local variables."""

    def observed(*values: Any) -> Any:
        with local_variables(formula) as found:
            results = formula(*values)
        for variable, value in found:
            _name(variable, value)
        return results

    return observed


def _name(variable: str, value: Any) -> None:
    for label, leaf in named_leaves(variable, value):
        if isinstance(leaf, Expr) and leaf.op not in LEAVES and leaf.label is None:
            leaf.label = label


@contextmanager
def local_variables(formula: Callable[..., Any]) -> Iterator[list[tuple[str, Any]]]:
    """Collect the names and values of the local variables of a formula and of the functions that it calls.

    Once the formula has run, those of the outermost functions are first.
    """
    found: list[tuple[int, str, Any]] = []
    outermost_first: list[tuple[str, Any]] = []
    before = sys.getprofile()

    def returned(frame: FrameType, event: str, _: Any) -> None:
        if event == "return" and _is_mathematics(frame, formula):
            depth, variables = _depth(frame), frame.f_locals
            found.extend((depth, n, variables[n]) for n in _own(frame.f_code) if n in variables)

    sys.setprofile(returned)
    try:
        yield outermost_first
    finally:
        _restore(before)
    outermost_first += ((name, value) for _, name, value in sorted(found, key=lambda item: item[0]))


def _restore(profiler: Any) -> None:
    """Let a profiler go on; that of cProfile is no function, and only its own method sets it."""
    if profiler is None or callable(profiler):
        sys.setprofile(profiler)
    else:
        sys.setprofile(None)
        profiler.enable()


def _is_mathematics(frame: FrameType, formula: Callable[..., Any]) -> bool:
    """Whether a function is the formula, one beside it, or one of the library's subjects."""
    module = frame.f_globals.get("__name__", "")
    own = module == formula.__module__ or module.startswith("codegen.library.")
    return own and not frame.f_code.co_name.startswith("<")


def _own(code: CodeType) -> list[str]:
    """The variables that a function assigns, without its parameters."""
    given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return [n for n in dict.fromkeys((*code.co_varnames, *code.co_cellvars)) if n not in given]


def _depth(frame: FrameType) -> int:
    depth, caller = 0, frame.f_back
    while caller is not None:
        depth, caller = depth + 1, caller.f_back
    return depth
