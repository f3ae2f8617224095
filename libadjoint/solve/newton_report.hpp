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
  std::vector<int> refused;         // per accepted step: rejected trial points before it
  std::vector<double> cfl;          // CFL numbers of the first steps, if damped by pseudo-time
  std::vector<int> limited;         // per such step: entries of the transported component whose change was limited
  int inadmissible = 0;             // trial points that were inadmissible
  int linear_iterations = 0;        // Krylov iterations of all steps
  std::vector<std::pair<std::string, int>> linear_methods;  // the same by linear method, in the order of use
  bool at_floor = false;            // converged down to round-off
  bool negative_curvature = false;  // an indefinite tangent occurred
  std::string reason;               // why converged or not
  std::string detour;               // why the first guess failed, if another one converged
  SolveReport linear;               // of the last linear solve

  /// Whether the start or a trial point was inadmissible, so that the last iterate may tell what fails.
  bool met_inadmissible() const { return residuals.empty() || inadmissible > 0; }

  /// Prepends the iterates of an earlier solve whose result was the start of this one. Counts of iterations do not
  /// change.
  void begin_with(const NewtonReport& first) {
    if (first.residuals.empty()) return;
    const auto before = [](auto& all, const auto& some) { all.insert(all.begin(), some.begin(), some.end()); };
    if (!residuals.empty()) residuals.erase(residuals.begin());  // equals the last one of `first`
    before(residuals, first.residuals);
    before(steps, first.steps);
    before(refused, first.refused);
    before(cfl, first.cfl);
    before(limited, first.limited);
  }

  /// Adds the iterations of a linear solve to the counts of its methods.
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
