"""Operators of Python that expressions do not support: each raises an error that names the alternative."""

from __future__ import annotations

from typing import Any, Never

from codegen.errors import FormulaError
from codegen.ir.numpy_operands import FUNCTIONS, refuse_function

CALLED = "a computed value cannot be called: properties such as v.norm and R.transpose have no brackets"
"""What is said of a property of a value that is called as a function."""

UNKNOWN = "make its value an argument, or look it up in a codegen.Table"
"""What to do about a function that C has no formula for."""


class NoNumber:
    """A computed value: it has no truth, equality, float or elements while a formula is recorded."""

    __slots__ = ()

    def __eq__(self, other: object) -> Never:
        raise FormulaError(
            "== and != cannot compare computed values; write abs(a - b) <= tolerance, "
            "or equal(a, b) where exact equality is meant"
        )

    __ne__ = __eq__
    __hash__ = object.__hash__  # by identity, as a node of a graph

    def __bool__(self) -> Never:
        raise FormulaError(
            "a formula cannot branch on a computed value; write select(condition, a, b) for if, "
            "(a < b) & (b < c) for `and` and a < b < c, | for `or`, ~ for `not`, "
            "maximum(a, b) and minimum(a, b) for max and min"
        )

    def _no_number(self, *_: Any) -> Never:
        raise FormulaError(
            "a computed value is not a number yet; write sin(x), sqrt(x) ... with `from codegen import sin` "
            "in place of math's functions, floor(x) or floor(x + 0.5) in place of int and round, "
            "and leave out float"
        )

    def __index__(self) -> Never:
        raise FormulaError(
            "a computed value is no index and no number of turns; write repeat(n, step, x) with a number n "
            "for a loop, select(condition, a, b) for a choice, or a Table for a look-up"
        )

    __float__ = __int__ = __complex__ = __round__ = _no_number
    __trunc__ = __floor__ = __ceil__ = _no_number

    def __format__(self, form: str) -> str:
        """Its text where no format of a number is asked for."""
        if form:
            raise FormulaError(
                f"a computed value has no digits to print as {form!r} yet: leave the format out"
            )
        return str(self)

    def _no_remainder(self, *_: Any) -> Never:
        raise FormulaError(
            "//, % and divmod are not for computed values; write floor(a / b) and modulo(a, b), "
            "or wrap(x) for an angle"
        )

    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = _no_remainder

    def __getitem__(self, index: Any) -> Never:
        raise FormulaError(
            "a scalar has no elements; an Array is one flat tuple, row by row: "
            "element (i, j) of Array((m, n)) is a[n * i + j]; a Matrix(m, n) has a[i, j]"
        )

    def __setitem__(self, *_: Any) -> Never:
        raise FormulaError(
            "a scalar has no elements, and does not change: give a new value a name of its own"
        )

    def __iter__(self) -> Never:
        raise FormulaError("a scalar has no elements to go through; declare the argument as an Array or Vec3")

    def __call__(self, *_: Any, **__: Any) -> Never:
        """A property was taken for a method."""
        raise FormulaError(CALLED)

    def __getattr__(self, name: str) -> Any:
        if name in FUNCTIONS:  # which NumPy calls on the elements of an array
            return lambda *_: refuse_function(name)
        raise AttributeError(f"a scalar has no .{name}; declare the argument as a type that has one")

    def __array_function__(self, function: Any, *_: Any) -> Never:
        refuse_function(function.__name__)

    def __rpow__(self, base: Any) -> Never:
        raise FormulaError("an exponent must be a whole number; write exp(x * log(a)) for a**x")
