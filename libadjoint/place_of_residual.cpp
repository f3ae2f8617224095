#include "libadjoint/place_of_residual.hpp"

#include "libadjoint/solve/largest_entry.hpp"

namespace invar {

std::string name_of_row(PetscInt row, const std::function<std::string(PetscInt row)>& name) {
  return name ? name(row) : "dof " + std::to_string(row);
}

std::string place_of_residual(Residual& residual, const EvaluationPoint& u, const std::function<std::string(PetscInt row)>& name) {
  VecHandle r = residual.create_vector();
  if (!residual.residual(u, r)) return {};
  return "; the residual is largest at " + name_of_row(largest_entry(r, residual.algebraic_unknowns()), name);
}

}  // namespace invar
