#pragma once
#include <nlohmann/json.hpp>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/console.hpp"
#include "apps/invar/verbs/interruption.hpp"
#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/verify/certificate.hpp"

namespace invar {

/// For -v: load steps, steps in time, continuation and the iterates of Newton's method, as they come; for -vv those
/// of Krylov methods, too. With an interruption, solves fail from `patience` seconds after it has been asked for. What is
/// passed must outlive the problem's cases or their next `show_solves`.
void show_solves(Problem& problem, Console& console, const Interruption* interruption = nullptr, double patience = 0);
/// A table of the load steps as they are solved; `problem` and `console` must outlive it.
void show_load_steps(Problem& problem, Console& console);

/// How many digits rounding leaves of the states that were solved last, where they are few: slender bodies.
void say_digits(Problem& problem, Console& console);
/// For -v: how Newton's method came to every state that the optimiser asked for.
void show_newton(Problem& problem, Console& console);

/// What is to be said of the accuracy of processes in time: `processes` as `ProcessAccuracy::reports` gives it, perhaps null.
void say_trust(const nlohmann::ordered_json& processes, Console& console);
/// A sentence on the largest difference between adjoint and tangent.
std::string worst_difference(const Certificate& certificate);
/// The designed numbers, with their errors and correlations where they were inferred.
void say_fit(const Problem& problem, const DesignVector& theta, const Uncertainty* u, Console& console);
/// Objective, probes, quantities, constraints and errors of results.json.
void say_numbers(const nlohmann::ordered_json& results, Console& console);

}  // namespace invar
