// Constants of materials as fields that are projected to two values, symmetric or extruded, beside cells that keep a value.
#include <numbers>

#include "libfem/design/field/cone_filter.hpp"
#include "libfem/design/field/material_field.hpp"
#include "tests/unit/design/density_problem.hpp"
#include "tests/unit/design/map_checks.hpp"

namespace invar::projected_fields {
namespace {

using test::DensityMesh;
using Scale = VariableTransform::Kind;

constexpr double low = 2, high = 50, kept = 7;

/// A block of 6 × 4 (× 4) cells; the region `hub` holds its two columns beside x = ½.
Mesh block_with_hub(int dim) {
  Mesh serial = dim == 2 ? make_rectangle(0, 0, 1, 1, 6, 4, Shape::quadrilateral) : make_box({0, 0, 0}, {1, 1, 1}, {6, 4, 4}, Shape::hexahedron);
  Region hub{.name = "hub", .dim = dim, .members = {{}}, .nodes = {}};
  for (int c = 0; c < serial.cells[0].count(); ++c)
    if (c % 6 == 2 || c % 6 == 3) hub.members[0].push_back(c);
  serial.regions.push_back(hub);
  complete_serial(serial);
  return serial;
}

/// One control of one case.
struct Problem {
  DensityMesh m;
  std::shared_ptr<MaterialField> design;

  /// steepness < 0: no projection.
  Problem(const Mesh& serial, Scale scale, double steepness, bool cone, bool hub, const std::vector<CellOrbits::MirrorPlane>& planes = {}, int along = -1, MPI_Comm comm = PETSC_COMM_WORLD)
      : m(serial, comm) {
    std::shared_ptr<CellFilter> filter;
    if (cone) filter = std::make_shared<ConeFilter>(m.mesh, 0.5, false);
    else filter = std::make_shared<HelmholtzFilter>(m.mesh, 0.5, false);
    const VariableTransform transform(scale, 10);
    const FieldRange range{.start = 20, .lower = low, .upper = high, .outside = 10};
    std::vector<PassiveCells> passive;
    if (hub) passive.push_back({"hub", kept});
    if (steepness < 0) design = std::make_shared<MaterialField>(filter, "", transform, range, std::vector<FieldTarget>{{0, 0}}, passive);
    else design = std::make_shared<ProjectedField>(filter, "", transform, range, std::vector<FieldTarget>{{0, 0}}, 0.4, std::vector{ProjectedField::Stage{steepness}}, passive);
    if (!planes.empty() || along >= 0) design->share(std::make_shared<CellOrbits>(*m.mesh, design->cells(), planes, along));
  }
  /// θ between the bounds, or a direction, the same on any number of ranks.
  DesignVector entries(double seed) const {
    const std::vector<double> all = m.field(seed);
    const DesignVector least = design->lower(), most = design->upper();
    DesignVector x;
    for (std::size_t i = 0; i < design->cells().size(); ++i) x.local.push_back(least.local[i] + (most.local[i] - least.local[i]) * all[design->cells()[i]]);
    return x;
  }
  std::vector<double> values(const DesignVector& theta) const {
    std::vector<Controls> d{Controls(1)};
    const Evaluation e = design->apply(theta, d);
    EXPECT_TRUE(e.ok) << e.reason;
    return d[0][0];
  }
  bool is_hub(int c) const { return std::abs(m.middle(c, 0) - 0.5) < 1 / 6.0; }
};

// A constant passes the filter; then the formula of Wang, Lazarov and Sigmund between the bounds, on either scale.
TEST(ProjectedField, IsPulledToItsBoundsAsPublished) {
  constexpr double eta = 0.4;
  for (const double beta : {0.0, 3.0, 64.0})
    for (const double p : {2.0, 5.0, 11.0, 30.0, 50.0}) {
      SCOPED_TRACE(p);
      const double linear = (p - low) / (high - low), log = std::log(p / low) / std::log(high / low);
      for (const auto& [scale, x] : {std::pair{Scale::linear, linear}, {Scale::log, log}}) {
        const Problem problem(block_with_hub(2), scale, beta, false, false);
        const double q = beta == 0 ? x : (std::tanh(beta * eta) + std::tanh(beta * (x - eta))) / (std::tanh(beta * eta) + std::tanh(beta * (1 - eta)));
        const double expected = scale == Scale::linear ? low + (high - low) * q : low * std::pow(high / low, q);
        const double theta = scale == Scale::linear ? p / 10 : std::log(p / 10);
        const std::vector<double> values = problem.values({{}, std::vector<double>(problem.design->cells().size(), theta)});
        EXPECT_LT(problem.m.largest([&](int c) { return values[c] - expected; }), 1e-11 * expected);
        if (beta == 64 && std::abs(x - eta) > 0.1) {
          EXPECT_NEAR(expected, x > eta ? high : low, 1e-4);
        }
      }
    }
}

TEST(ProjectedField, KeepsPassiveCellsWhichTheFilterSees) {
  for (const bool cone : {false, true})
    for (const double steepness : {-1.0, 6.0}) {
      const Problem p(block_with_hub(2), Scale::log, steepness, cone, true);
      const std::vector<double> values = p.values({{}, std::vector<double>(p.design->cells().size(), std::log(high / 10))});
      for (std::size_t c = 0; c < values.size(); ++c) {
        const int cell = static_cast<int>(c);
        if (p.is_hub(cell)) {
          EXPECT_EQ(values[c], kept);
        } else {
          EXPECT_LE(values[c], high * (1 + 1e-9));
          EXPECT_EQ(values[c] < high * (1 - 1e-9) || std::abs(p.m.middle(cell, 0) - 0.5) > 1 / 3.0, true);
        }
      }
      std::vector<Controls> d_dot{Controls(1)};
      ASSERT_TRUE(p.design->jvp({}, p.entries(0.3), d_dot).ok);
      for (std::size_t c = 0; c < values.size(); ++c)
        if (p.is_hub(static_cast<int>(c))) {
          EXPECT_EQ(d_dot[0][0][c], 0);
        }
    }
}

// Values at mirrored and aligned places are the same for any θ, on any number of ranks, also beside cells that are not designed.
TEST(ProjectedField, IsSymmetricAndExtruded) {
  struct Variant {
    int dim;
    std::vector<CellOrbits::MirrorPlane> planes;
    int along;
  };
  for (const Variant& v : {Variant{2, {{0, 0.5}}, -1}, Variant{2, {{0, 0.5}, {1, 0.5}}, -1}, Variant{3, {{1, 0.5}}, 2}, Variant{3, {}, 1}})
    for (const bool cone : {false, true}) {
      const Problem p(block_with_hub(v.dim), Scale::log, 3, cone, true, v.planes, v.along);
      const Problem alone(block_with_hub(v.dim), Scale::log, 3, cone, true, v.planes, v.along, PETSC_COMM_SELF);
      const std::vector<double> values = p.values(p.entries(0.7)), all = alone.values(alone.entries(0.7));
      std::vector<double> by_number(all.size());
      for (std::size_t c = 0; c < all.size(); ++c) by_number[alone.m.original[c]] = all[c];
      const std::array<int, 3> cells{6, 4, v.dim == 3 ? 4 : 1};
      double spread = 0;
      for (std::size_t c = 0; c < values.size(); ++c) {
        const auto at = static_cast<int>(p.m.original[c]);
        EXPECT_NEAR(values[c], by_number[at], 1e-9);
        std::array<int, 3> place{at % 6, at / 6 % 4, at / 24}, image = place;
        for (const CellOrbits::MirrorPlane& m : v.planes) image[m.axis] = cells[m.axis] - 1 - image[m.axis];
        if (v.along >= 0) image[v.along] = (image[v.along] + 1) % cells[v.along];
        EXPECT_NEAR(values[c], by_number[image[0] + 6 * (image[1] + 4 * image[2])], 1e-11 * values[c]);
        if (!p.is_hub(static_cast<int>(c))) spread = std::max(spread, std::abs(values[c] - by_number[v.along == 1 ? 0 : 6]));
      }
      EXPECT_GT(spread, 0.1);  // it is no constant
    }
}

TEST(ProjectedField, DerivativesAreExact) {
  for (const int dim : {2, 3})
    for (const Scale scale : {Scale::linear, Scale::log})
      for (const double steepness : {-1.0, 2.5}) {
        const Problem p(block_with_hub(dim), scale, steepness, dim == 3, true, {{1, 0.5}}, dim == 3 ? 2 : -1);
        const double size = scale == Scale::linear ? 10 : 1;
        const DesignVector theta = p.entries(0.2), theta_dot{{}, p.m.field(0.9)};
        DesignVector direction;
        for (const int c : p.design->cells()) direction.local.push_back(theta_dot.local[c] - 0.4);
        const auto at = [&](double step) {
          DesignVector x = theta;
          x.axpy(step, direction);
          return std::pair(x, p.values(x));
        };
        const auto expected = test::difference([&](double step) { return at(step).second; });
        at(0);
        std::vector<Controls> d_dot{Controls(1)};
        ASSERT_TRUE(p.design->jvp(theta, direction, d_dot).ok);
        EXPECT_LT(test::distance(d_dot[0][0], expected), 1e-8 * size);
        std::vector<Controls> bar{{p.m.field(0.5)}}, bar_dot{{p.m.field(5.5)}};
        DesignVector theta_bar{{}, std::vector<double>(theta.local.size(), 0.25)};  // vjp adds
        ASSERT_TRUE(p.design->vjp(theta, bar, theta_bar).ok);
        for (double& v : theta_bar.local) v -= 0.25;
        const double product = p.m.sum([&](int c) { return bar[0][0][c] * d_dot[0][0][c]; });
        EXPECT_NEAR(dot(theta_bar, direction, PETSC_COMM_WORLD), product, 1e-11 * (1 + std::abs(product)));
        const auto pulled = test::difference([&](double step) {
          const DesignVector x = at(step).first;
          std::vector<Controls> moved{{test::moved(bar[0][0], step, bar_dot[0][0])}};
          DesignVector g = DesignVector::zeros_like(theta);
          EXPECT_TRUE(p.design->vjp(x, moved, g).ok);
          return g.local;
        });
        at(0);
        DesignVector theta_bar_dot = DesignVector::zeros_like(theta);
        ASSERT_TRUE(p.design->vjp_tangent(theta, direction, bar, bar_dot, theta_bar_dot).ok);
        EXPECT_LT(test::distance(theta_bar_dot.local, pulled), 1e-7 * size);
        EXPECT_GT(dot(theta_bar_dot, theta_bar_dot, PETSC_COMM_WORLD), 1e-6);
      }
}

TEST(ProjectedField, ChangesInStages) {
  const DensityMesh m(block_with_hub(2));
  const auto make = [&](const FieldRange& range) {
    return ProjectedField(std::make_shared<NoFilter>(m.mesh, false), "", VariableTransform(Scale::log, 10), range, {{0, 0}}, 0.5, {{0, 7}, {40, 9}});
  };
  ProjectedField design = make({.start = 20, .lower = low, .upper = high, .outside = 10});
  EXPECT_EQ(design.stage_count(), 2);
  EXPECT_EQ(design.iterations_in(0), 7);
  EXPECT_EQ(design.iterations_in(1), 9);
  EXPECT_EQ(design.stage_text(1), "stage 2: steepness 40");
  for (const auto& [stage, expected] : {std::pair{0, 20.0}, {1, high}}) {
    design.begin_stage(stage);
    std::vector<Controls> d{Controls(1)};
    ASSERT_TRUE(design.apply(design.start(), d).ok);
    EXPECT_LT(m.largest([&](int c) { return d[0][0][c] - expected; }), 1e-4);
  }
  EXPECT_THROW(make({.start = 20, .lower = low, .outside = 10}), std::invalid_argument);
  EXPECT_THROW(make({.start = 20, .lower = 20, .upper = 20, .outside = 10}), std::invalid_argument);
}

TEST(ProjectedField, NeedsACellToDesign) {
  const DensityMesh m(block_with_hub(2));
  const auto filter = std::make_shared<NoFilter>(m.mesh, false);
  EXPECT_THROW(MaterialField(filter, "hub", VariableTransform(Scale::log, 10), {.outside = 10}, {}, {{"hub", 3}}), std::invalid_argument);
  EXPECT_THROW(MaterialField(filter, "", VariableTransform(Scale::log, 10), {.outside = 10}, {}, {{"nowhere", 3}}), std::invalid_argument);
  EXPECT_THROW(MaterialField(filter, "", VariableTransform(Scale::log, 10), {.outside = 10}, {}, {{"hub", -3}}), std::invalid_argument);
}

}  // namespace
}  // namespace invar::projected_fields
