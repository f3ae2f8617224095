#pragma once
#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/problem/case_builder.hpp"

namespace invar {

/// Whether a flow as the spec describes it can be built on a mesh of this dimension; what is wrong goes to
/// `diagnostics`.
bool check_flow(const CaseSections& sections, int dim, const FlowCase& flow, Diagnostics& diagnostics);

}  // namespace invar
