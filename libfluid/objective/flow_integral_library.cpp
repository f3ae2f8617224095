#include "libfluid/objective/flow_integral_library.hpp"

namespace invar {
namespace {

using Domain = TermSpec::Domain;

/// An integral whose form depends on the kind of flow only.
template <std::unique_ptr<WeakForm> (*factory)(FlowKind, CellBatches)>
std::unique_ptr<WeakForm> of_kind(FlowKind kind, FlowDiscretisation, CellBatches domain) {
  return factory(kind, std::move(domain));
}

}  // namespace

std::span<const FlowIntegral> flow_integrals() {
  static const FlowIntegral integrals[] = {
      {{.name = "mean_pressure", .doc = "Flow: pressure averaged over facets."}, &make_pressure_integral, true},
      {{.name = "pressure_field",
        .doc = "Flow: ½ ∫ (p − p̂)² over facets.",
        .parameters = {{.spec = {.key = "p", .unit = "Pa", .doc = "target pressure p̂"}, .may_be_formula = true}}},
       &make_pressure_misfit},
      {{.name = "flow_rate", .doc = "Flow: volume flow rate out of facets; inflow is negative."},
       &of_kind<&make_flow_rate>},
      {{.name = "mean_scalar", .doc = "Flow with a passive scalar: its average over cells.", .domain = Domain::cells},
       &of_kind<&make_scalar_content>,
       true,
       true},
      {{.name = "scalar_flow", .doc = "Flow with a passive scalar: its convective flux out of facets, ∫ c u·n."},
       &of_kind<&make_scalar_outflow>,
       false,
       true},
  };
  return integrals;
}

}  // namespace invar
