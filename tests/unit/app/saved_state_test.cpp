// A process that begins where another run ended.
#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/interrupted.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/soft_gate.hpp"
#include "tests/unit/app/swing.hpp"

namespace invar::test {
namespace {

std::string timed(const char* scheme, double start, double end, int steps) {
  return "time: {scheme: " + std::string(scheme) + ", start: " + std::to_string(start) + ", end: " + std::to_string(end) + ", steps: " + std::to_string(steps) + "}\n";
}

/// A spec by its section `time`, the rest of its text and the point that is watched.
struct Kind {
  const char* name;
  std::function<std::string(const std::string& more)> spec;
};

std::vector<Kind> kinds() {
  return {{"solid",
           [](const std::string& more) {
             return "title: a strip\nmesh: {rectangle: {to: [4, 1], cells: [4, 1]}}\nphysics: {type: solid, kind: plane_strain}\n"
                    "materials: {rubber: {model: neo_hookean, young: 1, poisson: 0.3, density: 1}}\n"
                    "boundary: {left: {u_x: 0, u_y: 0}}\nloads: {pull: {type: traction, region: right, y: 0.001}}\n"
                    "output: {fields: none, probes: {a: {point: [4, 1], component: u_y}, b: {point: [2, 1], component: u_x}}}\n" + more;
           }},
          {"flow", [](const std::string& more) { return channel() + "initial: {all: {u_x: \"y*(1 - y)*(1 + x)\"}}\n" + more; }},
          {"fsi", [](const std::string& more) {
             return gate("output: {fields: none, probes: {a: {point: [0.9, 0.5], component: d_x}, b: {point: [1.6, 0.5], component: v_x}}}\n" + more);
           }}};
}

std::string beginning_from(std::string spec, const std::string& run) {
  if (const std::size_t at = spec.find("initial: "); at != std::string::npos) spec.erase(at, spec.find('\n', at) - at + 1);
  return spec + "initial: {from: " + run + "}\n";
}

nlohmann::json probes(const Workplace& here, const std::string& spec, const std::string& out, int ranks = 1) {
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml", "-q", "--out", out}, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  return json_of(here.folder() / out / "results.json")["probes"];
}

// Backward Euler needs of the past what a state holds: two halves are the whole.
TEST(SavedState, GoesOnWhereTheRunEnded) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const Workplace here;
    const char* const scheme = "backward_euler";
    const nlohmann::json whole = probes(here, kind.spec(timed(scheme, 0, 0.4, 4)), "whole");
    probes(here, kind.spec(timed(scheme, 0, 0.2, 2)), "half");
    for (const int ranks : {1, 2}) {
      const nlohmann::json rest = probes(here, beginning_from(kind.spec(timed(scheme, 0.2, 0.4, 2)), "half"), "rest", ranks);
      for (const auto& [name, value] : whole.items())
        EXPECT_NEAR(rest[name].get<double>(), value.get<double>(), 1e-9 * std::abs(value.get<double>())) << name << " on " << ranks;
    }
  }
}

// What follows is differentiated in full; the state itself is data. On the same state as written on two ranks.
TEST(SavedState, DerivativesOfWhatFollowsAreExact) {
  const Workplace here;
  probes(here, gate(timed("bdf2", 0, 0.3, 3)), "ramp", 2);
  here.write("spec.yaml", gate(timed("bdf2", 0.3, 0.6, 3) +
                               "initial: {from: ramp}\n"
                               "design:\n"
                               "  - {variable: materials.gel.young, scale: log}\n"
                               "  - {variable: materials.oil.viscosity, scale: log}\n"
                               "  - {variable: boundary.left.factor}\n"
                               "objective:\n"
                               "  - {type: point, point: [0.9, 0.5], component: d_x, target: 0.1}\n"));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(SavedState, ResumedRunsEndWithTheSameDigits) {
  const Workplace here;
  const std::string spec = swing_spec(10, 3, "initial: {from: before}\n");
  here.write("spec.yaml", swing_spec(6, 0));
  here.invar({"run", "spec.yaml", "--out", "before"});
  here.write("spec.yaml", spec);
  EXPECT_EQ(here.invar({"run", "spec.yaml", "--out", "whole", "--set", "optimizer.max_iterations=6"}).code % 5, 0);
  EXPECT_EQ(here.invar({"run", "spec.yaml", "--out", "broken"}).code % 5, 0);
  const Ended end = here.invar({"resume", "broken", "--set", "optimizer.max_iterations=6"});
  EXPECT_EQ(end.code % 5, 0) << end.said();
  expect_same(here.folder() / "whole", here.folder() / "broken");
}

TEST(SavedState, WhatDoesNotFitIsNamed) {
  const Workplace here;
  probes(here, gate(timed("bdf2", 0, 0.2, 2)), "ramp");
  const auto refused = [&](const std::string& spec, const std::vector<std::string>& words) {
    here.write("spec.yaml", spec);
    const Ended end = here.invar({"validate", "spec.yaml"});
    SCOPED_TRACE(end.said());
    EXPECT_EQ(end.code, 3);
    for (const std::string& word : words) EXPECT_NE(end.err.find(word), std::string::npos) << "no '" << word << "'";
  };
  const std::string time = timed("bdf2", 0.2, 0.4, 2);
  refused(gate(time + "initial: {from: nothing}\n"), {"spec.yaml:18:17: error: ", "no such file or folder"});
  refused(gate(time + "initial: {from: .}\n"), {"spec.yaml:18:17: error: ", "is not the folder of a run that kept its state", "states: all"});
  refused(gate(time + "initial: {from: ramp}\n", {{"cells: 6}]", "cells: 5}]"}}), {"spec.yaml:18:17", "is the state of another mesh: it has", "on the same mesh"});
  refused(gate(time + "initial: {from: ramp}\n", {{"{to: 2.4, cells: 6}", "{to: 2.5, cells: 6}"}}), {"is the state of another mesh", "of its nodes lie elsewhere"});
  refused(channel() + time + "initial: {from: ramp}\n", {"no column 'u_x'", "allowed: x, y, v_x"});
  refused(gate("time: {scheme: bdf2, end: 0.2, steps: 2, begin_with: equilibrium}\ninitial: {from: ramp}\n"), {"the state at the start is an equilibrium"});
  refused(gate("initial: {from: ramp}\n"), {"'initial' is for processes in time"});
  refused(gate(time + "initial: {form: ramp}\n"), {"spec.yaml:18:"});
}

}  // namespace
}  // namespace invar::test
