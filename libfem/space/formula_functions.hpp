#pragma once
#include <string>
#include <vector>

namespace invar {

/// A function available in formulas (see `Expression`).
struct FormulaFunction {
  std::string name, doc;  // may be empty if the name is self-explanatory
};

/// All functions, for the reference.
const std::vector<FormulaFunction>& formula_functions();
/// The syntax of formulas, in one paragraph.
std::string formula_doc();

}  // namespace invar
