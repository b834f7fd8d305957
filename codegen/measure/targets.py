"""The targets of cost measurements, and the tools that are installed for them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from codegen.errors import FeatherError

OPTIMISED = ("-std=c99", "-O2", "-ffp-contract=fast", "-fno-ipa-icf")
"""Compiler flags; without the last, gcc replaces one of two equal functions by a jump to the other."""


@dataclass(frozen=True)
class Target:
    """A machine: the prefix of its tools, the compiler's flags, QEMU's board, llvm-mca's options."""

    name: str
    meaning: str
    tools: str
    flags: tuple[str, ...]
    board: str = ""
    scheduling: tuple[str, ...] = ()

    @property
    def compiler(self) -> str:
        """The compiler's name."""
        return f"{self.tools}gcc"

    @property
    def objdump(self) -> str:
        """The disassembler's name."""
        return f"{self.tools}objdump"


def _cortex(core: str, *flags: str) -> tuple[str, ...]:
    return ("-mthumb", f"-mcpu=cortex-{core}", *flags)


_SINGLE = ("-mfpu=fpv4-sp-d16", "-mfloat-abi=hard")
_DOUBLE = ("-mfpu=fpv5-d16", "-mfloat-abi=hard")

TARGETS = {
    t.name: t
    for t in (
        Target("m0plus", "Cortex-M0+", "arm-none-eabi-", _cortex("m0plus", "-mfloat-abi=soft")),
        Target(
            "m4f", "Cortex-M4F", "arm-none-eabi-", _cortex("m4", *_SINGLE), "mps2-an386",
            ("-mtriple=thumbv7em-none-eabihf", "-mcpu=cortex-m4"),
        ),
        Target(
            "m7", "Cortex-M7", "arm-none-eabi-", _cortex("m7", *_DOUBLE), "mps2-an500",
            ("-mtriple=thumbv7em-none-eabihf", "-mcpu=cortex-m7"),
        ),
        Target("host", "this machine", "", ()),
    )
}  # fmt: skip


def chosen(names: Iterable[str]) -> list[Target]:
    """The targets of these names, which may hold several each, with commas; all of them without names.

    FeatherError for an unknown target.
    """
    wanted = list(dict.fromkeys(name for several in names for name in several.split(","))) or list(TARGETS)
    unknown = [name for name in wanted if name not in TARGETS]
    if unknown:
        raise FeatherError(f"there is no target {unknown[0]!r}; choose among {', '.join(TARGETS)}")
    return [TARGETS[name] for name in wanted]


EMULATOR, SCHEDULER = "qemu-system-arm", "llvm-mca"
_PACKAGES = {
    "arm-none-eabi-gcc": "gcc-arm-none-eabi",
    "arm-none-eabi-objdump": "binutils-arm-none-eabi",
    "gcc": "gcc",
    "objdump": "binutils",
    EMULATOR: "qemu-system-arm",
    SCHEDULER: "llvm",
}


@dataclass(frozen=True)
class Lack:
    """A column that cannot be measured, and the reason."""

    target: str
    columns: str
    why: str


def compilable(target: Target) -> bool:
    """Whether there are a compiler, its C library and a disassembler."""
    return not list(_lacks_compiler(target))


def emulated(target: Target) -> bool:
    """Whether the target's programs can be run in QEMU."""
    return bool(target.board) and shutil.which(EMULATOR) is not None and compilable(target)


def scheduled(target: Target) -> bool:
    """Whether llvm-mca can estimate the target's cycles."""
    return bool(target.scheduling) and shutil.which(SCHEDULER) is not None and compilable(target)


def lacks(targets: Sequence[Target], run: bool) -> list[Lack]:
    """The quantities that cannot be measured here; with `run`, executed instructions are included."""
    found: list[Lack] = []
    for target in targets:
        reasons = list(_lacks_compiler(target))
        found += [Lack(target.name, "instructions, flash, stack", why) for why in reasons[:1]]
        if not reasons and target.scheduling and not scheduled(target):
            found.append(Lack(target.name, "cycles", _not_installed(SCHEDULER)))
        if not reasons and run and target.board and not emulated(target):
            found.append(Lack(target.name, "executed", _not_installed(EMULATOR)))
    return found


def _lacks_compiler(target: Target) -> Iterator[str]:
    for program in (target.compiler, target.objdump):
        if shutil.which(program) is None:
            yield _not_installed(program)
            return
    if target.tools:
        library = subprocess.run(
            [target.compiler, "-print-file-name=libm.a"], capture_output=True, text=True, check=False
        )
        if "/" not in library.stdout.replace("\\", "/"):
            yield "its C library is not installed (Debian: libnewlib-arm-none-eabi)"


def _not_installed(program: str) -> str:
    return f"{program} is not installed (Debian: {_PACKAGES[program]})"
