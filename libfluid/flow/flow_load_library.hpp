#pragma once
#include <optional>
#include <span>

#include "libfem/form/term_spec.hpp"
#include "libfluid/flow/flow_boundary.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

/// A load of flows. An entry of the library is all that the program needs to know of it.
struct FlowLoad : TermSpec {
  /// Of a load on facets. Null: the load is over the volume of a fluid and stands in its equations, which are
  /// stabilised as a whole.
  std::unique_ptr<WeakForm> (*make)(FlowKind, const TermSetting&, CellBatches) = nullptr;
  bool reads_density = false;      // the fluid's density is the first coefficient, before the parameters
  bool of_scalar = false;          // acts on the scalar that the flow carries
  bool penalises_passage = false;  // of a wall, in place of a prescribed velocity
  bool of_flow = false;            // depends on the flow, not on place and time alone
  std::optional<FlowBoundary> boundary = {};  // what it is, of a load on facets
};

/// All loads, in the order of the manual.
std::span<const FlowLoad> flow_loads();

}  // namespace invar
