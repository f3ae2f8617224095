#pragma once
#include <optional>

#include "apps/invar/problem/case_model.hpp"
#include "apps/invar/problem/spec_sections.hpp"
#include "libadjoint/trimmed_case.hpp"

namespace invar {

/// The section `trim`.
spec::Table trim_table(SomePhysics some);

/// The trim of a case; nothing, with error messages, on failure.
std::optional<Trim> build_trim(CaseModel& model, const spec::Value& section, Diagnostics& diagnostics);

/// Checks that a constraint allows the trimmed value.
void check_against_trim(const CaseModel& model, const spec::Value& constraint, double lower, double upper, Diagnostics& diagnostics);

/// Whether a trim determines this control, alone or with others.
bool is_trimmed(const CaseModel& model, int control);

}  // namespace invar
