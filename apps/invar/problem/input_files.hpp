#pragma once
#include <filesystem>
#include <vector>

#include "apps/invar/spec/diagnostics.hpp"
#include "apps/invar/spec/value.hpp"

namespace invar {

/// The files that the spec names and a run reads: every value that is a path, each file once; of the folder of an
/// earlier run its design.json, or the states that a process begins with. The spec itself is none of them.
std::vector<std::filesystem::path> input_files(const spec::Value& spec);

/// Records every value that is a path to a file or folder that does not exist.
void require_existing_files(const spec::Value& spec, Diagnostics& diagnostics);

}  // namespace invar
