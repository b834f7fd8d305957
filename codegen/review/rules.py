"""The rules of a review, written once: what each class of change means, the bump it requires, and why.

`featherc rules` prints them, SARIF carries them as help, the release gate applies them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from codegen.errors import FeatherError
from codegen.review.diff.changes import ChangeClass


class Bump(IntEnum):
    """The part of a version that a change must increase, from none to major."""

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Example:
    """The content of one file before and after a change of the class."""

    path: str
    before: str
    after: str


@dataclass(frozen=True)
class Rule:
    """One page: `meaning` is one sentence, `why` justifies the bump, `remedy` says what to do about it."""

    name: str
    bump: Bump
    meaning: str
    why: str
    remedy: str
    example: Example

    @property
    def page(self) -> list[tuple[str, str]]:
        """The parts of the page: head and text; the text of the example is C."""
        shown = f"{_indented(self.example.before)}\n\nbecomes\n\n{_indented(self.example.after)}"
        return [
            ("Version", f"At least {self.bump}." if self.bump else "None is required."),
            ("Why", self.why),
            (f"Example ({self.example.path})", shown),
            ("Remedy", self.remedy),
        ]


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.rstrip("\n").split("\n"))


def as_text(rule: Rule) -> str:
    """The page of a rule for a terminal."""
    parts = [
        f"{head}:\n\n{text}" if "\n" in text else textwrap.fill(f"{head}: {text}", _WIDTH)
        for head, text in rule.page
    ]
    return "\n\n".join([textwrap.fill(f"{rule.name}: {rule.meaning}", _WIDTH), *parts]) + "\n"


_WIDTH = 100
"""Characters of a line on a terminal."""


def as_markdown(rule: Rule) -> str:
    """The page of a rule in Markdown, in which an indented example is code."""
    return "\n\n".join([f"## {rule.name}", rule.meaning, *(f"**{h}.** {t}" for h, t in rule.page)]) + "\n"


def _function(value: str, comment: str = "", arguments: str = "float q, float S, float c") -> str:
    return f"{comment}void fc_lift_f32({arguments}, float *L)\n{{\n    *L = {value};\n}}\n"


def _header(comment: str) -> str:
    function = "static inline void fc_rate_f32(float w, float *rate)\n{\n    *rate = 2.0F * w;\n}\n"
    return f"#ifndef FC_AERO_F32_H\n#define FC_AERO_F32_H\n/**\n{comment} */\n{function}#endif\n"


def _selftest(value: str) -> str:
    function = f"int main(void)\n{{\n    const int wrong = 1;\n    return {value};\n}}\n"
    return f"#ifdef FC_SELFTEST_MAIN\n{function}#endif\n"


_C, _H = "fc_aero_f32.c", "fc_aero_f32.h"
_LIFT = _function("q * S * c")
_SUM = "float a, float b, float c"
_DRAG = "void fc_drag_f32(float q, float *D)\n{\n    *D = -q;\n}\n"


_RULES = (
    Rule(
        "identical", Bump.NONE,
        "The function has not changed.",
        "Nothing that a caller, a compiler or a reviewer sees is different.",
        "There is nothing to do.",
        Example(_C, _LIFT, _LIFT),
    ),
    Rule(
        "cosmetic", Bump.PATCH,
        "The function's text differs; it does the same operations in the same order.",
        "Every result stays the same to the last bit where the compiler does not contract a * b + c to a "
        "fused multiply-add (-ffp-contract=off): which of the products of a * b + c * d it then rounds "
        "depends on their order in the text. A version identifies one text in any case: whoever certifies or "
        "flies the code must be able to tell two texts apart by their numbers.",
        "Release a patch. If the text should not have changed, generate with the featherc of the baseline.",
        Example(_C, _LIFT, _function("q * S * c", "/* Lift in newtons. */\n")),
    ),
    Rule(
        "re-associated", Bump.PATCH,
        "The function is mathematically equal; its round-off may differ.",
        "The function keeps its definition and stays within the error bounds of its arithmetic, so no caller "
        "has to change. Recorded results are not reproduced to the last bit, and a zero may have the other "
        "sign. Far from 1 one form may overflow or underflow where the other does not: a (b c) overflows for "
        "large b and c where (a b) c does not, and x (1 / y) where 1 / y does though x / y does not. The "
        "forms are compared at points with inputs from 2^-32 to 2^32 in size (double: 2^-256 to 2^256), if "
        "all numbers of the old form are more than a factor of 2^12 away from overflow and underflow, and "
        "where a divisor is zero that only the new form has. Where "
        "neither form has a finite result, as at an infinite input, one may return infinity and the other "
        "NaN, or infinities of different signs: a b + a c is NaN where a (b + c) is infinite, and no order "
        "of the operations is better. Test results with isfinite, or with abs(y) <= limit, which is false "
        "for all of them, and not with y > limit. Who compares bits, as in lock-step redundancy or replayed "
        "logs, sets it to minor in [release] of featherc.toml.",
        "Release a patch, and record reference results again. The policy item ulp>N of featherc diff bounds "
        "the difference.",
        Example(_C, _function("a + b + c", "", _SUM), _function("a + (b + c)", "", _SUM)),
    ),
    Rule(
        "guards changed", Bump.MINOR,
        "The function returns other values outside its input domain only.",
        "For valid inputs nothing changes, and no documented promise is broken, which excludes major. But "
        "fault handling relies on what happens at NaN, at infinities and beyond a range: such a change must "
        "be announced and tested, which excludes patch.",
        "Test the fault handling of callers at the input that is shown, then release a minor version.",
        Example(_C, _function("q > 0.0F ? q * S * c : 0.0F"), _function("!(q <= 0.0F) ? q * S * c : 0.0F")),
    ),
    Rule(
        "unreadable", Bump.MAJOR,
        "The function or file differs, and its C could not be read.",
        "What could not be read may do and declare anything, so that only the largest bump is safe.",
        "The report states line and reason: write the function in the C that featherc reads. If a reviewer "
        "has read it instead, waive the change.",
        Example(_C, _LIFT, "#if LIFT_SIGN\n#define c -1.0F\n#endif\n" + _LIFT),
    ),
    Rule(
        "unread body", Bump.MINOR,
        "The function's body could not be read; its declaration is the same, and means the same.",
        "Callers compile and link as before: at worst the function returns other values, as for changed. How "
        "it computes them is not known: featherc diff --fail-on unreadable fails for it.",
        "Have the body reviewed and tested, then release a minor version.",
        Example(_C, _function("0.0F;\n    while (q > S) {\n        q -= c;\n    }\n    *L = q"),
                _function("0.0F;\n    while (q > S) {\n        q -= S;\n    }\n    *L = q")),
    ),
    Rule(
        "changed", Bump.MINOR,
        "The function returns other values.",
        "Callers compile and link as before, and the documentation promises the same: it is a correction, "
        "or new behaviour where nothing was promised. A library on a desktop would call that a patch. Here "
        "the values close a control loop, and gains, limits and tests were tuned to the old ones: a patch "
        "must be safe to take without new tests, and this is not. Where units, frames or preconditions "
        "change too, the rule contract requires major. Set changed to major in [release] of featherc.toml "
        "if callers must agree to every new value.",
        "The report shows a counterexample. If the change is intended, release a minor version and say so in "
        "its notes; else correct the definition.",
        Example(_C, _LIFT, _function("q * S * -c")),
    ),
    Rule(
        "interface", Bump.MAJOR,
        "The function's or header's interface has changed.",
        "Programs that call the function no longer compile or link, or pass arguments that mean something "
        "else: a name, the order, number or type of arguments, the returned type, a declared range, a type, "
        "a macro or an include of a header. The guard of a type counts, too: where trees of two versions "
        "declare the same type under different guards, no program can contain both. A macro for which a "
        "build may define another value counts as well (`#ifndef FC_GAIN`, `#define FC_GAIN 2.0`, `#endif`): "
        "where a function no longer depends on it, such a build computes something else.",
        "Keep the old function beside the new one under another name, or release a major version. A declared "
        "range that only became wider breaks no caller: waive it.",
        Example(_C, _LIFT, _function("q * c", arguments="float q, float c")),
    ),
    Rule(
        "contract", Bump.MAJOR,
        "Callers are told another unit, frame, precondition or convention.",
        "The compiler cannot notice: whoever relied on the old statement now passes or reads wrong numbers, "
        "or calls the function where it makes no promise any more. The rule holds for the unit, a frame, an "
        "order, a reference or a convention in the description of an argument, for its direction, for the "
        "order in which a header names the arguments, for the text of a header about types and conventions, "
        "and for a precondition that is new or different. A precondition in "
        "other words is a different one here: only a reader knows whether it asks for the same.",
        "Release a major version. If the old statement was wrong and callers know it, or only its wording "
        "has changed, waive it with that reason.",
        Example(_H, _header(" * Rate.\n * @param[in] w rate of B [rad/s]\n"),
                _header(" * Rate.\n * @param[in] w rate of B [deg/s]\n")),
    ),
    Rule(
        "documentation", Bump.MINOR,
        "The documentation has another word, formula, number, name or condition, or drops a precondition.",
        "Units, frames and preconditions of the arguments stay, so that correct callers stay correct. But "
        "what callers read about the results is not what they read before, and they must be told. Semantic "
        "versioning alone would ask for a patch, which is right for a text that says the same in other "
        "words: only a reader knows whether it does, and an added sentence may be a restriction.",
        "Read the difference, and release a minor version. If it says the same in other words, waive it.",
        Example(_H, _header(" * Rate, accurate to 1e-6.\n"), _header(" * Rate, accurate to 1e-5.\n")),
    ),
    Rule(
        "wording", Bump.PATCH,
        "The documentation says the same in the same words, apart from articles and the like.",
        "Nothing differs but the words a, an, the, this, that, which, of, is, are and its, punctuation, and "
        "capitals at the beginning of a sentence: all other words are the same and in the same order. Any "
        "other word may turn a statement into its opposite, and is of the rule documentation or contract. "
        "In the comment of a capacity, #ifndef N, #define N 64, #endif, ordinary words may be others: its "
        "name and its number are compared as C. "
        "Nobody can prove that English sentences agree: featherc diff --fail-on contract fails for every "
        "wording.",
        "Read the difference, and release a patch.",
        Example(_H, _header(" * Rate that is computed from w.\n"), _header(" * Rate computed from w.\n")),
    ),
    Rule(
        "build", Bump.MAJOR,
        "A file changes what a build compiles, or what the manifest says.",
        "A flag, a definition or a lost source changes every function or removes it, and a file that a build "
        "finds may replace code. The effect cannot be bounded from the text of a build file. The manifest's "
        "names of arguments count, though C does not know them: programs that bind to the library by its "
        "manifest, as featherc's own loader does, pass arguments and take results by name. So does a robot "
        "that the manifest describes otherwise while its functions are the same: featherc verify takes that "
        "description for the definition.",
        "The report names the effect. Undo it, or waive it if what is built stays as it was.",
        Example("CMakeLists.txt", "add_library(fc fc_aero_f32.c)\n",
                "add_library(fc fc_aero_f32.c)\ntarget_compile_options(fc PUBLIC -ffast-math)\n"),
    ),
    Rule(
        "option", Bump.MINOR,
        "The build file gains an option that is off.",
        "Builds that do not set the option stay as they are; those that set it need this version. The rule "
        "holds for options whose names begin with the prefix of the tree and are no word of the old file, "
        "and for blocks if(NAME) or if(NAME AND ...): whatever else is new in the build file is of the rule "
        "build. Files outside of the tree are not read: where a project that adds the tree, or its cache, "
        "already sets a variable of that name, the option is on.",
        "Search the projects that add the tree for the name, then release a minor version.",
        Example("CMakeLists.txt", "add_library(fc fc_aero_f32.c)\n",
                'add_library(fc fc_aero_f32.c)\noption(fc_SMALL "Small code" OFF)\n'
                "if(fc_SMALL)\n  target_compile_options(fc PRIVATE -Os)\nendif()\n"),
    ),
    Rule(
        "self-test", Bump.PATCH,
        "The self-test decides otherwise.",
        "What is inside of #ifdef ..._SELFTEST_MAIN is no part of what callers compile in, and what the "
        "functions do is compared without it. What is outside is of the rule build: every program that "
        "compiles the file has it. A self-test without that guard, as early versions wrote it, is outside.",
        "Run the self-test on the target, and release a patch. featherc diff --fail-on build fails for it.",
        Example("selftest.c", _selftest("wrong"), _selftest("0")),
    ),
    Rule(
        "added", Bump.MINOR,
        "The function is new, or a header declares a type or a constant that is new.",
        "Programs that worked stay as they are, but those that use what is new need this version. The rule "
        "holds for types and constants with the prefix of the tree: any other new name of a header may be a "
        "word of the programs that include it, and is of the rule interface. So is a new function without "
        "the prefix that programs can link to: it may replace one of theirs, such as an interrupt handler.",
        "Release a minor version.",
        Example(_C, _LIFT, f"{_LIFT}\n{_DRAG}"),
    ),
    Rule(
        "removed", Bump.MAJOR,
        "The function was removed.",
        "Programs that call it no longer compile or link.",
        "Keep the function until the next major version, or release that one.",
        Example(_C, f"{_LIFT}\n{_DRAG}", _LIFT),
    ),
    Rule(
        "internal", Bump.PATCH,
        "A static function of a source file was added or removed, or has another interface.",
        "No other file can call it. What its callers compute is compared with their own code.",
        "Release a patch.",
        Example(_C, _LIFT, "static float half(float x)\n{\n    return 0.5F * x;\n}\n\n" + _LIFT),
    ),
    Rule(
        "files", Bump.PATCH,
        "A file differs, and no function, declaration or build does.",
        "A version identifies the bytes of a tree: none may be given twice to different ones.",
        "Release a patch.",
        Example("LICENSE", "Copyright 2025\n", "Copyright 2026\n"),
    ),
)  # fmt: skip

RULES: Mapping[str, Rule] = {rule.name: rule for rule in _RULES}
"""Name -> rule: one for each ChangeClass, under its value, and those that tell changes of one class apart."""


def rule_of(kind: ChangeClass) -> Rule:
    """The rule of a class of change."""
    return RULES[kind.value]


def find_rule(name: str) -> Rule:
    """The rule of a name, in which a hyphen may stand for a blank; FeatherError when there is none."""
    found = RULES.get(name) or RULES.get(name.replace("-", " "))
    if found is None:
        raise FeatherError(f"there is no rule {name!r}; known are {', '.join(RULES)}")
    return found
