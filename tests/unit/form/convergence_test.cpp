// Manufactured solutions: the error falls with the order that the theory of finite elements promises.
// The body force is −Div P of the exact solution, by sixth-order differences of the textbook stress
// (error about 1e-12). Loads are interpolated with the cells' own basis of order k: f − I_h f is of
// size h^(k+1) and changes u by no more than that in H¹ (Strang's first lemma), so that it costs no
// order in either norm.
#include <gtest/gtest.h>

#include "tests/unit/form/exact_stress.hpp"
#include "tests/unit/form/field_error.hpp"
#include "tests/unit/form/solid_problem.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar::convergence {
namespace {

using test::ErrorNorms, test::SolidProblem, test::Tensor, test::VectorField;

constexpr double young = 2, poisson = 0.3;

/// A displacement and its gradient.
struct Solution {
  VectorField u;
  std::function<Tensor(const double* x)> H;
};

/// u_i = a_i sin(k_i · x + i): smooth, no symmetry, neither plane stress nor volume preserved.
Solution waves(int dim, double amplitude) {
  static constexpr double k[3][3] = {{1.3, 0.7, 0.5}, {-0.6, 1.1, 0.8}, {0.9, -0.5, 1.2}};
  const auto phase = [dim](int i, const double* x) {
    double s = 0.4 + i;
    for (int j = 0; j < dim; ++j) s += k[i][j] * x[j];
    return s;
  };
  return {[=](int i, const double* x) { return amplitude * std::sin(phase(i, x)); },
          [=](const double* x) {
            Tensor H = Tensor::Zero();
            for (int i = 0; i < dim; ++i)
              for (int j = 0; j < dim; ++j) H(i, j) = amplitude * k[i][j] * std::cos(phase(i, x));
            return H;
          }};
}

using Law = std::function<Tensor(const Tensor& H)>;

/// f = −Div P(x)
VectorField minus_divergence(int dim, const std::function<Tensor(const double*)>& P) {
  return [=](int i, const double* at) {
    double f = 0;
    for (int j = 0; j < dim; ++j)
      f -= test::central_difference(
          [&](double h) {
            double x[3] = {at[0], at[1], dim == 3 ? at[2] : 0};
            x[j] += h;
            return P(x)(i, j);
          },
          1e-2);
    return f;
  };
}

/// Smooth distortion, so that no superconvergence of regular meshes shows.
void distort(double* x) {
  const double b = 0.06 * std::sin(std::numbers::pi * x[0]) * std::sin(std::numbers::pi * x[1]);
  x[0] += b;
  x[1] -= 0.7 * b;
}

Mesh block(Shape shape, int order, int n) {
  const bool planar = dimension_of(shape) == 2;
  const Mesh first = test::warped(
      planar ? make_rectangle(0, 0, 1, 1, n, n, shape) : make_box({0, 0, 0}, {1, 1, 1}, {n, n, n}, shape), distort);
  return order == 2 ? to_second_order(first) : first;
}

void expect_orders(const ErrorNorms& coarse, const ErrorNorms& fine, double l2, double h1) {
  EXPECT_NEAR(std::log2(coarse.l2 / fine.l2), l2, 0.1);
  EXPECT_NEAR(std::log2(coarse.h1 / fine.h1), h1, 0.1);
}

ErrorNorms displacement_error(const Mesh& mesh, SolidKind kind, const char* law, const Law& P, const Solution& exact) {
  SolidProblem problem(mesh, kind);
  const int dim = problem.dim();
  problem.material(law, {young, poisson});
  problem.body_force(minus_divergence(dim, [&](const double* x) { return P(exact.H(x)); }));
  problem.hold(test::sides(dim), exact.u);
  return test::error_norms(*problem.dofs(), problem.solve(), 0, dim, exact.u,
                           [&](int i, int j, const double* x) { return exact.H(x)(i, j); });
}

void expect_convergence(Shape shape, int order, int n) {
  const int dim = dimension_of(shape);
  const SolidKind kind = dim == 3 ? SolidKind::spatial : SolidKind::plane_strain;
  const Solution exact = waves(dim, 0.15);
  const auto m = test::lame(young, poisson);
  const std::pair<const char*, Law> laws[] = {{"linear_elastic", [m](const Tensor& H) { return test::hooke(H, m); }},
                                              {"neo_hookean", [m](const Tensor& H) { return test::neo_hooke(H, m); }}};
  for (const auto& [name, law] : laws) {
    SCOPED_TRACE(std::string(name_of(shape)) + " of order " + std::to_string(order) + ", " + name);
    expect_orders(displacement_error(block(shape, order, n), kind, name, law, exact),
                  displacement_error(block(shape, order, 2 * n), kind, name, law, exact), order + 1, order);
  }
}

TEST(Convergence, TrianglesOfFirstOrder) { expect_convergence(Shape::triangle, 1, 12); }
TEST(Convergence, TrianglesOfSecondOrder) { expect_convergence(Shape::triangle, 2, 8); }
TEST(Convergence, QuadrilateralsOfFirstOrder) { expect_convergence(Shape::quadrilateral, 1, 12); }
TEST(Convergence, QuadrilateralsOfSecondOrder) { expect_convergence(Shape::quadrilateral, 2, 8); }
TEST(Convergence, TetrahedraOfFirstOrder) { expect_convergence(Shape::tetrahedron, 1, 4); }
TEST(Convergence, HexahedraOfSecondOrder) { expect_convergence(Shape::hexahedron, 2, 2); }

// Quarter of a ring whose arcs are parabolas through points of the circles; the inner one carries the
// exact stress.
TEST(Convergence, CurvedBoundaryOfSecondOrder) {
  const auto m = test::lame(young, poisson);
  const Solution exact = waves(2, 0.15);
  const auto stress = [&](const double* x) { return test::hooke(exact.H(x), m); };
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    SCOPED_TRACE(name_of(shape));
    ErrorNorms e[2];
    for (int k = 0; k < 2; ++k) {
      SolidProblem problem(test::quarter_ring(1, 1, 2, 2, 8 << k, 8 << k, shape, 2, 0.1), SolidKind::plane_strain);
      problem.material("linear_elastic", {young, poisson});
      problem.body_force(minus_divergence(2, stress));
      problem.traction("left", [&](int i, const double* x) {
        return -(stress(x)(i, 0) * x[0] + stress(x)(i, 1) * x[1]) / std::hypot(x[0], x[1]);
      });
      problem.hold({"right", "bottom", "top"}, exact.u);
      e[k] = test::error_norms(*problem.dofs(), problem.solve(), 0, 2, exact.u,
                               [&](int i, int j, const double* x) { return exact.H(x)(i, j); });
    }
    expect_orders(e[0], e[1], 3, 2);
  }
}

// Incompressible: u = curl of a stream function, p a wave; the stress on x = 1 fixes the pressure.
ErrorNorms mixed_error(const Mesh& mesh, double& pressure_error) {
  constexpr double mu = young / 3, c = 1, k = 1.7, l = 1.3;
  // ψ = c sin(k x) cos(l y), u = (∂ψ/∂y, −∂ψ/∂x)
  const Solution exact{[](int i, const double* x) {
                         return i == 0 ? -c * l * std::sin(k * x[0]) * std::sin(l * x[1])
                                       : -c * k * std::cos(k * x[0]) * std::cos(l * x[1]);
                       },
                       [](const double* x) {
                         Tensor H = Tensor::Zero();
                         H(0, 0) = -c * l * k * std::cos(k * x[0]) * std::sin(l * x[1]);
                         H(0, 1) = -c * l * l * std::sin(k * x[0]) * std::cos(l * x[1]);
                         H(1, 0) = c * k * k * std::sin(k * x[0]) * std::cos(l * x[1]);
                         H(1, 1) = -H(0, 0);
                         return H;
                       }};
  const auto p = [](const double* x) { return 0.3 * std::sin(2.3 * x[0] + 1.9 * x[1] + 0.3); };
  const auto stress = [&](const double* x) -> Tensor {
    return mu * (exact.H(x) + exact.H(x).transpose()) - p(x) * Tensor::Identity();
  };
  SolidProblem problem(mesh, SolidKind::plane_strain, {.mixed = true});
  problem.material("linear_elastic", {young, test::infinity});
  problem.body_force(minus_divergence(2, stress));
  problem.traction("right", [&](int i, const double* x) { return stress(x)(i, 0); });
  problem.hold({"left", "bottom", "top"}, exact.u);
  Vec u = problem.solve();
  pressure_error = test::error_norms(*problem.dofs(), u, 2, 3, [&](int, const double* x) { return p(x); },
                                     [](int, int, const double*) { return 0.0; }).l2;
  return test::error_norms(*problem.dofs(), u, 0, 2, exact.u,
                           [&](int i, int j, const double* x) { return exact.H(x)(i, j); });
}

TEST(Convergence, TaylorHood) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    SCOPED_TRACE(name_of(shape));
    double coarse_p = 0, fine_p = 0;
    const ErrorNorms coarse = mixed_error(block(shape, 2, 8), coarse_p);
    const ErrorNorms fine = mixed_error(block(shape, 2, 16), fine_p);
    expect_orders(coarse, fine, 3, 2);
    EXPECT_NEAR(std::log2(coarse_p / fine_p), 2, 0.1);
  }
}

}  // namespace
}  // namespace invar::convergence
