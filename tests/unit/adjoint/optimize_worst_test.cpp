#include <gtest/gtest.h>

#include <cmath>

#include "libadjoint/optimize/optimizer.hpp"
#include "tests/unit/adjoint/optimize_problems.hpp"

namespace invar {
namespace {

using namespace toy;

ConstraintInfo competitor() { return {.name = "f", .competes = true}; }

/// max of the functions; limits follow them.
Problem largest_of(std::vector<double> start, double optimum, std::vector<double> minimiser, int competitors,
                   std::function<ComplexVector(const ComplexVector&)> functions, const std::vector<ConstraintInfo>& limits = {}) {
  std::vector<ConstraintInfo> infos(static_cast<std::size_t>(competitors), competitor());
  infos.insert(infos.end(), limits.begin(), limits.end());
  const auto largest = [functions, competitors](const ComplexVector& x) {
    const ComplexVector f = functions(x);
    Complex most = f[0];
    for (int i = 1; i < competitors; ++i)
      if (f[i].real() > most.real()) most = f[i];
    return most;
  };
  auto p = std::make_unique<ConstrainedFunction>(std::move(start), largest, infos, functions);
  p->optimum = optimum;
  p->minimiser = std::move(minimiser);
  return p;
}

/// CB2, CB3 and Rosen-Suzuki of Luksan and Vlcek, Test problems for nonsmooth unconstrained and linearly constrained
/// optimization, 2000, with their published optima.
Problem cb2(double scale = 1) {
  return largest_of({1, -0.1}, scale * 1.9522245, {1.139037, 0.899559}, 3, [scale](const ComplexVector& x) {
    return ComplexVector(scale * stack({x[0] * x[0] + std::pow(x[1], 4), std::pow(2. - x[0], 2) + std::pow(2. - x[1], 2), 2. * std::exp(x[1] - x[0])}));
  });
}
Problem cb3() {
  return largest_of({2, 2}, 2, {1, 1}, 3, [](const ComplexVector& x) {
    return stack({std::pow(x[0], 4) + x[1] * x[1], std::pow(2. - x[0], 2) + std::pow(2. - x[1], 2), 2. * std::exp(x[1] - x[0])});
  });
}
Problem rosen_suzuki() {
  return largest_of({0, 0, 0, 0}, -44, {0, 1, 2, -1}, 4, [](const ComplexVector& x) {
    const Complex f = x[0] * x[0] + x[1] * x[1] + 2. * x[2] * x[2] + x[3] * x[3] - 5. * x[0] - 5. * x[1] - 21. * x[2] + 7. * x[3];
    const Complex g1 = x.cwiseProduct(x).sum() + x[0] - x[1] + x[2] - x[3] - 8.;
    const Complex g2 = x[0] * x[0] + 2. * x[1] * x[1] + x[2] * x[2] + 2. * x[3] * x[3] - x[0] - x[3] - 10.;
    const Complex g3 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + 2. * x[0] - x[1] - x[3] - 5.;
    return stack({f, f + 10. * g1, f + 10. * g2, f + 10. * g3});
  });
}

class WorstOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, WorstOf, testing::Values("mma", "sqp", "interior_point"));

TEST_P(WorstOf, PublishedProblems) {
  OptimizerOptions options;
  options.gradient_tolerance = 1e-7;
  options.max_iterations = 60;
  for (const Problem& p : {cb2(), cb2(1e-4), cb3(), rosen_suzuki()}) {
    std::vector<double> relative;
    options.on_iteration = [&](const IterationReport& r, const DesignVector& theta) {
      EXPECT_EQ(theta.shared.size(), p->x0.size());
      EXPECT_EQ(r.value, *std::ranges::max_element(r.constraints));  // J itself, not its bound
      relative.push_back(r.relative_gradient);
      return true;
    };
    const OptimizerResult r = make_optimizer(GetParam(), options)->minimize(*p, p->start());
    EXPECT_TRUE(r.converged) << r.reason;
    EXPECT_NEAR(r.value, p->optimum, 1e-6 * std::abs(p->optimum));  // a gap of 1e-7 counts in sizes at the start, up to 36 optima
    for (std::size_t i = 0; i < p->minimiser.size(); ++i) EXPECT_NEAR(r.theta.shared[i], p->minimiser[i], 2e-5);
    EXPECT_LE(r.relative_gradient, 1e-7) << r.reason;
    EXPECT_LT(relative.back(), 1e-3 * relative.front());
    EXPECT_EQ(r.violation, 0);
  }
}

// With an additional constraint: max(x, y) with x y >= 4, where both are 2.
TEST_P(WorstOf, MeetsConstraintsToo) {
  const Problem p = largest_of({5, 3}, 2, {2, 2}, 2, [](const ComplexVector& x) { return stack({x[0], x[1], x[0] * x[1]}); }, {at_least(4)});
  p->lo = {0.1, 0.1};
  p->up = {10, 10};
  OptimizerOptions options;
  options.gradient_tolerance = 1e-6;
  const OptimizerResult r = make_optimizer(GetParam(), options)->minimize(*p, p->start());
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.value, 2, 1e-5);
  EXPECT_NEAR(r.theta.shared[0], 2, 1e-5);
  EXPECT_LE(r.violation, 1e-6);
}

/// max of Σ w (q − 1)² + (a − 1)² and Σ w (q + 1)² + (a + 1)², q a field over the ranks: least where all vanish.
struct Tug : Distributed {
  explicit Tug(int n) : Distributed(n) {}
  std::vector<ConstraintInfo> constraints() const override { return {competitor(), competitor()}; }
  Evaluation constraint_gradients(const DesignVector& t, std::vector<double>& c, std::vector<DesignVector>& g) override {
    c.assign(2, 0);
    g.assign(2, DesignVector::zeros_like(t));
    for (std::size_t k = 0; k < 2; ++k) {
      const double goal = k ? -1 : 1;
      for (int i = first; i < last; ++i) {
        const double d = t.local[static_cast<std::size_t>(i - first)] - goal;
        c[k] += weight(i) * d * d;
        g[k].local[static_cast<std::size_t>(i - first)] = 2 * weight(i) * d;
      }
      MPI_Allreduce(MPI_IN_PLACE, &c[k], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      c[k] += std::pow(t.shared[0] - goal, 2);
      g[k].shared[0] = 2 * (t.shared[0] - goal);
    }
    return Evaluation::success(0);
  }
  Evaluation constraint_values(const DesignVector& t, std::vector<double>& c) override {
    std::vector<DesignVector> g;
    return constraint_gradients(t, c, g);
  }
  Evaluation gradient(const DesignVector& t, DesignVector& g) override {
    std::vector<double> c;
    std::vector<DesignVector> all;
    constraint_gradients(t, c, all);
    const std::size_t k = c[1] > c[0];
    g = all[k];
    return Evaluation::success(c[k]);
  }
  Evaluation value(const DesignVector& t) override {
    DesignVector g;
    return gradient(t, g);
  }
};

TEST(WorstOfFields, OfAFieldOverTheRanks) {
  Tug tug(37);
  OptimizerOptions options;
  options.gradient_tolerance = 1e-6;
  DesignVector start = tug.start();
  for (double& q : start.local) q = 0.7;
  const OptimizerResult r = make_optimizer("mma", options)->minimize(tug, start);
  double weights = 1;
  for (int i = 0; i < 37; ++i) weights += Distributed::weight(i);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.value, weights, 1e-8 * weights);
  for (const double q : r.theta.local) EXPECT_NEAR(q, 0, 1e-5);
}

}  // namespace
}  // namespace invar
