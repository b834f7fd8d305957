"""Which quantities of a robot its functions take at run time."""

from __future__ import annotations

from dataclasses import dataclass

from codegen.mechanisms.description.written import check_listed


@dataclass(frozen=True)
class Inputs:
    """What the functions of a robot take as arguments besides its motion.

    `gravity` is a vector then. `forces` are the links on which an external wrench acts, `payloads` those to
    which an inertia is added, and `inertias` those whose own inertia is an argument. `contacts` are the links
    whose origins touch the ground. A link that is named twice counts once.
    """

    gravity: bool = False
    forces: tuple[str, ...] = ()
    payloads: tuple[str, ...] = ()
    inertias: tuple[str, ...] = ()
    contacts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for what in ("forces", "payloads", "inertias", "contacts"):
            check_listed(what, getattr(self, what))
            object.__setattr__(self, what, tuple(dict.fromkeys(getattr(self, what))))

    @property
    def links(self) -> tuple[str, ...]:
        """The links that have arguments of their own."""
        return (*self.forces, *self.payloads, *self.inertias, *self.contacts)
