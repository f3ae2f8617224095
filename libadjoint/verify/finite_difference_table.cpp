#include "libadjoint/verify/finite_difference_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "libadjoint/verify/difference_quotient.hpp"
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
    known_ = e.error;
    if (!e.ok) {
      CertificateEntry entry{.check = "finite difference", .subject = "all variables"};
      entry.note = "the gradient could not be evaluated: " + e.reason;
      return {entry};
    }
    noise_ = std::isnan(options_.noise) ? measured_noise(functional_, theta_, Directions(functional_, theta_).random(1)) : options_.noise;
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
  static constexpr double weakest = 1e-8;  // change of J, relative to J, for a change of a variable by its size; a smaller one counts as none

  using Part = std::vector<double> DesignVector::*;

  /// The owner of an entry (index ≥ 0) provides its numbers; all ranks evaluate. Shared entries are owned by all.
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
    const auto at = [&](double offset) {
      DesignVector x = theta_;
      if (index >= 0) (x.*part)[i] += offset;
      return functional_.value(x);
    };
    double scale = std::max({std::abs(g), 1e-3 * largest_ / size, weakest * std::abs(value_) / size});
    if (scale == 0) scale = value_ != 0 ? std::abs(value_) / size : 1.0;
    DifferenceQuotientOptions o = steps(theta, lower, upper, size, options_.tolerance * scale);
    DifferenceQuotient difference = extrapolated_difference(at, value_, o);
    if (std::abs(difference.value - g) > std::max(o.error_wanted, difference.error)) {
      // Kinks can mislead the error estimate. Finer steps must confirm a deviation before the adjoint is reported as
      // wrong.
      o.first_step /= 64;
      const DifferenceQuotient finer = extrapolated_difference(at, value_, o);
      if (std::abs(finer.value - difference.value) > finer.error + difference.error) difference = finer;
    }
    if (!difference.failure.empty()) {
      entry.tolerance = options_.tolerance;
      entry.undecided = true;
      entry.note = "cannot tell: neighbouring points could not be evaluated: " + difference.failure;
      return entry;
    }
    entry.reference = difference.value;
    entry.reference_error = difference.error / scale;
    entry.measured = std::abs(difference.value - g) / scale;
    decide(entry);
    return entry;
  }

  /// Steps that fit between the bounds, larger ones if round-off would hide the derivative.
  DifferenceQuotientOptions steps(double theta, double lower, double upper, double size, double error_wanted) const {
    const double slack = 1e-12 * std::abs(theta);
    const double up = upper - theta - slack, down = theta - lower - slack;
    DifferenceQuotientOptions o{.first_step = options_.step * size, .error_wanted = error_wanted, .noise = noise_};
    o.central = std::min(up, down) >= o.first_step / 16;
    o.side = up >= down ? 1 : -1;
    const double room = o.central ? std::min(up, down) : 0.5 * std::max(up, down);
    for (int k = 0; k < 2 && round_off_of_difference(o.first_step / 4, o) > error_wanted / 4; ++k) o.first_step *= 4;
    o.first_step = std::min(o.first_step, room);
    return o;
  }

  void decide(CertificateEntry& entry) const {
    const double error = entry.reference_error;
    entry.tolerance = std::max({options_.tolerance, error, 10 * known_});
    const bool crude = !(std::max(error, 10 * known_) <= options_.crude);
    // An error estimate is no bound: an inaccurate difference must deviate clearly.
    const bool wrong = entry.measured > (crude ? 10 : 1) * entry.tolerance;
    entry.passed = !crude && !wrong;
    entry.undecided = crude && !wrong;
    if (wrong) entry.note = "adjoint and difference quotient disagree";
    if (entry.undecided) entry.note = "cannot tell: the difference is too uncertain";
  }

  ReducedFunctional& functional_;
  const DesignVector& theta_;
  const FiniteDifferenceOptions& options_;
  DesignVector lower_, upper_, sizes_, g_;
  double value_ = 0, noise_ = 0, largest_ = 0, known_ = 0;  // known_: relative error of the gradient
};

}  // namespace

std::vector<CertificateEntry> finite_difference_table(ReducedFunctional& functional,
                                                      const DesignVector& theta,
                                                      const FiniteDifferenceOptions& options) {
  return Table(functional, theta, options).fill();
}

}  // namespace invar
