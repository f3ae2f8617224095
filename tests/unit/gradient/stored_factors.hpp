#pragma once
#include <algorithm>
#include <memory>

#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/transient_problem.hpp"

namespace invar::gradient_test {

/// The gradient of a process whose march had so many bytes for its states and factors.
struct GradientInMemory {
  std::shared_ptr<LinearSolver> solver;
  std::shared_ptr<TransientCase> process;
  std::unique_ptr<CaseFunctional> functional;
  double value = 0;
  DesignVector gradient;
  MarchReport report;

  GradientInMemory(const TransientProblem& p, std::size_t bytes, bool by_work, const char* method = "mumps")
      : solver(std::make_shared<LinearSolver>(p.dofs->comm(), LinearSolverOptions{.method = method, .rtol = 1e-13})) {
    MarchOptions march;
    march.newton.rtol = 1e-12;
    march.newton.min_iterations = 1;
    march.storage.ram_bytes = bytes;
    if (by_work) march.by_work = true, march.factor_interval = 32 * p.scheme.stages();
    process = std::make_shared<TransientCase>(p.name, p.residual, solver, p.scheme, p.times, march);
    functional = make_functional_of(p, process);
    const Evaluation e = functional->gradient(functional->start(), gradient);
    EXPECT_TRUE(e.ok) << e.reason;
    value = e.value;
    report = process->march_report();
  }
};

/// The gradient of `g` is that of `expected`, to a part of its size.
inline void expect_same_gradient(const GradientInMemory& g, const GradientInMemory& expected, double allowed) {
  double size = 0;
  for (double v : expected.gradient.shared) size = std::max(size, std::abs(v));
  EXPECT_NEAR(g.value, expected.value, allowed * std::abs(expected.value));
  for (std::size_t i = 0; i < expected.gradient.shared.size(); ++i)
    EXPECT_NEAR(g.gradient.shared[i], expected.gradient.shared[i], allowed * size) << expected.functional->names()[i];
}

/// Gradients with factors of the march kept for all steps, for some and for none, and with fewer states than there are: they agree
/// to the round-off of solves, and the memory is not exceeded. Returns the work of the sweep on all factors: no factorisation where the matrix that
/// they are of is like that of the solution. of_next: a step's factors are those with which the next one begins, and the last has none.
inline MarchReport check_kept_factors(const TransientProblem& p, bool of_next = false, double tolerance = 1e-12) {
  constexpr std::size_t much = std::size_t(1) << 40;
  const GradientInMemory today(p, Trajectory::Options().ram_bytes, false), all(p, much, false);
  const int solves = today.report.steps;
  const std::size_t state = much / static_cast<std::size_t>(all.report.slots), states = state * static_cast<std::size_t>(solves + 1);
  EXPECT_EQ(today.report.kept_factors, 0);
  EXPECT_EQ(today.report.adjoint_factorisations, solves);
  EXPECT_EQ(all.report.kept_factors, solves - of_next);
  EXPECT_LT(all.report.adjoint_factorisations, solves);
  check_adjoint_against_tangent(*all.functional, all.functional->start());
  const std::size_t two = all.report.factor_bytes * 5 / 2 / static_cast<std::size_t>(solves);
  const GradientInMemory some(p, states + two, false), none(p, states, false), recomputed(p, states / 2, false), worked(p, much, true);
  EXPECT_EQ(some.report.kept_factors, 2);
  EXPECT_LE(some.report.factor_bytes, two);
  EXPECT_LE(some.report.adjoint_factorisations, solves);
  for (const GradientInMemory* g : {&none, &recomputed}) {
    EXPECT_EQ(g->report.kept_factors, 0);
    EXPECT_EQ(g->report.adjoint_factorisations, solves);
  }
  EXPECT_GT(recomputed.report.repeated_steps, 0);
  for (const GradientInMemory* g : {&all, &some, &none, &recomputed}) {
    expect_same_gradient(*g, today, tolerance);
    if (rank_count() > 1) continue;  // MUMPS adds in any order
    EXPECT_EQ(g->value, today.value);
  }
  expect_same_gradient(worked, today, 1e-9);  // steps on the factors of others end elsewhere within Newton's tolerance
  return all.report;
}

}  // namespace invar::gradient_test
