#include "libfem/objective/error_norm.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "libfem/objective/sampled_displacement.hpp"
#include "tests/unit/form/solid_problem.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar {
namespace {

using test::SolidProblem;

double norm_of_difference(const SolidProblem& s, const test::VectorField& u, const test::VectorField& target,
                          const std::vector<int>& components, bool without_mean = false) {
  const VecHandle state = s.interpolate(u);
  return ErrorNorm(s.dofs(), components, target, without_mean).evaluate({Vec(state), {}});
}

/// On the rectangle 2 × 1: u = (x y, 1), û = (x y − x, 1 − y²), so that ∫ x² = 8/3 and ∫ y⁴ = 2/5.
TEST(ErrorNorm, OfPolynomialsIsTheirIntegral) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    const SolidProblem s(make_rectangle(0, 0, 2, 1, 4, 3, shape, 2), SolidKind::plane_strain);
    const auto u = [](int c, const double* x) { return c == 0 ? x[0] * x[1] : 1.0; };
    const auto target = [&](int c, const double* x) { return u(c, x) - (c == 0 ? x[0] : x[1] * x[1]); };
    EXPECT_NEAR(norm_of_difference(s, u, target, {0}), std::sqrt(8.0 / 3), 1e-13);
    EXPECT_NEAR(norm_of_difference(s, u, target, {1}), std::sqrt(2.0 / 5), 1e-13);
    EXPECT_NEAR(norm_of_difference(s, u, target, {0, 1}), std::sqrt(8.0 / 3 + 2.0 / 5), 1e-13);
    // ∫ (x − 1)² = 2/3: neither the mean of x nor a constant in û counts.
    for (const double constant : {0.0, 7.0})
      EXPECT_NEAR(norm_of_difference(s, u, [&](int c, const double* x) { return target(c, x) + constant; }, {0}, true),
                  std::sqrt(2.0 / 3), 1e-12);
  }
}

/// The functions need not be polynomials: ∫∫ sin² (π x) over the unit cube is ½.
TEST(ErrorNorm, OfASine) {
  const SolidProblem s(make_box({0, 0, 0}, {1, 1, 1}, {3, 2, 2}, Shape::hexahedron, 1), SolidKind::spatial);
  const double e = norm_of_difference(s, [](auto...) { return 0.0; },
                                      [](int, const double* x) { return std::sin(std::acos(-1.0) * x[0]); }, {2});
  EXPECT_NEAR(e, std::sqrt(0.5), 1e-9);
}

TEST(ErrorNorm, CellSizeHalvesWithTheSides) {
  const auto size = [](int n) {
    return ErrorNorm(SolidProblem(make_rectangle(0, 0, 2, 1, 2 * n, n, Shape::quadrilateral, 1), SolidKind::plane_strain).dofs(), {0},
                     [](auto...) { return 0.0; })
        .cell_size();
  };
  EXPECT_NEAR(size(2), 0.5, 1e-15);
  EXPECT_NEAR(size(4), 0.25, 1e-15);
  EXPECT_NEAR(observed_order(size(2), 8e-3, size(4), 1e-3), 3, 1e-12);
}

/// The meridian plane, not the solid that it generates; and a side of it.
TEST(RegionMeasure, OfARectangle) {
  const SolidProblem s(make_rectangle(0.5, 0, 2, 1, 3, 2, Shape::triangle, 2), SolidKind::axisymmetric);
  EXPECT_NEAR(region_measure(s.dofs(), "", 2, 4), 1.5, 1e-14);
  EXPECT_NEAR(region_measure(s.dofs(), "top", 1, 4), 1.5, 1e-14);
}

}  // namespace
}  // namespace invar
