#include "apps/invar/physics/pressure_correction_builder.hpp"

#include <algorithm>
#include <cmath>

#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/saved_state.hpp"
#include "libadjoint/solve/scientific.hpp"
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

/// Nodes of the open boundary in regions, "" is all of it: slip walls by a penalty are closed. Collective.
std::vector<std::vector<int>> PressureCorrectionBuilder::open_nodes(const std::vector<std::string>& regions) const {
  std::vector<std::string> closed;
  if (const Value* loads = sections_.find("loads"))
    for (const Value& l : *loads)
      if (const FlowLoad* load = find_term(flow_loads(), l["type"].text()); load && load->penalises_passage && model_.mesh->find_region(l["region"].text()))
        closed.push_back(l["region"].text());
  return open_parts(residual_, closed, regions);
}

void PressureCorrectionBuilder::add_outside(const std::string& region, ControlledValue pressure) {
  regions_.push_back(region);
  outside_.push_back(std::move(pressure));
}

void PressureCorrectionBuilder::hold_at_outlets() {
  const auto hold = [&](ControlledValue value, bool adds, std::vector<int> nodes) {
    residual_.add_dirichlet({.region = "", .component = model_.component(flow_component::potential), .value = std::move(value), .adds = adds, .nodes = std::move(nodes)});
  };
  hold(binder_.zero(), false, open_nodes({""}).front());
  const std::vector<std::vector<int>> parts = open_nodes(regions_);
  for (std::size_t k = 0; k < parts.size(); ++k) hold(outside_[k], true, parts[k]);
}

void PressureCorrectionBuilder::hold_at(const Value& s, const Value& p) {
  holds_ = true;
  residual_.add_dirichlet({s.key, model_.component(flow_component::potential), binder_.zero()});
  if (!p.is_number() || p.number() != 0)
    diagnostics_.error(p.position, p.yaml_path, "pressure_correction keeps the pressure of a point at its initial value: give 0 here",
                       "prescribe the level by 'initial: {all: {p: …}}'");
}

void PressureCorrectionBuilder::check_start() {
  if (const Value* initial = sections_.find("initial"))
    for (const Value& entry : *initial)
      if (entry.key == initial_from || entry.has(flow_component::pressure)) return;
  const VecHandle prescribed = residual_.create_vector();
  check(VecSet(prescribed, 0.0));
  const Setting given{.controls = std::make_shared<const Controls>(residual_.control_values())};
  residual_.impose_constraints(given.at(model_.start), prescribed);
  const LocalArray values(prescribed);
  double largest = 0;
  for (int node = 0; node < model_.mesh->n_owned_nodes; ++node)
    if (const int dof = model_.dofs->dof(node, model_.component(flow_component::potential)); dof >= 0) largest = std::max(largest, std::abs(values.data()[dof]));
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, model_.dofs->comm());
  const Value& scheme = (*sections_.find("time"))["scheme"];
  if (largest > 0)
    diagnostics_.warning(scheme.position, "loads prescribe pressures of up to " + short_number(largest) + " Pa at the start, and the initial pressure is 0: the difference accelerates the flow; give a pressure that fits the loads, 'initial: {all: {p: …}}', or use bdf2");
}

bool PressureCorrectionBuilder::has_level() const {
  int open = !holds_ && open_nodes({""}).front().empty();
  MPI_Allreduce(MPI_IN_PLACE, &open, 1, MPI_INT, MPI_MIN, model_.dofs->comm());
  return !open;
}

}  // namespace invar
