#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// ½ ∫ c φ² over cells for a scalar unknown φ; axisymmetric (x = r): over the full circle. Coefficient: c.
std::unique_ptr<WeakForm> make_value_energy(int dim, bool axisymmetric, CellBatches cells);

}  // namespace invar
