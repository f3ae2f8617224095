// Fluid-structure interaction as a user has it: derivatives by constants of both parts and by the inflow, the same on several ranks.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A channel with a soft wall between two pieces of its bottom, bent by the flow that passes over it.
std::string gate(const std::string& more) {
  return "title: a soft gate in a channel\n"
         "mesh:\n"
         "  grid:\n"
         "    columns: [{to: 0.8, cells: 4}, {to: 1, cells: 2}, {to: 2.4, cells: 6}]\n"
         "    rows: [{to: 0.5, cells: 3}, {to: 1, cells: 3}]\n"
         "    shape: triangle\n"
         "  parts: {gate: \"x > 0.8 && x < 1 && y < 0.5 ? 1 : -1\", water: \"x > 0.8 && x < 1 && y < 0.5 ? -1 : 1\"}\n"
         "physics: {type: fsi}\n"
         "materials:\n"
         "  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}\n"
         "  gel: {model: neo_hookean, region: gate, young: 200, poisson: 0.4, density: 2}\n"
         "boundary:\n"
         "  left: {v_x: \"4*y*(1 - y)\", v_y: 0}\n"
         "  right: {v_y: 0}\n"
         "  top: {no_slip: true}\n"
         "  bottom: {no_slip: true, clamped: true}\n" + more;
}

const char* const designed_numbers =
    "design:\n"
    "  - {variable: materials.gel.young, scale: log}\n"
    "  - {variable: materials.gel.poisson, upper: 0.45}\n"
    "  - {variable: materials.oil.viscosity, scale: log}\n"
    "  - {variable: boundary.left.factor}\n";
const char* const goals =
    "objective:\n"
    "  - {type: point, point: [0.9, 0.5], component: d_x, target: 0.1}\n"
    "  - {type: force, region: gate, direction: [1, 0], target: 1}\n";

// The whole certificate: Taylor orders, adjoint against tangent, differences of solved problems and the Hessian.
TEST(FsiRun, DerivativesByNumbersAndShapeAreExact) {
  const Workplace here;
  here.write("spec.yaml", gate("") + designed_numbers +
                              "  - {kind: ffd, region: top, from: [-0.1, 0.6], to: [2.5, 1.1], points: [3, 2], moves: [y], largest: 0.1}\n" + goals);
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(FsiRun, DerivativesInTimeAreExact) {
  const Workplace here;
  here.write("spec.yaml", gate("time: {scheme: bdf2, end: 0.3, steps: 3}\n") + designed_numbers + goals);
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(FsiRun, RanksAgree) {
  const Workplace here;
  here.write("spec.yaml", gate("") + designed_numbers + goals);
  const auto on_ranks = [&](int ranks) {
    const Ended end = here.invar({"gradient", "spec.yaml", "--out", std::to_string(ranks)}, ranks);
    EXPECT_EQ(end.code, 0) << end.said();
    return json_of(here.folder() / std::to_string(ranks) / "gradient.json");
  };
  const nlohmann::json one = on_ranks(1), two = on_ranks(2);
  const double J = one["objective"];
  EXPECT_NEAR(two["objective"].get<double>(), J, 1e-10 * std::abs(J)) << two.dump(1);
}

}  // namespace
}  // namespace invar::test
