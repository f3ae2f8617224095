#include "apps/invar/report/console.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/unit/spec/demo_table.hpp"

namespace invar {
namespace {

using spec::content;

TEST(Console, TableOfAnOptimisation) {
  std::ostringstream out;
  Console console(&out, Verbosity::normal);
  console.table(iteration_columns());
  console.row({0LL, 123.456789, 0.0, 1.5e-7, std::monostate(), 1LL, 0.25});
  console.row({1LL, 21.1679, 0.0, 3e9, 0.5, 2LL, 61.5});
  EXPECT_EQ(out.str(),
            "\n"
            " iteration      objective  violation   gradient       step evaluations   seconds\n"
            "         0      123.45679       0.00   1.50e-07                      1    0.2500\n"
            "         1      21.167900       0.00   3.00e+09      0.500           2     61.50\n");
}

TEST(Console, TheHeaderComesAgain) {
  std::ostringstream out;
  Console console(&out, Verbosity::normal);
  console.table({{"n", 4}});
  for (long long i = 0; i < 81; ++i) console.row({i});
  std::size_t headers = 0;
  const std::string text = out.str();
  for (std::size_t at = 0; (at = text.find("    n\n", at)) != std::string::npos; ++at) ++headers;
  EXPECT_EQ(headers, 3u);
}

TEST(Console, TheLogHasWhatTheTerminalHas) {
  const spec::TemporaryFolder folder;
  std::ostringstream out;
  Console console(&out, Verbosity::verbose);
  console.banner("0.1.0", "rubber");
  console.open_log(folder.path / "log.txt");
  console.summary("unknowns", grouped(1234567));
  console.line("detail", Verbosity::verbose);
  console.line("too much", Verbosity::debug);
  console.warning("c2 is not identifiable");
  console.closing("converged: relative gradient below 1e-6");
  EXPECT_EQ(out.str(),
            "invar 0.1.0: rubber\n-------------------\n  unknowns           1 234 567\ndetail\n"
            "warning: c2 is not identifiable\n\nconverged: relative gradient below 1e-6\n");
  EXPECT_EQ(content(folder.path / "log.txt"), out.str());
}

TEST(Console, QuietShowsTheEndAndLogsTheRest) {
  const spec::TemporaryFolder folder;
  std::ostringstream out;
  Console console(&out, Verbosity::quiet);
  console.open_log(folder.path / "log.txt");
  console.line("working");
  console.closing("done");
  EXPECT_EQ(out.str(), "done\n");
  EXPECT_EQ(content(folder.path / "log.txt"), "working\n\ndone\n");
}

TEST(Console, ALogGoesOnBehindTheOneBefore) {
  const spec::TemporaryFolder folder;
  std::ostringstream out;
  for (const bool append : {false, true}) {
    Console console(&out, Verbosity::normal);
    console.line(append ? "second" : "first");
    console.open_log(folder.path / "log.txt", append);
  }
  EXPECT_EQ(content(folder.path / "log.txt"), "first\nsecond\n");
}

TEST(Console, OtherRanksAreSilent) {
  const spec::TemporaryFolder folder;
  Console console(nullptr, Verbosity::debug);
  console.open_log(folder.path / "log.txt");
  console.closing("done");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

TEST(Console, Words) {
  EXPECT_EQ(grouped(-1000), "-1 000");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(duration_text(2.5e-6), "2.5 us");
  EXPECT_EQ(duration_text(0.0123), "12.3 ms");
  EXPECT_EQ(duration_text(1.5), "1.5 s");
  EXPECT_EQ(duration_text(75.3), "1 min 15 s");
  EXPECT_EQ(duration_text(59.97), "1 min 0 s");
  EXPECT_EQ(duration_text(7322), "2 h 2 min");
}

}  // namespace
}  // namespace invar
