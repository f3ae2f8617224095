#pragma once
#include <algorithm>
#include <cmath>
#include <optional>

namespace invar {

// Tolerances with which a problem is solved again, to see what the first ones have left.

/// A tolerance on the error of a time step, for steps that are divided into 2^level: the error of a step falls with the power accuracy + 1 of its length.
inline double tolerance_of_divided_steps(double tolerance, int level, int accuracy) { return std::ldexp(tolerance, -level * (accuracy + 1)); }

/// A hundredth of an absolute tolerance, or of one on the error of time steps.
inline double tightened_tolerance(double tolerance) { return tolerance / 100; }

/// A hundredth of a relative tolerance of a solver, but not below the round-off of residuals; where it was chosen automatically, the least.
inline double tightened_relative_tolerance(std::optional<double> tolerance) {
  constexpr double least = 1e-14;  // round-off; automatic ones are at most 1e-10, and of direct solvers 1e-12
  return tolerance ? std::max(least, tightened_tolerance(*tolerance)) : least;
}

}  // namespace invar
