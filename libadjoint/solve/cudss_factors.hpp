#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/solve/compressed_rows.hpp"
#include "libadjoint/solve/cudss_library.hpp"
#include "libadjoint/solve/device_rows.hpp"

namespace invar {

/// Factors of a sparse matrix by cuDSS in device memory. The pattern is analysed once; new values are refactorised in the same
/// order. Pivoting is restricted to blocks (LDLᵀ: Bunch–Kaufman pivots) and small pivots are perturbed, so solutions must be checked by
/// their residual. Factors and solutions are bitwise reproducible if asked for, unless the factors exceed the device's memory: then the
/// larger part of them stays on the host. The environment variable CUDSS_THREADING_LIB names cuDSS's threading layer for the analysis on the host.
class CudssFactors {
 public:
  enum class Kind { lu, ldlt, cholesky };
  struct Settings {
    Kind kind = Kind::lu;
    int matching = 6;           // cuDSS's algorithm that permutes and scales large entries to the diagonal before the analysis; 0: none, 6: it chooses
    bool search_pivots = true;  // ldlt: Bunch–Kaufman pivots; false: the diagonal as it comes, for preconditioners, in half of the time
    bool reproducible = true;   // sums in a fixed order; false: solves take a quarter to a half of the time
  };

  CudssFactors(std::shared_ptr<const CudssLibrary> library, const Settings& settings);
  ~CudssFactors();
  CudssFactors(const CudssFactors&) = delete;
  CudssFactors& operator=(const CudssFactors&) = delete;

  /// Copies the pattern to the device and analyses it. there: of a matrix whose values are on the device, else null. Returns an error
  /// message; empty: success.
  std::string analyse(const CompressedRows& A, DeviceRows* there = nullptr);
  /// Factorises the values of a matrix with that pattern. Returns an error message.
  std::string factor(const CompressedRows& A, DeviceRows* there = nullptr);
  /// x = A⁻¹ b or A⁻ᵀ b with the same factors. Returns an error message. b, x: [n] on the host or the device.
  std::string solve(const double* b, double* x, bool transpose);

  /// Numbers of perturbed and of negative pivots in the present factors.
  int perturbed_pivots() const { return perturbed_; }
  int negative_pivots() const { return negative_; }

 private:
  void start();
  void set(CudssLibrary::ConfigParameter parameter, int value);
  std::string run(int phase, const char* what);
  std::string describe_matrices(std::int64_t entries, const void* start, const void* column);
  std::string spare_memory();
  std::string copy_values(const CompressedRows& A, DeviceRows* there);
  void forget();

  std::shared_ptr<const CudssLibrary> library_;
  Settings settings_;
  CudssLibrary::Handle handle_ = nullptr;
  CudssLibrary::Config config_ = nullptr;
  CudssLibrary::Data data_ = nullptr;
  CudssLibrary::Matrix A_ = nullptr, b_ = nullptr, x_ = nullptr;
  std::vector<void*> arrays_;    // on the device
  std::vector<int> kept_;        // entries that are copied to the device: the upper triangle of symmetric matrices
  std::vector<double> packed_;   // their values, of symmetric matrices on the host
  void *values_on_device_ = nullptr, *b_on_device_ = nullptr, *x_on_device_ = nullptr;
  int n_ = 0, perturbed_ = 0, negative_ = 0;
  bool factored_ = false;
};

}  // namespace invar
