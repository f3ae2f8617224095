#pragma once
#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "libadjoint/inference/measured_places.hpp"
#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/normal_number.hpp"

namespace invar::correlated_noise {

/// n values along t = 0, 1, …, of one term whose first residual is `row`.
inline MeasuredPlaces curve_places(int n, Eigen::Index row = 0, const char* name = "curve") {
  MeasuredPlaces::Set set;
  set.first_row = row, set.rows = n;
  for (int i = 0; i < n; ++i) set.times.push_back(i), set.components.push_back(0);
  return {name, 0, {set}};
}

/// Two components at m × m points with a distance of 1, at several times.
inline MeasuredPlaces frame_places(int m, int frames) {
  MeasuredPlaces places{"frames", 2, {}};
  for (int f = 0; f < frames; ++f) {
    MeasuredPlaces::Set set;
    set.rows = 2 * m * m, set.first_row = set.rows * f;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j)
        for (int c = 0; c < 2; ++c) {
          set.places.insert(set.places.end(), {double(i), double(j)});
          set.times.push_back(f);
          set.components.push_back(c);
        }
    places.sets.push_back(set);
  }
  return places;
}

/// The correlations of all data of a term, from the definition: of space and time by h and τ.
inline Eigen::MatrixXd dense_correlation(const MeasuredPlaces& places, const CorrelationFunction& space, const CorrelationFunction& time) {
  std::vector<std::array<double, 4>> at;  // place, time, component
  for (const MeasuredPlaces::Set& s : places.sets)
    for (std::size_t k = 0; k < s.samples(); ++k)
      at.push_back({places.dim > 0 ? s.places[2 * k] : 0, places.dim > 0 ? s.places[2 * k + 1] : 0, s.times[k], double(s.components[k])});
  const auto n = static_cast<Eigen::Index>(at.size());
  Eigen::MatrixXd R(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto &a = at[i], &b = at[j];
      const double h = std::hypot(a[0] - b[0], a[1] - b[1]), tau = std::abs(a[2] - b[2]);
      const auto rho = [](const CorrelationFunction& f, double d) { return f.kind == CorrelationFunction::Kind::none ? double(d == 0) : f.shape(d); };
      R(i, j) = a[3] != b[3] ? 0
                : i == j     ? 1
                : tau == 0   ? space.share * rho(space, h)
                : h == 0     ? time.share * rho(time, tau)
                             : std::min(space.share, time.share) * rho(space, h) * rho(time, tau);
    }
  return R;
}

inline Eigen::VectorXd normal_numbers(Eigen::Index n, std::mt19937_64& random) {
  return Eigen::VectorXd::NullaryExpr(n, [&] { return normal_number(random); });
}

/// 1, x, x² … at `places` for curves with x in [0, 1], or 1, x, y for frames and each component, growing with the frame.
inline Eigen::MatrixXd smooth_sensitivities(const MeasuredPlaces& places) {
  const auto n = static_cast<Eigen::Index>(places.samples());
  Eigen::MatrixXd J(n, 3);
  Eigen::Index row = 0;
  for (const MeasuredPlaces::Set& s : places.sets)
    for (std::size_t k = 0; k < s.samples(); ++k, ++row) {
      const double t = s.times[k], x = places.dim > 0 ? s.places[2 * k] / 10 : t / static_cast<double>(n), y = places.dim > 0 ? s.places[2 * k + 1] / 10 : x * x;
      const double size = places.dim > 0 ? 1 + t : 1, own = s.components[k] ? -0.5 : 1;
      J.row(row) << size, size * x * own, size * y;
    }
  return J;
}

inline std::vector<FittedParameter> three_parameters(const Eigen::VectorXd& at) {
  const VariableTransform linear = VariableTransform::by_name("linear");
  return {{"a", linear, at[0]}, {"b", linear, at[1]}, {"c", linear, at[2]}};
}

}  // namespace invar::correlated_noise
