"""A limit of flash, and the fastest forms of functions that together are within it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from codegen.errors import FeatherError
from codegen.mechanisms.kernels.forms import Form, kilobytes

_UNITS = {"": 1, "K": 1024, "M": 1024 * 1024}

_MOST_DIGITS = 18
"""Limit on the digits of an amount of flash; Python reads no number of thousands of them."""


def flash_limit(text: str) -> int:
    """The bytes of a text such as 32K or 20000; FeatherError for another text."""
    digits = text.strip().upper().removesuffix("B")
    unit = digits[-1:] if digits[-1:] in _UNITS else ""
    number = digits.removesuffix(unit).strip()
    is_number = number.isascii() and number.isdigit() and len(number) <= _MOST_DIGITS
    if not (is_number and int(number)):
        shown = repr(text[:_MOST_DIGITS])
        raise FeatherError(f"{shown} is no amount of flash: state bytes, as 20000, or 32K for 32768 of them")
    return int(number) * _UNITS[unit]


def within(limit: int, choices: Mapping[str, Sequence[Form]]) -> dict[str, Form]:
    """For each function one of its forms, with the fewest operations that fit together; else FeatherError.

    The first form of each is taken where it fits. A function counts with one call.
    """
    best: tuple[float, int, float] | None = None
    found: tuple[Form, ...] = ()
    for forms in product(*choices.values()):
        flash = sum(form.size.flash for form in forms)
        firsts = [own[0] for own in choices.values()]
        added = sum(map(_added, forms, firsts))
        changed = sum(form is not first for form, first in zip(forms, firsts, strict=True))
        if flash <= limit and (best is None or (added, changed, flash) < best):
            best, found = (added, changed, flash), forms
    if best is None:
        raise FeatherError(_refusal(limit, choices))
    return dict(zip(choices, found, strict=True))


def _added(form: Form, first: Form) -> float:
    return max(0.0, form.size.work - first.size.work)


def _refusal(limit: int, choices: Mapping[str, Sequence[Form]]) -> str:
    least = {name: min(form.size.flash for form in own) for name, own in choices.items()}
    largest = max(least, key=least.__getitem__)
    return (
        f"the functions take about {kilobytes(sum(least.values()))} of flash on a Cortex-M4F in float at "
        f"least, more than {limit} bytes: leave out functions, of which {largest} is largest with "
        f"{kilobytes(least[largest])}, or allow more"
    )
