// The stabilisation of equal order: its terms at a point, that it vanishes for exact solutions in the discrete space, and that it
// stabilises if inertia dominates.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "libfluid/flow/navier_stokes.hpp"
#include "tests/unit/flow/flow_problem.hpp"

namespace invar {
namespace {

using test::FlowOptions, test::FlowProblem, test::VectorField;
using enum FlowDiscretisation;

// The metric in the stabilisation does not depend on the order of a cell's vertices; on the regular
// cell of edge h it is 4/h².
TEST(FlowStabilisation, ElementMetricsDoNotDependOnNumbering) {
  const double vertex[4][3] = {{0.1, 0.2, 0}, {1.3, 0.4, 0.2}, {0.5, 1.1, -0.1}, {0.3, 0.6, 0.9}};
  int order[4] = {0, 1, 2, 3};
  const auto metric = [&] {
    Matrix<double, 3, 3> A;
    for (int i = 0; i < 3; ++i)
      for (int m = 0; m < 3; ++m) A(i, m) = vertex[order[m + 1]][i] - vertex[order[0]][i];
    return element_metric(A, ReferenceMetric::of(Shape::tetrahedron));
  };
  const auto first = metric();
  while (std::next_permutation(order, order + 4)) {
    const auto again = metric();
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(again.entries[k], first.entries[k], 1e-12 * std::abs(first.entries[0]));
  }
  constexpr double h = 0.3;
  const double root = std::sqrt(3.0);
  const Matrix<double, 2, 2> triangle{h, 0.5 * h, 0, 0.5 * root * h}, square{h, 0, 0, h};
  const Matrix<double, 3, 3> tetrahedron{h, 0.5 * h,        0.5 * h,       //
                                         0, 0.5 * root * h, root / 6 * h,  //
                                         0, 0,              std::sqrt(2.0 / 3) * h};
  const auto expect_isotropic = [&](const auto& G, int dim) {
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) EXPECT_NEAR(G(i, j), i == j ? 4 / (h * h) : 0, 1e-12 / (h * h));
  };
  expect_isotropic(element_metric(triangle, ReferenceMetric::of(Shape::triangle)), 2);
  expect_isotropic(element_metric(square, ReferenceMetric::of(Shape::quadrilateral)), 2);
  expect_isotropic(element_metric(tetrahedron, ReferenceMetric::of(Shape::tetrahedron)), 3);
}

/// A velocity that is linear in space and a pressure gradient, with the force that they need by the strong
/// form, written out for each kind of flow.
template <class K>
struct LinearFlow {
  static constexpr int dim = K::dim;
  double rho = 1.3, mu = 0.4, alpha = 0.7, radius = 0.8, p = 0.6;
  bool stress_form = false;
  double u[dim], L[dim][dim], grad_p[dim], delta[dim];  // delta: strong residual

  explicit LinearFlow(int seed) {
    std::mt19937 random(seed);
    const auto draw = [&] { return std::generate_canonical<double, 53>(random) - 0.3; };
    for (int i = 0; i < dim; ++i) {
      u[i] = draw(), grad_p[i] = draw(), delta[i] = draw();
      for (int j = 0; j < dim; ++j) L[i][j] = draw();
    }
  }
  double stress(int i, int j) const { return mu * (L[i][j] + (stress_form ? L[j][i] : 0)); }
  double hoop() const { return mu * (stress_form ? 2 : 1) * u[0] / radius; }
  double divergence() const {
    double d = K::axisymmetric ? u[0] / radius : 0;
    for (int i = 0; i < dim; ++i) d += L[i][i];
    return d;
  }
  /// ρ u·∇u + α u + ∇p − ∇·τ − δ; of ∇·τ only the hoop's part is not zero.
  double force(int i) const {
    double f = alpha * u[i] + grad_p[i] - delta[i];
    for (int j = 0; j < dim; ++j) f += rho * u[j] * L[i][j];
    if (K::axisymmetric) f -= (i == 0 ? stress(0, 0) - hoop() : stress(1, 0)) / radius;
    return f;
  }
};

/// The flux with stabilisation minus the one without is τ_M δ ⊗ ρ u + τ_C ∇·u I with ∇v, τ_C ∇·u with
/// v_r/r and −τ_M δ with ∇q.
template <class K>
void expect_stabilisation(const LinearFlow<K>& flow, bool convection) {
  constexpr int dim = K::dim;
  const Shape shape = dim == 2 ? Shape::triangle : Shape::tetrahedron;
  const NavierStokes<K, true> with{{}, convection, flow.stress_form, ReferenceMetric::of(shape)};
  const NavierStokes<K, false> without{{}, convection, flow.stress_form, {}};
  PointGeometry<double, dim, dim> g;
  for (int i = 0; i < dim; ++i)
    for (int m = 0; m < dim; ++m) g.A(i, m) = (i == m ? 0.3 : 0.0) + 0.05 * i - 0.02 * m;
  g.measure = det(g.A);
  g.x[0] = flow.radius;
  std::array<double, NavierStokes<K, true>::ns> z;
  std::array<double, NavierStokes<K, false>::ns> y;
  std::vector<double> p{flow.rho, flow.mu};
  double speed = 0;
  for (int i = 0; i < dim; ++i) {
    z[K::velocity(i)] = flow.u[i], z[K::pressure_gradient(i)] = flow.grad_p[i];
    for (int j = 0; j < dim; ++j) z[K::gradient(i, j)] = flow.L[i][j];
    double inertia = 0;
    for (int j = 0; j < dim; ++j) inertia += flow.rho * flow.u[j] * flow.L[i][j];
    p.push_back(flow.force(i) - (convection ? 0 : inertia));
  }
  p.push_back(flow.alpha);
  z[K::pressure] = flow.p;
  std::copy_n(z.begin(), y.size(), y.begin());
  const auto f = with.flux(z, g, p.data());
  const auto f0 = without.flux(y, g, p.data());

  const auto G = element_metric(g.A, with.metric);
  double square = 0;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) {
      square += 36 * flow.mu * flow.mu * G(i, j) * G(i, j);
      speed += flow.u[i] * G(i, j) * flow.u[j];
    }
  const double tau = 1 / std::sqrt(square + flow.alpha * flow.alpha + (convection ? flow.rho * flow.rho * speed : 0)),
               bulk = flow.divergence() / (tau * trace(G)),
               volume = g.measure * (K::axisymmetric ? 2 * std::numbers::pi * flow.radius : 1);
  const double tolerance = 1e-13;
  for (int i = 0; i < dim; ++i) {
    EXPECT_NEAR(f[K::pressure_gradient(i)], -tau * flow.delta[i] * volume, tolerance);
    const double hoop = K::axisymmetric && i == 0 ? bulk / flow.radius : 0;
    EXPECT_NEAR(f[K::velocity(i)] - f0[K::velocity(i)], hoop * volume, tolerance);
    for (int j = 0; j < dim; ++j) {
      const double streamline = convection ? tau * flow.delta[i] * flow.rho * flow.u[j] : 0;
      EXPECT_NEAR(f[K::gradient(i, j)] - f0[K::gradient(i, j)], (streamline + (i == j ? bulk : 0)) * volume, tolerance);
    }
  }
  EXPECT_EQ(f[K::pressure], f0[K::pressure]);
}

TEST(FlowStabilisation, AddsWhatTheStrongFormLacks) {
  const auto check = []<class K>(K) {
    for (const bool convection : {true, false})
      for (const bool stress_form : {true, false})
        for (int seed = 1; seed <= 5; ++seed) {
          LinearFlow<K> flow(seed);
          flow.stress_form = stress_form;
          expect_stabilisation(flow, convection);
        }
  };
  check(PlanarFlow{});
  check(AxisymmetricFlow{});
  check(SpatialFlow{});
}

// Linear u and p with the linear force that they need are solved exactly on any mesh of simplices.
TEST(FlowStabilisation, LinearFlowsAreExact) {
  constexpr double rho = 1.3, mu = 0.4, alpha = 0.7;
  for (const auto kind : {FlowKind::planar, FlowKind::axisymmetric, FlowKind::spatial}) {
    const int dim = kind == FlowKind::spatial ? 3 : 2;
    // u = u₀ + L x without divergence; axisymmetric u_r = a r, u_z = c − 2 a z.
    double L[3][3] = {{0.5, 0.8, -0.3}, {0.2, -0.5, 0.4}, {0.6, -0.1, 0}}, u0[3] = {0.9, 0.3, -0.2};
    if (kind == FlowKind::axisymmetric) L[0][1] = L[1][0] = u0[0] = 0, L[1][1] = -1;
    const VectorField exact = [=](int c, const double* x) {
      double v = c == dim ? 0.4 : u0[c];
      for (int j = 0; j < dim; ++j) v += (c == dim ? 0.7 - 0.4 * j : L[c][j]) * x[j];
      return v;
    };
    FlowOptions o{.kind = kind, .discretisation = equal_order, .parameters = {rho, mu}, .stress_form = true,
                  .resistance = alpha};
    o.force = [=](int i, const double* x) {
      double f = 0.7 - 0.4 * i + alpha * exact(i, x);
      for (int j = 0; j < dim; ++j) f += rho * exact(j, x) * L[i][j];
      return f;
    };
    FlowProblem f(test::warped(test::distorted_block(dim == 3 ? Shape::tetrahedron : Shape::triangle, 1),
                               [](double* x) { x[0] += 0.5; }), o);
    for (const std::string& side : test::sides(dim))
      if (side != "right") f.hold({side}, exact);
    f.traction("right", [=](int i, const double* x) {
      return mu * (L[i][0] + L[0][i]) - (i == 0 ? exact(dim, x) : 0.0);
    });
    Vec u = f.solve();
    EXPECT_LT(f.largest_error(u, exact, 0, dim), 1e-12);
    EXPECT_LT(f.largest_error(u, exact, dim, dim + 1), 1e-11);
  }
}

// u = (U, v(x)) with ρ U v′ = μ v″ solves the equations exactly. Cells of Péclet number 20 cannot resolve
// its layer at x = 1; without stabilisation v alternates between nodes with amplitudes near one.
TEST(FlowStabilisation, LayersDoNotOscillate) {
  constexpr double U = 1, mu = 1.0 / 640;
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    FlowProblem f(make_rectangle(0, 0, 1, 1, 16, 16, shape), {.discretisation = equal_order, .parameters = {1, mu}});
    const auto end = [](int i, const double* x) { return i == 0 ? U : x[0] > 1 - 1e-9 ? 1.0 : 0.0; };
    f.hold({"left", "bottom", "top", "right"}, end);
    f.hold("left_bottom", 2);
    EXPECT_LT(f.largest_error(f.solve(), end, 1, 2), 0.2);
  }
}

}  // namespace
}  // namespace invar
