#include "libfem/space/formula_functions.hpp"

namespace invar {

const std::vector<FormulaFunction>& formula_functions() {
  static const std::vector<FormulaFunction> functions{
      {"sin", ""}, {"cos", ""}, {"tan", ""}, {"asin", ""}, {"acos", ""}, {"atan", ""}, {"atan2", "of y, x: the angle of a point"},
      {"sinh", ""}, {"cosh", ""}, {"tanh", ""}, {"asinh", ""}, {"acosh", ""}, {"atanh", ""},
      {"exp", ""}, {"log", "natural"}, {"ln", "natural"}, {"log2", "to base 2"}, {"log10", "to base 10"},
      {"sqrt", ""}, {"abs", ""}, {"sign", "-1, 0 or 1"}, {"rint", "nearest integer"},
      {"min", "of any number of values"}, {"max", "likewise"}, {"sum", "likewise"}, {"avg", "their mean"}};
  return functions;
}

std::string formula_doc() {
  std::string names;
  for (const FormulaFunction& f : formula_functions())
    names += (names.empty() ? "" : ", ") + f.name + (f.doc.empty() ? "" : " (" + f.doc + ")");
  return "A formula is an expression in x, y, z (undeformed position, m) and t (time in s, or the load parameter) with the operators "
         "+ - * / ^, the comparisons < <= > >= == !=, && and ||, the choice c ? a : b, the constants pi and e, and the functions " +
         names + ".";
}

}  // namespace invar
