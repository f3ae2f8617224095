// Fields of one mesh at the nodes of another.
#include "libfem/mesh/field_interpolation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/field_transfer.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/mesh/mark_cells.hpp"
#include "libfem/mesh/read_gmsh.hpp"
#include "libfem/mesh/refine.hpp"
#include "libfem/mesh/second_order.hpp"

namespace invar {
namespace {

using Field = std::function<double(double x, double y, double z)>;

double at_node(const Mesh& mesh, int node, const Field& f) {
  const double* x = &mesh.coordinates[std::size_t(node) * mesh.dim];
  return f(x[0], x[1], mesh.dim == 3 ? x[2] : 0);
}

std::vector<double> nodal(const Mesh& mesh, const Field& f) {
  std::vector<double> values;
  for (int node = 0; node < mesh.node_total(); ++node) values.push_back(at_node(mesh, node, f));
  return values;
}

std::vector<char> all_nodes(const Mesh& mesh) { return std::vector<char>(mesh.node_total(), 1); }

void expect_field(const Mesh& mesh, const std::vector<double>& values, const Field& f, double tolerance = 1e-12) {
  for (int node = 0; node < mesh.n_owned_nodes; ++node) EXPECT_NEAR(values[node], at_node(mesh, node, f), tolerance);
}

double quadratic(double x, double y, double z) { return 1 + 2 * x - y + 3 * x * y + x * x - 2 * y * y + z * (0.5 - x + 2 * y - z); }
double linear(double x, double y, double z) { return 1 + 2 * x - y + 3 * z; }

TEST(FieldInterpolation, GivesBackThePolynomialsOfItsElements) {
  const std::vector<std::pair<Mesh, Mesh>> pairs = {
      {make_rectangle(0, 0, 2, 1, 5, 4, Shape::triangle, 2), make_rectangle(0, 0, 2, 1, 7, 3, Shape::quadrilateral, 2)},
      {make_rectangle(0, 0, 2, 1, 3, 2, Shape::quadrilateral, 2), make_rectangle(0, 0, 2, 1, 5, 7, Shape::triangle, 1)},
      {make_box({0, 0, 0}, {1, 2, 1}, {2, 3, 2}, Shape::tetrahedron, 2), make_box({0, 0, 0}, {1, 2, 1}, {3, 2, 3}, Shape::hexahedron, 2)}};
  for (const auto& [from, serial] : pairs) {
    const Mesh to = distribute(serial, MPI_COMM_WORLD);
    FieldInterpolation interpolation(from, to);
    const InterpolatedField field = interpolation.at_nodes(nodal(from, quadratic), all_nodes(to));
    expect_field(to, field.values, quadratic);
    EXPECT_EQ(field.outside.nearest, 0);
    EXPECT_EQ(field.outside.beyond, 0);
    // One that lives on vertices alone, such as a pressure.
    std::vector<double> values = nodal(from, linear);
    for (int node = to_first_order(from).node_total(); node < from.node_total(); ++node) values[node] = std::numeric_limits<double>::quiet_NaN();
    expect_field(to, interpolation.at_nodes(values, all_nodes(to)).values, linear);
  }
}

// The fine nodes are at positions of the coarse cells' map; there `FieldTransfer` gives the values without a search.
TEST(FieldInterpolation, OnCurvedCellsIsExactInTheirOwnCoordinates) {
  for (const char* name : {"ring.msh", "tube.msh", "ball.msh"}) {
    const Mesh from = read_gmsh(std::string(INVAR_SOURCE_DIR) + "/tests/unit/mesh/data/" + name);
    const Mesh coarse = distribute(from, MPI_COMM_WORLD), fine = distribute(refine(from), MPI_COMM_WORLD);
    std::vector<double> values, local;
    for (int node = 0; node < from.node_total(); ++node) values.push_back(std::sin(37.0 * node));
    for (const long long node : coarse.original_node) local.push_back(values[node]);
    const std::vector<double> expected = FieldTransfer(coarse, fine, 1).nodes(local, 1);
    const InterpolatedField field = FieldInterpolation(from, fine).at_nodes(values, all_nodes(fine));
    EXPECT_EQ(field.outside.nearest, 0) << name;
    for (int node = 0; node < fine.n_owned_nodes; ++node) EXPECT_NEAR(field.values[node], expected[node], 1e-11) << name;
  }
}

TEST(FieldInterpolation, NodesOutsideTakeTheNearestValueOrAreCounted) {
  const Mesh from = make_rectangle(0, 0, 1, 1, 4, 4, Shape::triangle, 2);  // a tenth of a cell is 0.025
  const Mesh near = distribute(make_rectangle(0, 0, 1.02, 1, 3, 2, Shape::quadrilateral, 1), MPI_COMM_WORLD);
  const Field bounded = [](double x, double y, double) { return quadratic(std::min(x, 1.0), y, 0); };
  const InterpolatedField field = FieldInterpolation(from, near).at_nodes(nodal(from, quadratic), all_nodes(near));
  expect_field(near, field.values, bounded, 1e-6);
  EXPECT_EQ(field.outside.nearest, 3);
  EXPECT_EQ(field.outside.beyond, 0);
  EXPECT_NEAR(field.outside.farthest, 0.02, 1e-6);

  const Mesh far = distribute(make_rectangle(0, 0, 1.2, 1, 3, 2, Shape::quadrilateral, 1), MPI_COMM_WORLD);
  const NodesOutside outside = FieldInterpolation(from, far).at_nodes(nodal(from, quadratic), all_nodes(far)).outside;
  EXPECT_EQ(outside.beyond, 3);
  EXPECT_NEAR(outside.worst.distance, 0.2, 1e-6);
  EXPECT_NEAR(outside.worst.tolerance, 0.025, 1e-12);
  EXPECT_NEAR(outside.worst.place[0], 1.2, 1e-12);
  EXPECT_TRUE(outside.worst.region.starts_with("right")) << outside.worst.region;
  EXPECT_EQ(FieldInterpolation(from, far, 0.21).at_nodes(nodal(from, quadratic), all_nodes(far)).outside.beyond, 0);
  EXPECT_EQ(FieldInterpolation(from, near, 0.01).at_nodes(nodal(from, quadratic), all_nodes(near)).outside.beyond, 3);
}

// Two bodies that touch along x = 1 with different fields, and a common region of both.
TEST(FieldInterpolation, BodiesKeepToThemselves) {
  const auto bodies = [](int n, double gap) {
    Mesh mesh = join_bodies({{"a", make_rectangle(0, 0, 1, 1, n, n, Shape::triangle, 2)}, {"b", make_rectangle(1 + gap, 0, 2, 1, n + 1, n + 1, Shape::triangle, 2)}});
    mark_cells(mesh, "both", [](double, double, double) { return true; });
    return mesh;
  };
  const Mesh from = bodies(3, 0), to = distribute(bodies(4, -0.01), MPI_COMM_WORLD);
  const Region& right = *from.find_region("b");
  std::vector<double> values = nodal(from, linear);
  for (const int node : right.nodes) values[node] = 10 - values[node];
  const InterpolatedField field = FieldInterpolation(from, to).at_nodes(values, all_nodes(to));
  std::vector<char> in_b(to.node_total(), 0);
  for (const int node : to.find_region("b")->nodes) in_b[node] = 1;
  for (int node = 0; node < to.n_owned_nodes; ++node) {
    const double x = to.coordinates[2 * node], y = to.coordinates[2 * node + 1];
    EXPECT_NEAR(field.values[node], in_b[node] ? 10 - linear(std::max(x, 1.0), y, 0) : linear(x, y, 0), 1e-6);
  }
  EXPECT_EQ(field.outside.beyond, 0);
}

TEST(FieldInterpolation, FieldsOfARegionAreTakenFromThere) {
  const auto marked = [](int n) {
    Mesh mesh = make_rectangle(0, 0, 2, 1, 2 * n, n, Shape::triangle, 2);
    mark_cells(mesh, "left_half", [](double x, double, double) { return x < 1; });
    return mesh;
  };
  const Mesh from = marked(2), to = distribute(marked(3), MPI_COMM_WORLD);
  std::vector<double> values(from.node_total(), std::numeric_limits<double>::quiet_NaN());
  for (const int node : from.find_region("left_half")->nodes) values[node] = at_node(from, node, quadratic);
  std::vector<char> wanted(to.node_total(), 0);
  for (const int node : to.find_region("left_half")->nodes) wanted[node] = 1;
  FieldInterpolation interpolation(from, to);
  const InterpolatedField field = interpolation.at_nodes(values, wanted);
  for (int node = 0; node < to.n_owned_nodes; ++node) EXPECT_NEAR(field.values[node], wanted[node] ? at_node(to, node, quadratic) : 0, 1e-12);
  EXPECT_EQ(field.outside.nearest, 0);
  // Elsewhere there is nothing to take.
  EXPECT_GT(interpolation.at_nodes(values, all_nodes(to)).outside.beyond, 0);
  // Nowhere at all.
  const std::vector<double> nothing(from.node_total(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(interpolation.at_nodes(nothing, all_nodes(to)).outside.beyond, to.n_global_nodes);
}

}  // namespace
}  // namespace invar
