#include "libadjoint/solve/blas_single_column.hpp"

#include <petscblaslapack.h>
#include <strings.h>

#include <cstdio>
#include <cstdlib>

#include "libadjoint/solve/blas_function.hpp"

// PETSc's header lacks this one.
#define BLAStrsv_ PETSCBLAS(trsv, TRSV)
extern "C" void BLAStrsv_(const char* triangle, const char* op, const char* diagonal, const PetscBLASInt* n, const PetscScalar* a, const PetscBLASInt* stride_a,
                          PetscScalar* x, const PetscBLASInt* stride_x);

namespace invar {
namespace {

using Int = PetscBLASInt;
using Gemm = decltype(&BLASgemm_);
using Trsm = decltype(&BLAStrsm_);

/// The function of this name in the libraries that follow the program.
template <class Function>
Function function_of_library(const char* name) {
  if (const auto found = function_of_blas<Function>(name, RTLD_NEXT)) return found;
  std::fprintf(stderr, "no library has the function %s of BLAS\n", name);
  std::abort();
}

#define INVAR_NAME_OF(function) #function
#define INVAR_NAME(function) INVAR_NAME_OF(function)

Gemm library_gemm() {
  static const Gemm function = function_of_library<Gemm>(INVAR_NAME(BLASgemm_));
  return function;
}

Trsm library_trsm() {
  static const Trsm function = function_of_library<Trsm>(INVAR_NAME(BLAStrsm_));
  return function;
}

#undef INVAR_NAME
#undef INVAR_NAME_OF

/// Whether products of a matrix and a vector do not depend on where the operands lie in memory: known of OpenBLAS's kernels for AVX2 and AVX-512.
bool products_are_reproducible() {
  const auto name = function_of_blas<char* (*)()>("openblas_get_corename");
  if (!name) return false;
  for (const char* kernels : {"Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids"})
    if (strcasecmp(name(), kernels) == 0) return true;
  return false;
}

bool by_vectors = false;

bool is(char option, char lower) { return (option | 0x20) == lower; }
const char* transposed(char option) { return is(option, 'n') ? "T" : "N"; }

}  // namespace

bool multiply_single_columns_by_vectors() {
  library_gemm(), library_trsm();
  return by_vectors = products_are_reproducible();
}

}  // namespace invar

/// C = α op(A) op(B) + β C with an m × k op(A) and a k × n op(B).
extern "C" void BLASgemm_(const char* op_a, const char* op_b, const PetscBLASInt* m, const PetscBLASInt* n, const PetscBLASInt* k, const PetscScalar* alpha,
                          const PetscScalar* a, const PetscBLASInt* stride_a, const PetscScalar* b, const PetscBLASInt* stride_b, const PetscScalar* beta,
                          PetscScalar* c, const PetscBLASInt* stride_c) {
  using namespace invar;
  constexpr Int one = 1;
  if (*n == 1 && *m > 0 && *k > 0 && by_vectors) {
    const bool plain = is(*op_a, 'n');
    BLASgemv_(op_a, plain ? m : k, plain ? k : m, alpha, a, stride_a, b, is(*op_b, 'n') ? &one : stride_b, beta, c, &one);
  } else if (*m == 1 && *n > 0 && *k > 0 && by_vectors) {  // Cᵀ = α op(B)ᵀ op(A)ᵀ + β Cᵀ
    const bool plain = is(*op_b, 'n');
    BLASgemv_(transposed(*op_b), plain ? k : n, plain ? n : k, alpha, b, stride_b, a, is(*op_a, 'n') ? stride_a : &one, beta, c, stride_c);
  } else {
    library_gemm()(op_a, op_b, m, n, k, alpha, a, stride_a, b, stride_b, beta, c, stride_c);
  }
}

/// B = α op(A)⁻¹ B (side L) or α B op(A)⁻¹ (side R) with a triangular A and an m × n B.
extern "C" void BLAStrsm_(const char* side, const char* triangle, const char* op, const char* diagonal, const PetscBLASInt* m, const PetscBLASInt* n,
                          const PetscScalar* alpha, const PetscScalar* a, const PetscBLASInt* stride_a, PetscScalar* b, const PetscBLASInt* stride_b) {
  using namespace invar;
  constexpr Int one = 1;
  const bool left = is(*side, 'l');
  if ((left ? *n : *m) == 1 && *alpha == 1.0 && by_vectors)
    BLAStrsv_(triangle, left ? op : transposed(*op), diagonal, left ? m : n, a, stride_a, b, left ? &one : stride_b);
  else
    library_trsm()(side, triangle, op, diagonal, m, n, alpha, a, stride_a, b, stride_b);
}
