#include "libadjoint/inference/held_out.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <limits>

#include "libadjoint/inference/other_data.hpp"
#include "libadjoint/inference/prediction.hpp"
#include "libadjoint/solve/scientific.hpp"

namespace invar {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// The sets of weight 0 of each case, with weight 1. [case]
std::vector<std::vector<DataSet>> with_weight_one(const CaseFunctional& functional, const std::vector<HeldOutSet>& sets) {
  std::vector<std::vector<DataSet>> data(functional.cases().size());
  for (const HeldOutSet& s : sets) data[s.case_index].emplace_back(functional.cases()[s.case_index]->data()[s.data_set]).weight = 1;
  return data;
}

/// Probability of a mean square of `k` values above `ratio`, relative to a variance estimated from `freedom` values.
double chance_of(double ratio, double k, double freedom) {
  namespace math = boost::math;
  if (std::isinf(freedom)) return math::cdf(math::complement(math::chi_squared_distribution<double>(k), k * ratio));
  return math::cdf(math::complement(math::fisher_f_distribution<double>(k, freedom), ratio));
}

}  // namespace

Evaluation find_held_out(CaseFunctional& functional, const DesignVector& theta, std::vector<HeldOutSet>& sets) {
  sets.clear();
  for (std::size_t c = 0; c < functional.cases().size(); ++c) {
    const std::vector<DataSet>& data = functional.cases()[c]->data();
    for (std::size_t s = 0; s < data.size(); ++s)
      if (data[s].weight == 0) sets.push_back({static_cast<int>(c), static_cast<int>(s)});
  }
  if (const Evaluation e = functional.solve(theta); !e.ok || sets.empty()) return e;
  const OtherData held_out(functional.cases(), with_weight_one(functional, sets));
  Eigen::VectorXd rho;
  Eigen::MatrixXd drho;
  const Evaluation e = functional.jacobian(theta, rho, drho);
  if (!e.ok) return e;
  Eigen::Index row = 0;
  std::vector<std::size_t> next(functional.cases().size(), 0);
  for (HeldOutSet& s : sets) {
    const auto m = static_cast<Eigen::Index>(functional.cases()[s.case_index]->data()[next[s.case_index]++].target.size());
    s.rho = rho.segment(row, m);
    s.drho = drho.middleRows(row, m);
    row += m;
  }
  return e;
}

HeldOutFit assess_held_out(const std::string& name, const std::vector<double>& y, const std::vector<double>& target, const std::vector<double>& noise,
                           const HeldOutSet& set, const std::vector<DesignVariable>& variables, const std::vector<double>& theta, const Uncertainty& u) {
  constexpr double unlikely = 1e-3;
  const std::size_t m = y.size();
  HeldOutFit fit{.data = static_cast<int>(m), .r_squared = undefined, .ratio = undefined};
  double mean = 0, squares = 0, scatter = 0;
  for (const double d : target) mean += d / static_cast<double>(m);
  for (std::size_t i = 0; i < m; ++i) squares += std::pow(y[i] - target[i], 2), scatter += std::pow(target[i] - mean, 2);
  fit.root_mean_square = std::sqrt(squares / static_cast<double>(m));
  if (scatter > 0) fit.r_squared = 1 - squares / scatter;

  DataSet of_weight_one;
  of_weight_one.noise = noise;
  fit.band = prediction_band(of_weight_one, y, set.drho, variables, theta, u);
  std::vector<Eigen::Index> known;
  for (std::size_t i = 0; i < m; ++i) {
    if (!std::isfinite(fit.band.measured_lower[i])) continue;
    known.push_back(static_cast<Eigen::Index>(i));
    fit.outside += target[i] < fit.band.measured_lower[i] || target[i] > fit.band.measured_upper[i];
  }
  fit.banded = static_cast<int>(known.size());
  if (known.empty()) return fit;
  std::vector<Eigen::Index> free;
  for (std::size_t j = 0; j < u.parameters.size(); ++j)
    if (!u.parameters[j].at_bound) free.push_back(static_cast<Eigen::Index>(j));
  const Eigen::MatrixXd G = set.drho(known, free);
  Eigen::MatrixXd S = G * u.covariance(free, free) * G.transpose();
  S.diagonal().array() += u.noise_variance;
  const Eigen::VectorXd deviation = S.diagonal().cwiseSqrt();
  const auto n = static_cast<double>(known.size());
  fit.ratio = set.rho(known).cwiseQuotient(deviation).squaredNorm() / n;
  const Eigen::MatrixXd R = deviation.cwiseInverse().asDiagonal() * S * deviation.cwiseInverse().asDiagonal();
  const bool estimated = !u.known_noise || u.noise_variance != 1;
  fit.chance = chance_of(fit.ratio, n * n / R.squaredNorm(), estimated ? u.effective_freedom : std::numeric_limits<double>::infinity());
  if (!(fit.chance < unlikely)) return fit;
  fit.widening = std::sqrt(fit.ratio);
  for (std::size_t i = 0; i < m; ++i)
    for (std::vector<double>* limits : {&fit.band.lower, &fit.band.upper, &fit.band.measured_lower, &fit.band.measured_upper})
      (*limits)[i] = y[i] + fit.widening * ((*limits)[i] - y[i]);
  fit.finding = "'" + name + "', which the fit was not shown, differs from its prediction by " + short_number(fit.widening) +
                " times what the errors of parameters and data make likely: the model is not exact there. Its bands are widened by this factor; "
                "intervals of parameters and of other quantities do not include an error of the model";
  return fit;
}

}  // namespace invar
