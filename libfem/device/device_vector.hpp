#pragma once
#include <memory>

#include "libadjoint/petsc.hpp"
#include "libfem/device/device.hpp"

namespace invar {

/// A zero PETSc vector with n entries stored on a device, on one process: PETSc's Krylov methods and all code that uses vector
/// operations run there. A request for the host array gets a copy and is counted (`Device::host_accesses`); duplicates are on the
/// device too. Reductions are bitwise reproducible.
VecHandle create_device_vector(std::shared_ptr<Device> device, PetscInt n);

/// Whether `v` is such a vector.
bool is_on_device(Vec v);
/// Its data on the device; the second function tells PETSc that they change.
const double* device_numbers(Vec v);
double* changed_device_numbers(Vec v);

}  // namespace invar
