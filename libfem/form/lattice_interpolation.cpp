#include "libfem/form/lattice_interpolation.hpp"

#include <algorithm>

#include "libadjoint/solve/library_failure.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {
namespace {

template <class Work>
PetscErrorCode on_interpolation(Mat P, const Work& work) {
  return library_error(PetscObjectComm(PetscObject(P)), [&] {
    void* self = nullptr;
    check(MatShellGetContext(P, &self));
    work(*static_cast<LatticeInterpolation*>(self));
  });
}

PetscErrorCode interpolate(Mat P, Vec x, Vec y) {
  return on_interpolation(P, [&](LatticeInterpolation& p) {
    check(VecSet(y, 0.0));
    p.add(x, y);
  });
}

PetscErrorCode interpolate_and_add(Mat P, Vec x, Vec y, Vec z) {
  return on_interpolation(P, [&](LatticeInterpolation& p) {
    if (y != z) check(VecCopy(y, z));
    p.add(x, z);
  });
}

PetscErrorCode restrict_residual(Mat P, Vec x, Vec y) {
  return on_interpolation(P, [&](LatticeInterpolation& p) { p.restrict_to(y, x); });
}

}  // namespace

LatticeInterpolation::LatticeInterpolation(Nodes nodes, MPI_Comm comm) : nodes_(std::move(nodes)) {
  const int nc = nodes_.components;
  std::vector<PetscInt> ghosts;
  for (const PetscInt node : nodes_.others)
    for (int i = 0; i < nc; ++i) ghosts.push_back(node * nc + i);
  const auto rows = static_cast<PetscInt>(nodes_.fixed.size()), columns = static_cast<PetscInt>(nodes_.coarse_fixed.size());
  check(VecCreateGhost(comm, columns, PETSC_DETERMINE, static_cast<PetscInt>(ghosts.size()), ghosts.data(), coarse_.out()));
  check(MatCreateShell(comm, rows, columns, PETSC_DETERMINE, PETSC_DETERMINE, this, mat_.out()));
  const auto set = [&](MatOperation operation, auto* function) { check(MatShellSetOperation(mat_, operation, reinterpret_cast<void (*)()>(function))); };
  set(MATOP_MULT, &interpolate);
  set(MATOP_MULT_ADD, &interpolate_and_add);
  set(MATOP_MULT_TRANSPOSE, &restrict_residual);
}

// ---- forward, then reverse ----------------------------------------------------------------------

void LatticeInterpolation::add(Vec coarse, Vec fine) {
  const int nc = nodes_.components;
  const double* given = nullptr;
  double *masked = nullptr, *y = nullptr;
  check(VecGetArrayRead(coarse, &given));
  check(VecGetArray(coarse_, &masked));
  for (std::size_t d = 0; d < nodes_.coarse_fixed.size(); ++d) masked[d] = nodes_.coarse_fixed[d] ? 0 : given[d];
  check(VecRestoreArray(coarse_, &masked));
  check(VecRestoreArrayRead(coarse, &given));
  const LocalArray local(coarse_);
  check(VecGetArray(fine, &y));
  for (int node = 0, k = 0; node < static_cast<int>(nodes_.end.size()); ++node) {
    const int begin = k, end = nodes_.end[node];
    for (int i = 0; i < nc; ++i) {
      double sum = 0;
      for (k = begin; k < end; ++k) sum += local.data()[nodes_.parents[k] * nc + i];
      if (!nodes_.fixed[std::size_t(node) * nc + i]) y[std::size_t(node) * nc + i] += sum / (end - begin);
    }
  }
  check(VecRestoreArray(fine, &y));
}

void LatticeInterpolation::restrict_to(Vec coarse, Vec fine) {
  const int nc = nodes_.components;
  const double *x = nullptr, *sums = nullptr;
  double *out = nullptr, *taken = nullptr;
  Vec local = nullptr;
  check(VecGhostGetLocalForm(coarse_, &local));
  check(VecSet(local, 0.0));
  check(VecGetArray(local, &out));
  check(VecGetArrayRead(fine, &x));
  for (int node = 0, k = 0; node < static_cast<int>(nodes_.end.size()); ++node) {
    const int begin = k, end = nodes_.end[node];
    for (int i = 0; i < nc; ++i) {
      const double share = nodes_.fixed[std::size_t(node) * nc + i] ? 0 : x[std::size_t(node) * nc + i] / (end - begin);
      for (k = begin; k < end; ++k) out[nodes_.parents[k] * nc + i] += share;
    }
  }
  check(VecRestoreArrayRead(fine, &x));
  check(VecRestoreArray(local, &out));
  check(VecGhostRestoreLocalForm(coarse_, &local));
  check(VecGhostUpdateBegin(coarse_, ADD_VALUES, SCATTER_REVERSE));
  check(VecGhostUpdateEnd(coarse_, ADD_VALUES, SCATTER_REVERSE));
  check(VecGetArrayRead(coarse_, &sums));
  check(VecGetArray(coarse, &taken));
  for (std::size_t d = 0; d < nodes_.coarse_fixed.size(); ++d) taken[d] = nodes_.coarse_fixed[d] ? 0 : sums[d];
  check(VecRestoreArray(coarse, &taken));
  check(VecRestoreArrayRead(coarse_, &sums));
}

}  // namespace invar
