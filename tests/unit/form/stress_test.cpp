// Von Mises stress on boundaries and in cells: exact states, and the hole in a sheet under tension (Kirsch 1898).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libfem/mesh/boxes.hpp"
#include "libfem/solid/stress_quantities.hpp"
#include "tests/unit/form/solid_problem.hpp"

namespace invar::stress_test {
namespace {

using test::SolidProblem;

/// The case with one law everywhere, whose constants are the first controls.
SolidQuantityCase quantity_case(const SolidProblem& p, SolidKind kind, const std::string& law, bool isochoric = false) {
  SolidQuantityCase c;
  c.dofs = p.dofs(), c.residual = p.residual();
  c.kind = kind;
  c.axisymmetric = kind == SolidKind::axisymmetric;
  SolidQuantityCase::Part part;
  part.material = make_material({law, isochoric ? Formulation::isochoric : Formulation::compressible, kind == SolidKind::plane_stress, 1});
  for (int k = 0; k < static_cast<int>(part.material->parameters().size()); ++k) part.constants.push_back({k, {}});
  part.form = 0;
  c.parts = {part};
  return c;
}

EntryValues values_in(const std::vector<EntryParameter>& parameters, const std::string& region) {
  EntryValues v = EntryValues::defaults(parameters);
  v.set_text("region", region);
  return v;
}

std::shared_ptr<Observable> norm_of(const SolidQuantityCase& c, const std::string& region, int exponent) {
  const auto entry = stress_norm_quantity();
  EntryValues v = values_in(entry.parameters, region);
  v.set("exponent", {double(exponent)});
  EntryMistakes mistakes;
  return entry.make(c, v, mistakes);
}

std::shared_ptr<Observable> ks_of(const SolidQuantityCase& c, const std::string& region, double sharpness) {
  const auto entry = stress_ks_quantity();
  EntryValues v = values_in(entry.parameters, region);
  v.set("kappa", {sharpness});
  EntryMistakes mistakes;
  return entry.make(c, v, mistakes);
}

Measurement peak_of(const SolidQuantityCase& c, const std::string& region, const std::string& give = "value", const std::string& points = "all") {
  const auto entry = peak_stress_report();
  EntryValues v = values_in(entry.parameters, region);
  v.set_text("give", give);
  v.set_text("points", points);
  EntryMistakes mistakes;
  return entry.make(c, v, mistakes);
}

double value_of(Observable& y, const SolidQuantityCase& c, Vec u) {
  double value = 0;
  y.evaluate({u, c.residual->given()}, &value);
  return value;
}

// A bar that is pulled: the stress is the same everywhere, in small strains and as a true stress in large ones.
TEST(Stress, OfABarIsTheSameByEveryNorm) {
  for (const char* law : {"linear_elastic", "neo_hookean"}) {
    SCOPED_TRACE(law);
    SolidProblem p(make_box({0, 0, 0}, {2, 1, 1}, {2, 1, 1}, Shape::tetrahedron, 2), SolidKind::spatial);
    p.material(law, {10, 0.3});
    for (const auto& [region, component] : {std::pair{"left", 0}, {"bottom", 1}, {"back", 2}}) p.hold(region, component);
    p.hold("right", 0, [](const double*) { return 0.4; });
    const SolidQuantityCase c = quantity_case(p, SolidKind::spatial, law);
    std::vector<std::shared_ptr<Observable>> norms;
    for (const char* region : {"all", "top", "left"})
      for (const int exponent : {2, 8, 100}) norms.push_back(norm_of(c, region, exponent));
    const std::vector<double> sharpness{1e-3, 0.5, 7, 4000};  // cosh of the last overflows
    std::vector<std::shared_ptr<Observable>> aggregates;
    for (const double k : sharpness) aggregates.push_back(ks_of(c, k > 1 ? "all" : "left", k));
    const Measurement peak = peak_of(c, "top");
    const Vec u = p.solve();
    const SolidFields fields = p.fields_of(u);
    ASSERT_FALSE(fields.von_mises.empty());
    const double stress = fields.von_mises[0];
    EXPECT_GT(stress, 1.9);
    for (const auto& norm : norms) EXPECT_NEAR(value_of(*norm, c, u), stress, 1e-10 * stress);
    EXPECT_NEAR(peak.value({u, c.residual->given()}), stress, 1e-10 * stress);
    const VecHandle rest = c.residual->create_vector();
    EXPECT_EQ(value_of(*norms[0], c, rest), 0);
    for (std::size_t k = 0; k < sharpness.size(); ++k) {
      const double x = sharpness[k] * stress, exact = (x + std::log1p(std::exp(-2 * x)) - std::numbers::ln2) / sharpness[k];
      EXPECT_NEAR(value_of(*aggregates[k], c, u), exact, 1e-10 * stress) << sharpness[k];
      EXPECT_NEAR(value_of(*aggregates[k], c, rest), 0, 1e-12);
    }
  }
}

/// A quarter of the ring 1 ≤ r ≤ 4, second-order cells with curved sides: bottom is the hole, top the outside.
Mesh quarter_ring(int around, int across) {
  Mesh mesh = make_rectangle(0, 0, 1, 1, around, across, Shape::quadrilateral, 2);
  for (std::size_t n = 0; n < mesh.coordinates.size(); n += 2) {
    const double angle = std::numbers::pi / 2 * mesh.coordinates[n], r = std::pow(4, mesh.coordinates[n + 1]);
    mesh.coordinates[n] = r * std::sin(angle);
    mesh.coordinates[n + 1] = r * std::cos(angle);
  }
  return mesh;
}

/// Kirsch's traction on the circle of radius 4 about a hole of radius 1, pulled along x by a stress of 1.
double kirsch_traction(int i, const double* x) {
  const double r2 = x[0] * x[0] + x[1] * x[1], q = 1 / r2, t = std::atan2(x[1], x[0]), c = std::cos(2 * t), s = std::sin(2 * t);
  const double radial = 0.5 * (1 - q) + 0.5 * (1 - 4 * q + 3 * q * q) * c, shear = -0.5 * (1 + 2 * q - 3 * q * q) * s;
  return i == 0 ? radial * std::cos(t) - shear * std::sin(t) : radial * std::sin(t) + shear * std::cos(t);
}

// At the hole's edge the stress is 1 − 2 cos 2t: its peak 3, its mean square 3, its mean fourth power 19, the mean of cosh(κ s) cosh(κ) I₀(2κ).
TEST(Stress, AtAHoleConvergesWithSecondOrderAtLeast) {
  double before[4]{};
  for (const int n : {10, 20, 40}) {
    SolidProblem p(quarter_ring(n, n), SolidKind::plane_stress);
    p.material("linear_elastic", {10, 0.3});
    p.hold("left", 0);
    p.hold("right", 1);
    p.traction("top", &kirsch_traction);
    const SolidQuantityCase c = quantity_case(p, SolidKind::plane_stress, "linear_elastic");
    const auto second = norm_of(c, "bottom", 2), fourth = norm_of(c, "bottom", 4);
    const auto aggregate = ks_of(c, "bottom", 2);
    const Measurement peak = peak_of(c, "bottom"), where = peak_of(c, "bottom", "y");
    const Vec u = p.solve();
    const EvaluationPoint at{u, c.residual->given()};
    const double errors[]{value_of(*second, c, u) - std::sqrt(3.0), value_of(*fourth, c, u) - std::pow(19, 0.25), peak.value(at) - 3,
                          value_of(*aggregate, c, u) - std::log(std::cosh(2) * std::cyl_bessel_i(0.0, 4.0)) / 2};
    EXPECT_NEAR(where.value(at), 1, 0.02);
    for (int k = 0; k < 4; ++k) {
      if (n > 10) {
        EXPECT_GT(std::log2(std::abs(before[k] / errors[k])), 1.8) << k << ": " << before[k] << " " << errors[k];
      }
      before[k] = errors[k];
    }
    if (n == 40) {
      EXPECT_LT(std::abs(before[2]), 0.02);
    }
  }
}

// The greatest stress is at the hole's edge, of which no point inside a cell is one.
TEST(Stress, OfAllIsNotBelowThatOfAPart) {
  Mesh ring = quarter_ring(6, 3);
  Region part = *ring.find_region("body");
  part.name = "part";
  std::erase_if(part.members[0], [](int cell) { return cell % 6 > 2; });
  ring.regions.push_back(part);
  SolidProblem p(ring, SolidKind::plane_stress);
  p.material("linear_elastic", {10, 0.3});
  p.hold("left", 0);
  p.hold("right", 1);
  p.traction("top", &kirsch_traction);
  const SolidQuantityCase c = quantity_case(p, SolidKind::plane_stress, "linear_elastic");
  const std::vector<std::string> regions{"all", "part", "left", "right", "bottom", "top"};
  for (const char* points : {"all", "centres"}) {
    std::vector<Measurement> peaks;
    for (const std::string& region : regions) peaks.push_back(peak_of(c, region, "value", points));
    const Vec u = p.solve();
    std::vector<double> values;
    for (const Measurement& peak : peaks) values.push_back(peak.value({u, c.residual->given()}));
    EXPECT_EQ(*std::ranges::max_element(values), values[0]) << points;
    EXPECT_EQ(values[0], std::max(values[1], values[3])) << points;  // the half towards x, or that towards y
  }
}

// In a bar that is pulled the stress is uniform, on its axis too, where u/r is 0/0.
TEST(Stress, OnTheAxisIsThatBesideIt) {
  SolidProblem p(make_rectangle(0, 0, 1, 2, 2, 3, Shape::triangle, 2), SolidKind::axisymmetric);
  p.material("linear_elastic", {10, 0.3});
  p.hold("left", 0);
  p.hold("bottom", 1);
  p.traction("top", std::vector<double>{0, 0.7});
  const SolidQuantityCase c = quantity_case(p, SolidKind::axisymmetric, "linear_elastic");
  const Measurement axis = peak_of(c, "left"), all = peak_of(c, "all");
  const EvaluationPoint at{p.solve(), c.residual->given()};
  EXPECT_NEAR(axis.value(at), 0.7, 1e-11);
  EXPECT_NEAR(all.value(at), 0.7, 1e-11);
}

TEST(Stress, SaysWhatItCannotKnow) {
  SolidProblem p(make_rectangle(0, 0, 1, 1, 1, 1, Shape::quadrilateral, 2), SolidKind::plane_stress);
  p.material("neo_hookean", {10, 0.3});
  p.finish();
  SolidQuantityCase c = quantity_case(p, SolidKind::plane_stress, "neo_hookean");
  const auto entry = stress_norm_quantity();
  EntryValues v = values_in(entry.parameters, "all");
  v.set("exponent", {7});
  EntryMistakes mistakes;
  EXPECT_FALSE(entry.make(c, v, mistakes));
  ASSERT_EQ(mistakes.all().size(), 2u);  // the odd exponent and the thickness
  c.parts[0].compressible = false;
  c.parts[0].has_history = true;
  v.set("exponent", {8});
  EntryMistakes of_memory;
  EXPECT_FALSE(entry.make(c, v, of_memory));
  EXPECT_EQ(of_memory.all().size(), 1u);
}

}  // namespace
}  // namespace invar::stress_test
