#pragma once
#include <functional>
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Runs calls of a library that may fail for reasons of its own: memory, work space, numbers that overflow. Errors
/// are codes, thrown by `check`, or std::bad_alloc. Returns what went wrong on the lowest rank where something did,
/// in the library's words and on every rank alike; empty when all is well everywhere. Collective: a call that fails on
/// some ranks only must not wait for them on the others.
std::string library_failure(MPI_Comm comm, const std::function<void()>& calls);

}  // namespace invar
