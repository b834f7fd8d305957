/*
 * Pinocchio's algorithms on robots that are read from files: with REAL float or double its functions, to be
 * timed, with GRAPH a program that writes the C of the same algorithms on CasADi's graphs.
 * A file has `joints floating`, then for each joint its kind (0 free, 1 turns, 2 slides, 3 spherical), parent,
 * axis, place (matrix by rows, position), and the mass, centre of mass and inertia about it of what it carries.
 */
#ifdef GRAPH
#include <pinocchio/autodiff/casadi.hpp>
using REAL = casadi::SX;
#endif

#define BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS
#define BOOST_MPL_LIMIT_LIST_SIZE 30
#define BOOST_MPL_LIMIT_VECTOR_SIZE 30
#define BOOST_FUSION_INVOKE_MAX_ARITY 12

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <vector>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

namespace {

using Model = pinocchio::ModelTpl<REAL>;
using Data = pinocchio::DataTpl<REAL>;
using Vector = Eigen::Matrix<REAL, Eigen::Dynamic, 1>;
using Vector3 = Eigen::Matrix<REAL, 3, 1>;
using Matrix3 = Eigen::Matrix<REAL, 3, 3>;

enum Function { RNEA, CRBA, FORWARD_DYNAMICS, RNEA_DERIVATIVES };

struct Robot {
    Model model;
    bool floating;
    int count; /* of velocities, without those of the base */
    std::vector<bool> balls; /* for each joint but the base whether it is spherical */
};

Vector3 vector(std::istream &file)
{
    double x, y, z;
    file >> x >> y >> z;
    return Vector3(REAL(x), REAL(y), REAL(z));
}

pinocchio::JointModelTpl<REAL> joint(int kind, std::istream &file)
{
    double axis[3];
    file >> axis[0] >> axis[1] >> axis[2];
    const Vector3 along{REAL(axis[0]), REAL(axis[1]), REAL(axis[2])};
    if (kind == 0) {
        return pinocchio::JointModelFreeFlyerTpl<REAL>();
    }
    if (kind == 3) {
        return pinocchio::JointModelSphericalTpl<REAL>();
    }
    if (kind == 2) {
        return axis[0] == 1   ? pinocchio::JointModelTpl<REAL>(pinocchio::JointModelPrismaticTpl<REAL, 0, 0>())
               : axis[1] == 1 ? pinocchio::JointModelTpl<REAL>(pinocchio::JointModelPrismaticTpl<REAL, 0, 1>())
               : axis[2] == 1 ? pinocchio::JointModelTpl<REAL>(pinocchio::JointModelPrismaticTpl<REAL, 0, 2>())
                              : pinocchio::JointModelTpl<REAL>(pinocchio::JointModelPrismaticUnalignedTpl<REAL>(along));
    }
    return axis[0] == 1   ? pinocchio::JointModelTpl<REAL>(pinocchio::JointModelRevoluteTpl<REAL, 0, 0>())
           : axis[1] == 1 ? pinocchio::JointModelTpl<REAL>(pinocchio::JointModelRevoluteTpl<REAL, 0, 1>())
           : axis[2] == 1 ? pinocchio::JointModelTpl<REAL>(pinocchio::JointModelRevoluteTpl<REAL, 0, 2>())
                          : pinocchio::JointModelTpl<REAL>(pinocchio::JointModelRevoluteUnalignedTpl<REAL>(along));
}

Robot load(const char *path)
{
    std::ifstream file(path);
    Robot robot;
    int joints;
    file >> joints >> robot.floating;
    robot.model.gravity.linear(Vector3(REAL(0), REAL(0), REAL(-9.81)));
    for (int i = 0; i < joints; i++) {
        int kind, parent;
        double m;
        file >> kind >> parent;
        const auto moving = joint(kind, file);
        Matrix3 turn, inertia;
        for (int row = 0; row < 3; row++) {
            turn.row(row) = vector(file).transpose();
        }
        const Vector3 at = vector(file);
        if (kind != 0) {
            robot.balls.push_back(kind == 3);
        }
        file >> m;
        const Vector3 centre = vector(file);
        for (int row = 0; row < 3; row++) {
            inertia.row(row) = vector(file).transpose();
        }
        const auto index = robot.model.addJoint(parent, moving, pinocchio::SE3Tpl<REAL>(turn, at), "j" + std::to_string(i));
        robot.model.inertias[index] = pinocchio::InertiaTpl<REAL>(REAL(m), centre, inertia);
    }
    robot.count = robot.model.nv - 6 * robot.floating;
    return robot;
}

/* One call's arguments: a is the acceleration, or the forces of forward dynamics. */
struct Given {
    Vector q, v, a;
};

/* [angular; linear] as Pinocchio has it. */
void put(Vector &to, const REAL *x)
{
    for (int k = 0; k < 3; k++) {
        to[k] = x[3 + k];
        to[3 + k] = x[k];
    }
}

/* (x, y, z, w) as Pinocchio has it. */
void put_quaternion(REAL *to, const REAL *x)
{
    for (int k = 0; k < 4; k++) {
        to[k] = x[(k + 1) % 4];
    }
}

/* The positions of the joints from those of our functions: what has one number, then a quaternion for each ball. */
const REAL *const *put_positions(const Robot &robot, Vector &q, const REAL *const *x, int i)
{
    const int singles = int(std::count(robot.balls.begin(), robot.balls.end(), false));
    const REAL *single = singles ? *x++ + singles * i : nullptr;
    REAL *to = q.data() + 7 * robot.floating;
    for (const bool ball : robot.balls) {
        if (ball) {
            put_quaternion(to, *x++ + 4 * i);
        } else {
            *to = *single++;
        }
        to += ball ? 4 : 1;
    }
    return x;
}

/* The arguments from those of our functions, in their order. */
Given given(const Robot &robot, Function function, const REAL *const *x, int i)
{
    const int n = robot.count, floats = robot.floating;
    Given found{Vector(robot.model.nq), Vector(robot.model.nv), Vector(robot.model.nv)};
    const bool at_rest = function == CRBA, forward = function == FORWARD_DYNAMICS;
    for (auto *values : {&found.q, &found.v, &found.a}) {
        values->fill(REAL(0));
    }
    if (floats) {
        found.q[6] = REAL(1);
    }
    if (floats && !at_rest) {
        put_quaternion(found.q.data() + 3, *x++ + 4 * i);
        put(found.v, *x++ + 6 * i);
        if (!forward) {
            put(found.a, *x++ + 6 * i);
        }
    }
    x = put_positions(robot, found.q, x, i);
    for (int k = 0; k < n && !at_rest; k++) {
        found.v[6 * floats + k] = x[0][n * i + k];
        found.a[6 * floats + k] = x[1][n * i + k];
    }
    if (floats && forward) {
        put(found.a, x[2] + 6 * i);
    }
    return found;
}

void call(const Robot &robot, Data &data, Function function, const Given &x)
{
    switch (function) {
    case RNEA: pinocchio::rnea(robot.model, data, x.q, x.v, x.a); break;
    case CRBA: pinocchio::crba(robot.model, data, x.q); break;
    case FORWARD_DYNAMICS: pinocchio::aba(robot.model, data, x.q, x.v, x.a); break;
    case RNEA_DERIVATIVES: pinocchio::computeRNEADerivatives(robot.model, data, x.q, x.v, x.a); break;
    }
}

/* The results of our functions, one after the other. */
std::vector<std::vector<REAL>> results(const Robot &robot, const Data &data, Function function)
{
    const int base = 6 * robot.floating, all = robot.model.nv;
    const auto place = [&](int k) { return k < base ? (k + 3) % 6 : k; };
    std::vector<std::vector<REAL>> found;
    const auto split = [&](const Vector &values) {
        std::vector<REAL> own;
        for (int k = 0; k < all; k++) {
            own.push_back(values[place(k)]);
            if (k + 1 == base || k + 1 == all) {
                found.push_back(own);
                own.clear();
            }
        }
    };
    const auto columns = [&](const auto &matrix) {
        std::vector<REAL> own;
        for (int i = 0; i < all; i++) {
            for (int j = base; j < all; j++) {
                own.push_back(matrix(place(i), j));
            }
            if (i + 1 == base || i + 1 == all) {
                found.push_back(own);
                own.clear();
            }
        }
    };
    if (function == RNEA) {
        split(data.tau);
    } else if (function == FORWARD_DYNAMICS) {
        split(data.ddq);
    } else if (function == CRBA) {
        std::vector<REAL> own;
        for (int i = 0; i < all; i++) {
            for (int j = i; j < all; j++) {
                own.push_back(data.M(std::min(place(i), place(j)), std::max(place(i), place(j))));
            }
        }
        found.push_back(own);
    } else {
        columns(data.dtau_dq);
        columns(data.dtau_dv);
    }
    return found;
}

} // namespace

#ifdef GRAPH

/* FILE FUNCTION NAME REAL SIZE...: the C of a function of inputs of these sizes, on the standard output. */
int main(int argc, char **argv)
{
    const Robot robot = load(argv[1]);
    const auto function = Function(std::atoi(argv[2]));
    Data data(robot.model);
    std::vector<std::vector<REAL>> scalars;
    std::vector<const REAL *> pointers;
    std::vector<casadi::SX> inputs, outputs;
    for (int k = 5; k < argc; k++) {
        inputs.push_back(casadi::SX::sym("x" + std::to_string(k), std::atoi(argv[k])));
        scalars.push_back({});
        for (int i = 0; i < inputs.back().size1(); i++) {
            scalars.back().push_back(inputs.back()(i));
        }
    }
    for (const auto &values : scalars) {
        pointers.push_back(values.data());
    }
    call(robot, data, function, given(robot, function, pointers.data(), 0));
    for (const auto &values : results(robot, data, function)) {
        outputs.push_back(casadi::SX::densify(casadi::SX::vertcat(values)));
    }
    casadi::CodeGenerator source(argv[3], {{"casadi_real", std::string(argv[4])}, {"with_header", false}});
    source.add(casadi::Function(argv[3], inputs, outputs, casadi::Dict{{"cse", true}}));
    std::cout << source.dump();
}

#else

namespace {

/* A function of a robot with the arguments of all calls. */
struct Bench {
    const Robot robot;
    const Function function;
    Data data;
    std::vector<Given> calls;

    Bench(const char *path, Function of) : robot(load(path)), function(of), data(robot.model) {}

    void take(const REAL *const *x, int n)
    {
        calls.clear();
        for (int i = 0; i < n; i++) {
            calls.push_back(given(robot, function, x, i));
        }
    }

    void compute(int i) { call(robot, data, function, calls[i]); }

    void show(REAL *const *y) const
    {
        for (const auto &values : results(robot, data, function)) {
            std::copy(values.begin(), values.end(), *y++);
        }
    }
};

} // namespace

/* For each function: NAME_given, NAME and NAME_found, which benchmarks/dynamics.py writes. */
#endif
