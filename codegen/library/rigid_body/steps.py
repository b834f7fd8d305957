"""Steps of the equations of one rigid body: rates of each attitude, Newton's and Euler's equations solved."""

from __future__ import annotations

from codegen.library.rigid_body.definitions import CLASSICAL
from codegen.library.shared.stepping import RUNGE_KUTTA
from codegen.library.shared.works import DIEBEL, FEATHERSTONE, GOLDSTEIN, GOLUB, LUBICH, SCHAUB, STEVENS
from codegen.modeling.steps import Step, stated

BODY = STEVENS
EULER = GOLDSTEIN
SYMPLECTIC = LUBICH.at("section I.1")

_NEWTON = "dv_B = F_B / m - w_B x v_B"
_EULER_BY_INVERSE = "dw_B = J_B^-1 (M_B - w_B x J_B w_B)"
_EULER_BY_ELIMINATION = (
    "tau = M_B - w_B x H; H = J_B w_B; a = tau[0] / J_xx; b = tau[1] - J_xy a; c = tau[2] - J_xz a;\n"
    "S_yy = J_yy - J_xy^2 / J_xx; S_yz = J_yz - J_xy J_xz / J_xx; S_zz = J_zz - J_xz^2 / J_xx;\n"
    "dw_y = (S_zz b - S_yz c) / S_det; dw_z = (S_yy c - S_yz b) / S_det; S_det = S_yy S_zz - S_yz^2;\n"
    "dw_B = [a - (J_xy dw_y + J_xz dw_z) / J_xx, dw_y, dw_z]"
)


_ONE_DIVISION = "1 / m = J_xx d; 1 / J_xx = m d; d = 1 / (m J_xx)"


def _eliminated(rates: str) -> Step:
    return stated(
        "Solve Euler's equations by elimination; the mass and `J_xx` share a division",
        f"{rates};\n{_EULER_BY_ELIMINATION};\n{_ONE_DIVISION}",
        by="Gaussian elimination of the first component is stable without exchanges, as `J` is positive "
        "definite; Cramer's rule solves the rest, the Schur complement `S` of `J_xx`",
        source=f"{EULER}; {GOLUB.at('section 4.2')}",
    )


def _dynamics(rates: str, by: str, source: str) -> tuple[Step, Step]:
    """The rates of the pose as vectors, then Euler's equations by elimination."""
    return (
        stated(
            "Write matrix products as cross products of vectors",
            f"{rates}; {_NEWTON}; {_EULER_BY_INVERSE}",
            by=f"{by}; the rate of a vector in N is that of its components in B plus `w_B` cross the vector, "
            "and force and moment are the rates of the momenta",
            source=source,
        ),
        _eliminated(f"{rates}; {_NEWTON}"),
    )


_SPATIAL = (
    "dR_NB = rows(r_0 x w, r_1 x w, r_2 x w); rows(r_0, r_1, r_2) = R_NB; dp_N = R_NB v_O;\n"
    "dv = [dw, dv_c + c x dw]; dv_c = f_O / m - w x (v_O + w x c); Jc = J + m c~ c~; c = h / m;\n"
    "v = [w, v_O]; f = [n, f_O]"
)

_about_com = stated(
    "Refer motion and force to the centre of mass",
    f"dw = Jc^-1 (n - c x f_O - w x Jc w); {_SPATIAL}",
    by="about the centre of mass the inertia is block diagonal, and Newton's and Euler's equations decouple",
    source=FEATHERSTONE.at("section 2.14"),
)

_by_adjugate = stated(
    "Solve Euler's equations by the adjugate, with one division",
    f"dw = adj(Jc) (n - c x f_O - w x Jc w) / det(Jc); {_SPATIAL}",
    by="Cramer's rule; the adjugate of a symmetric matrix has six cofactors",
    source=EULER,
)

_EARTH = (
    "dp_E = v_E; dv_E = F_E / m - Omega_E x (2 v_E + Omega_E x p_E);\n"
    "dq = [-u.(w_B - Omega_E), w (w_B - Omega_E) + u x (w_B + Omega_E)] / 2 - baumgarte (q.q - 1) q; "
    "q_EB = [w, u]"
)

_EARTH_STEPS = (
    stated(
        "Differentiate the absolute velocity, and move `Omega` to the other side of `q`",
        "dp_E = v_E; dv_E = F_E / m - Omega_E x v_E - Omega_E x (v_E + Omega_E x p_E);\n"
        "dq = (q (x) [0, w_B] - [0, Omega_E] (x) q) / 2 - baumgarte (q.q - 1) q;\n"
        f"{_EULER_BY_INVERSE}",
        by="the rate of a vector in N is that in E plus `Omega` cross the vector, for the position as for "
        "the absolute velocity, and `Omega` is constant; `q` carries `Omega` from B to E",
        source=GOLDSTEIN,
    ),
    stated(
        "Combine the Coriolis and centrifugal terms, and both products",
        f"{_EARTH};\n{_EULER_BY_INVERSE}",
        by="the cross product is linear, and exchanging the factors of a product of quaternions changes the "
        "sign of the cross product of their vector parts",
        source=STEVENS,
    ),
    _eliminated(_EARTH),
)


_JACOBIANS = """A = [[zeros(3, 3), D, R, 0], [0, S, 0, W], [0, 0, -w_B~, v_B~], [0, 0, 0, K]];
B = [[zeros(3, 3), zeros(3, 3)], [zeros(4, 3), zeros(4, 3)], [identity(3) / m, 0], [0, J_B^-1]];
R = 1 + 2 q_w q_v~ + 2 q_v~ q_v~; W = 1/2 [[-q_v^T], [q_w 1 + q_v~]];
S = 1/2 [[0, -w_B^T], [w_B, -w_B~]] - baumgarte ((q.q - 1) 1 + 2 q q^T)"""
"""The Jacobians by their blocks; D and K, the derivatives of dp by q and of dw by w, follow."""

_jacobian_steps = (
    stated(
        "Differentiate block by block",
        f"{_JACOBIANS};\n"
        "D = 2 [[q_v x v_B, (q_v.v_B) 1 + q_v v_B^T - 2 v_B q_v^T - q_w v_B~]];\n"
        "K = J_B^-1 ((J_B w_B)~ - w_B~ J_B)",
        by="the product rule on the rotated velocity, which is quadratic in the quaternion, on the product "
        "of attitude and angular velocity, and on the gyroscopic moment",
        source=BODY,
    ),
    stated(
        "Share the cross product, and reduce the rest to one product with the inverse inertia",
        f"{_JACOBIANS};\n"
        "D = [[t, 2 (q_v.v_B) 1 - 2 v_B q_v^T - (t + 2 q_w v_B)~]]; t = 2 q_v x v_B;\n"
        "K = w_B~ - J_B^-1 (G w_B)~; G = tr(J_B) 1 - 2 J_B;\n"
        "q_v v_B^T - v_B q_v^T = -(q_v x v_B)~; w_B~ J_B + J_B w_B~ + (J_B w_B)~ = tr(J_B) w_B~",
        by="the last line: identities of dyads and of a symmetric matrix with cross-product matrices",
        source=BODY,
    ),
)


WITHOUT_POSITION = (
    "the rates do not depend on the position, which the stages `X_1` to `X_4` and the end `X_5` leave out; "
    "`h` are the rates of their states, `u` that of the position"
)

WITHOUT = "Leave the position out of the stages, and sum the weighted rates"


def stages(start: str) -> str:
    """The classical method: stages X_1 to X_4 without the position, whose rate is u, and the end X_5."""
    return (
        f"X_1 = {start}; X_2 = X_1 + (dt / 2) h(X_1); X_3 = X_1 + (dt / 2) h(X_2);\n"
        "X_4 = X_1 + dt h(X_3);\n"
        "X_5 = X_1 + (dt / 6) (h(X_1) + h(X_4) + 2 (h(X_2) + h(X_3)));\n"
        "p_N' = p_N + (dt / 6) (u(X_1) + u(X_4) + 2 (u(X_2) + u(X_3)))"
    )


def vector_rates(state: str, results: str, rates: str, by: str, source: str) -> Step:
    """The classical method on the state Y, with the rates of the pose, and the accelerations, as vectors.

    `results` are the attitude and the velocities after the step, `rates` the function f of a state.
    """
    return stated(
        "Write the rates of the four stages as vectors",
        f"Y = {state};\n{CLASSICAL};\np_N' = z[0:3]; {results};\n{rates}",
        by=f"{by}; a cross-product matrix times a vector is their cross product",
        source=source,
    )


ACCELERATIONS = "F_B / m - w x v, J_B^-1 (M_B - w x J_B w)"
"""Newton's and Euler's equations, for the velocities v and w of a stage."""

_TURNED = "q_NB' = X_5[0:4] / |X_5[0:4]|; v_B' = X_5[4:7]; w_B' = X_5[7:10]"
_VELOCITY = "u(X) = X[4:7] + 2 X[0] X[1:4] x X[4:7] + 2 X[1:4] x (X[1:4] x X[4:7])"

_runge_kutta = (
    vector_rates(
        "[p_N, q_NB, v_B, w_B]",
        "q_NB' = z[3:7] / |z[3:7]|; v_B' = z[7:10]; w_B' = z[10:13]",
        "f(y) = g(y[3:7], y[7:10], y[10:13]);\n"
        f"g(q, v, w) = [t(q[0], q[1:4], v), q (x) [0, w] / 2, {ACCELERATIONS}];\n"
        "t(s, u, v) = v + 2 s u x v + 2 u x (u x v)",
        "`t` rotates the velocity by the quaternion of scalar part `s` and vector part `u`",
        BODY,
    ),
    stated(
        WITHOUT,
        f"{stages('[q_NB, v_B, w_B]')};\n{_TURNED};\n"
        "h(X) = [X[0:4] (x) [0, X[7:10]] / 2, F_B / m - X[7:10] x X[4:7], "
        "J_B^-1 (M_B - X[7:10] x J_B X[7:10])];\n"
        f"{_VELOCITY}",
        by=WITHOUT_POSITION,
        source=RUNGE_KUTTA,
    ),
    stated(
        "Invert `J` once, and divide once by the norm of the quaternion",
        f"{stages('[q_NB, v_B, w_B]')};\n"
        "q_NB' = (1 / |X_5[0:4]|) X_5[0:4]; v_B' = X_5[4:7]; w_B' = X_5[7:10];\n"
        "h(X) = [X[0:4] (x) [0, X[7:10]] / 2, a - X[7:10] x X[4:7], K (M_B - X[7:10] x J_B X[7:10])];\n"
        f"{_VELOCITY}; a = F_B / m; K = J_B^-1",
        by="force, moment, mass and inertia are constant in the step; a quotient is the product with the "
        "reciprocal",
        source=RUNGE_KUTTA,
    ),
)

_VELOCITIES = (
    "w_B' = w_B + dt J_B^-1 (M_B - w_B x J_B w_B); p_N' = p_N + dt u_N;\n"
    "u_N = y + 2 w u x y + 2 u x (u x y); y = v_B + dt F_B / m; q_NB = [w, u];\n"
    "v_B' = u_N - 2 a b x u_N + 2 b x (b x u_N); [a, b] = q_NB'"
)

_semi_implicit = (
    stated(
        "Rotate vectors instead of multiplying matrices",
        f"{_VELOCITIES};\nq_NB' = q_NB (x) [cos(h), (sin(h) / |r|) r]; r = dt w_B'; h = |r| / 2",
        by="the quaternion has unit norm, before the step as after it; a cross-product matrix times a vector "
        "is their cross product, and the transpose of a rotation turns the other way",
        source=SYMPLECTIC,
    ),
    stated(
        "Write the exponential with the quotient of the sine and half the angle",
        f"{_VELOCITIES};\nq_NB' = q_NB (x) [cos(h), (sin(h) / (2 h)) r]; r = dt w_B'; h = |r| / 2",
        by="the axis is the rotation vector over its length, which is twice `h`; the quotient is smooth at 0",
        source=SYMPLECTIC,
    ),
)

_energy = (
    stated(
        "Form the momenta, and multiply them with the velocities",
        "energy = (P.v_B + L.w_B) / 2; P = m v_B; L = J_B w_B",
        by="Koenig's theorem: the energy is that of the centre of mass, which is B's origin, and that of the "
        "rotation about it",
        source=GOLDSTEIN,
    ),
    stated(
        "Take the mass out of the scalar product",
        "energy = (m v_B.v_B + w_B.(J_B w_B)) / 2",
        by="the scalar product is linear, and does not change when its factors are exchanged",
        source=GOLDSTEIN,
    ),
)

_momenta = (
    stated(
        "Write the rotation with one matrix of the vector part",
        "P_N = R v_B m; L_N = R J_B w_B; R = 1 + 2 (w u~ + u~ u~); q_NB = [w, u]",
        by="the quaternion has unit norm, and the square of a cross-product matrix is the dyad of the vector "
        "less a multiple of the unit matrix",
        source=GOLDSTEIN,
    ),
    stated(
        "Form both momenta in B, then rotate them",
        "P_N = R P; L_N = R L; P = m v_B; L = J_B w_B; R = 1 + 2 (w u~ + u~ u~); q_NB = [w, u]",
        by="the product of matrices is associative; both momenta are vectors in B about the centre of mass",
        source=GOLDSTEIN,
    ),
)


STEPS: dict[str, tuple[Step, ...]] = {
    "rigid_body_dynamics_quat": _dynamics(
        "dp_N = v_B + 2 w u x v_B + 2 u x (u x v_B);\n"
        "dq = [-u.w_B, w w_B + u x w_B] / 2 - baumgarte (q.q - 1) q; q_NB = [w, u]",
        "a cross-product matrix times a vector is their cross product",
        BODY,
    ),
    "rigid_body_dynamics_rpy": _dynamics(
        "dp_N = Rz(psi) (Ry(theta) (Rx(phi) v_B)); drpy = [k[0] + sin(theta) dpsi, k[1], dpsi];\n"
        "dpsi = k[2] / cos(theta); k = Rx(phi) w_B; rpy = [phi, theta, psi]",
        "the equations for the rates are triangular in the axes between roll and pitch",
        DIEBEL.at("section 5.2"),
    ),
    "rigid_body_dynamics_dcm": _dynamics(
        "dp_N = R_NB v_B; dR_NB = rows(r_0 x w_B, r_1 x w_B, r_2 x w_B); R_NB = rows(r_0, r_1, r_2)",
        "a cross-product matrix is antisymmetric",
        BODY,
    ),
    "rigid_body_dynamics_mrp": _dynamics(
        "dp_N = v_B + 2 w u x v_B + 2 u x (u x v_B); w = (1 - n) / (1 + n); u = (2 / (1 + n)) s; n = s.s;\n"
        "ds_NB = ((1 - n) w_B + 2 s x w_B + 2 (s.w_B) s) / 4",
        "`w` and `u` are the parts of the quaternion; a cross-product matrix times a vector is their cross "
        "product",
        SCHAUB,
    ),
    "rigid_body_dynamics_spatial": (_about_com, _by_adjugate),
    "rigid_body_dynamics_ecef": _EARTH_STEPS,
    "rigid_body_dynamics_quat_jacobian": _jacobian_steps,
    "rigid_body_dynamics_quat_jacobian_nonzeros": _jacobian_steps,
    "rigid_body_step_rk4_quat": _runge_kutta,
    "rigid_body_step_semi_implicit_quat": _semi_implicit,
    "rigid_body_energy": _energy,
    "rigid_body_momentum": _momenta,
}
