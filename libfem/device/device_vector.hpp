#pragma once
#include <memory>

#include "libadjoint/petsc.hpp"
#include "libfem/device/device.hpp"

namespace invar {

/// A vector of PETSc with n entries, zero, whose numbers lie on a device, on one process: PETSc's Krylov methods and everything else
/// that calls vectors by their operations run there. Whoever asks for the array on the host gets a copy, which the device counts
/// (`Device::host_accesses`); duplicates are on the device, too. Reductions have the same bits each time.
VecHandle create_device_vector(std::shared_ptr<Device> device, PetscInt n);

/// Whether `v` is one.
bool is_on_device(Vec v);
/// Its numbers on the device; of the second PETSc is told that they change.
const double* device_numbers(Vec v);
double* changed_device_numbers(Vec v);

}  // namespace invar
