"""A call of the public interface that does not fit its parameters: one line that says what to write."""

from pathlib import Path
from typing import Any

import pytest

import codegen
from codegen.errors import FeatherError
from codegen.loading.python_file import load_model

CALLS = {
    "Arg('q', REAL)": 'Arg("q") lacks unit, doc; write Arg(name, type, unit, doc)',
    "Arg('q', REAL, units='rad', doc='Angle.')": 'Arg("q") has no units; did you mean unit?',
    "Arg('q', REAL, 'rad', unit='m', doc='X.')": 'Arg("q") has two values for unit; '
    "write Arg(name, type, unit, doc)",
    "Arg()": "Arg() lacks name, type, unit, doc; write Arg(name, type, unit, doc)",
    "Arg('q', REAL, None, 'Angle.')": "argument q: its unit is None, but must be a string; "
    "write Arg(name, type, unit, doc, frame)",
    "State('x', REAL, 'm', initial=0)": 'State("x") lacks doc; write State(name, type, unit, doc)',
    "Table('c', {'a': Axis((0, 1), 'rad')})": 'Table("c") lacks data; write Table(name, axes, data)',
    "Filter(3, ('x',), {})": "Filter() has process = 3, but that must be a Kernel",
    "Matrix(2, 3, 4)": "Matrix() takes 2 values without their names, not 3; write Matrix(rows, columns)",
    "from_sympy('f', [1], [])": 'from_sympy("f") has inputs = [1], but that must be a list of pairs '
    "(Arg, value)",
    "jacobian(None, 'J', ['y'], {'J_x': ['x']})": 'jacobian("J") has of = None, but that must be a Kernel '
    "or a Table",
    "record('s', 'S.', 'abc')": "record() has members = 'abc', but that must be a list of Arg",
    "load(None)": "load() has directory = None, but that must be a string or a path",
    "table_from_csv(name='c', axes={}, unit='N')": 'table_from_csv("c") lacks path; '
    "write table_from_csv(path, name, axes, unit=...)",
    "kernel()": "kernel() lacks inputs, outputs; write kernel(inputs=..., outputs=...)",
    "Vec3(1, 2)": "Vec3() lacks z; write Vec3(x, y, z)",
    "Inertia(mass=1)": "Inertia() has no mass; it takes m, h, J",
    "UnitQuaternion(1, 2, 3)": "UnitQuaternion() lacks z; write UnitQuaternion(w, x, y, z)",
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_does_not_fit_says_what_to_write(call: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(f"from codegen import *\n\nmade = {call}\n")
    with pytest.raises(FeatherError) as raised:
        load_model(file)
    assert str(raised.value) == f"{file}:3: {CALLS[call]}"


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ("kernel(inputs=3, outputs=[], ", "kernel() has inputs = 3, but that must be a list of Arg"),
        (
            "block(states=[State('s', REAL, 'm', 'S.', initial=0)], reset=3, ",
            "block() has reset = 3, but that must be a function",
        ),
    ],
)
def test_a_decorator_says_what_to_write(made: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(f"from codegen import *\n\n@{made}equation='', source='')\ndef f(s):\n    return s\n")
    with pytest.raises(FeatherError) as raised:
        load_model(file)
    assert str(raised.value) == f"{file}:3: {message}"


def test_pythons_own_mistakes_inside_a_call_are_passed_on() -> None:
    class Table(dict[str, Any]):
        def items(self) -> Any:
            raise AttributeError("mine")

    with pytest.raises(AttributeError, match="mine"):
        codegen.Table("c", Table(a=codegen.Axis((0, 1), "rad")), (0, 1), unit="N")


def test_a_call_that_does_not_fit_is_a_type_error_as_pythons_own() -> None:
    with pytest.raises(TypeError, match="lacks unit"):
        codegen.Arg("q", codegen.REAL, doc="Angle.")  # type: ignore[call-arg]
