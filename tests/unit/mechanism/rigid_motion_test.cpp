// Rigid bodies by directors and multipliers: motions against other integrators and closed forms, what schemes conserve,
// and exact derivatives.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "libadjoint/time/transient_case.hpp"
#include "libfem/mechanism/mechanism_value.hpp"
#include "libfem/mechanism/tied_equation.hpp"
#include "tests/unit/adjoint/time_cases.hpp"
#include "tests/unit/mechanism/mobile.hpp"

namespace invar::mechanisms {
namespace {

/// Own copies of a state on every rank.
struct Motion {
  std::vector<double> value, rate;
};
std::vector<double> everywhere(Vec v, int size) {
  std::vector<double> out(size, 0.0);
  if (v) {
    PetscInt n = 0;
    const double* a = nullptr;
    check(VecGetLocalSize(v, &n));
    check(VecGetArrayRead(v, &a));
    std::copy(a, a + n, out.begin());
    check(VecRestoreArrayRead(v, &a));
  }
  MPI_Allreduce(MPI_IN_PLACE, out.data(), size, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return out;
}
Motion at_end(TransientCase& process, int size) {
  Motion m;
  process.with_state(static_cast<int>(process.times().size()) - 1, [&](const EvaluationPoint& u) {
    m.value = everywhere(u.levels[Level::value], size);
    m.rate = everywhere(u.levels[Level::rate], size);
  });
  return m;
}
Matrix turn_of(const RigidBody& body, const std::vector<double>& y, bool rate) {
  Matrix A{};
  for (int i = 0; i < body.dim(); ++i)
    for (int j = 0; j < body.dim(); ++j) A[i][j] = y[body.turn(i, j)] + (i == j && !rate ? 1.0 : 0.0);
  return A;
}
std::unique_ptr<TransientCase> motion(const Mobile& mobile, const TimeScheme& scheme, double end, int steps) {
  MarchOptions options = toy::tight();
  options.newton.rtol = 1e-14;
  options.newton.max_iterations = 12;
  return toy::march(mobile.mechanism, scheme, toy::uniform(end, steps), options);
}
Motion moved(const Mobile& mobile, const TimeScheme& scheme, double end, int steps) {
  auto process = motion(mobile, scheme, end, steps);
  const ProcessReport report = process->run(mobile.numbers->control_values());
  EXPECT_TRUE(report.ok) << report.reason;
  return at_end(*process, mobile.mechanism->size());
}

/// Σ E_k a_k × ȧ_k over the directors a_k (columns of A): angular momentum about the centre.
Place spin_momentum(const Matrix& A, const Matrix& rate, const Place& inertia) {
  Place L{};
  for (int k = 0; k < 3; ++k) {
    const double E = 0.5 * (inertia[0] + inertia[1] + inertia[2]) - inertia[k];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      L[i] += E * (A[j][k] * rate[l][k] - A[l][k] * rate[j][k]);
    }
  }
  return L;
}

Place across(const Place& a, const Place& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
Place times(const Matrix& M, const Place& x) {
  Place y{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) y[i] += M[i][j] * x[j];
  return y;
}
Matrix transposed(const Matrix& M) { return {{{M[0][0], M[1][0], M[2][0]}, {M[0][1], M[1][1], M[2][1]}, {M[0][2], M[1][2], M[2][2]}}}; }

/// A top that turns about a fixed point, by Euler's equations J Ω̇ = J Ω × Ω + c × Aᵀ w and Ȧ = A Ω× in the frame of the body, by the classical
/// Runge–Kutta method. J: its inertia about the point; c: its centre at the start, from the point; w: its weight, a force.
Matrix turned(const Matrix& J, const Place& centre, const Place& weight, const Place& omega, double end, int steps) {
  using State = std::array<double, 12>;
  const auto solve = [&](const Place& b) {  // J x = b by Cramer's rule
    const Place k0 = across(J[1], J[2]), k1 = across(J[2], J[0]), k2 = across(J[0], J[1]);
    const double det = J[0][0] * k0[0] + J[0][1] * k0[1] + J[0][2] * k0[2];
    Place x{};
    for (int i = 0; i < 3; ++i) x[i] = (k0[i] * b[0] + k1[i] * b[1] + k2[i] * b[2]) / det;
    return x;
  };
  const auto slope = [&](const State& s) {
    const Place Omega{s[0], s[1], s[2]};
    const Matrix A{{{s[3], s[4], s[5]}, {s[6], s[7], s[8]}, {s[9], s[10], s[11]}}};
    const Place gyration = across(times(J, Omega), Omega), moment = across(centre, times(transposed(A), weight));
    const Place faster = solve({gyration[0] + moment[0], gyration[1] + moment[1], gyration[2] + moment[2]});
    State d{faster[0], faster[1], faster[2]};
    for (int i = 0; i < 3; ++i)
      for (int r = 0; r < 3; ++r) d[3 + 3 * r + i] = A[r][(i + 1) % 3] * Omega[(i + 2) % 3] - A[r][(i + 2) % 3] * Omega[(i + 1) % 3];
    return d;
  };
  State s{omega[0], omega[1], omega[2], 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double h = end / steps;
  for (int n = 0; n < steps; ++n) {
    const auto at = [&](const State& d, double f) {
      State x = s;
      for (int i = 0; i < 12; ++i) x[i] += f * d[i];
      return x;
    };
    const State a = slope(s), b = slope(at(a, h / 2)), c = slope(at(b, h / 2)), d = slope(at(c, h));
    for (int i = 0; i < 12; ++i) s[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return {{{s[3], s[4], s[5]}, {s[6], s[7], s[8]}, {s[9], s[10], s[11]}}};
}
double largest_difference(const Matrix& A, const Matrix& B) {
  double largest = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) largest = std::max(largest, std::abs(A[i][j] - B[i][j]));
  return largest;
}

struct TopScheme {
  TimeScheme scheme;
  double conserved;  // to which angular momentum is kept, relative
};

TEST(RigidMotion, TumblingTopHasOrderTwoAndKeepsItsAngularMomentum) {
  const Place inertia{5, 4, 3}, omega{0.3, 6.2, 0.2};
  constexpr double end = 0.5;
  const Matrix exact = turned({{{inertia[0], 0, 0}, {0, inertia[1], 0}, {0, 0, inertia[2]}}}, {}, {}, omega, end, 4000);
  using Kind = TimeScheme::Kind;
  for (const auto& [scheme, conserved] : {TopScheme{{Kind::midpoint, 2}, 1e-12}, TopScheme{{Kind::generalised_alpha, 2, 1.0}, 1e-12},
                                          TopScheme{{Kind::generalised_alpha, 2, 0.8}, 1e-2}, TopScheme{{Kind::newmark, 2}, 1e-2}, TopScheme{{Kind::bdf2, 2}, 1}}) {
    std::vector<double> errors;
    for (const int steps : {40, 80}) {
      Mobile mobile;
      RigidBody& top = mobile.body(3, {}, 1, inertia);
      mobile.spin(top, omega);
      mobile.finish();
      const Motion m = moved(mobile, scheme, end, steps);
      const Matrix A = turn_of(top, m.value, false);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          double product = i == j ? -1 : 0;
          for (int k = 0; k < 3; ++k) product += A[k][i] * A[k][j];
          EXPECT_NEAR(product, 0, 1e-12);
        }
      errors.push_back(largest_difference(A, exact));
      const Place L = spin_momentum(A, turn_of(top, m.rate, true), inertia);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(L[i], inertia[i] * omega[i], conserved * inertia[1] * omega[1]);
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.25) << errors[0];
  }
}

/// A heavy top on its tip: gravity has no moment about the vertical, so that part of the angular momentum is kept, and
/// the energy by the midpoint rule.
struct HeavyTop {
  static constexpr Place inertia{0.4, 0.4, 0.3}, omega{0.5, 0.2, 9};
  static constexpr double mass = 2, g = 9.81, reach = 0.6, end = 0.5;
  const Place c{reach * std::sin(0.4), 0, reach * std::cos(0.4)}, v = across(omega, c);

  void moved(const TimeScheme& scheme, int steps) {
    Mobile mobile;
    RigidBody& top = mobile.body(3, c, mass, inertia);
    mobile.force(top, {0, 0, -mass * g});
    mobile.spin(top, omega);
    mobile.velocity(top, v);
    mobile.joints.push_back({JointKind::ball, {&top, nullptr}, {0, 0, 0}, {}});
    mobile.finish();
    const Motion m = mechanisms::moved(mobile, scheme, end, steps);
    A = turn_of(top, m.value, false), rate = turn_of(top, m.rate, true);
    for (int i = 0; i < 3; ++i) place[i] = c[i] + m.value[top.shift(i)], speed[i] = m.rate[top.shift(i)];
  }
  double vertical_momentum() const { return spin_momentum(A, rate, inertia)[2] + mass * across(place, speed)[2]; }
  double energy() const {
    double T = 0.5 * mass * (speed[0] * speed[0] + speed[1] * speed[1] + speed[2] * speed[2]);
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) T += 0.5 * (0.5 * (inertia[0] + inertia[1] + inertia[2]) - inertia[k]) * rate[i][k] * rate[i][k];
    return T + mass * g * place[2];
  }
  void begin() {
    A = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, rate = {}, place = c, speed = v;
    for (int i = 0; i < 3; ++i) {
      rate[(i + 2) % 3][(i + 1) % 3] += omega[i];
      rate[(i + 1) % 3][(i + 2) % 3] -= omega[i];
    }
  }

  Matrix A, rate;  // present state
  Place place, speed;
};

TEST(RigidMotion, HeavyTopKeepsVerticalMomentumAndEnergy) {
  HeavyTop top;
  top.begin();
  const double momentum = top.vertical_momentum(), energy = top.energy();
  top.moved({TimeScheme::Kind::midpoint, 2}, 200);
  EXPECT_NEAR(top.vertical_momentum(), momentum, 1e-12 * std::abs(momentum));
  EXPECT_NEAR(std::hypot(top.place[0], top.place[1], top.place[2]), HeavyTop::reach, 1e-12);
  EXPECT_NEAR(top.energy(), energy, 1e-9 * energy);
}

TEST(RigidMotion, HeavyTopHasOrderTwo) {
  HeavyTop top;
  Matrix J{};  // about the tip (Steiner)
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) J[i][j] = (i == j ? HeavyTop::inertia[i] + HeavyTop::mass * HeavyTop::reach * HeavyTop::reach : 0.0) - HeavyTop::mass * top.c[i] * top.c[j];
  const Matrix exact = turned(J, top.c, {0, 0, -HeavyTop::mass * HeavyTop::g}, HeavyTop::omega, HeavyTop::end, 4000);
  using Kind = TimeScheme::Kind;
  for (const TimeScheme& scheme : {TimeScheme{Kind::midpoint, 2}, TimeScheme{Kind::generalised_alpha, 2, 0.8}, TimeScheme{Kind::newmark, 2}, TimeScheme{Kind::bdf2, 2}}) {
    double errors[2];
    for (const int k : {0, 1}) {
      top.moved(scheme, 60 << k);
      errors[k] = largest_difference(top.A, exact);
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.25) << errors[0] << ", " << errors[1];
  }
}

/// A double pendulum of two rods against its equations in angles.
std::array<double, 2> swung(double end, int steps) {
  constexpr double m = 1, l = 1, g = 9.81, I = m * l * l / 12;
  using State = std::array<double, 4>;
  const auto slope = [&](const State& s) {
    // angles from the horizontal, counter-clockwise; Lagrange's equations of two equal rods
    const double c = std::cos(s[0] - s[1]), sn = std::sin(s[0] - s[1]);
    const double M11 = I + m * l * l / 4 + m * l * l, M22 = I + m * l * l / 4, M12 = 0.5 * m * l * l * c;
    const double f1 = -0.5 * m * l * l * sn * s[3] * s[3] - 1.5 * m * g * l * std::cos(s[0]);
    const double f2 = 0.5 * m * l * l * sn * s[2] * s[2] - 0.5 * m * g * l * std::cos(s[1]);
    const double det = M11 * M22 - M12 * M12;
    return State{s[2], s[3], (M22 * f1 - M12 * f2) / det, (M11 * f2 - M12 * f1) / det};
  };
  State s{0, 0, 0, 0};
  const double h = end / steps;
  for (int n = 0; n < steps; ++n) {
    const auto at = [&](const State& d, double f) {
      State x = s;
      for (int i = 0; i < 4; ++i) x[i] += f * d[i];
      return x;
    };
    const State a = slope(s), b = slope(at(a, h / 2)), c = slope(at(b, h / 2)), d = slope(at(c, h));
    for (int i = 0; i < 4; ++i) s[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return {s[0], s[1]};
}

Mobile double_pendulum() {
  Mobile mobile;
  for (const double x : {0.5, 1.5}) mobile.force(mobile.body(2, {x, 0, 0}, 1, {1.0 / 12, 0, 0}), {0, -9.81, 0});
  mobile.joints.push_back({JointKind::hinge, {mobile.bodies[0].get(), nullptr}, {0, 0, 0}, {}});
  mobile.joints.push_back({JointKind::hinge, {mobile.bodies[1].get(), mobile.bodies[0].get()}, {1, 0, 0}, {}});
  mobile.finish();
  return mobile;
}

TEST(RigidMotion, DoubleHingeHasOrderTwo) {
  constexpr double end = 0.6;
  const std::array<double, 2> exact = swung(end, 20000);
  using Kind = TimeScheme::Kind;
  for (const TimeScheme& scheme : {TimeScheme{Kind::midpoint, 2}, TimeScheme{Kind::newmark, 2}, TimeScheme{Kind::generalised_alpha, 2, 0.7},
                                   TimeScheme{Kind::bdf2, 2}}) {
    std::vector<double> errors;
    for (const int steps : {40, 80}) {
      const Mobile mobile = double_pendulum();
      const Motion m = moved(mobile, scheme, end, steps);
      double error = 0;
      for (int k = 0; k < 2; ++k) {
        const Matrix A = turn_of(*mobile.bodies[k], m.value, false);
        error = std::max(error, std::abs(std::remainder(std::atan2(A[1][0], A[0][0]) - exact[k], 2 * M_PI)));
      }
      errors.push_back(error);
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.3) << errors[0] << " " << errors[1];
  }
}

// Two rods without weight that turn against each other: the pivot exerts no moment about itself.
TEST(RigidMotion, DoubleHingeKeepsItsAngularMomentum) {
  constexpr double inertia = 1.0 / 12, mass = 1;
  const std::array<double, 2> omega{2, -5}, reach{0.5, 1.5};
  const std::array<double, 2> speed{0.5 * omega[0], omega[0] + 0.5 * omega[1]};
  double momentum = 0;
  for (int k = 0; k < 2; ++k) momentum += inertia * omega[k] + mass * reach[k] * speed[k];
  using Kind = TimeScheme::Kind;
  for (const TimeScheme& scheme : {TimeScheme{Kind::midpoint, 2}, TimeScheme{Kind::generalised_alpha, 2, 1.0}}) {
    Mobile mobile;
    for (const double x : reach) mobile.body(2, Place{x, 0, 0}, mass, {inertia, 0, 0});
    mobile.joints.push_back({JointKind::hinge, {mobile.bodies[0].get(), nullptr}, {0, 0, 0}, {}});
    mobile.joints.push_back({JointKind::hinge, {mobile.bodies[1].get(), mobile.bodies[0].get()}, {1, 0, 0}, {}});
    for (int k = 0; k < 2; ++k) {
      mobile.velocity(*mobile.bodies[k], {0, speed[k], 0});
      mobile.spin(*mobile.bodies[k], {0, 0, omega[k]});
    }
    mobile.finish();
    const Motion m = moved(mobile, scheme, 2, 150);
    double found = 0;
    for (int k = 0; k < 2; ++k) {
      const RigidBody& rod = *mobile.bodies[k];
      const Matrix A = turn_of(rod, m.value, false), rate = turn_of(rod, m.rate, true);
      const Place c{reach[k] + m.value[rod.shift(0)], m.value[rod.shift(1)], 0}, v{m.rate[rod.shift(0)], m.rate[rod.shift(1)], 0};
      found += inertia * (rate[1][0] * A[0][0] + rate[1][1] * A[0][1]) + mass * across(c, v)[2];
    }
    EXPECT_NEAR(found, momentum, 1e-12 * mass * 4);
  }
}

/// Adjoint against tangent and differences, by masses, weights and initial velocities, with drives in the joints.
TEST(RigidMotion, DerivativesAreExact) {
  using Kind = TimeScheme::Kind;
  for (const TimeScheme& scheme : {TimeScheme{Kind::midpoint, 2}, TimeScheme{Kind::generalised_alpha, 2, 0.7}, TimeScheme{Kind::bdf2, 2}}) {
    Mobile mobile;
    for (const double x : {0.5, 1.5}) mobile.force(mobile.body(2, {x, 0, 0}, 1, {1.0 / 12, 0, 0}), {0.3, -9.81, 0});
    mobile.joints.push_back({JointKind::hinge, {mobile.bodies[0].get(), nullptr}, {0, 0, 0}, {}});
    mobile.joints.push_back({JointKind::hinge, {mobile.bodies[1].get(), mobile.bodies[0].get()}, {1, 0, 0}, {}});
    mobile.velocity(*mobile.bodies[0], {0, 0.5, 0});
    mobile.velocity(*mobile.bodies[1], {0, 1.5, 0});
    for (const auto& body : mobile.bodies) mobile.spin(*body, {0, 0, 1});
    mobile.mechanism->add_term(torsion_spring(mobile.joints[1], {mobile.number(3), mobile.number(0.2)}));
    mobile.mechanism->add_term(torsion_damper(mobile.joints[0], {mobile.number(0.4)}));
    mobile.mechanism->add_term(joint_torque(mobile.joints[1], {mobile.number(0.7)}));
    mobile.finish();
    auto process = motion(mobile, scheme, 0.6, 20);
    const int force = mobile.mechanism->size() - 7;  // a joint's multiplier
    process->terms() = {{.name = "a", .observable = std::make_shared<MechanismValue>(PETSC_COMM_WORLD, mobile.bodies[1]->shift(1)), .steps = {20}},
                        {.name = "b", .observable = std::make_shared<MechanismValue>(PETSC_COMM_WORLD, mobile.bodies[1]->turn(0, 1), Level::rate), .steps = {13, 20}, .weight = 0.3},
                        {.name = "c", .observable = std::make_shared<MechanismValue>(PETSC_COMM_WORLD, force), .steps = {7, 20}, .weight = 0.1}};
    const Controls values = mobile.numbers->control_values();
    ASSERT_TRUE(process->run(values).ok);
    Controls g(values.size(), {0.0}), direction(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) direction[k] = {0.1 * std::sin(1.0 + 2.0 * double(k))};
    ASSERT_TRUE(process->gradient(g).converged);
    double along = 0;
    for (std::size_t k = 0; k < values.size(); ++k) along += g[k][0] * direction[k][0];
    MPI_Allreduce(MPI_IN_PLACE, &along, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    Eigen::MatrixXd rho_dot;
    Eigen::VectorXd value_dot;
    ASSERT_TRUE(process->tangent({direction}, rho_dot, value_dot).converged);
    EXPECT_NEAR(value_dot[0], along, 1e-10 * std::abs(along));
    const auto value = [&](double h) {
      Controls moved = values;
      for (std::size_t k = 0; k < values.size(); ++k) moved[k][0] += h * direction[k][0];
      EXPECT_TRUE(process->run(moved).ok);
      return process->value();
    };
    constexpr double h = 1e-3;
    EXPECT_NEAR((8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h), along, 2e-8 * std::abs(along));
  }
}

/// When a horizontal rod is released, the hinge force is ¼ of its weight and the acceleration of its end 3g/2 (Euler).
TEST(RigidMotion, RodThatIsLetGo) {
  Mobile mobile;
  RigidBody& rod = mobile.body(2, {0.5, 0, 0}, 1, {1.0 / 12, 0, 0});
  mobile.force(rod, {0, -9.81, 0});
  mobile.joints.push_back({JointKind::hinge, {&rod, nullptr}, {0, 0, 0}, {}});
  mobile.finish();
  auto process = motion(mobile, {TimeScheme::Kind::newmark, 2}, 1e-3, 1);
  ASSERT_TRUE(process->run(mobile.numbers->control_values()).ok);
  process->with_state(0, [&](const EvaluationPoint& u) {
    const std::vector<double> acceleration = everywhere(u.levels[Level::acceleration], mobile.mechanism->size());
    const std::vector<double> value = everywhere(u.levels[Level::value], mobile.mechanism->size());
    EXPECT_NEAR(acceleration[rod.shift(1)] + 0.5 * acceleration[rod.turn(1, 0)], -1.5 * 9.81, 1e-10);
    EXPECT_NEAR(value[7], 9.81 / 4, 1e-10);  // the multipliers of the hinge follow the body's six unknowns
    EXPECT_NEAR(value[6], 0, 1e-10);
  });
}

}  // namespace
}  // namespace invar::mechanisms
