#include "libfem/mechanism/affine_number.hpp"

#include <algorithm>

namespace invar {

AffineMap::AffineMap(std::vector<AffineNumber> numbers) : numbers_(std::move(numbers)) {
  for (const AffineNumber& n : numbers_)
    for (const auto& [unknown, coefficient] : n.terms) unknowns_.push_back(unknown);
  std::ranges::sort(unknowns_);
  unknowns_.erase(std::ranges::unique(unknowns_).begin(), unknowns_.end());
  for (AffineNumber& n : numbers_)
    for (auto& [unknown, coefficient] : n.terms) unknown = static_cast<int>(std::ranges::lower_bound(unknowns_, unknown) - unknowns_.begin());
}

}  // namespace invar
