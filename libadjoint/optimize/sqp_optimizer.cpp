#include "libadjoint/optimize/sqp_optimizer.hpp"

#include <algorithm>
#include <stdexcept>

namespace invar {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class DenseSqpRun final : public SqpRun {
 public:
  DenseSqpRun(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start, SqpState& state)
      : SqpRun(options, functional, start, state), state_(state) {}

 private:
  void begin_curvature(const VectorXd& diagonal) override { state_.hessian = diagonal.asDiagonal(); }
  VectorXd curvature_times(const VectorXd& s) const override { return state_.hessian * s; }
  void size_curvature(const VectorXd& s, const VectorXd& y) override {
    const VectorXd inverse = state_.hessian.diagonal().cwiseInverse();
    state_.hessian *= std::clamp(y.cwiseAbs2().dot(inverse) / s.dot(y), 1e-6, 1e6);
  }
  void learn_curvature(const VectorXd& s, const VectorXd& y, const VectorXd& bs) override {
    state_.hessian += y * y.transpose() / s.dot(y) - bs * bs.transpose() / s.dot(bs);
  }

  QuadraticSolution minimum(const VectorXd& offsets) override {
    QuadraticProgram p = program();
    p.hessian = state_.hessian;
    p.offsets = offsets;
    const QuadraticSolution s = minimum_of(p);
    return s.status == QuadraticSolution::Status::infeasible ? relaxed(std::move(p), s) : s;
  }

  /// The programme with all violated sides relaxed to (1 − ξ) of their violation, 0 ≤ ξ ≤ 1. ξ has a price that is
  /// raised until ξ no longer decreases. d = 0, ξ = 1 is always feasible.
  QuadraticSolution relaxed(QuadraticProgram p, QuadraticSolution s) const {
    const Index n = layout_.n(), k_all = p.offsets.size();
    const VectorXd violations = problem_.violations(p.offsets);
    p.rows.conservativeResize(k_all, n + 1);
    for (Index k = 0; k < k_all; ++k) p.rows(k, n) = violations[k] > 0 ? -p.offsets[k] : 0.0;
    p.gradient.conservativeResize(n + 1);
    p.gradient[n] = 0;
    p.lower.conservativeResize(n + 1);
    p.upper.conservativeResize(n + 1);
    p.lower[n] = 0;
    p.upper[n] = 1;
    p.hessian = MatrixXd::Zero(n + 1, n + 1);
    p.hessian.topLeftCorner(n, n) = state_.hessian;
    double xi = 2;
    for (double price = 1e3; price < 1e12 && xi > 1e-3; price *= 10) {
      p.hessian(n, n) = price;
      const QuadraticSolution dearer = minimum_of(p);
      if (dearer.status != QuadraticSolution::Status::solved || dearer.d[n] > 0.9 * xi) break;
      s = dearer;
      xi = s.d[n];
    }
    s.d.conservativeResize(n);
    return s;
  }

  SqpState& state_;
};

}  // namespace

OptimizerResult SqpOptimizer::minimize(ReducedFunctional& functional, const DesignVector& start) {
  auto local = static_cast<long long>(start.local.size());
  MPI_Allreduce(MPI_IN_PLACE, &local, 1, MPI_LONG_LONG, MPI_SUM, functional.comm());
  if (local > 0)
    throw std::invalid_argument("sqp cannot take design fields, only single variables; use 'mma' or 'interior_point'");
  return DenseSqpRun(options_, functional, start, begin()).solve(start);
}

}  // namespace invar
