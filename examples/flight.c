/* Flies the filter of inertial.py, in float, with simulated sensors whose noise is as large as it assumes.
   Prints NEES, the error's square in units of the covariance: 15 on average where the covariance is right.
   With the name of a file, it draws the average over all flights at each measurement there, as SVG. */
#include <math.h>
#include <stdio.h>

#include "fc.h"

enum { STATES = 15, FLIGHTS = 30, STEPS = 6000, AT = 20 };

typedef struct {
    fc_vec3_f64 p, v, accel_bias, gyro_bias;
    fc_quat_f64 q;
} truth;

typedef struct {
    fc_vec3_f32 p, v, accel_bias, gyro_bias;
    fc_quat_f32 q;
    float P[120];
} estimate;

static const double DT = 0.01, ACCEL = 0.05, GYRO = 0.002, ACCEL_WALK = 1e-4, GYRO_WALK = 2e-6;
static const double POSITION = 1.5, VELOCITY = 0.15, HEADING = 0.03;
static const double START[5] = {3.0, 0.5, 0.05, 0.1, 0.005};
static unsigned long long seed = 2026;

/* A normal number, as the sum of twelve uniform ones. */
static double normal(void)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        sum += (double)(seed >> 11) / 9007199254740992.0;
    }
    return sum;
}

static fc_vec3_f64 noise(double deviation)
{
    fc_vec3_f64 n;
    n.x = deviation * normal();
    n.y = deviation * normal();
    n.z = deviation * normal();
    return n;
}

static fc_vec3_f64 sum(fc_vec3_f64 a, fc_vec3_f64 b)
{
    const fc_vec3_f64 c = {a.x + b.x, a.y + b.y, a.z + b.z};
    return c;
}

static fc_vec3_f32 to_float(fc_vec3_f64 a)
{
    const fc_vec3_f32 b = {(float)a.x, (float)a.y, (float)a.z};
    return b;
}

static fc_vec3_f32 all(double x)
{
    const fc_vec3_f32 b = {(float)x, (float)x, (float)x};
    return b;
}

/* R^T a. */
static fc_vec3_f64 in_body(fc_quat_f64 q, fc_vec3_f64 a)
{
    const double x = 2.0 * (q.z * a.y - q.y * a.z), y = 2.0 * (q.x * a.z - q.z * a.x);
    const double z = 2.0 * (q.y * a.x - q.x * a.y);
    const fc_vec3_f64 b = {a.x + q.w * x + q.z * y - q.y * z, a.y + q.w * y + q.x * z - q.z * x,
                           a.z + q.w * z + q.y * x - q.x * y};
    return b;
}

/* A step of the vehicle, and of the filter with what the sensors measure. */
static void step(truth *t, estimate *e, double time)
{
    const fc_vec3_f64 a = {2.0 * sin(0.4 * time), 2.0 * cos(0.3 * time), 0.5 * sin(0.5 * time) - 9.80665};
    const fc_vec3_f64 w = {0.3 * sin(0.5 * time), 0.2 * sin(0.7 * time), 0.4 * sin(0.1 * time)};
    const fc_vec3_f64 na = noise(ACCEL), nw = noise(GYRO), wa = noise(ACCEL_WALK), ww = noise(GYRO_WALK);
    const fc_vec3_f64 accel = sum(sum(in_body(t->q, a), t->accel_bias), na);
    const fc_vec3_f64 gyro = sum(sum(w, t->gyro_bias), nw);
    const fc_vec3_f32 none = {0.0F, 0.0F, 0.0F}, accel_32 = to_float(accel), gyro_32 = to_float(gyro);
    const fc_vec3_f32 va = all(ACCEL * ACCEL), vw = all(GYRO * GYRO);
    const fc_vec3_f32 vwa = all(ACCEL_WALK * ACCEL_WALK), vww = all(GYRO_WALK * GYRO_WALK);

    fc_strapdown_f64(&t->p, &t->v, &t->q, &t->accel_bias, &t->gyro_bias, &accel, &gyro, &na, &nw, &wa, &ww,
                     DT, &t->p, &t->v, &t->q, &t->accel_bias, &t->gyro_bias);
    fc_predict_covariance_f32(&e->q, &e->accel_bias, &e->gyro_bias, &accel_32, &gyro_32, (float)DT, &va, &vw,
                              &vwa, &vww, e->P, e->P);
    fc_strapdown_f32(&e->p, &e->v, &e->q, &e->accel_bias, &e->gyro_bias, &accel_32, &gyro_32, &none, &none,
                     &none, &none, (float)DT, &e->p, &e->v, &e->q, &e->accel_bias, &e->gyro_bias);
}

static void correct(estimate *e, const float correction[STATES])
{
    fc_correct_f32(&e->p, &e->v, &e->q, &e->accel_bias, &e->gyro_bias, correction, &e->p, &e->v, &e->q,
                   &e->accel_bias, &e->gyro_bias);
}

/* One measurement after the other, each at the states that the one before it has corrected. */
static int measure(const truth *t, estimate *e)
{
    const fc_vec3_f32 p = to_float(sum(t->p, noise(POSITION))), v = to_float(sum(t->v, noise(VELOCITY)));
    const float rp = (float)(POSITION * POSITION), rv = (float)(VELOCITY * VELOCITY);
    float x[STATES], y, s, angle;
    double heading;
    int used, count = 0;

    fc_fuse_position_x_f32(&e->p, p.x, rp, 5.0F, e->P, x, e->P, &y, &s, &used), correct(e, x), count += used;
    fc_fuse_position_y_f32(&e->p, p.y, rp, 5.0F, e->P, x, e->P, &y, &s, &used), correct(e, x), count += used;
    fc_fuse_position_z_f32(&e->p, p.z, rp, 5.0F, e->P, x, e->P, &y, &s, &used), correct(e, x), count += used;
    fc_fuse_velocity_x_f32(&e->v, v.x, rv, 5.0F, e->P, x, e->P, &y, &s, &used), correct(e, x), count += used;
    fc_fuse_velocity_y_f32(&e->v, v.y, rv, 5.0F, e->P, x, e->P, &y, &s, &used), correct(e, x), count += used;
    fc_fuse_velocity_z_f32(&e->v, v.z, rv, 5.0F, e->P, x, e->P, &y, &s, &used), correct(e, x), count += used;
    fc_heading_f64(&t->q, &heading);
    fc_heading_f32(&e->q, &angle);
    heading += HEADING * normal() - (double)angle; /* the shorter way round */
    angle += (float)(heading - 6.283185307179586 * floor(heading / 6.283185307179586 + 0.5));
    fc_fuse_heading_f32(&e->q, angle, (float)(HEADING * HEADING), 5.0F, e->P, x, e->P, &y, &s, &used);
    correct(e, x);
    return count + used;
}

/* The errors of the states, that of the attitude as a rotation vector in body axes. */
static void errors(const truth *t, const estimate *e, double d[STATES])
{
    const fc_quat_f64 a = {(double)e->q.w, -(double)e->q.x, -(double)e->q.y, -(double)e->q.z}, b = t->q;
    const double w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    const double sign = w < 0.0 ? -2.0 : 2.0;
    const fc_vec3_f64 truths[4] = {t->p, t->v, t->accel_bias, t->gyro_bias};
    const fc_vec3_f32 estimates[4] = {e->p, e->v, e->accel_bias, e->gyro_bias};
    const int first[4] = {0, 3, 9, 12};

    for (int i = 0; i < 4; i++) {
        d[first[i]] = truths[i].x - (double)estimates[i].x;
        d[first[i] + 1] = truths[i].y - (double)estimates[i].y;
        d[first[i] + 2] = truths[i].z - (double)estimates[i].z;
    }
    d[6] = sign * (a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y);
    d[7] = sign * (a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x);
    d[8] = sign * (a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

/* d^T P^-1 d by Cholesky's method; negative where P is not positive definite. */
static double nees(const float P[120], const double d[STATES])
{
    double L[STATES][STATES], y[STATES], total = 0.0;
    for (int i = 0; i < STATES; i++) {
        y[i] = d[i];
        for (int j = 0; j <= i; j++) {
            L[i][j] = (double)P[j * (2 * STATES - 1 - j) / 2 + i];
            for (int k = 0; k < j; k++) {
                L[i][j] -= L[i][k] * L[j][k];
            }
            if (i != j) {
                L[i][j] /= L[j][j];
                y[i] -= L[i][j] * y[j];
            } else if (L[i][i] > 0.0) {
                L[i][i] = sqrt(L[i][i]);
            } else {
                return -1.0;
            }
        }
        y[i] /= L[i][i];
        total += y[i] * y[i];
    }
    return total;
}

static void start(truth *t, estimate *e)
{
    const estimate zero = {0};
    float x[STATES];
    const fc_quat_f32 level = {1.0F, 0.0F, 0.0F, 0.0F};
    estimate true_32;

    *e = zero;
    e->q = level;
    true_32 = *e;
    for (int i = 0; i < STATES; i++) {
        x[i] = (float)(START[i / 3] * normal());
        e->P[i * (2 * STATES - 1 - i) / 2 + i] = (float)(START[i / 3] * START[i / 3]);
    }
    correct(&true_32, x); /* the truth is off by what the covariance says */
    t->p.x = (double)true_32.p.x, t->p.y = (double)true_32.p.y, t->p.z = (double)true_32.p.z;
    t->v.x = (double)true_32.v.x, t->v.y = (double)true_32.v.y, t->v.z = (double)true_32.v.z;
    t->q.w = (double)true_32.q.w, t->q.x = (double)true_32.q.x;
    t->q.y = (double)true_32.q.y, t->q.z = (double)true_32.q.z;
    t->accel_bias.x = (double)true_32.accel_bias.x, t->accel_bias.y = (double)true_32.accel_bias.y;
    t->accel_bias.z = (double)true_32.accel_bias.z;
    t->gyro_bias.x = (double)true_32.gyro_bias.x, t->gyro_bias.y = (double)true_32.gyro_bias.y;
    t->gyro_bias.z = (double)true_32.gyro_bias.z;
}

/* The band holds 95 % of averages over as many flights, each of a chi-square variable of 15 degrees. */
static int draw(const char *path, const double mean[STEPS / AT])
{
    const double half = 1.96 * sqrt(2.0 * STATES / FLIGHTS), x = 600.0 / (STEPS / AT), y = 10.0;
    FILE *file = fopen(path, "w");

    if (!file) {
        return 0;
    }
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 660 300\" width=\"660\" "
                  "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"660\" height=\"300\" "
                  "fill=\"white\"/>\n<rect x=\"40\" y=\"%.1f\" width=\"600\" height=\"%.1f\" fill=\"#dbe7f3\"/>\n",
            260.0 - y * (STATES + half), 2.0 * y * half);
    for (int value = 0; value <= 25; value += 5) {
        fprintf(file, "<path d=\"M40 %.1fH640\" stroke=\"#bbb\"/><text x=\"34\" y=\"%.1f\" "
                      "text-anchor=\"end\">%d</text>\n", 260.0 - y * value, 264.0 - y * value, value);
    }
    for (int time = 0; time <= 60; time += 10) {
        fprintf(file, "<text x=\"%d\" y=\"278\" text-anchor=\"middle\">%d</text>\n", 40 + 10 * time, time);
    }
    fprintf(file, "<text x=\"340\" y=\"295\" text-anchor=\"middle\">time, s</text>\n<polyline fill=\"none\" "
                  "stroke=\"#1f5a99\" points=\"");
    for (int k = 0; k < STEPS / AT; k++) {
        fprintf(file, "%.1f,%.1f ", 40.0 + x * (k + 1), 260.0 - y * mean[k]);
    }
    fprintf(file, "\"/>\n</svg>\n");
    return fclose(file) == 0;
}

int main(int count, char **arguments)
{
    double mean[STEPS / AT] = {0.0}, d[STATES], all_of_it = 0.0, square = 0.0;
    int used = 0, lost = 0;

    for (int flight = 0; flight < FLIGHTS; flight++) {
        truth t;
        estimate e;
        start(&t, &e);
        for (int k = 0; k < STEPS; k++) {
            step(&t, &e, DT * k);
            if (k % AT == AT - 1) {
                used += measure(&t, &e);
                errors(&t, &e, d);
                const double value = nees(e.P, d);
                lost += value < 0.0;
                mean[k / AT] += value / FLIGHTS;
                all_of_it += value;
                square += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            }
        }
    }
    all_of_it /= FLIGHTS * (STEPS / AT);
    printf("NEES %.2f on average, %.2f at the first and %.2f at the last measurement\n", all_of_it, mean[0],
           mean[STEPS / AT - 1]);
    printf("position within %.2f m, %.2f %% of the measurements used, P not positive %d times\n",
           sqrt(square / FLIGHTS / (STEPS / AT)), 100.0 * used / (7.0 * FLIGHTS * (STEPS / AT)), lost);
    if (count > 1 && !draw(arguments[1], mean)) {
        printf("%s cannot be written\n", arguments[1]);
        return 2;
    }
    return lost > 0 || all_of_it < 13.5 || all_of_it > 16.5;
}
