"""Formulas of dynamics: they take arguments by name and return the outputs of the kernels in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from codegen.library.rotation.kernels import quat_to_dcm_unit
from codegen.mechanisms.recursions.acting import Acting, under
from codegen.mechanisms.recursions.dynamics import Base, inverse_dynamics
from codegen.mechanisms.trees.carriage import late_for_forces
from codegen.mechanisms.trees.coordinates import of_coordinates
from codegen.mechanisms.trees.tree import Tree
from codegen.modeling.types.algebra import Motion, Vec3


def forces(tree: Tree, q: Any, v: Any, a: Any, acting: Acting | None = None, **of_base: Any) -> Any:
    """The results of inverse dynamics: those of a floating base first, where there is one."""
    F, tau = inverse_dynamics(under(tree, acting), q, v, a, base_of(of_base), late_for_forces(tree))
    found = of_coordinates(tree, tau)
    return (found,) if F is None else (F, found)


def packed_masses(recursion: Callable[..., Any], tree: Tree, q: Any, acting: Acting | None = None) -> Any:
    """The upper triangle of the mass matrix, row by row, of the elements that a recursion gives."""
    elements, n = recursion(under(tree, acting), q), tree.rows
    return ([elements.get((i, j), 0) for i in range(n) for j in range(i, n)],)


def accelerations(
    recursion: Callable[..., Any],
    trees: Sequence[Tree],
    q: Any,
    v: Any,
    tau: Any,
    F_B: Any = None,
    acting: Acting | None = None,
    **of_base: Any,
) -> Any:
    """The results of a recursion of forward dynamics: those of a floating base first, where there is one."""
    A, a = recursion(*(under(tree, acting) for tree in trees), q, v, tau, F_B, base_of(of_base))
    return (a,) if A is None else (A, a)


def base_of(given: Mapping[str, Any]) -> Base | None:
    """The motion of a floating base, of which what is not given is zero; None where the base stands still."""
    if "q_WB" not in given:
        return None
    still = Motion(Vec3.zero(), Vec3.zero())
    return Base(quat_to_dcm_unit(given["q_WB"]), given.get("V_B", still), given.get("A_B", still))
