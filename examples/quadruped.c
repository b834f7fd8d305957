/*
 * Whole-body inverse dynamics of the robot of quadruped.urdf: the joint torques and the forces of its four feet
 * on the ground for a motion of trunk and legs, as a controller computes them at 1 kHz. The feet share the
 * wrench that the motion takes with the least sum of squares of their forces. Forward dynamics under these
 * torques and forces must return the motion.
 */
#include <math.h>
#include <stdio.h>

#include "pushed/fc.h"
#include "quadruped/fc.h"
#include "solve/fc.h"

enum { N = FC_QUADRUPED_JOINTS, FEET = 4 };

typedef struct {
    fc_quat_f32 q_WB;
    fc_motion_f32 V_B, A_B;
    float q[N], v[N], a[N];
} motion;

typedef struct {
    fc_vec3_f32 feet[FEET]; /* of the ground, in axes of the trunk */
    float tau[N];
} efforts;

typedef void pose_function(const float q[N], fc_transform_f32 *T);
typedef void jacobian_function(const float q[N], float J[6 * N]);

static pose_function *const POSES[FEET] = {
    fc_quadruped_pose_front_left_foot_f32, fc_quadruped_pose_front_right_foot_f32,
    fc_quadruped_pose_rear_left_foot_f32, fc_quadruped_pose_rear_right_foot_f32};
static jacobian_function *const JACOBIANS[FEET] = {
    fc_quadruped_jacobian_front_left_foot_f32, fc_quadruped_jacobian_front_right_foot_f32,
    fc_quadruped_jacobian_rear_left_foot_f32, fc_quadruped_jacobian_rear_right_foot_f32};

static void poses_of(const float q[N], fc_transform_f32 feet[FEET])
{
    int i;
    for (i = 0; i < FEET; i++) {
        POSES[i](q, &feet[i]);
    }
}

/* The inertia of a unit mass at each foot: it maps a twist [w; v] to the wrench of the forces v + w x p. */
static fc_inertia_f32 unit_masses(const fc_transform_f32 feet[FEET])
{
    fc_inertia_f32 sum = {(float)FEET, {0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F}};
    int i;
    for (i = 0; i < FEET; i++) {
        const fc_vec3_f32 p = feet[i].p;
        sum.h.x += p.x;
        sum.h.y += p.y;
        sum.h.z += p.z;
        sum.J.xx += p.y * p.y + p.z * p.z;
        sum.J.yy += p.x * p.x + p.z * p.z;
        sum.J.zz += p.x * p.x + p.y * p.y;
        sum.J.xy -= p.x * p.y;
        sum.J.xz -= p.x * p.z;
        sum.J.yz -= p.y * p.z;
    }
    return sum;
}

/* The forces of the feet with the wrench F on the trunk; 0 where there are none, as for feet on one line. */
static int shared(const fc_transform_f32 feet[FEET], const fc_force_f32 *F, fc_vec3_f32 forces[FEET])
{
    const fc_inertia_f32 masses = unit_masses(feet);
    fc_motion_f32 t;
    int i;
    if (fc_inertia_solve_f32(&masses, F, &t) != FC_OK) {
        return 0;
    }
    for (i = 0; i < FEET; i++) {
        const fc_vec3_f32 p = feet[i].p;
        forces[i].x = t.v.x + t.w.y * p.z - t.w.z * p.y;
        forces[i].y = t.v.y + t.w.z * p.x - t.w.x * p.z;
        forces[i].z = t.v.z + t.w.x * p.y - t.w.y * p.x;
    }
    return 1;
}

/* Torques and forces for a motion; 0 where there are none. */
static int whole_body(const motion *x, efforts *found)
{
    fc_transform_f32 feet[FEET];
    fc_force_f32 F;
    int i, j;
    fc_quadruped_rnea_f32(&x->q_WB, &x->V_B, &x->A_B, x->q, x->v, x->a, &F, found->tau);
    poses_of(x->q, feet);
    if (!shared(feet, &F, found->feet)) {
        return 0;
    }
    for (i = 0; i < FEET; i++) {
        const fc_vec3_f32 f = found->feet[i];
        float J[6 * N];
        JACOBIANS[i](x->q, J);
        for (j = 0; j < N; j++) {
            found->tau[j] -= J[3 * N + j] * f.x + J[4 * N + j] * f.y + J[5 * N + j] * f.z;
        }
    }
    return 1;
}

/* A force in axes of the trunk as a wrench on a foot, about its origin and in its axes. */
static fc_force_f32 on_foot(const fc_transform_f32 *T, const fc_vec3_f32 *f)
{
    const float *R = T->R.m;
    fc_force_f32 wrench = {{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F}};
    wrench.f.x = R[0] * f->x + R[3] * f->y + R[6] * f->z;
    wrench.f.y = R[1] * f->x + R[4] * f->y + R[7] * f->z;
    wrench.f.z = R[2] * f->x + R[5] * f->y + R[8] * f->z;
    return wrench;
}

/* The larger of two errors; NaN is larger than all. */
static float larger(float a, float b)
{
    return isnan(a) || a > b ? a : b;
}

/* The largest difference of the accelerations under these efforts from those of the motion. */
static float difference(const motion *x, const efforts *with)
{
    const fc_force_f32 none = {{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F}};
    fc_transform_f32 feet[FEET];
    fc_force_f32 F[FEET];
    fc_motion_f32 A;
    float a[N], worst;
    int i;
    poses_of(x->q, feet);
    for (i = 0; i < FEET; i++) {
        F[i] = on_foot(&feet[i], &with->feet[i]);
    }
    fc_pushed_forward_dynamics_f32(&x->q_WB, &x->V_B, x->q, x->v, with->tau, &none, &F[0], &F[1], &F[2], &F[3],
                                   &A, a);
    worst = larger(fabsf(A.w.x - x->A_B.w.x), fabsf(A.v.x - x->A_B.v.x));
    worst = larger(worst, larger(fabsf(A.w.y - x->A_B.w.y), fabsf(A.v.y - x->A_B.v.y)));
    worst = larger(worst, larger(fabsf(A.w.z - x->A_B.w.z), fabsf(A.v.z - x->A_B.v.z)));
    for (i = 0; i < N; i++) {
        worst = larger(worst, fabsf(a[i] - x->a[i]));
    }
    return worst;
}

/* The trunk bobs and pitches, and the legs swing a little. */
static motion at_time(float t)
{
    static const float stance[3] = {0.05F, 0.7F, -1.4F}, swing[3] = {0.05F, 0.1F, 0.15F};
    const float pitch = 0.1F * sinf(5.0F * t), rate = 0.5F * cosf(5.0F * t), rise = -2.5F * sinf(5.0F * t);
    motion x = {{1.0F, 0.0F, 0.0F, 0.0F}, {{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F}},
                {{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F}}, {0.0F}, {0.0F}, {0.0F}};
    int i;
    x.q_WB.w = cosf(0.5F * pitch);
    x.q_WB.y = sinf(0.5F * pitch);
    x.V_B.w.y = rate;
    x.V_B.v.x = 0.4F;
    x.A_B.w.y = rise;
    x.A_B.v.z = 1.5F * sinf(7.0F * t);
    for (i = 0; i < N; i++) {
        const float phase = 6.0F * t + (float)(i / 3);
        x.q[i] = stance[i % 3] + swing[i % 3] * sinf(phase);
        x.v[i] = 6.0F * swing[i % 3] * cosf(phase);
        x.a[i] = -36.0F * swing[i % 3] * sinf(phase);
    }
    return x;
}

int main(void)
{
    float worst = 0.0F, least = 1e9F, most = 0.0F;
    int step, i;
    for (step = 0; step < 1000; step++) {
        const motion x = at_time(0.001F * (float)step);
        efforts found;
        if (!whole_body(&x, &found)) {
            printf("the feet cannot hold the trunk\n");
            return 1;
        }
        worst = larger(worst, difference(&x, &found));
        for (i = 0; i < FEET; i++) {
            least = found.feet[i].z < least ? found.feet[i].z : least;
        }
        for (i = 0; i < N; i++) {
            most = larger(most, fabsf(found.tau[i]));
        }
    }
    printf("the ground pushes with at least %.1f N, the largest torque is %.1f N m\n", (double)least, (double)most);
    printf("largest difference of an acceleration %.5f\n", (double)worst);
    return worst < 0.05F ? 0 : 1;
}
