#include "libadjoint/constraint/tie_coefficients.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace invar {
namespace {

double product_of(const Followers::Row& a, const Followers::Row& b) {
  if (a.size() > b.size()) return product_of(b, a);
  double sum = 0;
  for (const auto& [k, value] : a)
    if (const auto other = b.find(k); other != b.end()) sum += value * other->second;
  return sum;
}

/// sum += factor · the row of an unknown; an unknown that is not tied stands for itself.
void add_row_of(PetscInt unknown, double factor, const std::map<PetscInt, Followers::Row>& rows, Followers::Row& sum) {
  const auto tied = rows.find(unknown);
  if (tied == rows.end()) sum[unknown] += factor;
  else
    for (const auto& [master, coefficient] : tied->second) sum[master] += factor * coefficient;
}

/// ⟨row of an unknown, b⟩.
double product_with(PetscInt unknown, const std::map<PetscInt, Followers::Row>& rows, const Followers::Row& b) {
  if (const auto tied = rows.find(unknown); tied != rows.end()) return product_of(b, tied->second);
  const auto entry = b.find(unknown);
  return entry == b.end() ? 0.0 : entry->second;
}

}  // namespace

TieCoefficients::TieCoefficients(MPI_Comm comm, std::vector<LinearConstraint> solved, std::shared_ptr<const TieNumbers> numbers, std::vector<double> start)
    : comm_(comm), solved_(std::move(solved)), numbers_(std::move(numbers)), start_(std::move(start)), followers_(0) {
  for (std::size_t k = 0; k < solved_.size(); ++k)
    if (!solved_[k].variations.empty()) varying_constraints_.push_back(k);
  at_ = start_;
  eliminate_again(Followers(varying_constraints_.size()));
  find_varying();
  eliminate_again(Followers(varying_constraints_.size(), 0));
  start_coefficients_ = coefficients();
}

std::vector<double> TieCoefficients::changes_of(const LinearConstraint& constraint) const {
  std::vector<double> changes(constraint.variations.empty() ? 0 : constraint.terms.size(), 0.0);
  for (const LinearConstraint::Variation& v : constraint.variations) changes[v.term] += v.factor * (at_[v.number] - start_[v.number]);
  return changes;
}

void TieCoefficients::solve(const Controls& d) const {
  int same = d == present_;
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, comm_);
  if (same) return;
  present_ = d;
  std::vector<double> numbers = numbers_->values(d);
  if (numbers == at_) return;
  at_ = std::move(numbers);
  eliminate_again(Followers(varying_constraints_.size(), 0));
}

void TieCoefficients::eliminate_again(Followers none) const {
  followers_ = std::move(none);
  solvable_ = true;
  std::size_t slacks = 0;
  for (const LinearConstraint& constraint : solved_) {
    double size = 0;
    Row row = followers_.reduced(constraint, changes_of(constraint), size);
    if (!constraint.variations.empty()) row[followers_.slack(slacks++)] = 1;
    const auto pivot = row.find(constraint.follower);
    if (pivot == row.end() || !(std::abs(pivot->second) > Followers::smallest_pivot * size)) {
      solvable_ = false;
      return;
    }
    followers_.solve(std::move(row), constraint.follower);
  }
}

/// Columns in which rows of tied unknowns may vary: those that variations of a constraint bring, where the row contains its slack, and
/// so on with the columns that are new. Rows without any do not vary.
void TieCoefficients::find_varying() {
  std::map<PetscInt, std::set<PetscInt>> all, vary;
  for (const auto& [row, columns] : followers_.rows())
    for (const auto& [column, coefficient] : columns) all[row].insert(column);
  for (bool grows = true; grows;) {
    grows = false;
    std::vector<std::set<PetscInt>> brings;
    for (const std::size_t k : varying_constraints_) {
      std::set<PetscInt>& of_constraint = brings.emplace_back();
      for (const LinearConstraint::Variation& v : solved_[k].variations) {
        const PetscInt unknown = solved_[k].terms[v.term].first;
        if (const auto tied = all.find(unknown); tied != all.end()) of_constraint.insert(tied->second.begin(), tied->second.end());
        else of_constraint.insert(unknown);
      }
    }
    for (auto& [row, columns] : all) {
      std::set<PetscInt>* varies = nullptr;
      for (auto slack = columns.lower_bound(followers_.slack(0)); slack != columns.end(); ++slack) {
        const std::set<PetscInt>& more = brings[followers_.slack_number(*slack)];
        if (!varies) varies = &vary[row];
        for (const PetscInt column : more) grows |= varies->insert(column).second;
      }
      if (varies) columns.insert(varies->begin(), varies->end());
    }
  }
  for (const auto& [row, columns] : vary) {
    Varying entry{row, {}, static_cast<int>(size_)};
    for (const PetscInt column : columns)
      if (!followers_.is_slack(column)) entry.masters.push_back(column);
    size_ += entry.masters.size();
    varying_.push_back(std::move(entry));
  }
}

std::vector<Tie> TieCoefficients::varying(std::vector<Tie> ties) const {
  for (const Varying& entry : varying_) {
    const auto tie = std::ranges::lower_bound(ties, entry.row, {}, &Tie::row);
    std::map<PetscInt, double> row(tie->masters.begin(), tie->masters.end());
    for (std::size_t k = 0; k < entry.masters.size(); ++k) {
      row[entry.masters[k]] = start_coefficients_[entry.first + k];
      tie->variations.push_back({entry.masters[k], entry.first + static_cast<int>(k), 1.0});
    }
    tie->masters.assign(row.begin(), row.end());
  }
  return ties;
}

std::vector<Followers::Row> TieCoefficients::left_of(const std::vector<LinearConstraint>& constraints, const Controls& d) const {
  constexpr double round_off = 1e-9;
  solve(d);
  std::vector<Row> left;
  for (const LinearConstraint& constraint : constraints) {
    double size = 0;
    Row& row = left.emplace_back(followers_.reduced(constraint, changes_of(constraint), size));
    std::erase_if(row, [&](const auto& term) { return followers_.is_slack(term.first) || std::abs(term.second) <= round_off * size; });
  }
  return left;
}

std::vector<double> TieCoefficients::coefficients() const {
  std::vector<double> all(size_, 0.0);
  for (const Varying& entry : varying_) {
    const Row& row = followers_.rows().at(entry.row);
    for (std::size_t k = 0; k < entry.masters.size(); ++k)
      if (const auto found = row.find(entry.masters[k]); found != row.end()) all[entry.first + k] = found->second;
  }
  return all;
}

std::vector<double> TieCoefficients::values(const Controls& d) const {
  solve(d);
  return solvable_ ? coefficients() : start_coefficients_;
}

bool TieCoefficients::admissible(const Controls& d) const {
  solve(d);
  return numbers_->admissible(d) && solvable_;
}

// ---- derivatives ---------------------------------------------------------------------------------------

Followers::Row TieCoefficients::rate_of_constraint(std::size_t k, const std::vector<double>& rates) const {
  Row sum;
  const LinearConstraint& constraint = solved_[varying_constraints_[k]];
  for (const LinearConstraint::Variation& v : constraint.variations)
    if (rates[v.number] != 0) add_row_of(constraint.terms[v.term].first, v.factor * rates[v.number], followers_.rows(), sum);
  return sum;
}

TieCoefficients::Rows TieCoefficients::rates_of_rows(const std::vector<double>& rates) const {
  std::vector<Row> of_constraints;
  for (std::size_t k = 0; k < varying_constraints_.size(); ++k) of_constraints.push_back(rate_of_constraint(k, rates));
  Rows all;
  for (const Varying& entry : varying_) {
    const Row& row = followers_.rows().at(entry.row);
    Row& rate = all[entry.row];
    for (auto slack = row.lower_bound(followers_.slack(0)); slack != row.end(); ++slack)
      for (const auto& [column, value] : of_constraints[followers_.slack_number(slack->first)]) rate[column] += slack->second * value;
  }
  return all;
}

void TieCoefficients::add_by_variations(const std::vector<double>& bar, const Rows& of_slacks, const Rows& of_unknowns, bool untied_too, std::vector<double>& v_bar) const {
  for (const Varying& entry : varying_) {
    Row row_bar;
    for (std::size_t k = 0; k < entry.masters.size(); ++k)
      if (const double value = bar[entry.first + k]; value != 0) row_bar[entry.masters[k]] = value;
    if (row_bar.empty()) continue;
    const Row& slacks = of_slacks.at(entry.row);
    for (auto slack = slacks.lower_bound(followers_.slack(0)); slack != slacks.end(); ++slack) {
      const LinearConstraint& constraint = solved_[varying_constraints_[followers_.slack_number(slack->first)]];
      for (const LinearConstraint::Variation& v : constraint.variations) {
        const PetscInt unknown = constraint.terms[v.term].first;
        if (untied_too || of_unknowns.contains(unknown)) v_bar[v.number] += slack->second * v.factor * product_with(unknown, of_unknowns, row_bar);
      }
    }
  }
}

std::vector<double> TieCoefficients::rates(const Controls& d, const Controls& d_dot) const {
  solve(d);
  std::vector<double> all(size_, 0.0);
  const std::vector<double> of_numbers = numbers_->rates(d, d_dot);
  if (!solvable_ || std::ranges::all_of(of_numbers, [](double rate) { return rate == 0; })) return all;
  const Rows rows = rates_of_rows(of_numbers);
  for (const Varying& entry : varying_) {
    const Row& row = rows.at(entry.row);
    for (std::size_t k = 0; k < entry.masters.size(); ++k)
      if (const auto found = row.find(entry.masters[k]); found != row.end()) all[entry.first + k] = found->second;
  }
  return all;
}

void TieCoefficients::add_gradient(const Controls& d, const std::vector<double>& bar, Controls& d_bar) const {
  solve(d);
  std::vector<double> v_bar(at_.size(), 0.0);
  if (solvable_) add_by_variations(bar, followers_.rows(), followers_.rows(), true, v_bar);
  numbers_->add_gradient(d, v_bar, d_bar);
}

void TieCoefficients::add_gradient_rate(const Controls& d, const Controls& d_dot, const std::vector<double>& bar, Controls& d_bar_dot) const {
  solve(d);
  std::vector<double> v_bar(at_.size(), 0.0), v_bar_dot(at_.size(), 0.0);
  const std::vector<double> of_numbers = numbers_->rates(d, d_dot);
  if (solvable_) {
    const Rows rates = rates_of_rows(of_numbers);
    add_by_variations(bar, followers_.rows(), followers_.rows(), true, v_bar);
    add_by_variations(bar, rates, followers_.rows(), true, v_bar_dot);
    add_by_variations(bar, followers_.rows(), rates, false, v_bar_dot);
  }
  numbers_->add_gradient(d, v_bar_dot, d_bar_dot);
  numbers_->add_gradient_rate(d, d_dot, v_bar, d_bar_dot);
}

}  // namespace invar
