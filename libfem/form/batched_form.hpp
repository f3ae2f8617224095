#pragma once
#include <span>

#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/lanes.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

inline constexpr int max_cell_nodes = 27;

/// What weak forms share whatever their q-function: the domain in batches, the coefficients, and the way of element
/// matrices into the global one.
class BatchedForm : public WeakForm {
 public:
  std::vector<Coefficient>& coefficients() override { return coefficients_; }
  const CellBatches& domain() const { return domain_; }

 protected:
  BatchedForm(CellBatches domain, int n_coefficients);
  ~BatchedForm() override;

  /// Offsets of all node pairs of a group in the matrix's rows, [batch][a][b][lane]; looked up once per pattern.
  const std::vector<int>& places(std::size_t group, const AssembledMatrix& K) const;
  /// Adds the element matrices of one batch, lane by lane; constrained rows and columns are left out. Or hands them to
  /// the matrix's sink, whose header tells how they are stored.
  void scatter_matrix(const BatchGroup& g, int b, const int* places, const Pack* blocks, std::span<const int> basis,
                      bool symmetric, AssembledMatrix& K) const;

  CellBatches domain_;
  std::vector<Coefficient> coefficients_;

 private:
  mutable std::vector<std::vector<int>> places_;  // per group
  mutable std::uint64_t places_of_ = 0;           // number of their pattern
};

}  // namespace invar
