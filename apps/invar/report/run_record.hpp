#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/invar/spec/exit_codes.hpp"

namespace invar {

/// Content of run.json: command, versions, inputs, times and outcome of a run.
struct RunRecord {
  std::string version;                             // of invar
  std::map<std::string, std::string> libraries;    // name -> version
  std::vector<std::string> command;
  std::string spec;                                // as given
  std::string folder;                              // where it was given
  struct Input {
    std::string file;
    unsigned long long bytes = 0;
    std::string crc32;                             // eight hexadecimal digits
    std::string about = {};                        // the comments that it begins with, of data: often their source
  };
  std::vector<Input> inputs;                       // the spec and all files that it names, as they were read
  nlohmann::ordered_json starts = nullptr;         // states of other runs that cases begin with, by case; null: there are none
  nlohmann::ordered_json physics = nullptr;        // of each case: {type, methods, sources: {METHOD: [KEY]}, deformation}, for reports
  std::string host, processor;                     // name of the machine and model of its processor
  int ranks = 1;
  std::string device = {};                         // that evaluates equations, with its versions; empty: the processor
  int together = 1;                                // runs that its process worked on at once
  unsigned long long seed = 0;
  std::string started, finished;                   // UTC, ISO 8601; finished empty while running
  std::vector<std::string> resumed;                // times of resumptions
  double seconds = 0;                              // of wall clock, without pauses
  long long peak_memory = 0;                       // bytes that the first process held at most
  std::optional<ExitCode> exit_code;               // none while running
  std::string reason;                              // how it ended, as a sentence

  nlohmann::ordered_json json() const;
  /// What run.json says; members that it lacks keep their defaults.
  static RunRecord read(const nlohmann::json& json);
  /// The first processor's model, as Linux knows it; empty elsewhere.
  static std::string this_processor();
  /// The time now, "2024-05-01T12:00:00Z".
  static std::string now();
};

}  // namespace invar
