#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "libfem/objective/quantity_entry.hpp"

namespace invar {

/// A case of fluid–structure interaction, as its quantities see it.
struct FsiQuantityCase : QuantityCase {
  /// A form of the fluid's equations, to be made again, with its coefficients.
  struct FluidForm {
    std::function<std::unique_ptr<WeakForm>()> make;
    std::vector<ControlledValue> values;
  };
  std::vector<FluidForm> fluid;
};

/// All, in the order of the manual.
std::span<const QuantityEntry<FsiQuantityCase>> fsi_quantities();

}  // namespace invar
