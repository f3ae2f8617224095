#include "libfem/mesh/mapped_boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "libfem/mesh/boxes.hpp"
#include "tests/unit/mesh/measure.hpp"

namespace invar {
namespace {

TEST(MappedBoxes, CellsInTheMiddleAreLongerByTheRatio) {
  constexpr int n = 200;
  for (const double ratio : {1.0, 4.0, 25.0}) {
    Mesh mesh = make_rectangle(2, 0, 5, 1, n, 1, Shape::quadrilateral);
    grade_box(mesh, 0, 2, 5, ratio);
    std::vector<double> x;
    for (std::size_t k = 0; k < mesh.coordinates.size(); k += 2)
      if (mesh.coordinates[k + 1] == 0) x.push_back(mesh.coordinates[k]);
    std::ranges::sort(x);
    ASSERT_EQ(x.size(), n + 1u);
    EXPECT_NEAR(x.front(), 2, 1e-14);
    EXPECT_NEAR(x.back(), 5, 1e-14);
    for (int k = 0; k <= n; ++k) EXPECT_NEAR(x[k] + x[n - k], 7, 1e-13);
    EXPECT_NEAR((x[n / 2 + 1] - x[n / 2]) / (x[1] - x[0]), ratio, 0.03 * ratio);  // of cells, whose lengths are finite
  }
}

TEST(MappedBoxes, ASquareBecomesTheQuadrilateral) {
  const std::vector<std::array<double, 2>> corners{{0, 0}, {3, 0.5}, {2.5, 2}, {-0.5, 1}};
  double area = 0;  // shoelace formula
  for (int i = 0; i < 4; ++i) area += 0.5 * (corners[i][0] * corners[(i + 1) % 4][1] - corners[i][1] * corners[(i + 1) % 4][0]);
  Mesh mesh = make_rectangle(0, 0, 1, 1, 5, 3, Shape::quadrilateral);
  map_square(mesh, corners);
  EXPECT_NEAR(test::measure(mesh, "body").size, area, 1e-13);
  const char* names[] = {"left_bottom", "right_bottom", "right_top", "left_top"};
  for (int c = 0; c < 4; ++c) {
    const int node = mesh.find_region(names[c])->nodes[0];
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(mesh.coordinates[2 * node + i], corners[c][i], 1e-14) << names[c];
  }
  for (const std::vector<std::array<double, 2>>& wrong : {std::vector<std::array<double, 2>>{{0, 0}, {0, 1}, {1, 1}, {1, 0}}, {{0, 0}, {1, 0}, {0.2, 0.2}, {0, 1}}, {{0, 0}, {1, 0}, {1, 1}}})
    EXPECT_THROW(map_square(mesh, wrong), std::invalid_argument);
}

}  // namespace
}  // namespace invar
