#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

/// The forms of PressureOperator on a space of the pressure alone. Coefficients: 1/μ, ρ, α, u_x, u_y,
/// (u_z).
struct PressureForms {
  std::unique_ptr<WeakForm> mass, diffusion, convection;
};
PressureForms make_pressure_forms(FlowKind kind, const CellBatches& cells);

/// ∫ μ(γ̇) dV of a flow. Coefficients: the law's parameters.
std::unique_ptr<WeakForm> make_viscosity_integral(FlowKind kind, const ViscosityLaw& law, CellBatches cells);

}  // namespace invar
