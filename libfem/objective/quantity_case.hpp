#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/form/cell_batches.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

struct DesignedField;

/// One case, as an entry of a library of quantities sees it. The residual has all its forms and conditions.
struct QuantityCase {
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> residual;
  bool axisymmetric = false;  // integrals run over the full circle, x being the radius
  bool in_time = false;       // the case is a process in time
  double time = 0;            // of the state, where the quantity is of one state
  std::vector<std::string> absent;  // components that unknowns of other cases have, but those along axes

  // What the entry's parameter of the kind component, variable or designed_field names.
  int component = -1;                    // of the unknown
  int control = -1;                      // of the number or field
  const DesignedField* field = nullptr;  // how a constant of a material is designed; null: an initial field

  const Mesh& mesh() const { return dofs->mesh(); }
  int dim() const { return mesh().dim; }
  bool names_facets(const std::string& region) const;
  /// The cells of a region, or "all".
  CellBatches cells(const std::string& region, int degree = 6) const;
  CellBatches facets(const std::string& region, int degree = 6) const;
  /// A number of the case that cannot be designed.
  ControlledValue fixed(double value) const;
  /// The sum of the values of forms of the residual, times a factor.
  std::shared_ptr<Observable> sum_of(const std::vector<int>& forms, double factor = 1) const;
  /// The value of a functional, which is added to the residual.
  std::shared_ptr<Observable> integral(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> coefficients = {}) const;
};

}  // namespace invar
