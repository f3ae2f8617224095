#include "libadjoint/inference/weight_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "libadjoint/solve/scientific.hpp"

namespace invar {
namespace {

constexpr double no_weight = std::numeric_limits<double>::quiet_NaN();
const double longest_weight_step = std::log(100.0);  // of ln w

double log_weight(const WeightTrial& t) { return std::log(t.weight); }

/// Curvature of the circle through three points (Menger), positive where the path turns left.
double curvature(const std::array<std::array<double, 2>, 3>& p) {
  const auto side = [&](int i, int j) { return std::hypot(p[j][0] - p[i][0], p[j][1] - p[i][1]); };
  const double area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
  return 2 * area / (side(0, 1) * side(1, 2) * side(0, 2));
}

}  // namespace

WeightSearch::WeightSearch(WeightSearchOptions options)
    : options_(options), next_(options.start), lowest_(std::log(options.lower)), highest_(std::log(options.upper)) {
  if (!(options.lower > 0 && options.lower <= options.start && options.start <= options.upper && std::isfinite(options.upper)))
    throw std::invalid_argument("the first weight must lie in a range of positive weights");
  if (!(options.tolerance > 0)) throw std::invalid_argument("the tolerance of a weight must be positive");
  if (options.rule == WeightRule::discrepancy && !(options.data > 0)) throw std::invalid_argument("the discrepancy needs a number of data");
}

void WeightSearch::add(WeightTrial trial) {
  const bool ok = trial.ok();
  trials_.push_back(std::move(trial));
  next_.reset();
  if (!decided_) ok ? seek() : retreat();
  if (!decided_ || curve_.empty()) return;
  next_ = curve_.front();
  curve_.erase(curve_.begin());
}

/// Zero where the rule is met, and negative for smaller weights.
double WeightSearch::height(const WeightTrial& t, WeightRule rule) const {
  constexpr double most = 20;  // of a logarithm
  if (!t.ok()) return no_weight;
  if (rule == WeightRule::given) return 0;
  const double ratio = rule == WeightRule::evidence ? 2 * t.weight * t.penalty / t.resolved_directions : t.chi_squared / options_.data;
  return std::isnan(ratio) ? (t.has_evidence() ? 0 : no_weight) : std::clamp(std::log(ratio), -most, most);
}

std::vector<const WeightTrial*> WeightSearch::sorted() const {
  std::vector<const WeightTrial*> all;
  for (const WeightTrial& t : trials_)
    if (t.ok()) all.push_back(&t);
  std::ranges::stable_sort(all, {}, [](const WeightTrial* t) { return t->weight; });
  return all;
}

int WeightSearch::nearest(double weight) const {
  int best = -1;
  for (std::size_t k = 0; k < trials_.size(); ++k)
    if (trials_[k].ok() && (best < 0 || std::abs(std::log(trials_[k].weight / weight)) < std::abs(std::log(trials_[best].weight / weight))))
      best = static_cast<int>(k);
  return best;
}

void WeightSearch::step_to(double u) { next_ = std::exp(std::clamp(u, lowest_, highest_)); }

/// After a successful trial.
void WeightSearch::seek() {
  const auto h = [&](const WeightTrial* t) { return height(*t, options_.rule); };
  std::vector<const WeightTrial*> all = sorted();
  std::vector<const WeightTrial*> close = all;  // the zero first
  std::ranges::stable_sort(close, {}, [&](const WeightTrial* t) { return std::abs(h(t)); });
  const double u0 = log_weight(*close[0]), h0 = h(close[0]);
  if (options_.rule == WeightRule::given) return settle(true, "given");
  if (options_.rule == WeightRule::discrepancy && std::abs(close[0]->chi_squared - options_.data) <= options_.band * std::sqrt(2 * options_.data))
    return settle(true, "χ² is the number of data");
  if (improving_) return settle(true, "");
  if (static_cast<int>(trials_.size()) >= options_.most)
    return settle(false, "the weight has not settled in " + std::to_string(options_.most) + " trials");
  if (close.size() == 1) {
    const double step = std::clamp(-h0 * (options_.rule == WeightRule::evidence ? 1 : 2), -longest_weight_step, longest_weight_step);
    const double u = u0 + (std::abs(step) < 2 * options_.tolerance ? std::copysign(2 * options_.tolerance, step) : step);
    if ((step > 0 ? highest_ - u0 : u0 - lowest_) < 0.5 * options_.tolerance) return settle(false, unmet(step > 0));
    return step_to(u);
  }
  const double u1 = log_weight(*close[1]), slope = (h(close[1]) - h0) / (u1 - u0), root = u0 - h0 / slope;
  constexpr double near = 1.5;  // of two weights, for the slope between them to be that at the zero
  if (h0 == 0 || (slope > 0 && std::abs(u1 - u0) < near && std::abs(root - u0) < 0.25 * options_.tolerance))
    return settle(true, options_.rule == WeightRule::evidence ? "the evidence is largest" : "χ² is the number of data");
  const WeightTrial *below = nullptr, *above = nullptr;  // the weights between which the height changes its sign, nearest to u0
  for (std::size_t i = 0; i + 1 < all.size(); ++i)
    if (h(all[i]) < 0 && h(all[i + 1]) > 0 && (!below || all[i] == close[0] || all[i + 1] == close[0])) below = all[i], above = all[i + 1];
  if (below) {
    const double a = log_weight(*below), b = log_weight(*above);
    if (b - a <= options_.tolerance) return settle(true, options_.rule == WeightRule::evidence ? "the evidence is largest" : "χ² is the number of data");
    narrowings_ = b - a > 0.5 * width_ ? narrowings_ + 1 : 0;
    width_ = b - a;
    const bool trusted = root > a && root < b && narrowings_ < 3;
    if (!trusted) narrowings_ = 0;
    return step_to(trusted ? root : 0.5 * (a + b));
  }
  const bool upwards = h0 < 0;
  const WeightTrial *outer = upwards ? all.back() : all.front(), *inner = upwards ? all[all.size() - 2] : all[1];
  const double u = log_weight(*outer), run = std::abs(u - log_weight(*inner));
  const bool stands_still = run > std::log(10.0) * 0.99 && std::abs(h(outer) - h(inner)) < 0.01 * std::abs(h(outer));
  if (stands_still || (upwards ? highest_ - u : u - lowest_) < 0.5 * options_.tolerance) return settle(false, unmet(upwards));
  const double wanted = outer == close[0] && slope > 0 ? 1.3 * std::abs(root - u0) : std::log(10.0);
  const double step = std::clamp(wanted, 2 * options_.tolerance, longest_weight_step);
  step_to(upwards ? u + step : u - step);
}

/// After a rejected one: half way back to the nearest that was not, or, before there is one, to others.
void WeightSearch::retreat() {
  constexpr int most = 6;
  const WeightTrial& failed = trials_.back();
  const double u = log_weight(failed);
  const int back = nearest(failed.weight);
  ++rejected_;
  if (options_.rule == WeightRule::given || rejected_ > most)
    return settle(false, back < 0 ? "the search fails for every weight: " + failed.rejected : "the search fails for the weight " + short_number(failed.weight) + ": " + failed.rejected);
  if (back < 0) {  // ×10, /10, ×100, …
    const double away = std::log(10.0) * ((rejected_ + 1) / 2);
    return step_to(std::log(options_.start) + (rejected_ % 2 ? away : -away));
  }
  const double from = log_weight(trials_[back]), middle = 0.5 * (u + from);
  (u > from ? highest_ : lowest_) = middle;
  if (std::abs(middle - from) < options_.tolerance) return settle(false, "the search fails for the weight " + short_number(failed.weight) + ": " + failed.rejected);
  step_to(middle);
}

/// Whether a trial follows because the evidence itself is larger elsewhere than where its derivative vanishes.
bool WeightSearch::improve() {
  constexpr double equal = 0.1;  // nats
  constexpr int most = 8;        // trials
  const std::vector<const WeightTrial*> all = sorted();
  std::size_t best = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i]->negative_log_evidence < all[best]->negative_log_evidence) best = i;
  if (!improving_ && !(trials_[chosen_].negative_log_evidence - all[best]->negative_log_evidence > equal)) return false;
  chosen_ = static_cast<int>(all[best] - trials_.data());
  improving_ = ++improvements_ <= most;
  if (!improving_) return false;
  if (best == 0 || best + 1 == all.size()) {
    constexpr double further = 0.5;  // ln w
    const double end = log_weight(*all[best]), u = std::clamp(best == 0 ? end - further : end + further, lowest_, highest_);
    improving_ = std::abs(u - end) > options_.tolerance;
    if (improving_) step_to(u);
    return improving_;
  }
  std::array<double, 3> u{}, e{};
  for (std::size_t i = 0; i < 3; ++i) u[i] = log_weight(*all[best + i - 1]), e[i] = all[best + i - 1]->negative_log_evidence;
  const double left = (e[1] - e[0]) / (u[1] - u[0]), right = (e[2] - e[1]) / (u[2] - u[1]);
  const double vertex = 0.5 * (u[0] + u[1]) - left * (u[2] - u[0]) / (2 * (right - left));
  improving_ = std::abs(vertex - u[1]) > options_.tolerance;
  if (improving_) step_to(vertex);
  return improving_;
}

void WeightSearch::settle(bool settled, std::string reason) {
  settled_ = settled;
  if (!reason.empty()) reason_ = std::move(reason);
  if (!improving_) {
    chosen_ = -1;
    for (std::size_t k = 0; k < trials_.size(); ++k)
      if (trials_[k].ok() && (chosen_ < 0 || std::abs(height(trials_[k], options_.rule)) < std::abs(height(trials_[chosen_], options_.rule))))
        chosen_ = static_cast<int>(k);
  }
  if (settled && options_.rule == WeightRule::evidence && improve()) return;
  decided_ = true;
  if (chosen_ >= 0) draw_curve();
}

void WeightSearch::draw_curve() {
  constexpr double half_width = 2, apart = 0.02;  // decades; from weights already tried
  const double centre = std::log10(trials_[chosen_].weight);
  for (int k = 0; k < options_.curve; ++k) {
    const double at = options_.curve == 1 ? centre : centre + half_width * (2.0 * k / (options_.curve - 1) - 1), weight = std::pow(10, at);
    const bool tried = std::ranges::any_of(trials_, [&](const WeightTrial& t) { return std::abs(std::log10(t.weight) - at) < apart; });
    if (!tried) curve_.push_back(weight);
  }
  std::ranges::stable_sort(curve_, {}, [&](double w) { return std::abs(std::log10(w) - centre); });
}

std::string WeightSearch::unmet(bool upwards) const {
  const std::vector<const WeightTrial*> all = sorted();
  const WeightTrial& end = upwards ? *all.back() : *all.front();
  const std::string at = "the weight " + short_number(end.weight);
  if (options_.rule == WeightRule::evidence)
    return upwards ? "the evidence still grows at " + at + ": within their noise the data show no deviation of the field from its mean; a wider 'range' would only confirm it"
                   : "the evidence still grows towards smaller weights at " + at + ", where 'range' ends: widen it, or enlarge 'deviation'";
  const std::string factor = short_number(std::sqrt(end.chi_squared / options_.data)), misfit = "χ² = " + short_number(end.chi_squared, 4);
  const std::string of = " the " + short_number(options_.data, 4) + " data";
  return upwards ? "even at " + at + " " + misfit + " is smaller than" + of + ": no weight leaves as much misfit as the stated noise; 'noise' " + factor + " times as large as stated would be met there"
                 : "even at " + at + " " + misfit + " exceeds" + of + ": the model does not describe them within the stated noise; 'noise' " + factor + " times as large as stated would be met there, or a wider 'range' where the misfit still falls";
}

double WeightSearch::crossing(WeightRule rule) const {
  if (rule == options_.rule && settled_ && chosen_ >= 0) return trials_[chosen_].weight;
  std::vector<const WeightTrial*> known;
  for (const WeightTrial* t : sorted())
    if (std::isfinite(height(*t, rule))) known.push_back(t);
  for (std::size_t i = 0; i + 1 < known.size(); ++i) {
    const double a = height(*known[i], rule), b = height(*known[i + 1], rule);
    if (a <= 0 && b >= 0 && b > a) return std::exp(log_weight(*known[i]) - a * (log_weight(*known[i + 1]) - log_weight(*known[i])) / (b - a));
  }
  return no_weight;
}

double WeightSearch::by_evidence() const { return crossing(WeightRule::evidence); }
double WeightSearch::by_discrepancy() const { return options_.data > 0 ? crossing(WeightRule::discrepancy) : no_weight; }

double WeightSearch::corner() const {
  constexpr double apart = 0.3;  // ln w; of closer points rounding and tolerances would make up the curvature
  std::vector<const WeightTrial*> points;
  for (const WeightTrial* t : sorted())
    if (t->chi_squared > 0 && t->penalty > 0 && (points.empty() || log_weight(*t) - log_weight(*points.back()) >= apart)) points.push_back(t);
  if (points.size() < 5) return no_weight;
  double sharpest = 0, at = no_weight;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    std::array<std::array<double, 2>, 3> p{};
    for (std::size_t k = 0; k < 3; ++k) p[k] = {std::log(points[i + k - 1]->chi_squared), std::log(points[i + k - 1]->penalty)};
    if (const double bend = curvature(p); bend > sharpest) sharpest = bend, at = points[i]->weight;
  }
  return at;
}

}  // namespace invar
