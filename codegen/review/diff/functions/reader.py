"""Reads C back into a Program: functions whose loops end after a known number of turns, and edits of them.

The reader keeps the semantics of C: the type of each value (a constant without its F can make double
arithmetic of float code), the order of operations, and the content of an output before it is written. It
rejects other C with the reason, as `Unread`: loops over arguments, goto backward, pointers to another
object than before, casts of pointers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program, starts, value_numbers
from codegen.ir.rewriting import arrange, needed
from codegen.ir.status import Status
from codegen.ir.types import REAL, Array
from codegen.review.diff.changes import Unreadable
from codegen.review.diff.functions.calls import Calls
from codegen.review.diff.functions.definitions import definition
from codegen.review.diff.functions.normal import same_computation
from codegen.review.diff.functions.signature import signature_of
from codegen.review.diff.functions.statements import LARGEST
from codegen.review.diff.functions.terms import Term
from codegen.review.diff.functions.values import Flags
from codegen.review.diff.reading import Held, Reading, Sharing, Signature
from codegen.review.diff.text.integers import whole
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import Refused, parsed


class Unread(Exception):
    """C that the reader rejects; its argument is an Unreadable."""


def read(item: Item, source: Source, same: Sharing = ()) -> Reading:
    """The function as a Program; the two arguments of each pair of `same` are one object. Raises Unread."""
    try:
        found = _in_every_way(item, source, same)
        return found if same else replace(found, guarded=_guarded(found, item, source))
    except RecursionError:
        raise Unread(Unreadable(item.path, item.line, "it is nested too deeply")) from None
    except Refused as refusal:
        line = item.line + max(refusal.line - 1, 0)
        raise Unread(Unreadable(item.path, line, refusal.reason)) from None


def _in_every_way(item: Item, source: Source, same: Sharing) -> Reading:
    """The reading of a function; Refused where conditions within it decide what it does."""
    found = _Reader(item, source, same).reading()
    for other in item.others:
        variant = _Reader(other, source, same).reading()
        is_alike = (variant.types, variant.optional) == (found.types, found.optional)
        if not is_alike or not same_computation(found, variant):
            raise Refused(None, "what it does depends on a macro that nothing in the tree defines")
        overlaps = tuple(dict.fromkeys((*found.overlaps, *variant.overlaps)))
        found = replace(found, overlaps=overlaps, wide=max(found.wide, variant.wide))
    return found


def _guarded(found: Reading, item: Item, source: Source) -> tuple[str, ...]:
    """The arguments whose null pointer does more than skip a result; Refused where several together do."""
    guarded = tuple(name for name in found.optional if not _is_skipped(found, item, source, (name,)))
    skipped = tuple(name for name in found.optional if name not in guarded)
    if skipped and not _is_skipped(found, item, source, skipped):
        raise Refused(None, f"a null {' and '.join(skipped)} is not only skipped")
    return guarded


def _is_skipped(found: Reading, item: Item, source: Source, skipped: Collection[str]) -> bool:
    """Whether null pointers only skip the results to which they would point."""
    if item.others:
        raise Refused(None, "a null pointer, in a function whose statements depend on a macro")
    reader, known = _Reader(item, source, (), skipped), dict[object, int]()
    other = reader.reading()
    same = _returned(other, skipped, known) == _returned(found, skipped, known)
    return same and not reader.touched and not _touches(other, skipped)


def surely_written(reading: Reading) -> set[str]:
    """The results that a function writes on every way, so that no pointer to them may be null."""
    program, first = reading.program, starts(reading.program.inputs)
    found, seen = set[str](), Counter[str]()
    for name, result in _results(reading):
        own = Node(Op.INPUT, (), first[name] + seen[name])
        seen[name] += 1
        alive = needed(replace(program, results=(result,), status=()))
        if all(program.nodes[i] != own for i in alive):
            found.add(name)
    return found


def surely_read(reading: Reading) -> set[str]:
    """The inputs on which results depend on every way, so that no pointer to them may be null."""
    program = reading.program
    names = [a.name for a in program.inputs for _ in range(a.size)]
    used = list[set[str]]()
    for op, args, value in program.nodes:
        of = [used[i] for i in args]
        if op is Op.INPUT:
            used.append({names[int(str(value))]})
        elif op in (Op.AND, Op.OR):  # of which C may evaluate one side only
            used.append(of[0] & of[1])
        else:
            used.append(of[0] | of[1] & of[2] if op is Op.SELECT else set[str]().union(*of))
    returned = (*program.results, *(node for node, _ in program.status))
    return set[str]().union(*(used[node] for node in returned)) - {a.name for a in program.outputs}


def _results(reading: Reading) -> list[tuple[str, int]]:
    """The node of each scalar that a function returns, with the name of the result."""
    names = [a.name for a in reading.program.outputs for _ in range(a.size)]
    return list(zip(names, reading.program.results, strict=True))


def _touches(reading: Reading, skipped: Collection[str]) -> bool:
    """Whether a function writes or reads a result whose pointer is null."""
    program, first = reading.program, starts(reading.program.inputs)
    own = {first[a.name] + k for a in program.inputs if a.name in skipped for k in range(a.size)}
    before = [Node(Op.INPUT, (), i) for i in sorted(own)]
    if [program.nodes[r] for name, r in _results(reading) if name in skipped] != before:
        return True
    kept = tuple(r for name, r in _results(reading) if name not in skipped)
    alive = needed(replace(program, results=kept))
    return any(program.nodes[i].op is Op.INPUT and program.nodes[i].value in own for i in alive)


def _returned(reading: Reading, skipped: Collection[str], known: dict[object, int]) -> list[int]:
    """A number for each scalar that a function returns beside those that are skipped, and for its status."""
    numbers = value_numbers(reading.program, known)
    kept = [numbers[r] for name, r in _results(reading) if name not in skipped]
    return [*kept, *(x for node, flag in reading.program.status for x in (numbers[node], int(flag)))]


def read_signature(item: Item, source: Source) -> Signature:
    """The signature that a prototype declares; raises Unread with the reason."""
    try:
        return signature_of(parsed(item, source), item.path, source)
    except RecursionError:
        raise Unread(Unreadable(item.path, item.line, "it is nested too deeply")) from None
    except Refused as refusal:
        raise Unread(Unreadable(item.path, item.line, refusal.reason)) from None


def has_plain_parameters(item: Item, source: Source) -> bool:
    """Whether a function is declared like a formula, which takes no integers and no arrays of any size."""
    try:
        signature_of(definition(item, source).decl, item.path, source)
    except (Refused, RecursionError, AttributeError):
        return False
    return True


def read_constant(name: str, item: Item, source: Source) -> None:
    """Read a constant that an item declares outside of functions; raises Unread with the reason."""
    try:
        _Reader(item, source).constant(name)
    except RecursionError:
        raise Unread(Unreadable(item.path, item.line, "it is nested too deeply")) from None
    except Refused as refusal:
        raise Unread(Unreadable(item.path, item.line, refusal.reason)) from None


def extent_of(expr: Any, item: Item, source: Source) -> int | None:
    """The number of elements that an expression in an item says; None where it is not known."""
    return _Reader(item, source).extent(expr)


class _Reader(Calls):
    """Reads one function, or one constant."""

    def constant(self, name: str) -> None:
        """A constant of the file."""
        from pycparser import c_ast

        self._of_file(c_ast.ID(name))

    def extent(self, expr: Any) -> int | None:
        """A constant whole number, in which sizes may stand."""
        return whole(expr, self._integer)

    def reading(self) -> Reading:
        """The whole function."""
        function = definition(self.item, self.source)
        if type(function).__name__ != "FuncDef" or function.param_decls:
            raise Refused(function, "not a function definition with a prototype")
        signature = signature_of(function.decl, self.item.path, self.source)
        if not all(p.name for p in signature.parameters):
            raise Refused(function, "a parameter without a name")
        if len({p.name for p in signature.parameters}) < len(signature.parameters):
            raise Refused(function, "two parameters have the same name")
        self._enter(signature)
        returned = self._run(function.body.block_items or [])
        program = self._program(signature, self._status(signature, returned))
        used = sorted(needed(program))
        if len(used) > LARGEST:
            raise Refused(function, f"it has more than {LARGEST} operations")
        program, held = arrange(program, used), tuple(self.graph.held[i] for i in used)
        computed = {h for node, h in zip(program.nodes, held, strict=True) if node.op is not Op.CONSTANT}
        types = frozenset(computed & {Held.FLOAT, Held.DOUBLE})
        wide = len(self.graph.wide.intersection(used))
        return Reading(signature, program, held, types, tuple(self.overlaps), tuple(self.optional), wide=wide)

    def _status(self, signature: Signature, returned: Term | None) -> Flags:
        """The requirements of the returned status."""
        if (returned is None) != (signature.returns == "void"):
            raise Refused(None, "a return that does not match the return type")
        return () if returned is None else self._as_flags(None, returned)

    def _program(self, signature: Signature, status: Iterable[tuple[int, int]]) -> Program:
        inputs, outputs = list[Arg](), list[Arg]()
        results: list[int] = []
        for p in sorted(signature.parameters, key=lambda p: p.written):
            kind = REAL if p.places is None else Array((len(p.places),))
            argument = Arg(p.name, kind, "", "")
            inputs.append(argument)
            if p.written:
                outputs.append(argument)
                results += [self._loaded(p.name, place).node for place in p.places or ()]
        required = tuple((node, Status(flag)) for node, flag in status)
        return Program(tuple(inputs), tuple(outputs), tuple(self.graph.nodes), tuple(results), required)
