#include "libadjoint/solve/cudss_factors.hpp"

#include <numeric>

#include "libadjoint/solve/solver_not_available.hpp"

namespace invar {

namespace {

using Library = CudssLibrary;

std::string cudss_failure(const char* what, Library::Status status) { return std::string(what) + " by cuDSS: " + Library::describe(status); }

}  // namespace

CudssFactors::CudssFactors(std::shared_ptr<const CudssLibrary> library, Kind kind) : library_(std::move(library)), kind_(kind) {
  const int on = 1;  // bitwise reproducible
  Library::Status status = library_->create(&handle_);
  if (status == 0) status = library_->config_create(&config_);
  if (status == 0) status = library_->config_set(config_, Library::deterministic_mode, &on, sizeof on);
  if (status == 0) return;
  forget();
  throw SolverNotAvailable("cuDSS does not start: " + Library::describe(status));
}

CudssFactors::~CudssFactors() { forget(); }

void CudssFactors::forget() {
  for (Library::Matrix* m : {&A_, &b_, &x_}) {
    if (*m) library_->matrix_destroy(*m);
    *m = nullptr;
  }
  if (data_) library_->data_destroy(handle_, data_);
  for (void* array : arrays_) library_->release(array);
  arrays_.clear();
  if (config_) library_->config_destroy(config_);
  if (handle_) library_->destroy(handle_);
  data_ = nullptr, config_ = nullptr, handle_ = nullptr;
}

std::string CudssFactors::run(int phase, const char* what) {
  const Library::Status status = library_->execute(handle_, phase, config_, data_, A_, x_, b_);
  if (status != 0) return cudss_failure(what, status);
  int info = 0;
  std::size_t written = 0;
  if (library_->data_get(handle_, data_, Library::info, &info, sizeof info, &written) == 0 && info != 0)
    return std::string(what) + " by cuDSS: error " + std::to_string(info);
  return {};
}

std::string CudssFactors::analyse(const CompressedRows& A) {
  const bool half = kind_ != Kind::lu;
  n_ = A.n;
  std::vector<int> start{0}, column;
  kept_.clear();
  for (int i = 0; i < n_; ++i) {
    for (int e = A.start[i]; e < A.start[i + 1]; ++e)
      if (!half || A.column[e] >= i) column.push_back(A.column[e]), kept_.push_back(e);
    start.push_back(static_cast<int>(column.size()));
  }
  packed_.resize(kept_.size());
  const auto array = [&](std::size_t bytes) {
    void* on_device = nullptr;
    if (library_->allocate(&on_device, bytes) != 0) return static_cast<void*>(nullptr);
    arrays_.push_back(on_device);
    return on_device;
  };
  void* start_on_device = array(start.size() * sizeof(int));
  void* column_on_device = array(column.size() * sizeof(int));
  values_on_device_ = array(packed_.size() * sizeof(double));
  b_on_device_ = array(n_ * sizeof(double));
  x_on_device_ = array(n_ * sizeof(double));
  if (arrays_.size() != 5) return "not enough memory on the device";
  int error = library_->copy(start_on_device, start.data(), start.size() * sizeof(int), Library::to_device);
  if (error == 0) error = library_->copy(column_on_device, column.data(), column.size() * sizeof(int), Library::to_device);
  if (error != 0) return "CUDA error " + std::to_string(error) + " in a copy to the device";
  copy_values(A.value);
  const int type = kind_ == Kind::lu ? Library::general : kind_ == Kind::ldlt ? Library::symmetric : Library::positive_definite;
  Library::Status status = library_->data_create(handle_, &data_);
  if (status == 0)
    status = library_->matrix_create_csr(&A_, n_, n_, static_cast<std::int64_t>(column.size()), start_on_device, nullptr, column_on_device,
                                         values_on_device_, Library::integer_32, Library::integer_32, Library::real_64, type,
                                         half ? Library::upper : Library::full, 0);
  if (status == 0) status = library_->matrix_create_dense(&b_, n_, 1, n_, b_on_device_, Library::real_64, 0);
  if (status == 0) status = library_->matrix_create_dense(&x_, n_, 1, n_, x_on_device_, Library::real_64, 0);
  if (status != 0) return cudss_failure("description of a matrix", status);
  return run(Library::analysis, "analysis");
}

void CudssFactors::copy_values(const double* values) {
  for (std::size_t k = 0; k < kept_.size(); ++k) packed_[k] = values[kept_[k]];
  library_->copy(values_on_device_, packed_.data(), packed_.size() * sizeof(double), Library::to_device);
}

std::string CudssFactors::factor(const CompressedRows& A) {
  copy_values(A.value);
  std::string failed = run(factored_ ? Library::refactorisation : Library::factorisation, "factorisation");
  factored_ = failed.empty();
  if (!factored_) return failed;
  std::size_t written = 0;
  int inertia[2] = {};
  perturbed_ = negative_ = 0;
  library_->data_get(handle_, data_, Library::perturbed_pivots, &perturbed_, sizeof perturbed_, &written);
  if (kind_ == Kind::ldlt && library_->data_get(handle_, data_, Library::inertia, inertia, sizeof inertia, &written) == 0) negative_ = inertia[1];
  return {};
}

std::string CudssFactors::solve(const double* b, double* x, bool transpose) {
  const int mode = transpose && kind_ == Kind::lu ? 1 : 0;
  if (const Library::Status status = library_->config_set(config_, Library::solve_mode, &mode, sizeof mode); status != 0)
    return cudss_failure("choice of the transposed system", status);
  int error = library_->copy(b_on_device_, b, n_ * sizeof(double), Library::to_device);
  if (error == 0) {
    if (const std::string failed = run(Library::solve, "solution"); !failed.empty()) return failed;
    error = library_->copy(x, x_on_device_, n_ * sizeof(double), Library::to_host);
  }
  return error == 0 ? "" : "CUDA error " + std::to_string(error) + " in a copy";
}

}  // namespace invar
