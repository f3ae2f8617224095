#include "apps/invar/report/run_folder.hpp"

#include <algorithm>
#include <fstream>

#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/report/io_error.hpp"
#include "libfem/io/folder_entries.hpp"

namespace invar {
namespace {

namespace fs = std::filesystem;

constexpr const char* earlier = ".earlier";  // folder within, where the earlier run is until the new one has begun

bool inside(const fs::path& file, const fs::path& folder) {
  const fs::path f = fs::weakly_canonical(file), d = fs::weakly_canonical(folder);
  return std::mismatch(d.begin(), d.end(), f.begin(), f.end()).first == d.end();
}

/// Whether run.json was written by this program. Without this check a mistake in --out could delete other data.
bool is_run(const nlohmann::json& record) {
  return record.is_object() && record.value("program", nlohmann::json()) == "invar";
}

nlohmann::json parsed(const fs::path& file) {
  std::error_code code;
  if (!fs::is_regular_file(file, code)) return {};  // a pipe would be waited for
  std::ifstream in(file);
  return nlohmann::json::parse(in, nullptr, false);
}

/// A name under which `write_atomically` of a process that was killed had begun to write.
bool is_half_written(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  return name.starts_with('.') && end != std::string::npos && end + 1 < name.size() && name.substr(0, end + 1).ends_with(".part");
}

/// Removes incomplete files of killed runs.
void remove_parts(const fs::path& folder) {
  std::error_code code;
  for (const fs::path& file : entries_below(folder, code))
    if (is_half_written(file.filename().string()) && fs::is_regular_file(file, code)) fs::remove(file, code);
}

/// Refuses links in a run's folder, which would redirect output; the program creates none.
void refuse_links(const fs::path& folder) {
  std::error_code code;
  for (const fs::path& file : entries_below(folder, code))
    if (fs::is_symlink(file, code))
      throw IoError("'" + file.string() + "' is a symbolic link, and a run writes into its own folder only; remove it");
}

fs::path cleaned(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

}  // namespace

RunFolder::RunFolder(fs::path folder, const std::vector<fs::path>& inputs, std::function<void()> on_loss) {
  const std::string shown = '\'' + folder.string() + '\'';
  try {
    folder_ = cleaned(folder);
    require_free(shown, inputs);
    fs::create_directories(folder_);
    lock_.emplace(folder_, std::move(on_loss));
    remove_parts(folder_);
    require_free(shown, inputs);  // nor did anybody write there meanwhile
    move_earlier_aside();
  } catch (const fs::filesystem_error& e) {
    throw IoError("cannot make the run folder " + shown + ": " + e.code().message());
  }
}

RunFolder::RunFolder(const Existing& run, std::function<void()> on_loss) : folder_(cleaned(run.folder)) {
  record_in(run.folder);
  refuse_links(folder_);
  lock_.emplace(folder_, std::move(on_loss));
  remove_parts(folder_);
}

/// The place must be empty, or hold a run that is not at work and no input of this one.
void RunFolder::require_free(const std::string& shown, const std::vector<fs::path>& inputs) const {
  if (fs::exists(folder_) && !fs::is_directory(folder_)) throw IoError(shown + " is a file; a run needs a separate folder");
  if (entries().empty()) return;
  if (!is_run(parsed(folder_ / "run.json")) && !fs::exists(folder_ / earlier))
    throw IoError(shown + " contains files that do not belong to a run; choose another --out");
  for (const fs::path& input : inputs)
    if (inside(input, folder_))
      throw IoError(shown + " holds '" + input.string() + "', which this run reads; choose another --out");
}

/// All but the lock, what has been moved aside, and what a killed run had half written.
std::vector<fs::path> RunFolder::entries() const {
  std::vector<fs::path> out;
  for (const fs::path& file : entries_of(folder_))
    if (!RunLock::is_part(file) && file.filename() != earlier && !is_half_written(file.filename().string())) out.push_back(file);
  return out;
}

/// Moves the earlier run into a folder within, its run.json last: where that has arrived, all has. A process that was
/// killed on the way is continued.
void RunFolder::move_earlier_aside() {
  const fs::path aside = folder_ / earlier;
  // the run after it had begun
  if (fs::exists(aside / "run.json") && fs::exists(folder_ / "run.json")) fs::remove_all(aside);
  std::vector<fs::path> files = entries();
  if (files.empty() && !fs::exists(aside)) return;
  fs::create_directories(aside);
  std::ranges::stable_partition(files, [](const fs::path& f) { return f.filename() != "run.json"; });
  for (const fs::path& f : files) fs::rename(f, aside / f.filename());
  has_earlier_ = true;
}

RunRecord RunFolder::record_in(const fs::path& folder) {
  const std::string shown = '\'' + folder.string() + '\'';
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) throw IoError("there is no folder " + shown);
  if (!fs::is_directory(folder, ignored)) throw IoError(shown + " is a file, not the folder of a run");
  const nlohmann::json record = parsed(folder / "run.json");
  if (!is_run(record)) throw IoError(shown + " is not the folder of a run: it has no run.json of invar");
  try {
    return RunRecord::read(record);
  } catch (const nlohmann::json::exception&) {
    throw IoError("'" + (folder / "run.json").string() + "' is damaged");
  }
}

RunFolder::~RunFolder() {
  if (!has_earlier_) return;
  std::error_code code;
  const fs::path aside = folder_ / earlier;
  try {
    for (const fs::path& f : entries()) fs::remove_all(f);
    for (const fs::path& f : entries_of(aside)) fs::rename(f, folder_ / f.filename());
  } catch (const std::exception&) {  // what is left aside stays there
    return;
  }
  fs::remove(aside, code);
}

fs::path RunFolder::default_for(const fs::path& spec) { return fs::path("results") / spec.stem(); }

fs::path RunFolder::subfolder(std::string_view name) const {
  std::error_code code;
  fs::create_directories(folder_ / name, code);
  if (code) throw IoError("cannot make '" + (folder_ / name).string() + "': " + code.message());
  return folder_ / name;
}

void RunFolder::write(std::string_view name, std::string_view content) const {
  const fs::path parent = fs::path(name).parent_path();
  if (!parent.empty()) subfolder(parent.string());
  write_atomically(folder_ / name, content);
}

void RunFolder::write_json(std::string_view name, const nlohmann::ordered_json& content) {
  using nlohmann::ordered_json;
  const std::string text =
      content.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
  write(name, text);
  if (name != "run.json" || !has_earlier_) return;
  std::error_code ignored;  // remains of the earlier run are harmless
  fs::remove_all(folder_ / earlier, ignored);
  has_earlier_ = false;
}

}  // namespace invar
