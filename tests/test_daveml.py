"""DAVE-ML models: formulas, tables, limits, check cases, and files that are wrong."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from codegen import Kernel, model_from_daveml
from codegen.__main__ import run
from codegen.errors import FeatherError
from codegen.proof.proof import prove

XML = """<?xml version="1.0"?>
<!DOCTYPE DAVEfunc PUBLIC "-//AIAA//DTD for Flight Dynamic Models - Functions 2.0//EN" "DAVEfunc.dtd">
<DAVEfunc xmlns="http://daveml.org/2010/DAVEML">
 <variableDef name="angleOfAttack" varID="alpha" units="deg"><isInput/></variableDef>
 <variableDef name="flap" varID="flap" units="nd" minValue="0" maxValue="1"><isInput/></variableDef>
 <variableDef name="gain" varID="k" units="nd" initialValue="2.5"/>
 <variableDef name="lift" varID="CL0" units="nd"/>
 <variableDef name="lift" varID="CL" units="nd">
  <calculation>
   <math xmlns="http://www.w3.org/1998/Math/MathML">
    <apply><plus/> <ci>CL0</ci>
     <apply><times/> <ci>k</ci> <apply><power/> <ci>flap</ci> <cn>2</cn> </apply> </apply>
     <apply><minus/> <cn>0.5</cn> </apply>
    </apply>
   </math>
  </calculation>
  <isOutput/>
 </variableDef>
 <variableDef name="stall" varID="stalled" units="nd">
  <calculation><math>
   <apply><piecewise>
    <piece> <cn>1</cn> <apply><gt/> <ci>alpha</ci> <cn>12</cn> </apply> </piece>
    <piece> <apply><divide/> <ci>alpha</ci> <cn>12</cn> </apply>
     <apply><and/> <apply><geq/> <ci>alpha</ci> <cn>0</cn> </apply>
      <apply><neq/> <ci>flap</ci> <cn>0</cn> </apply> </apply> </piece>
    <otherwise> <cn>0</cn> </otherwise>
   </piecewise></apply>
  </math></calculation>
  <isOutput/>
 </variableDef>
 <variableDef name="moment" varID="Cm" units="nd"><isOutput/></variableDef>
 <breakpointDef bpID="A"><bpVals> -10, 0, 15 </bpVals></breakpointDef>
 <breakpointDef bpID="F"><bpVals> 0 1 </bpVals></breakpointDef>
 <griddedTableDef gtID="Cm_t">
  <breakpointRefs> <bpRef bpID="A"/> <bpRef bpID="F"/> </breakpointRefs>
  <dataTable> 1 2 <!-- alpha = 0 --> 3 4, 9 8 </dataTable>
 </griddedTableDef>
 <function name="lift">
  <independentVarPts varID="alpha"> -10, 0, 15 </independentVarPts>
  <dependentVarPts varID="CL0"> -0.8, 0.2, 1.4 </dependentVarPts>
 </function>
 <function name="moment">
  <independentVarRef varID="alpha" min="-20" extrapolate="min"/>
  <independentVarRef varID="flap" extrapolate="neither"/>
  <dependentVarRef varID="Cm"/>
  <functionDefn name="f"> <griddedTableRef gtID="Cm_t"/> </functionDefn>
 </function>
 <checkData>
  <staticShot name="cruise">
   <checkInputs>
    <signal> <signalName>angleOfAttack</signalName> <signalValue>7.5</signalValue> </signal>
    <signal> <signalID>flap</signalID> <signalValue>0.5</signalValue> </signal>
   </checkInputs>
   <checkOutputs>
    <signal> <signalName>lift</signalName> <signalValue>0.925</signalValue> <tol>1e-6</tol> </signal>
    <signal> <signalName>moment</signalName> <signalValue>6</signalValue> </signal>
   </checkOutputs>
  </staticShot>
 </checkData>
</DAVEfunc>
"""


PLAIN = XML.replace(' minValue="0" maxValue="1"', "").replace(' min="-20" extrapolate="min"', "")
"""The same without limits."""


def made(tmp_path: Path, text: str = XML) -> Kernel:
    path = tmp_path / "model.dml"
    path.write_text(text)
    return model_from_daveml(path, "model")


def test_outputs_are_those_of_the_file(tmp_path: Path) -> None:
    kernel = made(tmp_path)
    assert [(a.name, a.unit) for a in kernel.inputs] == [("alpha", "deg"), ("flap", "1")]
    assert [a.name for a in kernel.outputs] == ["CL", "stalled", "Cm"]
    for alpha, flap, expected in (
        (7.5, 0.5, (0.8 + 2.5 / 4 - 0.5, 7.5 / 12, 6.0)),
        (-15.0, 0.0, (-0.8 - 0.5, 0.0, 0.0)),  # Cm goes on below its nodes
        (-40.0, 0.0, (-0.8 - 0.5, 0.0, -1.0)),  # down to -20
        (40.0, 7.0, (1.4 + 2.5 - 0.5, 1.0, 8.0)),  # but not above; flap has a limit
    ):
        assert [float(x) for x in kernel(alpha, flap)] == pytest.approx(expected, rel=1e-14, abs=1e-15)


def test_the_formula_is_proven(tmp_path: Path) -> None:
    assert prove(made(tmp_path, PLAIN)).status == "proven"
    assert prove(made(tmp_path)).status.startswith("tested at")  # limits within conditions


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("<abs/>", 0.75), ("<arctan/>", math.atan(-0.75)), ("<exp/>", math.exp(-0.75)), ("<ceiling/>", 0.0),
        ("<floor/>", -1.0), ("<cos/>", math.cos(-0.75)), ("<arcsin/>", math.asin(-0.75)),
    ],
)  # fmt: skip
def test_operations_of_mathml(operation: str, expected: float, tmp_path: Path) -> None:
    text = XML.replace("<apply><minus/> <cn>0.5</cn> </apply>", f"<apply>{operation} <cn>-0.75</cn> </apply>")
    text = text[: text.index("<checkData>")] + "</DAVEfunc>"
    assert float(made(tmp_path, text)(0.0, 0.0)[0]) == pytest.approx(0.2 + expected, rel=1e-14)


def test_the_generated_functions_are_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path, PLAIN)
    (tmp_path / "m.py").write_text(
        "from pathlib import Path\nfrom codegen import model_from_daveml\n"
        "k = model_from_daveml(Path(__file__).with_name('model.dml'), 'aero')\n"
    )
    assert run(["generate", "--model", str(tmp_path / "m.py"), "-o", str(tmp_path / "c")]) == 0
    assert run(["verify", "--model", str(tmp_path / "m.py"), str(tmp_path / "c")]) == 0
    assert capsys.readouterr().out.count("proven ") == 2


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("<signalValue>6<", "<signalValue>6.1<", "check case cruise: Cm is 6 instead of 6.1"),
        ("<signalName>moment<", "<signalName>momemt<", r"dml:\d+: signal 'momemt' is no variable"),
        ("<ci>CL0</ci>", "<ci>CL1</ci>", r"dml:\d+: CL1 is no varID of a <variableDef>"),
        ("<ci>CL0</ci>", "<ci>CL</ci>", r"dml:\d+: CL is defined by itself: CL -> CL"),
        ("<power/>", "<tensor/>", r"dml:\d+: <tensor> cannot be read; what can is"),
        ("<power/>", "<sin/>", r"dml:\d+: <sin> has 2 parts, but takes 1"),
        (
            "<cn>12</cn> </apply> </piece>",
            "<cn>1e999999999</cn> </apply> </piece>",
            r"dml:\d+: .*not a finite number",
        ),
        ("3 4, 9 8", "3 4, 9", "table Cm_table: its data are 5"),
        ("-10, 0, 15 </bp", "-10, 0, 0 </bp", "axis alpha: node 3, 0, is not above 0"),
        ('gtID="Cm_t"/>', 'gtID="Cl_t"/>', "there is no griddedTableDef Cl_t"),
        ('extrapolate="min"', 'extrapolate="some"', "extrapolate is 'some', but can be"),
        ('varID="k"', 'varID="flap"', "<variableDef> has no varID, or one that is taken"),
        ("DAVEfunc", "DAVEfun", "is no DAVE-ML model"),
        ('"DAVEfunc.dtd">', '"DAVEfunc.dtd" [<!ENTITY a "b">]>', "it has a document type"),
        ("<cn>0.5</cn>", "<cn>&half;</cn>", "it uses the entity &half; of another file"),
        ("<isInput/>", "", ""),
    ],
)
def test_a_wrong_file_is_one_clear_line(before: str, after: str, message: str, tmp_path: Path) -> None:
    assert before in XML
    text = XML.replace(before, after)
    if not message:  # a variable without a value is an input
        assert len(made(tmp_path, text).inputs) == 2
        return
    with pytest.raises(FeatherError, match=message) as caught:
        made(tmp_path, text)
    assert "\n" not in str(caught.value)
    assert str(caught.value).count("model.dml") == 1
