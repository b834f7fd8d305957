/* SPDX-License-Identifier: MIT-0 */
/*
 * Self-test: compile it with the library for the target, with -DFC_SELFTEST_MAIN, and run it. It
 * returns 0 when every function is right there. With -DFC_SELFTEST_PRINT it also says which ones
 * are not. Without FC_SELFTEST_MAIN this file defines nothing, so a program may compile it with
 * the others.
 */
#include "fc.h"

#ifdef FC_SELFTEST_MAIN

#ifdef FC_SELFTEST_PRINT
#include <stdio.h>
#define REPORT(name) (void)printf("%s is wrong here\n", name)
#else
#define REPORT(name) (void)(name)
#endif

static int differs_f64(double found, double expected, double tolerance)
{
    const double error = found - expected;
    return !(error <= tolerance && -error <= tolerance);
}

/* A function, and its table: each row holds a status, inputs, results, and the tolerances of these. */
typedef struct {
    const char *name;
    fc_status (*call)(const double *in, double *out);
    const double *table;
    int rows;
    int width;
    int inputs;
    int results;
} test_f64;

static const double table_fc_mixing_f64[] = {
    0.0, -1.06494140625, -1.381591796875, 1.630615234375, 1.51123046875, 2.1237242221832275,
    4.859651625156403, 3.27349853515625, 0.0, 0.0, -38.80732957897255, 11.866416746849557,
    -4.124169840746752, -6.219082473864546, 3.465e-43, 3.465e-43, 1.47e-13, 3.045e-13, 3.045e-13,
    9.765e-14,
    0.0, 0.378173828125, 1.095458984375, 1.9091796875, 1.24462890625, 1.0121774673461914,
    4.293126165866852, 1.4540443420410156, 0.0, 0.0, -28.06465526638629, 13.700546253707385,
    4.514229020077015, -5.599557277570511, 1.155e-43, 1.155e-43, 1.05e-13, 1.05e-13, 1.05e-13,
    3.57e-14,
    0.0, -1.65234375, 1.2744140625, -1.68017578125, 0.51904296875, 3.9164567589759827,
    2.3307109475135803, 4.156347811222076, 0.0, 0.0, -17.356262140012944, 13.212750669340588,
    33.40615505371459, 5.2452062458196735, 2.835e-43, 2.835e-43, 6.51e-14, 2.52e-13, 2.52e-13,
    1.155e-13,
};

static fc_status call_fc_mixing_f64(const double *in, double *out)
{
    fc_mixing_f64(in, in[4], in[5], in[6], (fc_vec3_f64 *)out, (fc_vec3_f64 *)&out[3]);
    return FC_OK;
}

static const test_f64 tests_f64[] = {
    {"fc_mixing_f64", call_fc_mixing_f64,
     table_fc_mixing_f64, 3, 20, 7, 6},
};

/* The number of wrong results and statuses of a function, over all rows. */
static int failures_f64(const test_f64 *t)
{
    double found[6];
    int failures = 0;
    for (int i = 0; i < t->rows; i++) {
        const double *row = t->table + i * t->width;
        const double *expected = row + 1 + t->inputs;
        const double *tolerance = expected + t->results;
        failures += t->call(row + 1, found) != (fc_status)row[0];
        for (int k = 0; k < t->results; k++) {
            failures += differs_f64(found[k], expected[k], tolerance[k]);
        }
    }
    return failures;
}

static int differs_f32(float found, float expected, float tolerance)
{
    const float error = found - expected;
    return !(error <= tolerance && -error <= tolerance);
}

/* A function, and its table: each row holds a status, inputs, results, and the tolerances of these. */
typedef struct {
    const char *name;
    fc_status (*call)(const float *in, float *out);
    const float *table;
    int rows;
    int width;
    int inputs;
    int results;
} test_f32;

static const float table_fc_mixing_f32[] = {
    0.0F, -1.0649414F, -1.3815918F, 1.6306152F, 1.5112305F, 2.1237242F, 4.8596516F, 3.2734985F,
    0.0F, 0.0F, -38.807327F, 11.866417F, -4.12417F, -6.2190824F, 1.1754944e-38F, 1.1754944e-38F,
    7.77e-5F, 0.000168F, 0.000168F, 5.25e-5F,
    0.0F, 0.37817383F, 1.095459F, 1.9091797F, 1.2446289F, 1.0121775F, 4.293126F, 1.4540443F, 0.0F,
    0.0F, -28.064655F, 13.700546F, 4.514229F, -5.5995574F, 1.1754944e-38F, 1.1754944e-38F, 5.67e-5F,
    5.67e-5F, 5.67e-5F, 1.89e-5F,
    0.0F, -1.6523438F, 1.2744141F, -1.6801758F, 0.51904297F, 3.9164567F, 2.330711F, 4.1563478F,
    0.0F, 0.0F, -17.356262F, 13.21275F, 33.406155F, 5.2452064F, 1.1754944e-38F, 1.1754944e-38F,
    3.465e-5F, 0.0001365F, 0.0001365F, 6.195e-5F,
};

static fc_status call_fc_mixing_f32(const float *in, float *out)
{
    fc_mixing_f32(in, in[4], in[5], in[6], (fc_vec3_f32 *)out, (fc_vec3_f32 *)&out[3]);
    return FC_OK;
}

static const test_f32 tests_f32[] = {
    {"fc_mixing_f32", call_fc_mixing_f32,
     table_fc_mixing_f32, 3, 20, 7, 6},
};

/* The number of wrong results and statuses of a function, over all rows. */
static int failures_f32(const test_f32 *t)
{
    float found[6];
    int failures = 0;
    for (int i = 0; i < t->rows; i++) {
        const float *row = t->table + i * t->width;
        const float *expected = row + 1 + t->inputs;
        const float *tolerance = expected + t->results;
        failures += t->call(row + 1, found) != (fc_status)row[0];
        for (int k = 0; k < t->results; k++) {
            failures += differs_f32(found[k], expected[k], tolerance[k]);
        }
    }
    return failures;
}

int main(void)
{
    int wrong = 0;
    for (int i = 0; i < 1; i++) {
        if (failures_f64(&tests_f64[i]) > 0) {
            REPORT(tests_f64[i].name);
            wrong = 1;
        }
    }
    for (int i = 0; i < 1; i++) {
        if (failures_f32(&tests_f32[i]) > 0) {
            REPORT(tests_f32[i].name);
            wrong = 1;
        }
    }
    return wrong;
}

#endif
