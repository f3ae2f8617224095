#include "libfem/objective/quantity_case.hpp"

#include "libfem/objective/form_value.hpp"

namespace invar {

bool QuantityCase::names_facets(const std::string& region) const {
  const Region* found = mesh().find_region(region);
  return found && found->dim == dim() - 1;
}

CellBatches QuantityCase::cells(const std::string& region, int degree) const {
  return CellBatches::on_cells(dofs, region == "all" ? "" : region, degree);
}

CellBatches QuantityCase::facets(const std::string& region, int degree) const { return CellBatches::on_facets(dofs, region, degree); }

ControlledValue QuantityCase::fixed(double value) const { return {residual->add_control({"", ""}, {value}), {}}; }

std::shared_ptr<Observable> QuantityCase::sum_of(const std::vector<int>& forms, double factor) const {
  std::vector<double> factors(residual->form_count(), 0.0);
  for (const int form : forms) factors[form] = factor;
  return std::make_shared<FormValue>(residual, std::move(factors));
}

std::shared_ptr<Observable> QuantityCase::integral(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> coefficients) const {
  return sum_of({residual->add_functional(std::move(form), std::move(coefficients))});
}

}  // namespace invar
