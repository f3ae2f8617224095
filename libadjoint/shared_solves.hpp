#pragma once
#include "libadjoint/evaluation_point.hpp"
#include "libadjoint/solve/newton.hpp"

namespace invar {

/// Solves of one static case that are made together with those of others (`StaticBatch`). What is returned need not be trusted: `StaticCase`
/// evaluates its own equation with it. All calls are collective, and the same on every rank.
class SharedSolves {
 public:
  virtual ~SharedSolves() = default;
  /// The equilibrium at a load parameter from the one before, `at.unknown`, which it overwrites. force_scale: largest load so far, brought up
  /// to date. False: it was not found together; unknown and force_scale are then unchanged.
  virtual bool equilibrium(const EvaluationPoint& at, const NewtonOptions& options, double& force_scale, NewtonReport& report) = 0;
  /// lambda = (∂r/∂u)⁻ᵀ u_bar on unconstrained rows, zero on the others.
  virtual SolveReport adjoint(const EvaluationPoint& at, Vec u_bar, Vec lambda) = 0;
  /// Largest estimated error of the adjoints at the present states.
  virtual double largest_error() const = 0;
};

}  // namespace invar
