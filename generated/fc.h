/* SPDX-License-Identifier: MIT-0 */
/*
 * Includes every header of the library.
 *
 * Assumes IEEE 754 arithmetic. Under -ffast-math the tests for NaN are void. Fused multiply-add
 * (-ffp-contract=fast) is welcome: it changes last bits only.
 *
 * Conventions: R_AB and q_AB take coordinates from B to A (v_A = R_AB v_B); quaternions are
 * Hamilton, [w, x, y, z]; spatial vectors are angular first; p_AB_A is the position of B's origin
 * from A's in A's axes; matrices are row-major; SI units. An output may be the same object as an
 * input. Outputs must not overlap inputs in any other way, nor each other.
 */
#ifndef FC_H_48F1DD
#define FC_H_48F1DD

#include "fc_types.h"
#include "fc_rotation_f64.h"
#include "fc_euler_f64.h"
#include "fc_rotation_vector_f64.h"
#include "fc_rodrigues_f64.h"
#include "fc_average_f64.h"
#include "fc_transform_f64.h"
#include "fc_spatial_f64.h"
#include "fc_inertia_f64.h"
#include "fc_inertia_forms_f64.h"
#include "fc_inertia_factors_f64.h"
#include "fc_shapes_f64.h"
#include "fc_joints_f64.h"
#include "fc_articulated_f64.h"
#include "fc_rigid_body_f64.h"
#include "fc_rigid_body_steps_f64.h"
#include "fc_loads_f64.h"
#include "fc_air_data_f64.h"
#include "fc_navigation_f64.h"
#include "fc_contact_f64.h"
#include "fc_contact_solver_f64.h"
#include "fc_rotation_f32.h"
#include "fc_euler_f32.h"
#include "fc_rotation_vector_f32.h"
#include "fc_rodrigues_f32.h"
#include "fc_average_f32.h"
#include "fc_transform_f32.h"
#include "fc_spatial_f32.h"
#include "fc_inertia_f32.h"
#include "fc_inertia_forms_f32.h"
#include "fc_inertia_factors_f32.h"
#include "fc_shapes_f32.h"
#include "fc_joints_f32.h"
#include "fc_articulated_f32.h"
#include "fc_rigid_body_f32.h"
#include "fc_rigid_body_steps_f32.h"
#include "fc_loads_f32.h"
#include "fc_air_data_f32.h"
#include "fc_navigation_f32.h"
#include "fc_contact_f32.h"
#include "fc_contact_solver_f32.h"

#endif
