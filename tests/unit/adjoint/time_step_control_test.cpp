// Steps that fail, and adaptive ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "libadjoint/time/binomial.hpp"
#include "tests/unit/adjoint/time_storage.hpp"

namespace invar::toy {
namespace {

using Kind = TimeScheme::Kind;

/// A chain that refuses steps that change its end by more than `most`, and all after `wall`.
struct Refusing : Chain {
  double most = std::numeric_limits<double>::infinity(), wall = std::numeric_limits<double>::infinity();
  bool admissible(const Levels<double>& y, double t) const {
    return t < wall && std::abs(y[0][3] - y[3][3]) + std::abs(y[0][1] - y[3][1]) < most;
  }
};
std::shared_ptr<Toy<Refusing>> refusing(double most, double wall = std::numeric_limits<double>::infinity()) {
  const auto chain = Chain::make();
  Refusing model;
  static_cast<Chain&>(model) = chain->model();
  model.most = most;
  model.wall = wall;
  return std::make_shared<Toy<Refusing>>(model, chain->controls(), chain->control_values());
}

/// The gradient of what was marched against one with its steps given, and the tangent.
template <class Model>
void expect_gradient_of_accepted(TransientCase& test, const std::shared_ptr<Toy<Model>>& toy, const SchemeCase& s) {
  const Column<double> g = gradient_of(test, *toy);
  expect_consistent(test, *toy, g, s.name, 1e-10);
  std::vector<double> times{test.times().front()};
  for (const double h : test.step_lengths()) times.push_back(times.back() + h);
  const auto mark_at = [&](double t) {
    return int(std::min_element(times.begin(), times.end(), [&](double a, double b) { return std::abs(a - t) < std::abs(b - t); }) - times.begin());
  };
  auto fixed = march(toy, s.scheme(), times);
  fixed->terms() = test.terms();
  for (ProcessTerm& term : fixed->terms())
    for (int& step : term.steps) step = mark_at(test.times()[step]);
  const double value = test.value();
  ASSERT_TRUE(fixed->run(toy->control_values()).ok);
  EXPECT_NEAR(fixed->value(), value, 1e-9 * std::abs(value)) << s.name;
  const Column<double> expected = gradient_of(*fixed, *toy);
  for (std::size_t k = 0; k < g.size(); ++k) EXPECT_NEAR(g[k], expected[k], 1e-8 * std::sqrt(dot(g, g))) << s.name << " " << k;
}

TEST(TransientCase, SurvivesStepsThatFail) {
  constexpr int marks = 10;
  const double end = 0.2 * marks;
  const auto times = uniform(end, marks);
  for (const SchemeCase& s : implicit_schemes(2)) {
    if (!serial() && s.kind != Kind::sdirk2) continue;
    for (const int slots : {0, 4})
      for (const int interval : {1, 3}) {
        if (!serial() && (slots > 0) != (interval > 1)) continue;
        auto toy = refusing(0.02);
        MarchOptions options = tight();
        options.factor_interval = interval;
        if (slots > 0) options.storage = room(*toy, s.scheme(), slots);
        auto test = march(toy, s.scheme(), times, options);
        const Objective objective(toy, marks, times);
        objective.give(*test);
        test->data().clear();
        const ProcessReport report = test->run(toy->control_values());
        ASSERT_TRUE(report.ok) << s.name << ": " << report.reason;
        EXPECT_TRUE(report.reason.empty());
        EXPECT_GT(report.cuts, 2) << s.name;
        EXPECT_EQ(test->march_report().rejected, report.cuts);
        const std::vector<double> lengths = test->step_lengths();
        EXPECT_GT(lengths.size(), times.size() - 1);
        EXPECT_NEAR(std::accumulate(lengths.begin(), lengths.end(), 0.0), end, 1e-12);
        expect_gradient_of_accepted(*test, toy, s);
        if (slots == 0) continue;
        Controls g = zeros(toy->control_values()), again = g;
        EXPECT_TRUE(test->gradient(g).converged);
        auto all = march(toy, s.scheme(), times, [&] { auto o = options; o.storage = {}; return o; }());
        objective.give(*all);
        all->data().clear();
        EXPECT_TRUE(all->run(toy->control_values(), &again).ok);
        EXPECT_TRUE(g == again) << s.name << " interval " << interval;
      }
  }
}

// With few iterations Newton's method fails in long steps. Auxiliary shorter steps provide an initial guess, and the solution of
// the long step is that of more iterations: the steps and the objective are the same, whereas division would change them.
TEST(TransientCase, ReachesLongStepsByWayOfShorterOnes) {
  const auto times = uniform(6, 6);
  for (const SchemeCase& s : implicit_schemes(2)) {
    if (s.kind == Kind::sdirk2 && !serial()) continue;
    auto toy = Chain::make();
    const auto marched = [&](int iterations, Trajectory::Options storage) {
      MarchOptions options = tight();
      options.newton.max_iterations = iterations;
      options.storage = std::move(storage);
      auto test = march(toy, s.scheme(), times, options);
      Objective(toy, 6, times).give(*test);
      return test;
    };
    const auto patient = marched(50, {});
    int needed = 0;
    patient->on_step = [&](int, const NewtonReport& newton) { needed = std::max(needed, newton.iterations); };
    ASSERT_TRUE(patient->run(toy->control_values()).ok);
    const auto hasty = marched(needed - 1, {}), forgetful = marched(needed - 1, room(*toy, s.scheme(), 3));
    ASSERT_TRUE(hasty->run(toy->control_values()).ok);
    ASSERT_TRUE(forgetful->run(toy->control_values()).ok);
    EXPECT_TRUE(patient->march_report().troubles.empty()) << s.name;
    ASSERT_FALSE(hasty->march_report().troubles.empty()) << s.name;
    for (const auto& trouble : hasty->march_report().troubles) {
      EXPECT_FALSE(trouble.divided) << s.name;
      EXPECT_NE(trouble.reason.find("no convergence within"), std::string::npos) << trouble.reason;
    }
    EXPECT_EQ(hasty->march_report().rejected, 0) << s.name;
    EXPECT_EQ(hasty->step_lengths(), patient->step_lengths()) << s.name;
    EXPECT_NEAR(hasty->value(), patient->value(), 1e-9 * std::abs(patient->value())) << s.name;
    const Column<double> expected = gradient_of(*patient, *toy), g = gradient_of(*hasty, *toy);
    for (std::size_t k = 0; k < g.size(); ++k) EXPECT_NEAR(g[k], expected[k], 1e-8 * std::sqrt(dot(expected, expected))) << s.name;
    Controls kept = zeros(toy->control_values()), taken_again = kept;  // the same way is found again
    EXPECT_TRUE(hasty->gradient(kept).converged);
    EXPECT_TRUE(forgetful->gradient(taken_again).converged);
    EXPECT_TRUE(kept == taken_again) << s.name;
  }
}

TEST(TransientCase, TakesTheStepsThatAreHeld) {
  for (const SchemeCase& s : implicit_schemes(2)) {
    if (!serial() && s.kind != Kind::sdirk2) continue;
    auto toy = refusing(0.02);
    auto test = march(toy, s.scheme(), uniform(4, 20), tight());
    Objective(toy, 20, uniform(4, 20)).give(*test);
    ASSERT_TRUE(test->run(toy->control_values()).ok);
    const std::vector<double> lengths = test->step_lengths();
    const double value = test->value();
    ASSERT_GT(lengths.size(), 20u) << s.name;  // some were divided

    test->compare_values(true);
    ASSERT_TRUE(test->run(toy->control_values()).ok);
    EXPECT_EQ(test->step_lengths(), lengths) << s.name;
    EXPECT_NEAR(test->value(), value, 1e-10 * std::abs(value)) << s.name;
    EXPECT_EQ(test->march_report().rejected, 0);
    Controls slower = toy->control_values();
    for (double& pull : slower[1]) pull *= 0.999;
    ASSERT_TRUE(test->run(slower).ok);
    EXPECT_EQ(test->step_lengths(), lengths) << s.name;
    expect_consistent(*test, *toy, gradient_of(*test, *toy), s.name, 1e-10);

    for (double& pull : slower[1]) pull *= 0.1;  // would not divide as many
    test->compare_values(false);
    ASSERT_TRUE(test->run(slower).ok);
    EXPECT_LT(test->step_lengths().size(), lengths.size()) << s.name;
  }
}

TEST(TransientCase, KeepsWithinItsRoomWhenStepsAreCut) {
  const SchemeCase s{"sdirk2", Kind::sdirk2, 2};
  const auto times = uniform(2, 10);
  auto toy = refusing(0.02);
  const auto run = [&](bool limited) {
    MarchOptions options = tight();
    if (limited) options.storage = room(*toy, s.scheme(), 21);  // for the steps that were expected
    auto test = march(toy, s.scheme(), times, options);
    Objective(toy, 10, times).give(*test);
    Controls g = zeros(toy->control_values());
    const ProcessReport report = test->run(toy->control_values(), &g);
    EXPECT_TRUE(report.ok) << report.reason;
    EXPECT_GT(report.cuts, 2);
    EXPECT_EQ(test->march_report().keeps_all, !limited);
    return g;
  };
  EXPECT_TRUE(run(true) == run(false));
}

TEST(TransientCase, TellsWhyItFailed) {
  for (const SchemeCase& s : implicit_schemes(2)) {
    auto toy = refusing(std::numeric_limits<double>::infinity(), 1.23);
    MarchOptions options = tight();
    options.max_cuts = 4;
    auto test = march(toy, s.scheme(), uniform(4, 20), options);
    Controls g = zeros(toy->control_values());
    const ProcessReport report = test->run(toy->control_values(), &g);
    EXPECT_FALSE(report.ok);
    EXPECT_NE(report.reason.find("1.4"), std::string::npos) << report.reason;
    EXPECT_NE(report.reason.find("inadmissible"), std::string::npos) << report.reason;
    EXPECT_GE(report.cuts, options.max_cuts + 1);
  }
  auto toy = refusing(std::numeric_limits<double>::infinity(), -1);
  const ProcessReport report = march(toy, TimeScheme(Kind::newmark, 2), uniform(4, 20))->run(toy->control_values());
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.reason.find("initial acceleration"), std::string::npos) << report.reason;
}

/// A chain that notes the times after `wall`, which it refuses.
struct Walled : Chain {
  double wall = 0;
  std::shared_ptr<std::multiset<double>> tried = std::make_shared<std::multiset<double>>();
  bool admissible(const Levels<double>&, double t) const {
    if (t > wall) tried->insert(t);
    return t <= wall;
  }
};

// If no step from a state succeeds, each length is tried once: the step, its 8 halves, and the parts of the last
// one.
TEST(TransientCase, TriesNoLengthTwiceFromTheSameState) {
  if (!serial()) GTEST_SKIP();
  for (const SchemeCase& s : implicit_schemes(2)) {
    // balance within the step
    if (s.kind == Kind::midpoint || s.kind == Kind::generalised_alpha || s.kind == Kind::sdirk2) continue;
    const auto chain = Chain::make();
    Walled model;
    static_cast<Chain&>(model) = chain->model();
    model.wall = 1.2 + 1e-9;
    const auto toy = std::make_shared<Toy<Walled>>(model, chain->controls(), chain->control_values());
    EXPECT_FALSE(march(toy, s.scheme(), uniform(4, 20), tight())->run(toy->control_values()).ok);
    std::set<double> lengths;
    for (const double t : *model.tried) lengths.insert(std::round(std::log2(0.2 / (t - 1.2))));
    EXPECT_EQ(lengths.size(), 14u) << s.name;            // 0.2 / 2⁰ … 0.2 / 2¹³
    EXPECT_LE(model.tried->size(), 2 * 14u) << s.name;   // from the guess and from the state before
  }
}

TEST(TransientCase, RefusesBadInput) {
  auto toy = Chain::make();
  const TimeScheme newmark(Kind::newmark, 2);
  EXPECT_THROW(march(toy, newmark, {0}), std::invalid_argument);
  EXPECT_THROW(march(toy, newmark, {0, 1, 1}), std::invalid_argument);
  EXPECT_THROW(march(toy, newmark, {1, 0}), std::invalid_argument);
  EXPECT_THROW(march(Multiplier::make(2), newmark, {0, 1}), std::invalid_argument);
  MarchOptions options;
  options.factor_interval = 0;
  EXPECT_THROW(march(toy, newmark, {0, 1}, options), std::invalid_argument);
}

TEST(TransientCase, AdaptsItsSteps) {
  if (!serial()) GTEST_SKIP() << "takes long; AdaptsItsStepsFromRest runs on all ranks";
  for (const int order : {1, 2})
    for (const SchemeCase& s : schemes(order)) {
      std::vector<double> errors;
      for (const double tolerance : {1e-3, 1e-4}) {
        auto toy = Linear::make(order, 0.05, 1);
        MarchOptions options = tight();
        options.tolerance = tolerance;
        options.storage = room(*toy, s.scheme(), 12);
        auto test = march(toy, s.scheme(), {0, 1, 2}, options);
        test->terms() = {{.name = "end", .observable = observe(toy, 1, Mixed{}), .steps = {1, 2}}};
        const ProcessReport report = test->run(toy->control_values());
        ASSERT_TRUE(report.ok) << s.name << " " << order << ": " << report.reason;
        double error = 0;
        test->visit_states([&](int mark, const State& u) {
          const double t = test->times()[mark], z = 0.05;
          for (int i = 0; i < 3; ++i) {
            const double w = i + 1, wd = w * std::sqrt(1 - z * z);
            const double exact = order == 1 ? std::exp(-w * t) : std::exp(-z * w * t) * (std::cos(wd * t) + (0.5 + z * w) / wd * std::sin(wd * t));
            error = std::max(error, std::abs(toy->gathered(u)[i] - exact));
          }
        });
        errors.push_back(error);
        if (tolerance == 1e-4) expect_gradient_of_accepted(*test, toy, s);
      }
      EXPECT_LT(errors[1], (s.kind == Kind::backward_euler ? 0.4 : 0.15) * errors[0]) << s.name << " " << order;
    }
}

TEST(TransientCase, AdaptsItsStepsFromRest) {
  auto toy = Chain::make();
  Controls d = toy->control_values();
  for (double& v : d[2]) v = 0;
  d[0][6] = 0;
  MarchOptions options = tight();
  options.tolerance = 1e-4;
  auto test = march(toy, TimeScheme(Kind::newmark, 2), {0, 2}, options);
  const ProcessReport report = test->run(d);
  EXPECT_TRUE(report.ok) << report.reason;
  EXPECT_GT(test->step_lengths().size(), 20u);
  EXPECT_LT(test->step_lengths().size(), 400u);
}

}  // namespace
}  // namespace invar::toy
