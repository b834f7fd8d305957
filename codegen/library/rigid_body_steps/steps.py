"""Steps of the classical Runge-Kutta method: the rates of each attitude as vectors, and what follows."""

from __future__ import annotations

from codegen.library.rigid_body.steps import HAIRER, stages
from codegen.library.shared.sources import GOLUB, SCHAUB, STEVENS
from codegen.modeling.steps import Step, stated

_ACCELERATIONS = "F_B / m - w x v, K (M_B - w x J_B w)"
_INVERSE = "K = J_B^-1"
_HELD = "the rates do not depend on the position; mass, inertia, force and moment are constant in the step"

_rpy = stated(
    "Solve the triangular equations for the rates of the angles, invert `J` once, and omit the position from "
    "the stages",
    f"{stages('[rpy, v_B, w_B]')};\n"
    "rpy' = y_5[0:3]; v_B' = y_5[3:6]; w_B' = y_5[6:9];\n"
    f"f(y) = h(y[0:3], y[3:6], y[6:9]); h(a, v, w) = [e(a[1], Rx(a[0]) w), {_ACCELERATIONS}]; {_INVERSE};\n"
    "e(theta, k) = [k[0] + sin(theta) k[2] / cos(theta), k[1], k[2] / cos(theta)];\n"
    "g(y) = Rz(y[2]) Ry(y[1]) Rx(y[0]) y[3:6]",
    by=f"in the axes between roll and pitch, the equations for the rates are triangular; {_HELD}",
    source=f"{STEVENS} 1.4; {HAIRER}",
)

_dcm = stated(
    "Write Poisson's equation by rows, the second axis by a second cross product, and invert `J` once",
    f"{stages('[r_0, r_1, r_2, v_B, w_B]')}; R_NB = rows(r_0, r_1, r_2);\n"
    "v_B' = y_5[9:12]; w_B' = y_5[12:15]; R_NB' = cols(b_0, b_1, b_0 x b_1);\n"
    "b_0 = (1 / |c_0|) c_0; b_1 = (1 / |n|) n; n = (b_0 x c_1) x b_0;\n"
    "c_0 = [y_5[0], y_5[3], y_5[6]]; c_1 = [y_5[1], y_5[4], y_5[7]];\n"
    "f(y) = h(y[0:3], y[3:6], y[6:9], y[9:12], y[12:15]);\n"
    f"h(a, b, c, v, w) = [a x w, b x w, c x w, {_ACCELERATIONS}]; {_INVERSE};\n"
    "g(y) = rows(y[0:3], y[3:6], y[6:9]) y[9:12]",
    by=f"a tilde matrix is antisymmetric; `(b x c) x b = c - (b.c) b` for a unit vector `b`; {_HELD}",
    source=f"{GOLUB} 5.2.7; {HAIRER}",
)

_mrp = stated(
    "Rotate the velocity by the quaternion of the parameters, and invert `J` once",
    f"{stages('[s_NB, v_B, w_B]')};\n"
    "s_NB' = c a; c = {-1 / (a.a) if a.a > 1, 1 otherwise}; a = y_5[0:3]; v_B' = y_5[3:6]; w_B' = y_5[6:9];\n"
    "f(y) = h(y[0:3], y[3:6], y[6:9]);\n"
    f"h(s, v, w) = [(1 - s.s) w / 4 + s x w / 2 + (s.w) s / 2, {_ACCELERATIONS}]; {_INVERSE};\n"
    "g(y) = r(2 / (1 + y[0:3].y[0:3]), y[0:3], y[3:6]);\n"
    "r(k, s, v) = v + 2 (k - 1) k s x v + 2 k^2 s x (s x v)",
    by="`k - 1` and `k s` are the parts of the quaternion; a tilde matrix stands for the cross product; both "
    f"sets of parameters are along the axis of the rotation; {_HELD}",
    source=f"{SCHAUB} 3.6; {HAIRER}",
)

STEPS: dict[str, tuple[Step, ...]] = {
    "rigid_body_step_rk4_rpy": (_rpy,),
    "rigid_body_step_rk4_dcm": (_dcm,),
    "rigid_body_step_rk4_mrp": (_mrp,),
}
