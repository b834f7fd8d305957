/* Turns an inertia of 0.5 kg m^2 to 0.6 rad with the controller of controllers.py, whose torque is limited. */
#include <stdio.h>

#include "fc.h"

int main(void)
{
    fc_pid_state_f32 state;
    float angle = 0.0F;
    float rate = 0.0F;
    float highest = 0.0F;

    fc_pid_init_f32(&state);
    for (int k = 0; k < 8000; k++) {
        float torque;
        fc_pid_step_f32(&state, 0.6F, angle, &state, &torque);
        rate += torque / 0.5F * 0.0025F;
        angle += rate * 0.0025F;
        highest = angle > highest ? angle : highest;
    }
    printf("angle after 20 s %.4f rad, highest %.4f rad\n", (double)angle, (double)highest);
    return 0;
}
