#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace invar {

/// Content of a state's file after its checksum; nothing if the checksum does not match.
std::optional<std::string_view> checked_content(std::string_view whole);

/// checkpoints/ of a run folder: the two newest states of the run, each a file with a checksum that is
/// there whole or not at all. Call on one rank only.
class CheckpointFolder {
 public:
  explicit CheckpointFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& path() const { return folder_; }

  /// Adds a state and removes all but the last two, and incomplete files of killed runs. Throws IoError.
  void write(std::string_view content);
  /// The newest state whose checksum fits, nothing when there is none. Newer ones that are damaged are
  /// named in `damaged`; the next `write` drops them.
  std::optional<std::string> newest(std::vector<std::string>& damaged) const;

 private:
  std::vector<std::filesystem::path> files() const;

  std::filesystem::path folder_;
};

}  // namespace invar
