#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "libfem/form/point_kernel.hpp"
#include "libfem/solid/kinematics.hpp"
#include "libfem/solid/load_forms.hpp"
#include "libfem/solid/law/neo_hookean.hpp"

/// Element kernels from plain arrays, the same functions on host and device: a thread is an element,
/// a pack has one lane.
namespace invar {
namespace {

static_assert(simd_width == 1);

/// Neo-Hookean solid with its law as a template in place of the virtual Material, which stays on the
/// host. Coefficients: Young's modulus, Poisson's ratio.
struct NeoHookeanSolid {
  using K = SpatialKinematics;
  static constexpr int dim = 3, ref_dim = 3, n_components = 3;
  static constexpr std::array<int, 3> basis{};
  static constexpr auto slots = K::slots;
  static constexpr bool symmetric = true, uses_position = false;

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 9>& z, const PointGeometry<Tg, 3, 3>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto invariants = Invariants<R>::of(displacement_gradient<K, R>(z, g));
    return R(NeoHookean::compressible_energy(invariants, std::span<const Tp>(p, 2)) * K::volume(g));
  }
};
using Pressure = FollowerPressure<3, false>;

/// Nodes and quadrature points: tetrahedra and triangles of second order, rules of degree 2.
template <class Q>
inline constexpr int node_count = Q::ref_dim == 3 ? 10 : 6;
template <class Q>
inline constexpr int point_count = Q::ref_dim + 1;

/// Shape functions at the quadrature points, as they lie in the memory of host or device.
template <class Q>
struct Tables {
  double weights[point_count<Q>];
  double N[point_count<Q>][node_count<Q>];
  double dN[point_count<Q>][node_count<Q>][Q::ref_dim];

  INVAR_HD PointShape at(int q) const {
    const PointBasis basis{node_count<Q>, N[q], &dN[q][0][0]};
    return {basis, {basis}};
  }
};

/// N = λ_a (2 λ_a − 1) at vertices and 4 λ_a λ_b on edges, λ the barycentric coordinates.
template <class Q>
Tables<Q> tabulate() {
  constexpr int d = Q::ref_dim;
  // Points with one barycentric coordinate `large` and the others equal: exact to degree 2.
  const double large = d == 3 ? (5 + 3 * std::sqrt(5.0)) / 20 : 2.0 / 3;
  Tables<Q> t;
  for (int q = 0; q <= d; ++q) {
    t.weights[q] = d == 3 ? 1.0 / 24 : 1.0 / 6;
    Dual<double, d> l[d + 1];
    l[0] = 1.0;
    for (int m = 0; m < d; ++m) {
      l[m + 1] = Dual<double, d>::variable(q == m + 1 ? large : (1 - large) / d, m);
      l[0] = l[0] - l[m + 1];
    }
    int a = 0;
    const auto add = [&](const Dual<double, d>& N) {
      t.N[q][a] = N.value;
      for (int m = 0; m < d; ++m) t.dN[q][a][m] = N.grad[m];
      ++a;
    };
    for (int i = 0; i <= d; ++i) add(l[i] * (2.0 * l[i] - 1.0));
    for (int i = 0; i <= d; ++i)
      for (int j = i + 1; j <= d; ++j) add(4.0 * l[i] * l[j]);
  }
  return t;
}

/// One element: what is given …
template <class Q>
struct Input {
  static constexpr int n = node_count<Q>;
  Pack X[n][3], U[n][3], L[n][3];  // coordinates, unknown, multiplier
  Pack p[2];                       // coefficients
};
/// … and what comes of it.
template <class Q>
struct Output {
  static constexpr int n = node_count<Q>;
  Pack residual[n][3], X_bar[n][3];
  Pack tangent[n][3][n][3];
};

/// r(U), in numbers or in duals.
template <class Q, class B>
INVAR_HD void add_residual(const Tables<Q>& t, const B (*X)[3], const B (*U)[3], const Pack* p, B (*r)[3]) {
  for (int q = 0; q < point_count<Q>; ++q) {
    const PointShape shape = t.at(q);
    const auto geometry = geometry_of<Q, B>(shape, X);
    const auto Ainv = inverse_map(geometry.A);
    const auto z = slots_of<Q>(interpolate<Q, B>(shape, U), Ainv);
    auto f = point_flux<Q, B, B, Pack>(Q{}, z, geometry, p);
    for (auto& v : f) v = t.weights[q] * v;
    spread<Q, B>(shape, pull_back<Q, B>(f, Ainv), r);
  }
}

/// ∂r/∂U: D = ∂flux/∂z by duals at the points, between the linear maps from nodes to slots and back.
template <class Q>
INVAR_HD void add_tangent(const Tables<Q>& t, const Input<Q>& e, Output<Q>& out) {
  constexpr int n = node_count<Q>, ns = slot_count<Q>;
  for (int q = 0; q < point_count<Q>; ++q) {
    const PointShape shape = t.at(q);
    const auto geometry = geometry_of<Q, Pack>(shape, e.X);
    const auto Ainv = inverse_map(geometry.A);
    SlotMatrix<Q> D;
    point_tangent(Q{}, slots_of<Q>(interpolate<Q, Pack>(shape, e.U), Ainv), geometry, e.p, D);
    Pack unit[n][3]{};
    for (int b = 0; b < n; ++b)
      for (int j = 0; j < 3; ++j) {
        unit[b][j] = 1.0;
        const auto y = slots_of<Q>(interpolate<Q, Pack>(shape, unit), Ainv);
        unit[b][j] = 0.0;
        SlotArray<Q, Pack> f;
        for (int s = 0; s < ns; ++s) {
          f[s] = Pack(0.0);
          for (int k = 0; k < ns; ++k) f[s] += t.weights[q] * D[s][k] * y[k];
        }
        Pack column[n][3]{};
        spread<Q, Pack>(shape, pull_back<Q, Pack>(f, Ainv), column);
        for (int a = 0; a < n; ++a)
          for (int i = 0; i < 3; ++i) out.tangent[a][i][b][j] += column[a][i];
      }
  }
}

/// ∂(L·r)/∂X.
template <class Q>
INVAR_HD void add_vjp_to_coordinates(const Tables<Q>& t, const Input<Q>& e, Pack (*X_bar)[3]) {
  for (int q = 0; q < point_count<Q>; ++q) {
    const PointShape shape = t.at(q);
    auto g_bar = geometry_gradient<PointScalar::work, Q, Pack>(Q{}, interpolate<Q, Pack>(shape, e.U),
                                                  interpolate<Q, Pack>(shape, e.L),
                                                  geometry_of<Q, Pack>(shape, e.X), e.p);
    g_bar.A = t.weights[q] * g_bar.A;
    spread_geometry<Q, Pack>(shape, g_bar, X_bar);
  }
}

template <class Q>
INVAR_HD void respond(const Tables<Q>& t, const Input<Q>& e, Output<Q>& out) {
  out = {};
  add_residual<Q, Pack>(t, e.X, e.U, e.p, out.residual);
  add_tangent<Q>(t, e, out);
  add_vjp_to_coordinates<Q>(t, e, out.X_bar);
}

template <class Q>
__global__ void respond_all(const Tables<Q>* t, const Input<Q>* in, Output<Q>* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) respond<Q>(*t, in[i], out[i]);
}

/// Element number `seed`: the reference cell with its nodes displaced by up to 5 %, curved therefore,
/// and an unknown of that size.
template <class Q>
Input<Q> element(int seed) {
  constexpr int d = Q::ref_dim;
  int k = 0;
  const auto noise = [&] { return Pack(std::sin(12.9898 * ++k + 78.233 * (seed + 1))); };
  double vertex[d + 1][3] = {};
  for (int m = 0; m < d; ++m) vertex[m + 1][m] = 1;
  Input<Q> e{};
  int a = 0;
  const auto add = [&](const double* x, const double* y) {
    for (int i = 0; i < 3; ++i) {
      e.X[a][i] = 0.5 * (x[i] + y[i]) + 0.05 * noise();
      e.U[a][i] = 0.05 * noise();
      e.L[a][i] = noise();
    }
    ++a;
  };
  for (int i = 0; i <= d; ++i) add(vertex[i], vertex[i]);
  for (int i = 0; i <= d; ++i)
    for (int j = i + 1; j <= d; ++j) add(vertex[i], vertex[j]);
  e.p[0] = 2.0;
  e.p[1] = 0.3;
  return e;
}

template <class Q>
struct ElementKernel : testing::Test {};
using Forms = testing::Types<NeoHookeanSolid, Pressure>;
TYPED_TEST_SUITE(ElementKernel, Forms);

/// Derivatives at the points, contracted, are those of the whole element's residual. Entries are of
/// order one.
TYPED_TEST(ElementKernel, DerivativesAreThoseOfTheResidual) {
  using Q = TypeParam;
  using D = Dual<Pack, 1>;
  constexpr int n = node_count<Q>;
  const Tables<Q> t = tabulate<Q>();
  const Input<Q> e = element<Q>(3);
  std::vector<Output<Q>> out(1);
  respond<Q>(t, e, out[0]);
  D X[n][3], U[n][3];
  for (int a = 0; a < n; ++a)
    for (int i = 0; i < 3; ++i) {
      X[a][i] = e.X[a][i];
      U[a][i] = e.U[a][i];
    }
  double largest = 0;
  for (int b = 0; b < n; ++b)
    for (int j = 0; j < 3; ++j) {
      D by_U[n][3]{}, by_X[n][3]{};
      U[b][j].grad[0] = 1.0;
      add_residual<Q, D>(t, X, U, e.p, by_U);
      U[b][j].grad[0] = 0.0;
      X[b][j].grad[0] = 1.0;
      add_residual<Q, D>(t, X, U, e.p, by_X);
      X[b][j].grad[0] = 0.0;
      double work = 0;
      for (int a = 0; a < n; ++a)
        for (int i = 0; i < 3; ++i) {
          EXPECT_NEAR(out[0].tangent[a][i][b][j][0], by_U[a][i].grad[0][0], 1e-13);
          if constexpr (Q::symmetric)
            EXPECT_NEAR(out[0].tangent[a][i][b][j][0], out[0].tangent[b][j][a][i][0], 1e-13);
          largest = std::max(largest, std::abs(by_U[a][i].grad[0][0]));
          work += e.L[a][i][0] * by_X[a][i].grad[0][0];
        }
      EXPECT_NEAR(out[0].X_bar[b][j][0], work, 1e-13);
    }
  EXPECT_GT(largest, 0.1);
}

/// Host and device round and contract differently.
TYPED_TEST(ElementKernel, DeviceGivesWhatTheHostGives) {
  using Q = TypeParam;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    GTEST_SKIP() << "skipped: no CUDA device";
  const int n = 100;
  const Tables<Q> t = tabulate<Q>();
  std::vector<Input<Q>> in;
  for (int i = 0; i < n; ++i) in.push_back(element<Q>(i));
  std::vector<Output<Q>> out(n), expected(1);
  // Duals of duals live in local memory.
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 64 * 1024), cudaSuccess);
  Tables<Q>* t_device = nullptr;
  Input<Q>* in_device = nullptr;
  Output<Q>* out_device = nullptr;
  ASSERT_EQ(cudaMalloc(&t_device, sizeof(t)), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&in_device, n * sizeof(in[0])), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&out_device, n * sizeof(out[0])), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(t_device, &t, sizeof(t), cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(in_device, in.data(), n * sizeof(in[0]), cudaMemcpyHostToDevice), cudaSuccess);
  respond_all<Q><<<(n + 31) / 32, 32>>>(t_device, in_device, out_device, n);
  ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  const auto copied = cudaMemcpy(out.data(), out_device, n * sizeof(out[0]), cudaMemcpyDeviceToHost);
  cudaFree(t_device);
  cudaFree(in_device);
  cudaFree(out_device);
  ASSERT_EQ(copied, cudaSuccess) << cudaGetErrorString(copied);
  constexpr int count = sizeof(Output<Q>) / sizeof(double);
  for (int i = 0; i < n; ++i) {
    respond<Q>(t, in[i], expected[0]);
    const double* a = reinterpret_cast<const double*>(&out[i]);
    const double* b = reinterpret_cast<const double*>(&expected[0]);
    for (int k = 0; k < count; ++k) ASSERT_NEAR(a[k], b[k], 1e-12) << "number " << k << " of element " << i;
  }
}

}  // namespace
}  // namespace invar
