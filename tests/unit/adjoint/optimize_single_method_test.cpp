#include <gtest/gtest.h>

#include "libadjoint/optimize/optimizer.hpp"
#include "tests/unit/adjoint/optimize_problems.hpp"

namespace invar {
namespace {

using namespace toy;

OptimizerResult solved_tightly(const std::string& method, ReducedFunctional& f) {
  OptimizerOptions options;
  options.gradient_tolerance = 1e-7;
  options.constraint_tolerance = 1e-9;
  return make_optimizer(method, options)->minimize(f, f.start());
}

void expect_minimiser(const OptimizerResult& r, const std::vector<double>& x, double tolerance) {
  ASSERT_EQ(r.theta.shared.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(r.theta.shared[i], x[i], tolerance) << i;
}

/// The means of blocks of neighbours, merged as long as one falls short of the one before (pool adjacent violators; Barlow and others,
/// Statistical Inference under Order Restrictions, 1972).
std::vector<double> ascending_means(const std::vector<double>& c) {
  std::vector<std::pair<double, int>> blocks;  // sum, count
  for (const double value : c) {
    blocks.push_back({value, 1});
    while (blocks.size() > 1 && blocks.back().first / blocks.back().second < blocks[blocks.size() - 2].first / blocks[blocks.size() - 2].second) {
      const auto [sum, count] = blocks.back();
      blocks.pop_back();
      blocks.back().first += sum, blocks.back().second += count;
    }
  }
  std::vector<double> x;
  for (const auto& [sum, count] : blocks) x.insert(x.end(), count, sum / count);
  return x;
}

// Least Σ x − c ln x with x ascending: block means of c, whatever the convex function (Barlow and others). Most constraints are active.
TEST(InteriorPoint, KeepsHundredsOfConstraints) {
  constexpr int n = 150;
  std::vector<double> c;
  for (int i = 0; i < n; ++i) c.push_back(1.5 + 0.004 * i + 0.4 * std::sin(1.7 * i) + 0.2 * std::sin(0.11 * i));
  std::vector<ConstraintInfo> infos;
  for (int i = 0; i + 1 < n; ++i) infos.push_back({"step", 0, infinity, 1});
  ConstrainedFunction p(
      std::vector<double>(n, 2.0),
      [&](const ComplexVector& x) {
        Complex sum = 0;
        for (int i = 0; i < n; ++i) sum += x[i] - c[i] * std::log(x[i]);
        return sum;
      },
      infos, [](const ComplexVector& x) -> ComplexVector { return x.tail(n - 1) - x.head(n - 1); });
  p.lo.assign(n, 0.1);
  p.up.assign(n, 10);
  const std::vector<double> x = ascending_means(c);
  int steps = 0;
  for (int i = 0; i + 1 < n; ++i) steps += x[i + 1] > x[i];
  ASSERT_TRUE(10 < steps && steps < 50) << steps;
  const OptimizerResult r = solved_tightly("interior_point", p);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_LE(r.violation, 1e-9);
  EXPECT_LE(r.evaluations, 40);
  expect_minimiser(r, x, 1e-5);
  double optimum = 0;
  for (int i = 0; i < n; ++i) optimum += x[i] - c[i] * std::log(x[i]);
  EXPECT_NEAR(r.value, optimum, 1e-8);
}

TEST(Sqp, SolvesAProblemWithASingularHessian) {
  const Problem p = hock_schittkowski(26);
  const OptimizerResult r = solved_tightly("sqp", *p);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.value, 0, 1e-12);
  expect_minimiser(r, p->minimiser, 1e-3);  // f is of fourth order there
  EXPECT_LE(r.evaluations, 60);
}

TEST(UnconstrainedMethods, NameThoseThatKeepConstraints) {
  const Problem p = cantilever();
  for (const std::string method : {"quasi_newton", "conjugate_gradient", "levenberg_marquardt"}) {
    try {
      solved_tightly(method, *p);
      ADD_FAILURE() << method;
    } catch (const std::invalid_argument& e) {
      const std::string what = e.what();
      EXPECT_NE(what.find(method), std::string::npos) << what;
      EXPECT_NE(what.find("'mma'"), std::string::npos) << what;
      EXPECT_NE(what.find("'sqp'"), std::string::npos) << what;
    }
    EXPECT_THROW(make_optimizer(method, {})->restore({1.0}), std::invalid_argument);
  }
}

TEST(Sqp, FindsTheMinimumOfTheBananaAroundARegionThatFails) {
  Function f = rosenbrock({-1.2, 1.44});
  f.fails = [](const Vector& x) { return std::abs(x[1] - x[0] * x[0]) > 0.3; };
  const OptimizerResult r = solved_tightly("sqp", f);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.theta.shared[0], 1, 1e-5);
  EXPECT_GT(r.rejected, 0);
}

TEST(Sqp, RefusesFields) {
  Distributed f(7);
  EXPECT_THROW(solved_tightly("sqp", f), std::invalid_argument);
}

}  // namespace
}  // namespace invar
