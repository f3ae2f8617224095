#include "libadjoint/inference/correlated_fit.hpp"

#include <algorithm>
#include <cmath>

namespace invar {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

constexpr double correlation_level = 0.01;  // probability of a false alarm in a fit

}  // namespace

MisfitChange change_by_removed(const MeasuredPlaces& places, const NoiseCorrelation& noise, const MatrixXd& RU) {
  MisfitChange change;
  std::vector<Index> firsts;
  std::vector<MatrixXd> removed;
  Index first = 0;
  for (const MeasuredPlaces::Set& s : places.sets) {
    MatrixXd Q(static_cast<Index>(s.samples()), static_cast<Index>(s.removed.size()));
    for (std::size_t k = 0; k < s.removed.size(); ++k) Q.col(static_cast<Index>(k)) = Eigen::Map<const VectorXd>(s.removed[k].data(), Q.rows());
    firsts.push_back(first);
    first += Q.rows();
    removed.push_back(std::move(Q));
  }
  for (std::size_t s = 0; s < removed.size(); ++s) {
    const MatrixXd& Q = removed[s];
    if (Q.cols() == 0) continue;
    const auto q = static_cast<double>(Q.cols());
    change.squares += q + 2 * (Q.transpose() * RU.middleRows(firsts[s], Q.rows())).squaredNorm();
    change.expected += q;
    const auto add = [&](const MatrixXd& RQ, std::size_t from, std::size_t end, Index shift) {
      change.squares -= 2 * RQ.squaredNorm();
      for (std::size_t t = from; t < end; ++t) {
        const MatrixXd inner = removed[t].transpose() * RQ.middleRows(firsts[t] - shift, removed[t].rows());
        change.squares += inner.squaredNorm();
        if (t == s) change.expected -= inner.trace();
      }
    };
    if (noise.time.is_found()) {
      MatrixXd among_all = MatrixXd::Zero(first, Q.cols());
      among_all.middleRows(firsts[s], Q.rows()) = Q;
      add(correlated_product(places, noise, among_all), 0, removed.size(), 0);
    } else {
      add(correlated_product({places.name, places.dim, {places.sets[s]}}, noise, Q), s, s + 1, firsts[s]);
    }
  }
  return change;
}

bool CorrelatedFit::is_found() const { return std::ranges::any_of(terms, &NoiseCorrelation::is_found); }

CorrelatedFit correlate_noise(const std::vector<MeasuredPlaces>& places, const VectorXd& rho, const MatrixXd& U, const VectorXd& weights, double data) {
  const Index rank = U.cols();
  CorrelatedFit fit;
  fit.excess = MatrixXd::Zero(rank, rank);
  fit.effective_data = data;
  const MatrixXd whole = U.transpose() * weights.array().square().matrix().asDiagonal() * U;
  const VectorXd inverse = weights.unaryExpr([](double w) { return w == 0 ? 0 : 1 / (w * w); });
  const MatrixXd unweighted = U.transpose() * inverse.asDiagonal() * U;
  MatrixXd inner = MatrixXd::Identity(rank, rank);  // Uᵀ R U
  for (const MeasuredPlaces& of : places) {
    if (of.sets.empty() || weights[of.sets[0].first_row] == 0) continue;
    const double variance = std::pow(weights[of.sets[0].first_row], 2);
    const MatrixXd here = of.at_samples(U), gram = here.transpose() * here;
    const NoiseCorrelation noise =
        find_noise_correlation(of, of.at_samples(rho), here, whole / variance - gram, correlation_level / static_cast<double>(places.size()));
    fit.terms.push_back(noise);
    if (!noise.is_found()) continue;
    const MatrixXd RU = correlated_product(of, noise, here), change = here.transpose() * RU - gram;
    inner += change;
    fit.excess += variance * change;
    fit.expected += variance * unweighted.cwiseProduct(change).sum() - 2 * change.trace();
    fit.squares += noise.data * (noise.data / noise.effective_squares - 1) - 2 * (RU.squaredNorm() - gram.trace());
    fit.effective_data += noise.effective_data - of.rows();
    const MisfitChange removed = change_by_removed(of, noise, RU);
    fit.expected += removed.expected, fit.squares += removed.squares;
  }
  fit.squares += inner.squaredNorm() - static_cast<double>(rank);
  if (rank > 0) fit.variance_inflation += fit.excess.trace() / whole.trace();
  return fit;
}

std::vector<std::string> findings_of(const std::vector<NoiseCorrelation>& terms) {
  std::vector<std::string> all;
  for (const NoiseCorrelation& noise : terms)
    if (std::string text = finding_of(noise); !text.empty()) all.push_back(std::move(text));
  return all;
}

}  // namespace invar
