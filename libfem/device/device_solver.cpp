#include "libfem/device/device_solver.hpp"

#include <algorithm>
#include <string_view>

#include "libadjoint/solve/cudss_library.hpp"
#include "libfem/device/device_lattice.hpp"
#include "libfem/device/device_library.hpp"
#include "libfem/device/device_matrix.hpp"
#include "libfem/device/device_tangent.hpp"
#include "libfem/device/p_multigrid.hpp"
#include "libfem/space/prolongation.hpp"

namespace invar {
namespace {

/// Symmetric matrices in space on elements of second order, from the size on for which this was measured (tests/bench/README.md, Devices). Factors of
/// cuDSS serve several steps of Newton's method and of time, and are faster for smaller equations.
bool favours_multigrid(const FormResidual& residual) {
  const DofMap& dofs = residual.dofs();
  PetscInt from = worthwhile_on_device;
  check(PetscOptionsGetInt(nullptr, "invar_", "-p_multigrid_from", &from, nullptr));
  const auto of_second_order = [](const Component& c) { return c.order == 2; };
  return dofs.n_global() >= from && std::ranges::all_of(dofs.components(), of_second_order) && coarse_space_may_pay(dofs, residual.symmetric()) &&
         DeviceTangent::suits(dofs);
}

/// Blocks for a preconditioner.
bool give_blocks(const PreparedEquation& equation, bool automatic) {
  auto blocks = equation.blocks ? equation.blocks(automatic) : nullptr;
  if (!blocks) return automatic;
  equation.residual.set_saddle_point(std::move(blocks));
  return true;
}

/// Linear elements below quadratic ones.
bool give_coarse_space(const PreparedEquation& equation, bool automatic) {
  if (!equation.coarse_space) return automatic;
  const DofMap& dofs = equation.residual.dofs();
  if (automatic && !coarse_space_may_pay(dofs, equation.symmetric)) return true;
  equation.residual.set_prolongation(prolongation_from_linear(dofs, equation.residual.constrained_rows()));
  if (equation.take_over) equation.take_over();
  return true;
}

/// A matrix by cells with its coarser levels.
bool give_levels(const PreparedEquation& equation, bool automatic) {
  constexpr PetscInt worthwhile = 30000;  // unknowns below which an assembled matrix is as fast
  FormResidual& residual = equation.residual;
  if (!equation.at_rest || !residual.minimises()) return automatic;
  if (automatic && (residual.dofs().mesh().dim < 3 || residual.dofs().n_global() < worthwhile)) return true;
  const bool suits = equation.device ? use_device_lattice(residual, equation.device) : residual.use_cell_matrix();
  return suits || automatic;
}

/// Data that linear methods need, and the function that gives them to an equation: for `auto` if they may pay, else if the equation has them. It returns
/// false if a method needs data that the equation does not have.
struct SolverData {
  LinearMethod::Needs needs;
  bool (*give)(const PreparedEquation&, bool automatic);
  bool of_tied = false;  // also with tied unknowns; others need the nodal matrix
};
constexpr SolverData solver_data[] = {
    {LinearMethod::Needs::saddle_point, &give_blocks},
    {LinearMethod::Needs::prolongation, &give_coarse_space, true},
    {LinearMethod::Needs::levels, &give_levels},
    // the others are given by forms
    {LinearMethod::Needs::triangular_blocks,
     [](const PreparedEquation& e, bool automatic) { return automatic || e.residual.matrix_hints().triangular_blocks != nullptr; }},
    {LinearMethod::Needs::node_blocks, [](const PreparedEquation& e, bool automatic) { return automatic || e.residual.matrix_hints().node_blocks; }},
    {LinearMethod::Needs::coupled_fields,
     [](const PreparedEquation& e, bool automatic) { return automatic || e.residual.matrix_hints().coupled_fields != nullptr; }}};

}  // namespace

DeviceSolver device_solver(const FormResidual& residual, const Device& device, bool divided) {
  constexpr std::string_view multigrid = "cg_p_multigrid";
  if (divided) return {.reason = "constraints between unknowns and unknown numbers take the matrix apart there"};
  const std::shared_ptr<MultigridLevels> levels = residual.matrix_hints().levels;
  if (levels && levels->method() != multigrid) return {std::string(levels->method()), "congruent cells", false};
  const std::string obstacle = CudssLibrary::obstacle();
  const bool cudss = obstacle.empty();
  const auto factors = [] { return "cuDSS " + CudssLibrary::load()->version(); };
  if (levels || favours_multigrid(residual)) {
    const bool coarse = cudss && device.kind() == Device::Kind::cuda;  // see PMultigrid
    return {std::string(multigrid), "symmetric, in space, of second order; factors of linear elements by " + (coarse ? factors() : "the processor"), coarse};
  }
  if (!cudss) return {.reason = "cuDSS cannot be used: " + obstacle};
  const bool symmetric = residual.symmetric();
  return {symmetric ? "cudss_ldlt" : "cudss", std::string(symmetric ? "" : "not ") + "symmetric; " + factors(), true};
}

DeviceSolver solve_on_device(FormResidual& residual, const std::shared_ptr<Device>& device, bool divided) {
  DeviceSolver choice = device_solver(residual, *device, divided);
  if (choice.method == "cg_p_multigrid") use_p_multigrid(residual, device);
  else if (!divided && CudssLibrary::obstacle().empty()) keep_matrix_on_device(residual, device);  // also where cells may turn out not to be congruent
  return choice;
}

void prepare_for_auto(const PreparedEquation& equation) {
  if (equation.device) {
    if (!equation.tied) give_levels(equation, true);
    if (!solve_on_device(equation.residual, equation.device, equation.divided).method.empty()) return;
  }
  for (const SolverData& data : solver_data)
    if (!equation.tied || data.of_tied) data.give(equation, true);
}

bool prepare_for(const LinearMethod& method, const PreparedEquation& equation) {
  if (equation.device && !equation.divided) {
    if (method.by_cudss) keep_matrix_on_device(equation.residual, equation.device);  // cuDSS reads values where kernels leave them
    if (method.name == "cg_p_multigrid") use_p_multigrid(equation.residual, equation.device);
  }
  return std::ranges::all_of(solver_data, [&](const SolverData& data) { return data.needs != method.needs || data.give(equation, false); });
}

bool supports_tied_unknowns(const LinearMethod& method) {
  return std::ranges::none_of(solver_data, [&](const SolverData& data) { return data.needs == method.needs && !data.of_tied; });
}

bool uses_cudss(const LinearMethod* method, const PreparedEquation& equation) {
  if (method) return method->by_cudss || (method->name == "cg_p_multigrid" && equation.device);
  return equation.device && device_solver(equation.residual, *equation.device, equation.divided).by_cudss;
}

}  // namespace invar
