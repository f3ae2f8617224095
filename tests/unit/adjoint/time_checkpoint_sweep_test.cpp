#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "libadjoint/time/binomial.hpp"
#include "libadjoint/time/reverse_sweep.hpp"
#include "tests/unit/adjoint/solve_matrices.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace invar {
namespace {

constexpr int steps = 200;
constexpr PetscInt pendulums = 7;

double* host_entries(Vec x) {
  PetscScalar* a;
  check(VecGetArray(x, &a));
  double* const out = a;  // of host memory; the restoring call sets its argument to null
  check(VecRestoreArray(x, &a));
  return out;
}
std::size_t local_size(Vec x) {
  PetscInt n;
  check(VecGetLocalSize(x, &n));
  return std::size_t(n);
}

/// Driven, damped pendulums by the symplectic Euler method with steps of varying length:
///     v' = v + h (−sin x − p v + cos t),   x' = x + h v',   t' = t + h.
/// J = Σ over steps and pendulums of h x'². Designed are the damping p and the x and v at the start.
struct Pendulums {
  double p = 0.05;
  double h(int n) const { return 0.05 + 0.01 * std::sin(n); }

  MarchState start() const {
    MarchState s;
    for (int k = 0; k < 2; ++k) {
      check(VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, pendulums, s.fields.emplace_back().out()));
      PetscInt first;
      check(VecGetOwnershipRange(s.fields[std::size_t(k)], &first, nullptr));
      double* a = host_entries(s.fields[std::size_t(k)]);
      for (std::size_t i = 0; i < local_size(s.fields[0]); ++i)
        a[i] = test::hash_value(int(first) + int(i), k);
    }
    s.numbers = {0.3};
    return s;
  }
  void advance(int n, MarchState& s) const {
    double *x = host_entries(s.fields[0]), *v = host_entries(s.fields[1]);
    for (std::size_t i = 0; i < local_size(s.fields[0]); ++i) {
      v[i] += h(n) * (-std::sin(x[i]) - p * v[i] + std::cos(s.numbers[0]));
      x[i] += h(n) * v[i];
    }
    s.numbers[0] += h(n);
  }
};

struct Gradient {
  std::vector<double> x, v;  // to the start, of this rank
  double p = 0;              // share of this rank
  long again = 0;            // steps taken again
  double rounding = 0;
  Trajectory::Usage peak = {};
  bool same_bits(const Gradient& other) const {
    return x == other.x && v == other.v && p == other.p;
  }
};

Gradient gradient(std::unique_ptr<CheckpointSchedule> schedule, Trajectory::Options options) {
  const Pendulums model;
  Trajectory kept(PETSC_COMM_WORLD, options);
  MarchState after = model.start(), before = copy(after);
  for (int n = 0; n < steps; ++n) {
    record(*schedule, kept, n, after);
    copy(after, before);
    model.advance(n + 1, after);
  }
  const std::size_t local = local_size(after.fields[0]);
  Gradient g{.x = std::vector<double>(local, 0), .v = std::vector<double>(local, 0)};
  int expected = steps;
  g.again = reverse_sweep(
      *schedule, kept, steps, before, after, [&](int n, MarchState& s) { model.advance(n, s); },
      [&](int n, const MarchState& s, const MarchState& next) {
        EXPECT_EQ(n, expected--);
        const double *x = host_entries(s.fields[0]), *v = host_entries(s.fields[1]);
        const double* x_next = host_entries(next.fields[0]);
        const double h = model.h(n);
        for (std::size_t i = 0; i < local; ++i) {
          const double x_bar = g.x[i] + 2 * h * x_next[i], v_bar = g.v[i] + h * x_bar;
          g.p -= h * v[i] * v_bar;
          g.x[i] = x_bar - h * std::cos(x[i]) * v_bar;
          g.v[i] = (1 - h * model.p) * v_bar;
        }
      });
  EXPECT_EQ(expected, 0);
  EXPECT_EQ(kept.usage().ram + kept.usage().disk, 0u);
  g.rounding = kept.rounding();
  g.peak = kept.peak();
  return g;
}

/// dJ along one direction in p and the start, by differentiating the march forward.
double tangent() {
  const Pendulums model;
  MarchState s = model.start();
  double sum = 0;
  std::vector<double> dx(local_size(s.fields[0]), 0.7), dv(dx.size(), -0.4);
  for (int n = 1; n <= steps; ++n) {
    const double *x = host_entries(s.fields[0]), *v = host_entries(s.fields[1]), h = model.h(n);
    for (std::size_t i = 0; i < dx.size(); ++i) {
      dv[i] += h * (-std::cos(x[i]) * dx[i] - model.p * dv[i] - 1.3 * v[i]);
      dx[i] += h * dv[i];
    }
    model.advance(n, s);
    for (std::size_t i = 0; i < dx.size(); ++i) sum += 2 * h * x[i] * dx[i];
  }
  return sum;
}

Trajectory::Options in_memory() { return {}; }
Trajectory::Options on_disk(const test::ScratchFolder& folder) {
  return {.ram_bytes = 0,
          .folder = (folder / "").string(),
          .disk_bytes = std::numeric_limits<std::size_t>::max()};
}

TEST(ReverseSweep, GivesTheSameBitsHoweverStatesAreKept) {
  const test::ScratchFolder folder(true);
  const Gradient all = gradient(keep_all_schedule(), in_memory());
  EXPECT_EQ(all.again, 0);
  double sum = 1.3 * all.p;
  for (const double x : all.x) sum += 0.7 * x;
  for (const double v : all.v) sum -= 0.4 * v;
  EXPECT_NEAR(sum, tangent(), 1e-12 * std::abs(sum));

  for (const int slots : {1, 3, 10}) {
    const Gradient few = gradient(binomial_schedule(steps, slots), in_memory());
    EXPECT_TRUE(few.same_bits(all)) << slots;
    EXPECT_EQ(few.again, binomial_advances(steps, slots) - (steps - 1));
    EXPECT_EQ(few.peak.ram, std::size_t(slots) * (2 * all.x.size() + 1) * sizeof(double));
    EXPECT_TRUE(gradient(online_schedule(slots), in_memory()).same_bits(all)) << slots;
  }
  const Gradient disk = gradient(keep_all_schedule(), on_disk(folder));
  EXPECT_TRUE(disk.same_bits(all));
  EXPECT_EQ(disk.peak.ram, 0u);
  EXPECT_TRUE(gradient(online_schedule(3), on_disk(folder)).same_bits(all));
  MPI_Barrier(PETSC_COMM_WORLD);
  EXPECT_EQ(folder.file_count(), 0);
}

TEST(ReverseSweep, TellsWhatSinglePrecisionCosts) {
  const Gradient exact = gradient(keep_all_schedule(), in_memory());
  Trajectory::Options options;
  options.single_precision = true;
  const Gradient rounded = gradient(binomial_schedule(steps, 10), options);
  EXPECT_GT(rounded.rounding, 1e-9);
  EXPECT_LE(rounded.rounding, std::ldexp(1, -24));
  EXPECT_FALSE(rounded.same_bits(exact));
  for (std::size_t i = 0; i < exact.x.size(); ++i)
    EXPECT_NEAR(rounded.x[i], exact.x[i], 1e-4 * std::abs(exact.x[i]));
}

TEST(ReverseSweep, LeavesNoFileWhenAStepThrows) {
  const test::ScratchFolder folder(true);
  const Pendulums model;
  const auto run = [&] {
    const auto schedule = binomial_schedule(steps, 5);
    Trajectory kept(PETSC_COMM_WORLD, on_disk(folder));
    MarchState after = model.start(), before = copy(after);
    for (int n = 0; n < steps; ++n) {
      record(*schedule, kept, n, after);
      copy(after, before);
      model.advance(n + 1, after);
    }
    EXPECT_GT(folder.file_count(), 0);
    MPI_Barrier(PETSC_COMM_WORLD);
    reverse_sweep(
        *schedule, kept, steps, before, after,
        [](int, MarchState&) { throw std::runtime_error("a step that failed"); },
        [](int, const MarchState&, const MarchState&) {});
  };
  EXPECT_THROW(run(), std::runtime_error);
  MPI_Barrier(PETSC_COMM_WORLD);
  EXPECT_EQ(folder.file_count(), 0);
}

}  // namespace
}  // namespace invar
