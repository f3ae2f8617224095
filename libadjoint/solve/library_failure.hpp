#pragma once
#include <functional>
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Runs library calls that may fail at run time (memory, work space, overflow). Errors are error codes, thrown by
/// `check`, or std::bad_alloc. Returns the library's message from the lowest rank with an error, the same on every
/// rank; empty when no rank has one. Collective: a call that fails on some ranks only must not wait for these ranks
/// on the others.
std::string library_failure(MPI_Comm comm, const std::function<void()>& calls);

}  // namespace invar
