"""The public names of the library, on which users' code depends."""

from __future__ import annotations

from codegen.library import library
from codegen.library.routines import routines

SIGNATURES = """
quat_multiply: p q -> pq
quat_conjugate: q -> q_conj
quat_inverse: q -> q_inv
quat_normalize: q -> q_unit
quat_rotate: q_AB v_B -> v_A
quat_rotate_inverse: q_AB v_A -> v_B
quat_to_dcm: q_AB -> R_AB
quat_to_dcm_unit: q_AB -> R_AB
dcm_to_quat: R_AB -> q_AB
quat_kinematics: q_AB w_B baumgarte -> dq
quat_kinematics_inverse: q_AB dq -> w_B
quat_from_vectors: v_A v_B -> q_AB
dcm_multiply: R_AB R_BC -> R_AC
dcm_rotate: R_AB v_B -> v_A
dcm_rotate_inverse: R_AB v_A -> v_B
dcm_kinematics: R_AB w_B -> dR_AB
dcm_orthonormalize: R -> R_unit
quat_from_rpy: rpy -> q_NB
dcm_from_rpy: rpy -> R_NB
rpy_from_dcm: R_NB -> rpy
rpy_from_quat: q_NB -> rpy
rpy_kinematics: rpy w_B -> drpy
rpy_kinematics_inverse: rpy drpy -> w_B
angle_wrap: angle -> wrapped
quat_from_rotvec: r -> q
rotvec_from_quat: q -> r
quat_from_axis_angle: axis angle -> q
axis_angle_from_quat: q -> axis angle
quat_slerp: q_0 q_1 t -> q_t
quat_integrate: q_AB w_B dt -> q_AB_next
quat_error: q_NB q_ND -> e_B
so3_left_jacobian: r -> J
so3_right_jacobian: r -> J
so3_left_jacobian_inverse: r -> J_inv
so3_right_jacobian_inverse: r -> J_inv
mrp_from_quat: q_AB -> s_AB
quat_from_mrp: s_AB -> q_AB
dcm_from_mrp: s_AB -> R_AB
mrp_kinematics: s_AB w_B -> ds
mrp_kinematics_inverse: s_AB ds -> w_B
mrp_shadow: s -> s_short
dcm_nearest: M_AB -> R_AB
quat_mean_add: A q_NB w -> A_next
quat_mean: A -> q_NB
quat_mean_pair: q_1 w_1 q_2 w_2 -> q_mean
transform_point: T_AB p_B -> p_A
transform_point_inverse: T_AB p_A -> p_B
transform_compose: T_AB T_BC -> T_AC
transform_inverse: T_AB -> T_BA
motion_transform: T_AB v_B -> v_A
motion_transform_inverse: T_AB v_A -> v_B
force_transform: T_AB f_B -> f_A
force_transform_inverse: T_AB f_A -> f_B
motion_transform_matrix: T_AB -> X
force_transform_matrix: T_AB -> X
motion_transform_matrix_linear_first: T_AB -> X
force_transform_matrix_linear_first: T_AB -> X
transform_interpolate: T_A0 T_A1 t -> T_At
transform_exp: r rho -> T_AB
transform_log: T_AB -> r rho
se3_left_jacobian: r rho -> J
se3_right_jacobian: r rho -> J
se3_left_jacobian_inverse: r rho -> J_inv
se3_right_jacobian_inverse: r rho -> J_inv
motion_cross: v m -> v_x_m
force_cross: v f -> v_x_f
motion_dot_force: v f -> power
motion_cross_matrix: v -> M
force_cross_matrix: v -> M
inertia_from_com: m c I_com -> I_O
inertia_add: I_1 I_2 -> I_sum
inertia_subtract: I_1 I_2 -> I_diff
inertia_scale: I_1 s -> I_scaled
inertia_multiply: I_O v -> f
inertia_bias_force: I_O v -> f
inertia_kinetic_energy: I_O v -> energy
inertia_transform: T_AB I_B -> I_A
inertia_transform_inverse: T_AB I_A -> I_B
inertia_rotate: R_AB I_B -> I_A
inertia_translate: p_AB_A I_B -> I_A
inertia_to_matrix: I_O -> M
inertia_to_array: I_O -> array
inertia_from_array: array -> I_O
central_from_com: m c I_com -> C_O
inertia_to_central: I_O -> C_O
central_to_inertia: C_O -> I_O
central_rotate: R_AB C_B -> C_A
central_translate: p_AB_A C_B -> C_A
central_transform: T_AB C_B -> C_A
central_merge: T_AB C_A C_B -> C_sum
central_multiply: C_O v -> f
unit_from_central: m c I_com -> U_O
unit_shift: p_PQ U_P -> U_Q
unit_reexpress: R_AB U_B -> U_A
unit_add: U_1 U_2 -> U_sum
unit_multiply: U_O v -> f
unit_to_inertia: U_O -> I_O
inertia_to_unit: I_O -> U_O
inertia_to_matrix_linear_first: I_O -> M
inertia_to_pseudo: I_O -> P
inertia_from_pseudo: P -> I_O
inertia_from_log_cholesky: theta -> I_O
inertia_to_log_cholesky: I_O -> theta
inertia_com: I_O -> c
inertia_validate: I_O ->
inertia_solve: I_O f -> a
inertia_factor: I_com -> L D perm rank
inertia_principal: I_com -> moments R_BP
inertia_from_principal: moments R_BP -> I_com
solid_box_inertia: m lx ly lz -> I_O
solid_sphere_inertia: m r -> I_O
solid_cylinder_inertia: m r length -> I_O
solid_ellipsoid_inertia: m a b c -> I_O
solid_cone_inertia: m r length -> I_O
solid_capsule_inertia: m r length -> I_O
hollow_sphere_inertia: m r -> I_O
hollow_cylinder_inertia: m r length -> I_O
thin_rod_inertia: m length -> I_O
point_mass_inertia: m -> I_O
joint_revolute: axis q -> T_PS S_q
joint_prismatic: axis q -> T_PS S_q
joint_helical: axis pitch q -> T_PS S_q
joint_planar: x y q -> T_PS S_q
joint_universal: q_1 q_2 -> T_PS S_q
joint_spherical: q_PS -> T_PS S_q
articulated_from_inertia: I_O -> IA_O
articulated_add: IA_1 IA_2 -> IA_sum
articulated_add_inertia: IA_1 I_2 -> IA_sum
articulated_multiply: IA_O v -> f
articulated_transform: T_AB IA_B -> IA_A
articulated_transform_inverse: T_AB IA_A -> IA_B
articulated_to_matrix: IA_O -> M
articulated_reduce: IA_O pA S c tau -> Ia pa U D u
articulated_reduce_two: IA_O pA S c tau -> Ia pa U D_inv u
articulated_reduce_three: IA_O pA S c tau -> Ia pa U D_inv u
rigid_body_dynamics_quat: p_N q_NB v_B w_B F_B M_B m J_B baumgarte -> dp_N dq dv_B dw_B
rigid_body_dynamics_rpy: p_N rpy v_B w_B F_B M_B m J_B -> dp_N drpy dv_B dw_B
rigid_body_dynamics_dcm: p_N R_NB v_B w_B F_B M_B m J_B -> dp_N dR_NB dv_B dw_B
rigid_body_dynamics_mrp: p_N s_NB v_B w_B F_B M_B m J_B -> dp_N ds_NB dv_B dw_B
rigid_body_dynamics_spatial: T_NB v f I_B -> dR_NB dp_N dv
rigid_body_dynamics_ecef: p_E q_EB v_E w_B F_E M_B m J_B Omega_E baumgarte -> dp_E dq dv_E dw_B
rigid_body_dynamics_quat_jacobian: p_N q_NB v_B w_B F_B M_B m J_B baumgarte -> A B
rigid_body_dynamics_quat_jacobian_nonzeros: p_N q_NB v_B w_B F_B M_B m J_B baumgarte -> A_nonzeros B_nonzeros
rigid_body_step_rk4_quat: p_N q_NB v_B w_B F_B M_B m J_B dt -> p_N_next q_NB_next v_B_next w_B_next
rigid_body_step_rk4_rpy: p_N rpy v_B w_B F_B M_B m J_B dt -> p_N_next rpy_next v_B_next w_B_next
rigid_body_step_rk4_dcm: p_N R_NB v_B w_B F_B M_B m J_B dt -> p_N_next R_NB_next v_B_next w_B_next
rigid_body_step_rk4_mrp: p_N s_NB v_B w_B F_B M_B m J_B dt -> p_N_next s_NB_next v_B_next w_B_next
rigid_body_step_semi_implicit_quat: p_N q_NB v_B w_B F_B M_B m J_B dt -> p_N_next q_NB_next v_B_next w_B_next
rigid_body_energy: v_B w_B m J_B -> energy
rigid_body_momentum: q_NB v_B w_B m J_B -> P_N L_N
gravity_body: q_NB m g_N -> F_B
moment_transfer: M_P F r_P r_cm -> M_cm
cm_velocity: v_ref w r dr -> v
reference_velocity: v w r dr -> v_ref
gyroscopic_moment: M w h_int dh_int -> M_eff
mass_flow_force: dm u_rel -> F
inertia_rate_moment: dJ w -> M
lever_arm_acceleration: a_O w dw r -> a_P
gravitation_point: p_E mu -> g_E
gravitation_j2: p_E mu J_2 r_eq -> g_E
gravity_gradient_moment: p_B mu J_B -> M_B
air_data_from_velocity: v_air_B -> V alpha beta
velocity_from_air_data: V alpha beta -> v_air_B
dcm_from_wind: alpha beta -> R_BW
isa_atmosphere: h -> T p rho a
airspeeds: V p rho -> M q_bar CAS
dcm_ecef_to_ned: lat lon -> R_NE
ecef_from_geodetic: lat lon h -> p_E
geodetic_from_ecef: p_E -> lat lon h
curvature_radii: lat -> M N
earth_rate_ned: lat Omega -> w_N
transport_rate_ned: lat h v_N -> w_N
ned_from_ecef: p_E lat_0 lon_0 h_0 -> p_N
ecef_from_ned: p_N lat_0 lon_0 h_0 -> p_E
dcm_eci_to_ecef: theta -> R_EI
ecef_from_eci: p_I v_I theta Omega -> p_E v_E
eci_from_ecef: p_E v_E theta Omega -> p_I v_I
gravity_wgs84: lat h -> g
quat_from_xyzw: xyzw -> q
quat_to_xyzw: q -> xyzw
dcm_ned_to_enu: -> R_UN
dcm_frd_to_flu: -> R_LB
sphere_sphere_contact: x_A r_A x_B r_B -> n gap c_A c_B
sphere_plane_contact: n d x_B r_B -> gap c_A c_B
contact_jacobian: R_NA R_NB n c_A c_B p_A p_B -> D_A D_B
contact_mass_inverse: m J_B wrench -> twist
contact_free_velocity: v f m J_B dt -> v_star
contact_rhs: gap dt max_push D_A D_B v_A v_B -> r
contact_dot: D v -> rate
contact_apply: v m J_B D impulse -> v_next
contact_project: lambda_i rate N_ii -> lambda_next
contact_violation: lambda_i rate -> violation
contact_descend: y slope curvature -> lambda_next
contact_momentum: theta -> theta_next momentum
contact_delassus: nb nc m J_B body_A body_B D_A D_B -> N
contact_velocity_update: nb nc m J_B body_A body_B D_A D_B lambda v -> v_next
contact_residual: N r lambda nc -> residual
contact_solve_pgs: N r lambda nc iterations tolerance -> lambda residual used
contact_solve_apgd: N r lambda nc iterations tolerance -> lambda residual used
"""
"""Kernel: inputs -> outputs, in C's order. Names are added here, never changed."""

SEQUENCES = [a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c]
EULER = [name for s in SEQUENCES for name in (s, s + "_intrinsic")]


def signature(kernel: object) -> str:
    inputs, outputs = (" ".join(a.name for a in getattr(kernel, side)) for side in ("inputs", "outputs"))
    return f"{inputs} -> {outputs}".strip()


def test_every_name_of_the_catalogue_is_there_and_no_other() -> None:
    expected = dict(line.split(": ", 1) for line in SIGNATURES.strip().splitlines())
    for s in EULER:
        expected[f"quat_from_euler_{s}"] = "angles -> q_AB"
        expected[f"dcm_from_euler_{s}"] = "angles -> R_AB"
        expected[f"euler_{s}_from_quat"] = "q_AB -> angles"
        expected[f"euler_{s}_from_dcm"] = "R_AB -> angles"
        expected[f"euler_{s}_kinematics"] = "angles w_B -> dangles"
        expected[f"euler_{s}_kinematics_inverse"] = "angles dangles -> w_B"
    found = {name: signature(k) for name, k in {**library(), **routines()}.items()}
    assert found == expected
    assert len(SEQUENCES) == 12
