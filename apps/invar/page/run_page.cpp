#include "apps/invar/page/run_page.hpp"

#include "apps/invar/page/run_sections.hpp"
#include "apps/invar/report/io_error.hpp"

namespace invar {

std::string run_page(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / "run.json"))
    throw IoError("'" + folder.string() + "' is the folder of neither a run nor a sweep: it has no run.json and no sweep.json");
  const RunRecords run(folder);
  std::string title = run.asked("title");
  if (title.empty()) title = folder.filename().string();
  const auto text = [&](const char* key) { return run.run.contains(key) && run.run[key].is_string() ? run.run[key].get<std::string>() : std::string(); };
  HtmlPage page(title, "Report of a run of invar " + text("version") + ", " + text("started"));
  add_outcome(run, page);
  add_question(run, page);
  add_parameters(run, page);
  add_curves(run, page);
  add_pictures(run, page);
  add_search(run, page);
  add_quantities(run, page);
  add_trust(run, page);
  add_methods(run, page);
  add_reproduction(run, page);
  return page.html("All figures are those of results.json, history.csv and curves/ in the run's folder. The page needs no network.");
}

}  // namespace invar
