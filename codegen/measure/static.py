"""Measures compiled code: static instructions, flash and stack of each function."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from codegen.measure.targets import OPTIMISED, Target
from codegen.verify.native import run_compiler

_APART = ("-ffunction-sections", "-fdata-sections")


@dataclass(frozen=True)
class Static:
    """A compiled function: its instructions, its bytes of code and constants, and the bytes of its frame.

    Constants include the tables that it reads, each function all of a table that several read. Called
    functions are not included; `stack` is None where the compiler does not report it.
    """

    instructions: int
    flash: int
    stack: int | None


def assembly(
    sources: Sequence[Path],
    include: Path,
    target: Target,
    place: Path,
    flags: Sequence[str] = OPTIMISED,
    seconds: int | None = None,
) -> list[Path]:
    """Compile the sources into assembly in `place`, each function and table in a section of its own.

    FeatherError when the compiler takes more than so many seconds of the processor for a source.
    """
    place.mkdir(parents=True, exist_ok=True)
    options = [*target.flags, *flags, *_APART, "-fstack-usage", f"-I{include}"]
    assembled = []
    for source in sources:
        out = place / f"{source.stem}.s"
        run_compiler([target.compiler, *options, "-S", str(source), "-o", str(out)], seconds)
        assembled.append(out)
    return assembled


def static(assembled: Sequence[Path], target: Target) -> dict[str, Static]:
    """Each function of the assembly files by its symbol."""
    found: dict[str, Static] = {}
    for source in assembled:
        code = source.with_suffix(".o")
        run_compiler([target.compiler, *target.flags, "-c", str(source), "-o", str(code)])
        sizes = _sizes(_dump(target, "-h", code), _dump(target, "-r", code))
        stacks = _stacks(source.with_suffix(".su"))
        for symbol, count in _instructions(_dump(target, "-d", code)).items():
            found[symbol] = Static(count, sizes[symbol], stacks.get(symbol))
    return found


def _dump(target: Target, what: str, code: Path) -> str:
    command = [target.objdump, what, "--no-show-raw-insn", str(code)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _instructions(listing: str) -> Counter[str]:
    """The number of instructions in each function's disassembly, without the constants between them."""
    counts: Counter[str] = Counter()
    symbol = ""
    for line in listing.splitlines():
        head = re.match(r"[0-9a-f]+ <([\w.]+)>:", line)
        if head:
            symbol = head[1].partition(".")[0]  # a part that was split off is named f.cold or f.part.0
        elif re.match(r"\s+[0-9a-f]+:\s+\S", line) and not re.search(r":\s+(?:\.word|\.short|nop)\b", line):
            counts[symbol] += 1
    return counts


def _sizes(headers: str, relocations: str) -> Counter[str]:
    """The bytes of each function's sections, and of the tables that its code refers to."""
    sections = re.findall(r"^\s*\d+ (\.(?:text|rodata)\.\S+)\s+([0-9a-f]+)", headers, re.MULTILINE)
    bytes_ = {name: int(size, 16) for name, size in sections}
    sizes: Counter[str] = Counter()
    for name, size in bytes_.items():
        sizes[_owner(name)] += size
    for symbol, tables in _tables(relocations).items():
        sizes[symbol] += sum(bytes_[name] for name in tables if _owner(name) != symbol)
    return sizes


def _tables(relocations: str) -> dict[str, set[str]]:
    """The sections of constants that the code of each function refers to."""
    found: dict[str, set[str]] = {}
    for records in relocations.split("RELOCATION RECORDS FOR ")[1:]:
        code, _, rows = records.removeprefix("[").partition("]:")
        if code.startswith(".text."):
            referred = re.findall(r" (\.rodata\.[\w.]+)", rows)
            found.setdefault(_owner(code), set()).update(referred)
    return found


def _owner(section: str) -> str:
    """The function or table of a section: `.text.f`, `.text.unlikely.f`, `.rodata.f.cst8`."""
    name = section.removeprefix(".text.").removeprefix(".rodata.")
    return re.sub(r"^(?:unlikely|hot|startup)\.", "", name).partition(".")[0]


def _stacks(usage: Path) -> dict[str, int]:
    """The bytes of each function's frame, as gcc's -fstack-usage writes them; of a clone its original's."""
    if not usage.is_file():
        return {}
    rows = [line.split("\t") for line in usage.read_text().splitlines()]
    return {where.rpartition(":")[2].partition(".")[0]: int(size) for where, size, _ in rows}
