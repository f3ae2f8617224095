#include "libadjoint/optimize/truncated_newton.hpp"

#include <algorithm>
#include <cmath>

#include "libadjoint/optimize/held_up.hpp"

namespace invar {

TruncatedNewtonRun::TruncatedNewtonRun(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start,
                                       TruncatedNewtonState& state, double loosest)
    : SearchRun(options, functional, start, state), state_(state), loosest_(loosest), lower_(layout_.flat(bounds_.lower)), upper_(layout_.flat(bounds_.upper)) {}

OptimizerResult TruncatedNewtonRun::solve() {
  const bool resumed = has_iterate();
  if (!resumed) {
    const Evaluation e = evaluate(layout_.flat(result_.theta));
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

Evaluation TruncatedNewtonRun::evaluate(const Eigen::VectorXd& theta) {
  ++state_.evaluations;
  evaluated_ = theta;
  const Evaluation e = agreed(functional_.value(layout_.design(theta)));
  if (!e.ok) reject(e.reason);
  return e;
}

/// The same result on every rank: a failure if it failed on any, else the first rank's value.
Evaluation TruncatedNewtonRun::agreed(Evaluation e) const {
  if (e.ok && !std::isfinite(e.value)) e = Evaluation::failure("the objective is not finite");
  if (!all(e.ok)) return e.ok ? Evaluation::failure("the evaluation failed on another rank") : e;
  MPI_Bcast(&e.value, 1, MPI_DOUBLE, 0, functional_.comm());
  return e;
}

/// Computes the gradient at the iterate and the free variables, and tests for convergence.
void TruncatedNewtonRun::differentiate() {
  // The value first, as after a step, also where a search goes on: a gradient that is found together with the states differs in its last digits.
  DesignVector g;
  Evaluation e = agreed(functional_.value(result_.theta));
  if (e.ok) e = agreed(functional_.gradient(result_.theta, g));
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

/// Conjugate gradients on the free variables.
Evaluation TruncatedNewtonRun::find_step(Step& step) {
  constexpr int most = 500;
  double largest_curvature = 0;
  Eigen::VectorXd& s = step.newton;
  s = Eigen::VectorXd::Zero(gradient_.size());
  const Eigen::VectorXd arriving = steps_to_bounds(), moving = (arriving.array() == 0).select(free_, 0.0);
  Eigen::VectorXd r = -gradient_.cwiseProduct(moving), p = r, q;
  const double wanted = std::min(loosest_, std::sqrt(result_.relative_gradient)) * layout_.norm(r);
  double rr = layout_.dot(r, r);
  Evaluation e = Evaluation::success(0);
  for (int k = 0; k < most && std::sqrt(rr) > wanted; ++k) {
    if (e = agreed(multiply(p, q)); !e.ok) return e;
    q = q.cwiseProduct(moving);
    const double curvature = layout_.dot(p, q);
    const bool bends_down = !(curvature > 1e-14 * layout_.dot(p, p) * largest_curvature);
    if (bends_down && !std::isfinite(state_.radius)) {
      step.curvature = first_length() / layout_.norm(p) * p;
      break;
    }
    const double alpha = bends_down ? 0 : rr / curvature;
    if (bends_down || layout_.norm(s + alpha * p) >= state_.radius) {  // to the boundary of the trust region (Steihaug 1983)
      const double pp = layout_.dot(p, p), sp = layout_.dot(s, p), left = state_.radius * state_.radius - layout_.dot(s, s);
      s += (std::sqrt(sp * sp + pp * std::max(left, 0.0)) - sp) / pp * p;
      break;
    }
    largest_curvature = std::max(largest_curvature, curvature / layout_.dot(p, p));
    s += alpha * p;
    r -= alpha * q;
    const double next = layout_.dot(r, r);
    p = r + next / rr * p;
    rr = next;
  }
  s += arriving;
  return e;
}

/// Variables that a gradient step of the last step's length would move to their bounds are moved there and excluded from the Newton step
/// (Bertsekas, SIAM J. Control Optim. 20, 1982); otherwise projection onto these bounds would distort the step in the others.
Eigen::VectorXd TruncatedNewtonRun::steps_to_bounds() const {
  Eigen::VectorXd s = Eigen::VectorXd::Zero(gradient_.size());
  if (!std::isfinite(state_.length)) return s;
  const Eigen::VectorXd theta = layout_.flat(result_.theta);
  const double t = state_.length / layout_.norm(gradient_);
  for (Eigen::Index i = 0; i < s.size(); ++i) {
    const double there = theta[i] - t * gradient_[i];
    if (there <= lower_[i]) s[i] = lower_[i] - theta[i];
    else if (there >= upper_[i]) s[i] = upper_[i] - theta[i];
  }
  return s;
}

double TruncatedNewtonRun::first_length() const {
  if (std::isfinite(state_.length) && state_.length > 0) return state_.length;
  const double slope = layout_.norm(gradient_), value = std::abs(result_.value);
  return value > 0 ? value / slope : 1.0;
}

/// Scales the step to the largest admissible change of each variable.
void TruncatedNewtonRun::limit(Eigen::VectorXd& s) const {
  const std::vector<double> largest = largest_steps();
  double factor = 1;
  for (std::size_t i = 0; i < largest.size(); ++i) {
    const double length = std::abs(s[static_cast<Eigen::Index>(i)]);
    if (length > largest[i]) factor = std::min(factor, largest[i] / length);
  }
  s *= factor;
}

void TruncatedNewtonRun::step() {
  Step s;
  const Evaluation found = find_step(s);
  if (!found.ok) return finish(false, "no step can be found: " + found.reason);
  limit(s.newton);
  if (s.curvature.size() > 0 && follow_curvature(s)) return;
  if (backtrack(s.newton)) return;
  if (rejected_since_accept_ > 0) return finish(false, held_up(state_.last_rejection));
  // Projection onto bounds may turn a Newton step into an ascent step; the projected gradient never is one.
  if (backtrack(-first_length() / layout_.norm(gradient_) * gradient_)) return;
  finish(true, "no step lowers the objective any more");
}

/// The projected end point of a step, and J there; a failure if the decrease of J is insufficient.
Evaluation TruncatedNewtonRun::lowers(const Eigen::VectorXd& step, Eigen::VectorXd& moved) {
  constexpr double decrease = 1e-4, round_off = 1e-13;
  const Eigen::VectorXd theta = layout_.flat(result_.theta);
  moved = (theta + step).cwiseMax(lower_).cwiseMin(upper_);
  const double most = result_.value + decrease * layout_.dot(gradient_, moved - theta) + round_off * std::abs(result_.value);
  const Evaluation e = evaluate(moved);
  return e.ok && !(e.value <= most) ? Evaluation::failure("it does not lower the objective") : e;
}

/// Takes the first of s, s/2, s/4, … that lowers J; false if none does.
bool TruncatedNewtonRun::backtrack(Eigen::VectorXd s) {
  constexpr int most_halvings = 30;
  if (layout_.norm(s) == 0) return false;
  const int rejected = state_.rejected;
  for (int k = 0; k <= most_halvings; ++k, s *= 0.5) {
    Eigen::VectorXd moved;
    if (const Evaluation e = lowers(s, moved); e.ok) {
      const double length = layout_.norm(s);
      if (k > 0 && state_.rejected == rejected) state_.radius = length;  // failed evaluations say nothing about the model
      else if (k == 0 && length > 0.9 * state_.radius) state_.radius = 2 * length;
      take(moved, e.value);
      return true;
    }
  }
  return false;
}

/// Takes the Newton step plus as much of the direction of negative curvature as lowers J; false if even a hundredth of it does not.
bool TruncatedNewtonRun::follow_curvature(const Step& s) {
  constexpr int most_doublings = 60;
  constexpr double least = 0.01;
  Eigen::VectorXd moved, best;
  for (double part = 1; part > least; part /= 2) {
    Evaluation e = lowers(s.newton + part * s.curvature, best);
    if (!e.ok) continue;
    int doubled = 0;
    for (; part == 1 && doubled < most_doublings; ++doubled) {
      const Evaluation further = lowers(s.newton + std::ldexp(1.0, doubled + 1) * s.curvature, moved);
      if (!further.ok || !(further.value < e.value)) break;
      best = moved;
      e = further;
    }
    take(best, e.value);
    if (doubled == most_doublings) finish(false, "the objective decreases without limit: bound the variables");
    return true;
  }
  return false;
}

void TruncatedNewtonRun::take(const Eigen::VectorXd& theta, double value) {
  if (!all(theta == evaluated_)) ++state_.evaluations;  // the derivatives need the states there again
  state_.gain = rejected_since_accept_ > 0 ? std::numeric_limits<double>::infinity() : result_.value - value;
  state_.length = accept(layout_.design(theta), value);
  differentiate();
  report(state_.length);
  judge();
  check_limits();
}

void TruncatedNewtonRun::judge() {
  if (finished()) return;
  if (state_.gain <= options_.function_tolerance * std::abs(result_.value)) finish(true, "the objective no longer changes");
  else if (state_.length > options_.step_tolerance * norm(result_.theta, functional_.comm())) return;
  else if (std::isinf(state_.gain)) finish(false, held_up(state_.last_rejection));
  else finish(true, "the step is below its tolerance");
}

}  // namespace invar
