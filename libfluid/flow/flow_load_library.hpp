#pragma once
#include <optional>
#include <span>

#include "libfem/form/term_spec.hpp"
#include "libfluid/flow/flow_boundary.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

/// A load of flows, as a complete library entry.
struct FlowLoad : TermSpec {
  /// For a load on facets. Null: a volume load of a fluid, part of its equations, which are stabilised as a whole.
  std::unique_ptr<WeakForm> (*make)(FlowKind, const TermSetting&, CellBatches) = nullptr;
  bool reads_density = false;      // the fluid's density is the first coefficient, before the parameters
  bool of_scalar = false;          // acts on the transported scalar
  bool penalises_passage = false;  // for a wall, in place of a prescribed velocity
  bool of_flow = false;            // depends on the flow, not only on position and time
  std::optional<FlowBoundary> boundary = {};  // kind of a load on facets
};

/// All loads, in the order of the manual.
std::span<const FlowLoad> flow_loads();

}  // namespace invar
