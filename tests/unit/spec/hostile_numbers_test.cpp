#include <gtest/gtest.h>

#include <set>

#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/spec/validate.hpp"

namespace invar::spec {
namespace {

/// Every type of the spec that takes a number, with its path; tables of alternatives are entered.
void collect_numbers(const Table& table, const std::string& path, std::vector<std::pair<std::string, Type>>& out);

bool takes_number(const Type& type) {
  if (type.kind == Type::Kind::either) return std::any_of(type.inner.begin(), type.inner.end(), takes_number);
  return type.kind == Type::Kind::number || type.kind == Type::Kind::integer;
}

void collect_numbers(const Type& type, const std::string& path, std::vector<std::pair<std::string, Type>>& out) {
  if (takes_number(type)) out.emplace_back(path, type);
  for (const Type& inner : type.inner)
    if (type.kind != Type::Kind::either || !takes_number(inner)) collect_numbers(inner, path + "[]", out);
  if (type.table) collect_numbers(*type.table, path, out);
}

void collect_numbers(const Table& table, const std::string& path, std::vector<std::pair<std::string, Type>>& out) {
  for (const Table::Entry& e : table.entries()) collect_numbers(e.type, path + "." + e.key, out);
  for (const Table& variant : table.variants()) collect_numbers(variant, path + "(" + variant.name() + ")", out);
}

bool may_be_infinite(const Type& type) {
  return type.may_be_infinite || std::any_of(type.inner.begin(), type.inner.end(), may_be_infinite);
}

/// Every number of every table, those of the libraries' laws, loads and shapes among them, refuses NaN, and values too large or too
/// small for computations, with their position.
TEST(HostileNumbers, EveryNumberOfTheSpecRefusesThem) {
  std::vector<std::pair<std::string, Type>> numbers;
  collect_numbers(spec_table(), "", numbers);
  std::set<std::string> paths;
  for (const auto& [path, type] : numbers) {
    paths.insert(path);
    for (const char* word : {".nan", ".NaN", ".inf", "-.inf", "+.Inf", "1e308", "-1e308", "1e151", "1e309", "-1e99999", "4.9e-324", "-4.9e-324",
                             "1e-310", "1e-151", "1e-400", "0x1p3", "1_000", "010", "1.2.3", "--1", "++1", "1e", "1e+"}) {
      const std::string text = word;
      if (text.ends_with("nf") && may_be_infinite(type)) continue;
      Node node;
      node.form = Node::Form::scalar;
      node.text = text;
      const bool is_words = !node.looks_like_number();
      if (is_words && type.kind == Type::Kind::either) continue;  // a formula, perhaps: the parser of formulas has its say
      Table alone("alone", "");
      alone.required("it", type, "");
      Diagnostics diagnostics;
      const std::optional<Node> root = parse("it: " + text + "\n", "spec.yaml", diagnostics);
      if (root) validate(*root, alone, "", diagnostics);
      ASSERT_EQ(diagnostics.size(), 1u) << path << ": " << text << "\n" << diagnostics.text();
      EXPECT_TRUE(diagnostics.sorted()[0].text().starts_with("spec.yaml:1:5: error: ")) << path << ": " << diagnostics.text();
    }
  }
  for (const char* path : {".materials[](neo_hookean).young", ".solver.linear_rtol", ".loads[](traction).x", ".design[](ffd).largest"})
    EXPECT_TRUE(paths.contains(path)) << path;
  EXPECT_GT(paths.size(), 300u);
}

void expect_unique_keys(const Table& table, std::set<std::string> above = {}) {
  for (const Table::Entry& e : table.entries()) {
    EXPECT_TRUE(above.insert(e.key).second) << table.name() << " has two entries '" << e.key << "'";
    for (const Type* t = &e.type;; t = &t->inner[0]) {
      if (t->table) expect_unique_keys(*t->table);
      if (t->inner.empty()) break;
    }
  }
  for (const Table& variant : table.variants()) expect_unique_keys(variant, above);
}

/// With two entries of one key one would be ignored. In a build with asserts the program would abort.
TEST(SpecTable, HasNoKeyTwice) { expect_unique_keys(spec_table()); }

Diagnostics mistakes_of(const Type& type, const std::string& word) {
  Table alone("alone", "");
  alone.required("it", type, "");
  Diagnostics diagnostics;
  validate(parse("it: " + word + "\n", "spec.yaml", diagnostics).value(), alone, "", diagnostics);
  return diagnostics;
}

/// The libraries count with ints: 2^32 + 1 steps would be one step.
TEST(HostileNumbers, IntegersThatAreNoIntsAreRefused) {
  std::vector<std::pair<std::string, Type>> numbers;
  collect_numbers(spec_table(), "", numbers);
  int seen = 0;
  for (const auto& [path, type] : numbers) {
    if (type.kind != Type::Kind::integer) continue;
    ++seen;
    for (const char* word : {"2147483648", "4294967297", "-4294967297", "9007199254740991", "1e12"}) {
      const Diagnostics diagnostics = mistakes_of(type, word);
      ASSERT_EQ(diagnostics.size(), 1u) << path << ": " << word << "\n" << diagnostics.text();
      EXPECT_TRUE(diagnostics.sorted()[0].text().starts_with("spec.yaml:1:5: error: ")) << path << ": " << diagnostics.text();
    }
  }
  EXPECT_GT(seen, 15);
  EXPECT_NE(mistakes_of(integer().at_least(1), "4294967297").text().find("the integer 4294967297 is too large"), std::string::npos);
  for (const char* word : {"2147483647", "-2147483647"}) EXPECT_TRUE(mistakes_of(integer(), word).empty()) << word;
  EXPECT_TRUE(mistakes_of(anything(), "-92233720368547758080").empty());  // as a number of that size is written
  EXPECT_TRUE(mistakes_of(anything(), "4294967297").empty());  // it may become a number that is no count
}

TEST(HostileNumbers, TheLimitsThemselvesAreTaken) {
  for (const char* word : {"1e150", "-1e150", "1e-150", "0", "-0.0"}) {
    Table alone("alone", "");
    alone.required("it", number(), "");
    Diagnostics diagnostics;
    validate(parse(std::string("it: ") + word + "\n", "spec.yaml", diagnostics).value(), alone, "", diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << word << ": " << diagnostics.text();
  }
}

}  // namespace
}  // namespace invar::spec
