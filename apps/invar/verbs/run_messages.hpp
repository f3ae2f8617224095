#pragma once
#include <nlohmann/json.hpp>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/console.hpp"
#include "apps/invar/verbs/interruption.hpp"
#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/verify/certificate.hpp"

namespace invar {

/// Prints progress: with -v load steps, time steps, continuation and Newton iterates, with -vv Krylov iterations, too. With an interruption, solves
/// are aborted `patience` seconds after it was requested. The arguments must outlive the problem's cases or the next call.
void show_solves(Problem& problem, Console& console, const Interruption* interruption = nullptr, double patience = 0);
/// A table of the load steps as they are solved; `problem` and `console` must outlive it.
void show_load_steps(Problem& problem, Console& console);

/// Warns if rounding leaves few correct digits in the last states, as for slender bodies.
void say_digits(Problem& problem, Console& console);
/// With -v: prints the Newton iterations of every state that the optimiser evaluates.
void show_newton(Problem& problem, Console& console);

/// Prints the accuracy of processes in time; processes: result of `ProcessAccuracy::reports`, may be null.
void say_trust(const nlohmann::ordered_json& processes, Console& console);
/// A sentence on the largest difference between adjoint and tangent.
std::string worst_difference(const Certificate& certificate);
/// The designed numbers, with their errors and correlations where they were inferred.
void say_fit(const Problem& problem, const DesignVector& theta, const Uncertainty* u, Console& console);
/// Objective, probes, quantities, constraints and errors of results.json.
void say_numbers(const nlohmann::ordered_json& results, Console& console);

}  // namespace invar
