"""C that calls each function of a tree for many inputs, one call after the other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from codegen.emit.render import environment


def can_loop(function: Mapping[str, Any]) -> bool:
    """Whether the size of every argument is known, and none is both read and written, as in routines."""
    arguments = function["arguments"]
    return all(a["direction"] != "inout" and all(type(n) is int for n in a["shape"]) for a in arguments)


def loop_name(symbol: str) -> str:
    """The name of the loop over a function."""
    return f"{symbol}_loop"


def loops(manifest: Mapping[str, Any]) -> str:
    """The C text of the loops, one for each function of a manifest whose arguments have known sizes.

    A loop takes the number of calls, each argument as a pointer to that of the first call, a step for each
    input (its number of elements, or 0 to pass the same input to all calls), and a pointer to the statuses.
    """
    functions = [f for f in manifest["functions"] if can_loop(f)]
    headers = sorted({f["header"] for f in functions})
    text = environment().get_template("load/loops.c.j2")
    return text.render(headers=headers, functions=[_loop(f) for f in functions])


def _loop(function: Mapping[str, Any]) -> dict[str, Any]:
    arguments = function["arguments"]
    parameters = ["size_t n"]
    for a in arguments:
        constant = "const " if a["direction"] == "in" else ""
        parameters.append(f"{constant}{a['type']} *{_own(a)}")
    parameters += [f"size_t {_own(a)}_step" for a in arguments if a["direction"] == "in"]
    call = f"{function['symbol']}({', '.join(map(_passed, arguments))});"
    if function["returns"] == "status":
        parameters.append("unsigned int *statuses")
        call = f"statuses[i] = {call}"
    return {"name": loop_name(function["symbol"]), "parameters": parameters, "call": call}


def _own(argument: Mapping[str, Any]) -> str:
    """A name that no macro or keyword of a tree has."""
    return f"loop_{argument['name']}"


def _passed(argument: Mapping[str, Any]) -> str:
    step = f"{_own(argument)}_step" if argument["direction"] == "in" else str(math.prod(argument["shape"]))
    if argument["pass"] == "value":
        return f"{_own(argument)}[i * {step}]"
    return f"{_own(argument)} + i * {step}"
