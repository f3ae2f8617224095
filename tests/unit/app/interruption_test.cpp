#include <gtest/gtest.h>

#include "apps/invar/verbs/interruption.hpp"

namespace invar {
namespace {

TEST(Interruption, NotesTheFirstSignalAndLetsTheSecondThrough) {
  struct sigaction now = {};
  {
    const Interruption interruption;
    EXPECT_FALSE(interruption.asked());
    std::raise(SIGTERM);
    EXPECT_TRUE(interruption.asked());
    sigaction(SIGTERM, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL);
  }
  const Interruption next;
  EXPECT_FALSE(next.asked());
}

TEST(Interruption, PutsBackWhatWasThere) {
  struct sigaction before = {}, after = {};
  sigaction(SIGINT, nullptr, &before);
  { const Interruption interruption; }
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

}  // namespace
}  // namespace invar
