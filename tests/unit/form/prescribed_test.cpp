// Prescribed values at nodes of several regions: the last condition, or its sum with earlier ones.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"

namespace invar {
namespace {

/// A square with a bottom that adds a + b x to what the left holds, a right that replaces it, and the derivatives.
class Prescribed : public ::testing::Test {
 protected:
  Prescribed() {
    mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 2, 1, 4, 3, Shape::quadrilateral, 1), PETSC_COMM_WORLD));
    dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u", 1}, {"u", 1}}, PETSC_COMM_WORLD);
    r = std::make_shared<FormResidual>(dofs);
    for (double v : {2.0, 3.0, 5.0, 7.0}) controls.push_back(r->add_control({.name = "value"}, {v}));
    const auto along = [](const double* x, double) { return 1 + x[0]; };
    r->add_dirichlet({.region = "left", .component = 0, .value = {controls[0], {}}});
    r->add_dirichlet({.region = "bottom", .component = 0, .value = {controls[1], along, true}, .adds = true});
    r->add_dirichlet({.region = "right", .component = 0, .value = {controls[2], {}}});
    r->add_dirichlet({.region = "right_top", .component = 0, .value = {controls[3], {}}, .adds = true});
    r->finish();
  }

  /// The sum by hand.
  static double expected(const double* x, const std::array<double, 4>& v) {
    if (x[0] == 2) return v[2] + (x[1] == 1 ? v[3] : 0);
    return (x[0] == 0 ? v[0] : 0) + (x[1] == 0 ? v[1] * (1 + x[0]) : 0);
  }
  static bool is_held(const double* x) { return x[0] == 0 || x[1] == 0 || x[0] == 2; }
  /// What a vector's entries of the first component are, compared node by node.
  void expect_entries(Vec u, const std::array<double, 4>& v, double elsewhere) const {
    const double* a = nullptr;
    check(VecGetArrayRead(u, &a));
    for (int n = 0; n < mesh->n_owned_nodes; ++n) {
      const double* x = &mesh->coordinates[std::size_t(n) * 2];
      EXPECT_NEAR(a[dofs->dof(n, 0)], is_held(x) ? expected(x, v) : elsewhere, 1e-14) << x[0] << ", " << x[1];
    }
    check(VecRestoreArrayRead(u, &a));
  }

  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> r;
  std::vector<int> controls;
};

TEST_F(Prescribed, AddsUpOrIsReplaced) {
  VecHandle u = r->create_vector();
  check(VecSet(u, -1.0));
  r->impose_constraints(r->given(), u);
  expect_entries(u, {2, 3, 5, 7}, -1);
  r->initial(Level::value, r->given(), u);
  expect_entries(u, {2, 3, 5, 7}, 0);
  VecHandle residual = r->create_vector();
  ASSERT_TRUE(r->residual({u, r->given()}, residual));
  double norm = 1;
  check(VecNorm(residual, NORM_2, &norm));
  EXPECT_EQ(norm, 0);
}

TEST_F(Prescribed, EachPartIsDesigned) {
  const std::array<double, 4> step{0.3, -0.7, 1.1, 0.2};
  VecHandle u = r->create_vector(), u_dot = r->create_vector(), seed = r->create_vector();
  for (int part = 0; part < 4; ++part) {
    Controls d_dot(4), d_bar(4);
    std::array<double, 4> only{};
    only[part] = step[part];
    d_dot[controls[part]] = {step[part]};
    d_bar[controls[part]] = {0.0};
    r->initial_jvp(Level::value, r->given(), d_dot, u_dot);
    expect_entries(u_dot, only, 0);
    r->jvp({u, r->given()}, {}, &d_dot, u_dot);
    check(VecScale(u_dot, -1.0));
    expect_entries(u_dot, only, 0);

    // Transposed: the sum of what the part holds.
    check(VecSet(seed, 1.0));
    r->vjp({u, r->given()}, seed, {}, &d_bar);
    double sum = d_bar[controls[part]][0], wanted = 0;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    only[part] = 1;
    for (int n = 0; n < mesh->n_owned_nodes; ++n)
      if (const double* x = &mesh->coordinates[std::size_t(n) * 2]; is_held(x)) wanted += expected(x, only);
    MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    EXPECT_NEAR(sum, -wanted, 1e-13);
  }
}

/// What constraints prescribe when a process with steps of 0.01 s begins; its derivative along the control, and the sum of the transpose.
struct Start {
  double of(Level level, const std::function<double(const double*, double)>& motion, const std::optional<TimeBasis>& signal = {}) {
    const auto mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 1, 1, 1, 1, Shape::quadrilateral, 1), PETSC_COMM_WORLD));
    FormResidual r(std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u", 1}}, PETSC_COMM_WORLD));
    const int control = r.add_control({.name = "size"}, {2.0});
    if (signal) r.make_signal(control, *signal);
    r.add_dirichlet({.region = "left", .component = 0, .value = {control, motion}});
    r.finish();
    Setting begin = r.given(0.5);
    begin.step_length = 0.01;
    VecHandle u = r.create_vector(), u_dot = r.create_vector(), ones = r.create_vector();
    r.initial(level, begin, u);
    r.initial_jvp(level, begin, *begin.controls, u_dot);  // linear: along the control itself
    Controls d_bar(1);
    d_bar[0].assign((*begin.controls)[0].size(), 0.0);
    check(VecSet(ones, 1.0));
    r.initial_vjp(level, begin, ones, d_bar);
    double largest = 0, sum = 0, sum_dot = 0, sum_bar = 0;
    check(VecSum(u, &sum));
    check(VecSum(u_dot, &sum_dot));
    check(VecNorm(u, NORM_INFINITY, &largest));
    for (std::size_t i = 0; i < d_bar[0].size(); ++i) sum_bar += d_bar[0][i] * (*begin.controls)[0][i];
    MPI_Allreduce(MPI_IN_PLACE, &sum_bar, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    EXPECT_NEAR(sum_dot, sum, 1e-12 * largest);
    EXPECT_NEAR(sum_bar, sum, 1e-12 * largest);
    return sum / 2;  // two nodes are held
  }
};

TEST(PrescribedStart, RateAndAccelerationAreThoseOfTheMotion) {
  const auto motion = [](const double*, double t) { return std::sin(3 * t); };
  EXPECT_NEAR(Start().of(Level::value, motion), 2 * std::sin(1.5), 1e-15);
  EXPECT_NEAR(Start().of(Level::rate, motion), 6 * std::cos(1.5), 1e-7);
  EXPECT_NEAR(Start().of(Level::acceleration, motion), -18 * std::sin(1.5), 1e-4);
}

TEST(PrescribedStart, ASignalHasARateToo) {
  const TimeBasis signal(TimeBasis::Kind::fourier, 3, 0, 1);
  const auto ramp = [](const double*, double t) { return 1 + t * t; };  // times 2, the first function's
  EXPECT_NEAR(Start().of(Level::rate, ramp, signal), 2, 1e-10);
  EXPECT_NEAR(Start().of(Level::acceleration, ramp, signal), 4, 1e-6);  // rounding leaves 1e-12 / (0.01 s)²
  // One that goes over to the next of its functions within the five points: a jump.
  const TimeBasis jumps(TimeBasis::Kind::constant, 2, 0.4996, 0.5006);
  EXPECT_EQ(Start().of(Level::rate, ramp, jumps), 0);
}

TEST(PrescribedStart, WhatIsAtRestOrJumpsHasNone) {
  for (const Level level : {Level::rate, Level::acceleration}) {
    EXPECT_EQ(Start().of(level, {}), 0);
    EXPECT_EQ(Start().of(level, [](const double* x, double) { return 1 + x[1] / 3; }), 0);
    EXPECT_EQ(Start().of(level, [](const double*, double t) { return t > 0.5 ? 1.0 : 0.0; }), 0);
  }
}

}  // namespace
}  // namespace invar
