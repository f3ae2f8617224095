#pragma once
#include <string>
#include <vector>

namespace invar {

/// A function that formulas may use (see `Expression`).
struct FormulaFunction {
  std::string name, doc;  // doc may be empty where the name says all
};

/// All of them, for the reference.
const std::vector<FormulaFunction>& formula_functions();
/// What may stand in a formula, in one paragraph.
std::string formula_doc();

}  // namespace invar
