#pragma once
#include <string>

namespace invar {

/// invar(1) in the macros of man, from the tables of the command line and of exit codes.
std::string man_page();

}  // namespace invar
