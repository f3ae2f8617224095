// Ties whose coefficients depend on controls.
#include <algorithm>

#include "libadjoint/constraint/constraint_map.hpp"

namespace invar {

/// Numbers the columns of the varying entries, each once, and makes what reads them from q.
void ConstraintMap::prepare_to_gather(Part& part) const {
  std::vector<PetscInt> all = part.columns;
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  for (Varying& entry : part.varying)
    entry.column = static_cast<int>(std::ranges::lower_bound(all, part.columns[entry.column]) - all.begin());
  part.columns = std::move(all);
  const auto n = static_cast<PetscInt>(part.columns.size());
  IsHandle from;
  check(VecCreateSeq(PETSC_COMM_SELF, n, part.at_columns.out()));
  check(ISCreateGeneral(PETSC_COMM_SELF, n, part.columns.data(), PETSC_COPY_VALUES, from.out()));
  VecHandle q;
  check(MatCreateVecs(part.T, q.out(), nullptr));
  check(VecScatterCreate(q, from, part.at_columns, nullptr, part.from_reduced.out()));
}

void ConstraintMap::prepare(const Setting& given) const {
  if (!varies() || given.controls == present_controls_) return;
  present_controls_ = given.controls;
  admissible_ = numbers_->admissible(*given.controls);
  std::vector<double> numbers = numbers_->values(*given.controls);
  if (numbers == present_) return;
  present_ = std::move(numbers);
  ++version_;
  for (const Part& part : parts_) {
    PetscInt first_row = 0;
    check(MatGetOwnershipRange(part.T, &first_row, nullptr));
    for (const Varying& entry : part.varying) {
      double coefficient = entry.fixed;
      for (const auto& [number, factor] : entry.terms) coefficient += factor * present_[number];
      check(MatSetValue(part.T, first_row + entry.row, part.columns[entry.column], coefficient, INSERT_VALUES));
    }
    check(MatAssemblyBegin(part.T, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(part.T, MAT_FINAL_ASSEMBLY));
  }
}

std::vector<double> ConstraintMap::rates(const Controls* d_dot) const {
  if (!varies() || !d_dot) return {};
  std::vector<double> all = numbers_->rates(*present_controls_, *d_dot);
  if (std::ranges::all_of(all, [](double rate) { return rate == 0; })) all.clear();
  return all;
}

template <class Visit>
void ConstraintMap::visit_rates(const Part& part, const std::vector<double>& rates, Visit visit) {
  for (const Varying& entry : part.varying) {
    double rate = 0;
    for (const auto& [number, factor] : entry.terms) rate += factor * rates[number];
    visit(entry, rate);
  }
}

void ConstraintMap::gather(const Part& part, Vec q) const {
  check(VecScatterBegin(part.from_reduced, q, part.at_columns, INSERT_VALUES, SCATTER_FORWARD));
  check(VecScatterEnd(part.from_reduced, q, part.at_columns, INSERT_VALUES, SCATTER_FORWARD));
}

bool ConstraintMap::varies_along(Vec q, int part) const {
  if (!varies()) return false;
  const Part& of = parts_[part];
  gather(of, q);
  const double* from = nullptr;
  check(VecGetArrayRead(of.at_columns, &from));
  int some = std::ranges::any_of(of.varying, [&](const Varying& entry) { return from[entry.column] != 0; });
  check(VecRestoreArrayRead(of.at_columns, &from));
  MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_INT, MPI_MAX, PetscObjectComm(PetscObject(q)));
  return some;
}

void ConstraintMap::add_rate(const std::vector<double>& rates, Vec q, Vec u, int part) const {
  const Part& of = parts_[part];
  gather(of, q);
  const double* from = nullptr;
  double* to = nullptr;
  check(VecGetArrayRead(of.at_columns, &from));
  check(VecGetArray(u, &to));
  visit_rates(of, rates, [&](const Varying& entry, double rate) { to[entry.row] += rate * from[entry.column]; });
  check(VecRestoreArray(u, &to));
  check(VecRestoreArrayRead(of.at_columns, &from));
}

void ConstraintMap::add_reduced_rate(const std::vector<double>& rates, Vec u_bar, Vec q_bar, int part) const {
  const Part& of = parts_[part];
  const double* from = nullptr;
  double* to = nullptr;
  check(VecSet(of.at_columns, 0.0));
  check(VecGetArrayRead(u_bar, &from));
  check(VecGetArray(of.at_columns, &to));
  visit_rates(of, rates, [&](const Varying& entry, double rate) { to[entry.column] += rate * from[entry.row]; });
  check(VecRestoreArray(of.at_columns, &to));
  check(VecRestoreArrayRead(u_bar, &from));
  check(VecScatterBegin(of.from_reduced, of.at_columns, q_bar, ADD_VALUES, SCATTER_REVERSE));
  check(VecScatterEnd(of.from_reduced, of.at_columns, q_bar, ADD_VALUES, SCATTER_REVERSE));
}

void ConstraintMap::add_number_gradient(Vec q, Vec u_bar, std::vector<double>& v_bar, int part) const {
  const Part& of = parts_[part];
  v_bar.resize(present_.size(), 0.0);
  gather(of, q);
  const double *a = nullptr, *bar = nullptr;
  check(VecGetArrayRead(of.at_columns, &a));
  check(VecGetArrayRead(u_bar, &bar));
  for (const Varying& entry : of.varying)
    for (const auto& [number, factor] : entry.terms) v_bar[number] += factor * bar[entry.row] * a[entry.column];
  check(VecRestoreArrayRead(u_bar, &bar));
  check(VecRestoreArrayRead(of.at_columns, &a));
}

std::vector<double> ConstraintMap::total(std::vector<double> shares) const {
  shares.resize(present_.size(), 0.0);
  MPI_Allreduce(MPI_IN_PLACE, shares.data(), static_cast<int>(shares.size()), MPI_DOUBLE, MPI_SUM, PetscObjectComm(PetscObject(matrix())));
  return shares;
}

void ConstraintMap::add_gradient(std::vector<double> v_bar, Controls& d_bar) const {
  numbers_->add_gradient(*present_controls_, total(std::move(v_bar)), d_bar);
}

void ConstraintMap::add_gradient_rate(std::vector<double> v_bar, std::vector<double> v_bar_dot, const Controls* d_dot, Controls& d_bar_dot) const {
  numbers_->add_gradient(*present_controls_, total(std::move(v_bar_dot)), d_bar_dot);
  if (d_dot) numbers_->add_gradient_rate(*present_controls_, *d_dot, total(std::move(v_bar)), d_bar_dot);
}

}  // namespace invar
