// Flows that are exact in the discrete space, and profiles from an integral.
#include <gtest/gtest.h>

#include <map>

#include "libfluid/objective/flow_objectives.hpp"
#include "tests/unit/flow/flow_problem.hpp"

namespace invar {
namespace {

using test::FlowOptions, test::FlowProblem, test::VectorField;
using std::numbers::pi;
using enum FlowDiscretisation;
constexpr Shape planar_shapes[] = {Shape::triangle, Shape::quadrilateral};

/// Distorted inner cells with straight edges: second-order elements represent every quadratic polynomial exactly.
Mesh distorted(double x0, double y0, double x1, double y1, int nx, int ny, Shape shape, int order = 2) {
  const Mesh mesh = test::warped(make_rectangle(0, 0, 1, 1, nx, ny, shape), [=](double* x) {
    const double bump = std::sin(pi * x[0]) * std::sin(pi * x[1]);
    x[0] = x0 + (x1 - x0) * (x[0] + 0.06 * bump);
    x[1] = y0 + (y1 - y0) * (x[1] - 0.05 * bump);
  });
  return order == 2 ? to_second_order(mesh) : mesh;
}

constexpr double rho = 1.3, mu = 0.4, G = 2.1, H = 0.5, length = 2;  // G: pressure drop per metre

// ---- exact -----------------------------------------------------------------------------

// Between plates y = ±H: u = G/2μ (H² − y²), p = p₀ + G (L − x). The outlet has only the pressure p₀, the inlet the profile.
TEST(FlowExact, PoiseuilleBetweenPlates) {
  constexpr double p0 = 0.8;
  const VectorField exact = [](int c, const double* x) {
    return c == 0 ? G / (2 * mu) * (H * H - x[1] * x[1]) : c == 1 ? 0 : p0 + G * (length - x[0]);
  };
  for (const Shape shape : planar_shapes)
    for (const bool stress_form : {false, true}) {
      FlowOptions o;
      o.parameters = {rho, mu};
      o.stress_form = stress_form;
      FlowProblem f(distorted(0, -H, length, H, 4, 3, shape), o);
      f.hold({"left", "bottom", "top"}, exact);
      f.outlet("right", p0);
      // The stress form's traction also holds the shear stress of the outlet section.
      if (stress_form) f.traction("right", [](int i, const double* x) { return i == 1 ? -G * x[1] : 0.0; });
      Vec u = f.solve();
      EXPECT_LT(f.largest_error(u, exact, 0, 2), 1e-12);
      EXPECT_LT(f.largest_error(u, exact, 2, 3), 1e-11);
      const auto dissipation = make_dissipation(FlowKind::planar, {}, f.cells(4));
      const auto energy = make_kinetic_energy(FlowKind::planar, f.cells(4));
      const auto rate = make_flow_rate(FlowKind::planar, f.facets("right"));
      const auto pressure = make_pressure_integral(FlowKind::planar, taylor_hood, f.facets("left"));
      const double Q = 2 * G * H * H * H / (3 * mu), U = G * H * H / (2 * mu);
      EXPECT_NEAR(f.integral(*rate, u), Q, 1e-12 * Q);
      EXPECT_NEAR(f.integral(*dissipation, u, {mu, 0}), Q * G * length, 1e-11 * Q * G * length);
      EXPECT_NEAR(f.integral(*energy, u, {rho}), rho * U * U * length * H * 8 / 15, 1e-11);
      EXPECT_NEAR(f.integral(*pressure, u), 2 * H * (p0 + G * length), 1e-11);
    }
}

// Pipe of radius R, x = r, y along the axis: w = G/4μ (R² − r²); Hagen and Poiseuille's Q = π G R⁴/8μ.
TEST(FlowExact, PoiseuilleInAPipe) {
  constexpr double R = 0.5;
  const VectorField exact = [](int c, const double* x) {
    return c == 0 ? 0 : c == 1 ? G / (4 * mu) * (R * R - x[0] * x[0]) : G * (length - x[1]);
  };
  for (const Shape shape : planar_shapes)
    for (const bool stress_form : {false, true}) {
      FlowOptions o;
      o.kind = FlowKind::axisymmetric;
      o.parameters = {rho, mu};
      o.stress_form = stress_form;
      FlowProblem f(distorted(0, 0, R, length, 3, 4, shape), o);
      f.hold("left", 0);  // the axis
      f.hold({"right", "bottom"}, exact);
      f.outlet("top", 0);
      if (stress_form) f.traction("top", [](int i, const double* x) { return i == 0 ? -G * x[0] / 2 : 0.0; });
      Vec u = f.solve();
      EXPECT_LT(f.largest_error(u, exact, 0, 2), 1e-12);
      EXPECT_LT(f.largest_error(u, exact, 2, 3), 1e-11);
      const double Q = pi * G * R * R * R * R / (8 * mu);
      const auto rate = make_flow_rate(FlowKind::axisymmetric, f.facets("top"));
      const auto dissipation = make_dissipation(FlowKind::axisymmetric, {}, f.cells(5));
      EXPECT_NEAR(f.integral(*rate, u), Q, 1e-12 * Q);
      EXPECT_NEAR(f.integral(*dissipation, u, {mu, 0}), Q * G * length, 1e-11 * Q * G * length);
    }
}

// The same between plates in space, driven by the pressures at both ends.
TEST(FlowExact, PoiseuilleInSpace) {
  const VectorField exact = [](int c, const double* x) {
    return c == 0 ? G / (2 * mu) * (H * H - x[1] * x[1]) : c == 3 ? G * (length - x[0]) : 0;
  };
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    FlowOptions o;
    o.kind = FlowKind::spatial;
    o.parameters = {rho, mu};
    FlowProblem f(make_box({0, -H, 0}, {length, H, 0.6}, {3, 2, 2}, shape, 2), o);
    f.hold({"bottom", "top"}, exact);
    for (const char* side : {"back", "front"}) f.hold(side, 2);
    for (const char* end : {"left", "right"})
      for (int i : {1, 2}) f.hold(end, i);
    f.outlet("left", G * length);
    f.outlet("right", 0);
    Vec u = f.solve();
    EXPECT_LT(f.largest_error(u, exact, 0, 3), 1e-12);
    EXPECT_LT(f.largest_error(u, exact, 3, 4), 1e-11);
    const auto rate = make_flow_rate(FlowKind::spatial, f.facets("right"));
    EXPECT_NEAR(f.integral(*rate, u), 0.6 * 2 * G * H * H * H / (3 * mu), 1e-12);
  }
}

// Navier's slip with friction γ adds the uniform velocity G H/γ to Poiseuille's profile. In the stress
// form, along walls that no coordinate follows: the channel is turned by 30°.
TEST(FlowExact, SlipWithFrictionInAnInclinedChannel) {
  constexpr double friction = 1.7, angle = pi / 6;
  const double c = std::cos(angle), s = std::sin(angle);
  const VectorField exact = [=](int i, const double* x) {
    const double along = c * x[0] + s * x[1], across = -s * x[0] + c * x[1];
    const double u = G / (2 * mu) * (H * H - across * across) + G * H / friction;
    return i == 0 ? c * u : i == 1 ? s * u : G * (length - along);
  };
  for (const Shape shape : planar_shapes)
    for (const auto discretisation : {taylor_hood, equal_order}) {
      if (discretisation == equal_order && shape == Shape::quadrilateral) continue;
      const bool second = discretisation == taylor_hood;
      FlowOptions o;
      o.parameters = {rho, mu};
      o.discretisation = discretisation;
      o.stress_form = true;
      const Mesh channel = second ? distorted(0, -H, length, H, 4, 3, shape)
                                  : make_rectangle(0, -H, length, H, 48, 24, shape);
      FlowProblem f(test::warped(channel, [=](double* x) {
                      const double X = x[0], Y = x[1];
                      x[0] = c * X - s * Y, x[1] = s * X + c * Y;
                    }),
                    o);
      f.hold({"left"}, exact);
      // The traction that balances the pressure is given, so that the penalty has no force.
      for (const double side : {-1.0, 1.0}) {
        const char* wall = side < 0 ? "bottom" : "top";
        f.slip(wall, 1e4, friction);
        f.traction(wall, [=](int i, const double* x) { return -exact(2, x) * side * (i == 0 ? -s : c); });
      }
      f.traction("right", [=](int i, const double* x) {  // the shear stress of the section
        const double shear = -G * (-s * x[0] + c * x[1]);
        return i == 0 ? -s * shear : c * shear;
      });
      Vec u = f.solve();
      EXPECT_LT(f.largest_error(u, exact, 0, 2), second ? 1e-11 : 2e-3);
      EXPECT_LT(f.largest_error(u, exact, 2, 3), second ? 1e-10 : 0.1);
    }
}

// Uniform flow U through a wall of resistance k per area needs the pressure k U before it.
TEST(FlowExact, FlowThroughAPenalisedWall) {
  constexpr double U = 0.7, k = 3.2;
  const VectorField exact = [](int c, const double*) { return c == 0 ? U : c == 1 ? 0 : k * U; };
  for (const auto discretisation : {taylor_hood, equal_order}) {
    FlowOptions o;
    o.parameters = {rho, mu};
    o.discretisation = discretisation;
    o.stress_form = true;
    FlowProblem f(distorted(0, 0, 1, 1, 3, 3, Shape::triangle, discretisation == taylor_hood ? 2 : 1), o);
    f.hold({"left"}, exact);
    for (const char* side : {"bottom", "top"}) f.hold(side, 1);
    f.slip("right", k, 0);
    EXPECT_LT(f.largest_error(f.solve(), exact, 0, 3), 1e-12);
  }
}

// ---- approximated -----------------------------------------------------------------------------

/// Error of u_x, relative to its largest value, in a channel −H … H driven by the pressure drop G.
double channel_error(FlowOptions o, int order, Shape shape, int n, const std::function<double(double)>& profile) {
  FlowProblem f(make_rectangle(0, -H, 0.5, H, n / 4, n, shape, order), o);
  for (const char* wall : {"bottom", "top"})
    for (int i : {0, 1}) f.hold(wall, i);
  for (const char* end : {"left", "right"}) f.hold(end, 1);
  f.outlet("left", G * 0.5);
  f.outlet("right", 0);
  Vec u = f.solve(o.law == "power_law" ? 2 : 1);
  return f.largest_error(u, [&](int, const double* x) { return profile(x[1]); }, 0, 1) / profile(0);
}

// u = G/α (1 − cosh(y/δ)/cosh(H/δ)), δ = √(μ/α): a plug with boundary layers.
TEST(FlowExact, PlugFlowInAPorousChannel) {
  constexpr double alpha = 20;
  const double delta = std::sqrt(mu / alpha);
  const auto profile = [=](double y) { return G / alpha * (1 - std::cosh(y / delta) / std::cosh(H / delta)); };
  FlowOptions o;
  o.parameters = {rho, mu};
  o.resistance = alpha;
  for (const Shape shape : planar_shapes) {
    SCOPED_TRACE(name_of(shape));
    o.discretisation = taylor_hood;
    const double coarse = channel_error(o, 2, shape, 24, profile), fine = channel_error(o, 2, shape, 48, profile);
    EXPECT_LT(fine, 1e-4);
    EXPECT_GT(std::log2(coarse / fine), 2.8);
    o.discretisation = equal_order;
    const double coarse_1 = channel_error(o, 1, shape, 32, profile), fine_1 = channel_error(o, 1, shape, 64, profile);
    EXPECT_LT(fine_1, 1e-3);
    EXPECT_GT(std::log2(coarse_1 / fine_1), 1.9);
  }
}

/// u(y) = ∫_|y|^H γ̇ ds with μ(γ̇) γ̇ = G s, by bisection and Gauss's rule; each y is computed once.
class ThinningProfile {
 public:
  explicit ThinningProfile(std::function<double(double rate)> viscosity) : viscosity_(std::move(viscosity)) {}
  double operator()(double y) {
    const double a = std::abs(y), w = (H - a) / pieces;
    auto [place, fresh] = known_.try_emplace(std::lround(1e9 * a), 0.0);
    if (fresh)
      for (int k = 0; k < pieces; ++k)
        for (int side : {-1, 1}) place->second += 0.5 * w * rate(a + w * (k + 0.5 + side * 0.5 / std::sqrt(3.0)));
    return place->second;
  }

 private:
  static constexpr int pieces = 40;
  double rate(double s) const {
    double low = 0, high = 1e3;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (viscosity_(middle) * middle < G * s ? low : high) = middle;
    }
    return low;
  }
  std::function<double(double)> viscosity_;
  std::map<long, double> known_;
};

TEST(FlowExact, ShearThinningChannels) {
  constexpr double K = 0.5, n = 0.6, floor = 0.01;
  ThinningProfile carreau([](double g) { return 0.06 + 0.84 * std::pow(1 + 2.5 * 2.5 * g * g, -0.3); });
  ThinningProfile power([](double g) { return K * std::pow(g * g + floor * floor, (n - 1) / 2); });
  const auto textbook = [](double y) {  // of the power law without floor
    return n / (n + 1) * std::pow(G / K, 1 / n) * (std::pow(H, 1 + 1 / n) - std::pow(std::abs(y), 1 + 1 / n));
  };
  const std::pair<FlowOptions, ThinningProfile*> fluids[] = {
      {{.law = "carreau", .parameters = {rho, 0.9, 0.06, 2.5, 0.4}}, &carreau},
      {{.law = "power_law", .parameters = {rho, K, n, floor}}, &power}};
  for (auto [o, profile] : fluids)
    for (const bool stress_form : {false, true})
      for (const Shape shape : planar_shapes) {
        SCOPED_TRACE(o.law + " " + std::string(name_of(shape)));
        o.stress_form = stress_form;
        const double coarse = channel_error(o, 2, shape, 16, std::ref(*profile)),
                     fine = channel_error(o, 2, shape, 32, std::ref(*profile));
        EXPECT_LT(fine, 2e-5);
        EXPECT_GT(std::log2(coarse / fine), 2.8);
        if (o.law == "power_law") {
          EXPECT_LT(channel_error(o, 2, shape, 32, textbook), 2e-4);
        }
      }
}

// Annulus a < r < b: w = G/4μ (a² − r² + (b² − a²) ln(r/a)/ln(b/a)).
TEST(FlowExact, AnnularPipe) {
  constexpr double a = 0.2, b = 1;
  const VectorField exact = [](int c, const double* x) {
    const double r = x[0], w = a * a - r * r + (b * b - a * a) * std::log(r / a) / std::log(b / a);
    return c == 0 ? 0 : c == 1 ? G / (4 * mu) * w : G * (1 - x[1]);
  };
  for (const Shape shape : planar_shapes) {
    double e[2];
    for (int k = 0; k < 2; ++k) {
      FlowOptions o;
      o.kind = FlowKind::axisymmetric;
      o.parameters = {rho, mu};
      FlowProblem f(make_rectangle(a, 0, b, 1, 16 << k, 4 << k, shape, 2), o);
      f.hold({"left", "right"}, exact);
      for (const char* end : {"bottom", "top"}) f.hold(end, 0);
      f.outlet("bottom", G);
      f.outlet("top", 0);
      e[k] = test::error_norms(*f.dofs(), f.solve(), 0, 2, exact, [](auto...) { return 0.0; }).l2;
    }
    EXPECT_LT(e[1], 1e-5);
    EXPECT_GT(std::log2(e[0] / e[1]), 2.9);
  }
}

}  // namespace
}  // namespace invar
