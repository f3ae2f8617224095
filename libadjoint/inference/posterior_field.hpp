#pragma once
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/inference/laplace_posterior.hpp"
#include "libadjoint/maps/prior_field.hpp"

namespace invar {

/// What is known of a designed field before and after data, in the cells of the rank; elsewhere 0.
struct PosteriorField {
  std::vector<double> prior_deviation, deviation;  // of the coordinate q
  std::vector<double> lower, upper;                // 95 % bands of the physical value
  double mean_prior_deviation = 0, mean_deviation = 0, least_deviation = 0;  // of all designed cells of all ranks
  /// Where the truth is known: of how many cells of all ranks, and in how many of them the band contains it.
  long long counted = 0, covered = 0;
  double share_covered() const { return counted > 0 ? static_cast<double>(covered) / static_cast<double>(counted) : 0.0; }
};

/// Of the functional's block of that number, which is the field. Collective.
Evaluation find_posterior_field(const LaplacePosterior& posterior, const CaseFunctional& functional, std::size_t block, PriorField& field,
                                PosteriorField& found);

}  // namespace invar
