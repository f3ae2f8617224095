#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <stdexcept>
#include <string>

#include "libadjoint/sampling/lockstep.hpp"

namespace invar {
namespace {

TEST(Lockstep, ServesWhenAllThatHaveNotEndedWait) {
  std::string said;
  Lockstep lockstep([&] { said += '|'; });
  const auto task = [&](char name, int waits) {
    return [&lockstep, &said, name, waits] {
      for (int k = 0; k < waits; ++k) {
        said += name;
        lockstep.wait();
      }
      said += static_cast<char>(name - 'a' + 'A');
    };
  };
  lockstep.run({task('a', 1), task('b', 3), task('c', 0), task('d', 2)});
  EXPECT_EQ(said, "abCd|Abd|bD|B");
  EXPECT_FALSE(lockstep.inside());
}

// One that waits while it handles an exception, and others that throw before and after it goes on.
TEST(Lockstep, ExceptionsBelongToTheirTasks) {
  Lockstep lockstep([] {});
  std::string what;
  bool other_ended = false;
  const auto handles = [&] {
    try {
      throw std::runtime_error("mine");
    } catch (const std::runtime_error& e) {
      lockstep.wait();
      try {
        throw;
      } catch (const std::runtime_error& again) {
        what = again.what();
      }
    }
  };
  const auto throws = [&] {
    try {
      throw std::logic_error("handled");
    } catch (const std::logic_error&) {
    }
    lockstep.wait();
    throw std::out_of_range("of a task");
  };
  const auto ends = [&] {
    lockstep.wait();
    lockstep.wait();
    other_ended = true;
  };
  EXPECT_THROW(lockstep.run({handles, throws, ends}), std::out_of_range);
  EXPECT_EQ(what, "mine");
  EXPECT_TRUE(other_ended);
}

TEST(Lockstep, StacksAreDeep) {
  Lockstep lockstep([] {});
  const std::function<double(int)> deep = [&](int n) -> double {
    volatile double here[64] = {1.0 * n};
    return n == 0 ? here[0] : here[0] + deep(n - 1);
  };
  std::array<double, 2> sums{};
  lockstep.run({[&] { sums[0] = deep(5000); }, [&] { sums[1] = deep(5000); }});
  EXPECT_EQ(sums[0], 5000 * 5001 / 2.0);
  EXPECT_EQ(sums[1], sums[0]);
}

}  // namespace
}  // namespace invar
