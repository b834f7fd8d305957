"""Flags of what a formula calls: the header says when each is returned, and what success does not say."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import codegen
from codegen import (
    REAL,
    Arg,
    Array,
    Kernel,
    Matrix,
    Quaternion,
    State,
    Status,
    Symmetric,
    UnitQuaternion,
    Vec3,
    Vector,
    block,
    finite,
    for_each,
    jacobian,
    kernel,
    let,
    require,
    select,
)
from codegen.emit.cases import cases_of
from codegen.emit.options import Options
from codegen.emit.untested import untested
from codegen.explain.inspection.content import Block, Words, whole
from codegen.library.rotation.kernels import quat_normalize, quat_rotate
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate

VELOCITY = Arg("v_B", Vec3, "m/s", "velocity", "B")
TURNED = Arg("v_N", Vec3, "m/s", "velocity", "N")
RAW = Arg("q_raw", Quaternion, "1", "attitude, not normalised", "B to N")


@kernel(inputs=[RAW, VELOCITY], outputs=[TURNED], equation="", source="")
def turned(q_raw: Quaternion, v_B: Vec3) -> Any:
    """Velocity in N."""
    return quat_rotate(quat_normalize(q_raw), v_B)


@kernel(inputs=[RAW, VELOCITY], outputs=[TURNED], equation="", source="")
def turned_safely(q_raw: Quaternion, v_B: Vec3) -> Any:
    """Velocity in N, or zero."""
    turned_v = quat_rotate(quat_normalize(q_raw), v_B)
    ok = require(finite(turned_v), Status.NOT_FINITE)
    return select(ok, turned_v, Vec3(0, 0, 0))


@kernel(
    inputs=[Arg("p", Quaternion, "1", "first"), Arg("q", Quaternion, "1", "second")],
    outputs=[Arg("r", UnitQuaternion, "1", "product, normalised")],
    equation="",
    source="",
)
def long_condition(p: Quaternion, q: Quaternion) -> Any:
    """Normalised product, whose squared norm is a long expression."""
    return quat_normalize(p @ q @ p @ q)


@block(
    states=[State("x", Vector(2), "1", "state")],
    inputs=[Arg("A", Matrix(2, 2), "1", "matrix"), Arg("P", Symmetric(2), "1", "covariance")],
    outputs=[Arg("y", Vector(2), "1", "result")],
    equation="",
    source="",
)
def solver(x: Any, A: Any, P: Any) -> Any:
    """A block that solves with an input, with a local variable and with a value without a name."""
    S = A @ P @ A.T
    gain = S.ldlt().solve(x)
    return A.solve(x), gain + (A + A).solve(x)


def header(*kernels: Kernel, checks: bool = True) -> str:
    """The comments of the header of kernels, each line break and indentation a blank."""
    files = render_tree(list(kernels), Options(checks=checks))
    (name,) = (n for n in files if re.fullmatch(r"fc_test_\w+_f64\.h", n))
    text = files[name]
    return re.sub(r"\s+\*?\s*", " ", text if isinstance(text, str) else text.decode())


def test_a_condition_of_a_called_kernel_is_written_in_the_arguments_of_the_function() -> None:
    text = header(turned)
    squares = "n = q_raw_w^2 + q_raw_x^2 + q_raw_y^2 + q_raw_z^2"
    assert (
        f"FC_ZERO_NORM unless n > min, {squares} (in quat_normalize): v_N is computed with a constant" in text
    )
    assert (
        f"FC_NOT_FINITE unless n <= max, {squares} (in quat_normalize): v_N is computed with a constant"
        in text
    )
    assert "a value is not finite" not in text


def test_a_long_condition_is_the_one_that_the_called_kernel_states() -> None:
    ((zero,), (infinite,)) = (cases_of(long_condition)[f] for f in (Status.ZERO_NORM, Status.NOT_FINITE))
    assert (zero.unless, zero.words) == ("q.q > min", "in the names of quat_normalize")
    assert infinite.unless == "q.q <= max"
    assert zero.results == "r = [1, 0, 0, 0]"


def test_derivatives_inherit_flags() -> None:
    slopes = jacobian(turned, "slopes", ["v_N"], {"dv": ["v_B"]})
    assert "FC_ZERO_NORM unless q_raw_w^2 + " in header(slopes)


def test_without_checks_the_conditions_are_preconditions() -> None:
    text = header(turned, checks=False)
    assert re.search(r"@pre n > min, n = .* \(in quat_normalize\), which this function does not check", text)
    assert "With FC_OK" not in text


def test_a_called_kernel_in_a_loop_states_its_condition() -> None:
    @kernel(
        inputs=[Arg("angles", Array((100,)), "1", "numbers")],
        outputs=[Arg("total", REAL, "1", "sum")],
        equation="",
        source="",
    )
    def sums(angles: Any) -> Any:
        """Sum of the scalar parts of many quaternions."""

        def add(angle: Any, total: Any) -> Any:
            return total + quat_normalize(Quaternion(angle, angle, angle, angle)).w

        return for_each(angles, add, 0)

    ((zero,), _) = (cases_of(sums)[f] for f in (Status.ZERO_NORM, Status.NOT_FINITE))
    assert (zero.unless, zero.words) == ("q.q > min", "in the names of quat_normalize")


def test_a_requirement_that_always_holds_has_no_condition() -> None:
    @kernel(inputs=[RAW], outputs=[Arg("r", Quaternion, "1", "r")], equation="", source="")
    def known(q_raw: Quaternion) -> Any:
        """Normalises an input and a constant."""
        return quat_normalize(q_raw) @ quat_normalize(Quaternion(3, 0, 4, 0))

    for (case,) in cases_of(known).values():
        assert "n = q_raw_w^2 + " in case.unless


def test_a_matrix_is_named_once() -> None:
    text = header(solver.step)
    said = text[text.index("FC_SINGULAR") : text.index("Cost:")]
    assert said.count("the 2 x 2 matrix S is not positive definite, or rounding cannot tell") == 1
    assert said.count("the 2 x 2 matrix A is singular, or rounding cannot tell") == 1
    assert said.count("the 2 x 2 matrix that the formula solves with is singular") == 1


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    place = tmp_path_factory.mktemp("inherited") / "tree"
    generate([turned, turned_safely], Options(), place)
    return codegen.load(place)


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", range(7))
def test_what_the_header_says_of_nan_is_what_the_code_does(
    compiled: Any, precision: str, wrong: float, place: int
) -> None:
    """A flag, or a result that the header says may be infinite or NaN; with a test of the model, a flag."""
    given = np.array([0.5, -0.5, 1, 2, 3, 4, 5])
    given[place] = wrong
    lib = getattr(compiled, precision)
    loose, safe = lib.turned(given[:4], given[4:]), lib.turned_safely(given[:4], given[4:])
    assert bool(loose.status) == (place < 4)
    assert np.isfinite(np.ravel(loose.v_N)).all() == (place < 4)
    assert safe.status & Status.NOT_FINITE or (place < 4 and safe.status & Status.ZERO_NORM)
    assert np.isfinite(np.ravel(safe.v_N)).all()


def test_the_header_says_which_inputs_no_flag_tests() -> None:
    assert untested(turned) == (("v_B",), ("v_N",))
    assert "With FC_OK, v_N may be infinite or NaN: where v_B is, or where it overflows." in header(turned)
    assert untested(turned_safely) == ((), ())
    assert "With FC_OK" not in header(turned_safely)


def test_inspect_says_which_inputs_no_flag_tests() -> None:
    said = "With OK, v_N may be infinite or NaN: where v_B is, or where it overflows."
    assert Words(said) in blocks_of(turned)
    assert not any(isinstance(block, Words) and "With OK" in block.text for block in blocks_of(turned_safely))


def blocks_of(kernel: Kernel) -> list[Block]:
    return [block for section in whole(kernel, Options()) for block in section.blocks]


def test_a_function_without_a_status_says_nothing_of_success() -> None:
    @kernel(inputs=[VELOCITY], outputs=[TURNED], equation="", source="")
    def doubled(v_B: Vec3) -> Any:
        """Twice."""
        return let("twice", v_B + v_B)

    assert untested(doubled) == ((), ())
