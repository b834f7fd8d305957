/* Long runs on the compiled library; prints `name value` lines for test_long_run.py to judge. */
#include <math.h>
#include <stdio.h>

#include "fc.h"

#ifdef LONG_RUN_F32
#define FC(name) fc_##name##_f32
typedef float real;
#else
#define FC(name) fc_##name##_f64
typedef double real;
#endif

typedef struct {
    FC(vec3) p, v, w;
    FC(quat) q;
} state;

static const FC(vec3) NONE = {0, 0, 0};

static double size(FC(vec3) a)
{
    return sqrt((double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z);
}

static double distance(FC(vec3) a, FC(vec3) b)
{
    const FC(vec3) d = {a.x - b.x, a.y - b.y, a.z - b.z};
    return size(d);
}

static int advance(state *s, const FC(vec3) *F_B, real m, const FC(sym3) *J, real dt)
{
    return FC(rigid_body_step_rk4_quat)(&s->p, &s->q, &s->v, &s->w, F_B, &NONE, m, J, dt, &s->p, &s->q, &s->v,
                                        &s->w);
}

/* A torque-free asymmetric body with products of inertia, a million steps. */
static void free_body(void)
{
    const FC(sym3) J = {(real)1.0, (real)0.1, (real)-0.05, (real)1.5, (real)0.2, (real)2.0};
    const real m = 2, dt = (real)0.01;
    state s = {{0, 0, 0}, {(real)0.5, (real)-0.25, (real)0.125}, {(real)0.6, (real)0.5, (real)-0.4}, {1, 0, 0, 0}};
    FC(vec3) P_0, L_0, P, L;
    real energy_0, energy;
    double worst_energy = 0, worst_L = 0, worst_P = 0;
    int status = 0;
    long k;
    FC(rigid_body_energy)(&s.v, &s.w, m, &J, &energy_0);
    FC(rigid_body_momentum)(&s.q, &s.v, &s.w, m, &J, &P_0, &L_0);
    for (k = 1; k <= 1000000; k++) {
        status |= advance(&s, &NONE, m, &J, dt);
        if (k % 1000 == 0) {
            FC(rigid_body_energy)(&s.v, &s.w, m, &J, &energy);
            FC(rigid_body_momentum)(&s.q, &s.v, &s.w, m, &J, &P, &L);
            worst_energy = fmax(worst_energy, fabs((double)(energy - energy_0)) / (double)energy_0);
            worst_L = fmax(worst_L, distance(L, L_0) / size(L_0));
            worst_P = fmax(worst_P, distance(P, P_0) / size(P_0));
        }
    }
    (void)printf("free_status %d\nfree_energy %.17g\nfree_L %.17g\nfree_P %.17g\n", status, worst_energy, worst_L,
                 worst_P);
}

/* Spin about the intermediate axis, slightly disturbed: when it has turned over, and over again. */
static void flip(void)
{
    const FC(sym3) J = {1, 0, 0, 2, 0, 3};
    const real dt = (real)0.001;
    state s = {{0, 0, 0}, {0, 0, 0}, {(real)0.01, 1, 0}, {1, 0, 0, 0}};
    double before = 1, crossings[3] = {0, 0, 0};
    int status = 0, found = 0;
    long k;
    for (k = 1; found < 3 && k < 200000; k++) {
        const double w = (double)s.w.y;
        status |= advance(&s, &NONE, 1, &J, dt);
        if (w * (double)s.w.y < 0) {
            crossings[found++] = ((double)(k - 1) + w / (w - (double)s.w.y)) * 0.001;
        }
        before = (double)s.w.y;
    }
    (void)printf("flip_status %d\nflip_first %.17g\nflip_half_period %.17g\nflip_last %.17g\n", status,
                 crossings[0], crossings[1] - crossings[0], before);
}

/* A spinning projectile in vacuum, g along +z (NED): distance from its parabola after 10 s. */
static void projectile(void)
{
    const FC(sym3) J = {(real)0.1, 0, 0, (real)0.7, 0, (real)0.7};
    const FC(vec3) g_N = {0, 0, (real)9.81};
    const int steps = sizeof(real) == sizeof(double) ? 100000 : 10000;
    const real m = 45, dt = 10 / (real)steps;
    state s = {{0, 0, 0}, {300, 10, -200}, {(real)50, (real)3, (real)-2}, {1, 0, 0, 0}};
    const FC(vec3) ideal = {3000, 100, (real)(-2000 + 9.81 * 50)};
    int status = 0, k;
    for (k = 0; k < steps; k++) { /* gravity at the middle of the step, where the attitude is to be then */
        FC(vec3) F_B;
        FC(quat) middle;
        FC(quat_integrate)(&s.q, &s.w, dt / 2, &middle);
        FC(gravity_body)(&middle, m, &g_N, &F_B);
        status |= advance(&s, &F_B, m, &J, dt);
    }
    (void)printf("projectile_status %d\nprojectile_miss %.17g\n", status, distance(s.p, ideal));
}

/* A body at rest on the rotating Earth, held against gravitation: what it drifts in an hour. */
static void at_rest(void)
{
    const FC(sym3) J = {1, 0, 0, 2, 0, 3};
    const FC(vec3) Omega = {0, 0, (real)7.292115e-5};
    const real m = 10, dt = (real)0.5;
    const FC(vec3) start = {4000000, 1000000, 4800000};
    const FC(quat) q = {(real)0.8, (real)0.6, 0, 0};
    state s;
    int status = 0, k;
    double worst = 0;
    s.p = start;
    s.v = NONE;
    s.q = q;
    FC(quat_rotate_inverse)(&q, &Omega, &s.w);
    for (k = 0; k < 7200; k++) {
        FC(vec3) dp, dv, dw, F_E, M_B, L, Jw = {s.w.x, 2 * s.w.y, 3 * s.w.z};
        FC(quat) dq;
        const real centrifugal = Omega.z * Omega.z;
        F_E.x = -m * centrifugal * s.p.x; /* gravitation and support: what is left turns it with the Earth */
        F_E.y = -m * centrifugal * s.p.y;
        F_E.z = 0;
        L = Jw;
        M_B.x = s.w.y * L.z - s.w.z * L.y; /* the ground's torque on a body that is no sphere */
        M_B.y = s.w.z * L.x - s.w.x * L.z;
        M_B.z = s.w.x * L.y - s.w.y * L.x;
        status |= FC(rigid_body_dynamics_ecef)(&s.p, &s.q, &s.v, &s.w, &F_E, &M_B, m, &J, &Omega, 0, &dp, &dq, &dv,
                                               &dw);
        s.p.x += dt * dp.x;
        s.p.y += dt * dp.y;
        s.p.z += dt * dp.z;
        s.v.x += dt * dv.x;
        s.v.y += dt * dv.y;
        s.v.z += dt * dv.z;
        s.w.x += dt * dw.x;
        s.w.y += dt * dw.y;
        s.w.z += dt * dw.z;
        s.q.w += dt * dq.w;
        s.q.x += dt * dq.x;
        s.q.y += dt * dq.y;
        s.q.z += dt * dq.z;
        worst = fmax(worst, size(s.v));
    }
    (void)printf("rest_status %d\nrest_speed %.17g\nrest_drift %.17g\nrest_turn %.17g\n", status, worst,
                 distance(s.p, start),
                 fabs((double)s.q.w - 0.8) + fabs((double)s.q.x - 0.6) + fabs((double)s.q.y) + fabs((double)s.q.z));
}

/* A rocket that loses two thirds of its mass at no relative speed, and then at 100 m/s. */
static void rocket(void)
{
    const FC(sym3) J = {1, 0, 0, 2, 0, 3};
    const real dt = (real)0.001, dm = (real)-0.2;
    int kind;
    for (kind = 0; kind < 2; kind++) {
        const FC(vec3) u_rel = {kind == 0 ? 0 : -100, 0, 0};
        state s = {{0, 0, 0}, {50, 0, 0}, {0, 0, 0}, {1, 0, 0, 0}};
        int status = 0, k;
        for (k = 0; k < 10000; k++) {
            const real m = 3 + dm * ((real)k + (real)0.5) * dt;
            FC(vec3) F;
            FC(mass_flow_force)(dm, &u_rel, &F);
            status |= advance(&s, &F, m, &J, dt);
        }
        (void)printf("rocket_status_%d %d\nrocket_speed_%d %.17g\n", kind, status, kind, (double)s.v.x);
    }
}

int main(void)
{
    free_body();
    flip();
    projectile();
    at_rest();
    rocket();
    return 0;
}
