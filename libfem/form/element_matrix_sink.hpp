#pragma once
#include <span>

#include "libfem/math/simd.hpp"

namespace invar {

struct BatchGroup;

/// Takes the element matrices of forms as they are.
class ElementMatrixSink {
 public:
  virtual ~ElementMatrixSink() = default;
  /// Those of one batch. blocks: [pair of nodes][nc · nc], pairs (a, b) in the order of b · n_nodes + a; of symmetric
  /// forms those with a ≤ b in the order of b (b + 1) / 2 + a. basis: the scalar basis of each of the nc components.
  /// Matrices that vanish in the whole batch are not handed over. `g` outlives the form's use.
  virtual void take(const BatchGroup& g, int b, const Pack* blocks, std::span<const int> basis, bool symmetric) = 0;
};

}  // namespace invar
