#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// ½ ∫ c |∇φ|² over cells for a scalar unknown φ; axisymmetric (x = r): over the full circle. Coefficient: c.
std::unique_ptr<WeakForm> make_gradient_energy(int dim, bool axisymmetric, CellBatches cells);

/// ∫ c (√(|∇φ|² + slope²) − slope) (smoothed total variation), with the same arguments: |∇φ| well above the slope (1/m,
/// > 0), |∇φ|²/(2 slope) well below.
std::unique_ptr<WeakForm> make_gradient_length(int dim, bool axisymmetric, CellBatches cells, double slope);

}  // namespace invar
