"""Tables of data over one to four axes, which formulas look up: coefficients over angles, Mach numbers ...

A look-up finds the cell of each coordinate, and interpolates between the entries at the corners of the cell,
linearly in each coordinate, or by cubics through the entries around it (`cubic`). An axis whose nodes have
equal distances needs no search. The arithmetic is that of formulas: it is proven, optimised, and
differentiated within the cell like any other, and look-ups with the same axis share its cell.

The numbers are known when the code is generated, or an argument of the function in C.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise, product
from math import prod
from typing import Any, Final

from codegen.errors import FeatherError, naming
from codegen.ir.arrays import MOST_ENTRIES, Constants
from codegen.ir.expression import as_expr, decimal_of
from codegen.ir.numpy_operands import is_array, python_number
from codegen.ir.operations import Op
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.systems import TRACED, NumberSystem, system_of
from codegen.ir.types import Array, Elements, Scalar
from codegen.misuse import explained
from codegen.modeling.files import exact_decimal
from codegen.modeling.names import check_name
from codegen.modeling.quantities.units import UNCHECKED, parse
from codegen.modeling.tables import cubic
from codegen.modeling.types.scalar import every, holding, let, require

OUTSIDE = ("hold", "extrapolate", "flag")
"""What a table gives outside of its nodes: the value at their end, the line of the last cell, or a flag."""

METHODS = ("linear", "cubic")

MOST_AXES = 4
"""Limit on the axes of a table: a linear look-up adds up 16 entries over four axes, a cubic one 256."""


MOST_AT_RUN_TIME = 1024
"""Limit on the numbers of an argument: each is an input that `verify` and the self-test draw."""


class _AtRunTime:
    """The data of a table whose numbers the caller of the C function gives."""

    def __repr__(self) -> str:
        return "AT_RUN_TIME"


AT_RUN_TIME: Final = _AtRunTime()
"""Stands for the data of a table whose numbers are an argument of the functions that look it up."""


_looked_up: ContextVar[dict[str, Table] | None] = ContextVar("looked up", default=None)


def look_ups() -> AbstractContextManager[dict[str, Table]]:
    """Collect the tables with known numbers that formulas run inside look up, by name."""
    return holding(_looked_up, {})


@explained
@dataclass(frozen=True)
class Axis:
    """A coordinate of a table: its nodes in increasing order, their unit, and what it means."""

    nodes: Sequence[Any]
    unit: str
    doc: str = ""


@explained
class Table:
    """Numbers over one to four axes, which a formula looks up: `C_m(alpha, de)` for `axes={"alpha": ...}`.

    `data` are the numbers, row by row in the order of the axes: nested lists, a flat list or a NumPy array.
    Coordinates and result have the units of the axes and of the table. Beyond the nodes of an axis, `outside`
    is "hold" (the value at its end), "extrapolate" (the line through the last two nodes), or "flag": the
    function returns OUTSIDE, with the value at the end. A coordinate that is NaN gives NaN.

    `method="cubic"` makes the slope continuous, too: a cubic in each cell along each axis, whose slope
    at a node is that of the parabola through the node and its neighbours. It "extrapolates" by the tangent at
    the end, and an infinite coordinate then gives NaN. FeatherError names the axis or entry that is wrong.

    The numbers of a table may be `AT_RUN_TIME`: they are an input of each kernel that looks it up,
    `inputs=[..., C_m.argument]`, whose value in the formula is called like the table.
    """

    def __init__(
        self,
        name: str,
        axes: Mapping[str, Axis],
        data: Any,
        *,
        unit: str = "",
        outside: str = "hold",
        method: str = "linear",
        doc: str = "",
        source: str = "",
    ) -> None:
        self.name = check_name(name, "table")
        self.method = method
        self.unit, self.outside, self.doc, self.source = unit, outside, doc or name, source
        with naming(f"table {name}"):
            if outside not in OUTSIDE:
                raise FeatherError(f"outside is {outside!r}: choose {', '.join(OUTSIDE)}")
            if method not in METHODS:
                raise FeatherError(f"method is {method!r}: choose {', '.join(METHODS)}")
            if not isinstance(axes, Mapping) or not 1 <= len(axes) <= MOST_AXES:
                raise FeatherError(f"it needs one to {MOST_AXES} axes: axes={{'alpha': Axis([...], 'rad')}}")
            _check_unit("its numbers have", unit, "unit='N'")
            self.is_given = data is AT_RUN_TIME
            self.axes = tuple(_Axis(name, key, a, method, self.is_given) for key, a in axes.items())
            if self.is_given:
                self._check_given()
            self.numbers = [] if self.is_given else _entries(data, self.axes)
            stored = [] if self.is_given else self._stored
            self.data = Constants(name, stored, unit, self._described, self.axes[-1].stored)

    def _check_given(self) -> None:
        count = prod(axis.size for axis in self.axes)
        if count > MOST_AT_RUN_TIME:
            raise FeatherError(f"its {count} numbers are more than {MOST_AT_RUN_TIME} at run time")

    @cached_property
    def argument(self) -> Arg:
        """The input of a kernel that holds the numbers of this table; FeatherError where they are known."""
        if not self.is_given:
            raise FeatherError(f"the numbers of table {self.name} are known: look it up, without an argument")
        return self.argument_called(self.name)

    def argument_called(self, name: str) -> Arg:
        """The input with this name."""
        axes = " x ".join(f"{axis.size} {axis.name} ({axis.listed})" for axis in self.axes)
        shape = tuple(axis.size for axis in self.axes)
        return Arg(name, TableData(shape, table=self), self.unit, f"{self.doc} at {axes}, row by row")

    def __call__(self, *coordinates: Scalar) -> Scalar:
        """The interpolated number at these coordinates, of any number system."""
        if self.is_given:
            raise FeatherError(
                f"the numbers of table {self.name} are given at run time: take them as an input, "
                f"inputs=[..., {self.name}.argument], and look up its parameter"
            )
        if (found := _looked_up.get()) is not None:
            found.setdefault(self.name, self)
        return self.looked_up((), *coordinates)

    def looked_up(self, numbers: Sequence[Scalar], *coordinates: Scalar) -> Scalar:
        """The interpolated number at these coordinates; `numbers` are those of a table at run time."""
        if len(coordinates) != len(self.axes):
            wanted = ", ".join(axis.name for axis in self.axes)
            raise FeatherError(f"table {self.name} is looked up with {len(coordinates)} values for {wanted}")
        plain = [x if is_array(x) else python_number(x) for x in coordinates]
        system = system_of((*plain, *numbers))
        lift = as_expr if system is TRACED else system.lift
        for axis, x in zip(self.axes, plain, strict=True):
            if hasattr(x, "in_unit") and axis.unit not in UNCHECKED:
                x.in_unit(parse(axis.unit), f"{axis.name} of table {self.name}")
        inside = [self._inside(system, axis, lift(x)) for axis, x in zip(self.axes, plain, strict=True)]
        places = self.places(system, inside)
        data = system.table[Op.LIST](self.data, *map(lift, numbers)) if self.is_given else self.data
        corners = self.corners(system, data, [cell for cell, _ in places])
        if self.method == "cubic":
            return self.summed(corners, self._weights(system, inside, places))
        return self.interpolated(corners, [t for _, t in places])

    @property
    def _stored(self) -> list[Fraction]:
        """The numbers of the array in C."""
        if self.method == "linear":
            return self.numbers
        found = cubic.extended(self.numbers, [axis.nodes.values for axis in self.axes])
        if len(found) > MOST_ENTRIES:
            raise FeatherError(f"its {len(found)} entries, with two more along each axis, are too many")
        return found

    def places(self, system: NumberSystem, coordinates: Sequence[Scalar]) -> list[tuple[Any, Scalar]]:
        """For each axis the cell of its coordinate, and the part of the cell's side that lies below it."""
        hold = self.outside == "hold"
        return [axis.place(system, x, hold) for axis, x in zip(self.axes, coordinates, strict=True)]

    def _inside(self, system: NumberSystem, axis: _Axis, x: Scalar) -> Scalar:
        """The coordinate, or the end of the axis where the function returns a flag beyond it."""
        if self.outside != "flag":
            return x
        less, select = system.table[Op.LT], system.table[Op.SELECT]
        first, last = axis.node(system, 0), axis.node(system, axis.size - 1)
        within = require(every(first <= x, x <= last), Status.OUTSIDE)
        return x if within is True else select(within, x, select(less(x, first), first, last))

    def corners(self, system: NumberSystem, data: Any, cells: Sequence[Any]) -> list[Scalar]:
        """The entries of an array at the corners of a cell; that of the last axis changes first."""
        around = [axis.around(system, cell) for axis, cell in zip(self.axes, cells, strict=True)]
        strides = [prod(axis.stored for axis in self.axes[i + 1 :]) for i in range(len(self.axes))]

        @cache
        def place(*chosen: int) -> Any:
            """The place in the array that the chosen indices along the first axes give."""
            *before, last = chosen
            index = around[len(before)][last][0]
            if not before:
                return index
            stored = self.axes[len(before)].stored
            return let(f"{self.name}_at", system.table[Op.FLAT](place(*before), stored, index))

        found = []
        for steps in product(*([(i, s) for i, (_, own) in enumerate(a) for s in own] for a in around)):
            offset = sum(step * stride for (_, step), stride in zip(steps, strides, strict=True))
            found.append(system.table[Op.ENTRY](data, place(*(i for i, _ in steps)), offset))
        return found

    @staticmethod
    def interpolated(corners: Sequence[Scalar], parts: Sequence[Scalar]) -> Scalar:
        """The number between the corners of a cell, at these parts of its sides: linear in each of them."""
        values = list(corners)
        for t in reversed(parts):
            values = [a + t * (b - a) for a, b in zip(values[::2], values[1::2], strict=True)]
        return values[0]

    def beyond(self, system: NumberSystem, axis: _Axis, x: Scalar) -> cubic.Beyond | None:
        """Whether a coordinate is below or above its axis; None where the table does not go on there."""
        if self.outside != "extrapolate":
            return None
        less = system.table[Op.LT]
        return less(x, axis.node(system, 0)), less(axis.node(system, axis.size - 1), x)

    def _weights(
        self, system: NumberSystem, coordinates: Sequence[Scalar], places: Sequence[tuple[Any, Scalar]]
    ) -> list[list[Scalar]]:
        """For each axis the weights of the four entries around a cell."""
        found = []
        for axis, x, (cell, t) in zip(self.axes, coordinates, places, strict=True):
            if axis.is_linear:
                found.append([1 - t, t])
                continue
            slopes, beyond = axis.slopes(system, cell), self.beyond(system, axis, x)
            found.append(let(f"{axis.name}_weight", cubic.weights(system, t, slopes, beyond)))
        return found

    @staticmethod
    def summed(corners: Sequence[Scalar], weights: Sequence[Sequence[Scalar]]) -> Scalar:
        """The sum of the entries around a cell, weighted along each axis, the last one first."""
        values = list(corners)
        for along in reversed(weights):
            rows = (values[i : i + len(along)] for i in range(0, len(values), len(along)))
            values = [sum(weight * y for weight, y in zip(along, row, strict=True)) for row in rows]
        return values[0]

    @property
    def grid(self) -> list[Constants]:
        """The nodes of all axes."""
        return [axis.nodes for axis in self.axes]

    @cached_property
    def _described(self) -> str:
        extents = " x ".join(f"{axis.size} {axis.name}" for axis in self.axes)
        is_longer = any(axis.stored > axis.size for axis in self.axes)
        more = ", with one more beyond each end, for the slopes" if is_longer else ""
        return f"{self.doc}: {extents}{more}"


class TableNumbers(Elements):
    """The numbers of a table that are an input, row by row; called with coordinates, they are looked up."""

    table: Table

    def __new__(cls, numbers: Iterable[Scalar], table: Table) -> TableNumbers:
        """The numbers of a table."""
        made = super().__new__(cls, numbers)
        made.table = table
        return made

    def __call__(self, *coordinates: Scalar) -> Scalar:
        """The interpolated number at these coordinates."""
        return self.table.looked_up(self, *coordinates)


@dataclass(frozen=True)
class TableData(Array):
    """The type of an input that holds the numbers of a table, `Table.argument`."""

    table: Table = field(kw_only=True)

    @property
    def described(self) -> str:
        """The type in a table: `4 x 3 table data`."""
        return " x ".join(map(str, self.shape)) + " table data"

    def value(self, scalars: Sequence[Scalar]) -> TableNumbers:
        """The numbers, which can be looked up."""
        return TableNumbers(scalars, self.table)

    def matrix(self, scalars: Sequence[Scalar]) -> list[list[Scalar]] | None:
        """The rows of a table over two axes, as a vehicle file gives them."""
        width = self.shape[-1]
        rows = [list(scalars[i : i + width]) for i in range(0, self.size, width)]
        return rows if len(self.shape) == 2 else None

    def received(self, value: Any) -> TableNumbers:
        """The numbers that a kernel is called with: those of a table over the same nodes, or a list."""
        numbers = self.scalars(value)
        if len(numbers) != self.size:
            raise FeatherError(f"it takes {self.size} numbers of a table, not {len(numbers)}")
        if isinstance(value, TableNumbers) and value.table.grid != self.table.grid:
            raise FeatherError(f"table {value.table.name} has other nodes than table {self.table.name}")
        return self.value(numbers)


class _Axis:
    """An axis of a table, checked; its nodes are exact."""

    def __init__(self, table: str, name: str, given: Axis, method: str, is_given: bool) -> None:
        self.name = check_name(name, "axis")
        with naming(f"axis {name}"):
            if not isinstance(given, Axis):
                raise FeatherError("it has no unit: write Axis([...], 'rad'), with '1' for a plain number")
            _check_unit("it has", given.unit, "Axis([...], 'rad')")
            nodes = [_exact(x, f"node {i}") for i, x in enumerate(_listed(given.nodes), 1)]
            if len(nodes) < 2:
                raise FeatherError(f"it needs at least 2 nodes, but has {len(nodes)}")
            for i, (a, b) in enumerate(pairwise(nodes), 1):
                if not a < b:
                    raise FeatherError(
                        f"node {i + 1}, {float(b):g}, is not above {float(a):g}: nodes must increase"
                    )
        self.unit, self.doc, self.size = given.unit, given.doc or name, len(nodes)
        self.nodes = Constants(f"{table}_{name}", nodes, given.unit, f"{self.doc}: nodes of {name}")
        self.is_linear = method == "linear" or (is_given and self.size == 2)
        self.has_neighbours = not self.is_linear and is_given
        self.stored = self.size if self.is_linear or is_given else self.size + 2

    @cached_property
    def shares(self) -> Constants:
        """What the slopes at the ends of each cell depend on, for a cubic."""
        doc = f"shares of the slopes of the table in those at the ends of each cell of {self.name}"
        shares = (cubic.shares_within if self.has_neighbours else cubic.shares)(self.nodes.values)
        return Constants(f"{self.nodes.name}_shares", shares, "1", doc, len(shares) // (self.size - 1))

    @property
    def is_uniform(self) -> bool:
        """Whether all distances between nodes are equal."""
        return len({b - a for a, b in pairwise(self.nodes.values)}) == 1

    @property
    def listed(self) -> str:
        """The nodes with their unit, as text: `-10, -5 ... 45 deg`."""
        texts = [f"{float(node):.7g}" for node in self.nodes.values]
        if self.is_uniform and self.size > 5:
            texts = [texts[0], f"{texts[1]} ... {texts[-1]}"]
        return ", ".join(texts) + ("" if self.unit in ("1", *UNCHECKED) else f" {self.unit}")

    def node(self, system: NumberSystem, i: int) -> Scalar:
        """A node as a number of a system."""
        return system.table[Op.ENTRY](self.nodes, i, 0)

    def around(self, system: NumberSystem, cell: Any) -> list[tuple[Any, Sequence[int]]]:
        """The entries along the axis that a look-up in a cell adds up: indices, and steps from each.

        An index is the whole part of a number half way to the next, which no rounding takes to another.
        """
        if self.is_linear:
            return [(cell, range(2))]
        if not self.has_neighbours:
            return [(cell, range(4))]
        if self.size == 3:
            return [(0, (0,)), (cell, range(2)), (0, (2,))]
        number = system.table[Op.REAL](cell)
        before = system.table[Op.MAX](number - cubic.HALF, system.constant(Fraction(0)))
        low = let(f"{self.name}_before", system.table[Op.STEP](before, self.size - 3))
        high = let(f"{self.name}_behind", system.table[Op.STEP](number + 5 * cubic.HALF, self.size - 1))
        return [(low, (0,)), (cell, range(2)), (high, (0,))]

    def slopes(self, system: NumberSystem, cell: Any) -> cubic.Slopes:
        """How the slopes at the ends of a cell depend on the entries around it."""
        if self.is_uniform and not self.has_neighbours:
            return cubic.equal_slopes(system)
        return cubic.stored_slopes(system, self.shares, cell)

    def place(self, system: NumberSystem, x: Scalar, hold: bool) -> tuple[Any, Scalar]:
        """The cell of a coordinate, and the part of the cell's side that lies below it; NaN where x is NaN.

        To `hold`, a coordinate beyond an end of the axis is taken for that end.
        """
        if self.is_uniform:
            return self._stepped(system, x, hold)
        table = system.table
        if hold:
            first, last = self.node(system, 0), self.node(system, self.size - 1)
            x = let(f"{self.name}_held", _held(system, first, x, last))
        cell = let(f"{self.name}_cell", table[Op.CELL](self.nodes, x))
        below, above = (table[Op.ENTRY](self.nodes, cell, offset) for offset in (0, 1))
        return cell, let(f"{self.name}_part", (x - below) / (above - below))

    def _stepped(self, system: NumberSystem, x: Scalar, hold: bool) -> tuple[Any, Scalar]:
        """The place on an axis whose nodes have equal distances, which are the unit of `steps`."""
        table = system.table
        zero, last = (system.constant(Fraction(n)) for n in (0, self.size - 1))
        first, second = self.node(system, 0), self.node(system, 1)
        steps = let(f"{self.name}_steps", (x - first) / (second - first))
        if hold:
            steps = let(f"{self.name}_held", _held(system, zero, steps, last))
        if self.size == 2:
            return 0, steps
        positive = steps if hold else table[Op.SELECT](table[Op.LT](zero, steps), steps, zero)
        cell = let(f"{self.name}_cell", table[Op.STEP](positive, self.size - 2))
        return cell, let(f"{self.name}_part", steps - table[Op.REAL](cell))


def _held(system: NumberSystem, first: Scalar, x: Scalar, last: Scalar) -> Scalar:
    """x, or the first or last number if it lies beyond; NaN stays."""
    less, select = system.table[Op.LT], system.table[Op.SELECT]
    return select(less(x, first), first, select(less(last, x), last, x))


def _check_unit(what: str, unit: Any, remedy: str) -> None:
    if not isinstance(unit, str) or not unit.strip():
        raise FeatherError(f"{what} no unit: write {remedy}, with '1' for a plain number")
    if unit not in UNCHECKED:
        parse(unit)


def _listed(numbers: Any) -> list[Any]:
    """A list, tuple or array as a list; FeatherError for anything else."""
    if not is_array(numbers) and not isinstance(numbers, (list, tuple, range)):
        raise FeatherError(f"{numbers!r} is no list of numbers")
    return list(numbers)


def _exact(number: Any, where: str) -> Fraction:
    """A number as a fraction; FeatherError with its place unless it is finite."""
    plain = python_number(number)
    try:
        if isinstance(plain, float):
            return decimal_of(plain)
        if isinstance(plain, Decimal):
            return exact_decimal(plain)
        if isinstance(plain, (int, Fraction)) and not isinstance(plain, bool):
            return Fraction(plain)
    except (FeatherError, OverflowError, ValueError):
        pass
    raise FeatherError(f"{where} is {number!r}, which is not a finite number")


def _entries(data: Any, axes: Sequence[_Axis]) -> list[Fraction]:
    """The numbers of a table, row by row; FeatherError unless there is one for each combination of nodes."""
    shape = tuple(axis.size for axis in axes)
    wanted = " x ".join(map(str, shape)) + f" ({' x '.join(axis.name for axis in axes)})"
    if prod(shape) > MOST_ENTRIES:
        raise FeatherError(f"its {wanted} entries are more than {MOST_ENTRIES}")
    found = _shape(data)
    if found == shape:
        return list(_flat(data, "data"))
    if found == (prod(shape),):
        return [_exact(x, f"data[{i}]") for i, x in enumerate(data)]
    raise FeatherError(f"its data are {' x '.join(map(str, found)) or 'no list'}, but must be {wanted}")


def _shape(data: Any) -> tuple[int, ...]:
    """The extents of nested lists or of an array, by their first elements."""
    if is_array(data):
        return tuple(data.shape)
    return (len(data), *(_shape(data[0]) if data else ())) if isinstance(data, (list, tuple)) else ()


def _flat(data: Any, where: str) -> list[Fraction]:
    """The numbers of nested lists; FeatherError where one is wrong, or rows differ in length."""
    if not is_array(data) and not isinstance(data, (list, tuple)):
        return [_exact(data, where)]
    first = _shape(data[0])
    for i, row in enumerate(data):
        if _shape(row) != first:
            raise FeatherError(f"{where}[{i}] has another length than {where}[0]: rows must be equally long")
    return [x for i, row in enumerate(data) for x in _flat(row, f"{where}[{i}]")]
