#pragma once
#include <functional>
#include <stdexcept>
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Library calls failed on this rank while others wait for it inside them: the ranks cannot agree any more, and the
/// program must end.
class SingleRankFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs library calls that may fail at run time (memory, work space, overflow). Errors are error codes, thrown by
/// `check`, or std::bad_alloc. Returns the library's message from the lowest rank with an error, the same on every
/// rank; empty if there is none. Throws SingleRankFailure. Collective.
std::string library_failure(MPI_Comm comm, const std::function<void()>& calls);

/// The same for PETSc callbacks, which must not throw: 0, or an error code. Collective.
PetscErrorCode library_error(MPI_Comm comm, const std::function<void()>& calls);

}  // namespace invar
