#pragma once
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/inference/laplace_posterior.hpp"
#include "libadjoint/maps/prior_field.hpp"

namespace invar {

/// Prior and posterior of a designed field in the cells of this rank; 0 in other cells.
struct PosteriorField {
  std::vector<double> prior_deviation, deviation;  // standard deviations: of ln p for a logarithmic scale, else in the unit of p
  std::vector<double> lower, upper;                // 95 % bands of the physical value
  double mean_prior_deviation = 0, mean_deviation = 0, least_deviation = 0;  // over all designed cells of all ranks
  /// If the truth is known: number of compared cells of all ranks, and of those whose band contains it.
  long long counted = 0, covered = 0;
  double share_covered() const { return counted > 0 ? static_cast<double>(covered) / static_cast<double>(counted) : 0.0; }
};

/// block: number of the field's block in the functional. Collective.
Evaluation find_posterior_field(const LaplacePosterior& posterior, const CaseFunctional& functional, std::size_t block, PriorField& field,
                                PosteriorField& found);

}  // namespace invar
