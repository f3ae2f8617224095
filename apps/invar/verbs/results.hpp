#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "apps/invar/verbs/posterior.hpp"
#include "apps/invar/verbs/prediction.hpp"
#include "apps/invar/verbs/process_accuracy.hpp"
#include "apps/invar/verbs/steady_solves.hpp"
#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/optimize/optimizer.hpp"
#include "libfem/io/pvd_series.hpp"
#include "libfem/io/vtk_field.hpp"

namespace invar {

/// Results of a run other than its states.
struct RunResults {
  const OptimizerResult* optimum;    // null where nothing was looked for
  const Uncertainty* uncertainty;    // null where nothing was inferred
  const Posterior* posterior;        // null where no field has a prior
  const std::vector<Prediction>&predictions, &of_probes;
  ProcessAccuracy& trust;
  const SteadySolves& solves;
};

/// The content of results.json. Collective.
nlohmann::ordered_json collect_results(Problem& problem, const DesignVector& theta, const RunResults& findings);

/// Compares results with the spec's section `expect`: one line per quantity that is not as expected. Quantities are paths in results.json joined by dots.
std::vector<std::string> unmet_expectations(const spec::Value& spec, const nlohmann::ordered_json& results);

/// Makes a folder and its parents. Throws IoError on all ranks. Collective.
std::filesystem::path made_folder(const std::filesystem::path& folder);
/// A VTK file of the case's mesh as it is now: its nodes may be designed. Collective.
std::filesystem::path write_case_fields(const CaseModel& model, const std::filesystem::path& stem, const std::vector<VtkField>& fields);
/// Sensitivities of the objective of a case: to designed constants of materials, `dJ_d_…` per undeformed volume, and to the
/// position of a designed boundary, `shape_gradient` per area; at the last states. Collective.
std::vector<VtkField> sensitivity_fields(Problem& problem, int case_index);

/// For an interrupted run: writes the fields of each case's last solved state or, if `output.fields` is `all`, of all states in memory. Returns their
/// number. Collective.
int write_solved_states(Problem& problem, const std::filesystem::path& folder);
/// The states of the cases at their end, as `output.states` wants; `folder`: of the run, null but on rank 0. Collective.
void write_states(Problem& problem, const RunFolder* folder);
/// VTK files of the cases' states, as `output.fields` wants; returns each case's file of the last step
/// (none at all where no fields are wanted). posterior: may be null. Collective.
std::vector<std::filesystem::path> write_fields(Problem& problem, const std::filesystem::path& folder, const Posterior* posterior = nullptr);
/// The same of the last step alone, named after the start of an optimisation. Collective.
std::vector<std::filesystem::path> write_start_fields(Problem& problem, const std::filesystem::path& folder);

/// Whether the spec asks for pictures, or for a report, which has some of its own choice.
bool wants_pictures(const Problem& problem);
/// Renders the PNG files that are wanted from each case's file of fields, as pictures/NAME`suffix`.png. Returns error messages:
/// pictures never fail a run. On one rank.
std::vector<std::string> render_pictures(const Problem& problem, const std::vector<std::filesystem::path>& fields,
                                         const std::filesystem::path& folder, const std::string& suffix);

/// VTK files of accepted iterates, where `output.fields` is `iterations`. Collective.
class IterationFields {
 public:
  IterationFields(Problem& problem, std::filesystem::path folder);
  void add(int iteration, const DesignVector& theta);
  /// Lists the files again that an interrupted run has written of the iterations up to `last`.
  void restore(int last);

 private:
  Problem& problem_;
  std::filesystem::path folder_;
  bool wanted_;
  std::vector<PvdSeries> series_;  // per case
};

}  // namespace invar
