#include "libfem/solid/stress_limit.hpp"

#include <algorithm>

#include "libfem/objective/form_value.hpp"
#include "libfem/objective/quotient.hpp"

namespace invar {
namespace {

std::size_t cells_known(const Mesh& mesh) {
  std::size_t total = 0;
  for (const CellBlock& block : mesh.cells) total += block.count();
  return total;
}

}  // namespace

StressLimit::StressLimit(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart> parts, const Options& options)
    : residual_(residual), parts_(std::move(parts)), options_(options),
      multipliers_(residual->add_control({.name = "", .layout = ControlLayout::cells}, std::vector<double>(cells_known(residual->dofs().mesh()), 0.0))),
      penalty_(residual->add_control({"", ""}, {options.penalty})) {
  const std::shared_ptr<Observable> measure = integral_of_powers(residual, parts_, 0, std::make_shared<const double>(1.0));
  std::vector<int> forms;
  for (const StressPart& part : parts_)
    for (const CellBatches& domain : part.domains) {
      std::vector<ControlledValue> coefficients = part.coefficients;
      coefficients.push_back({multipliers_, {}});
      coefficients.push_back({penalty_, {}});
      forms.push_back(residual->add_functional(make_stress_excess(part.stress, options.limit, domain), std::move(coefficients)));
    }
  std::vector<double> factors(residual->form_count(), 0.0);
  for (const int form : forms) factors[form] = 1;
  mean_ = make_quotient(std::make_shared<FormValue>(residual, std::move(factors)), measure);
}

std::vector<std::vector<double>> StressLimit::renewed(const EvaluationPoint& u) {
  std::vector<double> lambda = (*u.given.controls)[multipliers_];
  const double mu = (*u.given.controls)[penalty_][0];
  for (const StressPoint& p : stress_points(*residual_, parts_, u, CellsOf::all))
    lambda[p.cell] = std::max(0.0, lambda[p.cell] + mu * stress_excess(p.stress, p.density_power, options_.limit));
  return {std::move(lambda), {std::min(options_.growth * mu, options_.largest_penalty)}};
}

}  // namespace invar
