#include "libfem/space/cell_reciprocal.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "libfem/mesh/boxes.hpp"

namespace invar {
namespace {

std::vector<double> means(Mesh mesh, double (*v)(const double*)) {
  std::vector<double> nodal;
  for (int n = 0; n < mesh.node_total(); ++n) nodal.push_back(v(&mesh.coordinates[std::size_t(n) * mesh.dim]));
  return CellReciprocal(std::make_shared<const Mesh>(std::move(mesh))).means(nodal.data());
}

TEST(CellReciprocal, ApproachesTheIntegral) {
  const auto v = [](const double* x) { return 1 + x[0] + 2 * x[1]; };
  // ∫∫ 1/(1 + x + 2y) over the unit square by F = (1 + x + 2y) ln(1 + x + 2y)/2.
  const auto F = [](double s) { return s * std::log(s) / 2; };
  const double exact = F(4) - F(3) - F(2) + F(1);
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    double error[2];
    for (const int k : {0, 1}) {
      const int n = 4 << k;
      double sum = 0;
      const std::vector<double> m = means(make_rectangle(0, 0, 1, 1, n, n, shape, 1), v);
      for (const double mean : m) sum += mean / m.size();
      error[k] = std::abs(sum - exact);
    }
    EXPECT_LT(error[1], 1e-4);
    EXPECT_GT(error[0] / error[1], 5) << name_of(shape);  // degree 2 or 3: at least third order
  }
}

TEST(CellReciprocal, IsFiniteInCellsAtAWallAndZeroInCellsOfNothingElse) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    for (const double mean : means(make_rectangle(0, 0, 1, 1, 2, 2, shape, 1), [](const double* x) { return x[1]; })) EXPECT_TRUE(mean > 0 && std::isfinite(mean));
    for (const double mean : means(make_rectangle(0, 0, 1, 1, 2, 2, shape, 1), [](const double*) { return 0.0; })) EXPECT_EQ(mean, 0);
  }
  // Two Gauss points in a cell at the wall, of height 1/2: 1/d has the mean 3/h there.
  EXPECT_NEAR(means(make_rectangle(0, 0, 1, 1, 2, 2, Shape::quadrilateral, 1), [](const double* x) { return x[1]; })[0], 6, 1e-12);
}

TEST(CellReciprocal, OfWhatIsNoNumberIsNoNumber) {
  for (const double mean : means(make_rectangle(0, 0, 1, 1, 1, 1, Shape::quadrilateral, 1), [](const double*) { return std::nan(""); })) EXPECT_TRUE(std::isnan(mean));
}

}  // namespace
}  // namespace invar
