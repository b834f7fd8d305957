/* SPDX-License-Identifier: MIT-0 */
/*
 * Self-test: compile it with the library on the target and run it. It returns 0 when every function is
 * right there. With -DSELFTEST_PRINT it also says which ones are not.
 */
#include "fc.h"

#ifdef SELFTEST_PRINT
#include <stdio.h>
#define REPORT(name) (void)printf("%s is wrong here\n", name)
#else
#define REPORT(name) (void)(name)
#endif

static int test_fc_mixing_f64(void)
{
    static const double inputs[3][7] = {
        {-1.06494140625, -1.381591796875, 1.630615234375, 1.51123046875, 2.1237242221832275,
         4.859651625156403, 3.27349853515625},
        {0.378173828125, 1.095458984375, 1.9091796875, 1.24462890625, 1.0121774673461914,
         4.293126165866852, 1.4540443420410156},
        {-1.65234375, 1.2744140625, -1.68017578125, 0.51904296875, 3.9164567589759827,
         2.3307109475135803, 4.156347811222076},
    };
    static const double expected[3][6] = {
        {0.0, 0.0, -38.80732957897255, 11.866416746849557, -4.124169840746752, -6.219082473864546},
        {0.0, 0.0, -28.06465526638629, 13.700546253707385, 4.514229020077015, -5.599557277570511},
        {0.0, 0.0, -17.356262140012944, 13.212750669340588, 33.40615505371459, 5.2452062458196735},
    };
    static const double tolerance[3][6] = {
        {3.465e-43, 3.465e-43, 1.47e-13, 3.045e-13, 3.045e-13, 9.765e-14},
        {1.155e-43, 1.155e-43, 1.05e-13, 1.05e-13, 1.05e-13, 3.57e-14},
        {2.835e-43, 2.835e-43, 6.51e-14, 2.52e-13, 2.52e-13, 1.155e-13},
    };
    int failures = 0;
    int i;
    for (i = 0; i < 3; i++) {
        double found[6];
        int k;
        double arg_rotor[4];
        double arg_arm;
        double arg_k_thrust;
        double arg_k_torque;
        fc_vec3_f64 arg_F_B;
        fc_vec3_f64 arg_M_B;
        arg_rotor[0] = inputs[i][0];
        arg_rotor[1] = inputs[i][1];
        arg_rotor[2] = inputs[i][2];
        arg_rotor[3] = inputs[i][3];
        arg_arm = inputs[i][4];
        arg_k_thrust = inputs[i][5];
        arg_k_torque = inputs[i][6];
        fc_mixing_f64(arg_rotor, arg_arm, arg_k_thrust, arg_k_torque, &arg_F_B, &arg_M_B);
        found[0] = arg_F_B.x;
        found[1] = arg_F_B.y;
        found[2] = arg_F_B.z;
        found[3] = arg_M_B.x;
        found[4] = arg_M_B.y;
        found[5] = arg_M_B.z;
        for (k = 0; k < 6; k++) {
            const double error = found[k] - expected[i][k];
            failures += !(error <= tolerance[i][k] && -error <= tolerance[i][k]);
        }
    }
    if (failures > 0) {
        REPORT("fc_mixing_f64");
    }
    return failures;
}

static int test_fc_mixing_f32(void)
{
    static const float inputs[3][7] = {
        {-1.0649414F, -1.3815918F, 1.6306152F, 1.5112305F, 2.1237242F, 4.8596516F, 3.2734985F},
        {0.37817383F, 1.095459F, 1.9091797F, 1.2446289F, 1.0121775F, 4.293126F, 1.4540443F},
        {-1.6523438F, 1.2744141F, -1.6801758F, 0.51904297F, 3.9164567F, 2.330711F, 4.1563478F},
    };
    static const float expected[3][6] = {
        {0.0F, 0.0F, -38.807327F, 11.866417F, -4.12417F, -6.2190824F},
        {0.0F, 0.0F, -28.064655F, 13.700546F, 4.514229F, -5.5995574F},
        {0.0F, 0.0F, -17.356262F, 13.21275F, 33.406155F, 5.2452064F},
    };
    static const float tolerance[3][6] = {
        {1.1754944e-38F, 1.1754944e-38F, 7.77e-5F, 0.000168F, 0.000168F, 5.25e-5F},
        {1.1754944e-38F, 1.1754944e-38F, 5.67e-5F, 5.67e-5F, 5.67e-5F, 1.89e-5F},
        {1.1754944e-38F, 1.1754944e-38F, 3.465e-5F, 0.0001365F, 0.0001365F, 6.195e-5F},
    };
    int failures = 0;
    int i;
    for (i = 0; i < 3; i++) {
        float found[6];
        int k;
        float arg_rotor[4];
        float arg_arm;
        float arg_k_thrust;
        float arg_k_torque;
        fc_vec3_f32 arg_F_B;
        fc_vec3_f32 arg_M_B;
        arg_rotor[0] = inputs[i][0];
        arg_rotor[1] = inputs[i][1];
        arg_rotor[2] = inputs[i][2];
        arg_rotor[3] = inputs[i][3];
        arg_arm = inputs[i][4];
        arg_k_thrust = inputs[i][5];
        arg_k_torque = inputs[i][6];
        fc_mixing_f32(arg_rotor, arg_arm, arg_k_thrust, arg_k_torque, &arg_F_B, &arg_M_B);
        found[0] = arg_F_B.x;
        found[1] = arg_F_B.y;
        found[2] = arg_F_B.z;
        found[3] = arg_M_B.x;
        found[4] = arg_M_B.y;
        found[5] = arg_M_B.z;
        for (k = 0; k < 6; k++) {
            const float error = found[k] - expected[i][k];
            failures += !(error <= tolerance[i][k] && -error <= tolerance[i][k]);
        }
    }
    if (failures > 0) {
        REPORT("fc_mixing_f32");
    }
    return failures;
}

int main(void)
{
    int failures = 0;
    failures += test_fc_mixing_f64();
    failures += test_fc_mixing_f32();
    return failures > 0 ? 1 : 0;
}
