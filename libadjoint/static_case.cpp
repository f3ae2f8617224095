#include "libadjoint/static_case.hpp"

#include <algorithm>
#include <cmath>

#include "libadjoint/place_of_residual.hpp"
#include "libadjoint/residual_system.hpp"
#include "libadjoint/solve/scientific.hpp"

namespace invar {

StaticCase::StaticCase(std::string name, std::shared_ptr<Residual> residual, std::shared_ptr<LinearSolver> solver,
                       std::vector<double> times, double start, LoadSteppingOptions options)
    : Case(std::move(name), std::move(residual), std::move(times)), solver_(std::move(solver)), start_(start),
      options_(std::move(options)) {
  options_.newton.reuse_factors = true;  // within a run, which begins without factors
  describe_matrix_to(*solver_);
}

EvaluationPoint StaticCase::point(double t, Vec u) const {
  EvaluationPoint p{u, given_.at(t)};
  p.given.continuation = continuation_;
  return p;
}

EvaluationPoint StaticCase::point(int step) const {
  return {step == present_step_ ? present_->get() : states_[step].get(), setting(step)};
}

// ---- forward ----------------------------------------------------------------------------------

/// Prescribed motion in parts. If the predicted change du exceeds the step limit, applies the admissible part and predicts again from
/// there, until the prescribed values have been reached. On failure u is undefined. report: of the first prediction, continued here.
SolveReport StaticCase::move_in_parts(const EvaluationPoint& at, Vec u, Vec r, Vec du, SolveReport report) {
  constexpr int most = 50, patience = 4;  // number of parts; number of consecutive short ones
  constexpr double little = 0.1;
  StepLimit& limit = *residual_->capabilities().step_limit;
  int short_parts = 0;
  for (int k = 0; k < most && short_parts < patience; ++k) {
    const double part = limit.longest_step(at, du);
    check(VecAXPY(u, part, du));
    if (part >= 1) {
      residual_->impose_constraints(at.given, u);
      return report;
    }
    short_parts += part < little;
    if (!residual_->residual(at, r)) break;
    const int iterations = report.iterations;
    report = Linearization(*residual_, *solver_, at).solve_tangent(r, du, solver_->rtol());
    report.iterations += iterations;
    if (!report.converged) return report;
  }
  report.converged = false;
  report.reason = "the prescribed motion is larger than bodies in contact can follow in one step" + (explain ? explain(at) : "");
  return report;
}

/// Tangent predictor: carries new constraint values into the interior, with the tangent at u; r is the residual there. Krylov methods solve
/// it to a loose tolerance first, and to the full tolerance with the same tangent only if the new residual shows that the equations are
/// linear.
SolveReport StaticCase::predict(double t, Vec u, Vec r) {
  constexpr double coarse = 1e-2, linear = 2;
  VecHandle du = residual_->create_vector();
  const KeepFactorsScope kept(*solver_, solver_->inexact() || solver_->has_dear_factors());
  const EvaluationPoint at = point(t, u);
  Linearization tangent(*residual_, *solver_, at);
  const double exact = solver_->rtol();
  SolveReport report = tangent.solve_tangent(r, du, solver_->inexact() ? coarse : exact);
  const double load = tangent.load_norm();
  double left = report.residual;  // relative to the load
  if (StepLimit* limit = residual_->capabilities().step_limit; report.converged && limit && limit->longest_step(at, du) < 1) {
    force_scale_ = std::max(force_scale_, load);
    return move_in_parts(at, u, r, du, report);
  }
  while (report.converged) {
    check(VecAXPY(u, 1.0, du));
    residual_->impose_constraints(at.given, u);
    double norm = 0;
    if (!solver_->inexact() || left <= exact || !residual_->residual(at, r)) break;
    check(VecNorm(r, NORM_2, &norm));
    if (!(norm <= linear * left * load)) break;
    const int iterations = report.iterations;
    report = tangent.solve_tangent(r, du, 0.5 * exact / left);
    report.iterations += iterations;
    left *= report.residual;
  }
  force_scale_ = std::max(force_scale_, load);
  return report;
}

/// Computes the equilibrium at `to` from u, an equilibrium at another load: tangent predictor, then Newton's method. On failure u is
/// undefined.
bool StaticCase::attempt(double to, Vec u, ProcessReport& report, NewtonReport& newton) {
  VecHandle r = residual_->create_vector();
  const EvaluationPoint at = point(to, u);
  PetscReal size = 0;
  check(VecNorm(u, NORM_2, &size));
  const bool at_rest = size == 0;
  if (!residual_->residual(at, r)) {
    report.reason = "the state at the start of the load step is inadmissible" +
                    (explain ? explain(at) : std::string(": an inverted element, or a load that is not a number"));
    return false;
  }
  const SolveReport predictor = predict(to, u, r);
  report.linear_iterations += predictor.iterations + predictor.given_up_iterations;
  if (SolveMonitor* monitor = solver_->monitor())
    monitor->stage("  prediction of the state by " + predictor.method + ", " + std::to_string(predictor.iterations) +
                   " iterations: " + predictor.reason);
  if (!predictor.converged) {
    report.reason = predictor.reason + singular_unknown(predictor);
    if (predictor.singular) report.reason += "; the constraints leave part of the state undetermined: " + advice_if_singular;
    return false;
  }
  ResidualSystem system(*residual_, at.given);
  NewtonReport approached;
  if (!approach(at, at_rest, u, report, approached)) return false;
  NewtonOptions stepping = options_.newton;
  constexpr int patience = 10;  // if another strategy is left
  if (residual_->capabilities().pseudo_time && options_.continuation != LoadSteppingOptions::Continuation::none) stepping.patience = patience;
  Newton method(*solver_, stepping);
  newton = method.solve(system, u, force_scale_);
  newton.count(predictor);
  report.newton_iterations += newton.iterations + 1;
  report.linear_iterations += newton.linear_iterations - predictor.iterations - predictor.given_up_iterations;
  newton.begin_with(approached);
  if (!newton.converged) {
    report.reason = newton.reason;
    if (explain && newton.met_inadmissible()) report.reason += explain(at);
    else if (!solver_->stop_asked()) report.reason += place_of_residual(*residual_, at, name_unknown);
  }
  return newton.converged;
}

/// One load step. A step that fails is halved; at a limit load the process ends.
bool StaticCase::advance(double from, double to, Vec u, int depth, ProcessReport& report, NewtonReport& newton) {
  if (solver_->stop_asked()) {
    report.reason = "interrupted";
    return false;
  }
  VecHandle trial = residual_->create_vector();
  check(VecCopy(u, trial));
  if (SolveMonitor* monitor = solver_->monitor())
    monitor->stage("case " + name_ + ", t = " + plain_number(to) + (from == to ? "" : " from " + plain_number(from)) +
                   (depth > 0 && depth < options_.max_cuts ? ", halved " + std::to_string(depth) + " times" : ""));
  if (attempt(to, trial, report, newton)) {
    check(VecCopy(trial, u));
    return true;
  }
  const bool limited = !continues() && from != to && ends_at_limit(from, to, u, report, newton);
  if (limited || depth >= options_.max_cuts) return false;
  ++report.cuts;
  const double middle = 0.5 * (from + to);
  return advance(from, middle, u, depth + 1, report, newton) && advance(middle, to, u, depth + 1, report, newton);
}

/// Derivatives of states computed in pseudo-time require a small residual, whatever tolerance was asked for: the error of a state varies
/// with the controls.
std::string StaticCase::why_too_inexact(const NewtonReport& newton) const {
  constexpr double most = 1e-10;
  if (newton.at_floor || !residual_->capabilities().pseudo_time) return {};
  const double left = newton.residuals.back(), forces = std::max(newton.residuals.front(), force_scale_);
  if (left <= most * forces) return {};
  return "no derivatives: the residual is " + scientific(left / forces) + " of the forces, and they need at most " + scientific(most) +
         " (the spec's tolerance lets Newton's method stop there)";
}

ProcessReport StaticCase::run(const Controls& d, std::span<const Seed> seeds) {
  // Seeds that couple steps are known at the end only. Then each matrix is factorised again, once for all seeds.
  const bool at_end = std::ranges::any_of(seeds, [this](const Seed& seed) { return couples_steps(seed); });
  given_.controls = std::make_shared<const Controls>(d);
  forget_linearization();
  if (!solver_->options().keep_factors) solver_->invalidate();  // the result must not depend on earlier runs
  ProcessReport report;
  limit_.clear();
  continuation_ = 1;
  if (!options_.warm_start || states_.empty()) force_scale_ = 0;
  std::vector<VecHandle> states;
  std::string inexact;
  VecHandle u = residual_->create_vector();
  double t = start_;
  report.reason = begin_from(point(start_, u));
  if (!report.reason.empty()) return report;
  for (std::size_t k = 0; k < times_.size(); ++k) {
    if ((times_[k] - start_) * (t - start_) < 0) {  // times on the other side of `start` begin at rest again
      check(VecSet(u, 0.0));
      t = start_;
      limit_.clear();
    }
    NewtonReport newton;
    if (!solve_step(static_cast<int>(k), t, u, report, newton)) {
      if (solver_->stop_asked()) states_ = std::move(states);
      report.reason = "load step " + std::to_string(k + 1) + " of " + std::to_string(times_.size()) + " (t = " +
                      plain_number(times_[k]) + (report.cuts ? ", halved " + std::to_string(report.cuts) + " times" : "") +
                      "): " + report.reason;
      return report;
    }
    t = times_[k];
    VecHandle kept = residual_->create_vector();
    check(VecCopy(u, kept));
    states.push_back(std::move(kept));
    if (on_step) on_step(static_cast<int>(k), newton);
    if (inexact.empty()) inexact = why_too_inexact(newton);
    if (!seeds.empty() && !inexact.empty()) {
      report.reason = inexact;
      return report;
    }
    if (SolveMonitor* monitor = solver_->monitor())
      monitor->progress("case " + name_ + ", load steps", (k + 1.0) / static_cast<double>(times_.size()));
    if (!seeds.empty() && !at_end) {
      const int step = static_cast<int>(k);
      present_ = &states.back();
      present_step_ = step;
      std::vector<Sensitivities> of_seeds;
      for (const Seed& seed : seeds) of_seeds.push_back(sensitivities(seed.term, step, step + 1));
      const KeepFactorsScope factors(*solver_);
      const EvaluationPoint at = point(times_[k], u);
      const SolveReport adjoint = add_adjoints(step, at, seeds, of_seeds, [&]() -> Linearization& {
        return linear_ ? *linear_ : linear_.emplace(*residual_, *solver_, at);
      });
      linear_.reset();
      present_step_ = -1;
      if (!adjoint.converged) {
        report.reason = "adjoint of load step " + std::to_string(k + 1) + ": " + adjoint.reason;
        return report;
      }
    }
  }
  states_ = std::move(states);
  inexact_ = inexact;
  finish_run(report, at_end ? seeds : std::span<const Seed>());
  if (!seeds.empty() && !at_end) release_solver();  // derivatives of the design need memory next
  return report;
}

bool StaticCase::release_solver() {
  if (!solver_->inexact() || solver_->options().keep_factors) return false;
  forget_linearization();
  solver_->release();
  return true;
}

// ---- observations -----------------------------------------------------------------------------

void StaticCase::save(StateWriter& out) const {
  out(static_cast<int>(solver_->went_direct()));
  if (!options_.warm_start) return;
  out(force_scale_);
  for (const VecHandle& state : states_) {
    PetscInt n = 0;
    const double* x = nullptr;
    check(VecGetLocalSize(state, &n));
    check(VecGetArrayRead(state, &x));
    out(Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(x, n)));
    check(VecRestoreArrayRead(state, &x));
  }
}

void StaticCase::restore(StateReader& in) {
  int direct = 0;
  in(direct);
  if (direct) solver_->go_on_directly();
  if (!options_.warm_start) return;
  in(force_scale_);
  for (const VecHandle& state : states_) {
    PetscInt n = 0;
    double* x = nullptr;
    Eigen::VectorXd saved;
    in(saved);
    check(VecGetLocalSize(state, &n));
    if (saved.size() != n) throw std::invalid_argument("the saved state belongs to another case than '" + name_ + "'");
    check(VecGetArray(state, &x));
    std::copy(saved.begin(), saved.end(), x);
    check(VecRestoreArray(state, &x));
  }
  forget_linearization();
}

void StaticCase::observe(int step, Observable& observable, double* y) {
  observable.evaluate(point(step), y);
}

void StaticCase::visit_states(const std::function<void(int step, const EvaluationPoint& u)>& visit) {
  for (int k = 0; k < static_cast<int>(states_.size()); ++k) show(point(k), [&](const EvaluationPoint& u) { visit(k, u); });
}

void StaticCase::with_state(int step, const std::function<void(const EvaluationPoint& u)>& use) { show(point(step), use); }

}  // namespace invar
