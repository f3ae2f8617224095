#pragma once
#include <span>

#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/lanes.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

inline constexpr int max_cell_nodes = 27;

/// Common base of weak forms, independent of the q-function: domain in batches, coefficients, and scattering of element
/// matrices.
class BatchedForm : public WeakForm {
 public:
  std::vector<Coefficient>& coefficients() override { return coefficients_; }
  const CellBatches& domain() const { return domain_; }

 protected:
  BatchedForm(CellBatches domain, int n_coefficients);
  ~BatchedForm() override;

  /// Of all node pairs of a group, [batch][a][b][lane]: offsets in the matrix rows, of a pattern that is not full numbers of the pairs;
  /// cached per pattern.
  const std::vector<int>& places(std::size_t group, const AssembledMatrix& K) const;
  /// Adds the element matrices of one batch, lane by lane, without constrained rows and columns; or passes them to the
  /// matrix's sink (storage: see ElementMatrixSink).
  void scatter_matrix(const BatchGroup& g, int b, const int* places, const Pack* blocks, std::span<const int> basis,
                      bool symmetric, AssembledMatrix& K) const;

  CellBatches domain_;
  std::vector<Coefficient> coefficients_;

 private:
  mutable std::vector<std::vector<int>> places_;  // per group
  mutable std::uint64_t places_of_ = 0;           // number of the pattern they belong to
};

}  // namespace invar
