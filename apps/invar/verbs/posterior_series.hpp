#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/verbs/posterior.hpp"

namespace invar {

/// Writes random fields from the posterior and the leading eigenvectors as series of VTK files, as many as `output.posterior` wants, into
/// `folder`, and the designed numbers of each sample into `results`, the object `posterior` of results.json. θ: the optimum. Collective.
void write_posterior_series(Problem& problem, const Posterior& posterior, const DesignVector& theta, const std::filesystem::path& folder,
                            nlohmann::ordered_json& results);

}  // namespace invar
