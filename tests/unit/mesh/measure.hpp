#pragma once
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "libfem/mesh/jacobian_table.hpp"
#include "libfem/mesh/mesh.hpp"
#include "libfem/mesh/reference_element.hpp"
#include "libfem/space/quadrature.hpp"

namespace invar::test {

/// Length, area or volume of one cell or facet, signed where it is of the mesh's dimension, and
/// ∮ n over it (facets only): the normal times the area.
struct Measure {
  double size = 0;
  std::array<double, 3> normal{};
};

inline Measure measure(const Mesh& mesh, const CellBlock& block, int position) {
  const int k = dimension_of(block.type.shape), dim = mesh.dim;
  const Quadrature rule = quadrature(block.type.shape, 8);
  const JacobianTable table(block.type, rule.points);
  Measure total;
  for (int q = 0; q < rule.count(); ++q) {
    double J[9];
    table.evaluate(mesh.coordinates.data(), dim, &block.nodes[position * node_count(block.type)], q,
                   J);
    const double w = rule.weights[q];
    if (k == 2 && dim == 2) {
      total.size += w * (J[0] * J[3] - J[1] * J[2]);
    } else if (k == 3) {
      total.size += w * (J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) +
                         J[2] * (J[3] * J[7] - J[4] * J[6]));
    } else {
      std::array<double, 3> n{};
      if (k == 1) n = {J[1], -J[0], 0};
      else n = {J[2] * J[5] - J[3] * J[4], J[4] * J[1] - J[5] * J[0], J[0] * J[3] - J[1] * J[2]};
      for (int d = 0; d < 3; ++d) total.normal[d] += w * n[d];
      total.size += w * std::hypot(n[0], n[1], n[2]);
    }
  }
  return total;
}

/// Sum over a region of cells or facets.
inline Measure measure(const Mesh& mesh, const std::string& name) {
  Measure total;
  const Region* region = mesh.find_region(name);
  if (!region) return total;
  const auto& blocks = region->dim == mesh.dim ? mesh.cells : mesh.facets;
  for (size_t b = 0; b < blocks.size(); ++b)
    for (int position : region->members[b]) {
      const Measure one = measure(mesh, blocks[b], position);
      total.size += one.size;
      for (int d = 0; d < 3; ++d) total.normal[d] += one.normal[d];
    }
  return total;
}

}  // namespace invar::test
