#pragma once
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/space/quadrature.hpp"
#include "libfem/space/reference_element.hpp"

namespace invar {

/// Shape functions of a Lagrange element at the points of a rule.
inline Tabulation tabulate(CellType type, const Quadrature& rule) {
  const int dim = dimension_of(type.shape), n = node_count(type);
  const int points = static_cast<int>(rule.weights.size());
  Tabulation t{n, std::vector<double>(points * n), std::vector<double>(points * n * dim)};
  for (int q = 0; q < points; ++q) {
    shape_values(type, &rule.points[q * dim], &t.N[q * n]);
    shape_gradients(type, &rule.points[q * dim], &t.dN[q * n * dim]);
  }
  return t;
}

}  // namespace invar
