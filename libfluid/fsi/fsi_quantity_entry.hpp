#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libfem/objective/quantity_entry.hpp"

namespace invar {

/// A case of fluid–structure interaction, as its quantities see it.
struct FsiQuantityCase : QuantityCase {
  /// A form to be made again, with its coefficients, or one of the equation whose value is meant.
  struct Form {
    std::function<std::unique_ptr<WeakForm>()> make = {};
    std::vector<ControlledValue> values = {};
    std::string region = {};  // of cells
    int of_equation = -1;
  };
  struct Forms {
    std::vector<Form> fluid;                         // its equations, of v before all others
    std::vector<Form> kinetic, stored, dissipation;  // densities of energies [J/m³] and of a power [W/m³]
  };
  Forms forms;
};

/// All, in the order of the manual.
std::span<const QuantityEntry<FsiQuantityCase>> fsi_quantities();

}  // namespace invar
