"""Reads the <function> elements of a JSBSim file as formulas; its properties become inputs.

A property that a function of the file defines stands for that function. Constants and properties that JSBSim
derives from others are given by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from codegen.aircraft.tree import Lookup, Node, Number, Operation, Variable, checked
from codegen.errors import FeatherError
from codegen.modeling.files import exact_decimal
from codegen.modeling.tables.jsbsim import identifier, read_table, unit_of
from codegen.modeling.xml import Element, located

_TEXTS = ("description", "documentation")


@dataclass
class Functions:
    """The formulas of a file's functions, and the inputs that they need, in the order of their first use.

    `defined` are the functions by the property that they define, `known` the formulas of other properties,
    `units` those of inputs and tables by name.
    """

    path: str
    defined: Mapping[str, Element]
    known: Mapping[str, Callable[[Functions], Node]]
    units: Mapping[str, str]
    inputs: dict[str, str] = field(default_factory=dict)  # the name of each property that is an input
    read: dict[str, Node] = field(default_factory=dict)  # the formula of each property that is no input
    open: list[str] = field(default_factory=list)  # the properties whose formulas are being read
    tables: set[str] = field(default_factory=set)

    def of(self, element: Element) -> Node:
        """The formula of a <function>."""
        name = element.attributes.get("name", "")
        with located(self.path, element):
            parts = [child for child in element.children if child.tag not in _TEXTS]
            if len(parts) != 1:
                raise FeatherError(f"function {name} has {len(parts)} formulas, but takes one")
        return self._node(parts[0], identifier(name) or "table")

    def property(self, path: str) -> Node:
        """The formula of a property, with its sign if it has one: an input, unless it is known."""
        path = path.strip()
        if path.startswith("-"):
            return Operation("product", (Number(exact_decimal(-1)), self.property(path[1:])))
        if path in self.known or path in self.defined:
            return self._formula(path)
        if path not in self.inputs:
            self.inputs[path] = self._name(path)
        return Variable(self.inputs[path])

    def _formula(self, path: str) -> Node:
        if path in self.open:
            raise FeatherError(f"{path} is defined by itself: {' -> '.join([*self.open, path])}")
        if path not in self.read:
            self.open.append(path)
            made = self.known[path](self) if path in self.known else self.of(self.defined[path])
            self.open.pop()
            self.read[path] = made
        return self.read[path]

    def _name(self, path: str) -> str:
        """A name for an input: the last part of its path, or all parts where that is taken."""
        words = re.findall(r"[A-Za-z0-9]+", path)
        short, long = identifier(path), "_".join(words)
        name = short if short not in self.inputs.values() and short[:1].isalpha() else long
        if not name[:1].isalpha() or name in self.inputs.values():
            raise FeatherError(f"property {path!r} gives no name for an input")
        return name

    def _node(self, element: Element, function: str) -> Node:
        if element.tag in ("table", "t"):
            return self._table(element, function)
        parts = [self._node(c, function) for c in element.children if c.tag not in _TEXTS]
        with located(self.path, element):
            if element.tag in ("property", "p"):
                if "apply" in element.attributes or "#" in element.text:
                    raise FeatherError(f"the template in <{element.tag}> cannot be read: write it out")
                return self.property(element.text)
            if element.tag in ("value", "v"):
                return Number(exact_decimal(element.text.strip()))
            return checked(element.tag, parts)

    def _table(self, element: Element, function: str) -> Node:
        """A look-up; its table is called after itself or its function, with a number where that is taken."""
        base = identifier(element.attributes.get("name", "")) or function
        base = base if base[:1].isalpha() else f"table_{base}"
        name, number = base, 1
        while name in self.tables:
            number += 1
            name = f"{base}_{number}"
        self.tables.add(name)
        axes = [identifier(v.text) for v in element.below("independentVar")]
        with located(self.path, element):
            table = read_table(name, element, function, {a: unit_of(a, self.units) or "1" for a in axes})
        return Lookup(table, tuple(self.property(axis.doc) for axis in table.axes))
