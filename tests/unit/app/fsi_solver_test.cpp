// solver.linear: block_gauss_seidel for fluid-structure interaction in time, through the program.
#include <gtest/gtest.h>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test {
namespace {

/// A soft block in a channel in space, with viscosity.
std::string block_in_time(const std::string& linear, const std::string& time = "time: {scheme: bdf2, end: 0.3, steps: 3}\n", const std::string& physics = "") {
  return R"(title: a soft block in a channel
mesh:
  box: {to: [2.4, 1, 0.6], cells: [3, 2, 1], shape: tetrahedron}
  parts: {block: "x > 0.8 && x < 1.6 && y < 0.5 ? 1 : -1", water: "x > 0.8 && x < 1.6 && y < 0.5 ? -1 : 1"}
physics: {type: fsi, kind: spatial)" + physics + R"(}
materials:
  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}
  gel: {model: neo_hookean, region: block, young: 6000, poisson: 0.4, density: 0.2)" + (time.empty() ? "" : ", shear_viscosity: 0.5") + R"(}
boundary:
  back: {v_z: 0, d_z: 0}
  front: {v_z: 0, d_z: 0}
  left: {v_x: 4*y*(1 - y)*(1 - cos(9*t)), v_y: 0, v_z: 0}
  top: {no_slip: true}
  bottom: {no_slip: true, clamped: true}
loads: {out: {type: pressure, region: right, p: 0.1}, wind: {type: body_force, region: water, y: -0.2}}
)" + time + "solver: {linear: " + linear + R"(, rtol: 1e-12, linear_rtol: 1e-12}
design:
  - {variable: materials.gel.young, scale: log}
  - {variable: materials.oil.viscosity, scale: log}
  - {variable: boundary.left.factor}
  - {variable: loads.wind.y}
objective:
  - {type: point, point: [1.6, 0.5, 0], component: d_x, target: 0.1, weight: 1e4}
  - {type: force, region: block, direction: [1, 0, 0], target: 1}
  - {type: power, region: block}
)";
}

// Stages change the coefficients of the blocks, not who holds them: they are solved on one rank.
TEST(FsiSolver, BlockGaussSeidelFindsWhatFactorsFind) {
  for (const bool stages : {false, true}) {
    SCOPED_TRACE(stages);
    const std::string time = stages ? "time: {scheme: sdirk2, end: 0.2, steps: 2}\n" : "time: {scheme: bdf2, end: 0.3, steps: 3}\n";
    const Workplace here;
    here.write("spec.yaml", block_in_time("mumps", time));
    const Answer direct = gradient_in(here, 1);
    here.write("spec.yaml", block_in_time("block_gauss_seidel", time));
    expect_same_gradient(here, direct, 1);
    if (has_mpirun() && !stages) expect_same_gradient(here, direct, 2);
  }
}

TEST(FsiSolver, DerivativesByBlockGaussSeidelAreExact) {
  const Workplace here;
  here.write("spec.yaml", block_in_time("block_gauss_seidel"));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

/// A solve that does not converge is a failed evaluation with its reason, and no gradient.
TEST(FsiSolver, ASolveThatDoesNotConvergeIsAFailedEvaluation) {
  const Workplace here;
  here.write("spec.yaml", block_in_time("block_gauss_seidel"));
  const Ended end = here.invar({"gradient", "spec.yaml", "--set", "solver.max_cuts=1", "--", "-invar_ksp_max_it", "1"});
  EXPECT_EQ(end.code, 4) << end.said();
  EXPECT_NE(end.said().find("block_gauss_seidel"), std::string::npos) << end.said();
}

TEST(FsiSolver, WhatHasNoSuchBlocksIsRefused) {
  const std::vector<std::string> words{"'block_gauss_seidel' is for fluid-structure interaction in time", "use auto"};
  expect_refused(block_in_time("block_gauss_seidel", ""), words);
  std::string mixed = block_in_time("block_gauss_seidel", "time: {scheme: bdf2, end: 0.3, steps: 3}\n", ", formulation: mixed");
  mixed.replace(mixed.find("poisson: 0.4"), 12, "bulk: 1e4");
  expect_refused(mixed, words);
}

}  // namespace
}  // namespace invar::test
