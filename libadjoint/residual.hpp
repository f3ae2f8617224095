#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "libadjoint/controls.hpp"
#include "libadjoint/state.hpp"
#include "libadjoint/solve/saddle_point.hpp"

namespace invar {

/// A discretised state equation r(u, u̇, ü; d, t) = 0 with controls d. Some rows are constraints on what
/// is solved for, r_c = u_c − g_c(d, t) (Dirichlet values). A problem without time reads the value alone;
/// `StepResidual` makes one of a step in time. All calls are collective; vectors come from
/// `create_vector`.
class Residual {
 public:
  virtual ~Residual() = default;
  virtual MPI_Comm comm() const = 0;
  virtual VecHandle create_vector() const = 0;

  virtual const std::vector<ControlInfo>& controls() const = 0;
  virtual const Controls& control_values() const = 0;
  virtual void set_controls(const Controls& d) = 0;
  /// Time, or load parameter of a quasi-static process.
  void set_time(double t) { set_times(t, t); }
  /// Loads and coefficients at t, constraints at t_constraints: some schemes balance within a step.
  virtual void set_times(double t, double t_constraints) = 0;
  /// An easier equation on the way to this one: ease = 1 is the equation itself, larger is easier
  /// (flow: the viscosity times ease). False: there is none.
  virtual bool set_ease(double) { return false; }

  /// Constrained rows among this rank's own (local numbers), and u_c = g_c(d, t).
  virtual const std::vector<int>& constrained_rows() const = 0;
  virtual void impose_constraints(Vec u) const = 0;

  /// r(u). False: u is inadmissible (an element is inverted, a value is not finite).
  virtual bool residual(const State& u, Vec r) = 0;
  /// Writes Σ_k weights[k] ∂r/∂u_k over the levels k into matrix(): constrained rows and columns are
  /// diagonal. Exact for directions and multipliers that vanish on constrained rows; `jvp` and `vjp` are
  /// exact for all.
  virtual void jacobian(const State& u, const PerLevel<double>& weights) = 0;
  void jacobian(const State& u) { jacobian(u, 1.0); }
  virtual Mat matrix() const = 0;
  virtual bool symmetric() const = 0;
  virtual MatNullSpace near_null_space() const { return nullptr; }
  /// Functions of a coarser space in unknowns of this one, for two-level methods: [own unknowns × coarse ones].
  /// Constrained rows and what they constrain in the coarse space are coupled to nothing else. Null: none.
  virtual Mat prolongation() const { return nullptr; }
  /// The blocks of a saddle-point matrix, for block preconditioners; null: none, or not known.
  virtual std::shared_ptr<SaddlePoint> saddle_point() const { return nullptr; }
  /// Stored energy plus potential of the loads, where the equation derives from one [J].
  virtual std::optional<double> potential(Vec) { return std::nullopt; }

  /// Which of this rank's own unknowns have no rate (pressures: multipliers of a constraint of their
  /// own), as flags; empty: none.
  virtual std::vector<char> algebraic_unknowns() const { return {}; }
  /// The state that time begins with: value, or rate where `level` says so; its derivative along a
  /// direction of the controls; d_bar += its transpose applied to u_bar.
  virtual void initial(Level, Vec u) const { check(VecSet(u, 0.0)); }
  virtual void initial_jvp(Level, const Controls&, Vec u_dot) const { check(VecSet(u_dot, 0.0)); }
  virtual void initial_vjp(Level, Vec, Controls&) const {}

  /// What the equation remembers of its past beside the unknown, such as history variables at points: zero
  /// when time begins, read as State::memory, left behind anew by every step. Null: nothing. The vectors are
  /// parts of one rank each, without a meaning to others.
  virtual VecHandle create_memory() const { return {}; }
  /// Of the step in time that is being solved, s.
  virtual void set_step_length(double) {}
  /// next = g(u; d): what a step that ends at u leaves behind. Then its derivative, and the transpose of that
  /// applied to next_bar: u_bar += …, d_bar += …; nullptr: zero, or not wanted.
  virtual void remember(const State&, Vec) {}
  virtual void remember_jvp(const State&, const State&, const Controls*, Vec) {}
  virtual void remember_vjp(const State&, Vec, const State&, Controls*) {}

  /// r_dot = ∂r/∂u · u_dot + ∂r/∂d · d_dot; nullptr means zero.
  virtual void jvp(const State& u, const State& u_dot, const Controls* d_dot, Vec r_dot) = 0;
  /// u_bar += (∂r/∂u)ᵀ λ, d_bar += (∂r/∂d)ᵀ λ; nullptr: not wanted. Constraint rows add to u_bar.unknown.
  virtual void vjp(const State& u, Vec lambda, const State& u_bar, Controls* d_bar) = 0;
  /// The derivative of `vjp`'s result when u, λ and d move: u_bar_dot += …, d_bar_dot += ….
  virtual void vjp_tangent(const State& u, Vec lambda, const State& u_dot, Vec lambda_dot, const Controls* d_dot,
                           const State& u_bar_dot, Controls* d_bar_dot) = 0;
};

}  // namespace invar
