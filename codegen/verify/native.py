"""Compiles a generated tree into a shared library and calls its functions on NumPy arrays."""

from __future__ import annotations

import ctypes
import json
import keyword
import math
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from codegen.errors import FeatherError

STRICT = [
    "-std=c99",
    "-pedantic-errors",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wconversion",
    "-Wdouble-promotion",
    "-Wfloat-conversion",
    "-Wfloat-equal",
    "-Wmissing-prototypes",
    "-Wshadow",
    "-Wundef",
    "-Wcast-qual",
    "-Wstrict-prototypes",
]
"""Flags that generated C passes without a warning."""

PLAIN = ["-std=c99", "-O2", "-ffp-contract=off"]
"""Flags under which results are bit-identical on every IEEE 754 machine, except for libm calls."""


def compilers() -> list[str]:
    """The available C compilers: $CC if it is set, else those of gcc and clang that are installed."""
    chosen = os.environ.get("CC")
    found = [_located(c) for c in ([chosen] if chosen else ["gcc", "clang", "cc"])]
    present = [c for c in found if c]
    if not present:
        wanted = f"the compiler {chosen!r} of $CC" if chosen else "no C compiler"
        raise FeatherError(
            f"{wanted + ' is not' if chosen else wanted} found: install gcc or clang, or set CC"
        )
    named_cc = [c for c in present if os.path.basename(c) == "cc"]
    return [c for c in present if c not in named_cc] or named_cc


def _located(command: str) -> str | None:
    """The command with the path of its program; $CC may contain a launcher and options, too."""
    try:
        program, *rest = shlex.split(command)
    except ValueError:
        return None
    path = shutil.which(program)
    return shlex.join([path, *rest]) if path else None


def run_compiler(command: Sequence[str], seconds: int | None = None) -> None:
    """Run a compiler; FeatherError with its first complaint when it fails.

    It also fails where it takes more than so many seconds of the processor, on POSIX.
    """
    limited = ["sh", "-c", f'ulimit -t {seconds}; exec "$@"', "sh"] if seconds and os.name == "posix" else []
    try:
        done = subprocess.run(
            [*limited, *command], capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        raise FeatherError(f"cannot run {command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        complaints = [line for line in done.stderr.splitlines() if "error" in line]
        first = (complaints or done.stderr.splitlines() or [f"exit code {done.returncode}"])[0]
        raise FeatherError(f"{os.path.basename(command[0])} rejects the generated C: {first}")


def read_manifest(directory: Path) -> dict[str, Any]:
    """The manifest of a generated tree; FeatherError when there is none or it is damaged."""
    path = directory / "manifest.json"
    try:
        return parse_manifest(path.read_bytes(), path)
    except FileNotFoundError:
        raise FeatherError(
            f"{directory} holds no manifest.json: generate into it first (featherc generate -o)"
        ) from None
    except OSError as error:
        raise FeatherError(f"{path} cannot be read ({error}): generate the tree again") from None


def parse_manifest(text: bytes | str, path: object) -> dict[str, Any]:
    """The manifest that this text at `path` is; FeatherError when it is damaged."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FeatherError(f"{path} cannot be read ({error}): generate the tree again") from None
    if isinstance(content, dict) and content.get("incomplete"):
        raise FeatherError(f"{path} is incomplete, a run was interrupted: generate the tree again")
    problem = _unlike(content, _FORM, "the manifest")
    problem = problem or _unknown_extent(content["functions"])
    if problem or content["schema"] != 1:
        raise FeatherError(f"{path}: {problem or 'its schema is not 1'}; generate the tree again")
    return content  # type: ignore[no-any-return]


_FORM: Any = {
    "schema": int,
    "prefix": str,
    "layout": str,
    "interface": str,
    "checks": bool,
    "files": [{"path": str, "sha256": str}],
    "types": [{"name": str, "scalars": int}],
    "functions": [
        {
            "symbol": str,
            "kernel": str,
            "precision": str,
            "header": str,
            "source": str,
            "returns": str,
            "arguments": [{"name": str, "direction": str, "type": str, "pass": str, "shape": list}],
        }
    ],
}
"""The fields of a manifest that featherc reads."""


def _unknown_extent(functions: Sequence[Mapping[str, Any]]) -> str:
    """A message if an array's extent is neither a number nor an int argument of the function, else empty."""
    for f in functions:
        counts = [a["name"] for a in f["arguments"] if a["type"] == "int"]
        extents = [extent for a in f["arguments"] for extent in a["shape"]]
        if any(type(extent) is not int and extent not in counts for extent in extents):
            return "'shape' is damaged"
    return ""


def _unlike(content: Any, form: Any, where: str) -> str:
    """A message for the first difference of JSON from a form (types, keys, lists), else empty."""
    kind: Any = form if isinstance(form, type) else type(form)
    if not isinstance(content, kind):
        return f"{where} is damaged"
    if isinstance(form, list):
        parts = [(item, form[0], where) for item in content]
    elif isinstance(form, dict):
        missing = [key for key in form if key not in content]
        if missing:
            return f"{where} lacks {missing[0]!r}"
        parts = [(content[key], below, repr(key)) for key, below in form.items()]
    else:
        parts = []
    return next(filter(None, (_unlike(*part) for part in parts)), "")


_SCALARS: Mapping[str, Any] = {"double": ctypes.c_double, "float": ctypes.c_float, "int": ctypes.c_int}


class Prototype:
    """A compiled function: takes arrays or numbers, returns a named tuple of its outputs.

    A structure is a flat array of its scalars in the order of its fields. A function that can fail has
    `status` as its last output.
    """

    def __init__(self, pointer: Any, description: Mapping[str, Any], types: Mapping[str, int]) -> None:
        self.description = description
        self.symbol: str = description["symbol"]
        self.arguments: list[Mapping[str, Any]] = description["arguments"]
        self.dtype: Any = np.float64 if description["precision"] == "f64" else np.float32
        self.fails: bool = description["returns"] == "status"
        self._types = types
        outputs = [a["name"] for a in self.arguments if a["direction"] != "in"]
        outputs = [name + "_" * keyword.iskeyword(name) for name in outputs]
        names = [*outputs, "status"] if self.fails else outputs
        self._result: Any = namedtuple("Result", names, rename=True)  # type: ignore[misc]
        self._pointer = pointer
        pointer.restype = ctypes.c_uint if self.fails else None
        pointer.argtypes = [
            _SCALARS[a["type"]] if a["pass"] == "value" else ctypes.c_void_p for a in self.arguments
        ]

    def __repr__(self) -> str:
        inputs = ", ".join(a["name"] for a in self.arguments if a["direction"] != "out")
        return f"<{self.symbol}({inputs}) -> {', '.join(self._result._fields)}>"

    def __call__(self, *inputs: Any) -> Any:
        """The outputs for these inputs, in the order of the C function."""
        wanted = [a["name"] for a in self.arguments if a["direction"] != "out"]
        if len(inputs) != len(wanted):
            raise TypeError(f"{self.symbol} takes {len(wanted)} arguments: {', '.join(wanted)}")
        given = dict(zip(wanted, inputs, strict=True))
        passed = [self._passed(a, given) for a in self.arguments]
        status = self._pointer(*(p.ctypes.data if isinstance(p, np.ndarray) else p for p in passed))
        outputs = [
            self._shaped(a, p, given)
            for a, p in zip(self.arguments, passed, strict=True)
            if a["direction"] != "in"
        ]
        return self._result(*outputs, status) if self.fails else self._result(*outputs)

    def _passed(self, argument: Mapping[str, Any], given: Mapping[str, Any]) -> Any:
        """The C argument: a number or an array; for an output, an array of zeros."""
        size = math.prod(self._extents(argument, given)) * self._types.get(argument["type"], 1)
        if argument["direction"] == "out":
            return np.zeros(size, self._dtype(argument))
        array = self._input(argument, size, given[argument["name"]])
        return array.copy() if argument["direction"] == "inout" else array

    def _extents(self, argument: Mapping[str, Any], given: Mapping[str, Any]) -> list[int]:
        """The extents of an array argument; a routine's int arguments tell those that it names."""
        return [extent if type(extent) is int else int(given[extent]) for extent in argument["shape"]]

    def _dtype(self, argument: Mapping[str, Any]) -> Any:
        return np.intc if argument["type"] == "int" else self.dtype

    def _input(self, argument: Mapping[str, Any], size: int, value: Any) -> Any:
        what = f"{self.symbol}: {argument['name']}"
        try:
            array = np.asarray(value, dtype=self._dtype(argument), order="C").reshape(-1)
        except (TypeError, ValueError):
            raise TypeError(f"{what} takes numbers, not {value!r}") from None
        if array.size != size:
            raise ValueError(f"{what} takes {size} numbers, not {array.size}")
        return array.item() if argument["pass"] == "value" else array

    def _shaped(self, argument: Mapping[str, Any], array: Any, given: Mapping[str, Any]) -> Any:
        if argument["shape"]:
            scalars = self._types.get(argument["type"])
            extents = self._extents(argument, given)
            return array.reshape([*extents, scalars] if scalars else extents)
        return array[0] if argument["type"] in _SCALARS else array


class Library:
    """A compiled tree: `lib.f64.quat_multiply(p, q).pq`, or `lib["fc_quat_multiply_f64"](p, q)`."""

    def __init__(self, directory: Path, binary: Path) -> None:
        self.manifest = read_manifest(directory)
        loaded = ctypes.CDLL(str(binary))
        types = {t["name"]: t["scalars"] for t in self.manifest["types"]}
        described = {d["symbol"]: d for d in self.manifest["functions"]}
        missing = [symbol for symbol in described if not hasattr(loaded, symbol)]
        if missing:
            raise FeatherError(f"{directory} has no function {missing[0]}: generate the tree again")
        self.functions = {s: Prototype(getattr(loaded, s), d, types) for s, d in described.items()}
        self.f64 = self._precision("f64")
        self.f32 = self._precision("f32")

    def _precision(self, name: str) -> SimpleNamespace:
        members = [f for f in self.functions.values() if f.description["precision"] == name]
        return SimpleNamespace(**{f.description["kernel"]: f for f in members})

    def __getitem__(self, symbol: str) -> Prototype:
        return self.functions[symbol]


def build(directory: Path, target: Path, compiler: str | None = None, flags: Sequence[str] = PLAIN) -> Path:
    """Compile a generated tree into a shared library at `target`."""
    manifest = read_manifest(directory)
    sources = sorted({str(directory / f["source"]) for f in manifest["functions"]})
    command = [*shlex.split(compiler or compilers()[0]), *flags, "-shared", "-fPIC", f"-I{directory}"]
    if sources and not sources[0].endswith(".c"):
        unit = target.with_suffix(".c")  # makes the inline functions visible
        command.append("-Wno-missing-prototypes")
        headers = sorted({f["header"] for f in manifest["functions"]})
        includes = "".join(f'#include "{h}"\n' for h in headers)
        unit.write_text(f"#include <math.h>\n#define static\n#define inline\n{includes}")
        sources = [str(unit)]
    run_compiler([*command, *sources, "-o", str(target), "-lm"])
    return target


def load(directory: str | Path) -> Library:
    """Compile a generated tree and return its functions as callables over NumPy arrays.

    FeatherError when the directory holds no generated tree or there is no C compiler.
    """
    tree = Path(directory)
    suffix = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        return Library(tree, build(tree, Path(scratch) / f"library{suffix}"))
