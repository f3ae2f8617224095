#include "libfem/objective/known_field.hpp"

#include "libadjoint/number_text.hpp"

namespace invar {

KnownField::KnownField(std::shared_ptr<const DofMap> dofs, const EntryValues& values, EntryMistakes& mistakes)
    : dofs_(std::move(dofs)), formulas_(dofs_->n_components()) {
  for (int c = 0; c < dofs_->n_components(); ++c) {
    const std::string& name = dofs_->components()[c].name;
    if (!values.has(name)) continue;
    try {
      formulas_[c] = std::make_unique<const Expression>(values.has_number(name) ? number_text(values.number(name)) : values.text(name));
    } catch (const ExpressionError& e) {
      mistakes.add(name, e.what());
      continue;
    }
    components_.push_back(c);
  }
}

ErrorNorm KnownField::error(const std::vector<int>& components, double t, bool without_mean) const {
  return {dofs_, components, [&](int c, const double* x) { return (*this)(c, x, t); }, without_mean};
}

}  // namespace invar
