"""Names that users guess for operations on structures, and what to write instead."""

from __future__ import annotations

from collections.abc import Mapping

ROTATIONS = "codegen.library.rotation.kernels"
TRANSFORMS = "codegen.library.transform.kernels"
SPATIAL = "codegen.library.spatial.kernels"


def _instead(*rows: tuple[str, str]) -> Mapping[str, str]:
    """What to write, by each of the guessed names of a row, which blanks separate."""
    return {name: text for names, text in rows for name in names.split()}


def _called(call: str, module: str) -> str:
    """A call of a kernel of the library, and where to import it from."""
    return f"{call}, from {module}"


OF_VECTOR = _instead(
    ("normalize normalized normalise normalised unit", "v / v.norm, where v is not zero"),
    ("length magnitude mag abs", "v.norm"),
    ("norm2 norm_sq squared_norm square", "v.norm_squared"),
    ("skew hat tilde wedge", "Mat3.skew(v)"),
    ("rotate rotated", _called("quat_rotate(q_AB, v_B)", ROTATIONS)),
    ("transform", _called("transform_point(T_AB, p_B)", TRANSFORMS)),
)
OF_MATRIX = _instead(
    ("T transposed", "A.transpose"),
    ("inverse inv", "A.solve(v), or R.transpose for a rotation"),
    ("dot multiply mul apply rotate", "A @ B or A @ v"),
    ("quat quaternion to_quat to_quaternion as_quat", _called("dcm_to_quat(R_AB)", ROTATIONS)),
    ("rpy euler to_rpy to_euler", _called("rpy_from_dcm(R_NB)", ROTATIONS)),
)
OF_SYMMETRIC_MATRIX = _instead(
    ("T transpose transposed", "the matrix itself, as it is symmetric"),
    ("inverse inv", "J.solve(v)"),
    ("dot multiply mul apply", "J @ v"),
)
OF_QUATERNION = _instead(
    ("rotate rotated apply transform act", _called("quat_rotate(q_AB, v_B)", ROTATIONS)),
    (
        "inverse_rotate rotate_inverse unrotate",
        _called("quat_rotate_inverse(q_AB, v_A)", ROTATIONS),
    ),
    ("normalize normalized normalise normalised unit", _called("quat_normalize(q)", ROTATIONS)),
    (
        "inverse inv",
        _called("q.conjugate of a unit quaternion, or quat_inverse(q)", ROTATIONS),
    ),
    ("conj", "q.conjugate"),
    ("multiply mul compose dot", "p @ q"),
    ("norm length magnitude", "sqrt(q.norm_squared)"),
    ("v vec xyz imag u", "q.vector"),
    (
        "matrix dcm R to_matrix to_dcm as_matrix as_dcm rotation_matrix to_rotation_matrix",
        _called("quat_to_dcm_unit(q_AB)", ROTATIONS),
    ),
    ("rpy euler to_rpy to_euler as_euler", _called("rpy_from_quat(q_NB)", ROTATIONS)),
)
OF_TRANSFORM = _instead(
    ("inverse inv", _called("transform_inverse(T_AB)", TRANSFORMS)),
    ("compose multiply mul dot", _called("transform_compose(T_AB, T_BC)", TRANSFORMS)),
    ("apply transform point", _called("transform_point(T_AB, p_B)", TRANSFORMS)),
    ("rotation", "T.R"),
    ("translation position t", "T.p"),
)
OF_MOTION = _instead(
    ("cross", _called("motion_cross(v, m)", SPATIAL)),
    ("dot", _called("motion_dot_force(v, f)", SPATIAL)),
)
OF_FORCE = _instead(("dot", _called("motion_dot_force(v, f)", SPATIAL)))
