"""The kernel of an aircraft's aerodynamics: force and moment about the centre of mass.

Its definition looks tables up as sums over the corners of a cell, and turns the axes by two matrices, where
the formula interpolates axis by axis and multiplies only by what is not zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from codegen.aircraft.jsbsim import ALPHA, BETA, Aerodynamics, read_aerodynamics
from codegen.aircraft.tree import LookUp, Lookup, Node, Operation, Values, Variable
from codegen.frontends.define import formula_kernel
from codegen.frontends.table_kernel import Coordinate, weighted
from codegen.ir.program import Arg
from codegen.ir.systems import system_of
from codegen.ir.types import POSITIVE, REAL, Scalar
from codegen.misuse import explained
from codegen.modeling.kernel import Kernel
from codegen.modeling.tables.jsbsim import unit_of
from codegen.modeling.tables.table import Table
from codegen.modeling.types.algebra import Vec3
from codegen.modeling.types.scalar import bare, cos, sin

_SPEED = "velocities/vt-fps"
_ARM = Arg("p_CR_B", Vec3, "ft", "aerodynamic reference point R relative to the centre of mass C", "B")


@explained
def aerodynamics_from_jsbsim(path: str | Path, name: str, units: Mapping[str, str] | None = None) -> Kernel:
    """The aerodynamic force and moment of a JSBSim aircraft, as its <aerodynamics> computes them.

    Inputs are the properties that the functions use, under the last part of their names (`aero/alpha-rad` is
    alpha_rad), and the position of the reference point. `units` are those of inputs and tables whose names do
    not tell. The functions are not checked for units, as the coefficients of such files have none.
    FeatherError names the file, the line and what is wrong.
    """
    model = read_aerodynamics(Path(path), {"h_b_mac_ft": "1"} | dict(units or {}))
    inputs = (*_inputs(model), _ARM)
    return formula_kernel(
        _formula(model, [a.name for a in inputs]),
        name=name,
        module="model",
        inputs=inputs,
        outputs=(
            Arg("F_B", Vec3, "lbf", "aerodynamic force", "B"),
            Arg("M_B", Vec3, "lbf ft", "aerodynamic moment about the centre of mass", "B"),
        ),
        title=f"Aerodynamic force and moment of {Path(path).stem}.",
        details="B is forward, right, down. Beyond the nodes of a table, the value at its end.",
        equation=_equation(model),
        source=f"{Path(path).name}, an aircraft of JSBSim",
        requires=_requires(model),
        definition=_definition(model, [a.name for a in inputs]),
    )


def _inputs(model: Aerodynamics) -> list[Arg]:
    """The inputs of the functions; the coordinate of a table is tried at its nodes."""
    kinds = {**input_kinds([p.formula for p in model.parts]), model.inputs.get(_SPEED, ""): POSITIVE}
    return [
        Arg(name, kinds.get(name, REAL), unit_of(name, model.units), property_)
        for property_, name in model.inputs.items()
    ]


def input_kinds(formulas: Sequence[Node]) -> dict[str, Any]:
    """The types of those inputs that are coordinates of tables, with the nodes of all of these."""
    found: dict[str, list[Any]] = {}
    for node in _below(formulas):
        if isinstance(node, Lookup):
            for axis, x in zip(node.table.axes, node.coordinates, strict=True):
                if isinstance(x, Variable):
                    found.setdefault(x.name, []).extend(axis.nodes.values)
    return {name: Coordinate(nodes=tuple(sorted(set(nodes)))) for name, nodes in found.items()}


def _below(nodes: Sequence[Node]) -> list[Node]:
    """Formulas and all that they are made of, each once."""
    found: dict[int, Node] = {}
    left = list(nodes)
    while left:
        node = left.pop()
        if id(node) not in found:
            found[id(node)] = node
            if isinstance(node, (Lookup, Operation)):
                left += node.coordinates if isinstance(node, Lookup) else node.parts
    return list(found.values())


def _equation(model: Aerodynamics) -> str:
    """The sums of the axes, by the names of their functions."""
    names = _NAMES[model.force_frame] + _MOMENTS
    sums = [
        f"{names[i]} = {' + '.join(p.name for p in model.parts if p.place == i) or '0'}" for i in range(6)
    ]
    turned = {"body": "", "axial": ""}.get(model.force_frame, f", turned from {model.force_frame} axes")
    signs = "[X, Y, Z]" if model.force_frame == "body" else f"[-{names[0]}, {names[1]}, -{names[2]}]"
    return "; ".join([*sums, f"F_B is {signs}{turned}", "M_B is [l, m, n] + p_CR_B x F_B"])


_NAMES = {"body": "XYZ", "axial": "AYN", "wind": "DYL", "stability": "DYL"}
_MOMENTS = "lmn"


def _requires(model: Aerodynamics) -> str:
    operations = {n.name for n in _below([p.formula for p in model.parts]) if isinstance(n, Operation)}
    wanted = {"quotient": "no divisor is zero", "sqrt": "no root is of a negative number"}
    wanted["pow"] = "powers are of positive numbers"
    speed = ["vt_fps is positive"] if _SPEED in model.inputs else []
    return "; ".join([*speed, *(text for name, text in wanted.items() if name in operations)])


def _formula(model: Aerodynamics, names: Sequence[str]) -> Callable[..., Any]:
    def formula(*inputs: Any) -> Any:
        return _loads(model, names, inputs, lambda table, at: table(*at), _turned)

    return formula


def _definition(model: Aerodynamics, names: Sequence[str]) -> Callable[..., Any]:
    def definition(*inputs: Any) -> list[Any]:
        force, moment = _loads(model, names, inputs, weighted_look_up, _turned_by_matrices)
        return [force.x, force.y, force.z, moment.x, moment.y, moment.z]

    return definition


_Turn = Callable[[Any, Scalar, Scalar], Vec3]
"""Turns a vector into body axes by angle of attack and sideslip."""


def _loads(
    model: Aerodynamics, names: Sequence[str], inputs: Sequence[Any], look_up: LookUp, turned: _Turn
) -> tuple[Vec3, Vec3]:
    """Force and moment about the centre of mass, by the functions of the axes."""
    *scalars, arm = inputs
    given = {name: bare(x) for name, x in zip(names, scalars, strict=False)}
    values = Values(given, look_up)
    alpha, beta = given[model.inputs[ALPHA]], given[model.inputs[BETA]]

    def summed(first: int, at_cg: bool) -> list[Scalar]:
        sums: list[Scalar] = [0, 0, 0]
        for part in model.parts:
            if first <= part.place < first + 3 and part.at_cg == at_cg:
                sums[part.place - first] += bare(values.of(part.formula))
        return sums

    def in_body(sums: list[Scalar], frame: str) -> Vec3:
        aerodynamic = {"body": None, "axial": None, "wind": beta, "stability": 0}[frame]
        return Vec3(*sums) if aerodynamic is None else turned(sums, alpha, aerodynamic)

    def force(at_cg: bool) -> Vec3:
        x, y, z = summed(0, at_cg)
        signed = [x, y, z] if model.force_frame == "body" else [-x, y, -z]
        return in_body(signed, model.force_frame)

    applied, moment = force(False), in_body(summed(3, False), model.moment_frame or "body")
    arm = Vec3(*map(bare, arm)) if isinstance(arm, Vec3) else Vec3(*arm)
    aft = Vec3(0, 0, 0) if model.shift is None else Vec3(values.of(model.shift), 0, 0)
    about = moment + (arm - aft).cross(applied)
    centre = force(True) if any(part.at_cg for part in model.parts) else Vec3(0, 0, 0)
    return applied + centre, about


def _turned(vector: Sequence[Scalar], alpha: Scalar, beta: Scalar) -> Vec3:
    """A vector of wind axes in body axes; of stability axes, where beta is 0."""
    x, y, z = vector
    if not isinstance(beta, int):
        c, s = cos(beta), sin(beta)
        x, y = c * x - s * y, s * x + c * y
    c, s = cos(alpha), sin(alpha)
    return Vec3(c * x - s * z, y, s * x + c * z)


def _turned_by_matrices(vector: Sequence[Scalar], alpha: Scalar, beta: Scalar) -> Vec3:
    """The same by the matrices of both angles, multiplied out as JSBSim's documentation has them."""
    ca, sa = cos(alpha), sin(alpha)
    cb, sb = (cos(beta), sin(beta)) if not isinstance(beta, int) else (1, 0)
    rows = [[ca * cb, -ca * sb, -sa], [sb, cb, 0], [sa * cb, -sa * sb, ca]]
    return Vec3(*(sum(a * v for a, v in zip(row, vector, strict=True)) for row in rows))


def weighted_look_up(table: Table, at: Sequence[Scalar]) -> Scalar:
    """A look-up as the sum over the corners of a cell, as definitions have it."""
    return weighted(table, system_of(tuple(at)), at, table.data)
