#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "apps/invar/report/run_lock.hpp"
#include "apps/invar/report/run_record.hpp"

namespace invar {

/// The folder that a run writes, locked while it does. It is recognised by its run.json, which should be the first file
/// written. Call on one rank only.
class RunFolder {
 public:
  /// Makes the folder, its parents too. An earlier run (it holds a run.json of invar) is moved
  /// aside and goes once the new run has written its own run.json; an empty folder is taken;
  /// anything else in the place throws IoError. So does an earlier run's folder that holds one of
  /// `inputs`, the files this run reads. A run that is at work there throws BusyError. Nothing has
  /// changed on disk after a throw. `on_loss`: see RunLock.
  explicit RunFolder(std::filesystem::path folder, const std::vector<std::filesystem::path>& inputs = {},
                     std::function<void()> on_loss = {});
  /// The folder of a run to be continued. Incomplete files are removed, nothing else is changed. Throws IoError if it is not a run
  /// folder or contains symbolic links, BusyError if it is in use.
  struct Existing {
    std::filesystem::path folder;
  };
  explicit RunFolder(const Existing& run, std::function<void()> on_loss = {});
  /// Puts the earlier run back when the new one has written no run.json.
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// results/<spec name>, below the current folder.
  static std::filesystem::path default_for(const std::filesystem::path& spec);

  /// What run.json of a run's folder says. Throws IoError when there is no such folder or record.
  static RunRecord record_in(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path file(std::string_view name) const { return folder_ / name; }
  /// Throws BusyError when another process has taken over.
  void require_own() const { lock_->require(); }
  /// Makes `name`/ inside, e.g. "fields".
  std::filesystem::path subfolder(std::string_view name) const;

  /// Writes a file atomically; "fields/a.vtu" makes the folder. Throws IoError.
  void write(std::string_view name, std::string_view content) const;
  /// The same for JSON: two spaces, numbers with full precision, not-a-number as null. Writing
  /// run.json removes the earlier run.
  void write_json(std::string_view name, const nlohmann::ordered_json& content);

 private:
  void require_free(const std::string& shown, const std::vector<std::filesystem::path>& inputs) const;
  std::vector<std::filesystem::path> entries() const;
  void move_earlier_aside();

  std::filesystem::path folder_;
  std::optional<RunLock> lock_;
  bool has_earlier_ = false;  // a run that has been moved aside
};

}  // namespace invar
