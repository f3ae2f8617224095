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

/// Entries that are evaluated together, so that their square roots and divisions run in vector registers.
constexpr Index block = 256;
using Block = Eigen::Array<double, Eigen::Dynamic, 1, 0, block, 1>;

/// Distances to the asymptotes, inverted: a = 1/(1 − t), b = 1/(1 + t). T: double or an array.
template <class T>
struct Asymptotes {
  explicit Asymptotes(const T& t) {
    const T inverse = 1 / ((1 - t) * (1 + t));
    a = (1 + t) * inverse;
    b = (1 - t) * inverse;
  }
  T a, b;
};

/// φ(t) = P t/(1 − t) − Q t/(1 + t) + e t, the Lagrangian of one entry (T = double) or of several.
template <class T>
struct EntryLagrangian {
  T p, q, e;

  T slope(const Asymptotes<T>& s) const { return p * s.a * s.a - q * s.b * s.b + e; }
  T curvature(const Asymptotes<T>& s) const { return 2 * (p * s.a * s.a * s.a + q * s.b * s.b * s.b); }
};

/// The minimum of φ within limits where e = 0, in closed form.
template <class Limits>
Block minima_without_e(const Block& p, const Block& q, const Limits& lower, const Limits& upper) {
  const Block rp = p.sqrt(), rq = q.sqrt();
  return (rp + rq > 0).select((rq - rp) / (rp + rq), 0.0).max(lower).min(upper);
}

/// The minimum of φ within limits where e ≠ 0, by Newton's method with a shrinking bracket.
double minimum(const EntryLagrangian<double>& f, double lower, double upper) {
  if (f.slope(Asymptotes(lower)) >= 0) return lower;
  if (f.slope(Asymptotes(upper)) <= 0) return upper;
  double t = std::clamp(0.0, lower, upper);
  for (int k = 0; k < 100; ++k) {
    const Asymptotes here(t);
    const double s = f.slope(here);
    (s > 0 ? upper : lower) = t;
    double next = t - s / f.curvature(here);
    if (!(next > lower && next < upper)) next = 0.5 * (lower + upper);
    if (std::abs(next - t) <= 1e-16) return next;
    t = next;
  }
  return t;
}

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
    Eigen::ArrayXXd c(block, k_);  // derivatives by t of the constraints' terms of each entry
    // In one sum: predicted [1+K], sizes [K], curvature [K × K].
    const VectorXd sums = layout_.sum_of_blocks(1 + 2 * k_ + k_ * k_, block, [&](Index j, Index n, VectorXd& sum) {
      const EntryLagrangian<Block> entry = lagrangian(j, n, d.lambda, rho);
      const auto lower = model_.lower.segment(j, n).array(), upper = model_.upper.segment(j, n).array();
      const Block t = minima(entry, lower, upper);
      d.t.segment(j, n) = t;
      const Asymptotes inverse(t);
      const Block u = t * inverse.a, v = t * inverse.b, du = inverse.a.square(), dv = inverse.b.square();
      sum[0] += (p(j, n, 0) * u - q(j, n, 0) * v).sum();
      const Block stiffness = entry.curvature(inverse);
      const Block softness = (t > lower && t < upper && stiffness > 0).select(1 / stiffness, 0.0);
      for (Index i = 0; i < k_; ++i) {
        auto slope = c.col(i).head(n);
        if (equation(i)) {
          slope = model_.slopes.col(1 + i).segment(j, n).array();
          sum[1 + i] += (slope * t).sum();
        } else {
          const Block pi = p(j, n, 1 + i), qi = q(j, n, 1 + i);
          slope = pi * du - qi * dv;
          sum[1 + i] += (pi * u - qi * v).sum();
        }
        sum[1 + k_ + i] += slope.abs().sum();
        for (Index l = 0; l <= i; ++l)
          sum[1 + 2 * k_ + i * k_ + l] += (slope * c.col(l).head(n) * softness).sum();
      }
    });
    d.predicted = sums.head(1 + k_);
    d.predicted.tail(k_) += model_.values.tail(k_);
    d.size = sums.segment(1 + k_, k_) + model_.values.tail(k_).cwiseAbs();
    for (Index i = 0; i < k_; ++i)
      for (Index l = 0; l <= i; ++l)
        d.curvature(i, l) = d.curvature(l, i) = sums[1 + 2 * k_ + i * k_ + l];
    return d;
  }

  template <class Limits>
  static Block minima(const EntryLagrangian<Block>& f, const Limits& lower, const Limits& upper) {
    Block t = minima_without_e(f.p, f.q, lower, upper);
    if ((f.e == 0).all()) return t;
    for (Index j = 0; j < t.size(); ++j)
      if (f.e[j] != 0) t[j] = minimum({f.p[j], f.q[j], f.e[j]}, lower[j], upper[j]);
    return t;
  }

  EntryLagrangian<Block> lagrangian(Index j, Index n, const VectorXd& lambda, double rho) const {
    const auto a0 = model_.slopes.col(0).segment(j, n).array();
    const auto added = rho / 4 * model_.omega.segment(j, n).array();
    EntryLagrangian<Block> f{a0.max(0.0) + added, (-a0).max(0.0) + added, Block::Zero(n)};
    for (Index i = 0; i < k_; ++i) {
      const auto a = lambda[i] * model_.slopes.col(1 + i).segment(j, n).array();
      if (equation(i)) {
        f.e += a;
      } else {
        f.p += a.max(0.0);
        f.q += (-a).max(0.0);
      }
    }
    return f;
  }
  Block p(Index j, Index n, Index i) const { return model_.slopes.col(i).segment(j, n).array().max(0.0) + added(j, n, i); }
  Block q(Index j, Index n, Index i) const { return (-model_.slopes.col(i).segment(j, n).array()).max(0.0) + added(j, n, i); }
  Block added(Index j, Index n, Index i) const { return model_.rho[i] / 4 * model_.omega.segment(j, n).array(); }

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
