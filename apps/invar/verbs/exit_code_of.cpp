#include "apps/invar/verbs/exit_code_of.hpp"

#include "apps/invar/report/busy_error.hpp"
#include "apps/invar/report/io_error.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/spec/usage_error.hpp"
#include "libadjoint/petsc.hpp"
#include "libadjoint/solve/library_failure.hpp"
#include "libadjoint/solve/solver_not_available.hpp"
#include "libadjoint/time/storage_error.hpp"
#include "libfem/device/device.hpp"
#include "libfem/io/vtk_error.hpp"

#include <new>

namespace invar {

ExitCode exit_code_of(const std::exception& error, bool petsc_options_given) {
  const auto is = [&]<class Error>(const Error*) { return dynamic_cast<const Error*>(&error) != nullptr; };
  if (is(static_cast<const SpecError*>(nullptr))) return ExitCode::input;
  if (is(static_cast<const IoError*>(nullptr)) || is(static_cast<const VtkError*>(nullptr))) return ExitCode::io;
  if (is(static_cast<const BusyError*>(nullptr))) return ExitCode::interrupted;
  if (is(static_cast<const StorageError*>(nullptr))) return ExitCode::io;
  if (is(static_cast<const UsageError*>(nullptr))) return ExitCode::usage;
  if (is(static_cast<const std::bad_alloc*>(nullptr)) || is(static_cast<const SingleRankFailure*>(nullptr)) ||
      is(static_cast<const SolverNotAvailable*>(nullptr)) || is(static_cast<const DeviceError*>(nullptr)))
    return ExitCode::solve;
  if (is(static_cast<const PetscError*>(nullptr)) && petsc_options_given) return ExitCode::usage;
  return ExitCode::bug;
}

}  // namespace invar
