#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

/// The forms of PressureOperator on a space of the pressure alone. Coefficients: w, ρ, α, s, u_x, u_y, (u_z).
struct PressureForms {
  std::unique_ptr<WeakForm> mass, diffusion, convection;
};
PressureForms make_pressure_forms(FlowKind kind, const CellBatches& cells);

}  // namespace invar
