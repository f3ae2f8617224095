#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// ½ ∫ c φ² over cells, axisymmetric ones (x = r) over the full circle, of the unknown's one component φ.
/// Coefficient: c.
std::unique_ptr<WeakForm> make_value_energy(int dim, bool axisymmetric, CellBatches cells);

}  // namespace invar
