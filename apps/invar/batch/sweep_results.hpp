#pragma once
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/invar/batch/sweep.hpp"
#include "apps/invar/report/run_state.hpp"

namespace invar {

/// Results of the runs of a sweep, or of a folder with runs of several specs, one row per run.
struct SweepResults {
  struct Row {
    Sweep::Point point;
    std::string spec;  // as given to the run, or to its sweep
    RunState state;
    std::map<std::string, double> numbers;  // of results.json by path, of a run that is done or has failed with results
  };

  Sweep sweep;  // of several specs: its inputs are those of all sweeps, everything else is empty
  std::vector<Row> rows;
  std::vector<std::string> columns;  // reported numbers, objective first where there is one, then fit.NAME.value; of several specs in turn

  /// Throws IoError where there are no runs.
  static SweepResults read(const std::filesystem::path& folder);
  bool of_one_sweep() const { return !sweep.spec.empty(); }

  /// index, name (of several specs: name, spec), swept values, columns, state, exit_code, seconds, reason. RFC 4180; what is missing is empty.
  std::string csv() const;
  /// Summary of the finished runs: how many there are, and of a sweep statistics of the columns for random inputs, Sobol indices for Saltelli's points, the run with
  /// the least objective, models compared by their evidence, the Pareto set.
  nlohmann::ordered_json summary() const;
};

/// The summary as text.
std::vector<std::string> summary_lines(const nlohmann::ordered_json& summary);

}  // namespace invar
