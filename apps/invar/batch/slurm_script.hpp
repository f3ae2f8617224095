#pragma once
#include <string>
#include <vector>

namespace invar {

/// A batch script for Slurm: one run, or one of each task of an array.
struct SlurmScript {
  std::string about;                   // a comment, one line
  std::string name;                    // of the job
  std::string folder;                  // where it begins, absolute
  std::string output;                  // of the job: a path pattern of sbatch, absolute
  std::vector<std::string> command;    // of one run; arguments of the task follow where there are tasks
  std::vector<std::string> petsc_options;
  std::vector<int> tasks;              // ascending; empty: a single run. Their arguments are "--task" and the number, unless given:
  std::vector<std::vector<std::string>> arguments;  // of each task
  int most_at_once = 0;                // of the tasks; 0: no limit
  int ranks = 1;                       // of each run
  std::string time;                    // limit of each run; empty: the partition's

  /// The script. Two minutes before its time limit, or when it is preempted, a run receives SIGUSR1, ends with exit
  /// code 75 and is requeued. SIGTERM, by which jobs are cancelled, ends it in the same way without requeueing it.
  std::string text() const;
};

/// "1-4,7,9-12".
std::string ranges_text(const std::vector<int>& ascending);

}  // namespace invar
