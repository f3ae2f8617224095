#include "libfem/objective/node_distance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"

namespace invar::node_distances {
namespace {

/// A rectangle of 2 m × 1 m whose coordinates are a control; no form.
struct Plate {
  std::shared_ptr<FormResidual> residual;
  Plate() {
    auto mesh = std::make_shared<const Mesh>(
        distribute(make_rectangle(0, 0, 2, 1, 4, 3, Shape::triangle, 2), PETSC_COMM_WORLD));
    auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u", 1}}, PETSC_COMM_WORLD);
    residual = std::make_shared<FormResidual>(dofs);
    residual->add_coordinates();
  }
  /// Sets coordinates to f(x) of the undeformed ones.
  template <class F>
  Controls moved(F&& f) const {
    Controls d = residual->control_values();
    const std::vector<double>& x = residual->dofs().mesh().coordinates;
    for (std::size_t i = 0; i + 1 < x.size(); i += 2) {
      const auto [a, b] = f(x[i], x[i + 1]);
      d[0][i] = a, d[0][i + 1] = b;
    }
    return d;
  }
  std::unique_ptr<NodeDistance> diagonal() const {
    std::array<double, 2> offsets{};
    auto distance = std::make_unique<NodeDistance>(residual, std::array<std::vector<double>, 2>{{{0.01, 0}, {2, 1}}}, offsets);
    EXPECT_NEAR(offsets[0], 0.01, 1e-14);
    EXPECT_NEAR(offsets[1], 0, 1e-14);
    return distance;
  }
};

double value_of(Observable& o, const Setting& given) {
  double y = 0;
  o.evaluate({nullptr, given}, &y);
  return y;
}

TEST(NodeDistance, IsTheLengthOfTheMovedDiagonal) {
  const Plate plate;
  const auto distance = plate.diagonal();
  const auto moved = [&](auto&& f) { return Setting{std::make_shared<const Controls>(plate.moved(f))}; };
  EXPECT_NEAR(value_of(*distance, plate.residual->given()), std::sqrt(5.0), 1e-14);
  const double c = std::cos(0.7), s = std::sin(0.7);
  const Setting turned = moved([&](double x, double y) { return std::array{3 + c * x - s * y, s * x + c * y}; });
  EXPECT_NEAR(value_of(*distance, turned), std::sqrt(5.0), 1e-14);
  EXPECT_NEAR(value_of(*distance, moved([](double x, double y) { return std::array{2 * x, 3 * y}; })), 5.0, 1e-14);
}

// Along x → x (1 + a t), y → y (1 + b t) the diagonal is √(4 (1 + a t)² + (1 + b t)²): its derivatives at
// t = 0 are (4 a + b)/√5 and (4 a² + b²)/√5 − (4 a + b)²/5^(3/2).
TEST(NodeDistance, DerivativesAreThoseOfTheDiagonal) {
  const Plate plate;
  const EvaluationPoint u{nullptr, plate.residual->given()};
  const auto distance = plate.diagonal();
  const double a = 0.3, b = -0.8, one = 1.0, size = std::sqrt(5.0);
  const Controls direction = plate.moved([&](double x, double y) { return std::array{a * x, b * y}; });
  double y_dot = 0;
  distance->jvp(u, nullptr, &direction, &y_dot);
  EXPECT_NEAR(y_dot, (4 * a + b) / size, 1e-13);

  const int owned = 2 * plate.residual->dofs().mesh().n_owned_nodes;
  const auto product = [&](const Controls& bar) {
    double sum = 0;
    for (int i = 0; i < owned; ++i) sum += bar[0][i] * direction[0][i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    return sum;
  };
  Controls bar{std::vector<double>(direction[0].size(), 0.0)}, bar_dot = bar;
  distance->vjp(u, &one, nullptr, &bar);
  EXPECT_NEAR(product(bar), (4 * a + b) / size, 1e-13);
  distance->vjp_tangent(u, &one, nullptr, nullptr, &direction, nullptr, &bar_dot);
  EXPECT_NEAR(product(bar_dot), (4 * a * a + b * b) / size - std::pow(4 * a + b, 2) / std::pow(size, 3), 1e-13);
}

}  // namespace
}  // namespace invar::node_distances
