#pragma once
#include <functional>
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Runs library calls that may fail at run time (memory, work space, overflow). Errors are error codes, thrown by
/// `check`, or std::bad_alloc. Returns the library's message from the lowest rank with an error, the same on every
/// rank; empty when no rank has one. Collective. A rank that fails while the others wait for it within the calls
/// throws its error: the ranks have no way left on which they agree.
std::string library_failure(MPI_Comm comm, const std::function<void()>& calls);

}  // namespace invar
