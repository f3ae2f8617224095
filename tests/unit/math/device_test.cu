#include <gtest/gtest.h>

#include <vector>

#include "libfem/form/q_function.hpp"
#include "libfem/math/spectral.hpp"
#include "tests/unit/math/power_function.hpp"

/// The same functions on host and device: a thread is a pack of one lane.
namespace invar {
namespace {

static_assert(simd_width == 1);
/// Of the nine entries of F three are differentiated at a time, as forms do it.
constexpr int width = 3;
using Inner = Dual<Pack, width>;
using Outer = Dual<Inner, width>;

/// What one point gives: energy, stress and tangent of both kinds.
struct Response {
  double energy;
  double stress[9], tangent[9][9];                  // from the energy, by duals of duals
  double stress_by_hand[9], tangent_by_stress[9][9];  // from the stress, by duals
  double spectral, spectral_hessian[9][9];          // tr C^1.3, C = FᵀF
};

/// Compressible neo-Hookean energy, μ = 1 and λ = 2.
template <class T>
INVAR_HD T energy(const Matrix<T, 3, 3>& F) {
  const T log_J = log(det(F));
  return 0.5 * (inner(F, F) - 3.0) - log_J + log_J * log_J;
}
template <class T>
INVAR_HD Matrix<T, 3, 3> stress(const Matrix<T, 3, 3>& F) {
  const auto inverse_transpose = transpose(inverse(F));
  return F - inverse_transpose + (2.0 * log(det(F))) * inverse_transpose;
}

template <class D, class T>
INVAR_HD Matrix<D, 3, 3> independent(const Matrix<T, 3, 3>& F, int first) {
  Matrix<D, 3, 3> r;
  for (int k = 0; k < 9; ++k) r.entries[k] = seeded<D>(F.entries[k], k, first);
  return r;
}

/// Displacement gradients from 0 (three equal stretches) to 20 %.
INVAR_HD Response respond(int point, int n_points) {
  const double shape[9] = {0.5, 0.3, -0.1, -0.2, -0.4, 0.6, 0.15, -0.35, 0.25};
  Matrix<Pack, 3, 3> F;
  for (int k = 0; k < 9; ++k) F.entries[k] = (k % 4 == 0 ? 1.0 : 0.0) + 0.4 * shape[k] * point / n_points;
  Response r;
  for (int inner = 0; inner < 9; inner += width) {
    const auto G = independent<Inner>(F, inner);
    const auto P = stress(G);
    for (int i = 0; i < 9; ++i) {
      r.stress_by_hand[i] = P.entries[i].value[0];
      for (int j = 0; j < width; ++j) r.tangent_by_stress[i][inner + j] = P.entries[i].grad[j][0];
    }
    for (int outer = 0; outer < 9; outer += width) {
      const auto H = independent<Outer>(G, outer);
      const Outer w = energy(H);
      const Outer s = trace_of_function(matmul(transpose(H), H), PowerFunction<double>{1.3});
      r.energy = w.value.value[0];
      r.spectral = s.value.value[0];
      for (int i = 0; i < width; ++i) {
        r.stress[outer + i] = w.grad[i].value[0];
        for (int j = 0; j < width; ++j) {
          r.tangent[outer + i][inner + j] = w.grad[i].grad[j][0];
          r.spectral_hessian[outer + i][inner + j] = s.grad[i].grad[j][0];
        }
      }
    }
  }
  return r;
}

__global__ void respond_all(Response* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = respond(i, n);
}

/// Host and device round and contract differently; the largest entries are about 10.
constexpr double tolerance = 1e-12;

TEST(Device, HostEnergyAndStressAgree) {
  const Response r = respond(7, 10);
  for (int i = 0; i < 9; ++i) {
    EXPECT_NEAR(r.stress[i], r.stress_by_hand[i], tolerance);
    for (int j = 0; j < 9; ++j)
      EXPECT_NEAR(r.tangent[i][j], r.tangent_by_stress[i][j], tolerance);
  }
}

TEST(Device, KernelsGiveWhatTheHostGives) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    GTEST_SKIP() << "skipped: no CUDA device";
  const int n = 100;
  // Duals of duals live in local memory.
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 64 * 1024), cudaSuccess);
  Response* on_device = nullptr;
  ASSERT_EQ(cudaMalloc(&on_device, n * sizeof(Response)), cudaSuccess);
  respond_all<<<(n + 31) / 32, 32>>>(on_device, n);
  ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  std::vector<Response> out(n);
  const auto copied =
      cudaMemcpy(out.data(), on_device, n * sizeof(Response), cudaMemcpyDeviceToHost);
  cudaFree(on_device);
  ASSERT_EQ(copied, cudaSuccess) << cudaGetErrorString(copied);
  constexpr int count = sizeof(Response) / sizeof(double);
  for (int point = 0; point < n; ++point) {
    const Response expected = respond(point, n);
    const double* a = reinterpret_cast<const double*>(&out[point]);
    const double* b = reinterpret_cast<const double*>(&expected);
    for (int k = 0; k < count; ++k)
      ASSERT_NEAR(a[k], b[k], tolerance) << "number " << k << " of point " << point;
  }
}

}  // namespace
}  // namespace invar
