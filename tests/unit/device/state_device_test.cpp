// States on a device: operations on rows, and a march in time with its reverse sweep: the host's results, and which accesses of the host to
// vectors remain.
#include <filesystem>

#include "libadjoint/row_set.hpp"
#include "libadjoint/vector_methods.hpp"
#include "libfem/device/device_vector.hpp"
#include "tests/unit/device/device_march.hpp"
#include "tests/unit/device/guarded_device.hpp"

namespace invar::device_test {
namespace {

VecHandle on_host(const Array& values) { return with_entries(host_vector(static_cast<PetscInt>(values.size())), values); }
VecHandle on_device(const std::shared_ptr<Device>& device, const Array& values) {
  VecHandle v = create_device_vector(device, static_cast<PetscInt>(values.size()));
  copy_entries(on_host(values), v);
  return v;
}

TEST(StateDevice, OperationsOnRowsAreThoseOfTheHost) {
  constexpr int n = 300;
  const auto device = make_device(Device::Kind::watched);
  std::vector<int> numbers;
  for (int i = 0; i < n; i += 1 + i % 3) numbers.push_back(i);
  const RowSet rows(numbers);
  Array a(n), b(n);
  for (int i = 0; i < n; ++i) a[i] = std::sin(i), b[i] = std::cos(3 * i);
  Array broken = b;
  for (const int row : rows) broken[row] = NAN;
  const VecHandle x = on_host(a), y = on_host(b), z = on_host(broken), dx = on_device(device, a), dy = on_device(device, b), dz = on_device(device, broken);
  const long before = device->host_accesses();
  const auto agree = [&](Vec host, Vec other) {
    const long now = device->host_accesses();
    EXPECT_EQ(entries_of(other), entries_of(host));
    EXPECT_EQ(device->host_accesses(), now + 1);
  };
  for (const auto& [p, q, r] : {std::tuple<Vec, Vec, Vec>(x, y, z), std::tuple<Vec, Vec, Vec>(dx, dy, dz)}) {
    rows.add(0.7, p, q);
    rows.combine(-2, p, 0, r);  // where r is not a number
    rows.combine(0, nullptr, 0.5, p);
    rows.clear(q);
    Array few(rows.size());
    rows.read(r, few.data());
    rows.write(few.data(), q);
    rows.add(1, p, q);
  }
  EXPECT_NEAR(rows.squares(dx), rows.squares(x), 1e-13);
  EXPECT_NEAR(rows.squares_of_others(dx), rows.squares_of_others(x), 1e-13);
  EXPECT_TRUE(equal(dx, dx));
  EXPECT_FALSE(equal(dx, dy));
  EXPECT_EQ(device->host_accesses(), before);
  agree(x, dx), agree(y, dy), agree(z, dz);
  check(VecAXPY(dx, 2, y));  // an operand on the host is copied, and the reverse
  check(VecAXPY(x, 2, dy));
  agree(x, dx);
  EXPECT_TRUE(device->conflicts().empty());
}

// A direct solve on the host reads its right-hand side and writes its solution. The objective reads two states, and adds to two.
TEST(StateDevice, MarchAndSweepAskTheHostForDirectSolvesAndObjectivesOnly) {
  using enum TimeScheme::Kind;
  for (const auto& [process, kind] : {std::pair(&swinging_strip, newmark), std::pair(&swinging_strip, generalised_alpha), std::pair(&swinging_strip, bdf2),
                                      std::pair(&growing_flow, bdf2), std::pair(&growing_flow, sdirk2)}) {
    SCOPED_TRACE(testing::Message() << (process == &growing_flow ? "flow, " : "strip, ") << static_cast<int>(kind));
    const auto device = std::make_shared<GuardedDevice>();
    const March host = march(process(), nullptr, kind), found = march(process(), device, kind);
    expect_same(found, host);
    EXPECT_EQ(found.in_march, 2 * found.solves + 2);
    EXPECT_EQ(found.in_sweep, 2 * found.adjoint_solves + 2);
  }
}

// Steps that share factors solve by iterations, from guesses whose errors are estimated on the host: one more access per solve.
TEST(StateDevice, StepsThatShareFactorsAskForNoMore) {
  MarchOptions options;
  options.factor_interval = 3;
  for (const auto& [process, kind] : {std::pair(&swinging_strip, TimeScheme::Kind::newmark), std::pair(&growing_flow, TimeScheme::Kind::bdf2)}) {
    const auto device = std::make_shared<GuardedDevice>();
    const March host = march(process(), nullptr, kind, options), found = march(process(), device, kind, options);
    expect_same(found, host);
    EXPECT_EQ(found.in_march, 2 * found.solves + 2);
    EXPECT_GE(found.in_sweep, 2 * found.adjoint_solves + 2);
    EXPECT_LE(found.in_sweep, 3 * found.adjoint_solves + 2);
  }
}

TEST(StateDevice, GradientsDoNotDependOnWhereStatesAreKept) {
  const auto device = make_device(Device::Kind::emulation);
  const auto newmark = TimeScheme::Kind::newmark;
  const March all = march(swinging_strip(), device, newmark);
  const std::size_t state = 3 * all.end.size() * sizeof(double) + 8;
  MarchOptions some, mixed;
  some.storage.device_bytes = 3 * state, some.storage.ram_bytes = 0;
  mixed.storage.device_bytes = 3 * state, mixed.storage.ram_bytes = 2 * state, mixed.storage.disk_bytes = 100 * state;
  mixed.storage.folder = std::filesystem::temp_directory_path();
  for (const MarchOptions& options : {some, mixed}) {
    const March found = march(swinging_strip(), device, newmark, options);
    EXPECT_EQ(found.end, all.end);
    EXPECT_EQ(found.gradient, all.gradient);
  }
}

// The states of the cases of a run share what is left of one budget.
TEST(StateDevice, TrajectoriesShareABudget) {
  const auto device = make_device(Device::Kind::emulation);
  MarchState state;
  state.fields.push_back(on_device(device, Array(10, 0.5)));
  const std::size_t size = 10 * sizeof(double);
  Trajectory::Options options;
  options.device_budget = std::make_shared<ByteBudget>(3 * size);
  options.ram_bytes = 5 * size;
  auto first = std::make_unique<Trajectory>(PETSC_COMM_SELF, options);
  Trajectory second(PETSC_COMM_SELF, options);
  EXPECT_EQ(first->slots(state), 3 + 5);
  for (Trajectory* t : {first.get(), &second})
    for (int step = 0; step < 2; ++step) t->put(step, state);
  EXPECT_EQ(first->usage().device, 2 * size);
  EXPECT_EQ(second.usage().device, size);
  EXPECT_EQ(second.usage().ram, size);
  EXPECT_EQ(second.slots(state), 1 + 5);
  first.reset();
  EXPECT_EQ(second.slots(state), 3 + 5);
}

// Memory that ends within a solve.
TEST(StateDevice, WhatADeviceDoesNotHoldIsOnTheHost) {
  const auto newmark = TimeScheme::Kind::newmark;
  const auto all = make_device(Device::Kind::emulation);
  const March expected = march(swinging_strip(), all, newmark);
  const long long half = all->traffic().most_held / 2;
  const auto small = std::make_shared<Device>(Device::Kind::emulation, half);
  const March found = march(swinging_strip(), small, newmark);
  EXPECT_EQ(all->traffic().most_on_host, 0);
  EXPECT_GT(small->traffic().most_on_host, half / 2);
  EXPECT_LE(small->traffic().most_held, half);
  EXPECT_EQ(found.end, expected.end);
  EXPECT_EQ(found.gradient, expected.gradient);
  EXPECT_EQ(found.in_march, expected.in_march);
}

}  // namespace
}  // namespace invar::device_test
