#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "apps/invar/spec/override.hpp"
#include "tests/unit/spec/demo_table.hpp"

namespace invar::spec {
namespace {

std::string mutated(std::string text, std::mt19937& random) {
  const std::string spice = " \t\n:-[]{},&*!#|>'\"%@`~?<.0e\x01\x04\x7f\x80\xC3\xFF";
  for (int n = 1 + static_cast<int>(random() % 6); n > 0 && !text.empty(); --n) {
    const std::size_t at = random() % text.size();
    switch (random() % 5) {
      case 0: text[at] = static_cast<char>(random()); break;
      case 1: text[at] = spice[random() % spice.size()]; break;
      case 2: text.insert(at, 1, spice[random() % spice.size()]); break;
      case 3: text.erase(at, 1 + random() % 8); break;
      case 4: text.insert(at, text.substr(random() % text.size(), random() % 40)); break;
    }
  }
  return text;
}

/// Every text is either valid, with a valid and stable resolved form, or a SpecError.
TEST(SpecFuzz, OnlySpecErrors) {
  std::mt19937 random(20240229);
  int right = 0, wrong = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = mutated(good_spec, random);
    try {
      Diagnostics diagnostics;
      const std::optional<Node> root = parse(text, "spec.yaml", diagnostics);
      if (!root) diagnostics.throw_if_any();
      ASSERT_TRUE(root) << "no tree and no mistake: " << text;
      const Value spec = validate(*root, demo_table(), "/somewhere", diagnostics);
      diagnostics.throw_if_any();
      const std::string resolved = spec.yaml();
      const Node again = parse(resolved, "resolved.yaml", diagnostics).value();
      ASSERT_EQ(validate(again, demo_table(), "/somewhere", diagnostics).yaml(), resolved) << text;
      ASSERT_TRUE(diagnostics.empty()) << diagnostics.text() << resolved;
      ++right;
    } catch (const SpecError& e) {
      ASSERT_FALSE(e.diagnostics().empty());
      ++wrong;
    }
  }
  EXPECT_GT(right, 50) << "the mutations must leave some specs right";
  EXPECT_GT(wrong, 1000);
}

TEST(SpecFuzz, OverridesNeverCrash) {
  std::mt19937 random(7);
  const Table table = demo_table();
  const std::vector<std::string> seeds = {"solver.rtol=1e-3", "design[0].lower=3",
                                          "cases.pull.boundary.right.u={a: [1, 2]}"};
  int refused = 0;
  for (int i = 0; i < 500; ++i) {
    Diagnostics diagnostics;
    Node root = parse(good_spec, "spec.yaml", diagnostics).value();
    apply_override(root, mutated(seeds[random() % seeds.size()], random), table, diagnostics);
    validate(root, table, "", diagnostics);
    refused += !diagnostics.empty();
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace invar::spec
