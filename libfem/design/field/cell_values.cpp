#include "libfem/design/field/cell_values.hpp"

#include <petscao.h>

#include <unordered_map>

namespace invar {
namespace {

/// Global numbers of the rank's cells, all blocks in turn.
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

CellValues::CellValues(const Mesh& mesh, std::vector<int> own, const std::vector<PetscInt>& others) : own_(std::move(own)) {
  const std::vector<PetscInt> number = global_cells(mesh);
  std::vector<char> is_own(number.size(), 0);
  std::vector<PetscInt> mine, ghosts;
  for (const int c : own_) is_own[c] = 1, mine.push_back(number[c]);
  for (std::size_t c = 0; c < number.size(); ++c)
    if (!is_own[c]) ghosts.push_back(number[c]), ghosts_.emplace_back(static_cast<int>(c), 0);
  // PETSc's order is rank by rank.
  AO order = nullptr;
  check(AOCreateBasic(mesh.comm, static_cast<PetscInt>(mine.size()), mine.data(), nullptr, &order));
  check(AOApplicationToPetsc(order, static_cast<PetscInt>(ghosts.size()), ghosts.data()));
  check(AODestroy(&order));
  std::vector<PetscInt> all = others;
  std::unordered_map<PetscInt, int> place;
  for (std::size_t k = 0; k < all.size(); ++k) place.emplace(all[k], static_cast<int>(k));
  for (std::size_t k = 0; k < ghosts.size(); ++k) {
    const auto [at, is_new] = place.emplace(ghosts[k], static_cast<int>(all.size()));
    if (is_new) all.push_back(ghosts[k]);
    ghosts_[k].second = static_cast<int>(own_.size()) + at->second;
  }
  check(VecCreateGhost(mesh.comm, static_cast<PetscInt>(mine.size()), PETSC_DETERMINE, static_cast<PetscInt>(all.size()), all.data(), values_.out()));
}

PetscInt CellValues::first_number(std::size_t own, MPI_Comm comm) {
  const PetscInt count = static_cast<PetscInt>(own);
  PetscInt first = 0;
  int rank = 0;
  MPI_Exscan(&count, &first, 1, MPIU_INT, MPI_SUM, comm);
  MPI_Comm_rank(comm, &rank);
  return rank == 0 ? 0 : first;
}

std::vector<int> CellValues::places() const {
  std::vector<int> place(own_.size() + ghosts_.size());
  for (std::size_t i = 0; i < own_.size(); ++i) place[own_[i]] = static_cast<int>(i);
  for (const auto& [cell, at] : ghosts_) place[cell] = at;
  return place;
}

void CellValues::spread(std::vector<double>& cells) const {
  const LocalArray local(values_);
  cells.resize(own_.size() + ghosts_.size());
  for (std::size_t i = 0; i < own_.size(); ++i) cells[own_[i]] = local.data()[i];
  for (const auto& [cell, place] : ghosts_) cells[cell] = local.data()[place];
}

}  // namespace invar
