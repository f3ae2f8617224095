#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/invar/spec/verb.hpp"

namespace invar {

/// A time limit in s: minutes, [hours:]minutes:seconds or days-hours[:minutes[:seconds]], as for sbatch. Empty: it is none, or zero.
std::optional<double> time_limit(std::string_view text);

/// `invar VERB SPEC [options] [-- PETSC_OPTIONS...]`, taken apart.
struct CommandLine {
  Verb verb = Verb::none;            // none: only --help or --version
  std::filesystem::path spec;        // of `resume` and `verify` the run folder, of `status` and `collect` a folder, of
                                     // `slurm` and `run --task` perhaps
  // of `schema` a word of `physics.type`, empty: all; of `init` a starter; of `completion` a shell
  std::string word;
  std::vector<std::string> sets;     // "a.b=c", in order
  std::optional<std::filesystem::path> out;
  bool expect = false;
  bool markdown = false;             // of `schema`
  bool man = false;                  // of `schema`
  bool list = false;                 // of `init`
  std::vector<std::string> overs;    // of `sweep`: "a.b=1,2,3"
  int jobs = 0;                      // of `sweep`; 0: as many as processors; of `slurm`; 0: as many as there are
  std::string rerun = "missing";     // of `sweep`, `slurm` and `run --task`: failed, all or missing
  std::vector<int> tasks;            // of `run`: runs of the sweep in the folder `spec`, from 1; empty: none
  bool resume = false;               // of `run`
  int ranks = 1;                     // of `slurm`
  std::string time;                  // of `run`, `resume` and `slurm`, in the format of sbatch; empty: no limit, of `slurm` that of the partition
  bool json = false;                 // of `status`
  int verbosity = 0;                 // -q: -1, -v: 1, -vv: 2
  bool help = false, version = false;
  std::vector<std::string> petsc_options;  // what follows "--"

  /// `arguments` without the program's name. Throws UsageError.
  static CommandLine parse(std::span<const std::string> arguments);
  /// What --help prints.
  static std::string usage();
};

}  // namespace invar
