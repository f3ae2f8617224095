// One solve of a march: a stage of a step, or the initial acceleration.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "libadjoint/place_of_residual.hpp"
#include "libadjoint/residual_system.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/time/stop_at_contact.hpp"
#include "libadjoint/time/transient_case.hpp"

namespace invar {

/// Advances the state by one step or stage; bitwise reproducible for equal state and factors. A failure leaves the state unchanged.
NewtonReport TransientCase::solve(const Step& step, MarchState& state) {
  if (fails_as_before(step, state)) return unsolved_->newton;
  VecHandle x = zeros_like(state.fields[0]);
  double force = state.numbers[0];
  if (step.fresh) {  // independent of everything but the initial state of the step
    solver_->invalidate();
    for (SolutionExtrapolation& f : forecasts_) f.forget();
    tangent_.forget();
  }
  SolutionExtrapolation* const forecast = has_extrapolation(step) ? &forecasts_[step.stage] : nullptr;
  NewtonReport newton = converge(step, state, {}, force, x, forecast);
  if (!newton.converged && forecast && forecast->improved() && !solver_->stop_asked()) newton = converge(step, state, {}, force, x);
  if (!newton.converged && !step.starts && !scheme_.is_explicit() && !solver_->stop_asked()) newton = approach(step, state, std::move(newton), force, x);
  if (!newton.converged) return newton;
  const StepTable table = table_of(step);
  if (forecast) forecast->note(table.end, x);
  step_.set_step(table, state.fields);
  MarchState next = copy(state);
  History history(std::make_move_iterator(next.fields.begin()),
                  std::make_move_iterator(next.fields.begin() + scheme_.history_size() + step_.has_memory()));
  step_.advance(point(x), state.fields, history);
  std::move(history.begin(), history.end(), next.fields.begin());
  if (scheme_.stages() > 1) check(VecCopy(x, next.fields.back()));
  next.numbers[0] = force;
  state = std::move(next);
  return newton;
}

/// Whether half of a failed step is known to fail too. All its fractions are known to fail except the shortest one that `approach` would
/// try; if this fails as well, so does the half step. Otherwise nothing is concluded, and the solution does not depend on earlier attempts.
bool TransientCase::fails_as_before(const Step& step, const MarchState& state) {
  if (!unsolved_ || step.stage > 0 || step.begin != unsolved_->begin) return false;
  if (std::abs(2 * step.length - unsolved_->length) > 1e-9 * unsolved_->length) return false;
  Step part = step;
  part.length = 0.5 * unsolved_->shortest;
  VecHandle x = zeros_like(state.fields[0]);
  double load = state.numbers[0];
  solver_->invalidate();
  NewtonReport newton = converge(part, state, {}, load, x);
  const bool fails = !newton.converged && !solver_->stop_asked();
  if (fails) unsolved_ = Unsolved{step.begin, step.length, part.length, std::move(newton)};
  else unsolved_.reset();
  return fails;
}

/// Continuation in the step length if Newton's method does not converge from the predicted state: shorter steps from the same state are
/// solved, each as a start for a longer one. The last one is the whole step, so result and derivative do not depend on the continuation.
/// Dividing the step in two would change its time discretisation error, and the objective would jump.
NewtonReport TransientCase::approach(const Step& step, const MarchState& state, NewtonReport first, double& force, Vec x) {
  constexpr double least = 1.0 / 32;
  const Vec start = state.fields[0];
  VecHandle value;  // y₀ of the longest fraction solved so far
  NewtonReport total = first;
  double reached = 0, stride = 0.5, load = force;
  while (reached < 1 && stride >= least) {
    Step part = step;
    const double share = std::min(1.0, reached + stride);
    part.length = share * step.length;
    VecHandle guess;
    if (reached > 0) {
      guess = zeros_like(value);
      check(VecAXPBYPCZ(guess, share / reached, 1 - share / reached, 0, value, start));
    }
    solver_->invalidate();
    double trial_load = load;
    NewtonReport newton = converge(part, state, guess, trial_load, x);
    total.iterations += newton.iterations;
    total.linear_iterations += newton.linear_iterations;
    if (!newton.converged) {
      stride *= 0.5;
      continue;
    }
    load = trial_load;
    reached = share;
    stride *= 2;
    value = zeros_like(x);
    step_.combine(table_of(part).equation[Level::value], x, state.fields, value);
    total.residuals = newton.residuals;
    total.converged = reached >= 1;
  }
  if (reached == 0 && step.stage == 0 && !solver_->stop_asked())
    unsolved_ = Unsolved{step.begin, step.length, 2 * stride * step.length, total};
  if (!total.converged) return total;
  total.detour = first.reason;
  force = load;
  return total;
}

/// History variables and step limits depend on the path of a step, so such steps start from the scheme's prediction.
bool TransientCase::has_extrapolation(const Step& step) const {
  return !step.starts && !step_.has_memory() && !residual_->capabilities().step_limit;
}

/// Newton's method from x, where the residual is r, starting with the tangent of an earlier step as long as it converges.
NewtonReport TransientCase::solve_from(ResidualSystem& system, Vec x, Vec r, double force, bool near) {
  if (!near) {
    tangent_.forget();
    return Newton(*solver_, options_.newton).solve(system, x, force);
  }
  const NewtonReport approached = tangent_.approach(system, *solver_, options_.newton, force, x, r);
  NewtonOptions rest = options_.newton;
  rest.min_iterations = std::max(0, rest.min_iterations - approached.iterations);
  NewtonReport newton = Newton(*solver_, rest).solve(system, x, force);
  tangent_.note(newton.iterations > 0);
  newton.begin_with(approached);
  newton.iterations += approached.iterations;
  if (approached.linear.method.empty()) return newton;
  newton.count(approached.linear);
  if (newton.linear.method.empty()) newton.linear = approached.linear;
  return newton;
}

/// Solves a step for x, from y₀ = `guess`; if `guess` is null, from the predicted state improved by `forecast`. Updates `force_scale`, the
/// largest load so far and the scale of the residual.
NewtonReport TransientCase::converge(const Step& step, const MarchState& state, Vec guess, double& force_scale, Vec x,
                                     SolutionExtrapolation* forecast) {
  const StepTable table = table_of(step);
  step_.set_step(table, state.fields);
  check(VecSet(x, 0.0));
  if (scheme_.is_explicit()) {  // linear in x
    check(VecCopy(state.fields[0], x));
  } else if (!table.starts) {  // initial guess: y₀ is the prediction, pressures are unchanged
    const StepRow& value = table.equation[Level::value];
    const StepRow known{0, value.history};
    if (guess) {
      step_.combine((-1 / value.unknown) * known, nullptr, state.fields, x);
      check(VecAXPY(x, 1 / value.unknown, guess));
    } else {
      step_.combine((1 / value.unknown) * (table.equation[Level::predicted] - known), nullptr, state.fields, x);
      if (scheme_.differences_motion()) residual_->constrained_rows().copy(state.fields[0], x);
    }
    if (!guess) without_rate_.copy(state.fields[0], x);  // on every rank, also without such rows: cached norms
  }
  if (forecast) forecast->improve(table.end, x);
  const KeepFactorsScope kept(*solver_);
  const bool limited = step_.capabilities().step_limit && !table.starts;
  const bool factored = !guess && begins_with_factors(step), moved = limited && !guess && moves_held(x);
  const bool follows = !table.starts && !guess && (step_.has_memory() || moved);
  ResidualSystem system(step_, given_);
  VecHandle r = zeros_like(x);
  std::optional<double> load;
  if (factored) {
    const VecHandle predicted = zeros_like(x);
    check(VecCopy(x, predicted));
    load = take_linear_step(x, &state, step.begin);
    if (load && !moved && !improves(system, state.fields[0], x, r, *load)) check(VecCopy(predicted, x));
  } else if (follows) {
    load = take_linear_step(x);
  }
  step_.impose_constraints(given_, x);
  if (limited && !keep_allowed(state.fields[0], x)) {
    NewtonReport refused;
    refused.reason = "the prescribed motion is larger than a single step allows";
    if (explain) {
      stop_at_contact(*step_.capabilities().step_limit, [this](Vec y) { return point(y); }, state.fields[0], x);
      refused.reason += explain(step_.levels_at(point(x)));
    }
    return refused;
  }
  // Contact into which a held body would be pressed says nothing of the size of forces.
  double force = step_.has_memory() || !moved ? std::max(force_scale, load.value_or(0)) : force_scale, size = 0;
  NewtonReport newton;
  bool admissible = system.residual(x, r);
  if (!admissible && !table.starts) {  // the previous state is admissible
    check(VecCopy(state.fields[0], x));
    step_.impose_constraints(given_, x);
    admissible = system.residual(x, r);
  }
  if (admissible) {
    check(VecNorm(r, NORM_2, &size));
    force = std::max(force, size);
    if (SolveMonitor* monitor = solver_->monitor()) {
      char text[96];
      std::snprintf(text, sizeof text, ", solve %zu: a step of %g from t = %g", steps_.size(), step.length, step.begin);
      monitor->stage("case " + name_ + text);
    }
    newton = solve_from(system, x, r, force, forecast != nullptr);
    if (!newton.converged && newton.linear.singular)
      newton.reason += singular_unknown(newton.linear) + "; the constraints leave part of the state undetermined (" + advice_if_singular + "), or the body becomes unstable here";
    else if (!newton.converged && explain && newton.met_inadmissible())
      newton.reason += explain(step_.levels_at(point(x)));
    else if (!newton.converged && !solver_->stop_asked())
      newton.reason += place_of_residual(step_, point(x), name_unknown);
  } else {
    newton.reason = "the state at the start of the step is inadmissible" +
                    (explain ? explain(step_.levels_at(point(x))) : std::string(": an inverted element, or a load that is not a number"));
  }
  if (load) {
    ++newton.iterations;
    newton.residuals.insert(newton.residuals.begin(), *load);
  }
  if (newton.converged) force_scale = force;
  return newton;
}

/// If the step from the previous state to the guess x exceeds the step limit, x becomes the previous state with the constraints of the
/// step; false if that step is not admissible either.
bool TransientCase::keep_allowed(Vec before, Vec x) {
  if (is_allowed(before, x)) return true;
  check(VecCopy(before, x));
  step_.impose_constraints(given_, x);
  return is_allowed(before, x);
}

/// Whether the step limit admits the step from one state to the other.
bool TransientCase::is_allowed(Vec before, Vec x) {
  const VecHandle change = zeros_like(x);
  check(VecWAXPY(change, -1.0, before, x));
  return step_.capabilities().step_limit->longest_step(point(before), change) >= 1;
}

/// Whether x is admissible, with a residual, left in r, of at most `load`. The matrix of an earlier state may lead astray, e.g. before an impact.
bool TransientCase::improves(ResidualSystem& system, Vec before, Vec x, Vec r, double load) {
  if (!is_allowed(before, x) || !system.residual(x, r)) return false;
  PetscReal size = 0;
  check(VecNorm(r, NORM_2, &size));
  return size <= load;
}

/// Whether the constraints of the step move held unknowns of x.
bool TransientCase::moves_held(Vec x) {
  VecHandle held = zeros_like(x);
  PetscBool same = PETSC_TRUE;
  check(VecCopy(x, held));
  step_.impose_constraints(given_, held);
  check(VecEqual(x, held, &same));
  return same == PETSC_FALSE;
}

/// One Newton step that includes the change of the constraints. Imposing them on the guess alone would create a jump at the boundary, which
/// a law with history variables would treat as a real deformation, and which may exceed a step limit: a held body would pass into another one
/// that the step lets give way. start: the matrix is that of this initial state of the step, at time t. With equal coefficients it is that of the solution
/// of the step before, whose derivatives its factors then solve for; null: that of x. Returns the load norm of the step; nothing, with x unchanged,
/// if there is no such step.
std::optional<double> TransientCase::take_linear_step(Vec x, const MarchState* start, double t) {
  VecHandle r = zeros_like(x), change = zeros_like(x);
  if (!step_.residual(point(x), r)) return std::nullopt;
  std::optional<StepResidual::LinearisedAt> elsewhere;
  if (start) {
    State at;
    for (const Level level : {Level::value, Level::rate})
      at.levels[level] = start->fields[std::ranges::find(scheme_.initial(), std::optional(level)) - scheme_.initial().begin()];
    at.unknown = at.levels[Level::value];
    elsewhere.emplace(step_, at, t);
  }
  constexpr double of_a_prediction = 1e-8;  // its error is not one of derivatives
  Linearization linear(step_, *solver_, point(x));
  if (!linear.solve_tangent(r, change, start ? of_a_prediction : -1).converged) return std::nullopt;
  if (start) keep_factors_of_start();
  check(VecAXPY(x, 1.0, change));
  return linear.load_norm();
}

/// Whether the factors of a step are made at its initial state, where it would otherwise make them at its prediction: steps that are not predicted from
/// earlier ones, with own factors, by schemes whose equation held at the end of the step before, in a state that contains all it depends on. The march stays
/// a function of the states with which steps begin.
bool TransientCase::begins_with_factors(const Step& step) const {
  return !step.starts && scheme_.order() == 2 && scheme_.balances_at_end() && scheme_.stages() == 1 && !scheme_.is_explicit() &&
         options_.factor_interval == 1 && !step_.has_memory() && residual_->capabilities().step_limit;
}

}  // namespace invar
