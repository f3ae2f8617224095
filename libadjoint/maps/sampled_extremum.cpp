#include "libadjoint/maps/sampled_extremum.hpp"

#include <algorithm>

#include "libadjoint/maps/gradient_by_jets.hpp"

namespace invar {
namespace {

template <class T>
auto end_of(const std::vector<T>& y, bool greatest) {
  return greatest ? std::max_element(y.begin(), y.end()) : std::min_element(y.begin(), y.end());
}

template <class T>
T extremum_of(const std::vector<T>& y, bool greatest) {
  const auto at = end_of(y, greatest);
  if (at == y.begin() || at + 1 == y.end()) return *at;
  const T before = *(at - 1), after = *(at + 1), bend = before - 2.0 * *at + after;
  return bend == T(0.0) ? *at : T(*at - (after - before) * (after - before) / (8.0 * bend));
}

template <class T>
T place_of_extremum(const std::vector<T>& y, bool greatest) {
  const auto at = end_of(y, greatest);
  const double index = static_cast<double>(at - y.begin());
  if (at == y.begin() || at + 1 == y.end()) return T(index);
  const T before = *(at - 1), after = *(at + 1), bend = before - 2.0 * *at + after;
  return bend == T(0.0) ? T(index) : T(index - (after - before) / (2.0 * bend));
}

}  // namespace

double spaced_extremum(const std::vector<double>& y, bool greatest) { return extremum_of(y, greatest); }

std::vector<double> spaced_extremum_gradient(const std::vector<double>& y, bool greatest) {
  return gradient_by_jets([&](const auto& x) { return extremum_of(x, greatest); }, y);
}

double spaced_extremum_place(const std::vector<double>& y, bool greatest) { return place_of_extremum(y, greatest); }

std::vector<double> spaced_extremum_place_gradient(const std::vector<double>& y, bool greatest) {
  return gradient_by_jets([&](const auto& x) { return place_of_extremum(x, greatest); }, y);
}

}  // namespace invar
