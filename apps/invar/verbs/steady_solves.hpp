#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "libadjoint/static_case.hpp"

namespace invar {

/// How the equations of steady flow were solved last: every iterate of Newton's method and in pseudo-time, by case.
class SteadySolves {
 public:
  /// `problem` must outlive it.
  explicit SteadySolves(Problem& problem);
  /// Records every solve from now on, after what `on_step` of the cases already does.
  void listen();

  /// Of the last solve of a case: steps in pseudo-time and of Newton's method, the first and the last CFL number, trial
  /// points that were refused, the residual that is left; null where it is no steady flow, or nothing was solved.
  nlohmann::ordered_json report(int case_index) const;
  /// steps/CASE.csv: the iterates of the last solves; CFL inf: Newton's method.
  void write_steps(const RunFolder& folder) const;

 private:
  struct Watched {
    StaticCase* process = nullptr;  // null: no steady flow
    std::vector<double> times;
    std::vector<NewtonReport> solves;  // by load step

    /// A residual of a solve relative to the forces.
    double relative(const NewtonReport& solve, double residual) const;
  };
  std::vector<Watched> watched_;  // per case
  std::vector<std::string> names_;
};

/// What a report says, in a line of text; empty where Newton's method was enough.
std::string solve_line(const nlohmann::ordered_json& report);

}  // namespace invar
