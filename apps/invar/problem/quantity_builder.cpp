#include "apps/invar/problem/quantity_builder.hpp"

#include "apps/invar/physics/term_table.hpp"
#include "libfem/space/expression.hpp"

namespace invar {

std::optional<std::vector<ControlledValue>> QuantityBuilder::fixed_coefficients(const TermSpec& term) {
  std::vector<ControlledValue> values;
  const auto add = [&](double number, const TermParameter& p) {
    values.push_back({model_.residual->add_control({"", std::string(p.spec.unit)}, {number}), {}});
  };
  for (const TermParameter& p : term.parameters)
    for (const std::string& key : keys_of(p, dim_)) {
      const spec::Value* given = record_.find(key);
      add(!given ? 0.0 : given->is_number() ? given->number() : 1.0, p);
      if (!given || given->is_number()) continue;
      try {
        auto formula = std::make_shared<const Expression>(given->text());
        values.back().shape = [formula, dim = dim_](const double* x, double t) {
          return (*formula)(x[0], x[1], dim == 3 ? x[2] : 0.0, t);
        };
        values.back().varies_in_space = formula->depends_on_position();
        values.back().varies_in_time = formula->depends_on_time();
      } catch (const ExpressionError& e) {
        diagnostics_.error(given->position, given->yaml_path, e.what());
        return std::nullopt;
      }
    }
  return values;
}

}  // namespace invar
