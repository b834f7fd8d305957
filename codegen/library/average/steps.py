"""Steps of averages: from the least sum of squares to an eigenvector, and from that to a rotation."""

from __future__ import annotations

from codegen.library.shared.works import CRASSIDIS, GOLUB, MARKLEY, SMITH
from codegen.modeling.steps import Step, stated, stated_condition

_K = "K = [[t, z^T], [z, M + M^T - t 1]]; t = tr(M); z = vee(M - M^T)"
"""Davenport's matrix of M."""


def _nearest(matrix: str, rotation: str) -> tuple[Step, ...]:
    """The steps to the nearest rotation, given the equations of the matrix M and of the result R."""
    given = f"{rotation};\n{matrix}"
    dyad = "D = 1/4 [[1 + tr(R), y^T], [y, R + R^T + (1 - tr(R)) 1]]; y = vee(R - R^T)"
    invariants = "e_1 = tr(M^T M); e_2 = tr(adj(M)^T adj(M)); e_3 = det(M)"
    return (
        stated_condition(
            "Maximise a trace instead of minimising the sum of squares",
            f"tr((R - M)^T (R - M)) = 3 + tr(M^T M) - 2 tr(R^T M); {given}",
            by="a rotation matrix has the sum of squares 3, whatever it is",
            source=CRASSIDIS,
        ),
        stated_condition(
            "Write the trace as a quadratic form of the quaternion",
            f"tr(R^T M) = tr(D K); K D = tr(R^T M) D; {dyad};\n{_K}; {given}",
            by="`D` is the dyad of the quaternion of `R`, so that the trace is a quadratic form of this "
            "quaternion; of unit vectors, an eigenvector of the largest eigenvalue makes it largest",
            source=CRASSIDIS,
        ),
        stated_condition(
            "Write the eigenvalue with the largest singular value",
            "tr(R^T M) = s + sqrt(e_1 - s^2 + 2 e_3 / s); s = sqrt(k + 2 p cos(acos(c) / 3));\n"
            "c = (e_3^2 + 2 k^3 - k e_2) / (2 p^3); p = sqrt(k^2 - e_2 / 3); k = e_1 / 3;\n"
            f"s^6 - e_1 s^4 + e_2 s^2 - e_3^2 = 0; {invariants}; {given}",
            by="the squares of the singular values are the roots of a cubic, which a cosine solves; the root "
            "is the sum of the two others, because the determinant is the product of all three",
            source=SMITH,
        ),
        stated_condition(
            "Correct it by a step of Newton's method",
            f"(x^2 - e_1)^2 - 8 e_3 x - 4 e_2 = 0; x = tr(R^T M); {invariants}; {given}",
            by="this is the characteristic polynomial of `K`; where two singular values are close, the "
            "cosine has lost digits, which the step restores",
            source=CRASSIDIS,
        ),
        stated_condition(
            "Take the dyad of the eigenvector from the adjugate",
            f"tr(N) D = N; {dyad};\nN = adj(K - tr(R^T M) 1); {_K}; {given}",
            by="in axes of the eigenvectors `K` less its eigenvalue is diagonal with one zero, so that the "
            "adjugate has one element",
            source=GOLUB.at("section 8.1"),
        ),
        stated_condition(
            "Square the adjugate, and take the rotation from the dyad",
            f"(D[0, 0] - tr(C)) 1 + 2 C + 2 d~ = R; C = D[1:4, 1:4]; d = D[1:4, 0]; D = P / tr(P); P = N N;\n"
            f"N = adj(K - tr(R^T M) 1); {_K}; {given}",
            by="the square of `N` is a multiple of the same dyad, in which round-off of the eigenvalue has "
            "been squared; the matrix of a unit quaternion is linear in the elements of its dyad `D`",
            source=GOLUB.at("section 8.1"),
        ),
    )


_SUM = "M = (A[0, 0] - tr(B)) 1 + 2 B + 2 v~; v = A[1:4, 0]; B = A[1:4, 1:4]"
_ROTATION = "R = 1 + 2 q[0] u~ + 2 u~ u~; u = q[1:4]; q = q_NB"

STEPS: dict[str, tuple[Step, ...]] = {
    "dcm_nearest": _nearest("M = M_AB", "R = R_AB"),
    "quat_mean_add": (
        stated(
            "Multiply one of the quaternions by the weight",
            "A_next = A + a q_NB^T; a = w q_NB",
            by="a dyad is linear in each of its vectors",
            source=MARKLEY,
        ),
    ),
    "quat_mean": (
        stated_condition(
            "Replace the dyads by rotation matrices",
            f"K q = (4 a - tr(A)) q; a = q.(A q); q = q_NB; 4 A - tr(A) 1 = K; {_K};\n{_SUM}",
            by="the matrix of a unit quaternion is linear in the elements of its dyad, and so `M` is the "
            "weighted sum of all rotation matrices; `K` is the matrix of its nearest rotation",
            source=MARKLEY,
        ),
        *_nearest(_SUM, _ROTATION)[1:],
    ),
    "quat_mean_pair": (
        stated_condition(
            "Look for the eigenvector in the plane of both quaternions",
            "(x - w_1) (x - w_2) = w_1 w_2 (q_1.q_2)^2; x = q_mean.(A q_mean);\n"
            "A = w_1 q_1 q_1^T + w_2 q_2 q_2^T",
            by="`A` takes each vector to that plane, in which the sum of its eigenvalues is that of the "
            "weights; their product is that of the weights times the squared sine of the angle between the "
            "quaternions; the larger one is wanted",
            source=MARKLEY,
        ),
        stated_condition(
            "Take the larger root, for weights whose sum is 1, and the components from the second equation",
            "|p| q_mean = p; p = (s - b) q_1 + b c q_2; s = (1 + z) / 2; z = sqrt(d^2 + 4 a b c^2);\n"
            "d = a - b; c = q_1.q_2; a = w_1 / (w_1 + w_2); b = w_2 / (w_1 + w_2)",
            by="the eigenvector does not depend on the sum of the weights; what `A` makes of the multiples "
            "of both quaternions, compared along the second one, gives their ratio",
            source=MARKLEY,
        ),
    ),
}
