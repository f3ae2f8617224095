// Constants of materials as fields: what filter and scaling do, exact derivatives, roughness and total variation.
#include "libfem/design/field/material_field.hpp"

#include "libfem/design/field/cell_penalty.hpp"
#include "tests/unit/design/density_problem.hpp"
#include "tests/unit/design/map_checks.hpp"

namespace invar::material_fields {
namespace {

using test::DensityMesh;
using Scale = VariableTransform::Kind;

/// The same control of two cases.
struct Problem {
  DensityMesh m;
  MaterialField design;

  Problem(const Mesh& serial, Scale scale, MPI_Comm comm = PETSC_COMM_WORLD, const std::string& region = "",
          FieldRange range = {.start = 2, .outside = 3})
      : m(serial, comm), design(std::make_shared<HelmholtzFilter>(m.mesh, 0.5, false), region,
                                VariableTransform(scale, 2), range, {{0, 1}, {1, 0}}) {}
  std::vector<Controls> controls() const { return {Controls(2), Controls(1)}; }
  /// θ or a direction, the same on any number of ranks.
  DesignVector entries(double seed) const {
    const std::vector<double> all = m.field(seed);
    DesignVector x;
    for (int c : design.cells()) x.local.push_back(all[c]);
    return x;
  }
  std::vector<Controls> adjoints(double seed) const {
    std::vector<Controls> bar = controls();
    bar[0][1] = m.field(seed), bar[1][0] = m.field(seed + 1);
    return bar;
  }
  double product(const std::vector<Controls>& a, const std::vector<Controls>& b) const {
    return m.sum([&](int c) { return a[0][1][c] * b[0][1][c] + a[1][0][c] * b[1][0][c]; });
  }
};

// The filter leaves constants, and with a logarithm the geometric mean: Π p^V is kept.
TEST(MaterialField, FiltersByTheScaling) {
  for (const Mesh& serial : test::density_meshes())
    for (const Scale scale : {Scale::linear, Scale::log}) {
      Problem p(serial, scale);
      std::vector<Controls> d = p.controls();
      ASSERT_TRUE(p.design.apply(p.design.start(), d).ok);
      EXPECT_LT(p.m.largest([&](int c) { return d[0][1][c] - 2; }), 1e-11);
      const DesignVector theta = p.entries(0.3);
      ASSERT_TRUE(p.design.apply(theta, d).ok);
      EXPECT_EQ(d[0][1], d[1][0]);
      const HelmholtzFilter filter(p.m.mesh, 0.5, false);
      const std::vector<double> raw = p.m.field(0.3);
      const auto mean = [&](const std::function<double(int)>& f) {
        return p.m.sum([&](int c) { return filter.volumes()[c] * f(c); }) / p.m.sum([&](int c) { return filter.volumes()[c]; });
      };
      const double expected = mean([&](int c) { return raw[c]; });
      const double found = mean([&](int c) { return scale == Scale::log ? std::log(d[0][1][c] / 2) : d[0][1][c] / 2; });
      EXPECT_NEAR(found, expected, 1e-11);
    }
}

TEST(MaterialField, DerivativesAreExact) {
  for (const Mesh& serial : test::density_meshes())
    for (const Scale scale : {Scale::linear, Scale::log}) {
      Problem p(serial, scale);
      const DesignVector theta = p.entries(0.2), theta_dot = p.entries(0.9);
      const auto at = [&](double step) {
        DesignVector x = theta;
        x.axpy(step, theta_dot);
        std::vector<Controls> d = p.controls();
        EXPECT_TRUE(p.design.apply(x, d).ok);
        return std::pair(x, d);
      };
      const auto expected = test::difference([&](double step) { return at(step).second[1][0]; });
      at(0);
      std::vector<Controls> d_dot = p.controls();
      ASSERT_TRUE(p.design.jvp(theta, theta_dot, d_dot).ok);
      EXPECT_LT(test::distance(d_dot[1][0], expected), 1e-9);
      std::vector<Controls> bar = p.adjoints(0.5), bar_dot = p.adjoints(5.5);
      DesignVector theta_bar{{}, std::vector<double>(theta.local.size(), 0.25)};  // vjp adds
      ASSERT_TRUE(p.design.vjp(theta, bar, theta_bar).ok);
      for (double& v : theta_bar.local) v -= 0.25;
      const double product = p.product(bar, d_dot);
      EXPECT_NEAR(dot(theta_bar, theta_dot, PETSC_COMM_WORLD), product, 1e-11 * (1 + std::abs(product)));

      const auto pulled = test::difference([&](double step) {
        const DesignVector x = at(step).first;
        std::vector<Controls> moved = bar;
        moved[0][1] = test::moved(bar[0][1], step, bar_dot[0][1]);
        moved[1][0] = test::moved(bar[1][0], step, bar_dot[1][0]);
        DesignVector g = DesignVector::zeros_like(theta);
        EXPECT_TRUE(p.design.vjp(x, moved, g).ok);
        return g.local;
      });
      at(0);
      DesignVector theta_bar_dot = DesignVector::zeros_like(theta);
      ASSERT_TRUE(p.design.vjp_tangent(theta, theta_dot, bar, bar_dot, theta_bar_dot).ok);
      EXPECT_LT(test::distance(theta_bar_dot.local, pulled), 1e-8);
      EXPECT_GT(test::largest(theta_bar_dot.local), 1e-3);
    }
}

TEST(MaterialField, IsTheSameOnAllRanks) {
  for (const Mesh& serial : test::density_meshes()) {
    Problem p(serial, Scale::log), q(serial, Scale::log, PETSC_COMM_SELF);
    std::vector<Controls> d = p.controls(), e = q.controls();
    ASSERT_TRUE(p.design.apply(p.entries(0.2), d).ok && q.design.apply(q.entries(0.2), e).ok);
    DesignVector g = DesignVector::zeros_like(p.design.start()), h = DesignVector::zeros_like(q.design.start());
    std::vector<Controls> p_bar_dot = p.adjoints(0.4), q_bar_dot = q.adjoints(0.4);
    ASSERT_TRUE(p.design.vjp_tangent({}, p.entries(0.7), p.adjoints(0.1), p_bar_dot, g).ok);
    ASSERT_TRUE(q.design.vjp_tangent({}, q.entries(0.7), q.adjoints(0.1), q_bar_dot, h).ok);
    std::vector<double> values(q.m.original.size()), adjoints(q.m.original.size());
    for (std::size_t c = 0; c < values.size(); ++c) values[q.m.original[c]] = e[0][1][c];
    for (std::size_t i = 0; i < h.local.size(); ++i) adjoints[q.m.original[q.design.cells()[i]]] = h.local[i];
    for (std::size_t c = 0; c < d[0][1].size(); ++c) EXPECT_NEAR(d[0][1][c], values[p.m.original[c]], 1e-10);
    for (std::size_t i = 0; i < g.local.size(); ++i)
      EXPECT_NEAR(g.local[i], adjoints[p.m.original[p.design.cells()[i]]], 1e-10);
  }
}

/// A square of 6 × 6 cells; the region `middle` lacks the columns at the left and right.
Mesh square_with_middle() {
  Mesh serial = make_rectangle(0, 0, 1, 1, 6, 6, Shape::quadrilateral);
  Region middle{.name = "middle", .dim = 2, .members = {{}}, .nodes = {}};
  for (int c = 0; c < 36; ++c)
    if (c % 6 > 0 && c % 6 < 5) middle.members[0].push_back(c);
  serial.regions.push_back(middle);
  complete_serial(serial);
  return serial;
}

TEST(MaterialField, LeavesCellsOutsideItsRegion) {
  Problem p(square_with_middle(), Scale::log, PETSC_COMM_WORLD, "middle");
  std::vector<Controls> d = p.controls(), d_dot = p.controls();
  ASSERT_TRUE(p.design.apply(p.design.start(), d).ok);
  ASSERT_TRUE(p.design.jvp({}, {{}, std::vector<double>(p.design.cells().size(), 1.0)}, d_dot).ok);
  for (std::size_t c = 0; c < d[0][1].size(); ++c) {
    const double x = p.m.middle(static_cast<int>(c), 0);
    const bool outside = x < 1 / 6.0 || x > 5 / 6.0;
    EXPECT_EQ(d_dot[0][1][c] == 0, outside);
    if (outside) {
      EXPECT_EQ(d[0][1][c], 3);
    }
    else EXPECT_TRUE(d[0][1][c] > 2 && d[0][1][c] < 3);  // the filter sees what is beside
  }
}

TEST(MaterialField, RefusesWhatMakesNoSense) {
  const Mesh mesh = make_rectangle(0, 0, 1, 1, 4, 4, Shape::quadrilateral);
  const auto make = [&](Scale scale, const std::string& region, const FieldRange& range) {
    Problem(mesh, scale, PETSC_COMM_WORLD, region, range);
  };
  EXPECT_THROW(make(Scale::log, "nowhere", {}), std::invalid_argument);
  EXPECT_THROW(make(Scale::log, "left", {}), std::invalid_argument);  // facets
  EXPECT_THROW(make(Scale::log, "", {.start = -1}), std::invalid_argument);
  EXPECT_THROW(make(Scale::linear, "", {.lower = 2, .upper = 1}), std::invalid_argument);
  Problem p(mesh, Scale::linear, PETSC_COMM_WORLD, "", {.least = 0});
  std::vector<Controls> d = p.controls();
  const Evaluation e = p.design.apply({{}, std::vector<double>(p.design.cells().size(), -1.0)}, d);
  EXPECT_FALSE(e.ok);
  EXPECT_NE(e.reason.find("not admissible"), std::string::npos);
}

// ---- roughness, total variation -----------------------------------------------------------------------

/// A field per cell and its roughness, or with a slope its total variation.
struct Rough {
  DensityMesh m;
  std::shared_ptr<FormResidual> residual;
  std::unique_ptr<CellPenalty> y;
  VecHandle u;
  Setting given;  // of the last value

  EvaluationPoint point() const { return {u, given}; }
  Rough(const Mesh& serial, Scale scale, const std::string& region = "", MPI_Comm comm = PETSC_COMM_WORLD, double slope = 0) : m(serial, comm) {
    auto dofs = std::make_shared<const DofMap>(m.mesh, std::vector<Component>{{"u", 1}}, comm);
    residual = std::make_shared<FormResidual>(dofs);
    residual->add_control({.name = "p", .unit = "1", .layout = ControlLayout::cells}, std::vector<double>(m.owned.size(), 1.0));
    y = std::make_unique<CellPenalty>(residual, 0, VariableTransform(scale, 0.7), slope, region, false);
    u = residual->create_vector();
  }
  double at(const std::function<double(int)>& p) {
    Controls d{std::vector<double>(m.owned.size())};
    for (std::size_t c = 0; c < m.owned.size(); ++c) d[0][c] = p(static_cast<int>(c));
    return at(std::move(d));
  }
  double at(Controls d) {
    given = {std::make_shared<const Controls>(std::move(d))};
    double v = 0;
    y->evaluate(point(), &v);
    return v;
  }
};

// A slope s along x on n columns of width h: the nodes at both ends have the mean of one column only, which
// halves the slope there: ½ s² (1 − 3h/2).
TEST(CellPenalty, RoughnessOfASlopeIsHalfItsSquare) {
  for (const int n : {4, 10}) {
    Rough r(make_rectangle(0, 0, 1, 1, n, n, Shape::quadrilateral), Scale::linear);
    EXPECT_NEAR(r.at([&](int c) { return 0.7 * 3 * r.m.middle(c, 0); }), 4.5 * (1 - 1.5 / n), 1e-12);
    Rough logarithm(make_rectangle(0, 0, 1, 1, n, n, Shape::quadrilateral), Scale::log);
    const auto exponential = [&](int c) { return 5 * std::exp(3 * logarithm.m.middle(c, 1)); };
    EXPECT_NEAR(logarithm.at(exponential), 4.5 * (1 - 1.5 / n), 1e-12);
    EXPECT_NEAR(logarithm.at([&](int c) { return 100 * exponential(c); }), 4.5 * (1 - 1.5 / n), 1e-10);
  }
}

// The middle's four columns have an area of ⅔, and half slopes in two of them.
TEST(CellPenalty, KnowsOnlyItsRegion) {
  Rough r(square_with_middle(), Scale::linear, "middle");
  const double slope = r.at([&](int c) { return 0.7 * r.m.middle(c, 0); });
  EXPECT_NEAR(slope, 0.5 * (2 / 6.0 + 2 / 6.0 / 4), 1e-13);
  EXPECT_NEAR(r.at([&](int c) { return std::abs(r.m.middle(c, 0) - 0.5) > 1 / 3.0 ? 1e3 : 0.7 * r.m.middle(c, 0); }), slope, 1e-13);
}

TEST(CellPenalty, DerivativesAreExactOnAllRanks) {
  for (const Mesh& serial : test::density_meshes())
    for (const auto& [scale, turn] : {std::pair{Scale::linear, 0.0}, {Scale::log, 0.0}, {Scale::linear, 0.8}, {Scale::log, 0.8}}) {
      Rough r(serial, scale, "", PETSC_COMM_WORLD, turn), alone(serial, scale, "", PETSC_COMM_SELF, turn);
      const auto field = [](const DensityMesh& m, double seed, double step, double other) {
        Controls d{m.field(seed)};
        const std::vector<double> e = m.field(other);
        for (std::size_t c = 0; c < e.size(); ++c) d[0][c] = m.owned[c] ? 1 + d[0][c] + step * e[c] : 1e9;
        return d;
      };
      EXPECT_NEAR(r.at(field(r.m, 0.2, 0, 0)), alone.at(field(alone.m, 0.2, 0, 0)), 1e-11);
      const auto value = test::difference([&](double step) { return std::vector{r.at(field(r.m, 0.2, step, 0.9))}; });
      const double one = 1, third = 0.3;
      const auto gradient = [&] {
        Controls bar{std::vector<double>(r.m.owned.size(), 0.0)};
        r.y->vjp(r.point(), &one, nullptr, &bar);
        for (std::size_t c = 0; c < bar[0].size(); ++c) bar[0][c] *= r.m.owned[c];
        return bar[0];
      };
      const auto bend = test::difference([&](double step) {
        r.at(field(r.m, 0.2, step, 0.9));
        return gradient();
      });
      r.at(field(r.m, 0.2, 0, 0));
      const Controls direction{r.m.field(0.9)};
      double slope = 0;
      r.y->jvp(r.point(), nullptr, &direction, &slope);
      EXPECT_NEAR(slope, value[0], 1e-9);
      const std::vector<double> g = gradient();
      EXPECT_NEAR(r.m.sum([&](int c) { return g[c] * direction[0][c]; }), slope, 1e-12);
      Controls bar_dot{std::vector<double>(g.size(), 0.0)};
      r.y->vjp_tangent(r.point(), &one, &third, nullptr, &direction, nullptr, &bar_dot);
      EXPECT_LT(r.m.largest([&](int c) { return bar_dot[0][c] - bend[c] - 0.3 * g[c]; }), 1e-8);
    }
}

/// tanh of the distance from an edge by 0.04, times half of the jump.
double smooth_step(double distance, double jump) { return 0.5 * jump * std::tanh(distance / 0.04); }

// Jumps of 2 across a circle, a straight edge and a slanted one: 2 times their length, on meshes of both kinds, whose
// size does not enter; in space across a plane and a sphere 2 times the area.
TEST(CellPenalty, TotalVariationIsTheJumpTimesThePerimeter) {
  const double circle = 2 * std::numbers::pi * 0.3;
  for (const Shape shape : {Shape::quadrilateral, Shape::triangle})
    for (const int n : {60, 100}) {
      SCOPED_TRACE(n);
      Rough r(make_rectangle(0, 0, 1, 1, n, n, shape), Scale::linear, "", PETSC_COMM_WORLD, 0.01);
      const auto x = [&](int c, int i) { return r.m.middle(c, i) - 0.5; };
      const auto of = [&](auto&& distance) { return r.at([&](int c) { return 0.7 * smooth_step(distance(c), 2); }); };
      EXPECT_NEAR(of([&](int c) { return std::hypot(x(c, 0), x(c, 1)) - 0.3; }), 2 * circle, 0.015 * 2 * circle);
      EXPECT_NEAR(of([&](int c) { return x(c, 0); }), 2, 0.015 * 2);
      EXPECT_NEAR(of([&](int c) { return (x(c, 0) + 2 * x(c, 1)) / std::sqrt(5.0); }), 2 * std::sqrt(1.25), 0.015 * 2 * std::sqrt(1.25));
    }
  Rough r(make_box({0, 0, 0}, {1, 1, 1}, {24, 24, 24}, Shape::hexahedron), Scale::linear, "", PETSC_COMM_WORLD, 0.01);
  const auto x = [&](int c, int i) { return r.m.middle(c, i) - 0.5; };
  EXPECT_NEAR(r.at([&](int c) { return 0.7 * smooth_step(0.4 * x(c, 2), 2); }), 2, 0.02 * 2);
}

// Far gentler than the slope s, y is the roughness over s.
TEST(CellPenalty, GentleSlopesCountByTheirSquares) {
  const Mesh mesh = make_rectangle(0, 0, 1, 1, 8, 8, Shape::quadrilateral);
  Rough squares(mesh, Scale::log), lengths(mesh, Scale::log, "", PETSC_COMM_WORLD, 1e4);
  const auto value = [](Rough& r) {  // each has parted the mesh for itself
    return r.at([&](int c) { return std::exp(std::sin(3 * r.m.middle(c, 0)) * r.m.middle(c, 1)); });
  };
  EXPECT_NEAR(1e4 * value(lengths), value(squares), 1e-7);
}

}  // namespace
}  // namespace invar::material_fields
