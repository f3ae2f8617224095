#pragma once
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/table.hpp"
#include "libadjoint/inference/laplace_posterior.hpp"

namespace invar {

/// The section `output.posterior`: how the posterior of fields with a prior is found, and which of its fields are written.
spec::Table posterior_table();
/// What it says of the computation.
PosteriorOptions posterior_options(const Problem& problem);
/// Refuses it where there is no field with a prior, or fields that are not written.
void check_posterior(const Problem& problem, Diagnostics& diagnostics);

}  // namespace invar
