#pragma once
#include <filesystem>

#include "apps/invar/batch/sweep.hpp"
#include "apps/invar/spec/command_line.hpp"

namespace invar {

/// The sweep that the spec and the command line ask for. Every point's values are validated by the tables of the spec, and the files
/// that it names must exist. Throws SpecError.
Sweep planned_sweep(const CommandLine& line);

/// --out, or results/<spec name>_sweep.
std::filesystem::path sweep_folder(const CommandLine& line);

/// Makes the folder. Throws IoError where it holds something else, UsageError where it holds runs of another sweep,
/// unless all begin `anew`.
void prepare_sweep(const std::filesystem::path& folder, const Sweep& sweep, bool anew);

/// Writes the plan; then, where no run has begun, checks mesh, data and everything beyond the tables for the first point, before hundreds
/// of runs report the same mistake. A command that is killed during this check has left a plan, with which it can go on. Throws SpecError.
void begin_sweep(const std::filesystem::path& folder, const Sweep& sweep);

}  // namespace invar
