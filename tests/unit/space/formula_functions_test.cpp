#include "libfem/space/formula_functions.hpp"

#include <gtest/gtest.h>
#include <muParser.h>

#include <cmath>
#include <set>
#include <string>

#include "libfem/space/expression.hpp"

namespace invar {
namespace {

/// What the reference lists is what formulas may use, and nothing that they may use is missing.
TEST(FormulaWords, AreTheParsersFunctions) {
  std::set<std::string> listed, known;
  for (const FormulaFunction& f : formula_functions()) {
    listed.insert(f.name);
    const std::string argument = f.name == "atan2" ? "(0.5, 0.5)" : f.name == "acosh" ? "(1.5)" : "(0.5)";
    EXPECT_TRUE(std::isfinite(Expression(f.name + argument)(0, 0, 0, 0))) << f.name;
  }
  const mu::Parser parser;
  for (const auto& [name, what] : parser.GetFunDef())
    if (!name.starts_with("_")) known.insert(name);
  EXPECT_EQ(listed, known);
}

TEST(FormulaWords, Logarithms) {
  EXPECT_DOUBLE_EQ(Expression("log(e^2)")(0, 0, 0, 0), 2);
  EXPECT_DOUBLE_EQ(Expression("ln(e^2) + log2(8) + log10(1000)")(0, 0, 0, 0), 8);
  EXPECT_DOUBLE_EQ(Expression("x < 1 && y >= 2 ? 3 : 4")(0.5, 2, 0, 0), 3);
}

}  // namespace
}  // namespace invar
