#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "libadjoint/time/storage_error.hpp"
#include "libadjoint/time/trajectory.hpp"
#include "tests/unit/adjoint/solve_matrices.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace invar::trajectories {
namespace {

namespace fs = std::filesystem;

int rank() {
  int r;
  MPI_Comm_rank(PETSC_COMM_WORLD, &r);
  return r;
}
int ranks() {
  int n;
  MPI_Comm_size(PETSC_COMM_WORLD, &n);
  return n;
}

std::vector<double> entries(Vec x) {
  PetscInt n;
  const PetscScalar* a;
  check(VecGetLocalSize(x, &n));
  check(VecGetArrayRead(x, &a));
  std::vector<double> out(a, a + n);
  check(VecRestoreArrayRead(x, &a));
  return out;
}

MarchState filled(const std::vector<PetscInt>& local_sizes, auto&& value) {
  MarchState s;
  for (const PetscInt n : local_sizes) {
    check(VecCreateMPI(PETSC_COMM_WORLD, n, PETSC_DETERMINE, s.fields.emplace_back().out()));
    PetscScalar* a;
    check(VecGetArray(s.fields.back(), &a));
    for (PetscInt i = 0; i < n; ++i) a[i] = value(int(i));
    check(VecRestoreArray(s.fields.back(), &a));
  }
  return s;
}

/// Two fields and three numbers: on rank r (5 + r) + 2 r + 3 doubles, of all sizes and kinds.
MarchState some_state(int seed) {
  MarchState s = filled({5 + rank(), 2 * rank()}, [&](int i) {
    return std::ldexp(test::hash_value(i, rank(), seed), 37 * i - 100);
  });
  s.numbers = {0.1 * seed, -0.0, 1e300};
  const double odd[] = {-0.0, std::numeric_limits<double>::denorm_min(), std::nan("3"), HUGE_VAL};
  for (int i = 0; i < 4; ++i) {
    PetscScalar* a;
    check(VecGetArray(s.fields[0], &a));
    a[i] = odd[i];
    check(VecRestoreArray(s.fields[0], &a));
  }
  return s;
}
std::size_t size_here() { return sizeof(double) * std::size_t(8 + 3 * rank()); }

void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  if (a.empty()) return;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0);
}
void expect_same_bits(const MarchState& a, const MarchState& b) {
  ASSERT_EQ(a.fields.size(), b.fields.size());
  for (std::size_t i = 0; i < a.fields.size(); ++i)
    expect_same_bits(entries(a.fields[i]), entries(b.fields[i]));
  expect_same_bits(a.numbers, b.numbers);
}

/// Files below the folder.
std::vector<fs::path> files(const test::ScratchFolder& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder / ""))
    if (entry.is_regular_file()) out.push_back(entry.path());
  return out;
}

/// What the StorageError says; empty where none is thrown.
std::string error_of(auto&& work) {
  try {
    work();
  } catch (const StorageError& e) {
    return e.what();
  }
  return {};
}

TEST(Trajectory, KeepsTheBitsInMemoryAndOnDisk) {
  const test::ScratchFolder folder;  // of this rank
  {
    Trajectory kept(PETSC_COMM_WORLD, {.ram_bytes = 2 * size_here() + 7,
                                       .folder = (folder / "").string(),
                                       .disk_bytes = 3 * size_here()});
    EXPECT_EQ(kept.slots(some_state(0)), 5);
    EXPECT_EQ(kept.bytes(some_state(0)), size_here());
    for (int step = 0; step < 5; ++step) kept.put(step, some_state(step));
    EXPECT_EQ(kept.usage().ram, 2 * size_here());
    EXPECT_EQ(kept.usage().disk, 3 * size_here());
    EXPECT_EQ(files(folder).size(), 3u);
    MarchState back = some_state(-1);
    for (const int step : {4, 0, 2, 1, 3, 0, 4}) {
      kept.get(step, back);
      expect_same_bits(back, some_state(step));
    }
    EXPECT_EQ(kept.rounding(), 0);

    kept.drop(3);
    kept.drop(1);
    EXPECT_EQ(files(folder).size(), 2u);
    kept.put(9, some_state(9));  // memory first
    EXPECT_EQ(kept.usage().ram, 2 * size_here());
    kept.put(4, some_state(44));  // in the place of another
    EXPECT_EQ(kept.usage().disk, 2 * size_here());
    EXPECT_EQ(files(folder).size(), 2u);
    for (const int step : {9, 4}) {
      kept.get(step, back);
      expect_same_bits(back, some_state(step == 4 ? 44 : 9));
    }
    EXPECT_EQ(kept.peak().disk, 3 * size_here());
  }
  EXPECT_EQ(folder.file_count(), 0);
}

TEST(Trajectory, SharesItsFolderWithOthers) {
  const test::ScratchFolder folder(true);  // of all ranks
  const Trajectory::Options options{.ram_bytes = 0, .folder = (folder / "").string(), .disk_bytes = 1000};
  {
    Trajectory one(PETSC_COMM_WORLD, options), other(PETSC_COMM_WORLD, options);
    one.put(3, some_state(1));
    other.put(3, some_state(2));
    MPI_Barrier(PETSC_COMM_WORLD);
    EXPECT_EQ(files(folder).size(), std::size_t(2 * ranks()));
    MarchState back = some_state(0);
    one.get(3, back);
    expect_same_bits(back, some_state(1));
    other.get(3, back);
    expect_same_bits(back, some_state(2));
  }
  MPI_Barrier(PETSC_COMM_WORLD);
  EXPECT_EQ(folder.file_count(), 0);
}

TEST(Trajectory, CountsTheStatesThatFit) {
  const test::ScratchFolder folder;
  const auto slots = [&](std::size_t ram, std::size_t disk, bool with_folder = true) {
    return Trajectory(PETSC_COMM_WORLD, {.ram_bytes = ram,
                                         .folder = with_folder ? (folder / "").string() : "",
                                         .disk_bytes = disk})
        .slots(40);
  };
  EXPECT_EQ(slots(100, 79), 3);
  EXPECT_EQ(slots(39, 80), 2);
  EXPECT_EQ(slots(39, 39), 0);
  EXPECT_EQ(slots(80, 1000, false), 2);
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(slots(most, most), std::numeric_limits<int>::max());
  // The rank with least room decides.
  const Trajectory kept(PETSC_COMM_WORLD,
                        {.ram_bytes = (rank() == ranks() - 1 ? 4 : 9) * size_here()});
  EXPECT_EQ(kept.slots(some_state(0)), 4);
}

TEST(Trajectory, RefusesOnAllRanksWhatOneHasNoRoomFor) {
  const std::size_t budget = rank() == ranks() - 1 ? 2 * size_here() - 1 : 100 * size_here();
  Trajectory kept(PETSC_COMM_WORLD, {.ram_bytes = budget});
  kept.put(0, some_state(0));
  const std::string error = error_of([&] { kept.put(12, some_state(1)); });
  EXPECT_NE(error.find("no space to store step 12"), std::string::npos) << error;
  EXPECT_NE(error.find(std::to_string(sizeof(double) * std::size_t(8 + 3 * (ranks() - 1))) + " bytes"),
            std::string::npos)
      << error;
  EXPECT_EQ(kept.usage().ram, size_here());
  MarchState back = some_state(2);
  kept.get(0, back);
  expect_same_bits(back, some_state(0));
}

TEST(Trajectory, TellsWhyTheDiskFailed) {
  const test::ScratchFolder folder;
  const std::string parent = (folder / "").string(), missing = (folder / "missing").string();
  std::string error = error_of([&] {
    Trajectory kept(PETSC_COMM_WORLD, {.ram_bytes = 0, .folder = missing, .disk_bytes = 1});
  });
  EXPECT_NE(error.find("missing': No such file or directory"), std::string::npos) << error;

  const MarchState big = filled({10'000}, [](int i) { return 1.0 + i; });
  MarchState back = copy(big);
  Trajectory kept(PETSC_COMM_WORLD,
                  {.ram_bytes = 0, .folder = parent, .disk_bytes = 1'000'000});
  {
    // A limit to the size of files fails like a full disk, in the middle of a write.
    rlimit before;
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit tight = before;
    if (rank() == ranks() - 1) tight.rlim_cur = 4096;
    ::setrlimit(RLIMIT_FSIZE, &tight);
    error = error_of([&] { kept.put(7, big); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }
  EXPECT_NE(error.find("cannot write '" + fs::temp_directory_path().string()), std::string::npos)
      << error;
  EXPECT_NE(error.find("step7': File too large"), std::string::npos) << error;
  EXPECT_TRUE(files(folder).empty());
  EXPECT_EQ(kept.usage().disk, 0u);

  kept.put(7, big);
  kept.get(7, back);
  expect_same_bits(back, big);
  if (rank() == 0) fs::resize_file(files(folder).at(0), 70'000);
  error = error_of([&] { kept.get(7, back); });
  EXPECT_NE(error.find("step7': it is shorter"), std::string::npos) << error;
  if (rank() == 0) fs::remove(files(folder).at(0));
  error = error_of([&] { kept.get(7, back); });
  EXPECT_NE(error.find("step7': No such file or directory"), std::string::npos) << error;
}

TEST(Trajectory, RemovesItsFilesWhenAnErrorPasses) {
  const test::ScratchFolder folder;
  const auto work = [&] {
    Trajectory kept(PETSC_COMM_WORLD,
                    {.ram_bytes = 0, .folder = (folder / "").string(), .disk_bytes = 1000});
    kept.put(0, some_state(0));
    EXPECT_EQ(files(folder).size(), 1u);
    throw std::runtime_error("somewhere else");
  };
  EXPECT_THROW(work(), std::runtime_error);
  EXPECT_EQ(folder.file_count(), 0);
}

TEST(Trajectory, MeasuresWhatSinglePrecisionLoses) {
  const test::ScratchFolder folder;
  Trajectory kept(PETSC_COMM_WORLD, {.ram_bytes = 100,
                                     .folder = (folder / "").string(),
                                     .disk_bytes = 10'000,
                                     .single_precision = true});
  // 24 binary digits: nothing is lost of small integers, at any scale.
  MarchState state = filled({6, 3}, [](int i) { return std::ldexp(i - 2, -300); });
  state.numbers = {1.0 / 3};
  EXPECT_EQ(kept.bytes(state), (6 + 3) * 4 + 3 * 8u);
  MarchState back = copy(state);
  kept.put(0, state);
  kept.get(0, back);
  expect_same_bits(back, state);
  EXPECT_EQ(kept.rounding(), 0);

  // 1 + 2^-25 becomes 1, far beyond the range of single precision too.
  const double x = 1 + std::ldexp(1, -25), lost = std::ldexp(1, -25) / x;
  for (const int exponent : {-400, 0, 400}) {
    state = filled({6, 3}, [&](int) { return std::ldexp(x, exponent); });
    state.numbers = {1.0 / 3};
    kept.put(1, state);
    kept.get(1, back);
    for (const double y : entries(back.fields[0])) EXPECT_EQ(y, std::ldexp(1, exponent));
    EXPECT_EQ(back.numbers, state.numbers);
    EXPECT_NEAR(kept.rounding(), lost, 1e-12 * lost);
  }

  // 1 + 2^-24 lies half-way, the worst there is; it stays the largest when less follows.
  const double worst = std::ldexp(1, -24) / (1 + std::ldexp(1, -24));
  kept.put(2, filled({6, 3}, [](int) { return 1 + std::ldexp(1, -24); }));
  kept.put(3, filled({6, 3}, [](int i) { return i; }));
  EXPECT_NEAR(kept.rounding(), worst, 1e-12 * worst);
  EXPECT_GT(kept.usage().disk, 0u);

  kept.put(4, filled({2, 1}, [](int) { return rank() == 0 ? std::nan("") : 1.0; }));
  EXPECT_EQ(kept.rounding(), HUGE_VAL);
}

}  // namespace
}  // namespace invar::trajectories
