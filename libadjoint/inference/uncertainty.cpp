#include "libadjoint/inference/uncertainty.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <petscsys.h>  // for types in the next header
#include <petscblaslapack.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "libadjoint/inference/correlated_fit.hpp"
#include "libadjoint/inference/deleted_residuals.hpp"
#include "libadjoint/inference/finding_text.hpp"
#include "libadjoint/inference/goodness_of_fit.hpp"
#include "libadjoint/inference/model_evidence.hpp"

namespace invar {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double without_bound = std::numeric_limits<double>::infinity();

/// The correlation is estimated, too. In simulated fits of curves and frames the variance that follows from it scatters like a mean square of
/// a third as many values as there are effective data, and intervals with Student's quantile for these contain the truth as often as they should.
constexpr double data_per_freedom = 3;

/// dp/dθ / p: turns a change of θ into a relative change of p; for p = 0 the change in units of
/// the scale.
double relative_slope(const FittedParameter& p) {
  const double value = p.transform.physical(p.theta);
  return p.transform.derivative(p.theta) / (value != 0 ? value : p.transform.scale());
}

/// dθ of a typical change of p: of p itself, and of a linear parameter near zero of its scale.
double typical_change(const FittedParameter& p) {
  const double value = std::abs(p.transform.physical(p.theta)), scale = std::abs(p.transform.scale());
  return (p.transform.kind() == VariableTransform::Kind::linear ? std::max(value, scale) : value) / std::abs(p.transform.derivative(p.theta));
}

struct RightSingular {
  Eigen::VectorXd values;   // [columns], descending; zero from the number of rows on
  Eigen::MatrixXd vectors;  // [columns × columns]
};

/// LAPACK is used because Eigen's decompositions take longer to compile than the rest of this file.
RightSingular right_singular(Eigen::MatrixXd A) {
  const auto m = static_cast<PetscBLASInt>(A.rows()), n = static_cast<PetscBLASInt>(A.cols());
  RightSingular r{Eigen::VectorXd::Zero(n), Eigen::MatrixXd::Identity(n, n)};
  if (m == 0 || n == 0) return r;
  if (!A.allFinite()) throw std::invalid_argument("a sensitivity to a relative change is not finite");
  const PetscBLASInt one = 1, query = -1;
  PetscBLASInt info = 0;
  Eigen::MatrixXd transposed(n, n);
  const auto decompose = [&](double* work, PetscBLASInt size) {
    LAPACKgesvd_("N", "A", &m, &n, A.data(), &m, r.values.data(), nullptr, &one, transposed.data(), &n, work, &size, &info);
  };
  double wanted = 0;
  decompose(&wanted, query);
  std::vector<double> work(static_cast<std::size_t>(wanted));
  decompose(work.data(), static_cast<PetscBLASInt>(work.size()));
  if (info != 0) throw std::runtime_error("the singular values of the Jacobian were not found");
  r.vectors = transposed.transpose();
  return r;
}

/// A basis of the same space with many zeros: reduced row echelon form by complete pivoting. Two independent pairs of parameters then
/// appear as two pairs.
Eigen::MatrixXd sparsified(Eigen::MatrixXd basis) {
  for (Eigen::Index k = 0; k < basis.cols(); ++k) {
    Eigen::Index row, col;
    basis.rightCols(basis.cols() - k).cwiseAbs().maxCoeff(&row, &col);
    basis.col(k).swap(basis.col(k + col));
    basis.col(k) /= basis(row, k);
    for (Eigen::Index j = 0; j < basis.cols(); ++j)
      if (j != k) basis.col(j) -= basis(row, j) * basis.col(k).eval();
  }
  for (auto column : basis.colwise()) column /= column.cwiseAbs().maxCoeff();
  return basis;
}

/// The estimator: one step per member function, in call order.
class Estimator {
 public:
  Estimator(const Eigen::VectorXd& rho, const Eigen::MatrixXd& drho,
            const std::vector<FittedParameter>& parameters, const UncertaintyOptions& options)
      : rho_(rho), drho_(drho), parameters_(parameters), options_(options) {
    if (drho.rows() != rho.size() || drho.cols() != static_cast<Eigen::Index>(parameters.size()))
      throw std::invalid_argument("residuals, Jacobian and parameters have inconsistent sizes");
    if (!rho.allFinite() || !drho.allFinite())
      throw std::invalid_argument("the residuals or their Jacobian are not finite");
    if (!(options.confidence > 0 && options.confidence < 1))
      throw std::invalid_argument("the confidence must lie between 0 and 1");
    for (const Eigen::VectorXd* of_rows : {&options.weights, &options.counts})
      if (of_rows->size() > 0 && (of_rows->size() != rho.size() || !of_rows->allFinite()))
        throw std::invalid_argument("weights and counts must have a finite number for each residual");
    weights_ = options.weights.size() > 0 ? options.weights : Eigen::VectorXd::Ones(rho.size());
    const Eigen::VectorXd counts = options.counts.size() > 0 ? options.counts : Eigen::VectorXd::Ones(rho.size());
    double data = 0;
    for (Eigen::Index i = 0; i < rho.size(); ++i) {
      if (weights_[i] == 0) continue;
      data += counts[i];
      result_.chi_squared += std::pow(options.known_noise ? rho[i] / weights_[i] : rho[i], 2);
    }
    result_.data = static_cast<int>(std::lround(data));
    result_.known_noise = options.known_noise;
    for (Eigen::Index j = 0; j < drho.cols(); ++j)
      if (!parameters[static_cast<std::size_t>(j)].at_bound) free_.push_back(j);
  }

  Uncertainty estimate() {
    decompose();
    assess_noise();
    correlate();
    fill_covariance();
    fill_intervals();
    if (!options_.known_noise && (weights_.array() != 0).count() == result_.data)  // else some residuals stand for less than a datum
      result_.deleted_residuals = deleted_residuals(rho_, drho_(Eigen::all, free_), half_ * half_.transpose(), result_.degrees_of_freedom);
    return std::move(result_);
  }

 private:
  const FittedParameter& parameter(Eigen::Index j) const {
    return parameters_[static_cast<std::size_t>(j)];
  }
  bool identifiable(Eigen::Index j) const { return !std::ranges::count(unidentifiable_, j); }
  std::string quoted(Eigen::Index j) const { return "'" + parameter(j).name + "'"; }

  /// Singular values of the sensitivity to relative changes with unit columns; covariance of the
  /// free parameters by the pseudo-inverse.
  void decompose() {
    const auto n = static_cast<Eigen::Index>(free_.size());
    Eigen::VectorXd slope(n), length(n), influence(n);  // (dp/p)/dθ; ‖∂ρ/∂(dp/p)‖; ‖dρ‖ of a typical change
    Eigen::MatrixXd scaled(drho_.rows(), n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const Eigen::Index j = free_[static_cast<std::size_t>(k)];
      slope[k] = relative_slope(parameter(j));
      scaled.col(k) = drho_.col(j) / slope[k];
      length[k] = scaled.col(k).norm();
      influence[k] = drho_.col(j).norm() * typical_change(parameter(j));
    }
    const double largest = n > 0 ? influence.maxCoeff() : 0;
    Eigen::VectorXd unit = length;
    for (Eigen::Index k = 0; k < n; ++k) {
      const bool silent = !(influence[k] > options_.sensitivity_tolerance * largest) || length[k] == 0;
      if (silent) scaled.col(k).setZero();
      if (silent) unit[k] = 1;
      scaled.col(k) /= unit[k];
    }
    const auto [sigma, v] = right_singular(std::move(scaled));
    result_.singular_values = sigma;
    if (n > 0 && sigma[0] > 0)
      rank_ = (sigma.array() > options_.rank_tolerance * sigma[0]).count();
    if (rank_ > 0) result_.collinearity = 1 / sigma[rank_ - 1];

    // θ = D⁻¹ y with D = slope·unit, and (dp/p) = slope·θ = y/unit.
    half_ = (slope.cwiseProduct(unit)).cwiseInverse().asDiagonal() * v.leftCols(rank_) *
            sigma.head(rank_).cwiseInverse().asDiagonal();
    covariance_free_ = half_ * half_.transpose();
    if (options_.known_noise && !(weights_.array() == 1).all()) account_for_weights();
    Eigen::MatrixXd null = unit.cwiseInverse().asDiagonal() * v.rightCols(n - rank_);
    null = sparsified(std::move(null));
    result_.null_directions = Eigen::MatrixXd::Zero(drho_.cols(), n - rank_);
    for (Eigen::Index k = 0; k < n; ++k)
      result_.null_directions.row(free_[static_cast<std::size_t>(k)]) = null.row(k);
    for (Eigen::Index c = 0; c < n - rank_; ++c) report_null(result_.null_directions.col(c));
    if (result_.collinearity > options_.collinearity_limit)
      report_collinear(unit.cwiseInverse().cwiseProduct(v.col(rank_ - 1)));
  }

  /// Covariance of the weighted estimate θ̂ = θ − (JᵀJ)⁻¹ Jᵀ W ε for unit noise ε, and the expected χ², with the unweighted
  /// sensitivity s = W⁻¹J: E‖ε − s (JᵀJ)⁻¹ Jᵀ W ε‖² = m − 2n + ‖s (JᵀJ)⁻¹ Jᵀ W‖².
  void account_for_weights() {
    const Eigen::MatrixXd inverse = covariance_free_, J = drho_(Eigen::all, free_);
    const Eigen::MatrixXd of_noise = inverse * J.transpose() * weights_.asDiagonal();  // −dθ̂/dε
    covariance_free_ = of_noise * of_noise.transpose();
    Eigen::MatrixXd s = J;
    for (Eigen::Index i = 0; i < s.rows(); ++i) s.row(i) *= weights_[i] == 0 ? 0 : 1 / weights_[i];
    const auto rank = static_cast<double>(rank_);
    expected_share_ = (result_.data - 2 * rank + (s * of_noise).squaredNorm()) / (result_.data - rank);
  }

  std::vector<Eigen::Index> participants(const Eigen::VectorXd& direction) const {
    std::vector<Eigen::Index> who;
    for (Eigen::Index j = 0; j < direction.size(); ++j)
      if (std::abs(direction[j]) > 1e-3 * direction.cwiseAbs().maxCoeff()) who.push_back(j);
    return who;
  }

  void report_null(const Eigen::VectorXd& direction) {
    const auto who = participants(direction);
    std::vector<std::string> names;
    for (const Eigen::Index j : who) names.push_back(parameter(j).name);
    unidentifiable_.insert(unidentifiable_.end(), who.begin(), who.end());
    if (who.size() == 1) {
      result_.findings.push_back(quoted(who[0]) + " has no influence on the data and cannot be "
                                 "inferred");
      return;
    }
    std::string text = "the data do not distinguish " + finding_text::quoted_list(names) + ": changing " +
                       finding_text::relative_changes(names, direction(who)) + " together does not change the residuals";
    if (who.size() == 2)  // p₁^d₂ · p₂^(−d₁) does not change along d
      text += "; they only enter as the combination " +
              finding_text::power_product(names, -direction[who[0]] / direction[who[1]]);
    result_.findings.push_back(text);
  }

  void report_collinear(const Eigen::VectorXd& direction_free) {
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(drho_.cols());
    for (std::size_t k = 0; k < free_.size(); ++k)
      direction[free_[k]] = direction_free[static_cast<Eigen::Index>(k)];
    direction /= direction.cwiseAbs().maxCoeff();
    std::vector<std::string> names;
    std::vector<Eigen::Index> who;
    for (const Eigen::Index j : free_)
      if (std::abs(direction[j]) > 0.1) who.push_back(j), names.push_back(parameter(j).name);
    result_.findings.push_back(
        finding_text::quoted_list(names) + " are nearly indistinguishable (collinearity index " +
        short_number(result_.collinearity) + "): changing " +
        finding_text::relative_changes(names, direction(who)) + " together hardly changes the residuals");
  }

  void assess_noise() {
    result_.degrees_of_freedom = result_.data - static_cast<int>(rank_);
    result_.effective_data = result_.data;
    result_.effective_freedom = result_.degrees_of_freedom;
    result_.expected_chi_squared = expected_share_ * result_.degrees_of_freedom;
    result_.widening = Eigen::VectorXd::Constant(drho_.cols(), nan);
    for (const Eigen::Index j : free_)
      if (identifiable(j)) result_.widening[j] = 1;
    level_ = options_.known_noise ? of_known_noise(goodness_of_fit(result_.chi_squared / expected_share_, result_.data, static_cast<double>(rank_)))
                                  : of_estimated_noise(result_.expected_chi_squared, result_.effective_freedom);
  }

  /// Noise as the misfit shows it.
  struct Level {
    double variance = 1, quantile = 0;
    std::string finding = {};
  };

  double quantile_of(double freedom) const {
    const double upper_tail = (1 - options_.confidence) / 2;
    namespace math = boost::math;
    return std::isinf(freedom) ? math::quantile(math::complement(math::normal(), upper_tail)) : math::quantile(math::complement(math::students_t(freedom), upper_tail));
  }

  Level of_known_noise(const GoodnessOfFit& fit) const {
    if (fit.too_large) return {fit.per_degree(), quantile_of(fit.degrees_of_freedom), fit.finding};
    return {1, quantile_of(without_bound)};
  }

  Level of_estimated_noise(double expected, double freedom) const {
    if (freedom > 0) return {result_.chi_squared / expected, quantile_of(freedom)};
    return {nan, nan, "there are no more data than inferred parameters, so the noise and all intervals cannot be estimated"};
  }

  /// Replaces covariance and level by those of correlated errors, if the residuals show that they are.
  void correlate() {
    const Eigen::VectorXd weights = options_.known_noise ? weights_ : Eigen::VectorXd::Ones(rho_.size());
    if (!options_.places.empty() && rank_ > 0 && result_.degrees_of_freedom > 0) {
      const CorrelatedFit fit = correlate_noise(options_.places, rho_, drho_(Eigen::all, free_) * half_, weights, result_.data);
      result_.noise_correlations = fit.terms;
      if (fit.is_found()) take(fit);
    }
    result_.negative_log_evidence = negative_log_evidence({.chi_squared = result_.chi_squared, .data = result_.data, .parameters = static_cast<int>(rank_),
                                                           .known_noise = options_.known_noise, .variance_inflation = result_.variance_inflation,
                                                           .effective_data = result_.effective_data});
    result_.noise_variance = level_.variance;
    result_.quantile = level_.quantile;
    if (!level_.finding.empty()) result_.findings.push_back(level_.finding);
  }

  void take(const CorrelatedFit& fit) {
    const Level before = level_;
    const Eigen::MatrixXd independent = covariance_free_;
    covariance_free_ += half_ * fit.excess * half_.transpose();
    result_.variance_inflation = fit.variance_inflation;
    result_.effective_data = fit.effective_data;
    result_.expected_chi_squared += fit.expected;
    result_.effective_freedom = std::pow(result_.expected_chi_squared, 2) / (result_.degrees_of_freedom + fit.squares);
    if (options_.known_noise) {
      level_ = of_known_noise(goodness_of_fit(result_.chi_squared, result_.expected_chi_squared, result_.effective_freedom));
    } else {
      level_ = of_estimated_noise(result_.expected_chi_squared, result_.effective_freedom);
    }
    level_.quantile = quantile_of(std::max(1.0, std::min(result_.effective_freedom, fit.effective_data / data_per_freedom)));
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      result_.widening[free_[k]] *= level_.quantile / before.quantile * std::sqrt(level_.variance * covariance_free_(i, i) / (before.variance * independent(i, i)));
    }
    std::ranges::move(findings_of(fit.terms), std::back_inserter(result_.findings));
    double least = without_bound, most = 0;
    for (const double w : result_.widening)
      if (std::isfinite(w)) least = std::min(least, w), most = std::max(most, w);
    if (most > 0)
      result_.findings.push_back("with correlated noise the intervals are " + (short_number(least, 2) == short_number(most, 2) ? "" : short_number(least, 2) + " to ") +
                                 short_number(most, 2) + " times as wide as with independent noise");
  }

  void fill_covariance() {
    const auto n = drho_.cols();
    result_.covariance = Eigen::MatrixXd::Constant(n, n, nan);
    result_.correlation = Eigen::MatrixXd::Constant(n, n, nan);
    Eigen::MatrixXd covariance = result_.covariance;  // at unit noise: correlations do not depend on its size
    covariance(free_, free_) = covariance_free_;
    result_.covariance = result_.noise_variance * covariance;
    for (const Eigen::Index i : free_)
      for (const Eigen::Index j : free_) {
        const double variances = covariance(i, i) * covariance(j, j);
        if (variances > 0 && identifiable(i) && identifiable(j)) result_.correlation(i, j) = i == j ? 1 : covariance(i, j) / std::sqrt(variances);
      }
  }

  void fill_intervals() {
    for (Eigen::Index j = 0; j < drho_.cols(); ++j) {
      const FittedParameter& p = parameter(j);
      if (p.at_bound)
        result_.findings.push_back(quoted(j) + " is at its bound: it has no interval, and the other intervals are conditional on its value");
      ParameterEstimate e = estimate_parameter(p, identifiable(j) ? std::sqrt(result_.covariance(j, j)) : without_bound, result_.quantile);
      e.identifiable = identifiable(j);
      result_.parameters.push_back(std::move(e));
    }
  }

  const Eigen::VectorXd& rho_;
  const Eigen::MatrixXd& drho_;
  const std::vector<FittedParameter>& parameters_;
  const UncertaintyOptions& options_;
  std::vector<Eigen::Index> free_, unidentifiable_;
  Eigen::VectorXd weights_;          // [m]
  double expected_share_ = 1;        // expected χ² / degrees of freedom
  Level level_;
  Eigen::MatrixXd half_;             // [n_free × rank] pseudo-inverse of JᵀJ = half halfᵀ; J half is orthonormal
  Eigen::Index rank_ = 0;
  Eigen::MatrixXd covariance_free_;  // [n_free × n_free] of θ at unit noise
  Uncertainty result_;
};

}  // namespace

ParameterEstimate estimate_parameter(const FittedParameter& p, double deviation, double quantile) {
  if (p.at_bound) deviation = nan;
  const double half = std::isinf(deviation) ? deviation : quantile * deviation;
  ParameterEstimate e{p.name, p.transform.physical(p.theta), std::abs(p.transform.derivative(p.theta)) * deviation};
  e.lower = p.transform.physical(p.theta - half);
  e.upper = p.transform.physical(p.theta + half);
  if (e.lower > e.upper) std::swap(e.lower, e.upper);  // for a negative scale
  e.at_bound = p.at_bound;
  return e;
}

bool Uncertainty::is_inseparable(Eigen::Index parameter) const {
  constexpr double least = 1e-3;  // of the largest entry, 1
  for (const auto direction : null_directions.colwise())
    if (std::abs(direction[parameter]) > least && (direction.array().abs() > least).count() > 1) return true;
  return false;
}

Uncertainty estimate_uncertainty(const Eigen::VectorXd& rho, const Eigen::MatrixXd& drho,
                                 const std::vector<FittedParameter>& parameters,
                                 const UncertaintyOptions& options) {
  return Estimator(rho, drho, parameters, options).estimate();
}

}  // namespace invar
