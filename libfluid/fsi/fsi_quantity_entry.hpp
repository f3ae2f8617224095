#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libfem/objective/quantity_entry.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

/// A case of fluid–structure interaction, in the form that its quantities need.
struct FsiQuantityCase : QuantityCase {
  /// A functional of the case: a form to be created with these coefficients, or an existing form of the equation.
  struct Form {
    std::function<std::unique_ptr<WeakForm>()> make = {};
    std::vector<ControlledValue> values = {};
    std::string region = {};  // of cells
    int of_equation = -1;
    bool has_history = false;  // of a material whose energy depends on history variables
  };
  struct Forms {
    std::vector<Form> fluid;                         // forms of its equations, those of v first
    std::vector<Form> loads;                         // on the fluid's facets
    std::vector<Form> kinetic, stored, dissipation;  // densities of energies [J/m³] and of a power [W/m³]
  };
  FlowKind kind = FlowKind::planar;
  int degree = 0;  // of quadrature in the fluid and on its boundary
  Forms forms;
  std::string fluid;  // its region of cells
  int scalar = -1;    // component of the unknown; −1: none
};

/// All quantities in the order of the reference page.
std::span<const QuantityEntry<FsiQuantityCase>> fsi_quantities();

}  // namespace invar
