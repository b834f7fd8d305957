"""The input domain of a function known only as C: that of the library's kernel with the same signature."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from codegen.emit.layout import accessors
from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.ranges import check_held
from codegen.ir.systems import Precision
from codegen.ir.types import Component, is_integer, size
from codegen.library import library
from codegen.review.diff.reading import Reading, ReadParameter
from codegen.review.diff.source import Source


def constraint_set(symbol: str, sources: Sequence[Source], reading: Reading) -> tuple[list[Arg], str]:
    """The inputs of a reading's Program with the types of a kernel of the library, and its name.

    Where the library has no kernel with this symbol and these inputs, they are the inputs as C declares them.
    Their ranges contain those that the manifests of both trees declare.
    """
    plain, kernel = _typed(symbol, sources[-1].prefix, reading)
    declared = [source.ranges.get(symbol, {}) for source in sources]
    return [ranged(a, [ranges.get(a.name) for ranges in declared], reading.precision) for a in plain], kernel


def _typed(symbol: str, prefix: str, reading: Reading) -> tuple[list[Arg], str]:
    plain = list(reading.program.inputs)
    named = re.fullmatch(re.escape(prefix) + r"(\w+)_f(?:32|64)", symbol)
    kernel = library().get(named[1]) if named else None
    if kernel is None:
        return plain, ""
    types = {a.name: a.type for a in kernel.inputs}
    given = [p for p in reading.signature.parameters if not p.written]
    if not all(p.name in types and _suits(p, types[p.name]) for p in given):
        return plain, ""
    typed = [Arg(p.name, types[p.name], "", "") for p in given]
    return [*typed, *plain[len(typed) :]], kernel.name


def ranged(argument: Arg, declared: Sequence[Any], precision: Precision) -> Arg:
    """The argument with a range that contains those declared; without one where one is missing or damaged."""
    try:
        each = [replace(argument, range=pairs).ends for pairs in declared if pairs is not None]
        hull = [(min(low for low, _ in e), max(high for _, high in e)) for e in zip(*each, strict=True)]
        check_held(argument.name, hull, precision)
    except FeatherError:
        return argument
    return replace(argument, range=hull) if each and len(each) == len(declared) else argument


def _suits(parameter: ReadParameter, component: Component) -> bool:
    """Whether a C parameter has the scalars of a type, as a struct or as an array."""
    if is_integer(component):
        return False
    reached = (None,) if parameter.places is None else parameter.places
    as_array = tuple(f"[{i}]" for i in range(size(component)))
    expected = tuple(accessors(component))
    return reached in (expected, as_array) or (expected == ("",) and reached == (None,))
