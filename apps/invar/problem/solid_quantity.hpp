#pragma once
#include <memory>

#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// Whether a record of `objective`, `constraints` or `output.quantities` names a number that the case has as a solid.
bool is_solid_scalar(const CaseModel& model, const spec::Value& record);

/// That number, as an observable of size 1; nullptr after recording what is wrong. May add functionals to the case's
/// residual.
std::shared_ptr<Observable> build_solid_scalar(CaseModel& model, const spec::Value& record, Diagnostics& diagnostics);

}  // namespace invar
