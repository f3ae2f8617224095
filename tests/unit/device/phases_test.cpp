// Kernels in phases: errors that a checked run detects.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <vector>

#include "libfem/device/device.hpp"
#include "libfem/device/device_array.hpp"
#include "libfem/device/one_by_one.hpp"
#include "libfem/device/reduce.hpp"

namespace invar::device_test {
namespace {

/// Threads leave their number, then each adds its neighbour's. The mistakes are those of kernels that forget a barrier.
enum class Mistake { none, no_barrier, same_place, unwritten, outside };
struct Neighbours {
  static constexpr int phase_count = 2;
  Mistake mistake;
  double* out;  // [team][thread]

  int teams() const { return 3; }
  int threads() const { return 8; }
  int shared_size() const { return 8; }

  template <int P, class Memory>
  void phase(int team, int thread, const Memory& memory) const {
    const int next = (thread + 1) % 8;
    if constexpr (P == 0) {
      if (mistake == Mistake::unwritten && thread == 5) return;
      memory.write(mistake == Mistake::same_place ? 0 : mistake == Mistake::outside ? thread + 1 : thread, team + thread);
      if (mistake == Mistake::no_barrier) out[team * 8 + thread] = memory.read(next);
    } else {
      if (mistake == Mistake::none || mistake == Mistake::unwritten) out[team * 8 + thread] = memory.read(thread) + memory.read(next);
    }
  }
};

TEST(Phases, WatchedRunsGiveTheSame) {
  double plain[24], watched[24];
  run_on_host(host_kernel(Neighbours{Mistake::none, plain}));
  for (unsigned seed = 0; seed < 5; ++seed) {
    EXPECT_TRUE(run_watched(host_kernel(Neighbours{Mistake::none, watched}), seed).empty());
    for (int i = 0; i < 24; ++i) EXPECT_EQ(watched[i], plain[i]);
  }
  EXPECT_EQ(plain[8 + 7], (1 + 7) + (1 + 0));
}

TEST(Phases, EveryMistakeIsSeen) {
  double out[24];
  const auto says = [&](Mistake mistake, const std::string& words) {
    for (unsigned seed = 0; seed < 5; ++seed) {  // whatever the order of the threads
      bool found = false;
      for (const std::string& conflict : run_watched(host_kernel(Neighbours{mistake, out}), seed)) found |= conflict.find(words) != std::string::npos;
      EXPECT_TRUE(found) << words;
    }
  };
  says(Mistake::no_barrier, "another thread");
  says(Mistake::same_place, "writes where another thread writes");
  says(Mistake::unwritten, "reads before anything is written");
  says(Mistake::outside, "is outside of the team's memory");
}

/// Notes which team comes when.
struct OrderOfTeams {
  static constexpr int phase_count = 1;
  std::vector<int>* seen;

  int teams() const { return 6; }
  int threads() const { return 1; }
  int shared_size() const { return 0; }
  template <int P, class Memory>
  void phase(int team, int, const Memory&) const { seen->push_back(team); }
};

TEST(Phases, TeamsComeInEveryOrder) {
  std::set<std::vector<int>> orders;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::vector<int> order, opposite;
    run_watched(host_kernel(OrderOfTeams{&order}), seed);
    run_watched(host_kernel(OrderOfTeams{&opposite}), seed, true);
    std::ranges::reverse(opposite);
    EXPECT_EQ(opposite, order);
    std::ranges::sort(opposite);
    EXPECT_EQ(opposite, (std::vector{0, 1, 2, 3, 4, 5}));
    orders.insert(order);
  }
  EXPECT_GE(orders.size(), 15u);
}

/// Threads of kernels without a team's memory that do not keep to their own target.
enum class Trespass { none, reads_neighbour, writes_neighbour, reads_another_team, adds_to_one };
struct OwnTargets {
  Trespass trespass;
  int n;
  double *x, *y;

  INVAR_HD void at(int i) const {
    const int next = (i + 1) % n, other_team = (i + most_threads) % n;
    y[i] = 2 * y[i] + x[next];  // what nobody writes all may read
    if (trespass == Trespass::reads_neighbour) y[i] += y[next];
    if (trespass == Trespass::writes_neighbour) y[next] = 3 * y[next];
    if (trespass == Trespass::reads_another_team && i < most_threads) y[i] += y[other_team];
    if (trespass == Trespass::adds_to_one) y[0] += y[i];
  }
};

TEST(Phases, TargetsOfOthersAreSeen) {
  constexpr int n = 3 * most_threads - 5;
  std::vector<double> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = std::sin(i), y[i] = std::cos(i);
  for (const Trespass trespass : {Trespass::none, Trespass::reads_neighbour, Trespass::writes_neighbour, Trespass::reads_another_team, Trespass::adds_to_one}) {
    SCOPED_TRACE(static_cast<int>(trespass));
    const auto device = make_device(Device::Kind::watched);
    DeviceArray<double> dx(device, std::span<const double>(x)), dy(device, std::span<const double>(y));
    device->run(OneByOne{n, OwnTargets{trespass, n, dx.data(), dy.data()}});
    if (trespass != Trespass::none) {
      ASSERT_EQ(device->conflicts().size(), 1u);
      EXPECT_NE(device->conflicts().begin()->find("depends on the order of its threads"), std::string::npos);
      EXPECT_NE(device->conflicts().begin()->find("an array of " + std::to_string(n * sizeof(double))), std::string::npos);
      continue;
    }
    EXPECT_TRUE(device->conflicts().empty()) << *device->conflicts().begin();
    const std::vector<double> found = dy.download();
    for (int i = 0; i < n; ++i) EXPECT_EQ(found[i], 2 * y[i] + x[(i + 1) % n]) << "once, not twice";
  }
}

std::shared_ptr<Device> emulation() { return make_device(Device::Kind::emulation); }

TEST(Reductions, OfEverySecondNumberDoNotDependOnTheDevice) {
  const int n = 10000;
  std::vector<double> values(n);
  for (int i = 0; i < n; ++i) values[i] = std::sin(i) * std::pow(10.0, i % 7);
  double expected = 0, least = HUGE_VAL;
  for (int i = 1; i < n; i += 2) expected += values[i], least = std::min(least, values[i]);
  std::vector<double> sums;
  for (const auto kind : {Device::Kind::emulation, Device::Kind::watched}) {
    const auto device = make_device(kind);
    DeviceArray<double> on_device(device, std::span<const double>(values));
    DeviceArray<double> partial;
    const auto reduced = [&](VectorReduction::Of what) {
      return reduce(device, {.of = what, .n = n / 2, .x = on_device.data() + 1, .stride = 2}, partial);
    };
    EXPECT_EQ(reduced(VectorReduction::Of::smallest), least);
    sums.push_back(reduced(VectorReduction::Of::sum));
    EXPECT_TRUE(device->conflicts().empty());
  }
  EXPECT_NEAR(sums[0], expected, 1e-12 * 1e6 * n);
  EXPECT_EQ(sums[0], sums[1]);
}

/// A number that is none must not be lost among smallest numbers.
TEST(Reductions, TheSmallestOfNumbersAndNoneIsNone) {
  const auto device = emulation();
  std::vector<double> values(300, 1.0);
  values[140] = std::nan("");
  DeviceArray<double> on_device(device, std::span<const double>(values));
  DeviceArray<double> partial;
  EXPECT_TRUE(std::isnan(reduce(device, {.of = VectorReduction::Of::smallest, .n = 300, .x = on_device.data()}, partial)));
}

TEST(Devices, WithoutOneThereIsAnError) {
  try {
    EXPECT_EQ(make_device(Device::Kind::cuda)->kind(), Device::Kind::cuda) << "where there is one";
  } catch (const DeviceError& e) {
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
    EXPECT_FALSE(std::string(e.what()).empty());
  }
}

}  // namespace
}  // namespace invar::device_test
