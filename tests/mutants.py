"""Typical mistakes in the kernels' formulas, each a change of one place in the source.

A mutant names a module, a kernel that the mistake spoils, the text to replace (once in its file) and what
takes its place, and why it is a likely mistake. EQUIVALENT lists changes that only look like mistakes.
"""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """One change of the source, and a kernel that it affects."""

    module: str  # a subject of the library, or a module that subjects share
    kernel: str
    old: str
    new: str
    why: str
    test: str = ""  # what catches it, where neither proof nor verify does

    @property
    def path(self) -> str:
        """The file to change, below the package."""
        return _ELSEWHERE.get(self.module, f"library/{self.module}/kernels.py")


_ELSEWHERE = {
    "algebra": "modeling/types/algebra.py",
    "angles": "library/shared/angles.py",
    "stepping": "library/shared/stepping.py",
}


def _of(module: str, *changes: tuple[str, ...]) -> list[Mutant]:
    return [Mutant(module, *change) for change in changes]


ALGEBRA = _of(
    "algebra",
    ("motion_cross", "self.y * other.z - self.z * other.y", "self.z * other.y - self.y * other.z", "sign"),
    ("force_cross", "self.z * other.x - self.x * other.z", "self.z * other.x + self.x * other.z", "sign"),
    ("moment_transfer", "self.x * other.y - self.y * other.x", "self.x * other.y - self.z * other.x",
     "index"),
    ("inertia_to_matrix", "(0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0)",
     "(0, a.z, -a.y, -a.z, 0, a.x, a.y, -a.x, 0)", "skew matrix transposed"),
    ("transform_point", "row.dot(other) for row in self.rows", "row.dot(other) for row in self.columns",
     "transposed product"),
    ("quat_multiply", "p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y",
     "p.w * q.x + p.x * q.w - p.y * q.z + p.z * q.y", "JPL's ij = -k"),
    ("quat_multiply", "p.w * q.w - p.x * q.x", "p.w * q.w + p.x * q.x", "sign"),
    ("contact_mass_inverse", "xz * yz - xy * zz", "xy * zz - xz * yz", "cofactor without its sign"),
    ("contact_mass_inverse", "xx * yy - xy * xy", "xx * yy + xy * xy", "sign"),
    ("articulated_transform", "s_01 - z, s_02 + y, s_10 + z", "s_01 + z, s_02 + y, s_10 - z",
     "antisymmetric part the other way round"),
    ("inertia_rotate", "zx + xz, zy + yz", "zx - xz, zy + yz", "sign"),
    ("quat_conjugate", "type(self)(self.w, -self.x, -self.y", "type(self)(-self.w, -self.x, -self.y", "sign"),
    ("quat_normalize", " + self.z * self.z", "", "a component forgotten in the norm"),
    ("inertia_multiply", "Vec3(self.xz, self.yz, self.zz)", "Vec3(self.xz, self.xy, self.zz)", "index"),
)  # fmt: skip

SPATIAL = _of(
    "spatial",
    ("motion_cross", "v.w.cross(m.v) + v.v.cross(m.w)", "v.w.cross(m.v) - v.v.cross(m.w)", "sign"),
    ("motion_cross", "v.w.cross(m.v) + v.v.cross(m.w)", "v.w.cross(m.v)", "missing term"),
    ("force_cross", "v.w.cross(f.n) + v.v.cross(f.f)", "v.w.cross(f.n) + f.f.cross(v.v)", "operands swapped"),
    ("force_cross", "v.v.cross(f.f), v.w.cross(f.f)", "v.v.cross(f.f), v.v.cross(f.f)", "wrong half"),
    ("motion_dot_force", "v.w.dot(f.n) + v.v.dot(f.f)", "v.w.dot(f.f) + v.v.dot(f.n)", "linear-first force"),
    ("motion_cross_matrix", "block_rows(w, ZERO, Mat3.skew(v.v), w)",
     "block_rows(w, Mat3.skew(v.v), ZERO, w)",
     "crf in place of crm"),
)  # fmt: skip

AVERAGE = _of(
    "average",
    ("dcm_nearest", "zy - yz, xz - zx, yx - xy", "yz - zy, zx - xz, xy - yx", "the inverse rotation"),
    ("dcm_nearest", "e_1 - square + 2 * (e_3 / s_1)", "e_1 - square - 2 * (e_3 / s_1)",
     "sign of the determinant"),
    ("dcm_nearest", "select(apart, 2 * p, 0)", "select(apart, p, 0)", "factor"),
    ("quat_mean_add", "scaled[i] * q[j]", "scaled[i] * scaled[j]", "the weight squared"),
    ("quat_mean", "ww - xx + yy - zz, yz - wx", "ww - xx + yy - zz, yz + wx", "sign"),
    ("quat_mean_pair", "2 * c * select(first, b, a)", "2 * c * select(first, a, b)", "the greater weight"),
    ("quat_mean_pair", "select(cosine < 0, -q_2, q_2)", "q_2", "the long arc"),
)  # fmt: skip

TRANSFORM = _of(
    "transform",
    ("transform_exp", "across * r.cross(rho)", "across * rho.cross(r)", "operands swapped"),
    ("transform_exp", "(1 - level) / _nonzero(n2) * r.dot(rho)", "(1 + level) / _nonzero(n2) * r.dot(rho)",
     "sign"),
    ("transform_log", "level * p - (scale / 2)", "level * p + (scale / 2)", "sign"),
    ("transform_log", "scale * q.w / 2", "scale * q.w", "the whole angle"),
    ("se3_left_jacobian", "(level - 2 * a) * by_n2", "(level - a) * by_n2", "missing factor"),
    ("se3_right_jacobian", "s: Vec3 = a * rho + let", "s: Vec3 = a * rho - let", "sign"),
    ("se3_left_jacobian", "2 * k * c for k, c", "k * c for k, c", "half the slope of the power series"),
    ("se3_left_jacobian_inverse", "by_k * by_k - level", "by_k - level", "missing square"),
    ("se3_right_jacobian_inverse", "_swept(r, rho / -2, let", "_swept(r, rho / 2, let", "sign"),
    ("transform_point", "T_AB.R @ p_B + T_AB.p", "T_AB.R @ p_B - T_AB.p", "sign"),
    ("transform_point_inverse", "p_A - T_AB.p", "T_AB.p - p_A", "sign"),
    ("transform_compose", "T_AB.R @ T_BC.R", "T_BC.R @ T_AB.R", "order of the product"),
    ("transform_compose", "T_AB.R @ T_BC.p + T_AB.p)", "T_BC.p + T_AB.p)",
     "positions in different axes added"),
    ("transform_inverse", "-(R_BA @ T_AB.p)", "-T_AB.p", "position left in the old axes"),
    ("motion_transform", "T_AB.R @ v_B.v + T_AB.p.cross(w)", "T_AB.R @ v_B.v - T_AB.p.cross(w)", "sign"),
    ("motion_transform", "v_B.v + T_AB.p.cross(w)", "v_B.v + T_AB.p.cross(v_B.w)", "rate left in B"),
    ("motion_transform_inverse", "T_AB.p.cross(v_A.w)", "v_A.w.cross(T_AB.p)", "operands swapped"),
    ("force_transform", "T_AB.R @ f_B.n + T_AB.p.cross(f)", "T_AB.R @ f_B.n + f.cross(T_AB.p)",
     "operands swapped"),
    ("force_transform_inverse", "f_A.n - T_AB.p.cross(f_A.f)", "f_A.n + T_AB.p.cross(f_A.f)", "sign"),
    ("motion_transform_matrix", "for axis in T_AB.R.columns", "for axis in T_AB.R.rows", "transpose"),
    ("force_transform_matrix", "block_rows(T_AB.R, _lever(T_AB), ZERO, T_AB.R)\n\n\nLINEAR",
     "block_rows(T_AB.R, ZERO, _lever(T_AB), T_AB.R)\n\n\nLINEAR", "X in place of X*"),
    ("transform_interpolate", "across * p - k * (sin", "across * p + k * (sin", "sign"),
    ("transform_interpolate", "let(\"left\", (1 - t) * phi)", "let(\"left\", t * phi)",
     "the gone part twice"),
)  # fmt: skip

INERTIA = _of(
    "inertia",
    ("inertia_from_com", "yy + zz, -(h.x * p.y)", "yy + zz, h.x * p.y",
     "products of inertia with aircraft's sign"),
    ("inertia_from_com", "SymMat3(yy + zz, -(h.x", "SymMat3(xx + yy, -(h.x", "wrong axes"),
    ("inertia_from_com", "require(m > 0, Status.MASS)", "require(m >= 0, Status.MASS)", "no mass accepted"),
    ("inertia_from_com", "yy * zz >= yz * yz", "yy * zz >= yz", "missing square"),
    ("inertia_from_com", "second_moment_of(shape) +", "shape +", "positive moments taken for a body"),
    ("inertia_multiply", "I_O.J @ v.w + I_O.h.cross(v.v)", "I_O.J @ v.w - I_O.h.cross(v.v)", "h -> -h"),
    ("inertia_multiply", "I_O.m * v.v - I_O.h.cross(v.w)", "I_O.m * v.v + I_O.h.cross(v.w)", "h -> -h"),
    ("inertia_bias_force", "h.cross(w_x_v) + w.cross(Jw)", "h.cross(w_x_v) - w.cross(Jw)", "sign"),
    ("inertia_bias_force", "h.cross(w_x_v) + w.cross(Jw)", "h.cross(w_x_v)", "gyroscopic torque left out"),
    ("inertia_bias_force", "w_x_v - w.cross(h_x_w)", "w_x_v + w.cross(h_x_w)", "sign"),
    ("inertia_translate", "h.x * p.y + p.x * h_A.y", "h.x * p.y + p.x * h.y", "m p p^T left out"),
    ("inertia_translate", 'let("h_sum", h + h_A)', 'let("h_sum", h + h)', "m p.p left out"),
    ("inertia_translate", "h + m * p", "h - m * p", "r_cf for r_fc"),
    ("inertia_transform", 'let("h", T_AB.R @ I_B.h)', 'let("h", T_AB.R.transpose @ I_B.h)', "transpose"),
    ("inertia_transform", "I_B.J.rotated(T_AB.R)", "I_B.J", "rotation of J left out, as KSL's page does"),
    ("inertia_transform_inverse", "I_A.m, -T_AB.p)", "I_A.m, T_AB.p)", "sign"),
    ("inertia_rotate", "R_AB @ I_B.h, I_B.J.rotated(R_AB)", "R_AB @ I_B.h, I_B.J.rotated(R_AB.transpose)",
     "transpose"),
    ("inertia_to_matrix", "zip(I_O.J.rows, skew.rows", "zip(I_O.J.rows, skew.transpose.rows", "wrong half"),
    ("inertia_kinetic_energy", "inertia_multiply(I_O, v)) / 2", "inertia_multiply(I_O, v))", "missing half"),
    ("inertia_to_pseudo", "half - J.xx, -J.xy", "half - J.xx, J.xy", "sign"),
    ("inertia_to_pseudo", "half = J.trace / 2", "half = J.trace", "missing half"),
    ("inertia_subtract", "return I_1 - I_2", "return I_2 - I_1", "operands swapped"),
)  # fmt: skip

INERTIA_FORMS = _of(
    "inertia_forms",
    ("inertia_from_log_cholesky", "s_13 * z + t.x * t.z", "s_23 * z + t.x * t.z", "index"),
    ("inertia_to_log_cholesky", "S.xy - s_13 * s_23", "S.xy + s_13 * s_23", "sign"),
    ("inertia_to_log_cholesky", "S.yy - s_23 * s_23", "S.yy - s_13 * s_13", "index"),
    ("inertia_from_log_cholesky", "exp(2 * alpha)", "exp(alpha)", "the root of the mass"),
    ("inertia_to_central", "I_O.J - offset_inertia", "I_O.J + offset_inertia", "sign"),
    ("central_to_inertia", "C_O.Jc + offset_inertia", "C_O.Jc - offset_inertia", "sign"),
    ("central_merge", "_com(B.m, h) - _com(C_A.m, C_A.h)", "_com(B.m, h) + _com(C_A.m, C_A.h)", "sign"),
    ("central_merge", "C_A.m * (B.m * inv_m)", "C_A.m * inv_m", "not the reduced mass"),
    ("central_merge", "C_A.Jc + let(\"Jc_turned\", B.Jc)", "C_A.Jc + let(\"Jc_turned\", C_B.Jc)",
     "the child's inertia left in its axes"),
    ("central_multiply", "C_O.m * v.v + v.w.cross(C_O.h)", "C_O.m * v.v - v.w.cross(C_O.h)", "sign"),
    ("central_multiply", "C_O.Jc @ v.w + c.cross(f_O)", "C_O.Jc @ v.w + f_O.cross(c)", "operands swapped"),
    ("central_translate", '"A") + C_B.m * p_AB_A', '"A") + p_AB_A', "mass left out"),
    ("unit_shift", "U_P.G, 1, -p_PQ)", "U_P.G, 1, p_PQ)", "sign"),
    ("unit_shift", "U_P.G, 1, -p_PQ)", "U_P.G, U_P.m, -p_PQ)", "a mass in a shift per mass"),
    ("unit_add", "select(massless, 0, U_2.m * inv_m)", "select(massless, 0, U_1.m * inv_m)", "wrong body"),
    ("unit_multiply", "v.v - U_O.c.cross(v.w)", "v.v + U_O.c.cross(v.w)", "sign"),
    ("unit_from_central", "I_com * inv_m + offset", "I_com + offset", "not per mass"),
    ("inertia_to_matrix_linear_first", "zip(masses, skew.transpose.rows", "zip(masses, skew.rows",
     "wrong half"),
    ("inertia_from_pseudo", "yy + zz, -xy", "xx + zz, -xy", "index"),
)  # fmt: skip

INERTIA_FACTORS = _of(
    "inertia_factors",
    ("inertia_from_principal", "a, b, _ = R_BP.columns", "a, b, _ = R_BP.rows", "axes as rows"),
    ("inertia_solve", "f.n - body.c.cross(f.f))))", "f.n + body.c.cross(f.f))))", "sign"),
    ("inertia_solve", "f.f * body.inv_m + body.c.cross(w)", "f.f * body.inv_m - body.c.cross(w)", "sign"),
    ("inertia_solve", "I_O.J - offset)", "I_O.J + offset)", "sign"),
    ("inertia_com", "require(I_O.m > 0, Status.MASS)", "require(I_O.m >= 0, Status.MASS)",
     "no mass accepted"),
    ("inertia_validate", "S - _outer(", "S + _outer(", "sign"),
    ("inertia_validate", "select(massive, 0, others) <= 0", "select(massive, 0, others) < 0",
     "nothing refused"),
    ("inertia_factor", "S.zz - z * S.xz", "S.zz - y * S.xz", "index"),
    ("inertia_factor", "least - L21 * yz", "least + L21 * yz", "sign"),
    ("inertia_factor", "select(turn, z, y), select(turn, y, z), L21", "y, z, L21", "rows not exchanged"),
    ("inertia_factor", 'let("turn", zz > yy)', 'let("turn", zz < yy)', "the smaller pivot"),
    ("inertia_principal", "c * u - s * v", "c * u + s * v", "sign"),
    ("inertia_principal", "minimum(uu, vv) - shift", "minimum(uu, vv) + shift", "sign"),
    ("inertia_principal", "select(largest, low_axis, w)", "select(largest, w, low_axis)",
     "axes out of order"),
)  # fmt: skip

SHAPES = _of(
    "shapes",
    ("solid_box_inertia", 'let("k", m / 12)', 'let("k", m / 3)', "half dimensions"),
    (
        "solid_cylinder_inertia",
        "across, across, quarter + quarter",
        "across, across, quarter",
        "missing half",
    ),
    (
        "solid_cylinder_inertia",
        "across, across, quarter + quarter",
        "quarter + quarter, across, across",
        "axis along x",
    ),
    ("solid_ellipsoid_inertia", 'let("k", m / 5)', 'let("k", m / 20)', "full axes for semi-axes"),
    ("hollow_sphere_inertia", "(r * r) * 2 / 3", "(r * r) * 2 / 5", "solid for hollow"),
    (
        "solid_cone_inertia",
        "k * (square + length * length / 4)",
        "k * (square + length * length)",
        "moment about the apex",
    ),
    ("solid_capsule_inertia", "r * length * 3 / 8", "r * length / 2", "a hemisphere's centroid"),
    ("solid_capsule_inertia", "density * r * 4 / 3", "density * r * 2 / 3", "one of two hemispheres"),
    ("hollow_cylinder_inertia", "own / 2 + m", "own / 4 + m", "a disc for a ring"),
    ("thin_rod_inertia", "(length,), k, k, 0)", "(length,), 0, k, k)", "axis along x"),
    ("point_mass_inertia", "*(x >= 0 for x", "*(x > 0 for x", "no mass refused"),
)

JOINTS = _of(
    "joints",
    ("joint_revolute", "1 - cos(q)) * axis", "1 + cos(q)) * axis", "sign"),
    ("joint_prismatic", "Motion(Vec3.zero(), axis)", "Motion(axis, Vec3.zero())", "angular for linear"),
    ("joint_helical", "Motion(axis, pitch * axis)", "Motion(axis, axis)", "missing factor"),
    ("joint_planar", "*(c, s, 0), *(-s, c, 0)", "*(c, -s, 0), *(s, c, 0)", "axes of P for those of S"),
    ("joint_universal", "*(s_2, 0)", "*(-s_2, 0)", "sign"),
    ("joint_spherical", "quat_to_dcm_unit(q_PS)", "quat_to_dcm_unit(q_PS.conjugate)",
     "the inverse rotation"),
)  # fmt: skip

ARTICULATED = _of(
    "articulated",
    ("articulated_multiply", "IA_O.H.transpose @ v.w + IA_O.M", "IA_O.H @ v.w + IA_O.M", "transpose"),
    ("articulated_transform", "IA.H + p @ IA.M.dense", "IA.H - p @ IA.M.dense", "sign"),
    ("articulated_transform_inverse", "Mat3.skew(-T_AB.p)", "Mat3.skew(T_AB.p)", "sign"),
    ("articulated_transform_inverse", "T_AB.R.transpose)", "T_AB.R)", "transpose"),
    ("articulated_from_inertia", "Mat3.skew(I_O.h)", "Mat3.skew(-I_O.h)", "h -> -h"),
    ("articulated_reduce", "tau - motion_dot_force(S, pA)", "tau + motion_dot_force(S, pA)", "sign"),
    ("articulated_reduce", "_outer(a.n, b.f)", "_outer(a.f, b.n)", "transpose"),
    ("articulated_reduce", "articulated_multiply(Ia, c)", "articulated_multiply(IA_O, c)",
     "inertia before the joint"),
    ("articulated_reduce_two", "y * G", "inv_d * G", "the bias without its force"),
    ("articulated_reduce_two", "sum(map(mul, row, across))", "0", "a pivot without elimination"),
    ("articulated_reduce_three", "w * x for w, x in zip(W, row", "w for w, x in zip(W, row",
     "missing factor"),
    ("articulated_reduce_three", "elimination.forward(pivots.L, u)", "u", "forces without elimination"),
    ("articulated_reduce", "c) + u * G", "c) - u * G", "sign"),
)  # fmt: skip

ROTATION = _of(
    "rotation",
    ("quat_kinematics_inverse", "dq.w * v - v.cross(dv)", "dq.w * v + v.cross(dv)", "rate in A"),
    ("quat_from_vectors", "b.cross(a)", "a.cross(b)", "the inverse rotation"),
    ("quat_from_vectors", "1 + a.dot(b)", "a.dot(b)", "twice the angle"),
    ("quat_rotate", "v + w * t + u.cross(t)", "v - w * t + u.cross(t)", "the opposite rotation"),
    ("quat_rotate", "half + half", "half", "missing factor 2"),
    ("quat_rotate_inverse", "_rotate(-q_AB.w", "_rotate(q_AB.w", "the opposite rotation"),
    ("quat_to_dcm", "xy - s.z, xz + s.y", "xy + s.z, xz + s.y", "sign"),
    ("quat_to_dcm", 'let("s", 2 / n)', 'let("s", 2 * n)', "scaled by the norm, not divided"),
    ("quat_to_dcm_unit", "1 - (xx + zz)", "1 - (xx + yy)", "index"),
    ("dcm_to_quat", "m21 - m12", "m12 - m21", "transposed matrix"),
    ("dcm_to_quat", "m11 - m00 - m22, m22 - m00 - m11", "m22 - m00 - m11, m11 - m00 - m22",
     "wrong pivot, as in archimedes 0.4.0"),
    ("dcm_to_quat", "pivot(z, xz, yz, squared)", "pivot(z, xz, squared, yz)", "wrong pivot"),
    ("dcm_to_quat", 'let("by_y", m11 >= m22)', 'let("by_y", m11 <= m22)', "the smaller pivot"),
    ("dcm_to_quat", "select(w < 0, -half, half)", "half", "w >= 0, but u of the other sign"),
    ("quat_kinematics", "q.w * x + q.y * z - q.z * y", "q.w * x - q.y * z + q.z * y",
     "rate in the world's axes"),
    ("quat_kinematics", "q.w * z + q.x * y - q.y * x - excess", "q.w * z + q.x * y - q.y * x + excess",
     "pushes the norm away from 1"),
    ("quat_kinematics", 'let("half_w", w_B / 2)', 'let("half_w", w_B)', "missing half"),
    ("dcm_kinematics", "row.cross(w_B)", "w_B.cross(row)", "operands swapped"),
    ("dcm_multiply", "return R_AB @ R_BC", "return R_BC @ R_AB", "order of the product"),
    ("dcm_orthonormalize", "x.cross(c1)", "c1.cross(x)", "two axes reversed"),
    ("angle_wrap", "atan2(sin(angle), cos(angle)))", "atan2(cos(angle), sin(angle)))", "arguments swapped"),
    ("quat_inverse", "q.conjugate, Quaternion.identity()) / n", "q.conjugate, Quaternion.identity()) * 1",
     "conjugate for inverse, as in archimedes 0.4.0"),
)  # fmt: skip

ANGLES = _of(
    "angles",
    ("quat_from_rpy", "c2 * cs - s2 * sc", "c2 * cs + s2 * sc", "sign"),
    ("quat_from_rpy", '(s0, c0), (s1, c1), (s2, c2) = (_sine_and_cosine(f"half',
     '(s2, c2), (s1, c1), (s0, c0) = (_sine_and_cosine(f"half', "roll and yaw swapped"),
    ("quat_from_rpy", "(angles / 2)", "(angles / 1)", "missing half"),
    ("dcm_from_rpy", "k * s0 - s2 * c0", "k * s0 + s2 * c0", "sign"),
    ("dcm_from_rpy", "across * s0, across * c0", "across * c0, across * s0", "sine and cosine swapped"),
    ("rpy_from_dcm", "atan2(-lower.x, distance)", "atan2(lower.x, distance)", "sign"),
    ("rpy_from_dcm", "own_y * upper.z - last_x * centre.z", "own_y * upper.z + last_x * centre.z", "sign"),
    ("rpy_from_quat", "q.w * y - z * x", "q.w * y + z * x", "sign"),
    ("rpy_from_quat", "up > down", "up < down", "the empty half at lock"),
    ("rpy_kinematics", "s * own.y + c * own.z", "c * own.y + s * own.z", "sine and cosine swapped"),
    ("rpy_kinematics", "own.x - signed(sign, along) * last", "own.x + signed(sign, along) * last", "sign"),
    ("rpy_kinematics", "absolute(across) > sqrt(EPS)", "absolute(across) > EPS", "guard too tight"),
    ("rpy_kinematics_inverse", "c * level - s * middle", "c * level + s * middle", "sign"),
    ("quat_from_euler_zxz", "s2 * c0 - c2 * s0", "c2 * s0 - s2 * c0", "outer angles swapped"),
    ("euler_zxz_kinematics", "return s, c, cos(angles.y)", "return s, c, -cos(angles.y)", "sign"),
)  # fmt: skip

ROTATION_VECTOR = _of(
    "rotation_vector",
    ("quat_from_rotvec", 'let("scale", sinc / 2)', 'let("scale", sinc)', "missing half"),
    ("quat_from_rotvec", "n2)) / 2)", "n2)))", "whole for half angle"),
    ("rotvec_from_quat", "q.vector * select(q.w < 0, -scale, scale)", "q.vector * scale",
     "q and -q told apart"),
    ("quat_slerp", "select(cosine < 0, -ratio, ratio)", "ratio", "no short arc"),
    ("quat_slerp", "q_1 - cosine * q_0", "q_1 + cosine * q_0", "sign"),
    ("quat_slerp", "select(cosine < 0, -ratio, ratio)", "select(cosine <= 0, -ratio, ratio)",
     "the other arc at half a turn",
     "test_attitude.py::test_slerp_over_half_a_turn_goes_where_the_second_quaternion_points"),
    ("quat_integrate", 'quat_multiply(q_AB, quat_from_rotvec(let("r", w_B * dt)))',
     'quat_multiply(quat_from_rotvec(let("r", w_B * dt)), q_AB)', "order of the product"),
    ("quat_error", "quat_multiply(q_NB.conjugate, q_ND)", "quat_multiply(q_ND.conjugate, q_NB)",
     "from D to B"),
    ("so3_left_jacobian", "1 - sinc * cosine", "1 - sinc", "sine of the half angle"),
    ("so3_left_jacobian", "factorial(2 * k + 3)", "factorial(2 * k + 2)", "wrong coefficients"),
    ("so3_right_jacobian", "_jacobian(r).transpose", "_jacobian(r)", "left for right"),
    ("so3_left_jacobian_inverse", "r / -2", "r / 2", "sign"),
)  # fmt: skip

RODRIGUES = _of(
    "rodrigues",
    ("mrp_kinematics_inverse", "along * ds - 2 * x.cross(ds)", "along * ds + 2 * x.cross(ds)", "sign"),
    ("mrp_from_quat", "q_AB.vector * select(w < 0, -scale, scale)", "q_AB.vector * scale",
     "q and -q told apart"),
    ("quat_from_mrp", "2 / (1 + s_AB.dot(s_AB))", "1 / (1 + s_AB.dot(s_AB))", "missing factor 2"),
    ("mrp_kinematics", "s_AB.cross(half_w)", "half_w.cross(s_AB)", "operands swapped"),
    ("mrp_kinematics", "(1 - s_AB.dot(s_AB)) / 2", "(1 + s_AB.dot(s_AB)) / 2", "sign"),
    ("mrp_shadow", "select(beyond, -1, 1)", "1", "not the shadow"),
)  # fmt: skip

RIGID_BODY = _of(
    "rigid_body",
    ("rigid_body_dynamics_quat", "specific - turning", "specific + turning", "w x v with the other sign"),
    ("rigid_body_dynamics_quat", 'M_B - w_B.cross(let("L"', 'M_B + w_B.cross(let("L"', "sign"),
    ("rigid_body_dynamics_quat", "both_or_zero(quat_rotate(q_NB, v_B), quat",
     "both_or_zero(quat_rotate_inverse(q_NB, v_B), quat", "the opposite rotation"),
    ("rigid_body_dynamics_dcm", "for row in R_NB.rows)", "for row in R_NB.columns)", "transpose"),
    ("rigid_body_dynamics_ecef", "half_w - half_Omega", "half_w - half_w", "Archimedes' w_B - w_B"),
    ("rigid_body_dynamics_ecef", "v_E + v_E + Omega_E", "v_E + v_E - Omega_E",
     "Archimedes' centrifugal sign"),
    ("rigid_body_dynamics_ecef", "v_E + v_E + Omega_E", "v_E + Omega_E", "Coriolis without its 2"),
    ("rigid_body_dynamics_spatial", "dv_c + body.c.cross(dw)", "dv_c - body.c.cross(dw)", "sign"),
    ("rigid_body_dynamics_spatial", "f.n - body.c.cross(f.f) - w", "f.n - w", "moment about the origin"),
    ("rigid_body_dynamics_quat_jacobian", "Mat3.skew(-w).rows", "Mat3.skew(w).rows", "sign"),
    ("rigid_body_energy", "w_B.dot(J_B @ w_B)) / 2", "w_B.dot(J_B @ w_B))", "missing half"),
    ("rigid_body_momentum", 'R @ let("L", J_B @ w_B)', 'let("L", J_B @ w_B)', "left in the body's axes"),
    ("rigid_body_step_semi_implicit_quat", "quat_integrate(q_NB, w, dt)", "quat_integrate(q_NB, w_B, dt)",
     "the old rate"),
)  # fmt: skip

STEPPING = _of(
    "stepping",
    ("rigid_body_step_rk4_quat", "a + d + (bc + bc)", "a + d + bc", "wrong weights"),
    ("rigid_body_step_rk4_quat", "stage(4, dt, k3)", "stage(4, half, k3)", "half a step too little"),
    ("rigid_body_step_rk4_dcm", "k3 = stage(3, half, k2)", "k3 = stage(3, half, k1)",
     "the first slope again"),
    ("rigid_body_step_rk4_mrp", "self.specific - w.cross(v)", "self.specific + w.cross(v)", "sign"),
    ("rigid_body_step_rk4_rpy", 'self.moment - w.cross(let("momentum", self.J @ w))', "self.moment",
     "gyroscopic torque left out"),
)  # fmt: skip

RIGID_BODY_STEPS = _of(
    "rigid_body_steps",
    ("rigid_body_step_rk4_rpy", "dcm_from_rpy(rpy) @ v,", "dcm_from_rpy(rpy).transpose @ v,", "N to B"),
    ("rigid_body_step_rk4_rpy", "unchecked_rates_of_angles(RPY, rpy, w)", "w",
     "body rates in place of the angles'"),
    ("rigid_body_step_rk4_dcm", "dcm_kinematics(R, w)", "dcm_kinematics(R.transpose, w).transpose",
     "the rate of the transpose"),
    ("rigid_body_step_rk4_dcm", "(p, dcm_orthonormalize(R), v, w)", "(p, R, v, w)", "not orthonormalised"),
    ("rigid_body_step_rk4_mrp", "quat_from_mrp(s)), v)", "quat_from_mrp(-s)), v)", "the opposite rotation"),
    ("rigid_body_step_rk4_mrp", "(p, mrp_shadow(s), v, w)", "(p, s, v, w)", "beyond half a turn"),
)  # fmt: skip

LOADS = _of(
    "loads",
    ("gravitation_j2", "1 - 5 * (p_E.z", "1 - 3 * (p_E.z", "Legendre's polynomial for its derivative"),
    ("gravitation_j2", "J_2 * (r_eq * r_eq * inv_r2)", "J_2 * (r_eq * inv_r2)", "missing square"),
    ("gravitation_point", "-(n * let(", "(n * let(", "repulsion"),
    ("gravity_gradient_moment", "n.cross(J_B @ n)", "(J_B @ n).cross(n)", "operands swapped"),
    ("gravity_body", "import quat_rotate_inverse", "import quat_rotate as quat_rotate_inverse", "N from B"),
    ("moment_transfer", '"arm", r_P - r_cm)', '"arm", r_cm - r_P)', "operands swapped"),
    ("cm_velocity", "v_ref + dr + w.cross(r)", "v_ref + dr + r.cross(w)", "operands swapped"),
    ("reference_velocity", "v - dr - w.cross(r)", "v + dr - w.cross(r)", "sign"),
    ("gyroscopic_moment", "M - dh_int - w.cross(h_int)", "M - dh_int + w.cross(h_int)", "sign"),
    ("mass_flow_force", "dm * u_rel", "-dm * u_rel", "sign"),
    ("inertia_rate_moment", "-(dJ @ w)", "dJ @ w", "sign"),
    ("lever_arm_acceleration", "dw.cross(r) + w.cross(let", "dw.cross(r) - w.cross(let",
     "centrifugal for centripetal"),
)  # fmt: skip

AIR_DATA = _of(
    "air_data",
    (
        "isa_atmosphere",
        "constant(G_0 / (R_AIR * T_11)) * level",
        "constant(G_0 / (R_AIR * T_0)) * level",
        "temperature of sea level in the stratosphere",
    ),
    (
        "isa_atmosphere",
        "select(fits, -5000, 32000)",
        "select(fits, 32000, -5000)",
        "the other end",
        "test_navigation.py::test_beyond_its_ends_the_atmosphere_is_that_of_the_nearer_one",
    ),
    ("airspeeds", 'let("x", M2 / 5)', 'let("x", M2 / 2)', "ratio of specific heats"),
    ("airspeeds", "rest * base / (1 + sqrt(base))", "rest / (1 + sqrt(base))", "a power is missing"),
    ("air_data_from_velocity", "atan2(w, u)", "atan2(u, w)", "arguments swapped"),
    ("air_data_from_velocity", "select(ok, forward2, 1)", "select(ok, n, 1)", "wrong side of the triangle"),
    ("velocity_from_air_data", "V * sin(beta)", "-V * sin(beta)", "sign"),
    ("dcm_from_wind", "-(c_a * s_b), -s_a)", "-(c_a * s_b), s_a)", "sign"),
)

NAVIGATION = _of(
    "navigation",
    ("dcm_ecef_to_ned", "-(s * sin_lon), c)", "s * sin_lon, c)", "sign"),
    ("ecef_from_geodetic", "constant(1 - E2) * N + h", "N + h", "a sphere along z"),
    ("geodetic_from_ecef", "(u + v - q) / v", "(u - v - q) / v", "sign"),
    ("geodetic_from_ecef", "require(rho2 + z * z > INNER**2", "require(rho2 + z * z > INNER",
     "missing square", "test_navigation.py::test_near_the_centre_there_is_no_latitude"),
    ("curvature_radii", "(inv_root * inv_root), N", "inv_root, N", "a power of the root is missing"),
    ("earth_rate_ned", "-(Omega * sin(lat))", "Omega * sin(lat)", "up for down"),
    ("transport_rate_ned", "Vec3(eastward, -northward, -turn)", "Vec3(eastward, northward, -turn)", "sign"),
    ("transport_rate_ned", "absolute(c) > sqrt(EPS)", "c > sqrt(EPS)", "a side of the pole",
     "test_navigation.py::test_at_a_pole_north_stays_where_it_is"),
    ("ned_from_ecef", "(p_E - ecef_from_geodetic(lat_0, lon_0, h_0))",
     "(ecef_from_geodetic(lat_0, lon_0, h_0) - p_E)", "from the point to the origin"),
    ("ecef_from_ned", "dcm_ecef_to_ned(lat_0, lon_0).transpose @", "dcm_ecef_to_ned(lat_0, lon_0) @",
     "the inverse rotation"),
    ("dcm_eci_to_ecef", "(c, s, 0, -s, c, 0, 0, 0, 1)", "(c, -s, 0, s, c, 0, 0, 0, 1)", "transposed"),
    ("ecef_from_eci", "turned.y - Omega * p_E.x", "turned.y + Omega * p_E.x", "sign"),
    ("eci_from_ecef", "v_E.x - Omega * p_E.y", "v_E.x - Omega * p_E.x", "index"),
    ("gravity_wgs84", "- 3 * height", "+ 3 * height", "sign"),
    ("quat_from_xyzw", "Quaternion(w, x, y, z)", "Quaternion(x, y, z, w)", "order kept"),
    ("quat_to_xyzw", "[q.x, q.y, q.z, q.w]", "[q.w, q.x, q.y, q.z]", "order kept"),
    ("dcm_ned_to_enu", "(0, 1, 0, 1, 0, 0, 0, 0, -1)", "(0, 1, 0, -1, 0, 0, 0, 0, -1)", "left-handed"),
    ("dcm_frd_to_flu", "(1, 0, 0, 0, -1, 0, 0, 0, -1)", "(-1, 0, 0, 0, -1, 0, 0, 0, 1)", "wrong axis"),
)  # fmt: skip

CONTACT = _of(
    "contact",
    ("sphere_sphere_contact", "x_B - x_A)", "x_A - x_B)", "normal from B to A"),
    ("sphere_sphere_contact", "- r_A - r_B)", "- r_A + r_B)", "sign"),
    ("sphere_sphere_contact", 'let("on_B", x_B - r_B * n)', 'let("on_B", x_B + r_B * n)', "far side of B"),
    ("sphere_plane_contact", "x_B - s * n", "x_B + s * n", "sign"),
    ("contact_jacobian", "n.cross(c_A - p_A)", "(c_A - p_A).cross(n)", "one sign for both bodies"),
    ("contact_jacobian", "R_NB.transpose @ moment_B", "R_NA.transpose @ moment_B", "the other body's axes"),
    ("contact_jacobian", "ContactWrench(-n, ", "ContactWrench(n, ", "one sign for both bodies"),
    ("contact_free_velocity", "f.n_B - v.w_B.cross", "f.n_B + v.w_B.cross", "sign"),
    ("contact_rhs", "maximum(-max_push, gap", "maximum(max_push, gap", "sign"),
    ("contact_rhs", "push + _dot(D_A", "push - _dot(D_A", "C1: sign of D"),
    ("contact_mass_inverse", "require(m >= 0, Status.MASS)", "require(m > 0, Status.MASS)",
     "static body refused"),
    ("contact_mass_inverse", "det > MIN, det > 16 * EPS * J.xx * J.yy * J.zz)\n    require(m",
     "det > MIN)\n    require(m", "nearly singular accepted",
     "test_contact_kernels.py::test_a_nearly_singular_inertia_is_refused"),
    ("contact_apply", "pushed, v)", "change, v)", "change for velocity"),
    ("contact_dot", "D.f_N.dot(v.v_N) + D.n_B", "D.f_N.dot(v.v_N) - D.n_B", "sign"),
)  # fmt: skip

CONTACT_SOLVER = _of(
    "contact_solver",
    ("contact_project", "lambda_i - rate / N_ii)", "lambda_i + rate / N_ii)", "C5: N lambda = r"),
    ("contact_violation", "minimum(bare(lambda_i), rate)", "maximum(bare(lambda_i), rate)",
     "C6: complementarity reversed"),
    ("contact_descend", 'maximum(let("lower", y - slope / curvature), 0)',
     'let("lower", y - slope / curvature)',
     "not projected"),
    ("contact_momentum", "theta * (1 - theta) /", "theta * (1 + theta) /", "sign"),
    ("contact_momentum", "theta + sqrt(square + 4)", "theta + sqrt(square - 4)", "sign"),
)  # fmt: skip

MUTANTS = (
    *ALGEBRA, *SPATIAL, *AVERAGE, *TRANSFORM, *INERTIA, *INERTIA_FORMS, *INERTIA_FACTORS, *SHAPES, *JOINTS,
    *ARTICULATED,
    *ROTATION, *ANGLES, *ROTATION_VECTOR, *RODRIGUES, *RIGID_BODY, *STEPPING, *RIGID_BODY_STEPS,
    *LOADS, *AIR_DATA, *NAVIGATION, *CONTACT, *CONTACT_SOLVER,
)  # fmt: skip

EQUIVALENT = (
    *_of(
        "inertia_forms",
        ("central_merge", "_com(B.m, h) - _com(C_A.m, C_A.h)", "_com(C_A.m, C_A.h) - _com(B.m, h)",
         "d enters as d d^T alone, which -d leaves as it is"),
        ("central_multiply", "C_O.m * v.v + v.w.cross(C_O.h)", "C_O.m * v.v - C_O.h.cross(v.w)",
         "a x b = -b x a"),
    ),
    *_of(
        "inertia",
        ("inertia_from_com", "yy + zz, -(h.x * p.y)", "yy + zz, -(h.y * p.x)", "h = m c is parallel to c"),
        ("inertia_translate", "h.x * p.y + p.x * h_A.y", "h_A.x * p.y + p.x * h.y",
         "h_A - h = m p is parallel to p, so that the update is symmetric"),
    ),
    *_of(
        "rotation",
        ("quat_to_dcm", "xy, xz, yz = u.x * t.y", "xy, xz, yz = u.y * t.x", "t is parallel to u"),
        ("quat_rotate_inverse", "_rotate(-q_AB.w, q_AB.vector", "_rotate(q_AB.w, -q_AB.vector",
         "q and -q are one rotation"),
    ),
    *_of(
        "articulated",
        ("articulated_reduce", "_symmetric_outer(a.n, b.n)", "_symmetric_outer(b.n, a.n)",
         "G is parallel to U"),
    ),
    *_of(
        "navigation",
        ("geodetic_from_ecef", "(p + q - e4) / 6", "(q + p - e4) / 6", "a + b = b + a: control of the test",
         "test_navigation.py::test_near_the_centre_there_is_no_latitude"),
    ),
    *_of(
        "contact",
        ("contact_mass_inverse", "some(m <= 0, definite)", "some(definite, m <= 0)",
         "a or b = b or a: control of the test",
         "test_contact_kernels.py::test_a_nearly_singular_inertia_is_refused"),
    ),
    *_of(
        "transform",
        ("transform_inverse", "-(R_BA @ T_AB.p)", "R_BA @ (-T_AB.p)", "R is linear"),
    ),
)  # fmt: skip
"""Changes that leave the mathematics as it is, with the reason."""
