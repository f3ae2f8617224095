#pragma once
#include "libadjoint/case_functional.hpp"
#include "libadjoint/inference/laplace_posterior.hpp"
#include "libadjoint/inference/weight_search.hpp"
#include "libadjoint/maps/prior_field.hpp"

namespace invar {

/// The weight w of a regularisation R in the objective of a CaseFunctional: of the prior of a designed field, R = ½‖ξ‖² with the field mean +
/// B ξ, or of a term that is minimised. The functional must outlive it.
class RegularisationWeight {
 public:
  /// Of the design's block with this number, which is a PriorField.
  static RegularisationWeight of_prior(CaseFunctional& functional, std::size_t block);
  /// Of a term of a case, by its position among the case's terms.
  static RegularisationWeight of_term(CaseFunctional& functional, std::size_t case_index, std::size_t term);

  bool is_prior() const { return field_ != nullptr; }
  double weight() const { return weight_; }
  /// Changes J; cached results of the functional are discarded.
  void set(double weight);
  /// θ of the same field as `theta` is with the weight `from`, for the present weight.
  DesignVector moved(DesignVector theta, double from) const;
  /// Misfit and penalty at θ, a minimum of J for the present weight; with `posterior` also resolved directions and evidence, for which the
  /// noise of all data must be known. Rejected if a solve fails. Collective.
  WeightTrial assess(const DesignVector& theta, LaplacePosterior* posterior) const;

 private:
  explicit RegularisationWeight(CaseFunctional& functional) : functional_(&functional) {}

  CaseFunctional* functional_;
  PriorField* field_ = nullptr;
  std::size_t block_ = 0;               // of the design, or number of the case
  std::size_t term_ = 0;
  double weight_ = 1;
};

}  // namespace invar
