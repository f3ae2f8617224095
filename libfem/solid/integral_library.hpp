#pragma once
#include <memory>
#include <span>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/term_spec.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/objective/volume_axis.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {

/// A quantity of solids that is an integral over cells or facets, as a complete library entry.
struct SolidIntegral : TermSpec {
  std::unique_ptr<WeakForm> (*make)(SolidKind, VolumeAxis, CellBatches) = nullptr;
};

/// All entries, in the order of the manual.
std::span<const SolidIntegral> solid_integrals();

}  // namespace invar
