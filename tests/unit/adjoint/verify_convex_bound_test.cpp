// Bounds of convex problems whose optima are known.
#include <gtest/gtest.h>

#include <petscsys.h>

#include "libadjoint/verify/convex_bound.hpp"

namespace invar {
namespace {

/// ½ Σ w_i (θ_i − c_i)² on [0, 1] with Σ θ_i ≤ limit, every rank with four entries of its own.
class Quadratic final : public ReducedFunctional {
 public:
  explicit Quadratic(double limit) : limit_(limit) {
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank_);
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks_);
  }
  MPI_Comm comm() const override { return PETSC_COMM_WORLD; }
  DesignVector start() const override { return {{}, std::vector<double>(4, 0.5)}; }
  DesignVector lower() const override { return {{}, std::vector<double>(4, 0.0)}; }
  DesignVector upper() const override { return {{}, std::vector<double>(4, 1.0)}; }
  std::vector<std::string> names() const override { return {}; }
  Evaluation value(const DesignVector& theta) override {
    DesignVector g;
    return gradient(theta, g);
  }
  Evaluation gradient(const DesignVector& theta, DesignVector& g) override {
    double sum = 0;
    g = theta;
    for (int i = 0; i < 4; ++i) {
      sum += 0.5 * weight(i) * std::pow(theta.local[i] - aim(i), 2);
      g.local[i] = weight(i) * (theta.local[i] - aim(i));
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm());
    return Evaluation::success(1 + sum);
  }
  Evaluation directional(const DesignVector&, const DesignVector&, double&) override { return Evaluation::failure("not here"); }
  Evaluation hessian_action(const DesignVector&, const DesignVector&, DesignVector&) override { return Evaluation::failure("not here"); }
  std::vector<ConstraintInfo> constraints() const override { return {{.name = "sum", .upper = limit_ * ranks_}}; }
  Evaluation constraint_gradients(const DesignVector& theta, std::vector<double>& c, std::vector<DesignVector>& gradients) override {
    c = {theta.local[0] + theta.local[1] + theta.local[2] + theta.local[3]};
    MPI_Allreduce(MPI_IN_PLACE, c.data(), 1, MPI_DOUBLE, MPI_SUM, comm());
    gradients = {{{}, std::vector<double>(4, 1.0)}};
    return Evaluation::success(0);
  }

  double weight(int i) const { return 1 + 0.5 * i; }
  double aim(int i) const { return 0.3 + 0.4 * i; }  // 0.3 … 1.5
  /// At the multiplier λ the optimum is θ_i = clamp(aim − λ/weight).
  DesignVector at(double lambda) const {
    DesignVector x = start();
    for (int i = 0; i < 4; ++i) x.local[i] = std::min(1.0, std::max(0.0, aim(i) - lambda / weight(i)));
    return x;
  }

 private:
  double limit_;
  int rank_ = 0, ranks_ = 1;
};

double sum_of(const DesignVector& x) { return x.local[0] + x.local[1] + x.local[2] + x.local[3]; }

TEST(ConvexBound, HasNoGapAtTheOptimumAndItsMultiplier) {
  constexpr double lambda = 0.37;
  const double limit = sum_of(Quadratic(1).at(lambda));
  Quadratic f(limit);
  const ConvexBound b = convex_bound(f, f.at(lambda));
  ASSERT_TRUE(b.evaluation.ok) << b.evaluation.reason;
  EXPECT_NEAR(b.gap(), 0, 1e-13);
  EXPECT_NEAR(b.multiplier, lambda, 1e-9);
}

TEST(ConvexBound, StaysBelowTheOptimumElsewhere) {
  constexpr double lambda = 0.37;
  const double limit = sum_of(Quadratic(1).at(lambda));
  Quadratic f(limit);
  const double best = f.value(f.at(lambda)).value;
  double gap_before = 1e9;
  for (const double share : {1.0, 0.5, 0.1, 0.01}) {  // from the start to the optimum
    DesignVector x = f.start();
    for (int i = 0; i < 4; ++i) x.local[i] = share * x.local[i] * limit / 2 + (1 - share) * f.at(lambda).local[i];
    const ConvexBound b = convex_bound(f, x);
    ASSERT_TRUE(b.evaluation.ok);
    EXPECT_LE(b.bound, best + 1e-12) << share;
    EXPECT_GE(b.value, best - 1e-12) << share;
    EXPECT_LT(b.gap(), gap_before) << share;
    gap_before = b.gap();
  }
  EXPECT_LT(gap_before, 0.01);
}

TEST(ConvexBound, KnowsWhenTheConstraintIsSlack) {
  Quadratic f(4);
  const ConvexBound b = convex_bound(f, f.at(0));
  EXPECT_NEAR(b.gap(), 0, 1e-13);
  EXPECT_EQ(b.multiplier, 0);
}

}  // namespace
}  // namespace invar
