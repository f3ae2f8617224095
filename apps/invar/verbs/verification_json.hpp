#pragma once
#include <nlohmann/json.hpp>

#include "libadjoint/verify/verification.hpp"

namespace invar {

/// `verification` of results.json: verdict, survives, required, passed, objective_at_start, objective, checks.
nlohmann::ordered_json to_json(const Verification& verification);
/// One check: kind, outcome, objective_at_start, objective, change, share, gci, …, reason; what could not be measured
/// is null.
nlohmann::ordered_json to_json(const VerificationCheck& check);
/// The check that was written so. Throws nlohmann::json::exception.
VerificationCheck verification_check(const nlohmann::ordered_json& json);

}  // namespace invar
