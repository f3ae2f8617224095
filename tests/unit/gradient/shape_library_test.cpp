// Every entry of the library of shapes: derivatives of the displacement by its numbers or its field.
#include <gtest/gtest.h>

#include <map>

#include "libfem/design/boundary/shape_library.hpp"
#include "libfem/mesh/distribute.hpp"
#include "tests/unit/gradient/flow_mesh.hpp"

namespace invar::gradient_test {
namespace {

/// A value for each parameter without a default. An unknown key is an error: its map could not be tested.
std::vector<double> typical_values(const EntryParameter& p) {
  static const std::map<std::string, std::vector<double>, std::less<>> table{
      {"from", {1.3, 0.3}}, {"to", {2.2, 1.0}}, {"points", {3, 2}}, {"control_points", {4}}, {"leading_edge", {1.4, 0.55}},
      {"trailing_edge", {2.1, 0.8}}, {"smoothing", {0.15}}};
  const auto found = table.find(p.key);
  if (found == table.end()) throw std::logic_error("the parameter '" + std::string(p.key) + "' of a shape has no value in the gradient tests: add one");
  return found->second;
}

EntryValues typical_values(const ShapeEntry& entry) {
  const std::vector<EntryParameter> parameters = shape_parameters(entry);
  EntryValues values = EntryValues::defaults(parameters);
  for (const EntryParameter& p : parameters)
    if (!p.default_value && !p.may_be_left_out) values.set(std::string(p.key), typical_values(p));
  values.set("largest", {0.4});
  values.set("scale", {0.1});
  return values;
}

/// The rigid motion that may follow a map, with a shift along x.
void add_motion(const ShapeEntry& entry, EntryValues& values) {
  for (const EntryParameter& p : shape_parameters(entry))
    if (p.key == "rigid") {
      values.set("rigid", {});
      for (const EntryParameter& inner : p.inner) values.set("rigid." + std::string(inner.key), *inner.default_value);
      values.set("rigid.translates", {0});
    }
}

DesignVector vary(const DesignVector& like, double size, double phase) {
  DesignVector v = like;
  for (std::size_t i = 0; i < v.shared.size(); ++i) v.shared[i] = size * std::sin(phase + 1.3 * static_cast<double>(i));
  for (std::size_t i = 0; i < v.local.size(); ++i) v.local[i] = size * std::cos(phase + 0.7 * static_cast<double>(i));
  return v;
}

double product(const DesignVector& a, const DesignVector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.shared.size(); ++i) sum += a.shared[i] * b.shared[i];
  for (std::size_t i = 0; i < a.local.size(); ++i) sum += a.local[i] * b.local[i];
  return sum;
}
double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// jvp against differences, vjp against jvp, vjp_curvature against differences of vjp.
void expect_exact(BoundarySource& source, std::size_t n) {
  const DesignVector like = source.start(), theta = vary(like, 0.3, 0.2), theta_dot = vary(like, 1, 1.1);
  std::vector<double> b_bar(n);
  for (std::size_t i = 0; i < n; ++i) b_bar[i] = std::sin(0.9 * static_cast<double>(i) + 0.4);
  const auto at = [&](double step) {
    DesignVector moved = theta;
    moved.axpy(step, theta_dot);
    return moved;
  };
  constexpr double h = 1e-4;
  std::vector<double> b_dot(n, 0.0), ahead(n, 0.0), behind(n, 0.0);
  ASSERT_TRUE(source.jvp(theta, theta_dot, b_dot).ok);
  ASSERT_TRUE(source.displace(at(h), ahead).ok);
  ASSERT_TRUE(source.displace(at(-h), behind).ok);
  double moves = 0;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(b_dot[i], (ahead[i] - behind[i]) / (2 * h), 1e-9) << i;  // h² times third derivatives of 1e-2
    moves = std::max(moves, std::abs(b_dot[i]));
  }
  EXPECT_GT(moves, 1e-3);

  DesignVector theta_bar = DesignVector::zeros_like(like);
  ASSERT_TRUE(source.vjp(theta, b_bar, theta_bar).ok);
  EXPECT_NEAR(product(theta_bar, theta_dot), product(b_bar, b_dot), 1e-12);

  DesignVector curvature = DesignVector::zeros_like(like), bar_ahead = curvature, bar_behind = curvature;
  ASSERT_TRUE(source.vjp_curvature(theta, theta_dot, b_bar, curvature).ok);
  ASSERT_TRUE(source.vjp(at(h), b_bar, bar_ahead).ok);
  ASSERT_TRUE(source.vjp(at(-h), b_bar, bar_behind).ok);
  bar_ahead.axpy(-1.0, bar_behind);
  bar_ahead.scale(1 / (2 * h));
  EXPECT_NEAR(product(curvature, theta_dot), product(bar_ahead, theta_dot), 1e-8);
}

TEST(ShapeLibrary, EveryEntryIsDifferentiatedExactly) {
  const auto mesh = std::make_shared<const Mesh>(distribute(channel_mesh({Shape::triangle, 2}, 1), PETSC_COMM_SELF));
  const std::size_t n = static_cast<std::size_t>(mesh->node_total()) * mesh->dim;
  for (const ShapeEntry& entry : shape_library()) {
    SCOPED_TRACE(entry.name);
    EntryValues values = typical_values(entry);
    expect_exact(*make_boundary_source(entry, mesh, PETSC_COMM_SELF, "body", values), n);
    add_motion(entry, values);
    if (values.has("rigid")) expect_exact(*make_boundary_source(entry, mesh, PETSC_COMM_SELF, "body", values), n);
  }
}

TEST(ShapeLibrary, BoundsAreInUnitsOfTheScale) {
  const auto mesh = std::make_shared<const Mesh>(distribute(channel_mesh({Shape::triangle, 2}, 1), PETSC_COMM_SELF));
  for (const ShapeEntry& entry : shape_library()) {
    if (!entry.by_numbers()) continue;
    const auto source = make_boundary_source(entry, mesh, PETSC_COMM_SELF, "body", typical_values(entry));
    for (const double upper : source->upper().shared) EXPECT_DOUBLE_EQ(upper, 4);  // 0.4 / 0.1
    for (const double lower : source->lower().shared) EXPECT_DOUBLE_EQ(lower, -4);
  }
}

}  // namespace
}  // namespace invar::gradient_test
