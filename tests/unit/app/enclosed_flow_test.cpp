#include <gtest/gtest.h>

#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

std::string enclosed_cavity(const std::string& physics, const std::string& more) {
  return "title: a cavity\nmesh: {rectangle: {to: [1, 1], cells: [3, 3]}}\nphysics: {type: flow, kind: planar" + physics +
         "}\nmaterials:\n  water: {model: newtonian, density: 1, viscosity: 0.1}\nboundary:\n"
         "  left: {no_slip: true}\n  right: {no_slip: true}\n  bottom: {no_slip: true}\n  top: {u_x: 1, u_y: 0}\n" + more;
}

/// `validate` finds it, with the place and what to add; nothing is solved.
void expect_enclosed(const std::string& spec, const std::string& place, int ranks = 1) {
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"validate", "spec.yaml"}, ranks);
  SCOPED_TRACE(end.said());
  EXPECT_EQ(end.code, 3);
  EXPECT_NE(end.err.find(place + ": error: the flow of case 'case' is enclosed"), std::string::npos);
  EXPECT_NE(end.err.find("add 'boundary: {POINT: {p: 0}}' with one of the mesh's points: left_bottom"), std::string::npos);
}

void expect_level_solved(const std::string& spec) {
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml", "-q"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(EnclosedFlow, NeedsAPressureLevel) {
  for (const char* physics : {"", ", equations: stokes", ", elements: equal_order", ", viscous_term: stress"})
    expect_enclosed(enclosed_cavity(physics, ""), "spec.yaml:6:1");
  expect_enclosed(enclosed_cavity("", ""), "spec.yaml:6:1", 2);
  expect_enclosed(enclosed_cavity("", "time: {scheme: bdf2, end: 1, steps: 2}\n"), "spec.yaml:6:1");
  std::string thinning = enclosed_cavity("", "");
  thinning.replace(thinning.find("newtonian, density: 1, viscosity: 0.1"), 37, "power_law, density: 1, consistency: 1, exponent: 0.5, rate_floor: 0.01");
  expect_enclosed(thinning, "spec.yaml:6:1");
  // What flows in and out may be prescribed as well.
  expect_enclosed(channel({{"loads:\n  out: {type: pressure, region: right, p: 0}\n", "  right: {u_x: \"4*y*(1 - y)\", u_y: 0}\n"}}), "spec.yaml:6:1");
}

TEST(EnclosedFlow, WithALevelOrAnOpeningIsSolved) {
  expect_level_solved(enclosed_cavity("", "  left_bottom: {p: 0}\n"));
  // A wall that lets the fluid slip, a boundary that nothing is said of, and one of which only a part is prescribed.
  std::string symmetric = enclosed_cavity("", "");
  symmetric.replace(symmetric.find("  right: {no_slip: true}\n"), 25, "  right: {u_y: 0}\n");
  expect_level_solved(symmetric);
  std::string unsaid = enclosed_cavity("", "");
  unsaid.erase(unsaid.find("  right: {no_slip: true}\n"), 25);
  expect_level_solved(unsaid);
}

}  // namespace
}  // namespace invar::test
