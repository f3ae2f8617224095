#pragma once
#include <optional>

#include "libadjoint/solve/newton.hpp"

namespace invar {

/// What solves of a case have in common with their neighbours, from which the tolerance of Newton's method follows.
struct SolveUse {
  bool warm_start = false;   // solves begin at the solution of the last one
  bool moving_mesh = false;  // coordinates are designed
  bool in_time = false;      // steps of a process
  bool linear_steps = false; // the equation of a step is linear
};

/// Tolerances for that; `rtol`: the one that the user asks for, in place of the default.
///
/// - 1e-10 for load steps and steps in time.
/// - 1e-13 where solves begin at the last solution, which may satisfy 1e-10 already: what the tolerance leaves would
///   show in differences between neighbouring designs. Likewise on moving meshes, where certificates compare solutions
///   on meshes that differ by little.
/// - At least one step where a start may satisfy the tolerance: at the last solution, and in time.
/// - A linear step is one tight solve: an inexact one would be followed by another.
inline NewtonOptions newton_defaults(const SolveUse& use, std::optional<double> rtol = {}) {
  NewtonOptions options;
  options.rtol = rtol.value_or(!use.in_time && (use.warm_start || use.moving_mesh) ? 1e-13 : 1e-10);
  options.min_iterations = use.warm_start || use.in_time ? 1 : 0;
  if (use.linear_steps) options.max_forcing = options.rtol;
  return options;
}

}  // namespace invar
