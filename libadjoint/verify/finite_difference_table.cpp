#include "libadjoint/verify/finite_difference_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "libadjoint/verify/directions.hpp"
#include "libadjoint/verify/taylor_test.hpp"

namespace invar {
namespace {

/// At most `most` of 0 … count − 1, ascending, the same on every rank.
std::vector<long long> subset(long long count, int most, std::uint64_t seed) {
  std::vector<long long> all(static_cast<std::size_t>(count)), some;
  std::iota(all.begin(), all.end(), 0LL);
  std::mt19937_64 random(seed);
  std::sample(all.begin(), all.end(), std::back_inserter(some), most, random);
  return some;
}

class Table {
 public:
  Table(ReducedFunctional& functional, const DesignVector& theta,
        const FiniteDifferenceOptions& options)
      : functional_(functional), theta_(theta), options_(options), lower_(functional.lower()),
        upper_(functional.upper()), sizes_(Directions(functional, theta).sizes()),
        g_(DesignVector::zeros_like(theta)) {}

  std::vector<CertificateEntry> fill() {
    const Evaluation e = functional_.gradient(theta_, g_);
    value_ = e.value;
    if (!e.ok) {
      CertificateEntry entry{.check = "finite difference", .subject = "all variables"};
      entry.note = "the gradient could not be evaluated: " + e.reason;
      return {entry};
    }
    noise_ = measured_noise(functional_, theta_, Directions(functional_, theta_).random(1));
    noise_ = std::max(std::isnan(noise_) ? 0.0 : noise_, 2e-16 * std::abs(value_));
    largest_ = 0;
    for (std::size_t i = 0; i < g_.shared.size(); ++i)
      largest_ = std::max(largest_, std::abs(g_.shared[i]) * sizes_.shared[i]);
    for (std::size_t i = 0; i < g_.local.size(); ++i)
      largest_ = std::max(largest_, std::abs(g_.local[i]) * sizes_.local[i]);
    MPI_Allreduce(MPI_IN_PLACE, &largest_, 1, MPI_DOUBLE, MPI_MAX, functional_.comm());

    std::vector<CertificateEntry> entries;
    const auto names = functional_.names();
    const auto n_shared = static_cast<long long>(theta_.shared.size());
    for (const long long i : subset(n_shared, options_.max_entries, options_.seed))
      entries.push_back(compare(names.at(static_cast<std::size_t>(i)), &DesignVector::shared, i));

    long long count = static_cast<long long>(theta_.local.size()), end = 0;
    MPI_Scan(&count, &end, 1, MPI_LONG_LONG, MPI_SUM, functional_.comm());
    long long total = count;
    MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_LONG_LONG, MPI_SUM, functional_.comm());
    for (const long long i : subset(total, options_.max_entries, options_.seed)) {
      const long long mine = i - (end - count);
      entries.push_back(compare("field entry " + std::to_string(i), &DesignVector::local,
                                mine >= 0 && mine < count ? mine : -1));
    }
    return entries;
  }

 private:
  using Part = std::vector<double> DesignVector::*;

  /// The owner of an entry (index ≥ 0) knows its numbers; every rank evaluates. Shared entries are
  /// owned by all.
  CertificateEntry compare(std::string subject, Part part, long long index) {
    CertificateEntry entry{.check = "finite difference", .subject = std::move(subject)};
    const auto i = static_cast<std::size_t>(std::max(index, 0LL));
    std::array<double, 5> own{};  // θ, lower, upper, size, g
    if (index >= 0)
      own = {(theta_.*part)[i], (lower_.*part)[i], (upper_.*part)[i], (sizes_.*part)[i],
             (g_.*part)[i]};
    if (part == &DesignVector::local) {
      for (double& x : own) x = std::isfinite(x) ? x : std::copysign(1e300, x);
      MPI_Allreduce(MPI_IN_PLACE, own.data(), 5, MPI_DOUBLE, MPI_SUM, functional_.comm());
    }
    const auto [theta, lower, upper, size, g] = own;
    entry.derivative = g;
    if (size == 0) {
      entry.passed = true;
      entry.measured = 0;
      entry.note = "fixed by its bounds";
      return entry;
    }
    Evaluation failure;
    const auto at = [&](double offset) {
      DesignVector x = theta_;
      if (index >= 0) (x.*part)[i] += offset;
      const Evaluation e = functional_.value(x);
      if (!e.ok) failure = e;
      return e.value;
    };
    double h = options_.step * size;
    for (int attempt = 0; attempt < 4; ++attempt, h /= 10) {
      failure = Evaluation::success(0);
      const double side = theta + 2 * h <= upper ? 1 : -1;
      const bool central = theta + h <= upper && theta - h >= lower;
      entry.reference = central ? (at(h) - at(-h)) / (2 * h)
                                : side * (4 * at(side * h) - 3 * value_ - at(2 * side * h)) /
                                      (2 * h);
      if (failure.ok) break;
    }
    const double scale = std::max(std::abs(g), 1e-3 * largest_ / size);
    entry.tolerance = options_.tolerance + 10 * noise_ / (h * std::max(scale, 1e-300));
    if (!failure.ok) {
      entry.note = "a neighbouring point could not be evaluated: " + failure.reason;
      return entry;
    }
    entry.measured = scale > 0 ? std::abs(entry.reference - g) / scale : std::abs(entry.reference);
    entry.passed = entry.measured <= entry.tolerance;
    if (!entry.passed) entry.note = "adjoint and difference quotient disagree";
    return entry;
  }

  ReducedFunctional& functional_;
  const DesignVector& theta_;
  const FiniteDifferenceOptions& options_;
  DesignVector lower_, upper_, sizes_, g_;
  double value_ = 0, noise_ = 0, largest_ = 0;
};

}  // namespace

std::vector<CertificateEntry> finite_difference_table(ReducedFunctional& functional,
                                                      const DesignVector& theta,
                                                      const FiniteDifferenceOptions& options) {
  return Table(functional, theta, options).fill();
}

}  // namespace invar
