#pragma once
#include <Eigen/Dense>
#include <span>

namespace invar {

/// Correlation of two errors by their distance h: 1 for the same datum, else share · ρ(h). The rest of the variance is independent from datum
/// to datum (a nugget, in geostatistics).
struct CorrelationFunction {
  enum class Kind {
    none,
    exponential,  // ρ = exp(−h/length)
    gaussian,     // ρ = exp(−h²/length²)
    constant,     // ρ = 1
  };
  Kind kind = Kind::none;
  double length = 0;  // where ρ is 1/e, in the unit of h
  double share = 0;   // of the variance that is correlated, 0 to 1

  bool is_found() const { return kind != Kind::none; }
  double shape(double h) const;              // ρ(h)
  double reach(double least) const;          // distance beyond which ρ is smaller than `least`; infinite for `constant`
  CorrelationFunction squared() const;       // that of the squared correlations
};

/// Σ_j ρ(|x_i − x_j|) X_j in row i, j = i included, for points x [n × dim] and rows X [n × columns]. Exact to round-off for up to 3000
/// points. Beyond, correlations below 1e-6 are left out, and where the length is many times the distance of neighbours the points are gathered in cubes of
/// a quarter of the length, by which sums change by about 1 %: the cost then grows with n. Without dimensions all points coincide.
Eigen::MatrixXd correlated_sum(const CorrelationFunction& f, std::span<const double> points, int dim, const Eigen::MatrixXd& X);

}  // namespace invar
