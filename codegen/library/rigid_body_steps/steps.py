"""Steps of the classical Runge-Kutta method: the rates of each attitude as vectors, and what follows."""

from __future__ import annotations

from codegen.library.rigid_body.steps import (
    ACCELERATIONS,
    WITHOUT,
    WITHOUT_POSITION,
    stages,
    vector_rates,
)
from codegen.library.shared.stepping import RUNGE_KUTTA
from codegen.library.shared.works import DIEBEL, GOLUB, SCHAUB
from codegen.modeling.steps import Step, stated

_INVERTED = "F_B / m - w x v, K (M_B - w x J_B w)"
_INVERSE = "K = J_B^-1"
_CONSTANT = "mass and inertia are constant in the step, so that `J` is inverted once"

_rpy = (
    vector_rates(
        "[p_N, rpy, v_B, w_B]",
        "rpy' = z[3:6]; v_B' = z[6:9]; w_B' = z[9:12]",
        "f(y) = g(y[3:6], y[6:9], y[9:12]);\n"
        f"g(a, v, w) = [Rz(a[2]) (Ry(a[1]) (Rx(a[0]) v)), e(a[1], Rx(a[0]) w), {ACCELERATIONS}];\n"
        "e(theta, n) = [n[0] + sin(theta) n[2] / cos(theta), n[1], n[2] / cos(theta)]",
        "in the axes between roll and pitch, the equations for the rates are triangular, and `e` solves them",
        DIEBEL.at("section 5.2"),
    ),
    stated(
        WITHOUT,
        f"{stages('[rpy, v_B, w_B]')};\n"
        "rpy' = X_5[0:3]; v_B' = X_5[3:6]; w_B' = X_5[6:9];\n"
        f"h(X) = j(X[0:3], X[3:6], X[6:9]); j(a, v, w) = [e(a[1], Rx(a[0]) w), {_INVERTED}]; {_INVERSE};\n"
        "e(theta, n) = [n[0] + sin(theta) n[2] / cos(theta), n[1], n[2] / cos(theta)];\n"
        "u(X) = Rz(X[2]) Ry(X[1]) Rx(X[0]) X[3:6]",
        by=f"{WITHOUT_POSITION}; {_CONSTANT}",
        source=RUNGE_KUTTA,
    ),
)

_ROWS = f"""R_NB = rows(r_0, r_1, r_2);
v_B' = X_5[9:12]; w_B' = X_5[12:15]; c_0 = [X_5[0], X_5[3], X_5[6]]; c_1 = [X_5[1], X_5[4], X_5[7]];
h(X) = j(X[0:3], X[3:6], X[6:9], X[9:12], X[12:15]);
j(a, b, c, v, w) = [a x w, b x w, c x w, {_INVERTED}]; {_INVERSE};
u(X) = rows(X[0:3], X[3:6], X[6:9]) X[9:12]"""

_dcm = (
    vector_rates(
        "[p_N, R_NB e_x, R_NB e_y, R_NB e_z, v_B, w_B]",
        "R_NB' = cols(b_0, b_1, b_0 x b_1); v_B' = z[12:15]; w_B' = z[15:18];\n"
        "b_0 = c_0 / |c_0|; b_1 = d / |d|; d = c_1 - (b_0.c_1) b_0; c_0 = z[3:6]; c_1 = z[6:9]",
        "f(y) = g(cols(y[3:6], y[6:9], y[9:12]), y[12:15], y[15:18]);\n"
        f"g(R, v, w) = [R v, R (w x e_x), R (w x e_y), R (w x e_z), {ACCELERATIONS}]",
        "Poisson's equation: an axis of B moves with its end at the angular velocity cross the axis",
        SCHAUB,
    ),
    stated(
        f"{WITHOUT}; Poisson's equation stands by rows",
        f"{stages('[r_0, r_1, r_2, v_B, w_B]')};\n"
        f"R_NB' = cols(b_0, b_1, b_0 x b_1); b_0 = c_0 / |c_0|; b_1 = d / |d|; d = c_1 - (b_0.c_1) b_0;\n"
        f"{_ROWS}",
        by=f"a cross-product matrix is antisymmetric; {WITHOUT_POSITION}; {_CONSTANT}",
        source=RUNGE_KUTTA,
    ),
    stated(
        "Make the second axis normal to the first by two cross products",
        f"{stages('[r_0, r_1, r_2, v_B, w_B]')};\n"
        "R_NB' = cols(b_0, b_1, b_0 x b_1); b_0 = (1 / |c_0|) c_0; b_1 = (1 / |n|) n;\n"
        "n = (b_0 x c_1) x b_0;\n"
        f"{_ROWS}",
        by="a vector triple product with a unit vector leaves the part normal to it",
        source=GOLUB.at("section 5.2"),
    ),
)

_ROTATED = "n(t, s, v) = v + 2 (t - 1) t s x v + 2 t^2 s x (s x v)"
_MRP_RATE = "(1 - s.s) w / 4 + s x w / 2 + (s.w) s / 2"

_mrp = (
    vector_rates(
        "[p_N, s_NB, v_B, w_B]",
        "v_B' = z[6:9]; w_B' = z[9:12];\ns_NB' = {-a / (a.a) if a.a > 1, a otherwise}; a = z[3:6]",
        "f(y) = g(y[3:6], y[6:9], y[9:12]);\n"
        f"g(s, v, w) = [n(2 / (1 + s.s), s, v), {_MRP_RATE}, {ACCELERATIONS}];\n{_ROTATED}",
        "`n` rotates the velocity by the quaternion that has the scalar part `t` less 1, and the vector part "
        "`s` times `t`",
        SCHAUB,
    ),
    stated(
        f"{WITHOUT}; the shadow set is a multiple of the parameters",
        f"{stages('[s_NB, v_B, w_B]')};\n"
        "s_NB' = c a; c = {-1 / (a.a) if a.a > 1, 1 otherwise}; a = X_5[0:3]; v_B' = X_5[3:6]; "
        "w_B' = X_5[6:9];\n"
        "h(X) = j(X[0:3], X[3:6], X[6:9]);\n"
        f"j(s, v, w) = [{_MRP_RATE}, {_INVERTED}]; {_INVERSE};\n"
        f"u(X) = n(2 / (1 + X[0:3].X[0:3]), X[0:3], X[3:6]);\n{_ROTATED}",
        by=f"both sets of parameters are along the axis of the rotation; {WITHOUT_POSITION}; {_CONSTANT}",
        source=f"{SCHAUB}; {RUNGE_KUTTA}",
    ),
)

STEPS: dict[str, tuple[Step, ...]] = {
    "rigid_body_step_rk4_rpy": _rpy,
    "rigid_body_step_rk4_dcm": _dcm,
    "rigid_body_step_rk4_mrp": _mrp,
}
