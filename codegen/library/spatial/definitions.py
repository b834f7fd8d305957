"""Products of spatial vectors: motion [w; v_O], force [n_O; f] (Featherstone 2008, chapter 2)."""

from __future__ import annotations

from sympy import Expr, Matrix

from codegen.library.shared.textbook import Scalars, crf, crm, flat


def motion_cross(v: Scalars, m: Scalars) -> list[Expr]:
    """v x m = crm(v) m (Featherstone 2008, section 2.9)."""
    return flat(crm(v) * Matrix(m))


def force_cross(v: Scalars, f: Scalars) -> list[Expr]:
    """v x* f = crf(v) f (Featherstone 2008, section 2.9)."""
    return flat(crf(v) * Matrix(f))


def motion_dot_force(v: Scalars, f: Scalars) -> list[Expr]:
    """The power f.v (Featherstone 2008, section 2.6)."""
    return flat(Matrix(f).T * Matrix(v))


def motion_cross_matrix(v: Scalars) -> list[Expr]:
    """crm(v) (Featherstone 2008, section 2.9)."""
    return flat(crm(v))


def force_cross_matrix(v: Scalars) -> list[Expr]:
    """crf(v) = -crm(v)^T (Featherstone 2008, section 2.9)."""
    return flat(-crm(v).T)
