#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/maps/number_range.hpp"
#include "libadjoint/variable_transform.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// A constant of a material that is designed as a field.
struct DesignedField {
  std::string path, region;      // as the design names it; cells that are designed, empty: all
  int control = -1;              // one entry per cell
  double value = 0;              // that the spec gives the constant
  VariableTransform transform;
  bool by_density = false;       // it is `value` in full material, and `density_control` says where that is
};

/// The names of controls that ways to design add to the equations.
inline constexpr const char *density_control = "density", *initial_velocity = "initial.velocity", *initial_source = "initial.source";

/// One case, as an entry of `design` sees it.
struct DesignCase {
  int index = 0;
  std::string name;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<FormResidual> residual;
  bool axisymmetric = false;
  std::vector<double> times;     // of a process in time, its start first; else empty

  // What the entry's `variable` or `constant` is here.
  std::string path;              // as the design names it
  int control = -1;              // −1: the case has no such number
  NumberRange admitted{};        // what the model admits of it
  std::string region;            // cells of its material; empty: all
  std::string why_no_field;      // a sentence where it can be no field of cells
  std::string why_no_signal;     // likewise, no function of time

  // What the physics has.
  bool is_flow = false;
  int resistance = -1;           // control: of a porous body to a flow of one fluid
  std::string slip;              // a load that allows slip along a wall by a penalty
  std::map<int, int> finite_shares;  // controls: of the share of a solid's material that is there, of that of its strain that its law sees

  std::vector<DesignedField> fields;  // that entries have made

  /// Position of the control of that name; −1: there is none.
  int control_named(std::string_view wanted) const { return find_control(*residual, wanted); }
  static int find_control(const FormResidual& residual, std::string_view wanted) {
    const auto& all = residual.controls();
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].name == wanted) return static_cast<int>(k);
    return -1;
  }
};

}  // namespace invar
