#include "libfem/mesh/read_surface.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/carve_box.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/mesh/refine.hpp"
#include "libfem/mesh/second_order.hpp"
#include "libfem/space/dof_map.hpp"
#include "tests/unit/mesh/measure.hpp"

namespace invar {
namespace {

constexpr double corners_of_tetrahedron[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr int faces_of_tetrahedron[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

/// The sides of a tetrahedron: areas 1, 1, ½ and 3/2.
std::string tetrahedron_as_obj() {
  return "# by hand\nmtllib none.mtl\no corner\nv 0 0 0\nv 2 0 0 1.0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvn 0 0 1\n"
         "g low\nf 1 3 2\ng upright side\ns off\nf 1/1 2/1/1 4//1\nf -4 -1 -2\ng\nf 2 3 4\n";
}

std::string tetrahedron_as_stl() {
  std::string text = "solid a corner\n";
  for (const auto& face : faces_of_tetrahedron) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int v : face) {
      text += "   vertex";
      for (const double x : corners_of_tetrahedron[v]) text += x == 0 ? " -0.0" : " " + std::to_string(x);
      text += "\n";
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid a corner\n";
}

std::string tetrahedron_as_binary_stl() {
  std::string bytes = "solid in spite of its form";
  bytes.resize(80, ' ');
  const auto append = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  append(std::uint32_t(4));
  for (const auto& face : faces_of_tetrahedron) {
    for (int i = 0; i < 3; ++i) append(0.f);
    for (const int v : face)
      for (const double x : corners_of_tetrahedron[v]) append(static_cast<float>(x));
    append(std::uint16_t(0));
  }
  return bytes;
}

double area(const Mesh& mesh) {
  double sum = 0;
  for (const CellBlock& block : mesh.facets)
    for (int f = 0; f < block.count(); ++f) sum += test::measure(mesh, block, f).size;
  return sum;
}

TEST(ReadSurface, FormatsGiveTheSameSurface) {
  for (const auto& [name, text] : {std::pair{"a.obj", tetrahedron_as_obj()}, {"a.STL", tetrahedron_as_stl()}, {"a.stl", tetrahedron_as_binary_stl()}}) {
    const Mesh mesh = parse_surface(text, name);
    EXPECT_EQ(mesh.dim, 3) << name;
    EXPECT_TRUE(mesh.cells.empty());
    EXPECT_EQ(mesh.node_total(), 4) << name;
    ASSERT_EQ(mesh.facets.size(), 1u);
    EXPECT_EQ(mesh.facets[0].count(), 4);
    EXPECT_NEAR(area(mesh), 4, 1e-15) << name;
  }
}

TEST(ReadSurface, GroupsOfObjAreRegions) {
  const Mesh mesh = parse_surface(tetrahedron_as_obj(), "a.obj");
  const auto area_of = [&](const char* name) { return test::measure(mesh, name).size; };
  EXPECT_NEAR(area_of("corner"), 4, 1e-15);  // the object
  EXPECT_NEAR(area_of("low"), 1, 1e-15);
  EXPECT_NEAR(area_of("upright"), 1.5, 1e-15);
  EXPECT_NEAR(area_of("side"), 1.5, 1e-15);
}

TEST(ReadSurface, PolylinesAreCurvesInThePlane) {
  const Mesh mesh = parse_surface("v 0 0 7\nv 3 0 7\nv 9 9 9\nv 3 4 7\nl 1 2 4\nl 4 1\n", "curve.obj");
  EXPECT_EQ(mesh.dim, 2);
  EXPECT_EQ(mesh.node_total(), 3);  // one vertex is on no line
  EXPECT_NEAR(area(mesh), 12, 12e-14);  // a sum of quadratures: contracted products round differently
}

TEST(ReadSurface, RepeatedAndFlatFacetsAreDropped) {
  const Mesh mesh = parse_surface("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.5 0 0\nf 1 2 3\nf 2 1 3\nf 1 4 2\nf 1 1 3\ng again\nf 3 1 2\n", "a.obj");
  ASSERT_EQ(mesh.facets.size(), 1u);
  EXPECT_EQ(mesh.facets[0].count(), 1);
  EXPECT_EQ(mesh.node_total(), 3);
  EXPECT_NEAR(test::measure(mesh, "again").size, 0.5, 1e-15);  // in the groups of all that were the same
}

TEST(ReadSurface, MistakesHaveAPlace) {
  const auto message = [](const std::string& text, const char* name) -> std::string {
    try {
      parse_surface(text, name);
    } catch (const MeshError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("v 0 0 0\nf 1 2 3\n", "a.obj"), "a.obj:2: a vertex that the file does not have");
  EXPECT_EQ(message("v 0 0\n", "a.obj"), "a.obj:1: a vertex needs three numbers");
  EXPECT_EQ(message("v 0 0 0\nf 1 x 1\n", "a.obj"), "a.obj:2: 'x' is not the number of a vertex");
  EXPECT_NE(message("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4 1\n", "a.obj").find("more than four vertices"), std::string::npos);
  EXPECT_NE(message("v nan 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", "a.obj").find("a.obj:4: a coordinate of this facet is not finite"), std::string::npos);
  EXPECT_NE(message("v 0 0 0\nv 1 0 0\nv 1 1 1\nl 1 2 3\n", "a.obj").find("curves in space"), std::string::npos);
  EXPECT_NE(message("", "a.obj").find("the file has no facets"), std::string::npos);
  EXPECT_NE(message("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", "a.stl").find("a.stl:5: the file ends where a coordinate should be"), std::string::npos);
  EXPECT_NE(message(tetrahedron_as_binary_stl().substr(0, 200), "a.stl").find("a.stl:"), std::string::npos);
  EXPECT_NE(message("", "a.step").find(".obj, .stl or .msh"), std::string::npos);
}

/// A box with a tetrahedron beside it that is a surface only.
Mesh box_and_surface(int order) {
  Mesh surface = parse_surface(tetrahedron_as_obj(), "a.obj");
  for (std::size_t i = 0; i < surface.coordinates.size(); i += 3) surface.coordinates[i] += 5;
  if (order == 2) surface = to_second_order(surface);
  return join_bodies({{"box", make_box({0, 0, 0}, {1, 1, 1}, {3, 3, 3}, Shape::hexahedron, order)}, {"tool", surface}});
}

TEST(SurfaceBody, IsDividedAndRaisedLikeOthers) {
  Mesh mesh = box_and_surface(1);
  EXPECT_EQ(mesh.find_region("tool")->dim, 2);
  const Mesh fine = refine(mesh);
  EXPECT_NEAR(test::measure(fine, "tool").size, 4, 1e-14);
  EXPECT_NEAR(test::measure(fine, "tool_low").size, 1, 1e-14);
  EXPECT_EQ(to_second_order(mesh).find_region("tool")->nodes.size(), 10u);
  carve_box(mesh, "hole", std::vector<double>{1. / 3, 1. / 3, 1. / 3}, std::vector<double>{2. / 3, 2. / 3, 2. / 3});
  EXPECT_NEAR(test::measure(mesh, "tool").size, 4, 1e-14);
}

TEST(SurfaceBody, NeedsABodyWithCells) {
  const Mesh surface = parse_surface(tetrahedron_as_obj(), "a.obj");
  EXPECT_THROW(join_bodies({{"a", surface}, {"b", surface}}), std::invalid_argument);
}

// On any number of ranks its facets and nodes are owned once, and whoever owns a node of the pair holds all of it.
TEST(SurfaceBody, IsWholeWhereItMayBeTouched) {
  for (const int order : {1, 2}) {
    const Mesh serial = box_and_surface(order);
    for (const bool touches : {false, true}) {
      std::vector<std::vector<std::string>> pairs;
      if (touches) pairs.push_back({"box_right", "tool"});
      const Mesh mesh = distribute(serial, MPI_COMM_WORLD, pairs);
      const Region* tool = mesh.find_region("tool");
      double owned_area = 0, all = 0;
      int held = 0, owned_nodes = 0, all_nodes = 0;
      for (std::size_t b = 0; b < mesh.facets.size(); ++b)
        for (const int f : tool->members[b]) {
          ++held;
          if (f < mesh.facets[b].n_owned) owned_area += test::measure(mesh, mesh.facets[b], f).size;
        }
      for (const int node : tool->nodes) owned_nodes += node < mesh.n_owned_nodes;
      MPI_Allreduce(&owned_area, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      MPI_Allreduce(&owned_nodes, &all_nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      EXPECT_NEAR(all, 4, 1e-13);
      EXPECT_EQ(all_nodes, order == 1 ? 4 : 10);
      bool owns = false;
      for (const char* name : {"box_right", "tool"})
        for (const int node : mesh.find_region(name)->nodes) owns |= node < mesh.n_owned_nodes;
      EXPECT_TRUE(!(touches && owns) || held == 4) << held;
      EXPECT_TRUE(owned_nodes == 0 || held > 0);
    }
  }
}

// Displacements are defined at nodes without cells; components with equations in cells only are not.
TEST(SurfaceBody, HasTheComponentsThatMayBeHeldThere) {
  const auto mesh = std::make_shared<const Mesh>(distribute(box_and_surface(2), MPI_COMM_WORLD));
  const DofMap dofs(mesh, {{"u", 2}, {"v", 1}, {.name = "p", .in_cells = true}}, MPI_COMM_WORLD);
  EXPECT_EQ(dofs.n_global(), 343 + 10 + 64 + 4 + 64);
  for (const int node : mesh->find_region("tool")->nodes) EXPECT_EQ(dofs.dof(node, 2), -1);
}

// A node without cells and facets is owned once; whoever owns a node of a group has its points, and what may be held lives there, of any order.
TEST(PointBody, IsANodeOfItsOwn) {
  Mesh point;
  point.dim = 3, point.coordinates = {2, 0.5, 0.25};
  for (const int order : {1, 2}) {
    Mesh box = make_box({0, 0, 0}, {1, 1, 1}, {2, 2, 2}, Shape::tetrahedron);
    if (order == 2) box = to_second_order(box);
    const Mesh serial = join_bodies({{"at", point}, {"box", box}});
    EXPECT_EQ(serial.find_region("at")->dim, 0);
    const auto mesh = std::make_shared<const Mesh>(distribute(serial, MPI_COMM_WORLD, {{"box_right", "at"}}));
    const std::vector<int>& nodes = mesh->find_region("at")->nodes;
    int owned = 0;
    for (const int node : nodes) owned += node < mesh->n_owned_nodes;
    MPI_Allreduce(MPI_IN_PLACE, &owned, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(owned, 1);
    bool near = false;
    for (const int node : mesh->find_region("box_right")->nodes) near |= node < mesh->n_owned_nodes;
    if (near) {
      ASSERT_EQ(nodes.size(), 1u);
      for (int i = 0; i < 3; ++i) EXPECT_EQ(mesh->coordinates[std::size_t(nodes[0]) * 3 + i], point.coordinates[i]);
    }
    const DofMap dofs(mesh, {{"u", order}, {"v", 1}, {.name = "p", .in_cells = true}}, MPI_COMM_WORLD);
    for (const int node : nodes) {
      EXPECT_GE(dofs.dof(node, 0), 0);
      EXPECT_GE(dofs.dof(node, 1), 0);
      EXPECT_EQ(dofs.dof(node, 2), -1);
    }
  }
  EXPECT_THROW(join_bodies({{"a", point}, {"b", point}}), std::invalid_argument);
}

}  // namespace
}  // namespace invar
