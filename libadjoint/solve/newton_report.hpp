#pragma once
#include <string>
#include <utility>
#include <vector>

#include "libadjoint/solve/solve_report.hpp"

namespace invar {

/// Result of one nonlinear solve.
struct NewtonReport {
  bool converged = false;
  int iterations = 0;               // accepted steps
  std::vector<double> residuals;    // ‖r‖ at the start and after every accepted step
  std::vector<double> steps;        // accepted step lengths, 1 = full
  std::vector<int> refused;         // of each accepted step: trial points before it that were not taken
  std::vector<double> cfl;          // of pseudo-time, in the first steps, which were damped by it
  int inadmissible = 0;             // trial points that were inadmissible
  int linear_iterations = 0;        // Krylov iterations of all steps
  std::vector<std::pair<std::string, int>> linear_methods;  // the same by back end, in the order of use
  bool at_floor = false;            // converged to what rounding leaves
  bool negative_curvature = false;  // an indefinite tangent occurred
  std::string reason;               // why converged or not
  std::string detour;               // why the first guess failed, where another one converged
  SolveReport linear;               // of the last linear solve

  /// Puts the iterates of a solve that led to the start of this one before its own. Counts of iterations stay.
  void begin_with(const NewtonReport& first) {
    if (first.residuals.empty()) return;
    const auto before = [](auto& all, const auto& some) { all.insert(all.begin(), some.begin(), some.end()); };
    if (!residuals.empty()) residuals.erase(residuals.begin());  // the last one of `first`
    before(residuals, first.residuals);
    before(steps, first.steps);
    before(refused, first.refused);
    before(cfl, first.cfl);
  }

  /// Adds the iterations of a linear solve to the counts of its back ends.
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
