#include "libadjoint/verify/grid_convergence.hpp"

#include <cmath>
#include <stdexcept>

namespace invar {

GridConvergence grid_convergence(std::span<const double> values, double ratio, double formal) {
  if (values.size() < 2 || values.size() > 3) throw std::invalid_argument("a grid convergence index is made of two or three values");
  if (!(ratio > 1 && formal > 0)) throw std::invalid_argument("a grid convergence index needs a ratio above 1 and a positive order");
  GridConvergence result;
  result.assumed = formal;
  const double last = values.back(), change = last - values[values.size() - 2];
  if (values.size() == 3) {
    const double before = values[1] - values[0];
    if (change * before > 0 && std::abs(change) < std::abs(before)) {
      result.order = result.assumed = std::log(before / change) / std::log(ratio);
      result.safety = 1.25;
      result.monotone = true;
    }
  }
  const double correction = change / (std::pow(ratio, result.assumed) - 1), scale = last != 0 ? std::abs(last) : 1;
  result.gci = result.safety * std::abs(correction) / scale;
  result.limit = last + correction;
  result.gci_of_run = result.safety * std::abs(last - values[0]) / scale + result.gci;
  return result;
}

}  // namespace invar
