// A mesh of Gmsh with a boundary layer: quadrilaterals at the wall, a fan of them at the trailing edge, triangles outside.
#include <gtest/gtest.h>

#include <cmath>

#include "libfem/mesh/cell_quality.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/read_gmsh.hpp"
#include "libfluid/mesh_motion/mesh_motion.hpp"

namespace invar {
namespace {

constexpr double first = 2e-5;  // height of the cells at the wall, from the .geo file

std::shared_ptr<const Mesh> layered() {
  return std::make_shared<const Mesh>(distribute(read_gmsh(INVAR_SOURCE_DIR "/meshes/naca0012_layer.msh.gz"), PETSC_COMM_WORLD));
}

long long sum(long long n) {
  MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_LONG_LONG, MPI_SUM, PETSC_COMM_WORLD);
  return n;
}

/// visit(height) for every edge of a quadrilateral between a node of the wall and one that is not, at the coordinates x. The quadrilaterals
/// are those that this rank knows.
template <class Visit>
void visit_heights(const Mesh& mesh, const std::vector<double>& x, const Visit& visit) {
  std::vector<char> wall(mesh.node_total(), 0);
  for (const int n : mesh.find_region("airfoil")->nodes) wall[n] = 1;
  for (const CellBlock& cells : mesh.cells) {
    if (cells.type.shape != Shape::quadrilateral) continue;
    for (int c = 0; c < cells.count(); ++c)
      for (int v = 0; v < 4; ++v) {
        const int a = cells.nodes[4 * std::size_t(c) + v], b = cells.nodes[4 * std::size_t(c) + (v + 1) % 4];
        if (wall[a] != wall[b]) visit(std::hypot(x[2 * b] - x[2 * a], x[2 * b + 1] - x[2 * a + 1]));
      }
  }
}

TEST(BoundaryLayerMesh, IsReadAsItIs) {
  const auto mesh = layered();
  long long triangles = 0, quadrilaterals = 0, at_wall = 0;
  for (const CellBlock& cells : mesh->cells)
    (cells.type.shape == Shape::triangle ? triangles : quadrilaterals) += cells.n_owned;
  EXPECT_EQ(sum(triangles), 3804);
  EXPECT_EQ(sum(quadrilaterals), 6174);
  visit_heights(*mesh, mesh->coordinates, [&](double height) {
    ++at_wall;
    EXPECT_NEAR(height, first, 0.05 * first);  // columns at the nose are inclined to the facets
  });
  EXPECT_GT(sum(at_wall), 200);
  EXPECT_GT(worst_scaled_jacobian(*mesh), 0.05);
}

// The middle of the airfoil rises by 5 % of its chord, and its tail turns by 10 degrees.
TEST(BoundaryLayerMesh, KeepsItsLayersAtAnAirfoilThatMoves) {
  const auto mesh = layered();
  MeshMotionOptions options;
  options.moving = {"airfoil"};
  options.method = MeshMotionOptions::Method::inverse_distance;
  const auto motion = make_mesh_motion(mesh, PETSC_COMM_WORLD, options);
  std::vector<double> w(mesh->coordinates.size(), 0.0), x;
  for (int n = 0; n < mesh->node_total(); ++n) w[2 * n + 1] = 0.2 * mesh->coordinates[2 * n] * (1 - mesh->coordinates[2 * n]);
  const Evaluation e = motion->move(w, x);
  ASSERT_TRUE(e.ok) << e.reason;
  EXPECT_GT(motion->quality(), 0.9 * worst_scaled_jacobian(*mesh));
  std::vector<double> before;
  visit_heights(*mesh, mesh->coordinates, [&](double height) { before.push_back(height); });
  std::size_t k = 0;
  visit_heights(*mesh, x, [&](double height) {
    EXPECT_NEAR(height, before[k], 1e-8 * before[k]);
    ++k;
  });
}

}  // namespace
}  // namespace invar
