#include "libadjoint/solve/cudss_factors.hpp"

#include <cstdlib>
#include <stdexcept>

#include "libadjoint/solve/solver_not_available.hpp"

namespace invar {

namespace {

using Library = CudssLibrary;

std::string cudss_failure(const char* what, Library::Status status) { return std::string(what) + " by cuDSS: " + Library::describe(status); }

/// The message of an error of a CUDA copy; empty: none.
std::string copy_failure(int error) { return error == 0 ? "" : "CUDA error " + std::to_string(error) + " in a copy to or from the device"; }

}  // namespace

CudssFactors::CudssFactors(std::shared_ptr<const CudssLibrary> library, const Settings& settings)
    : library_(std::move(library)), settings_(settings) {
  try {
    start();
  } catch (...) {
    forget();
    throw;
  }
}

void CudssFactors::start() {
  Library::Status status = library_->create(&handle_);
  if (status == 0 && std::getenv("CUDSS_THREADING_LIB")) status = library_->set_threading_layer(handle_, nullptr);
  if (status == 0) status = library_->config_create(&config_);
  if (status != 0) throw SolverNotAvailable("cuDSS does not start: " + Library::describe(status));
  set(Library::deterministic_mode, settings_.reproducible);
  set(Library::matching, settings_.matching);
  if (settings_.kind == Kind::lu) return;
  // In deterministic mode solves lose more time by superpanels than factorisations gain, and Bunch–Kaufman pivots exclude them.
  if (settings_.reproducible) set(Library::superpanels, 0);
  if (settings_.kind == Kind::ldlt) set(Library::pivot_type, settings_.search_pivots ? Library::bunch_kaufman : Library::diagonal_pivots);
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

void CudssFactors::set(Library::ConfigParameter parameter, int value) {
  if (const Library::Status status = library_->config_set(config_, parameter, &value, sizeof value); status != 0)
    throw std::runtime_error(cudss_failure("setting of a parameter", status));
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

std::string CudssFactors::analyse(const CompressedRows& A, DeviceRows* there) {
  const bool half = settings_.kind != Kind::lu;
  n_ = A.n;
  std::vector<int> start{0}, column;
  kept_.clear();
  for (int i = 0; i < n_; ++i) {
    for (int e = A.start[i]; e < A.start[i + 1]; ++e)
      if (!half || A.column[e] >= i) column.push_back(A.column[e]), kept_.push_back(e);
    start.push_back(static_cast<int>(column.size()));
  }
  const auto array = [&](std::size_t bytes) {
    void* on_device = nullptr;
    if (library_->allocate(&on_device, bytes) != 0) return static_cast<void*>(nullptr);
    arrays_.push_back(on_device);
    return on_device;
  };
  void* start_on_device = array(start.size() * sizeof(int));
  void* column_on_device = array(column.size() * sizeof(int));
  values_on_device_ = array(kept_.size() * sizeof(double));
  b_on_device_ = array(n_ * sizeof(double));
  x_on_device_ = array(n_ * sizeof(double));
  if (arrays_.size() != 5) return "not enough memory on the device";
  int error = library_->copy(start_on_device, start.data(), start.size() * sizeof(int), Library::to_device);
  if (error == 0) error = library_->copy(column_on_device, column.data(), column.size() * sizeof(int), Library::to_device);
  if (error != 0) return copy_failure(error);
  if (const std::string failed = copy_values(A, there); !failed.empty()) return failed;  // pivots are matched to them
  if (const std::string failed = describe_matrices(static_cast<std::int64_t>(column.size()), start_on_device, column_on_device); !failed.empty())
    return failed;
  const std::string failed = run(Library::analysis, "analysis");
  return failed.empty() ? spare_memory() : failed;
}

std::string CudssFactors::describe_matrices(std::int64_t entries, const void* start, const void* column) {
  const int type = settings_.kind == Kind::lu ? Library::general : settings_.kind == Kind::ldlt ? Library::symmetric : Library::positive_definite;
  const int view = settings_.kind == Kind::lu ? Library::full : Library::upper;
  Library::Status status = library_->data_create(handle_, &data_);
  if (status == 0)
    status = library_->matrix_create_csr(&A_, n_, n_, entries, start, nullptr, column, values_on_device_, Library::integer_32,
                                         Library::integer_32, Library::real_64, type, view, 0);
  if (status == 0) status = library_->matrix_create_dense(&b_, n_, 1, n_, b_on_device_, Library::real_64, 0);
  if (status == 0) status = library_->matrix_create_dense(&x_, n_, 1, n_, x_on_device_, Library::real_64, 0);
  return status == 0 ? "" : cudss_failure("description of a matrix", status);
}

/// Analyses again for factors that stay on the host, if those of the analysis exceed the free memory of the device.
std::string CudssFactors::spare_memory() {
  std::int64_t estimate[16] = {};
  std::size_t written = 0, free = 0, total = 0;
  if (library_->data_get(handle_, data_, Library::memory_estimates, estimate, sizeof estimate, &written) != 0) return {};
  if (library_->memory(&free, &total) != 0 || estimate[Library::peak] <= static_cast<std::int64_t>(free)) return {};
  set(Library::deterministic_mode, 0);  // excluded by hybrid memory
  set(Library::hybrid_memory, 1);
  library_->data_destroy(handle_, data_);
  data_ = nullptr;
  if (const Library::Status status = library_->data_create(handle_, &data_); status != 0) return cudss_failure("analysis", status);
  return run(Library::analysis, "analysis");
}

std::string CudssFactors::copy_values(const CompressedRows& A, DeviceRows* there) {
  const double* from = A.value;
  if (settings_.kind != Kind::lu && there) from = there->values_at(kept_);
  if (settings_.kind != Kind::lu && !there) {
    packed_.resize(kept_.size());
    for (std::size_t k = 0; k < kept_.size(); ++k) packed_[k] = A.value[kept_[k]];
    from = packed_.data();
  }
  return copy_failure(library_->copy(values_on_device_, from, kept_.size() * sizeof(double), Library::any));
}

std::string CudssFactors::factor(const CompressedRows& A, DeviceRows* there) {
  std::string failed = copy_values(A, there);
  if (failed.empty()) failed = run(factored_ ? Library::refactorisation : Library::factorisation, "factorisation");
  factored_ = failed.empty();
  if (!factored_) return failed;
  std::size_t written = 0;
  int inertia[2] = {};
  perturbed_ = negative_ = 0;
  library_->data_get(handle_, data_, Library::perturbed_pivots, &perturbed_, sizeof perturbed_, &written);
  if (settings_.kind == Kind::ldlt && library_->data_get(handle_, data_, Library::inertia, inertia, sizeof inertia, &written) == 0) negative_ = inertia[1];
  return {};
}

std::string CudssFactors::solve(const double* b, double* x, bool transpose) {
  set(Library::solve_mode, transpose && settings_.kind == Kind::lu ? 1 : 0);
  std::string failed = copy_failure(library_->copy(b_on_device_, b, n_ * sizeof(double), Library::any));
  if (failed.empty()) failed = run(Library::solve, "solution");
  if (failed.empty()) failed = copy_failure(library_->copy(x, x_on_device_, n_ * sizeof(double), Library::any));
  return failed;
}

}  // namespace invar
