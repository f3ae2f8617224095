#include "apps/invar/chart/wall_chart.hpp"
#include "apps/invar/page/run_sections.hpp"

namespace invar {

void add_walls(const RunRecords& run, HtmlPage& page) {
  bool first = true;
  for (const std::filesystem::path& file : files_in(run.folder / "walls", ".csv")) {
    const NumberTable table = numbers_in(file);
    for (const WallChart& c : wall_charts(file.stem().string(), table.columns, table.data)) {
      if (first) page.section("Walls");
      first = false;
      page.subsection(c.chart.title);
      page.chart(c.chart, c.chart.description, file.filename().string(), table.text);
    }
  }
}

}  // namespace invar
