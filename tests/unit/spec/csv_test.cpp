#include "apps/invar/report/csv.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "apps/invar/spec/csv_reader.hpp"
#include "tests/unit/spec/demo_table.hpp"

namespace invar {
namespace {

using spec::TemporaryFolder;

class Csv : public testing::Test {
 protected:
  std::optional<CsvTable> read(const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
    diagnostics = Diagnostics();
    return read_csv(file, diagnostics);
  }
  /// What was said, the folder cut off.
  std::string said() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.sorted())
      out += d.text().substr(folder.path.string().size() + 1) + '\n';
    return out;
  }

  TemporaryFolder folder;
  std::filesystem::path file = folder.path / "d.csv";
  Diagnostics diagnostics;
};

TEST_F(Csv, ReadsCommasSemicolonsAndBlanks) {
  for (const char* text : {"# data\nstretch, stress\n1, 2e3\n\n1.5,-3 # note\n",
                           "stretch;stress\r\n1;2e3\r\n+1.5; -3\r\n",
                           "stretch stress\n 1 \t2e3\n1.5 -3",
                           "\xEF\xBB\xBF\"stretch\",\"stress\"\n1,2000\n1.5,-3\n"}) {
    const std::optional<CsvTable> table = read(text);
    ASSERT_TRUE(table) << said();
    EXPECT_EQ(table->columns, (std::vector<std::string>{"stretch", "stress"}));
    EXPECT_EQ(table->data[0], (std::vector<double>{1, 1.5}));
    EXPECT_EQ(table->data[1], (std::vector<double>{2000, -3}));
  }
}

TEST_F(Csv, WithoutHeaderColumnsAreNumbered) {
  const std::optional<CsvTable> table = read("1 2\n3 4\n");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->columns, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(table->row_count(), 2u);
  EXPECT_EQ(table->positions[1][1].line, 2);
  EXPECT_EQ(table->positions[1][1].column, 3);
}

TEST_F(Csv, EveryMistakeHasItsPlace) {
  EXPECT_FALSE(read("x, y\n1, nan\n2, \n3\n4, five\n5, inf\n6, 1e999\n"));
  EXPECT_EQ(said(),
            "d.csv:2:4: error: a number must be finite in column 'y', got 'nan'\n"
            "    leave out rows without a value\n"
            "d.csv:3:3: error: empty cell in column 'y'\n"
            "    leave out rows without a value\n"
            "d.csv:4:1: error: this row has 1 columns, expected 2\n"
            "d.csv:5:4: error: expected a number in column 'y', got 'five'\n"
            "d.csv:6:4: error: a number must be finite in column 'y', got 'inf'\n"
            "d.csv:7:4: error: a number must be finite in column 'y', got '1e999'\n");
  EXPECT_FALSE(read("1;2,5\n"));
  EXPECT_EQ(said(), "d.csv:1:3: error: expected a number in column '2', got '2,5'\n"
                    "    write decimals with a point\n");
  EXPECT_FALSE(read("1, x\n"));
  EXPECT_EQ(said(), "d.csv:1:4: error: expected a number in column '2', got 'x'\n");
  EXPECT_FALSE(read("x, x\n1, 2\n"));
  EXPECT_EQ(said(), "d.csv:1:4: error: two columns are named 'x'\n");
}

// A number that is too large is a mistake, not a missing value.
TEST_F(Csv, ValuesMayBeMissingWhereThatIsAllowed) {
  std::ofstream(file, std::ios::binary) << "x,y\n1,nan\n,2\n3,NaN\n";
  const auto table = read_csv(file, diagnostics, true);
  ASSERT_TRUE(table) << said();
  EXPECT_TRUE(std::isnan(table->data[1][0]) && std::isnan(table->data[0][1]) && std::isnan(table->data[1][2]));
  EXPECT_EQ(table->data[1][1], 2);
  std::ofstream(file, std::ios::binary) << "x,y\n1,1e999\n2,inf\n3,bad\n";
  EXPECT_FALSE(read_csv(file, diagnostics, true));
  EXPECT_EQ(diagnostics.size(), 3u);
}

TEST_F(Csv, NoData) {
  for (const char* text : {"", "# nothing\n\n", "x, y\n"}) {
    EXPECT_FALSE(read(text));
    EXPECT_EQ(said(), "d.csv: error: no data: the file has no row of numbers\n");
  }
  EXPECT_FALSE(read_csv(folder.path / "no.csv", diagnostics));
  EXPECT_EQ(diagnostics.sorted()[1].message, "no such file");
  EXPECT_FALSE(read("a\xFF, b\n1, 2\n"));
  EXPECT_EQ(said(), "d.csv:1:2: error: not UTF-8 text\n    save the file as UTF-8\n");
}

TEST_F(Csv, ManyMistakesAreCutShort) {
  std::string text = "1 2\n";
  for (int i = 0; i < 100; ++i) text += "x 1\n";
  EXPECT_FALSE(read(text));
  EXPECT_EQ(diagnostics.size(), 21u);
  EXPECT_NE(said().find("d.csv: error: 80 more mistakes in this file"), std::string::npos);
}

TEST_F(Csv, ColumnsByName) {
  const CsvTable table = read("stretch, stress\n1, 2\n").value();
  const SourcePosition place = SourcePosition::whole("spec.yaml");
  EXPECT_EQ(table.find("stress", place, "objective[0].y", diagnostics), 1u);
  EXPECT_FALSE(table.find("strss", place, "objective[0].y", diagnostics));
  EXPECT_EQ(diagnostics.sorted()[0].text(),
            "spec.yaml: error: no column 'strss' in " + file.string() +
                "; did you mean 'stress'?\n    in objective[0].y; allowed: stretch, stress");
}

TEST_F(Csv, WhatIsWrittenReadsBackExactly) {
  const std::vector<double> x = {0.1, 1.0 / 3, 1e-310, -2.5e300}, y = {1, 2, 3, 4};
  const CsvTable table = read(csv_text({"x, \"m\" #1", "y"}, {x, y})).value_or(CsvTable());
  ASSERT_TRUE(diagnostics.empty()) << said();
  EXPECT_EQ(table.columns[0], "x, \"m\" #1");
  EXPECT_EQ(table.data, (std::vector<std::vector<double>>{x, y}));
}

TEST_F(Csv, RowsAreWholeAsSoonAsTheyAreWritten) {
  CsvWriter writer(file, {"iteration", "objective"});
  writer.row({0, 0.1});
  writer.row({1, std::nan("")});
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_EQ(text.str(), "iteration,objective\n0,0.1\n1,nan\n");
}

TEST_F(Csv, GoesOnBehindTheRowsThatCount) {
  const std::vector<std::string> columns = {"iteration", "objective"};
  const auto text = [&] {
    std::stringstream out;
    out << std::ifstream(file).rdbuf();
    return out.str();
  };
  CsvWriter writer(file, columns);
  writer.row({0, 0.1});
  const long long size = writer.size();
  EXPECT_EQ(size, static_cast<long long>(text().size()));
  writer.row({1, 0.2});
  {
    CsvWriter again(file, columns, size);
    again.row({1, 0.3});
    EXPECT_EQ(text(), "iteration,objective\n0,0.1\n1,0.3\n");
    EXPECT_EQ(again.size(), static_cast<long long>(text().size()));
  }
  const std::string before = text();
  EXPECT_THROW(CsvWriter(file, columns, 1000), IoError) << "rows are missing";
  EXPECT_THROW(CsvWriter(file, {"iteration", "subjective"}, size), IoError);
  EXPECT_THROW(CsvWriter(folder.path / "none.csv", columns, size), IoError);
  EXPECT_EQ(text(), before);
}

TEST_F(Csv, RandomBytesAreReadOrRefused) {
  std::mt19937 random(3);
  const std::string letters = "0123456789.,;-+e \t\n\r\"#nax\xC3\xA4";
  int right = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = i % 2 ? "x,y\n1,2\n3,4\n" : "";
    for (unsigned n = random() % 12; n > 0; --n)
      text.insert(random() % (text.size() + 1), 1, letters[random() % letters.size()]);
    diagnostics = Diagnostics();
    const std::optional<CsvTable> table = parse_csv(text, "d.csv", diagnostics);
    ASSERT_EQ(table.has_value(), diagnostics.empty()) << text;
    if (!table) continue;
    ++right;
    for (const std::vector<double>& column : table->data) {
      ASSERT_EQ(column.size(), table->row_count());
      for (double value : column) ASSERT_TRUE(std::isfinite(value)) << text;
    }
  }
  EXPECT_GT(right, 100);
}

TEST_F(Csv, AFullDiskIsAnIoError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_THROW(CsvWriter("/dev/full", {"x"}), IoError);
  EXPECT_THROW(CsvWriter(folder.path / "none" / "x.csv", {"x"}), IoError);
}

}  // namespace
}  // namespace invar
