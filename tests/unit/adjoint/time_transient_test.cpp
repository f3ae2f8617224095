// Time integration: results do not depend on the storage of states; dependence of derivatives on the past.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "libadjoint/time/binomial.hpp"
#include "tests/unit/adjoint/time_storage.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace invar::toy {
namespace {

using Kind = TimeScheme::Kind;

// ---- what is kept -----------------------------------------------------------------------------------
struct Swept {
  Controls whole, end;
  bool operator==(const Swept&) const = default;
};
Swept swept(TransientCase& test, const ToyBase& toy, const ProcessTerm& term, bool visits) {
  Swept s{zeros(toy.control_values()), zeros(toy.control_values())};
  if (visits) test.visit_states([](int, const State&) {});
  EXPECT_TRUE(test.gradient(s.whole).converged);
  if (visits) test.visit_states([](int, const State&) {});
  EXPECT_TRUE(test.quantity_gradient(term, s.end).converged);
  return s;
}

TEST(TransientCase, GivesTheSameGradientHoweverStatesAreKept) {
  const test::ScratchFolder folder(true);
  const int steps = serial() ? 53 : 8;
  const auto times = uneven(steps, 0.04);
  for (const SchemeCase& s : {SchemeCase{"newmark", Kind::newmark, 2}, SchemeCase{"sdirk2", Kind::sdirk2, 2}, SchemeCase{"bdf2", Kind::bdf2, 2},
                              SchemeCase{"midpoint", Kind::midpoint, 2}})
    for (const int interval : {1, 5, 0}) {  // 0: as work says
      // On several ranks, each of which keeps its own share, a scheme of one stage and one of two, one interval each.
      if (!serial() && (s.kind != Kind::newmark || interval != 1) && (s.kind != Kind::sdirk2 || interval != 5)) continue;
      auto toy = Chain::make();
      const Objective objective(toy, steps, times);
      const int solves = steps * s.scheme().stages() + s.scheme().needs_start();
      const auto make = [&](Trajectory::Options storage) {
        MarchOptions options = tight();
        options.factor_interval = interval > 0 ? interval : 7;
        options.by_work = interval == 0;
        options.making = 4;
        options.storage = std::move(storage);
        auto test = march(toy, s.scheme(), times, options);
        objective.give(*test);
        const ProcessReport report = test->run(toy->control_values());
        EXPECT_TRUE(report.ok) << report.reason;
        EXPECT_EQ(test->march_report().steps, solves);
        if (interval == 0) {
          EXPECT_GT(test->march_report().factorisations, solves / 7 + 1);  // the most does not decide alone,
          EXPECT_LT(test->march_report().factorisations, solves);          // and factors are kept
        }
        return test;
      };
      auto all = make({});
      EXPECT_TRUE(all->march_report().keeps_all);
      const double value = all->value();
      const Swept expected = swept(*all, *toy, objective.end, false);
      EXPECT_EQ(all->march_report().repeated_steps, 0);
      EXPECT_TRUE(swept(*all, *toy, objective.end, true) == expected);
      expect_consistent(*all, *toy, gathered(*toy, expected.whole), s.name);
      EXPECT_FALSE(all->march_report().linear_solves == 0);
      for (const int slots : {1, 3, 10}) {
        // as many steps as the square of their number
        if (slots == 1 && (s.kind != Kind::newmark || !serial())) continue;
        if (slots * interval > steps || slots >= steps) continue;
        auto few = make(room(*toy, s.scheme(), slots));
        EXPECT_FALSE(few->march_report().keeps_all);
        EXPECT_EQ(few->march_report().slots, slots);
        EXPECT_EQ(few->value(), value);
        Controls g = zeros(toy->control_values());
        EXPECT_TRUE(few->gradient(g).converged);
        EXPECT_TRUE(g == expected.whole) << s.name << " slots " << slots << " interval " << interval;
        if (interval == 1) {
          EXPECT_EQ(few->march_report().repeated_steps + solves, binomial_advances(solves, slots) + 1);
        }
        EXPECT_TRUE(swept(*few, *toy, objective.end, false) == expected) << s.name << " slots " << slots << " interval " << interval;
        EXPECT_TRUE(swept(*few, *toy, objective.end, true) == expected) << s.name << " slots " << slots << " interval " << interval;
        expect_consistent(*few, *toy, gathered(*toy, expected.whole), s.name);
        Controls at_once = zeros(toy->control_values());
        EXPECT_TRUE(few->run(toy->control_values(), &at_once).ok);
        EXPECT_TRUE(at_once == expected.whole);
      }
      auto disk = make({.ram_bytes = 0, .folder = (folder / "").string(), .disk_bytes = std::numeric_limits<std::size_t>::max()});
      EXPECT_TRUE(disk->march_report().keeps_all);
      EXPECT_TRUE(swept(*disk, *toy, objective.end, false) == expected);
    }
}

TEST(TransientCase, FactorsKeptLongerChangeNothingButRoundOff) {
  constexpr int steps = 53;
  const auto times = uneven(steps, 0.04);
  Column<double> g[2];
  long factorised[2];
  for (const int i : {0, 1}) {
    auto toy = Chain::make();
    const Objective objective(toy, steps, times);
    MarchOptions options = tight();
    options.factor_interval = i == 0 ? 1 : 5;
    auto solver = tight_solver();
    TransientCase test("march", toy, solver, TimeScheme(Kind::newmark, 2), times, options);
    objective.give(test);
    ASSERT_TRUE(test.run(toy->control_values()).ok);
    const int before = solver->factorisations();
    g[i] = gradient_of(test, *toy);
    factorised[i] = solver->factorisations() - before;
    EXPECT_FALSE(solver->options().keep_factors);
    EXPECT_LT(test.march_report().largest_adjoint_residual(), 1e-12);
    EXPECT_EQ(test.march_report().adjoint_solves, steps + 1);
  }
  EXPECT_EQ(factorised[0], steps + 1);
  EXPECT_LT(factorised[1], 20);
  for (std::size_t k = 0; k < g[0].size(); ++k) EXPECT_NEAR(g[1][k], g[0][k], 1e-10 * std::sqrt(dot(g[0], g[0])));
}

// ---- sensitivity to the past -----------------------------------------------------------------------------

TEST(TransientCase, MeasuresTheGrowthOfAdjoints) {
  if (serial()) {
    auto toy = Lorenz::make();
    auto test = march(toy, TimeScheme(Kind::midpoint, 1), uniform(60, 4000));
    test->terms() = {{.name = "end", .observable = observe(toy, 1, First{}), .steps = {4000}}};
    Controls g = zeros(toy->control_values());
    ASSERT_TRUE(test->run(toy->control_values(), &g).ok);
    RecordProperty("growth", std::to_string(test->march_report().adjoint_growth));
    EXPECT_NEAR(test->march_report().adjoint_growth, 0.9056, 0.2 * 0.9056);  // Sprott 2003
    EXPECT_GT(test->derivative_error(), 2e-16 * std::exp(0.8 * 0.9056 * 60));  // no digit is left
  }
  // ζ ω = 0.1, 0.2, 0.3 for the three: the slowest remains.
  auto toy = Linear::make(2, 0.1, 1);
  auto test = march(toy, TimeScheme(Kind::newmark, 2), uniform(60, serial() ? 600 : 150));
  test->terms() = {{.name = "end", .observable = observe(toy, 1, First{}), .steps = {int(test->times().size()) - 1}}};
  Controls g = zeros(toy->control_values());
  ASSERT_TRUE(test->run(toy->control_values(), &g).ok);
  EXPECT_NEAR(test->march_report().adjoint_growth, -0.1, 0.01);
  EXPECT_LT(test->derivative_error(), 1e-12);
}

/// Two modes, seen at an angle: one grows and decays again, the other decays and grows. A third one stays.
struct Seesaw : PlainModel {
  static constexpr double rate = 12;
  Seesaw() { n = 3; }
  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>&, double t) const {
    const double a = t < 1 ? rate : -rate, c = std::cos(0.6), s = std::sin(0.6);
    const T first = c * y[0][0] + s * y[0][1], second = c * y[0][1] - s * y[0][0];
    return {y[1][0] - a * (c * first + s * second), y[1][1] - a * (s * first - c * second), y[1][2]};
  }
  template <class T>
  Column<T> initial(Level, const Column<T>& d) const {
    return d;
  }
};

// Errors in the middle, where the tangent is large in one mode and the adjoint in the other, are e^24 times those of the solves,
// although the growth over the whole interval is 1.
TEST(TransientCase, ErrorsOfDerivativesThatGrowInBetweenAreSeen) {
  auto toy = std::make_shared<Toy<Seesaw>>(Seesaw(), std::vector{control("start")}, Controls{{1.0, 0.5, 0.2}});
  auto test = march(toy, TimeScheme(Kind::midpoint, 1), uniform(2, 400));
  test->terms() = {{.name = "end", .observable = observe(toy, 1, First{}), .steps = {400}}};
  ASSERT_TRUE(test->run(toy->control_values()).ok);
  const Column<double> g = gradient_of(*test, *toy);
  EXPECT_LT(test->derivative_error(), 1e-10);
  Eigen::MatrixXd rho_dot;
  Eigen::VectorXd rate;
  ASSERT_TRUE(test->tangent({Controls{{0.7, -0.4, 0.0}}}, rho_dot, rate).converged);
  const double apart = std::abs(0.7 * g[0] - 0.4 * g[1] - rate[0]) / std::abs(rate[0]), predicted = test->derivative_error();
  EXPECT_GT(apart, 1e-10);
  EXPECT_LT(apart, 4 * predicted);  // as the certificate allows
  EXPECT_LT(predicted, 1e3 * apart);
}

/// By backward Euler each step has the same share in d/dλ of Π 1 / (1 + λ h).
TEST(TransientCase, ATruncatedHorizonLeavesOutTheFirstSteps) {
  auto toy = Linear::make(1, 0, 1);
  const auto derivative = [&](int horizon) {
    MarchOptions options = tight();
    options.horizon = horizon;
    auto test = march(toy, TimeScheme(Kind::backward_euler, 1), uniform(2, 100), options);
    test->terms() = {{.name = "end", .observable = observe(toy, 1, First{}), .steps = {100}}};
    EXPECT_TRUE(test->run(toy->control_values()).ok);
    const double g = gradient_of(*test, *toy)[1];
    EXPECT_EQ(test->march_report().adjoint_solves, horizon == 0 ? 100 : horizon);
    return g;
  };
  const double whole = derivative(0);
  EXPECT_NEAR(whole, -2 / 1.02 * std::pow(1.02, -100), 1e-12);
  EXPECT_NEAR(derivative(30), 0.3 * whole, 1e-12);
  EXPECT_NEAR(derivative(100), whole, 1e-15);
}

TEST(TransientCase, SinglePrecisionCostsItsRoundOff) {
  const auto times = uneven(60, 0.04);
  auto toy = Chain::make();
  const Objective objective(toy, 60, times);
  Column<double> g[2];
  for (const int i : {0, 1}) {
    MarchOptions options = tight();
    options.storage.single_precision = i == 1;
    auto test = march(toy, TimeScheme(Kind::bdf2, 2), times, options);
    objective.give(*test);
    ASSERT_TRUE(test->run(toy->control_values()).ok);
    g[i] = gradient_of(*test, *toy);
  }
  EXPECT_FALSE(g[0] == g[1]);
  for (std::size_t k = 0; k < g[0].size(); ++k) EXPECT_NEAR(g[1][k], g[0][k], 1e-5 * std::sqrt(dot(g[0], g[0])));
}

TEST(TransientCase, WatchesQuantitiesAndTellsOfEachTime) {
  auto toy = Linear::make(2, 0, 1);
  auto test = march(toy, TimeScheme(Kind::newmark, 2), uniform(1, 10));
  const ProcessTerm watched{.name = "first", .observable = observe(toy, 1, First{}), .steps = {0, 10}, .step_weights = {1, -2}};
  test->watch(watched);
  std::vector<int> told;
  test->on_step = [&](int mark, const NewtonReport& newton) {
    told.push_back(mark);
    EXPECT_TRUE(newton.converged);
  };
  ASSERT_TRUE(test->run(toy->control_values()).ok);
  EXPECT_EQ(told, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  // Average acceleration of ü + u = 0 turns by 2 atan(h / 2) in each step.
  const double angle = 20 * std::atan(0.05);
  EXPECT_NEAR(test->quantity(watched), 1 - 2 * (std::cos(angle) + 0.5 * std::sin(angle)), 1e-12);
  ProcessTerm other = watched;
  other.observable = observe(toy, 1, First{});
  EXPECT_THROW(test->quantity(other), std::logic_error);
}

}  // namespace
}  // namespace invar::toy
