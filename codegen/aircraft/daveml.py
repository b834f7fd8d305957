"""Reads DAVE-ML models: variables by MathML formulas and by tables, and their check cases.

Variables without a formula, a table or a value are inputs, `isOutput` marks the outputs. Limits of variables
and of extrapolation are those of the file. Gridded tables are read, ungridded ones and uncertainties are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from codegen.aircraft.tree import Lookup, Node, Number, Operation, Values, Variable, checked, product
from codegen.errors import FeatherError
from codegen.modeling.files import exact_decimal
from codegen.modeling.quantities.units import parse
from codegen.modeling.tables.table import Axis, Table
from codegen.modeling.xml import Element, located, read_xml

_NAMES = {
    "plus": "sum", "times": "product", "divide": "quotient", "power": "pow", "root": "sqrt",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "ceiling": "ceil", "leq": "le", "geq": "ge",
    "neq": "nq",
}  # fmt: skip
"""The operations of MathML that have other names here."""

_UNITS = {"nd": "1", "f_s": "ft/s", "ft/sec": "ft/s", "rad_s": "rad/s", "rad/sec": "rad/s", "pct": "1"}


@dataclass
class Model:
    """A model as it is read: the inputs that its outputs need, and the formula of each variable."""

    path: str
    variables: dict[str, Element]
    functions: dict[str, Element]  # by the variable that they give
    breakpoints: dict[str, Element]
    tables: dict[str, Element]
    given: frozenset[str] = frozenset()  # the inputs of its check cases
    inputs: list[str] = field(default_factory=list)
    read: dict[str, Node] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)

    def of(self, name: str, element: Element) -> Node:
        """The formula of a variable."""
        with located(self.path, element):
            if name not in self.variables:
                raise FeatherError(f"{name} is no varID of a <variableDef>")
            if name in self.open:
                raise FeatherError(f"{name} is defined by itself: {' -> '.join([*self.open, name])}")
            if name not in self.read:
                self.open.append(name)
                self.read[name] = self._limited(self.variables[name], self._formula(name))
                self.open.pop()
            return self.read[name]

    def _formula(self, name: str) -> Node:
        variable = self.variables[name]
        if name in self.functions:
            return self._function(self.functions[name], name)
        calculation = variable.one("calculation")
        if calculation is not None:
            (math,) = _children(calculation, self, 1)
            (formula,) = _children(math, self, 1)
            return self._node(formula)
        is_input = variable.one("isInput") is not None or name in self.given
        if "initialValue" in variable.attributes and not is_input:
            return Number(_number(variable.attributes["initialValue"]))
        self.inputs.append(name)
        return Variable(name)

    def _limited(self, variable: Element, node: Node) -> Node:
        for limit, operation in (("minValue", "max"), ("maxValue", "min")):
            if limit in variable.attributes:
                node = Operation(operation, (Number(_number(variable.attributes[limit])), node))
        return node

    def _node(self, element: Element) -> Node:
        """The formula of a MathML element."""
        tag = _tag(element)
        with located(self.path, element):
            if tag == "cn":
                return Number(_number(element.text))
            if tag == "ci":
                return self.of(element.text.strip(), element)
            if tag == "pi":
                return checked("pi", ())
            if tag == "piecewise":
                return self._piecewise(element)
            if tag != "apply" or not element.children:
                raise FeatherError(f"<{tag}> cannot be read")
            first, *rest = element.children
            if not rest:
                return self._node(first)
            name = first.text.strip() if _tag(first) == "csymbol" else _tag(first)
            return _operation(name, [self._node(part) for part in rest])

    def _piecewise(self, element: Element) -> Node:
        """The pieces as choices; the last one is taken where none holds and there is no <otherwise>."""
        pieces = [_children(piece, self, 2) for piece in element.all("piece")]
        otherwise = element.one("otherwise")
        if otherwise is None and not pieces:
            raise FeatherError("<piecewise> has no piece")
        last = _children(otherwise, self, 1)[0] if otherwise is not None else pieces.pop()[0]
        node = self._node(last)
        for value, condition in reversed(pieces):
            node = checked("ifthen", [self._node(condition), self._node(value), node])
        return node

    def _function(self, function: Element, name: str) -> Node:
        """A look-up in the table of a <function>."""
        with located(self.path, function):
            points = function.all("independentVarPts")
            if points:
                axes, data = [_numbers(points[0].text)], _numbers(_only(function, "dependentVarPts").text)
                references = points
            else:
                axes, data = self._gridded(function)
                references = function.all("independentVarRef")
            if len(references) != len(axes):
                raise FeatherError(
                    f"{name} is a function of {len(references)} variables over {len(axes)} axes"
                )
            names = [r.attribute("varID") for r in references]
            coordinates = [self.of(n, r) for n, r in zip(names, references, strict=True)]
            ends = [_ends(r, a) for r, a in zip(references, axes, strict=True)]
            held = all(end == (axis[0], axis[-1]) for end, axis in zip(ends, axes, strict=True))
            table = Table(
                f"{name}_table",
                {n: Axis(a, "1") for n, a in zip(names, axes, strict=True)},
                data,
                unit="1",
                outside="hold" if held else "extrapolate",
                doc=function.attributes.get("name", name),
            )
        if not held:
            coordinates = [_between(end, x) for end, x in zip(ends, coordinates, strict=True)]
        return Lookup(table, tuple(coordinates))

    def _gridded(self, function: Element) -> tuple[list[list[Fraction]], list[Fraction]]:
        """The nodes and numbers of a gridded table."""
        definition = _only(function, "functionDefn")
        for reference in definition.all("griddedTableRef"):
            table = self.tables.get(reference.attribute("gtID").strip())
            if table is None:
                raise FeatherError(f"there is no griddedTableDef {reference.attribute('gtID')}")
            break
        else:
            found = definition.all("griddedTableDef") + definition.all("griddedTable")
            if len(found) != 1:
                raise FeatherError("only a function with one gridded table can be read")
            (table,) = found
        axes = []
        for reference in _only(table, "breakpointRefs").all("bpRef"):
            known = self.breakpoints.get(reference.attribute("bpID").strip())
            if known is None:
                raise FeatherError(f"there is no breakpointDef {reference.attribute('bpID')}")
            axes.append(_numbers(_only(known, "bpVals").text))
        return axes, _numbers(_only(table, "dataTable").text)


@dataclass(frozen=True)
class Shot:
    """A check case: values of inputs, and of outputs with their tolerances, by varID."""

    name: str
    inputs: dict[str, Fraction]
    outputs: dict[str, tuple[Fraction, Fraction]]


def read_daveml(path: Path) -> tuple[Model, dict[str, Node], list[Shot]]:
    """A model with its outputs' formulas and check cases; FeatherError names the file, the line and why."""
    root = read_xml(path)
    if _tag(root) != "DAVEfunc":
        raise FeatherError(f"{path} is no DAVE-ML model: its root is <{root.tag}>, not <DAVEfunc>")
    model = Model(
        str(path),
        _by(root.below("variableDef"), "varID", path),
        {_given(f): f for f in root.all("function")},
        _by(root.below("breakpointDef"), "bpID", path),
        _by((t for t in root.below("griddedTableDef") if "gtID" in t.attributes), "gtID", path),
    )
    outputs = [n for n, v in model.variables.items() if v.one("isOutput") is not None]
    outputs = outputs or [n for n in model.functions if n in model.variables]
    if not outputs:
        raise FeatherError(f"{path} has no variableDef with <isOutput/>")
    shots = [_shot(model, s) for s in root.below("staticShot")]
    model.given = frozenset(name for shot in shots for name in shot.inputs)
    formulas = {name: model.of(name, model.variables[name]) for name in outputs}
    if not model.inputs:
        raise FeatherError(f"{path} has no input: all of its variables have values")
    return model, formulas, shots


def check(model: Model, formulas: dict[str, Node], shots: Sequence[Shot]) -> None:
    """FeatherError unless the check cases hold, to their tolerances."""
    for shot in shots:
        given = {n: float(shot.inputs.get(n, _initial(model.variables[n]))) for n in model.inputs}
        values = Values(given, lambda table, at: table(*at))
        for name, (expected, tolerance) in shot.outputs.items():
            found = float(values.of(formulas[name])) if name in formulas else float(expected)
            if not abs(found - float(expected)) <= float(tolerance) * (1 + 1e-9) + 1e-12:
                raise FeatherError(
                    f"{model.path}: check case {shot.name}: {name} is {found:.9g} instead of "
                    f"{float(expected):.9g} +- {float(tolerance):.3g}"
                )


def unit_of(variable: Element) -> str:
    """The unit of a variable; "" where it is none that is known here."""
    unit = variable.attributes.get("units", "").strip()
    try:
        unit = _UNITS.get(unit, unit)
        parse(unit)
    except FeatherError:
        return ""
    return unit


def _shot(model: Model, element: Element) -> Shot:
    def signals(tag: str, role: str) -> list[tuple[str, Element]]:
        parts, ids = element.one(tag), _signals(model, role)
        found = []
        for signal in parts.all("signal") if parts is not None else []:
            with located(model.path, signal):
                named = next(
                    (c for c in signal.children if c.tag in ("signalName", "signalID", "varID")), None
                )
                name = named.text.strip() if named is not None else ""
                if name not in ids:
                    raise FeatherError(f"signal {name!r} is no variable")
                found.append((ids[name], signal))
        return found

    with located(model.path, element):
        inputs = {n: _number(_only(s, "signalValue").text) for n, s in signals("checkInputs", "isInput")}
        outputs = {}
        for n, s in signals("checkOutputs", "isOutput"):
            tolerance = s.one("tol")
            allowed = _number(tolerance.text) if tolerance is not None else Fraction(1, 10**9)
            outputs[n] = _number(_only(s, "signalValue").text), allowed
    return Shot(element.attributes.get("name", "without a name"), inputs, outputs)


def _signals(model: Model, role: str) -> dict[str, str]:
    """The varID of each signal by name or varID; of variables with one name, that which has the role."""
    named = [(v.attributes.get("name", n), n, v) for n, v in model.variables.items()]
    ids = {name: n for name, n, _ in reversed(named)}
    return (
        ids | {name: n for name, n, v in named if v.one(role) is not None} | {n: n for n in model.variables}
    )


def _operation(name: str, parts: list[Node]) -> Node:
    if name == "minus" and len(parts) == 1:
        return product(Number(Fraction(-1)), *parts)
    if name == "minus":
        return checked("difference", parts)
    if name == "log":
        return checked("quotient", [checked("ln", parts), checked("ln", [Number(Fraction(10))])])
    return checked(_NAMES.get(name, name), parts)


def _ends(reference: Element, axis: Sequence[Fraction]) -> tuple[Fraction | None, Fraction | None]:
    """Between which numbers a coordinate is taken; None where it is not limited."""
    way = reference.attributes.get("extrapolate", "neither")
    if way not in ("neither", "both", "min", "max"):
        raise FeatherError(f"extrapolate is {way!r}, but can be neither, min, max or both")
    found: list[Fraction | None] = []
    for side, end in (("min", axis[0]), ("max", axis[-1])):
        limit = reference.attributes.get(side)
        beyond = _number(limit) if limit is not None else None
        found.append(beyond if way in ("both", side) else end)
    return found[0], found[1]


def _between(ends: tuple[Fraction | None, Fraction | None], x: Node) -> Node:
    for end, operation in zip(ends, ("max", "min"), strict=True):
        if end is not None:
            x = Operation(operation, (Number(end), x))
    return x


def _children(element: Element, model: Model, count: int) -> list[Element]:
    found = [c for c in element.children if _tag(c) not in ("description", "provenance", "provenanceRef")]
    if len(found) != count:
        with located(model.path, element):
            raise FeatherError(f"<{element.tag}> has {len(found)} elements, but takes {count}")
    return found


def _by(elements: Any, key: str, path: Path) -> dict[str, Element]:
    found: dict[str, Element] = {}
    for element in elements:
        name = element.attributes.get(key, "")
        if not name or name in found:
            raise FeatherError(f"{path}:{element.line}: <{element.tag}> has no {key}, or one that is taken")
        found[name] = element
    return found


def _given(function: Element) -> str:
    """The variable that a function gives."""
    for tag in ("dependentVarRef", "dependentVarPts"):
        for element in function.all(tag):
            return element.attributes.get("varID", "")
    return ""


def _only(element: Element, tag: str) -> Element:
    found = element.one(tag)
    if found is None:
        raise FeatherError(f"<{element.tag}> has no <{tag}>")
    return found


def _initial(variable: Element) -> Fraction:
    return _number(variable.attributes.get("initialValue", "0"))


def _number(text: str) -> Fraction:
    return exact_decimal(text.strip())


def _numbers(text: str) -> list[Fraction]:
    return [exact_decimal(word) for word in text.replace(",", " ").split()]


def _tag(element: Element) -> str:
    """The name of an element without the prefix of its namespace."""
    return element.tag.rpartition(":")[2]
