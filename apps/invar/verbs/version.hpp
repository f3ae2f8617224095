#pragma once
#include <string>

namespace invar {

/// What --version prints: the version, and with `libraries` how the program was built and with what.
std::string version_text(bool libraries);

}  // namespace invar
