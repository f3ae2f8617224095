#include "libadjoint/verify/verification.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace invar {
namespace {

using Outcome = VerificationCheck::Outcome;

constexpr double notable = 0.1;  // change of the objective at the optimum that the verdict mentions

/// "94 %"; never rounded up to a whole number.
std::string in_percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, std::abs(share) < 9.995 ? "%.3g %%" : "%.0f %%", 100 * share);
  return text;
}

/// The parameter that is farthest outside its interval; nullptr if none is.
const ParameterShift* out_of_interval(const VerificationCheck& check) {
  const ParameterShift* worst = nullptr;
  for (const ParameterShift& s : check.shifts)
    if (s.of_interval > 1 && (!worst || s.of_interval > worst->of_interval)) worst = &s;
  return worst;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
  return text;
}

}  // namespace

double relative_change(const ClaimedGain& claimed, double optimum) {
  const double difference = optimum - claimed.optimum, rounding = 1e-12 * std::max(std::abs(claimed.start), std::abs(claimed.optimum));
  if (std::abs(difference) <= rounding) return 0;
  return difference / (claimed.optimum != 0 ? std::abs(claimed.optimum) : 1);
}

double surviving_share(const ClaimedGain& claimed, const RefinedGain& fine) {
  const double gain = claimed.start - claimed.optimum;
  if (!(gain > 1e-12 * std::max(std::abs(claimed.start), std::abs(claimed.optimum)))) return std::numeric_limits<double>::quiet_NaN();
  return (fine.start - fine.optimum) / gain;
}

VerificationCheck measured_check(std::string kind, const ClaimedGain& claimed, std::vector<RefinedGain> levels, double formal) {
  VerificationCheck check{.kind = std::move(kind), .levels = std::move(levels)};
  const RefinedGain& finest = check.levels.back();
  check.change = relative_change(claimed, finest.optimum);
  check.share = surviving_share(claimed, finest);
  check.outcome = std::isfinite(check.share) ? Outcome::measured : Outcome::undecided;
  if (check.outcome == Outcome::undecided)
    check.reason = "the objective at the optimum is not below that at the start: there is no gain of which a share could be left";
  if (formal <= 0) return check;
  std::vector<double> values = {claimed.optimum};
  for (const RefinedGain& level : check.levels)
    values.push_back(relative_change(claimed, level.optimum) == 0 ? claimed.optimum : level.optimum);
  check.convergence = grid_convergence(values, 2, formal);
  if (values.size() == 3 && check.convergence->gci > 0 && !check.convergence->monotone && check.reason.empty())
    check.reason = "the objective does not converge monotonically over these levels: the index goes by the assumed order";
  return check;
}

VerificationCheck repeated_check(std::string kind, const ClaimedGain& claimed, const RefinedGain& other, double apart) {
  const double gain = claimed.start - claimed.optimum, lower = claimed.optimum - other.optimum;
  char text[160];
  if (std::abs(lower) <= 0.01 * std::max(std::abs(gain), 1e-6 * std::abs(claimed.optimum)))
    std::snprintf(text, sizeof text, apart < 0.05 ? "the same optimum" : "another design, just as good: %.0f %% of its bounds apart", 100 * apart);
  else
    std::snprintf(text, sizeof text, lower > 0 ? "a better optimum, objective %.8g: the run's is a local one"
                                               : "a worse optimum, objective %.8g: the run's is the better one", other.optimum);
  VerificationCheck check{.kind = std::move(kind), .outcome = Outcome::described, .levels = {other}, .reason = text};
  check.change = relative_change(claimed, other.optimum);
  return check;
}

VerificationCheck unmeasured_check(std::string kind, Outcome outcome, std::string reason) {
  return {.kind = std::move(kind), .outcome = outcome, .reason = std::move(reason)};
}

double Verification::survives() const {
  double least = std::numeric_limits<double>::quiet_NaN();
  for (const VerificationCheck& c : checks) {
    if (!c.asked) continue;
    if (c.outcome == Outcome::failed) return 0;
    if (c.outcome == Outcome::measured) least = std::fmin(least, c.share);
  }
  return least;
}

bool Verification::asked() const { return std::ranges::any_of(checks, &VerificationCheck::asked); }

bool Verification::passed() const {
  if (!asked()) return true;
  const bool described = std::ranges::any_of(checks, [](const VerificationCheck& c) { return c.asked && c.outcome == Outcome::described; });
  const double share = survives();
  if (std::isnan(share) ? !described : share < survive) return false;
  return std::ranges::none_of(checks, [this](const VerificationCheck& c) { return out_of_interval(c) != nullptr || breaks_constraints(c); });
}

bool Verification::breaks_constraints(const VerificationCheck& check) const {
  return check.asked && check.outcome == Outcome::measured && !check.levels.empty() && !(check.levels.back().violation <= violation);
}

std::string Verification::verdict() const {
  if (!asked()) {
    std::string text;
    for (const VerificationCheck& c : checks) text += (text.empty() ? "" : "; ") + c.kind + ": " + c.reason;
    return text;
  }
  std::vector<std::string> kinds, parts, unable;
  const VerificationCheck* least = nullptr;
  for (const VerificationCheck& c : checks) {
    if (!c.asked) continue;
    if (c.outcome == Outcome::failed) parts.push_back("it cannot be solved with another " + c.kind + ": " + c.reason);
    if (c.outcome == Outcome::described) parts.push_back(c.kind + ": " + c.reason);
    if (c.outcome == Outcome::undecided) unable.push_back("cannot tell by " + c.kind + ", because " + c.reason);
    if (c.outcome != Outcome::measured) continue;
    kinds.push_back(c.kind);
    if (!least || c.share < least->share) least = &c;
    if (const double of_gain = std::abs(c.levels.back().optimum - claimed.optimum) / (claimed.start - claimed.optimum);
        c.share > 0 && std::abs(c.change) > notable && of_gain > 0.01)
      parts.push_back("by " + c.kind + " the objective at the optimum changes by " + in_percent(c.change));
  }
  if (least) {
    const std::string by = kinds.size() == 1 ? kinds[0] : "the least of " + listed(kinds) + ", by " + least->kind;
    parts.insert(parts.begin(), (least->share > 0 ? in_percent(least->share) : "nothing") + " of the gain survives (" + by + ")");
    if (least->share < survive && !least->reason.empty()) parts.push_back(least->reason);
  }
  for (const VerificationCheck& c : checks)
    if (const ParameterShift* s = out_of_interval(c)) {
      char text[120];
      std::snprintf(text, sizeof text, " moves from %.6g to %.6g, %.2g times as far as its interval reaches", s->value, s->shifted, s->of_interval);
      parts.push_back(s->name + text + " (" + c.kind + ")");
    }
  for (const VerificationCheck& c : checks)
    if (breaks_constraints(c)) {
      char text[160];
      std::snprintf(text, sizeof text, "a constraint is violated by %.3g of its scale (%s), of which %.3g is accepted", c.levels.back().violation, c.kind.c_str(), violation);
      parts.push_back(text);
    }
  parts.insert(parts.end(), unable.begin(), unable.end());
  std::string text = passed() ? "verified" : std::isnan(survives()) && parts.size() == unable.size() ? "not verified: no check was conclusive"
                                                                                                   : "not verified";
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? ": " : "; ") + parts[i];
  if (least && least->share < survive) text += "; at least " + in_percent(survive) + " is required";
  return text;
}

}  // namespace invar
