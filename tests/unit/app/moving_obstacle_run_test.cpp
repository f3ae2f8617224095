// Obstacles that are formulas and move with a region, as the program runs them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

/// A block of 1 m x 0.5 m whose upper side a disc of 0.3 m presses. motion: conditions on the block's bottom and of the disc; rest: further sections.
std::string pressed_by_disc(const std::string& motion, const std::string& law, const std::string& rest) {
  const bool has_inertia = rest.find("scheme") != std::string::npos && rest.find("inertia: false") == std::string::npos;
  return R"(title: a disc on a block
mesh:
  bodies:
    block: {rectangle: {to: [1, 0.5], cells: [12, 6]}}
    disc: {point: [0.5, 0.81]}
physics: {type: solid, kind: plane_strain, order: 1}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3)" + std::string(has_inertia ? ", density: 20" : "") +
         std::string("}\nboundary:\n") + motion +
         "loads:\n  press: {type: obstacle, region: block_top, obstacle: sphere, moves_with: disc, x: 0.5, y: 0.81, radius: 0.3, stiffness: 20, distance: 0.02" + law + "}\n" + rest +
         R"(
solver: {rtol: 1e-12, linear_rtol: 1e-14}
)";
}
const std::string forces = R"(output:
  fields: none
  quantities:
    up: {type: reaction, region: disc, direction: [0, 1]}
    along: {type: reaction, region: disc, direction: [1, 0]}
    support: {type: reaction, region: block_bottom, direction: [0, 1]}
    drag: {type: reaction, region: block_bottom, direction: [1, 0]}
)";

// Results do not depend on whether the disc or the block moves, and the forces on both are opposite.
TEST(MovingObstacle, LoadStepsAreThoseOfABlockThatMovesTheOtherWay) {
  const auto solved = [](const std::string& motion) {
    const Workplace here;
    return results_when_solved(here, pressed_by_disc(motion, "", "time: {steps: 4}\n" + forces))["quantities"];
  };
  const auto by_disc = solved("  block_bottom: {u_x: 0, u_y: 0}\n  disc: {u_x: 0.04, u_y: -0.1}\n");
  const auto by_block = solved("  block_bottom: {u_x: -0.04, u_y: 0.1}\n  disc: {u_x: 0, u_y: 0}\n");
  for (const char* name : {"up", "along", "support", "drag"})
    EXPECT_NEAR(by_disc[name].get<double>(), by_block[name].get<double>(), 1e-9 * std::abs(by_block["up"].get<double>())) << name;
  const double up = by_disc["up"];
  EXPECT_LT(up, -1);  // what holds the disc pushes it down
  EXPECT_NEAR(by_disc["support"].get<double>(), -up, 1e-9 * std::abs(up));
  EXPECT_NEAR(by_disc["drag"].get<double>(), -by_disc["along"].get<double>(), 1e-9 * std::abs(up));
}

// Without inertia the same happens in a frame that moves along: friction acts on the velocity relative to the obstacle, as the scheme has it.
TEST(MovingObstacle, FrictionIsThatOfABlockThatMovesTheOtherWay) {
  for (const char* scheme : {"backward_euler", "bdf2"}) {
    SCOPED_TRACE(scheme);
    const auto solved = [&](const std::string& motion) {
      const Workplace here;
      return results_when_solved(here, pressed_by_disc(motion, ", friction: 0.4, slip_speed: 0.01", std::string("time: {scheme: ") + scheme + ", inertia: false, end: 0.5, steps: 10}\n" + forces))["quantities"];
    };
    const auto by_disc = solved("  block_bottom: {u_x: 0, u_y: 0}\n  disc: {u_x: 0.2*t, u_y: -0.1*t}\n");
    const auto by_block = solved("  block_bottom: {u_x: -0.2*t, u_y: 0.1*t}\n  disc: {u_x: 0, u_y: 0}\n");
    const double up = by_disc["up"];
    for (const char* name : {"up", "along", "support", "drag"}) EXPECT_NEAR(by_disc[name].get<double>(), by_block[name].get<double>(), 1e-9 * std::abs(up)) << name;
    EXPECT_LT(up, -0.5);
    EXPECT_GT(by_disc["along"].get<double>(), 0.3 * std::abs(up));  // it slides, and must be drawn along
  }
}

/// A closed polygon around a circle about the origin, as a curve of OBJ.
std::string polygon(int n) {
  std::string obj;
  char line[80];
  const double radius = 1 / std::sqrt(std::cos(std::numbers::pi / n));  // half outside, half inside
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * (k + 0.5) / n;
    std::snprintf(line, sizeof line, "v %.16g %.16g 0\n", radius * std::cos(angle), radius * std::sin(angle));
    obj += line;
  }
  obj += "l";
  for (int k = 0; k <= n; ++k) obj += " " + std::to_string(k % n + 1);
  return obj + "\n";
}

// A circle of short edges that is held and moved presses as the disc does, but for the width of the gap against the radius: samples of the circle carry
// half of the pressure, and its length is less than that of what it meets.
TEST(MovingObstacle, IsTheLimitOfASurfaceThatMoves) {
  const Workplace here;
  here.write("disc.obj", polygon(240));
  const auto up = [&](const std::string& distance, bool as_surface) {
    std::string spec = pressed_by_disc("  block_bottom: {u_x: 0, u_y: 0}\n  disc: {u_x: 0.04, u_y: -0.1}\n", "", "time: {steps: 4}\n" + forces);
    if (as_surface) {
      const std::size_t body = spec.find("{point:"), loads = spec.find("loads:"), end = spec.find("time:");
      spec.replace(loads, end - loads, "contact:\n  faces: {between: [disc, block_top], stiffness: 20, distance: 0.02}\n");
      spec.replace(body, spec.find('}', body) + 1 - body, "{surface: {file: disc.obj, scale: 0.3, at: [0.5, 0.81]}}");
    }
    spec.replace(spec.find("distance: 0.02"), 14, "distance: " + distance);
    return results_when_solved(here, spec)["quantities"]["up"].get<double>();
  };
  double off[2];
  for (const int k : {0, 1}) off[k] = std::abs(up(k == 0 ? "0.02" : "0.005", true) / up(k == 0 ? "0.02" : "0.005", false) - 1);
  EXPECT_LT(off[1], 0.25 * off[0]);
  EXPECT_LT(off[1], 3e-4);
}

// A step in which the disc would pass through the block, or beyond its upper side, is refused.
TEST(MovingObstacle, AJumpThroughABodyIsRefused) {
  for (const char* time : {"time: {steps: 1}\n", "time: {scheme: backward_euler, inertia: false, end: 1, steps: 1}\n"}) {
    const Workplace here;
    here.write("spec.yaml", pressed_by_disc("  block: {u_x: 0, u_y: 0}\n  disc: {u_x: 0, u_y: -3*t}\n", "", time + forces));
    const Ended end = here.invar({"run", "spec.yaml", "-q"});
    EXPECT_EQ(end.code, 4) << end.said();
    EXPECT_NE(end.said().find("prescribed"), std::string::npos) << end.said();
    EXPECT_NE(end.said().find("'block_top' and the obstacle 'press' are "), std::string::npos) << end.said();
    EXPECT_NE(end.said().find(" m apart at (0.5, 0.5)"), std::string::npos) << end.said();  // below the disc's lowest point, where it is a node
  }
}

/// The model around the axis x = 0.
std::string around_axis(std::string spec) {
  spec.replace(spec.find("plane_strain"), 12, "axisymmetric");
  return spec.replace(spec.find("boundary:\n") + 10, 0, "  block_left: {u_x: 0}\n");
}

/// Half of it, from below the centre to above it.
std::string half_polygon(int n) {
  std::string obj;
  char line[80];
  const double radius = 1 / std::sqrt(std::cos(std::numbers::pi / (2 * n)));
  for (int k = 0; k <= n; ++k) {
    const double angle = std::numbers::pi * (double(k) / n - 0.5);
    std::snprintf(line, sizeof line, "v %.16g %.16g 0\n", k % n == 0 ? 0.0 : radius * std::cos(angle), radius * std::sin(angle));
    obj += line;
  }
  obj += "l";
  for (int k = 0; k <= n; ++k) obj += " " + std::to_string(k + 1);
  return obj + "\n";
}

// Around the axis a disc whose centre is there is a ball; one of short edges presses as it does, but for the size of the cells.
TEST(MovingObstacle, IsABodyOfRevolutionAroundTheAxis) {
  const Workplace here;
  here.write("ball.obj", half_polygon(240));
  const auto forces_of = [&](const char* cells, bool as_surface) {
    std::string spec = around_axis(pressed_by_disc("  block_bottom: {u_x: 0, u_y: 0}\n  disc: {u_x: 0, u_y: -0.08}\n", "", "time: {steps: 4}\n" + forces));
    for (const char* at : {"[0.5, 0.81]", "x: 0.5, y"})
      if (const std::size_t place = spec.find(at); place != std::string::npos) spec.replace(spec.find("0.5", place), 3, "0");
    if (as_surface) {
      const std::size_t body = spec.find("{point:"), loads = spec.find("loads:"), end = spec.find("time:");
      spec.replace(loads, end - loads, "contact:\n  faces: {between: [disc, block_top], stiffness: 20, distance: 0.02}\n");
      spec.replace(body, spec.find('}', body) + 1 - body, "{surface: {file: ball.obj, scale: 0.3, at: [0, 0.81]}}");
    }
    spec.replace(spec.find("distance: 0.02"), 14, "distance: 0.005");
    spec.replace(spec.find("[12, 6]"), 7, cells);
    return results_when_solved(here, spec)["quantities"];
  };
  double off[2];
  for (const int k : {0, 1}) {
    const char* cells = k == 0 ? "[12, 6]" : "[24, 12]";
    const auto ball = forces_of(cells, false);
    const double up = ball["up"];
    EXPECT_NEAR(ball["support"].get<double>(), -up, 1e-9 * std::abs(up));
    off[k] = std::abs(forces_of(cells, true)["up"].get<double>() / up - 1);
  }
  EXPECT_LT(off[1], 0.5 * off[0]);  // 3.8e-4, 1.4e-4
  EXPECT_LT(off[1], 3e-4);
}

/// A square of 0.3 m x 0.2 m about (0, 0) as a curve of 48 edges.
std::string square() {
  const double corners[5][2] = {{-0.15, -0.1}, {0.15, -0.1}, {0.15, 0.1}, {-0.15, 0.1}, {-0.15, -0.1}};
  std::string obj;
  char line[80];
  for (int side = 0; side < 4; ++side)
    for (int k = 0; k < 12; ++k) {
      const auto at = [&](int i) { return corners[side][i] + k / 12.0 * (corners[side + 1][i] - corners[side][i]); };
      std::snprintf(line, sizeof line, "v %.16g %.16g 0\n", at(0), at(1));
      obj += line;
    }
  obj += "l";
  for (int k = 0; k <= 48; ++k) obj += " " + std::to_string(k % 48 + 1);
  return obj + "\n";
}

/// The block below the square, whose centre is at (0.5, 0.61).
std::string below_square(const std::string& motion, const std::string& law, const std::string& rest) {
  std::string spec = pressed_by_disc(motion, "", rest);
  const std::size_t body = spec.find("{point:"), loads = spec.find("loads:"), end = spec.find("time:");
  spec.replace(loads, end - loads, "contact:\n  faces: {between: [disc, block_top], stiffness: 20, distance: 0.02" + law + "}\n");
  return spec.replace(body, spec.find('}', body) + 1 - body, "{surface: {file: square.obj, at: [0.5, 0.61]}}");
}

// An obstacle that turns is a surface: its formulas are those of a rotation. That the block turns about the same point the other way is the same.
TEST(MovingObstacle, SurfacesTurn) {
  const Workplace here;
  here.write("square.obj", square());
  const auto turned = [](const char* angle) {
    return std::string("{u_x: \"(x-0.5)*(cos(") + angle + ")-1) - (y-0.61)*sin(" + angle + ")\", u_y: \"(x-0.5)*sin(" + angle + ") + (y-0.61)*(cos(" + angle + ")-1)\"}\n";
  };
  const auto solved = [&](const std::string& motion) { return results_when_solved(here, below_square(motion, "", "time: {steps: 5}\n" + forces))["quantities"]; };
  const auto by_square = solved("  block_bottom: {u_x: 0, u_y: 0}\n  disc: " + turned("0.3*t"));
  const auto by_block = solved("  block_bottom: " + turned("-0.3*t") + "  disc: {u_x: 0, u_y: 0}\n");
  const double along = by_square["along"], up = by_square["up"], size = std::hypot(along, up), c = std::cos(0.3), s = std::sin(0.3);
  EXPECT_GT(size, 0.1);
  EXPECT_NEAR(by_block["along"].get<double>(), c * along + s * up, 1e-8 * size);
  EXPECT_NEAR(by_block["up"].get<double>(), -s * along + c * up, 1e-8 * size);
}

// Its certificate with friction: how far it turns is a signal.
TEST(MovingObstacle, TurnsByASignal) {
  const Workplace here;
  here.write("square.obj", square());
  here.write("spec.yaml", below_square("  block_bottom: {u_x: 0, u_y: 0}\n  disc: {u_x: \"-(y-0.61)*t\", u_y: \"(x-0.5)*t\", factor: 0.3}\n", ", friction: 0.4, slip_speed: 0.05",
                                       R"(time: {scheme: bdf2, end: 0.5, steps: 5}
design:
  - {kind: signal, variable: boundary.disc.factor, basis: linear, functions: 3, start: 0.4}
  - {variable: contact.faces.friction}
objective:
  - {type: reaction, region: disc, direction: [1, 0.3], statistic: mean}
output: {fields: none}
)"));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

// The certificate: adjoint, tangent and differences by the motion as a number and as a signal, where the obstacle is and how large, and friction.
TEST(MovingObstacle, MotionPlaceAndSizeAreDesigned) {
  const std::string design = R"(design:
  - {variable: boundary.disc.factor}
  - {kind: signal, variable: boundary.aside.factor, basis: linear, functions: 3, start: 0.2}
  - {variable: loads.press.x}
  - {variable: loads.press.radius}
  - {variable: loads.press.friction}
  - {variable: materials.rubber.young, scale: log}
objective:
  - {type: reaction, region: disc, direction: [1, 0.3], statistic: mean}
  - {type: point, point: [0.5, 0.5], component: u_x}
output: {fields: none}
)";
  for (const auto& [time, ring] : {std::pair("{scheme: bdf2, end: 0.5, steps: 5}", false), std::pair("{scheme: newmark, end: 0.5, steps: 5}", false),
                                   std::pair("{scheme: newmark, end: 0.5, steps: 4}", true)}) {
    SCOPED_TRACE(std::string(time) + (ring ? " around the axis" : ""));
    const Workplace here;
    std::string spec = pressed_by_disc("  block_bottom: {u_x: 0, u_y: 0}\n  disc: {u_y: \"-0.1*t\", factor: 1}\n  aside: {u_x: \"t\", factor: 0.2}\n", ", friction: 0.4, slip_speed: 0.05",
                                       std::string("time: ") + time + "\n" + design);
    spec.replace(spec.find("physics:"), 0, "  regions: {aside: [disc]}\n");
    if (ring) spec = around_axis(spec);
    here.write("spec.yaml", spec);
    const Ended end = here.invar({"check", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    if (has_mpirun() && std::string(time).find("bdf2") != std::string::npos) expect_same_gradient(here, gradient_in(here, 1), 2);
  }
}

TEST(MovingObstacle, MistakesAreExplained) {
  const std::string whole = pressed_by_disc("  block_bottom: {u_x: 0, u_y: 0}\n  disc: {u_x: 0, u_y: 0}\n", "", "time: {scheme: bdf2, end: 1, steps: 5}\n" + forces);
  for (const Mistake& m : {Mistake{"disc: {u_x: 0, u_y: 0}", "disc: {u_x: 0}", "'disc' moves an obstacle, and 'u_y' of its nodes is not prescribed"},
                           Mistake{"moves_with: disc", "moves_with: block_right", "'block_right' moves an obstacle, and 'u_y' of its nodes is not prescribed"},
                           Mistake{"moves_with: disc", "moves_with: disk", "did you mean 'disc'"},
                           Mistake{"x: 0.5, y: 0.81, r", "x: 0.5, y: 0.75, r", "at the start 'block_top' and the obstacle 'press' intersect, at (0.5, 0.5)"},
                           Mistake{"moves_with: disc", "moves_with: block", "'block' is neither a region of points nor of facets"},
                           Mistake{"scheme: bdf2", "scheme: central_differences", "moves bodies by forces of the state before"},
                           Mistake{"{point: [0.5, 0.81]}", "{point: [0.5]}", "a point has two or three coordinates"},
                           Mistake{"type: obstacle, region: block_top, obstacle: sphere, moves_with: disc, x: 0.5, y: 0.81, radius: 0.3, stiffness: 20, distance: 0.02",
                                   "type: contact, region: block_top, obstacle: sphere, x: 0.5, y: 0.81 - t, radius: 0.3, stiffness: 20, width: 0.02, friction: 0.1",
                                   "friction depends on the obstacle's velocity"}})
    expect_named(m, whole);
  expect_named({"x: 0.5, y: 0.81, r", "x: -0.1, y: 0.81, r", "its centre is at x < 0"}, around_axis(whole));
}

// Overlaps are checked in the initial state, not in the undeformed one.
TEST(MovingObstacle, ABodyMayBeginElsewhereThanItIsDrawn) {
  const auto in_time = [](const std::string& disc, const std::string& rest) {
    return pressed_by_disc("  block_bottom: {u_x: 0, u_y: 0}\n  disc: {u_x: 0, u_y: " + disc + "}\n", "", "time: {scheme: bdf2, end: 1, steps: 5}\n" + rest + forces);
  };
  const auto inside_as_drawn = [](std::string spec) {
    const std::string place = "y: 0.81, r";
    return spec.replace(spec.find(place), place.size(), "y: 0.75, r");
  };
  for (const std::string& spec : {inside_as_drawn(in_time("\"0.06 - 0.05*t\"", "")), inside_as_drawn(in_time("0", "initial: {block: {u_y: -0.06}}\n"))}) {
    const Workplace here;
    here.write("spec.yaml", spec);
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
  }
  expect_named({"u_y: 0}\n  disc: {u_x: 0, u_y: 0}", "u_y: 0}\n  disc: {u_x: 0, u_y: \"-0.05 - 0.05*t\"}", "at the start 'block_top' and the obstacle 'press' intersect"}, in_time("0", ""));
}

}  // namespace
}  // namespace invar::test
