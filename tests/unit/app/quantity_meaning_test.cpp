// Quantities, ties and data where two ways of asking the same must agree: around an axis, after plastic flow, with part of the noise known.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

using nlohmann::json;
using std::numbers::pi;

json reported(const std::string& spec) {
  const Workplace here;
  return results_when_solved(here, spec)["quantities"];
}

// The mean that a tie prescribes is the one that is reported, over the full circle; its force balances the support's.
TEST(QuantityMeaning, MeanTiesAroundAnAxis) {
  const json q = reported(R"(title: a ring
mesh: {rectangle: {from: [0.2, 0], to: [1, 0.5], cells: [4, 2], grading: [3, 1], shape: triangle}}
physics: {type: solid, kind: axisymmetric}
materials: {s: {model: neo_hookean, young: 1000, poisson: 0.3}}
boundary: {bottom: {u_x: 0, u_y: 0}}
ties:
  top: {type: mean, region: top, u_y: 0.02}
  cells: {type: mean, region: body, u_x: 0.01}
output:
  fields: none
  quantities:
    top: {type: mean_displacement, region: top, component: y}
    cells: {type: mean_displacement, region: body, component: x}
    force: {type: tie, tie: top.u_y, of: force}
    support: {type: reaction, region: bottom, direction: [0, 1]}
)");
  EXPECT_NEAR(q["top"], 0.02, 1e-12);
  EXPECT_NEAR(q["cells"], 0.01, 1e-12);
  EXPECT_NEAR(q["force"].get<double>() + q["support"].get<double>(), 0, 1e-7);
}

// A slice of a tube that is stretched and widened: π r² h. Half a ball between z = 0.1 and its pole: 2/3 π r³.
TEST(QuantityMeaning, VolumeInsideATubeAndHalfABall) {
  const json q = reported(R"(title: a tube
mesh: {rectangle: {from: [0.5, 0.3], to: [1.5, 2.3], cells: [2, 2]}}
physics: {type: solid, kind: axisymmetric}
materials: {s: {model: linear_elastic, young: 1000, poisson: 0}}
boundary:
  left: {u_x: 0.05}
  right: {u_x: 0.15}
  bottom: {u_y: 0}
  top: {u_y: 0.1}
output:
  fields: none
  quantities:
    inside: {type: enclosed_volume, region: left}
)");
  EXPECT_NEAR(std::abs(q["inside"].get<double>()), pi * 0.55 * 0.55 * 2.1, 1e-9);
  const json ball = reported(R"spec(title: half a ball
mesh:
  grid:
    columns: [{to: 1, cells: 2}]
    rows: [{to: 1, cells: 8}]
    x: "(0.1 + 0.1*x)*cos(pi/2*y)"
    y: "0.1 + (0.1 + 0.1*x)*sin(pi/2*y)"
physics: {type: solid, kind: axisymmetric}
materials: {s: {model: neo_hookean, young: 1000, poisson: 0.3}}
boundary:
  bottom: {u_y: 0}
  top: {u_x: 0}
output:
  fields: none
  quantities:
    inside: {type: enclosed_volume, region: left}
)spec");
  EXPECT_NEAR(std::abs(ball["inside"].get<double>()), 2.0 / 3 * pi * 1e-3, 2e-2 * 2e-3);
}

// The walls of half and of a quarter of a hole (an octagon in eight or four sides), and three walls of a cube, all widened by a tenth: what
// planes through their ends close, wherever the origin is. A wall that stands alone closes nothing.
TEST(QuantityMeaning, VolumesDoNotDependOnTheOrigin) {
  const auto inside = [](const std::string& mesh, const std::string& held, const std::string& kind) {
    return "title: a cavity\nmesh:\n" + mesh + "physics: {type: solid, order: 1, kind: " + kind + R"(}
materials: {s: {model: linear_elastic, young: 1000, poisson: 0.3}}
boundary: {body: )" + held + R"(}
output:
  fields: none
  quantities:
    inside: {type: enclosed_volume, region: walls}
    hole: {type: volume, region: walls}
    x: {type: centroid, region: walls, component: x}
    y: {type: centroid, region: walls, component: y}
)";
  };
  for (const std::string c : {"0", "-3"}) {
    for (const int quarters : {1, 2}) {
      const std::string angle = std::to_string(0.5 * quarters) + "*pi*y", mesh = "  grid:\n    columns: [{to: 1, cells: 1}]\n    rows: [{to: 1, cells: " +
                                std::to_string(2 * quarters) + "}]\n    x: \"" + c + " + (1 + x)*cos(" + angle + ")\"\n    y: \"" + c + " + (1 + x)*sin(" + angle + ")\"\n  regions: {walls: [left]}\n";
      const json q = reported(inside(mesh, "{u_x: \"0.1*(x - (" + c + "))\", u_y: \"0.1*(y - (" + c + "))\"}", "plane_strain"));
      const double octagon = quarters * std::sqrt(0.5);
      EXPECT_NEAR(q["inside"], 1.21 * octagon, 1e-12) << c;
      const double from_origin = (1 + std::sqrt(2.0)) / 6;  // of the centres of its triangles
      EXPECT_NEAR(q["hole"], octagon, 1e-12) << c;
      EXPECT_NEAR(q["x"].get<double>() - std::stoi(c), quarters == 1 ? from_origin : 0, 1e-12) << c;
      EXPECT_NEAR(q["y"].get<double>() - std::stoi(c), from_origin, 1e-12) << c;
    }
    const std::string end = std::to_string(std::stoi(c) + 1);
    const auto widened = [&](const std::string& x) { return "u_" + x + ": \"0.1*(" + x + " - (" + end + "))\""; };  // the planes stay
    const json q = reported(inside("  box: {from: [" + c + ", " + c + ", " + c + "], to: [" + end + ", " + end + ", " + end + "], cells: [1, 2, 2]}\n  regions: {walls: [left, bottom, back]}\n",
                                   "{" + widened("x") + ", " + widened("y") + ", " + widened("z") + "}", "spatial"));
    EXPECT_NEAR(q["inside"], -1.331, 1e-12) << c;  // seen from outside
    EXPECT_NEAR(q["hole"], -1, 1e-12) << c;
    for (const char* axis : {"x", "y"}) EXPECT_NEAR(q[axis].get<double>() - std::stoi(c), 0.5, 1e-12) << c;
  }
  const std::string wall = inside("  grid:\n    columns: [{to: 1, cells: 1}]\n    rows: [{to: 1, cells: 2}]\n    x: \"x + 0.5*y\"\n  regions: {walls: [left]}\n", "{u_x: 0, u_y: 0}", "plane_strain");
  expect_refused(wall.substr(0, wall.find("    hole:")), {"do not lie in planes across axes that close one volume"});
}

// Around an axis: a groove in a bore, π ∫ (r² − 1) dy, and a short conical mouth between planes. In the plane: a pouch that is flat but for
// round-off, and is opened.
TEST(QuantityMeaning, VolumesOfGroovesMouthsAndPouches) {
  const auto inside = [](const std::string& y, const std::string& x, const std::string& kind, const std::string& region, const std::string& lift) {
    return reported("title: a cavity\nmesh:\n  grid:\n    columns: [{to: 1, cells: 1}]\n    rows: [{to: 1, cells: 2}]\n    x: \"" + x + "\"\n    y: \"" + y +
                    "\"\nphysics: {type: solid, kind: " + kind + "}\nmaterials: {s: {model: linear_elastic, young: 1000, poisson: 0.3}}\n" +
                    "boundary: {body: {u_x: 0, u_y: \"" + lift + "\"}}\noutput:\n  fields: none\n  quantities:\n" +
                    "    inside: {type: enclosed_volume, region: " + region + "}\n    hole: {type: volume, region: " + region + "}\n    y: {type: centroid, region: " + region + ", component: y}\n");
  };
  const json groove = inside("0.4*y - 3", "1 + x + 0.5*(1 - x)*(1 - abs(2*y - 1))", "axisymmetric", "left", "0");
  const json mouth = inside("0.4*y - 3", "1 + 2*x + (1 - x)*y", "axisymmetric", "left", "0");
  for (const char* name : {"inside", "hole"}) {
    EXPECT_NEAR(groove[name], pi * 0.4 * (0.5 + 0.25 / 3), 1e-12);
    EXPECT_NEAR(mouth[name], pi * 0.4 * 7 / 3, 1e-12);
  }
  EXPECT_NEAR(groove["y"], -2.8, 1e-12);
  EXPECT_NEAR(mouth["y"], -3 + 0.4 * 17 / 28, 1e-12);  // h/4 (R² + 2Rr + 3r²)/(R² + Rr + r²) from the narrow end
  const json pouch = inside("0.3 + y + 1e-15*sin(7*x)", "x", "plane_strain", "bottom", "0.1*x*(1 - x)");
  EXPECT_NEAR(pouch["inside"], 0.1 / 6, 1e-12);
}

// A bar in uniaxial strain that is pulled at once, or at a constant rate: its force is constant, or grows from zero.
TEST(QuantityMeaning, StatisticsBeginAfterAJump) {
  const double force = 0.5 * 100 * 0.7 / (1.3 * 0.4) * 0.01;
  const auto bar = [](const std::string& pulled, const std::string& start) {
    std::string spec = R"(title: a bar
mesh: {rectangle: {to: [2, 0.5], cells: [4, 2]}}
physics: {type: solid, kind: plane_strain}
materials: {rubber: {model: linear_elastic, young: 100, poisson: 0.3}}
boundary: {left: {u_x: 0}, bottom: {u_y: 0}, top: {u_y: 0}, right: {u_x: )" + pulled + R"(}}
time: {scheme: backward_euler, inertia: false, end: 1, steps: 4)" + start + R"(}
output:
  fields: none
  quantities:
)";
    for (const char* of : {"mean", "max", "min", "rms"}) spec += std::string("    ") + of + ": {type: reaction, region: right, direction: [1, 0], statistic: " + of + "}\n";
    return spec;
  };
  for (const char* start : {"", ", begin_with: equilibrium"}) {
    const json q = reported(bar("0.02", start));
    for (const char* of : {"mean", "max", "min"}) EXPECT_NEAR(q[of], force, 1e-12) << of << start;
    EXPECT_NEAR(q["rms"], 0, 1e-12) << start;
  }
  const json q = reported(bar("0.02*t", ""));
  EXPECT_NEAR(q["mean"], 0.5 * force, 1e-12);
  EXPECT_NEAR(q["max"], force, 1e-12);
  EXPECT_NEAR(q["min"], 0, 1e-12);
}

// A cube that is stretched at a constant rate, its volume kept, with a muscle across: all of it is known, where the muscle is and where not.
// Differences of Cauchy stresses: of the law μ (λ_x² − λ_z²), of the Kelvin–Voigt element those of λ² (2 η λ λ̇ + (ζ − ⅔ η) Σ λ λ̇), of the
// muscle T λ_y². With the derivatives of their norm over the time.
TEST(QuantityMeaning, StressIsThatOfLawViscosityAndMuscle) {
  const double mu = 100, eta = 30, zeta = 11, tension = 7;
  const auto cube = [&](const std::string& more) {
    return R"spec(title: a cube in extension
mesh:
  box: {to: [2, 1, 1], cells: [2, 1, 1]}
  parts: {half: x > 1}
physics: {type: solid, kind: spatial}
materials: {rubber: {model: neo_hookean, young: 260, poisson: 0.3, shear_viscosity: 30, bulk_viscosity: 11}}
boundary: {body: {u_x: "0.2*t*x", u_y: "y*(1/sqrt(1 + 0.2*t) - 1)", u_z: "z*(1/sqrt(1 + 0.2*t) - 1)"}}
loads: {pull: {type: muscle, region: half, tension: 7, n_y: 1}}
time: {scheme: bdf2, inertia: false, end: 1, steps: 20}
)spec" + more;
  };
  const double l = 1.2, l_dot = 0.2, w = 1 / std::sqrt(l), w_dot = -0.5 * l_dot * w / l;
  const double law = mu * (l * l - w * w), volumetric = (zeta - 2 * eta / 3) * (l * l_dot + 2 * w * w_dot);
  const double viscous = l * l * (2 * eta * l * l_dot + volumetric) - w * w * (2 * eta * w * w_dot + volumetric);
  const double x = law + viscous, y = tension * w * w;  // σ_xx − σ_zz, σ_yy − σ_zz
  const double outside = x, inside = std::sqrt(x * x - x * y + y * y);
  const Workplace here;
  const json q = results_when_solved(here, cube(R"(output:
  fields: none
  quantities:
    peak: {type: peak_stress}
    front: {type: peak_stress, region: right}
    back: {type: peak_stress, region: left}
    norm: {type: stress_norm, exponent: 2}
)"))["quantities"];
  EXPECT_NEAR(q["peak"], std::max(inside, outside), 1e-4 * outside);
  EXPECT_NEAR(q["front"], inside, 1e-4 * outside);
  EXPECT_NEAR(q["back"], outside, 1e-4 * outside);
  EXPECT_NEAR(q["norm"], std::sqrt(0.5 * (inside * inside + outside * outside)), 1e-4 * outside);
  std::string free = cube(R"(design:
  - {variable: materials.rubber.young, scale: log}
  - {variable: materials.rubber.shear_viscosity, scale: log}
  - {variable: loads.pull.tension}
objective:
  - {type: stress_norm, region: right, exponent: 4, statistic: mean}
  - {type: stress_norm, exponent: 2, weight: 0.3}
output: {fields: none}
)");
  free.replace(free.find("body: {u_x"), free.find("}\nloads") - free.find("body: {u_x"), "left: {u_x: 0, u_y: 0, u_z: 0}, right: {u_x: 0.4*t}");
  free.replace(free.find("steps: 20"), 9, "steps: 4");
  here.write("spec.yaml", free);
  const Ended checked = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(checked.code, 0) << checked.said();
}

std::string yielding_bar(const std::string& law, const std::string& quantity) {
  return R"(title: a bar
mesh: {rectangle: {to: [0.01, 0.02], cells: [1, 1]}}
physics: {type: solid, kind: axisymmetric}
materials:
  s: {model: hencky, young: 1000, poisson: 0.3)" + law + R"(}
boundary:
  left: {u_x: 0}
  bottom: {u_y: 0}
  top: {u_y: "0.01*t"}
time: {scheme: backward_euler, inertia: false, end: 1, steps: 4}
output:
  fields: none
)" + quantity;
}

// The law's energy of the whole strain is not the elastic energy of a bar that has yielded.
TEST(QuantityMeaning, ElasticEnergyWithHistory) {
  const std::string energy = "  quantities:\n    energy: {type: stored_energy}\n";
  expect_refused(yielding_bar(", plasticity: {yield_stress: 10}", energy), {"spec.yaml:14", "elastic energy", "plasticity", "history"});
  expect_refused(yielding_bar(", relaxation: {a: {shear: 300, time: 1}}", energy), {"spec.yaml:14", "elastic energy", "relaxation", "history"});
  const Workplace here;
  EXPECT_FALSE(results_when_solved(here, yielding_bar(", plasticity: {yield_stress: 10}", ""))["cases"]["case"].contains("stored_energy"));
  EXPECT_GT(reported(yielding_bar("", energy))["energy"], 0);
}

// Error bars of markers whose noise is known must not depend on forces whose noise is not.
TEST(QuantityMeaning, DataWithAndWithoutNoise) {
  const auto spec = [](const char* first, const char* second) {
    return std::string(R"(title: a bar
mesh: {rectangle: {to: [2, 0.5], cells: [2, 1]}}
physics: {type: solid, kind: plane_stress}
materials: {s: {model: linear_elastic, young: 70, poisson: 0.3}}
boundary:
  left: {u_x: 0}
  bottom: {u_y: 0}
loads: {pull: {type: traction, region: right, x: 1}}
design: [{variable: materials.s.young}]
objective:
  - {type: markers, file: markers.csv)") + first + "}\n  - {type: reaction, region: left, direction: [-1, 0], file: curve.csv" + second + "}\n";
  };
  const auto run = [&](const char* first, const char* second) {
    const Workplace here;
    here.write("markers.csv", "x,y,u_x\n2,0,0.028\n1,0.5,0.0141\n");
    here.write("curve.csv", "t,force\n0.5,0.26\n1,0.49\n");
    here.write("spec.yaml", spec(first, second));
    return here.invar({"validate", "spec.yaml"});
  };
  const Ended mixed = run(", noise: 1e-4", "");
  EXPECT_EQ(mixed.code, 3);
  for (const char* word : {"spec.yaml:12", "no standard deviation", "objective[0]", "give 'noise'"}) EXPECT_NE(mixed.said().find(word), std::string::npos) << mixed.said();
  EXPECT_EQ(run(", noise: 1e-4", ", noise: 0.01").code, 0);
  EXPECT_EQ(run("", "").code, 0);
}

// A block at rest exactly on the face of a box bears on it like one on a plane.
TEST(QuantityMeaning, ABoxThatIsTouchedFromTheStart) {
  const auto depth = [](const std::string& obstacle) {
    return reported(R"(title: a block
mesh: {rectangle: {to: [0.1, 0.05], cells: [2, 1]}}
physics: {type: solid, kind: plane_strain}
materials: {m: {model: neo_hookean, young: 1e5, poisson: 0.3, density: 1000}}
loads:
  g: {type: body_force, y: -9810}
  floor: {type: contact, region: bottom, stiffness: 1e7, width: 1e-4, )" + obstacle + R"(}
time: {scheme: bdf2, end: 0.05, steps: 20}
output:
  fields: none
  quantities:
    y: {type: mean_displacement, region: bottom, component: y}
)")["y"].get<double>();
  };
  const double on_box = depth("obstacle: box, x: 0, y: -0.5, n_x: 3, n_y: 0.5");
  EXPECT_NEAR(on_box, depth("obstacle: plane, n_y: 1"), 1e-12);
  EXPECT_LT(std::abs(on_box), 1e-3);  // free fall: 1.2e-2
  EXPECT_GT(std::abs(on_box), 1e-6);
}

// Data of two types whose differences are compared in their units; the mean of a component along the axis, where a circle has no length.
TEST(QuantityMeaning, WhatIsSaidOfUnits) {
  const Workplace here;
  here.write("spec.yaml", R"(title: a bar
mesh: {rectangle: {to: [1, 1], cells: [1, 1]}}
physics: {type: solid, kind: axisymmetric}
materials: {s: {model: linear_elastic, young: 1000, poisson: 0.3}}
boundary: {left: {u_x: 0}, bottom: {u_y: 0}}
loads: {push: {type: traction, region: top, y: t}}
ties: {middle: {type: mean, region: left, u_y: 0.1}}
output: {fields: none, quantities: {top: {type: mean_displacement, region: top, component: y}}}
)");
  const Ended along = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(along.code, 0) << along.said();
  here.write("spec.yaml", R"(title: a bar
mesh: {rectangle: {to: [1, 1], cells: [1, 1]}}
physics: {type: solid, kind: plane_strain}
materials: {s: {model: linear_elastic, young: 1000, poisson: 0.3}}
boundary: {left: {u_x: 0}, bottom: {u_y: 0}, right: {u_x: t}}
time: {values: [0.01, 0.02]}
design: [{variable: materials.s.young}, {variable: materials.s.poisson}]
objective:
  - {type: reaction, region: right, direction: [1, 0], file: force.csv, value: force}
  - {type: mean_displacement, region: top, component: y, file: height.csv, value: height}
optimizer: {max_iterations: 0}
)");
  here.write("force.csv", "t,force\n0.01,10\n0.02,21\n");
  here.write("height.csv", "t,height\n0.01,-0.003\n0.02,-0.006\n");
  const Ended units = here.invar({"run", "spec.yaml"});
  EXPECT_NE(units.said().find("compared as numbers in their units"), std::string::npos) << units.said();
}

TEST(QuantityMeaning, WhatHasNoMeaningIsRefused) {
  const auto ring = [](const std::string& physics, const std::string& rest) {
    return "title: a ring\nmesh: {rectangle: {to: [1, 1], cells: [1, 1]}}\nphysics: {type: " + physics + "}\n" + rest;
  };
  const std::string oil = "materials: {oil: {model: newtonian, density: 1, viscosity: 1}}\nboundary: {right: {no_slip: true}, left: {u_x: 0}}\n";
  expect_refused(ring("flow, kind: axisymmetric", oil + "output: {quantities: {turn: {type: moment, region: right}}}\n"),
                 {"spec.yaml:6:", "an axisymmetric flow exerts no moment"});
  expect_refused(ring("solid, kind: axisymmetric", "materials: {s: {model: linear_elastic, young: 1, poisson: 0}}\nboundary: {bottom: {u_y: 0}}\n"
                                                   "output: {quantities: {turn: {type: reaction, region: bottom, axis: [0, 1, 0]}}}\n"),
                 {"spec.yaml:6:", "the moments on an axisymmetric body add up to zero", "direction: [0, 1]"});
  expect_refused(ring("flow, kind: planar", oil + "mesh_motion: {method: elastic}\ndesign: [{variable: materials.oil.viscosity}]\nobjective: [{type: dissipation}]\n"),
                 {"spec.yaml:6:", "'mesh_motion' is for designed shapes"});
}

// A stiff block on a support that moves: a warning, not silence.
TEST(QuantityMeaning, ForcesBySdirk2OnMovingSupports) {
  const auto said = [](const std::string& scheme) {
    const Workplace here;
    here.write("spec.yaml", "title: a block\nmesh: {rectangle: {to: [1, 1], cells: [1, 1]}}\nphysics: {type: solid, kind: plane_strain}\n"
                            "materials: {s: {model: linear_elastic, young: 1000, poisson: 0, density: 1}}\nboundary: {bottom: {u_x: 0, u_y: \"t^2\"}}\n"
                            "time: {scheme: " + scheme + ", end: 1, steps: 2}\noutput: {fields: none}\n");
    return here.invar({"run", "spec.yaml"}).said();
  };
  EXPECT_NE(said("sdirk2").find("forces of parts whose periods are shorter than the step do not converge"), std::string::npos);
  EXPECT_EQ(said("bdf2").find("do not converge"), std::string::npos);
}

}  // namespace
}  // namespace invar::test
