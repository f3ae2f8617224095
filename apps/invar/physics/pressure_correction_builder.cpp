#include "apps/invar/physics/pressure_correction_builder.hpp"

#include <algorithm>

#include "apps/invar/physics/term_table.hpp"
#include "libfluid/flow/flow_load_library.hpp"
#include "libfluid/flow/open_boundary.hpp"
#include "libfluid/flow/unsteady_forms.hpp"

namespace invar {

using spec::Value;

void PressureCorrectionBuilder::add(const FluidPart& part) {
  std::vector<int> components;
  for (int i = 0; i < model_.mesh->dim; ++i) components.push_back(i);
  components.push_back(model_.component(flow_component::pressure));
  components.push_back(model_.component(flow_component::potential));
  residual_.add_form(make_pressure_correction(flow_.kind, flow_.model(part), CellBatches::on_cells(model_.dofs, part.region, flow_.degree, components)),
                     part.constants, {.linear = flow_.is_linear(part, model_.march.has_value())});
}

/// Nodes of the open boundary, or of its part in a region: slip walls by a penalty are closed. Collective.
std::vector<int> PressureCorrectionBuilder::open_nodes(const std::string& within) const {
  std::vector<std::string> closed;
  if (const Value* loads = sections_.find("loads"))
    for (const Value& l : *loads)
      if (const FlowLoad* load = find_term(flow_loads(), l["type"].text()); load && load->penalises_passage && model_.mesh->find_region(l["region"].text()))
        closed.push_back(l["region"].text());
  return open_boundary(residual_, closed, within);
}

void PressureCorrectionBuilder::hold_at_outlets() {
  residual_.add_dirichlet({.region = "", .component = model_.component(flow_component::potential), .value = binder_.zero(), .nodes = open_nodes()});
}

void PressureCorrectionBuilder::follow(const std::string& region, ControlledValue pressure) {
  residual_.add_dirichlet({.region = "",
                           .component = model_.component(flow_component::potential),
                           .value = std::move(pressure),
                           .adds = std::ranges::find(followed_, region) != followed_.end(),
                           .nodes = open_nodes(region)});
  followed_.push_back(region);
}

void PressureCorrectionBuilder::hold_at(const Value& s, const Value& p) {
  holds_ = true;
  residual_.add_dirichlet({s.key, model_.component(flow_component::potential), binder_.zero()});
  if (!p.is_number() || p.number() != 0)
    diagnostics_.error(p.position, p.yaml_path, "pressure_correction keeps the pressure of a point at its initial value: give 0 here",
                       "prescribe the level by 'initial: {all: {p: …}}'");
}

bool PressureCorrectionBuilder::has_level() const {
  int open = !holds_ && open_nodes().empty();
  MPI_Allreduce(MPI_IN_PLACE, &open, 1, MPI_INT, MPI_MIN, model_.dofs->comm());
  return !open;
}

}  // namespace invar
