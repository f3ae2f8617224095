#include <gtest/gtest.h>
#include <petsctao.h>

#include "libadjoint/optimize/multi_start.hpp"
#include "libadjoint/optimize/tao_optimizer.hpp"
#include "libadjoint/petsc.hpp"
#include "tests/unit/adjoint/optimize_problems.hpp"

namespace invar {
namespace {

using namespace toy;

/// All entries of this rank.
std::vector<double> entries(const DesignVector& theta) {
  std::vector<double> x = theta.shared;
  x.insert(x.end(), theta.local.begin(), theta.local.end());
  return x;
}

/// The method in pieces of `length` iterations, each in a fresh optimiser that knows but the numbers
/// saved at the last iterate of the piece before. `way` takes every iterate that is reported.
OptimizerResult in_pieces(const std::string& method, ReducedFunctional& f, OptimizerOptions options,
                          int length, std::vector<std::vector<double>>& way) {
  std::vector<double> saved;
  for (bool first = true;; first = false) {
    std::unique_ptr<Optimizer> optimizer;
    int left = length;
    options.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
      way.push_back(entries(theta));
      saved = optimizer->state();
      return --left > 0;
    };
    optimizer = make_optimizer(method, options);
    if (!first) optimizer->restore(saved);
    const OptimizerResult r = optimizer->minimize(f, f.start());
    if (!r.stopped || r.converged || way.size() > 500) return r;
  }
}

OptimizerResult whole(const std::string& method, ReducedFunctional& f, OptimizerOptions options,
                      std::vector<std::vector<double>>& way) {
  options.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
    way.push_back(entries(theta));
    return true;
  };
  return make_optimizer(method, options)->minimize(f, f.start());
}

void expect_same(const OptimizerResult& r, const OptimizerResult& expected) {
  EXPECT_EQ(r.theta, expected.theta);
  EXPECT_EQ(r.value, expected.value);
  EXPECT_EQ(r.reason, expected.reason);
  EXPECT_EQ(r.relative_gradient, expected.relative_gradient);
  EXPECT_EQ(r.iterations, expected.iterations);
  EXPECT_EQ(r.evaluations, expected.evaluations);
  EXPECT_EQ(r.rejected, expected.rejected);
}

TEST(GaussNewton, ContinuesBitForBit) {
  for (const double upper : {infinity, 0.35}) {
    Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
    f.up[1] = upper;
    std::vector<std::vector<double>> straight, pieces;
    const OptimizerResult expected = whole("gauss_newton", f, {}, straight);
    ASSERT_GT(expected.iterations, 3);
    f.state.reset();
    const OptimizerResult r = in_pieces("gauss_newton", f, {}, 1, pieces);
    EXPECT_EQ(pieces, straight);
    expect_same(r, expected);
  }
}

TEST(NewtonCg, ContinuesBitForBit) {
  for (const double upper : {infinity, 0.5}) {
    Function f = rosenbrock();
    f.up[0] = upper;
    std::vector<std::vector<double>> straight, pieces;
    const OptimizerResult expected = whole("newton_cg", f, {}, straight);
    ASSERT_GT(expected.iterations, 3);
    const OptimizerResult r = in_pieces("newton_cg", f, {}, 1, pieces);
    EXPECT_EQ(pieces, straight);
    expect_same(r, expected);
  }
}

/// With bounds that become active and inactive, and with rejected points.
TEST(LevenbergMarquardt, ContinuesBitForBit) {
  for (const double upper : {infinity, 0.35}) {
    for (const double wall : {infinity, 0.5, 0.45}) {
      Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
      f.up[1] = upper;
      f.fails = [&](const Vector& x) { return x.maxCoeff() > wall; };
      std::vector<std::vector<double>> straight, pieces;
      const OptimizerResult expected = whole("levenberg_marquardt", f, {}, straight);
      ASSERT_GT(expected.iterations, 3);
      for (const int length : {1, 2}) {
        pieces.clear();
        f.state.reset();
        const OptimizerResult r = in_pieces("levenberg_marquardt", f, {}, length, pieces);
        EXPECT_EQ(pieces, straight);
        expect_same(r, expected);
      }
    }
  }
}

TEST(LevenbergMarquardt, GoesOnWhenItsLimitIsRaised) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  std::vector<std::vector<double>> straight;
  const OptimizerResult expected = whole("levenberg_marquardt", f, {}, straight);
  std::vector<double> saved;
  std::unique_ptr<Optimizer> optimizer;
  OptimizerOptions options;
  options.max_iterations = 2;
  options.on_iteration = [&](const IterationReport&, const DesignVector&) {
    saved = optimizer->state();
    return true;
  };
  optimizer = make_optimizer("levenberg_marquardt", options);
  EXPECT_EQ(optimizer->minimize(f, f.start()).reason, "the limit of 2 iterations is reached");
  const auto more = make_optimizer("levenberg_marquardt", {});
  more->restore(saved);
  const OptimizerResult r = more->minimize(f, f.start());
  EXPECT_EQ(r.theta, expected.theta);
  EXPECT_EQ(r.iterations, expected.iterations);
}

TEST(LevenbergMarquardt, RefusesAStateOfAnotherProblem) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  const auto optimizer = make_optimizer("levenberg_marquardt", {});
  optimizer->minimize(f, f.start());
  Fit other({1.0}, 1);
  other.rho = [](const Vector& x) -> Vector { return x; };
  other.drho = [](const Vector&) -> Matrix { return Matrix::Identity(1, 1); };
  const auto fresh = make_optimizer("levenberg_marquardt", {});
  fresh->restore(optimizer->state());
  EXPECT_THROW(fresh->minimize(other, other.start()), std::invalid_argument);
  EXPECT_TRUE(fresh->minimize(other, other.start()).converged) << "the next run begins anew";
}

/// A chain of n bananas, J = Σ 100 (xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)²: 160 and more iterations for n = 30.
Function chain(int n) {
  Function f(std::vector<double>(static_cast<std::size_t>(n), 1.0));
  for (std::size_t i = 0; i < f.x0.size(); i += 2) f.x0[i] = -1.2;
  f.f = [=](const Vector& x) {
    const auto a = x.tail(n - 1).array() - x.head(n - 1).array().square();
    return (100 * a.square() + (1 - x.head(n - 1).array()).square()).sum();
  };
  f.g = [=](const Vector& x) {
    const Eigen::ArrayXd a = x.tail(n - 1).array() - x.head(n - 1).array().square();
    Vector g = Vector::Zero(n);
    g.head(n - 1).array() -= 400 * x.head(n - 1).array() * a + 2 * (1 - x.head(n - 1).array());
    g.tail(n - 1).array() += 200 * a;
    return g;
  };
  return f;
}

/// Bounds above every third of a chain, half of them below the optimum.
Function bounded_chain() {
  Function f = chain(30);
  for (std::size_t i = 0; i < f.x0.size(); i += 3) {
    f.up[i] = i % 2 ? 0.8 : 1.2;
    f.x0[i] = std::min(f.x0[i], f.up[i]);
  }
  return f;
}

class TaoMethods : public testing::TestWithParam<std::string> {
 protected:
  /// In pieces that end within a call of TAO and where one ends.
  void expect_continues(ReducedFunctional& f, const OptimizerOptions& options) const {
    std::vector<std::vector<double>> straight, pieces;
    const OptimizerResult expected = whole(GetParam(), f, options, straight);
    for (const int length : {7, 20, 33}) {
      pieces.clear();
      const OptimizerResult r = in_pieces(GetParam(), f, options, length, pieces);
      EXPECT_EQ(pieces, straight) << length;
      expect_same(r, expected);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(, TaoMethods, testing::Values("quasi_newton", "conjugate_gradient"));

TEST_P(TaoMethods, ContinueBitForBit) {
  OptimizerOptions options;
  options.max_iterations = 230;  // into the third call of conjugate_gradient, the twelfth of quasi_newton
  options.function_tolerance = 0;
  Function free = chain(30), bounded = bounded_chain();
  expect_continues(free, options);
  expect_continues(bounded, options);
}

TEST_P(TaoMethods, ContinueBitForBitWithAFieldOnAllRanks) {
  for (const double wall : {infinity, 0.5, 0.45}) {
    Distributed f(60);
    f.field_upper = 0.5;
    f.wall = wall;
    expect_continues(f, {});
  }
}

TEST_P(TaoMethods, ContinueBitForBitWherePointsAreRejected) {
  Function f = rosenbrock({-1.2, 1.44});
  f.fails = [](const Vector& x) { return std::abs(x[1] - x[0] * x[0]) > 0.3; };
  expect_continues(f, {});
}

TEST_P(TaoMethods, ContinueWithoutAnEvaluation) {
  Function f = bounded_chain();
  std::vector<std::vector<double>> way;
  whole(GetParam(), f, {}, way);
  const int straight = std::exchange(f.calls, 0);
  in_pieces(GetParam(), f, {}, 1, way);
  EXPECT_EQ(f.calls, straight);
}

TEST_P(TaoMethods, RefuseAStateThatDoesNotLeadToItsIterate) {
  Function f = chain(30);
  const auto optimizer = make_optimizer(GetParam(), {.max_iterations = 7});
  optimizer->minimize(f, f.start());
  const auto other = make_optimizer(GetParam() == "quasi_newton" ? "conjugate_gradient" : "quasi_newton", {});
  other->restore(optimizer->state());
  EXPECT_THROW(other->minimize(f, f.start()), std::invalid_argument);
  EXPECT_THROW(other->restore({1, 2, 3}), std::invalid_argument);
}

/// However it has ended: converged, by its limit, before a wall.
TEST_P(TaoMethods, AFinishedRunStaysFinished) {
  for (const bool wall : {false, true}) {
    for (const int limit : {5, 20, 2000}) {
      Function f = rosenbrock();
      f.fails = [&](const Vector& x) { return wall && x[0] > 0.2; };
      const auto optimizer = make_optimizer(GetParam(), {.max_iterations = limit});
      const OptimizerResult first = optimizer->minimize(f, f.start());
      EXPECT_EQ(first.converged, !wall && limit == 2000) << first.reason;
      const auto again = make_optimizer(GetParam(), {.max_iterations = limit});
      again->restore(optimizer->state());
      expect_same(again->minimize(f, f.start()), first);
      EXPECT_EQ(again->state(), optimizer->state());
    }
  }
}

Vector entries_of(Vec x) {
  const double* p = nullptr;
  PetscInt n = 0;
  check(VecGetLocalSize(x, &n));
  check(VecGetArrayRead(x, &p));
  const Vector y = Eigen::Map<const Vector>(p, n);
  check(VecRestoreArrayRead(x, &p));
  return y;
}

void fill(Vec x, const Vector& y) {
  double* p = nullptr;
  check(VecGetArrayWrite(x, &p));
  std::copy(y.begin(), y.end(), p);
  check(VecRestoreArrayWrite(x, &p));
}

/// J at every iterate of a single call of TAO.
std::vector<double> values_of_tao(Function& f, int limit) {
  struct Run {
    Function& f;
    double scale;
    std::vector<double> values;
  } run{f, 1 / norm(shared(to_std(f.g(to_eigen(f.x0)))), MPI_COMM_SELF), {}};
  VecHandle x, lower, upper;
  check(VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(f.x0.size()), x.out()));
  fill(x, to_eigen(f.x0));
  for (VecHandle* bound : {&lower, &upper}) check(VecDuplicate(x, bound->out()));
  check(VecSet(lower, PETSC_NINFINITY));
  check(VecSet(upper, PETSC_INFINITY));
  PetscHandle<Tao, TaoDestroy> tao;
  check(TaoCreate(PETSC_COMM_SELF, tao.out()));
  check(TaoSetType(tao, TAOBQNLS));
  Mat hessian = nullptr;
  check(TaoGetLMVMMatrix(tao, &hessian));
  check(MatLMVMSymBroydenSetScaleType(hessian, MAT_LMVM_SYMBROYDEN_SCALE_SCALAR));
  check(MatLMVMSetHistorySize(hessian, TaoOptimizer::quasi_newton_memory));
  check(TaoSetSolution(tao, x));
  check(TaoSetVariableBounds(tao, lower, upper));
  check(TaoSetMaximumIterations(tao, limit));
  check(TaoSetTolerances(tao, 0, 0, 0));
  const auto objective = [](Tao, Vec at, PetscReal* value, Vec g, void* to) -> PetscErrorCode {
    const Run& r = *static_cast<Run*>(to);
    const Vector y = entries_of(at);
    *value = r.scale * r.f.f(y);
    fill(g, r.f.g(y));
    return VecScale(g, r.scale);
  };
  const auto monitor = [](Tao t, void* to) -> PetscErrorCode {
    Vec at = nullptr;
    check(TaoGetSolution(t, &at));
    Run& r = *static_cast<Run*>(to);
    r.values.push_back(r.f.f(entries_of(at)));
    return 0;
  };
  check(TaoSetObjectiveAndGradient(tao, nullptr, objective, &run));
  check(TaoSetMonitor(tao, monitor, &run, nullptr));
  check(TaoSolve(tao));
  return run.values;
}

/// Repeated calls of TAO preserve its curvature: the iterates are those of a single call.
TEST(QuasiNewton, KeepsItsCurvatureFromCallToCall) {
  Function f = chain(30);
  const std::vector<double> single = values_of_tao(f, 90);
  ASSERT_EQ(single.size(), 91u);
  OptimizerOptions options;
  options.max_iterations = 90;
  std::size_t k = 0;
  options.on_iteration = [&](const IterationReport& report, const DesignVector&) {
    EXPECT_NEAR(report.value, single[k], 1e-10 * single[k]) << k;
    return ++k < single.size();
  };
  make_optimizer("quasi_newton", options)->minimize(f, f.start());
  EXPECT_EQ(k, single.size());
}

TEST(MultiStart, ContinuesBitForBit) {
  const Problem p = hock_schittkowski(43);
  MultiStartOptions options{.starts = 5, .lower = std::vector<double>(4, -1.0), .upper = std::vector<double>(4, 1.0)};
  std::vector<std::vector<double>> straight;
  OptimizerOptions settings;
  settings.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
    straight.push_back(theta.shared);
    return true;
  };
  const MultiStartResult expected = multi_start(*make_optimizer("sqp", settings), *p, p->start(), options);

  std::vector<std::vector<double>> pieces;
  std::vector<double> saved;
  MultiStartResult all;
  for (int piece = 0; piece < 200; ++piece) {
    std::unique_ptr<Optimizer> optimizer;
    int left = 3;
    std::vector<OptimizerResult> done = options.done, done_when_saved = done;
    settings.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
      pieces.push_back(theta.shared);
      saved = optimizer->state();
      done_when_saved = done;
      return --left > 0;
    };
    options.on_result = [&](const OptimizerResult& r) { done.push_back(r); };
    optimizer = make_optimizer("sqp", settings);
    if (piece > 0) optimizer->restore(saved);
    all = multi_start(*optimizer, *p, p->start(), options);
    options.done = done_when_saved;
    if (!all.results.back().stopped) break;
  }
  EXPECT_EQ(pieces, straight);
  ASSERT_EQ(all.results.size(), expected.results.size());
  EXPECT_EQ(all.best_start, expected.best_start);
  for (std::size_t k = 0; k < all.results.size(); ++k) {
    EXPECT_EQ(all.results[k].theta, expected.results[k].theta);
    EXPECT_EQ(all.results[k].reason, expected.results[k].reason);
    EXPECT_EQ(all.results[k].evaluations, expected.results[k].evaluations);
  }
}

}  // namespace
}  // namespace invar
