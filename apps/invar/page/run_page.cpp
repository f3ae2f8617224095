#include "apps/invar/page/run_page.hpp"

#include "apps/invar/page/citations.hpp"
#include "apps/invar/page/run_sections.hpp"
#include "apps/invar/report/io_error.hpp"

namespace invar {

std::string run_page(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / "run.json"))
    throw IoError("'" + folder.string() + "' is neither the folder of a run nor of a sweep: it has no run.json and no sweep.json");
  const RunRecords run(folder);
  std::string title = run.asked("title");
  if (title.empty()) title = folder.filename().string();
  const auto text = [&](const char* key) { return run.run.contains(key) && run.run[key].is_string() ? run.run[key].get<std::string>() : std::string(); };
  HtmlPage page(title, "Report of a run of invar " + text("version") + ", " + text("started"));
  for (const auto add : {add_outcome, add_question, add_parameters, add_weight, add_curves, add_walls, add_pictures, add_search, add_quantities, add_trust,
                         add_methods, add_reproduction}) {
    try {
      add(run, page);
    } catch (const nlohmann::json::exception& e) {
      page.paragraph(std::string("The rest of this section is missing because a file of the run is damaged (") + e.what() + ").");
    }
  }
  return page.html("All numbers are from results.json, history.csv, curves/ and walls/ in the run's folder. The page needs no network access.");
}

std::string run_citations(const std::filesystem::path& folder) {
  const RunRecords run(folder);
  return bibtex(citations_of(run), shown(run.run.value("version", nlohmann::ordered_json())));
}

}  // namespace invar
