#include "libfem/mesh/read_gmsh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <random>

#include "libfem/mesh/cell_quality.hpp"
#include "tests/unit/mesh/measure.hpp"

namespace invar {
namespace {

using std::numbers::pi;
using test::measure;

std::string data(const std::string& name) {
  return std::string(INVAR_SOURCE_DIR) + "/tests/unit/mesh/data/" + name;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file of this test alone, gone with it.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    std::random_device device;
    path_ = std::filesystem::temp_directory_path() /
            ("invar_mesh_" + std::to_string(device()) + ".msh");
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

Mesh read_text(const std::string& text) { return read_gmsh(TemporaryFile(text).path()); }

std::string error_of(const std::string& text) {
  const TemporaryFile file(text);
  try {
    read_gmsh(file.path());
  } catch (const MeshError& error) {
    return std::string(error.what()).substr(file.path().size());
  }
  return "no error";
}

// ---- what Gmsh wrote --------------------------------------------------------------------------

class Format : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(ReadGmsh, Format,
                         testing::Values("annulus_22.msh", "annulus_22.msh.gz", "annulus_22b.msh",
                                         "annulus_41.msh", "annulus_41b.msh"));

/// n quadratic arcs of equal angle round a quarter circle of radius r are parabolas through points
/// of the circle.
struct QuadraticArcs {
  double chord, sagitta, angle, r;
  int n;
  QuadraticArcs(double radius, int count)
      : chord(2 * radius * std::sin(pi / 4 / count)),
        sagitta(radius * (1 - std::cos(pi / 4 / count))), angle(pi / 2 / count), r(radius),
        n(count) {}
  double area() const { return n * (0.5 * r * r * std::sin(angle) + chord * sagitta * 2 / 3); }
  double length() const {
    return n * (0.5 * std::hypot(chord, 4 * sagitta) +
                chord * chord / (8 * sagitta) * std::asinh(4 * sagitta / chord));
  }
};

// Counts as the file itself states them. Gmsh spaces the points of an arc evenly to about 1e-8.
TEST_P(Format, GivesTheQuarterAnnulus) {
  const Mesh mesh = read_gmsh(data(GetParam()));
  const QuadraticArcs inner(1, 4), outer(2, 7);
  EXPECT_EQ(mesh.dim, 2);
  ASSERT_EQ(mesh.cells.size(), 1u);
  EXPECT_EQ(mesh.cells[0].type, (CellType{Shape::triangle, 2}));
  EXPECT_EQ(mesh.cells[0].count(), 31);
  EXPECT_EQ(mesh.node_total(), 78);  // without the centre of the arcs
  EXPECT_EQ(mesh.facets[0].count(), 13);
  EXPECT_NEAR(measure(mesh, "body").size, outer.area() - inner.area(), 1e-6);
  EXPECT_NEAR(measure(mesh, "inner").size, inner.length(), 1e-6);
  EXPECT_NEAR(measure(mesh, "outer").size, outer.length(), 1e-6);
  EXPECT_NEAR(measure(mesh, "rim").size, inner.length() + outer.length(), 1e-6);
  EXPECT_NEAR(measure(mesh, "7").size, 1, 1e-12);  // the group without a name
}

TEST_P(Format, GivesTheSameMesh) {
  const Mesh mesh = read_gmsh(data(GetParam())), other = read_gmsh(data("annulus_22.msh"));
  ASSERT_EQ(mesh.coordinates.size(), other.coordinates.size());
  for (size_t i = 0; i < mesh.coordinates.size(); ++i)  // 16 digits were written
    EXPECT_NEAR(mesh.coordinates[i], other.coordinates[i], 1e-15);
  EXPECT_EQ(mesh.cells[0].nodes, other.cells[0].nodes);
  for (const Region& region : other.regions) {
    const Region* same = mesh.find_region(region.name);
    ASSERT_TRUE(same) << region.name;
    EXPECT_EQ(same->nodes, region.nodes) << region.name;
  }
}

// The normals of outer point away from the origin, those of inner towards it: ∮ n over a quarter
// circle of radius r is (r, r) or its negative, whatever the polygon.
TEST_P(Format, TurnsFacetsOutwards) {
  const Mesh mesh = read_gmsh(data(GetParam()));
  for (int d = 0; d < 2; ++d) {
    EXPECT_NEAR(measure(mesh, "outer").normal[d], 2, 1e-12);
    EXPECT_NEAR(measure(mesh, "inner").normal[d], -1, 1e-12);
  }
}

TEST_P(Format, KeepsPointRegions) {
  const Mesh mesh = read_gmsh(data(GetParam()));
  const Region* corner = mesh.find_region("corner");
  ASSERT_TRUE(corner);
  ASSERT_EQ(corner->nodes.size(), 1u);
  EXPECT_EQ(mesh.coordinates[corner->nodes[0] * 2], 2);
  EXPECT_EQ(mesh.coordinates[corner->nodes[0] * 2 + 1], 0);
}

TEST(ReadGmsh, MixedCellsOfBothOrientationsAreTurnedRight) {
  const Mesh mesh = read_gmsh(data("ring.msh"));  // Gmsh wrote all cells clockwise
  ASSERT_EQ(mesh.cells.size(), 2u);
  const double half = 0.5 * (QuadraticArcs(2, 6).area() - QuadraticArcs(1, 6).area());
  EXPECT_NEAR(measure(mesh, "quads").size, half, 1e-6);
  EXPECT_NEAR(measure(mesh, "triangles").size, half, 1e-6);
  EXPECT_GT(worst_scaled_jacobian(mesh), 0.5);
}

TEST(ReadGmsh, CurvedHexahedra) {
  const Mesh mesh = read_gmsh(data("tube.msh"));
  const QuadraticArcs inner(1, 3), outer(2, 3);
  const double area = outer.area() - inner.area();
  EXPECT_EQ(mesh.cells[0].type, (CellType{Shape::hexahedron, 2}));
  EXPECT_NEAR(measure(mesh, "body").size, area, 1e-6);
  EXPECT_NEAR(measure(mesh, "outer").size, outer.length(), 1e-6);
  EXPECT_NEAR(measure(mesh, "inner").size, inner.length(), 1e-6);
  EXPECT_NEAR(measure(mesh, "top").normal[2], area, 1e-6);
  EXPECT_NEAR(measure(mesh, "bottom").normal[2], -area, 1e-6);
  EXPECT_GT(worst_scaled_jacobian(mesh), 0.9);  // a wrong order of mid nodes would tangle it
}

TEST(ReadGmsh, StraightHexahedra) {
  const Mesh mesh = read_gmsh(data("tube_1.msh"));
  EXPECT_EQ(mesh.cells[0].type, (CellType{Shape::hexahedron, 1}));
  EXPECT_NEAR(measure(mesh, "body").size, 0.5 * 3 * std::sin(pi / 6) * 3,
              1e-12);  // three chords of 30°
}

TEST(ReadGmsh, CurvedTetrahedra) {
  const Mesh mesh = read_gmsh(data("ball.msh"));
  EXPECT_EQ(mesh.cells[0].type, (CellType{Shape::tetrahedron, 2}));
  EXPECT_NEAR(measure(mesh, "body").size, pi / 6, 2e-3);
  EXPECT_NEAR(measure(mesh, "sphere").size, pi / 2, 4e-3);
  // the closed surface has no mean normal, so a wrong turn of one facet shows
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(measure(mesh, "sphere").normal[d] + measure(mesh, "flat").normal[d], 0, 1e-12);
    EXPECT_GT(measure(mesh, "sphere").normal[d], 0.7);
  }
  EXPECT_EQ(mesh.find_region("axis")->dim, 1);
  EXPECT_EQ(mesh.find_region("axis")->nodes.size(), 5u);
}

TEST(ReadGmsh, SerendipityCellsAreRefusedWithTheRemedy) {
  try {
    read_gmsh(data("serendipity.msh"));
    FAIL();
  } catch (const MeshError& error) {
    EXPECT_NE(std::string(error.what()).find("Mesh.SecondOrderIncomplete=0"), std::string::npos);
  }
}

// ---- what is written by hand ------------------------------------------------------------------

const std::string head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";  // lines 1–3
const std::string square =
    "$Nodes\n4\n10 0 0 0\n20 1 0 0\n30 1 1 0\n40 0 1 0\n$EndNodes\n";  // 4–10

TEST(ReadGmsh, ElementsInSeveralGroupsAreKeptOnce) {
  const Mesh mesh =
      read_text(head + "$PhysicalNames\n1\n2 5 \"all of it\"\n$EndPhysicalNames\n" + square +
                "$Elements\n5\n1 2 2 5 1 10 20 30\n2 2 2 5 1 10 30 40\n3 2 2 6 1 30 10 20\n"
                "4 1 2 7 1 10 20\n5 1 2 8 1 20 10\n$EndElements\n");
  EXPECT_EQ(mesh.cells[0].count(), 2);
  EXPECT_EQ(mesh.facets[0].count(), 1);
  EXPECT_EQ(mesh.find_region("all of it")->members[0], (std::vector{0, 1}));
  EXPECT_EQ(mesh.find_region("6")->members[0], (std::vector{0}));
  EXPECT_EQ(mesh.find_region("7")->members[0], (std::vector{0}));
  EXPECT_EQ(mesh.find_region("8")->members[0], (std::vector{0}));
}

TEST(ReadGmsh, NodesOfNoCellAreDropped) {
  const Mesh mesh = read_text(
      head + "$Nodes\n5\n7 9 9 9\n10 0 0 2\n20 1 0 2\n1000000 7 7 7\n30 1 1 2\n$EndNodes\n" +
      "$Elements\n1\n1 2 2 5 1 10 30 20\n$EndElements\n");
  EXPECT_EQ(mesh.coordinates, (std::vector<double>{0, 0, 1, 0, 1, 1}));
  EXPECT_NEAR(measure(mesh, "5").size, 0.5, 1e-15);  // it was clockwise
}

TEST(ReadGmsh, UnknownSectionsAreSkipped) {
  const Mesh mesh =
      read_text(head + "$Comments\nanything $Nodes 3\n$EndComments\n" + square +
                "$Elements\n1\n1 3 2 5 1 10 20 30 40\n$EndElements\n$NodeData\n1\n$EndNodeData\n");
  EXPECT_EQ(mesh.cells[0].count(), 1);
}

struct Mistake {
  const char* name;
  std::string text, message;  // place and a part of the message
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class Mistaken : public testing::TestWithParam<Mistake> {};
const std::string triangle_of = "$Elements\n1\n1 2 2 5 1 ";  // its nodes follow; line 13
INSTANTIATE_TEST_SUITE_P(
    ReadGmsh, Mistaken,
    testing::Values(
        Mistake{"empty", "", ":1: the file ends without $MeshFormat"},
        Mistake{"other", "solid cube\nfacet\n", ":1: found 'solid' where $MeshFormat should be"},
        Mistake{"version", "$MeshFormat\n4 0 8\n$EndMeshFormat\n",
                ":2: this is not format 2.2 or 4.1"},
        Mistake{"no_nodes", head, "the file has no $Nodes"},
        Mistake{"no_elements", head + square, "the file has no $Elements"},
        Mistake{"bad_number", head + "$Nodes\n1\n1 0 zero 0\n$EndNodes\n",
                ":6: found 'zero' where a coordinate"},
        Mistake{"nan", head + "$Nodes\n1\n1 0 nan 0\n$EndNodes\n",
                ":6: a coordinate is not a finite number"},
        Mistake{"overflow", head + "$Nodes\n1\n1 0 1e999 0\n$EndNodes\n",
                ":6: a coordinate is not a finite"},
        Mistake{"too_few", head + "$Nodes\n3\n1 0 0 0\n2 0 0 0\n$EndNodes\n",
                ":8: found '$EndNodes' where a node's"},
        Mistake{"too_many", head + "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n",
                ":7: found '2' where $EndNodes"},
        Mistake{"huge_count", head + "$Nodes\n4000000000000\n1 0 0 0\n$EndNodes\n",
                ":5: the number of nodes is"},
        Mistake{"twice", head + "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n",
                "node 1 is defined twice"},
        Mistake{"undefined_node", head + square + triangle_of + "10 20 99\n$EndElements\n",
                ":13: an element has node 99, which is not defined"},
        Mistake{"truncated", head + square + triangle_of + "10 20",
                "the file ends where a node of an element"},
        Mistake{"prism",
                head + square + "$Elements\n1\n1 6 2 5 1 10 20 30 10 20 30\n$EndElements\n",
                ":13: element type 6: prisms are not supported"},
        Mistake{"flat", head + square + triangle_of + "10 20 20\n$EndElements\n",
                ":13: a cell is flat"},
        Mistake{"bow_tie", head + square + "$Elements\n1\n1 3 2 5 1 10 20 40 30\n$EndElements\n",
                ":13: a cell is turned inside out"},
        Mistake{"outline", head + square + "$Elements\n1\n1 1 2 5 1 10 20\n$EndElements\n",
                "was only its outline meshed?"},
        // Of the triangles there is a block without one.
        Mistake{"only_an_empty_block_of_cells",
                "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 2 1 2\n1 1 0 2\n1\n2\n0 0 0\n1 0 0\n$EndNodes\n"
                "$Elements\n2 1 1 1\n2 1 2 0\n1 1 1 1\n1 1 2\n$EndElements\n",
                "was only its outline meshed?"},
        Mistake{"loose_facet",
                head + square + "$Elements\n2\n1 2 2 5 1 10 20 30\n2 1 2 6 1 30 40\n$EndElements\n",
                ":14: a segment of a physical group is not a facet of any cell"},
        Mistake{
            "loose_diagonal",
            head + square + "$Elements\n2\n1 3 2 5 1 10 20 30 40\n2 1 2 6 1 10 30\n$EndElements\n",
            ":14: a segment of a physical group is not a facet of any cell"},
        Mistake{"warped",
                head + "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 1\n$EndNodes\n$Elements\n1\n1 2 2 5 1 1 "
                       "2 3\n$EndElements\n",
                "a mesh of surfaces in space"},
        Mistake{"one_name_twice",
                head + "$PhysicalNames\n2\n1 1 \"a\"\n2 1 \"a\"\n$EndPhysicalNames\n" + square +
                    "$Elements\n2\n1 2 2 1 1 10 20 30\n2 1 2 1 1 10 20\n$EndElements\n",
                "are both called 'a'"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(Mistaken, IsToldWithItsPlace) {
  const std::string error = error_of(GetParam().text);
  EXPECT_NE(error.find(GetParam().message), std::string::npos) << error;
}

TEST(ReadGmsh, AMissingFileIsNamed) {
  try {
    read_gmsh("nowhere/no.msh");
    FAIL();
  } catch (const MeshError& error) {
    EXPECT_EQ(std::string(error.what()).find("nowhere/no.msh: cannot be opened"), 0u);
  }
}

TEST(ReadGmsh, ATruncatedCompressedFileIsRefused) {
  const std::string whole = contents(data("annulus_22.msh.gz"));
  EXPECT_NE(error_of(whole.substr(0, whole.size() / 2)).find("truncated"), std::string::npos);
}

// Bytes changed, inserted and cut at random: a mesh or a MeshError, nothing else. Most must be
// noticed: a file cut in the middle always.
class Fuzz : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(ReadGmsh, Fuzz,
                         testing::Values("annulus_22.msh", "annulus_22b.msh", "annulus_41.msh",
                                         "annulus_41b.msh", "tube.msh", "annulus_22.msh.gz"));

TEST_P(Fuzz, DamagedFilesNeverDoWorseThanAMeshError) {
  const std::string whole = contents(data(GetParam()));
  ASSERT_FALSE(whole.empty());
  std::mt19937 random(1);
  const auto below = [&](size_t n) { return random() % n; };
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    for (size_t n = 1 + below(4); n > 0; --n) {
      const size_t at = below(damaged.size());
      switch (below(4)) {
        case 0: damaged[at] = static_cast<char>(below(256)); break;
        case 1: damaged[at] = "0123456789-.e$ \n"[below(16)]; break;
        case 2: damaged.insert(at, 1, static_cast<char>(below(256))); break;
        default: damaged.erase(at, 1 + below(20)); break;
      }
    }
    try {
      const Mesh mesh = read_text(damaged);
      EXPECT_GT(mesh.node_total(), 0);
    } catch (const MeshError&) {}
  }
  for (int i = 1; i < 40; ++i)
    EXPECT_THROW(read_text(whole.substr(0, whole.size() * i / 41)), MeshError);
}

}  // namespace
}  // namespace invar
