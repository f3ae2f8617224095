#pragma once
#include <memory>
#include <string>

namespace invar {

class Device;
class FormResidual;

/// Where `auto` solves the linear systems of an equation on a device.
struct DeviceSolver {
  std::string method = {};  // on the device, a name of linear_methods(); empty: on the processor, as without a device
  std::string reason = {};  // of either, as a clause
  bool by_cudss = false;    // its factors, or those of a coarse level
};

/// The choice of `auto` for an equation whose forms are on `device`, which is where its matrices are: cg_lattice on congruent cells, if the equation has
/// their levels; cg_p_multigrid for symmetric equations in space on elements of second order, with as many unknowns as `auto` uses a device for
/// (PETSc's option -invar_p_multigrid_from gives another number); else factors of cuDSS, if it can be loaded. divided: the matrix is taken apart by
/// what wraps the equation (constraints between unknowns, unknown numbers), on the processor.
DeviceSolver device_solver(const FormResidual& residual, const Device& device, bool divided);

/// Prepares the equation for this choice; returns it. Call after `finish`.
DeviceSolver solve_on_device(FormResidual& residual, const std::shared_ptr<Device>& device, bool divided);

}  // namespace invar
