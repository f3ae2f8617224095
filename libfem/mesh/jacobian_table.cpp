#include "libfem/mesh/jacobian_table.hpp"

#include <algorithm>

#include "libfem/mesh/reference_element.hpp"

namespace invar {

JacobianTable::JacobianTable(CellType type, const std::vector<double>& points)
    : n_(node_count(type)), k_(dimension_of(type.shape)),
      count_(static_cast<int>(points.size()) / std::max(k_, 1)), gradients_(count_ * n_ * k_) {
  for (int q = 0; q < count_; ++q)
    shape_gradients(type, points.data() + q * k_, gradients_.data() + q * n_ * k_);
}

void JacobianTable::evaluate(const double* x, int dim, const int* nodes, int q, double* J) const {
  std::fill_n(J, dim * k_, 0.0);
  const double* dN = gradients_.data() + q * n_ * k_;
  for (int a = 0; a < n_; ++a, dN += k_)
    for (int d = 0; d < dim; ++d)
      for (int e = 0; e < k_; ++e) J[d * k_ + e] += x[nodes[a] * dim + d] * dN[e];
}

}  // namespace invar
