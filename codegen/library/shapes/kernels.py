"""Inertias of simple solids and shells of uniform density, about their centroid and along their axes."""

from collections.abc import Callable, Sequence

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import POSITIVE, Scalar
from codegen.library.shared.arguments import inertia, mass
from codegen.library.shared.works import GOLDSTEIN
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Inertia, SymMat3, Vec3
from codegen.modeling.types.scalar import MIN, bare, every, finite, let, removable, require, select


def _length(name: str, doc: str) -> Arg:
    return Arg(name, POSITIVE, "m", doc)


def _shape(inputs: Sequence[Arg], equation: str) -> Callable[[Callable[..., Inertia]], Kernel]:
    """The decorator of a shape of these dimensions."""
    return kernel(
        inputs=inputs,
        outputs=[inertia("I_O", "B", "spatial inertia about the centroid, where B has its origin")],
        equation=equation,
        source=f"{GOLDSTEIN}; tables of moments of inertia",
        failures={
            Status.NOT_PHYSICAL: Failure(", ".join(f"{a.name} >= 0" for a in inputs), "I_O = 0"),
            Status.NOT_FINITE: Failure("|sum(I_O)| <= max", "I_O = 0"),
        },
    )


def _body(m: Scalar, sizes: Sequence[Scalar], xx: Scalar, yy: Scalar, zz: Scalar) -> Inertia:
    """The inertia with this diagonal; zeros where an argument is negative or the inertia overflows."""
    ok = let("physical", require(every(*(x >= 0 for x in (m, *sizes))), Status.NOT_PHYSICAL))
    J = let("J", SymMat3(xx, 0, 0, yy, 0, zz))
    bounded = let("bounded", require(finite(select(ok, bare(m) + J.trace, 0)), Status.NOT_FINITE))
    return select(every(ok, bounded), Inertia(m, Vec3.zero(), J), Inertia.of([0] * 10))


@_shape(
    inputs=[mass(), *(_length(f"l{axis}", f"edge along {axis}") for axis in "xyz")],
    equation="m_O = m; h = 0; J = (m / 12) diag(ly^2 + lz^2, lx^2 + lz^2, lx^2 + ly^2)",
)
def solid_box_inertia(m: Scalar, lx: Scalar, ly: Scalar, lz: Scalar) -> Inertia:
    """Spatial inertia of a solid box."""
    k = let("k", m / 12)
    xx, yy, zz = let("lx2", lx * lx), let("ly2", ly * ly), let("lz2", lz * lz)
    return _body(m, (lx, ly, lz), k * (yy + zz), k * (xx + zz), k * (xx + yy))


@_shape(inputs=[mass(), _length("r", "radius")], equation="m_O = m; h = 0; J = 2/5 m r^2 1")
def solid_sphere_inertia(m: Scalar, r: Scalar) -> Inertia:
    """Spatial inertia of a solid sphere."""
    k = m * (r * r) * 2 / 5
    return _body(m, (r,), k, k, k)


@_shape(
    inputs=[mass(), _length("r", "radius"), _length("length", "length along z")],
    equation="m_O = m; h = 0; J = m diag(r^2 / 4 + length^2 / 12, r^2 / 4 + length^2 / 12, r^2 / 2)",
)
def solid_cylinder_inertia(m: Scalar, r: Scalar, length: Scalar) -> Inertia:
    """Spatial inertia of a solid cylinder with its axis along z."""
    quarter = let("quarter", m * (r * r) / 4)
    across = quarter + m * (length * length) / 12
    return _body(m, (r, length), across, across, quarter + quarter)


@_shape(
    inputs=[
        mass(),
        *(_length(name, f"semi-axis along {axis}") for name, axis in zip("abc", "xyz", strict=True)),
    ],
    equation="m_O = m; h = 0; J = (m / 5) diag(b^2 + c^2, a^2 + c^2, a^2 + b^2)",
)
def solid_ellipsoid_inertia(m: Scalar, a: Scalar, b: Scalar, c: Scalar) -> Inertia:
    """Spatial inertia of a solid ellipsoid."""
    k = let("k", m / 5)
    xx, yy, zz = let("a2", a * a), let("b2", b * b), let("c2", c * c)
    return _body(m, (a, b, c), k * (yy + zz), k * (xx + zz), k * (xx + yy))


@_shape(
    inputs=[mass(), _length("r", "radius of the base"), _length("length", "height, along z")],
    equation="m_O = m; h = 0; J = 3/20 m diag(r^2 + length^2 / 4, r^2 + length^2 / 4, 2 r^2)",
)
def solid_cone_inertia(m: Scalar, r: Scalar, length: Scalar) -> Inertia:
    """Spatial inertia of a solid cone with its axis along z.

    The centroid is a quarter of the length off the base.
    """
    k = let("k", m * 3 / 20)
    square = let("r2", r * r)
    across = k * (square + length * length / 4)
    return _body(m, (r, length), across, across, 2 * k * square)


@_shape(
    inputs=[
        mass(),
        _length("r", "radius"),
        _length("length", "length along z of the cylinder, without its two hemispheres"),
    ],
    equation="m_O = m; h = 0; J = diag(a, a, r^2 (c / 2 + 2/5 b)); c = m length / (length + 4 r / 3); "
    "b = m (4 r / 3) / (length + 4 r / 3); a = c (r^2 / 4 + length^2 / 12) + "
    "b (2/5 r^2 + 3/8 r length + length^2 / 4)",
)
def solid_capsule_inertia(m: Scalar, r: Scalar, length: Scalar) -> Inertia:
    """Spatial inertia of a solid capsule, a cylinder along z between two hemispheres.

    If `r` and `length` are 0, it is a point mass.
    """
    whole = let("whole", length + r * 4 / 3)
    is_point = removable(whole <= MIN, "all of `J` is zero", "length + 4 r / 3 <= min")
    density = let("density", select(is_point, 0, m) / select(is_point, 1, whole))
    cylinder, ball = let("m_cylinder", density * length), let("m_ball", density * r * 4 / 3)
    square, along = let("r2", r * r), let("length2", length * length)
    across = cylinder * (square / 4 + along / 12) + ball * (square * 2 / 5 + r * length * 3 / 8 + along / 4)
    return _body(m, (r, length), across, across, square * (cylinder / 2 + ball * 2 / 5))


@_shape(inputs=[mass(), _length("r", "radius")], equation="m_O = m; h = 0; J = 2/3 m r^2 1")
def hollow_sphere_inertia(m: Scalar, r: Scalar) -> Inertia:
    """Spatial inertia of a thin spherical shell."""
    k = m * (r * r) * 2 / 3
    return _body(m, (r,), k, k, k)


@_shape(
    inputs=[mass(), _length("r", "radius"), _length("length", "length along z")],
    equation="m_O = m; h = 0; J = m diag(r^2 / 2 + length^2 / 12, r^2 / 2 + length^2 / 12, r^2)",
)
def hollow_cylinder_inertia(m: Scalar, r: Scalar, length: Scalar) -> Inertia:
    """Spatial inertia of a thin cylindrical shell, open at both ends, with its axis along z."""
    own = let("own", m * (r * r))
    across = own / 2 + m * (length * length) / 12
    return _body(m, (r, length), across, across, own)


@_shape(
    inputs=[mass(), _length("length", "length along z")],
    equation="m_O = m; h = 0; J = (m length^2 / 12) diag(1, 1, 0)",
)
def thin_rod_inertia(m: Scalar, length: Scalar) -> Inertia:
    """Spatial inertia of a thin rod along z; its rank is 5, as the moment about its own axis is 0."""
    k = m * (length * length) / 12
    return _body(m, (length,), k, k, 0)


@_shape(inputs=[mass()], equation="m_O = m; h = 0; J = 0")
def point_mass_inertia(m: Scalar) -> Inertia:
    """Spatial inertia of a point mass at the origin."""
    return _body(m, (), 0, 0, 0)
