#include "libadjoint/sampling/sample_batch.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace invar {

SampleBatch::SampleBatch(std::shared_ptr<CaseFunctional> functional, int copies)
    : functional_(std::move(functional)), variables_(functional_->variables()), copies_(static_cast<std::size_t>(std::max(1, copies))),
      numbers_(variables_.size() / copies_) {
  const auto& cases = functional_->cases();
  if (cases.size() != 1 || cases[0]->terms().size() != copies_ || !cases[0]->data().empty() || variables_.size() != numbers_ * copies_)
    throw std::invalid_argument("a batch is one case with one term per copy, and its variables have one entry per copy");
}

std::vector<SampleBatch::Result> SampleBatch::evaluate(const Samples& samples, bool gradients) {
  std::vector<Result> results(samples.size());
  for (std::size_t first = 0; first < samples.size(); first += copies_)
    evaluate(samples, first, std::min(first + copies_, samples.size()), gradients, results);
  return results;
}

/// The samples first … last − 1; further copies repeat the first of them.
void SampleBatch::evaluate(const Samples& samples, std::size_t first, std::size_t last, bool gradients, std::vector<Result>& results) {
  DesignVector theta = functional_->start(), g;
  for (std::size_t k = 0; k < copies_; ++k)
    for (std::size_t i = 0; i < numbers_; ++i) {
      const std::size_t at = i * copies_ + k;
      theta.shared[at] = variables_[at].transform.coordinate(samples[first + k < last ? first + k : first][i]);
    }
  const Evaluation all = gradients ? functional_->gradient(theta, g) : functional_->value(theta);
  ++solutions_;
  if (!all.ok && last - first > 1) {
    const std::size_t middle = first + (last - first) / 2;
    evaluate(samples, first, middle, gradients, results);
    evaluate(samples, middle, last, gradients, results);
    return;
  }
  if (!all.ok) {
    results[first].reason = all.reason;
    return;
  }
  Case& process = *functional_->cases()[0];
  for (std::size_t k = 0; first + k < last; ++k) {
    Result& r = results[first + k];
    r.ok = true;
    r.value = process.quantity(process.terms()[k]);
    for (std::size_t i = 0; gradients && i < numbers_; ++i) {
      const std::size_t at = i * copies_ + k;
      r.gradient.push_back(g.shared[at] / variables_[at].transform.derivative(theta.shared[at]));
    }
  }
}

}  // namespace invar
