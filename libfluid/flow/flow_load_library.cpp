#include "libfluid/flow/flow_load_library.hpp"

#include "libfem/form/common_terms.hpp"

namespace invar {
namespace {

/// A load whose form depends on the kind of flow only.
template <std::unique_ptr<WeakForm> (*factory)(FlowKind, CellBatches)>
FlowLoad load(TermSpec spec, FlowBoundary boundary, bool reads_density = false, bool penalises_passage = false) {
  return {std::move(spec), [](FlowKind kind, const TermSetting&, CellBatches facets) { return factory(kind, std::move(facets)); },
          reads_density, false, penalises_passage, reads_density || penalises_passage, boundary};
}

TermSpec backflow() {
  return {.name = "backflow",
          .doc = "Flow: backflow stabilisation, removes the kinetic energy that inflow through an outlet would add.",
          .parameters = {{.spec = {.key = "beta", .unit = "1", .doc = "factor; 1 suffices for stability", .default_value = 1, .lower = 0}}}};
}

TermSpec slip() {
  return {.name = "slip",
          .doc = "Flow: a slip wall with friction, impermeable by a penalty.",
          .parameters = {{.spec = {.key = "penalty",
                                   .unit = "Pa s/m",
                                   .doc = "penalty of the normal velocity; large compared with viscosity over cell size",
                                   .lower = 0,
                                   .lower_open = true}},
                         {.spec = {.key = "friction",
                                   .unit = "Pa s/m",
                                   .doc = "friction coefficient; Navier's slip length is μ/friction",
                                   .default_value = 0,
                                   .lower = 0}}}};
}

TermSpec source() {
  return {.name = "source",
          .doc = "Flow with a passive scalar: source per volume.",
          .domain = TermSpec::Domain::cells,
          .parameters = {{.spec = {.key = "rate", .unit = "1/s", .doc = "rate; negative: sink"}, .may_be_formula = true}}};
}

}  // namespace

std::span<const FlowLoad> flow_loads() {
  static const FlowLoad loads[] = {
      load<&make_pressure_outlet>(pressure_term(), FlowBoundary::pressure),
      load<&make_flow_traction>(traction_term(), FlowBoundary::traction),
      {body_force_term()},
      load<&make_backflow_stabilisation>(backflow(), FlowBoundary::backflow, true),
      load<&make_slip_penalty>(slip(), FlowBoundary::slip, false, true),
      {source(), nullptr, false, true},
  };
  return loads;
}

}  // namespace invar
