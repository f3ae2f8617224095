#include "libfem/math/spectral.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/math/power_function.hpp"

namespace invar::spectra {
namespace {

using Matrix3 = Matrix<double, 3, 3>;

/// A rotation about an axis in no special position.
template <class T>
Matrix<T, 3, 3> rotation(T angle) {
  const T c = cos(angle), s = sin(angle);
  const Matrix<T, 3, 3> x{1, 0, 0, 0, c, -s, 0, s, c}, z{c, -s, 0, s, c, 0, 0, 0, 1};
  return x * z;
}
template <class T>
Matrix<T, 3, 3> spectral_matrix(const Vector<T, 3>& values, double angle) {
  const auto q = rotation(T(angle));
  const Matrix<T, 3, 3> d{values[0], 0, 0, 0, values[1], 0, 0, 0, values[2]};
  return q * d * transpose(q);
}

/// Squared stretches: equal, nearly equal and distinct, and both sides of the Taylor threshold.
std::vector<Vector<double, 3>> spectra() {
  std::vector<Vector<double, 3>> s = {{1, 1, 1},       {1.3, 1.3, 0.6}, {0.6, 1.3, 1.3},
                                      {0.5, 1.1, 2.4}, {1, 1.049, 0.8}, {1, 1.052, 0.8},
                                      {1, 1.024, 1.049}, {1, 1.026, 1.052}, {1, 1.04, 1.08}};
  for (double gap = 1e-3; gap > 1e-13; gap /= 10) {
    s.push_back({1.2, 1.2 + gap, 0.7});
    s.push_back({0.9, 0.9 + gap, 0.9 - 2 * gap});
  }
  return s;
}

TEST(EigenSymmetric, ReconstructsEveryLane) {
  for (const auto& values : spectra()) {
    Matrix<Pack, 3, 3> C;
    for (int lane = 0; lane < simd_width; ++lane) {
      const Matrix3 c = spectral_matrix(values, 0.4 * lane);  // lane 0: diagonal
      for (int k = 0; k < 9; ++k) C.entries[k].set(lane, c.entries[k]);
    }
    const auto [lambda, V] = eigen_symmetric(C);
    const auto I = matmul(transpose(V), V);
    auto Vl = V;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) Vl(i, j) = V(i, j) * lambda[j];
    const auto R = matmul(Vl, transpose(V));
    for (int lane = 0; lane < simd_width; ++lane)
      for (int k = 0; k < 9; ++k) {
        EXPECT_NEAR(R.entries[k][lane], C.entries[k][lane], 1e-14);
        EXPECT_NEAR(I.entries[k][lane], k % 4 == 0 ? 1.0 : 0.0, 1e-14);
      }
  }
}

TEST(EigenSymmetric, HandlesScalesAndSigns) {
  // 2 × 2 block with eigenvalues −1 and 3, and zero; also far from size 1.
  for (double scale : {1e-150, 1.0, 1e150}) {
    Matrix3 C = Matrix3{1, 2, 0, 2, 1, 0, 0, 0, 0} * scale;
    auto lambda = eigen_symmetric(C).values;
    std::sort(lambda.entries, lambda.entries + 3);
    EXPECT_NEAR(lambda[0] / scale, -1.0, 1e-15);
    EXPECT_NEAR(lambda[1] / scale, 0.0, 1e-15);
    EXPECT_NEAR(lambda[2] / scale, 3.0, 1e-15);
  }
  EXPECT_EQ(eigen_symmetric(Matrix3{}).values[1], 0.0);
}

using D1 = Dual<Pack, 6>;
using D2 = Dual<D1, 6>;
using D3 = Dual<D2, 6>;

/// C with its six independent entries as variables of all three levels; lanes hold rotated copies.
Matrix<D3, 3, 3> variable_matrix(const Vector<double, 3>& values) {
  constexpr int index[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
  Matrix<D3, 3, 3> C;
  for (int k = 0; k < 9; ++k) {
    Pack v;
    for (int lane = 0; lane < simd_width; ++lane)
      v.set(lane, sym(spectral_matrix(values, 0.3 * lane)).entries[k]);
    const int i = index[k];
    C.entries[k] = D3::variable(D2::variable(D1::variable(v, i), i), i);
  }
  return C;
}

/// Largest difference of the derivatives of each order, 0 … 3, relative to the largest derivative.
Vector<double, 4> differences(const D3& x, const D3& y) {
  Vector<double, 4> error{}, size{1, 1, 1, 1};
  const auto see = [&](int order, const Pack& p, const Pack& q) {
    for (int lane = 0; lane < simd_width; ++lane) {
      error[order] = std::max(error[order], std::abs(p[lane] - q[lane]));
      if (std::isnan(p[lane])) error[order] = p[lane];
      size[order] = std::max(size[order], std::abs(q[lane]));
    }
  };
  see(0, x.value.value.value, y.value.value.value);
  for (int i = 0; i < 6; ++i) {
    see(1, x.grad[i].value.value, y.grad[i].value.value);
    see(1, x.value.value.grad[i], y.value.value.grad[i]);
    for (int j = 0; j < 6; ++j) {
      see(2, x.grad[i].grad[j].value, y.grad[i].grad[j].value);
      for (int k = 0; k < 6; ++k) see(3, x.grad[i].grad[j].grad[k], y.grad[i].grad[j].grad[k]);
    }
  }
  for (int k = 0; k < 4; ++k) error[k] /= size[k];
  return error;
}

/// Rounding, amplified by the gap of 0.05 at which differences take over: once in the second
/// derivatives, twice in the third.
constexpr double tolerance[4] = {1e-14, 1e-14, 1e-13, 4e-12};

void expect_equal(const D3& x, const D3& y) {
  const auto e = differences(x, y);
  for (int order = 0; order < 4; ++order)
    EXPECT_LE(e[order], tolerance[order]) << "derivatives of order " << order;
}

TEST(TraceOfFunction, IntegerPowersAreMatrixProducts) {
  for (const auto& values : spectra()) {
    SCOPED_TRACE(testing::Message() << values[0] << ", " << values[1] << ", " << values[2]);
    const auto C = variable_matrix(values);
    const auto C2 = matmul(C, C), inverse_C = inverse(C);
    expect_equal(trace_of_function(C, PowerFunction{1.0}), trace(C));
    expect_equal(trace_of_function(C, PowerFunction{2.0}), trace(C2));
    expect_equal(trace_of_function(C, PowerFunction{3}), trace(matmul(C2, C)));
    expect_equal(trace_of_function(C, PowerFunction{-1.0}), trace(inverse_C));
    expect_equal(trace_of_function(C, PowerFunction{-2.0}), trace(matmul(inverse_C, inverse_C)));
    expect_equal(trace_of_function(C, PowerFunction{6.0}), trace(matmul(matmul(C2, C2), C2)));
  }
}

/// The square root of a matrix by Newton's iteration on duals: quadratic convergence from the value
/// at hand carries all derivatives with it (Denman and Beavers).
Matrix<D3, 3, 3> square_root(const Matrix<D3, 3, 3>& C) {
  Matrix<D3, 3, 3> y = C, z = identity<D3, 3>();
  for (int i = 0; i < 10; ++i) {
    const auto next = 0.5 * (y + inverse(z));
    z = 0.5 * (z + inverse(y));
    y = next;
  }
  return y;
}

TEST(TraceOfFunction, HalfPowersAreMatrixRoots) {
  for (const auto& values : spectra()) {
    SCOPED_TRACE(testing::Message() << values[0] << ", " << values[1] << ", " << values[2]);
    const auto C = variable_matrix(values);
    const auto U = square_root(C);
    expect_equal(trace_of_function(C, PowerFunction{0.5}), trace(U));
    expect_equal(trace_of_function(C, PowerFunction{-1.5}),
                 trace(inverse(matmul(U, C))));
  }
}

/// Any function may be given by its derivatives: here exp(x).
struct Exponential {
  template <class T>
  T derivative(int, const T& x) const {
    return exp(x);
  }
};

TEST(TraceOfFunction, ExponentialIsItsSeries) {
  const auto C = variable_matrix({0.9, 0.9 + 1e-6, 0.5});
  auto sum = identity<D3, 3>(), term = sum;
  for (int n = 1; n < 22; ++n) {  // 1/22! < 1e-21
    term = matmul(term, C) / n;
    sum += term;
  }
  expect_equal(trace_of_function(C, Exponential{}), trace(sum));
}

/// An exponent that is itself a variable: with α = 2 + s, derivatives in s and C mix. The reference
/// writes C^(2+s) = C² exp(s log C), and log C by Gregory's series at C near I.
TEST(TraceOfFunction, ExponentsMayCarryDerivatives) {
  for (const Vector<double, 3>& values :
       {Vector<double, 3>{1, 1, 1}, {1.02, 1.02 + 1e-5, 0.97}, {0.8, 1.1, 1.3}}) {
    // The last of the six directions is the exponent; five entries of C are variables.
    Matrix<D3, 3, 3> C = variable_matrix(values);
    C(2, 2) = D3(value_of(C(2, 2)));
    const D3 s = D3::variable(D2::variable(D1::variable(Pack(0.0), 5), 5), 5);

    const auto I = identity<D3, 3>();
    const auto w = matmul(C - I, inverse(C + I));  // |w| < 0.14
    auto power = w, logarithm = 2.0 * w;
    for (int n = 3; n < 27; n += 2) {
      power = matmul(matmul(power, w), w);
      logarithm += power * (2.0 / n);
    }
    const auto L = s * logarithm;
    const auto expansion = I + L + 0.5 * matmul(L, L) + (1.0 / 6.0) * matmul(matmul(L, L), L);
    const D3 reference = trace(matmul(matmul(C, C), expansion));  // s⁴ = 0 at three levels
    expect_equal(trace_of_function(C, PowerFunction{2.0 + s}), reference);
  }
}

TEST(TraceOfFunction, LowerLevelsAgreeWithHigherOnes) {
  const auto C3 = variable_matrix({1.2, 1.2 + 1e-4, 0.7});
  Matrix<D2, 3, 3> C2;
  Matrix<D1, 3, 3> C1;
  Matrix<Pack, 3, 3> C0;
  for (int k = 0; k < 9; ++k) {
    C2.entries[k] = C3.entries[k].value;
    C1.entries[k] = C2.entries[k].value;
    C0.entries[k] = C1.entries[k].value;
  }
  const PowerFunction f{1.35};
  const D3 r3 = trace_of_function(C3, f);
  const D2 r2 = trace_of_function(C2, f);
  const D1 r1 = trace_of_function(C1, f);
  EXPECT_NEAR(trace_of_function(C0, f)[0], r3.value.value.value[0], 1e-14);
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(r1.grad[i][0], r3.value.value.grad[i][0], 1e-14);
    for (int j = 0; j < 6; ++j)
      EXPECT_NEAR(r2.grad[i].grad[j][0], r3.value.grad[i].grad[j][0], 1e-14);
  }
}

}  // namespace
}  // namespace invar::spectra
