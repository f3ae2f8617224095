#include "libfem/io/replace_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "libfem/io/vtk_error.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace invar {
namespace {

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ReplaceFile, ReplacesTheWholeContent) {
  const test::ScratchFolder folder;
  replace_file(folder / "a", std::string(5000, 'x'));
  replace_file(folder / "a", std::string("b\0c", 3));
  EXPECT_EQ(content(folder / "a"), std::string("b\0c", 3));
  EXPECT_EQ(folder.file_count(), 1);
}

// A limit on the size of files makes write() fail half way, as a full disk does.
TEST(ReplaceFile, LeavesTheOldFileWhereWritingFails) {
  const test::ScratchFolder folder;
  replace_file(folder / "a", "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit tight{1000, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &tight);
  EXPECT_THROW(replace_file(folder / "a", std::string(5000, 'x')), VtkError);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(content(folder / "a"), "old");
  EXPECT_EQ(folder.file_count(), 1);
}

TEST(ReplaceFile, SaysWhichFileCannotBeWritten) {
  const test::ScratchFolder folder;
  try {
    replace_file(folder / "nowhere/a", "x");
    FAIL() << "the folder does not exist";
  } catch (const VtkError& e) {
    EXPECT_NE(std::string(e.what()).find("nowhere/a': No such file"), std::string::npos)
        << e.what();
  }
}

TEST(ReplaceFile, DoesNotReplaceAFolder) {
  const test::ScratchFolder folder;
  std::filesystem::create_directory(folder / "a");
  EXPECT_THROW(replace_file(folder / "a", "x"), VtkError);
  EXPECT_EQ(folder.file_count(), 1);
}

TEST(XmlEscaped, KeepsTextInsideAnAttribute) {
  EXPECT_EQ(xml_escaped("a<b>&\"c\" σ"), "a&lt;b&gt;&amp;&quot;c&quot; σ");
}

}  // namespace
}  // namespace invar
