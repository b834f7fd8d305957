/*
 * Each kernel as a careful engineer writes it without a generator: inputs are read once, what is shared is computed
 * once, matrices are orthonormal and symmetric where they are. REAL is float or double, NAME(f) the name of f in
 * that precision, and LIBM(f) that of libm's function.
 */
#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

#define ROTATED(R, x, y, z, i) ((R)[3 * (i)] * (x) + (R)[3 * (i) + 1] * (y) + (R)[3 * (i) + 2] * (z))

/* S' = R S R^T of a symmetric matrix: 5 elements of R (S - zz 1) R^T, the sixth by the trace. */
INLINE void rotate_symmetric(const REAL *R, const REAL *S, REAL *out)
{
    const REAL xx = S[0] - S[5], xy = S[1], xz = S[2], yy = S[3] - S[5], yz = S[4], zz = S[5];
    const REAL a0 = R[0] * xx + R[1] * xy + R[2] * xz, a1 = R[0] * xy + R[1] * yy + R[2] * yz;
    const REAL a2 = R[0] * xz + R[1] * yz;
    const REAL b0 = R[3] * xx + R[4] * xy + R[5] * xz, b1 = R[3] * xy + R[4] * yy + R[5] * yz;
    const REAL b2 = R[3] * xz + R[4] * yz;
    const REAL d0 = a0 * R[0] + a1 * R[1] + a2 * R[2];
    const REAL d3 = b0 * R[3] + b1 * R[4] + b2 * R[5];
    out[0] = d0 + zz;
    out[1] = a0 * R[3] + a1 * R[4] + a2 * R[5];
    out[2] = a0 * R[6] + a1 * R[7] + a2 * R[8];
    out[3] = d3 + zz;
    out[4] = b0 * R[6] + b1 * R[7] + b2 * R[8];
    out[5] = (xx + yy) - (d0 + d3) + zz;
}

void NAME(inertia_transform)(const REAL T[12], const REAL I[10], REAL out[10])
{
    const REAL m = I[0], px = T[9], py = T[10], pz = T[11];
    const REAL hx = ROTATED(T, I[1], I[2], I[3], 0);
    const REAL hy = ROTATED(T, I[1], I[2], I[3], 1);
    const REAL hz = ROTATED(T, I[1], I[2], I[3], 2);
    const REAL gx = hx + m * px, gy = hy + m * py, gz = hz + m * pz;
    REAL S[6];
    rotate_symmetric(T, &I[4], S);
    {
        const REAL sx = hx + gx, sy = hy + gy, sz = hz + gz; /* of p~ h~ + g~ p~ */
        const REAL dx = px * sx, dy = py * sy, dz = pz * sz;
        out[4] = S[0] + dy + dz;
        out[7] = S[3] + dx + dz;
        out[9] = S[5] + dx + dy;
    }
    out[5] = S[1] - hx * py - px * gy;
    out[6] = S[2] - hx * pz - px * gz;
    out[8] = S[4] - hy * pz - py * gz;
    out[0] = m;
    out[1] = gx;
    out[2] = gy;
    out[3] = gz;
}

void NAME(central_transform)(const REAL T[12], const REAL C[10], REAL out[10])
{
    const REAL m = C[0], px = T[9], py = T[10], pz = T[11];
    const REAL hx = ROTATED(T, C[1], C[2], C[3], 0) + m * px;
    const REAL hy = ROTATED(T, C[1], C[2], C[3], 1) + m * py;
    const REAL hz = ROTATED(T, C[1], C[2], C[3], 2) + m * pz;
    REAL S[6];
    rotate_symmetric(T, &C[4], S);
    out[0] = m;
    out[1] = hx;
    out[2] = hy;
    out[3] = hz;
    memcpy(&out[4], S, sizeof S);
}

void NAME(inertia_multiply)(const REAL I[10], const REAL v[6], REAL out[6])
{
    const REAL m = I[0], hx = I[1], hy = I[2], hz = I[3];
    const REAL x = v[0], y = v[1], z = v[2], a = v[3], b = v[4], c = v[5];
    const REAL nx = I[4] * x + I[5] * y + I[6] * z + hy * c - hz * b;
    const REAL ny = I[5] * x + I[7] * y + I[8] * z + hz * a - hx * c;
    const REAL nz = I[6] * x + I[8] * y + I[9] * z + hx * b - hy * a;
    out[0] = nx;
    out[1] = ny;
    out[2] = nz;
    out[3] = m * a - hy * z + hz * y;
    out[4] = m * b - hz * x + hx * z;
    out[5] = m * c - hx * y + hy * x;
}

void NAME(motion_transform)(const REAL T[12], const REAL v[6], REAL out[6])
{
    const REAL px = T[9], py = T[10], pz = T[11];
    const REAL wx = ROTATED(T, v[0], v[1], v[2], 0);
    const REAL wy = ROTATED(T, v[0], v[1], v[2], 1);
    const REAL wz = ROTATED(T, v[0], v[1], v[2], 2);
    const REAL a = ROTATED(T, v[3], v[4], v[5], 0) + py * wz - pz * wy;
    const REAL b = ROTATED(T, v[3], v[4], v[5], 1) + pz * wx - px * wz;
    const REAL c = ROTATED(T, v[3], v[4], v[5], 2) + px * wy - py * wx;
    out[0] = wx;
    out[1] = wy;
    out[2] = wz;
    out[3] = a;
    out[4] = b;
    out[5] = c;
}

void NAME(force_transform)(const REAL T[12], const REAL f[6], REAL out[6])
{
    const REAL px = T[9], py = T[10], pz = T[11];
    const REAL a = ROTATED(T, f[3], f[4], f[5], 0);
    const REAL b = ROTATED(T, f[3], f[4], f[5], 1);
    const REAL c = ROTATED(T, f[3], f[4], f[5], 2);
    const REAL nx = ROTATED(T, f[0], f[1], f[2], 0) + py * c - pz * b;
    const REAL ny = ROTATED(T, f[0], f[1], f[2], 1) + pz * a - px * c;
    const REAL nz = ROTATED(T, f[0], f[1], f[2], 2) + px * b - py * a;
    out[0] = nx;
    out[1] = ny;
    out[2] = nz;
    out[3] = a;
    out[4] = b;
    out[5] = c;
}

/* w x u into x, y, z */
#define CROSS(w, u, x, y, z) \
    x = (w)[1] * (u)[2] - (w)[2] * (u)[1], y = (w)[2] * (u)[0] - (w)[0] * (u)[2], \
    z = (w)[0] * (u)[1] - (w)[1] * (u)[0]

void NAME(motion_cross)(const REAL v[6], const REAL u[6], REAL out[6])
{
    const REAL *w = v, *l = &v[3];
    const REAL CROSS(w, u, x, y, z);
    const REAL a = w[1] * u[5] - w[2] * u[4] + l[1] * u[2] - l[2] * u[1];
    const REAL b = w[2] * u[3] - w[0] * u[5] + l[2] * u[0] - l[0] * u[2];
    const REAL c = w[0] * u[4] - w[1] * u[3] + l[0] * u[1] - l[1] * u[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = a;
    out[4] = b;
    out[5] = c;
}

void NAME(force_cross)(const REAL v[6], const REAL f[6], REAL out[6])
{
    const REAL *w = v, *l = &v[3], *g = &f[3];
    const REAL CROSS(w, g, x, y, z);
    const REAL a = w[1] * f[2] - w[2] * f[1] + l[1] * g[2] - l[2] * g[1];
    const REAL b = w[2] * f[0] - w[0] * f[2] + l[2] * g[0] - l[0] * g[2];
    const REAL c = w[0] * f[1] - w[1] * f[0] + l[0] * g[1] - l[1] * g[0];
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = x;
    out[4] = y;
    out[5] = z;
}

/* v x* I v, by I v first. */
void NAME(inertia_bias_force)(const REAL I[10], const REAL v[6], REAL out[6])
{
    const REAL m = I[0], hx = I[1], hy = I[2], hz = I[3];
    const REAL x = v[0], y = v[1], z = v[2], a = v[3], b = v[4], c = v[5];
    const REAL fx = m * a + y * hz - z * hy, fy = m * b + z * hx - x * hz, fz = m * c + x * hy - y * hx;
    const REAL nx = I[4] * x + I[5] * y + I[6] * z + hy * c - hz * b;
    const REAL ny = I[5] * x + I[7] * y + I[8] * z + hz * a - hx * c;
    const REAL nz = I[6] * x + I[8] * y + I[9] * z + hx * b - hy * a;
    out[0] = y * nz - z * ny + b * fz - c * fy;
    out[1] = z * nx - x * nz + c * fx - a * fz;
    out[2] = x * ny - y * nx + a * fy - b * fx;
    out[3] = y * fz - z * fy;
    out[4] = z * fx - x * fz;
    out[5] = x * fy - y * fx;
}

/* A row of R B R^T, of the same row r of R and a general matrix B. */
INLINE void rotate_row(const REAL *R, const REAL *r, const REAL *B, REAL *out)
{
    const REAL a = r[0] * B[0] + r[1] * B[3] + r[2] * B[6];
    const REAL b = r[0] * B[1] + r[1] * B[4] + r[2] * B[7];
    const REAL c = r[0] * B[2] + r[1] * B[5] + r[2] * B[8];
    out[0] = ROTATED(R, a, b, c, 0);
    out[1] = ROTATED(R, a, b, c, 1);
    out[2] = ROTATED(R, a, b, c, 2);
}

void NAME(articulated_transform)(const REAL T[12], const REAL I[21], REAL out[21])
{
    const REAL px = T[9], py = T[10], pz = T[11];
    REAL J[6], H[9], M[6], G[9];
    rotate_symmetric(T, I, J);
    rotate_row(T, T, &I[6], H);
    rotate_row(T, &T[3], &I[6], &H[3]);
    rotate_row(T, &T[6], &I[6], &H[6]);
    rotate_symmetric(T, &I[15], M);
    /* G = H + p~ M */
    G[0] = H[0] + py * M[2] - pz * M[1];
    G[1] = H[1] + py * M[4] - pz * M[3];
    G[2] = H[2] + py * M[5] - pz * M[4];
    G[3] = H[3] + pz * M[0] - px * M[2];
    G[4] = H[4] + pz * M[1] - px * M[4];
    G[5] = H[5] + pz * M[2] - px * M[5];
    G[6] = H[6] + px * M[1] - py * M[0];
    G[7] = H[7] + px * M[3] - py * M[1];
    G[8] = H[8] + px * M[4] - py * M[2];
    /* J - H p~ + p~ G^T */
    out[0] = J[0] - (H[1] * pz - H[2] * py) + (py * G[2] - pz * G[1]);
    out[1] = J[1] - (H[2] * px - H[0] * pz) + (py * G[5] - pz * G[4]);
    out[2] = J[2] - (H[0] * py - H[1] * px) + (py * G[8] - pz * G[7]);
    out[3] = J[3] - (H[5] * px - H[3] * pz) + (pz * G[3] - px * G[5]);
    out[4] = J[4] - (H[3] * py - H[4] * px) + (pz * G[6] - px * G[8]);
    out[5] = J[5] - (H[6] * py - H[7] * px) + (px * G[7] - py * G[6]);
    memcpy(&out[6], G, sizeof G);
    memcpy(&out[15], M, sizeof M);
}

/* The inverse of a symmetric matrix by its adjugate, with one division. */
INLINE void invert_symmetric(const REAL *J, REAL *out)
{
    const REAL a = J[3] * J[5] - J[4] * J[4], b = J[2] * J[4] - J[1] * J[5], c = J[1] * J[4] - J[2] * J[3];
    const REAL s = 1 / (J[0] * a + J[1] * b + J[2] * c);
    out[0] = s * a;
    out[1] = s * b;
    out[2] = s * c;
    out[3] = s * (J[0] * J[5] - J[2] * J[2]);
    out[4] = s * (J[1] * J[2] - J[0] * J[4]);
    out[5] = s * (J[0] * J[3] - J[1] * J[1]);
}

void NAME(rigid_body_dynamics_quat)(const REAL p[3], const REAL q[4], const REAL v[3], const REAL w[3],
                                    const REAL F[3], const REAL M[3], REAL m, const REAL J[6], REAL dp[3],
                                    REAL dq[4], REAL dv[3], REAL dw[3])
{
    const REAL s = q[0], x = q[1], y = q[2], z = q[3];
    const REAL vx = v[0], vy = v[1], vz = v[2], wx = w[0], wy = w[1], wz = w[2];
    const REAL inverse = 1 / m;
    const REAL ax = F[0] * inverse + vy * wz - vz * wy;
    const REAL ay = F[1] * inverse + vz * wx - vx * wz;
    const REAL az = F[2] * inverse + vx * wy - vy * wx;
    const REAL lx = J[0] * wx + J[1] * wy + J[2] * wz;
    const REAL ly = J[1] * wx + J[3] * wy + J[4] * wz;
    const REAL lz = J[2] * wx + J[4] * wy + J[5] * wz;
    const REAL nx = M[0] + ly * wz - lz * wy;
    const REAL ny = M[1] + lz * wx - lx * wz;
    const REAL nz = M[2] + lx * wy - ly * wx;
    /* J^-1 n by the adjugate, the division last */
    const REAL a = J[3] * J[5] - J[4] * J[4], b = J[2] * J[4] - J[1] * J[5], c = J[1] * J[4] - J[2] * J[3];
    const REAL d = J[0] * J[5] - J[2] * J[2], e = J[1] * J[2] - J[0] * J[4], f = J[0] * J[3] - J[1] * J[1];
    const REAL over = 1 / (J[0] * a + J[1] * b + J[2] * c);
    /* v + s t + u x t, t = 2 u x v */
    const REAL cx = y * vz - z * vy, cy = z * vx - x * vz, cz = x * vy - y * vx;
    const REAL tx = cx + cx, ty = cy + cy, tz = cz + cz;
    /* q [0, w] / 2 + (1 - q.q) q */
    const REAL hx = (REAL)0.5 * wx, hy = (REAL)0.5 * wy, hz = (REAL)0.5 * wz;
    const REAL off = 1 - (s * s + x * x + y * y + z * z);
    (void)p;
    dp[0] = vx + s * tx + y * tz - z * ty;
    dp[1] = vy + s * ty + z * tx - x * tz;
    dp[2] = vz + s * tz + x * ty - y * tx;
    dq[0] = off * s - x * hx - y * hy - z * hz;
    dq[1] = off * x + s * hx + y * hz - z * hy;
    dq[2] = off * y + s * hy + z * hx - x * hz;
    dq[3] = off * z + s * hz + x * hy - y * hx;
    dv[0] = ax;
    dv[1] = ay;
    dv[2] = az;
    dw[0] = over * (a * nx + b * ny + c * nz);
    dw[1] = over * (b * nx + d * ny + e * nz);
    dw[2] = over * (c * nx + e * ny + f * nz);
}

#define AT(i, j) A[13 * (i) + (j)]

void NAME(rigid_body_dynamics_quat_jacobian)(const REAL p[3], const REAL q[4], const REAL v[3], const REAL w[3],
                                             const REAL F[3], const REAL M[3], REAL m, const REAL J[6],
                                             REAL A[169], REAL B[78])
{
    const REAL s = q[0], x = q[1], y = q[2], z = q[3];
    const REAL vx = v[0], vy = v[1], vz = v[2], wx = w[0], wy = w[1], wz = w[2];
    const REAL s2 = s + s, x2 = x + x, y2 = y + y, z2 = z + z;
    const REAL xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    const REAL sx = s * x2, sy = s * y2, sz = s * z2;
    const REAL hs = (REAL)0.5 * s, hx = (REAL)0.5 * x, hy = (REAL)0.5 * y, hz = (REAL)0.5 * z;
    const REAL kx = (REAL)0.5 * wx, ky = (REAL)0.5 * wy, kz = (REAL)0.5 * wz;
    const REAL ss = s * s2, off = 1 - (REAL)0.5 * (ss + xx + yy + zz);
    const REAL inverse = 1 / m;
    const REAL lx = J[0] * wx + J[1] * wy + J[2] * wz;
    const REAL ly = J[1] * wx + J[3] * wy + J[4] * wz;
    const REAL lz = J[2] * wx + J[4] * wy + J[5] * wz;
    const REAL dot = x2 * vx + y2 * vy + z2 * vz;
    REAL K[6], D[9];
    invert_symmetric(J, K);
    /* D = (J w)~ - w~ J */
    D[0] = wz * J[1] - wy * J[2];
    D[1] = wz * J[3] - wy * J[4] - lz;
    D[2] = wz * J[4] - wy * J[5] + ly;
    D[3] = wx * J[2] - wz * J[0] + lz;
    D[4] = wx * J[4] - wz * J[1];
    D[5] = wx * J[5] - wz * J[2] - lx;
    D[6] = wy * J[0] - wx * J[1] - ly;
    D[7] = wy * J[1] - wx * J[3] + lx;
    D[8] = wy * J[2] - wx * J[4];
    (void)p;
    (void)F;
    (void)M;
    memset(A, 0, 169 * sizeof *A);
    memset(B, 0, 78 * sizeof *B);
    AT(0, 3) = y2 * vz - z2 * vy;
    AT(1, 3) = z2 * vx - x2 * vz;
    AT(2, 3) = x2 * vy - y2 * vx;
    AT(0, 4) = dot - x2 * vx;
    AT(0, 5) = s2 * vz + x2 * vy - (y2 + y2) * vx;
    AT(0, 6) = x2 * vz - s2 * vy - (z2 + z2) * vx;
    AT(1, 4) = y2 * vx - s2 * vz - (x2 + x2) * vy;
    AT(1, 5) = dot - y2 * vy;
    AT(1, 6) = s2 * vx + y2 * vz - (z2 + z2) * vy;
    AT(2, 4) = s2 * vy + z2 * vx - (x2 + x2) * vz;
    AT(2, 5) = z2 * vy - s2 * vx - (y2 + y2) * vz;
    AT(2, 6) = dot - z2 * vz;
    AT(0, 7) = 1 - (yy + zz);
    AT(0, 8) = xy - sz;
    AT(0, 9) = xz + sy;
    AT(1, 7) = xy + sz;
    AT(1, 8) = 1 - (xx + zz);
    AT(1, 9) = yz - sx;
    AT(2, 7) = xz - sy;
    AT(2, 8) = yz + sx;
    AT(2, 9) = 1 - (xx + yy);
    AT(3, 3) = off - ss;
    AT(3, 4) = -kx - sx;
    AT(3, 5) = -ky - sy;
    AT(3, 6) = -kz - sz;
    AT(4, 3) = kx - sx;
    AT(4, 4) = off - xx;
    AT(4, 5) = kz - xy;
    AT(4, 6) = -ky - xz;
    AT(5, 3) = ky - sy;
    AT(5, 4) = -kz - xy;
    AT(5, 5) = off - yy;
    AT(5, 6) = kx - yz;
    AT(6, 3) = kz - sz;
    AT(6, 4) = ky - xz;
    AT(6, 5) = -kx - yz;
    AT(6, 6) = off - zz;
    AT(3, 10) = -hx;
    AT(3, 11) = -hy;
    AT(3, 12) = -hz;
    AT(4, 10) = hs;
    AT(4, 11) = -hz;
    AT(4, 12) = hy;
    AT(5, 10) = hz;
    AT(5, 11) = hs;
    AT(5, 12) = -hx;
    AT(6, 10) = -hy;
    AT(6, 11) = hx;
    AT(6, 12) = hs;
    AT(7, 8) = wz;
    AT(7, 9) = -wy;
    AT(8, 7) = -wz;
    AT(8, 9) = wx;
    AT(9, 7) = wy;
    AT(9, 8) = -wx;
    AT(7, 11) = -vz;
    AT(7, 12) = vy;
    AT(8, 10) = vz;
    AT(8, 12) = -vx;
    AT(9, 10) = -vy;
    AT(9, 11) = vx;
    AT(10, 10) = K[0] * D[0] + K[1] * D[3] + K[2] * D[6];
    AT(10, 11) = K[0] * D[1] + K[1] * D[4] + K[2] * D[7];
    AT(10, 12) = K[0] * D[2] + K[1] * D[5] + K[2] * D[8];
    AT(11, 10) = K[1] * D[0] + K[3] * D[3] + K[4] * D[6];
    AT(11, 11) = K[1] * D[1] + K[3] * D[4] + K[4] * D[7];
    AT(11, 12) = K[1] * D[2] + K[3] * D[5] + K[4] * D[8];
    AT(12, 10) = K[2] * D[0] + K[4] * D[3] + K[5] * D[6];
    AT(12, 11) = K[2] * D[1] + K[4] * D[4] + K[5] * D[7];
    AT(12, 12) = K[2] * D[2] + K[4] * D[5] + K[5] * D[8];
    B[6 * 7 + 0] = inverse;
    B[6 * 8 + 1] = inverse;
    B[6 * 9 + 2] = inverse;
    B[6 * 10 + 3] = K[0];
    B[6 * 10 + 4] = K[1];
    B[6 * 10 + 5] = K[2];
    B[6 * 11 + 3] = K[1];
    B[6 * 11 + 4] = K[3];
    B[6 * 11 + 5] = K[4];
    B[6 * 12 + 3] = K[2];
    B[6 * 12 + 4] = K[4];
    B[6 * 12 + 5] = K[5];
}

void NAME(quat_from_rpy)(const REAL rpy[3], REAL out[4])
{
    const REAL a = (REAL)0.5 * rpy[0], b = (REAL)0.5 * rpy[1], c = (REAL)0.5 * rpy[2];
    const REAL ca = LIBM(cos)(a), sa = LIBM(sin)(a), cb = LIBM(cos)(b), sb = LIBM(sin)(b), cc = LIBM(cos)(c), sc = LIBM(sin)(c);
    const REAL cc_cb = cc * cb, sc_sb = sc * sb, cc_sb = cc * sb, sc_cb = sc * cb;
    out[0] = ca * cc_cb + sa * sc_sb;
    out[1] = sa * cc_cb - ca * sc_sb;
    out[2] = ca * cc_sb + sa * sc_cb;
    out[3] = ca * sc_cb - sa * cc_sb;
}

void NAME(quat_to_dcm_unit)(const REAL q[4], REAL out[9])
{
    const REAL w = q[0], x = q[1], y = q[2], z = q[3], x2 = x + x, y2 = y + y, z2 = z + z;
    const REAL xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    const REAL wx = w * x2, wy = w * y2, wz = w * z2;
    out[0] = 1 - (yy + zz);
    out[1] = xy - wz;
    out[2] = xz + wy;
    out[3] = xy + wz;
    out[4] = 1 - (xx + zz);
    out[5] = yz - wx;
    out[6] = xz - wy;
    out[7] = yz + wx;
    out[8] = 1 - (xx + yy);
}
