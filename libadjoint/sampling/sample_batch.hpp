#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/case_functional.hpp"

namespace invar {

/// Samples of one problem that are solved together, as one case on copies of its mesh: each variable of the problem has one entry per copy,
/// and term k of the case belongs to copy k. Copies do not interact, so the gradient of the sum of all terms consists of the gradients of
/// the samples: one march and one reverse sweep for all.
/// If the common solution fails, the samples are divided in two parts, each solved with its first sample in place of the others, until
/// those remain that fail alone: about 2 log₂(copies) solutions more for each of them. Values are always those of a solution that succeeded.
/// Residuals are norms over all copies: a sample with small forces has fewer digits than if it were solved alone.
class SampleBatch {
 public:
  /// functional: of one case with one term per copy and no data sets; its variables are [number][copy]. Throws std::invalid_argument if it is not so.
  SampleBatch(std::shared_ptr<CaseFunctional> functional, int copies);

  struct Result {
    bool ok = false;
    std::string reason;            // why not
    double value = 0;
    std::vector<double> gradient;  // by the physical values of the numbers, if wanted
  };
  /// samples: [sample][number], physical values; any number of them, as many together as there are copies. Collective.
  std::vector<Result> evaluate(const std::vector<std::vector<double>>& samples, bool gradients);

  /// Solutions of the common case so far.
  int solutions() const { return solutions_; }

 private:
  using Samples = std::vector<std::vector<double>>;
  void evaluate(const Samples& samples, std::size_t first, std::size_t last, bool gradients, std::vector<Result>& results);

  std::shared_ptr<CaseFunctional> functional_;
  std::vector<DesignVariable> variables_;
  std::size_t copies_, numbers_;
  int solutions_ = 0;
};

}  // namespace invar
