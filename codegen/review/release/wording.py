"""Grades what the documentation of a function or header says otherwise: contract, documentation or wording.

The code does not tell which of two sentences is meant. Only where words without a meaning of their own
differ, such as articles, it is the wording; else facts tell how far the statement reaches: formulas, numbers,
names, units, frames, and words that turn a statement into its opposite.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import partial

from codegen.review.diff.callers.documentation import (
    FRAMES,
    ORDER,
    Difference,
    contract_differences,
    declared_names,
    is_capacity,
    is_direction,
    manifest_differences,
)
from codegen.review.diff.callers.headers import header_differences
from codegen.review.diff.changes import Change
from codegen.review.diff.compare import Both
from codegen.review.diff.declared import PRECONDITION, is_kind
from codegen.review.rules import RULES, Rule

_CONTRACT, _DOCUMENTATION, _WORDING = (RULES[name] for name in ("contract", "documentation", "wording"))


def contract_rule(change: Change, trees: Both) -> Rule:
    """The rule for a change of the class *contract*, of a function or of a header."""
    old, new = trees.sources
    if change.symbol != change.path:
        said = contract_differences(change.symbol, old, new)
        names = {*declared_names(change.symbol, old)} & {*declared_names(change.symbol, new)}
        rule = partial(_of_function, names=names)
        return _worst(map(rule, [*said, *manifest_differences(change.symbol, old, new)]))
    return _worst(map(_of_header, header_differences(change.path, trees.old, trees.new, trees.sources)))


def _worst(rules: Iterable[Rule]) -> Rule:
    """The rule with the largest bump; contract where nothing is known to differ."""
    return max(rules, key=lambda rule: rule.bump, default=_CONTRACT)


def _of_function(said: Difference, names: Collection[str]) -> Rule:
    """The rule for what is said of a function with arguments of these names."""
    if _reworded(said):
        return _WORDING
    if is_kind(said.what) or is_direction(said.what) or said.what in (ORDER, FRAMES):
        return _CONTRACT
    if said.what in ("@pre", PRECONDITION):
        return _DOCUMENTATION if _clauses(said.new) <= _clauses(said.old) else _CONTRACT
    return (
        _CONTRACT if said.what.startswith("argument ") and _meant_otherwise(said, names) else _DOCUMENTATION
    )


def _of_header(said: Difference) -> Rule:
    if _reworded(said) or (is_capacity(said.what) and _of_number(said.old) == _of_number(said.new)):
        return _WORDING  # the name and the number of a capacity are compared as C
    return _CONTRACT if said.old and _stated_otherwise(said) else _DOCUMENTATION


def _reworded(said: Difference) -> bool:
    """Whether both texts have the same words in the same order, apart from empty ones; none is missing."""
    return bool(said.old and said.new) and _meaningful(said.old) == _meaningful(said.new)


def _of_number(text: str) -> list[str]:
    """What a text says of a number, which is no object that another may alias."""
    return [fact for fact in facts(text) if fact not in _ALIASING]


def _stated_otherwise(said: Difference) -> bool:
    """Whether more than words such as `not` or ordinary ones differ: a formula, a name, a unit, an order."""
    old, new = ([fact for fact in facts(text) if fact not in _LOGIC] for text in (said.old, said.new))
    return old != new or not said.new


def _meant_otherwise(said: Difference, names: Collection[str]) -> bool:
    """Whether the unit, a frame or a convention of an argument is another one, or is no longer stated."""
    if _UNIT.findall(said.old) not in ([], _UNIT.findall(said.new)):
        return True
    old, new = (list(_conventions(text, names)) for text in said[1:])
    left = iter(new)
    return not all(fact in left for fact in old)  # each of them, in this order


def _conventions(text: str, names: Collection[str]) -> Iterator[str]:
    """The frames and the words of conventions in a text, in their order.

    A capital letter that is the name of an argument is that argument, unless a word stands beside it that
    stands beside frames: in "gradient of 1/2 y.(N y), in N", the second N is a frame.
    """
    found = list(_words(text))
    for i, (word, plain) in enumerate(found):
        before, after = (found[k][0] if 0 <= k < len(found) else "" for k in (i - 1, i + 1))
        is_argument = word in names and not plain and before not in _BESIDE_FRAMES
        is_argument &= after not in _BESIDE_FRAMES
        if (_FRAME.fullmatch(word) and not is_argument) or word in _CONVENTIONS:
            yield word


_BESIDE = """
in to from into on at of by relative with respect frame frames axes axis origin and or the body coordinates
seen expressed resolved written
"""
_BESIDE_FRAMES = frozenset(_BESIDE.split())
_UNIT = re.compile(r"\[[^][]*\](?=[^][]*$)")
_FRAME = re.compile(r"[A-Z]|[A-Za-z]+(?:_[A-Z]{1,2})+")


def _clauses(precondition: str) -> set[tuple[str, ...]]:
    """The words of each condition; a precondition with fewer conditions demands less."""
    clauses = re.split(r";|, and |\.\s", precondition) if precondition else []
    return {tuple(_meaningful(clause)) for clause in clauses}


_TOKEN = re.compile(r"\w+(?:\.\d+)?|[^\w\s]")
_ORDINARY = re.compile(r"[a-z]{2,}")
_CAPITAL = re.compile(r"[A-Z][a-z]{2,}|It|Is|In|At|On|By|To|Of|If|An|As|Or|No|Be|Do|So")  # but not Nm or Rx
_PUNCTUATION = frozenset(',;"')
_OPERATORS = frozenset("=+*/^<>|~\N{MULTIPLICATION SIGN}\N{DOT OPERATOR}")
_LOGIC_WORDS = """
no not never none neither nor without except unless only must may cannot before after first last
above below over under void valid invalid
"""
_LOGIC = frozenset(_LOGIC_WORDS.split())
"""Words that turn a statement into its opposite, or restrict it."""

_CONVENTION_WORDS = """
negated negative positive inverse transpose transposed reversed clockwise counterclockwise anticlockwise
row rows column columns right forward backward north east south west active passive intrinsic extrinsic
inside outside degree degrees radian radians metre metres feet
roll pitch yaw angular linear rotational translational relative absolute body world inertial local global
"""
_ALIASING_WORDS = """
same another distinct overlap overlaps overlapping alias aliases aliased
"""
_ALIASING = frozenset(_ALIASING_WORDS.split())
_CONVENTIONS = frozenset(_CONVENTION_WORDS.split()) | _ALIASING
"""Words that name a unit, a direction, an order, a reference, a convention or a condition on aliases."""

_DECISIVE = _LOGIC | _CONVENTIONS


_FUNCTION_WORDS = """
a an the this that which of is are its
"""
_EMPTY = frozenset(_FUNCTION_WORDS.split())
"""Words without a meaning of order, direction, negation or condition: a text says the same without them."""


def facts(text: str) -> list[str]:
    """The formulas, numbers, names and units of a text in their order, and its decisive words."""
    return [word for word, plain in _words(text) if not plain or word in _DECISIVE]


def _meaningful(text: str) -> list[str]:
    """The words of a text in their order, without those that are empty."""
    return [word for word, plain in _words(text) if not (plain and word in _EMPTY)]


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """Words and signs of formulas, and whether it is a word of English, which is in small letters then."""
    found = list(_TOKEN.finditer(text))
    plain = [_is_plain(text, found, i) for i in range(len(found))]
    for i, token in enumerate(found):
        word = token[0]
        if word in _PUNCTUATION or _ends_sentence(text, token) or _is_joint(found, i):
            continue
        if word in "()" and any(plain[max(i - 1, 0) : i + 2]):
            continue
        yield word.lower() if plain[i] or word.lower() in _DECISIVE else word, plain[i]


def _is_plain(text: str, found: list[re.Match[str]], at: int) -> bool:
    """Whether a token is a word of English outside of formulas and units."""
    word = found[at][0]
    before = found[at - 1][0] if at else ""
    after = found[at + 1][0] if at + 1 < len(found) else ""
    begins = at == 0 or _ends_sentence(text, found[at - 1])
    if word == "s":  # the end of a genitive
        return before == "'"
    if word == "a" or (word == "A" and begins):  # an article, unless it is a name
        follows = begins or before in _PUNCTUATION or bool(_ENGLISH.fullmatch(before))
        return follows and bool(_ORDINARY.fullmatch(after)) and after not in _AFTER_NAMES
    if not (_ORDINARY.fullmatch(word) or (begins and _CAPITAL.fullmatch(word))):
        return False
    return not _in_formula(text[found[at].end() : found[at].end() + 1], before, after)


_AFTER_NAMES = _EMPTY | _LOGIC | {"relative", "to", "from", "in", "on", "at", "by", "as", "and", "or", "with"}
"""Words that follow a name, but no article."""

_ENGLISH = re.compile(r"[A-Z]?[a-z]{2,}")


def _ends_sentence(text: str, token: re.Match[str]) -> bool:
    """Whether the token is a full stop or a colon, and not the sign of a scalar product."""
    return token[0] in ".:" and not text[token.end() : token.end() + 1].strip()


def _is_joint(found: list[re.Match[str]], at: int) -> bool:
    """Whether the token is a hyphen between words, or the apostrophe of a genitive."""
    before, after = (found[i][0] if 0 <= i < len(found) else "" for i in (at - 1, at + 1))
    if found[at][0] == "'":
        return after == "s"
    return found[at][0] == "-" and all(_ENGLISH.fullmatch(word) for word in (before, after))


def _in_formula(next_character: str, before: str, after: str) -> bool:
    """Whether a word is part of a formula or a unit, as its neighbours tell."""
    if next_character == "(" or before in _OPERATORS or after in _OPERATORS:
        return True
    return before == "[" or (before, after) == ("(", ")")
