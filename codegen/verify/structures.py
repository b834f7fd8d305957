"""Values of structures by the names of their members, as dictionaries or named tuples, in C order."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Structure:
    """A C struct: of each member the name, with the struct or the number of scalars that it is."""

    scalars: int
    members: Mapping[str, Structure | int]

    def names(self) -> Iterator[str]:
        """The name of each scalar: x, ang.y, m[4]."""
        for name, kind in self.members.items():
            if isinstance(kind, Structure):
                yield from (f"{name}.{below}" for below in kind.names())
            else:
                yield from [name] if kind == 1 else (f"{name}[{i}]" for i in range(kind))

    def array(self, value: Any, label: str) -> Any:
        """All scalars of a value whose members are named, with a row for each call where members have rows.

        Other values are returned as they are. TypeError where a member is missing or unknown, ValueError
        where one has another number of scalars.
        """
        named = _named(value, self.members)
        if named is None:
            return value
        if set(named) != set(self.members):
            wanted, given = (", ".join(map(str, names)) or "none" for names in (self.members, named))
            raise TypeError(f"{label} has the members {wanted}, not {given}")
        parts = [_part(kind, named[name], f"{label}.{name}") for name, kind in self.members.items()]
        if len({len(part) for part in parts if part.ndim > 1}) > 1:
            raise ValueError(f"{label} has members with different numbers of rows")
        rows = np.broadcast_shapes(*(part.shape[:-1] for part in parts))
        return np.concatenate([np.broadcast_to(p, (*rows, p.shape[-1])) for p in parts], axis=-1)


class Scalars(np.ndarray[Any, Any]):
    """The scalars of a structure, or a row of them for each call: `pose["p"]` is a view of a member.

    Rows of it, and what NumPy computes element by element, are structures, too. Any other array that is made
    of it may hold the scalars in another order, and has no names.
    """

    structure: Structure | None = None

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        made = super().__array_wrap__(array, context, return_scalar)
        is_by_element = context is not None and context[0].signature is None
        return self._with_names(made) if is_by_element else made

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            found = super().__getitem__(key)
            is_of_rows = self.ndim > 1 and not isinstance(key, tuple) and np.ndim(key) < 2
            return self._with_names(found) if is_of_rows else found
        members = self.structure.members if self.structure else {}
        if key not in members:
            raise KeyError(f"{key!r} is not a member; the members are {', '.join(members) or 'none'}")
        sizes = [kind if isinstance(kind, int) else kind.scalars for kind in members.values()]
        place = list(members).index(key)
        first = sum(sizes[:place])
        part, kind = np.asarray(self)[..., first : first + sizes[place]], members[key]
        if not isinstance(kind, int):
            return named(part, kind)
        return part[..., 0] if kind == 1 else part

    def _with_names(self, made: Any) -> Any:
        """An array of the same scalars, or more rows of them, with the names."""
        if self.structure and isinstance(made, Scalars) and made.shape[-1:] == (self.structure.scalars,):
            made.structure = self.structure
        return made


def named(array: Any, structure: Structure) -> Scalars:
    """The scalars of a structure, whose members are found by their names."""
    found: Scalars = array.view(Scalars)
    found.structure = structure
    return found


def structures(types: Any) -> dict[str, Structure]:
    """The structs that a manifest describes, by their C names; a member's struct is described before it."""
    found: dict[str, Structure] = {}
    for described in types:
        members = {f["name"]: found.get(f["type"]) or _extent(f["type"]) for f in described["fields"]}
        found[described["name"]] = Structure(described["scalars"], members)
    return found


def _extent(ctype: str) -> int:
    """The number of scalars of a member such as double[9]."""
    return math.prod(map(int, re.findall(r"\[(\d+)\]", ctype)))


def _named(value: Any, members: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The members of a dictionary, or of a named tuple with their names; None for other values."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, tuple) and set(getattr(value, "_fields", ())) == set(members):
        return dict(zip(value._fields, value, strict=True))  # type: ignore[attr-defined]
    return None


def _part(kind: Structure | int, value: Any, label: str) -> Any:
    """The scalars of a member, the last axis; a leading one has a row for each call."""
    size = kind if isinstance(kind, int) else kind.scalars
    given = value if isinstance(kind, int) else kind.array(value, label)
    try:
        array = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{label} takes numbers, not {value!r}") from None
    if array.size == size:
        return array.reshape(size)
    if array.ndim and array.size == size * len(array):
        return array.reshape(len(array), size)
    raise ValueError(f"{label} takes {size} numbers, not {array.size}")
