#pragma once
#include "apps/invar/problem/case_model.hpp"

namespace invar {

// Words of the spec that belong to one physics only. The spec's tables know them all; which of them fit is
// known when the case's physics is.

/// Records an error for every material, load and entry of 'boundary' and 'initial' that does not fit the case's
/// physics.
void check_fits_physics(const CaseSections& sections, Diagnostics& diagnostics);
/// The same for the type of an objective term, constraint or quantity; false when it does not fit.
bool check_term_fits(const spec::Value& term, const CaseModel& model, Diagnostics& diagnostics);

/// Whether the type of a quantity is one that is reported only.
bool is_report(const std::string& type);

}  // namespace invar
