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
