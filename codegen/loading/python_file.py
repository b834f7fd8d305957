"""A user's model file: a Python file whose kernels are generated like the library's."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Collection, Iterable, Iterator
from dataclasses import FrozenInstanceError, replace
from importlib.machinery import SourceFileLoader
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

from codegen.errors import FeatherError
from codegen.frontends.dimensions import check_units
from codegen.frontends.framed import check_frames
from codegen.frontends.table_kernel import table_kernel
from codegen.ir.composite import Composite
from codegen.ir.numpy_operands import refusal
from codegen.library import MODULES
from codegen.loading.duplicates import check_functions, line_of, two_of_one_name
from codegen.loading.siblings import Fresh, Siblings, importable
from codegen.modeling.equations.textbook import check_shapes
from codegen.modeling.kernel import Kernel
from codegen.modeling.names import check_name
from codegen.modeling.tables.table import Table
from codegen.systems.blocks import Block


def load_model(path: Path, names: Collection[str] = ()) -> dict[str, Kernel]:
    """The kernels of a model file, in the order of the file; their module is the file's name.

    The formulas of the kernels and blocks that are named are tried, without names those of all: a mistake in
    another one is no error.

    The file is a program and is run: only load one that you trust. It may import what is beside it. A
    kernel whose formula is elsewhere is the model's unless another module holds it, too. FeatherError, with
    the line, when the file cannot be run, defines no kernel, or defines a kernel twice.
    """
    if not path.is_file():
        raise FeatherError(f"there is no model file {path}")
    name = check_name(path.stem, "model file")
    if name in MODULES:
        raise FeatherError(f"{path}: the library has a module {name}; give the model file another name")
    spec = importlib.util.spec_from_file_location(f"featherc_model_{name}", path)
    if spec is None or spec.loader is None:
        raise FeatherError(f"{path} is not a Python file: a model file ends in .py")
    if isinstance(spec.loader, SourceFileLoader):
        spec.loader = Fresh(spec.name, str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with importable(path.parent) as siblings:
        try:
            spec.loader.exec_module(module)
        except FeatherError as error:
            raise FeatherError(f"{_place(error, path, siblings)}: {error}") from None
        except SyntaxError as error:
            raise FeatherError(f"{error.filename or path}:{error.lineno or 1}: {error.msg}") from None
        except (Exception, SystemExit) as error:
            place = _place(error, path, siblings)
            raise FeatherError(f"{place}: {_said(error)}") from None
        check_functions(path, module)
        named: dict[str, Kernel] = {}
        for kernel in _own_kernels(module, path):
            if kernel.name in named:
                raise FeatherError(two_of_one_name(path, named[kernel.name], kernel))
            named[kernel.name] = replace(kernel, module=name)
            if not names or kernel.name in names or (kernel.block and kernel.block.name in names):
                _try_lowering(kernel, path, siblings)
    if not named:
        raise FeatherError(f"{path} defines no kernel: decorate a function with @kernel")
    return named


def _own_kernels(module: ModuleType, path: Path) -> list[Kernel]:
    """The kernels that a module holds in its variables, tuples, lists and dicts, each once.

    A kernel whose formula is not in the file, and that another module holds, too, is imported from there and
    does not count; one that a factory of another module has made for this one does.
    """
    found = list(dict.fromkeys(_held(module)))
    if all(line_of(k, path) for k in found):
        return found
    others = [m for m in list(sys.modules.values()) if isinstance(m, ModuleType) and m is not module]
    imported = {id(k) for other in others if _may_hold(other) for k in _held(other)}
    return [k for k in found if line_of(k, path) or id(k) not in imported]


def _held(module: ModuleType) -> Iterator[Kernel]:
    """The kernels among a module's values, of tables and blocks, and in its tuples, lists and dicts."""
    for part in _parts(module):
        if isinstance(part, (Kernel, Table)):
            yield table_kernel(part) if isinstance(part, Table) else part
        elif isinstance(part, Block):
            yield from part.kernels


_DEEPEST = 2
"""Kernels are found in lists of tuples, too, such as the updates of a filter."""


def _parts(module: ModuleType) -> Iterator[Any]:
    """The values of a module's variables, and what its tuples, lists and dicts hold."""
    parts: list[Any] = [value for name, value in list(vars(module).items()) if name != "__builtins__"]
    for _ in range(_DEEPEST):
        parts = list(chain.from_iterable(map(_inside, parts)))
    yield from parts


def _inside(value: Any) -> Iterable[Any]:
    """What a tuple, list or dict holds; any other value alone."""
    if type(value) is dict:
        return list(value.values())
    return value if type(value) in (tuple, list) else (value,)


def _may_hold(module: ModuleType) -> bool:
    """Whether `_held` finds anything, from the types alone: of thousands of modules few hold a kernel."""
    kinds = set(map(type, _parts(module)))
    return any(issubclass(kind, (Kernel, Table, Block)) for kind in kinds)


def _try_lowering(kernel: Kernel, path: Path, siblings: Siblings) -> None:
    """Lower the kernel, check units, frames and equation, so that a mistake is reported with its line."""
    try:
        for checks in (True, False):
            kernel.program(checks)
        check_units(kernel)
        check_frames(kernel)
        check_shapes(kernel)
    except FeatherError as error:
        raise FeatherError(f"{_place(error, path, siblings, kernel)}: {error}") from None
    except Exception as error:
        place = _place(error, path, siblings, kernel)
        raise FeatherError(f"{place}: kernel {kernel.name}: {_said(error)}") from None


def _said(error: BaseException) -> str:
    """What Python says of an error, or what to write in place of what NumPy or a value has refused."""
    if isinstance(error, FrozenInstanceError):
        return f"{error}: a value does not change; {Composite.anew}"
    return refusal(error) or f"{type(error).__name__}: {error}"


def _place(error: BaseException, path: Path, siblings: Siblings, kernel: Kernel | None = None) -> str:
    """`mine.py:12`: the last line, of the model or of a module beside it, that the error passed through.

    Where it passed none, as the error is of a result, the line where the kernel's formula begins.
    """
    own = {path.resolve(): path} | {file.resolve(): file for file in siblings.files}
    frames = traceback.extract_tb(error.__traceback__)
    lines = [(own[Path(f.filename).resolve()], f.lineno) for f in frames if Path(f.filename).resolve() in own]
    begun = line_of(kernel, path) if kernel else 0
    lines = lines or ([(path, begun)] if begun else [])
    return "{}:{}".format(*lines[-1]) if lines else str(path)
