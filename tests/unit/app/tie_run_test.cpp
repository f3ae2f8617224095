// Ties between unknowns, through the program: closed forms of periodic cells, plates and means. Meshes that do not match: tied_meshes_run_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/tie_quantities.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

/// Two layers across y in a cell of 2 m × 1 m, in plane strain; `ties`: lines of the tie `cell`.
std::string laminate(const std::string& numbers, const std::string& quantities) {
  return R"(title: a laminate
mesh: {rectangle: {to: [2, 1], cells: [3, 4]}, parts: {soft: y < 0.5, stiff: y > 0.5}}
physics: {type: solid, kind: plane_strain}
materials:
  soft: {region: soft, model: linear_elastic, young: 100, poisson: 0.3}
  stiff: {region: stiff, model: linear_elastic, young: 300, poisson: 0.1}
boundary:
  left_bottom: {u_x: 0, u_y: 0}
ties:
  cell: {type: periodic, sides: [[left, right], [bottom, top]], )" + numbers + "}\noutput:\n  fields: none\n  quantities:\n" + quantities;
}
const std::string mean_stresses = R"(    xx: {type: tie, tie: cell.xx, of: force, factor: 0.5}
    yy: {type: tie, tie: cell.yy, of: force, factor: 0.5}
    xy: {type: tie, tie: cell.xy, of: force, factor: 0.5}
    yx: {type: tie, tie: cell.yx, of: force, factor: 0.5}
    strain_yy: {type: tie, tie: cell.yy}
)";
constexpr double E_soft = 100, nu_soft = 0.3, E_stiff = 300, nu_stiff = 0.1;
double mean_of(double soft, double stiff) { return 0.5 * (soft + stiff); }

// A mean around an axis is one over the circle.
TEST(Ties, LaminateAlongItsLayers) {
  const json q = tie_quantities(laminate("xx: 0.01, yy: free", mean_stresses));
  EXPECT_NEAR(q["xx"], 0.01 * mean_of(E_soft / (1 - nu_soft * nu_soft), E_stiff / (1 - nu_stiff * nu_stiff)), 1e-11);
  EXPECT_NEAR(q["strain_yy"], -0.01 * mean_of(nu_soft / (1 - nu_soft), nu_stiff / (1 - nu_stiff)), 1e-13);
  EXPECT_NEAR(q["yy"], 0, 1e-11);
}

TEST(Ties, LaminateAcrossItsLayers) {
  const json q = tie_quantities(laminate("yy: 0.01", mean_stresses));
  const auto confined = [](double E, double nu) { return E * (1 - nu) / ((1 + nu) * (1 - 2 * nu)); };
  const auto lateral = [](double nu) { return nu / (1 - nu); };  // σ_xx/σ_yy where the layer keeps its length
  const double stress = 0.01 / mean_of(1 / confined(E_soft, nu_soft), 1 / confined(E_stiff, nu_stiff));
  EXPECT_NEAR(q["yy"], stress, 1e-11);
  EXPECT_NEAR(q["xx"], stress * mean_of(lateral(nu_soft), lateral(nu_stiff)), 1e-11);
}

TEST(Ties, LaminateSheared) {
  const json q = tie_quantities(laminate("xy: 0.02", mean_stresses));
  const double stress = 0.02 / mean_of(2 * (1 + nu_soft) / E_soft, 2 * (1 + nu_stiff) / E_stiff);
  EXPECT_NEAR(q["xy"], stress, 1e-11);
  EXPECT_NEAR(q["yx"], stress, 1e-11);
}

/// A beam whose end is guided is four times as stiff as one whose end is free: 12 and 3 E I/L³.
TEST(Ties, GuidedEndOfABeam) {
  const auto tip = [](const std::string& ties) {
    return double(tie_quantities(R"(title: a beam
mesh: {rectangle: {to: [20, 1], cells: [40, 2]}}
physics: {type: solid, kind: plane_stress, order: 2}
materials:
  beam: {model: linear_elastic, young: 1e5, poisson: 0}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  side: {type: traction, region: right, y: -1}
)" + ties + "output:\n  fields: none\n  quantities:\n    tip: {type: point, point: [20, 0.5], component: u_y}\n")["tip"]);
  };
  const double free = tip(""), guided = tip("ties:\n  end: {type: translation, region: right, u_x: free, u_y: free}\n");
  const double shear = 20 * 1.2 / (1e5 / 2), EI = 1e5 / 12;  // Timoshenko's part
  EXPECT_NEAR(free, -(8000 / (3 * EI) + shear), 2e-4 * std::abs(free));
  EXPECT_NEAR(guided, -(8000 / (12 * EI) + shear), 2e-3 * std::abs(guided));
}

/// A plate at the end of a bar that is bent: u_x = a + b (y − ½) with b = M L/(E I); the centre does not move.
TEST(Ties, EndThatStaysPlane) {
  const json q = tie_quantities(R"(title: a bar that is bent
mesh: {rectangle: {to: [2, 1], cells: [4, 3], shape: triangle}}
physics: {type: solid, kind: plane_stress, order: 2}
materials:
  bar: {model: linear_elastic, young: 1000, poisson: 0}
boundary:
  left: {u_x: 0}
  left_bottom: {u_y: 0}
loads:
  couple: {type: traction, region: right, x: 12*y - 6}
ties:
  plate: {type: plane, region: right, u_x: free}
output:
  fields: none
  quantities:
    shift: {type: tie, tie: plate.u_x}
    slope: {type: tie, tie: plate.u_x_y}
)");
  EXPECT_NEAR(q["shift"], 0, 1e-13);
  EXPECT_NEAR(q["slope"], 2 * 1.0 / (1000.0 / 12), 1e-12);
}

/// Of a block that is pressed by a mean displacement alone the force is σ A, and no corner is singular.
TEST(Ties, MeanDisplacementOfASide) {
  const json q = tie_quantities(R"(title: a block
mesh: {box: {to: [1, 1, 2], cells: [2, 2, 3], shape: tetrahedron}}
physics: {type: solid, kind: spatial}
materials:
  block: {model: linear_elastic, young: 100, poisson: 0.3}
boundary:
  back: {u_z: 0}
  left: {u_x: 0}
  bottom: {u_y: 0}
loads:
  pull: {type: traction, region: front, z: 3}
ties:
  front: {type: mean, region: front, u_z: 0.1}
output:
  fields: none
  quantities:
    mean: {type: tie, tie: front.u_z}
    force: {type: tie, tie: front.u_z, of: force}
    support: {type: reaction, region: back, direction: [0, 0, 1]}
)");
  EXPECT_NEAR(q["mean"], 0.1, 1e-14);
  EXPECT_NEAR(q["force"], -double(q["support"]) - 3, 1e-10);
}

/// Gradients by laws' constants, by a mean strain and by a force, at finite strain over load steps: the certificate of
/// `check` compares adjoint, tangent, differences and second derivatives.
TEST(Ties, GradientsAreExactAtFiniteStrain) {
  const Workplace here;
  here.write("spec.yaml", R"(title: modulus, ratio and mean strain of a cell
mesh: {rectangle: {to: [1, 1], cells: [4, 4]}, holes: {pore: {from: [0.25, 0.25], to: [0.5, 0.75]}}}
physics: {type: solid, kind: plane_strain, order: 2}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3}
boundary:
  left_bottom: {u_x: 0, u_y: 0}
loads:
  inside: {type: pressure, region: pore, p: 3}
ties:
  cell: {type: periodic, sides: [[left, right], [bottom, top]], xx: 0.2, yy: free, xy: 0.05}
time: {steps: 2}
design:
  - {variable: materials.rubber.young, scale: log}
  - {variable: materials.rubber.poisson}
  - {variable: ties.cell.xx}
  - {variable: loads.inside.p}
objective:
  - {type: tie, tie: cell.yy, target: -0.2}
  - {type: tie, tie: cell.xx, of: force, target: 20, at: 0.5}
  - {type: tie, tie: cell.xy, of: force, weight: 0.1}
  - {type: point, point: [0.75, 0.5], component: u_y, weight: 0.3}
)");
  const Ended end = here.invar({"check", "spec.yaml", "--out", "checked"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(Ties, GradientsAreExactInTime) {
  const Workplace here;
  here.write("spec.yaml", R"yaml(title: a plate on a column that is shaken
mesh: {rectangle: {to: [1, 2], cells: [2, 4]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3, density: 1, shear_viscosity: 0.2}
boundary:
  bottom: {u_x: "0.1*sin(3*t)", u_y: 0}
ties:
  plate: {type: plane, region: top, u_y: free}
  side: {type: mean, region: right, u_x: "0.05*sin(5*t)"}
time: {scheme: generalised_alpha, end: 1, steps: 8}
design:
  - {variable: materials.rubber.young, scale: log}
  - {variable: materials.rubber.density}
  - {variable: ties.side.factor}
objective:
  - {type: tie, tie: plate.u_y, statistic: mean}
  - {type: tie, tie: plate.u_y_x, of: rate, target: 0.1}
  - {type: tie, tie: side.u_x, of: force, target: 1}
)yaml");
  const Ended end = here.invar({"check", "spec.yaml", "--out", "checked"});
  EXPECT_EQ(end.code, 0) << end.said();
}

/// Between walls, and along x without an end: what drives it is a force. u_x = f y (1 − y)/(2 μ), and with a stream across the walls, which
/// end at the periodic sides, too, (f/v) (y − (e^{v y/ν} − 1)/(e^{v/ν} − 1)).
std::string endless_channel(const std::string& walls, const std::string& more) {
  return R"(title: a channel without ends
mesh: {rectangle: {to: [2, 1], cells: [3, 16]}}
physics: {type: flow, kind: planar}
materials:
  oil: {model: newtonian, density: 1, viscosity: 0.5}
loads:
  push: {type: body_force, region: all, x: 4}
boundary:
)" + walls + R"(ties:
  cell: {type: periodic, sides: [[left, right]]}
)" + more;
}

TEST(Ties, FlowWithoutEnds) {
  const std::string quantities = "output:\n  fields: none\n  quantities:\n    u: {type: point, point: [0.7, 0.75], component: u_x}\n";
  const json still = tie_quantities(endless_channel("  bottom: {no_slip: true}\n  top: {no_slip: true}\n  left_bottom: {p: 0}\n", quantities));
  EXPECT_NEAR(still["u"], 4 / (2 * 0.5) * 0.75 * 0.25, 1e-10);
  const json crossed = tie_quantities(endless_channel("  bottom: {u_x: 0, u_y: 0.8}\n  top: {u_x: 0, u_y: 0.8}\n  left_bottom: {p: 0}\n", quantities));
  const double re = 0.8 / 0.5;
  EXPECT_NEAR(crossed["u"], 4 / 0.8 * (0.75 - std::expm1(0.75 * re) / std::expm1(re)), 1e-5);
}

TEST(Ties, GradientsOfFlowWithoutEndsAreExact) {
  const Workplace here;
  here.write("spec.yaml", endless_channel("  bottom: {no_slip: true}\n  top: {u_x: 0.3, u_y: 0}\n  left_bottom: {p: 0}\n",
                                          "design:\n  - {variable: materials.oil.viscosity, scale: log}\n  - {variable: loads.push.x}\n"
                                          "  - {variable: boundary.top.u_x}\nobjective:\n  - {type: point, point: [0.7, 0.75], component: u_x, target: 0.9}\n"));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

// ---- mistakes ------------------------------------------------------------------------------------------------

std::string with_ties(const std::string& boundary, const std::string& ties) {
  return "title: a block\nmesh: {rectangle: {to: [1, 1], cells: [2, 2]}}\nphysics: {type: solid, kind: plane_strain}\n"
         "materials:\n  rubber: {model: neo_hookean, young: 100, poisson: 0.3}\nboundary:\n" + boundary + "ties:\n" + ties;
}

TEST(Ties, SidesThatDoNotMatchAreNamed) {
  expect_refused(R"(title: a trapezium
mesh: {patch: {corners: [[0, 0], [2, 0], [2, 1.5], [0, 1]], cells: [2, 2]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3}
boundary:
  left_bottom: {u_x: 0, u_y: 0}
ties:
  cell: {type: periodic, sides: [[left, right]], xx: 0.1}
)", {"spec.yaml:9:", "'left' and 'right' do not match: the node at (2, 1.5) has no partner at (0, 1.5), the nearest is 0.5 m away"});
}

// Sides that are tied let nothing out: the level of the pressure is open, as of a box with walls all around.
TEST(Ties, FlowWithoutEndsNeedsAPressureLevel) {
  expect_refused(endless_channel("  bottom: {no_slip: true}\n  top: {no_slip: true}\n", ""),
                 {"the velocity through every part of its boundary is prescribed or tied, and the level of the pressure is undetermined", "add 'boundary: {POINT: {p: 0}}'"});
}

TEST(Ties, WhatIsHeldTwiceIsNamed) {
  expect_refused(with_ties("  left: {u_x: 0, u_y: 0}\n  right: {u_x: 0.1}\n", "  sides: {type: periodic, sides: [[left, right]], xx: 0}\n"),
                 {"'ties.sides' contradicts values that 'boundary' or earlier entries prescribe at its nodes"});
  expect_refused(with_ties("  left: {u_x: 0, u_y: 0}\n", "  a: {type: translation, region: right, u_x: free}\n  b: {type: translation, region: left, u_x: 0.1}\n"),
                 {"'ties.b' contradicts values that 'boundary' or earlier entries prescribe at its nodes"});
  expect_refused(with_ties("  left: {u_x: 0, u_y: 0}\n", "  a: {type: translation, region: right, u_x: free}\n  b: {type: translation, region: left, u_x: 0}\n"),
                 {"'ties.b' is implied by 'boundary' and earlier ties"});
}

TEST(Ties, NumbersThatDoNotExistAreNamed) {
  expect_refused(with_ties("  left: {u_x: 0, u_y: 0}\n", "  end: {type: translation, region: right, u_z: 0}\n"), {"no component 'u_z'"});
  expect_refused(with_ties("  left: {u_x: 0, u_y: 0}\n", "  end: {type: translation, region: right, u_x: free}\noutput:\n  quantities:\n    q: {type: tie, tie: end.u_y}\n"),
                 {"no number 'end.u_y' of a tie", "its numbers: end.u_x"});
  expect_refused(with_ties("  left: {u_x: 0, u_y: 0}\n", "  end: {type: translation, region: right, u_x: \"0.1*y\"}\n"), {"depends on t only"});
}

// A mean that moves from the start while nodes are at rest; with a motion that begins smoothly there is nothing to say.
TEST(Ties, InitialValuesThatViolateThemAreReported) {
  const auto says = [](const std::string& mean, const std::string& more) {
    const Workplace here;
    here.write("spec.yaml", "title: a cell\nmesh: {rectangle: {to: [1, 1], cells: [2, 2]}}\nphysics: {type: solid, kind: plane_strain}\nmaterials: {gel: {model: neo_hookean, young: 100, poisson: 0.3, density: 1}}\n"
                            "time: {scheme: generalised_alpha, end: 0.1, steps: 2}\nties:\n  still: {type: mean, region: body, u_x: \"" + mean + "\", u_y: 0}\n" + more);
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    return end.err.find("warning: spec.yaml:7:3: the initial values or rates violate 'ties.still'") != std::string::npos;
  };
  EXPECT_TRUE(says("0.1*t", ""));
  EXPECT_TRUE(says("0.1 + t*t", ""));
  EXPECT_TRUE(says("0", "initial: {all: {u_x: 0.1*x}}\n"));
  for (const char* smooth : {"0.1*t*t", "0.3*t*t", "1 - cos(t)"}) EXPECT_FALSE(says(smooth, "")) << smooth;
  EXPECT_FALSE(says("0", "initial: {all: {u_x: \"x - 0.5\"}}\n"));
  EXPECT_FALSE(says("0.05 + 0.1*t", "initial: {all: {u_x: 0.1*x, v_x: 0.1}}\n"));
}

}  // namespace
}  // namespace invar::test
