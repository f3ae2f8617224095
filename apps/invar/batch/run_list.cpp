#include "apps/invar/batch/run_list.hpp"

#include <algorithm>

#include "apps/invar/report/io_error.hpp"
#include "libfem/io/folder_entries.hpp"

namespace invar {
namespace {

namespace fs = std::filesystem;

/// prefix: before the names of the runs.
void list_sweep(const fs::path& folder, const std::string& prefix, std::vector<ListedRun>& runs) {
  for (Sweep::Point& p : Sweep::read(folder).points) runs.push_back({Sweep::run_of(folder, p), prefix + p.name, folder, std::move(p)});
}

}  // namespace

bool holds_run(const fs::path& folder) {
  std::error_code none;
  return fs::exists(folder / "run.json", none);
}

std::vector<ListedRun> runs_in(const fs::path& folder) {
  std::vector<ListedRun> runs;
  if (Sweep::is_one(folder)) {
    list_sweep(folder, "", runs);
    return runs;
  }
  std::error_code none;
  std::vector<fs::path> entries = entries_of(folder, none);
  std::ranges::sort(entries);
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    if (holds_run(entry)) runs.push_back({entry, name, {}});
    if (Sweep::is_one(entry)) list_sweep(entry, name + '/', runs);
  }
  if (runs.empty()) throw IoError("'" + folder.string() + "' is neither the folder of a run nor of a sweep, and contains none");
  return runs;
}

}  // namespace invar
