#include "libfem/design/field/cell_filter.hpp"

#include <petscao.h>

#include <cmath>

namespace invar {
namespace {

/// Exact for all products of first-order functions and the radius on affine cells.
constexpr int degree = 4;

/// Numbers of the rank's cells that all ranks agree on, all blocks in turn.
std::vector<PetscInt> global_cells(const Mesh& mesh) {
  std::vector<PetscInt> number;
  PetscInt first = 0;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    for (int c = 0; c < mesh.cells[b].count(); ++c) number.push_back(first + static_cast<PetscInt>(mesh.original_cell[b][c]));
    long long count = mesh.cells[b].n_owned;
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_LONG_LONG, MPI_SUM, mesh.comm);
    first += static_cast<PetscInt>(count);
  }
  return number;
}

}  // namespace

CellFilter::CellFilter(std::shared_ptr<const Mesh> mesh, bool axisymmetric) {
  const MPI_Comm comm = mesh->comm;
  dofs_ = std::make_shared<const DofMap>(std::move(mesh), std::vector<Component>{{.name = "rho", .in_cells = true}}, comm);
  weights_ = std::make_unique<CellWeights>(cells(), axisymmetric);
}

double CellFilter::typical_width() const {
  double sum[2] = {0, 0};
  for (int c = 0; c < cell_count(); ++c)
    if (owned()[c]) sum[0] += volumes()[c], sum[1] += 1;
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, mesh().comm);
  return std::pow(sum[0] / sum[1], 1.0 / mesh().dim);
}

CellBatches CellFilter::cells() const { return CellBatches::on_cells(dofs_, "", degree); }

NoFilter::NoFilter(std::shared_ptr<const Mesh> mesh, bool axisymmetric) : CellFilter(std::move(mesh), axisymmetric) {
  const std::vector<PetscInt> number = global_cells(this->mesh());
  std::vector<PetscInt> mine, others;
  for (int c = 0; c < cell_count(); ++c) {
    (owned()[c] ? owned_ : ghost_).push_back(c);
    (owned()[c] ? mine : others).push_back(number[c]);
  }
  // PETSc's order is rank by rank.
  AO order = nullptr;
  check(AOCreateBasic(this->mesh().comm, static_cast<PetscInt>(mine.size()), mine.data(), nullptr, &order));
  check(AOApplicationToPetsc(order, static_cast<PetscInt>(others.size()), others.data()));
  check(AODestroy(&order));
  check(VecCreateGhost(this->mesh().comm, static_cast<PetscInt>(mine.size()), PETSC_DETERMINE, static_cast<PetscInt>(others.size()),
                       others.data(), values_.out()));
}

Evaluation NoFilter::apply(const std::vector<double>& rho, std::vector<double>& smooth) {
  Vec local = nullptr;
  double* a = nullptr;
  check(VecGetArray(values_, &a));
  for (std::size_t i = 0; i < owned_.size(); ++i) a[i] = rho[owned_[i]];
  check(VecRestoreArray(values_, &a));
  check(VecGhostUpdateBegin(values_, INSERT_VALUES, SCATTER_FORWARD));
  check(VecGhostUpdateEnd(values_, INSERT_VALUES, SCATTER_FORWARD));
  smooth.resize(rho.size());
  check(VecGhostGetLocalForm(values_, &local));
  check(VecGetArray(local, &a));
  for (std::size_t i = 0; i < owned_.size(); ++i) smooth[owned_[i]] = a[i];
  for (std::size_t i = 0; i < ghost_.size(); ++i) smooth[ghost_[i]] = a[owned_.size() + i];
  check(VecRestoreArray(local, &a));
  check(VecGhostRestoreLocalForm(values_, &local));
  return Evaluation::success(0);
}

Evaluation NoFilter::vjp(const std::vector<double>& smooth_bar, std::vector<double>& rho_bar) {
  rho_bar = smooth_bar;
  return Evaluation::success(0);
}

}  // namespace invar
