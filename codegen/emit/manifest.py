"""Writes manifest.json, which describes the generated library for programs, and reads its options."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from codegen.emit.function import Function
from codegen.emit.layout import Parameter, accessors, struct_of, structs
from codegen.emit.macros import index_macros, limit_arrays
from codegen.emit.options import AUTO, Options
from codegen.emit.routine import RoutineFunction
from codegen.ir.cost import Cost
from codegen.ir.domain import members_of, taken_apart
from codegen.ir.program import Arg
from codegen.ir.ranges import pairs
from codegen.ir.status import Status
from codegen.ir.types import Component, Value, is_integer, positives
from codegen.notation.prose import plain

SCHEMA = 1


def manifest(
    functions: Sequence[Function | RoutineFunction], options: Options, files: Mapping[str, str]
) -> str:
    """The manifest of these functions and files, as JSON text."""
    content = {
        "schema": SCHEMA,
        "prefix": options.prefix,
        "layout": options.layout,
        "interface": options.interface,
        "checks": options.checks,
        **({"no_alias": True} if options.no_alias else {}),
        **({"sincos": options.sincos} if options.sincos != AUTO else {}),
        "license": options.license,
        "status": {flag.name: flag.value for flag in Status},
        "files": [
            {"path": path, "sha256": hashlib.sha256(text.encode()).hexdigest()}
            for path, text in sorted(files.items())
        ],
        "types": _types(functions, options),
        "functions": [_function(f, options) for f in functions],
        **({"indices": indices} if (indices := index_macros(functions, options)) else {}),
        **({"limits": limits} if (limits := _limits(functions, options)) else {}),
        **({"robots": robots} if (robots := _robots(functions)) else {}),
    }
    return json.dumps(content, indent=1) + "\n"


def _robots(functions: Sequence[Function | RoutineFunction]) -> list[Mapping[str, Any]]:
    """The descriptions of the robots whose functions these are, each once."""
    found = {f.kernel.module: f.kernel.robot for f in functions if isinstance(f, Function) and f.kernel.robot}
    return [robot for robot in found.values() if robot is not None]


def _limits(functions: Sequence[Function | RoutineFunction], options: Options) -> list[dict[str, Any]]:
    """The macros for limits of arrays; null stands for a number that has none."""
    return [
        {"name": a.macro, "header": a.header, "doc": a.limits.meaning, "unit": a.limits.unit,
         "values": a.values}
        for a in limit_arrays(functions, options)
    ]  # fmt: skip


def _types(functions: Sequence[Function | RoutineFunction], options: Options) -> list[dict[str, Any]]:
    if options.interface != "struct":
        return []
    components = structs(p.arg for f in functions for p in f.parameters)
    described = [struct_of(c, options.prefix, p) for p in options.formats for c in components]
    return [
        {
            "name": s.name,
            "scalar": s.scalar,
            "scalars": s.scalars,
            "fields": [{"name": m.name, "type": m.manifest_type, "offset": m.offset} for m in s.members],
        }
        for s in described
    ]


def _function(f: Function | RoutineFunction, options: Options) -> dict[str, Any]:
    stem = f"{options.prefix}{f.subject.module}_{f.precision.name}"
    return {
        "symbol": f.symbol,
        "kernel": f.subject.name,
        "precision": f.precision.name,
        "header": f"{stem}.h",
        "source": f"{stem}.c" if options.layout == "library" else f"{stem}.h",
        "returns": "status" if f.returns_status else "void",
        **({"requires": plain(f.subject.requires)} if f.subject.requires else {}),
        "arguments": [_argument(p) for p in f.parameters],
        **(_of_routine(f) if isinstance(f, RoutineFunction) else _of_kernel(f)),
        "equation": f.subject.equation,
        "reference": plain(f.subject.source),
    }


def _of_kernel(f: Function) -> dict[str, Any]:
    bound = {n: [str(x) for x in v] for n, v in f.kernel.bound.items()}
    return {
        "cost": stated_cost(f.cost),
        **({"bound": bound} if bound else {}),
        **({"vehicle": f.kernel.vehicle} if f.kernel.vehicle else {}),
        **({"block": f.kernel.block.name} if f.kernel.block else {}),
        **({"constants": f.kernel.constants} if f.kernel.constants else {}),
    }


def stated_cost(cost: Cost) -> dict[str, Any]:
    """A cost as a manifest states it."""
    counts = ("mul", "add", "neg", "div", "sqrt", "cmp", "select", "abs")
    routines = {n: getattr(cost, n) for n in ("search", "sincos") if getattr(cost, n)}
    return {**{n: getattr(cost, n) for n in counts}, "libm": dict(cost.libm), **routines}


def _of_routine(f: RoutineFunction) -> dict[str, Any]:
    """The cost of a routine depends on its arguments; it is stated as that of the kernels that it calls."""
    return {"cost": {}, "calls": [f.symbol_of(name) for name in f.routine.calls]}


def _argument(p: Parameter) -> dict[str, Any]:
    return {
        "name": p.arg.name,
        "direction": p.direction,
        "type": p.type,
        "pass": p.passed,
        "shape": list(p.shape),
        "unit": p.arg.unit,
        "frame": p.arg.frame,
        "doc": plain(p.arg.doc),
        **({"optional": True} if p.arg.optional else {}),
        **_kind(p.arg.type),
        **_members(p.arg),
        **_positive(p),
        **({"range": pairs(p.arg.ends)} if p.arg.ends else {}),
    }


def _kind(component: Component) -> dict[str, str]:
    """The name of a structured type, which tells a rotation from another matrix."""
    if isinstance(component, type) and issubclass(component, Value):
        return {"kind": component.__name__}
    return {}


def _members(argument: Arg) -> dict[str, dict[str, str]]:
    """The structured types of the members of a record, those of records in it included."""
    parts = taken_apart(members_of(argument))
    kinds = {path: kind["kind"] for path, m in parts if (kind := _kind(m.type))}
    return {"members": kinds} if members_of(argument) else {}


def _positive(p: Parameter) -> dict[str, list[str]]:
    """The scalars that must be positive, stated for every type of real numbers, also where none is."""
    if is_integer(p.arg.type):
        return {}
    marked = zip(accessors(p.arg.type), positives(p.arg.type), strict=True)
    return {"positive": [p.arg.name + place for place, positive in marked if positive]}


def recorded_options(recorded: Mapping[str, Any]) -> Options:
    """The options with which a tree was generated, by its manifest.

    FeatherError when one of them is invalid.
    """
    files = {f["path"] for f in recorded["files"]}
    return Options(
        prefix=recorded["prefix"],
        precisions=tuple(dict.fromkeys(f["precision"] for f in recorded["functions"])),
        layout=recorded["layout"],
        interface=recorded["interface"],
        checks=recorded["checks"],
        no_alias=recorded.get("no_alias") is True,
        sincos=recorded.get("sincos", AUTO),
        license=str(recorded.get("license", Options.license)),
        gitattributes=".gitattributes" in files,
        trace="trace.json" in files,
    )
