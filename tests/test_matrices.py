"""Matrices of any size: values against NumPy in fractions and in compiled C, symmetry, cost, messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pytest
import sympy

import codegen
from codegen import Arg, Array, Matrix, Status, SymMat3, Symmetric, Vec3, Vector, from_casadi, from_sympy
from codegen.emit.options import Options
from codegen.errors import FeatherError, FormulaError
from codegen.frontends.formula import lower
from codegen.frontends.from_sympy import elements
from codegen.ir.cost import cost
from codegen.ir.program import evaluate
from codegen.ir.systems import F32, F64, fractions
from codegen.library.shared.dense import Result
from codegen.modeling.bind import bind
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Mat3, Motion, Quaternion
from codegen.modeling.types.matrices import MatrixValue, SymmetricValue, VectorValue
from codegen.modeling.types.scalar import select
from codegen.modeling.vehicle import bind_vehicle
from codegen.passes.pipeline import optimised
from codegen.proof.proof import prove
from codegen.tree.write import generate
from codegen.verify.libraries import Library
from codegen.verify.oracle import Oracle, Reason, Unknown
from codegen.verify.verify import verify

ABOUT: dict[str, Any] = {"equation": "y = f(x)", "source": "a test"}
A, B = Arg("A", Matrix(3, 3), "1", "a matrix"), Arg("B", Matrix(3, 2), "1", "a matrix")
S, V = Arg("S", Symmetric(3), "1", "a symmetric matrix"), Arg("v", Vec3, "1", "a vector")
SINGULAR = {Status.SINGULAR: "the matrix is singular: the results are 0"}


def exact(formula: Callable[..., Any], inputs: list[Arg], output: Any, *values: Any) -> Any:
    """The exact result of a formula for whole numbers, as the output's scalars."""
    program = lower(inputs, [Arg("y", output, "1", "")], formula, checks=True)
    flat = [Fraction(int(x)) for value in values for x in np.ravel(value)]
    return [int(x) if x.denominator == 1 else x for x in evaluate(program, fractions(F64), flat).results]


def whole(rng: np.random.Generator, *shape: int) -> Any:
    """Random whole numbers."""
    return rng.integers(-9, 10, shape)


def packed(P: Any) -> Any:
    """The upper triangle, row by row."""
    return P[np.triu_indices(len(P))]


# values


def in_numpy(S: Any) -> Any:
    """The symmetric matrix of its upper triangle."""
    n = int((2 * len(S)) ** 0.5)
    P = np.zeros((n, n), dtype=S.dtype)
    P[np.triu_indices(n)] = S
    return P + P.T - np.diag(np.diag(P))


PRODUCTS: dict[str, tuple[Callable[..., Any], Any]] = {
    "A @ B": (lambda A, B, S, v: A @ B, Matrix(3, 2)),
    "A @ v": (lambda A, B, S, v: A @ v, Vector(3)),
    "v @ A": (lambda A, B, S, v: v @ A, Vector(3)),
    "B.T @ v": (lambda A, B, S, v: B.T @ v, Vector(2)),
    "A + S": (lambda A, B, S, v: A + S, Matrix(3, 3)),
    "S - A": (lambda A, B, S, v: S - A, Matrix(3, 3)),
    "2 * A": (lambda A, B, S, v: 2 * A, Matrix(3, 3)),
    "-B": (lambda A, B, S, v: -B, Matrix(3, 2)),
    "S @ B": (lambda A, B, S, v: S @ B, Matrix(3, 2)),
    "v @ S @ v": (lambda A, B, S, v: v @ S @ v, Array((1,))),
    "A[1]": (lambda A, B, S, v: A[1], Vector(3)),
    "A[:, 2]": (lambda A, B, S, v: A[:, 2], Vector(3)),
    "A[-1, 0]": (lambda A, B, S, v: A[-1, 0], Array((1,))),
    "A[0:2, 1:]": (lambda A, B, S, v: A[0:2, 1:], Matrix(2, 2)),
    "S[0:2, 1:3]": (lambda A, B, S, v: S[0:2, 1:3], Matrix(2, 2)),
    "S.T": (lambda A, B, S, v: S.T, Matrix(3, 3)),
    "A + v": (lambda A, B, S, v: A[0] + v, Vector(3)),
    "v - A": (lambda A, B, S, v: v - A[0], Vector(3)),
    "np": (lambda A, B, S, v: np.eye(3, dtype=int) @ A + A @ np.arange(9).reshape(3, 3), Matrix(3, 3)),
}
"""Formulas whose text NumPy's arrays understand in the same way."""


@pytest.mark.parametrize("name", PRODUCTS)
def test_values_are_those_of_numpy(name: str, rng: np.random.Generator) -> None:
    formula, output = PRODUCTS[name]
    values = whole(rng, 3, 3), whole(rng, 3, 2), packed(whole(rng, 3, 3)), whole(rng, 3)
    found = exact(formula, [A, B, S, V], output, *values)
    dense = values[0], values[1], in_numpy(values[2]), values[3]
    assert found == list(np.ravel(formula(*dense)))


def test_matrices_are_built_of_rows_columns_blocks_and_diagonals(rng: np.random.Generator) -> None:
    def formula(A: Any, B: Any, v: Any) -> Any:
        top = Matrix.blocks([[A, B, v], [0, Matrix.identity(2), 0]])
        return top.with_block(3, 0, Matrix.diag(v[0:2]))

    a, b, v = whole(rng, 3, 3), whole(rng, 3, 2), whole(rng, 3)
    expected = np.block([[a, b, v[:, None]], [np.diag(v[:2]), np.zeros((2, 1)), np.eye(2), np.zeros((2, 1))]])
    assert exact(formula, [A, B, V], Matrix(5, 6), a, b, v) == list(expected.ravel())
    columns = exact(lambda v: Matrix.from_columns(v, 2 * v), [V], Matrix(3, 2), v)
    assert columns == list(np.stack([v, 2 * v], axis=1).ravel())
    listed = exact(lambda v: Matrix.from_rows([[v[0], 2, 3], [4, v[1], 6]]), [V], Matrix(2, 3), v)
    assert listed == [v[0], 2, 3, 4, v[1], 6]
    assert Matrix.from_rows([casadi.SX(1), casadi.SX(2)]).T.rows[1][0] == 2  # SX has an iterator
    row = exact(lambda v: Matrix.from_rows([v[1], v[0]]) @ a[:2].tolist(), [V], Matrix(1, 3), v)
    assert row == list(v[1::-1] @ a[:2])
    assert exact(lambda v: Matrix.zeros(2, 2) + v[0] * Matrix.identity(2), [V], Matrix(2, 2), v) == [
        v[0], 0, 0, v[0],
    ]  # fmt: skip


def test_structures_stand_for_vectors_and_matrices(rng: np.random.Generator) -> None:
    a, v = whole(rng, 3, 3), whole(rng, 3)
    R = Arg("R", Mat3, "1", "")
    assert exact(lambda A, R: A @ R + R @ A, [A, R], Mat3, a, a) == list(np.ravel(2 * a @ a))
    J = Arg("J", SymMat3, "1", "")
    assert exact(lambda J: 1 * Matrix.blocks([[J]]), [J], Symmetric(3), packed(a)) == list(packed(a))
    assert exact(lambda A, v: Vec3(*(A @ v)), [A, V], Vec3, a, v) == list(a @ v)
    assert exact(lambda A, v: A @ v, [A, V], Vec3, a, v) == list(a @ v)
    wide = np.arange(18).reshape(3, 6)
    assert exact(
        lambda m: wide @ VectorValue(m.scalars()), [Arg("m", Motion, "1", "")], Vector(3), range(6)
    ) == list(wide @ np.arange(6))
    q = Quaternion(*map(Fraction, (1, 2, 3, 4)))
    assert (Matrix.identity(4) @ q).scalars() == [1, 2, 3, 4]


def test_a_vector_can_be_indexed_iterated_and_has_a_norm() -> None:
    v = Vec3(2, 3, 6)
    assert (v[0], v[-1], v[1:], [*v], len(v)) == (2, 6, (3, 6), [2, 3, 6], 3)
    assert v.norm_squared == 49
    assert Vec3(*map(Fraction, v)).norm == 7
    assert VectorValue([Fraction(3), Fraction(4)]).norm == 5
    assert VectorValue([3, 4]).dot([1, 2]) == 11


def test_a_select_between_matrices_keeps_their_shape() -> None:
    def formula(A: Any, S: Any, v: Any) -> Any:
        return select(v[0] > 0, S, 2 * S), select(v[0] > 0, A, S)

    outputs = [Arg("y", Symmetric(3), "1", ""), Arg("z", Matrix(3, 3), "1", "")]
    program = lower([A, S, V], outputs, formula, checks=True)
    found = evaluate(program, fractions(), list(map(Fraction, range(-15, 3)))).results
    assert found[:6] == [2 * x for x in range(-6, 0)]


# symmetry


def test_products_that_are_symmetric_are_known_to_be() -> None:
    H = Matrix.from_rows([Fraction(1, 2), 2, 3], [4, 5, 6])
    P = Symmetric.from_upper([1, 2, 3, 4, 5, 6])
    for value in (H @ P @ H.T, H @ (P @ H.T), H @ H.T, H.T @ H, P @ P, P + P, P - 2 * P, -P, P.T):
        assert type(value) is SymmetricValue, value
    for value in (H @ P, P @ H.T, P + Matrix.from_rows([1, 2, 3], [4, 5, 6], [7, 8, 9])):
        assert type(value) is MatrixValue, value
    assert type(P[0:2, 0:2]) is SymmetricValue
    assert type(Matrix.from_rows([1, 2], [3, 4]).symmetric) is SymmetricValue
    other = Matrix.from_rows([Fraction(1, 2), 2, 3], [4, 5, 7])
    assert type(H @ P @ other.T) is MatrixValue


def test_the_packed_order_is_the_upper_triangle_row_by_row() -> None:
    kind = Symmetric(3)
    assert kind.suffixes() == ["_00", "_01", "_02", "_11", "_12", "_22"]
    value = kind.value(["a", "b", "c", "d", "e", "f"])
    assert [list(row) for row in value.rows] == [["a", "b", "c"], ["b", "d", "e"], ["c", "e", "f"]]
    assert value.scalars() == list("abcdef")
    assert kind.order == "upper triangle of 3 x 3, row by row: 00 01 02 11 12 22"
    many = Symmetric(24)
    assert many.order.endswith("(i, j), i <= j, is [i * (47 - i) / 2 + j]")
    places = many.matrix(range(300))
    assert all(places[i][j] == i * (47 - i) // 2 + j for i in range(24) for j in range(i, 24))
    assert many.suffixes()[24:26] == ["_1_1", "_1_2"]


def quadratic(m: int, n: int) -> Kernel:
    """H P H^T, for an m x n matrix H."""

    @codegen.kernel(
        inputs=[Arg("P", Symmetric(n), "1", ""), Arg("H", Matrix(m, n), "1", "")],
        outputs=[Arg("S", Symmetric(m), "1", "")],
        name="quadratic",
        **ABOUT,
    )
    def formula(P: SymmetricValue, H: MatrixValue) -> Any:
        return H @ P @ H.T

    return formula


@pytest.mark.parametrize(("m", "n"), [(1, 6), (2, 4), (3, 6)])
def test_a_quadratic_form_costs_no_more_than_by_hand(m: int, n: int) -> None:
    """By hand: H P, then the upper triangle of (H P) H^T; before and after the passes."""
    by_hand = m * n * (2 * n - 1) + m * (m + 1) // 2 * (2 * n - 1)
    kernel = quadratic(m, n)
    operations = [node for node in kernel.program(False).nodes if node.args]
    assert len(operations) == by_hand
    found = cost(optimised(kernel, checks=False)).total
    assert found <= by_hand


def test_zeros_cost_nothing() -> None:
    """H picks states 1 and 4: no operation is left."""
    P = Symmetric(6)
    H = Matrix.zeros(2, 6).with_block(0, 1, [[1]]).with_block(1, 4, [[1]])
    program = lower([Arg("P", P, "1", "")], [Arg("S", Symmetric(2), "1", "")], lambda P: H @ P @ H.T, True)
    assert not [node for node in program.nodes if node.args]
    values = [Fraction(k) for k in range(21)]
    assert evaluate(program, fractions(), values).results == [
        P.matrix(values)[i][j] for i, j in ((1, 1), (1, 4), (4, 4))
    ]


# compiled C


@codegen.kernel(
    inputs=[
        Arg("P", Symmetric(4, positive=True), "1", "covariance"),
        Arg("H", Matrix(2, 4), "1", "slope"),
        Arg("R", Vector(2), "1", "variances"),
        Arg("e", Vector(2), "1", "innovation"),
        Arg("x", Vector(4), "1", "state"),
    ],
    outputs=[
        Arg("x_next", Vector(4), "1", "state"),
        Arg("P_next", Symmetric(4), "1", "covariance"),
        Arg("K", Matrix(4, 2), "1", "gain"),
    ],
    failures=SINGULAR,
    definition=lambda P, H, R, e, x: _updated(P, H, R, e, x),
    **ABOUT,
)
def update(P: SymmetricValue, H: MatrixValue, R: VectorValue, e: VectorValue, x: VectorValue) -> Any:
    """Kalman's update."""
    HP = H @ P
    K = (HP @ H.T + Matrix.diag(R)).ldlt().solve(HP).T
    return x + K @ e, (P - K @ HP).symmetric, K


def _updated(P: Any, H: Any, R: Any, e: Any, x: Any) -> list[Any]:
    K = P * H.T * (H * P * H.T + sympy.diag(*R)).inv(method="ADJ")
    return [x + K * e, P - K * H * P, K]


@codegen.kernel(
    inputs=[A, Arg("b", Vector(3), "1", "right side")],
    outputs=[Arg("x", Vector(3), "1", "solution"), Arg("A_inv", Matrix(3, 3), "1", "inverse")],
    failures=SINGULAR,
    **ABOUT,
)
def solved(A: MatrixValue, b: VectorValue) -> Any:
    """Three linear equations."""
    return A.solve(b), A.inverse()


@codegen.kernel(
    inputs=[Arg("S", Symmetric(3, positive=True), "1", "")],
    outputs=[
        Arg("C", Matrix(3, 3), "1", "Cholesky's factor"),
        Arg("L", Matrix(3, 3), "1", "unit lower triangular"),
        Arg("D", Vector(3), "1", "pivots"),
        Arg("S_inv", Symmetric(3), "1", "inverse"),
    ],
    failures=SINGULAR,
    **ABOUT,
)
def factored(S: SymmetricValue) -> Any:
    """Factors of a positive definite matrix."""
    factors = S.ldlt()
    return S.cholesky(), factors.L, factors.D, factors.inverse()


KERNELS = {k.name: k for k in (update, solved, factored)}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kernels of this file, generated."""
    place = tmp_path_factory.mktemp("matrices") / "c"
    generate(list(KERNELS.values()), Options(), place)
    return place


@pytest.fixture(scope="module")
def compiled(tree: Path) -> Library:
    """The kernels of this file, compiled."""
    return codegen.load(tree)


PRECISIONS = [("f64", np.float64, 1e-12), ("f32", np.float32, 1e-4)]


@pytest.mark.exhaustive
def test_the_functions_verify(tree: Path) -> None:
    rows = list(verify(tree, KERNELS, count=2))
    assert [row.problems for row in rows] == [[]] * 6
    assert all(row.ok for row in rows)


@pytest.mark.exhaustive
def test_an_update_is_proven_equal_to_its_definition_in_matrices() -> None:
    assert prove(update).status == "proven"


def test_a_numpy_reference_takes_and_returns_matrices() -> None:
    def in_matrices(P: Any, H: Any) -> Any:
        assert (P.shape, H.shape) == ((3, 3), (2, 3))
        return Result((H @ P @ H.T,), 0)

    assert prove(replace(quadratic(2, 3), reference=in_matrices)).status == "proven"
    wrong = replace(quadratic(2, 3), reference=lambda P, H: Result((H @ P @ H.T + 1,), 0))
    assert prove(wrong).status.startswith("failed")


@pytest.mark.parametrize(("precision", "dtype", "tolerance"), PRECISIONS)
def test_the_update_is_that_of_numpy(
    precision: str, dtype: Any, tolerance: float, compiled: Library, rng: np.random.Generator
) -> None:
    call = getattr(compiled, precision).update
    root, H = rng.standard_normal((4, 4)), rng.standard_normal((2, 4))
    P, R, e, x = root @ root.T, rng.uniform(0.5, 1, 2), rng.standard_normal(2), rng.standard_normal(4)
    K = P @ H.T @ np.linalg.inv(H @ P @ H.T + np.diag(R))
    found = call(packed(P), H, R, e, x)
    assert found.status == 0
    assert (found.K.shape, found.P_next.shape) == ((4, 2), (10,))
    for value, expected in ((found.K, K), (found.x_next, x + K @ e), (found.P_next, packed(P - K @ H @ P))):
        np.testing.assert_allclose(value, expected, atol=tolerance * np.abs(P).max())


@pytest.mark.parametrize(("precision", "dtype", "tolerance"), PRECISIONS)
def test_solutions_and_factors_are_those_of_numpy(
    precision: str, dtype: Any, tolerance: float, compiled: Library, rng: np.random.Generator
) -> None:
    fc = getattr(compiled, precision)
    for _ in range(10):
        M, b = rng.standard_normal((3, 3)) + 3 * np.eye(3), rng.standard_normal(3)
        found = fc.solved(M, b)
        assert found.status == 0
        np.testing.assert_allclose(found.x, np.linalg.solve(M, b), atol=10 * tolerance)
        np.testing.assert_allclose(found.A_inv, np.linalg.inv(M), atol=10 * tolerance)
        P = M @ M.T
        factors = fc.factored(packed(P))
        assert factors.status == 0
        np.testing.assert_allclose(factors.C, np.linalg.cholesky(P), atol=10 * tolerance)
        np.testing.assert_allclose(factors.L @ np.diag(factors.D) @ factors.L.T, P, atol=100 * tolerance)
        np.testing.assert_allclose(in_numpy(factors.S_inv), np.linalg.inv(P), atol=100 * tolerance)


SINGULAR_ONES = {
    "zero": np.zeros((3, 3)),
    "rank 1": np.ones((3, 3)),
    "rank 2": np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9]]),
    "not a number": np.diag([1, np.nan, 1]),
}


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("name", SINGULAR_ONES)
def test_a_singular_matrix_returns_the_status_and_zeros(name: str, precision: str, compiled: Library) -> None:
    found = getattr(compiled, precision).solved(SINGULAR_ONES[name], [1, 2, 3])
    assert found.status == Status.SINGULAR
    assert not np.any(found.x)
    assert not np.any(found.A_inv)


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("P", [np.zeros(6), np.ones(6), [1, 0, 0, -1, 0, 1], [1, 2, 0, 1, 0, 1]])
def test_what_is_not_positive_definite_returns_the_status_and_zeros(
    P: Any, precision: str, compiled: Library
) -> None:
    found = getattr(compiled, precision).factored(P)
    assert found.status == Status.SINGULAR
    assert not any(np.any(value) for value in found[:4])


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_what_is_singular_up_to_rounding_is_singular(
    precision: str, compiled: Library, rng: np.random.Generator
) -> None:
    """Sums of products of rank 1 and 2, each element rounded: pivots and determinants are a few eps."""
    fc = getattr(compiled, precision)
    for size in (1e-3, 1.0, 1e3):
        for _ in range(20):
            v = rng.standard_normal(3) * size
            assert fc.factored(packed(np.outer(v, v))).status == Status.SINGULAR
            rank_2 = np.outer(v, rng.standard_normal(3)) + np.outer(rng.standard_normal(3), v)
            assert fc.solved(rank_2, v).status == Status.SINGULAR


@pytest.mark.parametrize(
    ("size", "expected"),
    [("7.72047088e-7", Unknown(Reason.STATUS)), ("7.72e-7", Status.SINGULAR), ("8e-7", 0)],
)
def test_a_status_that_rounding_alone_changes_has_no_expectation(size: str, expected: Any) -> None:
    """The pivot 3e-6 of its terms is nearly the threshold for float: both answers are right there."""

    @codegen.kernel(inputs=[S], outputs=[Arg("L", Matrix(3, 3), "1", "")], failures=SINGULAR, **ABOUT)
    def factor(S: SymmetricValue) -> MatrixValue:
        """Cholesky's factor."""
        return S.cholesky()

    matrix = [size, "-0.282519042", "0.00163419137", "103383.914", "-1461.80786", "2358210"]
    found = Oracle(factor, F32, True).expected(optimised(factor), [Fraction(x) for x in matrix])
    assert (found if isinstance(found, Unknown) else found.status) == expected


@pytest.mark.parametrize("diagonal", [[1e-6, 1.0, 1e6], [1e-3, 1e-3, 1e-3]])
def test_scaling_does_not_make_a_matrix_singular(diagonal: list[float], compiled: Library) -> None:
    """Rows and columns in very different units are no reason to refuse."""
    scale = np.diag(diagonal)
    M = scale @ np.array([[2.0, 1, 0], [1, 3, 1], [0, 1, 4]]) @ scale
    found = compiled.f32.solved(M, [1, 2, 3])
    assert found.status == 0
    np.testing.assert_allclose(found.x, np.linalg.solve(M, [1, 2, 3]), rtol=1e-5)


def test_an_output_may_be_the_input(tree: Path, tmp_path: Path) -> None:
    """P and P_next, x and x_next are the same arrays."""
    import subprocess

    from codegen.verify.native import STRICT

    (tmp_path / "main.c").write_text(
        '#include "fc_test_matrices_f64.h"\n'
        "int main(void)\n{\n"
        "    double P[10] = {4, 1, 0, 0, 3, 1, 0, 5, 1, 2}, Q[10], H[8] = {1, 0, 2, 0, 0, 1, 0, 1};\n"
        "    double R[2] = {1, 2}, e[2] = {1, -1}, x[4] = {1, 2, 3, 4}, y[4], K[8];\n"
        "    fc_update_f64(P, H, R, e, x, y, Q, K);\n"
        "    fc_update_f64(P, H, R, e, x, x, P, H);\n"
        "    int wrong = 0;\n"
        "    for (int i = 0; i < 10; i++) { wrong += !(P[i] >= Q[i] && P[i] <= Q[i]); }\n"
        "    for (int i = 0; i < 4; i++) { wrong += !(x[i] >= y[i] && x[i] <= y[i]); }\n"
        "    for (int i = 0; i < 8; i++) { wrong += !(H[i] >= K[i] && H[i] <= K[i]); }\n"
        "    return wrong;\n}\n"
    )
    sources = [str(tree / "fc_test_matrices_f64.c"), str(tmp_path / "main.c")]
    command = ["cc", *STRICT, f"-I{tree}", *sources, "-lm", "-o", str(tmp_path / "main")]
    subprocess.run(command, check=True)
    assert subprocess.run([str(tmp_path / "main")], check=False).returncode == 0


def test_the_header_states_shape_and_order(tree: Path) -> None:
    header = " ".join((tree / "fc_test_matrices_f64.h").read_text().replace(" *", " ").split())
    assert "P covariance (upper triangle of 4 x 4, row by row: 00 01 02 03 11 12 13 22 23 33) [1]" in header
    assert "H slope (2 x 4, row by row) [1]" in header
    assert "const double P[10], const double H[8]" in header


# other engines


def test_sympy_matrices_are_arguments_and_results() -> None:
    P, H = sympy.MatrixSymbol("P", 3, 3), sympy.Matrix(2, 3, sympy.symbols("h:6"))
    arguments = Arg("P", Symmetric(3), "1", ""), Arg("H", Matrix(2, 3), "1", "")
    S = Arg("S", Symmetric(2), "1", "")
    kernel = from_sympy("f", [(arguments[0], P), (arguments[1], H)], [(S, H * P.as_explicit() * H.T)])
    by_hand = lower(arguments, [S], lambda P, H: H @ P @ H.T, checks=True)
    values = [Fraction(k * k + 1, k + 2) for k in range(12)]
    assert (
        evaluate(kernel.program(), fractions(), values).results
        == evaluate(by_hand, fractions(), values).results
    )
    wrong = from_sympy("f", [(arguments[0], P), (arguments[1], H)], [(S, sympy.Matrix([[1, H[0]], [2, 3]]))])
    with pytest.raises(FeatherError, match="S_01 differs from its mirror image: the matrix is not symmetric"):
        wrong.program()
    assert elements(S, [1, 2, 3]) == [[1], [2], [3]]


def test_casadi_matrices_are_arguments_and_results() -> None:
    P, H = casadi.SX.sym("P", 3, 3), casadi.SX.sym("H", 2, 3)
    arguments = [Arg("P", Symmetric(3), "1", ""), Arg("H", Matrix(2, 3), "1", "")]
    S = Arg("S", Symmetric(2), "1", "")
    kernel = from_casadi(casadi.Function("f", [P, H], [H @ P @ H.T]), arguments, [S])
    by_hand = lower(arguments, [S], lambda P, H: H @ P @ H.T, checks=True)
    values = [Fraction(k * k + 1, k + 2) for k in range(12)]
    assert (
        evaluate(kernel.program(), fractions(), values).results
        == evaluate(by_hand, fractions(), values).results
    )
    wrong = from_casadi(casadi.Function("f", [P, H], [H[:, 0:2]]), arguments, [S])
    with pytest.raises(FeatherError, match="S_01 differs from its mirror image"):
        wrong.program()


def test_a_jacobian_by_a_symmetric_matrix_has_a_column_for_each_stored_element() -> None:
    slopes = codegen.jacobian(quadratic(1, 3), "slopes", ["S"], {"by_P": ["P"], "by_H": ["H"]})
    a, b, c = h = [Fraction(k) for k in (2, 3, 5)]
    values = list(map(Fraction, range(1, 7)))
    found = evaluate(slopes.program(), fractions(), [*values, *h]).results
    assert found[:6] == [a * a, 2 * a * b, 2 * a * c, b * b, 2 * b * c, c * c]
    rows = Symmetric(3).matrix(values)
    assert found[6:] == [2 * sum(x * y for x, y in zip(row, h, strict=True)) for row in rows]


# units, ranges, binding, composition


def test_units_are_given_for_all_or_for_each_element() -> None:
    def kernel(unit: str, result: str) -> Kernel:
        @codegen.kernel(
            inputs=[Arg("P", Symmetric(2), unit, ""), Arg("dt", codegen.REAL, "s", "")],
            outputs=[Arg("Q", Symmetric(2), result, "")],
            name="stepped",
            **ABOUT,
        )
        def formula(P: Any, dt: Any) -> Any:
            F = Matrix.from_rows([1, dt], [0, 1])
            return F @ P @ F.T

        return formula

    from codegen.frontends.dimensions import check_units

    each = "m^2; m^2/s; m^2/s^2"
    check_units(kernel(each, each))
    check_units(kernel("mixed", "mixed"))
    with pytest.raises(FeatherError, match="adds"):
        check_units(kernel("m^2", "m^2"))
    with pytest.raises(FeatherError, match="output Q_11 comes out in m\\^2/s\\^2"):
        check_units(kernel(each, "m^2; m^2/s; m^2/s"))


def test_units_of_a_solution_follow() -> None:
    from codegen.frontends.dimensions import check_units

    @codegen.kernel(
        inputs=[Arg("S", Symmetric(2), "m^2; m rad; rad^2", ""), Arg("e", Vector(2), "m; rad", "")],
        outputs=[Arg("x", Vector(2), "1/m; 1/rad", ""), Arg("y", Vector(2), "1/m; 1/rad", "")],
        failures=SINGULAR,
        **ABOUT,
    )
    def weighted(S: Any, e: Any) -> Any:
        return S.ldlt().solve(e), S.solve(e)

    check_units(weighted)


def test_a_covariance_that_is_bound_must_be_positive_definite() -> None:
    definite = tuple(map(Fraction, (2, 1, 0, 2, 0, 1)))
    assert bind(factored, {"S": definite}).inputs == ()
    with pytest.raises(FeatherError, match="S must be positive definite"):
        bind(factored, {"S": tuple(map(Fraction, (1, 2, 0, 1, 0, 1)))})


def test_a_vehicle_file_gives_a_matrix_in_rows(tmp_path: Path) -> None:
    def bound(rows: str) -> Kernel:
        (tmp_path / "v.toml").write_text(f"[bind]\nS = {rows}\n")
        (kernel,) = bind_vehicle([factored], tmp_path / "v.toml")
        return kernel

    assert bound("[[2, 1, 0.5], [1, 2, 0], [0.5, 0, 3]]").bound["S"] == tuple(
        map(Fraction, ("2", "1", "0.5", "2", "0", "3"))
    )
    assert bound("[2, 1, 0.5, 2, 0, 3]").bound == bound("[[2, 1, 0.5], [1, 2, 0], [0.5, 0, 3]]").bound
    for rows, says in (
        (
            "[[2, 1, 0.5], [1, 2, 0], [0.25, 0, 3]]",
            r"S is not symmetric: S\[0\]\[2\] is 0.5, \[2\]\[0\] is 0.25",
        ),
        ("[[2, 1], [1, 2]]", "S takes 3 rows of 3 numbers"),
    ):
        with pytest.raises(FeatherError, match=says):
            bound(rows)


def test_a_kernel_takes_whatever_has_the_shape() -> None:
    @codegen.kernel(inputs=[A], outputs=[Arg("y", Vector(3), "1", "")], **ABOUT)
    def second_row(A: Any) -> Any:
        return A[1]

    assert second_row(np.arange(9).reshape(3, 3)).scalars() == [3, 4, 5]
    assert second_row(Mat3(tuple(range(9)))).scalars() == [3, 4, 5]
    with pytest.raises(FeatherError, match=r"A: a Matrix\(2, 2\) is not a Matrix\(3, 3\)"):
        second_row([[1, 2], [3, 4]])


# mistakes


MISTAKES: dict[str, tuple[Callable[..., Any], str]] = {
    "shapes of a sum": (
        lambda A, B, S, v: A + B,
        r"Matrix(3, 3) + Matrix(3, 2): both sides must have one shape",
    ),
    "shapes of a product": (
        lambda A, B, S, v: B @ A,
        "Matrix(3, 2) @ Matrix(3, 3): the left side has 2 columns, but the right side has 3 rows",
    ),
    "product with a vector": (lambda A, B, S, v: B @ v, "Matrix(3, 2) @ Vec3: the left side has 2 columns"),
    "sum with a scalar": (lambda A, B, S, v: A + 1, "Matrix(3, 3) + a scalar: both sides must be vectors or"),
    "product with *": (lambda A, B, S, v: A * A, "Matrix(3, 3) * Matrix(3, 3): one side must be a scalar"),
    "index": (lambda A, B, S, v: A[3, 0], "index 3 is outside of a Matrix(3, 3); the last one is 2"),
    "three indices": (lambda A, B, S, v: A[0, 0, 0], "a Matrix(3, 3) has two indices, row and column, not 3"),
    "two indices": (lambda A, B, S, v: A[0][0, 0], "a Vector(3) has one index, v[i]"),
    "empty slice": (lambda A, B, S, v: A[2:1], "the slice 2:1 of a Matrix(3, 3) is empty"),
    "not symmetric": (lambda A, B, S, v: A, "output y: a Matrix(3, 3) is not symmetric by construction"),
    "result's shape": (
        lambda A, B, S, v: B,
        "output y: a Matrix(3, 2) is not a Symmetric(3): the shapes differ",
    ),
    "scalar result": (lambda A, B, S, v: A[0, 0], "output y: a scalar is not a Symmetric(3)"),
    "solve": (lambda A, B, S, v: B.solve(v), "solve needs a square matrix, but this is a Matrix(3, 2)"),
    "right side": (lambda A, B, S, v: A.solve(B.T), "Matrix(3, 3) cannot be solved for a Matrix(2, 3)"),
    "large": (
        lambda A, B, S, v: Matrix.identity(5).inverse(),
        "inverse takes at most 4 rows, but this is a Symm",
    ),
    "equality": (lambda A, B, S, v: A == B, "== and != cannot compare Matrix(3, 3) and Matrix(3, 2)"),
    "rows": (lambda A, B, S, v: Matrix.from_rows([1, 2], [3]), "the rows of a matrix have 2, 1 elements"),
    "blocks": (
        lambda A, B, S, v: Matrix.blocks([[A, B], [S]]),
        "Matrix.blocks: each row has the same number",
    ),
    "heights": (lambda A, B, S, v: Matrix.blocks([[A, B.T]]), "the blocks of row 0 have 2 and 3 rows"),
    "zeros": (
        lambda A, B, S, v: Matrix.blocks([[A, 0], [S, 0]]),
        "column 1 is zeros only: write Matrix.zeros",
    ),
    "block": (
        lambda A, B, S, v: A.with_block(1, 2, B),
        "a Matrix(3, 2) at (1, 2) does not fit into a Matrix(3, 3)",
    ),
    "triangle": (lambda A, B, S, v: Symmetric.from_upper([1, 2]), "2 scalars are not the upper triangle"),
}
"""Formulas of A (3 x 3), B (3 x 2), S (symmetric) and v (Vec3) for a Symmetric(3), and the message."""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_names_the_shapes(name: str) -> None:
    formula, says = MISTAKES[name]
    with pytest.raises(FeatherError) as error:
        lower([A, B, S, V], [Arg("y", Symmetric(3), "1", "")], formula, checks=True)
    assert says in str(error.value)


def test_a_type_needs_whole_extents() -> None:
    for make, says in (
        (lambda: Matrix(0, 2), "Matrix(0, 2): the extents are whole numbers from 1"),
        (lambda: Vector(2.0), "Vector(2.0): the extents are"),  # type: ignore[arg-type]
        (lambda: Symmetric(True), "Symmetric(True): the extents are"),
    ):
        with pytest.raises(FeatherError) as error:
            make()
        assert says in str(error.value)


def test_a_positive_matrix_takes_no_range_and_any_other_one_does() -> None:
    assert Arg("S", Symmetric(2), "1", "", range=(0, 1)).ends
    with pytest.raises(FeatherError, match="takes no range"):
        _ = Arg("S", Symmetric(2, positive=True), "1", "", range=(0, 1)).ends
    with pytest.raises(FormulaError):
        Symmetric(13).value(range(91)).ldlt()


def test_three_by_three_structures_solve() -> None:
    b = Vec3(1, 2, 3)
    S = SymMat3(*map(Fraction, (4, 1, 0, 3, 1, 2)))
    A = Mat3(tuple(map(Fraction, (1, 2, 0, 0, 3, 1, 4, 0, 2))))
    assert (S @ S.solve(b)).scalars() == b.scalars()
    assert (A @ A.solve(b)).scalars() == b.scalars()
