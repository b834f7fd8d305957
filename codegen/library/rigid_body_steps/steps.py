"""Steps of the classical Runge-Kutta method: the rates of each attitude as vectors, and what follows."""

from __future__ import annotations

from codegen.library.rigid_body.steps import WITHOUT_POSITION, stages
from codegen.library.shared.stepping import RUNGE_KUTTA
from codegen.library.shared.works import DIEBEL, GOLUB, SCHAUB
from codegen.modeling.steps import Step, stated

_ACCELERATIONS = "F_B / m - w x v, K (M_B - w x J_B w)"
_INVERSE = "K = J_B^-1"

_rpy = stated(
    "Solve the triangular equations for the rates of the angles, invert `J` once, and omit the position from "
    "the stages",
    f"{stages('[rpy, v_B, w_B]')};\n"
    "rpy' = X_5[0:3]; v_B' = X_5[3:6]; w_B' = X_5[6:9];\n"
    f"h(X) = j(X[0:3], X[3:6], X[6:9]); j(a, v, w) = [e(a[1], Rx(a[0]) w), {_ACCELERATIONS}]; {_INVERSE};\n"
    "e(theta, n) = [n[0] + sin(theta) n[2] / cos(theta), n[1], n[2] / cos(theta)];\n"
    "u(X) = Rz(X[2]) Ry(X[1]) Rx(X[0]) X[3:6]",
    by=f"in the axes between roll and pitch, the equations for the rates are triangular; {WITHOUT_POSITION}",
    source=f"{DIEBEL.at('section 5.2')}; {RUNGE_KUTTA}",
)

_dcm = stated(
    "Write Poisson's equation by rows, the second axis by a second cross product, and invert `J` once",
    f"{stages('[r_0, r_1, r_2, v_B, w_B]')}; R_NB = rows(r_0, r_1, r_2);\n"
    "v_B' = X_5[9:12]; w_B' = X_5[12:15]; R_NB' = cols(b_0, b_1, b_0 x b_1);\n"
    "b_0 = (1 / |c_0|) c_0; b_1 = (1 / |n|) n; n = (b_0 x c_1) x b_0;\n"
    "c_0 = [X_5[0], X_5[3], X_5[6]]; c_1 = [X_5[1], X_5[4], X_5[7]];\n"
    "h(X) = j(X[0:3], X[3:6], X[6:9], X[9:12], X[12:15]);\n"
    f"j(a, b, c, v, w) = [a x w, b x w, c x w, {_ACCELERATIONS}]; {_INVERSE};\n"
    "u(X) = rows(X[0:3], X[3:6], X[6:9]) X[9:12]",
    by="a cross-product matrix is antisymmetric; a vector triple product with a unit vector leaves the part "
    f"normal to it; {WITHOUT_POSITION}",
    source=f"{GOLUB.at('section 5.2')}; {RUNGE_KUTTA}",
)

_mrp = stated(
    "Rotate the velocity by the quaternion of the parameters, and invert `J` once",
    f"{stages('[s_NB, v_B, w_B]')};\n"
    "s_NB' = c a; c = {-1 / (a.a) if a.a > 1, 1 otherwise}; a = X_5[0:3]; v_B' = X_5[3:6]; w_B' = X_5[6:9];\n"
    "h(X) = j(X[0:3], X[3:6], X[6:9]);\n"
    f"j(s, v, w) = [(1 - s.s) w / 4 + s x w / 2 + (s.w) s / 2, {_ACCELERATIONS}]; {_INVERSE};\n"
    "u(X) = n(2 / (1 + X[0:3].X[0:3]), X[0:3], X[3:6]);\n"
    "n(t, s, v) = v + 2 (t - 1) t s x v + 2 t^2 s x (s x v)",
    by="the quaternion has the scalar part `t` less 1, and the vector part `s` times `t`; a cross-product "
    "matrix times a vector is their cross product; both sets of parameters are along the axis of the "
    f"rotation; {WITHOUT_POSITION}",
    source=f"{SCHAUB}; {RUNGE_KUTTA}",
)

STEPS: dict[str, tuple[Step, ...]] = {
    "rigid_body_step_rk4_rpy": (_rpy,),
    "rigid_body_step_rk4_dcm": (_dcm,),
    "rigid_body_step_rk4_mrp": (_mrp,),
}
