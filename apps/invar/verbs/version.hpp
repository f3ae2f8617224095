#pragma once
#include <map>
#include <string>

namespace invar {

/// What --version prints: the version, and with `libraries` how the program was built and with what.
std::string version_text(bool libraries);
/// Versions by name of the libraries that results depend on, of the compiler and of what the kernels were compiled for.
std::map<std::string, std::string> library_versions();

}  // namespace invar
