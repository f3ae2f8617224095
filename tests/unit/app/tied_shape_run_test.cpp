// Ties whose nodes a designed shape moves, through the program: closed forms with their exact derivatives, other meshes, certificates.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

/// Value and derivative by the one variable of the design.
std::pair<double, double> slope_of(const std::string& spec, const std::string& mesh = "") {
  const Workplace here;
  if (!mesh.empty()) here.write("cell.msh", mesh);
  here.write("spec.yaml", spec);
  const Answer answer = gradient_in(here, 1);
  EXPECT_EQ(answer.slopes.size(), 1u);
  return {answer.objective, answer.slopes.empty() ? 0.0 : answer.slopes[0]};
}

void expect_near(const std::pair<double, double>& found, double value, double slope) {
  EXPECT_NEAR(found.first, value, 1e-10 * std::abs(value));
  EXPECT_NEAR(found.second, slope, 1e-9 * std::abs(slope));
}

/// A bar of length L and height 0.5 m without lateral contraction, whose right end moves as a whole by the variable.
std::string long_bar(const std::string& held, const std::string& more, double start = 0) {
  return R"(title: a bar
mesh: {rectangle: {to: [2, 0.5], cells: [3, 2]}}
physics: {type: solid, kind: plane_stress, order: 2}
materials:
  steel: {model: linear_elastic, young: 100, poisson: 0}
)" + held + "design: [{kind: ffd, region: right, from: [1.9, -0.1], to: [2.1, 0.6], points: [1, 1], moves: [x], largest: 0.9, start: [" + std::to_string(start) + "]}]\n"
         "mesh_motion: {sliding: [{region: bottom, keeps: y}, {region: top, keeps: y}]}\n" + more;
}

// By a traction T the mean displacement is T L/(2 E); by a force that acts like a uniform body force, F L/(3 E h).
TEST(TiedShapeRun, MeanDisplacementOfABarByItsLength) {
  const std::string held = "boundary: {left: {u_x: 0}, left_bottom: {u_y: 0}}\n";
  for (const double more : {0.0, 0.3}) {
    const double L = 2 + more;
    expect_near(slope_of(long_bar(held, "loads: {pull: {type: traction, region: right, x: 3}}\nties: {whole: {type: mean, region: body, u_x: free}}\nobjective: [{type: tie, tie: whole.u_x}]\n", more)),
                3 * L / 200, 3.0 / 200);
    expect_near(slope_of(long_bar(held, "ties: {whole: {type: mean, region: body, u_x: 0.01}}\nobjective: [{type: tie, tie: whole.u_x, of: force}]\n", more)),
                3 * 100 * 0.5 * 0.01 / L, -3 * 100 * 0.5 * 0.01 / (L * L));
  }
}

// Around an axis: by a radial traction T the displacement is T r/E, whose mean over a cylinder of radius R is 2 T R/(3 E).
TEST(TiedShapeRun, MeanDisplacementOfACylinderByItsRadius) {
  for (const double more : {0.0, 0.3}) {
    std::string spec = long_bar("boundary: {left: {u_x: 0}, bottom: {u_y: 0}}\n",
                                "loads: {pull: {type: traction, region: right, x: 3}}\nties: {whole: {type: mean, region: body, u_x: free}}\nobjective: [{type: tie, tie: whole.u_x}]\n", more);
    spec.replace(spec.find("plane_stress"), 12, "axisymmetric");
    expect_near(slope_of(spec), 2 * 3 * (2 + more) / 300, 2 * 3 / 300.0);
  }
}

// Between sides at a distance L the mean stress does work on L h: the force conjugate to the strain is E ε L h; a mean strain that is free under a
// traction on other sides keeps its value.
TEST(TiedShapeRun, PeriodOfABar) {
  for (const double more : {0.0, 0.3})
    expect_near(slope_of(long_bar("boundary: {left_bottom: {u_x: 0, u_y: 0}}\n", "ties: {cell: {type: periodic, sides: [[left, right]], xx: 0.01}}\nobjective: [{type: tie, tie: cell.xx, of: force}]\n", more)),
                100 * 0.01 * (2 + more) * 0.5, 100 * 0.01 * 0.5);
}

/// A cell of 1 m x 1 m of two layers, the lower one as thick as the variable says.
std::string moved_laminate(const std::string& numbers, const std::string& objective, double start) {
  return R"(title: a laminate
mesh: {file: cell.msh}
physics: {type: solid, kind: plane_strain}
materials:
  soft: {region: soft, model: linear_elastic, young: 100, poisson: 0.3}
  stiff: {region: stiff, model: linear_elastic, young: 300, poisson: 0.1}
ties:
  cell: {type: periodic, sides: [[left, right], [bottom, top]], )" + numbers + R"(}
  still: {type: mean, region: left, u_x: 0, u_y: 0}
design: [{kind: ffd, region: middle, from: [-0.1, 0.4], to: [1.1, 0.6], points: [1, 1], moves: [y], largest: 0.3, start: [)" + std::to_string(start) + R"(]}]
mesh_motion: {sliding: [{region: left, keeps: x}, {region: right, keeps: x}]}
objective: [)" + objective + "]\n";
}

const char* const cell_of_two_layers = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
7
2 1 "soft"
2 2 "stiff"
1 3 "left"
1 4 "right"
1 5 "bottom"
1 6 "top"
1 7 "middle"
$EndPhysicalNames
$Nodes
6
1 0 0 0
2 1 0 0
3 0 0.5 0
4 1 0.5 0
5 0 1 0
6 1 1 0
$EndNodes
$Elements
9
1 3 2 1 1 1 2 4 3
2 3 2 2 2 3 4 6 5
3 1 2 3 3 1 3
4 1 2 3 3 3 5
5 1 2 4 4 2 4
6 1 2 4 4 4 6
7 1 2 5 5 1 2
8 1 2 6 6 5 6
9 1 2 7 7 3 4
$EndElements
)";

// Effective moduli of layers of thickness h and 1 − h, and their exact derivatives: means along them, harmonic means across.
TEST(TiedShapeRun, ModuliOfALaminateByTheThicknessOfItsLayers) {
  constexpr double E1 = 100, n1 = 0.3, E2 = 300, n2 = 0.1;
  const double plane1 = E1 / (1 - n1 * n1), plane2 = E2 / (1 - n2 * n2);
  const double across1 = (1 + n1) * (1 - 2 * n1) / (E1 * (1 - n1)), across2 = (1 + n2) * (1 - 2 * n2) / (E2 * (1 - n2));
  const double shear1 = 2 * (1 + n1) / E1, shear2 = 2 * (1 + n2) / E2, free1 = n1 / (1 - n1), free2 = n2 / (1 - n2);
  for (const double moved : {0.0, 0.2}) {
    const double h = 0.5 + moved;
    const auto mean = [&](double a, double b) { return h * a + (1 - h) * b; };
    const auto solved = [&](const char* numbers, const char* objective) { return slope_of(moved_laminate(numbers, objective, moved), cell_of_two_layers); };
    expect_near(solved("xx: 0.01, yy: free", "{type: tie, tie: cell.xx, of: force}"), 0.01 * mean(plane1, plane2), 0.01 * (plane1 - plane2));
    expect_near(solved("xx: 0.01, yy: free", "{type: tie, tie: cell.yy}"), -0.01 * mean(free1, free2), -0.01 * (free1 - free2));
    const double soft = mean(across1, across2), slips = mean(shear1, shear2);
    expect_near(solved("yy: 0.01", "{type: tie, tie: cell.yy, of: force}"), 0.01 / soft, -0.01 * (across1 - across2) / (soft * soft));
    expect_near(solved("xy: 0.01", "{type: tie, tie: cell.xy, of: force}"), 0.01 / slips, -0.01 * (shear1 - shear2) / (slips * slips));
  }
}

/// A soft block through which a cable goes; its upper side is designed, and the points of the cable.
std::string block_with_cable(double height, const std::string& design) {
  return R"(title: a block with a cable
mesh: {rectangle: {to: [0.1, )" + std::to_string(height) + R"(], cells: [5, 2]}}
physics: {type: solid, kind: plane_strain, order: 2}
materials:
  silicone: {model: neo_hookean, young: 1e5, poisson: 0.4}
boundary:
  left: {u_x: 0, u_y: 0}
tendons:
  cable: {through: [[0.07, )" + std::to_string(height / 4) + R"(], [0.053, 0.015], [0.095, 0.018]], tension: 8}
mesh_motion: {sliding: [{region: left, keeps: x}, {region: right, keeps: x}]}
)" + design + "objective: [{type: point, point: [0.1, 0], component: u_y, target: 0.01}]\n";
}
const char* const points_of_cable = "  - {variable: tendons.cable.through.1.0}\n  - {variable: tendons.cable.through.1.1}\n  - {variable: tendons.cable.through.2.0}\n  - {variable: tendons.cable.through.2.1}\n";
std::string raised(int columns, const std::string& start) {
  return "  - {kind: ffd, region: top, from: [-0.01, 0.015], to: [0.11, 0.025], points: [" + std::to_string(columns) + ", 1], moves: [y], scale: 0.001, largest: 0.004" + start + "}\n";
}

TEST(TiedShapeRun, DerivativesByPointsOfATendonInADesignedShapeAreExact) {
  expect_certified(block_with_cable(0.02, "design:\n" + std::string(points_of_cable) + raised(3, "")));
}

// The block drawn as high as the design makes it: designed points stay in their place while the cells move, the first one moves with its cell.
TEST(TiedShapeRun, DesignedPointsStayInTheirPlaceInADesignedShape) {
  const auto answer = [](const std::string& spec) {
    const Workplace here;
    here.write("spec.yaml", spec);
    return gradient_in(here, 1);
  };
  const Answer designed = answer(block_with_cable(0.02, "design:\n" + std::string(points_of_cable) + raised(1, ", start: [0.0015]")));
  const Answer drawn = answer(block_with_cable(0.0215, "design:\n" + std::string(points_of_cable) + "  - {kind: ffd, region: top, from: [-0.01, 0.015], to: [0.11, 0.025], points: [1, 1], moves: [y], scale: 0.001, largest: 0.004}\n"));
  EXPECT_NEAR(designed.objective, drawn.objective, 1e-9 * std::abs(drawn.objective));
  ASSERT_EQ(designed.slopes.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(designed.slopes[k], drawn.slopes[k], 1e-7 * std::abs(drawn.slopes[k])) << k;
}

const std::string tied_block = "title: a block\nmesh: {rectangle: {to: [2, 1], cells: [4, 2]}, parts: {soft: x < 1, stiff: x > 1}}\nphysics: {type: solid, kind: plane_strain}\n"
                          "materials: {gel: {model: neo_hookean, young: 100, poisson: 0.3}}\n";
const std::string free_top = "design: [{kind: free_boundary, region: top, smoothing: 0.5, largest: 0.1, ends_move: true}]\nmesh_motion: {sliding: [{region: left, keeps: x}, {region: right, keeps: x}]}\n";
const std::string at_the_end = "objective: [{type: point, point: [2, 0.5], component: u_y}]\n";

TEST(TiedShapeRun, DerivativesOfAMeanOnAMovingSideAreExact) {
  expect_certified(tied_block + "boundary: {left: {u_x: 0, u_y: 0}}\nties: {lid: {type: mean, region: top, u_y: 0.1}, all: {type: mean, region: body, u_x: 0.05}}\n" + free_top +
                        "objective: [{type: point, point: [2, 0.5], component: u_y}, {type: tie, tie: lid.u_y, of: force, target: 1}, {type: tie, tie: all.u_x, of: force, target: 1}]\n");
}

// Of the rigid end two nodes and more are prescribed.
TEST(TiedShapeRun, DerivativesOfAHeldRigidPartInADesignedShapeAreExact) {
  expect_certified(tied_block + "boundary: {left: {u_x: 0, u_y: 0}, right: {u_x: 0, u_y: 0.1}}\nrigid: {end: {region: stiff}}\n" + free_top +
                        "objective: [{type: point, point: [0.5, 0.5], component: u_y}, {type: reaction, region: right, direction: [0, 1], target: 1}]\n");
}

TEST(TiedShapeRun, DerivativesOfACellInTimeAreExactOnAnyRanks) {
  const std::string spec = "title: a cell\nmesh: {rectangle: {to: [2, 1], cells: [4, 3], shape: triangle}}\nphysics: {type: solid, kind: plane_strain, order: 2}\n"
                           "materials: {gel: {model: neo_hookean, young: 100, poisson: 0.3, density: 1}}\ntime: {scheme: generalised_alpha, rho_infinity: 0.8, end: 0.3, steps: 3}\n"
                           "ties:\n  cell: {type: periodic, sides: [[left, right], [bottom, top]], xx: 0.1*t, yy: free, xy: free}\n  still: {type: mean, region: body, u_x: 0, u_y: 0.1*t}\n"
                           "design: [{kind: free_boundary, region: top, smoothing: 0.5, largest: 0.1, ends_move: true}, {variable: ties.cell.factor}]\n"
                           "mesh_motion: {sliding: [{region: left, keeps: x}, {region: right, keeps: x}]}\n"
                           "objective: [{type: tie, tie: cell.yy, of: rate, target: 0.1}, {type: tie, tie: cell.xx, of: force, target: 1}, {type: tie, tie: still.u_y, of: force, target: 1}]\n";
  expect_certified(spec);
  if (!has_mpirun()) return;
  const Workplace here;
  here.write("spec.yaml", spec);
  const Answer alone = gradient_in(here, 1);
  expect_same_gradient(here, alone, 2);
  expect_same_gradient(here, alone, 3);
}

/// A channel without ends, whose upper wall or whose period is designed.
std::string channel(const std::string& region, const std::string& driven) {
  const bool wall = region == "top";
  return "title: a channel without ends\nmesh: {rectangle: {to: [2, 1], cells: [3, 4]}}\nphysics: {type: flow, kind: planar}\nmaterials: {oil: {model: newtonian, density: 1, viscosity: 0.5}}\n"
         "boundary: {bottom: {no_slip: true}, top: {no_slip: true}, left_bottom: {p: 0}}\nties: {cell: {type: periodic, sides: [[left, right]]" + driven +
         "design: [{kind: free_boundary, region: " + region + ", smoothing: 0.5, largest: 0.1, ends_move: true}]\nmesh_motion: {sliding: [" +
         (wall ? "{region: left, keeps: x}, {region: right, keeps: x}" : "{region: bottom, keeps: y}, {region: top, keeps: y}") +
         "]}\nobjective: [{type: point, point: [0.7, 0.75], component: u_x, target: 0.9}]\n";
}

TEST(TiedShapeRun, DerivativesOfFlowWithoutEndsInADesignedShapeAreExact) {
  expect_certified(channel("top", ", p_x: -4}}\n"));
  expect_certified(channel("right", "}, drift: {type: mean, region: body, u_x: 0.5}}\n"));
}

TEST(TiedShapeRun, WhatHoldsInTheUndesignedShapeOnlyIsNamed) {
  expect_refused(tied_block + "boundary: {left: {u_x: 0, u_y: 0}, right: {u_y: \"0.01*y\"}}\nties: {end: {type: plane, region: right, u_y: free}}\n" + free_top + at_the_end,
                 {"'ties.end' agrees with values of 'boundary', or with other ties, in the undesigned shape only"});
  expect_refused(channel("right", ", p_x: -4}}\n"), {"'ties.cell' agrees with values", "acts along a period that the designed shape changes"});
}

}  // namespace
}  // namespace invar::test
