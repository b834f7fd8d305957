"""Steps of poses and Plücker transforms: products of block matrices, block by block."""

from __future__ import annotations

from sympy import Expr, Matrix, acos, eye, sin, zeros

from codegen.library.shared.sources import FEATHERSTONE
from codegen.library.shared.textbook import Scalars, blocks, flat, homogeneous, rotation_and_position, vee
from codegen.library.transform.definitions import transform_inverse
from codegen.modeling.steps import Step, condition, step

PLUCKER = f"{FEATHERSTONE} 2.8"
MURRAY = "Murray, Li and Sastry, A Mathematical Introduction to Robotic Manipulation, section"


@step(
    "Multiply the first block row",
    "p_A = R p_B + p",
    by="the last row of the 4x4 matrix is [0, 1]",
    source=PLUCKER,
)
def _point(T_AB: Scalars, p_B: Scalars) -> list[Expr]:
    R, p = rotation_and_position(T_AB)
    return flat(R * Matrix(p_B) + p)


@step(
    "Subtract the position before the rotation",
    "p_B = R^T (p_A - p)",
    by="R^T p_A - R^T p = R^T (p_A - p): one product in place of two",
    source=PLUCKER,
)
def _point_inverse(T_AB: Scalars, p_A: Scalars) -> list[Expr]:
    R, p = rotation_and_position(T_AB)
    return flat(R.T * (Matrix(p_A) - p))


@step(
    "Multiply the blocks",
    "R_AC = R_AB R_BC, p_AC_A = R_AB p_BC_B + p_AB_A",
    by="[[R, p], [0, 1]] [[S, q], [0, 1]] = [[R S, R q + p], [0, 1]]",
    source=PLUCKER,
)
def _composed(T_AB: Scalars, T_BC: Scalars) -> list[Expr]:
    (R, p), (S, q) = rotation_and_position(T_AB), rotation_and_position(T_BC)
    return flat(R * S, R * q + p)


@step(
    "Project the position on the columns",
    "R_BA = R^T, p_BA_B = -[c0.p, c1.p, c2.p], c_i the columns of R",
    by="R p + p_AB_A = 0 has the solution p = -R^T p_AB_A: R^T R = 1",
    source=PLUCKER,
)
def _inverted(T_AB: Scalars) -> list[Expr]:
    R, p = rotation_and_position(T_AB)
    return [*R.T, *(-R[:, i].dot(p) for i in range(3))]


@step(
    "Multiply the blocks, and rotate w once",
    "w_A = R w_B, v_A = R v_B + p x w_A",
    by="p~ R w_B = p x (R w_B)",
    source=PLUCKER,
)
def _motion(T_AB: Scalars, v_B: Scalars) -> list[Expr]:
    R, p = rotation_and_position(T_AB)
    w = R * Matrix(v_B[:3])
    return flat(w, R * Matrix(v_B[3:]) + p.cross(w))


@step(
    "Shift to B's origin first, then rotate",
    "w_B = R^T w_A, v_B = R^T (v_A - p x w_A)",
    by="X^-1 = [[R^T, 0], [-R^T p~, R^T]]: R^T v_A - R^T p~ w_A has R^T in common",
    source=PLUCKER,
)
def _motion_inverse(T_AB: Scalars, v_A: Scalars) -> list[Expr]:
    R, p = rotation_and_position(T_AB)
    w, v = Matrix(v_A[:3]), Matrix(v_A[3:])
    return flat(R.T * w, R.T * (v - p.cross(w)))


@step(
    "Multiply the blocks, and rotate f once",
    "f_A = R f_B, n_A = R n_B + p x f_A",
    by="p~ R f_B = p x (R f_B)",
    source=PLUCKER,
)
def _force(T_AB: Scalars, f_B: Scalars) -> list[Expr]:
    R, p = rotation_and_position(T_AB)
    f = R * Matrix(f_B[3:])
    return flat(R * Matrix(f_B[:3]) + p.cross(f), f)


@step(
    "Shift to B's origin first, then rotate",
    "f_B = R^T f_A, n_B = R^T (n_A - p x f_A)",
    by="X*^-1 = [[R^T, -R^T p~], [0, R^T]]: R^T n_A - R^T p~ f_A has R^T in common",
    source=PLUCKER,
)
def _force_inverse(T_AB: Scalars, f_A: Scalars) -> list[Expr]:
    R, p = rotation_and_position(T_AB)
    n, f = Matrix(f_A[:3]), Matrix(f_A[3:])
    return flat(R.T * (n - p.cross(f)), R.T * f)


def _matrix(lever_below: bool, order: str) -> Step:
    """The 6x6 matrix with its block p~ R below or above the diagonal."""
    equation = "X = [[R, 0], [L, R]]" if lever_below else "X = [[R, L], [0, R]]"

    def by_columns(T_AB: Scalars) -> list[Expr]:
        R, p = rotation_and_position(T_AB)
        lever = Matrix.hstack(*(p.cross(R[:, i]) for i in range(3)))
        return flat(blocks(R, zeros(3), lever, R) if lever_below else blocks(R, lever, zeros(3), R))

    return step(
        "Cross p with each column of R",
        f"{equation}, L = [p x c0, p x c1, p x c2], c_i the columns of R; {order}",
        by="the columns of p~ R are p~ c_i = p x c_i",
        source=PLUCKER,
    )(by_columns)


_EXCHANGED = "P [[A, B], [C, D]] P = [[D, C], [B, A]]"


def _relative(T_A0: Scalars, T: Scalars) -> tuple[Matrix, Matrix]:
    """Rotation and position of T_A0^-1 T."""
    relative = homogeneous(transform_inverse(T_A0)) * homogeneous(T)
    return relative[:3, :3], relative[:3, 3]


@condition(
    "Rotate about the axis of R_01 by t times its angle",
    "R_0t = 1 + sin(t a) n~ + (1 - cos(t a)) n~ n~, where R_01 is that for t = 1, a in [0, pi];\n"
    "multiplied by sin a: sin(a) (R_0t - R_0t^T) = sin(t a) (R_01 - R_01^T)",
    by="Rodrigues' formula: exp(a n~) = 1 + sin(a) n~ + (1 - cos a) n~ n~, n~ n~ n~ = -n~",
    source=f"{MURRAY} 2.2",
)
def _turned(T_A0: Scalars, T_A1: Scalars, t: Expr, T_At: Scalars) -> list[Expr]:
    (R_01, _), (R_0t, _) = _relative(T_A0, T_A1), _relative(T_A0, T_At)
    angle = acos((R_01.trace() - 1) / 2)
    return flat(sin(angle) * (R_0t - R_0t.T) - sin(t * angle) * (R_01 - R_01.T))


@condition(
    "Keep the screw axis",
    "(1 - R_01) p_0t = (1 - R_0t) p_01, and n.p_0t = t n.p_01",
    by="exp(x) and exp(t x) commute; the pitch is the same all along the screw",
    source=f"{MURRAY} 2.3",
)
def _screw(T_A0: Scalars, T_A1: Scalars, t: Expr, T_At: Scalars) -> list[Expr]:
    (R_01, p_01), (R_0t, p_0t) = _relative(T_A0, T_A1), _relative(T_A0, T_At)
    axis = vee(R_01 - R_01.T)
    return [*((eye(3) - R_01) * p_0t - (eye(3) - R_0t) * p_01), axis.dot(p_0t) - t * axis.dot(p_01)]


STEPS: dict[str, tuple[Step, ...]] = {
    "transform_point": (_point,),
    "transform_point_inverse": (_point_inverse,),
    "transform_compose": (_composed,),
    "transform_inverse": (_inverted,),
    "motion_transform": (_motion,),
    "motion_transform_inverse": (_motion_inverse,),
    "force_transform": (_force,),
    "force_transform_inverse": (_force_inverse,),
    "motion_transform_matrix": (_matrix(True, "on [w; v]"),),
    "force_transform_matrix": (_matrix(False, "on [n; f]"),),
    "motion_transform_matrix_linear_first": (_matrix(False, f"on [v; w], {_EXCHANGED}"),),
    "force_transform_matrix_linear_first": (_matrix(True, f"on [f; n], {_EXCHANGED}"),),
    "transform_interpolate": (_turned, _screw),
}
