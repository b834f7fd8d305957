"""Numbers of a description that are residues of rounding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.ir.systems import F32
from codegen.mechanisms import Body, Joint, Mechanism, robot_kernels
from codegen.mechanisms.description.exact import SNAP, Angles
from codegen.mechanisms.description.negligible import tidied
from codegen.mechanisms.description.written import exact, exact_all
from codegen.mechanisms.kernels.report import remarks
from codegen.proof.proof import prove


def arm(part: str) -> Mechanism:
    """A robot with lengths and products of inertia of this size, in m and kg m^2, beside larger ones."""
    bodies = [
        Body("ground"),
        Body("upper", 2, ("0.1", part, 0), ("0.01", part, 0, "0.02", 0, "0.03")),
        Body("lower", 1, (part, part, "0.2"), ("0.02", 0, 0, "0.02", part, "0.01")),
    ]
    joints = [
        Joint("first", "revolute", "ground", "upper", xyz=(part, 0, "0.3"), axis=(0, 1, 0)),
        Joint("second", "revolute", "upper", "lower", xyz=("0.25", f"-{part}", part), axis=(1, 0, 0)),
    ]
    return Mechanism("arm", bodies, joints)


def test_residues_of_rounding_are_taken_for_zero_and_named() -> None:
    rough, zero = arm("2.7e-51"), arm("0")
    assert tidied(rough) == zero
    assert [line for line in remarks(rough, SNAP) if "taken for zero" in line] == [
        "6 numbers are taken for zero, at most 2.7e-51 m, less than the rounding of a double at 0.25 m, the "
        "longest length: joint first and 3 more",
        "2 numbers are taken for zero, at most 2.7e-51 kg m^2, less than the rounding of the moments of "
        "inertia beside them: link upper and 1 more",
    ]
    assert not [line for line in remarks(zero, SNAP) if "taken for zero" in line]


@pytest.mark.parametrize("snap", [SNAP, Fraction(0)])
def test_residues_of_rounding_do_not_hinder_single_precision(snap: Fraction) -> None:
    (kernel,) = robot_kernels(arm("2.7e-51"), ["rnea"], snap=snap)
    assert function(kernel, F32, Options())
    assert prove(kernel).status == "proven"


def test_what_a_double_holds_beside_the_other_numbers_is_kept() -> None:
    kept = arm("2.8e-17")  # 0.25 m / 2^53 is 2.78e-17 m
    assert tidied(kept).joints == kept.joints
    assert [b.centre for b in tidied(kept).bodies] == [b.centre for b in kept.bodies]


def test_a_product_of_inertia_is_compared_with_the_smaller_moment() -> None:
    """That of a thin body about its own axis is small, too."""
    ground, _, lower = arm("0").bodies
    thin = Body("upper", 1, (0, 0, 0), ("1e-14", "1e-20", "1e-20", 1, "1e-20", 1))
    _, tidy, _ = tidied(replace(arm("0"), bodies=(ground, thin, lower))).bodies
    assert tidy.inertia == exact_all("inertia", ("1e-14", "1e-20", "1e-20", 1, 0, 1), 6)


def test_an_angle_that_a_double_does_not_tell_from_a_right_one_is_right() -> None:
    angles = Angles(snap=Fraction(0))
    assert angles.point(exact("1.5707963267948966")) == (Fraction(0), Fraction(1))
    assert angles.point(exact("-3.141592653589793")) == (Fraction(-1), Fraction(0))
    assert angles.point(exact("6.1e-17")) == (Fraction(1), Fraction(0))
    assert angles.snapped == 0
    assert 0 not in angles.point(exact("1.570796326794896"))
