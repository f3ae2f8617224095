#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "libfem/design/field/density_design.hpp"
#include "libfem/design/field/helmholtz_filter.hpp"
#include "libfem/mesh/distribute.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar::test {

/// A distributed mesh and what is needed to compare fields on it across ranks.
struct DensityMesh {
  std::shared_ptr<const Mesh> mesh;
  std::vector<long long> original;  // [cell] position in the serial mesh, blocks one after the other
  std::vector<char> owned;

  explicit DensityMesh(const Mesh& serial, MPI_Comm comm = PETSC_COMM_WORLD)
      : mesh(std::make_shared<const Mesh>(distribute(serial, comm))) {
    long long first = 0;
    for (std::size_t b = 0; b < mesh->cells.size(); ++b) {
      for (int c = 0; c < mesh->cells[b].count(); ++c) {
        original.push_back(first + mesh->original_cell[b][c]);
        owned.push_back(c < mesh->cells[b].n_owned);
      }
      first += serial.cells[b].count();
    }
  }
  /// The same field on any number of ranks, from 0 to 1; ghosts hold what nobody may read.
  std::vector<double> field(double seed) const {
    std::vector<double> values;
    for (std::size_t c = 0; c < original.size(); ++c)
      values.push_back(owned[c] ? 0.5 + 0.5 * std::sin(seed + 2.7 * static_cast<double>(original[c])) : 1e9);
    return values;
  }
  double sum(const std::function<double(int c)>& f) const {
    double s = 0;
    for (std::size_t c = 0; c < owned.size(); ++c)
      if (owned[c]) s += f(static_cast<int>(c));
    MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_SUM, mesh->comm);
    return s;
  }
  /// Largest |f| on owned cells of this rank.
  double largest(const std::function<double(int c)>& f) const {
    double most = 0;
    for (std::size_t c = 0; c < owned.size(); ++c)
      if (owned[c]) most = std::max(most, std::abs(f(static_cast<int>(c))));
    return most;
  }
  /// Mean of the vertices.
  double middle(int cell, int direction) const {
    for (const CellBlock& block : mesh->cells) {
      if (cell >= block.count()) {
        cell -= block.count();
        continue;
      }
      const int n = node_count(block.type), v = vertex_count(block.type.shape);
      double x = 0;
      const int* nodes = &block.nodes[std::size_t(cell) * n];
      for (int a = 0; a < v; ++a) x += mesh->coordinates[std::size_t(nodes[a]) * mesh->dim + direction];
      return x / v;
    }
    return 0;
  }
};

inline std::vector<Mesh> density_meshes() {
  return {distorted_block(Shape::triangle, 1),        distorted_block(Shape::quadrilateral, 1),
          distorted_block(Shape::triangle, 2, true),  distorted_block(Shape::quadrilateral, 2, true),
          distorted_block(Shape::tetrahedron, 1),     distorted_block(Shape::hexahedron, 2, true),
          mixed_rectangle(4, 3, 2)};
}

}  // namespace invar::test
