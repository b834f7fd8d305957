"""A user's model file: a Python file whose kernels are generated like the library's."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from dataclasses import replace
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from codegen.errors import FeatherError
from codegen.library import MODULES
from codegen.modeling.kernel import Kernel
from codegen.modeling.names import check_name


class _Fresh(SourceFileLoader):
    """Compiles the text as it is: Python's cache would miss an edit of the same length in the same second."""

    def get_code(self, fullname: str) -> CodeType:
        """The file's code."""
        return self.source_to_code(self.get_data(self.path), self.path)


def load_model(path: Path) -> dict[str, Kernel]:
    """The kernels of a model file, in the order of the file; their module is the file's name.

    The file is a program and is run: only load one that you trust. FeatherError, with the line, when it
    cannot be run or defines no kernel.
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
        spec.loader = _Fresh(spec.name, str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except FeatherError as error:
        raise FeatherError(f"{path}{_line(error, path)}: {error}") from None
    except SyntaxError as error:
        raise FeatherError(f"{path}:{error.lineno or 1}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        raise FeatherError(f"{path}{_line(error, path)}: {type(error).__name__}: {error}") from None
    named: dict[str, Kernel] = {}
    for kernel in _own_kernels(module):
        if kernel.name in named:
            raise FeatherError(f"{path} defines two kernels called {kernel.name}: rename one")
        named[kernel.name] = replace(kernel, module=name)
        _try_lowering(kernel, path)
    if not named:
        raise FeatherError(f"{path} defines no kernel: decorate a function with @kernel")
    return named


def _own_kernels(module: ModuleType) -> list[Kernel]:
    """The kernels of a module, each once, less the formulas that it imports from elsewhere."""
    kernels = dict.fromkeys(value for value in vars(module).values() if isinstance(value, Kernel))
    return [k for k in kernels if k.formula is None or k.module == module.__name__]


def _try_lowering(kernel: Kernel, path: Path) -> None:
    """Trace the kernel once, so that a mistake in a formula is reported with its line."""
    try:
        kernel.program()
    except FeatherError as error:
        raise FeatherError(f"{path}: {error}") from None
    except Exception as error:
        where = _line(error, path)
        raise FeatherError(f"{path}{where}: kernel {kernel.name}: {type(error).__name__}: {error}") from None


def _line(error: BaseException, path: Path) -> str:
    """`:12` of the last line of the model file that the error passed through."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f.lineno for f in frames if Path(f.filename).resolve() == path.resolve()]
    return f":{lines[-1]}" if lines else ""
