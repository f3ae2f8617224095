#pragma once
#include <vector>

#include "libfem/design/field/cell_values.hpp"
#include "libfem/design/field/cell_weights.hpp"
#include "libfem/form/chebyshev_inverse.hpp"
#include "libfem/form/repeated_rows.hpp"

namespace invar {

/// W P Wᵀ of fields with one value per cell, where P is a polynomial in the place of A⁻¹: W and A by rows that repeat, cells and nodes
/// numbered along the rows of a grid.
class PolynomialFilter {
 public:
  /// own: the rank's own cells. weights: W. A, M: as of ChebyshevInverse. Collective.
  PolynomialFilter(const DofMap& dofs, const std::vector<int>& own, const CellWeights& weights, Mat A, Vec M, double error);

  int terms() const { return inverse_.terms(); }
  /// out = W P Wᵀ in, in ghost cells, too; of `in` only own entries are read. Collective.
  void apply(const std::vector<double>& in, std::vector<double>& out);

 private:
  ChebyshevInverse inverse_;
  CellValues cells_;
  RepeatedRows gather_, spread_;  // Wᵀ of own nodes, W of own cells
  VecHandle load_, phi_;
  std::vector<double> sum_;       // [own cells]
};

}  // namespace invar
