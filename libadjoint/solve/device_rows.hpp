#pragma once
#include <vector>

#include "libadjoint/petsc.hpp"
#include "libadjoint/solve/compressed_rows.hpp"

namespace invar {

/// What solvers ask of a matrix of one process whose values are in device memory, besides the operations of its PETSc matrix: products,
/// norms, row maxima. Other PETSc operations need its copy on the host.
class DeviceRows {
 public:
  virtual ~DeviceRows() = default;

  /// The pattern on the host; `value` is an address on the device.
  virtual CompressedRows rows() const = 0;
  /// The values at these places of `rows`, on the device; valid until the next call.
  virtual const double* values_at(const std::vector<int>& places) = 0;
  /// Σ_j |a_ij| of each row, on the host.
  virtual std::vector<double> row_sums() = 0;
  /// The matrix on the host (AIJ) with the present values, always the same object. Copies all values from the device.
  virtual Mat on_host() = 0;

  /// Those of a PETSc matrix; null: its values are on the host.
  static DeviceRows* of(Mat A) {
    PetscObject found = nullptr;
    void* rows = nullptr;
    check(PetscObjectQuery(PetscObject(A), name, &found));
    if (found) check(PetscContainerGetPointer(PetscContainer(found), &rows));
    return static_cast<DeviceRows*>(rows);
  }
  /// The matrix itself, or its copy on the host.
  static Mat host_matrix(Mat A) {
    DeviceRows* rows = of(A);
    return rows ? rows->on_host() : A;
  }

 protected:
  /// Makes `of(A)` return this object.
  void attach_to(Mat A) {
    PetscContainer container = nullptr;
    check(PetscContainerCreate(PETSC_COMM_SELF, &container));
    check(PetscContainerSetPointer(container, this));
    check(PetscObjectCompose(PetscObject(A), name, PetscObject(container)));
    check(PetscContainerDestroy(&container));
  }

  /// `of(A)` becomes null: for a matrix that outlives this object.
  static void detach_from(Mat A) { PetscObjectCompose(PetscObject(A), name, nullptr); }

 private:
  static constexpr const char* name = "invar_device_rows";
};

}  // namespace invar
