#pragma once
#include <memory>
#include <span>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/term_spec.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {

/// A load of solids, as a complete library entry.
struct SolidLoad : TermSpec {
  bool dead = false;  // its work is part of the compliance
  std::unique_ptr<WeakForm> (*make)(SolidKind, const TermSetting&, CellBatches) = nullptr;
  bool active_stress = false;  // a stress of the body (AddedStress)
  // The energy of a body under it is a convex quadratic function if that of its material is: a dead load, or a spring to the ground. Those of centrifugal
  // loads depend on `choice`.
  bool quadratic = false;
};

/// All loads, in the order of the manual.
std::span<const SolidLoad> solid_loads();

}  // namespace invar
