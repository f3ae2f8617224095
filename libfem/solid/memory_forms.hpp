#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {

/// Most branches of `make_maxwell_branches`.
int max_maxwell_branches(SolidKind kind);

// Stresses with history variables, for processes in time; not in plane stress (std::invalid_argument).
/// See MaxwellBranches.
std::unique_ptr<WeakForm> make_maxwell_branches(SolidKind kind, int branches, CellBatches cells);
/// See PlasticFlow.
std::unique_ptr<WeakForm> make_plastic_flow(SolidKind kind, CellBatches cells);

}  // namespace invar
