#pragma once
#include <string>
#include <string_view>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/type.hpp"
#include "libadjoint/inference/regularisation_weight.hpp"

namespace invar {

// The key `weight` of a prior and of terms that regularise: a number, or a weight that the search finds.

/// A weight that is found.
struct SoughtWeight {
  const spec::Value* at = nullptr;  // the value under `weight`
  std::string of;                   // the field with the prior, or the term
  double deviation = 0;             // of the prior for the weight 1, as given; 0: of a term
  RegularisationWeight regularisation;
  WeightSearch search;
};

/// Whether terms of this type regularise a field, so that their weight may be found.
bool regularises(std::string_view quantity);
/// Of the key `weight`. plain: the numbers that it may be.
spec::Type weight_type(spec::Type plain);
/// The number under the key `weight` of an entry; where the weight is found, the one with which that begins.
double weight_at_start(const spec::Value& entry);
/// Whether the spec leaves a weight to be found.
bool seeks_weight(const spec::Value& spec);

/// Sets the weights of priors, and prepares the search for the weight that is to be found, after the functional has been made. Collective.
void build_weights(Problem& problem, Diagnostics& diagnostics);

}  // namespace invar
