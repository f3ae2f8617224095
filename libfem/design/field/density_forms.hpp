#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// ∫ c over cells; axisymmetric (x = r): over the full circle. Coefficient: c; with a fluid density it is the fluid's
/// volume [m³], planar: per metre of depth. Independent of the unknown, so it can be a functional of any physics.
std::unique_ptr<WeakForm> make_coefficient_integral(int dim, bool axisymmetric, CellBatches cells);

}  // namespace invar
