#include "libadjoint/time/solution_extrapolation.hpp"

#include <algorithm>
#include <limits>

namespace invar {
void SolutionExtrapolation::forget() {
  points_.clear();
  has_told_ = improved_ = false;
  degree_.fill(-1);
}

/// [degree q][point j]: Lagrange weights of the last q + 1 points for the value at t.
SolutionExtrapolation::Weights SolutionExtrapolation::weights_at(double t) const {
  Weights w{};
  for (int q = 0; q < size(); ++q)
    for (int j = 0; j <= q; ++j) {
      w[q][j] = 1;
      for (int k = 0; k <= q; ++k)
        if (k != j) w[q][j] *= (t - points_[k].first) / (points_[j].first - points_[k].first);
    }
  return w;
}

/// Of one kind are all rows, which the first vector tells.
void SolutionExtrapolation::count_rows(Vec x) {
  PetscInt n = 0;
  check(VecGetLocalSize(x, &n));
  if (!one_kind_ || of_kind_[0].size() == static_cast<std::size_t>(n)) return;
  of_kind_ = rows_by_mark<most_kinds>(std::vector<char>(n, 0));
}

void SolutionExtrapolation::improve(double t, Vec x) {
  if (!told_) check(VecDuplicate(x, told_.out()));
  check(VecCopy(x, told_));
  has_told_ = true;
  improved_ = std::ranges::any_of(degree_, [](int q) { return q >= 0; });
  if (!improved_) return;
  count_rows(x);
  const Weights w = weights_at(t);
  for (int kind = 0; kind < most_kinds; ++kind) {
    const int q = degree_[kind];
    if (q < 0) continue;
    of_kind_[kind].clear(x);
    for (int j = 0; j <= q; ++j) of_kind_[kind].add(w[q][j], points_[j].second, x);
  }
}

void SolutionExtrapolation::note(double t, Vec x) {
  // Squared errors of the caller's prediction and of each degree.
  std::array<std::array<double, most_points + 1>, most_kinds> errors{};
  count_rows(x);
  const VecHandle error = zeros_like(x);
  const Weights w = weights_at(t);
  for (int q = 0; q <= size(); ++q) {
    const bool told = q == size();
    if (told && !has_told_) continue;
    check(VecCopy(x, error));
    for (int kind = 0; kind < most_kinds; ++kind) {
      const RowSet& rows = of_kind_[kind];
      if (rows.empty()) continue;
      if (told) rows.add(-1, told_, error);
      for (int j = 0; j <= q && !told; ++j) rows.add(-w[q][j], points_[j].second, error);
      errors[kind][told ? most_points : q] = rows.squares(error);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, errors.data(), most_kinds * (most_points + 1), MPI_DOUBLE, MPI_SUM, comm_);
  for (int kind = 0; kind < most_kinds; ++kind) {
    double least = has_told_ ? errors[kind][most_points] : std::numeric_limits<double>::max();
    degree_[kind] = -1;
    for (int q = 0; q < size(); ++q)
      if (errors[kind][q] < least) least = errors[kind][q], degree_[kind] = q;
  }
  has_told_ = false;
  VecHandle kept;
  if (size() == most_points) {
    kept = std::move(points_.back().second);
    points_.pop_back();
  } else {
    check(VecDuplicate(x, kept.out()));
  }
  check(VecCopy(x, kept));
  points_.emplace_front(t, std::move(kept));
}

}  // namespace invar
