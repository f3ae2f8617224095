#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/form/cell_batches.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

struct DesignedField;

/// A case as input of library entries for quantities. The residual has all its forms and conditions.
struct QuantityCase {
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> residual;
  bool axisymmetric = false;  // integrals run over the full circle, x being the radius
  bool in_time = false;       // the case is a process in time
  double time = 0;            // time of the state, for quantities of one state
  std::vector<std::string> absent = {};  // components that unknowns of other cases have
  /// A quantity that is a force of supports adds the motion of the nodes to which it is conjugate, so that forces which ties carry there count.
  std::vector<VecHandle>* supports = nullptr;

  std::vector<std::string> tied = {};  // regions of facets whose nodes are tied to others, by a tie or a rigid part

  // What the entry's parameter of kind component, variable or designed_field refers to.
  int component = -1;                    // of the unknown
  int control = -1;                      // of the number or field
  const DesignedField* field = nullptr;  // design of a material constant; null: an initial field

  const Mesh& mesh() const { return dofs->mesh(); }
  int dim() const { return mesh().dim; }
  bool names_facets(const std::string& region) const;
  /// The cells of a region, or of "all".
  CellBatches cells(const std::string& region, int degree = 6) const;
  CellBatches facets(const std::string& region, int degree = 6) const;
  /// A number of the case that is no design variable.
  ControlledValue fixed(double value) const;
  /// The sum of the values of some forms of the residual, times a factor.
  std::shared_ptr<Observable> sum_of(const std::vector<int>& forms, double factor = 1) const;
  /// The value of a functional, which is added to the residual.
  std::shared_ptr<Observable> integral(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> coefficients = {}) const;
};

}  // namespace invar
