#pragma once
#include <ceres/jet.h>

#include <vector>

namespace invar {

/// ∂f/∂y of a scalar function of many numbers, by forward differentiation with dual numbers, eight directions at a
/// time. f is a template in the number type.
template <class F>
std::vector<double> gradient_by_jets(F&& f, const std::vector<double>& y) {
  constexpr int at_once = 8;
  using Jet = ceres::Jet<double, at_once>;
  std::vector<double> gradient(y.size());
  std::vector<Jet> x(y.begin(), y.end());
  for (std::size_t first = 0; first < y.size(); first += at_once) {
    const std::size_t last = std::min(first + at_once, y.size());
    for (std::size_t i = first; i < last; ++i) x[i].v[i - first] = 1;
    const Jet value = f(x);
    for (std::size_t i = first; i < last; ++i) {
      gradient[i] = value.v[i - first];
      x[i].v.setZero();
    }
  }
  return gradient;
}

}  // namespace invar
