#include "apps/invar/report/run_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/report/busy_error.hpp"
#include "apps/invar/report/io_error.hpp"
#include "apps/invar/report/run_lock.hpp"
#include "apps/invar/report/run_record.hpp"
#include "tests/unit/spec/demo_table.hpp"

namespace invar {
namespace {

using spec::content;

namespace fs = std::filesystem;

class RunFolders : public testing::Test {
 protected:
  /// A run that ended, with one file of its own.
  void old_run() {
    RunFolder run(out);
    run.write_json("run.json", RunRecord().json());
    run.write("fields/old.vtu", "old");
  }
  /// All that lies beside and in the run folder, but for its lock.
  std::vector<std::string> everything() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(temporary.path))
      if (!RunLock::is_part(entry.path())) names.push_back(entry.path().lexically_relative(temporary.path).string());
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string complaint(const std::vector<fs::path>& inputs = {}) const {
    try {
      RunFolder run(out, inputs);
    } catch (const IoError& e) {
      return e.what();
    }
    return "";
  }

  spec::TemporaryFolder temporary;
  fs::path out = temporary.path / "results" / "demo";
};

TEST_F(RunFolders, ANewOneIsMadeWithItsParents) {
  RunFolder run(out);
  run.write("input.yaml", "title: x\n");
  EXPECT_EQ(content(out / "input.yaml"), "title: x\n");
  EXPECT_EQ(everything(),
            (std::vector<std::string>{"results", "results/demo", "results/demo/input.yaml"}));
  EXPECT_EQ(RunFolder::default_for("configs/a.b.yaml"), "results/a.b");
}

TEST_F(RunFolders, AnEarlierRunGoesOnceTheNewOneHasBegun) {
  old_run();
  {
    RunFolder run(out);
    EXPECT_FALSE(fs::exists(out / "fields"));
    EXPECT_EQ(everything().front(), "results");
    run.write_json("run.json", RunRecord().json());
  }
  EXPECT_EQ(everything(),
            (std::vector<std::string>{"results", "results/demo", "results/demo/run.json"}));
}

TEST_F(RunFolders, AnEarlierRunComesBackWhenTheNewOneDoesNotBegin) {
  old_run();
  const std::vector<std::string> before = everything();
  {
    RunFolder run(out);
    run.write("input.yaml", "x");
  }
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(content(out / "fields/old.vtu"), "old");
}

TEST_F(RunFolders, ARunThatIsAtWorkIsNotTouched) {
  old_run();
  const RunFolder first(RunFolder::Existing{out});
  const std::vector<std::string> before = everything();
  EXPECT_THROW(RunFolder(out, {}), BusyError);
  EXPECT_THROW(RunFolder(RunFolder::Existing{out}), BusyError);
  EXPECT_EQ(everything(), before);
  EXPECT_NO_THROW(first.require_own());
}

// Killed while the earlier run is moved aside, or before the new one has begun.
TEST_F(RunFolders, AReplacementThatWasKilledIsContinued) {
  old_run();
  fs::create_directories(out / ".earlier");
  fs::rename(out / "fields", out / ".earlier/fields");
  { RunFolder run(out); }
  EXPECT_EQ(content(out / "fields/old.vtu"), "old");
  fs::create_directories(out / ".earlier");
  for (const char* name : {"fields", "run.json"}) fs::rename(out / name, out / ".earlier" / name);
  { RunFolder run(out); }
  EXPECT_EQ(content(out / "fields/old.vtu"), "old");
  fs::create_directories(out / ".earlier");
  fs::copy(out / "run.json", out / ".earlier/run.json");
  {
    RunFolder run(out);
    run.write_json("run.json", RunRecord().json());
  }
  EXPECT_EQ(everything(), (std::vector<std::string>{"results", "results/demo", "results/demo/run.json"}));
}

TEST_F(RunFolders, WhatIsNotARunIsLeftAlone) {
  fs::create_directories(out);
  EXPECT_EQ(complaint(), "") << "an empty folder is taken";
  std::ofstream(out / "thesis.tex") << "years of work";
  EXPECT_EQ(complaint(), '\'' + out.string() +
                             "' contains files that do not belong to a run; choose another --out");
  std::ofstream(out / "run.json") << R"({"program": "another"})";
  EXPECT_NE(complaint(), "") << "a run.json of another program";
  std::ofstream(out / "run.json") << "{";
  EXPECT_NE(complaint(), "");
  EXPECT_EQ(content(out / "thesis.tex"), "years of work");
}

TEST_F(RunFolders, AFileInTheWay) {
  fs::create_directories(out.parent_path());
  std::ofstream(out) << "x";
  EXPECT_EQ(complaint(), '\'' + out.string() + "' is a file; a run needs a separate folder");
  out = out / "below";
  EXPECT_NE(complaint().find("cannot make the run folder"), std::string::npos);
}

TEST_F(RunFolders, ARunNeverReplacesWhatItReads) {
  old_run();
  const std::vector<std::string> before = everything();
  EXPECT_NE(complaint({out / "resolved.yaml"}).find("which this run reads"), std::string::npos);
  EXPECT_EQ(complaint({temporary.path / "results" / "demo2" / "a.yaml"}), "");
  EXPECT_EQ(everything(), before);
}

TEST_F(RunFolders, ARunThatGoesOnKeepsItsFolder) {
  EXPECT_THROW(RunFolder(RunFolder::Existing{out}), IoError);
  RunRecord record;
  record.started = "2024-05-01T12:00:00Z";
  record.resumed = {"2024-05-02T12:00:00Z"};
  record.exit_code = ExitCode::interrupted;
  record.seconds = 0.1;
  record.ranks = 3;
  record.seed = 5;
  record.libraries["PETSc"] = "3";
  {
    RunFolder run(out);
    run.write_json("run.json", record.json());
    run.write("fields/old.vtu", "old");
  }
  EXPECT_EQ(record.json()["status"], "interrupted");
  const std::vector<std::string> before = everything();
  {
    RunFolder run(RunFolder::Existing{out});
    EXPECT_EQ(everything(), before);
    EXPECT_EQ(run.path(), out);
  }
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(RunFolder::record_in(out).json(), record.json());
  EXPECT_EQ(RunRecord::read(RunRecord().json()).json(), RunRecord().json());
  std::ofstream(out / "run.json") << R"({"program": "invar", "seconds": "many"})";
  EXPECT_THROW(RunFolder::record_in(out), IoError);
}

TEST_F(RunFolders, FilesAreReplacedWhole) {
  const fs::path file = temporary.path / "a.txt";
  write_atomically(file, "first");
  write_atomically(file, "second");
  EXPECT_EQ(content(file), "second");
  EXPECT_EQ(everything(), std::vector<std::string>{"a.txt"}) << "no temporary file stays";
}

TEST_F(RunFolders, AFailedWriteLeavesNothingBehind) {
  fs::create_directories(temporary.path / "taken" / "inside");
  EXPECT_THROW(write_atomically(temporary.path / "taken", "x"), IoError);
  EXPECT_EQ(everything(), (std::vector<std::string>{"taken", "taken/inside"}));
  EXPECT_THROW(write_atomically(temporary.path / "none" / "a", "x"), IoError);
}

TEST_F(RunFolders, TheRecordSaysHowItWent) {
  RunRecord record;
  EXPECT_EQ(record.json()["status"], "running");
  EXPECT_TRUE(record.json()["exit_code"].is_null());
  record.exit_code = ExitCode::not_converged;
  record.seconds = 0.1;
  EXPECT_EQ(record.json()["status"], "failed");
  EXPECT_EQ(record.json()["exit_code"], 5);
  RunFolder run(out);
  run.write_json("run.json", record.json());
  EXPECT_EQ(nlohmann::json::parse(content(out / "run.json"))["seconds"], 0.1);
  EXPECT_EQ(RunRecord::now().size(), 20u);
}

}  // namespace
}  // namespace invar
