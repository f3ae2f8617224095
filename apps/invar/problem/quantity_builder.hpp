#pragma once
#include <memory>
#include <string>
#include <vector>

#include "apps/invar/problem/case_builder.hpp"
#include "libfem/form/cell_batches.hpp"
#include "libfem/objective/form_value.hpp"

namespace invar {

/// Common base of builders of quantities; see `build_scalar`.
class QuantityBuilder {
 protected:
  using Scalar = std::shared_ptr<Observable>;

  QuantityBuilder(CaseModel& model, const spec::Value& record, Diagnostics& diagnostics)
      : model_(model), record_(record), diagnostics_(diagnostics), dim_(model.mesh->dim) {}

  bool has_region(int dim) {
    return check_region(*model_.mesh, record_["region"].text(), dim, record_["region"], diagnostics_);
  }
  CellBatches cells() const {
    const std::string region = record_["region"].text();
    return CellBatches::on_cells(model_.dofs, region == "all" ? "" : region, 6);
  }
  /// The region that an integral is over is one of the mesh's.
  bool has_domain(const TermSpec& term) {
    const bool volume = term.domain == TermSpec::Domain::cells;
    return (volume && record_["region"].text() == "all") || has_region(volume ? dim_ : dim_ - 1);
  }
  /// Coefficients of an integral: numbers and formulas that cannot be designed. Nothing, with error messages, on failure.
  std::optional<std::vector<ControlledValue>> fixed_coefficients(const TermSpec& term);
  /// The sum of the forms' values, times a factor.
  Scalar value_of(const std::vector<int>& forms, double factor = 1) const {
    std::vector<double> factors(model_.residual->form_count(), 0.0);
    for (int f : forms) factors[f] = factor;
    return std::make_shared<FormValue>(model_.residual, factors);
  }
  Scalar integral(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values = {}) const {
    return value_of({model_.residual->add_functional(std::move(form), std::move(values))});
  }

  CaseModel& model_;
  const spec::Value& record_;
  Diagnostics& diagnostics_;
  int dim_;
};

}  // namespace invar
