#pragma once
#include <memory>
#include <span>

#include "apps/invar/physics/solid_model.hpp"
#include "libfem/solid/solid_fields.hpp"

namespace invar {

/// Output fields of bodies. dofs, u, rate: a space with their displacement (and pressures in the mixed formulation), a state in it and its
/// rate (null: zero).
SolidFields fields_of_bodies(std::span<const MaterialPart> parts, std::span<const AddedStress> muscles, FormResidual& residual, const EvaluationPoint& state,
                             const std::shared_ptr<const DofMap>& dofs, const double* u, const double* rate, SolidKind kind, bool mixed);

}  // namespace invar
