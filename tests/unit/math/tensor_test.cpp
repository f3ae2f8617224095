#include "libfem/math/tensor.hpp"

#include <gtest/gtest.h>

namespace invar::tensors {
namespace {

using Matrix3 = Matrix<double, 3, 3>;
using Vector3 = Vector<double, 3>;

const Matrix3 A{2.0, -1.0, 0.5, 0.3, 1.5, -0.7, -0.2, 0.4, 3.0};
const Matrix3 B{0.1, 1.0, -2.0, 0.6, -0.5, 0.8, 1.1, 0.9, -1.2};
const Vector3 a{1.0, -2.0, 0.5}, b{0.3, 0.7, -1.1};
constexpr double tolerance = 1e-14;  // a few roundings of numbers of size 1 to 10

template <Tensor X, Tensor Y>
void expect_equal(const X& x, const Y& y) {
  static_assert(SameShape<X, Y>);
  for (int i = 0; i < tensor_traits<X>::size; ++i)
    EXPECT_NEAR(x.entries[i], y.entries[i], tolerance) << "entry " << i;
}

TEST(Tensor, EntriesAreByRows) {
  EXPECT_EQ(A(0, 1), -1.0);
  EXPECT_EQ(A(1, 0), 0.3);
  EXPECT_EQ(a[1], -2.0);
}

TEST(Tensor, SumsAndMultiples) {
  expect_equal(A + B - B, A);
  expect_equal(2 * A - A * 2.0, Matrix3{});
  expect_equal(A / 4, 0.25 * A);  // an int divides as a real number
  Matrix3 c = A;
  c += B, c *= 3, c -= A, c /= 2.0;
  expect_equal(c, A + 1.5 * B);
  expect_equal(-a, Vector3{-1.0, 2.0, -0.5});
}

TEST(Tensor, ProductsSatisfyTheirIdentities) {
  EXPECT_NEAR(dot(a, cross(a, b)), 0.0, tolerance);
  EXPECT_NEAR(dot(cross(a, b), cross(a, b)), dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b), 1e-13);
  expect_equal(matmul(outer(a, b), a), a * dot(b, a));
  EXPECT_NEAR(inner(A, B), trace(matmul(transpose(A), B)), tolerance);
  expect_equal(transpose(A * B), transpose(B) * transpose(A));
  expect_equal(A * (B * a), (A * B) * a);
  const Matrix<double, 2, 3> m{1, 2, 3, 4, 5, 6};
  expect_equal(matmul(m, transpose(m)), Matrix<double, 2, 2>{14, 32, 32, 77});
}

TEST(Tensor, SymmetricAndDeviatoricParts) {
  expect_equal(sym(A), 0.5 * (A + transpose(A)));
  EXPECT_NEAR(trace(dev(A)), 0.0, tolerance);
  expect_equal(dev(A) + identity<double, 3>() * (trace(A) / 3.0), A);
}

TEST(Tensor, NormIsEuclidean) {
  EXPECT_DOUBLE_EQ(norm(Vector3{2.0, -3.0, 6.0}), 7.0);
  EXPECT_DOUBLE_EQ(norm(Matrix<double, 2, 2>{1.0, 1.0, -1.0, 1.0}), 2.0);
}

template <int N>
void expect_inverse(const Matrix<double, N, N>& m) {
  const auto i = identity<double, N>();
  expect_equal(m * inverse(m), i);
  expect_equal(inverse(m) * m, i);
  expect_equal(matmul(transpose(m), cofactor(m)), i * det(m));
  EXPECT_NEAR(det(m * m), det(m) * det(m), 1e-12 * det(m) * det(m));
  EXPECT_NEAR(det(inverse(m)) * det(m), 1.0, tolerance);
}

TEST(Tensor, InverseDeterminantAndCofactor) {
  expect_inverse(Matrix<double, 1, 1>{-2.5});
  expect_inverse(Matrix<double, 2, 2>{2.0, -1.0, 0.5, 0.7});
  expect_inverse(A);
  EXPECT_NEAR(det(Matrix3{0, 1, 0, 0, 0, 1, 1, 0, 0}), 1.0, tolerance);   // even permutation
  EXPECT_NEAR(det(Matrix3{0, 1, 0, 1, 0, 0, 0, 0, 1}), -1.0, tolerance);  // odd
}

TEST(Tensor, MixedScalarsPromote) {
  using D = Dual<double, 1>;
  const Vector<D, 3> x{D::variable(1.0, 0), 2.0, 3.0};
  static_assert(std::is_same_v<decltype(2.0 * x), Vector<D, 3>>);
  static_assert(std::is_same_v<decltype(x[0] * a), Vector<D, 3>>);
  static_assert(std::is_same_v<decltype(A * x), Vector<D, 3>>);
  static_assert(std::is_same_v<decltype(dot(a, x)), D>);
  EXPECT_EQ(dot(a, x).grad[0], a[0]);
  EXPECT_EQ((A * x)[1].grad[0], A(1, 0));
  EXPECT_EQ(value_of(x + a)[2], 3.5);
  using P = Dual<Pack, 2>;
  const Matrix<P, 2, 2> m = identity<P, 2>();
  const Vector<Pack, 2> v{Pack(1.0), Pack(2.0)};
  static_assert(std::is_same_v<decltype(m * v), Vector<P, 2>>);
  EXPECT_EQ((m * v)[1].value[0], 2.0);
}

/// ∂ det A/∂A = cof A, and ∂ A⁻¹/∂A_kl = −A⁻¹ e_k e_lᵀ A⁻¹.
TEST(Tensor, DerivativesOfDeterminantAndInverse) {
  using D = Dual<double, 9>;
  Matrix<D, 3, 3> x;
  for (int k = 0; k < 9; ++k) x.entries[k] = D::variable(A.entries[k], k);
  const D d = det(x);
  const auto y = inverse(x);
  const Matrix3 c = cofactor(A), i = inverse(A);
  for (int k = 0; k < 9; ++k) {
    EXPECT_NEAR(d.grad[k], c.entries[k], tolerance);
    for (int j = 0; j < 9; ++j)
      EXPECT_NEAR(y.entries[j].grad[k], -i(j / 3, k / 3) * i(k % 3, j % 3), tolerance);
  }
}

TEST(Tensor, NormHasZeroDerivativesAtZero) {
  using D = Dual<Dual<double, 2>, 2>;
  const auto x = [](double v, int i) { return D::variable(Dual<double, 2>::variable(v, i), i); };
  const D zero = norm(Vector<D, 2>{x(0.0, 0), x(0.0, 1)});
  const D five = norm(Vector<D, 2>{x(3.0, 0), x(4.0, 1)});
  EXPECT_EQ(zero.value.value, 0.0);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(zero.grad[i].value, 0.0);
    for (int j = 0; j < 2; ++j) EXPECT_EQ(zero.grad[i].grad[j], 0.0);
  }
  EXPECT_DOUBLE_EQ(five.grad[0].value, 0.6);
  EXPECT_DOUBLE_EQ(five.grad[0].grad[1], -0.6 * 0.8 / 5.0);
}

}  // namespace
}  // namespace invar::tensors
