// A ball thrown against the floor: its final position as a function of the initial velocity converges to that of a lossless rigid
// bounce as the floor stiffens.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/transient_motion.hpp"

namespace invar::gradient_test {
namespace {

constexpr double gravity = 10, gap = 1, down = 1, along = 0.7, end = 0.8;

/// The motion of a rigid body from the height `gap` with the speed `down`: it reaches the floor at t₁ with v₁ and leaves it with −v₁.
struct RigidBounce {
  double v1 = std::sqrt(down * down + 2 * gravity * gap), t1 = (v1 - down) / gravity, after = end - t1;
  double height = v1 * after - 0.5 * gravity * after * after;
  double by_speed = height_rate(down / v1, (down / v1 - 1) / gravity);
  double by_gap = height_rate(gravity / v1, 1 / v1);

  double height_rate(double v1_dot, double t1_dot) const {
    return v1_dot * after - v1 * t1_dot + gravity * after * t1_dot;
  }
};

/// Something round of diameter one, 2 × 2 cells.
Mesh ball() {
  Mesh mesh = make_rectangle(-1, -1, 1, 1, 2, 2, Shape::quadrilateral, 2);
  for (int n = 0; n < mesh.node_total(); ++n) {
    double* x = &mesh.coordinates[2 * std::size_t(n)];
    const double X = x[0], Y = x[1];
    x[0] = 0.5 * X * std::sqrt(1 - 0.4 * Y * Y);
    x[1] = 0.5 * Y * std::sqrt(1 - 0.4 * X * X) + 0.5;
  }
  return mesh;
}

struct Bounce {
  double height, place;               // of the middle at the end, above its height when it touches
  double by_speed, by_gap, by_along;  // d height / d(down, gap, along)
  double place_by_along, place_by_speed;
};

/// stiffness: of the floor, Pa/m.
Bounce bounce(double stiffness) {
  const RigidBounce rigid;
  constexpr double density = 1;
  // Stiffer than the floor, but not by more than needed: what rounding leaves between tangent and adjoint over the
  // steps grows with the ball's stiffness (at 1e6 Pa it is 4e-11 on average, whatever small change is made to the
  // numbers).
  MovingSolid solid(SolidKind::plane_strain, ball(), 2, "neo_hookean", 1e5, 0.3, density);
  FormResidual& r = *solid.residual;
  // Penetration and duration after Hertz for a foundation that yields by k d under a bottom of
  // curvature 0.8/m.
  const double mass = 0.9, deepest = std::pow(0.5 * mass * rigid.v1 * rigid.v1 / (0.84 * stiffness), 0.4),
               touch = 3 * deepest / rigid.v1;
  const ControlledValue zero = solid.number("zero", 0), one = solid.number("one", 1);
  r.add_form(make_body_force(solid.kind, solid.cells()), {zero, solid.number("weight", -gravity * density)});
  r.add_form(
      make_rigid_contact(solid.kind, ObstacleShape::plane, CellBatches::on_facets(solid.dofs, "bottom", 10)),
      {solid.number("k", stiffness), solid.number("width", 0.4 * deepest), zero, one, zero, zero, zero, one, zero});
  ControlledValue speed = solid.number("speed", down), start = solid.number("gap", gap),
                  drift = solid.number("along", along);
  const int controls[] = {speed.control, start.control, drift.control};
  speed.shape = [](const double*, double) { return -1.0; };
  r.add_initial({Level::rate, "", 1, speed});
  r.add_initial({Level::rate, "", 0, drift});
  r.add_initial({Level::value, "", 1, start});
  r.finish();
  // The fall and the flight are exact in any steps; the touch takes many.
  std::vector<double> times{0, 0.5 * rigid.t1};
  const double from = rigid.t1 - 0.3 * touch, to = rigid.t1 + 1.4 * touch;
  constexpr int steps = 300;
  for (int k = 0; k <= steps; ++k) times.push_back(from + (to - from) * k / steps);
  times.push_back(end);
  const int last = static_cast<int>(times.size()) - 1;
  const auto motion = solid.march(TimeScheme(TimeScheme::Kind::midpoint, 2), times);
  const std::array quantities{ProcessTerm{"height", solid.point({0, 0.5}, 1), {last}},
                              ProcessTerm{"place", solid.point({0, 0.5}, 0), {last}}};
  for (const ProcessTerm& q : quantities) motion->watch(q), motion->terms().push_back(q);
  const ProcessReport report = motion->run(r.control_values());
  EXPECT_TRUE(report.ok) << report.reason;
  std::array<std::array<double, 3>, 2> slopes{};
  double forward = 0, reverse = 0, size = 0;
  for (int q = 0; q < 2; ++q) {
    Controls d_bar(r.controls().size());
    for (int c : controls) d_bar[c].assign(1, 0.0);
    EXPECT_TRUE(motion->quantity_gradient(quantities[q], d_bar).converged);
    Controls direction(r.controls().size());
    double tangent = 0;
    for (int i = 0; i < 3; ++i) {
      slopes[q][i] = d_bar[controls[i]][0];
      direction[controls[i]] = {1 - 0.6 * i};
      reverse += direction[controls[i]][0] * slopes[q][i];
      size += std::abs(direction[controls[i]][0] * slopes[q][i]);
    }
    EXPECT_TRUE(motion->quantity_tangent(quantities[q], direction, tangent).converged);
    forward += tangent;
  }
  EXPECT_NEAR(reverse, forward, 1e-10 * size);
  return {motion->quantity(quantities[0]),
          motion->quantity(quantities[1]),
          slopes[0][0],
          slopes[0][1],
          slopes[0][2],
          slopes[1][2],
          slopes[1][0]};
}

// The error of the rigid solution is of the order of the contact time, k^(−2/5): errors fall
// by 10^(−2/5) from floor to floor, and the limit is the rigid answer.
TEST(Bounce, ApproachesTheRigidAnswerAsTheFloorStiffens) {
  if (rank_count() > 1) GTEST_SKIP();
  const RigidBounce rigid;
  const std::array limit{rigid.height, rigid.by_speed, rigid.by_gap};
  const double rate = std::pow(10, -0.4);
  std::array<double, 3> softer{}, error{};
  for (const double stiffness : {1e3, 1e4, 1e5}) {
    SCOPED_TRACE(stiffness);
    const Bounce b = bounce(stiffness);
    const std::array found{b.height, b.by_speed, b.by_gap};
    for (int i = 0; i < 3; ++i) {
      constexpr const char* names[] = {"height", "by_speed", "by_gap"};
      const std::string floor = "_on_floor_" + std::to_string(static_cast<int>(stiffness));
      RecordProperty(names[i] + floor, std::to_string(found[i] / limit[i]));
    }
    for (int i = 0; i < 3; ++i) {
      const double now = (found[i] - limit[i]) / limit[i],
                   extrapolated = found[i] + (found[i] - softer[i]) * rate / (1 - rate);
      if (stiffness > 1e3) {
        EXPECT_NEAR(now / error[i], i == 0 ? rate * rate : rate, i == 0 ? 0.2 : 0.05)
            << i;  // the height converges faster
      }
      if (stiffness > 1e4) {
        EXPECT_NEAR(extrapolated / limit[i], 1, 0.01) << i;
      }
      softer[i] = found[i], error[i] = now;
    }
    // Without friction the floor takes nothing along itself.
    EXPECT_NEAR(b.place, along * end, 1e-9);
    EXPECT_NEAR(b.place_by_along, end, 1e-9);
    EXPECT_NEAR(b.place_by_speed, 0, 1e-9);
    EXPECT_NEAR(b.by_along, 0, 1e-9);
  }
}

}  // namespace
}  // namespace invar::gradient_test
