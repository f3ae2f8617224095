#pragma once
#include <memory>
#include <vector>

#include "libadjoint/solve/device_rows.hpp"
#include "libfem/device/device_array.hpp"
#include "libfem/device/row_kernels.hpp"
#include "libfem/form/assembled_matrix.hpp"

namespace invar {

class FormResidual;

/// The values of an assembled matrix in device memory: kernels add to them, products and cuDSS read them there. On one
/// process.
class DeviceMatrix final : public MatrixStore, public DeviceRows {
 public:
  /// The pattern and the constrained rows are those of `matrix`, which holds this object. like: a vector of the equation, on the host or
  /// the device; the PETSc matrix makes such vectors.
  DeviceMatrix(std::shared_ptr<Device> device, AssembledMatrix& matrix, VecHandle like);
  ~DeviceMatrix() override;
  DeviceMatrix(const DeviceMatrix&) = delete;
  DeviceMatrix& operator=(const DeviceMatrix&) = delete;

  Mat mat() override { return mat_; }
  void begin() override;
  void end(const double* host) override;
  /// On the device, for kernels that add to them.
  double* values() { return values_.data(); }
  const std::shared_ptr<Device>& device() const { return device_; }
  Vec like() const { return like_; }

  /// y = A x or Aᵀ x; the largest magnitude of each row. Arrays: [n] on the device.
  void multiply(bool transpose, const double* x, double* y) const;
  void row_maxima(double* maxima) const;

  CompressedRows rows() const override { return {n_, start_, column_, values_.data()}; }
  const double* values_at(const std::vector<int>& places) override;
  std::vector<double> row_sums() override;
  Mat on_host() override;

 private:
  RowReduction reduction(double* y) const;
  void read_values(const DeviceArray<int>& places);
  void set_constrained_diagonal();

  std::shared_ptr<Device> device_;
  AssembledMatrix& matrix_;
  VecHandle like_;
  MatHandle mat_;
  int n_ = 0;
  const int *start_ = nullptr, *column_ = nullptr;  // of the matrix on the host
  DeviceArray<double> values_, gathered_, magnitudes_, partial_, constrained_values_;
  DeviceArray<int> start_on_device_, column_on_device_, transposed_;  // transposed_: place of (j, i) at the place of (i, j)
  DeviceArray<int> free_diagonal_, constrained_diagonal_, list_;      // places
  std::vector<int> listed_;                                           // what `list_` holds
  bool on_host_ = false;                                              // the host's values are the present ones
};

/// Keeps the matrix of a residual whose forms are evaluated on the device there. Before the first use of the matrix.
void keep_matrix_on_device(FormResidual& residual, const std::shared_ptr<Device>& device);

}  // namespace invar
