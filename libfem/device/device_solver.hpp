#pragma once
#include <functional>
#include <memory>
#include <string>

#include "libadjoint/solve/linear_method.hpp"

namespace invar {

class Device;
class FormResidual;
class SaddlePoint;

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

/// An equation that is prepared for linear solvers: what its physics says of it, and what is solved in its place.
struct PreparedEquation {
  FormResidual& residual;                // whose matrix is used; its `finish` has been called
  std::shared_ptr<Device> device = {};   // that evaluates it; null: the processor
  bool symmetric = false;                // of the equation that is solved
  bool at_rest = false;                  // load steps; not: processes in time, and paths with an unknown load
  bool coarse_space = false;             // all unknowns are of second order and of one kind: linear elements are a coarse space
  bool tied = false;                     // unknowns are tied to each other: the matrix is TᵀKT
  bool divided = false;                  // the matrix is taken apart on the processor, see `device_solver`
  std::function<std::shared_ptr<SaddlePoint>(bool only_if_they_pay)> blocks = {};  // of a saddle point; empty, or null: there are none
  std::function<void()> take_over = {};  // called when the residual has a coarse space: what wraps it makes its own of that
};

/// Prepares data besides the matrix from which `auto` chooses, as far as they may pay: on a device as `solve_on_device`, else blocks of saddle points,
/// linear elements below quadratic ones, levels of congruent cells. Collective.
void prepare_for_auto(const PreparedEquation& equation);

/// Prepares the data that this method needs. False: the equation does not have them. Collective.
bool prepare_for(const LinearMethod& method, const PreparedEquation& equation);

/// Whether a method can have the data that it needs where unknowns are tied.
bool supports_tied_unknowns(const LinearMethod& method);

/// Whether factors of cuDSS are used, by the method, or if it is null by the choice of `auto`.
bool uses_cudss(const LinearMethod* method, const PreparedEquation& equation);

}  // namespace invar
