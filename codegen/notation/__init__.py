"""The notation of textbooks as data: equations are read, evaluated on scalars of any kind, and printed.

    v_A = v_B + 2 w u x v_B + 2 u x (u x v_B); q_AB = [w, u]

An equation is written once, as such a text. What is printed from it, in any format, and what is compared with
the code are made from the same syntax tree.

| text | meaning |
|---|---|
| `a b`, `A v`, `a / b`, `a^2` | product, matrix product, quotient by a scalar, power |
| `a^(7/2)` | a power of a positive number whose exponent is a fraction |
| `a.b`, `a x b`, `p (x) q` | scalar product, cross product, Hamilton's product of quaternions |
| `u~`, `A^T`, `A^-1`, `q^*` | matrix of u x, transpose, inverse, conjugate quaternion |
| `|v|`, `sqrt(a)`, `Rz(psi)` | length or absolute value, functions (`functions.py`), elementary rotations |
| `[a, b]`, `[[A, B], [C, D]]` | a column of scalars and vectors, a matrix of blocks; 0 and 1 fit in |
| `cols(a, b)`, `rows(a, b)` | the matrix with these columns, or rows |
| `R[0, 1]`, `M[0:3, 3:6]` | an element, a block |
| `{a if b > 0, c otherwise}` | cases |
| `zeros(3, 4)` | the matrix of zeros with 3 rows and 4 columns, where its size does not follow from others |
| `identity(3)` | the unit matrix with 3 rows and columns, where its size does not follow from others |
| `triu(A)`, `sym(a)` | the column of the elements on and above the diagonal, the matrix of such a one |
| `sum_i(a_i)`, `stack_k(A_k)` | a sum over all i, the blocks A_k below each other (`families.py`) |
| `integral(f, [x, a, b], [y, c, d])` | an integral, over x first; only in definitions and steps |
| `jacobian(f, x)` | df/dx, where x is a column of arguments |
| `min(a, v)`, `minors(A)` | the smallest of scalars and elements, the column of all principal minors |
| `clip(x, a, b)` | x between limits: a if x < a, b if b < x, x otherwise, as in formulas |
| `wrap(x)` | an angle less whole turns, from -pi to pi, as in formulas |
| `floor(x)`, `ceil(x)`, `modulo(x, y)`, `sign(x)` | as in formulas: modulo(x, y) is x - y floor(x / y) |
| `0 <= a < 1` | an inequality; as an equation, a condition |
| `e_x`, `e_y`, `e_z` | the unit vectors; refused where an argument has the letter e |
| `pi`, `eps`, `min`, `max` | constants; all but pi are those of the precision, in conditions of flags |
| `sum(a, b)`, `finite(a)` | the sum of all numbers; the condition that each of them is finite |
| `q = [w, u]`, `f(a) = a^2`, `e^2 = a b` | names for parts of a known value, for a function, a power |

Products written side by side bind more tightly than `x` and `.`; `x` is a name where no operand follows it,
and in `x[3]`, which has no blank.
The equation of a kernel calls the tables that its formula looks up by their names: `C_m(alpha, de)`.

Equations are separated by `;`, `,` or line ends, in any order.
"""
