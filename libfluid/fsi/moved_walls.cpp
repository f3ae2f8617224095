#include "libfluid/fsi/moved_walls.hpp"

#include <stdexcept>

namespace invar {

MovedWalls::MovedWalls(std::shared_ptr<const DofMap> dofs, const std::vector<std::string>& walls, std::vector<int> displacement)
    : dofs_(std::move(dofs)), displacement_(std::move(displacement)),
      distance_(std::make_shared<WallDistance>(dofs_->mesh_pointer(), walls)), proximity_(dofs_->mesh_pointer(), distance_) {}

void MovedWalls::set_moving(std::vector<char> moving) {
  moving_ = std::move(moving);
  int complete = distance_->holds_all(moving_);
  MPI_Allreduce(MPI_IN_PLACE, &complete, 1, MPI_INT, MPI_MIN, dofs_->comm());
  if (!complete) throw std::invalid_argument("walls that move must be held by every rank");
}

void MovedWalls::set_moving(const FormResidual& equation) {
  std::vector<char> free(dofs_->mesh().node_total(), 0);
  for (std::size_t node = 0; node < free.size(); ++node)
    for (const int c : displacement_)
      if (const int dof = dofs_->dof(static_cast<int>(node), c); dof >= 0 && !equation.held_unknowns()[dof]) free[node] = 1;
  set_moving(std::move(free));
}

std::vector<double> MovedWalls::position(const double* coordinates, const double* unknown) const {
  const std::size_t n = dofs_->mesh().node_total(), dim = displacement_.size();
  std::vector<double> x(n * dim, 0.0);
  if (coordinates) x.assign(coordinates, coordinates + x.size());
  for (std::size_t node = 0; unknown && node < n; ++node)
    for (std::size_t i = 0; i < dim; ++i)
      if (const int dof = dofs_->dof(static_cast<int>(node), displacement_[i]); dof >= 0) x[node * dim + i] += unknown[dof];
  return x;
}

void MovedWalls::move(const FormState& at) { proximity_.move(position(at.coordinates, at.unknown[Level::value])); }

std::vector<double> MovedWalls::direction(const FormTangent& d) const { return position(d.coordinates, d.unknown[Level::value]); }

void MovedWalls::add(const std::vector<double>& x_bar, FormCotangent& out) const {
  const std::size_t dim = displacement_.size();
  if (out.coordinates)
    for (std::size_t i = 0; i < x_bar.size(); ++i) out.coordinates[i] += x_bar[i];
  if (double* unknown = out.unknown[Level::value])
    for (std::size_t i = 0; i < x_bar.size(); ++i)
      if (const int dof = dofs_->dof(static_cast<int>(i / dim), displacement_[i % dim]); dof >= 0) unknown[dof] += x_bar[i];
}

}  // namespace invar
