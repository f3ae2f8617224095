#include "apps/invar/batch/task_line.hpp"

#include <algorithm>

#include "apps/invar/batch/sweep.hpp"
#include "apps/invar/spec/usage_error.hpp"

namespace invar {

CommandLine task_line(const CommandLine& line, int task) {
  const Sweep sweep = Sweep::read(line.spec);
  const auto point = std::ranges::find(sweep.points, task, &Sweep::Point::index);
  if (point == sweep.points.end())
    throw UsageError("the sweep in '" + line.spec.string() + "' has " + std::to_string(sweep.points.size()) + " runs, but no run " +
                     std::to_string(task));
  CommandLine out = CommandLine::parse(sweep.run_arguments(line.spec, *point));
  if (out.spec.is_relative() && !sweep.directory.empty() && std::filesystem::current_path() != sweep.directory)
    out.spec = std::filesystem::path(sweep.directory) / out.spec;
  out.verbosity = line.verbosity;
  out.expect = line.expect;
  out.rerun = line.rerun;
  out.resume = true;
  if (!line.petsc_options.empty()) out.petsc_options = line.petsc_options;
  return out;
}

}  // namespace invar
