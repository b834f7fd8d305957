/*
 * Pinocchio's own functions on its own objects, which are made of the inputs beforehand and read afterwards, so
 * that neither is timed. Its motions and forces are linear first, its inertias about the centre of mass.
 * REAL is float or double, NAME(f) the name of f in that precision; JOINTS are the UR5's: quarter turns about
 * x, and the place.
 */
#define BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS
#define BOOST_MPL_LIMIT_LIST_SIZE 30
#define BOOST_MPL_LIMIT_VECTOR_SIZE 30
#define BOOST_FUSION_INVOKE_MAX_ARITY 12

#include <array>
#include <memory>
#include <new>
#include <vector>

#include <pinocchio/algorithm/rnea.hpp>

namespace {

using SE3 = pinocchio::SE3Tpl<REAL>;
using Motion = pinocchio::MotionTpl<REAL>;
using Force = pinocchio::ForceTpl<REAL>;
using Inertia = pinocchio::InertiaTpl<REAL>;
using Vector3 = Eigen::Matrix<REAL, 3, 1>;
using Matrix3 = Eigen::Matrix<REAL, 3, 3>;
using Angles = Eigen::Matrix<REAL, 6, 1>;

template <class T> constexpr int size = 6;
template <> constexpr int size<SE3> = 12;
template <> constexpr int size<Inertia> = 10;

/* As the inputs and outputs have them. */
template <class T> T read(const REAL *x) { return T(Vector3(x[3], x[4], x[5]), Vector3(x[0], x[1], x[2])); }

template <class T> void write(const T &value, REAL *y)
{
    Vector3::Map(y) = value.angular();
    Vector3::Map(y + 3) = value.linear();
}

template <> Angles read<Angles>(const REAL *x) { return Angles::Map(x); }

template <> SE3 read<SE3>(const REAL *x)
{
    return SE3(Eigen::Matrix<REAL, 3, 3, Eigen::RowMajor>::Map(x), Vector3::Map(x + 9));
}

/* [m, h, J]: J about the centre of mass. */
Inertia central(const REAL *x)
{
    Matrix3 J;
    J << x[4], x[5], x[6], x[5], x[7], x[8], x[6], x[8], x[9];
    return Inertia(x[0], Vector3(Vector3::Map(x + 1) / x[0]), J);
}

/* [m, h, J]: J about the origin. */
template <> Inertia read<Inertia>(const REAL *x)
{
    const Inertia body = central(x);
    const Vector3 c = body.lever();
    const Matrix3 J = body.inertia().matrix() - x[0] * (c.squaredNorm() * Matrix3::Identity() - c * c.transpose());
    return Inertia(x[0], c, J);
}

template <> void write<Inertia>(const Inertia &body, REAL *y)
{
    const Matrix3 J = body.inertia().matrix();
    y[0] = body.mass();
    Vector3::Map(y + 1) = body.mass() * body.lever();
    y[4] = J(0, 0), y[5] = J(0, 1), y[6] = J(0, 2), y[7] = J(1, 1), y[8] = J(1, 2), y[9] = J(2, 2);
}

template <class T, class Read> std::vector<T> all(const REAL *x, int count, Read from)
{
    std::vector<T> values;
    for (int i = 0; i < count; i++) {
        values.push_back(from(x + size<T> * i));
    }
    return values;
}

} // namespace

/* A function of a and b, its result made in place, as `OUT out = EXPRESSION` would; READ makes b of the input. */
#define KERNEL(F, A, B, OUT, READ, EXPRESSION)                             \
    static std::vector<A> F##_a;                                           \
    static std::vector<B> F##_b;                                           \
    static OUT F##_out;                                                    \
    extern "C" void NAME(F, _given)(const REAL *x, const REAL *y, int n)   \
    {                                                                      \
        F##_a = all<A>(x, n, read<A>);                                     \
        F##_b = all<B>(y, n, READ);                                        \
    }                                                                      \
    extern "C" __attribute__((noinline)) void NAME(F, )(int i)             \
    {                                                                      \
        const A &a = F##_a[i];                                             \
        const B &b = F##_b[i];                                             \
        ::new (&F##_out) OUT(EXPRESSION);                                  \
    }                                                                      \
    extern "C" void NAME(F, _found)(REAL *y) { write(F##_out, y); }

KERNEL(central_transform, SE3, Inertia, Inertia, central, b.se3Action(a))
KERNEL(inertia_multiply, Inertia, Motion, Force, read<Motion>, a * b)
KERNEL(motion_transform, SE3, Motion, Motion, read<Motion>, a.act(b))
KERNEL(force_transform, SE3, Force, Force, read<Force>, a.act(b))
KERNEL(motion_cross, Motion, Motion, Motion, read<Motion>, a.cross(b))
KERNEL(force_cross, Motion, Force, Force, read<Force>, a.cross(b))
KERNEL(inertia_bias_force, Inertia, Motion, Force, read<Motion>, a.vxiv(b))

// KERNEL ur5_inverse_dynamics: the links are inputs, so each call puts its own into the model
namespace {

using Model = pinocchio::ModelTpl<REAL>;
using Data = pinocchio::DataTpl<REAL>;

const struct {
    int turn;
    REAL x, y, z;
} joints[] = JOINTS;

std::vector<Angles> q, dq, ddq;
std::array<std::vector<Inertia>, 6> links;
Model model;
std::unique_ptr<Data> data;

void build()
{
    model = Model();
    model.gravity.linear(Vector3(0, 0, -REAL(GRAVITY)));
    pinocchio::JointIndex parent = 0;
    for (const auto &joint : joints) {
        const REAL k = joint.turn, upright = 1 - k * k;
        Matrix3 turn;
        turn << 1, 0, 0, 0, upright, -k, 0, k, upright;
        const SE3 place(turn, Vector3(joint.x, joint.y, joint.z));
        parent = model.addJoint(parent, pinocchio::JointModelRevoluteTpl<REAL, 0, 2>(), place,
                                "joint" + std::to_string(parent));
    }
    data = std::make_unique<Data>(model);
}

} // namespace

extern "C" void NAME(ur5_inverse_dynamics, _given)(const REAL *x0, const REAL *x1, const REAL *x2, const REAL *x3,
                                                   const REAL *x4, const REAL *x5, const REAL *x6, const REAL *x7,
                                                   const REAL *x8, int n)
{
    const REAL *bodies[] = {x3, x4, x5, x6, x7, x8};
    build();
    q = all<Angles>(x0, n, read<Angles>);
    dq = all<Angles>(x1, n, read<Angles>);
    ddq = all<Angles>(x2, n, read<Angles>);
    for (int k = 0; k < 6; k++) {
        links[k] = all<Inertia>(bodies[k], n, read<Inertia>);
    }
}

extern "C" __attribute__((noinline)) void NAME(ur5_inverse_dynamics, )(int i)
{
    for (int k = 0; k < 6; k++) {
        model.inertias[k + 1] = links[k][i];
    }
    pinocchio::rnea(model, *data, q[i], dq[i], ddq[i]);
}

extern "C" void NAME(ur5_inverse_dynamics, _found)(REAL *y) { Angles::Map(y) = data->tau; }
