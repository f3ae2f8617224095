// Places of bodies and joints as numbers of a design: derivatives against closed forms, tangents and differences.
#include <gtest/gtest.h>

#include <cmath>

#include "libadjoint/static_case.hpp"
#include "libfem/mechanism/mechanism_value.hpp"
#include "tests/unit/adjoint/time_cases.hpp"
#include "tests/unit/mechanism/mobile.hpp"

namespace invar::mechanisms {
namespace {

/// Of one number, the sum of the ranks' shares.
double total_of(double share) {
  MPI_Allreduce(MPI_IN_PLACE, &share, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return share;
}

/// A rod hangs on a hinge with a torsion spring: k φ + W x(φ) = 0 with the lever x(φ) = a cos φ − b sin φ of its weight W.
TEST(DesignedPlaces, RodOnATorsionSpring) {
  constexpr double weight = 3, stiffness = 4, a = 0.5, b = 0.2;
  Mobile m;
  RigidBody& rod = m.body(2, m.place(2, {0.7, 0.3, 0}), 1, {0.1, 0, 0});
  const std::size_t of_rod = 0;  // the first controls: its coordinates
  m.force(rod, {0, -weight, 0});
  const std::size_t of_hinge = m.numbers->controls().size();
  m.joints.push_back({JointKind::hinge, {&rod, nullptr}, m.place(2, {0.7 - a, 0.3 - b, 0}), {}});
  m.mechanism->add_term(torsion_spring(m.joints[0], {m.number(stiffness), m.number(0)}));
  m.finish();
  LoadSteppingOptions options;
  options.newton.rtol = 1e-14;
  StaticCase process("rod", m.mechanism, toy::tight_solver(), {0.5, 1.0}, 0, options);
  process.terms() = {{.name = "sine", .observable = std::make_shared<MechanismValue>(PETSC_COMM_WORLD, rod.turn(1, 0)), .steps = {1}}};
  ASSERT_TRUE(process.run(m.numbers->control_values()).ok);
  const double sine = process.value(), cosine = std::sqrt(1 - sine * sine);
  double phi = 0;
  for (int k = 0; k < 100; ++k) phi -= (stiffness * phi + weight * (a * std::cos(phi) - b * std::sin(phi))) / (stiffness - weight * (a * std::sin(phi) + b * std::cos(phi)));
  EXPECT_NEAR(std::asin(sine), phi, 1e-11);
  Controls g(m.numbers->controls().size(), {0.0});
  ASSERT_TRUE(process.gradient(g).converged);
  const double stiff = stiffness - weight * (a * sine + b * cosine);
  const double by_a = -weight * cosine / stiff * cosine, by_b = weight * sine / stiff * cosine;
  EXPECT_NEAR(total_of(g[of_rod][0]), by_a, 1e-11);
  EXPECT_NEAR(total_of(g[of_rod + 1][0]), by_b, 1e-11);
  EXPECT_NEAR(total_of(g[of_hinge][0]), -by_a, 1e-11);
  EXPECT_NEAR(total_of(g[of_hinge + 1][0]), -by_b, 1e-11);
}

/// A pendulum that a small steady force sets in motion from rest: φ = φ₀ (1 − cos Ω t) with Ω² = m g L / (I + m L²); by the midpoint rule
/// with n steps h the phase is 2 n atan(Ω h/2).
TEST(DesignedPlaces, PendulumByItsLength) {
  constexpr double mass = 2, inertia = 0.3, g = 9.81, L = 0.8, push = 1e-3, end = 1.2;
  constexpr int steps = 100;
  Mobile m;
  RigidBody& bob = m.body(2, {0, -L, 0}, mass, {inertia, 0, 0});
  m.force(bob, {push * mass * g, -mass * g, 0});
  const std::size_t of_hinge = m.numbers->controls().size();
  m.joints.push_back({JointKind::hinge, {&bob, nullptr}, m.place(2, {0, 0, 0}), {}});
  m.finish();
  MarchOptions options = toy::tight();
  options.newton.rtol = 1e-14;
  auto process = toy::march(m.mechanism, {TimeScheme::Kind::midpoint, 2}, toy::uniform(end, steps), options);
  process->terms() = {{.name = "sine", .observable = std::make_shared<MechanismValue>(PETSC_COMM_WORLD, bob.turn(1, 0)), .steps = {steps}}};
  ASSERT_TRUE(process->run(m.numbers->control_values()).ok);
  const double whole = inertia + mass * L * L, omega = std::sqrt(mass * g * L / whole);
  const double half = 0.5 * omega * end / steps, phase = 2 * steps * std::atan(half);
  EXPECT_NEAR(process->value(), push * (1 - std::cos(phase)), 1e-5 * push);
  Controls gradient(m.numbers->controls().size(), {0.0});
  ASSERT_TRUE(process->gradient(gradient).converged);
  const double omega_by_L = 0.5 * omega * (1 / L - 2 * mass * L / whole);
  const double expected = push * std::sin(phase) * end / (1 + half * half) * omega_by_L;
  EXPECT_NEAR(total_of(gradient[of_hinge + 1][0]), expected, 2e-5 * std::abs(expected));
}

/// Two bodies in space on a hinge and a slider whose places, and those of the bodies, are numbers.
struct PlacedPair : Mobile {
  explicit PlacedPair(bool in_time) {
    RigidBody &a = body(3, place(3, {0.5, 0.1, 0.2}), 1, {0.2, 0.3, 0.25}), &b = body(3, place(3, {1.3, 0.4, -0.1}), 0.6, {0.1, 0.2, 0.15});
    force(a, {0.3, -1, 0.2});
    force(b, {-0.2, -0.7, 0.4});
    joints.push_back({JointKind::hinge, {&a, nullptr}, place(3, {0, 0.05, 0.1}), {0, 0.6, 0.8}});
    joints.push_back({JointKind::slider, {&b, &a}, place(3, {1, 0.3, 0}), {0.8, 0, 0.6}});
    mechanism->add_term(torsion_spring(joints[0], {number(3), number(0.1)}));
    mechanism->add_term(b.spring({number(5), in_time ? number(0.3) : MechanismNumber{}}));
    finish();
  }
};

template <class Process>
void expect_exact(Process& process, const Controls& values, bool differences) {
  ASSERT_TRUE(process.run(values).ok);
  Controls g(values.size(), {0.0}), direction(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) direction[k] = {0.1 * std::sin(1.0 + 2.0 * double(k))};
  ASSERT_TRUE(process.gradient(g).converged);
  double along = 0;
  for (std::size_t k = 0; k < values.size(); ++k) along += g[k][0] * direction[k][0];
  along = total_of(along);
  Eigen::MatrixXd rho_dot;
  Eigen::VectorXd value_dot;
  ASSERT_TRUE(process.tangent({direction}, rho_dot, value_dot).converged);
  EXPECT_NEAR(value_dot[0], along, 1e-10 * std::abs(along));
  if (!differences) return;
  const auto value = [&](double h) {
    Controls moved = values;
    for (std::size_t k = 0; k < values.size(); ++k) moved[k][0] += h * direction[k][0];
    EXPECT_TRUE(process.run(moved).ok);
    return process.value();
  };
  constexpr double h = 1e-3;
  EXPECT_NEAR((8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h), along, 2e-8 * std::abs(along));
}

std::vector<ProcessTerm> some_of(const PlacedPair& pair, const std::vector<int>& steps) {
  return {{.name = "a", .observable = std::make_shared<MechanismValue>(PETSC_COMM_WORLD, pair.bodies[1]->shift(1)), .steps = steps},
          {.name = "b", .observable = std::make_shared<MechanismValue>(PETSC_COMM_WORLD, pair.bodies[0]->turn(0, 2)), .steps = steps, .weight = 0.3},
          {.name = "c", .observable = std::make_shared<MechanismValue>(PETSC_COMM_WORLD, pair.mechanism->size() - 5), .steps = steps, .weight = 0.1}};
}

TEST(DesignedPlaces, DerivativesAreExact) {
  const PlacedPair rests(false);
  LoadSteppingOptions options;
  options.newton.rtol = 1e-14;
  StaticCase at_rest("pair", rests.mechanism, toy::tight_solver(), {0.5, 1.0}, 0, options);
  at_rest.terms() = some_of(rests, {1});
  expect_exact(at_rest, rests.numbers->control_values(), true);
  for (const auto kind : {TimeScheme::Kind::midpoint, TimeScheme::Kind::generalised_alpha}) {
    const PlacedPair moves(true);
    MarchOptions march = toy::tight();
    march.newton.rtol = 1e-14;
    auto process = toy::march(moves.mechanism, {kind, 2, 0.7}, toy::uniform(0.5, 10), march);
    process->terms() = some_of(moves, {4, 10});
    expect_exact(*process, moves.numbers->control_values(), kind == TimeScheme::Kind::midpoint);
  }
}

}  // namespace
}  // namespace invar::mechanisms
