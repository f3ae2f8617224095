#include <iostream>

#include "apps/invar/batch/sweep_results.hpp"
#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {

ExitCode collect(const CommandLine& line) {
  using nlohmann::ordered_json;
  const SweepResults results = SweepResults::read(line.spec);
  const ordered_json summary = results.summary();
  const bool one = results.of_one_sweep();
  const std::filesystem::path table = line.spec / (one ? "sweep.csv" : "runs.csv");
  write_atomically(table, results.csv());
  if (one) write_atomically(line.spec / "summary.json", summary.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n');
  for (const std::string& text : summary_lines(summary)) std::cout << text << '\n';
  std::cout << "written to '" << table.string() << (one ? "' and summary.json beside it\n" : "'\n");
  return ExitCode::ok;
}

}  // namespace invar
