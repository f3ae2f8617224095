#pragma once
#include <string>
#include <vector>

#include "libfem/form/cell_batches.hpp"

namespace invar {

/// The unknown of some facets relative to its mean over other nodes, the carrier: w = u − ū, componentwise, and the transpose. In a
/// distributed mesh, a rank that owns a node of the facets or the carrier holds all of both (`distribute`).
class RelativeUnknown {
 public:
  /// carrier: a region of points or facets (std::invalid_argument if it does not exist).
  RelativeUnknown(const CellBatches& facets, const std::string& carrier);

  /// u [n_local] with w in place of u at the facets' nodes; nullptr gives an empty vector.
  std::vector<double> of(const double* u) const;
  /// The mean ū, [components].
  std::vector<double> mean(const double* u) const;
  /// Adds the transpose applied to w_bar [n_local], which is zero except at the facets' nodes.
  void add_transposed(const std::vector<double>& w_bar, double* out) const;
  std::size_t n_local() const { return n_local_; }

 private:
  struct OfComponent {
    std::vector<int> facets, carrier;  // local dofs, ascending
  };
  std::vector<OfComponent> components_;
  std::size_t n_local_ = 0;
};

}  // namespace invar
