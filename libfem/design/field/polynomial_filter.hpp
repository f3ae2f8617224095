#pragma once
#include <vector>

#include "libfem/design/field/cell_values.hpp"
#include "libfem/design/field/cell_weights.hpp"
#include "libfem/form/chebyshev_inverse.hpp"
#include "libfem/form/repeated_rows.hpp"

namespace invar {

/// W P Wᵀ for cell fields, with a polynomial P in place of A⁻¹. W and A are stored as RepeatedRows; cells and nodes are numbered along
/// grid rows.
class PolynomialFilter {
 public:
  /// own: this rank's own cells. weights: W. A, M: see ChebyshevInverse. Collective.
  PolynomialFilter(const DofMap& dofs, const std::vector<int>& own, const CellWeights& weights, Mat A, Vec M, double error);

  int terms() const { return inverse_.terms(); }
  /// out = W P Wᵀ in, ghost cells included; of `in` only own entries are read. Collective.
  void apply(const std::vector<double>& in, std::vector<double>& out);

 private:
  ChebyshevInverse inverse_;
  CellValues cells_;
  RepeatedRows gather_, spread_;  // Wᵀ of own nodes, W of own cells
  VecHandle load_, phi_;
  std::vector<double> sum_;       // [own cells]
};

}  // namespace invar
