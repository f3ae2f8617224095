#include "libfem/mesh/refine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/cell_children.hpp"
#include "libfem/mesh/cell_quality.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/field_transfer.hpp"
#include "libfem/mesh/second_order.hpp"
#include "tests/unit/mesh/measure.hpp"

namespace invar {
namespace {

/// Boxes of every shape and order; those of second order are bent, so that cells are curved.
std::vector<Mesh> refinable() {
  std::vector<Mesh> all;
  for (const int order : {1, 2}) {
    for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) all.push_back(make_rectangle(0, 0, 2, 1, 3, 2, shape, order));
    for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) all.push_back(make_box({0, 0, 0}, {1, 2, 1}, {2, 2, 1}, shape, order));
  }
  for (Mesh& mesh : all)
    for (int i = 0; i < mesh.node_total(); ++i) {
      double* x = &mesh.coordinates[std::size_t(i) * mesh.dim];
      x[1] += 0.15 * std::sin(2 * x[0]);
      if (mesh.dim == 3) x[2] += 0.1 * x[0] * x[1];
    }
  return all;
}

long long cells_of(const Mesh& mesh) {
  long long n = 0;
  for (const CellBlock& block : mesh.cells) n += block.count();
  return n;
}

TEST(Refine, KeepsVolumesBoundariesAndRegions) {
  for (const Mesh& coarse : refinable()) {
    const Mesh fine = refine(coarse);
    EXPECT_EQ(cells_of(fine), cells_of(coarse) << coarse.dim);
    ASSERT_EQ(fine.regions.size(), coarse.regions.size());
    for (std::size_t r = 0; r < coarse.regions.size(); ++r) {
      const Region &a = coarse.regions[r], &b = fine.regions[r];
      EXPECT_EQ(a.name, b.name);
      if (a.dim < coarse.dim - 1) {
        EXPECT_EQ(a.nodes, b.nodes);
        continue;
      }
      const test::Measure before = test::measure(coarse, a.name), after = test::measure(fine, b.name);
      EXPECT_NEAR(after.size, before.size, 1e-9 * std::abs(before.size)) << a.name;
      for (int d = 0; d < coarse.dim; ++d) EXPECT_NEAR(after.normal[d], before.normal[d], 1e-12) << a.name;
    }
  }
}

TEST(Refine, EveryChildHasItsPartOfTheParentAndTurnsTheSameWay) {
  for (const Mesh& coarse : refinable()) {
    const Mesh fine = refine(coarse);
    const CellBlock &parents = coarse.cells[0], &children = fine.cells[0];
    const int n = child_count(parents.type.shape);
    for (int c = 0; c < parents.count(); ++c) {
      double sum = 0;
      for (int k = 0; k < n; ++k) {
        const double size = test::measure(fine, children, n * c + k).size;
        EXPECT_GT(size, 0);
        sum += size;
      }
      EXPECT_NEAR(sum, test::measure(coarse, parents, c).size, 1e-12);
    }
  }
}

// Euler: a box of n cells a side has as many nodes as its refinement's lattice, each once.
TEST(Refine, SharesItsNodesAsAMeshMadeFinerDoes) {
  for (const int order : {1, 2}) {
    for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
      const Mesh fine = refine(make_rectangle(0, 0, 1, 1, 3, 2, shape, order)), made = make_rectangle(0, 0, 1, 1, 6, 4, shape, order);
      EXPECT_EQ(fine.node_total(), made.node_total());
      EXPECT_EQ(fine.facets[0].count(), made.facets[0].count());
      EXPECT_EQ(fine.find_region("left")->nodes.size(), made.find_region("left")->nodes.size());
    }
    for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
      const Mesh fine = refine(make_box({0, 0, 0}, {1, 1, 1}, {2, 1, 2}, shape, order)), made = make_box({0, 0, 0}, {1, 1, 1}, {4, 2, 4}, shape, order);
      EXPECT_EQ(fine.node_total(), made.node_total());
      std::set<std::vector<double>> places;
      for (int i = 0; i < fine.node_total(); ++i) places.insert({fine.coordinates.begin() + 3 * i, fine.coordinates.begin() + 3 * i + 3});
      EXPECT_EQ(static_cast<int>(places.size()), fine.node_total());
    }
  }
}

TEST(Refine, RepeatedlyKeepsTetrahedraInShape) {
  Mesh mesh = make_box({0, 0, 0}, {1, 1, 1}, {1, 1, 1}, Shape::tetrahedron, 1);
  for (int level = 0; level < 4; ++level) mesh = refine(mesh);
  const double volume = test::measure(mesh, mesh.cells[0], 0).size;
  for (int c = 0; c < mesh.cells[0].count(); ++c) EXPECT_NEAR(test::measure(mesh, mesh.cells[0], c).size, volume, 1e-12);
}

/// A polynomial of the mesh's order in reference coordinates of straight cells.
double smooth(const Mesh& mesh, int node) {
  const double* x = &mesh.coordinates[std::size_t(node) * mesh.dim];
  const double sum = x[0] + 2 * x[1] - (mesh.dim == 3 ? x[2] : 0);
  return mesh.cells[0].type.order == 1 ? 1 + sum : 1 + sum * sum;
}

TEST(FieldTransfer, IsExactForWhatTheCoarseMeshCanSay) {
  for (const int order : {1, 2})
    for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron})
      for (const int levels : {0, 1, 2}) {
        const Mesh serial = dimension_of(shape) == 2 ? make_rectangle(0, 0, 2, 1, 3, 4, shape, order)
                                                     : make_box({0, 0, 0}, {1, 2, 1}, {2, 2, 2}, shape, order);
        Mesh refined = serial;
        for (int l = 0; l < levels; ++l) refined = refine(refined);
        if (levels == 0) refined = to_second_order(refined);
        const Mesh coarse = distribute(serial, MPI_COMM_WORLD), fine = distribute(refined, MPI_COMM_WORLD);
        const FieldTransfer transfer(coarse, fine, levels);
        std::vector<double> nodal, by_cell;
        for (int i = 0; i < coarse.node_total(); ++i) nodal.insert(nodal.end(), {smooth(coarse, i), 3.0});
        for (const long long cell : coarse.original_cell[0]) by_cell.push_back(static_cast<double>(cell));
        const std::vector<double> at_nodes = transfer.nodes(nodal, 2), at_cells = transfer.cells(by_cell, 1);
        ASSERT_EQ(at_nodes.size(), 2u * fine.node_total());
        for (int i = 0; i < fine.node_total(); ++i) {
          const double* x = &fine.coordinates[std::size_t(i) * fine.dim];
          const double sum = x[0] + 2 * x[1] - (fine.dim == 3 ? x[2] : 0);
          EXPECT_NEAR(at_nodes[2 * i], order == 1 ? 1 + sum : 1 + sum * sum, 1e-12);
          EXPECT_NEAR(at_nodes[2 * i + 1], 3, 1e-13);
        }
        for (int c = 0; c < fine.cells[0].count(); ++c)
          EXPECT_EQ(at_cells[c], static_cast<double>(fine.original_cell[0][c] / std::llround(std::pow(child_count(shape), levels))));
      }
}

TEST(FieldTransfer, RefusesMeshesThatDoNotFit) {
  const Mesh a = distribute(make_rectangle(0, 0, 1, 1, 2, 2, Shape::triangle), MPI_COMM_WORLD),
             b = distribute(make_rectangle(0, 0, 1, 1, 3, 3, Shape::triangle), MPI_COMM_WORLD);
  EXPECT_THROW(FieldTransfer(a, b, 1), std::invalid_argument);
}

}  // namespace
}  // namespace invar
