// Airfoils and the structured meshes around them.
#include "libfem/mesh/airfoil_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <set>
#include <unistd.h>

#include "libfem/mesh/grid_spacing.hpp"
#include "libfem/mesh/mesh_error.hpp"
#include "tests/unit/mesh/measure.hpp"

namespace invar {
namespace {

using Options = AirfoilMeshOptions;

Options options(Options::Topology topology, int refine = 0) {
  return {.topology = topology, .chord = 2, .radius = 50, .around = 64, .wake = 16, .normal = 24, .first = 1e-4, .leading = 4e-3, .trailing = 2e-3, .refine = refine};
}

/// The formula of the Turbulence Modeling Resource of NASA for NACA 0012 with a sharp trailing edge.
double resource_0012(double x) {
  return 0.594689181 * (0.298222773 * std::sqrt(std::max(0.0, x)) - 0.127125232 * x - 0.357907906 * x * x + 0.291984971 * x * x * x - 0.105174606 * std::pow(x, 4));
}

std::filesystem::path written(const std::string& name, const std::string& text) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("invar_profile_" + std::to_string(getpid()) + name);
  std::ofstream(file) << text;
  return file;
}

TEST(AirfoilProfile, Naca0012IsThatOfTheResource) {
  const AirfoilProfile p = AirfoilProfile::naca("0012");
  for (int k = 0; k <= 200; ++k) {
    const std::complex<double> z = p.point(p.length() * k / 200);
    EXPECT_NEAR(std::abs(z.imag()), resource_0012(z.real()), 2e-8) << z;
    if (k != 100) {
      EXPECT_EQ(z.imag() <= 1e-15, k < 100 || k == 200);
    }
  }
  EXPECT_NEAR(p.nose_radius(), 1.1019 * 0.12 * 0.12 / 1.00893, 2e-4);
}

// Camber 2 % at 40 % of the chord, thickness 12 %: at 40 % the sides lie at 2 % ± half of it.
TEST(AirfoilProfile, CamberedSectionsHaveTheirCamber) {
  const AirfoilProfile p = AirfoilProfile::naca("2412");
  std::complex<double> nearest[2] = {10, 10};  // of each side
  for (int k = 0; k <= 4000; ++k) {
    const std::complex<double> z = p.point(p.length() * k / 4000);
    std::complex<double>& best = nearest[k > 2000];
    if (std::abs(z.real() - 0.4) < std::abs(best.real() - 0.4)) best = z;
  }
  const double lower = nearest[0].imag(), upper = nearest[1].imag();
  EXPECT_NEAR(0.5 * (upper + lower), 0.02, 3e-4);
  EXPECT_NEAR(upper - lower, 2 * resource_0012(0.4), 5e-4);
}

TEST(AirfoilProfile, ReadsBothOrdersOfCoordinatesAndClosesTheEdge) {
  std::string selig = "a section\n", lednicer = "a section\n 41. 41.\n\n", sides[2];
  const auto y = [](double x) { return resource_0012(x) + 0.002 * x; };  // blunt
  for (int k = 0; k <= 40; ++k) {
    const double x = 0.5 * (1 - std::cos(std::numbers::pi * k / 40));
    for (int s = 0; s < 2; ++s) sides[s] += std::to_string(10 * x) + " " + std::to_string((s ? -10 : 10) * y(x)) + "\n";
  }
  lednicer += sides[0] + "\n" + sides[1];
  for (int k = -40; k <= 40; ++k) {
    const double x = 0.5 * (1 - std::cos(std::numbers::pi * std::abs(k) / 40));
    selig += std::to_string(10 * x) + " " + std::to_string((k < 0 ? 10 : -10) * y(x)) + "\n";
  }
  for (const std::string& text : {selig, lednicer}) {
    const auto file = written(".dat", text);
    const AirfoilProfile p = AirfoilProfile::read(file.string());
    EXPECT_NEAR(std::abs(p.point(0) - 1.0), 0, 1e-12);
    EXPECT_NEAR(std::abs(p.point(p.length()) - 1.0), 0, 1e-12);
    for (int k = 1; k < 50; ++k) {
      const std::complex<double> z = p.point(p.length() * k / 50);
      EXPECT_NEAR(z.imag(), (k < 25 ? -1 : 1) * resource_0012(std::max(0.0, z.real())), 2e-5) << z;
    }
    std::filesystem::remove(file);
  }
}

TEST(AirfoilProfile, RefusesWhatIsNone) {
  for (const char* digits : {"", "001", "00012", "24x2", "0050", "2012", "0412"}) EXPECT_THROW(AirfoilProfile::naca(digits), std::invalid_argument) << digits;
  EXPECT_THROW(AirfoilProfile::read("/none"), MeshError);
  EXPECT_THROW(AirfoilProfile::read("/"), MeshError);
  for (const char* text : {"1 0\n0.7 0.05\n0.4 0.06\n0.1 0.04\n0 0\n0.1 -0.03\n0.4 -0.02\n-9e19 -0.01\n1 -0.001\n", "", "title only\n", "t\n1 0\n0.5 0.1\n", "t\n1 0\n0.5 word\n", "t\n3 4\n0 0\n1 0\n", "t\n1 0\n0.5 1 2\n"}) {
    const auto file = written(".bad", text);
    EXPECT_THROW(AirfoilProfile::read(file.string()), MeshError) << text;
    std::filesystem::remove(file);
  }
}

TEST(AirfoilProfile, SaysWhichPointsAreTheSame) {
  const auto file = written(".twice", "t\n1 0\n0.7 0.05\n0.4 0.06\n0.4 0.06\n0.1 0.04\n0 0\n0.1 -0.04\n0.4 -0.06\n0.7 -0.05\n1 0\n");
  try {
    AirfoilProfile::read(file.string());
    ADD_FAILURE();
  } catch (const MeshError& e) {
    EXPECT_NE(std::string(e.what()).find("are the same, near (0.4, 0.06); remove one"), std::string::npos) << e.what();
  }
  std::filesystem::remove(file);
}

TEST(AirfoilProfile, RefusesNumbersOfPointsThatAreNone) {
  std::string points;
  for (int k = 0; k < 11; ++k) points += std::to_string(0.1 * std::abs(k - 5)) + " " + std::to_string(k < 5 ? 0.1 : -0.1) + "\n";
  for (const char* numbers : {"5.5 5.5", "1e300 1e300", "2147483653 6", "1.75 9.25"}) {
    const auto file = written(".numbers", "t\n" + std::string(numbers) + "\n" + points);
    try {
      AirfoilProfile::read(file.string());
      ADD_FAILURE() << numbers;
    } catch (const MeshError& e) {
      EXPECT_NE(std::string(e.what()).find("announces " + std::string(numbers).substr(0, 2)), std::string::npos) << numbers << ": " << e.what();
    }
    std::filesystem::remove(file);
  }
}

TEST(GridAxis, TwiceAsManyCellsKeepTheOldLines) {
  GridAxis axis(-1);
  axis.add(0, 5, 0, 0.01);
  axis.add(3, 7, 0.01, 0.5);
  EXPECT_EQ(axis.cells(), 12);
  EXPECT_DOUBLE_EQ(axis.at(0), -1);
  EXPECT_DOUBLE_EQ(axis.at(5), 0);
  EXPECT_DOUBLE_EQ(axis.at(12), 3);
  EXPECT_NEAR(axis.at(5) - axis.at(4), 0.01, 1e-12);
  const double ratio = (axis.at(3) - axis.at(2)) / (axis.at(2) - axis.at(1));
  for (double k = 0; k < 4; k += 0.5) EXPECT_NEAR((axis.at(k + 1) - axis.at(k + 0.5)) / (axis.at(k + 0.5) - axis.at(k)), std::sqrt(ratio), 1e-6);
  for (double k = 0; k < 12; k += 0.125) EXPECT_GT(axis.at(k + 0.125), axis.at(k));
}

TEST(AirfoilMesh, SurroundsTheAirfoilOnce) {
  const AirfoilProfile profile = AirfoilProfile::naca("2412");
  for (const auto topology : {Options::Topology::c, Options::Topology::o}) {
    SCOPED_TRACE(topology == Options::Topology::c ? "c" : "o");
    const Mesh mesh = make_airfoil_mesh(profile, options(topology));
    std::vector<std::string> names;
    for (const Region& r : mesh.regions) names.push_back(r.name);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()),
              (std::set<std::string>{"fluid", "airfoil", "inlet", "outlet", "far", "leading_edge", "trailing_edge"}));
    // Closed boundaries, outside and inside; the cut is none: all other facets lie between two cells.
    for (const char* closed : {"airfoil", "far"})
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(test::measure(mesh, closed).normal[i], 0, 1e-9) << closed;
    int exterior = 0, facets = 0;
    for (const auto& of_block : mesh.exterior)
      for (const unsigned char bits : of_block) exterior += std::popcount(bits);
    for (const CellBlock& block : mesh.facets) facets += block.count();
    EXPECT_EQ(exterior, facets);
    EXPECT_EQ(mesh.find_region("airfoil")->members[0].size(), 64u);
    // What the far boundary encloses, less the airfoil, is the mesh: normals point outwards of it.
    const auto enclosed = [&](const char* name) {
      double area = 0;
      for (const int f : mesh.find_region(name)->members[0]) {
        const int *n = &mesh.facets[0].nodes[2 * f];
        const double *a = &mesh.coordinates[2 * n[0]], *b = &mesh.coordinates[2 * n[1]];
        area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
      }
      return area;
    };
    const double fluid = test::measure(mesh, "fluid").size;
    EXPECT_NEAR(enclosed("far") + enclosed("airfoil"), fluid, 1e-9 * fluid);
    EXPECT_NEAR(enclosed("airfoil"), -4 * 0.0808, 4 * 0.0004);  // of the section, with chord 2
    const double* tail = &mesh.coordinates[2 * mesh.find_region("trailing_edge")->nodes[0]];
    EXPECT_NEAR(tail[0], 2, 1e-12);
    EXPECT_NEAR(tail[1], 0, 1e-12);
  }
}

TEST(AirfoilMesh, WallCellsHaveTheHeightAskedFor) {
  const Mesh mesh = make_airfoil_mesh(AirfoilProfile::naca("0012"), options(Options::Topology::c));
  std::set<int> wall;
  for (const int n : mesh.find_region("airfoil")->nodes) wall.insert(n);
  const CellBlock& cells = mesh.cells[0];
  int seen = 0;
  for (int c = 0; c < cells.count(); ++c) {
    const int* n = &cells.nodes[4 * c];
    if (!wall.contains(n[0]) || !wall.contains(n[1])) continue;
    const auto distance = [&](int a, int b) { return std::hypot(mesh.coordinates[2 * a] - mesh.coordinates[2 * b], mesh.coordinates[2 * a + 1] - mesh.coordinates[2 * b + 1]); };
    EXPECT_NEAR(distance(n[0], n[3]), 1e-4, 1e-8);
    EXPECT_NEAR(distance(n[1], n[2]), 1e-4, 1e-8);
    ++seen;
  }
  EXPECT_EQ(seen, 64);
}

// On both topologies, in triangles too: every old node is one of the finer mesh, and new ones on the wall lie on the section.
TEST(AirfoilMesh, FinerMeshesContainCoarserOnesAndFollowTheSection) {
  for (const auto topology : {Options::Topology::c, Options::Topology::o})
    for (const Shape shape : {Shape::quadrilateral, Shape::triangle}) {
      Options coarse_options = options(topology), fine_options = options(topology, 1);
      coarse_options.shape = fine_options.shape = shape;
      const AirfoilProfile profile = AirfoilProfile::naca("0012");
      const Mesh coarse = make_airfoil_mesh(profile, coarse_options), fine = make_airfoil_mesh(profile, fine_options);
      EXPECT_EQ(fine.cells[0].count(), 4 * coarse.cells[0].count());
      std::set<std::pair<double, double>> nodes;
      for (int n = 0; n < fine.node_total(); ++n) nodes.emplace(fine.coordinates[2 * n], fine.coordinates[2 * n + 1]);
      EXPECT_EQ(nodes.size(), static_cast<std::size_t>(fine.node_total()));
      for (int n = 0; n < coarse.node_total(); ++n) EXPECT_TRUE(nodes.contains({coarse.coordinates[2 * n], coarse.coordinates[2 * n + 1]}));
      for (const int n : fine.find_region("airfoil")->nodes)
        EXPECT_NEAR(std::abs(fine.coordinates[2 * n + 1]) / 2, resource_0012(fine.coordinates[2 * n] / 2), 2e-8);
    }
}

TEST(AirfoilMesh, RefusesWhatMakesNone) {
  const AirfoilProfile profile = AirfoilProfile::naca("0012");
  const auto refused = [&](auto&& change) {
    Options o = options(Options::Topology::c);
    change(o);
    EXPECT_THROW(make_airfoil_mesh(profile, o), std::invalid_argument);
  };
  refused([](Options& o) { o.around = 63; });
  refused([](Options& o) { o.normal = 1; });
  refused([](Options& o) { o.radius = 1; });
  refused([](Options& o) { o.first = 0.5; });
  refused([](Options& o) { o.leading = 1.1; });
}

}  // namespace
}  // namespace invar
