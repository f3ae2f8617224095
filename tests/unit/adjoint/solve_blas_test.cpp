#include <dlfcn.h>
#include <gtest/gtest.h>
#include <petscblaslapack.h>

#include <string>
#include <vector>

#include "libadjoint/solve/blas_settings.hpp"

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
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    for (const char* without_avx : {"Prescott", "Nehalem", "Core2", "Generic"}) EXPECT_NE(kernels, without_avx);
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

}  // namespace
}  // namespace invar
