#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace invar {

/// Content of sweep.json: many runs of one spec.
struct Sweep {
  /// One run.
  struct Point {
    int index = 0;             // from 1
    std::string name;          // "0001", its folder in runs/
    nlohmann::ordered_json set = nlohmann::ordered_json::object();  // path -> value
  };

  std::string spec;                  // as given
  std::string directory;             // absolute working directory of the command; empty: unknown
  std::string version;               // of invar
  std::vector<std::string> command;  // after the program's name
  std::vector<std::string> sets;     // --set of every run
  std::vector<std::string> petsc_options;
  std::string design;
  unsigned long long seed = 0;
  std::vector<std::string> inputs, report;
  nlohmann::ordered_json pareto;     // number of results.json -> "least" or "greatest"; null: none
  int together = 1;                  // runs that one process works on together
  bool compares_models = false;      // the runs are models of the same data
  std::vector<Point> points;

  nlohmann::ordered_json json() const;
  /// Throws IoError when the folder has no sweep.json, or a damaged one.
  static Sweep read(const std::filesystem::path& folder);
  /// Writes sweep.json. Throws IoError.
  void write(const std::filesystem::path& folder) const;
  static bool is_one(const std::filesystem::path& folder);

  /// The run folder of a point.
  static std::filesystem::path run_of(const std::filesystem::path& folder, const Point& point) { return folder / "runs" / point.name; }
  /// Arguments of the program that run a point from its start: run SPEC --set … --out RUNDIR.
  std::vector<std::string> run_arguments(const std::filesystem::path& folder, const Point& point) const;
  /// Arguments that run several points together: run FOLDER --task N,M…
  static std::vector<std::string> group_arguments(const std::filesystem::path& folder, const std::vector<const Point*>& group);
  /// Arguments that continue the run: resume RUNDIR.
  std::vector<std::string> resume_arguments(const std::filesystem::path& folder, const Point& point) const;
};

}  // namespace invar
