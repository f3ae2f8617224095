#pragma once
#include <vector>

#include "libadjoint/evaluation_point.hpp"
#include "libadjoint/solve/solve_report.hpp"

namespace invar {

/// Properties of a time-dependent equation besides its residual. All calls are collective.
class Evolution {
 public:
  virtual ~Evolution() = default;
  /// Flags of this rank's own unknowns that have no rate, as values of `UnknownKind`: 1 pressures and multipliers with a constraint of
  /// their own; 2 potentials of a pressure correction; 3 multipliers that are found together with accelerations; 0 all others. Empty: all
  /// unknowns have a rate.
  virtual std::vector<char> algebraic_unknowns() const { return {}; }
  /// The initial state at one level: value, rate or acceleration. Of accelerations only those of constrained unknowns are known; the others
  /// are zero. Rates and accelerations of constrained unknowns are computed by `PrescribedStart` with the step length of `given`.
  /// `initial_jvp` is the derivative along a direction of the controls; `initial_vjp` adds its transpose applied to u_bar to d_bar. The
  /// calls may fail where the initial state needs a solve.
  virtual SolveReport initial(Level level, const Setting& given, Vec u) = 0;
  virtual SolveReport initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec u_dot) = 0;
  virtual SolveReport initial_vjp(Level level, const Setting& given, Vec u_bar, Controls& d_bar) = 0;
  /// Derivative of the result of `initial_vjp` when u_bar and the controls vary: d_bar_dot += …. The default is that of an initial state
  /// that is an affine function of the controls.
  virtual SolveReport initial_vjp_tangent(Level level, const Setting& given, Vec /*u_bar*/, const Controls& /*d_dot*/, Vec u_bar_dot, Controls& d_bar_dot) {
    return initial_vjp(level, given, u_bar_dot, d_bar_dot);
  }
  /// Norm ‖r‖ of the forces that balance in the last initial state: the scale for residuals near that state. 0: unknown.
  virtual double initial_force() const { return 0; }

 protected:
  /// The report for an initial state that needs no solve.
  static SolveReport solved() {
    SolveReport report;
    report.converged = true;
    return report;
  }
};

/// History variables: data that an equation keeps of its past besides the unknowns, such as plastic strains at quadrature points. They
/// begin with zeros or with those of another march, are read as `State::memory`, and are replaced by every step. Each vector holds this rank's
/// part; its layout is private to the equation. All calls are collective.
class HistoryVariables {
 public:
  virtual ~HistoryVariables() = default;
  /// A zero vector of history variables. Null: the equation has none.
  virtual VecHandle create_memory() const = 0;
  /// next = g(u; d): the history variables after a step that ends at u. `update_memory_jvp` is its derivative; `update_memory_vjp` adds the
  /// transposed derivative applied to next_bar: u_bar += …, d_bar += …. nullptr: zero, or not wanted.
  virtual void update_memory(const EvaluationPoint& u, Vec next) = 0;
  virtual void update_memory_jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, Vec next_dot) = 0;
  virtual void update_memory_vjp(const EvaluationPoint& u, Vec next_bar, const State& u_bar, Controls* d_bar) = 0;
};

/// Stored energy plus potential of the loads. Its gradient is the residual, and the solution minimises it.
class Potential {
 public:
  virtual ~Potential() = default;
  /// The potential [J]; not finite where u is inadmissible. Collective.
  virtual double potential(const EvaluationPoint& u) = 0;
};

/// A limit on Newton steps, and on states to begin with. Beyond it lie states that the residual cannot distinguish from a solution, such as
/// bodies that have passed through each other.
class StepLimit {
 public:
  virtual ~StepLimit() = default;
  /// Whether a process may begin at u: steps within the limit lead from there to admissible states only. Collective.
  virtual bool admits(const EvaluationPoint& u) = 0;
  /// The largest admissible fraction of a step from u, in [0, 1]; the same on every rank. Collective.
  virtual double longest_step(const EvaluationPoint& u, Vec step) = 0;
};

/// A matrix whose sparsity pattern depends on the state, as for bodies in contact and walls that move in turbulent flow.
class ChangingPattern {
 public:
  virtual ~ChangingPattern() = default;
  /// Sets the sparsity pattern for u. It is a function of u alone and does not depend on earlier solves. Returns true if the pattern has
  /// changed; `Residual::matrix` is then another object. The residual does not change. Collective.
  virtual bool update_pattern(const EvaluationPoint& u) = 0;
};

/// Pseudo-transient continuation of a steady equation: r(u) + M(u) ∂u/∂τ = 0 with a local step length in each cell (C. T. Kelley, D. E.
/// Keyes, SIAM J. Numer. Anal. 35, 1998). M(u) is the mass of each row divided by the local step length for a CFL number of 1. Rows without
/// a rate, such as those of a pressure, have no mass. All calls are collective.
class PseudoTime {
 public:
  virtual ~PseudoTime() = default;
  /// Writes the matrix of `Residual::jacobian` plus M(u)/cfl into `Residual::matrix`.
  virtual void damped_jacobian(const EvaluationPoint& u, double cfl) = 0;
  /// r += M(u) du/cfl, except in constrained rows.
  virtual void add_damping(const EvaluationPoint& u, Vec du, double cfl, Vec r) = 0;
  /// The value of `Setting::continuation` at which Newton's method converges from the state at rest, if the equation itself is too hard for
  /// it. 1: no easier equation is needed.
  virtual double first_factor() const { return 1; }
  /// Changes u, the solution of the easier equation (`first_factor`), into a start for the equation itself: transported components, such as
  /// an eddy viscosity, get their start value.
  virtual void begin_from_easier(Vec /*u*/) {}
  /// Sets `marks`, zero before, to 1 in the rows of a transported component such as an eddy viscosity. Its equation has other units, so its
  /// residual is measured separately.
  virtual void mark_transported(Vec /*marks*/) {}
  /// Clips the transported component in `trial` to the largest change from u that one pseudo-time step may make. u satisfies the
  /// constraints. Returns the number of entries clipped on this rank.
  virtual int limit_change(Vec /*u*/, Vec /*trial*/) { return 0; }
};

/// An equation whose formula differs from point to point, as in turbulence models with branches.
class Branches {
 public:
  virtual ~Branches() = default;
  /// The number of the active branch at each point that this rank owns; the order of points is the same at every state. Collective.
  virtual std::vector<char> branches(const EvaluationPoint& u) = 0;
};

/// The optional abilities of an equation; null or false: not available. A wrapper forwards those of its inner equation that it has as well.
struct Capabilities {
  Evolution* evolution = nullptr;
  HistoryVariables* history_variables = nullptr;
  Potential* potential = nullptr;
  StepLimit* step_limit = nullptr;
  ChangingPattern* pattern = nullptr;
  PseudoTime* pseudo_time = nullptr;
  Branches* branches = nullptr;
  bool kinks = false;         // second derivatives jump where the equation switches from one formula to another
  bool continuation = false;  // `Setting::continuation` > 1 gives easier equations, for continuation
};

}  // namespace invar
