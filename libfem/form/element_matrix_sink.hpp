#pragma once
#include <span>

#include "libfem/math/simd.hpp"

namespace invar {

struct BatchGroup;

/// Receives the element matrices of forms.
class ElementMatrixSink {
 public:
  virtual ~ElementMatrixSink() = default;
  /// Receives one batch. blocks: [pair of nodes][nc · nc], pairs (a, b) in the order b · n_nodes + a; for symmetric
  /// forms those with a ≤ b in the order b (b + 1) / 2 + a. basis: scalar basis of each of the nc components. Batches
  /// whose matrices vanish are skipped. `g` outlives the form's use.
  virtual void take(const BatchGroup& g, int b, const Pack* blocks, std::span<const int> basis, bool symmetric) = 0;
};

}  // namespace invar
