"""Kernels that a model file defines twice: with two functions of one name, Python keeps only the second."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType
from typing import Any

from codegen.errors import FeatherError
from codegen.frontends.define import kernel
from codegen.modeling.kernel import Kernel
from codegen.systems.blocks import Block, block


def check_functions(path: Path, module: ModuleType) -> None:
    """FeatherError with both lines where a function of the model replaces a kernel or block of its name."""
    lines: dict[str, int] = {}
    for statement in ast.parse(path.read_bytes()).body:
        if not isinstance(statement, ast.FunctionDef):
            continue
        name = statement.name
        if name in lines:
            raise FeatherError(
                f"{path}:{statement.lineno}: this is a second definition of kernel {name}, "
                f"which line {lines[name]} defines: rename one"
            )
        if isinstance(vars(module).get(name), (Kernel, Block)) or _is_kernel(statement, module):
            lines[name] = statement.lineno


def two_of_one_name(path: Path, first: Kernel, second: Kernel) -> str:
    """What is wrong with a model file that has two kernels of one name, with the lines that are known."""
    lines = [f"line {n}" for n in (line_of(first, path), line_of(second, path)) if n]
    where = f" ({', '.join(lines)})" if lines else ""
    return f"{path} defines two kernels called {first.name}{where}: rename one"


def _is_kernel(function: ast.FunctionDef, module: ModuleType) -> bool:
    """Whether featherc's own decorators make a kernel or a block of the function."""
    called = (d.func for d in function.decorator_list if isinstance(d, ast.Call))
    return any(_value(d, module) in (kernel, block) for d in called)


def _value(expression: ast.expr, module: ModuleType) -> Any:
    """The value of `kernel` or `codegen.kernel` in the module; None if it is something else."""
    if isinstance(expression, ast.Attribute):
        return getattr(_value(expression.value, module), expression.attr, None)
    return vars(module).get(expression.id) if isinstance(expression, ast.Name) else None


def line_of(made: Kernel, path: Path) -> int:
    """The line of the kernel's formula in the model file, 0 if it has none there."""
    code = getattr(made.formula, "__code__", None)
    return code.co_firstlineno if code is not None and Path(code.co_filename) == path else 0
