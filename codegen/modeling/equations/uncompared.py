"""What is said of equations that nothing compares with the code: in a note, in the header and on the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from codegen.errors import FeatherError
from codegen.ir.domain import members_of
from codegen.modeling.equations.partly import Partly, partly_stated
from codegen.modeling.equations.textbook import equation_condition, is_notation, unevaluated
from codegen.modeling.equations.unread import unread
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.prose import listed
from codegen.notation.reader import read


def uncompared(subject: Kernel | Routine) -> str:
    """What header and page say of an equation that nothing compares; empty where it is compared."""
    if isinstance(subject, Routine):
        return (
            "The equation is stated, not compared: the loops are written by hand. featherc verify compares "
            "their results with answers that are known."
        )
    partly = partly_stated(subject)
    if partly is not None:
        return f"The equation is compared with the formula, except for {_omitted(partly)}."
    reason = why_uncompared(subject) if subject.equation and subject.outputs else ""
    if reason and not is_notation(subject.equation):
        reason = _misspelt(subject) or "it is in words"
    if reason:
        return f"The equation is stated, not compared with the formula: {reason}."
    idle = _idle(subject)
    return f"What the equation says of {idle}." if idle else ""


def misread_equations(kernels: Iterable[Kernel]) -> Iterator[str]:
    """For each kernel whose equations are written as such, but do not give its results: why not."""
    for kernel in kernels:
        partly = partly_stated(kernel) if kernel.outputs else None
        if partly is not None:
            yield f"{kernel.name}: its equation is compared with the formula, except for {_omitted(partly)}"
        elif kernel.outputs:
            reason = why_uncompared(kernel) if is_notation(kernel.equation) else _misspelt(kernel)
            if reason:
                yield f"{kernel.name}: its equation is not compared with the formula: {reason}"
            elif idle := _idle(kernel):
                yield f"{kernel.name}: what its equation says of {idle}"


def why_uncompared(kernel: Kernel) -> str:
    """Why a kernel's equation is not compared with its formula; empty where it is."""
    return "" if equation_condition(kernel) is not None else unevaluated(kernel)


def _omitted(partly: Partly) -> str:
    """The results that an equation does not give, each with the reason."""
    return "; ".join(
        f"{name} ({reason.removeprefix(f'{name}: ')})" for name, reason in partly.reasons.items()
    )


def _idle(kernel: Kernel) -> str:
    """What is said of names that an equation defines and no result needs; empty where there are none."""
    names = unread(kernel) if kernel.outputs else []
    if not names:
        return ""
    return f"{listed(names)} is stated, not compared with the formula: no result depends on it"


def _misspelt(kernel: Kernel) -> str:
    """Why a text that begins like the equation of a result cannot be read; empty where it is in words."""
    rates = kernel.block.rates.outputs if kernel.block and kernel.block.rates else ()
    members = (m for a in kernel.outputs for m in members_of(a))
    names = "|".join(a.name for a in (*kernel.outputs, *members, *rates))
    if not re.search(rf"(^|[;\n])\s*({names})'?\s*=", kernel.equation):
        return ""
    try:
        read(kernel.equation)
    except FeatherError as error:
        return str(error)
    return ""
