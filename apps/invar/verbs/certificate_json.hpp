#pragma once
#include <nlohmann/json.hpp>

#include "apps/invar/problem/problem.hpp"
#include "libadjoint/verify/certify.hpp"

namespace invar {

/// The checks that the spec's `verify` section asks for, at θ.
Certificate certify_problem(Problem& problem, const DesignVector& theta, bool everything);
nlohmann::ordered_json to_json(const Certificate& certificate);

}  // namespace invar
