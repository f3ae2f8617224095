#pragma once
#include <string>
#include <utility>
#include <vector>

#include "libadjoint/solve/solve_report.hpp"

namespace invar {

/// What came of one nonlinear solve.
struct NewtonReport {
  bool converged = false;
  int iterations = 0;               // accepted steps
  std::vector<double> residuals;    // ‖r‖ at the start and after every accepted step
  std::vector<double> steps;        // accepted step lengths, 1 = full
  int inadmissible = 0;             // trial points stepped back from
  int linear_iterations = 0;        // Krylov iterations, all steps together
  std::vector<std::pair<std::string, int>> linear_methods;  // and of each back end, in the order of their use
  bool negative_curvature = false;  // an indefinite tangent was met on the way
  std::string reason;               // why converged or not
  std::string detour;               // why it did not converge from the first guess, where others led there
  SolveReport linear;               // of the last linear solve

  /// Counts the iterations of a linear solve under the names of those that did them.
  void count(const SolveReport& solve) {
    if (!solve.given_up.empty()) count(solve.given_up, solve.given_up_iterations);
    count(solve.method, solve.iterations);
  }

 private:
  void count(const std::string& method, int iterations) {
    linear_iterations += iterations;
    for (auto& [name, sum] : linear_methods)
      if (name == method) {
        sum += iterations;
        return;
      }
    linear_methods.emplace_back(method, iterations);
  }
};

}  // namespace invar
