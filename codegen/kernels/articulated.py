"""Articulated-body inertia: what a body with others hanging from it resists a force with."""

from codegen.algebra import ArticulatedInertia, Force, Inertia, Mat3, Motion, SymMat3, Transform
from codegen.describe import kernel
from codegen.kernels.arguments import articulated, force, inertia, motion, pose
from codegen.scalar import let

SECTION = "Featherstone, Rigid Body Dynamics Algorithms (2008), section 7.1"
RIGHT = "R_AB is orthonormal"


@kernel(
    inputs=[inertia("I_O", "A")],
    outputs=[articulated("IA_O", "A")],
    equation="J = J_O, H = h~, M = m 1",
    source=SECTION,
)
def articulated_from_inertia(I_O: Inertia) -> ArticulatedInertia:
    """Articulated-body inertia of a single rigid body."""
    return ArticulatedInertia(I_O.J, Mat3.skew(I_O.h), SymMat3.isotropic(I_O.m))


@kernel(
    inputs=[articulated("IA_1", "A"), articulated("IA_2", "A")],
    outputs=[articulated("IA_sum", "A")],
    equation="IA_sum = IA_1 + IA_2",
    source=SECTION,
)
def articulated_add(IA_1: ArticulatedInertia, IA_2: ArticulatedInertia) -> ArticulatedInertia:
    """Sum of two articulated-body inertias in the same frame."""
    return IA_1 + IA_2


@kernel(
    inputs=[articulated("IA_1", "A"), inertia("I_2", "A")],
    outputs=[articulated("IA_sum", "A")],
    equation="IA_sum = IA_1 + [[J, h~], [-h~, m 1]]",
    source=SECTION,
)
def articulated_add_inertia(IA_1: ArticulatedInertia, I_2: Inertia) -> ArticulatedInertia:
    """Sum of an articulated-body inertia and a rigid body's inertia in the same frame."""
    return articulated_add(IA_1, articulated_from_inertia(I_2))  # type: ignore[no-any-return]


@kernel(
    inputs=[articulated("IA_O", "A"), motion("v", "A", "spatial acceleration", "rad/s^2; m/s^2")],
    outputs=[force("f", "A")],
    equation="n = J w + H v, f = H^T w + M v",
    source=SECTION,
)
def articulated_multiply(IA_O: ArticulatedInertia, v: Motion) -> Force:
    """Force that gives an articulated body's handle a spatial acceleration, less the bias."""
    return Force(IA_O.J @ v.w + IA_O.H @ v.v, IA_O.H.transpose @ v.w + IA_O.M @ v.v)


def _rotated(IA: ArticulatedInertia, R: Mat3) -> ArticulatedInertia:
    """Every block in other axes: R B R^T."""
    return ArticulatedInertia(
        let("J", IA.J.rotated(R)),
        let("H", R @ let("H_R", IA.H @ R.transpose)),
        let("M", IA.M.rotated(R)),
    )


def _moved(IA: ArticulatedInertia, p: Mat3) -> ArticulatedInertia:
    """About an origin from which the old one is at p, given p~.

    M stays, H' = H + p~ M, J' = J - H p~ + p~ H'^T, which is symmetric.
    """
    H = let("H_A", IA.H + p @ IA.M.dense)
    C = p @ H.transpose - IA.H @ p
    return ArticulatedInertia(IA.J + SymMat3(C.m[0], C.m[1], C.m[2], C.m[4], C.m[5], C.m[8]), H, IA.M)


@kernel(
    inputs=[pose("T_AB"), articulated("IA_B", "B")],
    outputs=[articulated("IA_A", "A")],
    equation="IA_A = X*_AB IA_B X_AB^-1: blocks rotated by R, then H' = H + p~ M, J' = J - H p~ + p~ H'^T",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 7.1 and appendix A",
    requires=RIGHT,
)
def articulated_transform(T_AB: Transform, IA_B: ArticulatedInertia) -> ArticulatedInertia:
    """Articulated-body inertia in A from that in B."""
    return _moved(_rotated(IA_B, T_AB.R), Mat3.skew(T_AB.p))


@kernel(
    inputs=[pose("T_AB"), articulated("IA_A", "A")],
    outputs=[articulated("IA_B", "B")],
    equation="IA_B = X*_AB^-1 IA_A X_AB: moved by -p_AB_A, then blocks rotated by R^T",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 7.1 and appendix A",
    requires=RIGHT,
)
def articulated_transform_inverse(T_AB: Transform, IA_A: ArticulatedInertia) -> ArticulatedInertia:
    """Articulated-body inertia in B from that in A."""
    return _rotated(_moved(IA_A, Mat3.skew(-T_AB.p)), T_AB.R.transpose)
