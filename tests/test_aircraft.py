"""The aerodynamics of a JSBSim file: its operations, frames and inputs, and files that are wrong."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from codegen import Kernel, Vec3, aerodynamics_from_jsbsim
from codegen.__main__ import run
from codegen.errors import FeatherError
from codegen.ir.types import flatten
from codegen.proof.proof import prove

XML = """<?xml version="1.0"?>
<fdm_config name="x">
 <metrics>
  <wingarea unit="M2"> 0.09290304 </wingarea>
  <wingspan unit="FT"> 4 </wingspan>
  <chord unit="IN"> 24 </chord>
 </metrics>
 <aerodynamics>
  <property value="0.5">aero/k</property>
  <function name="aero/function/ground">
   <table>
    <independentVar>aero/h_b-mac-ft</independentVar>
    <tableData>
     0.0  1.5
     1.0  1.0
    </tableData>
   </table>
  </function>
  <axis name="DRAG">
   <function name="aero/coefficient/CD">
    <description>Drag</description>
    <product> <property>aero/qbar-area</property> <property>aero/k</property> </product>
   </function>
  </axis>
  <axis name="SIDE">
   <function name="aero/coefficient/CY">
    <product> <p>-aero/mag-beta-rad</p> <p>aero/qbar-psf</p> </product>
   </function>
  </axis>
  <axis name="LIFT">
   <function name="aero/coefficient/CL">
    <product> <p>aero/function/ground</p> <p>aero/alpha-deg</p> <p>aero/bi2vel</p> </product>
   </function>
   <function name="aero/coefficient/CL2">
    <sum> <v>2</v> <ifthen> <gt> <p>fcs/flap-pos-deg</p> <v>10</v> </gt>
     <v>3</v> <p>aero/ci2vel</p> </ifthen> </sum>
   </function>
  </axis>
  <axis name="PITCH">
   <function name="aero/coefficient/Cm">
    <table>
     <independentVar lookup="row">aero/alpha-rad</independentVar>
     <independentVar lookup="column">fcs/flap-pos-deg</independentVar>
     <tableData>
              0   10   30
      -0.1    1    2    4
       0.2    3    5    6
     </tableData>
    </table>
   </function>
  </axis>
 </aerodynamics>
</fdm_config>
"""


def made(tmp_path: Path, text: str = XML, **units: str) -> Kernel:
    path = tmp_path / "x.xml"
    path.write_text(text)
    return aerodynamics_from_jsbsim(path, "aero", units)


def with_formula(formula: str) -> str:
    """The file with another formula for its drag, in body axes along x."""
    drag = "<product> <property>aero/qbar-area</property> <property>aero/k</property> </product>"
    return XML.replace(drag, formula)


def test_force_and_moment_are_those_of_the_file(tmp_path: Path) -> None:
    kernel = made(tmp_path)
    names = [a.name for a in kernel.inputs]
    assert names == ["alpha_rad", "beta_rad", "qbar_psf", "h_b_mac_ft", "vt_fps", "flap_pos_deg", "p_CR_B"]
    assert [a.unit for a in kernel.inputs[:6]] == ["rad", "rad", "lbf/ft^2", "1", "ft/s", "deg"]
    a, b, qbar, h, vt, flap, arm = 0.1, -0.2, 30.0, 0.5, 10.0, 20.0, Vec3(0.5, -0.25, 2.0)
    force, moment = kernel(a, b, qbar, h, vt, flap, arm)
    drag, side, lift = qbar * 0.5, -0.2 * qbar, 1.25 * math.degrees(a) * 4 / 20 + 2 + 3
    x, y = -drag * math.cos(b) - side * math.sin(b), side * math.cos(b) - drag * math.sin(b)
    x, z = x * math.cos(a) + lift * math.sin(a), x * math.sin(a) - lift * math.cos(a)
    assert flatten(force) == pytest.approx([x, y, z], rel=1e-14)
    pitch = 3 + 2 / 3 * 2.5  # between 1 and 5, halfway along the flap
    pitch = (2 + 4) / 2 + (0.2 / 0.3) * ((5 + 6) / 2 - 3)
    crossed = [arm.y * z - arm.z * y, arm.z * x - arm.x * z, arm.x * y - arm.y * x]
    assert flatten(moment) == pytest.approx([crossed[0], crossed[1] + pitch, crossed[2]], rel=1e-14)


def test_the_formula_is_proven(tmp_path: Path) -> None:
    assert prove(made(tmp_path)).status == "proven"


FORMULAS: dict[str, Any] = {
    "<difference> <v>7</v> <p>fcs/a</p> <v>1</v> </difference>": lambda a: 6 - a,
    "<quotient> <p>fcs/a</p> <v>4</v> </quotient>": lambda a: a / 4,
    "<avg> <p>fcs/a</p> <v>4</v> </avg>": lambda a: (a + 4) / 2,
    "<min> <p>fcs/a</p> <v>0.25</v> <v>1</v> </min>": lambda a: min(a, 0.25),
    "<max> <p>fcs/a</p> <v>0.25</v> </max>": lambda a: max(a, 0.25),
    "<pow> <p>fcs/a</p> <v>3</v> </pow>": lambda a: a**3,
    "<pow> <abs><p>fcs/a</p></abs> <v>1.5</v> </pow>": lambda a: abs(a) ** 1.5,
    "<pow> <abs><p>fcs/a</p></abs> <v>0.3</v> </pow>": lambda a: abs(a) ** 0.3,
    "<sqrt> <abs><p>fcs/a</p></abs> </sqrt>": lambda a: math.sqrt(abs(a)),
    "<exp> <p>fcs/a</p> </exp>": math.exp,
    "<ln> <exp> <p>fcs/a</p> </exp> </ln>": lambda a: a,
    "<sign> <p>fcs/a</p> </sign>": lambda a: -1 if a < 0 else 1,
    "<atan2> <p>fcs/a</p> <v>-2</v> </atan2>": lambda a: math.atan2(a, -2),
    "<integer> <product> <p>fcs/a</p> <v>3</v> </product> </integer>": lambda a: math.trunc(3 * a),
    "<fraction> <product> <p>fcs/a</p> <v>3</v> </product> </fraction>": lambda a: math.modf(3 * a)[0],
    "<fmod> <p>fcs/a</p> <v>0.3</v> </fmod>": lambda a: math.fmod(a, 0.3),
    "<todegrees> <p>fcs/a</p> </todegrees>": math.degrees,
    "<product> <pi/> <p>fcs/a</p> </product>": lambda a: math.pi * a,
    "<and> <lt> <p>fcs/a</p> <v>1</v> </lt> <ge> <p>fcs/a</p> <v>0</v> </ge> </and>": lambda a: 0 <= a < 1,
    "<or> <eq> <p>fcs/a</p> <v>-0.75</v> </eq> <not> <p>fcs/a</p> </not> </or>": lambda a: a in (-0.75, 0),
    "<ifthen> <nq> <p>fcs/a</p> <v>0</v> </nq> <v>5</v> <v>6</v> </ifthen>": lambda a: 5 if a else 6,
}


def test_operations_mean_what_they_mean_in_jsbsim(tmp_path: Path) -> None:
    for formula, meaning in FORMULAS.items():
        kernel = made(tmp_path, with_formula(formula))
        for a in (-1.7, -0.75, 0.4, 1.3) if "0.3</v> </pow" in formula else (-1.7, -0.75, 0.0, 0.4, 1.3):
            values = {"fcs/a": a}
            given = [values.get(i.doc, 0.0 if i.doc != "velocities/vt-fps" else 1.0) for i in kernel.inputs]
            force, _ = kernel(*given[:-1], Vec3(0.0, 0.0, 0.0))
            assert -float(force.x) == pytest.approx(float(meaning(a)), rel=1e-14, abs=1e-15), (formula, a)


FRAMES: dict[tuple[str, ...], Any] = {
    ("X", "Y", "Z", ""): lambda x, y, z, a, b: (x, y, z),
    ("AXIAL", "SIDE", "NORMAL", ""): lambda x, y, z, a, b: (-x, y, -z),
    ("X", "Y", "Z", "STABILITY"): lambda x, y, z, a, b: (
        -x * math.cos(a) + z * math.sin(a), y, -x * math.sin(a) - z * math.cos(a),
    ),
}  # fmt: skip


@pytest.mark.parametrize("names", FRAMES, ids=str)
def test_axes_of_forces(names: tuple[str, ...], tmp_path: Path) -> None:
    text = XML
    for old, new in zip(("DRAG", "SIDE", "LIFT"), names[:3], strict=True):
        frame = f'" frame="{names[3]}' if names[3] else ""
        text = text.replace(f'axis name="{old}"', f'axis name="{new}{frame}"')
    force, _ = made(tmp_path, text)(0.3, 0.4, 2.0, 1.0, 1.0, 0.0, Vec3(0.0, 0.0, 0.0))
    parts = (1.0, -0.8, math.degrees(0.3) * 2 + 3)
    assert flatten(force) == pytest.approx(list(FRAMES[names](*parts, 0.3, 0.4)), rel=1e-14)


def test_a_force_at_the_centre_makes_no_moment(tmp_path: Path) -> None:
    text = XML.replace('name="aero/coefficient/CD"', 'name="aero/coefficient/CD" apply_at_cg="true"')
    given = (0.3, 0.4, 2.0, 1.0, 1.0, 0.0, Vec3(1.0, 2.0, 3.0))
    (force, moment), (whole, about) = made(tmp_path, text)(*given), made(tmp_path)(*given)
    assert flatten(force) == pytest.approx(flatten(whole), rel=1e-14)
    drag = Vec3(-math.cos(0.3) * math.cos(0.4), -math.sin(0.4), -math.sin(0.3) * math.cos(0.4))
    lever = flatten(Vec3(1.0, 2.0, 3.0).cross(drag))
    assert flatten(about - moment) == pytest.approx(lever, rel=1e-13)


def test_a_shifted_reference_point_moves_the_arm_aft(tmp_path: Path) -> None:
    shift = "<aero_ref_pt_shift_x><function><v>0.25</v></function></aero_ref_pt_shift_x></aerodynamics>"
    given = (0.3, 0.4, 2.0, 1.0, 1.0, 0.0)
    _, moment = made(tmp_path, XML.replace("</aerodynamics>", shift))(*given, Vec3(1.0, 2.0, 3.0))
    _, expected = made(tmp_path)(*given, Vec3(0.5, 2.0, 3.0))  # a quarter of a chord of 2 ft
    assert flatten(moment) == pytest.approx(flatten(expected), rel=1e-14)


@pytest.mark.exhaustive
def test_compiled_results_and_verdicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path)
    model = tmp_path / "model.py"
    model.write_text(
        "from pathlib import Path\nfrom codegen import aerodynamics_from_jsbsim\n"
        "aero = aerodynamics_from_jsbsim(Path(__file__).with_name('x.xml'), 'aero')\n"
    )
    assert run(["generate", "--model", str(model), "-o", str(tmp_path / "c")]) == 0
    assert run(["verify", "--model", str(model), str(tmp_path / "c")]) == 0
    assert capsys.readouterr().out.count("proven ") == 2
    changed = XML.replace("10   30", "11   30")
    (tmp_path / "x.xml").write_text(changed)
    assert run(["generate", "--model", str(model), "-o", str(tmp_path / "d")]) == 0
    capsys.readouterr()
    assert run(["diff", str(tmp_path / "c"), str(tmp_path / "d")]) == 0
    assert "M_B->y is 1.78787879 instead of 1.8" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("<v>2</v> <ifthen>", "<v>2e999999999</v> <ifthen>", r"x.xml:\d+: .* is not a finite number"),
        ("<v>2</v> <ifthen>", "<v>two</v> <ifthen>", r"x.xml:\d+: 'two' is not a number"),
        ("<gt>", "<gt> <v>1</v>", r"x.xml:\d+: <gt> has 3 parts, but takes 2"),
        ("<v>2</v> <ifthen>", "<random/> <ifthen>", r"x.xml:\d+: <random> cannot be read; what can is abs, "),
        ("<sum> <v>", "<v>1</v> <sum> <v>", r"x.xml:\d+: function aero/coefficient/CL2 has 2 formulas"),
        ('name="DRAG"', 'name="PUSH"', r"x.xml:\d+: axis PUSH is unknown"),
        ('name="DRAG"', 'name="X"', r"x.xml:\d+: its forces are in axes of body and of wind"),
        ('unit="FT"', 'unit="YD"', r"x.xml:\d+: its unit is YD, but can be FT, IN, M"),
        ("aero/h_b-mac-ft", "aero/function/ground", r"x.xml:\d+: aero/function/ground is defined by itself"),
        ("<p>aero/bi2vel</p>", "<p>#</p>", r"x.xml:\d+: the template in <p> cannot be read"),
        ("<p>aero/bi2vel</p>", "<p>9/1</p>", r"x.xml:\d+: property '9/1' gives no name"),
        ("0.2    3    5    6", "0.2    3    5", r"x.xml:\d+: table Cm: a line of <tableData> is a node"),
        ("<aerodynamics>", '<aerodynamics file="a.xml">', r"x.xml: its aerodynamics are in a.xml"),
        ("aerodynamics>", "aerodynamic>", r"x.xml has no <aerodynamics>"),
        ('axis name="', 'axes name="', r"mismatched tag"),
    ],
)
def test_a_wrong_file_is_one_clear_line(before: str, after: str, message: str, tmp_path: Path) -> None:
    assert before in XML
    with pytest.raises(FeatherError, match=message) as caught:
        made(tmp_path, XML.replace(before, after))
    assert "\n" not in str(caught.value)
    assert str(caught.value).count("x.xml") == 1


def test_an_unknown_name_may_have_a_unit(tmp_path: Path) -> None:
    kernel = made(tmp_path, XML.replace("fcs/flap-pos-deg", "fcs/flap"), flap="deg")
    assert next(a.unit for a in kernel.inputs if a.name == "flap") == "deg"
