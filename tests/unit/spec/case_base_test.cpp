#include "apps/invar/spec/case_base.hpp"

#include <gtest/gtest.h>

#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/spec/validate.hpp"

namespace invar::spec {
namespace {

struct Written {
  std::string message;  // every mistake
  Value spec;
};

Written written(const std::string& cases, const std::vector<std::string>& sets = {}) {
  const std::string text = "title: t\nmesh: {rectangle: {to: [1, 1], cells: [2, 2]}}\ncases:\n" + cases;
  Diagnostics diagnostics;
  Node root = parse(text, "spec.yaml", diagnostics).value();
  Value spec = read_spec(std::move(root), "spec.yaml", sets, spec_table(), diagnostics);
  return {diagnostics.empty() ? "" : diagnostics.text(), std::move(spec)};
}

const std::string variants = "  coarse: {time: {steps: 2}}\n"
                             "  fine: {base: coarse, mesh.rectangle.cells: [4, 4]}\n"
                             "  finest: {base: fine, mesh.rectangle.cells: [8, 8], time.steps: 3}\n";

double cells(const Value& spec, const std::string& name) { return spec["cases"][name]["mesh"]["rectangle"]["cells"][0].number(); }

TEST(CaseBase, SectionsComeFromTheBaseAndSingleKeysAreOwn) {
  const Written w = written(variants);
  EXPECT_EQ(w.message, "");
  EXPECT_FALSE(w.spec["cases"]["coarse"].has("mesh"));
  EXPECT_EQ(cells(w.spec, "fine"), 4);
  EXPECT_EQ(cells(w.spec, "finest"), 8);
  EXPECT_EQ(w.spec["cases"]["finest"]["mesh"]["rectangle"]["to"][0].number(), 1);
  EXPECT_EQ(w.spec["cases"]["fine"]["time"]["steps"].number(), 2);
  EXPECT_EQ(w.spec["cases"]["finest"]["time"]["steps"].number(), 3);
  EXPECT_FALSE(w.spec["cases"]["fine"].has("base"));
}

TEST(CaseBase, ResolvedSpecReadsBackAsItself) {
  const std::string once = written(variants).spec.yaml();
  Diagnostics diagnostics;
  const Value again = read_spec(parse(once, "resolved.yaml", diagnostics).value(), "resolved.yaml", std::vector<std::string>(), spec_table(), diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(again.yaml(), once);
}

TEST(CaseBase, SetReachesTheCasesBuiltUponWhatItSets) {
  EXPECT_EQ(written(variants, {"cases.coarse.time.steps=5"}).spec["cases"]["fine"]["time"]["steps"].number(), 5);
  EXPECT_EQ(written(variants, {"mesh.rectangle.to=[3, 1]"}).spec["cases"]["finest"]["mesh"]["rectangle"]["to"][0].number(), 3);
  EXPECT_EQ(cells(written(variants, {"cases.fine.mesh.rectangle.cells=[5, 5]"}).spec, "fine"), 5);
}

TEST(CaseBase, MistakesPointAtTheOverridesOwnLine) {
  EXPECT_TRUE(written("  a: {time: {steps: 2}}\n  b: {base: c}\n").message.starts_with("spec.yaml:5:13: error: there is no case 'c'"));
  EXPECT_NE(written("  a: {base: b}\n  b: {base: a}\n").message.find("is its own base"), std::string::npos);
  EXPECT_NE(written("  a: {base: a}\n").message.find("is its own base"), std::string::npos);
  EXPECT_TRUE(written("  a: {time: {steps: 2}}\n  b:\n    base: a\n    mesh.rectangle.cels: [1, 1]\n").message.starts_with("spec.yaml:7:5: error: unknown key 'cels'"));
  EXPECT_TRUE(written("  a:\n    time.steps: -1\n").message.starts_with("spec.yaml:5:17: error: value -1 is out of range"));
  EXPECT_TRUE(written("  a:\n    tim.steps: 1\n").message.starts_with("spec.yaml:5:5: error: 'cases.a' has no 'tim'; did you mean 'time'?"));
}

}  // namespace
}  // namespace invar::spec
