"""The figures of the book: what they show is what the kernel states and computes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

from codegen import Arg, kernel
from codegen.explain.book.figures.axes import elementary, matrix_of, quaternion_of
from codegen.explain.book.figures.bodies import Span
from codegen.explain.book.figures.example import Example
from codegen.explain.book.figures.examples import example
from codegen.explain.book.figures.globe import RADIUS
from codegen.explain.book.figures.picture import picture
from codegen.explain.book.figures.points import BEGINNINGS, begins_at
from codegen.explain.book.figures.sketch import Arrow, Sketch, description, sketch
from codegen.explain.book.figures.view import CAMERA
from codegen.ir.types import REAL
from codegen.library import library
from codegen.library.shared.sequences import SEQUENCES
from codegen.modeling.types.algebra import Vec3
from codegen.modeling.types.records import record

SVG = "{http://www.w3.org/2000/svg}"


def shown(name: str) -> Example:
    return example(library()[name])


def drawn(name: str) -> Sketch:
    found = sketch(library()[name])
    assert found is not None
    return found


def arrow(made: Sketch, name: str) -> Arrow:
    return next(a for a in made.arrows if a.vector.name == name)


def along(a: Arrow) -> Any:
    return (a.tip - a.start) / np.linalg.norm(a.tip - a.start)


def down(made: Sketch, letter: str, frame: str) -> float:
    """How far down on the page an axis points."""
    (axis,) = (a for a in made.axes if words(a.text).startswith(f"{letter}{frame}"))
    return float(CAMERA[1] @ (axis.tip - axis.start))


def words(text: Sequence[Any]) -> str:
    return "".join(p if isinstance(p, str) else p.letter + "".join(p.below) for p in text)


# Frames


@pytest.mark.parametrize("name", ["rpy_kinematics", "gravity_body", "quat_from_rpy"])
def test_navigation_and_body_axes_are_named_and_down_is_down(name: str) -> None:
    made = drawn(name)
    assert down(made, "z", "N") == pytest.approx(CAMERA[1, 2])
    assert CAMERA[1, 2] > 0.5
    texts = [words(a.text) for a in made.axes]
    assert texts[:3] == ["xN north", "yN east", "zN down"]
    assert texts[3:] == ["xB forward", "yB right", "zB down"]
    assert made.craft


def test_axes_have_no_names_where_the_kernel_takes_any() -> None:
    made = drawn("rigid_body_dynamics_quat")
    assert [words(a.text) for a in made.axes] == ["xN", "yN", "zN", "xB", "yB", "zB"]
    assert not made.craft
    assert down(made, "z", "N") > 0


@pytest.mark.parametrize(
    ("name", "frame"), [("quat_rotate", "A"), ("motion_cross", "A"), ("dcm_ecef_to_ned", "E")]
)
def test_other_frames_are_drawn_with_z_up(name: str, frame: str) -> None:
    assert down(drawn(name), "z", frame) < -0.5


def test_east_north_up_and_north_east_down_have_opposite_vertical_axes() -> None:
    places = shown("dcm_ned_to_enu").places
    assert places["U"].R[:, 2] == pytest.approx(-places["N"].R[:, 2])
    assert places["U"].R[:, 0] == pytest.approx(places["N"].R[:, 1])


def test_frames_that_a_rotation_joins_share_an_origin() -> None:
    places = shown("dcm_multiply").places
    assert set(places) == {"A", "B", "C"}
    assert {tuple(place.p) for place in places.values()} == {(0.0, 0.0, 0.0)}


@pytest.mark.parametrize(
    "name", ["transform_point", "motion_transform", "inertia_transform", "transform_compose"]
)
def test_the_position_of_a_pose_is_an_arrow_between_the_origins(name: str) -> None:
    places, position = shown(name).places, arrow(drawn(name), "T_AB.p")
    assert position.start == pytest.approx(places["A"].p)
    assert position.tip == pytest.approx(places["B"].p)
    assert np.linalg.norm(position.tip - position.start) > 1
    assert words(position.text) == "pABA"


def test_a_body_is_where_its_position_says() -> None:
    for name in ("rigid_body_dynamics_quat", "rigid_body_dynamics_ecef"):
        made, places = drawn(name), shown(name).places
        position = next(a for a in made.arrows if a.vector.name in ("p_N", "p_E"))
        assert position.tip == pytest.approx(places["B"].p)
        assert arrow(made, "M_B").start == pytest.approx(places["B"].p)
    moved = arrow(drawn("inertia_translate"), "p_AB_A")
    assert moved.tip == pytest.approx(shown("inertia_translate").places["B"].p)


# Attitudes


@pytest.mark.parametrize("name", [f"euler_{s.suffix}" for s in SEQUENCES] + ["rpy"])
def test_the_frames_are_turned_by_the_angles_that_are_drawn(name: str) -> None:
    """The matrix that the kernel computes from the example's angles has B's axes in the outer frame."""
    made = shown(f"dcm_from_{name}")
    outer, matrix = ("N", "R_NB") if name == "rpy" else ("A", "R_AB")
    computed = made.values[matrix].reshape(3, 3)
    assert made.places[outer].R @ computed == pytest.approx(made.places["B"].R, abs=1e-12)
    assert np.trace(computed) < 2.8


def test_the_arcs_of_roll_pitch_and_yaw_lead_from_north_to_the_body() -> None:
    """Yaw turns north about down; pitch leads on to x_B; roll leads to z_B."""
    made = drawn("rpy_kinematics")
    places = shown("rpy_kinematics").places
    ends = [(leg[1] - leg[0]) for arc in made.arcs for leg in arc.legs]
    assert [words(a.text) for a in made.arcs] == ["ψ, ψ", "θ, θ", "φ, φ"]
    assert ends[0] == pytest.approx(places["N"].R[:, 0])
    assert ends[1] == pytest.approx(ends[2])
    assert ends[1] @ places["N"].R[:, 2] == pytest.approx(0)
    assert ends[3] == pytest.approx(places["B"].R[:, 0])
    assert ends[5] == pytest.approx(places["B"].R[:, 2])


@pytest.mark.parametrize("name", ["dcm_from_wind", "air_data_from_velocity", "velocity_from_air_data"])
def test_flow_angles_lead_from_the_nose_to_the_velocity(name: str) -> None:
    made, place = drawn(name), shown(name).places["B"]
    flow = shown(name).places["W"].R[:, 0] if name == "dcm_from_wind" else along(arrow(made, "v_air_B"))
    attack, sideslip = made.arcs
    assert attack.legs[0][1] == pytest.approx(place.p + place.R[:, 0])
    assert attack.legs[1][1] == pytest.approx(sideslip.legs[0][1])
    assert attack.legs[1][1] @ place.R[:, 1] == pytest.approx(0)
    assert sideslip.legs[1][1] == pytest.approx(flow)
    assert attack.legs[1][1] @ place.R[:, 2] > 0.2  # the nose is up
    assert flow @ place.R[:, 1] > 0.2  # the wind comes from the right


def test_the_local_axes_are_on_the_surface_and_the_earth_rate_is_along_its_axis() -> None:
    E, N = (shown("dcm_ecef_to_ned").places[f] for f in "EN")
    p = E.R.T @ N.p / [RADIUS, RADIUS, RADIUS * (1 - shown("dcm_ecef_to_ned").globe.flattening)]
    assert np.linalg.norm(p) == pytest.approx(1)
    assert N.R[:, 1] @ E.R[:, 2] == pytest.approx(0)
    R = shown("dcm_ecef_to_ned").values["R_NE"].reshape(3, 3)
    assert pytest.approx(N.R @ R) == E.R
    assert along(arrow(drawn("earth_rate_ned"), "w_N")) == pytest.approx(E.R[:, 2])


def test_the_same_point_is_drawn_once() -> None:
    for name, first, second in [
        ("transform_point", "p_A", "p_B"), ("ecef_from_eci", "p_I", "p_E"),
    ]:  # fmt: skip
        made = drawn(name)
        assert arrow(made, first).tip == pytest.approx(arrow(made, second).tip)
    for name in ("ned_from_ecef", "ecef_from_ned"):
        made = drawn(name)  # whose flattening is exaggerated
        assert arrow(made, "p_N").tip == pytest.approx(arrow(made, "p_E").tip)


@pytest.mark.parametrize("seed", range(5))
def test_rotations_become_quaternions_and_back(seed: int) -> None:
    for q in [*np.random.default_rng(seed).normal(size=(5, 4)), *np.eye(4)]:
        R = matrix_of(q)
        assert np.linalg.det(R) == pytest.approx(1)
        assert matrix_of(quaternion_of(R)) == pytest.approx(R)
    assert matrix_of(np.array([np.cos(0.2), 0, 0, np.sin(0.2)])) == pytest.approx(elementary(2, 0.4))


# Points


def span(made: Sketch, name: str) -> Span:
    return next(s for s in made.spans if words(s.text) == name)


def test_geodetic_latitude_is_the_angle_of_the_normal_with_the_equator() -> None:
    """The normal goes through a point of the equatorial plane that is not the centre, and on to p_E."""
    for name in ("geodetic_from_ecef", "ecef_from_geodetic"):
        made, E = drawn(name), shown(name).places["E"].R
        (lat,) = (a for a in made.arcs if words(a.text) == "lat")
        foot, surface = lat.legs[1]
        normal = surface - foot
        assert E[:, 2] @ foot == pytest.approx(0)
        assert np.linalg.norm(foot) > 0.1
        x, y, z = E.T @ normal / np.linalg.norm(normal)
        assert np.arctan2(z, np.hypot(x, y)) == pytest.approx(shown(name).values["lat"][0], abs=1e-6)
        height, position = span(made, "h"), arrow(made, "p_E")
        assert position.start == pytest.approx([0, 0, 0])
        assert height.start == pytest.approx(surface, abs=1e-5)
        assert height.end == pytest.approx(position.tip)
        assert np.cross(normal, height.end - height.start) == pytest.approx([0, 0, 0], abs=1e-5)
        expected = shown(name).scale * shown(name).values["h"][0]
        assert np.linalg.norm(height.end - height.start) == pytest.approx(expected, abs=1e-5)
        assert "The flattening of the Earth is exaggerated." in description(made)


def test_a_position_from_an_attracting_body_ends_at_the_centre_of_mass() -> None:
    made = drawn("gravity_gradient_moment")
    position = arrow(made, "p_B")
    assert position.tip == pytest.approx(shown("gravity_gradient_moment").places["B"].p)
    assert [ball.at == pytest.approx(position.start) for ball in made.balls] == [True]
    assert arrow(made, "M_B").start == pytest.approx(position.tip)
    assert "attracting body" in picture(made, "")


@pytest.mark.parametrize(
    ("name", "position", "vectors"),
    [
        ("moment_transfer", "r_P", ["M_P", "F"]),
        ("moment_transfer", "r_cm", ["M_cm"]),
        ("lever_arm_acceleration", "r", ["a_P"]),
        ("cm_velocity", "r", ["v"]),
        ("gravitation_point", "p_E", ["g_E"]),
        ("unit_shift", "p_PQ", ["U_Q.c"]),
        ("sphere_sphere_contact", "c_A", ["n"]),
        ("contact_jacobian", "c_A", ["n", "D_A.f_N"]),
        ("contact_jacobian", "c_B", ["D_B.f_N"]),
    ],
)
def test_vectors_begin_at_the_point_that_they_are_about(name: str, position: str, vectors: list[str]) -> None:
    made = drawn(name)
    for vector in vectors:
        assert arrow(made, vector).start == pytest.approx(arrow(made, position).tip)
        assert arrow(made, vector).start != pytest.approx(arrow(made, position).start)


def test_contact_points_are_beside_each_other_along_the_normal() -> None:
    made, places = drawn("contact_jacobian"), shown("contact_jacobian").places
    c_A, c_B = arrow(made, "c_A").tip, arrow(made, "c_B").tip
    n = along(arrow(made, "n"))
    assert (c_B - c_A) / np.linalg.norm(c_B - c_A) == pytest.approx(n)
    along_n = [float(p @ n) for p in (places["A"].p, c_A, c_B, places["B"].p)]
    assert along_n == sorted(along_n)
    assert along(arrow(made, "D_A.f_N")) == pytest.approx(-n)
    assert arrow(made, "D_B.n_B").start == pytest.approx(places["B"].p)
    assert span(made, "gap").start == pytest.approx(c_A)


def test_spheres_and_planes_of_contacts_are_drawn_with_the_gap_between_them() -> None:
    made = drawn("sphere_sphere_contact")
    first, second = made.balls
    gap = span(made, "gap")
    assert np.linalg.norm(gap.start - first.at) == pytest.approx(first.radius)
    assert np.linalg.norm(gap.end - second.at) == pytest.approx(second.radius)
    found = shown("sphere_sphere_contact").values["gap"][0]
    assert np.linalg.norm(gap.end - gap.start) == pytest.approx(found)
    assert found > 0.2
    made = drawn("sphere_plane_contact")
    (plane,) = made.surfaces
    n = along(arrow(made, "n"))
    assert plane @ n == pytest.approx([shown("sphere_plane_contact").values["d"][0]] * 4)


def test_captions_name_the_quantity() -> None:
    assert "first moment I_B.h in B" in description(drawn("inertia_transform"))
    assert "velocity times duration rho in B" in description(drawn("transform_log"))
    assert "linear part of the twist S_q.v" in description(drawn("joint_helical"))


# Vectors


def test_results_are_those_of_the_kernel() -> None:
    made, places = drawn("moment_transfer"), shown("moment_transfer").places
    v = {a.name: shown("moment_transfer").values[a.name] for a in shown("moment_transfer").arguments}
    expected = v["M_P"] + np.cross(v["r_P"] - v["r_cm"], v["F"])
    assert along(arrow(made, "M_cm")) == pytest.approx(places["B"].R @ expected / np.linalg.norm(expected))
    for name, given, result in [("quat_rotate", "v_B", "v_A"), ("gravity_body", "g_N", "F_B")]:
        made = drawn(name)
        assert along(arrow(made, given)) == pytest.approx(along(arrow(made, result)))
    weight = arrow(drawn("gravity_body"), "F_B")
    assert along(weight) == pytest.approx([0, 0, 1])


def test_the_parts_of_spatial_vectors_are_drawn_at_the_origin_of_their_frame() -> None:
    made, places = drawn("motion_transform"), shown("motion_transform").places
    spin, speed = arrow(made, "v_B.w"), arrow(made, "v_B.v")
    assert spin.start == pytest.approx(places["B"].p)
    assert arrow(made, "v_A.w").start == pytest.approx(places["A"].p)
    assert along(spin) == pytest.approx(along(arrow(made, "v_A.w")))
    assert along(speed) != pytest.approx(along(arrow(made, "v_A.v")), abs=0.1)
    assert [words(a.text) for a in made.arrows[1:]] == ["vB.ω", "vB.v", "vA.ω", "vA.v"]


def test_a_centre_of_mass_is_marked_once_for_a_body() -> None:
    before, after = drawn("inertia_transform").marks
    assert before.at == pytest.approx(after.at)
    svg = picture(drawn("inertia_transform"), "")
    assert svg.count('r="5"') == 3  # two that coincide, and one in the legend
    assert len({words(m.text) for m in drawn("inertia_add").marks}) == 3


def test_inputs_and_results_differ_in_more_than_colour() -> None:
    """One line and head of each vector, and those of the legend."""
    svg = picture(drawn("quat_rotate"), "")
    inputs, results = (
        [p for p in svg.splitlines() if colour in p and "<path" in p] for colour in ("--c2", "--c3")
    )
    assert [("dasharray" in p, "stroke=" in p) for p in inputs] == [(False, True), (False, False)] * 2
    assert [("dasharray" in p, "stroke=" in p) for p in results] == [(True, True), (False, True)] * 2
    assert [t.text for t in fromstring(svg).iter(f"{SVG}text")][-2:] == ["input", "result"]


def test_moments_and_angular_velocities_have_a_sign_of_turning() -> None:
    plain, turning = drawn("quat_rotate"), drawn("quat_kinematics")
    assert "turns about the arrow" not in picture(plain, "")
    svg = picture(turning, "")
    assert "turns about the arrow" in svg
    assert max(path.count("L") for path in re.findall(r'd="([^"]*)"', svg)) == 16


# The figures of the whole library


@pytest.fixture(scope="module")
def figures() -> dict[str, tuple[Sketch, str]]:
    found = {name: sketch(k) for name, k in library().items()}
    return {name: (made, picture(made, description(made))) for name, made in found.items() if made}


def test_each_kernel_with_frames_has_a_small_figure_of_its_vectors(figures: Any) -> None:
    assert len(figures) >= 270
    for name, (made, svg) in figures.items():
        assert len(svg) < 15_000, name
        root = fromstring(svg)
        assert [e.tag for e in root[1:3]] == [f"{SVG}title", f"{SVG}desc"], name
        assert root[2].text == description(made)
        for vector in made.vectors:
            assert vector.name in description(made)
        expected = [
            a.name for a in (*library()[name].inputs, *library()[name].outputs)
            if a.type is Vec3 and len(a.frame) == 1 and a.unit != "kg m^2"
        ]  # fmt: skip
        assert [n for n in expected if n not in {v.arg.name for v in made.vectors}] == [], name


def test_kernels_without_frames_have_no_figure(figures: Any) -> None:
    for name in ("quat_multiply", "angle_wrap", "so3_left_jacobian", "gravity_wgs84", "contact_dot"):
        assert name not in figures


def test_figures_are_not_the_same_for_all(figures: Any) -> None:
    assert len({svg for _, svg in figures.values()}) > 200


def test_labels_are_inside_and_apart(figures: Any) -> None:
    for name, (_, svg) in figures.items():
        root = fromstring(svg)
        boxes = []
        for text in root.iter(f"{SVG}text"):
            x, y = float(text.attrib["x"]), float(text.attrib["y"])
            width = 5.5 * len("".join(text.itertext()).replace("\N{DOT ABOVE}", ""))
            assert 0 <= x < x + 1.2 * width < 460, name
            assert 8 < y < float(root.attrib["height"]), name
            boxes.append((x, y, width))
        for a, b in combinations(boxes, 2):
            apart = max(a[0] - b[0] - b[2], b[0] - a[0] - a[2])  # closer ones on a line would read as one
            assert abs(a[1] - b[1]) >= 8 or apart >= 5, name


def test_a_figure_is_the_same_each_time(figures: Any) -> None:
    for name in ("rigid_body_dynamics_rpy", "euler_zxz_kinematics", "ned_from_ecef"):
        made = drawn(name)
        assert picture(made, description(made)) == figures[name][1]


# Models of users


def test_vectors_in_a_structure_are_drawn_and_what_is_not_finite_is_not() -> None:
    state = record("state", "State.", [Arg("v_B", Vec3, "m/s", "", "B"), Arg("h", REAL, "m", "")])

    @kernel(
        inputs=[state.argument("x", "state")],
        outputs=[
            Arg("F_B", Vec3, "N", "drag", "B"),
            Arg("n_B", Vec3, "1", "direction", "B"),
        ],
        equation="",
        source="",
    )
    def drag(x: Any) -> Any:
        """Drag."""
        return x.v_B * -2, x.v_B * (1 / (x.h - x.h))

    made = sketch(drag)
    assert made is not None
    assert [a.vector.name for a in made.arrows] == ["x.v_B", "F_B"]
    assert along(made.arrows[1]) == pytest.approx(-along(made.arrows[0]))


def test_text_of_a_model_is_no_markup() -> None:
    @kernel(
        inputs=[Arg("v_B", Vec3, "m/s", "", "<")],
        outputs=[Arg("w_B", Vec3, "m/s", "", "&")],
        equation="",
        source="",
    )
    def copied(v_B: Any) -> Any:
        """Copy."""
        return v_B

    made = sketch(copied)
    assert made is not None
    texts = ["".join(t.itertext()) for t in fromstring(picture(made, "<b> & ]]>")).iter(f"{SVG}text")]
    assert "x<" in texts


@pytest.mark.parametrize("subject", sorted(BEGINNINGS))
def test_a_vector_that_begins_at_a_position_is_one_of_its_subject(subject: str) -> None:
    """A renamed argument would begin at the origin of its frame without a word."""
    found = {
        (v.name, begun.name)
        for kernel in library().values()
        if kernel.module == subject
        for made in [Example(kernel, 0)]
        for v in made.vectors
        if (begun := begins_at(made, v)) is not None
    }
    assert {name for name, _ in found} == set(BEGINNINGS[subject])
    assert {position for _, position in found} <= {p for tips in BEGINNINGS[subject].values() for p in tips}
