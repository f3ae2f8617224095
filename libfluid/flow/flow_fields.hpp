#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libfem/form/coefficient.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/space/dof_map.hpp"
#include "libfluid/flow/flow_kinematics.hpp"
#include "libfluid/flow/viscosity_law.hpp"

namespace invar {

/// Derived fields of a flow per local cell (all blocks in turn, ghosts included): averages over the cell, by quadrature. Zero in cells
/// without fluid.
struct FlowFields {
  /// A region of cells and its fluid.
  struct Fluid {
    std::string region;                 // empty: all cells
    ViscosityLaw law;
    std::vector<Coefficient> parameters;  // of the law
    Coefficient density{};                // kg/m³
  };

  std::vector<double> vorticity;   // [n × 3] in space, [n] in the plane: ∂u_y/∂x − ∂u_x/∂y, 1/s
  std::vector<double> shear_rate;  // [n] √(2 ε:ε), 1/s
  std::vector<double> viscosity;   // [n] Pa s
  std::vector<double> volume;      // [n] m³; per metre of depth where planar

  /// `u`: local values of the unknown, ghosts included (LocalArray); `coordinates`: of the local nodes. Throws std::invalid_argument
  /// if a region does not exist or a law lacks parameters.
  static FlowFields evaluate(std::shared_ptr<const DofMap> dofs, const double* u, const double* coordinates,
                             FlowKind kind, std::span<const Fluid> fluids);
};

/// A fluid with the present values of its law's parameters. form: a form of its equations whose coefficients begin with the density
/// and these.
FlowFields::Fluid fluid_at(FormResidual& residual, int form, const std::string& region, const ViscosityLaw& law, const Setting& given);

}  // namespace invar
