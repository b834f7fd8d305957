"""The trace: equation, step and inputs of every statement of every generated function, and the converse."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import FINE
from codegen.emit.body import Load, ending
from codegen.emit.function import Function, function
from codegen.emit.options import Options
from codegen.emit.routine import RoutineFunction
from codegen.explain.inspection.whereabouts import reason_rows
from codegen.frontends.define import kernel
from codegen.ir.operations import LEAVES, Op
from codegen.ir.program import Arg, input_scalars, program_of
from codegen.ir.systems import F32, F64
from codegen.ir.types import REAL
from codegen.library import library
from codegen.library.routines import routines
from codegen.loading.python_file import load_model
from codegen.mechanisms import Body, Joint, Mechanism, robot_kernels
from codegen.modeling.bind import bind
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Vec3
from codegen.modeling.types.scalar import let, sqrt
from codegen.proof.derivation import SERIES, derivation
from codegen.provenance.identities import EQUAL, QUOTIENT, REGROUPED, constraints, identity
from codegen.provenance.lines import Span, blocks, functions, statements
from codegen.provenance.rewritings import MADE, SHARED, rewritings
from codegen.provenance.trace import Trace, TracedStatement, sidecar, trace, trace_routine
from codegen.provenance.wording import Wording
from codegen.tree.write import generate
from tests.conftest import GENERATED, ROOT, Featherc, sampled

OPTIONS = Options()
MANIFEST: dict[str, Any] = json.loads((GENERATED / "manifest.json").read_text(encoding="utf-8"))
SOURCES = sorted({f["source"] for f in MANIFEST["functions"]})
DESCRIBED = {f["symbol"]: f for f in MANIFEST["functions"]}


@cache
def traced(name: str, precision: str) -> tuple[Function, Trace]:
    """A library function and its trace."""
    f = function(library()[name], F32 if precision == "f32" else F64, OPTIONS)
    return f, trace(f, OPTIONS)


def traced_symbol(symbol: str) -> Trace:
    """The trace of a function of the committed library."""
    name, precision = DESCRIBED[symbol]["kernel"], DESCRIBED[symbol]["precision"]
    if name in routines():
        return trace_routine(RoutineFunction(routines()[name], F32 if precision == "f32" else F64, OPTIONS))
    return traced(name, precision)[1]


def of(name: str) -> dict[str, TracedStatement]:
    """The statements of a library function in float, by the name on the left of the equals sign."""
    return {re.split(r" = |^return", s.c)[0].split(" ")[-1]: s for s in traced(name, "f32")[1].statements}


# every statement of the committed C


def with_blocks(single: Sequence[Span]) -> list[Span]:
    """The statements, those of a block as one."""
    found = list(blocks(single))
    return sorted([*found, *(s for s in single if not any(s.first in block for block in found))])


@pytest.mark.parametrize("source", sampled([*SOURCES[4:], *SOURCES[:4]], every=9))
def test_every_statement_of_the_library_is_traced(source: str) -> None:
    lines = (GENERATED / source).read_text(encoding="utf-8").splitlines()
    found = 0
    for span in functions(lines):
        t = traced_symbol(span.text)
        single = list(statements(lines, span))
        printed = [s.text for s in (single if t.kernel in routines() else with_blocks(single))]
        remarks = [text for text in printed if text.startswith("(void)")]
        assert [s.c for s in t.statements] == [text for text in printed if text not in remarks], span.text
        for s in t.statements:
            where = (span.text, s.c)
            assert s.equations, where
            assert (s.step is None) == (s.kind in ("load", "loop")), where
            assert s.kind == "loop" or s.inputs or not s.nodes, where
            assert s.outputs or s.flags or s.kind == "loop", where
        assert len({s.id for s in t.statements}) == len(t.statements), span.text
        found += 1
    assert found == sum(f["source"] == source for f in MANIFEST["functions"])


@pytest.mark.parametrize("name", ["quat_to_xyzw", "articulated_to_matrix"])
def test_copies_come_from_a_step(name: str) -> None:
    """A function without any operation has no value whose origin could be traced, but a derivation."""
    stored = [s for s in traced(name, "f32")[1].statements if s.kind == "store"]
    assert {s.how for s in stored} == {"written"}
    assert all(s.name for s in stored)


@pytest.mark.parametrize(
    "name", ["rpy_kinematics", "inertia_solve", "quat_slerp", "inertia_factor", "quat_to_xyzw"]
)
def test_statements_print_the_nodes_that_they_say(name: str) -> None:
    """The names in a statement's text are those of the values that its nodes take from other statements."""
    f, t = traced(name, "f32")
    nodes = f.program.nodes
    local = {s.node: s.name for s in f.body.named}
    local |= {i: a.name for i, a in _scalar_inputs(f)}
    for s in t.statements:
        if s.kind == "load":
            continue
        needed = {arg for n in s.nodes for arg in nodes[n].args} - set(s.nodes)
        needed |= {r for r in s.roots if r not in s.nodes}
        names = {local[n] for n in needed if nodes[n].op not in LEAVES - {Op.INPUT}}
        text = s.c.removeprefix("return ").partition(" = ")[2] or s.c.removeprefix("return ")
        words = set(re.findall(r"\b[A-Za-z_]\w*\b(?!\()", text)) - {"F"}
        own = {"if", "status"} if s.kind == "status" else set()
        assert {w for w in words - own if not w.startswith("FC_")} == names, s.c
    operations = {i for i, node in enumerate(nodes) if node.op not in LEAVES}
    assert operations == {n for s in t.statements if s.kind != "load" for n in s.nodes}


def _scalar_inputs(f: Function) -> list[tuple[int, Arg]]:
    """The nodes of inputs that are passed by value."""
    place = {a.name: sum(b.size for b in f.kernel.inputs[:i]) for i, a in enumerate(f.kernel.inputs)}
    loads = {s.node for s in f.body.statements if isinstance(s, Load)}
    inputs = {int(n.value or 0): i for i, n in enumerate(f.program.nodes) if n.op is Op.INPUT}
    return [
        (inputs[place[a.name]], a)
        for a in f.kernel.inputs
        if a.size == 1 and place[a.name] in inputs and inputs[place[a.name]] not in loads
    ]


# what it says


def test_a_statement_leads_to_its_part_of_the_equation() -> None:
    found = of("rpy_kinematics")
    dpsi, dphi, dtheta = 0, 1, 2
    assert found["dpsi"].equations == found["drpy->z"].equations == (dpsi,)
    assert found["drpy->x"].equations == (dphi,)
    assert found["drpy->y"].equations == (dtheta,)
    assert found["sin_phi"].equations == (dpsi, dtheta)  # both need it
    assert found["cos_theta"].equations == (dpsi,)  # the other two only through dpsi
    rates = of("rigid_body_dynamics_quat")
    assert [rates[n].equations for n in ("dp_N->x", "dq->w", "dv_B->x", "dw_B->x")] == [
        (0,),
        (1,),
        (2,),
        (3,),
    ]


def test_a_statement_leads_to_what_is_written_of_its_value() -> None:
    titles = [s.title for s in derivation(library()["rpy_kinematics"])]
    found = of("rpy_kinematics")
    guarded = titles.index("Test the arguments and the results")
    assert {n for n, s in found.items() if s.step == guarded} - {"}"} == {"off_lock", "bounded", "status", ""}
    assert (found["dpsi"].name, found["dpsi"].written) == ("ψ̇", "ψ̇ = u_z / k_z")
    assert found["drpy->z"].name == f"drpy_z = {found['dpsi'].name}"  # where no requirement fails
    assert found["dtheta"].name == "θ̇"  # and not u_y, which is the same
    assert found["sin_phi"].name == "sin(φ)"  # and not (R_x(φ))_21, which is the same
    assert found["off_lock"].identity == "|cos(θ)| > √(ε)"
    assert found["bounded"].identity == "|sum(drpy)| ≤ max"
    assert found["dpsi"].users == ("dphi", "bounded", "drpy_z")
    assert all(s.step is None for s in found.values() if s.kind == "load")


def test_values_are_found_in_the_last_step_and_as_parts_of_it() -> None:
    found = of("inertia_transform")
    last = [s.kind for s in derivation(library()["inertia_transform"])].index("formula") - 1
    assert (found["h_sum_x"].name, found["h_sum_x"].step) == ("(h + h_A)_x", last)
    assert (found["I_B_J_xx_minus_I_B_J_zz"].name, found["twice_T_AB_R_02"].name) == ("L_00", "2 R_02")
    assert (found["t1"].how, found["t1"].name) == ("written", "(R L)_00")
    assert found["t1"].written == "K = R L Rᵀ + s 1 + (R u)~"


def test_an_intermediate_value_leads_on_through_its_identity() -> None:
    made = of("inertia_transform")["I_B_J_zz_plus_shift_zz"]
    assert made.how == "rewritten"
    assert made.identity.startswith("J_A_00 = I_B_J_zz + shift_zz + ")


def test_rewritten_statements_say_what_they_were() -> None:
    found = {r.name: r for r in rewritings(traced("rpy_kinematics", "f64")[0])}
    assert set(found) == {"dphi"}  # a guard is not a rewriting
    assert (found["dphi"].before, found["dphi"].after) == (
        "w_B_x - (-sin(rpy_y)) dpsi",
        "w_B_x + sin(rpy_y) dpsi",
    )
    assert found["dphi"].identity == REGROUPED
    assert rewritings(traced("quat_conjugate", "f64")[0]) == []
    margin = {r.name: r for r in rewritings(traced("inertia_from_com", "f64")[0])}
    assert margin["P_xx"].before.endswith("- shape_xx + 16 ε (shape_xx + shape_yy + shape_zz)")
    assert margin["P_xx"].after == "half - shape_xx + t3"
    assert margin["t2"].after == "shape_xx + shape_yy + shape_zz"
    assert not {"S_yy", "pivot"} & set(margin)  # which only choose between values
    neutral = rewritings(traced("inertia_from_com", "f64")[0])
    assert not any("+ -" in r.before and "- " in r.after and r.name == "J_xy" for r in neutral)
    assert not any(r.before.startswith("0 + ") for r in rewritings(traced("inertia_principal", "f64")[0]))
    assert not any("is finite and" in r.before for r in margin.values())  # the guards of all results
    assert rewritings(traced("dcm_ned_to_enu", "f64")[0]) == []  # without inputs: nothing varies


def test_a_rewriting_names_the_constraint_that_it_uses() -> None:
    quotients = {r.name: r for r in rewritings(traced("quat_inverse", "f64")[0])}
    assert (quotients["inv_n_safe"].identity, quotients["q_inv->x"].identity) == (SHARED, QUOTIENT)
    (J_xx, *_) = rewritings(traced("thin_rod_inertia", "f64")[0])
    assert J_xx.before == "m length length / 12"
    assert (J_xx.after, J_xx.identity) == ("1/12 m length length", QUOTIENT)
    made = [r.identity for r in rewritings(traced("quat_to_dcm_unit", "f64")[0])]
    assert set(made) <= {REGROUPED, MADE}  # no identity of unit quaternions is used
    multiply = library()["dcm_multiply"]
    left, right = constraints(multiply)
    assert identity(multiply, lambda lifted: True) == REGROUPED
    assert identity(multiply, lambda lifted: left not in lifted) == left.text
    assert identity(multiply, lambda lifted: not lifted) == f"{left.text} and {right.text}"
    assert "R_AB is orthonormal" in left.text


def test_guards_read_as_guards() -> None:
    found = of("inertia_solve")
    assert found["has_mass"].identity == "m > min"
    assert found["regular"].identity.startswith(
        "J_c_00 > 0 and A_22 > 0 and det(J_c) > min and "
    )  # as stated
    condition, _, names = found["t1"].identity.partition(", with ")
    assert condition.endswith("offset_zz adj_zz)")
    assert "det > 16 ε (" in condition
    assert "Jc_xx = J_c_00, " in names  # what the names of the C stand for, as a textbook calls it
    assert found["t1"].where[:2] == ("J_c = J - ((h · c) 1 - h cᵀ)", "c = h / m")
    series = of("so3_left_jacobian")
    assert any(s.how == "case" and "stands for" in s.identity for s in series.values())


def test_a_condition_on_all_results_says_so_and_a_guarded_value_what_else_it_may_be() -> None:
    assert of("central_to_inertia")["ok"].identity == "m > min and |sum(I_O)| ≤ max"
    shell = of("hollow_sphere_inertia")["I_O_J_xx"]
    assert shell.identity == "J_xx, but 0 where NOT_PHYSICAL or NOT_FINITE is raised"
    assert of("inertia_factor")["trace"].name == "tr(I_com)"  # as its condition is written
    assert of("inertia_validate")["pivot"].identity.endswith(", and for G_22, and for G_33")


def test_what_only_a_condition_needs_leads_to_the_condition() -> None:
    """A part of a test of the inertia is no element of the first moment that the test guards."""
    pivot = of("inertia_from_com")["G_33"]
    guarded = [s.title for s in derivation(library()["inertia_from_com"])].index(
        "Test the arguments and the results"
    )
    assert (pivot.how, pivot.step, pivot.written) == ("guard", guarded, "")
    assert pivot.identity.startswith("G_33 = G_zz - ")
    assert "needed for several conditions, first the condition of NOT_PHYSICAL: " in pivot.identity
    assert of("dcm_orthonormalize")["n1"].identity.endswith("n_n > 16 ε ε n1, with n_n = n · n")
    unnamed = of("inertia_validate")["t8"].identity  # the names of the C stand for long expressions
    assert unnamed.startswith("t8 = -G_23; only needed for the condition of NOT_PHYSICAL: t8 t8 ≤ G_22 G_33")
    assert "G_23 = G_yz - G_xy G_xz / pivot" in unnamed


def test_a_condition_that_is_no_guard_leads_to_its_case() -> None:
    """A threshold of a series leads to the series, a case of the formula to the step that has the case."""
    series = traced("so3_left_jacobian", "f64")[1]
    (threshold,) = (s for s in series.statements if s.value == "by_series")
    assert series.steps[threshold.step or 0].title == SERIES
    shadow = traced("mrp_shadow", "f64")[1]
    (beyond,) = (s for s in shadow.statements if s.value == "beyond")
    assert shadow.steps[beyond.step or 0].title == "Select the scale instead of the vector"
    for name in ("hollow_sphere_inertia", "rpy_from_quat"):  # "ok" is both conditions of the status
        t = traced(name, "f64")[1]
        (ok,) = (s for s in t.statements if s.c.startswith("const int ok ="))
        assert t.steps[ok.step or 0].title == "Test the arguments and the results"


def test_a_scale_is_a_factor_of_what_is_written() -> None:
    """Quaternions of any norm, and matrices whose elements are divided by their size."""
    found = of("quat_to_dcm")
    assert found["q_y_s"].name == "u_y s"
    assert found["q_y_s"].identity == "s = 2 / (q · q)"
    assert found["turn_x"].name == "(w u~)_21 s"
    found = of("dcm_nearest")
    assert found["cofactors_11"].name == "(adj(M))_11 inv_size²"
    assert found["spread"].name == "(k² - e_2 / 3) inv_size⁴"
    assert found["scaled_12"].name == "M_AB_12 inv_size"
    assert found["inv_size"].name == "1 / n"


def test_names_that_a_value_is_taken_apart_into_are_defined() -> None:
    assert of("dcm_from_mrp")["dyad_xx"].where == ("[w, u] = [1 - s · s, 2 s] / (1 + s · s)",)


def test_an_inverse_is_computed_from_its_adjugate_and_determinant() -> None:
    found = of("rigid_body_dynamics_quat_jacobian")
    assert found["adj_xy"].name == "(adj(J_B))_01"
    assert "J_B⁻¹" in found["adj_xy"].written
    assert found["det"].name == "det(J_B)"


def test_the_flags_at_which_a_value_is_another_one_are_on_its_card() -> None:
    found = of("euler_yzx_from_quat")
    assert found["unit_y"].decided == found["b"].decided == ("ZERO_NORM", "NOT_FINITE")
    assert found["n"].decided == ()
    found = of("contact_free_velocity")
    assert found["pushed_w_B_x"].decided == ("SINGULAR",)  # the body moves and its inertia is regular


def test_an_angle_that_is_wrapped_is_not_the_angle() -> None:
    """At points within half a turn they are the same; further out they differ."""
    wrapped = of("angle_wrap")
    assert wrapped["*wrapped"].name == "wrapped"
    assert wrapped["turned"].name == "atan2(sin(angle), cos(angle))"
    (turns,) = (s for s in traced("rpy_from_quat", "f64")[1].statements if " t1 =" in s.c)
    assert turns.identity == (
        "φ is determined up to 2 pi: the turn that brings it into [-pi, pi] is subtracted"
    )


@pytest.mark.parametrize(
    ("kernel_name", "statement", "title"),
    [
        ("rpy_from_quat", "phi", "Write half the sum and half the difference of the outer angles as"),
        ("rpy_from_quat", "psi", "Write half the sum and half the difference of the outer angles as"),
        ("rpy_from_quat", "rpy->y", "Compute the middle angle from the lengths of the pairs"),
        ("euler_zyz_from_quat", "half_sum", "Write half the sum and half the difference of the outer"),
        (
            "rpy_from_dcm",
            "psi_x",
            "Read the middle and the last angle off the image of the first rotation's axis",
        ),
        ("rpy_from_dcm", "rpy->x", "Rotate the matrix back by the last angle"),
    ],
)
def test_a_value_leads_to_the_step_that_introduces_it(kernel_name: str, statement: str, title: str) -> None:
    """Not to a later step that repeats the same equation, or only lists the results."""
    t, s = traced(kernel_name, "f32")[1], of(kernel_name)[statement]
    assert t.steps[s.step or 0].title.startswith(title)


def test_numbers_of_a_closed_form_and_pivots_have_steps() -> None:
    latitude = of("geodetic_from_ecef")
    assert (latitude["s"].name, latitude["s"].written) == ("s", "s = (c² s_p q) / (4 r³)")
    assert latitude["t"].written.startswith("t = exp(")
    t = traced("inertia_factor", "f64")[1]
    (pivot,) = (s for s in t.statements if "z_first =" in s.c)
    assert t.steps[pivot.step or 0].title == "Bring the largest diagonal element to the front"
    factors = of("inertia_factor")
    assert [factors[f"L[{i}]"].name for i in range(3)] == ["L_0", "L_1", "L_2"]
    assert factors["D[1]"].written == "D_1 = S_11 - L_0 S_10"


def test_a_value_is_called_by_the_expression_with_its_operations() -> None:
    """The last element is recovered from the trace: it is not K_22, which is the same number."""
    last = of("unit_reexpress")["U_A->G.zz"]
    assert (last.name, last.written[:5]) == ("G_A_22", "G_A =")
    assert of("rpy_kinematics")["dtheta"].written == "θ̇ = u_y"


def test_a_value_stands_for_a_case_only_if_it_serves_no_other() -> None:
    """The mean moment serves all of a decomposition, not a branch far above it."""
    found = of("inertia_principal")
    assert "case" not in {s.how for s in found.values()}


def test_parts_of_products_and_squared_lengths_have_names() -> None:
    assert of("inertia_transform")["t1"].name == "(R L)_00"
    assert of("rotvec_from_quat")["u2"].name == "u · u"
    step = of("rigid_body_step_rk4_quat")["n"]
    assert (step.name, step.written) == ("X_5[0:4] · X_5[0:4]", "q_NB' = (1 / |X_5[0:4]|) X_5[0:4]")


def test_a_result_names_the_flags_at_which_something_else_is_stored() -> None:
    assert of("inertia_from_com")["I_O->h.x"].identity == (
        "h_x, but 0 where NOT_FINITE or MASS or NOT_PHYSICAL is raised"
    )


def test_units_are_those_that_the_arguments_declare() -> None:
    found = of("rpy_kinematics")
    assert {found[n].unit for n in ("dpsi", "drpy->z", "w_B_y")} == {"rad/s"}
    assert found["rpy_y"].unit == "rad"
    assert found["sin_phi"].unit == "1"
    assert of("mass_flow_force")["F->z"].unit == "N"


def test_a_sum_of_different_units_has_none_and_a_result_that_of_its_declaration() -> None:
    assert of("contact_free_velocity")["t1"].unit == ""  # m/s and rad/s, which NOT_FINITE adds up
    box = of("solid_box_inertia")
    assert (box["k"].unit, box["I_O->J.zz"].unit, box["I_O->h.x"].unit) == ("kg", "kg m^2", "kg m")


def test_a_constant_result_stands_in_its_equation() -> None:
    zero = of("force_transform_matrix_linear_first")["X[15]"]
    assert (zero.name, zero.written) == ("X_23", "X = [R, 0; L, R]")  # of the last step


def test_names_are_explained_by_the_formula() -> None:
    factor = of("rigid_body_dynamics_mrp")["L_20"]
    assert factor.identity == "L_20 = J_B_xz inv_Jxx, with inv_Jxx = 1 / J_xx"
    gain = of("rigid_body_dynamics_quat_jacobian")["b_qq_11"]
    assert gain.written.startswith("S = ")  # the step, not the definition as a derivative
    screw = of("transform_interpolate")
    assert screw["t5"].name == "k (sin((1 - t) φ) / s_φ)"
    assert screw["T_At->R.m[4]"].written == "T_At = T_A0 [R_0t, p_0t; 0, 1]"


WITH_REASONS = ("written", "part", "named", "guard", "case", "rewritten")


@pytest.mark.exhaustive
def test_most_statements_of_the_library_lead_to_what_a_person_wrote() -> None:
    """At least 80 % lead to a written step or a named value; all others say which identity made them."""
    how: Counter[str] = Counter()
    unlike = []
    for name in library():
        float_, double = (traced(name, p)[1].statements for p in ("f32", "f64"))
        how.update(s.how for s in (*float_, *double) if s.kind != "load")
        same = {s.c.split(" = ")[0]: _reason(s) for s in double if s.kind == "value"}
        unlike += [
            (name, s.c)
            for s in float_
            if s.kind == "value" and s.value and same.get(_in_double(s), _reason(s)) != _reason(s)
        ]
    computed = sum(how.values())
    leading = sum(how[kind] for kind in ("written", "part", "named"))
    print(how, leading / computed)
    assert leading >= 0.8 * computed
    assert how["computed"] <= 4
    assert unlike == []


def _in_double(s: TracedStatement) -> str:
    return s.c.split(" = ")[0].replace("float", "double")


def _reason(s: TracedStatement) -> tuple[object, ...]:
    return s.how, s.step, s.name, s.written, s.identity


@pytest.mark.parametrize("name", ["rpy_kinematics", "inertia_solve", "euler_yzy_kinematics", "quat_to_dcm"])
def test_reasons_are_the_same_for_float_and_double(name: str) -> None:
    float_, double = (traced(name, p)[1].statements for p in ("f32", "f64"))
    assert len(float_) >= 20
    reasons = {s.c.split(" = ")[0]: _reason(s) for s in double}
    compared = [s for s in float_ if _in_double(s) in reasons]
    assert len(compared) >= 20
    for s in compared:
        assert _reason(s) == reasons[_in_double(s)], s.c


def test_a_statement_knows_its_inputs_outputs_and_flags() -> None:
    found = of("rpy_kinematics")
    assert found["off_lock"].inputs == ("rpy_y",)
    assert found["off_lock"].flags == ("GIMBAL_LOCK", "NOT_FINITE")
    assert found["dpsi"].inputs == ("rpy_x", "rpy_y", "w_B_y", "w_B_z")
    assert found["dpsi"].outputs == ("drpy_x", "drpy_y", "drpy_z")  # for "bounded" is the same for all
    assert found["drpy->z"].outputs == ("drpy_z",)
    assert (found["dpsi"].value, found["drpy->x"].value) == ("dpsi", "")
    assert (found[""].kind, found[""].outputs) == ("status", ())
    assert found[""].flags == ("GIMBAL_LOCK", "NOT_FINITE")


def test_a_statement_of_a_routine_is_a_loop() -> None:
    t = trace_routine(RoutineFunction(routines()["contact_solve_pgs"], F32, OPTIONS))
    (call,) = (s for s in t.statements if "contact_project" in s.c)
    assert (call.kind, call.step) == ("loop", None)
    assert set(call.inputs) == {"N", "lambda", "nc"}
    assert call.equations == tuple(range(len(t.equations)))


@pytest.mark.parametrize("name", routines())
def test_every_statement_of_a_routine_says_what_it_is_for(name: str) -> None:
    for options in (OPTIONS, Options(interface="array"), Options(checks=False)):
        t = trace_routine(RoutineFunction(routines()[name], F32, options))
        assert [s.c for s in t.statements if not s.identity] == []
        double = trace_routine(RoutineFunction(routines()[name], F64, options))
        assert [s.id for s in t.statements] == [s.id for s in double.statements]
    purpose = {s.c: s.identity for s in t.statements}
    if name == "contact_solve_apgd":
        assert purpose["if (*residual <= tolerance || limit <= 0) {"] == (
            "stop: every complementarity residual is at most tolerance, or no iteration is allowed"
        )


# ids


def made(name: str, formula: Callable[..., Any], outputs: int = 1, first: bool = False) -> Trace:
    """The trace of a small kernel."""
    arguments = [Arg("a", Vec3, "m", "a vector"), Arg("k", REAL, "1", "a number")]
    results = [Arg(f"out{i}", REAL, "m", "a result") for i in range(outputs)]
    extra = [Arg("extra", REAL, "1", "another number")] if first else []
    made_by = kernel(
        inputs=[*extra, *arguments], outputs=results, equation="out0 = f(a)", source="", name=name
    )
    return trace(function(made_by(formula), F64, OPTIONS), OPTIONS)


def ids(t: Trace, *texts: str) -> list[str]:
    """The ids of the statements that contain the texts."""
    return [next(s.id for s in t.statements if text in s.c) for text in texts]


def test_ids_do_not_move_when_something_else_is_added() -> None:
    def before(a: Vec3, k: Any) -> Any:
        return let("size", sqrt(a.dot(a))) / k

    def with_a_line(a: Vec3, k: Any) -> Any:
        return let("size", sqrt(a.dot(a))) / k, let("more", a.x * k) + a.y * let("even_more", a.z * a.x)

    def with_an_input(extra: Any, a: Vec3, k: Any) -> Any:
        return extra * k, let("size", sqrt(a.dot(a))) / k

    old = made("plain", before)
    added = made("plain", with_a_line, outputs=2)
    assert {s.id for s in old.statements} <= {s.id for s in added.statements}
    shifted = made("plain", with_an_input, outputs=2, first=True)
    assert ids(old, "size =", "a_x =") == ids(shifted, "size =", "a_x =")


def test_ids_do_not_hang_on_names_of_temporaries_or_the_order_of_factors() -> None:
    def named(a: Vec3, k: Any) -> Any:
        return let("size", sqrt(a.dot(a))) * k

    def renamed(a: Vec3, k: Any) -> Any:
        return k * let("length", sqrt(a.dot(a)))

    assert [s.id for s in made("plain", named).statements] == [
        s.id for s in made("plain", renamed).statements
    ]


def test_ids_tell_computations_apart() -> None:
    def sine(a: Vec3, k: Any) -> Any:
        return let("t", a.x - k) * a.y

    def cosine(a: Vec3, k: Any) -> Any:
        return let("t", k - a.x) * a.y

    one, other = made("plain", sine), made("plain", cosine)
    assert ids(one, "out0 =") != ids(other, "out0 =")
    assert ids(one, "a_x =", "a_y =") == ids(other, "a_x =", "a_y =")
    assert of("quat_conjugate")["q_conj->w"].id != of("quat_conjugate")["q_w"].id  # a copy is not its source


@pytest.mark.parametrize("name", ["quat_rotate", "rpy_kinematics", "so3_left_jacobian", "inertia_validate"])
def test_precisions_have_the_same_cards(name: str) -> None:
    """Also where their numbers eps, min and max differ, and where literals are shorter in float."""
    float_, double = (traced(name, p)[1] for p in ("f32", "f64"))
    assert [(s.id, s.identity, s.unit) for s in float_.statements] == [
        (s.id, s.identity, s.unit) for s in double.statements
    ]


# other trees than the library's


@pytest.mark.parametrize(
    "options",
    [Options(checks=False), Options(interface="array"), Options(prefix="nav_", layout="header-only")],
    ids=["no checks", "arrays", "header-only"],
)
def test_every_way_to_generate_is_traced(options: Options) -> None:
    f = function(library()["rpy_kinematics"], F32, options)
    t = trace(f, options)
    assert len(t.statements) == len(f.body.statements) + sum(map(len, ending(f.body.status, options.prefix)))
    assert all(s.equations for s in t.statements)


def test_a_kernel_with_bound_values_is_traced() -> None:
    bound = bind(library()["rigid_body_dynamics_quat"], {"m": (Fraction(2),), "baumgarte": (Fraction(0),)})
    t = trace(function(bound, F64, OPTIONS), OPTIONS)
    titles = [s.title for s in t.steps]
    assert "Bind values" in titles
    assert all(s.step is not None for s in t.statements if s.kind != "load")
    assert not {"m", "baumgarte"} & {name for s in t.statements for name in s.inputs}


# the sidecar


def sidecar_of(*names: str) -> str:
    """The sidecar of library functions in both precisions."""
    subjects: list[Function | RoutineFunction] = [
        function(library()[name], p, OPTIONS) for p in (F64, F32) for name in names
    ]
    return sidecar([*subjects, RoutineFunction(routines()["contact_residual"], F64, OPTIONS)], OPTIONS)


def test_the_sidecar_links_both_ways() -> None:
    for f in json.loads(sidecar_of("rpy_kinematics", "inertia_solve"))["functions"]:
        statements_ = {s["id"]: s for s in f["statements"]}
        forwards = {(s["id"], part) for s in f["statements"] for part in s["equations"]}
        backwards = {(i, part) for part, e in enumerate(f["equations"]) for i in e["statements"]}
        assert forwards == backwards != set()
        steps = {(s["id"], s["step"]) for s in f["statements"] if s["step"] is not None}
        assert steps == {(i, place) for place, s in enumerate(f["steps"]) for i in s["statements"]}
        assert len(statements_) == len(f["statements"])


@pytest.mark.exhaustive
def test_the_sidecar_is_the_same_under_any_hash_seed() -> None:
    script = "from tests.test_trace import sidecar_of; print(sidecar_of('rpy_kinematics'), end='')"
    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert texts == {sidecar_of("rpy_kinematics")}


def test_generate_writes_the_sidecar_when_it_is_asked_to(featherc: Featherc, place: Path) -> None:
    assert featherc("generate", "quat_rotate", "-o", "plain").code == FINE
    assert featherc("generate", "quat_rotate", "-o", "traced", "--trace").code == FINE
    written = {p.name for p in (place / "traced").iterdir()}
    assert written - {p.name for p in (place / "plain").iterdir()} == {"trace.json"}
    for path in (place / "plain").glob("*.[ch]"):
        assert path.read_bytes() == (place / "traced" / path.name).read_bytes()
    manifest = json.loads((place / "traced" / "manifest.json").read_text())
    assert "trace.json" in [f["path"] for f in manifest["files"]]
    assert featherc("check", "traced").code == FINE
    assert featherc("generate", "quat_rotate", "-o", "traced").code == FINE  # and takes it away again
    assert not (place / "traced" / "trace.json").exists()


def test_the_configuration_may_ask_for_the_sidecar(featherc: Featherc, place: Path) -> None:
    (place / "featherc.toml").write_text(
        '[generate]\noutput = "out"\nkernels = ["quat_rotate"]\ntrace = true\n', encoding="utf-8"
    )
    assert featherc("generate").code == FINE
    assert (place / "out" / "trace.json").is_file()


def test_a_kernel_without_an_equation_has_no_parts(tmp_path: Path) -> None:
    made_by = kernel(
        inputs=[Arg("x", REAL, "1", "x")], outputs=[Arg("y", REAL, "1", "y")], equation="", source=""
    )
    bare: Kernel = made_by(doubled)
    generate([bare], Options(trace=True), tmp_path / "out")
    (double, _) = json.loads((tmp_path / "out" / "trace.json").read_text())["functions"]
    assert double["equations"] == []
    assert [s["equations"] for s in double["statements"]] == [[]]


def doubled(x: Any) -> Any:
    return 2 * x


def test_a_value_that_many_need_is_put_into_words_once() -> None:
    """Each of 80 values without a name is needed twice: without memory, 2^80 expressions."""
    inputs = [Arg("x", REAL, "1", "a number")]
    (value,) = input_scalars(inputs)
    for _ in range(80):
        value = (value + 1) * (value - 1)
    program = program_of(inputs, [Arg("y", REAL, "1", "a result")], [value])
    words = Wording(program, {}, {})
    assert words.value(program.results[0]) == "..."
    assert words.called(program.results[0]) == []


# what a card may not say


def cards(name: str) -> list[TracedStatement]:
    """The statements of a library function in double, without loads."""
    return [s for s in traced(name, "f64")[1].statements if s.kind != "load"]


def rows_of(name: str, c: str) -> dict[str, str]:
    """The rows of the card of the statement with this text, by their names."""
    (s,) = (s for s in cards(name) if c in s.c)
    return dict(reason_rows(s))


@pytest.mark.parametrize(
    "name", ["force_cross_matrix", "motion_cross_matrix", "inertia_to_matrix", "articulated_to_matrix"]
)
def test_an_output_is_an_element_at_its_own_indices(name: str) -> None:
    stored = [s for s in cards(name) if s.kind == "store"]
    assert len(stored) == 36
    for s in stored:
        element = s.name.removeprefix("-")
        assert not element.startswith("M_") or element == s.outputs[0], s.c


def test_a_matrix_holds_zeros_and_symmetric_elements_at_their_own_indices() -> None:
    assert rows_of("force_cross_matrix", "M[22] =")["is"].startswith("M_34, in M = ")
    assert rows_of("inertia_to_matrix", "M[6] =")["is"].startswith("M_10, in M = ")


def test_a_constraint_is_named_only_if_the_identity_needs_it() -> None:
    """The point in axes of A is subtracted before it is rotated: that uses that R_A0 is a rotation."""
    made = [
        s.identity for s in cards("transform_interpolate") if s.c.startswith("const double T_A1_p_x_minus")
    ]
    assert made[0].endswith(": R, a part of T_A0, is orthonormal, of determinant 1")
    for s in quadrotor_cards():
        assert "unit norm" not in s.identity, s.c


@cache
def quadrotor_cards() -> tuple[TracedStatement, ...]:
    subject = load_model(ROOT / "examples" / "quadrotor.py")["quadrotor_dynamics"]
    return trace(function(subject, F64, OPTIONS), OPTIONS).statements


def test_what_is_eliminated_is_explained() -> None:
    """An identity names what its letters are, down to what the equation has."""
    (row,) = (s for s in quadrotor_cards() if s.c.startswith("const double t8 ="))
    assert row.identity.startswith("-ω̇_B_x = t8 + L_10 dw_y + L_20 dw_z, with ")
    assert "dw_y = ω̇_B_y" in row.identity
    assert "torque_x = (M - ω_B \u00d7 J_B ω_B)_x" in row.identity
    assert row.identity.endswith(EQUAL)


def test_a_letter_of_a_condition_has_one_meaning_on_a_card() -> None:
    """The flags of these kernels call n what the C calls otherwise."""
    (raised,) = (s for s in cards("euler_zyz_intrinsic_from_quat") if "FC_ZERO_NORM" in s.c)
    assert raised.identity == "ZERO_NORM unless q · q > min"


def test_a_condition_is_the_one_that_is_stated_of_its_flag() -> None:
    (normal,) = (s for s in cards("air_data_from_velocity") if s.c.startswith("const int normal ="))
    assert normal.identity == "v_air_B · v_air_B > min"
    (raised,) = (s for s in cards("articulated_reduce_two") if "FC_SINGULAR" in s.c)  # of two requirements
    assert raised.identity == "SINGULAR unless D_00 > 16 ε E_00 and D_11 - D_01² / D_00 > 16 ε E_11"
    (distance,) = (s for s in cards("euler_yzy_from_quat") if s.value == "sin_a_1")
    assert (distance.name, distance.written) == ("d", "d = 2 |[p_0, p_2]| |[p_3, p_1]|")
    (begun, *_, ended) = (s for s in cards("euler_yzy_from_quat") if s.kind == "status")
    assert (begun.identity, ended.identity) == ("no flag is raised yet", "the flags that were raised, or-ed")


def test_a_value_in_a_function_has_the_call_that_it_is_for() -> None:
    stages = [s.written.split(", for ")[1] for s in cards("rigid_body_step_rk4_mrp") if s.value == "torque_x"]
    assert stages == ["h(X_1)", "h(X_2)", "h(X_3)", "h(X_4)"]


def test_a_letter_of_a_function_is_explained_by_the_call_beside_a_condition() -> None:
    """theta is the pitch at the stage there, not the argument of the kernel."""
    found = [s.identity for s in cards("rigid_body_step_rk4_rpy") if s.c.startswith("const int off_lock")]
    calls = ["f(Y)", "f(Y + (dt k_1) / 2)", "f(Y + (dt k_2) / 2)", "f(Y + dt k_3)"]
    assert [said.split(" = ")[1] for said in found] == [f"cos(θ) for {call}" for call in calls]


def test_what_depends_on_no_parameter_is_for_no_call() -> None:
    found = {s.value: s.written for s in cards("rigid_body_step_rk4_rpy") if s.value in ("adj_xx", "det")}
    assert set(found.values()) == {"K = J_B⁻¹"}


def test_a_result_that_the_equation_only_names_has_the_parts_with_its_letter() -> None:
    _, found = traced("rpy_from_quat", "f64")
    parts = {
        s.outputs: [found.equations[i] for i in s.equations] for s in found.statements if s.kind == "store"
    }
    rotation = "Rz(psi) Ry(theta) Rx(phi) = 1 + (2 / (q.q)) (w u~ + u~ u~)"
    assert parts[("rpy_x",)] == [rotation, "rpy = [phi, theta, psi]"]
    assert parts[("rpy_y",)] == [rotation, "|theta| <= pi / 2", "rpy = [phi, theta, psi]"]
    _, found = traced("euler_yxz_kinematics", "f64")
    (last,) = (s for s in found.statements if s.outputs == ("dangles_z",) and s.kind == "store")
    assert [found.equations[i] for i in last.equations] == ["da_2 = (cos(a_0) w_z - sin(a_0) w_x) / cos(a_1)"]


def test_a_cofactor_of_a_rotation_is_no_input() -> None:
    """It equals an element of the matrix, from which it is not read."""
    assert rows_of("rpy_from_dcm", "phi_y = ")["is"] == "-(Oᵀ n)_z, in Oᵀ n = cos(θ) [0, cos(φ), -sin(φ)]"


def test_a_stored_result_has_the_flags_at_which_it_is_something_else() -> None:
    unit = {s.c.split(" = ")[0]: s for s in cards("quat_normalize")}
    assert unit["q_unit->z"].decided == ("ZERO_NORM", "NOT_FINITE")
    assert unit["q_unit->z"].flags == ()  # it affects none


def test_a_call_is_the_same_call_in_the_equation() -> None:
    assert rows_of("euler_xyz_intrinsic_kinematics", "cos_a_1 = ")["is"].startswith("cos(a_1), in ")
    assert rows_of("ecef_from_ned", "cos_lon = ")["is"].startswith("cos(lon_0), in ")
    assert rows_of("geodetic_from_ecef", "*lon = ")["is"] == "lon, in lon = atan2(p_y, p_x)"


def test_numbers_are_written_as_a_person_writes_them() -> None:
    assert rows_of("airspeeds", "*CAS = ")["as"] == (
        "340.294 √(5 (expm1(2/7 log1p(q_c / 101325)) if M ≤ 1, else 0)), but 0 where NOT_FINITE is raised"
    )


def test_the_values_of_an_algorithm_lead_to_its_steps() -> None:
    made = {s.c.split(" = ")[0].split(" ")[-1]: s for s in cards("inertia_principal")}
    assert (made["t4"].name, made["t4"].how) == ("2 cos(θ)", "written")
    assert made["tangent"].written == "moments_0 = min(u · I_com u, v · I_com v) - t d"
    assert made["low"].written == made["tangent"].written
    assert made["x"].name == "x"


def test_a_limit_is_said_to_be_one() -> None:
    (k,) = (s for s in cards("transform_interpolate") if s.value == "k")
    assert k.identity.startswith("t if n2 ≤ min, else ")
    assert k.identity.endswith(
        "a limit or series stands for the closed form where that is 0/0 or loses digits"
    )
    assert {s.unit for s in cards("transform_interpolate") if s.value == "phi"} == {"rad"}


def test_statements_of_a_loop_affect_what_is_computed_from_them() -> None:
    solved = trace_routine(RoutineFunction(routines()["contact_solve_pgs"], F64, OPTIONS)).statements
    found = {s.c: (s.outputs, s.flags) for s in solved}
    everything = ("lambda", "residual", "used"), ("NOT_FINITE", "NOT_CONVERGED")
    assert found["rate += N[nc * i + j] * lambda[j];"] == everything
    assert found["*used = sweep;"] == (("used",), ())
    assert found["return *residual <= tolerance ? FC_OK : FC_NOT_CONVERGED;"] == ((), ("NOT_CONVERGED",))
    assert found["return FC_NOT_FINITE;"] == ((), ("NOT_FINITE",))
    of_one = trace_routine(RoutineFunction(routines()["contact_residual"], F64, OPTIONS)).statements
    assert {s.outputs for s in of_one if s.c.startswith("violation +=")} == {("residual",)}
    made = trace_routine(RoutineFunction(routines()["contact_delassus"], F64, OPTIONS)).statements
    assert {s.flags for s in made if s.c.startswith("N[nc * i + j] +=")} == {("NOT_FINITE",)}
    for s in (*solved, *of_one, *made):
        declares = re.fullmatch(r"[a-z]\w* \w+(\[\w+\])?;", s.c) is not None
        assert s.outputs or s.flags or declares or s.c in ("}", "} else {"), s.c


def test_an_angle_is_a_written_one_up_to_turns() -> None:
    """An arctangent is one up to half turns, and a sum of two of them up to whole turns."""
    found = of("euler_zyx_from_quat")
    assert found["half_sum"].name == "\u03c3 up to half turns"
    assert found["half_sum"].written == "g_0 sin(\u03c3) = g_1 cos(\u03c3)"
    assert found["half_difference"].name == "-δ up to half turns"
    assert found["a_2"].name == "a_2 up to whole turns"
    assert "a_2 is determined up to 2 pi" in found["t2"].identity


@pytest.mark.parametrize("name", ["ecef_from_ned", "se3_left_jacobian", "se3_right_jacobian"])
def test_only_an_angle_has_turns(name: str) -> None:
    """Neither a length of the size of the Earth nor a small term of a series is near whole turns."""
    assert not [s.c for s in cards(name) if "2 pi" in s.identity or "turns" in s.name]


def test_a_named_value_is_written_in_the_letters_of_the_derivation() -> None:
    assert of("quat_from_rpy")["ss"].name == "s_1 s_0"
    assert of("gravitation_j2")["inv_r"].name == "1 / r"
    assert of("rpy_from_quat")["scale"].name == "1 / |q|"
    assert of("articulated_transform_inverse")["H_sum_12"].name == "H_A_12 + H_12"


def test_a_value_leads_to_the_nearest_one_that_is_explained() -> None:
    """Not to the result, of which it is no recognisable part."""
    found = of("dcm_nearest")
    assert found["shifted_12_shifted_13"].name == "a part of adjugate_00, which is N_00 inv_size³"
    assert found["t2"].name == "a part of squares, which is e_1 inv_size²"
    assert of("articulated_reduce")["t9"].name == "a part of pᵃ_0"


def test_an_angle_is_explained_by_the_step_that_solves_for_it() -> None:
    assert of("rpy_from_dcm")["rpy->z"].written.startswith("O e_x = [cos(ψ) cos(θ)")
    assert of("rpy_from_dcm")["rpy->x"].written.startswith("Oᵀ n = cos(θ) [0, ")


def test_a_part_of_a_sum_has_its_signs() -> None:
    """R_00 - R_11 is no part of a trace, which has both with the same sign."""
    assert not of("dcm_nearest")["t24"].name.startswith("a part of D_00")
    parts = [s.name for s in cards("transform_interpolate") if s.c.startswith("const double T_01_00_minus")]
    assert not [name for name in parts if "tr(" in name]


def test_a_number_with_many_digits_is_no_factor() -> None:
    """The exponent of a layer of the atmosphere is near 14861/435 times a logarithm, by chance."""
    for s in cards("isa_atmosphere"):
        assert not re.search(r"\d{4,}/|/\d{4,}", s.name), s.name


def test_values_that_share_a_name_of_the_formula_are_told_apart() -> None:
    (row,) = (s for s in cards("articulated_reduce_three") if s.c.startswith("const double t25 ="))
    assert "G_n_x_2" in row.identity
    assert "G_n_x_3" in row.identity


def test_a_series_is_a_case_and_a_sign_is_none() -> None:
    """A truncated series is close to what it stands for, but not the same terms."""
    for s in cards("se3_right_jacobian"):
        if re.match(r"const double t\d+ = .*n2", s.c):
            assert "the terms are the same" not in s.identity
    choice = rows_of("quat_slerp", "? -")
    assert not [text for text in choice.values() if "limit or series" in text]


def test_an_output_is_named_with_the_value_that_it_copies() -> None:
    assert of("joint_planar")["S_q[9]"].name == "S_q_30 = c"
    assert of("dcm_from_euler_xyz")["R_AB->m[2]"].name == "R_AB_02 = O_02"
    assert of("rigid_body_dynamics_quat")["half_w_x"].name == "1/2 ω_B_x"


def test_a_length_of_a_robot_that_is_a_number_has_its_unit() -> None:
    """A link of half a metre is no coefficient."""
    joint = partial(Joint, kind="revolute", axis=(0, 0, 1))
    bodies = [Body("base"), Body("upper", 1), Body("lower", 1)]
    joints = [
        joint("first", parent="base", child="upper"),
        joint("second", parent="upper", child="lower", xyz=("0.5", 0, 0)),
    ]
    (pose,) = robot_kernels(Mechanism("arm", bodies, joints), ["pose"], frames=["lower"])
    found = trace(function(pose, F64, OPTIONS), OPTIONS).statements
    assert {s.unit for s in found if "* 0.5" in s.c} == {"m"}


def test_a_step_is_preferred_to_the_definition() -> None:
    """The definition is what the code is compared with, not what it is made from."""
    for name, c in [("contact_dot", "t1"), ("articulated_multiply", "t2"), ("transform_exp", "dyad_xx")]:
        (row,) = (s for s in cards(name) if s.c.startswith(f"const double {c} ="))
        assert row.step, c
    assert of("joint_spherical")["turn_y"].name == "w (2 u)_y"


def test_what_several_conditions_need_is_not_said_to_serve_one() -> None:
    assert of("inertia_factor")["tolerance"].identity.count("needed for several conditions, first") == 1


def test_a_name_that_a_flag_refutes_is_said_to_hold_without_it() -> None:
    """At gimbal lock the angle is computed from other arguments; of a choice its own words say it."""
    found = of("euler_xzx_from_dcm")
    assert found["a_0_y"].where[-1] == "GIMBAL_LOCK is not raised"
    assert found["angles->x"].where[-1] == "GIMBAL_LOCK is not raised"
    assert not [row for row in found["a_2_y"].where if "raised" in row]  # its identity says it
    assert not [row for row in of("inertia_from_com")["I_O->h.x"].where if "raised" in row]
    assert found["bounded"].where[-1] == "GIMBAL_LOCK is not raised"
    assert of("central_to_inertia")["c_z"].where == ("MASS is not raised",)
    assert of("quat_inverse")["inv_n_safe"].where == ("neither ZERO_NORM nor NOT_FINITE is raised",)


def test_a_result_serves_the_part_of_the_equation_that_defines_it() -> None:
    """Also where the name has a frame, as those of the parts of an inertia or a pose do."""
    for name, c, equation in [
        ("inertia_rotate", "I_A->J.yy", "J_A = "), ("inertia_rotate", "I_A->m", "m_A = "),
        ("joint_helical", "T_PS->R.m[2]", "R_PS = "), ("joint_helical", "T_PS->p.x", "p_PS_P = "),
        ("joint_helical", "S_q->w.x", "S_q = "), ("central_transform", "C_A->h.x", "h_A = "),
    ]:  # fmt: skip
        t = traced(name, "f64")[1]
        (row,) = (s for s in t.statements if s.c.startswith(f"{c} ="))
        assert [t.equations[i].startswith(equation) for i in row.equations] == [True], c


def test_elements_of_an_array_have_numbers_and_those_of_a_vector_letters() -> None:
    stored = {s.outputs: s.name for s in cards("articulated_reduce_three") if s.kind == "store"}
    assert (stored["u_0",], stored["u_1",]) == ("u_0", "u_1")
    moment = {s.outputs: s.name for s in cards("gyroscopic_moment") if s.kind == "store"}
    assert all(name.endswith(("_x", "_y", "_z")) for name in moment.values())
