#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "tests/unit/spec/demo_table.hpp"

namespace invar::spec {
namespace {

Value read(const std::string& text, const Table& table) {
  Diagnostics diagnostics;
  const std::optional<Node> root = parse(text, "spec.yaml", diagnostics);
  diagnostics.throw_if_any();
  Value value = validate(*root, table, "/somewhere", diagnostics);
  diagnostics.throw_if_any();
  return value;
}

TEST(ResolvedYaml, SpellsOutEveryDefault) {
  EXPECT_EQ(read("title: a\nmesh: {file: m.msh}\nmaterials: {m: {model: linear, young: 1e9}}",
                 demo_table()).yaml(),
            "title: a\nmesh:\n  file: \"/somewhere/m.msh\"\nmaterials:\n  m:\n    region: all\n"
            "    model: linear\n    young: 1.0e+09\n    poisson: 0.3\nsolver:\n  rtol: 1.0e-08\n"
            "  line_search: true\n");
}

TEST(ResolvedYaml, ResolvesToItself) {
  const std::string once = read(good_spec, demo_table()).yaml();
  EXPECT_EQ(read(once, demo_table()).yaml(), once);
}

TEST(ResolvedYaml, AnyTextSurvives) {
  Table table("t", "");
  table.required("a", text(), "").required("m", map_of(list_of(text())), "");
  for (const std::string& text :
       {std::string("5"), std::string("true"), std::string("No"), std::string("~"),
        std::string("a: b"), std::string("# c"), std::string("- x"), std::string("\"quo\\ted\""),
        std::string("two\nlines\n"), std::string(" blank "), std::string("tab\there"),
        std::string("Größe ∂Ω"), std::string("<<"), std::string("*x")}) {
    Value tree = read("a: x\nm: {k: [x]}", table);
    tree.children[0].scalar_text = text;
    tree.children[1].children[0].key = text;
    tree.children[1].children[0].children[0].scalar_text = text;
    const Value again = read(tree.yaml(), table);
    EXPECT_EQ(again["a"].text(), text);
    EXPECT_EQ(again["m"][text][0].text(), text);
  }
}

// YAML allows them as escapes only; a path would end at a zero byte, and a terminal would obey others.
TEST(ResolvedYaml, ControlCharactersAreRefused) {
  Table table("t", "");
  table.required("a", text(), "");
  for (const char* escape : {"\\0", "\\x1b", "\\x7f", "\\b"})
    try {
      read(std::string("a: \"x") + escape + '"', table);
      ADD_FAILURE() << escape;
    } catch (const SpecError& e) {
      EXPECT_NE(std::string(e.what()).find(":1:4: error: control character"), std::string::npos) << e.what();
    }
}

TEST(ResolvedYaml, EveryNumberSurvives) {
  Table table("t", "");
  table.required("x", number(), "");
  Value tree = read("x: 1", table);
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const double x = std::bit_cast<double>(random());
    if (!(std::abs(x) >= 1e-150 && std::abs(x) <= 1e150)) continue;  // what a spec's numbers may be
    tree.children[0].scalar = x;
    EXPECT_EQ(read(tree.yaml(), table)["x"].number(), x) << tree.yaml();
  }
}

}  // namespace
}  // namespace invar::spec
