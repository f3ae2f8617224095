#pragma once
#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// Checks that bodies are apart from each other and from obstacles in the state where the process begins: the undeformed one, or the initial
/// state of a march. Warns of `ties` that this state violates. Call after `build_ties`. Collective.
void check_start(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics);

}  // namespace invar
