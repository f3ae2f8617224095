#pragma once
#include <array>
#include <limits>

namespace invar {

/// Probability distribution of a number, truncated at `lower` and `upper` and renormalised.
struct Distribution {
  enum class Kind { uniform, log_uniform, normal, lognormal, triangular };

  Kind kind = Kind::uniform;
  /// uniform, log_uniform: smallest, largest; normal: mean, standard deviation; lognormal: mean and standard deviation
  /// of the natural logarithm; triangular: smallest, most likely, largest.
  std::array<double, 3> parameters{0, 1, 0};
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  /// Describes a mistake in the parameters as a sentence; nullptr: none.
  const char* mistake() const;
  /// Quantile function, 0 < u < 1. The parameters must be valid.
  double quantile(double u) const;
};

}  // namespace invar
