/*
 * Spheres without friction: a ball that drops, a row of balls that one more runs into, and a stack of 20.
 * Each scene runs 1000 steps and is checked in each: no overlap, complementary impulses, and the momentum
 * that it must have. Returns 0 when all of that holds.
 *
 *     featherc generate -o build/fc
 *     cc -std=c99 -Ibuild/fc examples/balls.c build/fc/fc_contact*_f64.c -lm -o build/balls
 */
#include <math.h>
#include <stdio.h>

#include "fc.h"

#ifdef BALLS_F32
#define FC(name) fc_##name##_f32
typedef float real;
#define TOLERANCE 2e-5F
#else
#define FC(name) fc_##name##_f64
typedef double real;
#define TOLERANCE 1e-9
#endif

enum { MOST_BALLS = 20, MOST_CONTACTS = 40, WORLD = -1, STEPS = 1000 };

typedef struct {
    int nb;
    int floor; /* whether there is one, at z = 0 */
    real gravity;
    real radius;
    real m[MOST_BALLS];
    FC(sym3) J_B[MOST_BALLS];
    FC(vec3) x[MOST_BALLS];
    FC(contact_twist) v[MOST_BALLS];
} scene;

typedef struct {
    int nc;
    int body_A[MOST_CONTACTS];
    int body_B[MOST_CONTACTS];
    real gap[MOST_CONTACTS];
    FC(contact_wrench) D_A[MOST_CONTACTS];
    FC(contact_wrench) D_B[MOST_CONTACTS];
} contacts;

static const FC(mat3) UPRIGHT = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
static const FC(vec3) ORIGIN = {0, 0, 0};

static void add_contact(contacts *c, int a, int b, const FC(vec3) *n, real gap, const FC(vec3) *c_A,
                        const FC(vec3) *c_B, const FC(vec3) *p_A, const FC(vec3) *p_B)
{
    const int i = c->nc++;
    c->body_A[i] = a;
    c->body_B[i] = b;
    c->gap[i] = gap;
    FC(contact_jacobian)(&UPRIGHT, &UPRIGHT, n, c_A, c_B, p_A, p_B, &c->D_A[i], &c->D_B[i]);
}

/* Every pair, and every ball with the floor, that is nearer than a radius. */
static fc_status find_contacts(const scene *s, contacts *c)
{
    static const FC(vec3) up = {0, 0, 1};
    fc_status status = FC_OK;
    int a;
    c->nc = 0;
    for (a = 0; a < s->nb; a++) {
        FC(vec3) n, c_A, c_B;
        real gap;
        int b;
        if (s->floor) {
            FC(sphere_plane_contact)(&up, 0, &s->x[a], s->radius, &gap, &c_A, &c_B);
            if (gap < s->radius) {
                add_contact(c, WORLD, a, &up, gap, &c_A, &c_B, &ORIGIN, &s->x[a]);
            }
        }
        for (b = a + 1; b < s->nb; b++) {
            status |= FC(sphere_sphere_contact)(&s->x[a], s->radius, &s->x[b], s->radius, &n, &gap, &c_A, &c_B);
            if (gap < s->radius) {
                add_contact(c, a, b, &n, gap, &c_A, &c_B, &s->x[a], &s->x[b]);
            }
        }
    }
    return status;
}

/* One step of dt; returns the status, the solver's residual in `residual`, the impulses in `lambda`. */
static fc_status step(scene *s, real dt, contacts *c, real *lambda, real *residual)
{
    static const FC(contact_twist) still;
    static real N[MOST_CONTACTS * MOST_CONTACTS];
    FC(contact_twist) v_star[MOST_BALLS];
    real r[MOST_CONTACTS];
    const int before = c->nc;
    fc_status status = find_contacts(s, c);
    int used, i, b;
    for (b = 0; b < s->nb; b++) {
        const FC(contact_wrench) weight = {{0, 0, -s->m[b] * s->gravity}, {0, 0, 0}};
        status |= FC(contact_free_velocity)(&s->v[b], &weight, s->m[b], &s->J_B[b], dt, &v_star[b]);
    }
    for (i = 0; i < c->nc; i++) {
        const FC(contact_twist) *v_A = c->body_A[i] == WORLD ? &still : &v_star[c->body_A[i]];
        status |= FC(contact_rhs)(c->gap[i], dt, 1, &c->D_A[i], &c->D_B[i], v_A, &v_star[c->body_B[i]], &r[i]);
        lambda[i] = c->nc == before ? lambda[i] : 0;
    }
    status |= FC(contact_delassus)(s->nb, c->nc, s->m, s->J_B, c->body_A, c->body_B, c->D_A, c->D_B, N);
    status |= FC(contact_solve_apgd)(N, r, lambda, c->nc, 4000, TOLERANCE, residual, &used);
    status |= FC(contact_velocity_update)(s->nb, c->nc, s->m, s->J_B, c->body_A, c->body_B, c->D_A, c->D_B,
                                          lambda, v_star, s->v);
    for (b = 0; b < s->nb; b++) {
        s->x[b].x += dt * s->v[b].v_N.x;
        s->x[b].y += dt * s->v[b].v_N.y;
        s->x[b].z += dt * s->v[b].v_N.z;
    }
    return status;
}

static FC(vec3) momentum(const scene *s)
{
    FC(vec3) p = {0, 0, 0};
    int b;
    for (b = 0; b < s->nb; b++) {
        p.x += s->m[b] * s->v[b].v_N.x;
        p.y += s->m[b] * s->v[b].v_N.y;
        p.z += s->m[b] * s->v[b].v_N.z;
    }
    return p;
}

static scene balls(int nb, int floor, real gravity)
{
    scene s = {0};
    int b;
    s.nb = nb;
    s.floor = floor;
    s.gravity = gravity;
    s.radius = (real)0.1;
    for (b = 0; b < nb; b++) {
        const FC(sym3) sphere = {(real)0.002, 0, 0, (real)0.002, 0, (real)0.002};
        s.m[b] = (real)0.5;
        s.J_B[b] = sphere;
    }
    return s;
}

/* Runs the scene; the worst overlap and residual, and the largest error of the momentum's change. */
static int run(const char *name, scene *s, real dt)
{
    contacts c;
    real lambda[MOST_CONTACTS] = {0};
    real overlap = 0, worst = 0, drift = 0;
    fc_status status = FC_OK;
    int failed, k, i;
    c.nc = 0;
    for (k = 0; k < STEPS; k++) {
        const FC(vec3) p = momentum(s);
        FC(vec3) q;
        real residual, push = 0, weight = 0;
        status |= step(s, dt, &c, lambda, &residual);
        worst = residual > worst ? residual : worst;
        for (i = 0; i < s->nb; i++) {
            weight += s->m[i] * s->gravity * dt;
        }
        for (i = 0; i < c.nc; i++) {
            push += c.body_A[i] == WORLD ? lambda[i] : 0;
        }
        q = momentum(s);
        drift += (real)fabs(q.x - p.x) + (real)fabs(q.y - p.y) + (real)fabs(q.z - p.z + weight - push);
        status |= find_contacts(s, &c);
        for (i = 0; i < c.nc; i++) {
            overlap = -c.gap[i] > overlap ? -c.gap[i] : overlap;
        }
    }
    failed = status != FC_OK || overlap > 100 * TOLERANCE || worst > TOLERANCE || drift > 100 * TOLERANCE;
    (void)printf("%-10s status %u, overlap %.2e m, residual %.2e, momentum %.2e N s: %s\n", name, status,
                 (double)overlap, (double)worst, (double)drift, failed ? "WRONG" : "ok");
    return failed;
}

int main(void)
{
    const real dt = (real)0.001;
    scene drop = balls(1, 1, (real)9.81);
    scene row = balls(6, 0, 0);
    scene stack = balls(MOST_BALLS, 1, (real)9.81);
    int failed = 0, b;

    drop.x[0].z = (real)1.1;
    failed |= run("drop", &drop, dt);
    failed |= !(fabs(drop.x[0].z - drop.radius) < 1e-6 + 10 * TOLERANCE && fabs(drop.v[0].v_N.z) < 1e-6 + 10 * TOLERANCE);

    for (b = 0; b < row.nb; b++) { /* the first runs into five at rest, which then all move on together */
        row.x[b].x = (real)(b == 0 ? -0.5 : 0.21 * b);
    }
    row.v[0].v_N.x = 3;
    failed |= run("row", &row, dt);
    for (b = 0; b < row.nb; b++) { /* each step may leave a rate of TOLERANCE */
        failed |= !(fabs(row.v[b].v_N.x - 0.5) < STEPS * TOLERANCE);
    }

    for (b = 0; b < stack.nb; b++) {
        stack.x[b].z = (real)(0.1 + 0.205 * b);
    }
    failed |= run("stack", &stack, dt);
    for (b = 0; b < stack.nb; b++) {
        failed |= !(fabs(stack.x[b].z - (0.1 + 0.2 * b)) < 1e-6 + 10 * TOLERANCE);
    }
    return failed;
}
