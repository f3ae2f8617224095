#include "libfem/device/device_matrix.hpp"

#include <stdexcept>

#include "libfem/device/petsc_callback.hpp"
#include "libfem/device/reduce.hpp"
#include "libfem/device/vector_access.hpp"
#include "libfem/device/vector_kernels.hpp"
#include "libfem/form/form_residual.hpp"

// Outside of the namespace, which has a class with the name of a function that PETSc's macros call.
namespace {

using invar::DeviceMatrix;

DeviceMatrix& matrix_of(Mat A) {
  void* self = nullptr;
  MatShellGetContext(A, &self);
  if (!self) throw std::logic_error("a matrix on a device that exists no more");
  return *static_cast<DeviceMatrix*>(self);
}

template <class Work>
PetscErrorCode guarded(const Work& work) {
  return invar_petsc::callback("a matrix on a device", work);
}

template <bool Transpose>
PetscErrorCode multiply_rows(Mat A, Vec x, Vec y) {
  return guarded([&] {
    const DeviceMatrix& matrix = matrix_of(A);
    const invar::ReadVector from(matrix.device(), x);
    invar::WrittenVector to(matrix.device(), y);
    matrix.multiply(Transpose, from.data(), to.data());
    to.finish();
  });
}

PetscErrorCode row_maxima(Mat A, Vec d, PetscInt* where) {
  PetscCheck(!where, PETSC_COMM_SELF, PETSC_ERR_SUP, "places of row maxima of a matrix on a device");
  return guarded([&] {
    invar::WrittenVector to(matrix_of(A).device(), d);
    matrix_of(A).row_maxima(to.data());
    to.finish();
  });
}

PetscErrorCode infinity_norm(Mat A, NormType type, PetscReal* result) {
  PetscCheck(type == NORM_INFINITY, PETSC_COMM_SELF, PETSC_ERR_SUP, "this norm of a matrix on a device");
  return guarded([&] {
    *result = 0;
    for (const double sum : matrix_of(A).row_sums()) *result = !(*result == *result) || sum <= *result ? *result : sum;  // keeps NaN
  });
}

PetscErrorCode information(Mat A, MatInfoType, MatInfo* info) {
  const invar::CompressedRows rows = matrix_of(A).rows();
  *info = {};
  info->nz_allocated = info->nz_used = rows.start[rows.n];
  return 0;
}

PetscErrorCode vectors(Mat A, Vec* right, Vec* left) {
  return guarded([&] {
    for (Vec* v : {right, left})
      if (v) invar::check(VecDuplicate(matrix_of(A).like(), v));
  });
}

}  // namespace

namespace invar {

DeviceMatrix::DeviceMatrix(std::shared_ptr<Device> device, AssembledMatrix& matrix, VecHandle like)
    : device_(std::move(device)), matrix_(matrix), like_(std::move(like)) {
  PetscBool done = PETSC_FALSE;
  check(MatGetRowIJ(matrix.host(), 0, PETSC_FALSE, PETSC_FALSE, &n_, &start_, &column_, &done));
  const std::size_t entries = std::size_t(start_[n_]);
  std::vector<int> transposed(entries), next(start_, start_ + n_), free, constrained;
  for (int i = 0; i < n_; ++i)
    for (int k = start_[i]; k < start_[i + 1]; ++k) {
      const int j = column_[k];
      if (next[j] >= start_[j + 1] || column_[next[j]] != i) throw std::logic_error("the pattern of a matrix on a device is not symmetric");
      transposed[k] = next[j]++;
      if (i == j) (matrix.constrained()[i] ? constrained : free).push_back(k);
    }
  const auto array = [this](std::span<const int> v) { return DeviceArray<int>(device_, v); };
  start_on_device_ = array({start_, std::size_t(n_) + 1});
  column_on_device_ = array({column_, entries});
  transposed_ = array(transposed);
  free_diagonal_ = array(free);
  constrained_diagonal_ = array(constrained);
  values_ = DeviceArray<double>(device_, entries);
  check(MatCreateShell(PETSC_COMM_SELF, n_, n_, n_, n_, this, mat_.out()));
  const auto set = [this](MatOperation operation, auto function) {
    check(MatShellSetOperation(mat_, operation, reinterpret_cast<void (*)()>(function)));
  };
  set(MATOP_MULT, &::multiply_rows<false>);
  set(MATOP_MULT_TRANSPOSE, &::multiply_rows<true>);
  set(MATOP_GET_ROW_MAX_ABS, &::row_maxima);
  set(MATOP_NORM, &::infinity_norm);
  set(MATOP_GETINFO, &::information);
  set(MATOP_CREATE_VECS, &::vectors);
  attach_to(mat_);
}

// A solver may still hold the PETSc matrix.
DeviceMatrix::~DeviceMatrix() {
  MatShellSetContext(mat_, nullptr);
  detach_from(mat_);
}

RowReduction DeviceMatrix::reduction(double* y) const {
  return {.n = n_, .start = start_on_device_.data(), .column = column_on_device_.data(), .values = values_.data(), .y = y};
}

void DeviceMatrix::multiply(bool transpose, const double* x, double* y) const {
  RowReduction kernel = reduction(y);
  kernel.x = x;
  if (transpose) kernel.place = transposed_.data();
  device_->run(kernel);
}

void DeviceMatrix::row_maxima(double* maxima) const {
  RowReduction kernel = reduction(maxima);
  kernel.of = RowReduction::Of::largest;
  device_->run(kernel);
}

void DeviceMatrix::begin() {
  values_.clear();
  on_host_ = false;
}

void DeviceMatrix::end(const double* host) {
  if (host) {
    const DeviceArray<double> added(device_, std::span<const double>(host, values_.size()));
    device_->run(OneByOne{int(values_.size()), VectorMap{.a = 1, .c = 1, .x = added.data(), .z = values_.data()}});
  }
  set_constrained_diagonal();
  check(MatAssemblyBegin(mat_, MAT_FINAL_ASSEMBLY));  // tells PETSc of new values
  check(MatAssemblyEnd(mat_, MAT_FINAL_ASSEMBLY));
}

/// Leaves the values at these places in `gathered_`.
void DeviceMatrix::read_values(const DeviceArray<int>& places) {
  if (gathered_.size() < places.size()) gathered_ = DeviceArray<double>(device_, places.size());
  device_->run(OneByOne{int(places.size()), RowUpdate{.of = RowUpdate::Of::read, .rows = places.data(), .x = values_.data(), .y = gathered_.data()}});
}

/// As in AssembledMatrix: the mean magnitude of the others.
void DeviceMatrix::set_constrained_diagonal() {
  const int n_free = int(free_diagonal_.size()), n = int(constrained_diagonal_.size());
  read_values(free_diagonal_);
  const double total = reduce(device_, {.of = VectorReduction::Of::magnitudes, .n = n_free, .x = gathered_.data()}, partial_);
  if (constrained_values_.size() != std::size_t(n)) constrained_values_ = DeviceArray<double>(device_, n);
  device_->run(OneByOne{n, VectorMap{.shift = total > 0 ? total / n_free : 1.0, .z = constrained_values_.data()}});
  device_->run(OneByOne{n, RowUpdate{.of = RowUpdate::Of::write, .rows = constrained_diagonal_.data(), .x = constrained_values_.data(), .y = values_.data()}});
}

const double* DeviceMatrix::values_at(const std::vector<int>& places) {
  if (places != listed_) {
    list_ = DeviceArray<int>(device_, std::span<const int>(places));
    listed_ = places;
  }
  read_values(list_);
  return gathered_.data();
}

std::vector<double> DeviceMatrix::row_sums() {
  if (magnitudes_.size() == 0) magnitudes_ = DeviceArray<double>(device_, std::size_t(n_));
  RowReduction kernel = reduction(magnitudes_.data());
  kernel.of = RowReduction::Of::magnitudes;
  device_->run(kernel);
  return magnitudes_.download();
}

Mat DeviceMatrix::on_host() {
  const Mat host = matrix_.host();
  if (on_host_) return host;
  double* to = nullptr;
  check(MatSeqAIJGetArray(host, &to));
  device_->download(to, values_.data(), values_.size() * sizeof(double));
  check(MatSeqAIJRestoreArray(host, &to));
  check(MatAssemblyBegin(host, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(host, MAT_FINAL_ASSEMBLY));
  on_host_ = true;
  return host;
}

void keep_matrix_on_device(FormResidual& residual, const std::shared_ptr<Device>& device) {
  residual.use_matrix_store(
      [device, &residual](AssembledMatrix& matrix) { return std::make_unique<DeviceMatrix>(device, matrix, residual.create_vector()); });
}

}  // namespace invar
