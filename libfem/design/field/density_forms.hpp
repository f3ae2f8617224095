#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// ∫ c over cells, axisymmetric ones (x = r) over the full circle. Coefficient: c; with a density of
/// fluid it is the fluid's volume [m³], planar per metre of depth. Depends on no unknown, so it serves
/// any physics as a functional.
std::unique_ptr<WeakForm> make_coefficient_integral(int dim, bool axisymmetric, CellBatches cells);

}  // namespace invar
