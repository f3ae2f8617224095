#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/console.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "apps/invar/verbs/step_numbers.hpp"
#include "libadjoint/time/march_trust.hpp"
#include "libadjoint/time/transient_case.hpp"
#include "libfem/objective/energy_balance.hpp"

namespace invar {

/// Indicators of the accuracy of processes in time: steps taken and rejected, residuals of the steps, drift of an
/// energy that should be constant, and growth of the adjoint. Growth by orders of magnitude over the horizon means that
/// neighbouring trajectories diverge, and gradients do not predict them.
class ProcessAccuracy {
 public:
  /// Before anything is solved. `problem` must outlive it.
  explicit ProcessAccuracy(Problem& problem);
  /// Records every step from now on, after what `on_step` of the cases already does.
  void listen();

  /// Report on the last march of a case and, if there was one, its reverse sweep; null if the case is not a process in time. Collective.
  nlohmann::ordered_json report(int case_index);
  /// By name, of all processes in time; null where there are none. Collective.
  nlohmann::ordered_json reports();
  /// Evaluates the step numbers of the physics at the last states. Collective.
  void note_steps();
  /// steps/CASE.csv of all processes as they were reported last: time, residuals of Newton's method, energies, and `StepNumbers` of
  /// the physics; for load steps the latter only.
  void write_steps(const RunFolder& folder) const;
  /// The same of a march that was interrupted, as far as it came and without energies.
  void write_steps_taken(const RunFolder& folder) const;

 private:
  struct Watched {
    TransientCase* process;
    int horizon;                      // steps that sweeps go back; 0: all
    EnergyBalance energy;
    EnergyHistory history{};          // as it was reported last
    StepResiduals residuals{};        // that Newton's method left
    std::vector<double> adjoint_residuals{};  // by time, of the last sweep that was reported
    std::vector<MarchReport::Trouble> troubles{};
  };
  std::vector<std::unique_ptr<Watched>> watched_;  // per case; null where it is no process in time
  std::vector<StepNumbers> numbers_;             // per case
  std::vector<Measurement::Columns> noted_;      // as they were evaluated last
  std::vector<std::string> names_;
};

/// What `report` says, in lines of text.
std::vector<std::string> trust_lines(const nlohmann::ordered_json& report);

}  // namespace invar
