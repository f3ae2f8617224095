#include "libfem/math/dual.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace invar {
namespace {

using Complex = std::complex<double>;
using D1 = Dual<double, 2>;
using D2 = Dual<D1, 2>;
using D3 = Dual<D2, 2>;

/// Directions: 0 for x, 1 for y.
D2 variable2(double v, int i) { return D2::variable(D1::variable(v, i), i); }
D3 variable3(double v, int i) { return D3::variable(variable2(v, i), i); }

// The complex step is exact to rounding: f(x + ih).imag()/h with h² below the smallest number.
constexpr double h = 1e-100;
constexpr double tolerance = 1e-13;  // relative; a few hundred roundings

/// f on duals and doubles, g the same function written for complex numbers.
template <class F, class G>
void expect_derivatives(const char* name, F f, G g, double x) {
  SCOPED_TRACE(testing::Message() << name << " at " << x);
  const double value = f(x);
  const double first = g(Complex(x, h)).imag() / h;
  // f″: the complex step of the dual derivative of g, itself compared with `first`.
  const auto dg = g(Dual<Complex, 1>::variable(Complex(x, h), 0)).grad[0];
  ASSERT_NEAR(dg.real(), first, tolerance * (1 + std::abs(first)));
  const double second = dg.imag() / h;

  const D2 r = f(variable2(x, 0));
  EXPECT_NEAR(r.value.value, value, tolerance * (1 + std::abs(value)));
  EXPECT_NEAR(r.value.grad[0], first, tolerance * (1 + std::abs(first)));
  EXPECT_NEAR(r.grad[0].value, first, tolerance * (1 + std::abs(first)));
  EXPECT_NEAR(r.grad[0].grad[0], second, tolerance * (1 + std::abs(second)));
  EXPECT_EQ(r.grad[1].value, 0.0);

  // Packs take the vector functions, numbers those of <cmath>.
  const auto p = f(Dual<Pack, 1>::variable(Pack(x), 0));
  EXPECT_NEAR(p.value[0], value, tolerance * (1 + std::abs(value)));
  EXPECT_NEAR(p.grad[0][simd_width - 1], first, tolerance * (1 + std::abs(first)));
}

#define EXPECT_DERIVATIVES(expression, complex_expression, at)        \
  expect_derivatives(                                                 \
      #expression, [](const auto& x) { return expression; },          \
      [](const auto& x) { return complex_expression; }, at)

TEST(Dual, ElementaryFunctionsHaveTheirDerivatives) {
  for (double x : {0.3, 0.9, -0.4, 0.02}) {
    EXPECT_DERIVATIVES(exp(x), exp(x), x);
    EXPECT_DERIVATIVES(expm1(x), exp(x) - 1.0, x);
    EXPECT_DERIVATIVES(log1p(x), log(1.0 + x), x);
    EXPECT_DERIVATIVES(sin(x), sin(x), x);
    EXPECT_DERIVATIVES(cos(x), cos(x), x);
    EXPECT_DERIVATIVES(tan(x), sin(x) / cos(x), x);
    EXPECT_DERIVATIVES(asin(x), asin(x), x);
    EXPECT_DERIVATIVES(acos(x), acos(x), x);
    EXPECT_DERIVATIVES(atan(x), atan(x), x);
    EXPECT_DERIVATIVES(sinh(x), 0.5 * (exp(x) - exp(-x)), x);
    EXPECT_DERIVATIVES(cosh(x), 0.5 * (exp(x) + exp(-x)), x);
    EXPECT_DERIVATIVES(tanh(x), sinh(x) / cosh(x), x);
    EXPECT_DERIVATIVES(abs(x), sqrt(x * x), x);
    EXPECT_DERIVATIVES(hypot(x, 0.7), sqrt(x * x + 0.49), x);
    EXPECT_DERIVATIVES(atan2(x, 0.7), atan(x / 0.7), x);
    EXPECT_DERIVATIVES(atan2(0.7, x + 2.0), atan(0.7 / (x + 2.0)), x);
    EXPECT_DERIVATIVES(pow(x, 3), x * x * x, x);
    EXPECT_DERIVATIVES(pow(x, -2.0), 1.0 / (x * x), x);
    EXPECT_DERIVATIVES(pow(1.7, x), exp(x * std::log(1.7)), x);
    EXPECT_DERIVATIVES(max(x, -0.9), x, x);
    EXPECT_DERIVATIVES(floor(x) + x, x, x);
  }
  for (double x : {0.3, 1.0, 4.2}) {
    EXPECT_DERIVATIVES(sqrt(x), exp(0.5 * log(x)), x);
    EXPECT_DERIVATIVES(cbrt(x), exp(log(x) / 3.0), x);
    EXPECT_DERIVATIVES(log(x), log(x), x);
    EXPECT_DERIVATIVES(pow(x, -2.0 / 3.0), exp(-2.0 / 3.0 * log(x)), x);
    EXPECT_DERIVATIVES(pow(x, x), exp(x * log(x)), x);
  }
}

/// Third derivatives of e^{xy}/x² + y³ against those by hand.
TEST(Dual, ThreeLevelsGiveThirdDerivatives) {
  const double a = 0.7, b = -1.3;
  const D3 x = variable3(a, 0), y = variable3(b, 1);
  const D3 f = exp(x * y) / (x * x) + y * y * y;
  // With s = xy: ∂³/∂x²∂y of e^s x⁻²: ∂_y = e^s x⁻¹; ∂_x: e^s (y x⁻¹ − x⁻²);
  // ∂_xx: e^s (y² x⁻¹ − 2 y x⁻² + 2 x⁻³).
  const double e = std::exp(a * b);
  const double xxy = e * (b * b / a - 2 * b / (a * a) + 2 / (a * a * a));
  EXPECT_NEAR(f.grad[0].grad[0].grad[1], xxy, 1e-13 * std::abs(xxy));
  EXPECT_NEAR(f.grad[0].grad[1].grad[0], xxy, 1e-13 * std::abs(xxy));
  EXPECT_NEAR(f.grad[1].grad[0].grad[0], xxy, 1e-13 * std::abs(xxy));
  EXPECT_NEAR(f.grad[1].grad[1].grad[1], e * a + 6, 1e-13 * (e * a + 6));
}

TEST(Dual, PassiveOperandsConvertFromEveryLevelBelow) {
  using Inner = Dual<Pack, 1>;
  using Outer = Dual<Inner, 2>;
  static_assert(std::is_convertible_v<double, Outer> && std::is_convertible_v<int, Outer> &&
                std::is_convertible_v<Pack, Outer> && std::is_convertible_v<Inner, Outer>);
  static_assert(!std::is_convertible_v<Outer, Inner> && !std::is_convertible_v<Outer, double>);
  static_assert(dual_depth_v<Outer> == 2 && std::is_same_v<scalar_of_t<Outer>, Pack> &&
                std::is_same_v<real_of_t<Outer>, double>);
  const Inner s = Inner::variable(Pack(3.0), 0);
  const Outer x = Outer::variable(s, 1);
  // x = 3 along outer direction 1, and s = 3 along the inner one: d/dx, d/ds of the same expression
  // by passive operands and by full duals.
  const auto same = [](const Outer& a, const Outer& b) {
    for (int i = 0; i < 2; ++i) {
      EXPECT_DOUBLE_EQ(a.grad[i].value[0], b.grad[i].value[0]);
      EXPECT_DOUBLE_EQ(a.grad[i].grad[0][0], b.grad[i].grad[0][0]);
    }
    EXPECT_DOUBLE_EQ(a.value.value[0], b.value.value[0]);
    EXPECT_DOUBLE_EQ(a.value.grad[0][0], b.value.grad[0][0]);
  };
  same(x * s - s / x, x * Outer(s) - Outer(s) / x);
  same(x / s + 2 * x, x / Outer(s) + Outer(2.0) * x);
  same(x - 1 / x + Pack(2.0), x - Outer(1.0) / x + Outer(2.0));
  same(pow(x, s), pow(x, Outer(s)));
  same(pow(s, x), pow(Outer(s), x));
  same(max(s, x) + min(x, 4.0), s + x);  // ties go to the first argument
  Outer c = x;
  c += s, c *= x, c -= 1, c /= s, c *= c;
  const Outer d = ((x + s) * x - 1) / s;
  same(c, d * d);
}

TEST(Dual, ComparisonsLookAtTheValue) {
  const D2 x = variable2(2.0, 0), y = variable2(3.0, 1);
  EXPECT_TRUE(x < y && y > 2 && 2.0 == x && x != y && x <= 2 && y >= x);
  EXPECT_EQ(value_of(x), 2.0);
  EXPECT_EQ(select(x < y, x, 1.0).grad[0].value, 1.0);
  EXPECT_EQ(select(x > y, x, 1.0).grad[0].value, 0.0);

  Pack v;
  for (int i = 0; i < simd_width; ++i) v.set(i, i);
  const auto p = Dual<Pack, 1>::variable(v, 0);
  const auto q = select(p < 1, p * p * 5, -p);
  for (int i = 0; i < simd_width; ++i) {
    EXPECT_EQ(q.value[i], i < 1 ? 0.0 : -i);
    EXPECT_EQ(q.grad[0][i], i < 1 ? 0.0 : -1.0);
  }
}

/// Every derivative of every order.
std::vector<double> derivatives(const D2& x) {
  std::vector<double> all = {x.value.grad[0], x.value.grad[1]};
  for (const D1& g : x.grad) all.insert(all.end(), {g.value, g.grad[0], g.grad[1]});
  return all;
}
void expect_all(const D2& x, double value, double derivative) {
  EXPECT_EQ(x.value.value, value);
  for (double d : derivatives(x)) EXPECT_EQ(d, derivative);
}

TEST(Dual, ConventionsAtBranchPoints) {
  const D2 zero = 0.0, x = variable2(0.0, 0), y = variable2(0.0, 1);
  expect_all(abs(x), 0.0, 0.0);
  expect_all(hypot(x, y), 0.0, 0.0);
  expect_all(atan2(x, y), 0.0, 0.0);
  EXPECT_EQ(abs(variable2(-0.5, 0)).grad[0].value, -1.0);
  EXPECT_EQ(max(x, y).grad[0].value, 1.0);
  EXPECT_EQ(min(x, y).grad[0].value, 1.0);
  EXPECT_EQ(max(y, x).grad[0].value, 0.0);

  // Infinite derivatives leave zero tangents alone and show in all others.
  for (const D2& r : {sqrt(zero), cbrt(zero), pow(zero, 0.5), pow(zero, D2(0.5))})
    expect_all(r, 0.0, 0.0);
  expect_all(D2(asin(D2(1.0)) - std::asin(1.0)), 0.0, 0.0);
  for (const D2& r : {sqrt(x), cbrt(x), pow(x, 0.5), asin(D2(1.0) + x), -acos(D2(1.0) + x)}) {
    EXPECT_GT(r.grad[0].value, 1e30);
    for (double d : derivatives(r)) EXPECT_TRUE(std::isfinite(d));
  }
  const D3 third = sqrt(variable3(0.0, 0)) + pow(D3(0.0), 0.25) + sqrt(D3(0.0));
  EXPECT_TRUE(std::isfinite(third.grad[0].grad[0].grad[0]));
  EXPECT_EQ(third.grad[1].grad[1].grad[1], 0.0);
}

TEST(Dual, PowersOfZero) {
  const auto expect_power = [](const D2& r, double value, double first, double second) {
    EXPECT_EQ(r.value.value, value);
    EXPECT_EQ(r.grad[0].value, first);
    EXPECT_EQ(r.value.grad[0], first);
    EXPECT_EQ(r.grad[0].grad[0], second);
  };
  const D2 x = variable2(0.0, 0);
  expect_power(pow(x, 0.0), 1.0, 0.0, 0.0);
  expect_power(pow(x, 1.0), 0.0, 1.0, 0.0);
  expect_power(pow(x, 2.0), 0.0, 0.0, 2.0);
  expect_power(pow(x, 3), 0.0, 0.0, 0.0);
  expect_power(pow(x, 2.5), 0.0, 0.0, 0.0);
  expect_power(pow(x, D2(2.0)), 0.0, 0.0, 2.0);
  expect_power(pow(variable2(-2.0, 0), 3), -8.0, 12.0, -12.0);
  expect_power(pow(variable2(-2.0, 0), D2(3.0)), -8.0, 12.0, -12.0);
  // In the exponent: 0^y = 0 for y > 0, so every derivative in y is 0.
  expect_all(pow(D2(0.0), variable2(2.0, 1)), 0.0, 0.0);
  expect_all(pow(0.0, variable2(2.0, 1)), 0.0, 0.0);
  // A zero lane must not disturb the others.
  Pack v(2.0);
  v.set(0, 0.0);
  const auto p = pow(Dual<Pack, 1>::variable(v, 0), 3.0);
  EXPECT_EQ(p.grad[0][0], 0.0);
  if (simd_width > 1) {
    EXPECT_DOUBLE_EQ(p.grad[0][simd_width - 1], 12.0);
  }
}

TEST(Dual, ZeroInitialisesOnRequest) {
  expect_all(D2{}, 0.0, 0.0);
  static_assert(std::is_trivially_copyable_v<D3> && std::is_trivially_default_constructible_v<D3>);
}

}  // namespace
}  // namespace invar
