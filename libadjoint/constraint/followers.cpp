#include "libadjoint/constraint/followers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libadjoint/constraint/tie_elimination.hpp"

namespace invar {

Followers::Followers(std::size_t slacks, double negligible)
    : first_slack_(std::numeric_limits<PetscInt>::max() - static_cast<PetscInt>(slacks)), negligible_(negligible) {}

Followers::Row Followers::reduced(const LinearConstraint& constraint, const std::vector<double>& changes, double& size) const {
  Row row;
  size = 0;
  for (std::size_t k = 0; k < constraint.terms.size(); ++k) {
    const PetscInt unknown = constraint.terms[k].first;
    const double coefficient = constraint.terms[k].second + (changes.empty() ? 0.0 : changes[k]);
    size = std::max(size, std::abs(coefficient));
    const auto known = rows_.find(unknown);
    if (known == rows_.end()) row[unknown] += coefficient;
    else
      for (const auto& [master, factor] : known->second) {
        if (!is_slack(master)) size = std::max(size, std::abs(coefficient * factor));
        row[master] += coefficient * factor;
      }
  }
  std::erase_if(row, [&](const auto& term) { return !is_slack(term.first) && std::abs(term.second) <= negligible_ * size; });
  return row;
}

void Followers::solve(Row row, PetscInt follower) {
  const double pivot = row[follower];
  row.erase(follower);
  for (auto& [master, coefficient] : row) coefficient /= -pivot;
  if (const auto led = led_.find(follower); led != led_.end()) {
    for (const PetscInt other : led->second) {
      Row& follows = rows_[other];
      const double factor = follows[follower];
      follows.erase(follower);
      for (const auto& [master, coefficient] : row) {
        follows[master] += factor * coefficient;
        led_[master].insert(other);
      }
    }
    led_.erase(follower);
  }
  for (const auto& [master, coefficient] : row) led_[master].insert(follower);
  rows_[follower] = std::move(row);
}

}  // namespace invar
