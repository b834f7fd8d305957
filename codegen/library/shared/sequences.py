"""Euler sequences: the axes of the three rotations, and the common form of all sequences.

In axes of its own, 1 and 2 along the first two letters and 3 = 1 x 2, every sequence is 1-2-3 (Tait-Bryan)
or 1-2-1 (proper). Axis 3 points along the remaining letter or against it, as `sign` states.

The maps q -> [w, q1, q2, -q3] and R -> D R^T D, D = diag(1, 1, -1), reverse a product and keep rotations
about 1 and 2; those about 3 change their sign. So an intrinsic sequence is the extrinsic one of the same
letters, its matrix transposed and its axis 3 reversed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from codegen.ir.types import Scalar, flatten
from codegen.modeling.types.algebra import Mat3, Quaternion, Rotation, Vec3


@dataclass(frozen=True)
class Sequence:
    """Three letters in the order of the angles; extrinsic about the axes of A, intrinsic about those of B."""

    letters: str
    intrinsic: bool = False
    names: tuple[str, str, str] = ("a_0", "a_1", "a_2")
    argument: str = "angles"
    frames: str = "AB"

    @property
    def suffix(self) -> str:
        """The suffix of its kernels' names: `xyz`, `xyz_intrinsic`."""
        return self.letters + ("_intrinsic" if self.intrinsic else "")

    @property
    def matrix_name(self) -> str:
        """The rotation matrix in equations: `R_AB`."""
        return f"R_{self.frames}"

    @property
    def quaternion_name(self) -> str:
        """The quaternion in equations: `q_AB`."""
        return f"q_{self.frames}"

    @property
    def pattern(self) -> str:
        """The equation that names the angles: `angles = [a_0, a_1, a_2]`."""
        return f"{self.argument} = [{', '.join(self.names)}]"

    @property
    def rate_pattern(self) -> str:
        """The equation that names their rates: `dangles = [da_0, da_1, da_2]`."""
        return f"d{self.argument} = [{', '.join(f'd{name}' for name in self.names)}]"

    @property
    def proper(self) -> bool:
        """Whether the last letter is the first again."""
        return self.letters[0] == self.letters[2]

    @property
    def axes(self) -> tuple[int, int, int]:
        """Indices of the first letter, of the second, and of the one that is neither."""
        first, second = ("xyz".index(letter) for letter in self.letters[:2])
        return first, second, 3 - first - second

    @property
    def sign(self) -> int:
        """1 where axis 3 points along the remaining letter, -1 where it points against it."""
        first, second, _ = self.axes
        return 1 if ((second - first) % 3 == 1) != self.intrinsic else -1

    @property
    def last_sign(self) -> int:
        """The sign of the last angle, which is about axis 3 or, again, about axis 1."""
        return 1 if self.proper else self.sign

    @property
    def from_the_body(self) -> Sequence:
        """The same product as an extrinsic sequence: its first angle is about an axis of B."""
        a, b, c = self.names
        return (
            replace(self, letters=self.letters[::-1], intrinsic=False, names=(c, b, a))
            if self.intrinsic
            else self
        )

    def order(self, angles: Vec3) -> Vec3:
        """The angles of `from_the_body`, or back."""
        return type(angles)(angles.z, angles.y, angles.x) if self.intrinsic else angles

    def product(self) -> str:
        """The rotation matrix as the product of its factors: `Rz(a_2) Ry(a_1) Rx(a_0)`."""
        return " ".join(self._factors("R{axis}({angle})"))

    def quaternion_product(self) -> str:
        """The quaternion as the product of its factors: `q(a_2, e_z) (x) q(a_1, e_y) (x) q(a_0, e_x)`."""
        return " (x) ".join(self._factors("q({angle}, e_{axis})"))

    def _factors(self, factor: str) -> list[str]:
        turns = zip(self.letters, self.names, strict=True)
        factors = [factor.format(axis=axis, angle=angle) for axis, angle in turns]
        return factors if self.intrinsic else factors[::-1]

    def own_vector(self, v: Vec3) -> Vec3:
        """Coordinates in the axes 1, 2, 3."""
        x, y, z = (flatten(v)[i] for i in self.axes)
        return Vec3(x, y, signed(self.sign, z))

    def vector(self, own: Vec3) -> Vec3:
        """Coordinates in x, y, z of a vector in the axes 1, 2, 3."""
        placed = dict(zip(self.axes, (own.x, own.y, signed(self.sign, own.z)), strict=True))
        return Vec3(placed[0], placed[1], placed[2])

    def quaternion(self, own: Quaternion) -> Quaternion:
        """A quaternion from its components in the axes 1, 2, 3."""
        return Quaternion.from_parts(own.w, self.vector(own.vector))

    def own_matrix(self, R: Mat3) -> Mat3:
        """The matrix in the axes 1, 2, 3."""
        forward = R.transpose if self.intrinsic else R
        rows = [self.own_vector(forward.row(i)) for i in self.axes]
        return Mat3.from_rows(rows[0], rows[1], _signed_vector(self.sign, rows[2]))

    def own_element(self, i: int, j: int) -> tuple[int, str]:
        """An element of the matrix in the axes 1, 2, 3: its sign, and its name in equations, `R[0, 2]`."""
        row, column = (self.axes[j], self.axes[i]) if self.intrinsic else (self.axes[i], self.axes[j])
        return (self.sign if (i == 2) != (j == 2) else 1), f"R[{row}, {column}]"

    def distance_from_lock(self) -> str:
        """The sine or cosine of the middle angle from a quaternion q of any norm, in equations."""
        x, y, z = (f"p[{1 + i}]" for i in self.axes)
        if self.proper:
            return f"d = 2 |[p[0], {x}]| |[{y}, {z}]|, p = q / |q|"
        plus, minus = ("+", "-") if self.sign > 0 else ("-", "+")
        return f"d = |[p[0] - {y}, {x} {plus} {z}]| |[p[0] + {y}, {z} {minus} {x}]|, p = q / |q|"

    def matrix(self, own: Mat3) -> Rotation:
        """A rotation matrix from its elements in the axes 1, 2, 3."""
        rows = [self.vector(row) for row in own.rows]
        placed = dict(zip(self.axes, (*rows[:2], _signed_vector(self.sign, rows[2])), strict=True))
        R = Rotation.from_rows(placed[0], placed[1], placed[2])
        return R.transpose if self.intrinsic else R


def signed(sign: int, x: Scalar) -> Scalar:
    """x or -x."""
    return x if sign > 0 else -x


def _signed_vector(sign: int, v: Vec3) -> Vec3:
    return v if sign > 0 else -v


SEQUENCES = tuple(
    Sequence(letters, intrinsic)
    for intrinsic in (False, True)
    for letters in ("xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz")
)
"""All 24, the extrinsic ones first."""
