#pragma once
#include <memory>

#include "libfem/solid/solid_forms.hpp"

namespace invar {

/// `Centrifugal` on cells.
std::unique_ptr<WeakForm> make_centrifugal(SolidKind kind, bool deformed, CellBatches cells);

}  // namespace invar
