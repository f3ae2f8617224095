#pragma once
#include <optional>

#include "apps/invar/problem/case_model.hpp"
#include "apps/invar/problem/spec_sections.hpp"
#include "libadjoint/trimmed_case.hpp"

namespace invar {

/// The section `trim`.
spec::Table trim_table(SomePhysics some);

/// What a case is trimmed by; nothing after recording what is wrong.
std::optional<Trim> build_trim(CaseModel& model, const spec::Value& section, Diagnostics& diagnostics);

/// A constraint must allow what the case is trimmed to.
void check_against_trim(const CaseModel& model, const spec::Value& constraint, double lower, double upper, Diagnostics& diagnostics);

/// Whether a trim finds this control, alone or with others.
bool is_trimmed(const CaseModel& model, int control);

}  // namespace invar
