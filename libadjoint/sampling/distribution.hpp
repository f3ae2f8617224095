#pragma once
#include <array>
#include <limits>

namespace invar {

/// How likely each value of a number is; cut off at `lower` and `upper`, where what is left counts as all.
struct Distribution {
  enum class Kind { uniform, log_uniform, normal, lognormal, triangular };

  Kind kind = Kind::uniform;
  /// uniform, log_uniform: least, greatest; normal: mean, standard deviation; lognormal: those of the natural logarithm;
  /// triangular: least, most likely, greatest.
  std::array<double, 3> parameters{0, 1, 0};
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  /// What is wrong with the parameters, as a sentence; nullptr when nothing is.
  const char* mistake() const;
  /// The value below which the share `u` of all lies, 0 < u < 1. Call when there is no mistake.
  double quantile(double u) const;
};

}  // namespace invar
