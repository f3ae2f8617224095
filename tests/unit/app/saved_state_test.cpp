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

// A saved state is sufficient for backward Euler: two halves give the same result as one run.
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

// Steady flow between plates and bodies in free flight are in the space of every mesh.
TEST(SavedState, OnAnotherMeshItIsInterpolated) {
  const Workplace here;
  const auto flow = [](const std::string& more, const char* cells) { return channel({{"cells: [4, 2]", cells}}) + more; };
  probes(here, flow(timed("backward_euler", 0, 0.1, 1) + "initial: {all: {u_x: \"4*y*(1 - y)\"}}\n", "cells: [4, 2]"), "steady");
  for (const int ranks : {1, 2}) {
    const nlohmann::json rest = probes(here, flow(timed("backward_euler", 0.1, 0.3, 2) + "initial: {from: steady}\n", "cells: [3, 3], shape: triangle"), "rest", ranks);
    EXPECT_NEAR(rest["middle"].get<double>(), 1, 1e-9);
    EXPECT_NEAR(rest["inlet"].get<double>(), 8, 1e-7);
  }
  const auto flight = [](const std::string& more, const char* cells) {
    return "title: a strip\nmesh: {box: {to: [4, 1, 1], " + std::string(cells) +
           "}}\nphysics: {type: solid, kind: spatial}\nmaterials: {rubber: {model: neo_hookean, young: 1, poisson: 0.3, density: 1}}\n"
           "output: {fields: none, probes: {a: {point: [4, 1, 0.3], component: u_x}, b: {point: [0, 0.4, 1], component: u_y}}}\n" + more;
  };
  probes(here, flight(timed("newmark", 0, 0.2, 2) + "initial: {all: {v_x: 1, v_y: -2}}\n", "cells: [3, 1, 1], shape: tetrahedron"), "flight");
  const nlohmann::json on = probes(here, flight(timed("newmark", 0.2, 0.5, 3) + "initial: {from: flight}\n", "cells: [2, 1, 2]"), "on");
  EXPECT_NEAR(on["a"].get<double>(), 0.5, 1e-9);
  EXPECT_NEAR(on["b"].get<double>(), -1, 1e-9);
}

// After a tiny step the gate has the position on the coarse mesh.
TEST(SavedState, WhatWasInterpolatedIsSaid) {
  const Workplace here;
  const std::string watch = "output: {fields: none, probes: {a: {point: [0.9, 0.5], component: d_x}}}\n";
  const double bent = probes(here, gate(timed("bdf2", 0, 0.2, 2) + watch), "ramp")["a"].get<double>();
  double at_once[2];
  for (const int ranks : {1, 2}) {
    at_once[ranks - 1] = probes(here, gate("time: {scheme: backward_euler, start: 0.2, end: 0.2000000001, steps: 1}\ninitial: {from: ramp}\n" + watch,
                                           {{"cells: 4}", "cells: 5}"}, {"{to: 1, cells: 3}]", "{to: 1, cells: 4}]"}}),
                                "on", ranks)["a"].get<double>();
    EXPECT_NEAR(at_once[ranks - 1], bent, 1e-7 * std::abs(bent)) << ranks;
  }
  EXPECT_NEAR(at_once[0], at_once[1], 1e-10 * std::abs(bent));
  const nlohmann::json start = json_of(here.folder() / "on/run.json")["starts"]["case"];
  EXPECT_TRUE(start["interpolated"].get<bool>());
  EXPECT_EQ(start["nodes"], 25 * 13);
  EXPECT_EQ(start["outside"], 0);
  EXPECT_NE(content(here.folder() / "on/log.txt").find("interpolated from the 325 nodes of another mesh"), std::string::npos);
}

// The process is differentiated completely; the initial state is constant data, also on another mesh and with a designed shape: its
// values move with the nodes. Also with a state written on two ranks.
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
                               "  - {type: point, point: [0.9, 0.5], component: d_x, target: 0.1}\n",
                               {{"cells: 6}]", "cells: 5}]"}}));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  probes(here, channel() + timed("bdf2", 0, 0.2, 2) + "initial: {all: {u_x: \"y*(1 - y)*(1 + x)\"}}\n", "inflow");
  here.write("spec.yaml", channel({{"cells: [4, 2]", "cells: [3, 2]"}}) + timed("bdf2", 0.2, 0.4, 2) +
                              "initial: {from: inflow}\n"
                              "design:\n"
                              "  - {kind: ffd, region: top, from: [0.2, 0.8], to: [1.8, 1.2], points: [3, 2], moves: [y], scale: 0.05}\n"
                              "  - {variable: materials.water.viscosity, scale: log}\n"
                              "objective:\n"
                              "  - {type: point, point: [1, 0.5], component: u_x, target: 0.5}\n");
  const Ended shaped = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(shaped.code, 0) << shaped.said();
}

// A design moved the mesh of the run: the nodes are the same, and another mesh lies in the shape that was found.
TEST(SavedState, AfterADesignedShapeNodesAreTheSame) {
  const Workplace here;
  const auto shaped = [](const std::string& more, const char* cells) {
    return channel({{"cells: [4, 2]", cells}}) + more + "design:\n  - {kind: ffd, region: top, from: [0.2, 0.8], to: [1.8, 1.2], points: [3, 2], moves: [y], scale: 0.05, start: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]}\n"
           "objective:\n  - {type: point, point: [1, 0.5], component: u_x, target: 0.5}\noptimizer: {max_iterations: 0}\n";
  };
  const std::string begin = "initial: {all: {u_x: \"y*(1 - y)*(1 + x)\"}}\n";
  const nlohmann::json whole = probes(here, shaped(timed("backward_euler", 0, 0.4, 4) + begin, "cells: [4, 2]"), "whole");
  probes(here, shaped(timed("backward_euler", 0, 0.2, 2) + begin, "cells: [4, 2]"), "half");
  for (const char* cells : {"cells: [4, 2]", "cells: [6, 2]"}) {
    const nlohmann::json rest = probes(here, shaped(timed("backward_euler", 0.2, 0.4, 2) + "initial: {from: half}\n", cells), "rest");
    const bool same = std::string(cells).find('4') != std::string::npos;
    EXPECT_EQ(json_of(here.folder() / "rest/run.json")["starts"]["case"]["interpolated"], !same);
    if (!same) continue;
    for (const auto& [name, value] : whole.items())
      EXPECT_NEAR(rest[name].get<double>(), value.get<double>(), 1e-9 * std::abs(value.get<double>())) << name;
  }
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
  refused(gate(time + "initial: {from: .}\n"), {"spec.yaml:18:17: error: ", "is not the folder of a run that saved its state", "states: all"});
  const GateEdits longer = {{"{to: 2.4, cells: 6}", "{to: 2.5, cells: 6}"}}, coarser = {{"cells: 6}]", "cells: 5}]"}};
  refused(gate(time + "initial: {from: ramp}\n", longer), {"spec.yaml:18:17: error: ", "another mesh, and 13 nodes of this one lie too far outside of where that has 'v_x'",
                                                          "in region 'right", "0.1 m away; allowed are 0.0233 m", "initial.tolerance"});
  refused(gate(time + "initial: {tolerance: 0.1}\n"), {"spec.yaml:18:11: error: ", "'tolerance' is for the state of another run"});
  here.write("spec.yaml", gate(time + "initial: {from: ramp, tolerance: 0.2}\n", longer));
  EXPECT_EQ(here.invar({"validate", "spec.yaml"}).code, 0);
  fs::copy(here.folder() / "ramp", here.folder() / "broken", fs::copy_options::recursive);
  std::string values = content(here.folder() / "ramp/states/case.csv");
  const std::size_t corner = values.find("\n2.4,1,") + 7;
  values.replace(corner, values.find(',', corner) - corner, "nan");
  here.write("broken/states/case.csv", values);
  refused(gate(time + "initial: {from: broken}\n"), {"4 nodes of this one lie too far outside of where that has 'v_x': the worst is at (2.4, 1)"});
  here.write("broken/states/case.csv", content(here.folder() / "ramp/states/case.csv"));
  const fs::path mesh = here.folder() / "broken/states/case.msh";
  here.write("broken/states/case.msh", content(mesh).substr(0, 1000));
  refused(gate(time + "initial: {from: broken}\n", coarser), {"another mesh (it has 325 nodes, and this one 299): ", "case.msh"});
  here.write("broken/states/case.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n1\n1 2 0 1 2 3\n$EndElements\n");
  refused(gate(time + "initial: {from: broken}\n", coarser), {"is not that mesh", "keep the two files"});
  fs::remove(mesh);
  refused(gate(time + "initial: {from: broken}\n", coarser), {"another mesh (it has 325 nodes", "which is needed for the interpolation, is missing"});
  refused(channel() + time + "initial: {from: ramp}\n", {"no column 'u_x'", "allowed: x, y, v_x"});
  refused(gate("time: {scheme: bdf2, end: 0.2, steps: 2, begin_with: equilibrium}\ninitial: {from: ramp}\n"), {"the initial state is an equilibrium"});
  refused(gate("initial: {from: ramp}\n"), {"'initial' is for processes in time"});
  refused(gate(time + "initial: {form: ramp}\n"), {"spec.yaml:18:"});
}

}  // namespace
}  // namespace invar::test
