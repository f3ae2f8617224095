#include "libadjoint/largest_entry.hpp"

namespace invar {

PetscInt largest_entry(Vec v, const std::vector<char>& excluded) {
  VecHandle size;
  PetscInt row = -1;
  double largest = 0;
  check(VecDuplicate(v, size.out()));
  check(VecCopy(v, size));
  check(VecAbs(size));
  double* a = nullptr;
  check(VecGetArray(size, &a));
  for (std::size_t i = 0; i < excluded.size(); ++i)
    if (excluded[i]) a[i] = 0;
  check(VecRestoreArray(size, &a));
  check(VecMax(size, &row, &largest));
  return row;
}

std::string name_of_row(PetscInt row, const std::function<std::string(PetscInt row)>& name) {
  return name ? name(row) : "dof " + std::to_string(row);
}

std::string place_of_residual(Residual& residual, const EvaluationPoint& u, const std::function<std::string(PetscInt row)>& name) {
  VecHandle r = residual.create_vector();
  if (!residual.residual(u, r)) return {};
  return "; the residual is largest at " + name_of_row(largest_entry(r, residual.algebraic_unknowns()), name);
}

}  // namespace invar
