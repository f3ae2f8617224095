#include "apps/invar/verbs/verification_json.hpp"

#include <cmath>
#include <utility>

namespace invar {
namespace {


using nlohmann::ordered_json;
using Outcome = VerificationCheck::Outcome;

constexpr std::pair<Outcome, const char*> outcomes[] = {
    {Outcome::measured, "measured"}, {Outcome::described, "described"}, {Outcome::undecided, "cannot tell"}, {Outcome::failed, "failed"}};

ordered_json number(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(); }
double number_in(const ordered_json& j) { return j.is_null() ? std::nan("") : j.get<double>(); }

}  // namespace

ordered_json to_json(const VerificationCheck& c) {
  const RefinedGain finest = c.levels.empty() ? RefinedGain{} : c.levels.back();
  const GridConvergence convergence = c.convergence.value_or(GridConvergence{});
  ordered_json j = {{"kind", c.kind}};
  for (const auto& [outcome, word] : outcomes)
    if (outcome == c.outcome) j["outcome"] = word;
  j["objective_at_start"] = number(finest.start);
  j["objective"] = number(finest.optimum);
  j["change"] = number(c.change);
  j["share"] = number(c.share);
  j["violation"] = c.levels.empty() ? ordered_json() : number(finest.violation);
  j["gci"] = number(convergence.gci);
  if (c.convergence)
    j["convergence"] = {{"gci_of_run", number(convergence.gci_of_run)}, {"observed_order", number(convergence.order)},
                        {"order", convergence.assumed},                 {"safety", convergence.safety},
                        {"limit", number(convergence.limit)},           {"monotone", convergence.monotone}};
  for (const RefinedGain& level : c.levels)
    j["levels"].push_back({{"objective_at_start", number(level.start)}, {"objective", number(level.optimum)}, {"violation", number(level.violation)}});
  for (const ParameterShift& s : c.shifts)
    j["shifts"][s.name] = {{"value", number(s.value)}, {"shifted", number(s.shifted)}, {"of_interval", number(s.of_interval)}};
  j["reason"] = c.reason;
  if (std::isfinite(c.gap)) j["duality_gap"] = c.gap;
  if (std::isfinite(c.member_size)) j["member_size"] = c.member_size;
  if (std::isfinite(c.volume)) j["volume"] = c.volume;
  j["asked"] = c.asked;
  for (const auto& [name, value] : c.constraints) j["constraints"][name] = number(value);
  for (const auto& [name, value] : c.quantities) j["quantities"][name] = number(value);
  return j;
}

ordered_json to_json(const Verification& v) {
  ordered_json j = {{"verdict", v.verdict()},
                    {"survives", number(v.survives())},
                    {"required", v.survive},
                    {"accepted_violation", v.violation},
                    {"passed", v.asked() ? ordered_json(v.passed()) : ordered_json()},
                    {"objective_at_start", number(v.claimed.start)},
                    {"objective", number(v.claimed.optimum)},
                    {"checks", ordered_json::array()}};
  for (const VerificationCheck& c : v.checks) {
    j["checks"].push_back(to_json(c));
    for (const char* key : {"duality_gap", "member_size"})
      if (j["checks"].back().contains(key)) j[key] = j["checks"].back()[key];
    if (j["checks"].back().contains("constraints")) j["constraints"][c.kind] = j["checks"].back()["constraints"];
    if (j["checks"].back().contains("quantities")) j["quantities"][c.kind] = j["checks"].back()["quantities"];
  }
  return j;
}

VerificationCheck verification_check(const ordered_json& j) {
  VerificationCheck c{.kind = j.at("kind"), .reason = j.at("reason")};
  for (const auto& [outcome, word] : outcomes)
    if (j.at("outcome") == word) c.outcome = outcome;
  c.change = number_in(j.at("change"));
  c.share = number_in(j.at("share"));
  if (j.contains("duality_gap")) c.gap = j["duality_gap"];
  if (j.contains("member_size")) c.member_size = j["member_size"];
  if (j.contains("volume")) c.volume = j["volume"];
  c.asked = j.value("asked", true);
  if (j.contains("constraints"))
    for (const auto& [name, value] : j["constraints"].items()) c.constraints.emplace_back(name, number_in(value));
  if (j.contains("quantities"))
    for (const auto& [name, value] : j["quantities"].items()) c.quantities.emplace_back(name, number_in(value));
  if (j.contains("levels"))
    for (const ordered_json& level : j["levels"])
      c.levels.push_back({number_in(level.at("objective_at_start")), number_in(level.at("objective")), number_in(level.at("violation"))});
  if (j.contains("convergence")) {
    const ordered_json& of = j["convergence"];
    c.convergence = GridConvergence{number_in(of.at("observed_order")), of.at("order"), of.at("safety"), number_in(j.at("gci")),
                                    number_in(of.at("gci_of_run")), number_in(of.at("limit")), of.at("monotone")};
  }
  if (j.contains("shifts"))
    for (const auto& [name, s] : j["shifts"].items())
      c.shifts.push_back({name, number_in(s.at("value")), number_in(s.at("shifted")), number_in(s.at("of_interval"))});
  return c;
}

}  // namespace invar
