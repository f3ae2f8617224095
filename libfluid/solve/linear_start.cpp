#include "libfluid/solve/linear_start.hpp"

#include "libadjoint/static_case.hpp"
#include "libfem/space/prolongation.hpp"

namespace invar {

LinearStart::LinearStart(std::shared_ptr<FormResidual> linear, std::shared_ptr<const DofMap> dofs, double start)
    : linear_(std::move(linear)), dofs_(std::move(dofs)), start_(start) {}

bool LinearStart::operator()(const Controls& d, double t, Vec u, const std::shared_ptr<SolveMonitor>& monitor) const {
  LinearSolverOptions linear;
  linear.keep_factors = true;
  linear.rtol = 1e-6;
  LoadSteppingOptions stepping;
  stepping.continued = "the viscosity";
  stepping.newton.rtol = 1e-3;  // the discretisation error of linear elements is larger
  // Factors and matrix of the solver are released at the end of this call.
  StaticCase flow("start", linear_, std::make_shared<LinearSolver>(dofs_->comm(), linear), {t}, start_, stepping);
  flow.set_monitor(monitor);
  if (!flow.run(d).ok) return false;
  check(MatMult(prolongation_from_linear(linear_->dofs(), *dofs_), flow.state(0), u));
  return true;
}

}  // namespace invar
