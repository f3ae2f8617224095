#pragma once
#include "apps/invar/physics/solid_model.hpp"
#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// Adds the section `contact` of a case to its solid, whose materials are there.
void build_contact(SolidModel& solid, CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics);

}  // namespace invar
