#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "libadjoint/capabilities.hpp"
#include "libadjoint/controls.hpp"
#include "libadjoint/evaluation_point.hpp"
#include "libadjoint/row_set.hpp"
#include "libadjoint/solve/matrix_hints.hpp"

namespace invar {

/// A discretised state equation r(u, u̇, ü; d, t) = 0 with controls d. Some rows are constraints, r_c = u_c − g_c(d, t)
/// (Dirichlet values). A static problem reads the value only; `StepResidual` turns a time step into a static problem.
/// An equation stores no present state, time or controls: all are part of the evaluation point. All calls are
/// collective; vectors come from `create_vector`.
class Residual {
 public:
  virtual ~Residual() = default;
  virtual MPI_Comm comm() const = 0;
  virtual VecHandle create_vector() const = 0;

  virtual const std::vector<ControlInfo>& controls() const = 0;
  /// The control values that the problem was given.
  virtual const Controls& control_values() const = 0;
  /// These values at a time or load parameter. Every call creates a new setting object: keep it.
  Setting given(double t = 0) const { return {std::make_shared<const Controls>(control_values()), t, t}; }

  /// This rank's constrained rows; `impose_constraints` sets u_c = g_c(d, t).
  virtual const RowSet& constrained_rows() const = 0;
  virtual void impose_constraints(const Setting& given, Vec u) = 0;

  /// r(u). Returns false if u is inadmissible (an inverted element, a value that is not finite).
  virtual bool residual(const EvaluationPoint& u, Vec r) = 0;
  /// Writes Σ_k weights[k] ∂r/∂u_k over the levels k into matrix(). Constrained rows and columns are diagonal: the
  /// matrix is exact for directions and multipliers that vanish on constrained rows. `jvp` and `vjp` are exact for all.
  virtual void jacobian(const EvaluationPoint& u, const PerLevel<double>& weights) = 0;
  void jacobian(const EvaluationPoint& u) { jacobian(u, 1.0); }
  virtual Mat matrix() const = 0;
  virtual bool symmetric() const = 0;
  virtual MatrixHints matrix_hints() const { return {}; }

  /// r_dot = ∂r/∂u · u_dot + ∂r/∂d · d_dot; nullptr means zero.
  virtual void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, Vec r_dot) = 0;
  /// u_bar += (∂r/∂u)ᵀ λ, d_bar += (∂r/∂d)ᵀ λ; nullptr: not wanted. Constrained rows add to u_bar.unknown.
  virtual void vjp(const EvaluationPoint& u, Vec lambda, const State& u_bar, Controls* d_bar) = 0;
  /// Derivative of the result of `vjp` when u, λ and d vary: u_bar_dot += …, d_bar_dot += ….
  virtual void vjp_tangent(const EvaluationPoint& u, Vec lambda, const State& u_dot, Vec lambda_dot, const Controls* d_dot,
                           const State& u_bar_dot, Controls* d_bar_dot) = 0;

  virtual Capabilities capabilities() { return {}; }

  // Shortcuts to frequently used capabilities.

  /// `Evolution::algebraic_unknowns`; empty: all unknowns have a rate.
  std::vector<char> algebraic_unknowns() {
    const Evolution* evolution = capabilities().evolution;
    return evolution ? evolution->algebraic_unknowns() : std::vector<char>();
  }
  /// A zero vector of history variables; null: the equation has none.
  VecHandle create_memory() {
    const HistoryVariables* memory = capabilities().history_variables;
    return memory ? memory->create_memory() : VecHandle();
  }
};

}  // namespace invar
