"""Other forms of a body's inertia: central, unit and pseudo-inertia, and the linear-first matrix.

A central inertia {m, h, Jc} has its rotational part about the centre of mass, so that it does not change when
the origin moves. A unit inertia {m, c, G}, J = m G, describes the shape of the body even if the mass is zero.
"""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import Array, Scalar, flatten
from codegen.library.inertia.kernels import RIGHT, moved, offset_inertia, second_moment_of
from codegen.library.shared.arguments import (
    INERTIA,
    central_inertia,
    force,
    inertia,
    mass,
    motion,
    pose,
    rotation,
    vector,
)
from codegen.library.shared.guards import bounded, finite_or_zero, total
from codegen.library.shared.works import DRAKE, JAIN, RUCKER, WENSING
from codegen.modeling.failures import Failure
from codegen.modeling.quantities.frames import in_frame
from codegen.modeling.types.algebra import (
    CentralInertia,
    Force,
    Inertia,
    Mat3,
    Motion,
    Rotation,
    SymMat3,
    Transform,
    UnitInertia,
    Vec3,
)
from codegen.modeling.types.scalar import (
    EPS,
    MIN,
    absolute,
    bare,
    every,
    exp,
    let,
    log,
    removable,
    require,
    select,
    sqrt,
)

CENTRAL = f"{JAIN}; the form of NASA's KSL"

MOMENTUM = "kg m^2/s; kg m/s"


def _central(name: str, frame: str, doc: str = "inertia, `Jc` about the centre of mass") -> Arg:
    return Arg(name, CentralInertia, INERTIA, doc, frame)


def _unit(name: str, frame: str, doc: str = "inertia per mass, `G` about the frame's origin") -> Arg:
    return Arg(name, UnitInertia, "kg; m; m^2", doc, frame)


def _failures(result: str, mass: str = "m") -> dict[Status, Failure]:
    return {
        Status.MASS: Failure(f"{mass} > min", f"{result} = 0"),
        Status.NOT_FINITE: Failure(f"|sum({result})| <= max", f"{result} = 0"),
    }


def _inverse(m: Scalar) -> tuple[Scalar, Scalar]:
    """1/m, or 1 where there is no mass, and whether there is a mass."""
    ok = let("has_mass", require(m > MIN, Status.MASS))
    return let("inv_m", 1 / select(ok, m, 1)), ok


_NO_MASS = "of a mass `m`, one stands for it in the quotient of first moment and mass"


def _com(m: Scalar, h: Vec3) -> Vec3:
    """h/m; where the mass is zero, h is zero, and any centre will do."""
    massless = removable(absolute(m) <= MIN, _NO_MASS, "|m| <= min", m=m)
    c: Vec3 = h * (1 / select(massless, 1, m))
    return c


@kernel(
    inputs=[
        mass(),
        vector("c", "m", "centre of mass, measured from the frame's origin", "A"),
        central_inertia("I_com", "A"),
    ],
    outputs=[_central("C_O", "A")],
    equation="m_O = m; h = m c; Jc = I_com",
    source=CENTRAL,
)
def central_from_com(m: Scalar, c: Vec3, I_com: SymMat3) -> CentralInertia:
    """Central inertia of a body from its mass, centre of mass and rotational inertia; nothing is checked."""
    return CentralInertia(m, m * c, I_com)


@kernel(
    inputs=[inertia("I_O", "A")],
    outputs=[_central("C_O", "A")],
    equation="m_O = m; h_O = h; Jc = J - ((h.h) 1 - h h^T) / m",
    source=CENTRAL,
    failures=_failures("C_O"),
)
def inertia_to_central(I_O: Inertia) -> CentralInertia:
    """Central inertia of a body from its inertia about the origin."""
    inv_m, ok = _inverse(I_O.m)
    c = let("c", I_O.h * inv_m)
    return finite_or_zero(ok, CentralInertia(I_O.m, I_O.h, I_O.J - offset_inertia(I_O.h, c)))


@kernel(
    inputs=[_central("C_O", "A")],
    outputs=[inertia("I_O", "A")],
    equation="m_O = m; h_O = h; J = Jc + ((h.h) 1 - h h^T) / m",
    source=CENTRAL,
    failures=_failures("I_O"),
)
def central_to_inertia(C_O: CentralInertia) -> Inertia:
    """Inertia about the origin from a central inertia."""
    inv_m, ok = _inverse(C_O.m)
    c = let("c", C_O.h * inv_m)
    return finite_or_zero(ok, Inertia(C_O.m, C_O.h, C_O.Jc + offset_inertia(C_O.h, c)))


@kernel(
    inputs=[rotation("R_AB"), _central("C_B", "B")],
    outputs=[_central("C_A", "A", "the same inertia in A's axes")],
    equation="m_A = m_B; h_A = R h_B; Jc_A = R Jc_B R^T",
    source=CENTRAL,
    requires=RIGHT,
)
def central_rotate(R_AB: Rotation, C_B: CentralInertia) -> CentralInertia:
    """Central inertia in other axes through the same origin."""
    return CentralInertia(C_B.m, R_AB @ C_B.h, C_B.Jc.rotated(R_AB))


@kernel(
    inputs=[vector("p_AB_A", "m", "position of B's origin relative to A's", "A"), _central("C_B", "B")],
    outputs=[_central("C_A", "A", "the same body's inertia, `h` measured from A's origin")],
    equation="m_A = m_B; h_A = h_B + m_B p; Jc_A = Jc_B",
    source=CENTRAL,
)
def central_translate(p_AB_A: Vec3, C_B: CentralInertia) -> CentralInertia:
    """Central inertia about another origin, in the same axes: only the first moment changes."""
    return CentralInertia(C_B.m, in_frame(C_B.h, "A") + C_B.m * p_AB_A, in_frame(C_B.Jc, "A"))


@kernel(
    inputs=[pose("T_AB"), _central("C_B", "B")],
    outputs=[_central("C_A", "A", "the same body's inertia in A")],
    equation="m_A = m_B; h_A = R h_B + m_B p; Jc_A = R Jc_B R^T",
    source=CENTRAL,
    requires=RIGHT,
)
def central_transform(T_AB: Transform, C_B: CentralInertia) -> CentralInertia:
    """Central inertia in A from that in B; it divides by nothing, so the mass may be zero."""
    return central_translate(T_AB.p, central_rotate(T_AB.R, C_B))  # type: ignore[no-any-return]


@kernel(
    inputs=[pose("T_AB"), _central("C_A", "A"), _central("C_B", "B", "inertia of the other body, in B")],
    outputs=[_central("C_sum", "A", "inertia of both bodies together")],
    equation="m_sum = m_A + m_B; h_sum = h_A + h; "
    "Jc_sum = Jc_A + R Jc_B R^T + (m_A m_B / m_sum) ((d.d) 1 - d d^T); "
    "h = R h_B + m_B p; d = h / m_B - h_A / m_A",
    source=CENTRAL,
    requires=RIGHT + "; where a mass is 0, its `h` is 0",
    failures=_failures("C_sum", "m_A + m_B"),
    tolerance=6,  # d, the difference of two rounded quotients, enters twice, beside a rounded reciprocal
)
def central_merge(T_AB: Transform, C_A: CentralInertia, C_B: CentralInertia) -> CentralInertia:
    """Central inertia in A of two rigidly joined bodies, one of them given in B.

    `d` is the vector between their centres of mass.
    """
    B = central_transform(T_AB, C_B)
    m, h = let("m", C_A.m + B.m), let("h", B.h)
    inv_m, ok = _inverse(m)
    d = let("d", _com(B.m, h) - _com(C_A.m, C_A.h))
    reduced = let("m_reduced", C_A.m * (B.m * inv_m))
    Jc = C_A.Jc + let("Jc_turned", B.Jc) + offset_inertia(let("m_d", reduced * d), d)
    return finite_or_zero(ok, CentralInertia(m, C_A.h + h, Jc))


@kernel(
    inputs=[_central("C_O", "A"), motion("v", "A")],
    outputs=[force("f", "A", "spatial momentum", MOMENTUM)],
    equation="f = [Jc w + c x f_O, f_O]; f_O = m v_O + w x h; c = h / m; v = [w, v_O]",
    source=CENTRAL,
)
def central_multiply(C_O: CentralInertia, v: Motion) -> Force:
    """Spatial momentum, about the origin, of a body at a spatial velocity.

    Without mass there is no centre of mass, and `c` is taken as 0.
    """
    f_O = let("f_O", C_O.m * v.v + v.w.cross(C_O.h))
    c = let("c", _com(C_O.m, C_O.h))
    return Force(C_O.Jc @ v.w + c.cross(f_O), f_O)


@kernel(
    inputs=[
        mass(),
        vector("c", "m", "centre of mass, measured from the frame's origin", "A"),
        central_inertia("I_com", "A"),
    ],
    outputs=[_unit("U_O", "A")],
    equation="m_O = m; c_O = c; G = I_com / m + (c.c) 1 - c c^T",
    source=DRAKE,
    failures=_failures("U_O"),
)
def unit_from_central(m: Scalar, c: Vec3, I_com: SymMat3) -> UnitInertia:
    """Unit inertia of a body from its mass, centre of mass and central inertia."""
    inv_m, ok = _inverse(m)
    return finite_or_zero(ok, UnitInertia(m, c, I_com * inv_m + offset_inertia(c, c)))


@kernel(
    inputs=[
        vector("p_PQ", "m", "position of Q relative to P", "A"),
        _unit("U_P", "A", "inertia per mass, `c` measured from P, `G` about P"),
    ],
    outputs=[_unit("U_Q", "A", "the same inertia, `c` measured from Q, `G` about Q")],
    equation="m_Q = m_P; c_Q = c_P - p; G_Q = G_P - (c_P.c_P) 1 + c_P c_P^T + (c_Q.c_Q) 1 - c_Q c_Q^T",
    source=DRAKE,
)
def unit_shift(p_PQ: Vec3, U_P: UnitInertia) -> UnitInertia:
    """Unit inertia about another point, in the same axes."""
    about_Q = moved(U_P.c, U_P.G, 1, -p_PQ)
    return UnitInertia(U_P.m, about_Q.h, about_Q.J)


@kernel(
    inputs=[rotation("R_AB"), _unit("U_B", "B")],
    outputs=[_unit("U_A", "A", "the same inertia in A's axes")],
    equation="m_A = m_B; c_A = R c_B; G_A = R G_B R^T",
    source=DRAKE,
    requires=RIGHT,
)
def unit_reexpress(R_AB: Rotation, U_B: UnitInertia) -> UnitInertia:
    """Unit inertia in other axes, about the same point."""
    return UnitInertia(U_B.m, R_AB @ U_B.c, U_B.G.rotated(R_AB))


@kernel(
    inputs=[_unit("U_1", "A"), _unit("U_2", "A")],
    outputs=[_unit("U_sum", "A", "inertia of both bodies together")],
    equation="m_sum = m_1 + m_2; c_sum = (m_1 c_1 + m_2 c_2) / m_sum; G_sum = (m_1 G_1 + m_2 G_2) / m_sum",
    source=DRAKE,
)
def unit_add(U_1: UnitInertia, U_2: UnitInertia) -> UnitInertia:
    """Unit inertia of two rigidly joined bodies, about the same point and in the same axes.

    The shape is undefined where both masses are 0; it is then that of the first body.
    """
    m = let("m", U_1.m + U_2.m)
    massless = let(
        "massless",
        removable(
            absolute(m) <= MIN,
            "the first body counts fully and the second not at all",
            "|m_sum| <= min",
            m_sum=m,
        ),
    )
    inv_m = let("inv_m", 1 / select(massless, 1, m))
    first = let("part_1", select(massless, 1, U_1.m * inv_m))
    second = let("part_2", select(massless, 0, U_2.m * inv_m))
    return UnitInertia(m, first * U_1.c + second * U_2.c, first * U_1.G + second * U_2.G)


@kernel(
    inputs=[_unit("U_O", "A"), motion("v", "A")],
    outputs=[force("f", "A", "spatial momentum", MOMENTUM)],
    equation="f = [m (G w + c x v_O), m (v_O - c x w)]; v = [w, v_O]",
    source=DRAKE,
)
def unit_multiply(U_O: UnitInertia, v: Motion) -> Force:
    """Spatial momentum of a body at a spatial velocity."""
    return Force(U_O.m * (U_O.G @ v.w + U_O.c.cross(v.v)), U_O.m * (v.v - U_O.c.cross(v.w)))


@kernel(
    inputs=[_unit("U_O", "A")],
    outputs=[inertia("I_O", "A")],
    equation="m_O = m; h = m c; J = m G",
    source=DRAKE,
)
def unit_to_inertia(U_O: UnitInertia) -> Inertia:
    """Inertia about the origin from a unit inertia."""
    return Inertia(U_O.m, U_O.m * U_O.c, U_O.m * U_O.G)


@kernel(
    inputs=[inertia("I_O", "A")],
    outputs=[_unit("U_O", "A")],
    equation="m_O = m; c = h / m; G = J / m",
    source=DRAKE,
    failures=_failures("U_O"),
)
def inertia_to_unit(I_O: Inertia) -> UnitInertia:
    """Unit inertia of a body from its inertia about the origin."""
    inv_m, ok = _inverse(I_O.m)
    return finite_or_zero(ok, UnitInertia(I_O.m, I_O.h * inv_m, I_O.J * inv_m))


@kernel(
    inputs=[inertia("I_O", "A")],
    outputs=[Arg("M", Array((6, 6)), "mixed", "spatial inertia matrix, linear first, row-major", "A")],
    equation="M = P [[J, h~], [-h~, m 1]] P = [[m 1, -h~], [h~, J]]; "
    "P = [[0, identity(3)], [identity(3), 0]]",
    source="the order of `[v, w]` and `[f, n]` in KSL and Pinocchio",
)
def inertia_to_matrix_linear_first(I_O: Inertia) -> list[Scalar]:
    """Spatial inertia as a symmetric 6x6 matrix, linear first."""
    skew = Mat3.skew(I_O.h)
    masses = SymMat3.isotropic(I_O.m).rows
    upper = [[*flatten(m), *flatten(s)] for m, s in zip(masses, skew.transpose.rows, strict=True)]
    lower = [[*flatten(s), *flatten(j)] for s, j in zip(skew.rows, I_O.J.rows, strict=True)]
    return [element for row in (*upper, *lower) for element in row]


PSEUDO = Arg(
    "P",
    Array((4, 4)),
    "mixed",
    "pseudo-inertia, the integral over the mass of the dyad of the position with a 1 below it, row-major",
    "A",
)


@kernel(
    inputs=[inertia("I_O", "A")],
    outputs=[PSEUDO],
    equation="P = [[(tr(J) / 2) 1 - J, h], [h^T, m]]",
    source=WENSING,
)
def inertia_to_pseudo(I_O: Inertia) -> list[Scalar]:
    """Pseudo-inertia matrix of a body; it is positive semidefinite if and only if the inertia is physical."""
    h, (x, y, z) = I_O.h, let("S", second_moment_of(I_O.J)).rows
    rows = ([*flatten(x), h.x], [*flatten(y), h.y], [*flatten(z), h.z], [*flatten(h), I_O.m])
    return [element for row in rows for element in row]


@kernel(
    inputs=[PSEUDO],
    outputs=[inertia("I_O", "A")],
    equation="m = P[3, 3]; h = P[0:3, 3]; J = tr(S) 1 - S; "
    "S = [[P[0, 0], P[0, 1], P[0, 2]], [P[0, 1], P[1, 1], P[1, 2]], [P[0, 2], P[1, 2], P[2, 2]]]",
    source=WENSING,
)
def inertia_from_pseudo(P: tuple[Scalar, ...]) -> Inertia:
    """Spatial inertia from the upper triangle of a pseudo-inertia matrix; nothing is checked."""
    xx, xy, xz, h_x, _, yy, yz, h_y, _, _, zz, h_z, _, _, _, m = P
    return Inertia(m, Vec3(h_x, h_y, h_z), SymMat3(yy + zz, -xy, -xz, xx + zz, -yz, xx + yy))


LOG_CHOLESKY = Arg(
    "theta",
    Array((10,)),
    "mixed",
    "log-Cholesky parameters: any ten numbers are a physical inertia",
    "A",
    range=[(-8, 8)] * 10,
)


@kernel(
    inputs=[LOG_CHOLESKY],
    outputs=[inertia("I_O", "A")],
    equation="m = exp(2 alpha); h = m t; J = m (tr(S) 1 - S); "
    "S = [[exp(2 d_1) + s_12^2 + s_13^2, s_12 exp(d_2) + s_13 s_23, s_13 exp(d_3)], "
    "[s_12 exp(d_2) + s_13 s_23, exp(2 d_2) + s_23^2, s_23 exp(d_3)], "
    "[s_13 exp(d_3), s_23 exp(d_3), exp(2 d_3)]] + t t^T; t = [t_1, t_2, t_3]; "
    "[alpha, d_1, d_2, d_3, s_12, s_23, s_13, t_1, t_2, t_3] = theta",
    source=RUCKER,
)
def inertia_from_log_cholesky(theta: tuple[Scalar, ...]) -> Inertia:
    """Spatial inertia from its log-Cholesky parameters, for identification without constraints.

    `alpha` is half the logarithm of the mass, `t` the centre of mass. Every inertia with a positive definite
    pseudo-inertia has parameters.
    """
    alpha, d_1, d_2, d_3, s_12, s_23, s_13, *ends = theta
    t = Vec3(*ends)
    m = let("m", bare(exp(2 * alpha)))
    y, z = let("e_2", bare(exp(d_2))), let("e_3", bare(exp(d_3)))
    xx, yy, zz = (bare(exp(2 * d)) for d in (d_1, d_2, d_3))
    S = SymMat3(
        xx + s_12 * s_12 + s_13 * s_13 + t.x * t.x, s_12 * y + s_13 * s_23 + t.x * t.y, s_13 * z + t.x * t.z,
        yy + s_23 * s_23 + t.y * t.y, s_23 * z + t.y * t.z, zz + t.z * t.z,
    )  # fmt: skip
    S = let("S", S)
    J = SymMat3(S.yy + S.zz, -S.xy, -S.xz, S.xx + S.zz, -S.yz, S.xx + S.yy)
    return Inertia(m, m * t, m * J)


_PIVOTS = (
    "z_1 = S[0, 0] - s_12^2 - s_13^2; z_2 = S[1, 1] - s_23^2; z_3 = S[2, 2]; "
    "s_12 = (S[0, 1] - s_13 s_23) / sqrt(z_2); s_23 = S[1, 2] / sqrt(z_3); s_13 = S[0, 2] / sqrt(z_3); "
    "S = ((tr(J) / 2) 1 - J) / m - t t^T; t = h / m"
)
_FLAT = (
    "otherwise the second moment about the centre of mass is not positive definite, or lost in rounding: "
    "no body has this inertia, or the body is flat"
)


@kernel(
    inputs=[inertia("I_O", "A")],
    outputs=[
        Arg(
            "theta",
            Array((10,)),
            "mixed",
            "log-Cholesky parameters, logarithms and lengths in SI units",
            "A",
        )
    ],
    equation="theta = [alpha, d_1, d_2, d_3, s_12, s_23, s_13, t_1, t_2, t_3]; alpha = log(m) / 2; "
    "d_1 = log(z_1) / 2; d_2 = log(z_2) / 2; d_3 = log(z_3) / 2; [t_1, t_2, t_3] = t; "
    f"{_PIVOTS}",
    source=RUCKER,
    failures={
        Status.MASS: Failure("m > min", "theta = 0"),
        Status.NOT_PHYSICAL: (
            Failure("tr(J) > 0, z_3 > 8 eps tr(J) / m", "theta = 0", _FLAT),
            Failure("z_2 > 8 eps tr(J) / m", "theta = 0", _FLAT),
            Failure("z_1 > 8 eps tr(J) / m", "theta = 0", _FLAT),
        ),
        Status.NOT_FINITE: Failure("|sum(theta)| <= max", "theta = 0"),
    },
)
def inertia_to_log_cholesky(I_O: Inertia) -> list[Scalar]:
    """Log-Cholesky parameters of a spatial inertia: the inverse of inertia_from_log_cholesky.

    They are the start of an identification at an inertia that is known, from CAD for example. Flat bodies,
    rods and points have none.
    """
    inv_m, has_mass = _inverse(I_O.m)
    t = let("t", I_O.h * inv_m)
    S = second_moment_of(I_O.J) * inv_m - SymMat3(
        t.x * t.x, t.x * t.y, t.x * t.z, t.y * t.y, t.y * t.z, t.z * t.z
    )
    S = let("S", S)
    trace = let("trace", I_O.J.trace)
    least = let("least", 8 * EPS * (trace * inv_m))
    third = let("third", require(every(has_mass, trace > 0, S.zz > least), Status.NOT_PHYSICAL))
    by_z = let("by_z", 1 / sqrt(select(third, S.zz, 1)))
    s_13, s_23 = let("s_13", S.xz * by_z), let("s_23", S.yz * by_z)
    z_2 = let("z_2", S.yy - s_23 * s_23)
    second = let("second", require(every(third, z_2 > least), Status.NOT_PHYSICAL))
    s_12 = let("s_12", (S.xy - s_13 * s_23) / sqrt(select(second, z_2, 1)))
    z_1 = let("z_1", S.xx - s_12 * s_12 - s_13 * s_13)
    ok = let("definite", require(every(second, z_1 > least), Status.NOT_PHYSICAL))
    squares = (select(ok, x, 1) for x in (I_O.m, z_1, z_2, S.zz))
    theta = [*(log(bare(x)) / 2 for x in squares), s_12, s_23, s_13, *t]
    held = let("ok", every(ok, bounded(select(ok, total(*theta), 0))))
    return [select(held, value, 0) for value in theta]
