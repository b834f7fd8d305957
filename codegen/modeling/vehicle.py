"""Vehicle files: TOML tables of values to bind, in the units of the data sheet.

    units = "slug-ft"           # or "si", the default
    [bind]
    m = "20500 lb"              # a number in the file's units, or one with its own unit
    J_B = { xx = 9496, yy = 55814, zz = 63100, products = { xy = 0, xz = 982, yz = 0 } }

Numbers are exact decimals. `products` are products of inertia as aircraft data print them, the integrals of
x y dm; matrix elements have the other sign and stand beside xx.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from codegen.errors import FeatherError, naming
from codegen.ir.program import Arg
from codegen.ir.types import Array, Real, component_names
from codegen.modeling.bind import Values, bind
from codegen.modeling.files import exact_decimal, read_toml
from codegen.modeling.kernel import Kernel
from codegen.modeling.names import check_name
from codegen.modeling.quantities import units
from codegen.modeling.types.algebra import SymMat3
from codegen.modeling.types.records import PARAMETERS, Record


@dataclass(frozen=True)
class Binding:
    """A vehicle file, and the name of the vehicle if several are bound side by side."""

    path: Path
    vehicle: str = ""


def read_binding(text: str, directory: Path = Path()) -> Binding:
    """The vehicle file that PATH or NAME=PATH means, relative to a directory."""
    name, equals, path = text.partition("=")
    if not equals or (directory / text).exists():
        return Binding(directory / text)
    check_name(name, "vehicle")
    return Binding(directory / path, name)


def bind_all(kernels: Sequence[Kernel], bindings: Sequence[Binding]) -> list[Kernel]:
    """The kernels with the values of all files bound, those of a named vehicle as kernels of its own.

    A kernel in which no named vehicle binds an input stays as it is. FeatherError where two files have one
    name.
    """
    found = list(kernels)
    for b in bindings:
        found = found if b.vehicle else bind_vehicle(found, b.path)
    names = [b.vehicle for b in bindings if b.vehicle]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice:
        raise FeatherError(f"two vehicle files are called {twice}: give each vehicle one file and one name")
    if not names:
        return found
    of = [(b.vehicle, bind_vehicle(found, b.path)) for b in bindings if b.vehicle]
    return [
        k
        for i, shared in enumerate(found)
        for k in [of_vehicle(own[i], name) for name, own in of if own[i] is not shared] or [shared]
    ]


def of_vehicle(kernel: Kernel, vehicle: str) -> Kernel:
    """The kernel with bound values under its own name: mixing_small for the vehicle small."""
    return replace(kernel, name=f"{kernel.name}_{vehicle}", vehicle=vehicle)


def bind_vehicle(kernels: Sequence[Kernel], path: Path) -> list[Kernel]:
    """The kernels with the values of a vehicle file bound, each where it has an input of that name.

    FeatherError when the file names an input that no kernel has, or a value is incomplete or not physical.
    """
    content = read_toml(path)
    for key in content:
        if key not in ("units", "bind"):
            raise FeatherError(f"{path}: unknown key {key!r}; known are units and [bind]")
    system, table = content.get("units", "si"), content.get("bind", {})
    if not isinstance(system, str) or system not in units.SYSTEMS:
        raise FeatherError(f"{path}: units must be one of {', '.join(units.SYSTEMS)}")
    if not isinstance(table, dict) or not table:
        raise FeatherError(f"{path}: nothing to bind; give values in a table [bind]")
    known = {name for k in kernels for a in k.inputs for name in (a.name, *_member_names(a))}
    for name in table:
        if name not in known:
            raise FeatherError(f"{path}: no chosen kernel has an input {name!r} to bind")
    try:
        return [bind(k, _values(k, table, system)) for k in kernels]
    except FeatherError as error:
        raise FeatherError(f"{path}: {error}") from None


def _values(kernel: Kernel, table: Mapping[str, Any], system: str) -> Values:
    found = {a.name: read_value(a, table[a.name], system) for a in kernel.inputs if a.name in table}
    for a in kernel.inputs:
        if a.name not in found and any(name in table for name in _member_names(a)):
            found[a.name] = _members(kernel, a, table, system)
    return found


def _member_names(argument: Arg) -> list[str]:
    """The names of the members of a record, which a vehicle file may name alone."""
    return [m.name for m in _record(argument)] if argument.name == PARAMETERS else []


def _record(argument: Arg) -> tuple[Arg, ...]:
    kind = argument.type
    return kind.members if isinstance(kind, type) and issubclass(kind, Record) else ()


def _members(kernel: Kernel, argument: Arg, table: Mapping[str, Any], system: str) -> tuple[Fraction, ...]:
    """The scalars of a record whose members the file names; FeatherError when one is missing."""
    missing = [m.name for m in _record(argument) if m.name not in table]
    if missing:
        raise FeatherError(
            f"{kernel.name}: the file gives some of its parameters, but not {missing[0]}: give all of them, "
            "or make those that stay open at run time inputs"
        )
    return tuple(x for m in _record(argument) for x in read_value(m, table[m.name], system))


def read_value(argument: Arg, value: Any, system: str) -> tuple[Fraction, ...]:
    """The scalars of an argument in its unit, from a number, a string with a unit, a list or a table."""
    if isinstance(value, dict) and _record(argument):
        return _by_member(argument, value, system)
    if isinstance(argument.type, Real):
        named = {argument.name: value}
    elif isinstance(value, list) and isinstance(argument.type, Array) and value and _all_lists(value):
        named = _matrix(argument.name, argument.type, value)
    elif isinstance(value, list):
        named = {f"{argument.name}[{i}]": x for i, x in enumerate(value)}
    elif isinstance(value, dict) and not isinstance(argument.type, Array):
        named = {f"{argument.name}.{n}": x for n, x in _elements(argument, dict(value)).items()}
    else:
        raise FeatherError(f"{argument.name} takes a list of {argument.size} numbers or a table")
    if len(named) != argument.size:
        raise FeatherError(f"{argument.name} takes {argument.size} numbers, not {len(named)}")
    return tuple(
        _number(name, x, system, unit)
        for (name, x), unit in zip(named.items(), units.scalar_units(argument), strict=True)
    )


def _by_member(argument: Arg, table: dict[str, Any], system: str) -> tuple[Fraction, ...]:
    """The scalars of a record, from a table with a value for each member."""
    members = _record(argument)
    names = [m.name for m in members]
    for name in table:
        if name not in names:
            raise FeatherError(f"{argument.name} has no element {name!r}; it has {', '.join(names)}")
    missing = [name for name in names if name not in table]
    if missing:
        raise FeatherError(f"{argument.name} is incomplete: {', '.join(missing)} missing")
    return tuple(x for m in members for x in read_value(m, table[m.name], system))


def _all_lists(rows: list[Any]) -> bool:
    return all(isinstance(row, list) for row in rows)


def _matrix(name: str, kind: Array, rows: list[list[Any]]) -> dict[str, Any]:
    """The scalars of a matrix that is written row by row; a symmetric one is written in full."""
    places = kind.matrix(range(kind.size))
    if places is None or [len(row) for row in rows] != [len(row) for row in places]:
        shape = f"{len(places)} rows of {len(places[0])}" if places else f"a list of {kind.size}"
        raise FeatherError(f"{name} takes {shape} numbers")
    found: dict[int, tuple[str, Any]] = {}
    for i, row in enumerate(places):
        for j, place in enumerate(row):
            first, x = found.setdefault(place, (f"{name}[{i}][{j}]", rows[i][j]))
            if x != rows[i][j]:
                raise FeatherError(f"{name} is not symmetric: {first} is {x}, [{i}][{j}] is {rows[i][j]}")
    return dict(found[place] for place in range(kind.size))


def _elements(argument: Arg, table: dict[str, Any]) -> dict[str, Any]:
    """The table's entries in C order, products of inertia turned into matrix elements."""
    names = [n.removeprefix("_") for n in component_names(argument.type)]
    products = table.pop("products", {})
    if products and not (isinstance(argument.type, type) and issubclass(argument.type, SymMat3)):
        raise FeatherError(f"{argument.name} has no products of inertia")
    if not isinstance(products, dict) or not set(products) <= {"xy", "xz", "yz"}:
        raise FeatherError(f"{argument.name}.products is a table of xy, xz and yz")
    for name, product in products.items():
        if name in table:
            raise FeatherError(f"{argument.name}.{name} is given twice, as element and as product")
        table[name] = _negated(f"{argument.name}.products.{name}", product)
    missing = [n for n in names if n not in table]
    unknown = [n for n in table if n not in names]
    if unknown:
        raise FeatherError(f"{argument.name} has no element {unknown[0]!r}; it has {', '.join(names)}")
    if missing:
        raise FeatherError(f"{argument.name} is incomplete: {', '.join(missing)} missing")
    return {n: table[n] for n in names}


def _negated(name: str, value: Any) -> Any:
    if isinstance(value, str):
        stripped = value.strip()
        return stripped[1:] if stripped.startswith("-") else "-" + stripped
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise FeatherError(f"{name} must be a number")
    return value.copy_negate() if isinstance(value, Decimal) else -value  # Decimal's minus rounds


def _number(name: str, value: Any, system: str, wanted: units.Unit | None) -> Fraction:
    """One number in the unit of its argument, if that has one."""
    if isinstance(value, str):
        number, _, unit_text = value.strip().partition(" ")
        unit = units.parse(unit_text)
        if wanted is not None and unit.dimension != wanted.dimension:
            raise FeatherError(f"{name} cannot be in {unit_text or 'no unit'!r}")
        return _exact(name, number) * unit.factor / (wanted.factor if wanted else 1)
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise FeatherError(f"{name} must be a number, or a string like '20500 lb'")
    if wanted is None and system != "si":
        raise FeatherError(f"{name} has no unit of its own: give it in a file with units = 'si'")
    if wanted is not None and wanted.factor != 1:
        raise FeatherError(f"{name} is not in a unit of SI: give it with its unit, as in '20500 lb'")
    return _exact(name, value) * (units.to_si(system, wanted.dimension) if wanted else 1)


def _exact(name: str, number: str | int | Decimal) -> Fraction:
    with naming(name):
        return exact_decimal(number)
