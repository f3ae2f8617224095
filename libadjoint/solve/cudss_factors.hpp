#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/solve/compressed_rows.hpp"
#include "libadjoint/solve/cudss_library.hpp"

namespace invar {

/// Factors of a sparse matrix by cuDSS, in the memory of the device. The pattern is analysed once, later values are
/// factorised in the first ones' order. Pivots are taken from within blocks and small ones are perturbed: what a solve is worth
/// only its residual tells.
class CudssFactors {
 public:
  enum class Kind { lu, ldlt, cholesky };

  CudssFactors(std::shared_ptr<const CudssLibrary> library, Kind kind);
  ~CudssFactors();
  CudssFactors(const CudssFactors&) = delete;
  CudssFactors& operator=(const CudssFactors&) = delete;

  /// Copies the pattern to the device and analyses it. Returns what failed, in words; empty: nothing.
  std::string analyse(const CompressedRows& A);
  /// Factors of the values of a matrix of that pattern; likewise.
  std::string factor(const CompressedRows& A);
  /// x = A⁻¹ b or A⁻ᵀ b on the same factors; likewise. b, x: [n] on the host.
  std::string solve(const double* b, double* x, bool transpose);

  /// Pivots that were perturbed, and negative ones, in the present factors.
  int perturbed_pivots() const { return perturbed_; }
  int negative_pivots() const { return negative_; }

 private:
  std::string run(int phase, const char* what);
  void copy_values(const double* values);
  void forget();

  std::shared_ptr<const CudssLibrary> library_;
  Kind kind_;
  CudssLibrary::Handle handle_ = nullptr;
  CudssLibrary::Config config_ = nullptr;
  CudssLibrary::Data data_ = nullptr;
  CudssLibrary::Matrix A_ = nullptr, b_ = nullptr, x_ = nullptr;
  std::vector<void*> arrays_;    // on the device
  std::vector<int> kept_;        // entries of the matrix that the device has: of symmetric ones the upper triangle
  std::vector<double> packed_;   // their values
  void *values_on_device_ = nullptr, *b_on_device_ = nullptr, *x_on_device_ = nullptr;
  int n_ = 0, perturbed_ = 0, negative_ = 0;
  bool factored_ = false;
};

}  // namespace invar
