#pragma once
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/invar/problem/problem.hpp"
#include "libadjoint/time/truncated_sweeps.hpp"
#include "libadjoint/verify/certify.hpp"

namespace invar {

struct GradientChecks {
  Certificate certificate;
  std::optional<TruncatedGradient> shortened;  // if sweeps are truncated
};

/// The checks that the spec's `verify` section asks for, at θ; without `everything` only the cheap ones, for every
/// run. They are for the full gradient, even if sweeps in time are truncated; the truncated gradient is compared with it. Throws
/// std::runtime_error if the truncated gradient cannot be evaluated.
GradientChecks certify_problem(Problem& problem, const DesignVector& theta, bool everything);
nlohmann::ordered_json to_json(const Certificate& certificate);
nlohmann::ordered_json to_json(const TruncatedGradient& gradient);
/// Difference of the truncated gradient, and whether it is a descent direction, as text.
std::vector<std::string> in_words(const TruncatedGradient& gradient);

}  // namespace invar
