#include "libadjoint/verify/richardson.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

void Richardson::add(double h, double value, double round_off) {
  const double ratio = before_.empty() ? 1 : h_before_ / h;
  std::vector<double> now = {value};
  double power = std::pow(ratio, first_), apart = 0;
  for (std::size_t k = 0; k < before_.size(); ++k, power *= std::pow(ratio, step_)) {
    now.push_back(now[k] + (now[k] - before_[k]) / (power - 1));
    apart = std::max(apart / 4, std::abs(now[k + 1] - before_[k]));
    if (apart + round_off < error_) {
      value_ = now[k + 1];
      error_ = apart + round_off;
    }
  }
  before_ = std::move(now);
  h_before_ = h;
}

}  // namespace invar
