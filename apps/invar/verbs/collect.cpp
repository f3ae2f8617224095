#include <iostream>

#include "apps/invar/batch/sweep_results.hpp"
#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {

ExitCode collect(const CommandLine& line) {
  using nlohmann::ordered_json;
  const SweepResults results = SweepResults::read(line.spec);
  const ordered_json summary = results.summary();
  write_atomically(line.spec / "sweep.csv", results.csv());
  write_atomically(line.spec / "summary.json", summary.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n');
  for (const std::string& text : summary_lines(summary)) std::cout << text << '\n';
  std::cout << "written to '" << (line.spec / "sweep.csv").string() << "' and summary.json beside it\n";
  return ExitCode::ok;
}

}  // namespace invar
