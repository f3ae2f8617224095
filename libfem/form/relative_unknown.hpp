#pragma once
#include <string>
#include <vector>

#include "libfem/form/cell_batches.hpp"

namespace invar {

/// The unknown of some facets relative to its mean over other nodes, the carrier: w = u − ū, component by component, and the transpose.
/// Of a mesh in parts, a rank that owns a node of the facets or of the carrier has all of both (`distribute`).
class RelativeUnknown {
 public:
  /// carrier: a region of points or facets (std::invalid_argument where the mesh has none of that name).
  RelativeUnknown(const CellBatches& facets, const std::string& carrier);

  /// u [n_local] with w in place of u at the facets' nodes; nullptr stays an empty vector.
  std::vector<double> of(const double* u) const;
  /// ū, of each component.
  std::vector<double> mean(const double* u) const;
  /// out += what w_bar [n_local], zero but at the facets' nodes, is worth for u.
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
