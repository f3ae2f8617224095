#pragma once
#include <memory>

#include "libadjoint/solve/solve_monitor.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Initial guess of a steady second-order flow: the solution of the same problem on linear stabilised elements of the
/// same mesh, with a third of the unknowns and a tenth of the cost. For StaticCase::guess.
class LinearStart {
 public:
  /// Number of unknowns from which it pays off.
  static constexpr long long worthwhile = 20000;

  /// `linear`: the problem on linear elements, with the same controls in the same order; `dofs`: space of the result.
  /// `start`: load parameter at rest.
  LinearStart(std::shared_ptr<FormResidual> linear, std::shared_ptr<const DofMap> dofs, double start);

  /// Collective. Returns false, with u unchanged, if the linear problem was not solved.
  bool operator()(const Controls& d, double t, Vec u, const std::shared_ptr<SolveMonitor>& monitor) const;

 private:
  std::shared_ptr<FormResidual> linear_;
  std::shared_ptr<const DofMap> dofs_;
  double start_;
};

}  // namespace invar
