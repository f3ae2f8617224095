// Properties on every mesh: equilibrium of pressure, balance of forces, independence of the frame and of numbering, symmetry.
#include <gtest/gtest.h>

#include "libfem/objective/geometry_forms.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/flow/flow_problem.hpp"

namespace invar {
namespace {

using test::FlowOptions, test::FlowProblem, test::VectorField;
using std::numbers::pi;
using enum FlowDiscretisation;

struct FlowSetting {
  FlowKind kind;
  Shape shape;
  FlowDiscretisation discretisation;
  int order() const { return discretisation == taylor_hood ? 2 : 1; }
};
const std::vector<FlowSetting>& settings() {
  static const std::vector<FlowSetting> all = [] {
    std::vector<FlowSetting> s;
    for (const auto d : {taylor_hood, equal_order}) {
      for (const auto kind : {FlowKind::planar, FlowKind::axisymmetric})
        for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) s.push_back({kind, shape, d});
      for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) s.push_back({FlowKind::spatial, shape, d});
    }
    return s;
  }();
  return all;
}

/// A block away from the axis with curved cells and curved sides.
Mesh curved_block(const FlowSetting& s) {
  return test::warped(test::distorted_block(s.shape, s.order(), true), [](double* x) {
    x[1] *= 1 + 0.2 * x[0] * x[0];
    x[0] += 0.5 + 0.1 * x[1] * x[1];
  });
}

double norm(Vec v) {
  double n = 0;
  check(VecNorm(v, NORM_2, &n));
  return n;
}

VectorField wave(double amplitude, double k) {
  return [=](int c, const double* x) { return amplitude * std::sin(k * x[0] + (1.3 + c) * x[1] + c); };
}

// A fluid at rest under the same pressure inside and outside is in equilibrium: ∫ p ∇·v = ∮ p n·v, including the hoop terms.
TEST(FlowBalance, ConstantPressureIsInEquilibrium) {
  for (const FlowSetting& s : settings()) {
    SCOPED_TRACE(std::string(name_of(s.shape)) + " " + std::to_string(int(s.kind)));
    FlowOptions o{.kind = s.kind, .discretisation = s.discretisation};
    FlowProblem f(curved_block(s), o);
    for (const std::string& side : test::sides(f.dim())) f.outlet(side, 3.1);
    f.residual()->finish();
    const int p = f.dim();
    VecHandle u = f.interpolate([p](int c, const double*) { return c == p ? 3.1 : 0.0; }),
              r = f.residual()->create_vector();
    EXPECT_TRUE(f.residual()->residual(test::at_full_load(*f.residual(), u), r));
    EXPECT_LT(norm(r), 1e-12);
    u = f.interpolate([](int, const double*) { return 0.0; });
    EXPECT_TRUE(f.residual()->residual(test::at_full_load(*f.residual(), u), r));
    EXPECT_GT(norm(r), 0.1);
  }
}

// Channel with a bump on its floor: what walls, inlet and outlet exert balances the momentum that is
// carried out, ∮ ρ u (u·n) up to how well ∇·u = 0 holds, and ∫ ρ u·∇u to round-off.
TEST(FlowBalance, ReactionsBalanceTheMomentumFlux) {
  constexpr double rho = 1.4;
  double gap[2];
  for (int k = 0; k < 2; ++k) {
    FlowOptions o;
    o.parameters = {rho, 0.05};
    const Mesh channel = test::warped(make_rectangle(0, 0, 2, 1, 16 << k, 8 << k, Shape::triangle, 2), [](double* x) {
      x[1] += (1 - x[1]) * 0.25 * std::exp(-20 * (x[0] - 0.8) * (x[0] - 0.8));
    });
    FlowProblem f(channel, o);
    const double floor_at_inlet = 0.25 * std::exp(-20 * 0.64);
    f.hold({"left"}, [=](int i, const double* x) { return i == 0 ? 6 * (x[1] - floor_at_inlet) * (1 - x[1]) : 0.0; });
    f.hold({"bottom", "top"}, [](int, const double*) { return 0.0; });
    f.outlet("right", 0.3);
    Vec u = f.solve();
    // Everything the supports exert; the outlet's pressure is a load of the residual.
    double force[2], expected[2] = {0, 0}, flux[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
      VecHandle ones = f.interpolate([i](int c, const double*) { return c == i ? 1.0 : 0.0; }),
                r = f.residual()->create_vector();
      f.residual()->raw_residual(test::at_full_load(*f.residual(), u), r);
      check(VecDot(ones, r, &force[i]));
    }
    std::vector<double> direction{1, 0};
    double supports = 0;
    for (const char* side : {"left", "bottom", "top"}) {
      double y = 0;
      Reaction::force(f.residual(), side, direction)->evaluate(test::at_full_load(*f.residual(), u), &y);
      supports += y;
    }
    test::for_each_point(*f.dofs(), u, 6, [&](const test::CellPoint& p, double w) {
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          expected[i] += w * rho * p.value[j] * p.gradient(i, j);
          flux[i] += w * rho * (p.value[j] * p.gradient(i, j) + p.value[i] * p.gradient(j, j));
        }
    });
    const double outlet = 0.3 * (1 - 0.25 * std::exp(-20 * 1.44));
    for (int i = 0; i < 2; ++i) {
      expected[i] = test::sum_over_ranks(expected[i], f.dofs()->comm());
      flux[i] = test::sum_over_ranks(flux[i], f.dofs()->comm());
    }
    EXPECT_NEAR(force[0], expected[0] + outlet, 1e-5);  // degree 5 integrates bent cells nearly exactly
    EXPECT_NEAR(supports, force[0], 1e-10);
    gap[k] = std::abs(supports - outlet - flux[0]);
  }
  EXPECT_LT(gap[1], 1e-3);
  EXPECT_GT(gap[0] / gap[1], 8);
}

// The drag of a straight pipe's wall is the pressure drop times its section.
TEST(FlowBalance, WallShearOfAPipe) {
  constexpr double R = 0.5, L = 2, mu = 0.4, G = 2.1;
  FlowOptions o{.kind = FlowKind::axisymmetric, .parameters = {1.3, mu}};
  FlowProblem f(make_rectangle(0, 0, R, L, 3, 4, Shape::triangle, 2), o);
  f.hold("left", 0);
  f.hold({"right"}, [](int, const double*) { return 0.0; });
  for (const char* end : {"bottom", "top"}) f.hold(end, 0);
  f.outlet("bottom", G * L);
  f.outlet("top", 0);
  Vec u = f.solve();
  double y = 0;
  Reaction::force(f.residual(), "right", {0, 1})->evaluate(test::at_full_load(*f.residual(), u), &y);
  EXPECT_NEAR(y, -G * L * pi * R * R, 1e-11);  // the force of the wall on the fluid
}

// Backflow stabilisation: zero at outflow; at inflow the work on u is β ρ/2 U³ per area.
TEST(FlowBalance, BackflowTakesTheEnergyThatEnters) {
  constexpr double rho = 1.3, beta = 0.8, U = 0.7, W = 0.4;
  for (const double sign : {1.0, -1.0}) {
    FlowProblem f(make_rectangle(0, 0, 1, 2, 3, 4, Shape::triangle, 2), {.parameters = {0, 1}});
    f.backflow("right", rho, beta);
    f.residual()->finish();
    VecHandle u = f.interpolate([=](int c, const double*) { return c == 0 ? sign * U : c == 1 ? W : 0.0; }),
              r = f.residual()->create_vector();
    f.residual()->raw_residual(test::at_full_load(*f.residual(), u), r);
    double work = 0;
    check(VecDot(u, r, &work));
    EXPECT_NEAR(work, sign > 0 ? 0 : 2 * 0.5 * beta * rho * U * (U * U + W * W), 1e-13);
  }
}

/// ‖r‖ of the velocities' rows and of the pressure's, with everything in the equation.
std::array<double, 2> residual_norms(const FlowSetting& s, const Mesh& mesh, const VectorField& u,
                                     const VectorField& force) {
  FlowOptions o{.kind = s.kind, .discretisation = s.discretisation, .law = "carreau",
                .parameters = {1.2, 0.5, 0.05, 0.8, 0.5}, .stress_form = true, .resistance = 0.7, .force = force};
  FlowProblem f(mesh, o);
  f.residual()->finish();
  VecHandle state = f.interpolate(u), r = f.residual()->create_vector();
  f.residual()->raw_residual(test::at_full_load(*f.residual(), state), r);
  std::array<double, 2> sums{0, 0};
  {
    const LocalArray local(r);
    for (int n = 0; n < f.mesh().n_owned_nodes; ++n)
      for (int c = 0; c < f.dofs()->dof_count(n); ++c) {
        const double v = local.data()[f.dofs()->dof(n, c)];
        sums[c == f.dim()] += v * v;
      }
  }
  for (double& v : sums) v = std::sqrt(test::sum_over_ranks(v, f.dofs()->comm()));
  return sums;
}

// The equations are invariant under translation and rotation (axisymmetric: translation along the axis).
TEST(FlowBalance, FramesDoNotMatter) {
  for (const FlowSetting& s : settings()) {
    SCOPED_TRACE(std::string(name_of(s.shape)) + " " + std::to_string(int(s.kind)));
    const int dim = dimension_of(s.shape);
    const double angle = s.kind == FlowKind::axisymmetric ? 0 : 0.7, c = std::cos(angle), d = std::sin(angle);
    const double shift[3] = {s.kind == FlowKind::axisymmetric ? 0.0 : 2.3, -1.1, 0.8};
    const VectorField u = wave(0.8, 1.4), force = wave(0.5, 0.6);
    const auto forth = [=](double* x) {
      const double X = x[0], Y = x[1];
      x[0] = c * X - d * Y + shift[0], x[1] = d * X + c * Y + shift[1];
      if (dim == 3) x[2] += shift[2];
    };
    const auto turned = [=](const VectorField& v) -> VectorField {
      return [=](int i, const double* y) {
        const double a = y[0] - shift[0], b = y[1] - shift[1],
                     x[3] = {c * a + d * b, -d * a + c * b, dim == 3 ? y[2] - shift[2] : 0};
        if (i >= 2) return v(i, x);
        return i == 0 ? c * v(0, x) - d * v(1, x) : d * v(0, x) + c * v(1, x);
      };
    };
    const Mesh mesh = curved_block(s);
    const auto before = residual_norms(s, mesh, u, force);
    const auto after = residual_norms(s, test::warped(mesh, forth), turned(u), turned(force));
    for (int k = 0; k < 2; ++k) {
      EXPECT_GT(before[k], 1e-3);
      EXPECT_NEAR(after[k], before[k], 1e-12 * before[k]);
    }
  }
}

// Creeping flow: the matrix is symmetric and a solver for symmetric ones gives what the general one does;
// also stabilised, where no resistance acts and the strong residual holds no viscous terms.
TEST(FlowBalance, CreepingFlowIsSymmetric) {
  for (const FlowSetting& s : settings()) {
    if (s.kind == FlowKind::axisymmetric && s.discretisation == equal_order) continue;
    SCOPED_TRACE(std::string(name_of(s.shape)) + " " + std::to_string(int(s.kind)));
    FlowOptions o{.kind = s.kind, .discretisation = s.discretisation, .parameters = {1, 0.3}, .convection = false,
                  .stress_form = true};
    FlowProblem f(curved_block(s), o);
    for (const std::string& side : test::sides(f.dim()))
      if (side != "right")
        for (int i = 0; i < f.dim(); ++i) f.hold(side, i);
    f.residual()->finish();
    VecHandle b = f.interpolate(wave(1, 2)), x[2];
    f.residual()->jacobian(test::at_full_load(*f.residual(), b));
    PetscBool same = PETSC_FALSE;
    check(MatIsSymmetric(f.residual()->matrix(), 1e-12, &same));
    EXPECT_TRUE(same);
    for (const bool symmetric : {false, true}) {
      LinearSolver solver(f.dofs()->comm());
      solver.set_operator(f.residual()->matrix(), symmetric);
      x[symmetric] = f.residual()->create_vector();
      const SolveReport report = solver.solve(b, x[symmetric], 1e-12);
      EXPECT_TRUE(report.converged) << report.reason;
    }
    const double size = norm(x[0]);
    check(VecAXPY(x[1], -1.0, x[0]));
    EXPECT_LT(norm(x[1]), 1e-9 * size);
  }
}

// Pappus: a ring of rectangular section, and its moments and sides.
TEST(FlowBalance, VolumesAndMoments) {
  constexpr double a = 0.5, b = 1.3, h = 0.7;
  FlowProblem ring(make_rectangle(a, 0, b, h, 3, 2, Shape::triangle, 2), {.kind = FlowKind::axisymmetric});
  VecHandle u = ring.interpolate([](int, const double*) { return 0.0; });
  const double volume = pi * (b * b - a * a) * h;
  EXPECT_NEAR(ring.integral(*make_volume(true, ring.cells(2)), u), volume, 1e-13);
  EXPECT_NEAR(ring.integral(*make_volume_moment(true, 1, ring.cells(2)), u), volume * h / 2, 1e-13);
  EXPECT_NEAR(ring.integral(*make_volume_moment(true, 0, ring.cells(2)), u),
              2 * pi / 3 * (b * b * b - a * a * a) * h, 1e-13);
  EXPECT_NEAR(ring.integral(*make_area(true, ring.facets("right")), u), 2 * pi * b * h, 1e-13);
  FlowProblem box(make_box({0, 0, 0}, {1, 2, 3}, {2, 2, 2}, Shape::tetrahedron, 2), {.kind = FlowKind::spatial});
  VecHandle v = box.interpolate(
      [](int c, const double* x) { return c == 0 ? 2 * x[1] : c == 1 ? 1.0 : c == 2 ? x[0] : x[2]; });
  const auto spatial = FlowKind::spatial;
  EXPECT_NEAR(box.integral(*make_volume(false, box.cells(1)), v), 6, 1e-13);
  EXPECT_NEAR(box.integral(*make_volume_moment(false, 2, box.cells(1)), v), 9, 1e-13);
  EXPECT_NEAR(box.integral(*make_area(false, box.facets("front")), v), 2, 1e-13);
  EXPECT_NEAR(box.integral(*make_flow_rate(spatial, box.facets("right")), v), 12, 1e-13);
  EXPECT_NEAR(box.integral(*make_flow_rate(spatial, box.facets("left")), v), -12, 1e-13);
  EXPECT_NEAR(box.integral(*make_pressure_misfit(spatial, taylor_hood, box.facets("right")), v, {1}), 3, 1e-13);
  EXPECT_NEAR(box.integral(*make_velocity_misfit(spatial, box.cells(4)), v, {0, 1, 0}), 6 * (8 / 3. + 1 / 6.), 1e-12);
}

}  // namespace
}  // namespace invar
