"""Names for values that the formula does not name: from the operation and the names of its operands.

The names are such as an engineer writes: `twice_x`, `one_minus_x`, `inv_n`, or `w_xy` for the product of w_x
and w_y. A value whose name would be too long or could mean another value, or that has an operand without a
name, gets none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from codegen.ir.operations import LIBM, Op
from codegen.ir.program import Program, conjuncts
from codegen.ir.status import Status

LONGEST = 28
"""The length of the longest name that is made."""

_NUMBERED = re.compile(r"t\d+")
_LETTER = re.compile(r"(\w+_)([0-9a-z])")
"""The component of a vector or quaternion: w_B_x."""

GUARDS: Mapping[Status, str] = {
    Status.NOT_FINITE: "all_finite",
    Status.MASS: "has_mass",
    Status.SINGULAR: "regular",
    Status.NOT_PHYSICAL: "physical",
    Status.GIMBAL_LOCK: "off_lock",
    Status.ZERO_NORM: "has_norm",
    Status.DEGENERATE: "distinct",
    Status.NOT_CONVERGED: "converged",
    Status.OUTSIDE: "inside",
}
"""The name of the condition under which a flag is not raised."""

Word = Callable[[int], str]
"""The name of a node, empty if it has none."""


def made_name(program: Program, i: int, word: Word) -> str:
    """A name for node i from its operation and operands; empty if there is none."""
    op, args, _ = program.nodes[i]
    if op in (Op.AND, Op.OR):
        return _guard(program, i)
    if op is Op.ENTRY:
        array, _, offset = (program.nodes[a] for a in args)
        about = array if array.op is Op.ARRAY else program.nodes[array.args[0]]
        return f"{about.value}_{offset.value}"
    words = _operands(program, args, word) if op in _RULES else []
    if not words or (op not in _CONDITIONS and any(map(_SUM.search, words[_SUMS_IN_SUMS.get(op, 0) :]))):
        return ""
    found = _RULES[op](*words)
    return found if len(found) <= LONGEST else ""


_SUM = re.compile(r"_(plus|minus)_")
"""In the name of a sum or difference, which is in no other name: c_minus_a_minus_b could be (c - a) - b."""

_SUMS_IN_SUMS: Mapping[Op, int] = {Op.ADD: 2, Op.SUB: 1}
"""How many operands may be sums themselves: a_minus_b_plus_c is the sum of a - b and c."""

_CONDITIONS = (Op.LT, Op.LE, Op.NOT)


def _operands(program: Program, args: Sequence[int], word: Word) -> list[str]:
    """The word for each operand: its name, a number, or an empty string; at least two of them."""
    words = [_number(program, a) or word(a) or word(_magnitude(program, a)) for a in args]
    plain = ["" if _NUMBERED.fullmatch(w) else w for w in words]
    return [*plain, ""][: max(2, len(args))]


def _magnitude(program: Program, i: int) -> int:
    """The node whose absolute value node i is, or itself."""
    return program.nodes[i].args[0] if program.nodes[i].op is Op.ABS else i


_NUMBERS = {Fraction(0): "0", Fraction(1): "1", Fraction(2): "2", Fraction(1, 2): "1/2"}


def _number(program: Program, i: int) -> str:
    """The word for a constant that occurs in names: 0, 1, 2, 1/2, and the ends of the precision's range."""
    value = program.nodes[i].value
    if program.nodes[i].op is not Op.CONSTANT or not isinstance(value, Fraction):
        return ""
    if value in _NUMBERS:
        return _NUMBERS[value]
    return "MIN" if 0 < value < Fraction(1, 2**100) else "MAX" if value > 2**100 else ""


def _is_number(word: str) -> bool:
    return word in ("0", "1", "2", "1/2", "MIN", "MAX")


def _joined(a: str, middle: str, b: str) -> str:
    return f"{a}{middle}{b}" if a and b and not (_is_number(a) or _is_number(b)) else ""


def _sum(a: str, b: str) -> str:
    if a == b:
        return f"twice_{a}" if a and not _SUM.search(a) else ""
    if "1" in (a, b):
        return _with_one(b if a == "1" else a, "{}_plus_1")
    return _joined(a, "_plus_", b)


def _with_one(other: str, pattern: str) -> str:
    return pattern.format(other) if other and not _is_number(other) else ""


def _difference(a: str, b: str) -> str:
    if a == "1":
        return _with_one(b, "one_minus_{}")
    return _with_one(a, "{}_minus_1") if b == "1" else _joined(a, "_minus_", b)


def _product(a: str, b: str) -> str:
    for number, pattern in (("2", "twice_{}"), ("1/2", "half_{}")):
        if number in (a, b):
            return _with_one(b if a == number else a, pattern)
    left, right = _LETTER.fullmatch(a), _LETTER.fullmatch(b)
    if left and right and left[1] == right[1]:
        return f"{left[1]}{left[2]}{right[2]}"
    return f"{a}_sq" if a == b and a else _joined(a, "_", b)


def _quotient(a: str, b: str) -> str:
    if a == "1":
        return _with_one(b, "inv_{}")
    return _with_one(a, "half_{}") if b == "2" else _joined(a, "_over_", b)


def _choice(condition: str, a: str, b: str) -> str:
    if b in ("0", "1") and a:
        return _with_one(a, f"{{}}_or_{b}")
    return _joined(a, "_or_", b)


def _below(a: str, b: str) -> str:
    if a in ("0", "MIN"):
        return _with_one(b, "{}_is_positive" if a == "0" else "{}_is_normal")
    if b == "MAX":
        return _with_one(a, "{}_is_finite")
    return _with_one(a, "{}_is_negative") if b == "0" else _joined(a, "_below_", b)


def _at_most(a: str, b: str) -> str:
    if a == "0":
        return _with_one(b, "{}_is_not_negative")
    return _below(a, b)


def _prefixed(word: str) -> Callable[[str, str], str]:
    return lambda a, _: _with_one(a, word + "_{}")


_RULES: Mapping[Op, Callable[..., str]] = {
    Op.ADD: _sum,
    Op.SUB: _difference,
    Op.MUL: _product,
    Op.DIV: _quotient,
    Op.SELECT: _choice,
    Op.LT: _below,
    Op.LE: _at_most,
    Op.NEG: _prefixed("minus"),
    Op.NOT: _prefixed("not"),
    Op.ABS: _prefixed("abs"),
    Op.SQRT: _prefixed("root"),
    Op.MIN: lambda a, b: _joined(a, "_min_", b),
    Op.MAX: lambda a, b: _joined(a, "_max_", b),
    Op.CELL: lambda _, x: _with_one(x, "{}_cell"),
    Op.STEP: lambda x, _: _with_one(x, "{}_cell"),
    **{op: _prefixed(op.label) for op in LIBM - {Op.ATAN2}},
}


def _guard(program: Program, i: int) -> str:
    """The name of a condition that is a part of the status: that of its flag, or `ok` for several flags."""
    parts = set(conjuncts(program, i))
    of: dict[Status, set[int]] = {}
    for node, flag in program.status:
        of.setdefault(flag, set()).update(conjuncts(program, node))
    for flag, all_of_it in of.items():
        if parts <= all_of_it:
            return GUARDS.get(flag, "ok")  # code that was read may have flags of its own
    return "ok" if of and parts <= set().union(*of.values()) else ""
