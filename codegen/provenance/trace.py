"""Trace: the inputs, outputs, equation and reason of each statement of a generated function.

A statement's id is a digest of its expression down to the inputs: other statements, names of temporaries and
line numbers do not enter it. The sidecar trace.json links ids to equations and derivation steps in both
directions, so that the C contains no annotations.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from codegen.emit.body import Ending, Kept, Line, Load, Raise, Statement, Store, ending
from codegen.emit.function import Function
from codegen.emit.options import Options
from codegen.emit.render import routine_context, routine_remarks
from codegen.emit.routine import RoutineFunction
from codegen.errors import FeatherError
from codegen.ir.operations import LEAVES
from codegen.ir.program import Program
from codegen.ir.systems import F64
from codegen.modeling.steps import Step
from codegen.notation.prose import plain
from codegen.passes.pipeline import optimised
from codegen.proof.derivation import derivation
from codegen.provenance.flow import Flow, digest, flow, scalar_names
from codegen.provenance.lines import Span, statements
from codegen.provenance.loops import affected
from codegen.provenance.parts import parts, stated_names
from codegen.provenance.quantities import declared_units, unit_of_result
from codegen.provenance.raising import Raising
from codegen.provenance.reasons import Reason, Reasons
from codegen.provenance.wording import limits

SCHEMA = 3
SIDECAR = "trace.json"

Kind: TypeAlias = Literal["load", "value", "kept", "store", "status", "loop", "guard"]


@dataclass(frozen=True)
class TracedStatement:
    """A statement of a function, without line breaks, and its provenance.

    `inputs` are the scalars that it depends on; `outputs` and `flags` are the scalars and flags that depend
    on it, or that it writes if it is a store or a status. `equations` are indices of the parts of the
    kernel's equation that it serves, `step` is the index of its derivation step; a load has no step. `value`
    is the name of its value in the formula, if it has one there. `how`, `name`, `written` and `identity` are
    the reason of its value (`codegen.provenance.reasons`), `unit` is its unit, empty where it is not known,
    and `users` are the variables and results that are computed from it directly. `where` are the definitions
    of names in its reason, `decided` the flags at which what it assigns or tests is something else. `roots`
    are the Program's nodes whose values it assigns, `nodes` those that its text computes: the input of a
    load, the operations of the others (none where an output is a value that has a name already).

    A `kept` one assigns an element of an array that later turns and loops read.
    A `loop` is a statement of a routine: its inputs are the arguments in it. In a kernel it is a
    line that computes nothing. The inputs and outputs of a statement in a kernel's loop are those of all
    turns, its roots and nodes those of the first.
    """

    id: str
    kind: Kind
    c: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    equations: tuple[int, ...]
    flags: tuple[str, ...] = ()
    value: str = ""
    step: int | None = None
    how: str = ""
    name: str = ""
    written: str = ""
    identity: str = ""
    unit: str = ""
    users: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    roots: tuple[int, ...] = ()
    nodes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Trace:
    """The statements of a function in their order, the parts of its equation, and its derivation."""

    symbol: str
    kernel: str
    precision: str
    equations: tuple[str, ...]
    steps: tuple[Step, ...]
    statements: tuple[TracedStatement, ...]

    def serving(self, equation: int) -> list[TracedStatement]:
        """The statements that serve a part of the equation."""
        return [s for s in self.statements if equation in s.equations]

    def of_step(self, step: int) -> list[TracedStatement]:
        """The statements that come from a step of the derivation."""
        return [s for s in self.statements if s.step == step]


def trace(f: Function, options: Options) -> Trace:
    """The trace of a function that was made with these options."""
    variables = {s.node: s.name for s in f.body.named if s.node is not None}
    reasons = Reasons(f.kernel, f.program, f.precision, options.checks, variables)
    units = declared_units(f.kernel, f.program)
    placed = zip(identified(f, options), _placed(f, options), strict=True)
    explained = [_explained(s, of, f.program, reasons, units) for s, of in placed]
    statements = tuple(replace(s, users=_users(s, explained, f)) for s in explained)
    equation, steps = parts(f.kernel), tuple(derivation(f.kernel))
    return Trace(f.symbol, f.kernel.name, f.precision.name, equation, steps, statements)


def identified(f: Function, options: Options) -> list[TracedStatement]:
    """The statements of a function, each with what it depends on and leads to, without reasons and users."""
    words = limits(optimised(f.kernel, options.checks), f.precision)
    known = flow(f.program, parts(f.kernel), words, stated_names(f.kernel))
    held = frozenset(s.node for s in f.body.named)
    found, seen = list[TracedStatement](), Counter[str]()
    for placed in _placed(f, options):
        s = _identified(placed, f.program, known, held)
        seen[s.id] += 1  # two loops may load the same number of a table
        found.append(s if seen[s.id] == 1 else replace(s, id=digest(s.id, str(seen[s.id]))))
    return found


def _users(s: TracedStatement, others: Sequence[TracedStatement], f: Function) -> tuple[str, ...]:
    """The variables, results and flags that are computed from the value of a statement directly."""
    if s.kind not in ("load", "value"):
        return ()
    held = {named.node: named.name for named in f.body.named}
    found: list[str] = []
    for other in others:
        if other is s or other.kind == "load":
            continue
        needed = {a for n in other.nodes for a in f.program.nodes[n].args} - set(other.nodes)
        if needed.intersection(s.roots) or (other.kind != "value" and set(s.roots) & set(other.roots)):
            found += _assigned(other, held)
    return tuple(dict.fromkeys(found))


def _assigned(s: TracedStatement, held: Mapping[int | None, str]) -> Sequence[str]:
    """What a statement assigns: a variable, an element of an array, or outputs and flags."""
    if s.kind == "kept":
        return [s.c.partition(" = ")[0]]
    return [held[s.roots[0]]] if s.kind == "value" else [*s.outputs, *s.flags]


class _Placed(NamedTuple):
    """A statement of the body, the nodes whose values it assigns, and the outputs or flags it assigns."""

    kind: Kind
    statement: Statement
    roots: tuple[int, ...]
    gives: tuple[int, ...] = ()


def _placed(f: Function, options: Options) -> Iterator[_Placed]:
    """The statements of a function in their order."""
    for s in f.body.statements:
        if isinstance(s, Line):
            skipped = _results_of(f, s.name)
            yield _Placed("guard" if skipped else "loop", s, (), skipped)
        elif isinstance(s, Store):
            yield _Placed("store", s, _node(s), (s.result, *s.later))
        elif isinstance(s, Kept):
            yield _Placed("kept", s, _node(s))
        elif isinstance(s, Ending):
            yield _Placed("status", s, _tested(f, s), _raised(f, s))
        else:
            yield _Placed("load" if isinstance(s, Load) else "value", s, _node(s))
    for s in (s for group in ending(f.body.status, options.prefix) for s in group):
        yield _Placed("status", s, _tested(f, s), _raised(f, s))


def _results_of(f: Function, name: str) -> tuple[int, ...]:
    """The numbers of the scalars of an optional result; none for another name."""
    names = [a.name if a.optional else "" for a in f.kernel.outputs for _ in range(a.size)]
    return tuple(i for i, own in enumerate(names) if name and own == name)


def _tested(f: Function, s: Ending) -> tuple[int, ...]:
    """The conditions that a statement of the status prints."""
    tests = isinstance(s, Raise) or len(f.body.status) == 1
    return tuple(n for r in s.requirements for n in r.nodes) if tests else ()


def _raised(f: Function, s: Ending) -> tuple[int, ...]:
    """The requirements whose flags a statement of the status holds."""
    flags = {r.flag for r in s.requirements}
    return tuple(i for i, (_, flag) in enumerate(f.program.status) if flag.name in flags)


def _node(s: Statement) -> tuple[int, ...]:
    return () if s.node is None else (s.node,)


def _identified(
    placed: _Placed, program: Program, known: Flow, held: frozenset[int | None]
) -> TracedStatement:
    """A statement; the nodes in `held` have statements of their own."""
    kind, s, roots, gives = placed
    elsewhere = held - set(roots) if kind == "value" else held
    nodes = roots if kind == "load" else _printed(program, roots, elsewhere)
    in_all_turns = (*roots, *s.again)
    outputs = () if kind == "status" else gives or _union(known.outputs, in_all_turns)
    flags = gives if kind == "status" else () if kind in ("store", "kept") else _union(known.flags, roots)
    inputs, written = scalar_names(program.inputs), scalar_names(program.outputs)
    results = tuple(written[i] for i in outputs)
    reasons = tuple(dict.fromkeys(program.status[i][1].name or "" for i in flags))
    own = (*results, *reasons) if gives else (s.name,) if kind in ("kept", "loop") else ()
    if s.again:
        last = s.again[-len(roots) :] if roots else ()  # the first turn may begin with equal constants
        own = ("turn", s.expression if kind == "load" else "", *own, *(known.digests[r] for r in last))
    equations = (
        _union(known.given, outputs)
        if kind in ("store", "guard")
        else _union(known.parts, roots or [program.status[i][0] for i in gives])
    )
    return TracedStatement(
        id=digest(kind, *own, *(known.digests[r] for r in roots), *(() if roots else (s.c,))),
        kind=kind,
        c=s.c,
        inputs=tuple(inputs[i] for i in _union(known.inputs, in_all_turns)),
        outputs=results,
        equations=equations,
        flags=reasons,
        value=program.labels.get(roots[0], "") if roots and kind != "status" else "",
        roots=roots,
        nodes=nodes,
    )


def _explained(
    s: TracedStatement, placed: _Placed, program: Program, reasons: Reasons, units: Sequence[str]
) -> TracedStatement:
    """A statement with its reason, the unit of what it assigns, and the flags at which that is another."""
    reason = _reason(placed, s.flags, reasons)
    return replace(
        s,
        step=reason.step if reason else None,
        how=reason.how if reason else "",
        name=reason.name if reason else "",
        written=reason.equation if reason else "",
        identity=reason.identity if reason else "",
        unit=_unit(placed, program, units),
        where=reason.where if reason else (),
        decided=_deciding(s.kind, s.roots, s.nodes, reasons.raising),
    )


def _deciding(kind: Kind, roots: Sequence[int], nodes: Sequence[int], raising: Raising) -> tuple[str, ...]:
    """The flags at which what a statement assigns or tests is something else, or that choose in its text."""
    if kind == "load":
        return ()
    chosen = raising.choosing(nodes) if kind == "value" else ()
    return tuple(dict.fromkeys((*chosen, *(flag for root in roots for flag in raising.deciding[root]))))


def _unit(placed: _Placed, program: Program, units: Sequence[str]) -> str:
    """The unit of what a statement assigns: of a result, the one that is declared for it."""
    if not placed.roots or placed.kind == "status":
        return ""
    unit = units[placed.roots[0]]
    return unit_of_result(program, placed.gives[0], unit) if placed.gives else unit


def _reason(placed: _Placed, flags: Sequence[str], known: Reasons) -> Reason | None:
    """The reason of a statement: that of its value, or of the conditions that a status tests."""
    kind, s, roots, gives = placed
    if kind in ("load", "loop", "guard"):
        return None
    if kind == "status" and not roots:
        return known.guard("status", _BEGUN if s.name else "the flags that were raised, or-ed")
    if kind == "store" and gives:
        return known.of_result(gives[0], roots[0])
    if kind in ("kept", "value") and s.again:  # in the first turn it may be a constant
        return known.of_statement(s.again[-len(roots)])
    if kind in ("kept", "store", "value"):
        return known.of_statement(roots[0])
    return known.raised(flags, roots)


_BEGUN = "no flag is raised yet"


def _union(marks: Sequence[set[int]], nodes: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(set().union(*(marks[n] for n in nodes))))


def _printed(program: Program, roots: Iterable[int], held: Container[int | None]) -> tuple[int, ...]:
    """The operations in a statement's text: its roots and operands, up to values of other statements."""
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        i = waiting.pop()
        if i not in found and i not in held and program.nodes[i].op not in LEAVES:
            found.add(i)
            waiting.extend(program.nodes[i].args)
    return tuple(sorted(found))


def trace_routine(f: RoutineFunction) -> Trace:
    """The trace of a routine: its statements come from a template, which says what each is for; each serves
    the whole equation.
    """
    lines, remarks = routine_context(f)["body"].splitlines(), routine_remarks(f)
    equation = parts(f.routine)
    seen: Counter[str] = Counter()
    found = []
    in_double = routine_context(replace(f, precision=F64))["body"].splitlines()
    whole = Span(1, len(lines), f.symbol)
    spans = list(statements(lines, whole))
    flows = affected(f, [span.text for span in spans])
    for span, double, (outputs, flags) in zip(spans, statements(in_double, whole), flows, strict=True):
        words = set(re.findall(r"[A-Za-z]\w*", span.text))
        seen[double.text] += 1
        found.append(
            TracedStatement(
                id=digest("loop", double.text, str(seen[double.text])),  # the same for float
                kind="loop",
                c=span.text,
                inputs=tuple(a.name for a in f.routine.inputs if a.name in words),
                outputs=outputs,
                flags=flags,
                equations=tuple(range(len(equation))),
                how="remark",
                identity=plain(remarks[span.first - 1]),
            )
        )
    return Trace(f.symbol, f.routine.name, f.precision.name, equation, (), tuple(found))


def sidecar(functions: Iterable[Function | RoutineFunction], options: Options) -> str:
    """The text of trace.json: each function's statements, and those of each part of the equation and step."""
    traces = (trace_routine(f) if isinstance(f, RoutineFunction) else trace(f, options) for f in functions)
    described = ",\n".join(map(_described, traces))
    return f'{{"schema": {SCHEMA}, "functions": [\n{described}\n]}}\n'


def read_sidecar(text: str, symbol: str, path: Path) -> Trace:
    """The trace of a function that a trace.json holds; FeatherError when it has none or is damaged."""
    try:
        content = json.loads(text)
        (f,) = (f for f in content["functions"] if f["symbol"] == symbol)
        return Trace(
            symbol,
            f["kernel"],
            f["precision"],
            tuple(e["text"] for e in f["equations"]),
            tuple(Step(**{key: s[key] for key in STEP_KEYS}) for s in f["steps"]),
            tuple(_read_statement(s) for s in f["statements"]),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FeatherError(
            f"{path} is damaged or older than this featherc: generate the tree again"
        ) from None


def equations_of(sidecar: str | bytes) -> dict[str, dict[str, tuple[str, ...]]]:
    """For each function and statement of an untrusted trace.json, the parts of the equation it serves.

    A damaged file says nothing.
    """
    try:
        return {
            str(f["symbol"]): {
                str(s["c"]): tuple(str(f["equations"][int(i)]["text"]) for i in s["equations"])
                for s in f["statements"]
            }
            for f in json.loads(sidecar)["functions"]
        }
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, OverflowError):
        return {}


def _read_statement(s: Mapping[str, Any]) -> TracedStatement:
    lists: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in s.items()
    }
    return TracedStatement(**{key: lists[key] for key in STATEMENT_KEYS})


def _described(t: Trace) -> str:
    """A function as JSON, a line for each part of the equation, step and statement."""
    equations = [
        {"text": text, "statements": [s.id for s in t.serving(i)]} for i, text in enumerate(t.equations)
    ]
    steps = [
        {**{key: getattr(step, key) for key in STEP_KEYS}, "statements": [s.id for s in t.of_step(i)]}
        for i, step in enumerate(t.steps)
    ]
    statements = [{key: getattr(s, key) for key in STATEMENT_KEYS} for s in t.statements]
    head = json.dumps({"symbol": t.symbol, "kernel": t.kernel, "precision": t.precision})
    lists = (("equations", equations), ("steps", steps), ("statements", statements))
    rows = ",\n".join(f' "{name}": [{_rows(items)}]' for name, items in lists)
    return f"{head[:-1]},\n{rows}}}"


def _rows(items: Iterable[object]) -> str:
    return ",".join(f"\n  {json.dumps(item)}" for item in items)


STEP_KEYS = ("kind", "title", "equation", "by", "source")
STATEMENT_KEYS = (
    "id", "kind", "c", "inputs", "outputs", "equations", "flags", "value", "step", "how", "name", "written",
    "identity", "unit", "users", "where", "decided",
)  # fmt: skip
"""The fields of a step and of a statement in the sidecar; it holds no Program, and thus no nodes."""
