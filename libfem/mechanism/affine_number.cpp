#include "libfem/mechanism/affine_number.hpp"

#include <algorithm>

namespace invar {

RestCoefficient& RestCoefficient::operator+=(const RestCoefficient& other) {
  fixed += other.fixed;
  for (const auto& term : other.numbers) {
    const auto same = std::ranges::find_if(numbers, [&](const auto& mine) { return mine.first.reads_as(term.first); });
    if (same == numbers.end()) numbers.push_back(term);
    else same->second += term.second;
  }
  std::erase_if(numbers, [](const auto& term) { return term.second == 0; });
  return *this;
}

AffineMap::AffineMap(std::vector<AffineNumber> numbers) {
  for (const AffineNumber& n : numbers)
    for (const auto& [unknown, coefficient] : n.terms) unknowns_.push_back(unknown);
  std::ranges::sort(unknowns_);
  unknowns_.erase(std::ranges::unique(unknowns_).begin(), unknowns_.end());
  for (const AffineNumber& n : numbers) {
    Row row{listed(n.constant), {}};
    for (const auto& [unknown, coefficient] : n.terms)
      row.terms.push_back({static_cast<int>(std::ranges::lower_bound(unknowns_, unknown) - unknowns_.begin()), listed(coefficient)});
    rows_.push_back(std::move(row));
  }
}

AffineMap::Coefficient AffineMap::listed(const RestCoefficient& c) {
  Coefficient out{c.fixed, {}};
  for (const auto& [n, factor] : c.numbers) {
    const auto known = std::ranges::find_if(numbers_, [&](const MechanismNumber& other) { return other.reads_as(n); });
    out.numbers.push_back({static_cast<int>(known - numbers_.begin()), factor});
    if (known == numbers_.end()) numbers_.push_back(n);
  }
  return out;
}

}  // namespace invar
