#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/quantity_entry.hpp"

namespace invar {
namespace {

/// The rectangle 2 m × 1 m with one unknown of second order.
QuantityCase sheet() {
  auto mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 2, 1, 4, 3, Shape::quadrilateral, 2), PETSC_COMM_WORLD));
  QuantityCase c;
  c.dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 2}}, PETSC_COMM_WORLD);
  c.residual = std::make_shared<FormResidual>(c.dofs);
  c.component = 0;
  return c;
}

VecHandle interpolated(const QuantityCase& c, const std::function<double(double x, double y)>& f) {
  VecHandle u = c.residual->create_vector();
  double* values = nullptr;
  check(VecGetArray(u, &values));
  for (int node = 0; node < c.mesh().n_owned_nodes; ++node)
    values[c.dofs->dof(node, 0)] = f(c.mesh().coordinates[2 * node], c.mesh().coordinates[2 * node + 1]);
  check(VecRestoreArray(u, &values));
  return u;
}

/// 1 − (x − 1.3)², which the elements represent exactly.
VecHandle hill(const QuantityCase& c) {
  return interpolated(c, [](double x, double) { return 1 - (x - 1.3) * (x - 1.3); });
}

Measurement extremum(const QuantityCase& c, const char* kind, const char* give, const char* region, EntryMistakes& mistakes) {
  const ReportEntry<QuantityCase> entry = extremum_report();
  EntryValues v = EntryValues::defaults(entry.parameters);
  v.set_text("kind", kind);
  v.set_text("give", give);
  v.set("samples", {41});
  if (region) {
    v.set_text("region", region);
  } else {
    v.set("from", {0.2, 0.4});
    v.set("to", {1.8, 0.4});
  }
  return entry.make(c, v, mistakes);
}

double value_of(const Measurement& m, const QuantityCase& c, Vec u) { return m.value({u, c.residual->given()}); }

TEST(StateReports, ExtremumOfAParabolaAlongALine) {
  const QuantityCase c = sheet();
  const VecHandle u = hill(c);
  EntryMistakes mistakes;
  EXPECT_NEAR(value_of(extremum(c, "max", "value", nullptr, mistakes), c, u), 1, 1e-12);
  EXPECT_NEAR(value_of(extremum(c, "max", "x", nullptr, mistakes), c, u), 1.3, 1e-12);
  EXPECT_NEAR(value_of(extremum(c, "max", "y", nullptr, mistakes), c, u), 0.4, 1e-12);
  EXPECT_NEAR(value_of(extremum(c, "min", "value", nullptr, mistakes), c, u), 1 - 1.1 * 1.1, 1e-12);
  EXPECT_FALSE(mistakes.any());
}

// With ε x added the greatest value moves by ε x*, and its place by ε/2.
TEST(StateReports, ExtremumOnALineKnowsItsDerivative) {
  const QuantityCase c = sheet();
  const VecHandle u = hill(c), u_dot = interpolated(c, [](double x, double) { return x; });
  EntryMistakes mistakes;
  const auto derivative = [&](const char* give) {
    const EvaluationPoint at{Vec(u), c.residual->given()};
    double y_dot = 0;
    extremum(c, "max", give, nullptr, mistakes).linearised(at)->jvp(at, State{Vec(u_dot)}, nullptr, &y_dot);
    return y_dot;
  };
  EXPECT_NEAR(derivative("value"), 1.3, 1e-11);
  EXPECT_NEAR(derivative("x"), 0.5, 1e-9);
  EXPECT_NEAR(derivative("y"), 0, 1e-9);
}

TEST(StateReports, ExtremumInARegionIsAtANode) {
  const QuantityCase c = sheet();
  const VecHandle u = hill(c);
  EntryMistakes mistakes;
  EXPECT_NEAR(value_of(extremum(c, "max", "x", "all", mistakes), c, u), 1.25, 1e-14);  // nodes have distances of 0.25
  EXPECT_NEAR(value_of(extremum(c, "min", "value", "left", mistakes), c, u), 1 - 1.3 * 1.3, 1e-14);
  EXPECT_FALSE(extremum(c, "max", "x", "all", mistakes).linearised);
}

TEST(StateReports, ALineThatLeavesTheMeshIsAMistake) {
  const QuantityCase c = sheet();
  const ReportEntry<QuantityCase> entry = extremum_report();
  EntryValues v = EntryValues::defaults(entry.parameters);
  v.set_text("kind", "max");
  v.set("from", {1, 0.5});
  v.set("to", {3, 0.5});
  EntryMistakes mistakes;
  EXPECT_FALSE(entry.make(c, v, mistakes));
  ASSERT_EQ(mistakes.all().size(), 1u);
  EXPECT_EQ(mistakes.all()[0].what, "the line leaves the mesh, by 1 m");
}

/// The formula is read at the case's time: a difference of 1/4 over an area of 2.
TEST(StateReports, FieldErrorIsTheNormOfTheDifference) {
  QuantityCase c = sheet();
  c.time = 0.25;
  const VecHandle u = hill(c);
  EntryValues v;
  v.set_text("u_x", "1 - (x - 1.3)^2 + t");
  EntryMistakes mistakes;
  EXPECT_NEAR(value_of(field_error_report().make(c, v, mistakes), c, u), 0.25 * std::sqrt(2.0), 1e-13);
  v.set_text("u_x", "1 -");
  EXPECT_FALSE(field_error_report().make(c, v, mistakes));
  EXPECT_TRUE(mistakes.any());
}

}  // namespace
}  // namespace invar
