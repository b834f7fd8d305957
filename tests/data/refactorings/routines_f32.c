#include "routines_f32.h"

#include <math.h>

/* smoothed samples: the mean of a window that moves over them */
void fc_smooth_f32(const float x[], int n, int width, float y[])
{
    int i;
    for (i = 0; i < n; i++) {
        float sum = 0.0F;
        int count = 0;
        int k;
        for (k = i - width; k <= i + width; k++) {
            if (k >= 0 && k < n) {
                sum += x[k];
                count++;
            }
        }
        y[i] = count > 0 ? sum / (float)count : x[i];
    }
}

/* the index of the largest sample that is finite; -1 without one */
int fc_peak_f32(const float x[], int n, float *largest)
{
    int best = -1;
    int i;
    *largest = 0.0F;
    for (i = 0; i < n; i++) {
        if (!(x[i] >= -3.4028235e+38F && x[i] <= 3.4028235e+38F)) {
            continue;
        }
        if (best < 0 || x[i] > *largest) {
            best = i;
            *largest = x[i];
        }
    }
    return best;
}

/* L L^T = A, in place; the row that is not positive definite, or n */
int fc_factor_f32(float A[], int n)
{
    int i;
    for (i = 0; i < n; i++) {
        int j;
        for (j = 0; j <= i; j++) {
            float sum = A[n * i + j];
            int k;
            for (k = 0; k < j; k++) {
                sum -= A[n * i + k] * A[n * j + k];
            }
            if (i == j) {
                if (!(sum > 0.0F)) {
                    return i;
                }
                A[n * i + i] = sqrtf(sum);
            } else {
                A[n * i + j] = sum / A[n * j + j];
            }
        }
    }
    return n;
}

/* a cascade of filters of second order */
void fc_cascade_f32(const fc_section_f32 s[], fc_memory_f32 m[], int sections, const float x[],
                    float y[], int n)
{
    int i;
    for (i = 0; i < n; i++) {
        float value = x[i];
        int k;
        for (k = 0; k < sections; k++) {
            const float out = s[k].b0 * value + m[k].z1;
            m[k].z1 = s[k].b1 * value - s[k].a1 * out + m[k].z2;
            m[k].z2 = s[k].b2 * value - s[k].a2 * out;
            value = out;
        }
        y[i] = value;
    }
}

/* the value of a table at x, between its points; the ends are held */
float fc_lookup_f32(const float points[], const float values[], int n, float x)
{
    int low = 0;
    int high = n - 1;
    float part;
    if (n <= 0) {
        return 0.0F;
    }
    if (!(x > points[0])) {
        return values[0];
    }
    if (x >= points[n - 1]) {
        return values[n - 1];
    }
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (points[middle] > x) {
            high = middle;
        } else {
            low = middle;
        }
    }
    part = (x - points[low]) / (points[high] - points[low]);
    return values[low] + part * (values[high] - values[low]);
}

/* counts of samples in classes of one width; samples beyond them are counted apart */
void fc_classes_f32(const float x[], int n, float first, float width, int counts[], int classes,
                    int *beyond)
{
    int i;
    *beyond = 0;
    for (i = 0; i < classes; i++) {
        counts[i] = 0;
    }
    for (i = 0; i < n; i++) {
        const float at = (x[i] - first) / width;
        if (at >= 0.0F && at < (float)classes && at < 1000.0F) {
            counts[(int)at] += 1;
        } else {
            *beyond += 1;
        }
    }
}

/* y = A^T (A x), and the norm of y */
void fc_normal_f32(const float A[], int rows, int cols, const float x[], float t[], float y[],
                   float *norm)
{
    float square = 0.0F;
    int i;
    int j;
    for (i = 0; i < rows; i++) {
        t[i] = 0.0F;
        for (j = 0; j < cols; j++) {
            t[i] += A[cols * i + j] * x[j];
        }
    }
    for (j = 0; j < cols; j++) {
        y[j] = 0.0F;
        for (i = 0; i < rows; i++) {
            y[j] += A[cols * i + j] * t[i];
        }
    }
    for (j = 0; j < cols; j++) {
        square += y[j] * y[j];
    }
    *norm = sqrtf(square);
}

/* samples that are limited in rate and in value, with a flag for each limit that was met */
int fc_limit_f32(const float x[], int n, float rate, float limit, float y[])
{
    int flags = 0;
    float last = 0.0F;
    int i;
    for (i = 0; i < n; i++) {
        float next = x[i];
        if (next > limit) {
            next = limit;
            flags |= 1;
        } else if (next < -limit) {
            next = -limit;
            flags |= 2;
        }
        if (next - last > rate) {
            next = last + rate;
            flags |= 4;
        }
        if (last - next > rate) {
            next = last - rate;
            flags |= 8;
        }
        y[i] = next;
        last = next;
    }
    return flags;
}
