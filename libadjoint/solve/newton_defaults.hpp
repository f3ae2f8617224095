#pragma once
#include <optional>

#include "libadjoint/solve/newton.hpp"

namespace invar {

/// Properties of the solves of a case that determine the tolerance of Newton's method.
struct SolveUse {
  bool warm_start = false;   // solves start from the previous solution
  bool moving_mesh = false;  // coordinates are designed
  bool in_time = false;      // time steps
  bool linear_steps = false; // the equation of a step is linear
};

/// Newton options for these properties; `rtol`: the user's value in place of the default.
///   - 1e-10 for load steps and time steps.
///   - 1e-13 for solves that start from the previous solution, which may satisfy 1e-10 already: the remaining error would show in
///     differences between neighbouring designs. Also on moving meshes, where certificates compare solutions on meshes that differ
///     by little.
///   - At least one step if a start may satisfy the tolerance: at the previous solution, and in time.
///   - A linear step is one tight solve: an inexact one would need another.
inline NewtonOptions newton_defaults(const SolveUse& use, std::optional<double> rtol = {}) {
  NewtonOptions options;
  options.rtol = rtol.value_or(!use.in_time && (use.warm_start || use.moving_mesh) ? 1e-13 : 1e-10);
  options.min_iterations = use.warm_start || use.in_time ? 1 : 0;
  if (use.linear_steps) options.max_forcing = options.rtol;
  return options;
}

}  // namespace invar
