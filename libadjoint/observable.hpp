#pragma once
#include <vector>

#include "libadjoint/controls.hpp"
#include "libadjoint/evaluation_point.hpp"

namespace invar {

/// A measured quantity, or a part of an objective: y(u, d, t) ∈ ℝᵐ. Values are the same on every rank. Collective.
class Observable {
 public:
  virtual ~Observable() = default;
  virtual int size() const = 0;  // m
  virtual void evaluate(const EvaluationPoint& u, double* y) = 0;
  /// y_dot = ∂y/∂u · u_dot + ∂y/∂d · d_dot; nullptr means zero.
  virtual void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) = 0;
  /// u_bar += (∂y/∂u)ᵀ y_bar, d_bar += (∂y/∂d)ᵀ y_bar. y_bar is the same on every rank.
  virtual void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) = 0;
  /// Derivative of the result of `vjp` when u, y_bar and d vary: u_bar_dot += …, d_bar_dot += ….
  virtual void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot,
                           const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) = 0;
};

}  // namespace invar
