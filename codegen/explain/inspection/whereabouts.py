"""`featherc trace`: the provenance of a line of generated C: its meaning, derivation step and inputs.

A line is identified by the text of its statement, not by its number. Where the tree has no trace.json, the
trace is derived again from the kernel, with the options and values that the manifest records.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from codegen.characters import json_text
from codegen.emit.cases import cases_of
from codegen.emit.function import function
from codegen.emit.manifest import recorded_options
from codegen.emit.routine import RoutineFunction
from codegen.errors import FeatherError
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.prose import plain
from codegen.notation.unicode import line
from codegen.provenance.lines import Span, blocks, functions, statements
from codegen.provenance.parts import parts
from codegen.provenance.shown import all_inputs, all_outputs, joined, prose, rows, rows_of_parts
from codegen.provenance.trace import (
    SIDECAR,
    STEP_KEYS,
    Trace,
    TracedStatement,
    read_sidecar,
    trace,
    trace_routine,
)
from codegen.review.check import recorded_subject
from codegen.show import printable
from codegen.verify.manifest import base_name, read_manifest


@dataclass(frozen=True)
class Answer:
    """The kind of a line, and its statement with its provenance if featherc generated it.

    `inputs` are the arguments that the statement depends on, with their units, frames and meanings.
    """

    place: str
    what: str
    symbol: str = ""
    statement: TracedStatement | None = None
    equations: tuple[str, ...] = ()
    step: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()
    requires: str = ""
    flags: tuple[str, ...] = ()

    @property
    def json(self) -> str:
        """The answer as a JSON object."""
        return json_text(asdict(self))

    @property
    def text(self) -> str:
        """The answer as lines of text."""
        rows = [(self.place, self.what)]
        if self.statement:
            rows += self._card(self.statement)
        width = max(len(name) for name, _ in rows[1:]) if len(rows) > 1 else 0
        return "".join(f"{printable(f'{name:{width}}  {text}')}\n" for name, text in rows)

    def _card(self, s: TracedStatement) -> list[tuple[str, str]]:
        """A statement, what it is, why it is computed, and what depends on it."""
        step = self.step
        rows = [("statement", s.id), ("C", s.c), *reason_rows(s)]
        rows += [("equation", text) for text in self.equations]
        shown = [step["title"], *step["equation"].split("\n")] if step else []
        rows += [("step" if i == 0 else "", text) for i, text in enumerate(shown)]
        rows += [(name, step[name]) for name in ("by", "source") if step.get(name)]
        rows += [("requires", self.requires)] if self.requires else []
        rows += [("input", text) for text in self.inputs]
        rows += [("used by", ", ".join(s.users))] if s.users else []
        affected = ", ".join((*s.outputs, *s.flags))
        rows += [("affects", affected)] if affected else []
        rows += [("flag", text) for text in self.flags]
        words = set(_LIMIT.findall(" ".join(text for name, text in rows if name != "C")))
        return rows + [("limit", f"{name}: {meaning}") for name, meaning in _LIMITS.items() if name in words]


_LIMITS = {
    "\N{GREEK SMALL LETTER EPSILON}": "distance from 1 to the next larger number of the precision",
    "min": "smallest positive normal number of the precision",
    "max": "largest finite number of the precision",
}
_LIMIT = re.compile(r"(?:\N{GREEK SMALL LETTER EPSILON}|\b(?:eps|min|max)\b)(?!\()")


def reason_rows(s: TracedStatement) -> list[tuple[str, str]]:
    """What a value is called, the equation in which it stands, its identity and its unit."""
    is_own = s.how == "named" and s.name == s.value
    named = "" if is_own or s.how in ("rewritten", "guard", "status") else s.name
    stands = named and s.written and s.how != "named"
    rows = [("is", f"{named}, in {s.written}" if stands else named)] if named else []
    rows += [("leads to", s.written)] if s.written and not stands else []
    rows += [(_IDENTITIES.get(s.how, "as"), s.identity)] if s.identity else []
    rows += [("where", text) for text in s.where]
    return rows + ([("unit", s.unit)] if s.unit else [])


_IDENTITIES = {"guard": "condition", "case": "case", "rewritten": "identity", "remark": "purpose"}


def find(place: str, known: Mapping[str, Kernel | Routine]) -> Answer:
    """The provenance of FILE:LINE of a generated tree.

    FeatherError when there is no such line, or the file is not one that its manifest lists.
    """
    path, line = _parse(place)
    manifest = read_manifest(path.parent)
    lines = _lines(path, manifest)
    if not 1 <= line <= len(lines):
        raise FeatherError(f"{path} has {len(lines)} lines: there is no line {line}")
    described = {f["symbol"]: f for f in manifest["functions"]}
    around = next((f for f in functions(lines) if line in f), None)
    if around is None or around.text not in described:
        return Answer(place, _outside(lines[line - 1], around))
    single = list(statements(lines, around))
    statement = next((s for s in single if line in s), None)
    if statement is None or not lines[line - 1].strip():
        return Answer(place, _between(lines[line - 1], around), around.text)
    traced = _trace(path.parent, manifest, described[around.text], known)
    known_texts = {s.c for s in traced.statements}
    whole = (s.text for s in blocks(single) if line in s and s.text in known_texts)
    text = next(whole, statement.text)
    subject = known.get(base_name(described[around.text]))
    told = _told(described[around.text], subject)
    answer = _explain(place, text, traced, told, _edited(path, manifest))
    return answer if answer.statement is None or subject is None else _typeset(answer, subject)


def _parse(place: str) -> tuple[Path, int]:
    name, _, number = place.rpartition(":")
    if not name or not number.isascii() or not number.isdigit():
        raise FeatherError(f"{place}: name a file and a line, such as generated/fc_inertia_f32.c:40")
    return Path(name), int(number)


def _lines(path: Path, manifest: Mapping[str, Any]) -> list[str]:
    if path.name not in {f["path"] for f in manifest["files"]}:
        raise FeatherError(f"{path} is not a generated file: the manifest beside it does not list it")
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise FeatherError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FeatherError(f"{path} is not text in UTF-8") from None


def _edited(path: Path, manifest: Mapping[str, Any]) -> bool:
    """Whether a file differs from the one that was generated, by its hash."""
    recorded = {f["path"]: f.get("sha256") for f in manifest["files"]}
    return recorded.get(path.name) != hashlib.sha256(path.read_bytes()).hexdigest()


_SINCOS = re.compile(r"_sincos_f(?:32|64)$")
"""The end of the name of the generated function for a sine and a cosine."""

_KINDS = (
    ("#", "a preprocessor directive"),
    (("/*", "*", "//"), "a comment"),
    (("{", "}"), "a brace"),
)


def _kind(line: str) -> str:
    text = line.strip()
    return next((kind for start, kind in _KINDS if text.startswith(start)), "" if text else "a blank line")


def _outside(line: str, around: Span | None) -> str:
    if around is not None and _SINCOS.search(around.text):
        return f"a line of {around.text}, which computes the sine and the cosine of an angle together"
    if around is not None:
        return f"a line of {around.text}, which the manifest does not list as a function"
    return _kind(line) or "a declaration"


def _between(line: str, around: Span) -> str:
    return f"{_kind(line) or 'the head'} of {around.text}"


def _trace(
    directory: Path,
    manifest: Mapping[str, Any],
    described: Mapping[str, Any],
    known: Mapping[str, Kernel | Routine],
) -> Trace:
    """The trace of a function: from the tree's trace.json if it has one, else derived again."""
    recorded = {f["path"]: f.get("sha256") for f in manifest["files"]}
    if SIDECAR in recorded:
        try:
            text = (directory / SIDECAR).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise FeatherError(f"cannot read {directory / SIDECAR}: {error}") from None
        return read_sidecar(text, described["symbol"], directory / SIDECAR)
    name = base_name(described)
    if name not in known:
        raise FeatherError(f"{name} is not a kernel of the library: name its model file with --model")
    options = recorded_options(manifest)
    precision = next(p for p in options.formats if p.name == described["precision"])
    subject = recorded_subject(described, known)
    if isinstance(subject, Routine):
        return trace_routine(RoutineFunction(subject, precision, options))
    return trace(function(subject, precision, options), options)


def _told(described: Mapping[str, Any], subject: Kernel | Routine | None) -> Mapping[str, Any]:
    """A function of the manifest; its arguments have their meanings from the kernel, formulas as text."""
    if subject is None:
        return described
    given = (*all_inputs(subject), *all_outputs(subject))
    docs = {a.name: _in_text(subject, a.doc) for a in given}
    arguments = [{**a, "doc": docs.get(a["name"], a.get("doc", ""))} for a in described["arguments"]]
    return {**described, "arguments": arguments}


def _in_text(subject: Kernel | Routine, text: str, equation: str = "") -> str:
    """Prose about a kernel, or about one of its equations, as text."""
    return joined(prose(subject, text, equation), str, line)


def _typeset(answer: Answer, subject: Kernel | Routine) -> Answer:
    """The answer with its formulas as text, and with the condition of each flag that decides about it."""
    assert answer.statement is not None
    shown = partial(_in_text, subject)
    reasons = {f.name: shown("; ".join(map(str, cases))) for f, cases in cases_of(subject).items()}
    own = (*answer.statement.flags, *answer.statement.decided)
    raised = [f"{name}: {reasons[name]}" for name in dict.fromkeys(own) if name in reasons]
    given = answer.step.get("equation", "")
    step = {key: shown(text, given) for key, text in answer.step.items() if key != "equation"}
    lines = "\n".join(map(line, rows(subject, given))) or "\n".join(map(shown, given.split("\n")))
    written = dict(zip(parts(subject), rows_of_parts(subject), strict=True))
    return replace(
        answer,
        equations=tuple("; ".join(map(line, written.get(e, ()))) or plain(e) for e in answer.equations),
        step={**step, "equation": lines} if step else {},
        requires=shown(answer.requires),
        flags=tuple(raised),
    )


def _explain(place: str, text: str, traced: Trace, described: Mapping[str, Any], edited: bool) -> Answer:
    found = next((s for s in traced.statements if s.c == text), None)
    if found is None:
        return Answer(place, _unknown(text, traced, edited), traced.symbol)
    step = traced.steps[found.step] if found.step is not None else None
    kind = _meaning(found, {str(a["name"]) for a in described["arguments"]})
    return Answer(
        place,
        f"{kind}, in {traced.symbol}" + (" (other lines of the file are edited)" if edited else ""),
        traced.symbol,
        found,
        tuple(traced.equations[i] for i in found.equations),
        {key: getattr(step, key) for key in STEP_KEYS} if step else {},
        tuple(_inputs(found.inputs, described["arguments"])),
        described.get("requires", ""),
    )


def _meaning(found: TracedStatement, arguments: Container[str]) -> str:
    """What a statement is."""
    loaded = found.c.partition(" = ")[2].rstrip(";")
    if found.kind == "load" and "[" in loaded and re.split(r"\W", loaded)[0] not in arguments:
        return f"the element {loaded} of a table or of an array that earlier turns or loops assign"
    names = found.inputs if found.kind == "load" else found.outputs
    own = _variable(found.c) if found.kind in ("value", "kept") else ""
    return _MEANING[found.kind].format(own or ", ".join(names))


def _variable(statement: str) -> str:
    """The variable, or the element of an array, that a statement of C assigns."""
    assigned = statement.partition(" = ")[0]
    return assigned if assigned.endswith("]") else assigned.split(" ")[-1]


_MEANING = {
    "load": "the input {}",
    "value": "the value {}",
    "kept": "the element {}, which later turns or loops read",
    "store": "the output {}",
    "status": "the status",
    "guard": "the block of an optional result",
    "loop": "a statement of a loop, from a hand-written template",
}


def _unknown(text: str, traced: Trace, edited: bool) -> str:
    """The description of a line that is no statement of the trace."""
    if text.startswith("(void)"):
        return f"a cast to void, as the argument {text[6:-1]} is unused, in {traced.symbol}"
    if text.strip("{} \t;") in ("", "else"):
        return f"a brace of {traced.symbol}"
    near = difflib.get_close_matches(text, [s.c for s in traced.statements], n=1)
    instead = f"; the nearest statement is `{near[0]}`" if near else ""
    if edited:
        return f"a line edited by hand: featherc generates no such statement in {traced.symbol}{instead}"
    return f"an outdated line: {traced.symbol} no longer has this statement; generate again{instead}"


def _inputs(scalars: Sequence[str], arguments: Sequence[Mapping[str, Any]]) -> list[str]:
    """The scalars, argument by argument, with the manifest's description of each argument."""
    found: dict[str, list[str]] = {}
    for scalar in scalars:
        names = [a["name"] for a in arguments if scalar == a["name"] or scalar.startswith(f"{a['name']}_")]
        found.setdefault(max(names, key=len, default=scalar), []).append(scalar)
    by_name = {a["name"]: a for a in arguments}
    return [_argument(scalars, by_name.get(name, {})) for name, scalars in found.items()]


def _argument(scalars: Sequence[str], a: Mapping[str, Any]) -> str:
    frame = f", frame {a['frame']}" if a.get("frame") else ""
    return f"{', '.join(scalars)}: {a.get('doc', '')} [{a.get('unit', '')}]{frame}"
