// Meshes that do not match, tied at their surfaces, through the program: a constant stress passes, the pressure jumps.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/tie_quantities.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

/// Two bodies of 3 and 5 cells along their common side, pulled across it: a constant stress passes.
std::string two_meshes(const std::string& by, int upper) {
  return R"(title: meshes that do not match
mesh:
  bodies:
    lower: {rectangle: {to: [2, 1], cells: [3, 2]}}
    upper: {rectangle: {from: [0, 1], to: [2, 2], cells: [)" + std::to_string(upper) + R"(, 2]}}
physics: {type: solid, kind: plane_stress, order: 2}
materials:
  body: {model: linear_elastic, young: 100, poisson: 0.3}
boundary:
  lower_bottom: {u_y: 0}
  lower_left_bottom: {u_x: 0}
loads:
  pull: {type: traction, region: upper_top, y: 1}
ties:
  seam: {type: surfaces, follows: upper_bottom, to: lower_top, by: )" + by + R"(}
output:
  fields: none
  quantities:
    corner_x: {type: point, point: [2, 2], component: u_x}
    corner_y: {type: point, point: [2, 2], component: u_y}
    middle_y: {type: point, point: [0.7, 2], component: u_y}
    peak: {type: peak_stress, region: upper_top}
)";
}

TEST(Ties, ConstantStressPassesBetweenMeshesThatDoNotMatch) {
  for (const int upper : {2, 5, 8}) {
    const json q = tie_quantities(two_meshes("mortar", upper));
    EXPECT_NEAR(q["corner_x"], -0.3 * 0.01 * 2, 1e-12) << upper;
    EXPECT_NEAR(q["corner_y"], 0.02, 1e-12) << upper;
    EXPECT_NEAR(q["middle_y"], 0.02, 1e-12) << upper;
  }
}

/// Around an axis, which the seam meets: stresses are weighted with the radius, and the node on the axis has no share of them.
TEST(Ties, ConstantStressPassesAroundAnAxis) {
  for (const char* order : {"1", "2"}) {
    const json q = tie_quantities(R"(title: a rod of two meshes
mesh:
  bodies:
    lower: {rectangle: {to: [2, 1], cells: [3, 2]}}
    upper: {rectangle: {from: [0, 1], to: [2, 2], cells: [5, 2]}}
  regions: {axis: [lower_left, upper_left]}
physics: {type: solid, kind: axisymmetric, order: )" + std::string(order) + R"(}
materials: {body: {model: linear_elastic, young: 100, poisson: 0.3}}
boundary: {lower_bottom: {u_y: 0}, axis: {u_x: 0}}
loads: {pull: {type: traction, region: upper_top, y: 1}}
ties: {seam: {type: surfaces, follows: upper_bottom, to: lower_top}}
output:
  fields: none
  quantities:
    corner_x: {type: point, point: [2, 2], component: u_x}
    corner_y: {type: point, point: [2, 2], component: u_y}
    centre_y: {type: point, point: [0, 1.5], component: u_y}
)");
    EXPECT_NEAR(q["corner_x"], -0.3 * 0.01 * 2, 1e-12) << order;
    EXPECT_NEAR(q["corner_y"], 0.02, 1e-12) << order;
    EXPECT_NEAR(q["centre_y"], 0.015, 1e-12) << order;
  }
}

/// Collocation does not pass it: forces reach the nodes of the other side by shape functions, not by means.
TEST(Ties, CollocationIsNotExactForStress) {
  const json q = tie_quantities(two_meshes("collocation", 5));
  const double error = std::abs(double(q["middle_y"]) - 0.02);
  EXPECT_GT(error, 1e-6);
  EXPECT_LT(error, 1e-3);
}

// A tube of two incompressible neo-Hookean layers under pressure, its length kept: p = Σ μ [ln λ − 1/(2 λ²)] over the layers, between the
// hoop stretches at their outer and inner sides (r² − R² is the same everywhere). A pressure that does not jump would give 5 % here.
TEST(Ties, ThePressureJumpsBetweenTiedLayers) {
  const double inside = 0.010, middle = 0.011, outside = 0.012, moved = 0.0015, area = moved * (2 * inside + moved);
  const auto part = [&](double R) {
    const double stretch = std::sqrt(1 + area / (R * R));
    return std::log(stretch) - 0.5 / (stretch * stretch);
  };
  const double p = 3000 * (part(inside) - part(middle)) + 300 * (part(middle) - part(outside));
  const json q = tie_quantities(R"(title: a tube of two layers
mesh:
  bodies:
    inner: {rectangle: {from: [0.010, 0], to: [0.011, 0.001], cells: [6, 1]}}
    outer: {rectangle: {from: [0.011, 0], to: [0.012, 0.001], cells: [4, 1]}}
  regions: {ends: [inner_bottom, inner_top, outer_bottom, outer_top]}
physics: {type: solid, kind: axisymmetric, formulation: mixed}
materials:
  stiff: {region: inner, model: neo_hookean_isochoric, mu: 3000, incompressible: true}
  soft: {region: outer, model: neo_hookean_isochoric, mu: 300, incompressible: true}
boundary: {ends: {u_y: 0}}
loads: {p: {type: pressure, region: inner_left, p: )" + std::to_string(p) + R"(}}
ties: {seam: {type: surfaces, follows: outer_left, to: inner_right}}
time: {steps: 4}
output:
  fields: none
  quantities:
    moved: {type: mean_displacement, region: inner_left, component: x}
)");
  EXPECT_NEAR(q["moved"], moved, 1e-5 * moved);
}

/// A block of two neo-Hookean halves of 2 and 3 cells along the seam, bent.
std::string bent_seam(const std::string& by, const std::string& more) {
  return R"(title: a bent block of two meshes
mesh:
  bodies:
    lower: {rectangle: {to: [2, 1], cells: [2, 2], shape: triangle}}
    upper: {rectangle: {from: [0, 1], to: [2, 2], cells: [3, 1]}}
physics: {type: solid, kind: plane_strain, order: 2}
materials:
  soft: {region: lower, model: neo_hookean, young: 100, poisson: 0.3, density: 1}
  stiff: {region: upper, model: neo_hookean, young: 300, poisson: 0.2, density: 2}
boundary: {lower_bottom: {u_x: 0, u_y: 0}}
loads: {push: {type: traction, region: upper_top, x: 12, y: -3}}
ties: {seam: {type: surfaces, follows: upper_bottom, to: lower_top, by: )" + by + R"(}}
design:
  - {variable: materials.soft.young, scale: log}
  - {variable: materials.stiff.young, scale: log}
  - {variable: loads.push.x}
objective:
  - {type: point, point: [2, 2], component: u_x, target: 0.1}
  - {type: reaction, region: lower_bottom, direction: [0.3, 1], target: 1}
  - {type: stored_energy}
)" + more;
}

// The certificate in time by either constraint, on one to three ranks, and by multigrid.
TEST(Ties, DerivativesAcrossMeshesThatDoNotMatchAreExact) {
  for (const auto& [by, more] : {std::pair("mortar", "time: {scheme: generalised_alpha, rho_infinity: 0.8, end: 0.3, steps: 2}\n"), std::pair("collocation", "time: {scheme: bdf2, end: 0.3, steps: 3}\n")}) {
    SCOPED_TRACE(by);
    const Workplace here;
    here.write("spec.yaml", bent_seam(by, more));
    const Ended end = here.invar({"check", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    const Answer alone = gradient_in(here, 1);
    here.write("spec.yaml", bent_seam(by, std::string(more) + "solver: {linear: cg_two_level, linear_rtol: 1e-12, rtol: 1e-12}\n"));
    const Answer by_multigrid = gradient_in(here, 1);
    EXPECT_NEAR(by_multigrid.objective, alone.objective, 1e-9 * std::abs(alone.objective));
    ASSERT_EQ(by_multigrid.slopes.size(), alone.slopes.size());
    for (std::size_t k = 0; k < alone.slopes.size(); ++k) EXPECT_NEAR(by_multigrid.slopes[k], alone.slopes[k], 1e-7 * std::abs(alone.slopes[k])) << k;
    here.write("spec.yaml", bent_seam(by, more));
    if (!has_mpirun()) continue;
    for (const int ranks : {2, 3}) expect_same_gradient(here, alone, ranks);
  }
}

/// The same in space, for cells of both shapes and orders, on surfaces whose facets overlap in all ways.
TEST(Ties, ConstantStressPassesInSpace) {
  for (const char* lower : {"hexahedron", "tetrahedron"})
    for (const char* upper : {"hexahedron", "tetrahedron"})
      for (const char* order : {"1", "2"}) {
        if (order[0] == '2' && upper[0] == 't') continue;  // their functions have no positive mean
        const json q = tie_quantities(std::string(R"(title: meshes that do not match in space
mesh:
  bodies:
    lower: {box: {to: [1, 1, 1], cells: [2, 2, 1], shape: )") + lower + R"(}}
    upper: {box: {from: [0, 0, 1], to: [1, 1, 2], cells: [3, 3, 1], shape: )" + upper + R"(}}
physics: {type: solid, kind: spatial, order: )" + order + R"(}
materials:
  body: {model: linear_elastic, young: 100, poisson: 0.3}
boundary:
  lower_back: {u_z: 0}
  lower_left: {u_x: 0}
  lower_bottom: {u_y: 0}
loads:
  pull: {type: traction, region: upper_front, z: 1}
ties:
  seam: {type: surfaces, follows: upper_back, to: lower_front}
output:
  fields: none
  quantities:
    corner: {type: point, point: [1, 1, 2], component: u_z}
    side: {type: point, point: [1, 1, 2], component: u_x}
    middle: {type: point, point: [0.4, 0.4, 2], component: u_z}
)");
        EXPECT_NEAR(q["corner"], 0.02, 1e-12) << lower << ' ' << upper << ' ' << order;
        EXPECT_NEAR(q["side"], -0.3 * 0.01, 1e-12) << lower << ' ' << upper << ' ' << order;
        EXPECT_NEAR(q["middle"], 0.02, 1e-12) << lower << ' ' << upper << ' ' << order;
      }
}

}  // namespace
}  // namespace invar::test
