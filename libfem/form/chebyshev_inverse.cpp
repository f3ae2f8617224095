#include "libfem/form/chebyshev_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "libfem/mesh/layers.hpp"

namespace invar {
namespace {

constexpr double no_entry = 1e-14;  // relative to the largest entry of a row

}  // namespace

ChebyshevInverse::ChebyshevInverse(const DofMap& dofs, Mat A, Vec M, double error) : comm_(dofs.comm()), n_owned_(dofs.n_owned()) {
  number(dofs);
  const double* m = nullptr;
  check(VecGetArrayRead(M, &m));
  inverse_.resize(n_owned_);
  for (int d = 0; d < n_owned_; ++d) inverse_[place_[d]] = 1 / m[d];
  check(VecRestoreArrayRead(M, &m));
  read_rows(dofs, A);
  const double sum = rows_.largest_sum();
  MPI_Allreduce(&sum, &largest_, 1, MPI_DOUBLE, MPI_MAX, comm_);
  const double root = std::sqrt(largest_), rate = (root - 1) / (root + 1);  // errors fall by 2 rateᵏ in k terms
  terms_ = rate > 0 ? std::max(1, static_cast<int>(std::ceil(std::log(error / 2) / std::log(rate)))) : 1;
  scaled_ = create_vector();
  other_ = create_vector();
}

/// Numbers own nodes by rows, then those of other ranks by rows.
void ChebyshevInverse::number(const DofMap& dofs) {
  const Mesh& mesh = dofs.mesh();
  std::vector<double> x;
  std::vector<int> owned, others;
  place_.assign(dofs.n_local(), 0);
  for (int node = 0; node < mesh.node_total(); ++node) {
    if (dofs.dof_count(node) == 0) continue;
    (node < mesh.n_owned_nodes ? owned : others).push_back(dofs.first_dof(node));
    x.insert(x.end(), mesh.coordinates.begin() + std::ptrdiff_t(node) * mesh.dim, mesh.coordinates.begin() + std::ptrdiff_t(node + 1) * mesh.dim);
  }
  const std::vector<int> order = order_by_rows(x, mesh.dim);
  int next[2] = {0, n_owned_};
  for (const int i : order) {
    const bool mine = i < static_cast<int>(owned.size());
    place_[mine ? owned[i] : others[i - owned.size()]] = next[mine ? 0 : 1]++;
  }
  // Numbers of ghosts are received from their owners.
  const VecHandle numbers = dofs.create_vector();
  double* a = nullptr;
  check(VecGetArray(numbers, &a));
  for (int d = 0; d < n_owned_; ++d) a[d] = static_cast<double>(dofs.global_offset() + place_[d]);
  check(VecRestoreArray(numbers, &a));
  const LocalArray local(numbers);
  ghosts_.resize(dofs.n_local() - n_owned_);
  for (int d = n_owned_; d < dofs.n_local(); ++d) ghosts_[place_[d] - n_owned_] = static_cast<PetscInt>(local.data()[d]);
}

void ChebyshevInverse::read_rows(const DofMap& dofs, Mat A) {
  const Mesh& mesh = dofs.mesh();
  std::unordered_map<PetscInt, int> ghost;  // global dof of the space to local
  for (int node = mesh.n_owned_nodes; node < mesh.node_total(); ++node)
    if (dofs.dof_count(node) > 0) ghost.emplace(static_cast<PetscInt>(dofs.global_dof(node)), dofs.first_dof(node));
  std::vector<int> dof_at(n_owned_), columns, order;
  for (int d = 0; d < n_owned_; ++d) dof_at[place_[d]] = d;
  std::vector<double> entries;
  const PetscInt first = static_cast<PetscInt>(dofs.global_offset());
  for (int row = 0; row < n_owned_; ++row) {
    PetscInt n = 0;
    const PetscInt* global = nullptr;
    const PetscScalar* values = nullptr;
    check(MatGetRow(A, first + dof_at[row], &n, &global, &values));
    std::vector<std::pair<int, double>> entry;
    double largest = 0;
    for (PetscInt k = 0; k < n; ++k) largest = std::max(largest, std::abs(values[k]));
    for (PetscInt k = 0; k < n; ++k) {
      if (std::abs(values[k]) <= no_entry * largest) continue;  // e.g. between the ends of an edge of a cube
      const bool mine = global[k] >= first && global[k] < first + n_owned_;
      entry.emplace_back(place_[mine ? global[k] - first : ghost.at(global[k])], values[k] * inverse_[row]);
    }
    check(MatRestoreRow(A, first + dof_at[row], &n, &global, &values));
    std::ranges::sort(entry);
    columns.clear(), entries.clear();
    for (const auto& [column, value] : entry) columns.push_back(column), entries.push_back(value);
    rows_.add(columns, entries);
  }
}

VecHandle ChebyshevInverse::create_vector() const {
  VecHandle v;
  check(VecCreateGhost(comm_, n_owned_, PETSC_DETERMINE, static_cast<PetscInt>(ghosts_.size()), ghosts_.data(), v.out()));
  check(VecSet(v, 0.0));
  return v;
}

void ChebyshevInverse::apply(Vec b, Vec x) {
  const auto written = [](Vec v, const auto& write) {
    double* a = nullptr;
    check(VecGetArray(v, &a));
    write(a);
    check(VecRestoreArray(v, &a));
  };
  Vec now = terms_ % 2 == 0 ? x : other_.get(), next = terms_ % 2 == 0 ? other_.get() : x;
  const double* given = nullptr;
  check(VecGetArrayRead(b, &given));
  written(scaled_, [&](double* g) {
    for (int i = 0; i < n_owned_; ++i) g[i] = inverse_[i] * given[i];
  });
  check(VecRestoreArrayRead(b, &given));
  check(VecCopy(scaled_, now));
  check(VecSet(next, 0.0));
  const double middle = 0.5 * (largest_ + 1), half = 0.5 * (largest_ - 1) / middle;
  double omega = 1;
  for (int k = 0; k < terms_; ++k) {
    if (k > 0) omega = 1 / (1 - half * half * (k == 1 ? 0.5 : 0.25 * omega));
    const double* g = nullptr;
    check(VecGetArrayRead(scaled_, &g));
    {
      const LocalArray local(now);
      written(next, [&](double* y) { rows_.step(local.data(), g, omega, omega / middle, 1 - omega, y); });
    }
    check(VecRestoreArrayRead(scaled_, &g));
    std::swap(now, next);
  }
}

}  // namespace invar
