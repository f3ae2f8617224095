#include "libadjoint/time/solution_extrapolation.hpp"

#include <algorithm>
#include <limits>

namespace invar {
namespace {

/// Read access to the arrays of several vectors.
class ReadArrays {
 public:
  ~ReadArrays() {
    for (auto& [vector, array] : open_) VecRestoreArrayRead(vector, &array);
  }
  const double* operator()(Vec v) {
    const double* array = nullptr;
    check(VecGetArrayRead(v, &array));
    return open_.emplace_back(v, array).second;
  }

 private:
  std::vector<std::pair<Vec, const double*>> open_;
};

}  // namespace

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

void SolutionExtrapolation::improve(double t, Vec x) {
  if (!told_) check(VecDuplicate(x, told_.out()));
  check(VecCopy(x, told_));
  has_told_ = true;
  improved_ = std::ranges::any_of(degree_, [](int q) { return q >= 0; });
  if (!improved_) return;
  const Weights w = weights_at(t);
  std::array<const double*, most_points> past{};
  ReadArrays arrays;
  for (int j = 0; j < size(); ++j) past[j] = arrays(points_[j].second);
  PetscInt n = 0;
  double* a = nullptr;
  check(VecGetLocalSize(x, &n));
  check(VecGetArray(x, &a));
  for (PetscInt i = 0; i < n; ++i) {
    const int q = degree_[kind_of(i)];
    if (q < 0) continue;
    a[i] = 0;
    for (int j = 0; j <= q; ++j) a[i] += w[q][j] * past[j][i];
  }
  check(VecRestoreArray(x, &a));
}

void SolutionExtrapolation::note(double t, Vec x) {
  // Squared errors of the caller's prediction and of each degree.
  std::array<std::array<double, most_points + 1>, most_kinds> errors{};
  {
    const Weights w = weights_at(t);
    std::array<const double*, most_points> past{};
    ReadArrays arrays;
    for (int j = 0; j < size(); ++j) past[j] = arrays(points_[j].second);
    const double* a = arrays(x);
    const double* told = has_told_ ? arrays(told_) : nullptr;
    PetscInt n = 0;
    check(VecGetLocalSize(x, &n));
    for (PetscInt i = 0; i < n; ++i) {
      auto& of_kind = errors[kind_of(i)];
      if (told) of_kind[most_points] += (a[i] - told[i]) * (a[i] - told[i]);
      for (int q = 0; q < size(); ++q) {
        double error = a[i];
        for (int j = 0; j <= q; ++j) error -= w[q][j] * past[j][i];
        of_kind[q] += error * error;
      }
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
