#pragma once
#include <span>

#include "libfem/form/term_spec.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {

/// A quantity of flows that is an integral over cells or facets, or its mean, as a complete library entry.
struct FlowIntegral : TermSpec {
  std::unique_ptr<WeakForm> (*make)(FlowKind, FlowDiscretisation, CellBatches) = nullptr;
  bool mean = false;       // divided by the size of the region
  bool of_scalar = false;  // for the transported scalar
};

/// All entries, in the order of the manual.
std::span<const FlowIntegral> flow_integrals();

}  // namespace invar
