#pragma once
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/invar/problem/problem.hpp"
#include "libadjoint/time/truncated_sweeps.hpp"
#include "libadjoint/verify/certify.hpp"

namespace invar {

struct Proof {
  Certificate certificate;
  std::optional<ShortenedGradient> shortened;  // where sweeps are cut short
};

/// The checks that the spec's `verify` section asks for, at θ; without `everything` only the cheap ones, for every
/// run. They are of the whole gradient, also where sweeps in time are to be cut short: how much of it that leaves
/// is measured beside. Throws std::runtime_error when a shortened gradient cannot be evaluated.
Proof certify_problem(Problem& problem, const DesignVector& theta, bool everything);
nlohmann::ordered_json to_json(const Certificate& certificate);
nlohmann::ordered_json to_json(const ShortenedGradient& gradient);
/// How much of the gradient is left, and whether that still leads downhill.
std::vector<std::string> in_words(const ShortenedGradient& gradient);

}  // namespace invar
