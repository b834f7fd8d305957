#ifndef ROUTINES_F32_H
#define ROUTINES_F32_H

typedef struct {
    float b0;
    float b1;
    float b2;
    float a1;
    float a2;
} fc_section_f32;

typedef struct {
    float z1;
    float z2;
} fc_memory_f32;

void fc_smooth_f32(const float x[], int n, int width, float y[]);
int fc_peak_f32(const float x[], int n, float *largest);
int fc_factor_f32(float A[], int n);
void fc_cascade_f32(const fc_section_f32 s[], fc_memory_f32 m[], int sections, const float x[],
                    float y[], int n);
float fc_lookup_f32(const float points[], const float values[], int n, float x);
void fc_classes_f32(const float x[], int n, float first, float width, int counts[], int classes,
                    int *beyond);
void fc_normal_f32(const float A[], int rows, int cols, const float x[], float t[], float y[],
                   float *norm);
int fc_limit_f32(const float x[], int n, float rate, float limit, float y[]);

#endif
