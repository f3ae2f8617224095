#include <iostream>

#include "apps/invar/batch/run_list.hpp"
#include "apps/invar/page/run_page.hpp"
#include "apps/invar/page/run_records.hpp"
#include "apps/invar/page/sweep_page.hpp"
#include "apps/invar/picture/picture.hpp"
#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {
namespace {

/// The last file that a series names; empty: none.
std::filesystem::path last_of(const std::filesystem::path& pvd) {
  const std::string text = text_of(pvd), before = "file=\"";
  const std::size_t at = text.rfind(before);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + before.size();
  return pvd.parent_path() / text.substr(begin, text.find('"', begin) - begin);
}

/// For a run that drew nothing: the main field of each of its first cases at the end, as pictures/NAME.png.
void draw_main_fields(const std::filesystem::path& folder) {
  constexpr std::size_t most = 4;
  if (!files_in(folder / "pictures", ".png").empty()) return;
  const RunRecords run(folder);
  std::size_t drawn = 0;
  for (const std::filesystem::path& series : files_in(folder / "fields", ".pvd")) {
    const std::string name = series.stem().string();
    const std::filesystem::path fields = last_of(series);
    if (name.ends_with("_iterations") || fields.empty() || drawn == most) continue;
    ++drawn;
    std::error_code none;
    std::filesystem::create_directories(folder / "pictures", none);
    PictureOptions options;
    if (run.run.contains("physics") && run.run["physics"].contains(name)) options.warp = run.run["physics"][name].value("deformation", "");
    if (const std::string reason = render_picture(fields, folder / "pictures" / (name + ".png"), options); !reason.empty())
      std::cout << "warning: no picture of '" << name << "': " << reason << '\n';
  }
}

}  // namespace

ExitCode report(const CommandLine& line) {
  const bool of_run = !Sweep::is_one(line.spec) && holds_run(line.spec);
  if (of_run) draw_main_fields(line.spec);
  const std::string page = of_run ? run_page(line.spec) : sweep_page(line.spec);
  const std::filesystem::path file = line.out.value_or(line.spec / "report.html");
  write_atomically(file, page);
  std::cout << "written to " << file.string() << '\n';
  if (!of_run) return ExitCode::ok;
  const std::filesystem::path sources = line.out ? std::filesystem::path(file).replace_extension(".bib") : line.spec / "citations.bib";
  write_atomically(sources, run_citations(line.spec));
  std::cout << "sources of its methods, as BibTeX: " << sources.string() << '\n';
  return ExitCode::ok;
}

}  // namespace invar
