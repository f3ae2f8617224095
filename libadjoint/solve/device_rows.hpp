#pragma once
#include <vector>

#include "libadjoint/solve/attached_to_matrix.hpp"
#include "libadjoint/solve/compressed_rows.hpp"

namespace invar {

/// What solvers ask of a matrix of one process whose values are in device memory, besides the operations of its PETSc matrix: products,
/// norms, row maxima. Other PETSc operations need its copy on the host.
class DeviceRows : public AttachedToMatrix<DeviceRows> {
 public:
  static constexpr const char* attached_name = "invar_device_rows";
  virtual ~DeviceRows() = default;

  /// The pattern on the host; `value` is an address on the device.
  virtual CompressedRows rows() const = 0;
  /// The values at these places of `rows`, on the device; valid until the next call.
  virtual const double* values_at(const std::vector<int>& places) = 0;
  /// Σ_j |a_ij| of each row, on the host.
  virtual std::vector<double> row_sums() = 0;
  /// The matrix on the host (AIJ) with the present values, always the same object. Copies all values from the device.
  virtual Mat on_host() = 0;

  /// The matrix itself, or its copy on the host.
  static Mat host_matrix(Mat A) {
    DeviceRows* rows = of(A);
    return rows ? rows->on_host() : A;
  }
};

}  // namespace invar
