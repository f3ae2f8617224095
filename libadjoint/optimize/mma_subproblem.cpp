#include "libadjoint/optimize/mma_subproblem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libadjoint/optimize/quadratic_program.hpp"

namespace invar {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// φ(t) = P t/(1 − t) − Q t/(1 + t) + e t, the Lagrangian of one entry.
struct EntryLagrangian {
  double p, q, e;

  double slope(double t) const {
    return p / ((1 - t) * (1 - t)) - q / ((1 + t) * (1 + t)) + e;
  }
  double curvature(double t) const {
    return 2 * (p / ((1 - t) * (1 - t) * (1 - t)) + q / ((1 + t) * (1 + t) * (1 + t)));
  }
  /// Its minimum within the limits.
  double minimum(double lower, double upper) const {
    if (e == 0) {
      const double rp = std::sqrt(p), rq = std::sqrt(q);
      return rp + rq > 0 ? std::clamp((rq - rp) / (rq + rp), lower, upper)
                         : std::clamp(0.0, lower, upper);
    }
    if (slope(lower) >= 0) return lower;
    if (slope(upper) <= 0) return upper;
    // Newton's method with a shrinking bracket.
    double t = std::clamp(0.0, lower, upper);
    for (int k = 0; k < 100; ++k) {
      const double s = slope(t);
      (s > 0 ? upper : lower) = t;
      double next = t - s / curvature(t);
      if (!(next > lower && next < upper)) next = 0.5 * (lower + upper);
      if (std::abs(next - t) <= 1e-16) return next;
      t = next;
    }
    return t;
  }
};

/// The dual function W(λ) = min_t L(t, λ): concave, with dW/dλ equal to the approximated constraints at the minimum.
struct DualPoint {
  VectorXd lambda;     // [K]
  VectorXd t;          // [n]
  VectorXd predicted;  // [1+K]
  VectorXd size;       // [K] change of the constraints if every t changes by one
  MatrixXd curvature;  // [K × K] −W''
  double value() const { return predicted[0] + lambda.dot(predicted.tail(lambda.size())); }
  auto gradient() const { return predicted.tail(lambda.size()); }
};

class Dual {
 public:
  Dual(const MmaModel& model, const EntryLayout& layout)
      : model_(model), layout_(layout), k_(model.caps.size()) {
    lower_ = VectorXd::Zero(k_);
    for (Index i = 0; i < k_; ++i)
      if (equation(i)) lower_[i] = -model.caps[i];
  }

  DualPoint maximise(VectorXd lambda) const {
    DualPoint at = evaluate(lambda.cwiseMax(lower_).cwiseMin(model_.caps));
    for (int iteration = 0; iteration < 200 && !solved(at); ++iteration) {
      VectorXd p = newton_step(at);
      if (!(at.gradient().dot(p) > 0)) p = gradient_step(at);
      const double rise = at.gradient().dot(p);
      if (!(rise > 0)) break;
      DualPoint next = at;
      if (!search(at, p, rise, next)) break;
      at = std::move(next);
    }
    return at;
  }

 private:
  bool equation(Index i) const { return model_.equation[static_cast<std::size_t>(i)]; }

  DualPoint evaluate(VectorXd lambda) const {
    DualPoint d{std::move(lambda), VectorXd(layout_.n()), {}, {}, MatrixXd::Zero(k_, k_)};
    double rho = model_.rho[0];
    for (Index i = 0; i < k_; ++i)
      if (!equation(i)) rho += d.lambda[i] * model_.rho[1 + i];
    VectorXd c(k_);  // derivatives by t of the constraints' terms of one entry
    // In one sum: predicted [1+K], sizes [K], curvature [K × K].
    const VectorXd sums = layout_.sum(1 + 2 * k_ + k_ * k_, [&](Index j, VectorXd& sum) {
      const EntryLagrangian entry = lagrangian(j, d.lambda, rho);
      const double t = entry.minimum(model_.lower[j], model_.upper[j]);
      d.t[j] = t;
      const double u = t / (1 - t), v = t / (1 + t);
      const double du = 1 / ((1 - t) * (1 - t)), dv = 1 / ((1 + t) * (1 + t));
      sum[0] += p(j, 0) * u - q(j, 0) * v;
      for (Index i = 0; i < k_; ++i) {
        const double a = model_.slopes(j, 1 + i);
        const double term = equation(i) ? a * t : p(j, 1 + i) * u - q(j, 1 + i) * v;
        c[i] = equation(i) ? a : p(j, 1 + i) * du - q(j, 1 + i) * dv;
        sum[1 + i] += term;
        sum[1 + k_ + i] += std::abs(c[i]);
      }
      if (t <= model_.lower[j] || t >= model_.upper[j]) return;
      const double stiffness = entry.curvature(t);
      if (!(stiffness > 0)) return;
      for (Index i = 0; i < k_; ++i)
        for (Index l = 0; l <= i; ++l) sum[1 + 2 * k_ + i * k_ + l] += c[i] * c[l] / stiffness;
    });
    d.predicted = sums.head(1 + k_);
    d.predicted.tail(k_) += model_.values.tail(k_);
    d.size = sums.segment(1 + k_, k_) + model_.values.tail(k_).cwiseAbs();
    for (Index i = 0; i < k_; ++i)
      for (Index l = 0; l <= i; ++l)
        d.curvature(i, l) = d.curvature(l, i) = sums[1 + 2 * k_ + i * k_ + l];
    return d;
  }

  EntryLagrangian lagrangian(Index j, const VectorXd& lambda, double rho) const {
    const double a0 = model_.slopes(j, 0), added = rho * model_.omega[j] / 4;
    EntryLagrangian f{std::max(a0, 0.0) + added, std::max(-a0, 0.0) + added, 0};
    for (Index i = 0; i < k_; ++i) {
      const double a = lambda[i] * model_.slopes(j, 1 + i);
      if (equation(i)) {
        f.e += a;
      } else {
        f.p += std::max(a, 0.0);
        f.q += std::max(-a, 0.0);
      }
    }
    return f;
  }
  double p(Index j, Index i) const { return std::max(model_.slopes(j, i), 0.0) + added(j, i); }
  double q(Index j, Index i) const { return std::max(-model_.slopes(j, i), 0.0) + added(j, i); }
  double added(Index j, Index i) const { return model_.rho[i] * model_.omega[j] / 4; }

  /// Whether the multiplier is held at an end of its box.
  bool held(const DualPoint& at, Index i) const {
    const double g = at.gradient()[i];
    return (at.lambda[i] <= lower_[i] && g <= 0) || (at.lambda[i] >= model_.caps[i] && g >= 0);
  }
  /// Whether the gradient in the other multipliers vanishes up to round-off of t.
  bool solved(const DualPoint& at) const {
    for (Index i = 0; i < k_; ++i)
      if (!held(at, i) && std::abs(at.gradient()[i]) > 1e-14 * at.size[i]) return false;
    return true;
  }

  /// Maximiser within the box of the quadratic model in the multipliers that are not held.
  VectorXd newton_step(const DualPoint& at) const {
    std::vector<Index> free;
    for (Index i = 0; i < k_; ++i)
      if (!held(at, i)) free.push_back(i);
    QuadraticProgram program;
    program.hessian = at.curvature(free, free);
    // Tiny regularisation. It matters only if constraints are linearly dependent or have no influence yet: then
    // multipliers move to the end of their box.
    for (std::size_t a = 0; a < free.size(); ++a) {
      const Index i = free[a], k = static_cast<Index>(a);
      program.hessian(k, k) += 1e-10 * at.curvature(i, i) + 1e-12 * at.size[i] / model_.caps[i] +
                               std::numeric_limits<double>::min();
    }
    program.gradient = -VectorXd(at.gradient())(free);
    program.rows.resize(0, program.gradient.size());
    program.lower = (lower_ - at.lambda)(free);
    program.upper = (model_.caps - at.lambda)(free);
    VectorXd p = VectorXd::Zero(k_);
    p(free) = minimum_of(program).d;
    return p;
  }

  /// Ascent step scaled by each multiplier's own curvature, if Newton's step is lost in round-off.
  VectorXd gradient_step(const DualPoint& at) const {
    VectorXd p = VectorXd::Zero(k_);
    for (Index i = 0; i < k_; ++i)
      if (!held(at, i) && at.curvature(i, i) > 0)
        p[i] = std::clamp(at.gradient()[i] / at.curvature(i, i), lower_[i] - at.lambda[i],
                          model_.caps[i] - at.lambda[i]);
    return p;
  }

  /// Line search along p for a rise of W. A rise is inferred from the slope at the new point, which is free of the
  /// cancellation in W: since W is concave, a slope that has not turned much means a rise.
  bool search(const DualPoint& at, const VectorXd& p, double rise, DualPoint& next) const {
    for (double length = 1; length > 1e-30; length *= 0.25) {
      next = evaluate((at.lambda + length * p).cwiseMax(lower_).cwiseMin(model_.caps));
      const double slope = next.gradient().dot(p);
      const double noise = 1e-14 * (std::abs(at.value()) + std::abs(next.value()));
      if (slope >= 0 || (slope >= -0.5 * rise && next.value() >= at.value() - noise)) return true;
    }
    return false;
  }

  const MmaModel& model_;
  const EntryLayout& layout_;
  Index k_;
  VectorXd lower_;  // [K] of the multipliers
};

}  // namespace

MmaStep minimum_of(const MmaModel& model, const EntryLayout& layout, VectorXd multipliers) {
  DualPoint best = Dual(model, layout).maximise(std::move(multipliers));
  MmaStep step{std::move(best.t), std::move(best.lambda), std::move(best.predicted), 0};
  step.distance = layout.sum(1, [&](Index j, VectorXd& sum) {
    const double t = step.t[j];
    sum[0] += 0.5 * model.omega[j] * t * t / (1 - t * t);
  })[0];
  return step;
}

}  // namespace invar
