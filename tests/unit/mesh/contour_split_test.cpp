#include "libfem/mesh/contour_split.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <random>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/cell_facets.hpp"
#include "libfem/mesh/cell_quality.hpp"
#include "libfem/mesh/mark_cells.hpp"
#include "libfem/mesh/simplex_body.hpp"
#include "tests/unit/mesh/measure.hpp"

namespace invar {
namespace {

Mesh grid(Shape shape, int n) {
  if (dimension_of(shape) == 2) return make_rectangle(0, 0, 1, 1, n, n, shape);
  return make_box({0, 0, 0}, {1, 1, 1}, {n, n, n}, shape);
}

std::vector<int> one_kind(const Mesh& mesh) {
  std::size_t cells = 0;
  for (const CellBlock& block : mesh.cells) cells += static_cast<std::size_t>(block.count());
  return std::vector<int>(cells, 0);
}

std::vector<double> at_nodes(const Mesh& mesh, const std::function<double(const double*)>& f) {
  std::vector<double> values;
  for (int n = 0; n < mesh.node_total(); ++n) values.push_back(f(&mesh.coordinates[std::size_t(n) * mesh.dim]));
  return values;
}

/// Moves inner nodes at random, so that cells are irregular.
void distort(Mesh& mesh, double size, std::mt19937& random) {
  std::uniform_real_distribution<double> step(-size, size);
  for (std::size_t n = 0; n < mesh.coordinates.size(); n += mesh.dim) {
    bool inside = true;
    for (int i = 0; i < mesh.dim; ++i) inside = inside && mesh.coordinates[n + i] > 1e-9 && mesh.coordinates[n + i] < 1 - 1e-9;
    for (int i = 0; inside && i < mesh.dim; ++i) mesh.coordinates[n + i] += step(random);
  }
}

double worst_quality(const Mesh& mesh, const ContourSplit& split) {
  const CellQuality quality({mesh.dim == 2 ? Shape::triangle : Shape::tetrahedron, 1});
  double worst = 1;
  for (const Simplex& s : split.cells) worst = std::min(worst, quality.at_vertices(split.coordinates.data(), s.data()).low);
  return worst;
}

/// Conforming: every side belongs to one simplex or to two of opposite orientation; those of one only are the boundary, whose normals add up
/// to zero and whose size is `boundary`.
void expect_conforming(const Mesh& mesh, const ContourSplit& split, double boundary) {
  const Shape shape = mesh.dim == 2 ? Shape::triangle : Shape::tetrahedron;
  std::map<VertexKey, int> count;
  std::map<VertexKey, SimplexSide> sides;
  for (const Simplex& s : split.cells)
    for (const ReferenceFacet& facet : facets_of(shape)) {
      SimplexSide side{-1, -1, -1};
      for (int i = 0; i < mesh.dim; ++i) side[i] = s[facet.vertices[i]];
      const VertexKey key = vertex_key(std::span<const int>(side.data(), std::size_t(mesh.dim)));
      ++count[key];
      sides[key] = side;
    }
  double open = 0;
  for (const auto& [key, n] : count) {
    ASSERT_LE(n, 2);
    if (n == 1) open += side_measure(mesh.dim, split.coordinates.data(), sides[key]);
  }
  ASSERT_NEAR(open, boundary, 1e-12);
  double named = 0;
  for (const SimplexSide& side : split.facets) {
    ASSERT_EQ(count.at(vertex_key(std::span<const int>(side.data(), std::size_t(mesh.dim)))), 1);
    named += side_measure(mesh.dim, split.coordinates.data(), side);
  }
  ASSERT_NEAR(named, boundary, 1e-12);
}

struct RandomCase {
  Shape shape;
  int cells;
  double distortion;
  double quality;  // scaled Jacobian that is kept
};

// Any field, smooth or not: no cell is inverted, none is a sliver, nothing is lost, and cells meet in common sides.
TEST(ContourSplit, KeepsVolumeConformityAndQualityForRandomFields) {
  for (const RandomCase& of : {RandomCase{Shape::quadrilateral, 4, 0, 0.15}, {Shape::triangle, 4, 0, 0.15}, {Shape::quadrilateral, 4, 0.05, 0.08},
                               {Shape::hexahedron, 2, 0, 0.03}, {Shape::tetrahedron, 2, 0, 0.03}, {Shape::hexahedron, 3, 0.05, 0.01}}) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> value(-1, 1);
    const int dim = dimension_of(of.shape);
    double worst = 1;
    for (int k = 0; k < (dim == 2 ? 1000 : 250); ++k) {
      Mesh mesh = grid(of.shape, of.cells);
      distort(mesh, of.distortion, random);
      std::array<double, 4> wave{};
      for (double& w : wave) w = 6 * value(random);
      const bool smooth = k % 2 == 1;
      const std::vector<double> level = at_nodes(mesh, [&](const double* x) {
        return smooth ? std::sin(wave[0] * x[0] + wave[1] * x[1] + (dim == 3 ? wave[2] * x[2] : 0) + wave[3]) : value(random);
      });
      const ContourSplit split = split_at_contour(mesh, level, one_kind(mesh));
      double volume[2] = {};
      for (std::size_t c = 0; c < split.cells.size(); ++c) {
        const double part = simplex_volume(dim, split.coordinates.data(), split.cells[c]);
        ASSERT_GT(part, 0);
        volume[split.side[c] > 0] += part;
      }
      ASSERT_NEAR(volume[0] + volume[1], 1, 1e-13);
      expect_conforming(mesh, split, 2 * dim);
      worst = std::min(worst, worst_quality(mesh, split));
    }
    std::cout << name_of(of.shape) << " distorted " << of.distortion << ": worst quality " << worst << '\n';
    EXPECT_GT(worst, of.quality) << name_of(of.shape) << of.distortion;
  }
}

TEST(ContourSplit, FitsADiscAndASphereToSecondOrder) {
  const double r = 0.34;
  for (const Shape shape : {Shape::quadrilateral, Shape::triangle, Shape::hexahedron, Shape::tetrahedron}) {
    const int dim = dimension_of(shape);
    const double exact = dim == 2 ? std::numbers::pi * r * r : 4 * std::numbers::pi * r * r * r / 3;
    std::vector<double> errors;
    for (const int n : dim == 2 ? std::vector{8, 16, 32, 64} : std::vector{6, 12, 24}) {
      const Mesh mesh = grid(shape, n);
      const std::vector<double> level = at_nodes(mesh, [&](const double* x) {
        return r - std::hypot(x[0] - 0.52, x[1] - 0.47, dim == 3 ? x[2] - 0.49 : 0.0);
      });
      const ContourSplit split = split_at_contour(mesh, level, one_kind(mesh));
      double volume = 0, farthest = 0;
      for (std::size_t c = 0; c < split.cells.size(); ++c)
        if (split.side[c] > 0) {
          volume += simplex_volume(dim, split.coordinates.data(), split.cells[c]);
          for (int k = 0; k <= dim; ++k) {
            const double* x = &split.coordinates[std::size_t(split.cells[c][k]) * dim];
            farthest = std::max(farthest, std::hypot(x[0] - 0.52, x[1] - 0.47, dim == 3 ? x[2] - 0.49 : 0.0) - r);
          }
        }
      errors.push_back(std::abs(volume - exact) / exact);
      std::cout << name_of(shape) << ' ' << n << ": relative error " << errors.back() << ", " << farthest << ", quality " << worst_quality(mesh, split) << '\n';
      EXPECT_LT(farthest, 0.5 / (n * n * r));
    }
    const double order = std::log2(errors.front() / errors.back()) / static_cast<double>(errors.size() - 1);
    EXPECT_GT(order, 1.8) << name_of(shape);
  }
}

}  // namespace
}  // namespace invar
