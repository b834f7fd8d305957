/*
 * Computed torque: the arm of arm.urdf follows sine waves. The controller runs in float at 1 kHz and knows the
 * arm's links; the arm is simulated in double by Runge and Kutta's method, and its joints rub, which the
 * controller does not know.
 */
#include <math.h>
#include <stdio.h>

#include "fc.h"

enum { N = FC_ARM_JOINTS, STEPS = 4000 };

static const double DT = 0.001;
static const double RUBS[N] = {0.05, 0.05, 0.02, 0.0002, 0.5}; /* N m s/rad, N s/m */
static const double MIDDLE[N] = {0.0, 0.3, -0.6, 0.2, 0.06};
static const double SWING[N] = {0.8, 0.6, 0.7, 1.0, 0.04};
static const double RATE[N] = {2.0, 2.5, 3.0, 4.0, 3.0}; /* rad/s */
static const float TAU_MAX[N] = FC_ARM_TAU_MAX_F32;      /* N m, N */

typedef struct {
    double q[N], v[N];
} arm_state;

/* Position, velocity and acceleration to be followed at time t. */
static void wanted(double t, float q[N], float v[N], float a[N])
{
    int i;
    for (i = 0; i < N; i++) {
        const double phase = RATE[i] * t;
        q[i] = (float)(MIDDLE[i] + SWING[i] * sin(phase));
        v[i] = (float)(SWING[i] * RATE[i] * cos(phase));
        a[i] = (float)(-SWING[i] * RATE[i] * RATE[i] * sin(phase));
    }
}

static float within(float x, float most)
{
    return x > most ? most : x < -most ? -most : x;
}

/* The joint forces for which errors decay like those of a critically damped oscillator of 20 rad/s, as far as
 * the motors have them. */
static void control(double t, const arm_state *x, float tau[N])
{
    const float omega = 20.0F;
    float q[N], v[N], a[N], q_now[N], v_now[N];
    int i;
    wanted(t, q, v, a);
    for (i = 0; i < N; i++) {
        q_now[i] = (float)x->q[i];
        v_now[i] = (float)x->v[i];
        a[i] += omega * omega * (q[i] - q_now[i]) + 2.0F * omega * (v[i] - v_now[i]);
    }
    fc_arm_rnea_f32(q_now, v_now, a, tau);
    for (i = 0; i < N; i++) {
        tau[i] = within(tau[i], TAU_MAX[i]);
    }
}

static void rates(const arm_state *x, const float tau[N], arm_state *dx)
{
    double felt[N];
    int i;
    for (i = 0; i < N; i++) {
        felt[i] = (double)tau[i] - RUBS[i] * x->v[i];
        dx->q[i] = x->v[i];
    }
    fc_arm_forward_dynamics_f64(x->q, x->v, felt, dx->v);
}

static arm_state moved(const arm_state *x, const arm_state *dx, double dt)
{
    arm_state y;
    int i;
    for (i = 0; i < N; i++) {
        y.q[i] = x->q[i] + dt * dx->q[i];
        y.v[i] = x->v[i] + dt * dx->v[i];
    }
    return y;
}

/* One step of the simulation, with constant joint forces. */
static void step(arm_state *x, const float tau[N])
{
    static const double AT[3] = {0.5, 0.5, 1.0}, WEIGHT[4] = {1.0, 2.0, 2.0, 1.0};
    arm_state dx[4], at = *x;
    int k;
    for (k = 0; k < 4; k++) {
        rates(&at, tau, &dx[k]);
        if (k < 3) {
            at = moved(x, &dx[k], AT[k] * DT);
        }
    }
    for (k = 0; k < 4; k++) {
        *x = moved(x, &dx[k], WEIGHT[k] * DT / 6.0);
    }
}

/* The larger of two errors; NaN is larger than all. */
static double larger(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

/* The largest error of a position. */
static double error_at(double t, const arm_state *x)
{
    float q[N], v[N], a[N];
    double worst = 0.0;
    int i;
    wanted(t, q, v, a);
    for (i = 0; i < N; i++) {
        worst = larger(worst, fabs((double)q[i] - x->q[i]));
    }
    return worst;
}

int main(void)
{
    arm_state x = {{0.1, 0.2, -0.5, 0.1, 0.05}, {0.0, 0.0, 0.0, 0.0, 0.0}};
    double worst = 0.0;
    float tau[N];
    int k;
    printf("largest error at the start %.4f\n", error_at(0.0, &x));
    for (k = 0; k < STEPS; k++) {
        control(k * DT, &x, tau);
        step(&x, tau);
        if (k >= STEPS / 2) {
            worst = larger(worst, error_at((k + 1) * DT, &x));
        }
    }
    printf("largest error in the second half %.4f\n", worst);
    return worst < 0.02 ? 0 : 1;
}
