// Newton's method by conjugate gradients on exact Hessian products; what all methods for general functionals share is in
// optimize_methods_test.cpp.
#include <gtest/gtest.h>

#include "libadjoint/optimize/optimizer_method.hpp"
#include "tests/support/dense.hpp"
#include "tests/unit/adjoint/optimize_toys.hpp"

namespace invar {
namespace {

using namespace toy;

OptimizerResult newton_cg(ReducedFunctional& f, OptimizerOptions options = {}) { return make_optimizer("newton_cg", options)->minimize(f, f.start()); }

/// ½ xᵀA x − bᵀx with A of the given eigenvalues, turned.
Function quadratic(const Vector& eigenvalues, const Vector& minimiser) {
  const Eigen::Index n = eigenvalues.size();
  Vector v = Vector::LinSpaced(n, 1, 2);
  v.normalize();
  const Matrix turn = Matrix::Identity(n, n) - 2 * v * v.transpose();
  const Matrix a = turn * eigenvalues.asDiagonal() * turn;
  Function q(std::vector<double>(static_cast<std::size_t>(n), 0.0));
  q.f = [=](const Vector& x) { return 0.5 * (x - minimiser).dot(a * (x - minimiser)); };
  q.g = [=](const Vector& x) -> Vector { return a * (x - minimiser); };
  q.h = [=](const Vector&) -> Matrix { return a; };
  return q;
}

TEST(NewtonCg, OfAQuadraticConvergesFasterThanLinearly) {
  const Vector minimiser = Vector::LinSpaced(12, -1, 2);
  Function q = quadratic(Vector::LinSpaced(12, 1, 1000), minimiser);
  std::vector<double> gradients;
  OptimizerOptions options;
  options.on_iteration = [&](const IterationReport& r, const DesignVector&) {
    gradients.push_back(r.relative_gradient);
    return true;
  };
  const OptimizerResult r = newton_cg(q, options);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_LT((to_eigen(r.theta.shared) - minimiser).norm(), 1e-5);
  // The forcing term makes ‖g‖ ← ‖g‖^1.5 (Eisenstat and Walker 1996, theorem 2.3).
  ASSERT_GE(gradients.size(), 3u);
  const double last = gradients.back(), before = gradients[gradients.size() - 2];
  EXPECT_LT(last, 1.1 * std::pow(before, 1.5));
}

/// Quadratic convergence of Newton's method near the minimum: a dozen iterations where first derivatives alone need dozens.
TEST(NewtonCg, TakesFewIterationsOnTheBanana) {
  Function f = rosenbrock();
  const OptimizerResult r = newton_cg(f);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_LE(r.iterations, 30);
  EXPECT_NEAR(r.theta.shared[0], 1, 1e-6);
}

/// x⁴/4 − x²/2 + y²/2: negative curvature along the gradient at the start; minima at x = ±1.
TEST(NewtonCg, LeavesARegionOfNegativeCurvature) {
  for (const double scale : {1.0, 1e6}) {  // in small units of J the first step is doubled, in large ones halved
    Function f({0.02, 0.0});
    f.f = [=](const Vector& x) { return scale * (std::pow(x[0], 4) / 4 - x[0] * x[0] / 2 + x[1] * x[1] / 2); };
    f.g = [=](const Vector& x) -> Vector { return scale * Eigen::Vector2d(std::pow(x[0], 3) - x[0], x[1]); };
    f.h = [=](const Vector& x) -> Matrix { return scale * Eigen::Vector2d(3 * x[0] * x[0] - 1, 1).asDiagonal().toDenseMatrix(); };
    const OptimizerResult r = newton_cg(f);
    EXPECT_TRUE(r.converged) << r.reason;
    EXPECT_NEAR(std::abs(r.theta.shared[0]), 1, 1e-7) << scale;
    EXPECT_NEAR(r.value, -0.25 * scale, 1e-12 * scale);
  }
}

/// Of a convex quadratic in a box: the projected gradient vanishes at the result, and enumeration of all faces finds no lower point.
TEST(NewtonCg, OfABoxFindsTheBestFace) {
  const Vector minimiser{{1.6, -0.4, 0.3}};
  Function q = quadratic(Vector{{1, 4, 30}}, minimiser);
  q.lo.assign(3, 0.0);
  q.up.assign(3, 1.0);
  q.x0.assign(3, 0.5);
  const OptimizerResult r = newton_cg(q);
  EXPECT_TRUE(r.converged) << r.reason;
  const Matrix a = q.h(Vector::Zero(3));
  double best = infinity;
  for (int face = 0; face < 27; ++face) {  // each variable at its lower bound, at its upper one, or free
    std::vector<int> free;
    Vector x = Vector::Zero(3);
    for (int i = 0, code = face; i < 3; ++i, code /= 3) {
      if (code % 3 == 2) free.push_back(i);
      else x[i] = code % 3;
    }
    if (!free.empty()) {
      const Matrix block = a(free, free);
      const Vector right = Vector(a * (minimiser - x))(free), solution = test::dense_solve(block, right);
      x(free) = solution;
    }
    if (x.minCoeff() >= 0 && x.maxCoeff() <= 1) best = std::min(best, q.f(x));
  }
  EXPECT_NEAR(r.value, best, 1e-12);
}

/// Along the only descent direction second derivatives are not available: this is reported, and the iterate is returned.
TEST(NewtonCg, SaysWhyItHasNoHessian) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  const OptimizerResult r = newton_cg(f);
  EXPECT_FALSE(r.converged);
  EXPECT_NE(r.reason.find("not given"), std::string::npos) << r.reason;
  EXPECT_EQ(r.value, f.value(f.start()).value);
}

}  // namespace
}  // namespace invar
