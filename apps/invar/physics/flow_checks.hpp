#pragma once
#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/problem/case_builder.hpp"

namespace invar {

/// Whether a flow as the spec describes it can be built on a mesh of this dimension; what is wrong goes to
/// `diagnostics`.
bool check_flow(const CaseSections& sections, int dim, const FlowCase& flow, Diagnostics& diagnostics);

/// Whether there is a passive scalar for this key; otherwise records an error.
bool check_carries(bool scalar, const spec::Value& key, Diagnostics& diagnostics);
/// Whether keys of turbulence, and what turbulent flow needs, fit together; what is wrong goes to `diagnostics`.
bool check_turbulence(const spec::Value& physics, bool turbulent, Diagnostics& diagnostics);
/// Records the error that there is none for this load.
void refuse_load_of_scalar(const spec::Value& load, Diagnostics& diagnostics);

}  // namespace invar
