#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace invar {

/// Starts this program again with `arguments`, on one thread, in a process group of its own, so that a terminal's signals
/// reach the starter alone. What it says goes nowhere, what it complains of into `complaints`. It is told to end (SIGTERM)
/// when the starter dies. Throws IoError.
pid_t start_child(const std::vector<std::string>& arguments, const std::filesystem::path& complaints);

}  // namespace invar
