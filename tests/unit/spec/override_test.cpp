#include "apps/invar/spec/override.hpp"

#include <gtest/gtest.h>

#include "tests/unit/spec/demo_table.hpp"

namespace invar::spec {
namespace {

struct Outcome {
  std::string message;  // first line
  Value spec;
};

Outcome with(const std::vector<std::string>& sets) {
  Diagnostics diagnostics;
  Node root = parse(good_spec, "spec.yaml", diagnostics).value();
  for (const std::string& set : sets) apply_override(root, set, demo_table(), diagnostics);
  Value spec = validate(root, demo_table(), "", diagnostics);
  const std::string all = diagnostics.empty() ? "" : diagnostics.text();
  return {all.substr(0, all.find('\n')), std::move(spec)};
}

TEST(Override, ReplacesAndAddsValues) {
  EXPECT_EQ(with({"materials.rubber.c1=3"}).spec["materials"]["rubber"]["c1"].number(), 3);
  EXPECT_EQ(with({"materials.rubber.c2=4"}).spec["materials"]["rubber"]["c2"].number(), 4);
  EXPECT_EQ(with({"mesh.box.size=[4, 5, 6]"}).spec["mesh"]["box"]["size"][1].number(), 5);
  EXPECT_EQ(with({"mesh.box.size.1=7"}).spec["mesh"]["box"]["size"][1].number(), 7);
  EXPECT_EQ(with({"mesh.box.size[1]=7"}).spec["mesh"]["box"]["size"][1].number(), 7);
  EXPECT_EQ(with({"cases.pull.boundary.right.u=2*x=1"})
                .spec["cases"]["pull"]["boundary"]["right"]["u"].text(), "2*x=1");
  EXPECT_EQ(with({"design.2={name: k}"}).spec["design"][2]["name"].text(), "k");
  EXPECT_EQ(with({"boundary.top={u: 1}"}).spec["boundary"]["top"]["u"].number(), 1);
  const Outcome later = with({"solver.rtol=1e-3", "solver.rtol=1e-4"});
  EXPECT_EQ(later.message, "");
  EXPECT_EQ(later.spec["solver"]["rtol"].number(), 1e-4) << "solver was absent; the last counts";
}

TEST(Override, NullLeavesAKeyOut) {
  const Outcome out = with({"materials.rubber.c2=4", "materials.rubber.c2=null"});
  EXPECT_EQ(out.message, "");
  EXPECT_FALSE(out.spec["materials"]["rubber"].has("c2") && out.spec["materials"]["rubber"]["c2"].number() == 4);
  EXPECT_NE(with({"materials.rubber.c1=null"}).message.find("c1"), std::string::npos) << "it is required";
}

TEST(Override, MistakesNameTheArgument) {
  EXPECT_EQ(with({"solvr.rtol=1"}).message,
            "--set solvr.rtol: error: the spec has no 'solvr'; did you mean 'solver'?");
  EXPECT_EQ(with({"materials.rubbr.c1=1"}).message,
            "--set materials.rubbr.c1: error: 'materials' has no 'rubbr'; did you mean 'rubber'?");
  EXPECT_EQ(with({"solver.rtoll=1"}).message,
            "--set solver.rtoll: error: unknown key 'rtoll'; did you mean 'rtol'?");
  EXPECT_EQ(with({"solver.rtol=small"}).message,
            "--set solver.rtol: error: expected a number, got 'small'");
  EXPECT_EQ(with({"solver.rtol="}).message, "--set solver.rtol: error: 'rtol' has no value");
  EXPECT_EQ(with({"design.7.name=x"}).message,
            "--set design.7.name: error: 'design' is a list, it has no '7'");
  EXPECT_EQ(with({"design.first.name=x"}).message,
            "--set design.first.name: error: 'design' is a list, it has no 'first'");
  EXPECT_EQ(with({"title.x=1"}).message,
            "--set title.x: error: 'title' is a single value, it has no 'x'");
  EXPECT_EQ(with({"title"}).message, "--set title: error: no value given");
  EXPECT_EQ(with({"=3"}).message, "--set : error: no value given");
  EXPECT_EQ(with({"solver..rtol=1"}).message,
            "--set solver..rtol: error: 'solver..rtol' is not a path");
  EXPECT_EQ(with({"mesh.box.size=[1, 2"}).message,
            "--set mesh.box.size: error: malformed YAML: this '[' is never closed");
}

}  // namespace
}  // namespace invar::spec
