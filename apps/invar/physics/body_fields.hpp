#pragma once
#include <memory>
#include <span>

#include "apps/invar/physics/solid_model.hpp"
#include "libfem/solid/solid_fields.hpp"

namespace invar {

/// Output fields of bodies. dofs, u: a space with their displacement (and pressures in the mixed formulation), and a state in it.
SolidFields fields_of_bodies(std::span<const MaterialPart> parts, FormResidual& residual, const EvaluationPoint& state,
                             const std::shared_ptr<const DofMap>& dofs, const double* u, SolidKind kind, bool mixed);

}  // namespace invar
