// Contours of densities: nodal values from means over cells, volumes, bodies that supports hold.
#include "libfem/design/field/fitted_body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "libfem/mesh/boxes.hpp"

namespace invar {
namespace {

/// A field at the middles of the cells of a mesh of one kind.
std::vector<double> at_middles(const Mesh& mesh, const std::function<double(double x, double y)>& f) {
  const CellBlock& block = mesh.cells[0];
  const int n = node_count(block.type);
  std::vector<double> values;
  for (int c = 0; c < block.count(); ++c) {
    double x = 0, y = 0;
    for (int a = 0; a < n; ++a) x += mesh.coordinates[mesh.dim * std::size_t(block.nodes[c * n + a])] / n, y += mesh.coordinates[mesh.dim * std::size_t(block.nodes[c * n + a]) + 1] / n;
    values.push_back(f(x, y));
  }
  return values;
}

TEST(FittedBodyField, NodalValuesAreOfSecondOrderUpToTheBoundary) {
  for (const Shape shape : {Shape::quadrilateral, Shape::triangle}) {
    double before = 0;
    for (const int n : {10, 20, 40}) {
      const Mesh mesh = make_rectangle(0, 0, 1, 1, n, n, shape);
      const auto f = [](double x, double y) { return std::sin(2 * x + 1) * std::cos(3 * y); };
      const std::size_t cells = static_cast<std::size_t>(mesh.cells[0].count());
      const std::vector<double> nodal = nodal_from_cell_means(mesh, at_middles(mesh, f), std::vector<double>(cells, 1.0 / static_cast<double>(cells)));
      double worst = 0;
      for (int k = 0; k < mesh.node_total(); ++k) worst = std::max(worst, std::abs(nodal[k] - f(mesh.coordinates[2 * k], mesh.coordinates[2 * k + 1])));
      if (n > 10) {
        EXPECT_LT(worst, before / 3.2) << name_of(shape) << n;
      }
      before = worst;
    }
  }
}

// A strip of one cell between others keeps its width: up to the jumps of all nodes at once that are near its sides. A disc keeps its size.
TEST(FittedBodyField, MembersOfOneCellStay) {
  const Mesh mesh = make_rectangle(0, 0, 1, 1, 20, 20, Shape::quadrilateral);
  DensityOnCells density;
  density.filtered = at_middles(mesh, [](double x, double) { return x > 0.5 && x < 0.55 ? 0.8 : 0.1; });
  density.fixed.assign(400, -1);
  density.volume = 0.05;
  const FittedBody strip = fit_body(mesh, density, {});
  EXPECT_NEAR(strip.volume, 0.05, 0.05 * 0.05);
  density.filtered = at_middles(mesh, [](double x, double y) { return 0.5 + 0.3 - std::hypot(x - 0.5, y - 0.5); });
  density.volume = 0;
  density.level = 0.5;
  EXPECT_NEAR(fit_body(mesh, density, {}).volume, std::numbers::pi * 0.09, 0.006);
}

}  // namespace
}  // namespace invar
