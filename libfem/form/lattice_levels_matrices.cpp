// The matrices of the coarse levels: sums of the projected element matrices of the cells inside.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "libfem/form/lattice_levels.hpp"

namespace invar {

/// sum += factor · Wᵀ K W, W the values of the coarse cell's shape functions at the corners of its part `child`.
/// [row][column], unknowns [corner][component].
void LatticeLevels::project(const double* K, int child, const std::array<bool, 3>& halved, double factor, double* sum) const {
  const int corners = 1 << dim_, n = of_cell();
  double weight[8][8];  // [corner of the part][corner of the cell]
  for (int c = 0; c < corners; ++c)
    for (int C = 0; C < corners; ++C) {
      weight[c][C] = 1;
      for (int k = 0; k < dim_; ++k) {
        const int bit = (c >> k) & 1;
        const double at = halved[k] ? 0.5 * (((child >> k) & 1) + bit) : bit;
        weight[c][C] *= (C >> k) & 1 ? at : 1 - at;
      }
    }
  constexpr int most = 8 * most_components;
  double rows[most * most] = {}, both[most * most] = {};
  const auto combine = [&](const double* from, double* to) {  // rows of `from` with the weights
    for (int c = 0; c < corners; ++c)
      for (int C = 0; C < corners; ++C) {
        if (weight[c][C] == 0) continue;
        for (int i = 0; i < nc_; ++i) {
          const double* source = from + (c * nc_ + i) * n;
          double* target = to + (C * nc_ + i) * n;
          for (int j = 0; j < n; ++j) target[j] += weight[c][C] * source[j];
        }
      }
  };
  combine(K, rows);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) std::swap(rows[i * n + j], rows[j * n + i]);
  combine(rows, both);
  for (int i = 0; i < n * n; ++i) sum[i] += factor * both[i];
}

void LatticeLevels::add_fine_cell(std::size_t cell, std::vector<double>& sum) {
  const FineCell& of = cells_[cell];
  const int n = of_cell(), corners = 1 << dim_, child = child_[0][cell];
  const std::array<signed char, 8>& order = orders_[of.order];
  const auto by_corner = [&](int kind) {
    std::vector<double> K(std::size_t(n) * n);
    for (int a = 0; a < corners; ++a)
      for (int c = 0; c < corners; ++c)
        for (int i = 0; i < nc_; ++i)
          for (int j = 0; j < nc_; ++j)
            K[std::size_t(order[a] * nc_ + i) * n + order[c] * nc_ + j] = fine_->value(kind, a * nc_ + i, c * nc_ + j);
    return K;
  };
  for (int s = first_share_[cell]; s < first_share_[cell + 1]; ++s) {
    const auto& [kind, factor] = shares_[s];
    if (of.nodes < 0) {
      std::vector<double>& K = projected_[{kind, of.order, child}];
      if (K.empty()) {
        K.assign(std::size_t(n) * n, 0.0);
        project(by_corner(kind).data(), child, levels_[0].halved, 1, K.data());
      }
      for (int i = 0; i < n * n; ++i) sum[i] += factor * K[i];
      continue;
    }
    std::vector<double> K = by_corner(kind);
    for (int a = 0; a < corners; ++a)
      for (int i = 0; i < nc_; ++i)
        if (fine_->constrained()[fine_->dofs().first_dof(fine_nodes_[of.nodes][a]) + i])
          for (int j = 0; j < n; ++j) K[std::size_t(a * nc_ + i) * n + j] = K[std::size_t(j) * n + a * nc_ + i] = 0;
    project(K.data(), child, levels_[0].halved, factor, sum.data());
  }
}

/// K becomes the element matrix of a cell, which is added to the level's matrix, as are those of all cells in it.
void LatticeLevels::add_cell(std::size_t t, std::size_t cell, std::vector<double>& K) {
  Level& level = levels_[t];
  const int n = of_cell(), corners = 1 << dim_;
  K.assign(std::size_t(n) * n, 0.0);
  std::vector<double> part;
  for (std::size_t c = cell == 0 ? 0 : level.end[cell - 1]; c < std::size_t(level.end[cell]); ++c) {
    if (t == 0) {
      add_fine_cell(c, K);
    } else {
      add_cell(t - 1, c, part);
      project(part.data(), child_[t][c], level.halved, 1, K.data());
    }
  }
  PetscInt node[8];
  for (int a = 0; a < corners; ++a) {
    const int at = level.corners[cell][a];
    node[a] = level.global[at];
    for (int i = 0; i < nc_; ++i)
      if (level.fixed[std::size_t(at) * nc_ + i])
        for (int j = 0; j < n; ++j) K[std::size_t(a * nc_ + i) * n + j] = K[std::size_t(j) * n + a * nc_ + i] = 0;
  }
  check(MatSetValuesBlocked(level.matrix, corners, node, corners, node, K.data(), ADD_VALUES));
}

/// Unknowns without stiffness, including constrained ones, get the mean diagonal.
std::string LatticeLevels::fill_empty_rows(Level& level) const {
  VecHandle diagonal;
  check(MatCreateVecs(level.matrix, diagonal.out(), nullptr));
  check(MatGetDiagonal(level.matrix, diagonal));
  PetscInt first, n;
  check(VecGetOwnershipRange(diagonal, &first, nullptr));
  check(VecGetLocalSize(diagonal, &n));
  const double* d = nullptr;
  check(VecGetArrayRead(diagonal, &d));
  double here[2] = {0, 0}, all[2];
  for (PetscInt i = 0; i < n; ++i) here[0] += d[i], here[1] += d[i] != 0;
  MPI_Allreduce(here, all, 2, MPI_DOUBLE, MPI_SUM, comm_);
  const double mean = all[1] > 0 ? all[0] / all[1] : 1;
  if (std::isfinite(mean))
    for (PetscInt i = 0; i < n; ++i)
      if (d[i] == 0) check(MatSetValue(level.matrix, first + i, first + i, mean, ADD_VALUES));
  check(VecRestoreArrayRead(diagonal, &d));
  check(MatAssemblyBegin(level.matrix, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(level.matrix, MAT_FINAL_ASSEMBLY));
  return std::isfinite(mean) ? "" : "the matrix has entries that are not finite";
}

std::string LatticeLevels::set_up() {
  // Element matrices by cell, in the order of the traversal.
  std::vector<int> count(cells_.size() + 1, 0);
  std::vector<int> position;  // of the rank's cells in the traversal
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    position.resize(std::max<std::size_t>(position.size(), cells_[c].cell + 1), -1);
    position[cells_[c].cell] = int(c);
  }
  fine_->each_owned_cell([&](int cell, int, double) { ++count[position[cell] + 1]; });
  std::partial_sum(count.begin(), count.end(), count.begin());
  first_share_ = count;
  shares_.resize(first_share_.back());
  fine_->each_owned_cell([&](int cell, int kind, double factor) { shares_[count[position[cell]]++] = {kind, factor}; });
  projected_.clear();

  for (Level& level : levels_) check(MatZeroEntries(level.matrix));
  std::vector<double> K;
  for (std::size_t c = 0; c < levels_.back().corners.size(); ++c) add_cell(levels_.size() - 1, c, K);
  std::string failure;
  for (Level& level : levels_) {
    check(MatAssemblyBegin(level.matrix, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(level.matrix, MAT_FINAL_ASSEMBLY));
    if (const std::string message = fill_empty_rows(level); failure.empty()) failure = message;
  }
  shares_ = {};
  return failure;
}

}  // namespace invar
