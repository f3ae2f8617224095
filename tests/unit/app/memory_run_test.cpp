// Materials with history variables, from the spec: plastic flow, Maxwell elements, and messages on mistakes.
#include <gtest/gtest.h>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

constexpr const char* bar = R"spec(title: a bar beyond its yield stress and back
mesh: {box: {to: [1, 1, 1], cells: [1, 1, 1], shape: hexahedron}}
physics: {type: solid, kind: spatial, order: 1}
materials:
  steel: {model: linear_elastic, young: 200, poisson: 0.3, plasticity: {yield_stress: 1, hardening: 20}}
boundary:
  left: {u_x: 0}
  bottom: {u_y: 0}
  back: {u_z: 0}
loads:
  pull: {type: traction, region: right, x: "t < 1 ? 1.5*t : 1.5 - 1.2*(t - 1)"}
time: {scheme: backward_euler, inertia: false, end: 2, steps: 8}
output:
  quantities:
    last: {type: point, point: [1, 0, 0], component: u_x}
)spec";

// In tension σ = σ_0 + H α and ε = σ/E + α; on the way back it is elastic.
TEST(MemoryRuns, ABarYieldsAndUnloads) {
  const Workplace here;
  here.write("bar.yaml", bar);
  const Ended end = here.invar({"run", "bar.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  const nlohmann::json results = json_of(here.folder() / "results/bar/results.json");
  EXPECT_NEAR(results["quantities"]["last"].get<double>(), (1.5 - 1) / 20 + 0.3 / 200, 1e-9);
}

// Drawn to one and a half times its length: ln 1.5 = τ/E + α with τ = σ_0 + H α, and the force is τ over the stretch.
TEST(MemoryRuns, ABarIsDrawnFarBeyondItsYieldStress) {
  std::string text = bar;
  for (const auto& [from, to] : {std::pair{"linear_elastic", "hencky"}, {"  back: {u_z: 0}", "  back: {u_z: 0}\n  right: {u_x: t/4}"},
                                 {"loads:\n  pull: {type: traction, region: right, x: \"t < 1 ? 1.5*t : 1.5 - 1.2*(t - 1)\"}\n", ""},
                                 {"last: {type: point, point: [1, 0, 0], component: u_x}", "force: {type: reaction, region: right, direction: [1, 0, 0]}"}})
    text.replace(text.find(from), std::string(from).size(), to);
  const Workplace here;
  here.write("bar.yaml", text);
  const Ended end = here.invar({"run", "bar.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  const double alpha = (std::log(1.5) - 1.0 / 200) / (1 + 20.0 / 200), tau = 1 + 20 * alpha;
  EXPECT_NEAR(json_of(here.folder() / "results/bar/results.json")["quantities"]["force"].get<double>(), tau / 1.5, 1e-8);
}

std::string in_time(const std::string& law, const std::string& kind, const std::string& scheme) {
  return beam({{"{model: neo_hookean, young: 100, poisson: 0.3}", law},
               {"kind: plane_strain", "kind: " + kind},
               {"design:", "time: {scheme: " + scheme + ", end: 1, steps: 2}\ndesign:"}});
}

TEST(MemoryRuns, MistakesAreSaid) {
  const std::string relaxing = "{model: neo_hookean, young: 100, poisson: 0.3, density: 1, relaxation: {a: {shear: 10, time: 1}}}";
  const std::vector<std::pair<std::string, std::vector<std::string>>> refused{
      {in_time(relaxing, "plane_stress", "bdf2"), {"spec.yaml:5:", "'relaxation' is not available in plane stress"}},
      {in_time(relaxing, "plane_strain", "midpoint"), {"'midpoint' satisfies the equations within a step", "use bdf2, backward_euler or newmark"}},
      {in_time("{model: neo_hookean, young: 100, poisson: 0.3, density: 1, relaxation: {a: {shear: 10}}}", "plane_strain", "bdf2"),
       {"missing key 'time'"}},
      {in_time("{model: neo_hookean, young: 100, poisson: 0.3, density: 1, plasticity: {yield_stress: 1}}", "plane_strain", "bdf2"),
       {"spec.yaml:5:", "'plasticity'", "linear_elastic"}},
      {in_time("{model: linear_elastic, young: 100, poisson: 0.3, density: 1, plasticity: {yield_stress: -1}}", "plane_strain", "bdf2"),
       {"expected a number > 0"}},
      {in_time("{model: hencky, young: 100, poisson: 0.3, density: 1, plasticity: {yield_stress: 1, kinematic_hardening: 2}}", "plane_strain", "bdf2"),
       {"spec.yaml:5:", "'kinematic_hardening'"}},
      {beam({{"{model: neo_hookean, young: 100, poisson: 0.3}",
              "{model: linear_elastic, young: 100, poisson: 0.3, plasticity: {yield_stress: 1}}"},
             {"design:", "cases:\n  slow: {time: {scheme: backward_euler, inertia: false, end: 1, steps: 2}}\n  rest: {}\ndesign:"},
             {"{type: markers, file: markers.csv}", "{type: markers, file: markers.csv, case: rest}"}}),
       {"the case 'rest' is not a process in time", "'inertia: false'"}},
      {beam({{"poisson: 0.3}", "poisson: 0.3, relaxation: {a: {shear: 10, time: 1}}}"}}), {"'relaxation' is for processes in time"}},
  };
  for (const auto& [spec, words] : refused) {
    const Workplace here;
    here.write("spec.yaml", spec);
    here.write("markers.csv", beam_markers);
    const Ended end = here.invar({"validate", "spec.yaml"});
    SCOPED_TRACE(end.said());
    EXPECT_EQ(end.code, 3);
    for (const std::string& word : words) EXPECT_NE(end.err.find(word), std::string::npos) << "no '" << word << "'";
  }
}

}  // namespace
}  // namespace invar::test
