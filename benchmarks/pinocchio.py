"""Candidates of the library Pinocchio: its functions on its own objects, compared in time only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.calls import objects
from benchmarks.candidates import Candidate, Found
from benchmarks.newton_euler import GRAVITY, JOINTS
from benchmarks.peers import HERE, Unavailable, environment
from benchmarks.problems import Problem
from codegen.errors import FeatherError
from codegen.ir.systems import PRECISIONS
from codegen.verify.native import run_compiler

REQUIREMENTS = ("pin==4.1.0", "cmeel-eigen==3.4.1")
"""The wheel of Pinocchio has its headers and Boost's, but not Eigen's."""

SOURCE = HERE / "pinocchio.cpp"
NAMED = re.compile(r"^(?:KERNEL\(|// KERNEL )(\w+)", re.MULTILINE)
"""How the source says what it has."""


def found(problems: Sequence[Problem], place: Path) -> Found:
    """The functions of pinocchio.cpp, in each precision."""
    flags = compiler_flags()
    text = SOURCE.read_text()
    sources = {p: place / f"pinocchio_{p}.cpp" for p in PRECISIONS}
    for name, source in sources.items():
        source.write_text(_defines(name) + text)
    try:
        run_compiler(["g++", *flags, "-fsyntax-only", str(sources["f64"])])
    except FeatherError as error:
        raise Unavailable(str(error)) from None
    known = set(NAMED.findall(text))
    candidates = [
        Candidate(problem, "pin", "expert", sources, _symbols(problem), objects, flags=flags)
        for problem in problems
        if problem.kernel.name in known
    ]
    return Found(REQUIREMENTS[0].partition("==")[2], candidates)


def compiler_flags() -> tuple[str, ...]:
    """Flags with which a source that includes Pinocchio's headers is compiled."""
    headers = _headers()
    return "-std=c++17", "-DNDEBUG", f"-isystem{headers}", f"-isystem{headers / 'eigen3'}"


def _headers() -> Path:
    """Where the wheels have put them."""
    installed = environment("pin", REQUIREMENTS).parent.parent
    found = next(installed.glob("lib/*/site-packages/cmeel.prefix/include"), None)
    if found is None:
        raise Unavailable("its wheel has no headers here")
    return found


def _symbols(problem: Problem) -> dict[str, str]:
    return {p: f"pin_{problem.kernel.name}_{p}" for p in PRECISIONS}


def _defines(precision: str) -> str:
    """What the source leaves open: the scalar, the names, and the UR5."""
    joints = ", ".join(f"{{{turn}, {', '.join(place)}}}" for turn, place in JOINTS)
    return (
        f"#define REAL {PRECISIONS[precision].ctype}\n#define NAME(f, part) pin_##f##_{precision}##part\n"
        f"#define GRAVITY {GRAVITY}\n#define JOINTS {{{joints}}}\n"
    )
