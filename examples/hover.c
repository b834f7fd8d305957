#include <stdio.h>

#include "fc.h"

int main(void)
{
    const fc_vec3_f32 at_rest = {0.0F, 0.0F, 0.0F};
    const fc_quat_f32 level = {1.0F, 0.0F, 0.0F, 0.0F};
    const float rotor[4] = {591.82F, 591.82F, 591.82F, 591.82F};
    fc_vec3_f32 dp_N, dv_B, dw_B;
    fc_quat_f32 dq;

    fc_quadrotor_dynamics_f32(&at_rest, &level, &at_rest, &at_rest, rotor, &dp_N, &dq, &dv_B, &dw_B);
    printf("vertical acceleration %.3f m/s^2\n", (double)dv_B.z);
    return 0;
}
