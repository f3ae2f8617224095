#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// Objective and constraints with their gradients at one θ.
struct GradientReport {
  Evaluation objective;                  // not ok: why nothing else is known
  DesignVector theta, gradient;          // dJ/dθ
  std::vector<double> constraints;       // values
  std::vector<DesignVector> constraint_gradients;
};

/// By adjoints. Collective.
GradientReport evaluate_gradient(Problem& problem, const DesignVector& theta);

/// The content of gradient.json, but for `certificate`:
///   objective, gradient_norm   J and ‖dJ/dθ‖, θ being what the optimiser sees
///   constraints.NAME           value, lower, upper, gradient_norm
///   variables.NAME             value (physical), scaled (θ), scale, lower, upper, derivative (by the physical value),
///                              scaled_derivative (by θ), constraints.NAME: derivative, scaled_derivative
///   fields.NAME                of (cells or nodes), entries, components, gradient_norm, file, arrays of it
/// Collective.
nlohmann::ordered_json gradient_json(const Problem& problem, const GradientReport& report);

/// FOLDER/gradient_CASE.vtu with, for each designed field, `value_NAME`, `gradient_NAME` (dJ/dθ of each entry) and
/// `gradient_of_CONSTRAINT_NAME`, not a number where nothing is designed; and what a run writes of sensitivities.
/// Nothing where `output.fields` is none, or no case has any. The states must be those of the report. Collective.
void write_gradient_fields(Problem& problem, const GradientReport& report, const std::filesystem::path& folder);

}  // namespace invar
