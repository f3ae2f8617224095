#include "libadjoint/trimmed_case.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "libadjoint/solve/scientific.hpp"

namespace invar {

TrimmedCase::TrimmedCase(std::string name, std::shared_ptr<Residual> residual, std::shared_ptr<LinearSolver> solver,
                         std::vector<double> times, double start, LoadSteppingOptions options, Trim trim)
    : StaticCase(std::move(name), std::move(residual), solver, std::move(times), start, options), trim_(std::move(trim)),
      number_(trim_.number, trim_.polar), solver_(std::move(solver)), stepping_(std::move(options)) {}

SolveReport TrimmedCase::find_slope() {
  SolveReport report;
  report.converged = true;
  if (has_slope_) return report;
  const ProcessTerm* c = &trim_.quantity;
  std::vector<double> derivative;
  report = StaticCase::quantity_tangents({&c, 1}, movement(), derivative);
  if (!report.converged) return report;
  slope_ = derivative[0];
  has_slope_ = true;
  if (slope_ == 0 || !std::isfinite(slope_)) {
    report.converged = false;
    report.reason = "'" + trim_.quantity.name + "' does not depend on " + trim_.path;
  }
  return report;
}

bool TrimmedCase::find_together(const Controls& d, double& number, ProcessReport& total) {
  // The system has one state and one quantity at it; the bordered matrix needs a direct method.
  const ProcessTerm& c = trim_.quantity;
  if (times_.size() != 1 || c.weight != 1 || !c.step_weights.empty() || c.couples_steps() || solver_->inexact() || residual_->capabilities().pattern) return false;
  if (SolveMonitor* monitor = solver_->monitor()) monitor->stage("case " + name_ + ": state and " + trim_.path + " together");
  if (!together_) {
    LinearSolverOptions options = solver_->options();
    options.method = "auto";
    together_ = std::make_unique<Together>(residual_, number_, c.observable, options);
  }
  LinearSolver& solver = together_->solver;
  PathSystem& system = together_->system;
  solver.invalidate();
  solver.set_monitor(solver_->shared_monitor());
  system.set_time(times_[0]);
  system.set_target(trim_.target);
  number_.set(d, number, residual_->comm());

  const VecHandle u = residual_->create_vector(), r = residual_->create_vector(), du = residual_->create_vector();
  check(VecCopy(state(0), u));
  if (!residual_->residual(system.point(u), r)) return false;
  system.linearise(u, number);
  if (!system.deficiency().empty()) return false;
  double change = 0;
  if (!system.solve_tangent(r, system.control_value(u) - trim_.target, du, change).converged || !(std::abs(change) <= trim_.largest_step))
    return false;
  check(VecAXPY(u, 1.0, du));
  const double predicted = number + change;
  number_.set(predicted);
  residual_->impose_constraints(system.point(u).given, u);
  system.linearise(u, predicted);
  const VecHandle x = system.pack(u, predicted);
  const auto taken = [&](const NewtonReport& newton) {
    total.newton_iterations += newton.iterations;
    total.linear_iterations += newton.linear_iterations;
    return newton.converged;
  };
  if (const PseudoTime* pseudo = residual_->capabilities().pseudo_time; pseudo && pseudo->first_factor() > 1) {
    PseudoTimeOptions options;
    options.first_cfl = 1e4;  // as for a warm start of the state alone
    options.max_iterations = 100;  // another strategy follows
    if (!taken(PseudoTimeNewton(solver, stepping_.newton, options).solve(system, x, force_scale()))) return false;
  }
  if (!taken(Newton(solver, stepping_.newton).solve(system, x, force_scale()))) return false;
  number = system.unpack(x, u);
  check(VecCopy(u, state(0)));
  return true;
}

ProcessReport TrimmedCase::run(const Controls& d, std::span<const Seed> seeds) {
  constexpr int most = 25;
  constexpr double tight = 1e-11, loose = 1e-9;
  double number = found_.value_or(d[trim_.number][0]), last_miss = INFINITY;
  ProcessReport total;
  const auto fail = [&](std::string reason) {
    total.ok = false;
    total.reason = std::move(reason);
    return total;
  };
  bool may = stepping_.warm_start;  // solve from the present state, once
  const auto together = [&] { return may && !states_at_hand().empty() && std::exchange(may, false) && find_together(d, number, total); };
  together();
  for (int k = 0; k < most; ++k) {
    ProcessReport report = StaticCase::run(number_.with(d, number));
    has_slope_ = false;
    total.newton_iterations += report.newton_iterations;
    total.linear_iterations += report.linear_iterations;
    total.cuts += report.cuts;
    if (!report.ok) return fail(report.reason + " (with " + trim_.path + " = " + plain_number(number) + ", to trim '" + trim_.quantity.name + "')");
    const double c = quantity(trim_.quantity), miss = std::abs(c - trim_.target) / trim_.scale;
    if (miss <= tight || (miss <= loose && miss > 0.1 * last_miss)) {
      found_ = number;
      total.ok = true;
      finish_run(total, seeds);
      return total;
    }
    last_miss = miss;
    if (together()) continue;
    if (const SolveReport slope = find_slope(); !slope.converged) return fail("trim: " + slope.reason);
    number += std::clamp((trim_.target - c) / slope_, -trim_.largest_step, trim_.largest_step);
    if (!std::isfinite(number)) return fail("trim: '" + trim_.quantity.name + "' is not a number");
  }
  return fail("no " + trim_.path + " was found for which '" + trim_.quantity.name + "' is " + plain_number(trim_.target) + ": at " +
              plain_number(number) + " it is still off by " + plain_number(last_miss * trim_.scale));
}

void TrimmedCase::save(StateWriter& out) const {
  StaticCase::save(out);
  out(found_.value_or(NAN));
}

void TrimmedCase::restore(StateReader& in) {
  StaticCase::restore(in);
  double number = NAN;
  in(number);
  if (std::isfinite(number)) found_ = number;
  has_slope_ = false;
}

// ---- forward, then reverse, then second order -----------------------------------------------------

Controls TrimmedCase::moved(const Controls& direction, double number_dot) const {
  const Controls m = movement();
  Controls out = direction;
  for (std::size_t k = 0; k < m.size(); ++k)
    for (std::size_t i = 0; i < m[k].size(); ++i) {
      if (out[k].empty()) out[k].assign(m[k].size(), 0.0);
      out[k][i] += number_dot * m[k][i];
    }
  return out;
}

SolveReport TrimmedCase::rate_along(const Controls& direction, double& number_dot) {
  SolveReport report = find_slope();
  if (!report.converged) return report;
  const ProcessTerm* c = &trim_.quantity;
  std::vector<double> c_dot;
  report = StaticCase::quantity_tangents({&c, 1}, direction, c_dot);
  if (report.converged) number_dot = -c_dot[0] / slope_;
  return report;
}

SolveReport TrimmedCase::quantity_tangents(std::span<const ProcessTerm* const> terms, const Controls& direction, std::vector<double>& derivatives) {
  double number_dot = 0;
  const SolveReport report = rate_along(direction, number_dot);
  return report.converged ? StaticCase::quantity_tangents(terms, moved(direction, number_dot), derivatives) : report;
}

SolveReport TrimmedCase::tangent(const std::vector<Controls>& directions, Eigen::MatrixXd& rho_dot, Eigen::VectorXd& value_dot) {
  std::vector<Controls> all;
  for (const Controls& direction : directions) {
    double number_dot = 0;
    const SolveReport report = rate_along(direction, number_dot);
    if (!report.converged) return report;
    all.push_back(moved(direction, number_dot));
  }
  return StaticCase::tangent(all, rho_dot, value_dot);
}

SolveReport TrimmedCase::gradients(std::span<const Seed> seeds) {
  SolveReport report = find_slope();
  if (!report.converged || seeds.empty()) return report;
  const Controls m = movement();
  // The functionals of the seeds, which depend on α, and c as the last one.
  std::vector<Controls> bars;
  Controls asked(m.size());
  for (const Seed& seed : seeds)
    for (std::size_t k = 0; k < m.size(); ++k)
      if (std::max(m[k].size(), (*seed.d_bar)[k].size()) > asked[k].size()) asked[k].assign(std::max(m[k].size(), (*seed.d_bar)[k].size()), 0.0);
  bars.assign(seeds.size() + 1, asked);
  std::vector<Seed> all;
  for (std::size_t i = 0; i < seeds.size(); ++i) all.push_back({seeds[i].term, &bars[i]});
  all.push_back({&trim_.quantity, &bars.back()});
  report = StaticCase::gradients(all);
  if (!report.converged) return report;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const double share = along(m, bars[i]) / slope_;
    Controls& d_bar = *seeds[i].d_bar;
    for (std::size_t k = 0; k < d_bar.size(); ++k)
      for (std::size_t j = 0; j < d_bar[k].size(); ++j) d_bar[k][j] += bars[i][k][j] - share * bars.back()[k][j];
  }
  return report;
}

/// With L = J + μ c and μ such that ∂L/∂α = 0: d_bar_dot += L_dd ḋ + μ̇ c_d, where ḋ includes the change of α, and μ̇ follows from (∂L/∂α)˙
/// = 0.
SolveReport TrimmedCase::hessian_action(const Controls& direction, Controls& d_bar_dot) {
  double number_dot = 0;
  SolveReport report = rate_along(direction, number_dot);
  if (!report.converged) return report;
  const Controls m = movement();
  Controls asked = d_bar_dot;
  for (std::size_t k = 0; k < m.size(); ++k) asked[k].assign(std::max(m[k].size(), asked[k].size()), 0.0);
  Controls j_bar = asked, c_bar = asked, bent = asked;
  const Seed first[] = {{nullptr, &j_bar}, {&trim_.quantity, &c_bar}};
  report = StaticCase::gradients(first);
  if (!report.converged) return report;
  const double mu = -along(m, j_bar) / slope_;
  terms_.push_back(trim_.quantity);
  terms_.back().weight *= mu;
  report = StaticCase::hessian_action(moved(direction, number_dot), bent);
  terms_.pop_back();
  if (!report.converged) return report;
  Controls l_bar = j_bar;
  for (std::size_t k = 0; k < l_bar.size(); ++k)
    for (std::size_t i = 0; i < l_bar[k].size(); ++i) l_bar[k][i] += mu * c_bar[k][i];
  const double mu_dot = -(along(m, bent) + along(number_.bend_at(*given_.controls, number_dot), l_bar)) / slope_;
  for (std::size_t k = 0; k < d_bar_dot.size(); ++k)
    for (std::size_t i = 0; i < d_bar_dot[k].size(); ++i) d_bar_dot[k][i] += bent[k][i] + mu_dot * c_bar[k][i];
  return report;
}

}  // namespace invar
