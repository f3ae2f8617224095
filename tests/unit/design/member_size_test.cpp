// Member thickness of bodies of cells: strips, discs, and bodies at walls.
#include "libfem/design/field/cell_filter.hpp"
#include "libfem/design/field/member_size.hpp"
#include "libfem/mesh/boxes.hpp"
#include "tests/unit/design/density_problem.hpp"

namespace invar {
namespace {

constexpr double cell = 0.5, accuracy = 0.25 * cell;

using test::DensityMesh;

/// A square of 24 × 24 cells of width 0.5 and the body of the cells whose middles are inside, which goes on behind some
/// sides.
MemberSizes sizes_of(const std::function<bool(double x, double y)>& inside, const std::vector<const char*>& mirrors = {"bottom", "top"}) {
  const DensityMesh m(make_rectangle(0, 0, 12, 12, 24, 24, Shape::quadrilateral, 1));
  const NoFilter cells(m.mesh, false);
  std::vector<double> density;
  for (int c = 0; c < cells.cell_count(); ++c) density.push_back(inside(m.middle(c, 0), m.middle(c, 1)) ? 0.9 : 0.2);
  std::vector<char> mirrored(m.mesh->node_total(), 0);
  for (const char* mirror : mirrors)
    for (const int node : m.mesh->find_region(mirror)->nodes) mirrored[node] = 1;
  return member_sizes(*m.mesh, density, cells.volumes(), mirrored);
}

TEST(MemberSize, IsTheWidthOfAStrip) {
  for (int width = 1; width <= 6; ++width) {
    const MemberSizes s = sizes_of([&](double x, double) { return x > 4 && x < 4 + 0.5 * width; });
    EXPECT_NEAR(s.least, 0.5 * width, accuracy) << width;
    EXPECT_NEAR(s.median, 0.5 * width, accuracy) << width;
    EXPECT_NEAR(s.volume, 12 * 0.5 * width, 1e-9);
  }
}

TEST(MemberSize, OfTwoStripsIsTheThinnerOne) {
  const MemberSizes s = sizes_of([](double x, double) { return (x > 1 && x < 2) || (x > 5 && x < 9); });
  EXPECT_NEAR(s.least, 1, accuracy);
  EXPECT_NEAR(s.median, 4, accuracy);
}

// Parts of a hundredth of the volume do not count: one cell of 0.25 hangs at a strip of 48.
TEST(MemberSize, DoesNotSeeSpecks) {
  const MemberSizes s = sizes_of([](double x, double y) { return (x > 5 && x < 9) || (x > 9 && x < 9.5 && y > 6 && y < 6.5); });
  EXPECT_NEAR(s.least, 4, accuracy);
}

TEST(MemberSize, IsTheDiameterOfADisc) {
  const MemberSizes s = sizes_of([](double x, double y) { return std::hypot(x - 6, y - 6) < 4; });
  EXPECT_NEAR(s.median, 8, 0.5);
}

// At a free edge the body ends; at a plane of symmetry its other half follows.
TEST(MemberSize, EndsAtWallsThatAreNoMirrors) {
  const auto at_bottom = [](double, double y) { return y < 2; };
  EXPECT_NEAR(sizes_of(at_bottom, {"left", "right"}).least, 2, accuracy);
  EXPECT_NEAR(sizes_of(at_bottom, {"left", "right", "bottom"}).least, 4, accuracy);
}

// A ball does not reach into the corners of a square: its corners, a fifth of its area, count as thinner.
TEST(MemberSize, CornersAreThin) {
  const MemberSizes s = sizes_of([](double x, double y) { return x > 2 && x < 10 && y > 2 && y < 10; });
  EXPECT_NEAR(s.median, 8, accuracy);
  EXPECT_LT(s.least, 4);
}

TEST(MemberSize, OfNothingIsZero) { EXPECT_EQ(sizes_of([](double, double) { return false; }).least, 0); }

}  // namespace
}  // namespace invar
