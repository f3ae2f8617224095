#include "libadjoint/solve/singularity.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "libadjoint/solve/device_rows.hpp"
#include "libadjoint/solve/diagonal_matrix.hpp"
#include "libadjoint/solve/largest_entry.hpp"
#include "libadjoint/solve/library_failure.hpp"

namespace invar {

namespace {

/// A pseudo-random number in ±[0.5, 1) from the global index: the same vector on any number of ranks.
double scatter_value(std::uint64_t i) {
  i = (i + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  i ^= i >> 31;
  return (i & 1 ? 0.5 : -0.5) * (1 + double(i >> 12) / double(1ull << 52));
}

double norm(Vec x) {
  PetscReal value;
  check(VecNorm(x, NORM_2, &value));
  return value;
}

/// Σ_j |a_ij| of this rank's rows.
std::vector<double> row_sums(Mat A) {
  if (DeviceRows* rows = DeviceRows::of(A)) return rows->row_sums();
  PetscInt first, last;
  check(MatGetOwnershipRange(A, &first, &last));
  std::vector<double> sums(std::size_t(last - first), 0.0);
  if (const Vec diagonal = diagonal_of(A)) {
    const PetscScalar* a = nullptr;
    check(VecGetArrayRead(diagonal, &a));
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = std::abs(a[i]);
    check(VecRestoreArrayRead(diagonal, &a));
    return sums;
  }
  for (PetscInt i = first; i < last; ++i) {
    PetscInt n;
    const PetscScalar* v;
    check(MatGetRow(A, i, &n, nullptr, &v));
    for (PetscInt k = 0; k < n; ++k) sums[i - first] += std::abs(v[k]);
    check(MatRestoreRow(A, i, &n, nullptr, &v));
  }
  return sums;
}

/// Whether all entries are finite and none is zero, by reductions alone: the diagonal may be on a device.
bool sound_diagonal(Vec diagonal) {
  const VecHandle size = zeros_like(diagonal);
  PetscReal least = 0, largest = 0;
  check(VecCopy(diagonal, size));
  check(VecAbs(size));
  check(VecMin(size, nullptr, &least));
  check(VecNorm(size, NORM_2, &largest));
  return least > 0 && std::isfinite(largest);
}

}  // namespace

std::string find_bad_row(Mat A, PetscInt& row) {
  row = -1;
  if (const Vec diagonal = diagonal_of(A); diagonal && sound_diagonal(diagonal)) return {};
  PetscInt first, last;
  check(MatGetOwnershipRange(A, &first, &last));
  constexpr PetscInt none = PETSC_MAX_INT;
  PetscInt local[2] = {none, none}, global[2];  // first non-finite row, first empty row
  const std::vector<double> sums = row_sums(A);
  for (PetscInt i = first; i < last; ++i) {
    if (!std::isfinite(sums[i - first])) local[0] = std::min(local[0], i);
    if (sums[i - first] == 0) local[1] = std::min(local[1], i);
  }
  MPI_Allreduce(local, global, 2, MPIU_INT, MPI_MIN, PetscObjectComm(PetscObject(A)));
  row = global[0] < none ? global[0] : global[1] < none ? global[1] : -1;
  if (row < 0) return {};
  return (global[0] < none ? "the operator is not finite (NaN or Inf) in row "
                           : "singular matrix: no stiffness at dof ") +
         std::to_string(row) + (global[0] < none ? "" : " (empty row)");
}

namespace {

/// 1/√ of the largest magnitude in each row.
VecHandle inverse_root_of_rows(Mat A) {
  VecHandle scale;
  check(MatCreateVecs(A, nullptr, scale.out()));
  check(MatGetRowMaxAbs(A, scale, nullptr));
  check(VecSqrtAbs(scale));
  check(VecReciprocal(scale));
  return scale;
}

/// D^½ for which every row of the scaled matrix has a largest magnitude near 1, also for mixed units (D. Ruiz, A scaling
/// algorithm to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034). Copies A.
VecHandle equilibrated(Mat A) {
  constexpr int sweeps = 12;
  constexpr double near = 0.5;
  MatHandle S;
  check(MatDuplicate(A, MAT_COPY_VALUES, S.out()));
  VecHandle scale;
  check(MatCreateVecs(A, nullptr, scale.out()));
  check(VecSet(scale, 1.0));
  for (int k = 0; k < sweeps; ++k) {
    const VecHandle more = inverse_root_of_rows(S);
    PetscReal least = 0, most = 0;
    check(VecMin(more, nullptr, &least));
    check(VecMax(more, nullptr, &most));
    check(MatDiagonalScale(S, more, more));
    check(VecPointwiseMult(scale, scale, more));
    if (k > 0 && near < least && most < 1 / near) break;
  }
  check(VecReciprocal(scale));
  return scale;
}

/// A vector of scattered numbers. A matrix on a device keeps it: every factorisation is probed, and the host would write it each time.
VecHandle scattered_load(Mat A) {
  constexpr const char* name = "invar_scattered_load";
  VecHandle w;
  check(MatCreateVecs(A, w.out(), nullptr));
  PetscObject kept = nullptr;
  if (DeviceRows::of(A)) check(PetscObjectQuery(PetscObject(A), name, &kept));
  if (kept) {
    check(VecCopy(Vec(kept), w));
    return w;
  }
  scatter(w);
  if (DeviceRows::of(A)) {
    const VecHandle copy = zeros_like(w);
    check(VecCopy(w, copy));
    check(PetscObjectCompose(PetscObject(A), name, PetscObject(copy.get())));
  }
  return w;
}

/// `weakest_mode` with D^½ = `scale`.
WeakestMode weakest_mode_scaled(PC factors, Mat A, bool symmetric, Vec scale) {
  const VecHandle w = scattered_load(A), z = zeros_like(w);

  // One step of inverse iteration for S: y = D^½ A⁻¹ D^½ w, w normalised before and after.
  const auto step = [&](bool transpose) {
    check(VecScale(w, 1 / norm(w)));
    check(VecPointwiseMult(w, w, scale));
    const std::string failure = library_failure(
        PetscObjectComm(PetscObject(A)), [&] { check(transpose ? PCApplyTranspose(factors, w, z) : PCApply(factors, w, z)); });
    if (!failure.empty()) throw PetscError(failure);
    check(VecPointwiseMult(w, z, scale));
    const double growth = norm(w);
    return std::isfinite(growth) ? growth : HUGE_VAL;
  };
  const double growth = step(false);
  static_assert(singular_stiffness <= 1e-9);
  if (growth < 1e9) return {1 / growth, -1};  // entries on a device stay there
  if (growth == HUGE_VAL) return {0, largest_entry(z)};
  if (step(!symmetric) == HUGE_VAL || step(false) == HUGE_VAL) return {0, largest_entry(z)};
  const double size = norm(w);
  const PetscInt dof = largest_entry(z);
  check(MatMult(A, z, w));
  check(VecPointwiseDivide(w, w, scale));
  return {norm(w) / size, dof};
}

}  // namespace

void scatter(Vec v) {
  PetscInt first, last;
  PetscScalar* a;
  check(VecGetOwnershipRange(v, &first, &last));
  check(VecGetArray(v, &a));
  for (PetscInt i = first; i < last; ++i) a[i - first] = scatter_value(std::uint64_t(i));
  check(VecRestoreArray(v, &a));
}

double probed_residual(PC factors, Mat A) {
  const VecHandle scale = inverse_root_of_rows(A), w = scattered_load(A), load = zeros_like(w), z = zeros_like(w);
  check(VecPointwiseDivide(load, w, scale));
  check(PCApply(factors, load, z));
  const VecHandle left = zeros_like(w);
  check(MatMult(A, z, left));
  check(VecAYPX(left, -1.0, load));
  check(VecPointwiseMult(left, left, scale));
  const double residual = norm(left) / norm(w);
  return std::isfinite(residual) ? residual : HUGE_VAL;
}

WeakestMode weakest_mode(PC factors, Mat A, bool symmetric) {
  const VecHandle rows = inverse_root_of_rows(A);
  check(VecReciprocal(rows));
  const WeakestMode mode = weakest_mode_scaled(factors, A, symmetric, rows);
  if (mode.stiffness == 0 || mode.stiffness >= singular_stiffness) return mode;
  const Mat on_host = DeviceRows::host_matrix(A);  // scaled there, which is rare
  return weakest_mode_scaled(factors, on_host, symmetric, equilibrated(on_host));
}

}  // namespace invar
