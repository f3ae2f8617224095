#include "apps/invar/report/run_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/report/io_error.hpp"

namespace invar {
namespace {

namespace fs = std::filesystem;

bool inside(const fs::path& file, const fs::path& folder) {
  const fs::path f = fs::weakly_canonical(file), d = fs::weakly_canonical(folder);
  return std::mismatch(d.begin(), d.end(), f.begin(), f.end()).first == d.end();
}

/// Without this check a slip in --out could cost somebody's data: whether run.json is one of this program.
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
bool is_part(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  return name.starts_with('.') && end != std::string::npos && end + 1 < name.size() && name.substr(0, end + 1).ends_with(".part");
}

/// What killed runs have left half written.
void remove_parts(const fs::path& folder) {
  std::error_code code;
  std::vector<fs::path> parts;
  for (fs::recursive_directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    if (is_part(at->path().filename().string()) && at->is_regular_file(code)) parts.push_back(at->path());
  for (const fs::path& part : parts) fs::remove(part, code);
}

/// A link in a run's folder would lead what is written somewhere else: the program makes none.
void refuse_links(const fs::path& folder) {
  std::error_code code;
  for (fs::recursive_directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    if (at->is_symlink(code))
      throw IoError("'" + at->path().string() + "' is a symbolic link, and a run writes into its own folder alone; remove it");
}

/// A run that was killed before its first file was whole leaves nothing else.
bool holds_nothing(const fs::path& folder) {
  const fs::directory_iterator files(folder);
  return std::all_of(begin(files), end(files), [](const fs::directory_entry& f) { return is_part(f.path().filename().string()); });
}

fs::path cleaned(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

}  // namespace

RunFolder::RunFolder(fs::path folder, const std::vector<fs::path>& inputs) {
  const std::string shown = '\'' + folder.string() + '\'';
  try {
    folder_ = cleaned(folder);
    if (fs::exists(folder_) && !fs::is_directory(folder_))
      throw IoError(shown + " is a file; a run needs a folder of its own");
    if (fs::exists(folder_) && holds_nothing(folder_)) {
      remove_parts(folder_);
    } else if (fs::exists(folder_)) {
      if (!is_run(parsed(folder_ / "run.json")))
        throw IoError(shown + " holds files that are not those of a run; choose another --out");
      for (const fs::path& input : inputs)
        if (inside(input, folder_))
          throw IoError(shown + " holds '" + input.string() +
                        "', which this run reads; choose another --out");
      const fs::path aside = folder_.parent_path() / ('.' + folder_.filename().string() +
                                                      ".earlier" + std::to_string(::getpid()));
      fs::rename(folder_, aside);
      earlier_ = aside;
    }
    fs::create_directories(folder_);
  } catch (const fs::filesystem_error& e) {
    throw IoError("cannot make the run folder " + shown + ": " + e.code().message());
  }
}

RunFolder::RunFolder(const Existing& run) : folder_(cleaned(run.folder)) {
  record_in(run.folder);
  refuse_links(folder_);
  remove_parts(folder_);
}

RunRecord RunFolder::record_in(const fs::path& folder) {
  const std::string shown = '\'' + folder.string() + '\'';
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) throw IoError("there is no folder " + shown);
  if (!fs::is_directory(folder, ignored)) throw IoError(shown + " is a file; a run has a folder of its own");
  const nlohmann::json record = parsed(folder / "run.json");
  if (!is_run(record)) throw IoError(shown + " is not the folder of a run: it has no run.json of invar");
  try {
    return RunRecord::read(record);
  } catch (const nlohmann::json::exception&) {
    throw IoError("'" + (folder / "run.json").string() + "' is damaged");
  }
}

RunFolder::~RunFolder() {
  if (earlier_.empty()) return;
  std::error_code code;
  fs::remove_all(folder_, code);
  fs::rename(earlier_, folder_, code);
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
  if (name != "run.json" || earlier_.empty()) return;
  std::error_code ignored;  // what is left of the earlier run does no harm
  fs::remove_all(earlier_, ignored);
  earlier_.clear();
}

}  // namespace invar
