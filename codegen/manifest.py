"""manifest.json: the generated library described for programs that bind to it without parsing C."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from codegen.function import Function
from codegen.layout import Parameter, struct_of, structs
from codegen.options import Options
from codegen.scalar import Status

SCHEMA = 1


def manifest(functions: Sequence[Function], options: Options, files: Mapping[str, str]) -> str:
    """The manifest of these functions and files, as JSON text."""
    content = {
        "schema": SCHEMA,
        "prefix": options.prefix,
        "layout": options.layout,
        "interface": options.interface,
        "checks": options.checks,
        "status": {flag.name: flag.value for flag in Status},
        "files": [
            {"path": path, "sha256": hashlib.sha256(text.encode()).hexdigest()}
            for path, text in sorted(files.items())
        ],
        "types": _types(functions, options),
        "functions": [_function(f, options) for f in functions],
    }
    return json.dumps(content, indent=1) + "\n"


def _types(functions: Sequence[Function], options: Options) -> list[dict[str, Any]]:
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


def _function(f: Function, options: Options) -> dict[str, Any]:
    stem = f"{options.prefix}{f.kernel.module}_{f.precision.name}"
    description: dict[str, Any] = {
        "symbol": f.symbol,
        "kernel": f.kernel.name,
        "precision": f.precision.name,
        "header": f"{stem}.h",
        "source": f"{stem}.c" if options.layout == "library" else f"{stem}.h",
        "returns": "status" if f.returns_status else "void",
        "arguments": [_argument(p) for p in f.parameters],
        "cost": {
            **{n: getattr(f.cost, n) for n in ("mul", "add", "neg", "div", "sqrt", "cmp", "select")},
            "abs": f.cost.abs,
            "libm": dict(f.cost.libm),
        },
        "equation": f.kernel.equation,
        "reference": f.kernel.source,
    }
    if f.kernel.bound:
        description["bound"] = {n: [str(x) for x in v] for n, v in f.kernel.bound.items()}
    return description


def _argument(p: Parameter) -> dict[str, Any]:
    return {
        "name": p.arg.name,
        "direction": p.direction,
        "type": p.type,
        "pass": p.passed,
        "shape": list(p.shape),
        "unit": p.arg.unit,
        "frame": p.arg.frame,
        "doc": p.arg.doc,
    }
