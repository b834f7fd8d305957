"""The best known figures: the fewest operations and instructions published or measured before, by kernel."""

OPERATIONS = {
    "inertia_transform": 95,
    "central_transform": 75,
    "inertia_multiply": 42,
    "motion_transform": 42,
    "force_transform": 42,
    "motion_cross": 30,
    "force_cross": 30,
    "inertia_bias_force": 69,
    "articulated_transform": 269,
    "rigid_body_dynamics_quat": 172,
    "rigid_body_dynamics_quat_jacobian": 254,
    "quat_from_rpy": 19,
    "quat_to_dcm_unit": 24,
    "covariance_prediction": 2875,
    "ur5_inverse_dynamics": 608,
}
"""Trigonometry apart; over other generators, libraries and hand-written code."""

M4F_INSTRUCTIONS = {
    "inertia_transform": 110,
    "inertia_multiply": 48,
    "motion_transform": 50,
    "force_transform": 50,
    "motion_cross": 43,
    "force_cross": 43,
    "inertia_bias_force": 72,
    "articulated_transform": 286,
    "rigid_body_dynamics_quat": 146,
    "rigid_body_dynamics_quat_jacobian": 422,
    "quat_from_rpy": 47,
    "quat_to_dcm_unit": 41,
    "ur5_inverse_dynamics": 737,
}
"""Of the function in float, by gcc 12 with -O2 -ffp-contract=fast; nobody's central_transform and
covariance_prediction were measured so.
"""
