// Forces on parts of the boundary of a flow: exact for exact flows, else of the flow's order, and additive over parts.
#include <gtest/gtest.h>

#include "libfem/objective/reaction.hpp"
#include "libfluid/objective/wall_shear.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/flow/flow_problem.hpp"

namespace invar {
namespace {

using test::FlowOptions, test::FlowProblem, test::VectorField;
using std::numbers::pi;
using enum FlowDiscretisation;

/// What the supports of a region exert on the fluid.
double support_force(const FlowProblem& f, Vec u, const std::string& region, int component) {
  std::vector<double> along(f.dim(), 0.0);
  along[component] = 1;
  double y = 0;
  Reaction::force(f.residual(), region, along)->evaluate(test::at_full_load(*f.residual(), u), &y);
  return y;
}
double support_moment(const FlowProblem& f, Vec u, const std::string& region, const std::array<double, 3>& axis) {
  double y = 0;
  Reaction::moment(f.residual(), region, {0.3, -0.2, 0.1}, axis)->evaluate(test::at_full_load(*f.residual(), u), &y);
  return y;
}

/// Names all facets of some regions, or those of them whose middle is where `wanted` says.
void add_region(Mesh& mesh, const std::string& name, const std::vector<std::string>& of,
                const std::function<bool(const double* x)>& wanted = [](const double*) { return true; }) {
  Region region{name, mesh.dim - 1, std::vector<std::vector<int>>(mesh.facets.size()), {}};
  for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
    const CellBlock& block = mesh.facets[b];
    const int n = node_count(block.type);
    std::vector<char> in(block.count(), 0);
    for (const std::string& part : of)
      for (int f : mesh.find_region(part)->members[b]) in[f] = 1;
    for (int f = 0; f < block.count(); ++f) {
      double middle[3] = {0, 0, 0};
      for (int a = 0; a < n; ++a)
        for (int i = 0; i < mesh.dim; ++i) middle[i] += mesh.coordinates[block.nodes[f * n + a] * mesh.dim + i] / n;
      if (in[f] && wanted(middle)) region.members[b].push_back(f);
    }
  }
  mesh.regions.push_back(region);
  complete_serial(mesh);
}

const VectorField between_plates = [](int c, const double* x) {
  return c == 0 ? 4 * x[1] * (1 - x[1]) : c == 1 ? 0.0 : 8 * (3 - x[0]);
};

/// Flow between plates 1 m apart, 3 m long, μ = 1 Pa s, with the profile given at the inlet: 12 N on each plate. The
/// outlet is left free, or held, too.
struct BetweenPlates : FlowProblem {
  BetweenPlates(Shape shape, FlowDiscretisation discretisation, int n, bool free_outlet, bool stress_form = false)
      : FlowProblem(make_rectangle(0, 0, 3, 1, 3 * n, 2 * n, shape, discretisation == taylor_hood ? 2 : 1),
                    {.discretisation = discretisation, .parameters = {1, 1}, .stress_form = stress_form}) {
    if (!free_outlet) hold({"right"}, between_plates);
    hold({"left", "bottom", "top"}, between_plates);
    if (free_outlet) outlet("right", 0);
    else hold("right_bottom", 2);
  }
};

// Attributing the corner's pressure on the inlet to the wall would give 11 instead of 12.
TEST(FlowForces, OfPoiseuilleFlowAreExact) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (const bool free_outlet : {true, false})
      for (const bool stress_form : {false, true}) {
        if (stress_form && free_outlet) continue;  // its outlet carries a shear stress
        BetweenPlates f(shape, taylor_hood, 2, free_outlet, stress_form);
        Vec u = f.solve();
        for (const char* wall : {"bottom", "top"}) EXPECT_NEAR(support_force(f, u, wall, 0), -12, 1e-10) << wall;
        EXPECT_NEAR(support_force(f, u, "bottom", 1), 36, 1e-10);  // ∫ p dx
        EXPECT_NEAR(support_force(f, u, "top", 1), -36, 1e-10);
        EXPECT_NEAR(support_force(f, u, "left", 0), 24, 1e-10);
        EXPECT_NEAR(support_force(f, u, "left", 1), 0, 1e-10);
        EXPECT_NEAR(support_force(f, u, "right", 0), 0, 1e-10);
        EXPECT_NEAR(support_moment(f, u, "bottom", {}), 36 - 0.3 * 36 + 0.2 * 12, 1e-10);  // ∫ x p dx = 36
      }
}

// The stabilised pressure converges with first order at best, the forces with second.
TEST(FlowForces, OfEqualOrderConverge) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    double error[3];
    for (int k = 0; k < 3; ++k) {
      BetweenPlates f(shape, equal_order, 2 << k, true);
      error[k] = std::abs(support_force(f, f.solve(), "bottom", 0) + 12);
    }
    EXPECT_LT(error[0], 0.6);
    EXPECT_GT(std::log2(error[0] / error[1]), 1.6);
    EXPECT_GT(std::log2(error[1] / error[2]), 1.6);
  }
}

// The pipe's section at the inlet holds the fluid and its axis, where forces have no measure, does too.
TEST(FlowForces, OfAPipeAreExact) {
  constexpr double R = 0.5, L = 2, mu = 0.4, G = 2.1;
  const VectorField profile = [](int c, const double* x) { return c == 1 ? G / (4 * mu) * (R * R - x[0] * x[0]) : 0.0; };
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    FlowProblem f(make_rectangle(0, 0, R, L, 3, 4, shape, 2), {.kind = FlowKind::axisymmetric, .parameters = {1.3, mu}});
    f.hold("left", 0);
    f.hold({"right", "bottom"}, profile);
    f.outlet("top", 0);
    f.hold("top", 0);
    Vec u = f.solve();
    EXPECT_NEAR(support_force(f, u, "right", 1), -G * L * pi * R * R, 1e-10);
    EXPECT_NEAR(support_force(f, u, "bottom", 1), G * L * pi * R * R, 1e-10);
    EXPECT_NEAR(support_force(f, u, "right", 0), -G * L * L / 2 * 2 * pi * R, 1e-10);
    EXPECT_NEAR(support_force(f, u, "left", 1), 0, 1e-10);
  }
}

// A wall that slips (Navier's condition) is dragged as one that does not: by G L/2. Its penalty lets p/k through.
TEST(FlowForces, OfAWallThatSlips) {
  constexpr double G = 8, friction = 5, penalty = 1e7;
  const VectorField profile = [](int c, const double* x) {
    return c == 0 ? G / 2 * x[1] * (1 - x[1]) + G / 2 / friction : 0.0;
  };
  FlowProblem f(make_rectangle(0, 0, 3, 1, 6, 4, Shape::quadrilateral, 2), {.parameters = {1, 1}});
  f.hold({"left"}, profile);
  f.slip("bottom", penalty, friction);
  f.slip("top", penalty, friction);
  f.outlet("right", 2);
  Vec u = f.solve();
  for (const char* wall : {"bottom", "top"}) {
    double y = 0;
    const std::vector<double> along{1, 0};
    Reaction::force(f.residual(), wall, along, Reaction::Of::surface)->evaluate(test::at_full_load(*f.residual(), u), &y);
    EXPECT_NEAR(y, -G * 3 / 2, 1e-4);
    Reaction::force(f.residual(), wall, along)->evaluate(test::at_full_load(*f.residual(), u), &y);
    EXPECT_NEAR(y, 0, 1e-9);
  }
  double y = 0;
  Reaction::force(f.residual(), "right", {1, 0}, Reaction::Of::surface)->evaluate(test::at_full_load(*f.residual(), u), &y);
  EXPECT_NEAR(y, -2, 1e-10);
}

// Channel with a bump; every piece of the boundary, unions of them, and everything.
TEST(FlowForces, PartsAddUp) {
  for (const FlowDiscretisation discretisation : {taylor_hood, equal_order})
    for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron}) {
      const int order = discretisation == taylor_hood ? 2 : 1, dim = dimension_of(shape);
      Mesh mesh = dim == 2 ? make_rectangle(0, 0, 2, 1, 8, 4, shape, order)
                           : make_box({0, 0, 0}, {2, 1, 0.8}, {4, 3, 2}, shape, order);
      mesh = test::warped(mesh, [](double* x) { x[1] += (1 - x[1]) * 0.25 * std::exp(-20 * (x[0] - 0.8) * (x[0] - 0.8)); });
      const auto front_part = [](const double* x) { return x[0] < 0.9; };
      add_region(mesh, "floor_1", {"bottom"}, front_part);
      add_region(mesh, "floor_2", {"bottom"}, [&](const double* x) { return !front_part(x); });
      add_region(mesh, "floor_and_lid", {"bottom", "top"});
      add_region(mesh, "everything", test::sides(dim));
      FlowProblem f(mesh, {.kind = dim == 3 ? FlowKind::spatial : FlowKind::planar,
                           .discretisation = discretisation,
                           .parameters = {1.4, 0.05},
                           .stress_form = dim == 3});
      f.hold({"left"}, [](int i, const double* x) { return i == 0 ? 4 * x[1] * (1 - x[1]) : 0.0; });
      f.outlet("right", 0.3);
      if (dim == 3) {
        f.hold("back", 2);  // slides along
        f.hold({"front"}, [](int, const double*) { return 0.0; });
      }
      f.hold({"bottom", "top"}, [](int, const double*) { return 0.0; });
      Vec u = f.solve();
      const std::vector<std::string>& sides = test::sides(dim);
      for (int i = 0; i < dim; ++i) {
        const auto force = [&](const std::string& region) { return support_force(f, u, region, i); };
        const double floor = force("bottom"), all = force("everything");
        EXPECT_NEAR(force("floor_1") + force("floor_2"), floor, 1e-12);
        EXPECT_NEAR(floor + force("top"), force("floor_and_lid"), 1e-12);
        double sum = 0, raw = 0;
        for (const std::string& side : sides) sum += force(side);
        EXPECT_NEAR(sum, all, 1e-12 * (1 + std::abs(all)));
        VecHandle ones = f.interpolate([i](int c, const double*) { return c == i ? 1.0 : 0.0; });
        VecHandle r = f.residual()->create_vector();
        f.residual()->raw_residual(test::at_full_load(*f.residual(), u), r);
        check(VecDot(ones, r, &raw));
        EXPECT_NEAR(all, raw, 1e-11);  // inside, Newton's method leaves something
        std::array<double, 3> axis{};
        axis[i] = 1;
        const auto moment = [&](const std::string& region) { return support_moment(f, u, region, axis); };
        EXPECT_NEAR(moment("floor_1") + moment("floor_2"), moment("bottom"), 1e-12);
        EXPECT_NEAR(moment("bottom") + moment("top"), moment("floor_and_lid"), 1e-12);
      }
      EXPECT_NEAR(support_force(f, u, "right", 0), 0, 1e-13);  // free
    }
}

// ---- shear along walls --------------------------------------------------------------------------

std::vector<WallShear> shear_of(const FlowProblem& f, Vec u, FlowKind kind, const std::string& wall, const std::string& law,
                                const std::vector<double>& constants) {
  FlowFields::Fluid fluid{"", make_viscosity_law(law), {}};
  for (double v : constants) fluid.parameters.push_back(Coefficient::constant(v));
  const LocalArray local(u);
  return wall_shear(*f.dofs(), local.data(), f.mesh().coordinates.data(), kind, wall, std::vector{fluid});
}

// G R/2 on the wall of a pipe, whose pressure falls by G per metre.
TEST(WallShear, OfAPipe) {
  constexpr double R = 0.5, L = 2, mu = 0.4, G = 2.1;
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    FlowProblem f(make_rectangle(0, 0, R, L, 3, 4, shape, 2), {.kind = FlowKind::axisymmetric, .parameters = {1.3, mu}});
    f.hold("left", 0);
    f.hold({"right", "bottom"}, [](int c, const double* x) { return c == 1 ? G / (4 * mu) * (R * R - x[0] * x[0]) : 0.0; });
    f.outlet("top", 0);
    f.hold("top", 0);
    Vec u = f.solve();
    const auto wall = shear_of(f, u, FlowKind::axisymmetric, "right", "newtonian", {mu});
    ASSERT_EQ(wall.size(), 8u);
    double force = 0;
    for (const WallShear& w : wall) {
      EXPECT_NEAR(w.x[0], R, 1e-12);
      EXPECT_NEAR(w.distance, w.x[1], 1e-12);
      EXPECT_NEAR(w.pressure, G * (L - w.x[1]), 1e-10);
      EXPECT_NEAR(w.shear[0], 0, 1e-10);
      EXPECT_NEAR(w.shear[1], G * R / 2, 1e-10);
      EXPECT_NEAR(w.along, G * R / 2, 1e-10);
      force += w.area * w.shear[1];
    }
    EXPECT_NEAR(force, -support_force(f, u, "right", 1), 1e-10);
    EXPECT_TRUE(shear_zeros(wall).empty());
  }
}

// Between sliding plates of a fluid that thins, in space: μ(1) at every point.
TEST(WallShear, OfAFluidThatThinsInSpace) {
  const std::vector<double> law{0.5, 0.05, 0.8, 0.5};
  const double expected = 0.05 + 0.45 * std::pow(1 + 0.64, -0.25);
  for (const FlowDiscretisation discretisation : {taylor_hood, equal_order})
    for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
      FlowProblem f(make_box({0, 0, 0}, {2, 1, 1}, {3, 2, 2}, shape, discretisation == taylor_hood ? 2 : 1),
                    {.kind = FlowKind::spatial, .discretisation = discretisation, .law = "carreau",
                     .parameters = {0, law[0], law[1], law[2], law[3]}});
      const VectorField sliding = [](int c, const double* x) { return c == 0 ? x[1] : 0.0; };
      f.hold(test::sides(3), sliding);
      f.hold("left_bottom_back", 3);
      Vec u = f.solve();
      double area = 0;
      for (const auto& [wall, sign] : {std::pair{"bottom", 1.0}, std::pair{"top", -1.0}})
        for (const WallShear& w : shear_of(f, u, FlowKind::spatial, wall, "carreau", law)) {
          EXPECT_NEAR(w.shear[0], sign * expected, 1e-9);
          EXPECT_NEAR(std::hypot(w.shear[1], w.shear[2]), 0, 1e-9);
          EXPECT_NEAR(w.along, expected, 1e-9);
          area += w.area;
        }
      EXPECT_NEAR(area, 4, 1e-12);
    }
}

// Pressure and shear of all points against the consistent force, whose error is much smaller; a bump on the floor
// behind which the flow separates and comes back.
TEST(WallShear, AddsUpToTheForceAndTellsWhereFlowSeparates) {
  double gap[2], separates[2], returns[2];
  for (int k = 0; k < 2; ++k) {
    const Mesh channel = test::warped(make_rectangle(0, 0, 4, 1, 40 << k, 10 << k, Shape::quadrilateral, 2), [](double* x) {
      x[1] += (1 - x[1]) * 0.45 * std::exp(-20 * (x[0] - 0.8) * (x[0] - 0.8));
    });
    FlowProblem f(channel, {.parameters = {1, 0.01}});
    f.hold({"left"}, [](int i, const double* x) { return i == 0 ? 4 * x[1] * (1 - x[1]) : 0.0; });
    f.hold({"bottom", "top"}, [](int, const double*) { return 0.0; });
    f.outlet("right", 0);
    Vec u = f.solve();
    const auto wall = shear_of(f, u, FlowKind::planar, "bottom", "newtonian", {0.01});
    const double dy = 1e-6;
    double force = 0;
    for (const WallShear& w : wall) {
      // The normal from the shape of the floor.
      const auto floor = [](double x) { return 0.45 * std::exp(-20 * (x - 0.8) * (x - 0.8)); };
      const double slope = (floor(w.x[0] + dy) - floor(w.x[0] - dy)) / (2 * dy);
      force += w.area * (w.pressure * slope / std::hypot(1, slope) + w.shear[0]);
    }
    gap[k] = std::abs(force + support_force(f, u, "bottom", 0));
    const auto zeros = shear_zeros(wall);
    ASSERT_GE(zeros.size(), 2u);
    int last = -1;
    for (std::size_t z = 0; z < zeros.size(); ++z)
      if (zeros[z].along < 0) last = static_cast<int>(z);
    ASSERT_GE(last, 0);
    ASSERT_LT(last + 1, static_cast<int>(zeros.size()));
    separates[k] = zeros[last].x[0], returns[k] = zeros[last + 1].x[0];
  }
  EXPECT_LT(gap[1], 1e-3);
  EXPECT_GT(gap[0] / gap[1], 3.5);
  EXPECT_GT(separates[1], 0.8);
  EXPECT_NEAR(separates[0], separates[1], 0.02);
  EXPECT_NEAR(returns[0], returns[1], 0.05);
  EXPECT_GT(returns[1], separates[1] + 0.2);
}

}  // namespace
}  // namespace invar
