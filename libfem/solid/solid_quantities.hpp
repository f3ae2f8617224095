#pragma once
#include <span>
#include <string>
#include <vector>

#include "libfem/objective/quantity_entry.hpp"
#include "libfem/solid/material.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {

/// A case of an elastic body, as quantities of solids see it.
struct SolidQuantityCase : QuantityCase {
  /// A material and where it is.
  struct Part {
    std::string region;       // empty: everywhere
    ControlledValue density;  // without a control where there is no inertia
    std::shared_ptr<const Material> material = {};
    std::vector<ControlledValue> constants = {};  // the material's
    int form = -1;                                // of the residual: its law
    bool compressible = true, has_history = false;
    /// A stiffness that a density of material scales; without a control where there is none.
    struct Distributed {
      int constant = -1;                          // which of the constants
      double full = 0;                            // that of full material
      ControlledValue density = {};               // 1 in material, 0 in void
    } distributed = {};
  };
  SolidKind kind = SolidKind::spatial;
  std::vector<Part> parts;
  std::vector<int> stored_energy_forms, dead_load_forms;  // of the residual
  bool finds_loads = false;      // a path whose load is unknown
  std::vector<int> found_loads;  // their controls
};

/// All but those that are integrals (`solid_integrals`), in the order of the manual.
std::span<const QuantityEntry<SolidQuantityCase>> solid_quantities();

/// What is reported of solids only.
std::span<const ReportEntry<SolidQuantityCase>> solid_reports();

/// Data of more than one number.
std::span<const DataEntry<QuantityCase>> solid_data();

/// `centroid` of the body: the centre of mass of what has deformed.
QuantityEntry<SolidQuantityCase> centre_of_mass_quantity();

/// The mean of |u|² over the undeformed body, whose root measures lengths along a path.
std::shared_ptr<Observable> make_mean_square_displacement(const SolidQuantityCase& c);

}  // namespace invar
