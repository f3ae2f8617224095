// Motion and flow in time against closed forms: frequency of a beam, conserved energy, free fall,
// the decay of Taylor–Green vortices.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "libfem/objective/reaction.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/transient_motion.hpp"

namespace invar::gradient_test {
namespace {

using Kind = TimeScheme::Kind;

std::vector<int> steps_to(int last, int first = 0) {
  std::vector<int> steps(last - first + 1);
  std::iota(steps.begin(), steps.end(), first);
  return steps;
}

/// Angular frequency of a clamped–free beam's first mode after Timoshenko, by Huang's equation
/// (Journal of Applied Mechanics 28, 1961), with I/(A L²) = r², E I/(k A G L²) = s² and in units of
/// √(E I/(ρ A L⁴)). Rises from r = s = 0, where it is Euler and Bernoulli's 1.8751².
double first_frequency(double r, double s) {
  const auto equation = [&](double b) {
    const double sum = r * r + s * s, difference = r * r - s * s,
                 root = std::sqrt(difference * difference + 4 / (b * b));
    const double alpha = std::sqrt(0.5 * (root - sum)), beta = std::sqrt(0.5 * (root + sum));
    return 2 + (b * b * difference * difference + 2) * std::cosh(b * alpha) * std::cos(b * beta) -
           b * sum / std::sqrt(1 - b * b * r * r * s * s) * std::sinh(b * alpha) * std::sin(b * beta);
  };
  double low = 2.5, high = 4;
  for (int k = 0; k < 60; ++k) (equation(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  return low;
}

// Without Poisson's effect a plane beam clamped at its end is the beam of the theory.
TEST(MotionOfSolids, BeamHasItsFirstFrequency) {
  if (rank_count() > 1) GTEST_SKIP();
  EXPECT_NEAR(first_frequency(1e-6, 1e-6), 3.51602, 1e-5);
  constexpr double length = 1, height = 0.08, young = 1200, density = 1.1;
  MovingSolid beam(SolidKind::plane_stress,
                   make_rectangle(0, -height / 2, length, height / 2, 10, 1, Shape::quadrilateral, 2), 2,
                   "linear_elastic", young, 0, density);
  for (int i = 0; i < 2; ++i) beam.residual->add_dirichlet({"left", i, beam.number("zero", 0)});
  const double k = 1.8751041, slope = (std::cosh(k) + std::cos(k)) / (std::sinh(k) + std::sin(k));
  ControlledValue mode = beam.number("speed", 0.01);
  mode.shape = [=](const double* x, double) {
    const double z = k * x[0] / length;
    return std::cosh(z) - std::cos(z) - slope * (std::sinh(z) - std::sin(z));
  };
  mode.varies_in_space = true;
  beam.residual->add_initial({Level::rate, "", 1, mode});
  beam.residual->finish();
  const double r = height / std::sqrt(12.0) / length,
               s = r * std::sqrt(2 / (5.0 / 6.0));  // E/G = 2
  const double unit = std::sqrt(young * height * height / 12 / density) / (length * length);
  const double expected = unit * first_frequency(r, s), euler = unit * 3.51602;
  const double h = 2 * std::numbers::pi / expected / 80;
  const auto motion = beam.march(TimeScheme(Kind::midpoint, 2), even_times(240 * h, 240));
  const auto tip = beam.point({length, 0}, 1);
  motion->watch({"tip", tip, {}});
  ASSERT_TRUE(motion->run(beam.residual->control_values()).ok);
  const std::vector<double> y = motion->series(*tip, steps_to(240));
  std::vector<double> crossings;
  for (std::size_t i = 2; i + 1 < y.size(); ++i)
    if (y[i] <= 0 && y[i + 1] > 0) crossings.push_back((static_cast<double>(i) - y[i] / (y[i + 1] - y[i])) * h);
  ASSERT_GE(crossings.size(), 2u);
  const double seen =
      2 * std::numbers::pi * static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
  const double frequency = 2 / h * std::tan(seen * h / 2);  // of the midpoint rule's own stretching of periods
  EXPECT_NEAR(frequency / expected, 1, 1e-3);
  EXPECT_LT(frequency, euler);
  RecordProperty("frequency_by_theory", std::to_string(frequency / expected));
}

TEST(MotionOfSolids, MidpointConservesTheEnergyOfALinearBody) {
  if (rank_count() > 1) GTEST_SKIP();
  MovingSolid body(SolidKind::plane_strain, make_rectangle(0, 0, 1.2, 1, 2, 2, Shape::triangle, 2), 2, "linear_elastic",
                   10, 0.3, 1.3);
  for (int i = 0; i < 2; ++i) body.residual->add_dirichlet({"left", i, body.number("zero", 0)});
  ControlledValue uneven = body.number("place", 0.1), speed = body.number("speed", -0.7);
  uneven.shape = [](const double* x, double) { return x[0] * std::sin(3 * x[1] + x[0]); };
  speed.shape = [](const double* x, double) { return x[0] * x[0] + std::cos(4 * x[1]); };
  uneven.varies_in_space = speed.varies_in_space = true;
  body.residual->add_initial({Level::value, "", 0, uneven});
  body.residual->add_initial({Level::rate, "", 1, speed});
  const int kinetic = body.residual->add_functional(make_kinetic_energy(body.kind, body.cells()), {body.rho});
  body.residual->finish();
  std::vector<double> elastic(kinetic + 1, 0.0), moving = elastic, all = elastic;
  elastic[0] = moving[kinetic] = all[0] = all[kinetic] = 1;
  const auto potential = std::make_shared<FormValue>(body.residual, elastic),
             movement = std::make_shared<FormValue>(body.residual, moving),
             energy = std::make_shared<FormValue>(body.residual, all);
  for (const Kind kind : {Kind::midpoint, Kind::newmark, Kind::backward_euler}) {
    const auto motion = body.march(TimeScheme(kind, 2), even_times(25, 500));
    for (const auto& y : {potential, movement, energy}) motion->watch({"", y, {}});
    ASSERT_TRUE(motion->run(body.residual->control_values()).ok);
    const std::vector<double> e = motion->series(*energy, steps_to(500)), p = motion->series(*potential, steps_to(500));
    if (kind == Kind::backward_euler) {
      for (std::size_t i = 1; i < e.size(); ++i) EXPECT_LT(e[i], e[i - 1]);
      continue;
    }
    double least = p[0], most = p[0];
    for (std::size_t i = 0; i < e.size(); ++i) {
      // Average acceleration conserves it in linear problems too.
      EXPECT_NEAR(e[i], e[0], 1e-11 * e[0]) << i;
      least = std::min(least, p[i]), most = std::max(most, p[i]);
    }
    EXPECT_GT(most - least, 0.2 * e[0]);  // while it goes back and forth
  }
}

// One-step schemes of second order are exact for motions that are quadratic in time; backward Euler
// falls by g t (t + h)/2, by its own recurrence. After its first step by backward Euler, bdf2 lags
// by ¾ g h² (1 − 3⁻ⁿ).
TEST(MotionOfSolids, FallFreely) {
  if (rank_count() > 1) GTEST_SKIP();
  constexpr double g = 9.81, speed = 3, end = 0.8;
  constexpr int steps = 8;
  MovingSolid body(SolidKind::plane_strain, make_rectangle(0, 0, 1, 1, 2, 2, Shape::triangle, 2), 2, "neo_hookean",
                   1000, 0.3, 1.3);
  const auto weight = [&](double factor) { return body.number("weight", factor * 1.3); };
  body.residual->add_form(make_body_force(body.kind, body.cells()), {weight(0), weight(-g)});
  body.residual->add_initial({Level::rate, "", 1, body.number("speed", speed)});
  body.residual->add_initial({Level::rate, "", 0, body.number("drift", 0.4)});
  body.residual->finish();
  const auto height = body.point({0.3, 0.7}, 1), place = body.point({0.3, 0.7}, 0),
             rate = body.point({0.8, 0.2}, 1, Level::rate);
  for (const Kind kind :
       {Kind::midpoint, Kind::newmark, Kind::generalised_alpha, Kind::sdirk2, Kind::backward_euler, Kind::bdf2}) {
    SCOPED_TRACE(TimeScheme::names()[static_cast<int>(kind)]);
    const auto motion = body.march(TimeScheme(kind, 2), even_times(end, steps));
    for (const auto& y : {height, place, rate}) motion->watch({"", y, {}});
    ASSERT_TRUE(motion->run(body.residual->control_values()).ok);
    const double y = motion->series(*height, {steps})[0];
    EXPECT_NEAR(motion->series(*place, {steps})[0], 0.4 * end, 1e-11);
    EXPECT_NEAR(motion->series(*rate, {steps})[0], speed - g * end, 1e-10);
    const double h = end / steps, lag = kind == Kind::backward_euler ? 0.5 * g * end * h
                                        : kind == Kind::bdf2         ? 0.75 * g * h * h * (1 - std::pow(3.0, -steps))
                                                                     : 0;
    EXPECT_NEAR(y, speed * end - 0.5 * g * end * end - lag, 1e-11);
  }
}

// ---- flow
// -------------------------------------------------------------------------------------------

/// u = sin x cos y, v = −cos x sin y times exp(−2 ν k² t), k = 1, on the square [0, π]² whose sides
/// it slips along: the solution of Taylor and Green (1937). The amplitude at the end.
double taylor_green_amplitude(Kind kind, bool linearised, double nu, double end, int steps) {
  constexpr double pi = std::numbers::pi;
  auto mesh = std::make_shared<const Mesh>(
      distribute(make_rectangle(0, 0, pi, pi, 6, 6, Shape::quadrilateral, 2), PETSC_COMM_SELF));
  auto dofs =
      std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u", 2}, {"v", 2}, {"p", 1}}, PETSC_COMM_SELF);
  auto r = std::make_shared<FormResidual>(dofs);
  const auto number = [&](double v) { return ControlledValue{r->add_control({"", ""}, {v}), {}}; };
  const auto cells = [&] { return CellBatches::on_cells(dofs, "", 5); };
  const ControlledValue density = number(1), zero = number(0);
  const FlowModel model{make_viscosity_law("newtonian"), !linearised, false};
  r->add_form(make_navier_stokes(FlowKind::planar, FlowDiscretisation::taylor_hood, model, cells()),
              {density, number(nu), zero, zero, zero});
  r->add_form(make_flow_inertia(FlowKind::planar, cells()), {density});
  if (linearised) r->add_form(make_linearised_convection(FlowKind::planar, cells()), {density});
  for (const auto& [side, component] :
       {std::pair{"left", 0}, {"right", 0}, {"bottom", 1}, {"top", 1}, {"left_bottom", 2}})
    r->add_dirichlet({side, component, zero});
  for (int i = 0; i < 2; ++i) {
    ControlledValue vortex = number(1);
    vortex.shape = [i](const double* x, double) {
      return i == 0 ? std::sin(x[0]) * std::cos(x[1]) : -std::cos(x[0]) * std::sin(x[1]);
    };
    vortex.varies_in_space = true;
    r->add_initial({Level::value, "", i, vortex});
  }
  r->set_algebraic({2});
  r->finish();
  LinearSolverOptions linear;
  linear.method = "mumps";
  MarchOptions options;
  options.newton.min_iterations = 1;
  TransientCase flow("vortex", r, std::make_shared<LinearSolver>(PETSC_COMM_SELF, linear), TimeScheme(kind, 1),
                     even_times(end, steps), options);
  std::vector<double> distance;
  const std::shared_ptr<Observable> u = make_point_samples(dofs, {{{pi / 2, 0}, 0}}, distance);
  flow.watch({"u", u, {}});
  const ProcessReport report = flow.run(r->control_values());
  EXPECT_TRUE(report.ok) << report.reason;
  return flow.series(*u, {steps})[0];
}

// Successive halves of the step on one mesh: differences fall by four. On the finest the decay is
// that of the formula, to the error of the mesh (h⁴).
TEST(FlowInTime, TaylorGreenVortexDecaysWithSecondOrder) {
  if (rank_count() > 1) GTEST_SKIP();
  constexpr double nu = 0.5, end = 1;
  for (const auto& [kind, linearised] :
       {std::pair{Kind::bdf2, false}, {Kind::bdf2, true}, {Kind::midpoint, false}, {Kind::midpoint, true}}) {
    SCOPED_TRACE(TimeScheme::names()[static_cast<int>(kind)] + (linearised ? " linearised" : ""));
    double coarse = taylor_green_amplitude(kind, linearised, nu, end, 8),
           middle = taylor_green_amplitude(kind, linearised, nu, end, 16),
           fine = taylor_green_amplitude(kind, linearised, nu, end, 32);
    EXPECT_NEAR(std::log2((coarse - middle) / (middle - fine)), 2, 0.15);
    EXPECT_NEAR(fine + (fine - middle) / 3, std::exp(-2 * nu * end), 3e-4);
  }
}

}  // namespace
}  // namespace invar::gradient_test
