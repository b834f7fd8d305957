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
#ifndef FC_H_648404
#define FC_H_648404

#include "fc_types.h"
#include "fc_mixing_f64.h"
#include "fc_mixing_f32.h"

#endif
