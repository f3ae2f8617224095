#pragma once
#include <memory>
#include <vector>

#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_values.hpp"
#include "libfem/objective/error_norm.hpp"
#include "libfem/space/expression.hpp"

namespace invar {

/// Reference values of some components of the unknown, by formulas in x, y, z and t.
class KnownField {
 public:
  /// For the components whose names have values: numbers or formulas. Invalid formulas are recorded as mistakes.
  KnownField(std::shared_ptr<const DofMap> dofs, const EntryValues& values, EntryMistakes& mistakes);

  /// Components with reference values, ascending.
  const std::vector<int>& components() const { return components_; }
  /// x: [3], m.
  double operator()(int component, const double* x, double t) const { return (*formulas_[component])(x[0], x[1], x[2], t); }
  /// Error norm of these components at a time; see ErrorNorm.
  ErrorNorm error(const std::vector<int>& components, double t, bool without_mean = false) const;

 private:
  std::shared_ptr<const DofMap> dofs_;
  std::vector<std::unique_ptr<const Expression>> formulas_;  // per component; null where it is not known
  std::vector<int> components_;
};

}  // namespace invar
