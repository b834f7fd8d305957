"""The functions of a compiled tree, called on numbers and NumPy arrays."""

from __future__ import annotations

import ctypes
import keyword
import math
from collections import namedtuple
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from inspect import Parameter, Signature
from typing import Any

import numpy as np

from codegen.ir.ranges import in_words
from codegen.verify.loops import can_loop, loop_name
from codegen.verify.structures import Structure, named

_SCALARS: Mapping[str, Any] = {"double": ctypes.c_double, "float": ctypes.c_float, "int": ctypes.c_int}


class Argument:
    """An argument of a compiled function, as the manifest describes it."""

    def __init__(self, description: Mapping[str, Any], dtype: Any, structure: Structure | None) -> None:
        self.label: str = description["name"]
        self.name = self.label + "_" * keyword.iskeyword(self.label)
        self.given: bool = description["direction"] != "out"
        self.returned: bool = description["direction"] != "in"
        self.optional: bool = description.get("optional", False)
        self.by_value: bool = description["pass"] == "value"
        self.structure = structure
        """What it is, or its elements are; None where these are numbers."""
        self.dtype = np.dtype(np.intc) if description["type"] == "int" else dtype
        self.ctype = _SCALARS[description["type"]] if self.by_value else ctypes.c_void_p
        self.description = description
        self._shape: Sequence[int | str] = description["shape"]
        self._fixed = None if any(type(n) is str for n in self._shape) else self._extents({})

    def extents(self, given: Mapping[str, Any]) -> tuple[int, ...]:
        """The extents of a value: those of its array, where an int argument of the same call has those that
        are names, then the number of scalars of a structure.
        """
        return self._extents(given) if self._fixed is None else self._fixed

    def _extents(self, given: Mapping[str, Any]) -> tuple[int, ...]:
        own = (n if type(n) is int else int(given[str(n)]) for n in self._shape)
        return (*own, self.structure.scalars) if self.structure else tuple(own)

    @property
    def range(self) -> str:
        """The declared range as text, as the header has it: `-3.2 to 3.2`."""
        own = self.structure.names() if self.structure else map("[{}]".format, range(self.elements))
        names, pairs = [*own], self.description["range"]
        each = pairs if isinstance(pairs[0], list) else [pairs] * len(names)
        return in_words([(Fraction(repr(low)), Fraction(repr(high))) for low, high in each], names)

    @property
    def elements(self) -> int:
        """How many elements of its C type the argument of one call has."""
        return math.prod(int(n) for n in self._shape)

    def numbers(self, value: Any, symbol: str) -> Any:
        """A value as an array in C order. TypeError where it holds anything else than real numbers."""
        given = self.structure.array(value, f"{symbol}: {self.label}") if self.structure else value
        try:
            array = np.asarray(given)
            if array.dtype.kind == "O":
                array = np.array([float(x) for x in array.ravel()]).reshape(array.shape)
            elif array.dtype.kind not in "biuf":
                raise TypeError
            return np.asarray(array, dtype=self.dtype, order="C")
        except (TypeError, ValueError):
            raise TypeError(f"{symbol}: {self.label} takes numbers, not {value!r}") from None

    def check_order(self, shape: Sequence[int], extents: Sequence[int], symbol: str) -> None:
        """ValueError where an array of this shape has its numbers in another order than the extents.

        A square matrix, as a rotation is, may stand for its numbers in a row.
        """
        if len(shape) < 2 or shape == extents:
            return
        own, wanted = ([n for n in lengths if n != 1] for lengths in (shape, extents))
        *outer, last = own or [1]
        in_a_row = [*outer[:-1], last * last] if outer[-1:] == [last] else own
        if len(own) > 1 and wanted not in (own, in_a_row):
            raise ValueError(
                f"{symbol}: {self.label} takes {_times(extents)} numbers, not {_times(shape)}; flatten "
                "them if their order is right"
            )

    def result(self, array: Any) -> Any:
        """An output: an array, that of a structure with names, or a number; None where it was skipped."""
        if array is None:
            return None
        if self.structure:
            return named(array, self.structure)
        return array if array.shape else array[()]

    def column(self, value: Any, symbol: str) -> tuple[Any, int | None]:
        """A value of a batch as an array, and its number of rows; None if it is one value for all calls."""
        extents = self.extents({})
        size = math.prod(extents)
        array = self.numbers(value, symbol)
        if array.ndim > len(extents) and array.size == size * len(array):
            self.check_order(array.shape[1:], extents, symbol)
            return array, len(array)
        if array.size == size:
            self.check_order(array.shape, extents, symbol)
            return array, None
        raise ValueError(
            f"{symbol}: {self.label} takes {size} numbers for each call, not an array of shape {array.shape}"
        )


class Compiled:
    """A compiled function: takes numbers or arrays, returns a named tuple of its outputs.

    A structure is a flat array of its scalars in the order of its fields; `out.T_AC["p"]` is a member of a
    result. As an input it may also be a dictionary or named tuple of its members, and so may members that
    are structures. A function that can fail has `status` as its last output. An argument whose name is a
    keyword of Python, such as lambda, is lambda_.
    """

    def __init__(self, library: Any, description: Mapping[str, Any], types: Mapping[str, Structure]) -> None:
        self.description = description
        self.symbol: str = description["symbol"]
        self.dtype: Any = np.dtype(np.float64 if description["precision"] == "f64" else np.float32)
        self.fails: bool = description["returns"] == "status"
        self.arguments = [Argument(a, self.dtype, types.get(a["type"])) for a in description["arguments"]]
        self.inputs = [a for a in self.arguments if a.given]
        outputs = [a.name for a in self.arguments if a.returned] + ["status"] * self.fails
        self._result: Any = namedtuple("Result", outputs, rename=True)  # type: ignore[misc]
        self._library = library
        self.pointer = getattr(library, self.symbol)
        self.pointer.restype = ctypes.c_uint if self.fails else None
        self.pointer.argtypes = [a.ctype for a in self.arguments]
        self.__name__ = self.symbol
        self.__doc__ = "\n".join(_documentation(self))
        self.__signature__ = Signature(
            [Parameter(a.name, Parameter.POSITIONAL_OR_KEYWORD) for a in self.inputs]
        )

    def __repr__(self) -> str:
        inputs = ", ".join(a.name for a in self.inputs)
        return f"<{self.symbol}({inputs}) -> {', '.join(self._result._fields)}>"

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """The outputs for these inputs, which are given in the order of the C function or by name."""
        return self._called(self._given(inputs, named), ())

    def without(self, skipped: Collection[str], *inputs: Any, **named: Any) -> Any:
        """The outputs, with None for those that are skipped by a null pointer, which must be optional."""
        for name in skipped:
            if name not in {a.label for a in self.arguments if a.optional}:
                raise ValueError(f"{self.symbol} has no optional result {name}")
        return self._called(self._given(inputs, named), skipped)

    def _called(self, given: Mapping[str, Any], skipped: Collection[str]) -> Any:
        """The outputs of one call."""
        values = [None if a.label in skipped else self._value(a, given) for a in self.arguments]
        status = self.pointer(
            *(_passed(v, a.by_value) for a, v in zip(self.arguments, values, strict=True))
        )  # the values are alive until the call is over
        outputs = [a.result(v) for a, v in zip(self.arguments, values, strict=True) if a.returned]
        return self._result(*outputs, status) if self.fails else self._result(*outputs)

    def batch(self, *inputs: Any, **named: Any) -> Any:
        """The outputs of one call for each row of the inputs; the loop over the calls runs in C.

        An input has a leading axis with one row for each call, or is one value for all calls. All outputs
        have the leading axis, and so has `status`. ValueError where the numbers of rows differ, TypeError
        for a function with arrays whose sizes are arguments.
        """
        if not can_loop(self.description):
            raise TypeError(f"{self.symbol} has arrays of any size: call it once for each problem")
        given = self._given(inputs, named)
        columns = {a.label: a.column(given[a.label], self.symbol) for a in self.inputs}
        rows = {label: n for label, (_, n) in columns.items() if n is not None}
        if len(set(rows.values())) != 1:
            counts = ", ".join(f"{label} {n}" for label, n in rows.items())
            raise ValueError(
                f"{self.symbol}: the inputs of a batch have one number of rows, not {counts or 'none'}"
            )
        return self._looped(next(iter(rows.values())), columns)

    def _looped(self, calls: int, columns: Mapping[str, tuple[Any, int | None]]) -> Any:
        """The outputs of so many calls, for arrays of inputs, each with its number of rows if it has any."""
        values = {
            a.label: columns[a.label][0] if a.given else np.zeros((calls, *a.extents({})), a.dtype)
            for a in self.arguments
        }
        statuses = [np.zeros(calls, np.uintc)] * self.fails
        loop = getattr(self._library, loop_name(self.symbol))
        loop.restype = None
        loop(
            ctypes.c_size_t(calls),
            *(ctypes.c_void_p(_address(v)) for v in values.values()),
            *(ctypes.c_size_t(0 if columns[a.label][1] is None else a.elements) for a in self.inputs),
            *(ctypes.c_void_p(_address(v)) for v in statuses),
        )
        outputs = [a.result(values[a.label]) for a in self.arguments if a.returned]
        return self._result(*outputs, *statuses)

    def _given(self, inputs: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        """The inputs by their labels. TypeError where one is missing, unknown or given twice."""
        if not named and len(inputs) == len(self.inputs):
            return {a.label: x for a, x in zip(self.inputs, inputs, strict=True)}
        try:
            bound = self.__signature__.bind(*inputs, **named).arguments
        except TypeError:
            names = [a.name for a in self.inputs]
            wrong = {
                "has no": [n for n in named if n not in names],
                "has twice": [n for n in names[: len(inputs)] if n in named],
                "is not given": [n for n in names[len(inputs) :] if n not in named],
            }
            said = "".join(f", but {what} {', '.join(which)}" for what, which in wrong.items() if which)
            raise TypeError(f"{self.symbol} takes {len(names)} arguments: {', '.join(names)}{said}") from None
        return {a.label: bound[a.name] for a in self.inputs}

    def _value(self, argument: Argument, given: Mapping[str, Any]) -> Any:
        """The array that a call reads or writes; an output is zeros, an input that is written a copy."""
        extents = argument.extents(given)
        if not argument.given:
            return np.zeros(extents, argument.dtype)
        array = argument.numbers(given[argument.label], self.symbol)
        if array.size != math.prod(extents):
            raise ValueError(
                f"{self.symbol}: {argument.label} takes {math.prod(extents)} numbers, not {array.size}"
            )
        argument.check_order(array.shape, extents, self.symbol)
        return array.reshape(extents).copy() if argument.returned else array


def _times(shape: Sequence[int]) -> str:
    """A shape in words: 2 x 3."""
    return " x ".join(map(str, shape))


def _address(array: Any) -> int:
    return array.__array_interface__["data"][0]  # type: ignore[no-any-return]


def _passed(value: Any, by_value: bool) -> Any:
    """A value as a C argument; None is a null pointer."""
    if value is None:
        return None
    return value.item() if by_value else _address(value)


def _documentation(compiled: Compiled) -> Iterator[str]:
    """The equation of a function, what it requires, and a line for each argument.

    The line says its type, unit, range, frame and meaning.
    """
    yield compiled.description.get("equation") or compiled.description["kernel"]
    if requires := compiled.description.get("requires"):
        yield f"Requires: {requires}."
    for title, returned in (("Inputs:", False), ("Outputs:", True)):
        chosen = [a for a in compiled.arguments if (a.returned if returned else a.given)]
        yield from ["", title] if chosen else []
        yield from (f"    {a.name}: {_described(a)}" for a in chosen)
    if compiled.fails:
        yield "    status: 0, or the flags of what went wrong"


def _described(argument: Argument) -> str:
    description = argument.description
    parts = [description["type"] + "".join(f"[{n}]" for n in description["shape"])]
    parts += [f"in {description['unit']}"] if description.get("unit") else []
    parts += [argument.range] if "range" in description else []
    parts += [f"frame {description['frame']}"] if description.get("frame") else []
    parts += [description["doc"]] if description.get("doc") else []
    parts += ["optional"] if description.get("optional") else []
    return ", ".join(parts)
