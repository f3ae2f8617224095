#include "libfem/math/simd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace invar {
namespace {

template <class P>
class SimdTest : public testing::Test {};

template <class T, int W>
constexpr int width_of(Simd<T, W>) {
  return W;
}

using Packs = testing::Types<Pack, Simd<double, 1>
#if INVAR_VECTOR_EXTENSIONS
                             ,
                             Simd<double, 2>
#endif
                             >;
TYPED_TEST_SUITE(SimdTest, Packs);

/// Lane i holds first + i·step.
template <class P>
P ramp(double first, double step) {
  P p;
  for (int i = 0; i < width_of(P{}); ++i) p.set(i, first + i * step);
  return p;
}

TYPED_TEST(SimdTest, LoadsAndStoresUnalignedMemory) {
  const int W = width_of(TypeParam{});
  std::vector<double> in(W + 1), out(W + 1, -1.0);
  for (int i = 0; i <= W; ++i) in[i] = 3.0 * i;
  TypeParam::load(in.data() + 1).store(out.data() + 1);
  EXPECT_EQ(out[0], -1.0);
  for (int i = 1; i <= W; ++i) EXPECT_EQ(out[i], in[i]);
}

TYPED_TEST(SimdTest, ArithmeticIsThatOfEveryLane) {
  const TypeParam a = ramp<TypeParam>(1.5, 0.25), b = ramp<TypeParam>(-2.0, 0.75);
  TypeParam c = a;
  c += b, c *= 3, c -= 0.5, c /= a;
  for (int i = 0; i < width_of(a); ++i) {
    const double x = 1.5 + 0.25 * i, y = -2.0 + 0.75 * i;
    EXPECT_EQ((a + b)[i], x + y);
    EXPECT_EQ((2 - a)[i], 2 - x);
    EXPECT_EQ((a * -b)[i], x * -y);
    EXPECT_EQ((1.0 / a)[i], 1.0 / x);
    EXPECT_EQ(fma(a, b, TypeParam(4))[i], x * y + 4);  // exact: few bits
    EXPECT_DOUBLE_EQ(c[i], ((x + y) * 3 - 0.5) / x);
    EXPECT_EQ(min(a, b)[i], std::min(x, y));
    EXPECT_EQ(max(a, b)[i], std::max(x, y));
    EXPECT_EQ(abs(b)[i], std::abs(y));
    EXPECT_EQ(floor(b)[i], std::floor(y));
    EXPECT_EQ(sqrt(a)[i], std::sqrt(x));
  }
}

TYPED_TEST(SimdTest, KeepsTheSignOfZero) {
  EXPECT_TRUE(std::signbit(TypeParam(-0.0)[0]));
  EXPECT_FALSE(std::signbit(abs(TypeParam(-0.0))[0]));
}

TYPED_TEST(SimdTest, MasksSelectLanes) {
  const int W = width_of(TypeParam{});
  const TypeParam a = ramp<TypeParam>(0.0, 1.0);
  for (int first = 0; first <= W; ++first) {
    const auto m = a < first;
    EXPECT_EQ(any(m), first > 0);
    EXPECT_EQ(all(m), first == W);
    EXPECT_EQ(any(!m), first < W);
    const TypeParam s = select(m, -1.0, a);
    for (int i = 0; i < W; ++i) {
      EXPECT_EQ(m[i], i < first);
      EXPECT_EQ(s[i], i < first ? -1.0 : i);
    }
  }
  for (int i = 0; i < W; ++i) {
    EXPECT_EQ((a > 0 && a <= 2)[i], i > 0 && i <= 2);
    EXPECT_EQ((a == 0 || a >= 3)[i], i == 0 || i >= 3);
    EXPECT_EQ((a != 1)[i], i != 1);
  }
}

TYPED_TEST(SimdTest, SumsOverLanes) {
  const int W = width_of(TypeParam{});
  EXPECT_EQ(reduce_sum(ramp<TypeParam>(1.0, 1.0)), W * (W + 1) / 2);
}

/// |x − exact| in units of the last place of exact.
double ulp_error(double x, long double exact) {
  const double rounded = static_cast<double>(exact);
  const double size = std::abs(rounded);
  const double ulp = std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
  return static_cast<double>(std::abs(x - exact)) / ulp;
}

/// glibc states at most 4 ulp for libmvec; the scalar functions are better.
constexpr double max_ulp = 4.0;

TYPED_TEST(SimdTest, ElementaryFunctionsAreAccurate) {
  const auto check = [](const char* name, auto f, double low, double high) {
    const int samples = 400;
    for (int k = 0; k < samples; ++k) {
      const double step = (high - low) / samples / width_of(TypeParam{});
      const TypeParam x = ramp<TypeParam>(low + (high - low) * k / samples, step);
      const TypeParam y = f(x);
      for (int i = 0; i < width_of(x); ++i)
        ASSERT_LE(ulp_error(y[i], f(static_cast<long double>(x[i]))), max_ulp)
            << name << " at " << x[i];
    }
  };
#define CHECK_FUNCTION(f, low, high) check(#f, [](auto x) { return f(x); }, low, high)
  CHECK_FUNCTION(exp, -50.0, 50.0);
  CHECK_FUNCTION(expm1, -5.0, 5.0);
  CHECK_FUNCTION(log, 1e-3, 40.0);
  CHECK_FUNCTION(log1p, -0.9, 5.0);
  CHECK_FUNCTION(cbrt, -9.0, 9.0);
  CHECK_FUNCTION(sin, -7.0, 7.0);
  CHECK_FUNCTION(cos, -7.0, 7.0);
  CHECK_FUNCTION(tan, -1.5, 1.5);
  CHECK_FUNCTION(asin, -0.99, 0.99);
  CHECK_FUNCTION(acos, -0.99, 0.99);
  CHECK_FUNCTION(atan, -9.0, 9.0);
  CHECK_FUNCTION(sinh, -5.0, 5.0);
  CHECK_FUNCTION(cosh, -5.0, 5.0);
  CHECK_FUNCTION(tanh, -5.0, 5.0);
#undef CHECK_FUNCTION
  for (double exponent : {-2.5, -2.0 / 3.0, 0.5, 2.0, 7.3})
    check("pow", [=](auto x) { return pow(x, decltype(x)(exponent)); }, 1e-2, 30.0);
  check("atan2", [](auto x) { return atan2(x, decltype(x)(-0.7)); }, -4.0, 4.0);
  check("hypot", [](auto x) { return hypot(x, decltype(x)(-0.7)); }, -4.0, 4.0);
}

TYPED_TEST(SimdTest, SpecialValuesFollowTheStandard) {
  EXPECT_EQ(exp(TypeParam(-1000.0))[0], 0.0);
  EXPECT_EQ(log(TypeParam(0.0))[0], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(log(TypeParam(-1.0))[0]));
  EXPECT_TRUE(std::isnan(sqrt(TypeParam(-1.0))[0]));
  EXPECT_EQ(pow(TypeParam(0.0), TypeParam(0.0))[0], 1.0);
  EXPECT_EQ(pow(TypeParam(-2.0), TypeParam(3.0))[0], -8.0);
}

TEST(Simd, TheSameWordsWorkForNumbers) {
  EXPECT_EQ(select(true, 1.0, 2), 1.0);
  EXPECT_EQ(max(1, 2.5), 2.5);
  EXPECT_TRUE(any(1.0 < 2.0) && all(true));
  EXPECT_EQ(reduce_sum(2.5), 2.5);
  EXPECT_EQ(value_of(2.5), 2.5);
  const std::complex<double> z = sqrt(std::complex<double>(-4.0, 0.0));
  EXPECT_EQ(z.imag(), 2.0);
}

}  // namespace
}  // namespace invar
