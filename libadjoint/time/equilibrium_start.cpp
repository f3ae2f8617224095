#include "libadjoint/time/equilibrium_start.hpp"

#include <stdexcept>

namespace invar {
namespace {

LoadSteppingOptions at_once(NewtonOptions newton) {
  LoadSteppingOptions options;
  options.newton = newton;
  options.max_cuts = 0;  // the load is not increased in steps
  return options;
}

}  // namespace

EquilibriumStart::EquilibriumStart(std::shared_ptr<Residual> residual, std::shared_ptr<LinearSolver> solver, double start,
                                   NewtonOptions newton)
    : residual_(std::move(residual)), solver_(std::move(solver)),
      process_("equilibrium at the start", residual_, solver_, {start}, start, at_once(newton)) {
  if (residual_->create_memory()) throw std::invalid_argument("an equation with history variables has no equilibrium to begin with");
}

SolveReport EquilibriumStart::solve(const Setting& given) {
  SolveReport done;
  done.converged = true;
  if (given == solved_) return done;
  solved_ = {};
  const ProcessReport report = process_.run(*given.controls);
  done.converged = report.ok;
  done.reason = report.reason;
  if (report.ok) solved_ = given;
  return done;
}

/// Matrix and solver are shared with the march, so the linear systems of the equilibrium must be set up again.
void EquilibriumStart::prepare(const Setting& given) {
  solver_->invalidate();
  process_.restate(given.controls);
}

SolveReport EquilibriumStart::initial(Level level, const Setting& given, Vec u) {
  if (level != Level::value) {
    if (Evolution* own = residual_->capabilities().evolution) return own->initial(level, given, u);
    check(VecSet(u, 0.0));
    return solved();
  }
  const SolveReport report = solve(given);
  if (report.converged) check(VecCopy(process_.state(0), u));
  return report;
}

SolveReport EquilibriumStart::initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec u_dot) {
  if (level != Level::value) {
    if (Evolution* own = residual_->capabilities().evolution) return own->initial_jvp(level, given, d_dot, u_dot);
    check(VecSet(u_dot, 0.0));
    return solved();
  }
  if (const SolveReport report = solve(given); !report.converged) return report;
  prepare(given);
  return process_.state_jvp(0, d_dot, u_dot);
}

SolveReport EquilibriumStart::initial_vjp(Level level, const Setting& given, Vec u_bar, Controls& d_bar) {
  if (level != Level::value) {
    Evolution* own = residual_->capabilities().evolution;
    return own ? own->initial_vjp(level, given, u_bar, d_bar) : solved();
  }
  if (const SolveReport report = solve(given); !report.converged) return report;
  prepare(given);
  return process_.state_vjp(0, u_bar, d_bar);
}

SolveReport EquilibriumStart::initial_vjp_tangent(Level level, const Setting& given, Vec u_bar, const Controls& d_dot, Vec u_bar_dot, Controls& d_bar_dot) {
  if (level != Level::value) {
    Evolution* own = residual_->capabilities().evolution;
    return own ? own->initial_vjp_tangent(level, given, u_bar, d_dot, u_bar_dot, d_bar_dot) : solved();
  }
  if (const SolveReport report = solve(given); !report.converged) return report;
  prepare(given);
  return process_.state_vjp_tangent(0, d_dot, u_bar, u_bar_dot, d_bar_dot);
}

}  // namespace invar
