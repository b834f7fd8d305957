"""The operations of a Program.

Each operation is named once, here. Everything that works on Programs (number systems, passes, the C
printer) is a table from these names to their meaning there.
"""

from enum import Enum


class Sort(Enum):
    """The sort of a value: a real number, a truth value, or an index into an array of constants."""

    REAL = "real"
    BOOLEAN = "boolean"
    INDEX = "index"
    ARRAY = "array"


class Op(Enum):
    """An operation: its name, the sorts of its arguments and the sort of its result.

    The last argument of LIST is repeated for each number of the array.
    """

    def __init__(self, label: str, arguments: str, result: str) -> None:
        sorts = {"r": Sort.REAL, "b": Sort.BOOLEAN, "i": Sort.INDEX, "a": Sort.ARRAY}
        self.label = label
        self.arguments = tuple(sorts[letter] for letter in arguments)
        self.result = sorts[result]

    def sorts(self, count: int) -> tuple[Sort, ...]:
        """The sorts of so many arguments; those of the operation itself where it takes another number."""
        if self is not Op.LIST or count < len(self.arguments):
            return self.arguments
        return self.arguments[:1] + self.arguments[1:] * (count - 1)

    __hash__ = object.__hash__  # of the member itself: a table of operations is looked up for every node

    # Leaves: their value stands beside the operation.
    CONSTANT = ("constant", "", "r")  # an exact Fraction
    NAMED = ("named", "", "r")  # eps, min, max, pi: resolved per precision when printed
    INPUT = ("input", "", "r")  # the index of a scalar of the flattened inputs
    TRUTH = ("truth", "", "b")  # True or False
    ARRAY = ("array", "", "a")  # Constants
    WHOLE = ("whole", "", "i")  # an int

    ADD = ("add", "rr", "r")
    SUB = ("sub", "rr", "r")
    MUL = ("mul", "rr", "r")
    DIV = ("div", "rr", "r")
    NEG = ("neg", "r", "r")

    SQRT = ("sqrt", "r", "r")
    SIN = ("sin", "r", "r")
    COS = ("cos", "r", "r")
    TAN = ("tan", "r", "r")
    ASIN = ("asin", "r", "r")
    ACOS = ("acos", "r", "r")
    ATAN2 = ("atan2", "rr", "r")
    EXP = ("exp", "r", "r")
    LOG = ("log", "r", "r")
    SINH = ("sinh", "r", "r")
    COSH = ("cosh", "r", "r")
    TANH = ("tanh", "r", "r")
    LOG1P = ("log1p", "r", "r")
    EXPM1 = ("expm1", "r", "r")
    FLOOR = ("floor", "r", "r")
    ABS = ("abs", "r", "r")
    MIN = ("min", "rr", "r")
    MAX = ("max", "rr", "r")

    LT = ("lt", "rr", "b")
    LE = ("le", "rr", "b")
    AND = ("and", "bb", "b")
    OR = ("or", "bb", "b")
    NOT = ("not", "b", "b")
    SELECT = ("select", "brr", "r")

    CELL = ("cell", "ar", "i")  # the cell of an increasing array that holds a number
    STEP = ("step", "ri", "i")  # the whole part of a number >= 0, up to a last index; that for NaN
    FLAT = ("flat", "iii", "i")  # i * stride + j
    LIST = ("list", "ar", "a")  # an array of numbers known at run time; the first argument describes it
    ENTRY = ("entry", "aii", "r")  # the number of an array at an index plus an offset
    REAL = ("real", "i", "r")  # an index as a number


LEAVES = frozenset({Op.CONSTANT, Op.NAMED, Op.INPUT, Op.TRUTH, Op.ARRAY, Op.WHOLE})
COMMUTATIVE = frozenset({Op.ADD, Op.MUL, Op.AND, Op.OR})
HYPERBOLIC = frozenset({Op.SINH, Op.COSH, Op.TANH})
LIBM = HYPERBOLIC | {
    Op.SIN, Op.COS, Op.TAN, Op.ASIN, Op.ACOS, Op.ATAN2, Op.EXP, Op.LOG, Op.LOG1P, Op.EXPM1, Op.FLOOR,
}  # fmt: skip

LOOKUPS = frozenset({Op.CELL, Op.STEP, Op.FLAT, Op.LIST, Op.ENTRY, Op.REAL})
"""The operations that a look-up in a table needs beside arithmetic."""

NAMED_CONSTANTS = ("eps", "min", "max", "pi")
