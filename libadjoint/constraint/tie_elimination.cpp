#include "libadjoint/constraint/tie_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "libadjoint/constraint/followers.hpp"

namespace invar {
namespace {

using Order = std::map<PetscInt, std::size_t>;  // of unknowns, by their first appearance in constraints

/// The unknown for which a constraint is solved; −1: all are prescribed. Unknowns with varying coefficients come last, because these may vanish.
/// Of equal coefficients the unknown that appears first is taken, whatever its number: numbers depend on how a mesh is divided among ranks.
PetscInt follower_in(const Followers::Row& row, double size, const LinearConstraint& constraint, const PrescribedUnknowns& prescribed, PetscInt nodal, const Order& order) {
  constexpr double round_off = 1e-9;
  if (const auto wanted = row.find(constraint.follower); wanted != row.end() && std::abs(wanted->second) > Followers::smallest_pivot * size && !prescribed.has(wanted->first))
    return wanted->first;
  std::set<PetscInt> varying;
  for (const LinearConstraint::Variation& v : constraint.variations) varying.insert(constraint.terms[v.term].first);
  for (const bool at_node : {true, false})
    for (const bool varies : {false, true}) {
      const auto counts = [&](PetscInt unknown) { return (unknown < nodal) == at_node && varying.contains(unknown) == varies && !prescribed.has(unknown); };
      double largest = 0;
      for (const auto& [unknown, coefficient] : row)
        if (counts(unknown)) largest = std::max(largest, std::abs(coefficient));
      PetscInt first = -1;
      for (const auto& [unknown, coefficient] : row)
        if (counts(unknown) && std::abs(coefficient) >= (1 - round_off) * largest && (first < 0 || order.at(unknown) < order.at(first))) first = unknown;
      if (first >= 0) return first;
    }
  return -1;
}

}  // namespace

Elimination eliminate(const std::vector<LinearConstraint>& constraints, const PrescribedUnknowns& prescribed, PetscInt nodal) {
  Followers followers(0);
  Order order;
  std::set<int> contradicted, idle, useful;
  Elimination found;
  for (const LinearConstraint& constraint : constraints) {
    for (const auto& [unknown, coefficient] : constraint.terms) order.try_emplace(unknown, order.size());
    double size = 0;
    Followers::Row row = followers.reduced(constraint, {}, size);
    const PetscInt follower = row.empty() ? -1 : follower_in(row, size, constraint, prescribed, nodal, order);
    if (follower < 0 && (row.empty() || prescribed.satisfy(row))) {
      found.implied.push_back(constraint);
      idle.insert(constraint.source);
      continue;
    }
    useful.insert(constraint.source);
    if (follower < 0) {
      contradicted.insert(constraint.source);
      continue;
    }
    followers.solve(std::move(row), follower);
    found.solved.push_back(constraint);
    found.solved.back().follower = follower;
  }
  for (const auto& [unknown, row] : followers.rows()) found.ties.push_back({unknown, {row.begin(), row.end()}});
  std::ranges::set_difference(idle, useful, std::back_inserter(found.idle));
  found.contradicted.assign(contradicted.begin(), contradicted.end());
  return found;
}

}  // namespace invar
