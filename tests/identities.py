"""The 68 identities of physics and geometry that kernels satisfy, and the test that checks each.

None reuses a kernel's own formula: points of mass, material points, finite differences of plain geometry,
motion seen from an inertial frame, energies and SciPy's rotations say what is right. The test of an identity
bears its number in its name; further tests of the same number may stand beside it.
"""

from __future__ import annotations

from typing import NamedTuple


class Identity(NamedTuple):
    """What must hold, and the function in a module of the tests that it is checked by."""

    statement: str
    module: str
    test: str


_HERE, _DYNAMICS, _MECHANISMS = "test_identities", "test_identities_dynamics", "test_identities_mechanisms"
_CONTACT, _SOLVERS = "test_contact_kernels", "test_contact"

IDENTITIES = {
    1: Identity(
        "The 6x6 inertia is the sum of m J^T J over a cloud of points.",
        _HERE,
        "test_01_the_inertia_matrix_is_that_of_a_point_cloud",
    ),
    2: Identity(
        "v^T I v / 2 is the kinetic energy of the particles.",
        _HERE,
        "test_02_kinetic_energy_is_that_of_the_particles",
    ),
    3: Identity(
        "I v is the angular and linear momentum of the particles.",
        _HERE,
        "test_03_momentum_is_that_of_the_particles",
    ),
    4: Identity(
        "Reciprocity: u . I v = v . I u.",
        _HERE,
        "test_04_reciprocity",
    ),
    5: Identity(
        "Power does not depend on the frame: (X* f) . (X v) = f . v.",
        _HERE,
        "test_05_power_does_not_depend_on_the_frame",
    ),
    6: Identity(
        "X gives the velocity of a material point in either frame.",
        _HERE,
        "test_06_a_material_point_has_one_velocity",
    ),
    7: Identity(
        "X* gives the wrench of a force at a point in either frame.",
        _HERE,
        "test_07_a_force_at_a_point_has_one_moment",
    ),
    8: Identity(
        "Transforms compose: two routes give one transform.",
        _HERE,
        "test_08_transforms_compose",
    ),
    9: Identity(
        "The derivative of X_AB(t) is X times the cross product of motions.",
        _HERE,
        "test_09_10_transforms_change_by_cross_products",
    ),
    10: Identity(
        "The derivative of X*_AB(t) is X* times the cross product of forces.",
        _HERE,
        "test_09_10_transforms_change_by_cross_products",
    ),
    11: Identity(
        "The cross product of motions is antisymmetric and obeys Jacobi's identity.",
        _HERE,
        "test_11_motions_form_a_lie_algebra",
    ),
    12: Identity(
        "The cross products keep power: (v x m) . f + m . (v x* f) = 0.",
        _HERE,
        "test_12_cross_products_keep_power",
    ),
    13: Identity(
        "Cross products do not depend on the frame: X(a x b) = (X a) x (X b).",
        _HERE,
        "test_13_cross_products_do_not_depend_on_the_frame",
    ),
    14: Identity(
        "Kinetic energy does not depend on the frame of the inertia.",
        _HERE,
        "test_14_kinetic_energy_does_not_depend_on_the_frame",
    ),
    15: Identity(
        "An inertia transformed forth and back is the same, and by two steps as by one.",
        _HERE,
        "test_15_inertias_go_round_trip_and_by_two_steps_as_by_one",
    ),
    16: Identity(
        "About the centre of mass h = 0 and the inertia is the central one, of least trace.",
        _HERE,
        "test_16_at_the_centre_of_mass_h_vanishes_and_the_trace_is_least",
    ),
    17: Identity(
        "Two bodies joined are the cloud of both.",
        _HERE,
        "test_17_bodies_join_as_their_points_do",
    ),
    18: Identity(
        "Scale and sum of inertias distribute over the product with a motion.",
        _HERE,
        "test_18_sums_and_scales_distribute_over_products",
    ),
    19: Identity(
        "Ten distinct numbers are packed and unpacked as the moments of a cloud.",
        _HERE,
        "test_19_ten_distinct_numbers_are_moments_of_the_cloud",
    ),
    20: Identity(
        "Ten distinct numbers come in the order of KSL and of Pinocchio.",
        _HERE,
        "test_20_ten_distinct_numbers_in_the_order_of_ksl_and_pinocchio",
    ),
    21: Identity(
        "A central inertia carried to another frame is the cloud's there, and symmetric.",
        _HERE,
        "test_21_a_central_inertia_carried_to_a_frame_is_the_clouds_there",
    ),
    22: Identity(
        "The triangle inequality of moments of inertia, with its equality and its violation.",
        _HERE,
        "test_22_triangle_inequality",
    ),
    23: Identity(
        "A quaternion turns a vector as SciPy's rotation does.",
        _HERE,
        "test_23_quaternions_act_as_scipy_says",
    ),
    24: Identity(
        "R(p q) = R(p) R(q), and i j = k.",
        _HERE,
        "test_24_products_of_quaternions_are_products_of_rotations",
    ),
    25: Identity(
        "Matrix to quaternion and back on every branch, at half turns and near them.",
        _HERE,
        "test_25_matrices_and_quaternions_go_round_trip",
    ),
    26: Identity(
        "The rate of a quaternion at a body rate is its finite difference.",
        _HERE,
        "test_26_quaternion_rates_are_derivatives",
    ),
    27: Identity(
        "q . dq = 0 without feedback; with it the norm is pulled to 1 from both sides.",
        _HERE,
        "test_27_rates_keep_the_norm_and_baumgarte_restores_it",
    ),
    28: Identity(
        "Known axes: heading of 90 degrees, gravity under roll, direction of the nose.",
        _HERE,
        "test_28_angles_are_heading_elevation_and_bank",
    ),
    29: Identity(
        "Euler angles by way of a quaternion and directly give one matrix, and a printed quaternion.",
        _HERE,
        "test_29_angles_quaternions_and_matrices_agree",
    ),
    30: Identity(
        "The matrix changes along the Euler rates as the body rate says.",
        _HERE,
        "test_30_angle_rates_turn_the_matrix_at_the_body_rate",
    ),
    31: Identity(
        "Trajectories by Euler angles and by quaternion coincide.",
        _DYNAMICS,
        "test_31_angles_and_quaternions_fly_the_same_way",
    ),
    32: Identity(
        "A free body keeps momentum, angular momentum and energy, and flies straight.",
        _DYNAMICS,
        "test_32_a_free_body_keeps_momenta_and_energy_and_flies_straight",
    ),
    33: Identity(
        "A spinning projectile flies a parabola.",
        _DYNAMICS,
        "test_33_a_spinning_projectile_flies_a_parabola",
    ),
    34: Identity(
        "Kinetic energy grows by F . v + M . omega.",
        _DYNAMICS,
        "test_34_power_feeds_kinetic_energy",
    ),
    35: Identity(
        "A Galilean boost changes nothing but the velocity.",
        _DYNAMICS,
        "test_35_a_boost_changes_nothing_but_the_velocity",
    ),
    36: Identity(
        "Other body axes change nothing physical.",
        _DYNAMICS,
        "test_36_other_body_axes_change_nothing_physical",
    ),
    37: Identity(
        "Motion integrated in the frame of the turning Earth is motion in the inertial frame.",
        _DYNAMICS,
        "test_37_seen_from_the_turning_earth_a_body_moves_as_it_does",
    ),
    38: Identity(
        "A body at rest on the turning Earth stays at rest: all rates are zero.",
        _DYNAMICS,
        "test_38_a_body_at_rest_on_the_turning_earth_stays",
    ),
    39: Identity(
        "Jacobi's integral v^2 / 2 - |Omega x p|^2 / 2 is kept.",
        _DYNAMICS,
        "test_39_jacobis_integral",
    ),
    40: Identity(
        "The moment of forces about another point is that of the forces on the particles.",
        _DYNAMICS,
        "test_40_forces_on_particles_have_a_moment_about_every_point",
    ),
    41: Identity(
        "The velocity of the centre of mass is its finite difference.",
        _DYNAMICS,
        "test_41_the_centre_of_mass_moves_as_its_particles_do",
    ),
    42: Identity(
        "A gyrostat keeps R (J omega + h), also while h changes.",
        _DYNAMICS,
        "test_42_a_gyrostat_keeps_its_angular_momentum",
    ),
    43: Identity(
        "Mass that leaves takes its momentum along, in discrete steps.",
        _DYNAMICS,
        "test_43_mass_that_leaves_takes_its_momentum_along",
    ),
    44: Identity(
        "Poses are a group; a pose takes the origin to its translation.",
        _HERE,
        "test_44_poses_form_a_group_and_move_points",
    ),
    45: Identity(
        "Forward inverts inverse dynamics; H qdd + c = tau with H positive definite.",
        _MECHANISMS,
        "test_45_forward_and_inverse_dynamics_and_the_mass_matrix_agree",
    ),
    46: Identity(
        "qd^T H qd / 2 is the energy by finite differences of plain geometry.",
        _MECHANISMS,
        "test_46_the_mass_matrix_measures_the_energy_of_the_points",
    ),
    47: Identity(
        "Torques at rest are the gradient of the potential energy.",
        _MECHANISMS,
        "test_47_at_rest_torques_hold_the_weight",
    ),
    48: Identity(
        "A swinging mechanism keeps its energy.",
        _MECHANISMS,
        "test_48_a_swinging_mechanism_keeps_its_energy",
    ),
    49: Identity(
        "qd^T Hd qd = 2 qd^T c: Coriolis torques do no work.",
        _MECHANISMS,
        "test_49_coriolis_torques_do_no_work",
    ),
    50: Identity(
        "Motion run backward takes the same torques.",
        _MECHANISMS,
        "test_50_motion_run_backward_takes_the_same_torques",
    ),
    51: Identity(
        "A physical pendulum swings as the closed form says.",
        _MECHANISMS,
        "test_51_a_physical_pendulum",
    ),
    52: Identity(
        "D^T u is the derivative of the gap, with spheres away from the centres of mass.",
        _CONTACT,
        "test_52_the_column_is_the_gradient_of_the_gap",
    ),
    53: Identity(
        "D lambda has no net force and no net moment.",
        _CONTACT,
        "test_53_contact_forces_have_no_resultant",
    ),
    54: Identity(
        "The names of the two bodies may be exchanged.",
        _CONTACT,
        "test_54_naming_the_bodies_the_other_way_round",
    ),
    55: Identity(
        "Bodies in contact never penetrate; where they part the multiplier is zero.",
        _DYNAMICS,
        "test_55_bodies_never_overlap_and_those_that_part_do_not_push",
    ),
    56: Identity(
        "The conditions of Karush, Kuhn and Tucker hold for random positive definite matrices.",
        _SOLVERS,
        "test_identity_56_kkt_conditions",
    ),
    57: Identity(
        "A head-on inelastic pair moves on together.",
        _CONTACT,
        "test_57_a_head_on_inelastic_pair_goes_on_together",
    ),
    58: Identity(
        "Interpolation of attitudes covers its fraction of the arc; q and -q give the same.",
        "test_attitude",
        "test_identity_58_slerp_covers_the_fraction_t_of_the_short_arc",
    ),
    59: Identity(
        "The derivative of an inertia carried along is crf I - I crm.",
        _HERE,
        "test_59_an_inertia_carried_along_changes_by_cross_products",
    ),
    60: Identity(
        "Newton's and Euler's equations in spatial form are those of the six degrees of freedom.",
        _DYNAMICS,
        "test_60_spatial_newton_euler_is_the_six_degree_of_freedom_model",
    ),
    61: Identity(
        "Bias torques are those of the Christoffel symbols, from finite differences of H.",
        _MECHANISMS,
        "test_61_bias_torques_are_those_of_the_christoffel_symbols",
    ),
    62: Identity(
        "Ten central numbers with a centre of mass away from the origin rebuild the matrix.",
        _HERE,
        "test_62_ten_central_numbers_rebuild_the_matrix",
    ),
    63: Identity(
        "Rank 3 is a point mass, 5 a rod, 6 a body; the matrix is positive semidefinite.",
        _HERE,
        "test_63_rank_says_what_the_body_is",
    ),
    64: Identity(
        "The zero inertia is neutral in sums and fixed under transforms, without 0/0.",
        _HERE,
        "test_64_zero_is_neutral_and_stays_where_it_is",
    ),
    65: Identity(
        "Contact of a sphere about its centre of mass leaves its spin unchanged.",
        _CONTACT,
        "test_65_a_sphere_about_its_centre_of_mass_is_not_spun",
    ),
    66: Identity(
        "A contact given twice pushes as much as one.",
        _SOLVERS,
        "test_identity_66_doubled_contacts_push_alike",
    ),
    67: Identity(
        "The mirrored world obeys the same laws, with axial angular velocity and moment.",
        _HERE,
        "test_67_the_mirrored_world_obeys_the_same_laws",
    ),
    68: Identity(
        "D^T u is the virtual power at the contact point.",
        _CONTACT,
        "test_68_the_column_is_the_virtual_power_at_the_contact",
    ),
}
