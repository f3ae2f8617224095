#include "apps/invar/report/checkpoint_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "apps/invar/report/io_error.hpp"
#include "tests/unit/spec/demo_table.hpp"

namespace invar {
namespace {

namespace fs = std::filesystem;

class Checkpoints : public testing::Test {
 protected:
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder.path())) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
  }
  std::optional<std::string> newest() {
    damaged.clear();
    return CheckpointFolder(folder.path()).newest(damaged);
  }
  static std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  spec::TemporaryFolder temporary;
  CheckpointFolder folder{temporary.path / "checkpoints"};
  std::vector<std::string> damaged;
};

TEST_F(Checkpoints, GiveBackTheNewest) {
  EXPECT_FALSE(newest());
  const std::string all_bytes = [] {
    std::string s;
    for (int i = 0; i < 1000; ++i) s += static_cast<char>(i % 256);
    return s;
  }();
  for (const std::string& state : {std::string("first"), std::string("two\nlines\n"), std::string(), all_bytes}) {
    folder.write(state);
    EXPECT_EQ(newest(), state);
    EXPECT_TRUE(damaged.empty());
  }
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(Checkpoints, EveryDamageIsSeen) {
  folder.write("the state before");
  folder.write("the newest state");
  const fs::path file = files().back();
  const std::string whole = content(file);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string spoilt = whole;
    spoilt[at] = static_cast<char>(spoilt[at] ^ 4);
    std::ofstream(file, std::ios::binary) << spoilt;
    EXPECT_EQ(newest(), "the state before") << at;
    std::ofstream(file, std::ios::binary) << whole.substr(0, at);
    EXPECT_EQ(newest(), "the state before") << at;
    EXPECT_EQ(damaged, std::vector<std::string>{file.string()});
  }
  std::ofstream(file, std::ios::binary) << whole + "x";
  EXPECT_EQ(newest(), "the state before");
}

/// The state that a run went on from is not dropped for one that nobody can read.
TEST_F(Checkpoints, DamagedOnesAreReplacedFirst) {
  for (const char* state : {"first", "second"}) folder.write(state);
  std::ofstream(files().back(), std::ios::binary) << "?";
  folder.write("third");
  EXPECT_EQ(newest(), "third");
  ASSERT_EQ(files().size(), 2u);
  std::ofstream(files().back(), std::ios::binary) << "?";
  EXPECT_EQ(newest(), "first");
}

TEST_F(Checkpoints, WhatAKillHasLeftHalfWrittenGoes) {
  folder.write("first");
  std::ofstream(folder.path() / ".000002.checkpoint.part4711") << "half";
  EXPECT_EQ(newest(), "first");
  folder.write("second");
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(Checkpoints, AFolderThatCannotBeMade) {
  std::ofstream(temporary.path / "checkpoints") << "x";
  EXPECT_THROW(folder.write("state"), IoError);
  EXPECT_FALSE(newest());
}

}  // namespace
}  // namespace invar
