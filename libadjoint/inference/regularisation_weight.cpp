#include "libadjoint/inference/regularisation_weight.hpp"

#include <cmath>
#include <stdexcept>

namespace invar {

RegularisationWeight RegularisationWeight::of_prior(CaseFunctional& functional, std::size_t block) {
  RegularisationWeight w(functional);
  w.field_ = dynamic_cast<PriorField*>(functional.design().at(block).get());
  if (!w.field_) throw std::invalid_argument("the block of the design has no prior");
  w.block_ = block;
  return w;
}

RegularisationWeight RegularisationWeight::of_term(CaseFunctional& functional, std::size_t case_index, std::size_t term) {
  RegularisationWeight w(functional);
  w.block_ = case_index;
  w.term_ = term;
  w.weight_ = functional.cases().at(case_index)->terms().at(term).weight;
  return w;
}

void RegularisationWeight::set(double weight) {
  if (!(weight > 0) || !std::isfinite(weight)) throw std::invalid_argument("a weight must be positive");
  weight_ = weight;
  if (field_) field_->set_weight(weight);
  else functional_->cases()[block_]->terms()[term_].weight = weight;
  functional_->forget();
}

DesignVector RegularisationWeight::moved(DesignVector theta, double from) const {
  if (!field_) return theta;
  const DesignVector part = functional_->part_of(theta, block_);
  std::size_t first = 0;
  for (std::size_t b = 0; b < block_; ++b) first += functional_->design()[b]->start().local.size();
  for (std::size_t i = 0; i < part.local.size(); ++i) theta.local[first + i] *= std::sqrt(weight_ / from);
  return theta;
}

WeightTrial RegularisationWeight::assess(const DesignVector& theta, LaplacePosterior* posterior) const {
  WeightTrial t{.weight = weight_};
  Eigen::VectorXd rho;
  Evaluation e = functional_->residuals(theta, rho);
  if (e.ok) {
    t.chi_squared = rho.squaredNorm();
    if (field_) {
      DesignVector of_field = functional_->part_of(theta, block_);
      of_field.shared.clear();
      t.penalty = 0.5 * dot(of_field, of_field, functional_->comm()) / weight_;
    } else {
      Case& process = *functional_->cases()[block_];
      t.penalty = process.quantity(process.terms()[term_]) / weight_;
    }
    const double value = e.value;
    if (posterior) e = posterior->find(*functional_, theta);
    if (e.ok && posterior) {
      t.resolved_directions = 0;
      for (int i = 0; i < posterior->rank(); ++i) {
        const DesignVector part = functional_->part_of(posterior->eigenvector(i), block_);
        const double lambda = posterior->eigenvalues()[i];
        t.resolved_directions += lambda / (1 + lambda) * dot({{}, part.local}, {{}, part.local}, functional_->comm());
      }
      t.negative_log_evidence = posterior->negative_log_evidence(value);
    }
  }
  if (!e.ok) t.rejected = e.reason;
  return t;
}

}  // namespace invar
