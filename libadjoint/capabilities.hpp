#pragma once
#include <vector>

#include "libadjoint/evaluation_point.hpp"
#include "libadjoint/solve/solve_report.hpp"

namespace invar {

/// What an equation in time says besides its residual. All calls are collective.
class Evolution {
 public:
  virtual ~Evolution() = default;
  /// Which of this rank's own unknowns have no rate, as flags: 1 pressures, multipliers of a constraint of their own;
  /// 2 potentials of a pressure correction; 3 multipliers that are found with accelerations (`UnknownKind`); 0 all
  /// others. Empty: none.
  virtual std::vector<char> algebraic_unknowns() const { return {}; }
  /// The state that time begins with, at a level: value, rate, or acceleration, of which only what constraints prescribe
  /// is known (the others are zero); its derivative along a direction of the controls; d_bar += its transpose applied to
  /// u_bar. Rates and accelerations of what is prescribed are those of `PrescribedStart`, over the step of the setting.
  /// Where a level takes a solve it may fail.
  virtual SolveReport initial(Level level, const Setting& given, Vec u) = 0;
  virtual SolveReport initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec u_dot) = 0;
  virtual SolveReport initial_vjp(Level level, const Setting& given, Vec u_bar, Controls& d_bar) = 0;
  /// The forces, as ‖r‖, that balance in the last initial state: what residuals near it are measured against. 0: none
  /// known.
  virtual double initial_force() const { return 0; }

 protected:
  /// Of an initial state that is known without a solve.
  static SolveReport solved() {
    SolveReport report;
    report.converged = true;
    return report;
  }
};

/// What an equation keeps of its past beside the unknown, such as plastic strains at points: zero when time begins,
/// read as `State::memory`, and made anew by every step. The vectors are parts of one rank each, without a meaning to
/// others. All calls are collective.
class HistoryVariables {
 public:
  virtual ~HistoryVariables() = default;
  /// Null: there are none after all.
  virtual VecHandle create_memory() const = 0;
  /// next = g(u; d): what a step that ends at u leaves behind. Then its derivative, and the transpose of that applied
  /// to next_bar: u_bar += …, d_bar += …; nullptr: zero, or not wanted.
  virtual void update_memory(const EvaluationPoint& u, Vec next) = 0;
  virtual void update_memory_jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, Vec next_dot) = 0;
  virtual void update_memory_vjp(const EvaluationPoint& u, Vec next_bar, const State& u_bar, Controls* d_bar) = 0;
};

/// Stored energy plus potential of the loads, whose gradient is the residual and which the solution minimises.
class Potential {
 public:
  virtual ~Potential() = default;
  /// [J]; not finite where u is inadmissible. Collective.
  virtual double potential(const EvaluationPoint& u) = 0;
};

/// Steps of Newton's method that must not be taken whole: beyond some part of them lies what the residual cannot tell
/// from a solution.
class StepLimit {
 public:
  virtual ~StepLimit() = default;
  /// The part of a step from u that may be taken, in [0, 1]; the same on every rank. Collective.
  virtual double longest_step(const EvaluationPoint& u, Vec step) = 0;
};

/// A matrix whose pattern depends on the state, as that of bodies in contact.
class ChangingPattern {
 public:
  virtual ~ChangingPattern() = default;
  /// Makes the pattern that of u: a function of u alone, whatever was solved before. True: it has changed, and
  /// `Residual::matrix` is another one. The residual does not depend on it. Collective.
  virtual bool update_pattern(const EvaluationPoint& u) = 0;
};

/// A steady equation that may be followed in pseudo-time to its solution, r(u) + M(u) ∂u/∂τ = 0, with a step of each
/// cell's own (C. T. Kelley, D. E. Keyes, SIAM J. Numer. Anal. 35, 1998). M(u) holds the mass of each row over the step
/// that a CFL number of 1 allows at u; rows without a rate, such as those of a pressure, have none. All calls are
/// collective.
class PseudoTime {
 public:
  virtual ~PseudoTime() = default;
  /// `Residual::jacobian` plus M(u)/cfl, into the same matrix.
  virtual void damped_jacobian(const EvaluationPoint& u, double cfl) = 0;
  /// r += M(u) du/cfl, but in constrained rows.
  virtual void add_damping(const EvaluationPoint& u, Vec du, double cfl, Vec r) = 0;
  /// The factor of `Setting::continuation` at which Newton's method converges from rest, where the equation itself is
  /// out of its reach; 1: the equation may be within it.
  virtual double first_factor() const { return 1; }
  /// Makes the solution u at that factor a start for the equation itself, such as an eddy viscosity of that size.
  virtual void begin_from_easier(Vec /*u*/) {}
  /// Sets to 1 the rows of a quantity that the flow carries with an equation in units of its own, such as an eddy viscosity. `marks` is zero
  /// before.
  virtual void mark_carried(Vec /*marks*/) {}
  /// Takes back what lies further from u in `trial` than one step in pseudo-time may change it; u satisfies the constraints.
  virtual void limit_change(Vec /*u*/, Vec /*trial*/) {}
};

/// An equation whose formulas differ from point to point, as those of models with branches.
class Branches {
 public:
  virtual ~Branches() = default;
  /// Which formula holds at each point that this rank owns, as a number; the points in the same order at every state.
  /// Collective.
  virtual std::vector<char> branches(const EvaluationPoint& u) = 0;
};

/// The optional abilities of an equation; null or false: it has not got it. A wrapper hands on those of its inner
/// equation that are its own too.
struct Capabilities {
  Evolution* evolution = nullptr;
  HistoryVariables* history_variables = nullptr;
  Potential* potential = nullptr;
  StepLimit* step_limit = nullptr;
  ChangingPattern* pattern = nullptr;
  PseudoTime* pseudo_time = nullptr;
  Branches* branches = nullptr;
  bool kinks = false;         // second derivatives jump where the equation goes over from one formula to another
  bool continuation = false;  // `Setting::continuation` above 1 gives easier equations on the way to this one
};

}  // namespace invar
