#include "libfem/io/pvd_series.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <utility>
#include <vector>

#include "libfem/io/vtk_error.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace invar {
namespace {

std::vector<std::pair<std::string, std::string>> entries(const std::filesystem::path& file) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::regex line("<DataSet timestep=\"([^\"]*)\" part=\"0\" file=\"([^\"]*)\"/>");
  std::vector<std::pair<std::string, std::string>> found;
  for (std::sregex_iterator i(text.begin(), text.end(), line), end; i != end; ++i)
    found.emplace_back((*i)[1], (*i)[2]);
  return found;
}

using Entries = std::vector<std::pair<std::string, std::string>>;

TEST(PvdSeries, SortsByTimeAndNamesFilesRelativeToItself) {
  const test::ScratchFolder folder;
  PvdSeries series(folder / "run.pvd");
  series.add(0.5, folder / "fields/b.vtu");
  EXPECT_EQ(entries(folder / "run.pvd"), (Entries{{"0.5", "fields/b.vtu"}}));
  series.add(0.1, folder / "fields/../a.pvtu");
  series.add(1e-20, folder / "c & d.vtu");
  EXPECT_EQ(entries(folder / "run.pvd"),
            (Entries{{"1e-20", "c &amp; d.vtu"}, {"0.1", "a.pvtu"}, {"0.5", "fields/b.vtu"}}));
}

TEST(PvdSeries, MovesAFileThatIsAddedAgain) {
  const test::ScratchFolder folder;
  PvdSeries series(folder / "run.pvd");
  series.add(1, folder / "a.vtu");
  series.add(2, folder / "b.vtu");
  series.add(3, folder / "a.vtu");
  EXPECT_EQ(entries(folder / "run.pvd"), (Entries{{"2", "b.vtu"}, {"3", "a.vtu"}}));
}

TEST(PvdSeries, ThrowsWhereItCannotBeWritten) {
  const test::ScratchFolder folder;
  PvdSeries series(folder / "nowhere/run.pvd");
  EXPECT_THROW(series.add(0, folder / "a.vtu"), VtkError);
}

}  // namespace
}  // namespace invar
