#include "libfem/device/device_solver.hpp"

#include <algorithm>
#include <string_view>

#include "libadjoint/solve/cudss_library.hpp"
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

}  // namespace invar
