"""Counts the operations in the text of C functions, independently of the code that generates it.

It reads what this generator writes and what others do: casts, macros for the scalar, `pow` with a constant
exponent, calls of its own helpers. Only arithmetic on scalars counts; subscripts and constant expressions,
which a compiler folds, do not.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

from pycparser import c_ast, c_parser

_ARITHMETIC = {"+": "add", "-": "add", "*": "mul", "/": "div"}
_ASSIGNED = {"+=": "add", "-=": "add", "*=": "mul", "/=": "div"}
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_CALLS = {"fabs": ("abs",), "fmin": ("cmp", "select"), "fmax": ("cmp", "select")}
"""Calls that are operations of their own; `sqrt` and every other call counts under its own name."""

OPERATIONS = ("mul", "add", "neg", "div", "sqrt", "cmp", "select", "abs")


def total(count: Counter[str]) -> int:
    """One figure: a division or square root counts 10; comparisons, selects and libm calls are apart."""
    return count["mul"] + count["add"] + 10 * (count["div"] + count["sqrt"])


def functions(text: str, include: Path = Path()) -> dict[str, Counter[str]]:
    """The operations of each function that a C text defines; `include` is where its own headers are.

    A call of another function of the text, which stands before, counts what that one does.
    """
    tree = c_parser.CParser().parse(_preprocessed(text, include))
    found: dict[str, Counter[str]] = {}
    for definition in tree.ext:
        if isinstance(definition, c_ast.FuncDef):
            own = count(definition.body)
            for called in found.keys() & own.keys():
                for _ in range(own.pop(called)):
                    own.update(found[called])
            found[definition.decl.name] = own
    return found


def count(body: c_ast.Node) -> Counter[str]:
    """The operations of a function's body, by their name or that of a libm function."""
    counter = _Counter()
    counter.visit(body)
    return counter.found


def _preprocessed(text: str, include: Path) -> str:
    """The text with its own headers and macros, without those of the C library."""
    own = re.sub(r"^[ \t]*#[ \t]*include[ \t]*<[^>]*>", "", text, flags=re.MULTILINE)
    command = [os.environ.get("CC", "cc"), "-E", "-P", "-xc", "-D__attribute__(x)=", f"-I{include}", "-"]
    return subprocess.run(command, input=own, capture_output=True, text=True, check=True).stdout


class _Counter(c_ast.NodeVisitor):  # type: ignore[misc]
    """Visits a function's body and adds each operation to `found`."""

    def __init__(self) -> None:
        self.found: Counter[str] = Counter()
        self.negated: set[str] = set()

    def visit_BinaryOp(self, node: c_ast.BinaryOp) -> None:
        """Sums, products, quotients and comparisons of operands that are not constant."""
        if _constant(node) is not None:
            return
        if node.op == "/" and _power_of_two(_constant(node.right)):
            self.found["mul"] += 1  # as every compiler does it
        elif node.op in _ARITHMETIC:
            self.found[_ARITHMETIC[node.op]] += 1
        elif node.op in _COMPARISONS:
            self.found["cmp"] += 1
        self.generic_visit(node)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> None:
        """Negations, that of one variable once however often it is written; an address computes no scalar."""
        name = node.expr.name if isinstance(node.expr, c_ast.ID) else ""
        if _constant(node) is None and node.op == "-" and name not in self.negated:
            self.found["neg"] += 1
            self.negated |= {name} - {""}
        if node.op not in ("*", "&"):
            self.generic_visit(node)

    def visit_Assignment(self, node: c_ast.Assignment) -> None:
        """`a += b` is a sum."""
        if node.op in _ASSIGNED:
            self.found[_ASSIGNED[node.op]] += 1
        self.generic_visit(node)

    def visit_For(self, node: c_ast.For) -> None:
        """A loop's body once; counting its turns computes no scalar."""
        self.visit(node.stmt)

    def visit_ArrayRef(self, node: c_ast.ArrayRef) -> None:
        """A subscript is an address."""

    def visit_Return(self, node: c_ast.Return) -> None:
        """A status: its flags are chosen by integers, its conditions are comparisons like any others."""
        for part in _status_conditions(node.expr):
            self.visit(part)

    def visit_TernaryOp(self, node: c_ast.TernaryOp) -> None:
        """A choice of two scalars."""
        self.found["select"] += 1
        self.generic_visit(node)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        """A call of libm, by the name that double has."""
        arguments = node.args.exprs if node.args else []
        name = node.name.name
        name = name.removesuffix("f") if name.removesuffix("f") in _LIBM else name
        if name == "pow":
            self.found.update(_power(_constant(arguments[1])))
        else:
            self.found.update(_CALLS.get(name, (name,)))
        for argument in arguments:
            self.visit(argument)


_LIBM = {
    "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "pow", "fabs", "fmin", "fmax",
    "expm1", "log1p",
}  # fmt: skip
"""Functions of libm by the name that double has; float's ends in f."""


def _status_conditions(node: c_ast.Node | None) -> Iterable[c_ast.Node]:
    """The conditions of the flags in `(a ? 0 : 1) | (b ? 0 : 2)`."""
    if isinstance(node, c_ast.BinaryOp) and node.op == "|":
        yield from _status_conditions(node.left)
        yield from _status_conditions(node.right)
    elif isinstance(node, c_ast.TernaryOp) and isinstance(node.iffalse, c_ast.Constant):
        yield node.cond
    elif node is not None:
        yield node


def _power(exponent: Fraction | None) -> list[str]:
    """The operations of `pow` with this exponent as products; `pow` itself when the exponent is unknown."""
    if exponent is None or exponent.denominator > 2:
        return ["pow"]
    whole, half = divmod(abs(exponent), 1)
    bits = f"{int(whole):b}"
    products = len(bits) - 1 + bits.count("1") - 1 if whole else 0
    parts = ["mul"] * products + ["sqrt"] * bool(half) + ["mul"] * bool(half and whole)
    return parts + ["div"] * (exponent < 0)


def _power_of_two(number: Fraction | None) -> bool:
    """Whether a product with its reciprocal is exact."""
    if not number:
        return False
    return all(part & (part - 1) == 0 for part in (abs(number.numerator), number.denominator))


def _constant(node: c_ast.Node) -> Fraction | None:
    """The value of an expression of literals; None when it is not one."""
    if isinstance(node, c_ast.Constant):
        return Fraction(node.value.rstrip("fFlLuU"))
    if isinstance(node, c_ast.Cast):
        return _constant(node.expr)
    if isinstance(node, c_ast.UnaryOp) and node.op in "+-":
        value = _constant(node.expr)
        return value if value is None or node.op == "+" else -value
    if isinstance(node, c_ast.BinaryOp) and node.op in _ARITHMETIC:
        left, right = _constant(node.left), _constant(node.right)
        if left is None or right is None:
            return None
        return {"+": left + right, "-": left - right, "*": left * right}.get(node.op, left / (right or 1))
    return None
