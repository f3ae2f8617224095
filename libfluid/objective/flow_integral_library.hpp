#pragma once
#include <span>

#include "libfem/form/term_spec.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {

/// A quantity of flows that is an integral over cells or facets, or its mean. An entry of the library is all that the
/// program needs to know of it.
struct FlowIntegral : TermSpec {
  std::unique_ptr<WeakForm> (*make)(FlowKind, FlowDiscretisation, CellBatches) = nullptr;
  bool mean = false;       // over the size of the region
  bool of_scalar = false;  // of the scalar that the flow carries
};

/// All, in the order of the manual.
std::span<const FlowIntegral> flow_integrals();

}  // namespace invar
