#pragma once
#include <memory>

#include "libadjoint/solve/compressed_rows.hpp"

namespace invar {

/// Incomplete LU factors of a matrix of square blocks, see `register_block_ilu`.
class BlockFactors {
 public:
  virtual ~BlockFactors() = default;
  /// Symbolic factorisation: the pattern of the factors with this level of fill.
  virtual void analyse(const CompressedRows& A, int levels) = 0;
  /// Factors of a matrix with the analysed pattern. False: a diagonal block is singular.
  virtual bool factor(const CompressedRows& A) = 0;
  /// x = (L U)⁻¹ b and x = (L U)⁻ᵀ b; b and x may be the same.
  virtual void solve(const double* b, double* x) const = 0;
  virtual void solve_transpose(const double* b, double* x) const = 0;
};

/// For blocks of 1 to 8 rows. Throws std::invalid_argument for others.
std::unique_ptr<BlockFactors> make_block_factors(int block_size);

}  // namespace invar
