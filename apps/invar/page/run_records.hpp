#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/invar/page/run_files.hpp"
#include "apps/invar/report/run_state.hpp"
#include "apps/invar/spec/node.hpp"

namespace invar {

/// Input of the sections of a run's report.
struct RunRecords {
  explicit RunRecords(const std::filesystem::path& folder);

  std::filesystem::path folder;
  nlohmann::ordered_json run, results, certificate;
  NumberTable history;
  RunState state;
  std::optional<spec::Node> spec;  // resolved.yaml

  /// The text of a value of the spec by its path, "physics.type"; empty where there is none.
  std::string asked(const std::string& path) const;
  /// The node itself; nullptr.
  const spec::Node* find(const std::string& path) const;
  /// How many stages the search has, each with an objective of its own; 1 without any.
  std::size_t stages() const;
  /// Of each case what run.json says of its physics: {type, methods, sources, deformation}; empty in folders of versions before 0.2.0.
  std::vector<nlohmann::ordered_json> physics() const;
  bool is_search() const { return results.contains("optimizer") || history.rows() > 0; }
};

/// A number with six digits; "–" for other values.
std::string shown(const nlohmann::ordered_json& value);
std::string shown(double value);
/// "1 process", "4 processes".
std::string processes(const RunRecords& run);
/// 0.123 as "12.3 %".
std::string percent(double share);

}  // namespace invar
