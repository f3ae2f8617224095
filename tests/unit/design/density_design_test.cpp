// From densities to controls: the curves, the region, exact derivatives, and the fluid's volume.
#include <numbers>

#include "libfem/design/field/density_forms.hpp"
#include "libfem/design/field/helmholtz_filter.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/objective/form_value.hpp"
#include "tests/unit/design/density_problem.hpp"
#include "tests/unit/design/map_checks.hpp"

namespace invar {
namespace {

using test::DensityMesh;

constexpr DensityStage grey{.steepness = 3, .threshold = 0.4, .convexity = 0.08, .max_resistance = 5};

/// Case 0 has both controls, at 1 and 2; case 1 only a resistance, at 0.
struct Problem {
  DensityMesh m;
  std::shared_ptr<HelmholtzFilter> filter;
  DensityDesign design;

  explicit Problem(const Mesh& serial, MPI_Comm comm = PETSC_COMM_WORLD, const std::string& region = "",
                   const DensityStage& stage = grey)
      : m(serial, comm), filter(std::make_shared<HelmholtzFilter>(m.mesh, 0.5, false)),
        design(filter, region, {stage}, {0.5}, {{0, 1, 2}, {1, -1, 0}}) {}

  std::vector<Controls> controls() const { return {Controls(3), Controls(1)}; }
  /// θ or a direction, the same on any number of ranks.
  DesignVector entries(double seed) const {
    const std::vector<double> all = m.field(seed);
    DesignVector x;
    for (int c : design.cells()) x.local.push_back(all[c]);
    return x;
  }
  std::vector<Controls> adjoints(double seed) const {
    std::vector<Controls> bar = controls();
    design.want(bar);
    for (Controls& c : bar)
      for (std::vector<double>& field : c)
        if (!field.empty()) field = m.field(seed += 1);
    return bar;
  }
  double product(const std::vector<Controls>& a, const std::vector<Controls>& b) const {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::size_t i = 0; i < a[k].size(); ++i)
        if (!a[k][i].empty()) sum += m.sum([&](int c) { return a[k][i][c] * b[k][i][c]; });
    return sum;
  }
};

TEST(DensityDesign, ProjectsAndResistsAsPublished) {
  // A constant passes the filter unchanged.
  for (const DensityStage& s : {grey, DensityStage{.steepness = 0, .convexity = 0.1, .max_resistance = 2.5e4},
                                DensityStage{.steepness = 64, .convexity = 1, .max_resistance = 3}})
    for (const double theta : {0.0, 0.2, 0.45, 0.9, 1.0}) {
      Problem p(make_rectangle(0, 0, 1, 1, 3, 3, Shape::quadrilateral), PETSC_COMM_WORLD, "", s);
      std::vector<Controls> d = p.controls();
      ASSERT_TRUE(p.design.apply({{}, std::vector<double>(p.design.cells().size(), theta)}, d).ok);
      double rho = theta;
      if (s.steepness > 0) {
        const double b = s.steepness, e = s.threshold;
        rho = (std::tanh(b * e) + std::tanh(b * (theta - e))) / (std::tanh(b * e) + std::tanh(b * (1 - e)));
      }
      // As Borrvall and Petersson write it, with no resistance of the fluid.
      const double alpha = s.max_resistance * (1 - rho * (1 + s.convexity) / (rho + s.convexity));
      for (std::size_t c = 0; c < d[0][1].size(); ++c) {
        EXPECT_NEAR(d[0][1][c], rho, 1e-12);
        EXPECT_NEAR(d[0][2][c], alpha, 1e-10 * s.max_resistance);
        EXPECT_EQ(d[1][0][c], d[0][2][c]);
      }
      if (theta == 0 || theta == 1) {
        EXPECT_NEAR(d[0][1][0], theta, 1e-12);
      }
      if (s.steepness == 64 && theta < 0.46) {
        EXPECT_LT(d[0][1][0], 2e-3);
      }
    }
}

/// A density of one value in all cells of a square, designed for two cases of which the second is dilated.
struct Uniform {
  DensityMesh m{make_rectangle(0, 0, 1, 1, 4, 4, Shape::quadrilateral)};
  std::shared_ptr<CellFilter> filter = std::make_shared<NoFilter>(m.mesh, false);

  std::vector<Controls> at(double theta, const DensityStage& stage, double shift = 0) const {
    DensityDesign design(filter, "", {stage}, {0.5}, {{0, 0, 1, 7.0}, {1, 0, 1, 2.0, shift}});
    std::vector<Controls> d{Controls(2), Controls(2)};
    EXPECT_TRUE(design.apply({{}, std::vector<double>(design.cells().size(), theta)}, d).ok);
    return d;
  }
};

TEST(DensityDesign, StiffensAsPublished) {
  const Uniform u;
  for (const double rho : {0.0, 0.2, 0.5, 1.0}) {
    const auto stiffness = [&](DensityStage::Law law, double penalty) {
      const std::vector<Controls> d = u.at(rho, {.law = law, .penalty = penalty, .void_share = 1e-9});
      EXPECT_EQ(d[0][0][0], rho);
      EXPECT_NEAR(d[1][1][0], d[0][1][0] * 2 / 7, 1e-15);
      return d[0][1][0] / 7;
    };
    using enum DensityStage::Law;
    EXPECT_NEAR(stiffness(simp, 3), 1e-9 + (1 - 1e-9) * rho * rho * rho, 1e-15);
    EXPECT_NEAR(stiffness(simp, 1), 1e-9 + (1 - 1e-9) * rho, 1e-15);
    EXPECT_NEAR(stiffness(ramp, 4), 1e-9 + (1 - 1e-9) * rho / (5 - 4 * rho), 1e-15);
    // As Wang, Lazarov, Sigmund and Jensen have it.
    const double b = 500, s0 = 0.01, gamma = (std::tanh(b * s0) + std::tanh(b * (rho * rho * rho - s0))) / (std::tanh(b * s0) + std::tanh(b * (1 - s0)));
    EXPECT_NEAR((DensityStage{.law = simp, .penalty = 3}.finite_share(rho)), gamma, 1e-15);
    EXPECT_EQ((DensityStage{.law = simp, .linear_below = 0}.finite_share(rho)), 1);
  }
}

// A higher threshold takes material away, a lower one adds: the eroded body is within the nominal one.
TEST(DensityDesign, ShiftsTheThresholdOfACase) {
  const Uniform u;
  const DensityStage stage{.steepness = 8, .threshold = 0.5, .law = DensityStage::Law::simp};
  for (const double rho : {0.35, 0.5, 0.65}) {
    const auto projected = [&](double eta) {
      return (std::tanh(8 * eta) + std::tanh(8 * (rho - eta))) / (std::tanh(8 * eta) + std::tanh(8 * (1 - eta)));
    };
    EXPECT_NEAR(u.at(rho, stage, 0.2)[1][0][0], projected(0.7), 1e-14);
    EXPECT_NEAR(u.at(rho, stage, -0.2)[1][0][0], projected(0.3), 1e-14);
    EXPECT_NEAR(u.at(rho, stage, -0.2)[0][0][0], projected(0.5), 1e-14);
  }
}

TEST(DensityDesign, DerivativesAreExact) {
  for (const Mesh& serial : test::density_meshes()) {
    Problem p(serial);
    const DesignVector theta = p.entries(0.2), theta_dot = p.entries(0.9);
    const auto at = [&](double step) {
      DesignVector x = theta;
      x.axpy(step, theta_dot);
      std::vector<Controls> d = p.controls();
      EXPECT_TRUE(p.design.apply(x, d).ok);
      return std::pair(x, d);
    };
    for (const auto& [k, i] : {std::pair{0, 1}, {0, 2}, {1, 0}}) {
      const auto expected = test::difference([&, k = k, i = i](double step) { return at(step).second[k][i]; });
      at(0);
      std::vector<Controls> d_dot = p.controls();
      ASSERT_TRUE(p.design.jvp(theta, theta_dot, d_dot).ok);
      EXPECT_LT(test::distance(d_dot[k][i], expected), 1e-8) << k << " " << i;
    }
    std::vector<Controls> d_dot = p.controls();
    std::vector<Controls> bar = p.adjoints(0.5), bar_dot = p.adjoints(5.5);
    DesignVector theta_bar{{}, std::vector<double>(theta.local.size(), 0.25)};  // vjp adds
    ASSERT_TRUE(p.design.jvp(theta, theta_dot, d_dot).ok && p.design.vjp(theta, bar, theta_bar).ok);
    for (double& v : theta_bar.local) v -= 0.25;
    const double product = p.product(bar, d_dot);
    EXPECT_NEAR(dot(theta_bar, theta_dot, PETSC_COMM_WORLD), product, 1e-11 * (1 + std::abs(product)));

    const auto pulled = test::difference([&](double step) {
      const DesignVector x = at(step).first;
      std::vector<Controls> moved = bar;
      for (std::size_t k = 0; k < bar.size(); ++k)
        for (std::size_t i = 0; i < bar[k].size(); ++i) moved[k][i] = test::moved(bar[k][i], step, bar_dot[k][i]);
      DesignVector g = DesignVector::zeros_like(theta);
      EXPECT_TRUE(p.design.vjp(x, moved, g).ok);
      return g.local;
    });
    at(0);
    DesignVector theta_bar_dot{{}, std::vector<double>(theta.local.size(), 0.5)};
    ASSERT_TRUE(p.design.vjp_tangent(theta, theta_dot, bar, bar_dot, theta_bar_dot).ok);
    for (double& v : theta_bar_dot.local) v -= 0.5;
    EXPECT_LT(test::distance(theta_bar_dot.local, pulled), 1e-8);
    EXPECT_GT(test::largest(theta_bar_dot.local), 1e-3);
  }
}

TEST(DensityDesign, IsTheSameOnAllRanks) {
  for (const Mesh& serial : test::density_meshes()) {
    Problem p(serial), q(serial, PETSC_COMM_SELF);
    std::vector<Controls> d = p.controls(), e = q.controls();
    ASSERT_TRUE(p.design.apply(p.entries(0.2), d).ok && q.design.apply(q.entries(0.2), e).ok);
    DesignVector g = DesignVector::zeros_like(p.design.start()), h = DesignVector::zeros_like(q.design.start());
    std::vector<Controls> p_bar_dot = p.adjoints(0.4), q_bar_dot = q.adjoints(0.4);
    ASSERT_TRUE(p.design.vjp_tangent({}, p.entries(0.7), p.adjoints(0.1), p_bar_dot, g).ok);
    ASSERT_TRUE(q.design.vjp_tangent({}, q.entries(0.7), q.adjoints(0.1), q_bar_dot, h).ok);
    std::vector<double> controls(q.m.original.size()), adjoints(q.m.original.size());
    for (std::size_t c = 0; c < controls.size(); ++c) controls[q.m.original[c]] = e[0][2][c];
    for (std::size_t i = 0; i < h.local.size(); ++i) adjoints[q.m.original[q.design.cells()[i]]] = h.local[i];
    for (std::size_t c = 0; c < d[0][2].size(); ++c) EXPECT_NEAR(d[0][2][c], controls[p.m.original[c]], 1e-11);
    for (std::size_t i = 0; i < g.local.size(); ++i)
      EXPECT_NEAR(g.local[i], adjoints[p.m.original[p.design.cells()[i]]], 1e-10);
  }
}

TEST(DensityDesign, CutInBlackAndWhiteKeepsItsVolumeAndHasNoDerivative) {
  for (const Mesh& serial : test::density_meshes()) {
    Problem p(serial);
    std::vector<Controls> grey_d = p.controls(), d = p.controls();
    ASSERT_TRUE(p.design.apply(p.entries(0.2), grey_d).ok);
    const double cut = p.design.cut_of_equal_volume();
    p.design.set_cut(cut);
    ASSERT_TRUE(p.design.apply(p.entries(0.2), d).ok);
    const auto volume_of = [&](const Controls& c) { return p.m.sum([&](int k) { return p.filter->volumes()[k] * c[1][k]; }); };
    const double cell = p.m.sum([&](int k) { return p.filter->volumes()[k]; }) / p.m.sum([](int) { return 1; });
    EXPECT_LE(volume_of(d[0]), volume_of(grey_d[0]) * (1 + 1e-12));
    EXPECT_GE(volume_of(d[0]), volume_of(grey_d[0]) - 4 * cell);
    for (std::size_t c = 0; c < d[0][1].size(); ++c) {
      EXPECT_EQ(d[0][1][c], grey_d[0][1][c] > cut ? 1 : 0);
      EXPECT_EQ(d[0][2][c], grey_d[0][1][c] > cut ? 0 : grey.max_resistance);
    }
    DesignVector g = DesignVector::zeros_like(p.design.start());
    std::vector<Controls> bar = p.adjoints(0.1);
    EXPECT_FALSE(p.design.vjp({}, bar, g).ok);
    EXPECT_FALSE(p.design.jvp({}, p.entries(0.7), d).ok);
    p.design.set_cut(std::nullopt);
    ASSERT_TRUE(p.design.apply(p.entries(0.2), d).ok);
    // On several ranks the filter's solves differ by round-off: MUMPS adds contributions in the order of arrival.
    for (std::size_t c = 0; c < d[0][1].size(); ++c) EXPECT_NEAR(d[0][1][c], grey_d[0][1][c], 1e-12);
  }
}

TEST(DensityDesign, LeavesCellsOutsideItsRegion) {
  Mesh serial = make_rectangle(0, 0, 1, 1, 6, 6, Shape::quadrilateral);
  Region middle{.name = "middle", .dim = 2, .members = {{}}, .nodes = {}};
  for (int c = 0; c < 36; ++c)
    if (c % 6 > 0 && c % 6 < 5) middle.members[0].push_back(c);
  serial.regions.push_back(middle);
  complete_serial(serial);
  Problem p(serial, PETSC_COMM_WORLD, "middle");
  EXPECT_EQ(p.m.sum([](int) { return 1; }), 36);
  double designed = static_cast<double>(p.design.cells().size());
  MPI_Allreduce(MPI_IN_PLACE, &designed, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  EXPECT_EQ(designed, 24);
  std::vector<Controls> d = p.controls(), d_dot = p.controls();
  ASSERT_TRUE(p.design.apply({{}, std::vector<double>(p.design.cells().size(), 0.0)}, d).ok);
  ASSERT_TRUE(p.design.jvp({}, {{}, std::vector<double>(p.design.cells().size(), 1.0)}, d_dot).ok);
  for (std::size_t c = 0; c < d[0][1].size(); ++c) {
    const double x = p.m.middle(static_cast<int>(c), 0);
    if (x < 1 / 6.0 || x > 5 / 6.0) {
      EXPECT_EQ(d[0][1][c], 1);
      EXPECT_EQ(d[0][2][c], 0);
      EXPECT_EQ(d_dot[0][2][c], 0);
    } else {
      EXPECT_LT(d[0][1][c], 0.9);
      EXPECT_GT(d[0][1][c], 0);  // the filter sees the fluid beside
      EXPECT_LT(d_dot[0][2][c], 0);
    }
  }
}

// Without filter cells are independent; ghosts have the values of their owners on any number of ranks.
TEST(DensityDesign, WithoutAFilterIsWhatItIs) {
  for (const Mesh& serial : test::density_meshes()) {
    const DensityMesh m(serial);
    NoFilter none(m.mesh, false);
    std::vector<double> out;
    ASSERT_TRUE(none.apply(m.field(0.4), out).ok);
    ASSERT_EQ(out.size(), m.original.size());
    for (std::size_t c = 0; c < out.size(); ++c) EXPECT_EQ(out[c], 0.5 + 0.5 * std::sin(0.4 + 2.7 * static_cast<double>(m.original[c])));
  }
}

TEST(DensityDesign, KeepsPassiveCells) {
  Mesh serial = make_rectangle(0, 0, 1, 1, 6, 6, Shape::quadrilateral);
  Region low{.name = "low", .dim = 2, .members = {{}}, .nodes = {}}, high = low;
  high.name = "high";
  for (int c = 0; c < 6; ++c) low.members[0].push_back(c), high.members[0].push_back(30 + c);
  serial.regions.push_back(low);
  serial.regions.push_back(high);
  complete_serial(serial);
  const DensityMesh m(serial);
  const auto filter = std::make_shared<HelmholtzFilter>(m.mesh, 0.5, false);
  DensityDesign design(filter, "", {{.law = DensityStage::Law::simp, .void_share = 1e-3}}, {0.5}, {{0, 0, 1}}, 1, {{"low", 1}, {"high", 0}});
  std::vector<Controls> d{Controls(2)};
  ASSERT_TRUE(design.apply(design.start(), d).ok);
  for (std::size_t c = 0; c < d[0][0].size(); ++c) {
    const double y = m.middle(static_cast<int>(c), 1);
    if (y < 1 / 6.0) {
      EXPECT_EQ(d[0][1][c], 1);
    } else if (y > 5 / 6.0) {
      EXPECT_EQ(d[0][1][c], 1e-3);
    }
    else EXPECT_TRUE(d[0][0][c] > 0 && d[0][0][c] < 1);
  }
  const std::array<double, 2> volume = design.fixed_and_designed_volume();
  EXPECT_NEAR(volume[0], 1 / 6.0, 1e-14);
  EXPECT_NEAR(volume[1], 4 / 6.0, 1e-14);
  // nothing is left
  EXPECT_THROW(DensityDesign(filter, "low", {grey}, {0.5}, {}, 1, {{"low", 0}}), std::invalid_argument);
}

TEST(DensityDesign, RefusesWhatMakesNoSense) {
  Problem p(make_rectangle(0, 0, 1, 1, 4, 4, Shape::quadrilateral));
  const auto make = [&](const std::string& region, std::vector<double> start) {
    DensityDesign(p.filter, region, {grey}, std::move(start), {});
  };
  EXPECT_THROW(make("nowhere", {0.5}), std::invalid_argument);
  EXPECT_THROW(make("left", {0.5}), std::invalid_argument);  // facets
  EXPECT_THROW(make("", std::vector<double>(999, 0.5)), std::invalid_argument);
  EXPECT_THROW(make("", {1.5}), std::invalid_argument);
  EXPECT_NO_THROW(make("body", {0.0}));
}

// ∫ρ with the weights of the filter's cells, and of known bodies.
TEST(DensityDesign, VolumeOfFluidHasExactDerivatives) {
  std::vector<Mesh> meshes = test::density_meshes();
  meshes.push_back(make_rectangle(0.5, 0, 1.5, 1, 3, 3, Shape::quadrilateral, 2));
  for (std::size_t k = 0; k < meshes.size(); ++k)
    for (const bool axisymmetric : {false, true}) {
      if (axisymmetric && meshes[k].dim == 3) continue;
      const DensityMesh m(meshes[k]);
      const HelmholtzFilter filter(m.mesh, 0.5, axisymmetric);
      const std::vector<Component> components{{"u", 1}, {"p", 1}};
      const auto dofs = std::make_shared<const DofMap>(m.mesh, components, m.mesh->comm);
      const auto residual = std::make_shared<FormResidual>(dofs);
      const std::size_t n = m.owned.size();
      const int density = residual->add_control({.name = "density", .unit = "1", .layout = ControlLayout::cells},
                                                std::vector<double>(n, 1.0));
      residual->add_functional(make_coefficient_integral(m.mesh->dim, axisymmetric, CellBatches::on_cells(dofs, "", 4)),
                               {{density, {}}});
      residual->finish();
      FormValue volume(residual, {1.0});
      const VecHandle u = residual->create_vector(), u_bar = residual->create_vector();
      const EvaluationPoint at{u, residual->given()};
      double y = 0, y_dot = 0;
      volume.evaluate(at, &y);
      if (k + 1 == meshes.size()) {
        EXPECT_NEAR(y, axisymmetric ? 2 * std::numbers::pi : 1, 1e-13);
      }
      EXPECT_NEAR(y, m.sum([&](int c) { return filter.volumes()[c]; }), 1e-13 * y);
      const Controls direction{m.field(0.3)};
      Controls d_bar{std::vector<double>(n, 0.0)};
      const double seed = 2;
      volume.jvp(at, nullptr, &direction, &y_dot);
      volume.vjp(at, &seed, u_bar, &d_bar);
      EXPECT_NEAR(y_dot, m.sum([&](int c) { return filter.volumes()[c] * direction[0][c]; }), 1e-13 * y);
      EXPECT_LT(m.largest([&](int c) { return d_bar[0][c] - 2 * filter.volumes()[c]; }), 1e-14 * y);
      double norm = 0;
      check(VecNorm(u_bar, NORM_INFINITY, &norm));
      EXPECT_EQ(norm, 0);
    }
}

}  // namespace
}  // namespace invar
