#include "libadjoint/verify/taylor_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "libadjoint/verify/directions.hpp"
#include "libadjoint/verify/richardson.hpp"

namespace invar {
namespace {

// Remainders are used if they are this many times the round-off. The round-off is estimated from eight values and may be three times
// larger: an extrapolated order is then uncertain by 0.01.
constexpr double noise_margin = 400;
constexpr double hidden_error = 1e-6; // largest relative error of a derivative that round-off may hide

}  // namespace

double measured_noise(ReducedFunctional& functional, const DesignVector& theta,
                      const DesignVector& direction) {
  std::array<double, 8> difference{};
  for (std::size_t k = 0; k < difference.size(); ++k) {
    const Evaluation e = functional.value(moved(theta, 1e-10 * static_cast<double>(k), direction));
    if (!e.ok) return std::nan("");
    difference[k] = e.value;
  }
  double largest = 0, variance = 1;  // of the differences of unit white noise: (2n)! / (n!)²
  for (std::size_t order = 1; order <= 6; ++order) {
    double squares = 0;
    const std::size_t count = difference.size() - order;
    for (std::size_t k = 0; k < count; ++k) {
      difference[k] = difference[k + 1] - difference[k];
      squares += difference[k] * difference[k];
    }
    const auto n = static_cast<double>(order);
    variance *= (2 * n) * (2 * n - 1) / (n * n);
    if (order > 1)  // the first differences contain the slope
      largest = std::max(largest, squares / (static_cast<double>(count) * variance));
  }
  return std::sqrt(largest);
}

namespace {

std::string percent(const char* how, double v) {
  char text[160];
  std::snprintf(text, sizeof text, how, v);
  return text;
}

/// Whether a rate is `order`, or higher by one or two.
bool is_order(double rate, int order, double tolerance) {
  for (int accepted = order; accepted <= order + 2; ++accepted)
    if (std::abs(rate - accepted) <= tolerance) return true;
  return false;
}

/// The verdict on a possible lower-order term.
void check_first_order_term(CertificateEntry& entry, double term, double error, double scale, double known, bool few) {
  const double allowed = std::max(hidden_error, 10 * known) * scale;
  if (std::abs(term) + error <= allowed) {
    entry.passed = true;
    entry.note = percent("no term of lower order above %.0e of the derivative", (std::abs(term) + error) / scale);
  } else if (std::abs(term) > 10 * error && std::abs(term) > allowed) {
    entry.note = "the remainder does not vanish with the right order: " +
                 percent("a term of lower order, %.1e of the derivative", std::abs(term) / scale);
  } else {
    entry.undecided = true;
    entry.note = few ? "cannot tell: too few steps above round-off to see an order"
                     : "cannot tell: the remainders follow no order (a kink or a jump nearby, or solves that are not tight)";
  }
}

}  // namespace

namespace {

/// The test on one side of the point: positive or negative steps.
CertificateEntry check_side(std::string check, std::string subject, int order, double scale, double known, double side,
                            const TaylorOptions& options, const std::function<Remainder(double h)>& remainder) {
  CertificateEntry entry{.check = std::move(check), .subject = std::move(subject)};
  entry.expected = order;
  entry.tolerance = options.tolerance;
  std::vector<double> rates;
  Richardson term(1, 1);
  double hidden = 0;  // relative error that round-off may hide at the first step below it
  bool constant = false;  // the derivative itself is within round-off
  std::string failure = "no step could be evaluated";
  for (int k = 0; k < options.steps; ++k) {
    const double h = options.first_step * std::pow(options.factor, -k);
    const Remainder r = remainder(side * h);
    if (!r.evaluation.ok) {
      failure = r.evaluation.reason;
      term.skip();
      continue;
    }
    const double size = std::abs(r.value), below = std::pow(h, order - 1);
    TaylorStep step{h, size, std::nan(""), size > noise_margin * r.noise, r.switched};
    if (!entry.steps.empty()) {
      const TaylorStep& before = entry.steps.back();
      step.rate = std::log(before.remainder / size) / std::log(before.step / h);
    }
    if (step.above_noise && std::isfinite(step.rate)) rates.push_back(step.rate);
    entry.steps.push_back(step);
    term.add(h, r.value / below, 10 * r.noise / below);
    if (!step.above_noise) {
      hidden = std::max(size, r.noise) / (below * scale);
      constant = scale * below <= r.noise;
      break;
    }
  }
  if (entry.steps.empty()) {
    entry.undecided = true;
    entry.note = "cannot tell: every step failed: " + failure;
    return entry;
  }
  const bool few = rates.size() < 2;
  if (!few) {
    const double last = rates.back(), before = rates[rates.size() - 2];
    entry.measured = last + (last - before) / (options.factor - 1);
    // Near a zero crossing a remainder decreases as fast for a step or two, and a term of lower order follows.
    entry.passed = is_order(entry.measured, order, options.tolerance) ||
                   (entry.measured > order && !(std::abs(term.value()) > 10 * term.error()));
    if (entry.passed && entry.measured > order + options.tolerance) entry.note = "a term vanishes along this direction";
  } else if (entry.steps.size() == 1 && !entry.steps.back().above_noise && constant) {
    entry.passed = true;
    entry.note = "constant but for round-off";
  } else if (!entry.steps.back().above_noise && hidden <= hidden_error) {
    entry.passed = true;
    entry.note = rates.empty() && entry.steps.size() == 1 ? "exact" : "exact but for a term near round-off";
  }
  if (!entry.passed) check_first_order_term(entry, term.value(), term.error(), scale, known, few);
  return entry;
}

}  // namespace

CertificateEntry check_order(std::string check, std::string subject, int order, double scale, double known,
                             const TaylorOptions& options,
                             const std::function<Remainder(double h)>& remainder) {
  CertificateEntry entry = check_side(check, subject, order, scale, known, 1, options, remainder);
  if (entry.passed || entry.undecided) return entry;
  // A wrong gradient is wrong on both sides. At a kink the other side agrees.
  if (!check_side(check, subject, order, scale, known, -1, options, remainder).passed) return entry;
  entry.undecided = true;
  entry.note = "cannot tell: J has a kink at this point; the gradient is one-sided, for the opposite direction";
  return entry;
}

namespace {

/// Number of different entries of two lists of one size, summed over ranks; and the total number.
std::array<long long, 2> count_switched(const std::vector<char>& a, const std::vector<char>& b, MPI_Comm comm) {
  std::array<long long, 2> counts{0, static_cast<long long>(a.size())};
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) counts[0] += a[k] != b[k];
  MPI_Allreduce(MPI_IN_PLACE, counts.data(), 2, MPI_LONG_LONG, MPI_SUM, comm);
  return counts;
}

/// Describes changes of branches in the steps of a test: how many at the first step, and from which step on there are none.
std::string remark_on_switches(const std::vector<TaylorStep>& steps, long long points) {
  if (points == 0 || steps.empty()) return "";
  const auto percentage = [&](long long n) { return percent("%.2g", 100.0 * static_cast<double>(n) / static_cast<double>(points)); };
  const long long first = steps.front().switched;
  if (first == 0) return "no point switches formulas";
  std::string text = std::to_string(first) + " of " + std::to_string(points) + " points (" + percentage(first) + " %) switch formulas at the first step";
  const auto none = std::ranges::find(steps, 0, &TaylorStep::switched);
  if (none != steps.end()) return text + percent(", none from %.1e on", none->step);
  return text + ", " + std::to_string(steps.back().switched) + percent(" at the last (%.1e)", steps.back().step);
}

}  // namespace

CertificateEntry taylor_test(ReducedFunctional& functional, const DesignVector& theta,
                             const DesignVector& direction, std::string subject,
                             const TaylorOptions& options) {
  CertificateEntry entry{.check = "taylor", .subject = subject, .expected = 2,
                         .tolerance = options.tolerance};
  const double noise = std::isnan(options.noise) ? measured_noise(functional, theta, direction) : options.noise;
  DesignVector g = DesignVector::zeros_like(theta);
  const Evaluation at = functional.gradient(theta, g);
  if (!at.ok || std::isnan(noise)) {
    entry.undecided = at.ok;
    entry.note = at.ok ? "cannot tell: neighbouring points could not be evaluated" : "the gradient could not be evaluated: " + at.reason;
    return entry;
  }
  const double slope = dot(g, direction, functional.comm());
  const std::vector<char> here = functional.branches();
  const long long points = count_switched(here, here, functional.comm())[1];
  entry = check_order("taylor", std::move(subject), 2, std::abs(slope), at.error, options, [&](double h) {
    const Evaluation e = functional.value(moved(theta, h, direction));
    const double size = std::max({std::abs(e.value), std::abs(at.value), std::abs(h * slope)});
    Remainder r{e, e.value - at.value - h * slope, std::max(noise, options.relative_noise * size)};
    if (e.ok && points > 0) r.switched = count_switched(here, functional.branches(), functional.comm())[0];
    return r;
  });
  if (const std::string switches = remark_on_switches(entry.steps, points); !switches.empty())
    entry.note += (entry.note.empty() ? "" : "; ") + switches;
  entry.derivative = slope;
  return entry;
}

}  // namespace invar
