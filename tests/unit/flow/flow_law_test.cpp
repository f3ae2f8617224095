// Viscosity laws: textbook values, smoothness at rest; tables; forms for a fluid at rest.
#include <gtest/gtest.h>

#include <cmath>

#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/flow/flow_problem.hpp"

namespace invar {
namespace {

using enum FlowDiscretisation;

const std::vector<std::pair<std::string, std::vector<double>>>& fluids() {
  static const std::vector<std::pair<std::string, std::vector<double>>> all{
      {"newtonian", {1.2, 0.3}}, {"carreau", {1.2, 0.6, 0.05, 0.7, 0.6}}, {"power_law", {1.2, 0.4, 0.7, 0.9}}};
  return all;
}

TEST(FlowLaws, ValuesAreThoseOfTheTextbook) {
  const auto viscosity = [](int law, double rate) {
    return make_viscosity_law(fluids()[law].first).viscosity(rate * rate, &fluids()[law].second[1]);
  };
  for (const double rate : {0.0, 0.3, 1.0, 40.0}) {
    EXPECT_DOUBLE_EQ(viscosity(0, rate), 0.3);
    EXPECT_NEAR(viscosity(1, rate), 0.05 + 0.55 * std::pow(1 + 0.49 * rate * rate, -0.2), 1e-15);
    EXPECT_NEAR(viscosity(2, rate), 0.4 * std::pow(rate * rate + 0.81, -0.15), 1e-15);
  }
  // Far above the floor the power law's shear stress is K γ̇ⁿ.
  EXPECT_NEAR(viscosity(2, 1e4) * 1e4 / (0.4 * std::pow(1e4, 0.7)), 1, 1e-8);
}

TEST(FlowLaws, DerivativesExistAtRest) {
  using D = Dual<double, 1>;
  using DD = Dual<D, 1>;
  const DD rest = DD::variable(D::variable(0.0, 0), 0);
  const auto slopes = [&](int law) {
    std::vector<DD> p;
    for (std::size_t k = 1; k < fluids()[law].second.size(); ++k) p.emplace_back(fluids()[law].second[k]);
    const DD mu = make_viscosity_law(fluids()[law].first).viscosity(rest, p.data());
    return std::array<double, 2>{mu.grad[0].value, mu.grad[0].grad[0]};
  };
  EXPECT_EQ(slopes(0)[0], 0);
  EXPECT_NEAR(slopes(1)[0], 0.55 * -0.2 * 0.49, 1e-15);
  EXPECT_NEAR(slopes(1)[1], 0.55 * -0.2 * -1.2 * 0.49 * 0.49, 1e-15);
  EXPECT_NEAR(slopes(2)[0], 0.4 * -0.15 * std::pow(0.81, -1.15), 1e-15);
  EXPECT_NEAR(slopes(2)[1], 0.4 * -0.15 * -1.15 * std::pow(0.81, -2.15), 1e-15);
}

TEST(FlowLaws, Library) {
  ASSERT_EQ(flow_law_names().size(), fluids().size());
  for (const std::string_view name : flow_law_names()) {
    EXPECT_FALSE(flow_law_doc(name).empty());
    const auto parameters = flow_law_parameters(name);
    EXPECT_EQ(parameters[0].key, "density");
    EXPECT_EQ(static_cast<int>(parameters.size()), 1 + make_viscosity_law(name).n_parameters());
    for (const ParamSpec& p : parameters) EXPECT_FALSE(p.unit.empty() || p.doc.empty()) << p.key;
  }
  try {
    make_viscosity_law("bingham");
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "unknown fluid 'bingham'; use one of newtonian carreau power_law");
  }
}

// In a fluid at rest all possible denominators are zero; results must be finite.
TEST(FlowLaws, FormsAreFiniteAtRest) {
  for (const auto discretisation : {taylor_hood, equal_order})
    for (const auto kind : {FlowKind::planar, FlowKind::axisymmetric})
      for (const auto& [law, parameters] : fluids()) {
        test::FlowProblem f(make_rectangle(0, 0, 1, 1, 2, 2, Shape::triangle, discretisation == taylor_hood ? 2 : 1),
                            {.kind = kind, .discretisation = discretisation, .law = law, .parameters = parameters});
        f.backflow("right", 1, 1);
        f.slip("top", 1, 1);
        f.residual()->finish();
        FormResidual& r = *f.residual();
        VecHandle rest = r.create_vector(), v = f.interpolate([](int c, const double* x) { return c + x[0] * x[1]; }),
                  out = r.create_vector();
        const EvaluationPoint at = test::at_full_load(r, rest);
        EXPECT_TRUE(r.residual(at, out));
        r.jacobian(at);
        check(MatMult(r.matrix(), v, out));
        double norm = 0;
        check(VecNorm(out, NORM_2, &norm));
        EXPECT_TRUE(std::isfinite(norm) && norm > 0);
        VecHandle u_bar = r.create_vector();
        Controls d_bar = r.control_values();
        r.vjp_tangent(at, v, v, v, nullptr, u_bar, &d_bar);
        check(VecNorm(u_bar, NORM_2, &norm));
        EXPECT_TRUE(std::isfinite(norm));
      }
}

// Cells of several shapes: one form without stabilisation, one per shape with it.
TEST(FlowForms, MeshesOfTrianglesAndQuadrilaterals) {
  for (const auto discretisation : {taylor_hood, equal_order}) {
    const Mesh mesh = test::mixed_rectangle(4, 3, discretisation == taylor_hood ? 2 : 1);
    test::FlowProblem f(mesh, {.discretisation = discretisation, .stress_form = true, .comm = PETSC_COMM_SELF});
    EXPECT_EQ(f.residual()->form_count(), discretisation == taylor_hood ? 1 : 2);
    if (discretisation == equal_order) {
      EXPECT_THROW(make_navier_stokes(FlowKind::planar, equal_order, {}, f.cells(2)), std::invalid_argument);
    }
    // Uniform flow needs no force.
    const auto uniform = [](int c, const double*) { return c == 0 ? 1.3 : c == 1 ? -0.4 : 0.0; };
    f.hold({"left", "top"}, uniform);
    EXPECT_LT(f.largest_error(f.solve(), uniform, 0, 3), 1e-13);
  }
}

}  // namespace
}  // namespace invar
