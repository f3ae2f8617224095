// Searches that follow each other: counts, ends and tolerances.
#include <gtest/gtest.h>

#include "libadjoint/optimize/search_sequence.hpp"
#include "tests/unit/adjoint/optimize_toys.hpp"
#include "tests/unit/adjoint/seed_processes.hpp"

namespace invar::toy {
namespace {

/// Notes which stages begin.
struct NotedStages : StagedDesign {
  int count = 3;
  std::vector<int> begun;
  int stage_count() const override { return count; }
  int iterations_in(int stage) const override { return 10 * (stage + 1); }
  std::string stage_text(int stage) const override { return "stage " + std::to_string(stage); }
  void begin_stage(int stage) override { begun.push_back(stage); }
};

OptimizerResult found(double theta, double value, int iterations) {
  OptimizerResult r;
  r.theta = {{theta, 1.2}, {}};
  r.value = value;
  r.iterations = iterations;
  r.evaluations = 2 * iterations;
  r.rejected = 1;
  return r;
}

TEST(SearchSequence, StagesBeginAtTheResultOfThoseBeforeAndCountOn) {
  SwingAndRow p({"all"});
  NotedStages staged;
  std::vector<double> starts;
  const OptimizerResult end = search_in_stages(*p.functional, staged, 0, found(0.9, NAN, 0), [&](int k, const OptimizerResult& before) {
    EXPECT_EQ(staged.begun.back(), k);
    EXPECT_EQ(before.iterations, 4 * k);
    starts.push_back(before.theta.shared[0]);
    // The cached solution is of another stage: the states are computed again.
    const long evaluated = *p.swing.evaluations();
    EXPECT_TRUE(p.functional->value({{0.9, 1.2}, {}}).ok);
    EXPECT_GT(*p.swing.evaluations(), evaluated);
    return found(1.0 + k, 5.0 - k, 4);
  });
  EXPECT_EQ(staged.begun, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(starts, (std::vector<double>{0.9, 1.0, 2.0}));
  EXPECT_EQ(end.theta.shared[0], 3.0);
  EXPECT_EQ(end.iterations, 12);
  EXPECT_EQ(end.evaluations, 24);
  EXPECT_EQ(end.rejected, 1 + 3);  // of `before`, too
  EXPECT_TRUE(end.converged) << "limits of steps in stages are no failure";
  EXPECT_EQ(end.reason, "every stage has run");
}

TEST(SearchSequence, GoesOnInAStage) {
  SwingAndRow p({"all"});
  NotedStages staged;
  const OptimizerResult end = search_in_stages(*p.functional, staged, 2, found(2.0, 4.0, 20), [](int, const OptimizerResult&) {
    OptimizerResult r = found(3, 3, 5);
    r.converged = true;
    r.reason = "the gradient is small";
    return r;
  });
  EXPECT_EQ(staged.begun, (std::vector<int>{2}));
  EXPECT_EQ(end.iterations, 25);
  EXPECT_EQ(end.reason, "the gradient is small");
}

TEST(SearchSequence, EndsWhereASearchIsStoppedOrFailsAndAnInfeasibleEndIsNotConverged) {
  SwingAndRow p({"all"});
  const auto stages_after = [&](const OptimizerResult& of_each) {
    NotedStages staged;
    const OptimizerResult end = search_in_stages(*p.functional, staged, 0, found(0.9, NAN, 0), [&](int, const OptimizerResult&) { return of_each; });
    EXPECT_FALSE(end.converged);
    return staged.begun.size();
  };
  OptimizerResult stopped = found(1, 1, 1), failed = found(1, NAN, 1), outside = found(1, 1, 1);
  stopped.stopped = true;
  outside.feasible = false;
  EXPECT_EQ(stages_after(stopped), 1u);
  EXPECT_EQ(stages_after(failed), 1u);
  EXPECT_EQ(stages_after(outside), 3u);
}

/// ½ ‖x − a‖², whose first variable is at its bound with a gradient that points outwards.
TEST(SearchSequence, TheGradientAtABoundDoesNotCount) {
  Function f({0.0, 3.0});
  f.f = [](const Vector& x) { return 0.5 * (x - Vector::Ones(2)).squaredNorm(); };
  f.g = [](const Vector& x) -> Vector { return x - Vector::Ones(2); };
  f.up = {0.0, infinity};
  EXPECT_DOUBLE_EQ(projected_gradient_norm(f, f.start()), 2);
  f.up = {5.0, infinity};
  EXPECT_DOUBLE_EQ(projected_gradient_norm(f, f.start()), std::sqrt(5.0));
  f.fails = [](const Vector&) { return true; };
  f.last.clear();
  EXPECT_TRUE(std::isnan(projected_gradient_norm(f, f.start())));
}

TEST(SearchSequence, WarmStartsEndWhereTheFirstSearchDid) {
  constexpr double asked = 1e-6, first = 50;
  EXPECT_DOUBLE_EQ(warm_start_tolerance(asked, 0.2, first) * 0.2, asked * first);
  EXPECT_DOUBLE_EQ(warm_start_tolerance(asked, 400, first), asked) << "a start that is farther is no reason to search less";
  EXPECT_DOUBLE_EQ(warm_start_tolerance(asked, 1e-9, first), 0.1) << "every search does something";
  EXPECT_DOUBLE_EQ(warm_start_tolerance(asked, 0, first), asked);
  EXPECT_DOUBLE_EQ(warm_start_tolerance(asked, NAN, first), asked);
}

}  // namespace
}  // namespace invar::toy
