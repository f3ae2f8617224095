#pragma once
#include <algorithm>

#include "tests/unit/solid/material_cases.hpp"

namespace invar::test {

/// d f(x + t) / dt at t = 0, error O(step⁶).
template <class F>
auto difference(F f, double step) {
  const auto a = f(step), b = f(-step), c = f(2 * step), d = f(-2 * step), e = f(3 * step),
             g = f(-3 * step);
  auto slope = a;
  for (std::size_t i = 0; i < a.size(); ++i)
    slope[i] = (45 * (a[i] - b[i]) - 9 * (c[i] - d[i]) + (e[i] - g[i])) / (60 * step);
  return slope;
}

/// Energy, stress, tangent and their derivatives by the parameters in one row.
inline std::vector<double> row_of(const PointResponse& r) {
  std::vector<double> row{r.energy};
  row.insert(row.end(), r.stress.begin(), r.stress.end());
  for (const auto& line : r.tangent) row.insert(row.end(), line.begin(), line.end());
  for (std::size_t k = 0; k < r.energy_by_parameter.size(); ++k) {
    row.push_back(r.energy_by_parameter[k]);
    row.insert(row.end(), r.stress_by_parameter[k].begin(), r.stress_by_parameter[k].end());
  }
  return row;
}

/// What Dual<Pack, 1> gives at H moving along `direction` and the constants growing by `growth`.
struct Along {
  PointResponse value, rate;
};
inline Along evaluate_along(const Material& material, const Matrix3& H, const Matrix3& direction,
                            const std::vector<double>& p, double growth = 0.1) {
  using D = Dual<Pack, 1>;
  Matrix<D, 3, 3> moving;
  for (int i = 0; i < 9; ++i) {
    moving.entries[i] = D(H.entries[i]);
    moving.entries[i].grad[0] = direction.entries[i];
  }
  std::vector<D> q;
  for (const double value : p) {
    q.push_back(D(value));
    q.back().grad[0] = growth * value;
  }
  MaterialResponse<D> r{};
  material.evaluate(moving, std::span<const D>(q), everything, r);
  MaterialResponse<Pack> value{}, rate{};
  const auto split = [](const D& x, Pack& v, Pack& g) { v = x.value, g = x.grad[0]; };
  split(r.energy, value.energy, rate.energy);
  for (int i = 0; i < 9; ++i) {
    split(r.stress[i], value.stress[i], rate.stress[i]);
    for (int j = 0; j < 9; ++j) split(r.tangent[i][j], value.tangent[i][j], rate.tangent[i][j]);
  }
  for (std::size_t k = 0; k < p.size(); ++k) {
    split(r.energy_by_parameter[k], value.energy_by_parameter[k], rate.energy_by_parameter[k]);
    for (int i = 0; i < 9; ++i)
      split(r.stress_by_parameter[k][i], value.stress_by_parameter[k][i],
            rate.stress_by_parameter[k][i]);
  }
  return {lane_of(value, 0, p.size()), lane_of(rate, 0, p.size())};
}

/// Dual<Pack, 1> carries the derivative of what Pack gives, and the same values. Sixth-order
/// differences with step 2e-3 are good to about 1e-10 of the numbers' size.
inline void expect_derivative_along(const Material& material, const Matrix3& H,
                                    const Matrix3& direction, const std::vector<double>& p) {
  const auto expected = difference(
      [&](double t) {
        auto moved = p;
        for (double& value : moved) value *= 1 + 0.1 * t;
        return row_of(evaluate(material, H + t * direction, moved));
      },
      2e-3);
  const Along along = evaluate_along(material, H, direction, p);
  const auto rate = row_of(along.rate), value = row_of(along.value),
             plain = row_of(evaluate(material, H, p));
  ASSERT_EQ(rate.size(), expected.size());
  for (std::size_t i = 0; i < rate.size(); ++i) {
    EXPECT_NEAR(rate[i], expected[i], 1e-9 * std::max(1.0, std::abs(expected[i]))) << "entry " << i;
    EXPECT_NEAR(value[i], plain[i], 1e-13 * std::max(1.0, std::abs(plain[i]))) << "entry " << i;
  }
}

/// Stress, tangent and parameter derivatives are differences of energy and stress (as above).
inline void expect_derivatives(const Material& material, const Matrix3& H,
                               const std::vector<double>& p) {
  const auto compare = [](double found, double expected) {
    EXPECT_NEAR(found, expected, 1e-9 * std::max(1.0, std::abs(expected)));
  };
  const auto energy_and_stress = [&](const Matrix3& at, const std::vector<double>& q) {
    const PointResponse r = evaluate(material, at, q, {true, true, false, false});
    std::vector<double> row{r.energy};
    row.insert(row.end(), r.stress.begin(), r.stress.end());
    return row;
  };
  const PointResponse r = evaluate(material, H, p);
  for (int s = 0; s < 9; ++s) {
    const auto slope = difference(
        [&](double t) {
          Matrix3 moved = H;
          moved.entries[s] += t;
          return energy_and_stress(moved, p);
        },
        2e-3);
    compare(r.stress[s], slope[0]);
    for (int i = 0; i < 9; ++i) compare(r.tangent[i][s], slope[1 + i]);
  }
  for (std::size_t k = 0; k < p.size(); ++k) {
    const auto slope = difference(
        [&](double t) {
          auto moved = p;
          moved[k] *= 1 + t;
          return energy_and_stress(H, moved);
        },
        2e-3);
    compare(r.energy_by_parameter[k] * p[k], slope[0]);
    for (int i = 0; i < 9; ++i) compare(r.stress_by_parameter[k][i] * p[k], slope[1 + i]);
  }
}

}  // namespace invar::test
