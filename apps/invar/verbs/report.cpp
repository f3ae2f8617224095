#include <iostream>

#include "apps/invar/batch/sweep.hpp"
#include "apps/invar/page/run_page.hpp"
#include "apps/invar/page/sweep_page.hpp"
#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {

ExitCode report(const CommandLine& line) {
  const std::string page = Sweep::is_one(line.spec) ? sweep_page(line.spec) : run_page(line.spec);
  const std::filesystem::path file = line.out.value_or(line.spec / "report.html");
  write_atomically(file, page);
  std::cout << "written to " << file.string() << '\n';
  return ExitCode::ok;
}

}  // namespace invar
