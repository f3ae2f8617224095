// An affine displacement on the boundary is the solution inside, whatever the cells look like.
#include <gtest/gtest.h>

#include "libfem/objective/reaction.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/form/exact_stress.hpp"
#include "tests/unit/form/solid_problem.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar::patches {
namespace {

using test::SolidProblem, test::Tensor, test::VectorField;

constexpr double young = 3, poisson = 0.3;

struct Cells {
  Shape shape;
  int order;
  bool curved;
};

constexpr Cells planar_cells[] = {{Shape::triangle, 1, false},      {Shape::triangle, 2, false},
                                  {Shape::triangle, 2, true},       {Shape::quadrilateral, 1, false},
                                  {Shape::quadrilateral, 2, false}, {Shape::quadrilateral, 2, true}};
constexpr Cells spatial_cells[] = {{Shape::tetrahedron, 1, false}, {Shape::tetrahedron, 2, false},
                                   {Shape::tetrahedron, 2, true},  {Shape::hexahedron, 1, false},
                                   {Shape::hexahedron, 2, false},  {Shape::hexahedron, 2, true}};

std::string describe(const Cells& c) {
  return std::string(name_of(c.shape)) + " of order " + std::to_string(c.order) + (c.curved ? ", curved" : "");
}

VectorField affine(const Tensor& H, int dim) {
  return [=](int i, const double* x) {
    double u = 0.01 * (i + 1);
    for (int j = 0; j < dim; ++j) u += H(i, j) * x[j];
    return u;
  };
}

/// Solutions, cell stresses and the force on x = 1 against the exact ones. Sums of some hundred terms
/// of size 1 carry round-off of about 1e-14; 1e-12 leaves room for the condition of the matrix.
void expect_exact(SolidProblem& problem, Vec u, const Tensor& H, const Tensor& P, const Tensor& sigma) {
  constexpr double tolerance = 1e-12;
  const int dim = problem.dim();
  EXPECT_LT(problem.largest_error(u, affine(H, dim), 0, dim), tolerance);
  const SolidFields fields = problem.fields_of(u);
  for (std::size_t c = 0; c < fields.volume.size(); ++c)
    for (int k = 0; k < 9; ++k) ASSERT_NEAR(fields.stress[9 * c + k], sigma(k / 3, k % 3), 10 * tolerance);
  for (int i = 0; i < dim; ++i) {  // ∫ P n dA over the unit area of x = 1
    std::vector<double> direction(dim, 0.0);
    direction[i] = 1;
    double force = 0;
    test::SolidProblem& p = problem;
    Reaction::force(p.residual(), "right", direction)->evaluate(test::at_full_load(*p.residual(), u), &force);
    EXPECT_NEAR(force, P(i, 0), 10 * tolerance) << "force " << i;
  }
}

void run(const Cells& cells, SolidKind kind, const char* law, const Tensor& H, const Tensor& P, const Tensor& sigma) {
  SCOPED_TRACE(describe(cells) + ", " + law);
  SolidProblem problem(test::distorted_block(cells.shape, cells.order, cells.curved), kind);
  problem.material(law, {young, poisson});
  problem.hold(test::sides(problem.dim()), affine(H, problem.dim()));
  expect_exact(problem, problem.solve(), H, P, sigma);
}

Tensor planar_gradient() { return (Tensor() << 0.12, 0.2, 0, -0.07, -0.15, 0, 0, 0, 0).finished(); }
Tensor spatial_gradient() { return (Tensor() << 0.12, 0.2, -0.1, -0.07, -0.15, 0.05, 0.11, 0.03, 0.09).finished(); }

TEST(PatchTest, SpatialSmallStrain) {
  const Tensor H = spatial_gradient(), sigma = test::hooke(H, test::lame(young, poisson));
  for (const Cells& c : spatial_cells) run(c, SolidKind::spatial, "linear_elastic", H, sigma, sigma);
}

TEST(PatchTest, SpatialFiniteStrain) {
  const Tensor H = spatial_gradient(), P = test::neo_hooke(H, test::lame(young, poisson));
  for (const Cells& c : spatial_cells) run(c, SolidKind::spatial, "neo_hookean", H, P, test::cauchy(P, H));
}

TEST(PatchTest, PlaneStrain) {
  const Tensor H = planar_gradient(), sigma = test::hooke(H, test::lame(young, poisson)),
               P = test::neo_hooke(H, test::lame(young, poisson));
  for (const Cells& c : planar_cells) {
    run(c, SolidKind::plane_strain, "linear_elastic", H, sigma, sigma);
    run(c, SolidKind::plane_strain, "neo_hookean", H, P, test::cauchy(P, H));
  }
}

/// H with H₃₃ such that P₃₃ = 0, by bisection: P₃₃ grows with H₃₃.
template <class Law>
Tensor with_free_thickness(Tensor H, Law law) {
  double low = -0.5, high = 0.5;
  for (int k = 0; k < 60; ++k) {
    H(2, 2) = 0.5 * (low + high);
    (law(H)(2, 2) < 0 ? low : high) = H(2, 2);
  }
  return H;
}

TEST(PatchTest, PlaneStress) {
  const auto m = test::lame(young, poisson);
  const auto hooke = [m](const Tensor& H) { return test::hooke(H, m); };
  const auto neo_hooke = [m](const Tensor& H) { return test::neo_hooke(H, m); };
  const Tensor small = with_free_thickness(planar_gradient(), hooke),
               finite = with_free_thickness(planar_gradient(), neo_hooke);
  for (const Cells& c : planar_cells) {
    run(c, SolidKind::plane_stress, "linear_elastic", small, hooke(small), hooke(small));
    run(c, SolidKind::plane_stress, "neo_hookean", finite, neo_hooke(finite), test::cauchy(neo_hooke(finite), finite));
  }
}

// u_r = a r, u_z = b z: the stress is uniform with σ_rr = σ_θθ. r runs from 1 to 2, so that the force
// on the outer surface is P_rr · 2π · 2 · 1.
TEST(PatchTest, Axisymmetric) {
  const Tensor H = Eigen::Vector3d(0.1, -0.06, 0.1).asDiagonal();
  for (const Cells& c : planar_cells)
    for (const bool finite : {false, true}) {
      SCOPED_TRACE(describe(c));
      const auto m = test::lame(young, poisson);
      const Tensor P = finite ? test::neo_hooke(H, m) : test::hooke(H, m), sigma = finite ? test::cauchy(P, H) : P;
      SolidProblem problem(
          test::warped(test::distorted_block(c.shape, c.order, c.curved), [](double* x) { x[0] += 1; }),
          SolidKind::axisymmetric);
      problem.material(finite ? "neo_hookean" : "linear_elastic", {young, poisson});
      const VectorField exact = [&](int i, const double* x) { return H(i, i) * x[i]; };
      problem.hold(test::sides(2), exact);
      Vec u = problem.solve();
      EXPECT_LT(problem.largest_error(u, exact, 0, 2), 1e-12);
      const SolidFields fields = problem.fields_of(u);
      for (std::size_t k = 0; k < fields.stress.size(); ++k)
        ASSERT_NEAR(fields.stress[k], sigma(k % 9 / 3, k % 3), 1e-11);
      double force = 0;
      Reaction::force(problem.residual(), "right", {1, 0})->evaluate(test::at_full_load(*problem.residual(), u), &force);
      EXPECT_NEAR(force, P(0, 0) * 4 * std::numbers::pi, 1e-10);
    }
}

// A gradient that keeps the volume, a uniform pressure; x = 1 is loaded by the stress, so that the
// pressure is determined.
void run_incompressible(const Cells& cells, SolidKind kind, const char* law, const Tensor& H, const Tensor& P) {
  SCOPED_TRACE(describe(cells) + ", " + law);
  constexpr double pressure = 0.4;
  SolidProblem problem(test::distorted_block(cells.shape, 2, cells.curved), kind, {.mixed = true});
  const int dim = problem.dim();
  problem.material(law, {young, test::infinity});
  problem.traction("right", [&](int i, const double*) { return P(i, 0); });
  std::vector<std::string> held = test::sides(dim);
  held.erase(held.begin() + 1);
  problem.hold(held, affine(H, dim));
  Vec u = problem.solve();
  EXPECT_LT(problem.largest_error(u, affine(H, dim), 0, dim), 1e-12);
  EXPECT_LT(problem.largest_error(u, [=](int, const double*) { return pressure; }, dim, dim + 1), 1e-11);
}

void run_incompressible(const Cells& cells, SolidKind kind, Tensor H) {
  constexpr double pressure = 0.4, mu = young / 3;
  const Tensor small = H - H.trace() / (kind == SolidKind::spatial ? 3 : 2) *
                               (kind == SolidKind::spatial ? Tensor::Identity().eval()
                                                           : Tensor(Eigen::Vector3d(1, 1, 0).asDiagonal()));
  run_incompressible(cells, kind, "linear_elastic", small,
                     mu * (small + small.transpose()) - pressure * Tensor::Identity());
  Tensor F = Tensor::Identity() + H;
  F.row(0) /= F.determinant();
  const Tensor finite = F - Tensor::Identity();
  run_incompressible(cells, kind, "neo_hookean", finite, test::incompressible_neo_hooke(finite, mu, pressure));
}

TEST(PatchTest, IncompressiblePlaneStrain) {
  for (const Cells& c : planar_cells)
    if (c.order == 2) run_incompressible(c, SolidKind::plane_strain, planar_gradient());
}

TEST(PatchTest, IncompressibleInSpace) {
  for (const Cells& c : spatial_cells)
    if (c.order == 2) run_incompressible(c, SolidKind::spatial, spatial_gradient());
}

TEST(PatchTest, TrianglesAndQuadrilateralsTogether) {
  const Tensor H = planar_gradient(), P = test::neo_hooke(H, test::lame(young, poisson));
  for (const int order : {1, 2}) {
    SolidProblem problem(test::mixed_rectangle(4, 3, order), SolidKind::plane_strain);
    problem.material("neo_hookean", {young, poisson});
    problem.hold(test::sides(2), affine(H, 2));
    expect_exact(problem, problem.solve(), H, P, test::cauchy(P, H));
  }
}

}  // namespace
}  // namespace invar::patches
