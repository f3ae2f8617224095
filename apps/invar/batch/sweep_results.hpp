#pragma once
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/invar/batch/sweep.hpp"
#include "apps/invar/report/run_state.hpp"

namespace invar {

/// Results of the runs of a sweep, one row per run.
struct SweepResults {
  struct Row {
    Sweep::Point point;
    RunState state;
    std::map<std::string, double> numbers;  // of results.json by path, of a run that is done or has failed with results
  };

  Sweep sweep;
  std::vector<Row> rows;
  std::vector<std::string> columns;  // reported numbers, objective first where there is one, then fit.NAME.value

  static SweepResults read(const std::filesystem::path& folder);

  /// index, name, swept values, columns, exit_code, seconds, reason. RFC 4180; what is missing is empty.
  std::string csv() const;
  /// Summary of the finished runs: statistics of the columns for random inputs, Sobol indices for Saltelli's points, the run with
  /// the least objective, models compared by their evidence, the Pareto set.
  nlohmann::ordered_json summary() const;
};

/// The summary as text.
std::vector<std::string> summary_lines(const nlohmann::ordered_json& summary);

}  // namespace invar
