#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "libadjoint/petsc.hpp"
#include "libadjoint/solve/solve_monitor.hpp"

namespace invar {

/// Convergence test of Krylov iterations. They end at the target residual, or early where the convergence rate so far
/// shows that they will not reach it within `limit` iterations: after the fraction s of `limit`, ln ‖r‖ must have
/// decreased by the fraction s^power of the wanted decrease. The rate is tested from iteration `tested_from` on.
/// `give_up`, if given, is called with the number of iterations done and the number still expected, and may end them;
/// `stop` is called every few iterations and may end them too.
struct KrylovStoppingTest {
  double target;
  int limit = 0;
  int tested_from = 2;
  double power = 1;
  std::function<bool(int iterations, double expected)> give_up{};  // collective; may not throw
  std::function<bool()> stop{};                                    // likewise
  SolveMonitor* monitor = nullptr;
  std::string_view method{};
  double right_hand_side = 1;  // norm of the right-hand side
  bool gave_up = false;
  double start = 0;
  std::vector<double> norms{};

  /// Function for KSPSetConvergenceTest; its context is a KrylovStoppingTest.
  static PetscErrorCode test(KSP ksp, PetscInt iteration, PetscReal norm, KSPConvergedReason* reason, void* context);

 private:
  double expected() const;
};

}  // namespace invar
