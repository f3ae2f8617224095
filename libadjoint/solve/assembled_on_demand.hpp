#pragma once
#include "libadjoint/solve/attached_to_matrix.hpp"

namespace invar {

/// How an operator without entries becomes a matrix: for `auto`, where iterations fail or cost more than factors.
class AssembledOnDemand : public AttachedToMatrix<AssembledOnDemand> {
 public:
  static constexpr const char* attached_name = "invar_assembled_on_demand";
  virtual ~AssembledOnDemand() = default;

  /// An AIJ matrix with the pattern that the entries would have; its values mean nothing.
  virtual Mat pattern() = 0;
  /// The operator with entries, at its present values. From then on the equation has this matrix in place of the operator. Null: it cannot be
  /// assembled now.
  virtual Mat assemble() = 0;
};

}  // namespace invar
