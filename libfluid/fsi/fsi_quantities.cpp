#include "libfem/form/work_on_field.hpp"
#include "libfluid/fsi/fsi_quantity_entry.hpp"
#include "libfluid/objective/flow_quantity_entry.hpp"

namespace invar {
namespace {

/// What the fluid alone does to the nodes of a region: where it meets a body, the body's own equation balances it.
std::shared_ptr<Observable> make_force(const FsiQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (v.text("part") != "total") {
    mistakes.add("part", "with a moving body the force is known as a whole", "leave 'part' out");
    return nullptr;
  }
  std::vector<double> w(c.dofs->n_local(), 0.0);
  const std::vector<double>& direction = v.numbers("direction");
  for (const int node : c.mesh().find_region(v.text("region"))->nodes)
    for (int i = 0; i < c.dim(); ++i) w[c.dofs->dof(node, i)] = direction[i];
  std::vector<int> forms;
  for (const FsiQuantityCase::FluidForm& form : c.fluid)
    forms.push_back(c.residual->add_functional(std::make_unique<WorkOnField>(form.make(), *c.dofs, w), form.values));
  return c.sum_of(forms, -v.number("coefficient"));
}

}  // namespace

std::span<const QuantityEntry<FsiQuantityCase>> fsi_quantities() {
  static const QuantityEntry<FsiQuantityCase> entries[] = {[] {
    FlowQuantity of_flow = force_quantity();  // the same words
    return QuantityEntry<FsiQuantityCase>{.name = of_flow.name, .doc = of_flow.doc, .parameters = std::move(of_flow.parameters), .make = &make_force};
  }()};
  return entries;
}

}  // namespace invar
