#include "libfem/objective/extreme_position.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"

namespace invar {
namespace {

using Kind = ExtremePosition::Kind;

/// A rectangle of 2 m × 1 m whose coordinates are a control; no form. Its top has five nodes.
struct Plate {
  std::shared_ptr<FormResidual> residual;
  VecHandle u;
  Setting given;
  Plate() {
    auto mesh = std::make_shared<const Mesh>(
        distribute(make_rectangle(0, 0, 2, 1, 4, 3, Shape::quadrilateral), PETSC_COMM_WORLD));
    auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u", 1}}, PETSC_COMM_WORLD);
    residual = std::make_shared<FormResidual>(dofs);
    residual->add_coordinates();
    u = residual->create_vector();
    given = residual->given();
  }
  EvaluationPoint point() const { return {u, given}; }
  void move(Controls d) { given.controls = std::make_shared<const Controls>(std::move(d)); }
  /// Coordinates as functions of the undeformed ones.
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
  double value(ExtremePosition& y) const {
    double v = 0;
    y.evaluate(point(), &v);
    return v;
  }
  double product(const Controls& a, const Controls& b) const {
    double sum = 0;
    for (int i = 0; i < 2 * residual->dofs().mesh().n_owned_nodes; ++i) sum += a[0][i] * b[0][i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    return sum;
  }
};

// Five nodes at 0, ½, … 2 with k = 3/2: the sum is a geometric one.
TEST(ExtremePosition, IsTheLogarithmOfTheSumOfExponentials) {
  Plate plate;
  const double k = 1.5, q = std::exp(-0.5 * k), sum = std::log((1 - std::pow(q, 5)) / (1 - q)) / k;
  ExtremePosition most(plate.residual, "top", 0, Kind::greatest, 3), least(plate.residual, "top", 0, Kind::least, 3);
  EXPECT_NEAR(plate.value(most), 2 + sum, 1e-13);
  EXPECT_NEAR(plate.value(least), -sum, 1e-13);
  plate.move(plate.moved([](double x, double y) { return std::array{x + 5000, y}; }));
  EXPECT_NEAR(plate.value(most), 5002 + sum, 1e-9);
  EXPECT_NEAR(plate.value(least), 5000 - sum, 1e-9);
}

TEST(ExtremePosition, LiesOutsideByTheBoundThatIsPromised) {
  const Plate plate;
  for (const double sharpness : {10.0, 100.0, 1e4}) {
    ExtremePosition y(plate.residual, "body", 0, Kind::greatest, sharpness);
    EXPECT_GT(plate.value(y), 2);
    EXPECT_LE(plate.value(y), 2 + 2 * std::log(20.0) / sharpness);
  }
}

TEST(ExtremePosition, DerivativesAreThoseOfTheSmoothedMaximum) {
  Plate plate;
  const Controls direction = plate.moved([](double x, double y) { return std::array{0.4 * x * x - 0.3 * y, 0.2 * x}; });
  const double one = 1, two = 2;
  for (const Kind kind : {Kind::greatest, Kind::least})
    for (const int component : {0, 1}) {
      ExtremePosition y(plate.residual, component ? "left" : "top", component, kind, 4);
      const Controls start = plate.residual->control_values();
      const auto at = [&](double t) {
        Controls d = start;
        for (std::size_t i = 0; i < d[0].size(); ++i) d[0][i] += t * direction[0][i];
        plate.move(d);
      };
      const auto gradient = [&] {
        Controls bar{std::vector<double>(direction[0].size(), 0.0)};
        y.vjp(plate.point(), &one, nullptr, &bar);
        return plate.product(bar, direction);
      };
      constexpr double h = 1e-3;
      const auto difference = [&](const std::function<double()>& f) {
        std::array<double, 4> v;
        for (int i = 0; i < 4; ++i) at(h * std::array{-2, -1, 1, 2}[i]), v[i] = f();
        at(0);
        return (8 * (v[2] - v[1]) - (v[3] - v[0])) / (12 * h);
      };
      const double slope = difference([&] { return plate.value(y); }), bend = difference(gradient);
      double y_dot = 0;
      y.jvp(plate.point(), nullptr, &direction, &y_dot);
      EXPECT_NEAR(y_dot, slope, 1e-9);
      EXPECT_NEAR(gradient(), y_dot, 1e-14);
      Controls bar_dot{std::vector<double>(direction[0].size(), 0.0)};
      y.vjp_tangent(plate.point(), &one, &two, nullptr, &direction, nullptr, &bar_dot);
      EXPECT_NEAR(plate.product(bar_dot, direction), bend + 2 * slope, 1e-8);
    }
}

TEST(ExtremePosition, AsksForARegionWithAnExtent) {
  const Plate plate;
  EXPECT_THROW(ExtremePosition(plate.residual, "wing", 0, Kind::least, 10), std::invalid_argument);
  EXPECT_THROW(ExtremePosition(plate.residual, "left_top", 0, Kind::least, 10), std::invalid_argument);
  EXPECT_NO_THROW(ExtremePosition(plate.residual, "left", 0, Kind::least, 10));
}

}  // namespace
}  // namespace invar
