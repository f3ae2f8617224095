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

/// Checks mesh, data and everything beyond the tables for the first point, before hundreds of runs report the same mistake. Throws
/// SpecError.
void require_valid_first(const std::filesystem::path& folder, const Sweep& sweep);

}  // namespace invar
