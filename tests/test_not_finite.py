"""NaN and infinities are never hidden: each in every scalar of every function with a status.

Where a result is not finite, the status is not 0; and it is so only where the documentation says that what
was given is kept. A NaN that does not change the status changes no result. Flags and documentation agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from codegen.ir.domain import cases
from codegen.ir.status import Status
from codegen.ir.systems import F32, F64
from codegen.ir.types import Real
from codegen.library import MODULES, library
from codegen.library.forms import trials
from codegen.library.routines import routines
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from tests.conftest import GENERATED, Compiled

Array = npt.NDArray[Any]

WRONG = (np.nan, np.inf, -np.inf)
KEEP_WHAT_THEY_WERE_GIVEN = {
    "rigid_body_step_rk4_quat": ("p_N", "q_NB", "v_B", "w_B"),
    "rigid_body_step_rk4_rpy": ("p_N", "rpy", "v_B", "w_B"),
    "rigid_body_step_rk4_dcm": ("p_N", "R_NB", "v_B", "w_B"),
    "rigid_body_step_rk4_mrp": ("p_N", "s_NB", "v_B", "w_B"),
    "rigid_body_step_semi_implicit_quat": ("p_N", "q_NB", "v_B", "w_B"),
    "contact_free_velocity": ("v",),
    "contact_apply": ("v",),
}
"""Steps that do not take place: the state stays as it is, of each kernel the inputs that are its outputs."""


def with_status() -> list[Kernel]:
    """Every kernel of the library that returns a status."""
    return [k for k in library().values() if k.program().status]


def arguments(kernel: Kernel, scalars: Sequence[float]) -> dict[str, Any]:
    """The arguments of the compiled function, from the flattened inputs."""
    stream, values = iter(scalars), {}
    for a in kernel.inputs:
        part = [next(stream) for _ in range(a.size)]
        values[a.name] = part[0] if isinstance(a.type, Real) else part
    return values


def flat(result: Any) -> Array:
    """All results in one array, without the status."""
    return np.concatenate([np.zeros(0), *(np.ravel(part) for part in result[:-1])])


def sound_calls(kernel: Kernel, function: Any) -> Iterator[list[float]]:
    """Inputs on which the kernel succeeds, random ones and edges of all types."""
    for case in cases(kernel.inputs, 3, f"not finite {kernel.name}"):
        scalars = [float(x) for x in case]
        result = function(*arguments(kernel, scalars).values())
        if result.status == 0 and np.isfinite(flat(result)).all():
            yield scalars


def judge(kernel: Kernel, function: Any, scalars: list[float], place: int, wrong: float) -> str:
    """The fault of a call with one scalar replaced; empty if there is none."""
    fine = flat(function(*arguments(kernel, scalars).values()))
    given = arguments(kernel, [*scalars[:place], wrong, *scalars[place + 1 :]])
    result = function(*given.values())
    found = flat(result)
    if result.status == 0 and np.isnan(wrong) and not np.array_equal(found, fine):
        return "NaN changes a result and no flag"
    if np.isfinite(found).all():
        return ""
    kept = KEEP_WHAT_THEY_WERE_GIVEN.get(kernel.name, ())
    before = np.concatenate([np.zeros(0), *(np.ravel(given[name]) for name in kept)])
    if result.status & Status.NOT_FINITE and np.array_equal(
        found, before.astype(function.dtype), equal_nan=True
    ):
        return ""
    return f"status {result.status} with {found}"


def faults(kernel: Kernel, function: Any, calls: int | None) -> Iterator[str]:
    """Each fault of a function, at its first sound calls or at all of them."""
    names = [name for a in kernel.inputs for name in a.scalar_names]
    reached = 0
    for scalars in islice(sound_calls(kernel, function), calls):
        reached += 1
        for place, name in enumerate(names):
            for wrong in WRONG:
                fault = judge(kernel, function, scalars, place, wrong)
                if fault:
                    yield f"{kernel.name}: {name} = {wrong}: {fault}"
    if not reached:
        yield f"{kernel.name}: no sound call"


@pytest.mark.parametrize("calls", [2, pytest.param(None, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("module", MODULES)
def test_what_is_not_finite_is_reported(fc: Compiled, module: str, calls: int | None) -> None:
    kernels = [k for k in with_status() if k.module == module]
    found = [fault for k in kernels for fault in faults(k, getattr(fc.call, k.name), calls)]
    assert not found, "\n".join(found[:20])


def test_most_kernels_with_a_status_are_called() -> None:
    assert len(with_status()) > 110
    assert set(KEEP_WHAT_THEY_WERE_GIVEN) <= {k.name for k in with_status()}


# --- routines ---------------------------------------------------------------------------------------------


def places(inputs: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """Each real scalar of a routine's inputs: the argument, and its place in it."""
    for k, value in enumerate(inputs):
        array = np.asarray(value)
        if array.dtype.kind == "f":
            yield from ((k, i) for i in range(array.size))


@pytest.mark.parametrize(
    "name", ["contact_delassus", "contact_velocity_update", "contact_solve_pgs", "contact_solve_apgd"]
)
@pytest.mark.parametrize("wrong", WRONG)
def test_routines_report_what_is_not_finite(fc: Compiled, name: str, wrong: float) -> None:
    """In each scalar of each trial; velocities that are not finite stay as they are."""
    function = getattr(fc.call, name)
    reported = 0
    for trial in trials(name)(F64 if fc.name == "f64" else F32):
        fine = function(*trial.inputs)
        for k, place in places(trial.inputs):
            inputs = [np.array(x, float) if np.asarray(x).dtype.kind == "f" else x for x in trial.inputs]
            inputs[k].reshape(-1)[place] = wrong
            result = function(*inputs)
            found = flat(result)
            reported += bool(result.status & Status.NOT_FINITE)
            if result.status == 0:
                assert np.isfinite(found).all(), (k, place)
                unread = np.isinf(wrong) or np.array_equal(found, flat(fine))
                assert unread or k == len(inputs) - 1, (k, place)
            elif name == "contact_velocity_update":
                bad = ~np.isfinite(found)
                assert np.array_equal(found[bad], np.ravel(inputs[-1])[bad].astype(fc.dtype), equal_nan=True)
            else:
                assert np.isfinite(found).all(), (k, place)
    assert reported > 50


@pytest.mark.parametrize("solver", ["contact_solve_pgs", "contact_solve_apgd"])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_solver_refuses_a_problem_that_is_not_finite(fc: Compiled, solver: str, wrong: float) -> None:
    """On the diagonal of N, off it, in r and in lambda, also of a contact that is skipped."""
    function = getattr(fc.call, solver)
    for diagonal in ([2.0, 3.0], [2.0, 0.0]):
        for k, place in [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (2, 0), (2, 1)]:
            problem = [np.diag(diagonal), -np.ones(2), np.array([0.1, 0.2])]
            assert function(*problem, 2, 50, 1e-4).status == 0
            problem[k].reshape(-1)[place] = wrong
            result = function(*problem, 2, 50, 1e-4)
            assert result.status == Status.NOT_FINITE
            assert not result.lambda_.any()
            assert (result.residual, result.used) == (fc.dtype(fc.max), 0)


@pytest.mark.parametrize("solver", ["contact_solve_pgs", "contact_solve_apgd"])
def test_impulses_that_overflow_are_not_finite(fc: Compiled, solver: str) -> None:
    """A sound problem, but its impulses are beyond the largest number."""
    N, r = np.array([[4 * fc.min]]), np.array([-1e3])
    result = getattr(fc.call, solver)(N, r, [0.0], 1, 50, 1e-4)
    assert result.status in (Status.NOT_FINITE, Status.NOT_CONVERGED)
    assert np.isfinite(result.lambda_).all()
    assert np.isfinite(result.residual)


def test_a_nan_on_the_diagonal_shows_in_the_residual(fc: Compiled) -> None:
    for place in range(4):
        N = np.diag([2.0, 3.0])
        N.reshape(-1)[place] = np.nan
        assert np.isnan(fc.call.contact_residual(N, -np.ones(2), np.ones(2), 2).residual)


@pytest.mark.parametrize("wrong", WRONG)
def test_a_static_body_with_a_velocity_that_is_not_finite(fc: Compiled, wrong: float) -> None:
    """It keeps its velocity, with a flag; values that are not read, such as its inertia, have no effect."""
    v = np.array([1, 2, 3, 4, wrong, 6])
    result = fc.call.contact_apply(v, 0, np.ones(6), np.ones(6), 1)
    assert result.status == Status.NOT_FINITE
    np.testing.assert_array_equal(result.v_next, v.astype(fc.dtype))
    unread = fc.call.contact_apply(np.arange(6), 0, np.full(6, wrong), np.full(6, wrong), wrong)
    assert unread.status == 0
    np.testing.assert_array_equal(unread.v_next, np.arange(6))


# --- flags ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES)
def test_every_flag_is_documented_and_every_documented_flag_is_returned(module: str) -> None:
    for k in library().values():
        if k.module == module:
            assert {flag for _, flag in k.program().status} == set(k.failures), k.name


@pytest.mark.parametrize("routine", routines().values(), ids=lambda r: r.name)
def test_every_flag_of_a_routine_is_documented_and_every_documented_flag_is_returned(
    routine: Routine,
) -> None:
    """Those in its own text, and those of the functions whose status it passes on."""
    (path,) = GENERATED.glob(f"fc_{routine.module}_f64.c")
    body = re.search(rf"fc_{routine.name}_f64\(.*?\n}}\n", path.read_text(), re.DOTALL)
    assert body
    own = {Status[name] for name in re.findall(r"FC_(\w+)", body[0]) if name in Status.__members__}
    called = re.findall(r"status \|= fc_(\w+)_f64\(", body[0])
    passed_on = {flag for name in called for _, flag in library()[name].program().status}
    assert own | passed_on == set(routine.failures)
