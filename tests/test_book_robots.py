"""The book's page of a robot: where its picture has the axes, and what its tables say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from codegen.explain.book.robots import poses_at_zero, robot_page, robots_of
from codegen.explain.book.site import build
from codegen.library import library
from codegen.loading.model_file import load_kernels
from codegen.mechanisms import robot_kernels
from codegen.mechanisms.definition.reference import Definition
from codegen.mechanisms.description.exact import SNAP
from codegen.mechanisms.kernels.robot import Robot
from tests.test_mechanisms import ARM, arm, branches


@pytest.mark.parametrize("floating", [False, True])
def test_the_picture_has_the_joints_where_the_description_has_them(floating: bool) -> None:
    """Axes of described and reduced frames are lines through the origins of the definition's poses."""
    mechanism = branches(floating)
    robot, joints = Robot(mechanism, SNAP), [j for j in mechanism.ordered if j.moves]
    poses = Definition.of(mechanism).poses(np.zeros(len(joints)))
    for tree, may_slide in ((robot.whole, False), (robot.light, True)):
        drawn = poses_at_zero(tree)[int(floating) :]
        for (R, p), joint in zip(drawn, joints, strict=True):
            T = poses[joint.child].astype(float)
            axis = T[:3, :3] @ np.array(joint.axis, dtype=float)
            axis /= np.linalg.norm(axis)
            assert abs(R[:, 2] @ axis) == pytest.approx(1)
            apart = p - T[:3, 3]
            if may_slide and joint.kind != "prismatic":
                apart = np.cross(apart, axis)
            if joint.kind != "prismatic" or not may_slide:
                assert apart == pytest.approx(np.zeros(3), abs=1e-12)


def test_the_page_of_a_robot_lists_its_joints_and_bodies() -> None:
    kernels = robot_kernels(branches(), ["gravity_forces"])
    page = robot_page(kernels)
    assert [row[3:] for row in page.context["joints"]] == [
        ("trunk", "left"),
        ("trunk", "right"),
        ("right", "hand"),
    ]
    assert [row[1] for row in page.context["bodies"]] == ["left", "right", "hand"]
    assert page.context["bodies"][2][2] == "0.7 kg at [0.02, 0.01, 0.04] m"
    assert page.picture.count("<text") == 3
    assert page.picture == robot_page(kernels).picture


@pytest.mark.exhaustive
def test_the_book_of_a_robot_has_its_page(tmp_path: Path) -> None:
    build(["arm_gravity_forces", "quat_rotate"], load_kernels(ARM), tmp_path)
    page, index = ((tmp_path / f"{name}.html").read_text() for name in ("robot-arm", "index"))
    assert 'src="robot-arm.svg"' in page
    assert (tmp_path / "robot-arm.svg").exists()
    assert 'href="kernel-arm_gravity_forces.html"' in page
    assert index.count('href="robot-arm.html"') == 1
    assert not list(tmp_path.glob("robot-rotation*"))


def test_kernels_of_the_library_are_of_no_robot() -> None:
    own = robot_kernels(arm(), ["gravity_forces"])
    assert robots_of([*library().values(), *own]) == {"arm": own}
