#include <iostream>

#include "apps/invar/batch/together.hpp"
#include "apps/invar/problem/problem_batch.hpp"
#include "apps/invar/verbs/exit_code_of.hpp"
#include "apps/invar/verbs/prepared_run.hpp"
#include "apps/invar/verbs/remaining_work.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {
namespace {

bool on_first_rank() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank == 0;
}

/// Works on runs that begin, in lockstep where their problems allow it, else one after the other. Returns the first code that is not `ok`.
/// Errors are complaints, and do not concern the other runs.
ExitCode work_on(std::vector<std::unique_ptr<PreparedRun>>& runs) {
  ExitCode worst = ExitCode::ok;
  const auto complain = [&](const std::exception& e, ExitCode code) {
    if (worst == ExitCode::ok) worst = code;
    if (on_first_rank()) std::cerr << e.what() << std::endl;
  };
  const auto work = [&](int k) {
    PreparedRun& run = *runs[static_cast<std::size_t>(k)];
    try {
      const ExitCode code = run.execute();
      run.leave();
      if (worst == ExitCode::ok) worst = code;
    } catch (const std::exception& e) {
      run.leave();
      complain(e, exit_code_of(e, !run.session().line().petsc_options.empty()));
    }
  };
  std::unique_ptr<ProblemBatch> batch;
  std::string why_not;
  if (runs.size() > 1) {
    std::vector<Problem*> problems;
    for (const auto& run : runs) problems.push_back(&run->session().problem());
    try {
      batch = ProblemBatch::of(problems, PETSC_COMM_WORLD, why_not);
    } catch (const std::exception& e) {
      why_not = e.what();
    }
    if (!batch && on_first_rank()) std::cerr << together_note << why_not << "; these runs are worked on one after the other" << std::endl;
  }
  if (batch) {
    for (const auto& run : runs) run->session().note_together(static_cast<int>(runs.size()));
    const bool speaks = on_first_rank() && runs[0]->session().line().verbosity > 0;
    batch->run(work);
    const StaticBatch::Counts counts = batch->solves().counts();
    if (speaks)
      std::cout << "  together: " << counts.equilibria << " equilibria and " << counts.adjoints << " adjoints, " << counts.refused << " more alone"
                << (counts.refused > 0 ? ", the last for " + batch->solves().last_refusal() : std::string()) << std::endl;
  } else {
    for (std::size_t k = 0; k < runs.size(); ++k) work(static_cast<int>(k));
  }
  batch.reset();
  while (!runs.empty()) runs.pop_back();  // the first `Interruption` ends last
  return worst;
}

}  // namespace

ExitCode run_together(const std::vector<CommandLine>& lines) {
  ExitCode worst = ExitCode::ok;
  std::vector<std::unique_ptr<PreparedRun>> begin;
  std::vector<const CommandLine*> others;
  for (const CommandLine& line : lines) try {
      if (RemainingWork::of(line, PETSC_COMM_WORLD).kind == RemainingWork::Kind::whole) begin.push_back(prepare_run(line));
      else others.push_back(&line);
    } catch (const std::exception& e) {  // a mistake in this spec: the same on every rank
      if (worst == ExitCode::ok) worst = exit_code_of(e, !line.petsc_options.empty());
      if (on_first_rank()) std::cerr << e.what() << std::endl;
    }
  if (const ExitCode code = work_on(begin); worst == ExitCode::ok) worst = code;
  for (const CommandLine* line : others)
    if (const ExitCode code = run(*line); worst == ExitCode::ok) worst = code;
  return worst;
}

}  // namespace invar
