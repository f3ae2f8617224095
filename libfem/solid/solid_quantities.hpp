#pragma once
#include <span>
#include <string>
#include <vector>

#include "libfem/objective/quantity_entry.hpp"
#include "libfem/solid/added_stress.hpp"
#include "libfem/solid/material.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {

/// A case of elastic bodies, as input of quantities of solids.
struct SolidQuantityCase : QuantityCase {
  /// A material and its region.
  struct Part {
    std::string region;       // empty: everywhere
    ControlledValue density;  // without a control: no inertia
    std::shared_ptr<const Material> material = {};
    std::vector<ControlledValue> constants = {};  // the material's
    int form = -1;                                // form of the residual with its law
    bool compressible = true, has_history = false;
    /// A stiffness scaled by a material density; without a control: none.
    struct Distributed {
      int constant = -1;                          // index of the constant
      double full = 0;                            // its value in full material
      ControlledValue density = {};               // 1 in material, 0 in void
    } distributed = {};
  };
  SolidKind kind = SolidKind::spatial;
  std::vector<int> displacement = {};  // its components in the space; empty: the unknown begins with them
  bool lumped_mass = false;      // masses are integrated at nodes
  std::vector<Part> parts;
  std::vector<AddedStress> added;  // to the stresses of the laws
  std::vector<int> stored_energy_forms, dead_load_forms;  // of the residual
  bool finds_loads = false;      // a path with unknown load factor
  std::vector<int> found_loads;  // controls of its loads
};

/// All quantities except integrals (`solid_integrals`), in the order of the manual.
std::span<const QuantityEntry<SolidQuantityCase>> solid_quantities();

/// Those that every physics with bodies has: they read `kind`, `displacement`, `parts` and `added` only.
std::span<const QuantityEntry<SolidQuantityCase>> body_quantities();

/// Reports for bodies, likewise.
std::span<const ReportEntry<SolidQuantityCase>> body_reports();

/// Data with more than one number.
std::span<const DataEntry<QuantityCase>> solid_data();

/// `centroid` of the body: centre of mass of the deformed body.
QuantityEntry<SolidQuantityCase> centre_of_mass_quantity();

/// A mistake: quantities see the unknown and no history variables, on which this of a material with `relaxation` or `plasticity` depends.
void refuse_history(EntryMistakes& mistakes, const std::string& what);

/// Mean of |u|² over the undeformed body; its root measures path lengths.
std::shared_ptr<Observable> make_mean_square_displacement(const SolidQuantityCase& c);

}  // namespace invar
