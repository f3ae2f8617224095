#pragma once
#include <memory>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/table.hpp"
#include "libfem/design/field/nodal_penalty.hpp"

namespace invar {

/// What terms call the velocity that is designed so, and the field that it is made of.
inline constexpr const char *initial_velocity = "initial.velocity", *initial_source = "initial.source";

/// The kind of `design` entries that lets the velocity which a flow begins with differ from place to place.
spec::Table initial_field_table();
/// Makes the case's initial velocity a field where it is designed; before objectives are built.
void add_initial_field(CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics);
/// The block of one such entry; nullptr after recording what is wrong. Collective.
std::shared_ptr<Parameterization> build_initial_field(const spec::Value& entry, Problem& problem, Diagnostics& diagnostics);

/// ½ ∫ |∇u|² or ½ ∫ |w|² of an initial field that `variable` names; nullptr after recording that there is none.
std::shared_ptr<Observable> build_initial_penalty(const CaseModel& model, const spec::Value& variable, NodalPenalty::Of of,
                                                  Diagnostics& diagnostics);

}  // namespace invar
