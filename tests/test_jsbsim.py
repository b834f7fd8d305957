"""Tables of JSBSim files: nodes, numbers, names, units, and files that are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen import tables_from_jsbsim
from codegen.errors import FeatherError

XML = """<?xml version="1.0"?>
<fdm_config name="x">
 <aerodynamics>
  <axis name="LIFT">
   <function name="aero/force/CLalpha">
    <description>Lift</description>
    <product>
     <property>aero/qbar-psf</property>
     <table>
      <independentVar lookup="row">aero/alpha-rad</independentVar>
      <tableData>
       -0.20 -0.68
        0.00  0.20
        0.23  1.20
      </tableData>
     </table>
     <table>
      <independentVar lookup="row">aero/alpha-rad</independentVar>
      <independentVar lookup="column">fcs/flap-pos-deg</independentVar>
      <tableData>
               0.0   10.0
       -0.1    1.0   2.0
        0.1    3.0   4.5
      </tableData>
     </table>
    </product>
   </function>
   <table name="aero/coefficient/Cm3">
    <independentVar lookup="row">velocities/mach</independentVar>
    <independentVar lookup="column">aero/beta-deg</independentVar>
    <independentVar lookup="table">position/h-sl-ft</independentVar>
    <tableData breakPoint="0">
          -5   5
     0.2   1   2
     0.9   3   4
    </tableData>
    <tableData breakPoint="1000">
          -5   5
     0.2   5   6
     0.9   7   8
    </tableData>
   </table>
  </axis>
 </aerodynamics>
</fdm_config>
"""


def written(tmp_path: Path, text: str = XML) -> Path:
    path = tmp_path / "x.xml"
    path.write_text(text)
    return path


def test_tables_have_names_units_and_numbers(tmp_path: Path) -> None:
    found = tables_from_jsbsim(written(tmp_path))
    assert list(found) == ["CLalpha", "CLalpha_2", "Cm3"]
    axes = {name: [(a.name, a.unit, a.size) for a in t.axes] for name, t in found.items()}
    assert axes["CLalpha"] == [("alpha_rad", "rad", 3)]
    assert axes["CLalpha_2"] == [("alpha_rad", "rad", 2), ("flap_pos_deg", "deg", 2)]
    assert axes["Cm3"] == [("h_sl_ft", "ft", 2), ("mach", "1", 2), ("beta_deg", "deg", 2)]
    assert found["CLalpha"](0.115) == pytest.approx(0.7)
    assert found["CLalpha"](9.0) == pytest.approx(1.2)
    assert found["CLalpha_2"](-0.1, 10.0) == 2
    assert found["CLalpha_2"](0.1, 5.0) == pytest.approx(3.75)
    assert found["Cm3"](0.0, 0.9, 5.0) == 4
    assert found["Cm3"](500.0, 0.2, -5.0) == pytest.approx(3)


def test_parts_of_a_table_may_have_nodes_of_their_own(tmp_path: Path) -> None:
    """At h = 0 as above; at h = 1000 with Mach 0.3 and 0.5, whose values hold beyond them."""
    other = XML.replace("0.2   5   6", "0.3   5   6").replace("0.9   7   8", "0.5   9   8")
    found = tables_from_jsbsim(written(tmp_path, other))["Cm3"]
    assert [axis.size for axis in found.axes] == [2, 4, 2]
    assert found(0.0, 0.55, 5.0) == pytest.approx(3)
    assert found(1000.0, 0.2, -5.0) == 5
    assert found(1000.0, 0.4, -5.0) == pytest.approx(7)
    assert found(1000.0, 0.9, -5.0) == 9
    assert found(500.0, 0.9, -5.0) == pytest.approx((3 + 9) / 2)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("aero/alpha-rad", "aero/alpha", r"x.xml:9: the unit of alpha is unknown: give it, as in units="),
        ("0.00  0.20", "0.00  0.2o", r"'0.00  0.2o' is no line of numbers"),
        ("0.00  0.20", "0.00  1e999999999", r"'0.00  1e999999999' is no line of numbers"),
        ("0.00  0.20", "0.00", r"table CLalpha: a line of <tableData> is a node and a number"),
        ("0.00  0.20", "-0.3 0.20", r"node 2, -0.3, is not above"),
        ("0.9   7   8", "0.9   7", r"table Cm3: a line of <tableData> is a node and 2 numbers"),
        ("0.9   7   8", "0.1   7   8", r"table Cm3: the nodes of <tableData> do not increase"),
        (' breakPoint="1000"', "", r"table Cm3: each <tableData> needs a breakPoint"),
        ("</axis>", "", r"x.xml:\d+: this is not XML: mismatched tag"),
        ("<fdm_config", "<!DOCTYPE a [<!ENTITY b 'c'>]><fdm_config", r"x.xml:2: it has a document type"),
    ],
)
def test_a_wrong_file_is_one_clear_line(before: str, after: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FeatherError, match=message) as caught:
        tables_from_jsbsim(written(tmp_path, XML.replace(before, after)))
    assert "\n" not in str(caught.value)


def test_units_are_given_where_names_do_not_tell_them(tmp_path: Path) -> None:
    path = written(tmp_path, XML.replace("aero/alpha-rad", "aero/alpha"))
    found = tables_from_jsbsim(path, {"alpha": "deg", "CLalpha": "N"})
    assert (found["CLalpha"].axes[0].unit, found["CLalpha"].unit) == ("deg", "N")


def test_a_file_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FeatherError, match="holds no <table>"):
        tables_from_jsbsim(written(tmp_path, "<fdm_config/>"))
