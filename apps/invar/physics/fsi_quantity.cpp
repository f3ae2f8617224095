#include "apps/invar/physics/fsi_model.hpp"
#include "apps/invar/problem/quantity_entries.hpp"

namespace invar {

std::optional<std::shared_ptr<Observable>> FsiCase::quantity(CaseModel& model, const spec::Value& record, Diagnostics& diagnostics) const {
  FsiQuantityCase c;
  c.dofs = model.dofs;
  c.residual = model.residual;
  c.in_time = model.march.has_value();
  c.kind = kind;
  c.degree = degree;
  c.forms = forms;
  c.tied = rigid_surfaces;
  c.fluid = fluid.region;
  return make_quantity(fsi_quantities(), std::move(c), model, record, diagnostics);
}

}  // namespace invar
