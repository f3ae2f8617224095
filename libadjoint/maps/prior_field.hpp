#pragma once
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/variable_transform.hpp"

namespace invar {

/// A designed field with a Gaussian prior: its coordinate is q = mean + B θ, where the local entries θ are independent with mean 0 and
/// variance 1, and B = B₁/√w is a smoothing operator with the weight w of the prior. The objective then has the term ½ ‖θ‖² = w ½ ‖ξ‖² of the
/// field mean + B₁ ξ. A second base class of parameterizations. Calls are collective.
class PriorField {
 public:
  virtual ~PriorField() = default;
  /// w > 0, a factor of the prior's precision; 1 before the first call. θ keeps its value, so that the field changes.
  virtual void set_weight(double w) = 0;
  /// B θ in all cells of this rank, ghosts included. theta: local entries of the block.
  virtual Evaluation spread(const std::vector<double>& theta, std::vector<double>& q) = 0;
  /// Prior variance of q in each cell of this rank: squared row norms of B. Cells outside the field: 0.
  virtual Evaluation prior_variance(std::vector<double>& variance) = 0;
  /// q ↔ physical value.
  virtual const VariableTransform& transform() const = 0;
  /// q of the last `apply`, mean included.
  virtual const std::vector<double>& coordinates() const = 0;
  /// [cell] whether this rank owns the cell and it is designed.
  virtual const std::vector<char>& designed() const = 0;
  /// The true q, if the data are synthetic; else empty.
  virtual const std::vector<double>& truth() const = 0;
};

}  // namespace invar
