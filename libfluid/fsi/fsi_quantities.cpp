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
  for (const FsiQuantityCase::Form& form : c.forms.fluid)
    forms.push_back(c.residual->add_functional(std::make_unique<WorkOnField>(form.make(), *c.dofs, w), form.values));
  return c.sum_of(forms, -v.number("coefficient"));
}

/// The integral of densities.
template <std::vector<FsiQuantityCase::Form> FsiQuantityCase::Forms::*densities>
std::shared_ptr<Observable> make_integral(const FsiQuantityCase& c, const EntryValues&, EntryMistakes&) {
  std::vector<int> forms;
  for (const FsiQuantityCase::Form& form : c.forms.*densities) forms.push_back(c.residual->add_functional(form.make(), form.values));
  return c.sum_of(forms);
}

}  // namespace

std::span<const QuantityEntry<FsiQuantityCase>> fsi_quantities() {
  using Forms = FsiQuantityCase::Forms;
  // Of flows and solids: the same words.
  static const QuantityEntry<FsiQuantityCase> entries[] = {
      [] {
        FlowQuantity of_flow = force_quantity();
        return QuantityEntry<FsiQuantityCase>{.name = of_flow.name, .doc = of_flow.doc, .parameters = std::move(of_flow.parameters), .make = &make_force};
      }(),
      {.name = "kinetic_energy", .doc = "∫ ρ/2 |v|², v the velocity; of solids in time.", .make = &make_integral<&Forms::kinetic>},
      {.name = "stored_energy", .doc = "Solid: elastic energy.", .make = &make_integral<&Forms::stored>},
      {.name = "dissipation", .doc = "Flow: power that becomes heat in the fluid and in porous bodies.", .make = &make_integral<&Forms::dissipation>},
  };
  return entries;
}

}  // namespace invar
