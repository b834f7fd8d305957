"""What a user chooses about the generated tree."""

from __future__ import annotations

from dataclasses import dataclass

from codegen.errors import FeatherError
from codegen.names import check_name
from codegen.systems import PRECISIONS, Precision

LAYOUTS = ("library", "header-only")
INTERFACES = ("struct", "array")


@dataclass(frozen=True)
class Options:
    """How C is laid out. FeatherError when a choice is not one of those there are."""

    prefix: str = "fc_"
    precisions: tuple[str, ...] = ("f64", "f32")
    layout: str = "library"
    interface: str = "struct"
    checks: bool = True
    license: str = "MIT-0"

    def __post_init__(self) -> None:
        check_name(self.prefix.rstrip("_") or self.prefix, "prefix")
        for value, choices, what in (
            (self.layout, LAYOUTS, "layout"),
            (self.interface, INTERFACES, "interface"),
            *((p, tuple(PRECISIONS), "precision") for p in self.precisions),
        ):
            if value not in choices:
                raise FeatherError(f"there is no {what} {value!r}; choose {' or '.join(choices)}")
        if not self.precisions or len(set(self.precisions)) < len(self.precisions):
            raise FeatherError("precisions must be f64, f32 or both, each once")
        if "\n" in self.license or "*/" in self.license:
            raise FeatherError("the license must be a one-line SPDX expression")

    @property
    def formats(self) -> list[Precision]:
        """The floating-point formats to generate."""
        return [PRECISIONS[name] for name in self.precisions]

    @property
    def name(self) -> str:
        """The library's name: the prefix without its underscore."""
        return self.prefix.rstrip("_")
