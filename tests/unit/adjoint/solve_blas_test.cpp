#include <dlfcn.h>
#include <gtest/gtest.h>
#include <petscblaslapack.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/solve/blas_single_column.hpp"

namespace invar {
namespace {

// The tests' main has called choose_suitable_blas, as the program does.
TEST(BlasSettings, OneThreadAndTheVectorsOfTheProcessor) {
  const auto name = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  const auto threads = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  if (!name || !threads) GTEST_SKIP() << "BLAS is not OpenBLAS";
  EXPECT_EQ(threads(), 1);
#ifdef __x86_64__
  const std::string kernels = name();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    for (const char* without_avx : {"Prescott", "Nehalem", "Core2", "Generic"}) EXPECT_NE(kernels, without_avx);
    if (kernels == "Haswell" || kernels == "Zen" || kernels == "SkylakeX") {
      EXPECT_TRUE(multiply_single_columns_by_vectors());
    }
  }
#endif
}

// Kernels exchanged at run time multiply as sums of products do, in sizes below, at and above their blocks.
TEST(BlasSettings, ProductsAreThoseOfTheirDefinition) {
  for (const PetscBLASInt n : {1, 7, 64, 195}) {
    std::vector<double> a(n * n), b(n * n), c(n * n, 0.5);
    for (PetscBLASInt i = 0; i < n * n; ++i) {
      a[i] = 1.0 / (1 + i % 17);
      b[i] = i % 13 - 6.0;
    }
    double one = 1, two = 2;
    BLASgemm_("N", "T", &n, &n, &n, &one, a.data(), &n, b.data(), &n, &two, c.data(), &n);
    for (PetscBLASInt i = 0; i < n; ++i)
      for (PetscBLASInt j = 0; j < n; ++j) {
        double sum = 1;
        for (PetscBLASInt k = 0; k < n; ++k) sum += a[i + n * k] * b[j + n * k];
        ASSERT_NEAR(c[i + n * j], sum, 1e-14 * 6 * n) << n << ": " << i << ", " << j;
      }
  }
}

constexpr PetscBLASInt rows = 97, columns = 101;  // of operands as they are stored, with room for any of the cases below

double entry(PetscBLASInt i, PetscBLASInt j) { return 1.0 / (1 + (5 * i + 3 * j) % 11) - 0.3; }

/// A matrix whose columns are `rows` apart.
std::vector<double> stored_matrix() {
  std::vector<double> a(rows * columns);
  for (PetscBLASInt j = 0; j < columns; ++j)
    for (PetscBLASInt i = 0; i < rows; ++i) a[i + rows * j] = entry(i, j);
  return a;
}

// MUMPS calls the function that dynamic linking finds first.
TEST(SingleColumns, LibrariesCallTheProgramsFunctions) {
  EXPECT_NE(dlsym(RTLD_DEFAULT, "dgemm_"), dlsym(RTLD_NEXT, "dgemm_"));
  EXPECT_NE(dlsym(RTLD_DEFAULT, "dtrsm_"), dlsym(RTLD_NEXT, "dtrsm_"));
}

TEST(SingleColumns, ProductsAreThoseOfTheirDefinition) {
  const std::vector<double> a = stored_matrix();
  const double alpha = -1.5;
  for (const auto& [m, n] : {std::pair<PetscBLASInt, PetscBLASInt>{9, 1}, {1, 9}, {1, 1}, {9, 2}})
    for (const PetscBLASInt k : {1, 13})
      for (const char* op_a : {"N", "T"})
        for (const char* op_b : {"N", "t"})
          for (const double beta : {0.0, 0.5}) {
            std::vector<double> b(rows * columns), c(rows * columns, beta == 0 ? NAN : 2.0);  // β = 0 does not read C
            for (std::size_t i = 0; i < b.size(); ++i) b[i] = a[(7 * i) % a.size()];
            BLASgemm_(op_a, op_b, &m, &n, &k, &alpha, a.data(), &rows, b.data(), &rows, &beta, c.data(), &rows);
            for (PetscBLASInt i = 0; i < m; ++i)
              for (PetscBLASInt j = 0; j < n; ++j) {
                double sum = 0;
                for (PetscBLASInt l = 0; l < k; ++l)
                  sum += (*op_a == 'N' ? a[i + rows * l] : a[l + rows * i]) * (*op_b == 'N' ? b[l + rows * j] : b[j + rows * l]);
                ASSERT_NEAR(c[i + rows * j], alpha * sum + beta * 2, 1e-13) << m << " x " << n << ", k " << k << op_a << op_b;
              }
          }
}

TEST(SingleColumns, TriangularSolvesInvertProducts) {
  constexpr PetscBLASInt size = 81;  // more than a block of dtrsv
  std::vector<double> a = stored_matrix();
  for (double& v : a) v *= 0.02;  // the diagonal prevails, also one of ones
  for (PetscBLASInt i = 0; i < size; ++i) a[i + rows * i] += 2;
  for (const char* side : {"L", "R"})
    for (const char* triangle : {"U", "L"})
      for (const char* op : {"N", "T"})
        for (const char* diagonal : {"N", "U"})
          for (const double alpha : {1.0, 2.0}) {
            const PetscBLASInt one = 1, m = *side == 'L' ? size : one, n = *side == 'L' ? one : size;
            const PetscBLASInt step = *side == 'L' ? 1 : rows;
            std::vector<double> x(rows * columns), b(rows * columns);
            for (PetscBLASInt i = 0; i < size; ++i) x[step * i] = b[step * i] = 1 + 0.1 * i;
            BLAStrsm_(side, triangle, op, diagonal, &m, &n, &alpha, a.data(), &rows, x.data(), &rows);
            for (PetscBLASInt i = 0; i < size; ++i) {
              double sum = 0;  // of op(A) x, or of op(A)ᵀ x on the right
              for (PetscBLASInt j = 0; j < size; ++j) {
                const bool turned = (*op == 'T') != (*side == 'R');
                const PetscBLASInt r = turned ? j : i, c = turned ? i : j;
                if (*triangle == 'U' ? r > c : r < c) continue;
                sum += (r == c && *diagonal == 'U' ? 1 : a[r + rows * c]) * x[step * j];
              }
              ASSERT_NEAR(sum, alpha * b[step * i], 1e-11) << side << triangle << op << diagonal << alpha;
            }
          }
}

// Kept factors are read at other addresses in each run, and runs are reproducible to the bit.
TEST(SingleColumns, ResultsDoNotDependOnAddresses) {
  if (!multiply_single_columns_by_vectors()) GTEST_SKIP() << "kernels of which it is not known; products of matrices are used";
  constexpr PetscBLASInt m = 81, k = 90, one = 1, tests = 8;
  const double alpha = -1, beta = 1;
  const std::vector<double> a = stored_matrix();
  for (const char* op : {"N", "T"}) {
    std::vector<double> first, solved;
    for (PetscBLASInt shift = 0; shift < tests; ++shift) {
      std::vector<double> A(a.size() + tests), x(columns + tests, 0.3), y(columns + tests, 0.7), t(columns + tests);
      std::copy(a.begin(), a.end(), A.begin() + shift);
      for (PetscBLASInt i = 0; i < columns; ++i) x[i + shift] = entry(i, 2), t[i + shift] = entry(2, i);
      BLASgemm_(op, "N", *op == 'N' ? &m : &k, &one, *op == 'N' ? &k : &m, &alpha, A.data() + shift, &rows, x.data() + shift, &rows, &beta, y.data() + shift, &rows);
      for (PetscBLASInt i = 0; i < m; ++i) A[shift + i * (rows + 1)] += 40;
      BLAStrsm_("L", "L", op, "N", &m, &one, &beta, A.data() + shift, &rows, t.data() + shift, &rows);
      const std::vector<double> product(y.begin() + shift, y.begin() + shift + m), solution(t.begin() + shift, t.begin() + shift + m);
      if (shift == 0) first = product, solved = solution;
      EXPECT_EQ(std::memcmp(product.data(), first.data(), m * sizeof(double)), 0) << op << shift;
      EXPECT_EQ(std::memcmp(solution.data(), solved.data(), m * sizeof(double)), 0) << op << shift;
    }
  }
}

}  // namespace
}  // namespace invar
