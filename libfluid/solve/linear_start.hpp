#pragma once
#include <memory>

#include "libadjoint/solve/solve_monitor.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Where Newton's method may begin with a steady flow of second order: the solution of the same problem on linear,
/// stabilised elements of the same mesh, which has a third of the unknowns and costs a tenth. For StaticCase::guess.
class LinearStart {
 public:
  /// Unknowns from which on it is worth its cost.
  static constexpr long long worthwhile = 20000;

  /// `linear`: the problem on linear elements, with the same controls in the same order; `dofs`: the space of the
  /// states wanted. `start`: the load parameter at rest.
  LinearStart(std::shared_ptr<FormResidual> linear, std::shared_ptr<const DofMap> dofs, double start);

  /// Collective. False, and u untouched, where the linear problem was not solved.
  bool operator()(const Controls& d, double t, Vec u, const std::shared_ptr<SolveMonitor>& monitor) const;

 private:
  std::shared_ptr<FormResidual> linear_;
  std::shared_ptr<const DofMap> dofs_;
  double start_;
};

}  // namespace invar
