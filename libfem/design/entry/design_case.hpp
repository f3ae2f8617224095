#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/maps/number_range.hpp"
#include "libadjoint/variable_transform.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// A material constant that is designed as a field.
struct DesignedField {
  std::string path, region;      // path in the design; region of designed cells, empty: all
  int control = -1;              // one entry per cell
  double value = 0;              // value in the spec
  VariableTransform transform;
  bool by_density = false;       // it is `value` in full material, and scaled by `density_control`
};

/// Names of controls that design entries add to the equations.
inline constexpr const char *density_control = "density", *initial_velocity = "initial.velocity", *initial_source = "initial.source";

/// A case as input of an entry of `design`.
struct DesignCase {
  int index = 0;
  std::string name;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<FormResidual> residual;
  bool axisymmetric = false;
  std::vector<double> times;     // of a transient case, initial time first; else empty

  // Meaning of the entry's `variable` or `constant` in this case.
  std::string path;              // path in the design
  int control = -1;              // −1: the case has no such number
  NumberRange admitted{};        // its admissible range
  std::string region;            // cells of its material; empty: all
  std::string why_no_field;      // why it cannot be a cell field, as a sentence
  std::string why_no_signal;     // why it cannot be a function of time

  // Properties of the physics.
  bool is_flow = false;
  int resistance = -1;           // control: resistance of a porous body in a flow of one fluid
  std::string slip;              // name of a load that allows slip along a wall by a penalty
  std::map<int, int> finite_shares;  // controls: material share of a solid -> strain share γ of its law

  std::vector<DesignedField> fields;  // created by entries so far

  /// Position of the control with this name; −1: none.
  int control_named(std::string_view wanted) const { return find_control(*residual, wanted); }
  static int find_control(const FormResidual& residual, std::string_view wanted) {
    const auto& all = residual.controls();
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].name == wanted) return static_cast<int>(k);
    return -1;
  }
};

}  // namespace invar
