"""Spatial inertia in master form: mass, first moment and rotational inertia about the frame's origin."""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import REAL, Array, Scalar, flatten
from codegen.library.shared.arguments import (
    central_inertia,
    force,
    inertia,
    mass,
    motion,
    pose,
    rotation,
    vector,
)
from codegen.library.shared.works import FEATHERSTONE
from codegen.library.spatial.kernels import motion_dot_force
from codegen.modeling.failures import Failure
from codegen.modeling.quantities.frames import in_frame
from codegen.modeling.types.algebra import Force, Inertia, Mat3, Motion, Rotation, SymMat3, Transform, Vec3
from codegen.modeling.types.scalar import EPS, MIN, every, finite, let, require, select, tested

RIGHT = "`R_AB` is orthonormal, of determinant 1"
INERTIA_SECTION = FEATHERSTONE.at("section 2.13")


def second_moment_of(J: SymMat3) -> SymMat3:
    """integral r r^T dm = tr(J)/2 1 - J"""
    half = J.trace / 2
    return SymMat3(half - J.xx, -J.xy, -J.xz, half - J.yy, -J.yz, half - J.zz)


def swapped(S: SymMat3, i: int) -> SymMat3:
    """S with its axis i exchanged with the first."""
    if i == 1:
        return SymMat3(S.yy, S.xy, S.yz, S.xx, S.xz, S.zz)
    return SymMat3(S.zz, S.yz, S.xz, S.yy, S.xy, S.xx)


def is_semidefinite(S: SymMat3, definition: str) -> Scalar:
    """Whether a scaled S has no negative eigenvalue, by elimination with the largest pivot first.

    The definition of S, as Q in the notation, ends the form of the test that is shown.
    """
    y_first, z_first = every(S.yy > S.xx, S.yy >= S.zz), every(S.zz > S.xx, S.zz > S.yy)
    G = let("G", select(z_first, swapped(S, 2), select(y_first, swapped(S, 1), S)))
    pivot = let("pivot", select(G.xx > 0, G.xx, 1))
    yy, zz = let("G_22", G.yy - G.xy * G.xy / pivot), let("G_33", G.zz - G.xz * G.xz / pivot)
    yz = let("G_23", G.yz - G.xy * G.xz / pivot)
    is_held = every(G.xx >= 0, yy >= 0, zz >= 0, yy * zz >= yz * yz)
    return tested(is_held, _BY_ELIMINATION, f"{_ELIMINATED}, {definition}")


_BY_ELIMINATION = (
    "No eigenvalue of `Q` is negative if no pivot of Gaussian elimination is; the axes are exchanged so that "
    "the largest diagonal element comes first, and a scale prevents overflow"
)
_ELIMINATED = (
    "G[0, 0] >= 0, u >= 0, v >= 0, u v >= w^2, u = G[1, 1] - G[0, 1]^2 / g, v = G[2, 2] - G[0, 2]^2 / g, "
    "w = G[1, 2] - G[0, 1] G[0, 2] / g, g = {G[0, 0] if G[0, 0] > 0, 1 otherwise}, "
    "G = {X Q X if Q[2, 2] > Q[0, 0] and Q[2, 2] > Q[1, 1], "
    "Y Q Y if Q[1, 1] > Q[0, 0] and Q[1, 1] >= Q[2, 2], Q otherwise}, "
    "X = rows(e_z, e_y, e_x), Y = rows(e_y, e_x, e_z)"
)


@kernel(
    inputs=[
        mass(),
        vector("c", "m", "centre of mass, measured from the frame's origin", "A"),
        central_inertia("I_com", "A"),
    ],
    outputs=[inertia("I_O", "A")],
    equation="m_O = m; h = m c; J = I_com + m ((c.c) 1 - c c^T)",
    source=FEATHERSTONE.at("section 2.13", "equation 2.63"),
    failures={
        Status.NOT_FINITE: Failure("finite(I_O)", "I_O = 0"),
        Status.MASS: Failure("m > 0", "I_O = 0"),
        Status.NOT_PHYSICAL: Failure(
            "min(minors(P)) >= 0, P = (tr(I_com) / 2 + 16 eps tr(I_com)) 1 - I_com",
            "I_O = 0",
            "otherwise the second moment about the centre of mass has an eigenvalue that is negative by more "
            "than rounding; of a trace that is no normal number, rounding decides",
            certified=True,
        ),
    },
)
def inertia_from_com(m: Scalar, c: Vec3, I_com: SymMat3) -> Inertia:
    """Spatial inertia of a body from its mass, centre of mass and central inertia."""
    h = let("h", m * c)
    about_origin = let("J", I_com + offset_inertia(h, c))
    body = Inertia(m, h, about_origin)
    size = let("size", select(I_com.trace > MIN, I_com.trace, 1))  # so that no square over- or underflows
    shape: SymMat3 = I_com * let("inv_size", 1 / size)
    tolerated = let("P", second_moment_of(shape) + SymMat3.isotropic(16 * EPS * shape.trace))
    held = [
        require(every(*map(finite, body.scalars())), Status.NOT_FINITE),
        require(m > 0, Status.MASS),
        require(is_semidefinite(tolerated, _TOLERATED), Status.NOT_PHYSICAL),
    ]
    ok = let("ok", every(*held))
    return select(ok, body, Inertia.of([0] * 10))


_TOLERATED = (
    "Q = ((tr(I_com) / 2 + 16 eps tr(I_com)) 1 - I_com) / s, s = {tr(I_com) if tr(I_com) > min, 1 otherwise}"
)


def offset_inertia(h: Vec3, p: Vec3) -> SymMat3:
    """(h.p) 1 - h p^T for parallel h and p: the inertia that the mass at p adds."""
    xx, yy, zz = h.x * p.x, h.y * p.y, h.z * p.z
    return SymMat3(yy + zz, -(h.x * p.y), -(h.x * p.z), xx + zz, -(h.y * p.z), xx + yy)


@kernel(
    inputs=[inertia("I_1", "A"), inertia("I_2", "A")],
    outputs=[inertia("I_sum", "A", "inertia of both bodies together")],
    equation="I_sum = I_1 + I_2",
    source=INERTIA_SECTION,
)
def inertia_add(I_1: Inertia, I_2: Inertia) -> Inertia:
    """Spatial inertia of two rigidly joined bodies.

    Both inertias are about the same origin and in the same axes.
    """
    return I_1 + I_2


@kernel(
    inputs=[inertia("I_1", "A"), inertia("I_2", "A", "inertia of the part to remove")],
    outputs=[inertia("I_diff", "A", "inertia of the rest; not checked to be physical")],
    equation="I_diff = I_1 - I_2",
    source=INERTIA_SECTION,
)
def inertia_subtract(I_1: Inertia, I_2: Inertia) -> Inertia:
    """Spatial inertia of a body without one of its parts.

    Both inertias are about the same origin and in the same axes.
    """
    return I_1 - I_2


@kernel(
    inputs=[inertia("I_1", "A"), Arg("s", REAL, "1", "scale")],
    outputs=[inertia("I_scaled", "A", "inertia of the body with its density scaled by `s`")],
    equation="I_scaled = s I_1",
    source=INERTIA_SECTION,
)
def inertia_scale(I_1: Inertia, s: Scalar) -> Inertia:
    """Spatial inertia times a scalar."""
    scaled: Inertia = s * I_1
    return scaled


@kernel(
    inputs=[inertia("I_O", "A"), motion("v", "A")],
    outputs=[force("f", "A", "spatial momentum", "kg m^2/s; kg m/s")],
    equation="f = I_O v = [J w + h x v_O, m v_O - h x w]; v = [w, v_O]",
    source=INERTIA_SECTION,
)
def inertia_multiply(I_O: Inertia, v: Motion) -> Force:
    """Spatial momentum of a body at a spatial velocity; at an acceleration, the force without bias force."""
    return Force(I_O.J @ v.w + I_O.h.cross(v.v), I_O.m * v.v - I_O.h.cross(v.w))


@kernel(
    inputs=[inertia("I_O", "A"), motion("v", "A")],
    outputs=[force("f", "A", "bias force")],
    equation="f = crf(v) I_O v = [w x J w + h x (w x v_O), m w x v_O - w x (h x w)]; v = [w, v_O]",
    source=FEATHERSTONE.at("section 2.14"),
)
def inertia_bias_force(I_O: Inertia, v: Motion) -> Force:
    """Bias force: the force under which a body at velocity v has no spatial acceleration.

    By Jacobi's identity, `w x (h x v_O) + v_O x (w x h) = h x (w x v_O)`.
    """
    w, h = v.w, I_O.h
    w_x_v = let("w_x_v", w.cross(v.v))
    Jw, h_x_w = let("Jw", I_O.J @ w), let("h_x_w", h.cross(w))
    return Force(h.cross(w_x_v) + w.cross(Jw), I_O.m * w_x_v - w.cross(h_x_w))


@kernel(
    inputs=[inertia("I_O", "A"), motion("v", "A")],
    outputs=[Arg("energy", REAL, "J", "kinetic energy")],
    equation="energy = 1/2 v . (I_O v)",
    source=FEATHERSTONE.at("equation 2.67"),
)
def inertia_kinetic_energy(I_O: Inertia, v: Motion) -> Scalar:
    """Kinetic energy of a body at a spatial velocity."""
    return motion_dot_force(v, inertia_multiply(I_O, v)) / 2


def moved(h: Vec3, J: SymMat3, m: Scalar, p: Vec3) -> Inertia:
    """The inertia about a new origin, in the same axes; p is the position of the old origin from the new one.

    With h' = h + m p, the update of J is (h + h').p 1 - h p^T - p h'^T, which is symmetric.
    """
    h_A = let("h_moved", h + m * p)
    both = let("h_sum", h + h_A)
    xx, yy, zz = let("shift_xx", both.x * p.x), let("shift_yy", both.y * p.y), let("shift_zz", both.z * p.z)
    return Inertia(
        m,
        h_A,
        SymMat3(
            J.xx + (yy + zz),
            J.xy - (h.x * p.y + p.x * h_A.y),
            J.xz - (h.x * p.z + p.x * h_A.z),
            J.yy + (xx + zz),
            J.yz - (h.y * p.z + p.y * h_A.z),
            J.zz + (xx + yy),
        ),
    )


@kernel(
    inputs=[pose("T_AB"), inertia("I_B", "B")],
    outputs=[inertia("I_A", "A", "the same body's spatial inertia about A's origin")],
    equation="I_A = X I_B X^T = [[J_A, h_A~], [-h_A~, m_B 1]]; X = [[R, p~ R], [0, R]]; h = R h_B; "
    "h_A = h + m_B p; J = R J_B R^T; J_A = J + (2 h.p + m_B p.p) 1 - h p^T - p h^T - m_B p p^T",
    source=FEATHERSTONE.at("section 2.13", "appendix A"),
    requires=RIGHT,
)
def inertia_transform(T_AB: Transform, I_B: Inertia) -> Inertia:
    """Spatial inertia in A from that in B."""
    h = let("h", T_AB.R @ I_B.h)
    J = let("J", I_B.J.rotated(T_AB.R))
    return moved(h, J, I_B.m, T_AB.p)


@kernel(
    inputs=[pose("T_AB"), inertia("I_A", "A")],
    outputs=[inertia("I_B", "B", "the same body's spatial inertia about B's origin")],
    equation="I_B = X^T I_A X = [[J_B, h_B~], [-h_B~, m_A 1]]; X = [[R, 0], [p~ R, R]]; h = h_A - m_A p; "
    "h_B = R^T h; J = J_A - (2 h_A.p - m_A p.p) 1 + h_A p^T + p h_A^T - m_A p p^T; J_B = R^T J R",
    source=FEATHERSTONE.at("section 2.13", "appendix A"),
    requires=RIGHT,
)
def inertia_transform_inverse(T_AB: Transform, I_A: Inertia) -> Inertia:
    """Spatial inertia in B from that in A."""
    about_B = moved(I_A.h, I_A.J, I_A.m, -T_AB.p)
    let("h", about_B.h), let("J", about_B.J)
    R_BA = T_AB.R.transpose
    return Inertia(I_A.m, R_BA @ about_B.h, about_B.J.rotated(R_BA))


@kernel(
    inputs=[rotation("R_AB"), inertia("I_B", "B")],
    outputs=[inertia("I_A", "A", "the same inertia in A's axes")],
    equation="m_A = m_B; h_A = R h_B; J_A = R J_B R^T",
    source=INERTIA_SECTION,
    requires=RIGHT,
)
def inertia_rotate(R_AB: Rotation, I_B: Inertia) -> Inertia:
    """Spatial inertia in other axes through the same origin."""
    return Inertia(I_B.m, R_AB @ I_B.h, I_B.J.rotated(R_AB))


@kernel(
    inputs=[
        vector("p_AB_A", "m", "position of B's origin relative to A's", "A"),
        inertia("I_B", "B"),
    ],
    outputs=[inertia("I_A", "A", "the same body's spatial inertia about A's origin")],
    equation="m_A = m_B; h_A = h_B + m_B p; "
    "J_A = J_B + (2 h_B.p + m_B p.p) 1 - h_B p^T - p h_B^T - m_B p p^T",
    source=INERTIA_SECTION,
)
def inertia_translate(p_AB_A: Vec3, I_B: Inertia) -> Inertia:
    """Spatial inertia about another origin, in the same axes."""
    return moved(in_frame(I_B.h, "A"), in_frame(I_B.J, "A"), I_B.m, p_AB_A)


@kernel(
    inputs=[inertia("I_O", "A")],
    outputs=[Arg("M", Array((6, 6)), "mixed", "spatial inertia matrix, row-major", "A")],
    equation="M = [[J, h~], [-h~, m 1]]",
    source=INERTIA_SECTION,
)
def inertia_to_matrix(I_O: Inertia) -> list[Scalar]:
    """Spatial inertia as a symmetric 6x6 matrix, angular first."""
    skew = Mat3.skew(I_O.h)
    mass_rows = SymMat3.isotropic(I_O.m).rows
    upper = [[*flatten(j), *flatten(s)] for j, s in zip(I_O.J.rows, skew.rows, strict=True)]
    lower = [[*flatten(s), *flatten(m)] for s, m in zip(skew.transpose.rows, mass_rows, strict=True)]
    return [element for row in (*upper, *lower) for element in row]


PACKED = Arg("array", Array((10,)), "mixed", "[m, hx, hy, hz, Jxx, Jxy, Jxz, Jyy, Jyz, Jzz]", "A")


@kernel(
    inputs=[inertia("I_O", "A")],
    outputs=[PACKED],
    equation="array = [m, h_x, h_y, h_z, J_xx, J_xy, J_xz, J_yy, J_yz, J_zz]",
    source="the ten inertial parameters, in the order of the struct",
)
def inertia_to_array(I_O: Inertia) -> list[Scalar]:
    """Spatial inertia as ten numbers, in the order of the struct.

    `J` is about the frame's origin, the upper triangle row by row. Other systems have other orders.
    Pinocchio's dynamic parameters are m, h and Jxx, Jxy, Jyy, Jxz, Jyz, Jzz, column by column. KSL takes m, c
    and Ixx, Iyy, Izz, Ixy, Iyz, Izx about the centre of mass; Drake m, c and Gxx, Gyy, Gzz, Gxy, Gxz, Gyz per
    mass about the origin. ROS and URDF have the order of this array, but `c` in place of `h`, and moments
    about the centre of mass.
    """
    return I_O.scalars()


@kernel(
    inputs=[PACKED],
    outputs=[inertia("I_O", "A")],
    equation="[m, h_x, h_y, h_z, J_xx, J_xy, J_xz, J_yy, J_yz, J_zz] = array; h = [h_x, h_y, h_z]; "
    "J = [[J_xx, J_xy, J_xz], [J_xy, J_yy, J_yz], [J_xz, J_yz, J_zz]]",
    source="the ten inertial parameters, in the order of the struct",
)
def inertia_from_array(array: tuple[Scalar, ...]) -> Inertia:
    """Spatial inertia from ten numbers, in the order of the struct; not checked to be physical.

    See inertia_to_array for the orders of other systems.
    """
    return Inertia.of(list(array))
