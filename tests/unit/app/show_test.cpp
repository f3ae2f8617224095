// invar show: the problem as tables and a picture, before anything is solved.
#include <gtest/gtest.h>

#include "tests/unit/app/program.hpp"

namespace invar {
namespace {

using test::Ended, test::Workplace, test::content;

/// A plate of 2 × 1 m with a traction, a formula over its top and gravity.
const std::string plate = R"yaml(title: A plate
mesh: {rectangle: {to: [2, 1], cells: [4, 2]}}
physics: {type: solid, kind: plane_stress}
materials: {steel: {model: linear_elastic, young: 100, poisson: 0.3}}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  pull: {type: traction, region: right, x: 3, y: -1}
  bump: {type: traction, region: top, y: "-6*x*(2 - x)"}
  weight: {type: body_force, y: -5}
objective:
  - {type: point, point: [2, 1], component: u_y, target: 0}
design:
  - {variable: materials.steel.young, lower: 50, upper: 200}
output:
  probes: {tip: {point: [2, 0.5], component: u_x}}
)yaml";

bool says(const std::string& text, const std::string& first, const std::string& then) {
  const std::size_t at = text.find(first);
  return at != std::string::npos && text.substr(at, text.find('\n', at) - at).find(then) != std::string::npos;
}

TEST(Show, TablesHoldMeasuresForcesAndBounds) {
  const Workplace here;
  here.write("spec.yaml", plate);
  const Ended end = here.invar({"show", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_TRUE(says(end.out, "  body ", "2 m^2")) << end.out;
  EXPECT_TRUE(says(end.out, "  left ", "u_x = 0, u_y = 0")) << end.out;
  EXPECT_TRUE(says(end.out, "  left ", "1 m ")) << end.out;
  EXPECT_TRUE(says(end.out, "    pull ", "[3, -1]")) << end.out;      // 1 m long
  EXPECT_TRUE(says(end.out, "    bump ", "[0, -8]")) << end.out;      // ∫ 6 x (2 − x) dx from 0 to 2
  EXPECT_TRUE(says(end.out, "    weight ", "[0, -10]")) << end.out;   // on 2 m²
  EXPECT_TRUE(says(end.out, "probe tip", "at (2, 0.5)")) << end.out;
  EXPECT_TRUE(says(end.out, "  materials.steel.young", "within [50, 200]")) << end.out;
  EXPECT_FALSE(std::filesystem::exists(here.folder() / "results/spec"));  // that of a run
#ifdef INVAR_PICTURES
  const std::string png = content(here.folder() / "results/spec_show/case.png");
  ASSERT_GT(png.size(), 5000u);
  EXPECT_EQ(png.substr(1, 3), "PNG");
#endif
}

TEST(Show, DrawsBodiesInSpaceAndFlows) {
  const Workplace here;
  here.write("spec.yaml", "title: A box\nmesh: {box: {to: [2, 1, 1], cells: [2, 1, 1]}}\nphysics: {type: solid}\n"
                          "materials: {rubber: {model: neo_hookean, young: 10, poisson: 0.3}}\n"
                          "boundary: {left: {u_x: 0, u_y: 0, u_z: 0}}\nloads: {p: {type: pressure, region: right, p: 2}}\n");
  const Ended solid = here.invar({"show", "spec.yaml", "--out", "solid"});
  ASSERT_EQ(solid.code, 0) << solid.said();
  EXPECT_TRUE(says(solid.out, "    p ", "[-2, 0, 0]")) << solid.out;
  EXPECT_TRUE(says(solid.out, "  body ", "2 m^3")) << solid.out;
  here.write("flow.yaml", "title: A channel\nmesh: {rectangle: {to: [2, 1], cells: [4, 2]}}\nphysics: {type: flow, kind: planar}\n"
                          "materials: {water: {model: newtonian, density: 1, viscosity: 1}}\n"
                          "boundary: {left: {u_x: \"y*(1 - y)\", u_y: 0}, top: {no_slip: true}, bottom: {no_slip: true}}\n");
  const Ended flow = here.invar({"show", "flow.yaml", "--out", "flow"});
  ASSERT_EQ(flow.code, 0) << flow.said();
  EXPECT_TRUE(says(flow.out, "  left ", "u_x = y*(1 - y)")) << flow.out;
#ifdef INVAR_PICTURES
  for (const char* folder : {"solid", "flow"}) EXPECT_GT(content(here.folder() / folder / "case.png").size(), 5000u) << folder;
#endif
}

TEST(Show, MistakesAreThoseOfValidate) {
  const Workplace here;
  std::string wrong = plate;
  wrong.replace(wrong.find("young: 100"), 10, "yung: 100");
  here.write("spec.yaml", wrong);
  const Ended shown = here.invar({"show", "spec.yaml"}), validated = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(shown.code, 3);
  EXPECT_EQ(shown.err, validated.err);
  EXPECT_NE(shown.err.find("spec.yaml:4:"), std::string::npos) << shown.err;
}

}  // namespace
}  // namespace invar
