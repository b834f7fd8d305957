"""The options of a generated tree."""

from __future__ import annotations

import re
from dataclasses import dataclass

from codegen.errors import FeatherError
from codegen.ir.systems import PRECISIONS, Precision
from codegen.modeling.names import LONGEST_PREFIX, check_length, check_name

LAYOUTS = ("library", "header-only")
INTERFACES = ("struct", "array")
AUTO, LIBRARY, PAIRS = SINCOS = ("auto", "libm", "pairs")
"""Where sines and cosines come from: <math.h>, or a generated function for both of one angle.

By default the functions of robots have the generated one.
"""

_CMAKE = ("m", "all", "clean", "help", "install", "package", "test")
"""Names that are reserved in CMake, so that no target can have them; a prefix names its target."""


@dataclass(frozen=True)
class Options:
    """The options of a generated tree. FeatherError when a value is invalid."""

    prefix: str = "fc_"
    precisions: tuple[str, ...] = ("f64", "f32")
    layout: str = "library"
    interface: str = "struct"
    checks: bool = True
    no_alias: bool = False
    sincos: str = AUTO
    license: str = "MIT-0"
    gitattributes: bool = False
    trace: bool = False

    def __post_init__(self) -> None:
        name = check_name(self.name or self.prefix, "prefix")
        if check_length(name, "prefix", LONGEST_PREFIX) in _CMAKE:
            raise FeatherError(f"{self.prefix!r} cannot name a prefix: CMake uses it; choose another name")
        for value, choices, what in (
            (self.layout, LAYOUTS, "layout"),
            (self.interface, INTERFACES, "interface"),
            (self.sincos, SINCOS, "sincos"),
            *((p, tuple(PRECISIONS), "precision") for p in self.precisions),
        ):
            if value not in choices:
                raise FeatherError(f"there is no {what} {value!r}; choose {' or '.join(choices)}")
        if not self.precisions or len(set(self.precisions)) < len(self.precisions):
            raise FeatherError("precisions must be f64, f32 or both, each once")
        if not re.fullmatch(r"[\w.+:() -]+", self.license, re.ASCII):
            raise FeatherError(
                "the license must be an SPDX expression such as 'MIT-0' or 'MIT OR Apache-2.0'"
            )

    @property
    def restrict(self) -> str:
        """The macro for restrict in parameters; empty where an output may be the same object as an input."""
        return f"{self.prefix.upper()}RESTRICT" if self.no_alias else ""

    @property
    def formats(self) -> list[Precision]:
        """The floating-point formats to generate."""
        return [PRECISIONS[name] for name in self.precisions]

    @property
    def name(self) -> str:
        """The library's name: the prefix without its underscore."""
        return self.prefix.removesuffix("_")
