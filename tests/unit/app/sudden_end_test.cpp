#include "apps/invar/verbs/sudden_end.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace invar {
namespace {

template <class Exception>
[[noreturn]] void throw_it(const Exception& e) {
  throw e;
}
template <class Exception>
void throw_where_none_may(const Exception& e) noexcept {
  throw_it(e);
}

class SuddenEnd : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }  // the room has a thread of MPI's
};

TEST_F(SuddenEnd, AnExceptionThatEscapesHasItsExitCode) {
  const auto escapes = [](auto e) {
    end_on_escaped_exception();
    throw_where_none_may(e);
  };
  EXPECT_EXIT(escapes(std::bad_alloc()), testing::ExitedWithCode(4), "not enough memory");
  EXPECT_EXIT(escapes(std::logic_error("what it was")), testing::ExitedWithCode(70), "a bug, please report it: what it was");
}

TEST_F(SuddenEnd, SignalsHaveTheirExitCode) {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) {
    const auto raised = [signal] {
      ::signal(signal, SIG_DFL);
      end_on_signal();
      std::raise(signal);
    };
    EXPECT_EXIT(raised(), testing::ExitedWithCode(75), "interrupted");
  }
}

// As of what a shell starts in the background.
TEST_F(SuddenEnd, AnIgnoredSignalStaysIgnored) {
  const auto raised = [] {
    ::signal(SIGINT, SIG_IGN);
    end_on_signal();
    std::raise(SIGINT);
    std::_Exit(0);
  };
  EXPECT_EXIT(raised(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace invar
