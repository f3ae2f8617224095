#include "libadjoint/inference/posterior_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libadjoint/inference/uncertainty.hpp"

namespace invar {

Evaluation find_posterior_field(const LaplacePosterior& posterior, const CaseFunctional& functional, std::size_t block, PriorField& field,
                                PosteriorField& found) {
  std::vector<double> variance, q;
  if (const Evaluation e = field.prior_variance(variance); !e.ok) return e;
  const std::size_t n = variance.size();
  found = {};
  found.prior_deviation.assign(n, 0.0);
  for (std::size_t c = 0; c < n; ++c) found.prior_deviation[c] = std::sqrt(variance[c]);
  const bool widened = posterior.excess().size() > 0;
  Eigen::MatrixXd spreads(static_cast<Eigen::Index>(widened ? n : 0), posterior.rank());
  for (int i = 0; i < posterior.rank(); ++i) {
    const double lambda = posterior.eigenvalues()[i];
    if (const Evaluation e = field.spread(functional.part_of(posterior.eigenvector(i), block).local, q); !e.ok) return e;
    for (std::size_t c = 0; c < n; ++c) variance[c] -= lambda / (1 + lambda) * q[c] * q[c];
    if (widened) spreads.col(i) = Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(n));
  }
  if (widened) {
    const Eigen::MatrixXd moved = spreads * posterior.excess().topLeftCorner(posterior.rank(), posterior.rank());
    Eigen::Map<Eigen::VectorXd>(variance.data(), static_cast<Eigen::Index>(n)) += moved.cwiseProduct(spreads).rowwise().sum();
  }
  found.deviation.assign(n, 0.0);
  found.lower.assign(n, 0.0);
  found.upper.assign(n, 0.0);
  const VariableTransform& t = field.transform();
  const double unit = t.kind() == VariableTransform::Kind::linear ? std::abs(t.scale()) : 1;  // of the deviations, in that of q
  for (double& deviation : found.prior_deviation) deviation *= unit;
  double sums[3] = {0, 0, 0}, least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < n; ++c) {
    if (!field.designed()[c]) continue;
    const double s = std::sqrt(std::max(0.0, variance[c])), at = field.coordinates()[c];
    found.deviation[c] = unit * s;
    sums[0] += 1, sums[1] += found.prior_deviation[c], sums[2] += found.deviation[c];
    least = std::min(least, found.deviation[c]);
    const double ends[2] = {t.physical(at - normal_quantile_95 * s), t.physical(at + normal_quantile_95 * s)};
    found.lower[c] = std::min(ends[0], ends[1]);
    found.upper[c] = std::max(ends[0], ends[1]);
    if (field.truth().empty()) continue;
    ++found.counted;
    found.covered += std::abs(field.truth()[c] - at) <= normal_quantile_95 * s;
  }
  long long counts[2] = {found.counted, found.covered};
  MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_LONG_LONG, MPI_SUM, functional.comm());
  MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, functional.comm());
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, functional.comm());
  found.mean_prior_deviation = sums[1] / sums[0], found.mean_deviation = sums[2] / sums[0], found.least_deviation = least;
  found.counted = counts[0], found.covered = counts[1];
  return Evaluation::success(0);
}

}  // namespace invar
