"""What SymForce generated and PX4 keeps: C++ templates over a scalar, as C functions over arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

GENERATED = ("python/ekf_derivation/generated", "yaw_estimator/derivation/generated")
SCALARS = {"float": "f", "double": "", "long double": "l"}
"""The types in C, and the last letter of their functions of libm."""

_HEAD = re.compile(
    r"template <typename Scalar>\s+(?P<returns>void|Scalar|matrix::[^\n]*?>)\s+\w+\((?P<given>.*?)\) \{"
)
_MATRIX = r"matrix::Matrix<Scalar, (\d+), (\d+)>"
_LEAST = "static Scalar least(Scalar a, Scalar b)\n{\n    return a < b ? a : b;\n}\n\n"


@dataclass(frozen=True)
class Argument:
    """An input or result: its name and extents, (1, 1) for a scalar."""

    name: str
    rows: int
    columns: int

    @property
    def scalar(self) -> bool:
        """Whether it is no matrix."""
        return self.rows * self.columns == 1


@dataclass(frozen=True)
class Function:
    """A function of PX4: the inputs, the results, and the statements with `Scalar` for the type."""

    name: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    body: str

    def c(self, scalar: str, symbol: str) -> str:
        """The definition for a type: scalars by value, matrices as arrays, results by pointer, none null."""
        text = re.sub(r"std::(\w+)", rf"\1{SCALARS[scalar]}", self.body)
        text = re.sub(r"\bScalar\(", "(Scalar)(", text)
        given = [f"const Scalar {'' if a.scalar else '*'}{a.name}" for a in self.inputs]
        given += [f"Scalar *{a.name}" for a in self.outputs]
        head = f"void {symbol}({', '.join(given)})"
        text = f"{_LEAST if 'least(' in text else ''}{head};\n\n{head}\n{{\n{text}}}\n"
        return "#include <math.h>\n#include <string.h>\n\n" + re.sub(r"\bScalar\b", scalar, text)


def functions(ekf: Path) -> dict[str, Function]:
    """The functions by their names in the derivations, from PX4's folder of EKF2."""
    found = {}
    for header in sorted(p for place in GENERATED for p in (ekf / place).glob("*.h")):
        text = header.read_text()
        name = re.search(r"Symbolic function: (\w+)", text)
        if name:
            found[name[1]] = _function(name[1], text)
    return found


def _function(name: str, text: str) -> Function:
    head = re.search(_HEAD.pattern, text, re.DOTALL)
    assert head, f"{name} is no template over Scalar"
    inputs: list[Argument] = []
    outputs: list[Argument] = []
    for given in re.split(r",(?![^<]*>)", head["given"]):
        if given.strip():
            (outputs if re.search(r"\* const", given) else inputs).append(_argument(given))
    body = text[head.end() : text.index("}  // NOLINT", head.end())]
    if head["returns"] != "void":
        outputs.append(_argument(f"{head['returns']} res"))
    return Function(name, tuple(inputs), tuple(outputs), "".join(_statements(body, [*inputs, *outputs])))


def _argument(declaration: str) -> Argument:
    name = re.search(r"(\w+)(?: = nullptr)?$", declaration.strip())
    extents = re.search(_MATRIX, declaration)
    assert name
    return Argument(name[1], *(map(int, extents.groups()) if extents else (1, 1)))


def _element(of: Argument, found: re.Match[str]) -> str:
    return f"{of.name}[{int(found[1]) * of.columns + int(found[2])}]"


def _statements(body: str, arguments: list[Argument]) -> Iterator[str]:
    """The statements: elements by one index, zeros by memset as PX4 does, and no tests for null pointers."""
    text = re.sub(r"//[^\n]*", "", body)
    text = re.sub(r"if \(\w+ != nullptr\) \{(.*?)\n  \}", r"\1", text, flags=re.DOTALL)
    text = re.sub(rf"(?:{_MATRIX}|Scalar)& \w+ = \(\*\w+\);|{_MATRIX} _res;|return _res;", "", text)
    text = text.replace("math::min<Scalar>", "least")
    for a in arguments:
        own = rf"\b(?:_{a.name.lower()}|{a.name})"
        text = re.sub(
            rf"{own}\.setZero\(\);", f"memset({a.name}, 0, {a.rows * a.columns} * sizeof(Scalar));", text
        )
        if not a.scalar:
            text = re.sub(rf"{own}\((\d+), (\d+)\)", partial(_element, a), text)
        else:
            text = re.sub(rf"\b_{a.name.lower()}\b", f"{a.name}[0]", text)
    yield from (f"    {' '.join(part.split())};\n" for part in text.split(";") if part.strip())
