// The mixing norm of a scalar against closed forms. For stirring see passive_scalar_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "libfem/objective/mixing_norm.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar {
namespace {

using std::numbers::pi;
using Function = std::function<double(const double* x)>;

/// What is asked of c = f at the vertices of a mesh; y for a length.
double mixing_norm(const Mesh& serial, bool axisymmetric, double length, const Function& f, const std::string& region = "") {
  const auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
  const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"c", 1}}, PETSC_COMM_WORLD);
  const auto residual = std::make_shared<FormResidual>(dofs);
  residual->finish();
  VecHandle u = residual->create_vector();
  double* c = nullptr;
  check(VecGetArray(u, &c));
  for (int n = 0; n < mesh->n_owned_nodes; ++n)
    if (const int dof = dofs->dof(n, 0); dof >= 0) c[dof] = f(&mesh->coordinates[std::size_t(n) * mesh->dim]);
  check(VecRestoreArray(u, &c));
  MixingNorm norm(residual, 0, region, length, axisymmetric);
  double y = 0;
  norm.evaluate(test::at_full_load(*residual, u), &y);
  return y;
}

/// An eigenfunction of the Laplacian with the natural boundary, −Δc = square c, and ∫ c².
struct Mode {
  const char* name;
  int dim;
  bool axisymmetric;
  Shape shape;
  Function c;
  double square, content;
};

const double bessel_root = 3.8317059702075123;  // of J₁

std::vector<Mode> modes() {
  const Function plane = [](const double* x) { return std::cos(pi * x[0]) * std::cos(2 * pi * x[1]); };
  const Function space = [=](const double* x) { return plane(x) * std::cos(pi * x[2]); };
  const Function pipe = [](const double* x) { return std::cyl_bessel_j(0, bessel_root * x[0]) * std::cos(pi * x[1]); };
  const double at_wall = std::cyl_bessel_j(0, bessel_root);
  const double pipe_content = pi * at_wall * at_wall / 2, pipe_square = bessel_root * bessel_root + pi * pi;
  return {{"triangles", 2, false, Shape::triangle, plane, 5 * pi * pi, 0.25},
          {"quadrilaterals", 2, false, Shape::quadrilateral, plane, 5 * pi * pi, 0.25},
          {"axisymmetric triangles", 2, true, Shape::triangle, pipe, pipe_square, pipe_content},
          {"axisymmetric quadrilaterals", 2, true, Shape::quadrilateral, pipe, pipe_square, pipe_content},
          {"tetrahedra", 3, false, Shape::tetrahedron, space, 6 * pi * pi, 0.125},
          {"hexahedra", 3, false, Shape::hexahedron, space, 6 * pi * pi, 0.125}};
}

Mesh unit_vessel(const Mode& m, int n) {
  if (m.dim == 3) return make_box({0, 0, 0}, {1, 1, 1}, {n, n, n}, m.shape, 2);
  return make_rectangle(0, 0, 1, 1, n, n, m.shape, 2);
}

// ∫ c² / (1 + l² k²), whatever is added to c.
TEST(MixingNormTest, CosinesCountByTheirWaveNumber) {
  for (const Mode& m : modes())
    for (const double length : {0.0, 0.1, 3.0}) {
      SCOPED_TRACE(std::string(m.name) + " " + std::to_string(length));
      const double exact = m.content / (1 + length * length * m.square);
      double errors[2];
      for (int level = 0; level < 2; ++level) {
        const Mesh mesh = unit_vessel(m, (m.dim == 3 ? 8 : 16) << level);
        const double y = mixing_norm(mesh, m.axisymmetric, length, [&](const double* x) { return 40 + m.c(x); });
        errors[level] = std::abs(y / exact - 1);
      }
      EXPECT_LT(errors[1], m.dim == 3 ? 0.08 : 0.02);
      EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.3);
    }
}

// The norm of a constant is zero; it depends on the deviation from the mean, and its square is quadratic.
TEST(MixingNormTest, IsOfTheDifferenceFromTheMean) {
  const Mesh mesh = test::warped(make_rectangle(0, 0, 1, 1, 5, 4, Shape::quadrilateral, 2),
                                 [](double* x) { x[1] += 0.1 * std::sin(3 * x[0]) * x[1]; });
  const Function c = [](const double* x) { return std::exp(-3 * x[0]) + 0.3 * x[1]; };
  const double y = mixing_norm(mesh, false, 0.2, c);
  EXPECT_LT(mixing_norm(mesh, false, 0.2, [](const double*) { return 7.0; }), 1e-20);
  EXPECT_NEAR(mixing_norm(mesh, false, 0.2, [&](const double* x) { return 5 - 2 * c(x); }), 4 * y, 1e-11 * y);
  // Between the variance and nothing.
  double before = mixing_norm(mesh, false, 0, c);
  for (const double length : {0.01, 0.1, 1.0, 10.0}) {
    const double now = mixing_norm(mesh, false, length, c);
    EXPECT_LT(now, before);
    EXPECT_GT(now, 0);
    before = now;
  }
  // As l grows l² y tends to ∫ |∇ψ|², −Δψ = c'.
  const double far = 1e6 * mixing_norm(mesh, false, 1e3, c), farther = 1e8 * mixing_norm(mesh, false, 1e4, c);
  EXPECT_NEAR(farther / far, 1, 1e-5);
}

/// The cells with x < 1/2 as a region of their own.
Mesh with_left_half(Mesh mesh) {
  Region half{"half", 2, {}, {}};
  half.members.resize(mesh.cells.size());
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const int per_cell = node_count(mesh.cells[b].type);
    for (int e = 0; e < mesh.cells[b].count(); ++e) {
      double centre = 0;
      for (int a = 0; a < per_cell; ++a)
        centre += mesh.coordinates[std::size_t(mesh.cells[b].nodes[std::size_t(e) * per_cell + a]) * 2] / per_cell;
      if (centre > 0.5) continue;
      half.members[b].push_back(e);
      for (int a = 0; a < per_cell; ++a) half.nodes.push_back(mesh.cells[b].nodes[std::size_t(e) * per_cell + a]);
    }
  }
  std::ranges::sort(half.nodes);
  half.nodes.erase(std::unique(half.nodes.begin(), half.nodes.end()), half.nodes.end());
  mesh.regions.push_back(std::move(half));
  return mesh;
}

// For a region it is the same as for a mesh of the region only.
TEST(MixingNormTest, OfARegionKnowsNothingElse) {
  const Function c = [](const double* x) { return std::cos(4 * x[0]) + x[1] * x[0]; };
  const double alone = mixing_norm(make_rectangle(0, 0, 0.5, 1, 4, 6, Shape::triangle, 2), false, 0.15, c);
  const Mesh whole = with_left_half(make_rectangle(0, 0, 1, 1, 8, 6, Shape::triangle, 2));
  EXPECT_NEAR(mixing_norm(whole, false, 0.15, c, "half"), alone, 1e-12 * alone);
}

TEST(MixingNormTest, RefusesWhatIsNone) {
  const Mesh mesh = make_rectangle(0, 0, 1, 1, 2, 2, Shape::triangle, 2);
  const Function none = [](const double*) { return 0.0; };
  EXPECT_THROW(mixing_norm(mesh, false, -1, none), std::invalid_argument);
  EXPECT_THROW(mixing_norm(mesh, false, NAN, none), std::invalid_argument);
  EXPECT_THROW(mixing_norm(mesh, false, 1, none, "nowhere"), std::invalid_argument);
}

}  // namespace
}  // namespace invar
