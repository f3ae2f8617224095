// Derivatives of PathCase: forward, reverse, then second order. The Lagrangian of one point is
//   J − adjointᵀ r(u; D) − μ (c(w; D) − τ),   w = u − u₀.
// With chords u₀ is the previous point, which receives its part of the derivative by w. The first chord begins at the unloaded state, which
// depends on initially prescribed displacements.
#include "libadjoint/path/path_case.hpp"

#include <algorithm>
#include <numeric>

namespace invar {
namespace {

bool is_zero(Vec v) {
  double size = 0;
  check(VecNorm(v, NORM_INFINITY, &size));
  return size == 0;
}

SolveReport nothing_to_solve() {
  SolveReport report;
  report.converged = true;
  return report;
}

}  // namespace

void PathCase::linearise(int step) {
  at_step(step);
  if (linearised_step_ == step) return;
  system_.set_origin(control_.chords ? before(step) : nullptr);
  system_.linearise(states_[step], factors_[step]);
  linearised_step_ = step;
}

EvaluationPoint PathCase::argument(int step) {
  if (!control_.chords) return point(step);
  check(VecWAXPY(chord_, -1.0, before(step), states_[step]));
  return {chord_, setting(step)};
}

EvaluationPoint PathCase::at_rest() {
  system_.set_time(start_);
  factor_.set(0);
  return system_.point(rest_);
}

// ---- forward ------------------------------------------------------------------------------------------

/// Derivative of the unloaded state; empty if no point depends on it.
VecHandle PathCase::rest_rate(const Controls& direction) {
  if (!control_.chords) return {};
  const EvaluationPoint rest = at_rest();
  const Controls effective = factor_.direction(&direction, 0.0);
  VecHandle rate = residual_->create_vector();
  residual_->jvp(rest, nullptr, &effective, rate);
  system_.keep_constrained(rate);
  check(VecScale(rate, -1.0));
  return rate;
}

SolveReport PathCase::rate_at(int step, const Controls& direction, Vec before_dot, Rate& rate) {
  linearise(step);
  const Controls effective = factor_.direction(&direction, 0.0);
  VecHandle r_dot = residual_->create_vector(), w_dot;
  residual_->jvp(point(step), nullptr, &effective, r_dot);
  if (before_dot) {
    w_dot = residual_->create_vector();
    check(VecAXPY(w_dot, -1.0, before_dot));
  }
  double c_dot = 0;
  control_.quantity->jvp(argument(step), w_dot.get(), &effective, &c_dot);
  rate.u = residual_->create_vector();
  return system_.solve_tangent(r_dot, c_dot, rate.u, rate.lambda);
}

template <class Use>
SolveReport PathCase::sweep_forward(const Controls& direction, const std::vector<char>& wanted, Use&& use) {
  SolveReport last = nothing_to_solve();
  int end = static_cast<int>(times_.size());
  while (end > 0 && !wanted[end - 1]) --end;
  Rate rate{rest_rate(direction)};
  for (int step = 0; step < end; ++step) {
    if (!wanted[step] && !control_.chords) continue;
    const Rate before = std::move(rate);
    last = rate_at(step, direction, control_.chords ? before.u.get() : nullptr, rate);
    if (!last.converged) return last;
    if (wanted[step]) use(step, rate, factor_.direction(&direction, rate.lambda));
  }
  return last;
}

SolveReport PathCase::tangent(const std::vector<Controls>& directions, Eigen::MatrixXd& rho_dot,
                              Eigen::VectorXd& value_dot) {
  const int n = static_cast<int>(directions.size());
  rho_dot.setZero(residual_count(), n);
  value_dot.setZero(n);
  begin_rates(n);
  const auto measured = measurements();
  const Sensitivities objective = sensitivities();
  const std::vector<char> read = steps_read({&objective, 1});
  SolveReport last = nothing_to_solve();
  for (int j = 0; j < n && last.converged; ++j)
    last = sweep_forward(directions[j], read, [&](int step, const Rate& along, const Controls& effective) {
      add_residual_rates(measured[step], point(step), along.u, effective, j, rho_dot);
      value_dot[j] += rate(objective[step], point(step), along.u, effective, j);
    });
  return last;
}

SolveReport PathCase::quantity_tangents(std::span<const ProcessTerm* const> terms, const Controls& direction,
                                        std::vector<double>& derivatives) {
  derivatives.assign(terms.size(), 0.0);
  begin_rates(terms.size());
  const std::vector<Sensitivities> of_terms = sensitivities(terms);
  return sweep_forward(direction, steps_read(of_terms), [&](int step, const Rate& along, const Controls& effective) {
    for (std::size_t k = 0; k < terms.size(); ++k) derivatives[k] += rate(of_terms[k][step], point(step), along.u, effective, k);
  });
}

// ---- reverse ------------------------------------------------------------------------------------------

/// Adjoint of one point; its matrix is shared by all seeds.
SolveReport PathCase::reverse(int step, Adjoint& adjoint) {
  SolveReport report = nothing_to_solve();
  const EvaluationPoint u = point(step);
  VecHandle u_bar = std::move(adjoint.carried);
  adjoint.carried = residual_->create_vector();
  Controls effective_bar = factor_.wanted(adjoint.d_bar);
  pull_back(adjoint.reads[step], u, u_bar, &effective_bar);
  const double lambda_bar = factor_.factor_bar(effective_bar);
  if (lambda_bar != 0 || !is_zero(u_bar)) {
    linearise(step);
    VecHandle lambda = residual_->create_vector();
    double mu = 0;
    report = system_.solve_adjoint(u_bar, lambda_bar, lambda, mu);
    if (!report.converged) return report;
    check(VecScale(lambda, -1.0));
    mu = -mu;
    residual_->vjp(u, lambda, nullptr, &effective_bar);
    control_.quantity->vjp(argument(step), &mu, control_.chords ? adjoint.carried.get() : nullptr, &effective_bar);
    check(VecScale(adjoint.carried, -1.0));
  }
  factor_.pull_back(effective_bar, *adjoint.d_bar);
  return report;
}

/// Derivative of the unloaded state, carried back along the chords.
void PathCase::pull_back_rest(Adjoint& adjoint) {
  if (!control_.chords || is_zero(adjoint.carried)) return;
  const EvaluationPoint rest = at_rest();
  system_.keep_constrained(adjoint.carried);
  check(VecScale(adjoint.carried, -1.0));
  Controls effective_bar = factor_.wanted(adjoint.d_bar);
  residual_->vjp(rest, adjoint.carried, nullptr, &effective_bar);
  factor_.pull_back(effective_bar, *adjoint.d_bar);
}

SolveReport PathCase::gradients(std::span<const Seed> seeds) {
  std::vector<Adjoint> adjoints;
  for (const Seed& seed : seeds) adjoints.push_back({sensitivities(seed.term), seed.d_bar, residual_->create_vector()});
  SolveReport last = nothing_to_solve();
  for (int step = static_cast<int>(times_.size()) - 1; step >= 0; --step) {
    at_step(step);
    for (Adjoint& adjoint : adjoints)
      if (last = reverse(step, adjoint); !last.converged) return last;
  }
  for (Adjoint& adjoint : adjoints) pull_back_rest(adjoint);
  return last;
}

// ---- second order ---------------------------------------------------------------------------------------

std::string PathCase::why_no_second_derivatives() const {
  const auto is_statistic = [](const auto& part) { return part.statistic != nullptr; };
  if (std::ranges::any_of(terms_, is_statistic) || std::ranges::any_of(data_, is_statistic)) return "statistics over the points of a path have none";
  if (std::ranges::any_of(data_, &DataSet::couples_steps)) return "residuals made of several points of a path have none";
  return {};
}

SolveReport PathCase::hessian_action(const Controls& direction, Controls& d_bar_dot) {
  if (!why_no_second_derivatives().empty()) return without_second_derivatives();
  SolveReport last = nothing_to_solve();
  const int n = static_cast<int>(times_.size());
  std::vector<Rate> rates(n);
  const Sensitivities objective = sensitivities();
  const VecHandle rest_dot = rest_rate(direction);
  for (int step = 0; step < n; ++step) {
    if (!control_.chords && objective[step].empty()) continue;
    const Vec before_dot = step > 0 ? rates[step - 1].u.get() : rest_dot.get();
    last = rate_at(step, direction, control_.chords ? before_dot : nullptr, rates[step]);
    if (!last.converged) return last;
  }
  std::vector<std::vector<double>> coupled(terms_.size());  // rates of the seeds of terms that couple steps
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const ProcessTerm& term = terms_[i];
    if (!term.couples_steps()) continue;
    std::vector<double> y_dot(term.observable->size()), sums;
    for (const int step : term.steps) {
      at_step(step);
      const Controls effective = factor_.direction(&direction, rates[step].lambda);
      term.observable->jvp(point(step), rates[step].u, &effective, y_dot.data());
      sums.push_back(std::accumulate(y_dot.begin(), y_dot.end(), 0.0));
    }
    coupled[i] = seed_rates(term, sums);
  }
  VecHandle carried = residual_->create_vector(), carried_dot = residual_->create_vector();
  for (int step = n - 1; step >= 0; --step) {
    if (!rates[step].u) continue;
    linearise(step);
    const EvaluationPoint u = point(step);
    Vec u_dot = rates[step].u;
    const double lambda_dot = rates[step].lambda, zero = 0;
    const Controls effective = factor_.direction(&direction, lambda_dot);
    VecHandle u_bar = std::move(carried), u_bar_dot = std::move(carried_dot);
    carried = residual_->create_vector();
    carried_dot = residual_->create_vector();
    Controls bar = factor_.wanted(nullptr), bar_dot = factor_.wanted(&d_bar_dot);
    add_seeds_and_rates(objective[step], coupled, step, u, u_dot, effective, u_bar, &bar, u_bar_dot, bar_dot);
    VecHandle adjoint = residual_->create_vector(), adjoint_dot = residual_->create_vector(),
              w_dot = residual_->create_vector(), w_bar_dot = residual_->create_vector();
    double mu = 0, mu_dot = 0;
    last = system_.solve_adjoint(u_bar, factor_.factor_bar(bar), adjoint, mu);
    if (!last.converged) return last;
    check(VecScale(adjoint, -1.0));
    mu = -mu;
    const EvaluationPoint w = argument(step);
    check(VecCopy(u_dot, w_dot));
    if (control_.chords) check(VecAXPY(w_dot, -1.0, step > 0 ? rates[step - 1].u.get() : rest_dot.get()));
    residual_->vjp(u, adjoint, nullptr, &bar);
    control_.quantity->vjp(w, &mu, carried, &bar);
    residual_->vjp_tangent(u, adjoint, u_dot, nullptr, &effective, u_bar_dot, &bar_dot);
    control_.quantity->vjp_tangent(w, &mu, &zero, w_dot, &effective, w_bar_dot, &bar_dot);
    check(VecAXPY(u_bar_dot, 1.0, w_bar_dot));
    last = system_.solve_adjoint(u_bar_dot, factor_.factor_bar_tangent(bar, bar_dot, direction), adjoint_dot, mu_dot);
    if (!last.converged) return last;
    check(VecScale(adjoint_dot, -1.0));
    mu_dot = -mu_dot;
    residual_->vjp(u, adjoint_dot, nullptr, &bar_dot);
    control_.quantity->vjp(w, &mu_dot, w_bar_dot, &bar_dot);
    if (control_.chords) {
      check(VecScale(carried, -1.0));
      check(VecCopy(w_bar_dot, carried_dot));
      check(VecScale(carried_dot, -1.0));
    } else {
      check(VecSet(carried, 0.0));
    }
    factor_.pull_back_tangent(bar, bar_dot, lambda_dot, d_bar_dot);
  }
  if (control_.chords) {  // the carried derivative belongs to the unloaded state
    const EvaluationPoint rest = at_rest();
    const Controls effective = factor_.direction(&direction, 0.0);
    for (const Vec v : {carried.get(), carried_dot.get()}) {
      system_.keep_constrained(v);
      check(VecScale(v, -1.0));
    }
    VecHandle unused = residual_->create_vector();
    Controls bar = factor_.wanted(nullptr), bar_dot = factor_.wanted(&d_bar_dot);
    residual_->vjp(rest, carried, nullptr, &bar);
    residual_->vjp_tangent(rest, carried, rest_dot, nullptr, &effective, unused, &bar_dot);
    residual_->vjp(rest, carried_dot, nullptr, &bar_dot);
    factor_.pull_back_tangent(bar, bar_dot, 0, d_bar_dot);
  }
  return last;
}

}  // namespace invar
