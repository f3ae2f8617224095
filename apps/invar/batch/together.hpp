#pragma once
#include "apps/invar/batch/sweep_plan.hpp"
#include "apps/invar/spec/diagnostics.hpp"
#include "apps/invar/spec/value.hpp"

namespace invar {

/// Begins the sentence of a process that was to run several points together and says why it runs one after the other.
inline constexpr const char* together_note = "not together: ";

/// Records why the runs of a plan cannot be worked on together (`sweep.together`), each reason at its place in the spec.
void check_together(const spec::Value& spec, const SweepPlan& plan, Diagnostics& diagnostics);

}  // namespace invar
