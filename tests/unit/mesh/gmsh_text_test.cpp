// Meshes written for Gmsh are read back unchanged, for any number of ranks.
#include "libfem/mesh/gmsh_text.hpp"

#include <gtest/gtest.h>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/mesh/mark_cells.hpp"
#include "libfem/mesh/read_gmsh.hpp"

namespace invar {
namespace {

TEST(GmshText, IsReadBackAsItWas) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron})
    for (const int order : {1, 2}) {
      const bool plane = dimension_of(shape) == 2;
      Mesh mesh = plane ? make_rectangle(0, 0, 1. / 3, 2, 3, 2, shape, order) : make_box({0, 0, 0}, {1, 1. / 3, 2}, {2, 2, 3}, shape, order);
      mark_cells(mesh, "low end", [&](double x, double, double) { return x < (plane ? 0.15 : 0.5); });
      const std::string text = gmsh_text(distribute(mesh, MPI_COMM_WORLD));
      EXPECT_EQ(text.empty(), rank > 0);
      if (rank > 0) continue;
      std::vector<int> kept;
      const Mesh read = parse_gmsh_mesh(text, "mesh.msh", &kept);
      EXPECT_EQ(read.coordinates, mesh.coordinates);
      EXPECT_EQ(kept.size(), static_cast<std::size_t>(mesh.node_total()));
      ASSERT_EQ(read.cells.size(), 1u);
      EXPECT_EQ(read.cells[0].type, mesh.cells[0].type);
      EXPECT_EQ(read.cells[0].nodes, mesh.cells[0].nodes);
      for (const char* name : {"body", "low end"}) {
        ASSERT_NE(read.find_region(name), nullptr) << name;
        EXPECT_EQ(read.find_region(name)->members, mesh.find_region(name)->members);
        EXPECT_EQ(read.find_region(name)->nodes, mesh.find_region(name)->nodes);
      }
    }
}

// A node without cells between two bodies.
TEST(GmshText, NodesWithoutCellsKeepTheirPlace) {
  Mesh point;
  point.dim = 2;
  point.coordinates = {5, 5};
  const Mesh left = make_rectangle(0, 0, 1, 1, 1, 1, Shape::triangle), right = make_rectangle(2, 0, 3, 1, 1, 1, Shape::quadrilateral);
  const Mesh mesh = distribute(join_bodies({{"left", left}, {"tip", point}, {"right", right}}), MPI_COMM_WORLD);
  const std::string text = gmsh_text(mesh);
  if (text.empty()) return;
  std::vector<int> kept;
  const Mesh read = parse_gmsh_mesh(text, "mesh.msh", &kept);
  EXPECT_EQ(kept, (std::vector<int>{0, 1, 2, 3, 5, 6, 7, 8}));
  EXPECT_EQ(read.node_total(), 8);
  EXPECT_EQ(read.coordinates[8], 2);
}

}  // namespace
}  // namespace invar
