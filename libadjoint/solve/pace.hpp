#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "libadjoint/petsc.hpp"
#include "libadjoint/solve/solve_monitor.hpp"

namespace invar {

/// When Krylov iterations end: at the wanted residual or, where `limit` is given, as soon as their pace
/// so far, from iteration `judged_from` on, tells that so many will not do: after the share s of them ln ‖r‖ should
/// have fallen by the share s^power. Where there is `give_up`, it is asked with the number of iterations that are still
/// to be expected; and the monitor, every few iterations, whether all shall end.
struct Pace {
  double target;
  int limit = 0;
  int judged_from = 2;
  double power = 1;
  std::function<bool(int iterations, double expected)> give_up{};  // collective; may not throw
  std::function<bool()> stop{};                                    // likewise
  SolveMonitor* monitor = nullptr;
  std::string_view method{};
  double right_hand_side = 1;  // its norm
  bool gave_up = false;
  double start = 0;
  std::vector<double> norms{};

  /// For KSPSetConvergenceTest, with a Pace as context.
  static PetscErrorCode test(KSP ksp, PetscInt iteration, PetscReal norm, KSPConvergedReason* reason, void* pace);

 private:
  double expected() const;
};

}  // namespace invar
