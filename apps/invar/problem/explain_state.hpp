#pragma once
#include <string>
#include <vector>

#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// Bodies say what is wrong with a state that cannot be solved from. The cases must stay where they are.
void explain_failures(const std::vector<CaseModel>& cases);

/// Why a state of an elastic body is inadmissible, as the end of a sentence: ": MATERIAL (LAW) at (x, y): …", with the
/// element that is turned inside out most, or else one in which the law has no finite stress. Where the body is sound,
/// that a load is not a number. Collective.
std::string explain_inadmissible(const CaseModel& model, const EvaluationPoint& u);

}  // namespace invar
