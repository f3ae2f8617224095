#pragma once
#include <functional>
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Runs `work` on the first rank of `comm` and returns its text on every rank. What it throws as BusyError, IoError or
/// UsageError every rank throws. Collective. For checks whose result the first rank changes afterwards.
std::string from_first_rank(MPI_Comm comm, const std::function<std::string()>& work);

}  // namespace invar
