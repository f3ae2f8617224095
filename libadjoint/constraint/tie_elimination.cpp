#include "libadjoint/constraint/tie_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>

namespace invar {
namespace {

using Row = std::map<PetscInt, double>;
constexpr double negligible = 1e-12;  // relative to the largest term that is added up: counts as cancelled

/// Tied unknowns as combinations of untied ones.
class Followers {
 public:
  Followers(const PrescribedUnknowns& prescribed, PetscInt nodal) : prescribed_(prescribed), nodal_(nodal) {}

  enum class Outcome { solved, known, contradicted };
  Outcome add(const LinearConstraint& constraint) {
    Row row;
    double size = 0;
    for (const auto& [unknown, coefficient] : constraint.terms) {
      size = std::max(size, std::abs(coefficient));
      const auto known = rows_.find(unknown);
      if (known == rows_.end()) row[unknown] += coefficient;
      else
        for (const auto& [master, factor] : known->second) {
          size = std::max(size, std::abs(coefficient * factor));
          row[master] += coefficient * factor;
        }
    }
    std::erase_if(row, [&](const auto& term) { return std::abs(term.second) <= negligible * size; });
    if (row.empty()) return Outcome::known;
    const PetscInt follower = choose(row, constraint);
    if (follower < 0) return prescribed_.satisfy(row) ? Outcome::known : Outcome::contradicted;
    const double pivot = row[follower];
    row.erase(follower);
    for (auto& [master, coefficient] : row) coefficient /= -pivot;
    substitute(follower, row);
    for (const auto& [master, coefficient] : row) led_[master].insert(follower);
    rows_[follower] = std::move(row);
    return Outcome::solved;
  }

  std::vector<Tie> ties() const {
    std::vector<Tie> all;
    for (const auto& [unknown, row] : rows_) all.push_back({unknown, {row.begin(), row.end()}});
    return all;
  }

 private:
  /// Unknowns with varying coefficients come last, because solutions for them are not linear.
  PetscInt choose(const Row& row, const LinearConstraint& constraint) const {
    if (const PetscInt wanted = constraint.follower; wanted >= 0 && row.contains(wanted) && !prescribed_.has(wanted)) return wanted;
    std::set<PetscInt> varying;
    for (const LinearConstraint::Variation& v : constraint.variations) varying.insert(constraint.terms[v.term].first);
    for (const bool at_node : {true, false})
      for (const bool varies : {false, true}) {
        PetscInt best = -1;
        double largest = 0;
        for (const auto& [unknown, coefficient] : row)
          if ((unknown < nodal_) == at_node && varying.contains(unknown) == varies && !prescribed_.has(unknown) && std::abs(coefficient) > (1 + 1e-9) * largest) {
            best = unknown;
            largest = std::abs(coefficient);
          }
        if (best >= 0) return best;
      }
    return -1;
  }

  /// Substitutes a newly tied unknown in the rows that contain it.
  void substitute(PetscInt follower, const Row& row) {
    const auto led = led_.find(follower);
    if (led == led_.end()) return;
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

  const PrescribedUnknowns& prescribed_;
  PetscInt nodal_;
  std::map<PetscInt, Row> rows_;                  // tied unknowns
  std::map<PetscInt, std::set<PetscInt>> led_;    // by master: the unknowns tied to it
};

}  // namespace

namespace {

/// The change of a constraint's sum Σ coefficient · unknown by its variations is an unknown of its own, a slack. Ties contain slacks as
/// masters, which are then replaced by what they stand for.
class Slacks {
 public:
  bool has(PetscInt unknown) const { return unknown >= first_; }
  /// The constraint with its slack.
  LinearConstraint added_to(LinearConstraint constraint) {
    varying_.push_back(constraint);
    constraint.terms.push_back({first_ = last_ - static_cast<PetscInt>(varying_.size() - 1), 1.0});
    return constraint;
  }
  /// Replaces them. nonlinear: sources for which that is impossible.
  void replace(std::vector<Tie>& ties, std::set<int>& nonlinear) const {
    std::set<PetscInt> vary;
    for (const Tie& tie : ties)
      if (!tie.masters.empty() && has(tie.masters.back().first)) vary.insert(tie.row);
    for (Tie& tie : ties)
      for (; !tie.masters.empty() && has(tie.masters.back().first); tie.masters.pop_back()) {  // slacks are last
        const LinearConstraint& constraint = varying_[last_ - tie.masters.back().first];
        const double share = tie.masters.back().second;
        for (const LinearConstraint::Variation& v : constraint.variations) {
          const PetscInt unknown = constraint.terms[v.term].first;
          const auto tied = std::ranges::lower_bound(ties, unknown, {}, &Tie::row);
          if (tied == ties.end() || tied->row != unknown) tie.variations.push_back({unknown, v.number, share * v.factor});
          else if (vary.contains(unknown)) nonlinear.insert(constraint.source);
          else
            for (const auto& [master, coefficient] : tied->masters) tie.variations.push_back({master, v.number, share * v.factor * coefficient});
        }
      }
  }

 private:
  static constexpr PetscInt last_ = std::numeric_limits<PetscInt>::max();
  PetscInt first_ = last_;
  std::vector<LinearConstraint> varying_;  // the k-th has the slack last − k
};

}  // namespace

Elimination eliminate(const std::vector<LinearConstraint>& constraints, const PrescribedUnknowns& prescribed, PetscInt nodal) {
  Slacks slacks;
  std::set<int> contradicted, idle, useful, nonlinear;
  int source = 0;
  const PrescribedUnknowns known{[&](PetscInt unknown) { return slacks.has(unknown) || prescribed.has(unknown); },
                                 [&](std::map<PetscInt, double> terms) {
                                   if (std::erase_if(terms, [&](const auto& term) { return slacks.has(term.first); })) nonlinear.insert(source);
                                   return prescribed.satisfy(terms);
                                 }};
  Followers followers(known, nodal);
  Elimination found;
  for (const LinearConstraint& constraint : constraints) {
    source = constraint.source;
    const Followers::Outcome outcome = followers.add(constraint.variations.empty() ? constraint : slacks.added_to(constraint));
    if (outcome == Followers::Outcome::contradicted) contradicted.insert(constraint.source);
    (outcome == Followers::Outcome::known ? idle : useful).insert(constraint.source);
  }
  found.ties = followers.ties();
  slacks.replace(found.ties, nonlinear);
  found.nonlinear.assign(nonlinear.begin(), nonlinear.end());
  std::ranges::set_difference(idle, useful, std::back_inserter(found.idle));
  found.contradicted.assign(contradicted.begin(), contradicted.end());
  return found;
}

}  // namespace invar
