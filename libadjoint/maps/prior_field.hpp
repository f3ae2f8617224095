#pragma once
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/variable_transform.hpp"

namespace invar {

/// A designed field of which something is known before any data: a normal distribution of its coordinate q, mean + B θ, where the local
/// entries θ of the block are independent, with mean 0 and variance 1. The objective has the term ½ ‖θ‖² then, and B is
/// what smooths. A parameterization derives from this besides. Calls are collective.
class PriorField {
 public:
  virtual ~PriorField() = default;
  /// B θ in all cells of the rank, ghosts too. theta: local entries of the block.
  virtual Evaluation spread(const std::vector<double>& theta, std::vector<double>& q) = 0;
  /// Variance of q in each cell of the rank before any data: the squared lengths of the rows of B. Other cells: 0.
  virtual Evaluation prior_variance(std::vector<double>& variance) = 0;
  /// q ↔ physical value.
  virtual const VariableTransform& transform() const = 0;
  /// q of the last `apply`, mean included.
  virtual const std::vector<double>& coordinates() const = 0;
  /// [cell] whether it is the rank's own, and designed.
  virtual const std::vector<char>& designed() const = 0;
  /// q as it really is, where data were made for a test; else empty.
  virtual const std::vector<double>& truth() const = 0;
};

}  // namespace invar
