#pragma once
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/app/program.hpp"

namespace invar::test {

/// What `invar run` writes as results.json for a spec that it solves.
inline nlohmann::json results_when_solved(const Workplace& here, const std::string& spec) {
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml", "-q"});
  EXPECT_EQ(end.code, 0) << end.said();
  return json_of(here.run_folder() / "results.json");
}

/// Runs `invar check`: every test of the certificate must pass, or say why it cannot tell.
inline void expect_certified(const std::string& spec) {
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

/// A bar of 2 m x 0.5 m in plane stress that is pulled by 0.02 m: strain 0.01, stress 1 Pa.
/// quantities: lines of `output.quantities`, indented by four.
inline std::string pulled_bar(int steps, const std::string& quantities) {
  return R"(title: a bar
mesh: {rectangle: {to: [2, 0.5], cells: [4, 2]}}
physics: {type: solid, kind: plane_stress}
materials:
  steel: {model: linear_elastic, young: 100, poisson: 0.3}
boundary:
  left: {u_x: 0}
  bottom: {u_y: 0}
  right: {u_x: 0.02}
time: {steps: )" + std::to_string(steps) + "}\noutput:\n  fields: none\n  quantities:\n" + quantities;
}

}  // namespace invar::test
