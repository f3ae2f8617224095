#pragma once
#include <limits>
#include <optional>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Synchronisation points that ranks may reach on different paths, because one rank failed while others still wait for
/// it.
enum class SyncPoint { library_call, failure, end };

/// The largest of the ranks' values once all have reached `place`. Returns nothing if some do not reach it within
/// `patience` (seconds), or have reached another place; this rank then no longer waits at any place, so ending the
/// program costs `patience` only once. With infinite patience the rank waits until the others end the program. `comm`:
/// all ranks of PETSC_COMM_WORLD, or a single one, which never waits.
std::optional<int> largest_at(MPI_Comm comm, SyncPoint place, int value, double patience);

/// How long a failed rank waits for the others, which may fail later (seconds).
inline constexpr double patience_after_failure = 4;
/// For a rank without a failure, which waits as in any collective call.
inline constexpr double endless_patience = std::numeric_limits<double>::infinity();

}  // namespace invar
