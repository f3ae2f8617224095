#include "libfem/math/near_zero.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <vector>

#include "libfem/math/simd.hpp"

namespace invar::near_zero {
namespace {

using Long = boost::multiprecision::cpp_bin_float_100;

/// Both sides of every switch between a series and the definition, and down to 1e-40.
std::vector<double> arguments() {
  std::vector<double> all{0.39, 0.41, -0.39, -0.41, 0.352, 0.354, -0.26, -0.262, -0.9, 3, 40};
  for (double x = 0.9; x > 1e-40; x *= 0.37)
    for (const double sign : {1.0, -1.0}) all.push_back(sign * x);
  return all;
}

/// f, f′ and f″ of a pack to 2e-15 of themselves.
template <class F, class G>
void expect_exact(F f, G exact) {
  using D1 = Dual<Pack, 1>;
  using D2 = Dual<D1, 1>;
  for (const double x : arguments()) {
    const D2 y = f(D2::variable(D1::variable(Pack(x), 0), 0));
    const double found[3] = {y.value.value[0], y.grad[0].value[0], y.grad[0].grad[0][0]};
    const std::array<Long, 3> wanted = exact(Long(x));
    for (int k = 0; k < 3; ++k)
      EXPECT_LE(abs((Long(found[k]) - wanted[k]) / wanted[k]), 2e-15) << "derivative " << k << " at " << x;
  }
}

TEST(NearZero, EveryDerivativeIsExactToRounding) {
  expect_exact([](const auto& x) { return log1pmx(x); }, [](const Long& x) {
    return std::array<Long, 3>{x == 0 ? Long(0) : Long(boost::multiprecision::log1p(x) - x), -x / (1 + x), -1 / ((1 + x) * (1 + x))};
  });
  expect_exact([](const auto& x) { return expm1mx(x); }, [](const Long& x) {
    return std::array<Long, 3>{boost::multiprecision::expm1(x) - x, boost::multiprecision::expm1(x), exp(x)};
  });
  expect_exact([](const auto& x) { return cbrt1pm1(x); }, [](const Long& x) {
    const Long logarithm = boost::multiprecision::log1p(x) / 3;
    return std::array<Long, 3>{boost::multiprecision::expm1(logarithm), exp(-2 * logarithm) / 3, -2 * exp(-5 * logarithm) / 9};
  });
}

TEST(NearZero, DeterminantsLessOne) {
  const Matrix<double, 3, 3> H{0.3, -0.2, 0.7, 0.1, 0.4, -0.5, 0.6, 0.25, -0.1};
  EXPECT_NEAR(det1pm1(H), det(H + identity<double, 3>()) - 1, 1e-15);
  EXPECT_NEAR(det1pm1(1e-9 * H) / 1e-9, trace(H), 1e-8);
  const Matrix<double, 2, 2> h{0.3, -0.2, 0.1, 0.4};
  EXPECT_NEAR(det1pm1(h), det(h + identity<double, 2>()) - 1, 1e-15);
  EXPECT_TRUE(std::isnan(cbrt1pm1(-1.5)));
}

}  // namespace
}  // namespace invar::near_zero
