#include "libadjoint/optimize/gauss_newton.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace invar {
namespace {

class GaussNewtonRun final : private SearchRun {
 public:
  GaussNewtonRun(const OptimizerOptions& options, LeastSquaresFunctional& functional, const DesignVector& start, GaussNewtonState& state)
      : SearchRun(options, functional, start, state), state_(state), squares_(functional), prior_(layout_.flat(functional.prior_precision())),
        lower_(layout_.flat(bounds_.lower)), upper_(layout_.flat(bounds_.upper)) {}

  OptimizerResult solve() {
    const bool resumed = has_iterate();
    if (!resumed) {
      const Evaluation e = evaluate(result_.theta);
      if (!e.ok) {
        finish(false, "the start could not be evaluated: " + state_.last_rejection);
        return outcome();
      }
      accept(result_.theta, e.value);
    }
    differentiate();
    if (!resumed) report(0);
    judge();
    check_limits();
    while (!finished()) step();
    return outcome();
  }

 private:
  Evaluation evaluate(const DesignVector& theta) {
    ++state_.evaluations;
    const Evaluation e = functional_.value(theta);
    if (!e.ok) reject(e.reason);
    return e;
  }

  /// The gradient at the iterate, which variables are free, and whether the search ends there.
  void differentiate() {
    DesignVector g;
    const Evaluation e = functional_.gradient(result_.theta, g);
    if (!e.ok) return finish(false, "the gradient at an iterate cannot be evaluated: " + e.reason);
    const Eigen::VectorXd theta = layout_.flat(result_.theta);
    gradient_ = layout_.flat(g);
    free_ = Eigen::VectorXd::Ones(theta.size());
    for (Eigen::Index i = 0; i < theta.size(); ++i)
      if ((theta[i] <= lower_[i] && gradient_[i] >= 0) || (theta[i] >= upper_[i] && gradient_[i] <= 0)) free_[i] = 0;
    gradient_ = gradient_.cwiseProduct(free_);
    measure(layout_.norm(gradient_));
    if (result_.relative_gradient <= options_.gradient_tolerance) finish(true, "the projected gradient is below its tolerance");
  }

  /// (JᵀJ + Λ) v on the free variables.
  Evaluation multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out) {
    Eigen::VectorXd rho_dot;
    DesignVector g;
    Evaluation e = squares_.residual_jvp(result_.theta, layout_.design(v), rho_dot);
    if (e.ok) e = squares_.residual_vjp(result_.theta, rho_dot, g);
    if (e.ok) out = (layout_.flat(g) + prior_.cwiseProduct(v)).cwiseProduct(free_);
    return e;
  }

  /// Conjugate gradients; the step so far where the matrix proves to be singular along a direction.
  Evaluation find_step(Eigen::VectorXd& s) {
    constexpr int most = 500;
    double largest_curvature = 0;
    s = Eigen::VectorXd::Zero(gradient_.size());
    Eigen::VectorXd r = -gradient_, p = r, q;
    const double size = layout_.norm(gradient_), wanted = std::min(0.5, std::sqrt(result_.relative_gradient)) * size;
    double rr = layout_.dot(r, r);
    Evaluation e = Evaluation::success(0);
    for (int k = 0; k < most && std::sqrt(rr) > wanted; ++k) {
      if (e = multiply(p, q); !e.ok) return e;
      const double curvature = layout_.dot(p, q);
      if (!(curvature > 1e-14 * layout_.dot(p, p) * std::max(1.0, largest_curvature))) {
        if (k == 0) s = p;
        break;
      }
      largest_curvature = std::max(largest_curvature, curvature / layout_.dot(p, p));
      const double alpha = rr / curvature;
      s += alpha * p;
      r -= alpha * q;
      const double next = layout_.dot(r, r);
      p = r + next / rr * p;
      rr = next;
    }
    return e;
  }

  /// The step, shortened to what one step should change.
  void limit(Eigen::VectorXd& s) const {
    const std::vector<double> largest = squares_.largest_steps();
    double factor = 1;
    for (std::size_t i = 0; i < largest.size(); ++i) {
      const double length = std::abs(s[static_cast<Eigen::Index>(i)]);
      if (length > largest[i]) factor = std::min(factor, largest[i] / length);
    }
    s *= factor;
  }

  void step() {
    Eigen::VectorXd s;
    const Evaluation found = find_step(s);
    if (!found.ok) return finish(false, "no step can be found: " + found.reason);
    limit(s);
    constexpr int most_halvings = 30;
    constexpr double decrease = 1e-4, round_off = 1e-13;
    const Eigen::VectorXd theta = layout_.flat(result_.theta);
    const double before = result_.value;
    for (int k = 0; k <= most_halvings; ++k, s *= 0.5) {
      const Eigen::VectorXd moved = (theta + s).cwiseMax(lower_).cwiseMin(upper_);
      const double slope = layout_.dot(gradient_, moved - theta);
      const Evaluation e = evaluate(layout_.design(moved));
      if (e.ok && e.value <= before + decrease * slope + round_off * std::abs(before)) {
        state_.length = accept(layout_.design(moved), e.value);
        state_.gain = before - e.value;
        differentiate();
        report(state_.length);
        judge();
        check_limits();
        return;
      }
    }
    if (rejected_since_accept_ > 0) return finish(false, "every shorter step is rejected because its evaluation fails: " + state_.last_rejection);
    finish(true, "no step lowers the objective any more");
  }

  void judge() {
    if (finished()) return;
    if (state_.gain <= options_.function_tolerance * std::abs(result_.value)) finish(true, "the objective no longer changes");
    else if (state_.length <= options_.step_tolerance * norm(result_.theta, functional_.comm())) finish(true, "the step is below its tolerance");
  }

  GaussNewtonState& state_;
  LeastSquaresFunctional& squares_;
  Eigen::VectorXd prior_, lower_, upper_;  // of this rank's entries, as all below
  Eigen::VectorXd gradient_, free_;        // projected; 1 for variables that no bound holds
};

}  // namespace

OptimizerResult GaussNewton::minimize(ReducedFunctional& functional, const DesignVector& start) {
  require_unconstrained(functional, "gauss_newton");
  auto* squares = dynamic_cast<LeastSquaresFunctional*>(&functional);
  if (!squares) throw std::invalid_argument("gauss_newton needs an objective that is a sum of squares; use 'quasi_newton'");
  return GaussNewtonRun(options_, *squares, start, begin()).solve();
}

}  // namespace invar
