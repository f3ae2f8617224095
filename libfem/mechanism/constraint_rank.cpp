#include "libfem/mechanism/constraint_rank.hpp"

#include <algorithm>
#include <cmath>

namespace invar {
namespace {

double product_of(const std::map<PetscInt, double>& a, const std::map<PetscInt, double>& b) {
  double sum = 0;
  for (const auto& [k, value] : a)
    if (const auto other = b.find(k); other != b.end()) sum += value * other->second;
  return sum;
}

/// ∂c/∂q_j at rest, with places as they begin and other numbers at zero.
double slope_at_rest(const MechanismTerm& constraint, std::size_t j) {
  using First = MechanismTerm::First;
  const std::size_t n = constraint.unknowns().size();
  const std::vector<First> zero(n, First(0.0));
  std::vector<First> numbers;
  for (const MechanismNumber& number : constraint.numbers()) numbers.push_back(First(number.at_rest));
  std::vector<First> unknown = zero, r = zero;
  unknown[j].grad[0] = 1;
  constraint.add_rows({zero, zero, zero, unknown, numbers, numbers, false}, r.data());
  return r.back().grad[0];
}

}  // namespace

ConstraintRate rate_at_rest(const MechanismTerm& constraint, const std::map<int, double>& rates) {
  ConstraintRate rate;
  for (std::size_t j = 0; j + 1 < constraint.unknowns().size(); ++j) {
    const auto given = rates.find(constraint.unknowns()[j]);
    if (given == rates.end()) continue;
    const double term = slope_at_rest(constraint, j) * given->second;
    rate.value += term;
    rate.size += std::abs(term);
  }
  return rate;
}

bool ConstraintRank::add(const MechanismTerm& constraint) {
  std::map<PetscInt, double> row;
  for (std::size_t j = 0; j + 1 < constraint.unknowns().size(); ++j) {
    const double slope = slope_at_rest(constraint, j);
    const PetscInt column = first_ + constraint.unknowns()[j];
    const auto tie = std::ranges::lower_bound(ties_, column, {}, &Tie::row);
    if (slope == 0) continue;
    if (tie == ties_.end() || tie->row != column) row[column] += slope;
    else
      for (const auto& [master, coefficient] : tie->masters) row[master] += slope * coefficient;
  }
  std::erase_if(row, [&](const auto& entry) { return held_(entry.first); });
  const double size = std::sqrt(product_of(row, row));
  if (size == 0) return false;
  for (int twice = 0; twice < 2; ++twice)
    for (const auto& other : basis_) {
      const double along = product_of(row, other);
      for (const auto& [k, value] : other) row[k] -= along * value;
    }
  const double left = std::sqrt(product_of(row, row));
  if (left < 1e-9 * size) return false;
  for (auto& [k, value] : row) value /= left;
  basis_.push_back(std::move(row));
  return true;
}

}  // namespace invar
