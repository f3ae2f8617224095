// The matrices of the coarse levels: sums of the projected element matrices of the cells inside.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "libfem/form/corner_weight.hpp"
#include "libfem/form/lattice_levels.hpp"

namespace invar {

/// sum += factor · Wᵀ K W, W the values of the coarse cell's shape functions at the corners of its part `child`.
/// [row][column], unknowns [corner][component].
void LatticeLevels::project(const double* K, int child, const std::array<bool, 3>& halved, double factor, double* sum) const {
  const int corners = 1 << tree_.dim(), n = of_cell();
  double weight[8][8];  // [corner of the part][corner of the cell]
  for (int c = 0; c < corners; ++c)
    for (int C = 0; C < corners; ++C) weight[c][C] = corner_weight(tree_.dim(), halved.data(), child, c, C);
  constexpr int most = 8 * most_components;
  double rows[most * most] = {}, both[most * most] = {};
  const auto combine = [&](const double* from, double* to) {  // rows of `from` with the weights
    for (int c = 0; c < corners; ++c)
      for (int C = 0; C < corners; ++C) {
        if (weight[c][C] == 0) continue;
        for (int i = 0; i < nc(); ++i) {
          const double* source = from + (c * nc() + i) * n;
          double* target = to + (C * nc() + i) * n;
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
  const LatticeHierarchy::FineCell& of = tree_.cells()[cell];
  const int n = of_cell(), corners = 1 << tree_.dim(), child = tree_.child(0, cell);
  const std::array<signed char, 8>& order = tree_.order(of);
  const auto by_corner = [&](int kind) {
    std::vector<double> K(std::size_t(n) * n);
    for (int a = 0; a < corners; ++a)
      for (int c = 0; c < corners; ++c)
        for (int i = 0; i < nc(); ++i)
          for (int j = 0; j < nc(); ++j)
            K[std::size_t(order[a] * nc() + i) * n + order[c] * nc() + j] = fine_->value(kind, a * nc() + i, c * nc() + j);
    return K;
  };
  for (int s = first_share_[cell]; s < first_share_[cell + 1]; ++s) {
    const auto& [kind, factor] = shares_[s];
    if (of.nodes < 0) {
      std::vector<double>& K = projected_[{kind, of.order, child}];
      if (K.empty()) {
        K.assign(std::size_t(n) * n, 0.0);
        project(by_corner(kind).data(), child, tree_.level(0).halved, 1, K.data());
      }
      for (int i = 0; i < n * n; ++i) sum[i] += factor * K[i];
      continue;
    }
    std::vector<double> K = by_corner(kind);
    for (int a = 0; a < corners; ++a)
      for (int i = 0; i < nc(); ++i)
        if (fine_->constrained()[fine_->dofs().first_dof(tree_.fine_nodes(of)[a]) + i])
          for (int j = 0; j < n; ++j) K[std::size_t(a * nc() + i) * n + j] = K[std::size_t(j) * n + a * nc() + i] = 0;
    project(K.data(), child, tree_.level(0).halved, factor, sum.data());
  }
}

/// K becomes the element matrix of a cell, which is added to the level's matrix, as are those of all cells in it.
void LatticeLevels::add_cell(int t, std::size_t cell, std::vector<double>& K) {
  const LatticeHierarchy::Level& level = tree_.level(t);
  const int n = of_cell(), corners = 1 << tree_.dim();
  K.assign(std::size_t(n) * n, 0.0);
  std::vector<double> part;
  for (std::size_t c = cell == 0 ? 0 : level.end[cell - 1]; c < std::size_t(level.end[cell]); ++c) {
    if (t == 0) {
      add_fine_cell(c, K);
    } else {
      add_cell(t - 1, c, part);
      project(part.data(), tree_.child(t, c), level.halved, 1, K.data());
    }
  }
  PetscInt node[8];
  for (int a = 0; a < corners; ++a) {
    const int at = level.corners[cell][a];
    node[a] = level.global[at];
    for (int i = 0; i < nc(); ++i)
      if (level.fixed[std::size_t(at) * nc() + i])
        for (int j = 0; j < n; ++j) K[std::size_t(a * nc() + i) * n + j] = K[std::size_t(j) * n + a * nc() + i] = 0;
  }
  check(MatSetValuesBlocked(matrices_[t], corners, node, corners, node, K.data(), ADD_VALUES));
}

/// Unknowns without stiffness, including constrained ones, get the mean diagonal.
std::string LatticeLevels::fill_empty_rows(Mat matrix) const {
  VecHandle diagonal;
  check(MatCreateVecs(matrix, diagonal.out(), nullptr));
  check(MatGetDiagonal(matrix, diagonal));
  PetscInt first, n;
  check(VecGetOwnershipRange(diagonal, &first, nullptr));
  check(VecGetLocalSize(diagonal, &n));
  const double* d = nullptr;
  check(VecGetArrayRead(diagonal, &d));
  double here[2] = {0, 0}, all[2];
  for (PetscInt i = 0; i < n; ++i) here[0] += d[i], here[1] += d[i] != 0;
  MPI_Allreduce(here, all, 2, MPI_DOUBLE, MPI_SUM, tree_.comm());
  const double mean = all[1] > 0 ? all[0] / all[1] : 1;
  if (std::isfinite(mean))
    for (PetscInt i = 0; i < n; ++i)
      if (d[i] == 0) check(MatSetValue(matrix, first + i, first + i, mean, ADD_VALUES));
  check(VecRestoreArrayRead(diagonal, &d));
  check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  return std::isfinite(mean) ? "" : "the matrix has entries that are not finite";
}

std::string LatticeLevels::set_up() {
  // Element matrices by cell, in the order of the traversal.
  std::vector<int> count(tree_.cells().size() + 1, 0);
  std::vector<int> position;  // of the rank's cells in the traversal
  for (std::size_t c = 0; c < tree_.cells().size(); ++c) {
    position.resize(std::max<std::size_t>(position.size(), tree_.cells()[c].cell + 1), -1);
    position[tree_.cells()[c].cell] = int(c);
  }
  fine_->each_owned_cell([&](int cell, int, double) { ++count[position[cell] + 1]; });
  std::partial_sum(count.begin(), count.end(), count.begin());
  first_share_ = count;
  shares_.resize(first_share_.back());
  fine_->each_owned_cell([&](int cell, int kind, double factor) { shares_[count[position[cell]]++] = {kind, factor}; });
  projected_.clear();

  for (const MatHandle& matrix : matrices_) check(MatZeroEntries(matrix));
  std::vector<double> K;
  for (std::size_t c = 0; c < tree_.level(tree_.count() - 1).corners.size(); ++c) add_cell(tree_.count() - 1, c, K);
  std::string failure;
  for (const MatHandle& matrix : matrices_) {
    check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
    if (const std::string message = fill_empty_rows(matrix); failure.empty()) failure = message;
  }
  shares_ = {};
  return failure;
}

}  // namespace invar
