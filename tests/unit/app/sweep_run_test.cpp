#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "apps/invar/batch/sweep.hpp"
#include "apps/invar/report/io_error.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

const std::string swept_beam = R"(title: A beam under its weight
mesh:
  rectangle: {to: [0.1, 0.02], cells: [4, 2]}
physics: {type: solid, kind: plane_strain}
materials:
  silicone: {model: neo_hookean, young: 5e5, poisson: 0.45}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: -100}
output:
  fields: none
  quantities:
    tip: {type: point, point: [0.1, 0.01], component: u_y}
)";
/// 12 runs; the two of the huge load cannot be solved.
const std::string grid = R"(solver: {max_cuts: 0}
sweep:
  over:
    loads.tip.y: [-100, -120, -140, -160, -180, -1e9]
    mesh.rectangle.cells: [[4, 2], [5, 2]]
  report: [quantities.tip]
)";

nlohmann::json status_of(const Workplace& here, const std::string& folder) {
  return nlohmann::json::parse(here.invar({"status", folder, "--json"}).out);
}

std::size_t lines_with(const std::string& text, const std::string& word) {
  std::istringstream in(text);
  std::size_t n = 0;
  for (std::string line; std::getline(in, line);) n += line.find(word) != std::string::npos;
  return n;
}

TEST(Sweep, OfTwelveRunsTwoFailAndAreRunAgainAlone) {
  const Workplace here;
  here.write("spec.yaml", swept_beam + grid);
  const Ended first = here.invar({"sweep", "spec.yaml", "--out", "s", "--jobs", "2"});
  EXPECT_EQ(first.code, 5) << first.said();
  EXPECT_NE(first.out.find("10 done, 2 failed of 12 runs"), std::string::npos) << first.out;
  const nlohmann::json status = status_of(here, "s");
  EXPECT_EQ(status["counts"]["done"], 10);
  EXPECT_EQ(status["counts"]["failed"], 2);
  EXPECT_EQ(status["points"][10]["exit_code"], 4);
  EXPECT_NE(status["points"][10]["reason"].get<std::string>().find("not solved"), std::string::npos);
  const nlohmann::json around = status_of(here, ".");
  EXPECT_EQ(around["counts"], status["counts"]);
  EXPECT_EQ(around["points"][10]["name"], "s/0011");
  EXPECT_EQ(status_of(here, "s/runs")["counts"], status["counts"]) << "a folder of runs";
  EXPECT_EQ(here.invar({"status", "s/runs/0001/fields"}).code, 74);
  const auto written = fs::last_write_time(here.folder() / "s/runs/0001/run.json");
  const Ended again = here.invar({"sweep", "spec.yaml", "--out", "s", "--rerun", "failed"});
  EXPECT_EQ(again.code, 5);
  EXPECT_NE(again.out.find("each of the 2 runs that it started"), std::string::npos) << again.out;
  const Ended third = here.invar({"sweep", "spec.yaml", "--out", "s"});
  EXPECT_EQ(third.out.find("that it started"), std::string::npos) << "nothing is left to run: " << third.out;
  EXPECT_EQ(fs::last_write_time(here.folder() / "s/runs/0001/run.json"), written);
  EXPECT_EQ(here.invar({"collect", "s"}).code, 0);
  const std::string csv = content(here.folder() / "s/sweep.csv");
  EXPECT_TRUE(csv.starts_with("index,name,loads.tip.y,mesh.rectangle.cells,quantities.tip,state,exit_code,seconds,reason\n")) << csv;
  EXPECT_EQ(lines_with(csv, ",done,0,"), 10u);
  EXPECT_EQ(lines_with(csv, ",failed,4,"), 2u);
  EXPECT_EQ(lines_with(csv, "\"[5,2]\""), 6u);
}

TEST(Sweep, GoesOnAfterItsDriverWasKilled) {
  const Workplace here;
  here.write("spec.yaml", swept_beam);
  const std::vector<std::string> command = {"sweep", "spec.yaml", "--out", "s", "--jobs", "2", "--over", "loads.tip.y={from: -200, to: -100, n: 6}"};
  for (const char* until : {"s/complaints.txt", "s/runs/0003/run.json"}) {  // while it checks the first run, and later
    const pid_t driver = here.start(command);
    for (int i = 0; i < 2000 && !fs::exists(here.folder() / until); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::kill(driver, SIGKILL);
    EXPECT_EQ(here.end_of(driver).code, -SIGKILL);
    EXPECT_EQ(status_of(here, "s")["points"].size(), 6u);
  }
  const Ended again = here.invar(command);
  EXPECT_EQ(again.code, 0) << again.said();
  EXPECT_NE(again.out.find("6 done of 6 runs"), std::string::npos) << again.out;
  const nlohmann::json status = status_of(here, "s");
  EXPECT_EQ(status["counts"]["done"], 6);
  // Nobody said what to gather, and there is no objective: it is what the runs say.
  const Ended collected = here.invar({"collect", "s"});
  EXPECT_EQ(collected.out.find("warning"), std::string::npos) << collected.out;
  EXPECT_TRUE(content(here.folder() / "s/sweep.csv").starts_with("index,name,loads.tip.y,quantities.tip,state,"));
}

TEST(Sweep, ASignalStopsTheRunsAndTheSameCommandGoesOn) {
  const Workplace here;
  here.write("spec.yaml", swept_beam);
  const std::vector<std::string> command = {"sweep", "spec.yaml", "--out", "s", "--jobs", "1", "--over", "loads.tip.y={from: -200, to: -100, n: 6}"};
  const pid_t driver = here.start(command);
  for (int i = 0; i < 1000 && !fs::exists(here.folder() / "s/runs/0002/run.json"); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(driver, SIGUSR1);
  const Ended stopped = here.end_of(driver);
  EXPECT_EQ(stopped.code, 75) << stopped.said();
  EXPECT_GT(status_of(here, "s")["counts"]["never started"].get<int>(), 1);
  EXPECT_EQ(here.invar(command).code, 0);
}

TEST(Sweep, MistakesNameTheirPlaceBeforeAnythingRuns) {
  const Workplace here;
  here.write("spec.yaml", swept_beam + "sweep:\n  over:\n    materials.silicone.yong: [1]\n    materials.silicone.poisson: [0.3, 0.7]\n");
  const Ended bad = here.invar({"sweep", "spec.yaml", "--out", "s"});
  EXPECT_EQ(bad.code, 3);
  EXPECT_NE(bad.err.find("spec.yaml:17:31: error: unknown key 'yong'; did you mean 'young'?"), std::string::npos) << bad.err;
  EXPECT_NE(bad.err.find("spec.yaml:18:39: error: value 0.7 is out of range"), std::string::npos) << bad.err;
  EXPECT_FALSE(fs::exists(here.folder() / "s"));
  EXPECT_EQ(here.invar({"validate", "spec.yaml"}).err, bad.err);
  here.write("plain.yaml", swept_beam);
  EXPECT_EQ(here.invar({"sweep", "plain.yaml"}).code, 3);
  const Ended over = here.invar({"sweep", "plain.yaml", "--over", "loads.tp.y=1"});
  EXPECT_NE(over.err.find("--over loads.tp.y: error: 'loads' has no 'tp'"), std::string::npos) << over.err;
}

TEST(Sweep, FilesOfAllRunsMustBeThereBeforeTheFirst) {
  const Workplace here;
  here.write("there.csv", "t,value\n1,0\n");
  std::string spec = swept_beam + "objective:\n  - {type: point, point: [0.1, 0.01], component: u_y, file: there.csv}\n";
  here.write("spec.yaml", spec + "sweep:\n  over:\n    objective.0.file: [there.csv, absent.csv]\n");
  for (const char* verb : {"validate", "sweep", "slurm"}) {
    const Ended end = here.invar({verb, "spec.yaml"});
    EXPECT_EQ(end.code, 3) << verb << end.said();
    EXPECT_NE(end.err.find("spec.yaml:19:35: error: there is no '"), std::string::npos) << verb << end.said();
  }
  EXPECT_FALSE(fs::exists(here.folder() / "results"));
  here.write("spec.yaml", spec + "sweep:\n  over:\n    objective.0.file: [there.csv]\n    loads.tip.y: [-1, -2, -3]\n");
  const Ended good = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(good.code, 0) << good.said();
  EXPECT_NE(good.out.find("1 data, a sweep of 3 runs\n"), std::string::npos) << good.out;
}

/// Indices are made of whole blocks of points: a file that lacks one must not be read beyond its end.
TEST(Sweep, AFileThatLacksAPointIsDamaged) {
  const Workplace here;
  Sweep sweep;
  sweep.design = "sobol_indices";
  sweep.inputs = {"a", "b"};
  for (int k = 1; k <= 8; ++k) sweep.points.push_back({k, std::to_string(k)});
  sweep.write(here.folder());
  EXPECT_EQ(Sweep::read(here.folder()).points.size(), 8u);
  sweep.points.pop_back();
  sweep.write(here.folder());
  EXPECT_THROW(Sweep::read(here.folder()), IoError);
  const Ended end = here.invar({"collect", "."});
  EXPECT_EQ(end.code, 74) << end.said();
  EXPECT_NE(end.err.find("sweep.json' is damaged: points are missing"), std::string::npos) << end.err;
}

TEST(Sweep, DrawnNumbersDependOnSeedAndIndexOnly) {
  const Workplace here;
  here.write("spec.yaml", swept_beam + R"(sweep:
  design: random
  samples: 2
  uncertain:
    materials.silicone.poisson: {normal: [0.45, 0.01], upper: 0.495}
  report: [quantities.tip]
)");
  EXPECT_EQ(here.invar({"sweep", "spec.yaml", "--out", "s"}).code, 0);
  const nlohmann::json few = json_of(here.folder() / "s/sweep.json")["points"];
  EXPECT_EQ(here.invar({"sweep", "spec.yaml", "--out", "s", "--set", "sweep.samples=3"}).code, 2) << "--set is part of every run";
  here.write("more.yaml", content(here.folder() / "spec.yaml").replace(content(here.folder() / "spec.yaml").find("samples: 2"), 10, "samples: 3"));
  const Ended more = here.invar({"sweep", "more.yaml", "--out", "s"});
  EXPECT_EQ(more.code, 0) << more.said();
  EXPECT_NE(more.out.find("each of the 1 runs"), std::string::npos) << more.out;
  const nlohmann::json points = json_of(here.folder() / "s/sweep.json")["points"];
  EXPECT_EQ(points[0], few[0]);
  EXPECT_EQ(points[1], few[1]);
  EXPECT_EQ(points.size(), 3u);
}

}  // namespace
}  // namespace invar::test
