#include "libadjoint/optimize/interior_point.hpp"

#include <algorithm>
#include <cmath>

#include "libadjoint/optimize/interior_program.hpp"

namespace invar {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index most_steps = 20;  // steps stored in the matrix

class InteriorPointRun final : public SqpRun {
 public:
  InteriorPointRun(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start, InteriorPointState& state)
      : SqpRun(options, functional, start, state), state_(state) {}

 private:
  void begin_curvature(const VectorXd& diagonal) override {
    state_.diagonal = diagonal;
    state_.steps = state_.changes = MatrixXd(diagonal.size(), 0);
  }
  VectorXd curvature_times(const VectorXd& s) const override { return matrix().times(s, layout_); }
  void size_curvature(const VectorXd& s, const VectorXd& y) override {
    state_.diagonal *= std::clamp(layout_.dot(y, y.cwiseQuotient(state_.diagonal)) / layout_.dot(s, y), 1e-6, 1e6);
  }
  void learn_curvature(const VectorXd& s, const VectorXd& y, const VectorXd&) override {
    const Index n = s.size();
    Index kept = state_.steps.cols();
    if (kept == most_steps) {
      size_entries();
      --kept;
      state_.steps.leftCols(kept) = state_.steps.rightCols(kept).eval();
      state_.changes.leftCols(kept) = state_.changes.rightCols(kept).eval();
    }
    const double length = std::sqrt(layout_.dot(s, s.cwiseProduct(state_.diagonal)));
    state_.steps.conservativeResize(n, kept + 1);
    state_.changes.conservativeResize(n, kept + 1);
    state_.steps.col(kept) = s / length;
    state_.changes.col(kept) = y / length;
  }

  /// Updates the diagonal, which stands for forgotten steps: the root mean square ratio of gradient changes to steps in each entry.
  /// Exact for separable functions.
  void size_entries() {
    const VectorXd s = state_.steps.rowwise().squaredNorm(), y = state_.changes.rowwise().squaredNorm();
    const VectorXd all = layout_.sum(2, [&](Index j, VectorXd& sum) { sum += Eigen::Vector2d(y[j], s[j]); });
    const double mean = all[0] / all[1];
    for (Index j = 0; j < s.size(); ++j)
      state_.diagonal[j] = std::sqrt(s[j] > 0 ? std::clamp(y[j] / s[j], 1e-8 * mean, 1e8 * mean) : mean);
  }

  /// B = δ − [δS Y] [SᵀδS L; Lᵀ −D]⁻¹ [δS Y]ᵀ, with D the diagonal and L the strictly lower part of SᵀY.
  LowRankMatrix matrix() const {
    const Index r = state_.steps.cols();
    LowRankMatrix b{state_.diagonal, MatrixXd(state_.diagonal.size(), 2 * r), MatrixXd::Zero(2 * r, 2 * r)};
    b.columns << state_.diagonal.asDiagonal() * state_.steps, state_.changes;
    const MatrixXd products = layout_.product(state_.steps, b.columns);
    b.inverse.topLeftCorner(r, r) = -products.leftCols(r);
    for (Index i = 0; i < r; ++i) {
      b.inverse(r + i, r + i) = products(i, r + i);
      for (Index j = 0; j < i; ++j) b.inverse(i, r + j) = b.inverse(r + j, i) = -products(i, r + j);
    }
    return b;
  }

  QuadraticSolution minimum(const VectorXd& offsets) override {
    QuadraticProgram p = program();
    p.offsets = offsets;
    VectorXd scale = state_.ranges;
    for (Index j = 0; j < scale.size(); ++j)
      if (problem_.fixed(j)) scale[j] = 1;
    return interior_minimum_of(p, matrix(), scale, layout_);
  }

  InteriorPointState& state_;
};

}  // namespace

OptimizerResult InteriorPoint::minimize(ReducedFunctional& functional, const DesignVector& start) {
  return InteriorPointRun(options_, functional, start, begin()).solve(start);
}

}  // namespace invar
