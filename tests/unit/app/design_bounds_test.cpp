#include <gtest/gtest.h>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test {
namespace {

/// Fitted value of the variable, which the data pull out of its range.
double fitted_at_bound(const std::string& spec, const std::string& variable, const std::string& markers = beam_markers) {
  const Workplace here;
  here.write("spec.yaml", spec);
  here.write("markers.csv", markers);
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_TRUE(end.code == 0 || end.code == 5) << end.said();
  const nlohmann::json fit = json_of(here.run_folder() / "results.json")["fit"];
  return fit.contains(variable) ? fit[variable]["value"].get<double>() : NAN;
}

std::string pushed_channel(const std::string& fluid, const std::string& top, const std::string& design) {
  return channel({{"{model: newtonian, density: 2, viscosity: 0.5}", fluid},
                  {"  left: {u_x: \"4*y*(1 - y)\", u_y: 0}\n", ""},
                  {"  top: {no_slip: true}\n", top},
                  {"loads:\n", "loads:\n  in: {type: pressure, region: left, p: 1}\n"}}) +
         "design:\n  - " + design + "\nobjective:\n  - {type: flow_rate, region: right, target: 100}\n";
}

/// The target flow rate is larger than that without friction: Navier's slip would need negative friction.
TEST(DesignBounds, OfAModelHoldWithoutBeingGiven) {
  EXPECT_EQ(fitted_at_bound(channel({{"  left: {u_x: \"4*y*(1 - y)\", u_y: 0}\n", ""},
                            {"  top: {no_slip: true}\n", ""},
                            {"loads:\n", "loads:\n  in: {type: pressure, region: left, p: 1}\n"
                                         "  wall: {type: slip, region: top, penalty: 1e6, friction: 1}\n"}}) +
                       "design:\n  - {variable: loads.wall.friction}\n"
                       "objective:\n  - {type: flow_rate, region: right, target: 1}\n",
                   "loads.wall.friction"),
            0);
  // An open bound is not attained: the exponent of a thinning fluid stays above zero.
  const double exponent = fitted_at_bound(
      pushed_channel("{model: carreau, density: 2, viscosity_zero: 1, viscosity_inf: 0.01, relaxation_time: 5, exponent: 0.6}",
                     "  top: {no_slip: true}\n", "{variable: materials.water.exponent}"),
      "materials.water.exponent");
  EXPECT_GT(exponent, 0);
  EXPECT_LT(exponent, 0.01);
  // Nor Poisson's ratio one half: the body would have to grow where it is pulled.
  const double poisson = fitted_at_bound(beam({{"materials.rubber.young, start: 80, lower: 10, upper: 1000", "materials.rubber.poisson"},
                                      {"y: 0.1}", "x: 5}"}}),
                                "materials.rubber.poisson", "x,y,u_y\n1,0.25,-1\n");
  EXPECT_GT(poisson, 0.49);
  EXPECT_LT(poisson, 0.5);
}

/// The same of numbers that one case has for itself.
TEST(DesignBounds, HoldInCases) {
  const std::string spec = channel({{"  left: {u_x: \"4*y*(1 - y)\", u_y: 0}\n", ""},
                                    {"  top: {no_slip: true}\n", ""},
                                    {"loads:\n  out: {type: pressure, region: right, p: 0}\n",
                                     "cases:\n  a:\n    loads:\n      in: {type: pressure, region: left, p: 1}\n"
                                     "      out: {type: pressure, region: right, p: 0}\n"
                                     "      wall: {type: slip, region: top, penalty: 1e6, friction: 1}\n"},
                                    {"  probes:\n    middle: {point: [1, 0.5], component: u_x}\n    inlet: {point: [0, 0.5], component: p}\n", ""}}) +
                           "design:\n  - {variable: cases.a.loads.wall.friction}\n"
                           "objective:\n  - {type: flow_rate, region: right, target: 1}\n";
  EXPECT_EQ(fitted_at_bound(spec, "cases.a.loads.wall.friction"), 0);
}

TEST(DesignBounds, GivenOnesStayWithinTheModels) {
  const std::string young = "materials.rubber.young, start: 80, lower: 10, upper: 1000";
  const auto refuse = [&](const std::string& entry, const std::vector<std::string>& words) { expect_refused(beam({{young, entry}}), words); };
  refuse("materials.rubber.young, lower: -5", {"spec.yaml:11:47: error: the bound -5 is outside the admissible range of the model: a number > 0"});
  refuse("materials.rubber.poisson, upper: 0.7", {"spec.yaml:11:49: error: the bound 0.7 is outside the admissible range of the model"});
  refuse("materials.rubber.young, start: -5", {"spec.yaml:11:47: error: the start -5 is outside the admissible range of the model: a number > 0"});
  expect_refused(beam({{"{variable: " + young + "}", "{kind: field, variable: materials.rubber.young, radius: 0.5, lower: -1}"}}),
                 {"spec.yaml:11:73: error: the bound -1 is outside the admissible range of the model: a number > 0"});
  // The bound that the model just does not admit means the model's, and infinity none.
  EXPECT_GT(fitted_at_bound(beam({{young, "materials.rubber.young, lower: 0, upper: .inf"}}), "materials.rubber.young"), 0);
}

/// Bounds of coefficients bound a spline, not a Fourier sum.
TEST(DesignBounds, OfSignals) {
  const auto in_time = [](const std::string& basis) {
    return beam({{"poisson: 0.3}", "poisson: 0.3, density: 1}"},
                 {"  tip: {type: traction, region: right, y: 0.1}\n",
                  "  tip: {type: traction, region: right, y: 0.1}\n  bed: {type: foundation, region: bottom, y: 1}\n"},
                 {"design:\n", "time: {scheme: newmark, end: 1, steps: 4}\ndesign:\n"},
                 {"{variable: materials.rubber.young, start: 80, lower: 10, upper: 1000}",
                  "{kind: signal, variable: loads.bed.y, basis: " + basis + ", functions: 3}"}});
  };
  expect_refused(in_time("fourier"), {"the model has bounds for 'loads.bed.y', which bounds of Fourier coefficients cannot enforce",
                                      "use constant, linear or cubic"});
  const Workplace here;
  here.write("spec.yaml", in_time("linear"));
  here.write("markers.csv", "x,y,u_y\n1,0.25,5\n");  // farther than the load lifts the body without its bed
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_TRUE(end.code == 0 || end.code == 5) << end.said();
  const nlohmann::json fit = json_of(here.run_folder() / "results.json")["fit"];
  double least = 1;
  for (const auto& [name, of] : fit.items()) least = std::min(least, of["value"].get<double>());
  EXPECT_EQ(least, 0) << fit;
}

}  // namespace
}  // namespace invar::test
