#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace invar {

/// Starts this program again with `arguments`, on one thread, in a process group of its own, so that a terminal's signals
/// reach the parent alone. Its stdout is discarded, its stderr goes into the file `complaints`. It receives SIGTERM when the
/// parent dies. Throws IoError.
pid_t start_child(const std::vector<std::string>& arguments, const std::filesystem::path& complaints);

}  // namespace invar
