// What follows from the symmetries of the equations when the whole set-up is moved, turned or scaled.
#include "tests/unit/flow/shape_flow.hpp"

namespace invar {
namespace {

using test::ShapeFlow, test::ShapeFlowOptions;

constexpr double exact = 1e-10;  // relative: round-off times the condition of the equations

/// θ of the rigid motion {angle, t_x, t_y}, with the inlet's velocity turned as well.
DesignVector moved_rigidly(const DesignVector& start, double angle, double t_x, double t_y) {
  DesignVector theta = start;
  const double speed = start.shared[3];
  theta.shared = {angle, t_x, t_y, speed * std::cos(angle), speed * std::sin(angle), start.shared[5]};
  return theta;
}

TEST(ShapeInvariance, TranslationOfEverythingChangesNothingButTheMoment) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    ShapeFlowOptions o;
    o.shape = shape;
    ShapeFlow flow(o, test::rigid_motion());
    const DesignVector start = flow.functional->start(), there = moved_rigidly(start, 0, 0.7, -0.4);
    const std::vector<double> c = flow.at(start), moved = flow.at(there);
    for (int k : {ShapeFlow::drag, ShapeFlow::lift, ShapeFlow::dissipation, ShapeFlow::volume})
      EXPECT_NEAR(moved[k], c[k], exact * std::abs(c[k])) << k;
    // The moment about a fixed point: M + t × F, of what the supports exert: −drag, −lift.
    EXPECT_NEAR(moved[ShapeFlow::moment], c[ShapeFlow::moment] - 0.7 * c[ShapeFlow::lift] - 0.4 * c[ShapeFlow::drag],
                exact * (std::abs(c[ShapeFlow::drag]) + std::abs(c[ShapeFlow::lift])));
    for (const DesignVector& theta : {start, there}) {
      const auto g = flow.gradients(theta);
      for (int axis : {1, 2}) {
        for (int k : {ShapeFlow::drag, ShapeFlow::lift, ShapeFlow::dissipation, ShapeFlow::volume})
          EXPECT_NEAR(g[k].shared[axis], 0, exact * std::abs(c[ShapeFlow::drag])) << k;
        const double expected = axis == 1 ? -c[ShapeFlow::lift] : c[ShapeFlow::drag];
        EXPECT_NEAR(g[ShapeFlow::moment].shared[axis], expected, exact * std::abs(c[ShapeFlow::drag]));
      }
    }
  }
}

TEST(ShapeInvariance, RotationOfEverythingTurnsTheForce) {
  ShapeFlow flow({}, test::rigid_motion());
  const DesignVector start = flow.functional->start();
  const std::vector<double> c = flow.at(start);
  const double f_x = c[ShapeFlow::drag], f_y = c[ShapeFlow::lift], size = exact * std::hypot(f_x, f_y);
  for (const double angle : {0.0, 0.4}) {
    const DesignVector theta = moved_rigidly(start, angle, 0, 0);
    const double cosine = std::cos(angle), sine = std::sin(angle);
    const double turned_x = cosine * f_x - sine * f_y, turned_y = sine * f_x + cosine * f_y;
    const std::vector<double> turned = flow.at(theta);
    EXPECT_NEAR(turned[ShapeFlow::drag], turned_x, size);
    EXPECT_NEAR(turned[ShapeFlow::lift], turned_y, size);
    EXPECT_NEAR(turned[ShapeFlow::dissipation], c[ShapeFlow::dissipation], exact * c[ShapeFlow::dissipation]);
    const auto g = flow.gradients(theta);
    DesignVector turning = DesignVector::zeros_like(theta);  // the set-up and the inlet's velocity
    turning.shared = {1, 0, 0, -theta.shared[4], theta.shared[3], 0};
    const auto slope = [&](int k) { return dot(g[k], turning, flow.functional->comm()); };
    EXPECT_NEAR(slope(ShapeFlow::drag), -turned_y, size);
    EXPECT_NEAR(slope(ShapeFlow::lift), turned_x, size);
    EXPECT_NEAR(slope(ShapeFlow::dissipation), 0, exact * c[ShapeFlow::dissipation]);
    EXPECT_NEAR(slope(ShapeFlow::volume), 0, exact * c[ShapeFlow::volume]);
  }
}

// F = ρ U² L f(ρ U L/μ), so that F(s L; μ) = s F(L; μ/s): dF/ds = F − μ dF/dμ at s = 1. Creeping flow has
// F ~ μ: its drag and its dissipation do not depend on the size. The mesh scales along where all of its
// cells are equally stiff.
TEST(ShapeInvariance, ScaledFlowsAreSimilar) {
  for (const bool convection : {false, true}) {
    ShapeFlowOptions o;
    o.convection = convection;
    o.stiffening = 0;
    ShapeFlow flow(o, test::affine_motion());
    const DesignVector start = flow.functional->start();
    DesignVector scaling = DesignVector::zeros_like(start);  // corners in the order of the lattice: y runs first
    const double corners[] = {-1, -0.8, -1, 0.8, 1.6, -0.8, 1.6, 0.8};
    ASSERT_EQ(flow.n_shape, 8);
    std::copy_n(corners, 8, scaling.shared.begin());
    for (const double s : {1.0, 1.3}) {
      DesignVector theta = start;
      theta.axpy(s - 1, scaling);
      const std::vector<double> c = flow.at(theta);
      const auto g = flow.gradients(theta);
      for (int k : {ShapeFlow::drag, ShapeFlow::lift, ShapeFlow::dissipation}) {
        const double slope = s * dot(g[k], scaling, flow.functional->comm());
        const double by_viscosity = theta.shared[10] * g[k].shared[10];
        // Dissipation is a force times the speed.
        EXPECT_NEAR(slope, c[k] - by_viscosity, 10 * exact * std::abs(c[ShapeFlow::drag])) << k;
        if (!convection) {
          EXPECT_NEAR(slope, 0, 10 * exact * std::abs(c[ShapeFlow::drag])) << k;
        }
      }
      EXPECT_NEAR(s * dot(g[ShapeFlow::volume], scaling, flow.functional->comm()), 2 * c[ShapeFlow::volume],
                  exact * c[ShapeFlow::volume]);
    }
  }
}

}  // namespace
}  // namespace invar
