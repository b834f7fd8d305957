"""An output may be the same object as any input of its type: every function, every such pair, to the bit.

The pairs come from the manifest, so a new function is covered when it is generated.
"""

from __future__ import annotations

import ctypes
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from tests.conftest import GENERATED

MANIFEST = json.loads((GENERATED / "manifest.json").read_text(encoding="utf-8"))
SCALARS: dict[str, int] = {t["name"]: t["scalars"] for t in MANIFEST["types"]}
BY_VALUE = {"double": ctypes.c_double, "float": ctypes.c_float, "int": ctypes.c_int}
GUARD = -12345

Array = npt.NDArray[Any]
Argument = Mapping[str, Any]


class Pair(NamedTuple):
    """A function of the manifest, and the input with which each of its aliased outputs shares an object."""

    function: Mapping[str, Any]
    alias: dict[str, str]

    def __str__(self) -> str:
        return ",".join([self.function["symbol"], *(f"{o}={i}" for o, i in self.alias.items())])


def same_type(output: Argument, given: Argument) -> bool:
    """Whether a caller could pass one object as both."""
    alike = all(output[key] == given[key] for key in ("type", "pass", "shape"))
    return alike and output["direction"] == "out" and given["direction"] == "in"


def single_pairs() -> list[Pair]:
    return [
        Pair(function, {output["name"]: given["name"]})
        for function in MANIFEST["functions"]
        for output in function["arguments"]
        for given in function["arguments"]
        if same_type(output, given)
    ]


def whole_updates() -> list[Pair]:
    """Functions whose outputs can replace several inputs at once, as a state is replaced by its rates."""
    updates = []
    for function in MANIFEST["functions"]:
        alias: dict[str, str] = {}
        for output in function["arguments"]:
            free = [
                g for g in function["arguments"] if same_type(output, g) and g["name"] not in alias.values()
            ]
            if free:
                alias[output["name"]] = free[0]["name"]
        if len(alias) > 1:
            updates.append(Pair(function, alias))
    return updates


PAIRS = single_pairs()
UPDATES = whole_updates()


@pytest.fixture(scope="module")
def binary(shared_object: Path) -> ctypes.CDLL:
    """The committed library, called without its Python wrapper."""
    return ctypes.CDLL(str(shared_object))


def count(argument: Argument) -> int:
    """The number of scalars of an argument; arrays of routines have two items."""
    items = np.prod([2 if isinstance(n, str) else n for n in argument["shape"]], dtype=int)
    return SCALARS.get(argument["type"], 1) * int(items)


def values(argument: Argument) -> Array:
    """Distinct numbers near 1; where six pack a symmetric matrix, one that a body could have."""
    if argument["type"] == "int" and argument["pass"] == "value":
        return np.array([2.0])
    seed = zlib.crc32(argument["name"].encode())
    drawn: Array = np.random.default_rng(seed).uniform(0.5, 1.5, count(argument))
    if "sym3" in argument["type"]:
        drawn.reshape(-1, 6)[:, [0, 3, 5]] += 10
    return drawn


def call(binary: ctypes.CDLL, pair: Pair, alias: bool) -> tuple[int, dict[str, Array], dict[str, Array]]:
    """The status, the outputs and the inputs after a call, with the outputs aliased or apart."""
    dtype = np.float64 if pair.function["precision"] == "f64" else np.float32
    objects: dict[str, Array] = {}
    for argument in pair.function["arguments"]:
        if argument["direction"] == "out":
            objects[argument["name"]] = np.full(count(argument), GUARD, dtype)
        else:
            kind = np.intc if argument["type"] == "int" else dtype
            objects[argument["name"]] = values(argument).astype(kind)
    if alias:
        objects.update({output: objects[given] for output, given in pair.alias.items()})
    passed = [
        BY_VALUE[a["type"]](objects[a["name"]][0])
        if a["pass"] == "value"
        else ctypes.c_void_p(objects[a["name"]].ctypes.data)
        for a in pair.function["arguments"]
    ]
    status = getattr(binary, pair.function["symbol"])(*passed)
    directions = {a["name"]: a["direction"] for a in pair.function["arguments"]}
    outputs = {name: o for name, o in objects.items() if directions[name] != "in"}
    inputs = {name: o for name, o in objects.items() if directions[name] == "in"}
    return status if pair.function["returns"] == "status" else 0, outputs, inputs


@pytest.mark.parametrize("pair", [*PAIRS, *UPDATES], ids=str)
def test_an_output_may_be_an_input(binary: ctypes.CDLL, pair: Pair) -> None:
    status, apart, untouched = call(binary, pair, alias=False)
    aliased_status, together, rest = call(binary, pair, alias=True)
    assert aliased_status == status
    for name, expected in apart.items():
        assert together[name].tobytes() == expected.tobytes(), name
    for name in untouched.keys() - pair.alias.values():
        assert rest[name].tobytes() == untouched[name].tobytes(), name


def test_inputs_reach_the_arithmetic(binary: ctypes.CDLL) -> None:
    """Most functions that can fail succeed on these numbers: they are tested beyond their guards."""
    fallible = [pair for pair in PAIRS if pair.function["returns"] == "status"]
    succeeded = [pair for pair in fallible if call(binary, pair, alias=False)[0] == 0]
    assert len(succeeded) > 0.8 * len(fallible)


def test_every_output_is_written(binary: ctypes.CDLL) -> None:
    """Every scalar of an output is written, without which the comparison would be meaningless."""
    for pair in PAIRS:
        for name, output in call(binary, pair, alias=False)[1].items():
            assert not (output == GUARD).any(), (str(pair), name)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_there_are_many_pairs(precision: str) -> None:
    assert len([pair for pair in PAIRS if pair.function["precision"] == precision]) >= 40
    assert any(pair.function["precision"] == precision for pair in UPDATES)
