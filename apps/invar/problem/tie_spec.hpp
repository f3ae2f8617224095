#pragma once
#include <memory>
#include <string>

#include "apps/invar/physics/component_spec.hpp"
#include "apps/invar/problem/case_model.hpp"

namespace invar {

struct Problem;

/// The word of `type` of quantities that are numbers of ties.
inline constexpr const char* tie_quantity_name = "tie";

/// The key of a mean gradient in a periodic tie: "xy" for ∂u_x/∂y, "p_y" for ∂p/∂y.
std::string gradient_key(const ComponentSpec& component, int axis);

/// Builds `CaseModel::ties` for a case whose equation is finished. Mistakes are recorded.
void build_ties(CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics);

/// Records an error if a designed shape moves nodes of constraints, whose coefficients use undesigned positions. Collective.
void check_shape_against_ties(const Problem& problem, Diagnostics& diagnostics);

/// A number of a tie, as the quantity `tie` names it; null after recording what is wrong.
std::shared_ptr<Observable> tie_quantity(const CaseModel& model, const spec::Value& record, Diagnostics& diagnostics);

}  // namespace invar
