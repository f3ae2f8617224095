#include "apps/invar/batch/slurm_script.hpp"
#include "tests/unit/app/swing.hpp"

namespace invar::test {
namespace {

const std::string two_fail = R"(sweep:
  over:
    loads.pull.y: [0.001, 1e9, 0.0012, -1e9]
)";

bool has_line(const std::string& text, const std::string& line) { return ('\n' + text).find('\n' + line + '\n') != std::string::npos; }

/// What bash, and shellcheck where it is installed, say against a script; empty: nothing.
std::string faults_of(const fs::path& script) {
  const std::string out = script.string() + ".faults";
  std::string command = "bash -n '" + script.string() + "' > '" + out + "' 2>&1";
  if (std::system("command -v shellcheck > /dev/null") == 0) command += "; shellcheck '" + script.string() + "' >> '" + out + "' 2>&1";
  const int status = std::system(command.c_str());
  const std::string text = content(out);
  fs::remove(out);
  return text.empty() && status != 0 ? "they end with " + std::to_string(status) : text;
}

/// The script as Slurm starts it for one task, with commands of Slurm's in its place that note what they are asked.
int as_slurm_would(const Workplace& here, const std::string& script, const std::string& variables) {
  here.write("bin/none", "");
  const std::string command = "cd '" + here.folder().string() + "' && PATH=\"$PWD/bin:$PATH\" " + variables + " bash " + script + " > said 2>&1";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void put_commands(const Workplace& here, const std::string& requeue_exit) {
  fs::create_directories(here.folder() / "bin");
  here.write("bin/srun", "#!/bin/sh\nwhile [ \"${1#--}\" != \"$1\" ]; do shift; done\nexec \"$@\"\n");
  here.write("bin/scontrol", "#!/bin/sh\nif [ \"$1\" = show ]; then echo 'RequeueExit             = " + requeue_exit + "'; else echo \"$@\" >> asked; fi\n");
  for (const char* name : {"bin/srun", "bin/scontrol"}) fs::permissions(here.folder() / name, fs::perms::owner_all);
}

TEST(SlurmVerb, WritesAnArrayOfASweepAndRunsWhatFailedAlone) {
  const Workplace here;
  here.write("spec.yaml", swing_spec(20, 1, two_fail));
  const Ended wrote = here.invar({"slurm", "spec.yaml", "--out", "s", "--time", "2:00:00", "--jobs", "3", "--set", "solver.max_cuts=0", "--", "-invar_ksp_max_it", "200"});
  ASSERT_EQ(wrote.code, 0) << wrote.said();
  EXPECT_NE(wrote.out.find("sbatch s/slurm.sh"), std::string::npos) << wrote.out;
  const std::string text = content(here.folder() / "s/slurm.sh");
  const std::string folder = here.folder().string();
  for (const std::string& line : {std::string("#SBATCH --array=1-4%3"), std::string("#SBATCH --signal=USR1@120"), std::string("#SBATCH --requeue"),
                                  std::string("#SBATCH --open-mode=append"), std::string("#SBATCH --time=2:00:00"), "#SBATCH --chdir=" + folder,
                                  "#SBATCH --output=" + folder + "/s/slurm/%A_%a.txt"})
    EXPECT_TRUE(has_line(text, line)) << line << " is not in\n" << text;
  EXPECT_EQ(faults_of(here.folder() / "s/slurm.sh"), "");
  EXPECT_TRUE(fs::exists(here.folder() / "s/slurm")) << "sbatch makes no folder for its output";
  EXPECT_FALSE(fs::exists(here.folder() / "s/runs")) << "nothing has run";

  put_commands(here, "75");
  int codes[5] = {};
  for (int task = 1; task <= 4; ++task) codes[task] = as_slurm_would(here, "s/slurm.sh", "SLURM_JOB_ID=7 SLURM_ARRAY_TASK_ID=" + std::to_string(task));
  EXPECT_EQ(codes[1], 5) << content(here.folder() / "said");
  EXPECT_EQ(codes[2], 4) << content(here.folder() / "said");
  EXPECT_EQ(codes[4], 4);
  EXPECT_EQ(as_slurm_would(here, "s/slurm.sh", "SLURM_JOB_ID=7 SLURM_ARRAY_TASK_ID=9"), 2) << content(here.folder() / "said");
  const std::string status = here.invar({"status", "s"}).out;
  EXPECT_NE(status.find("4 failed of 4 runs"), std::string::npos) << status;
  EXPECT_NE(here.invar({"slurm", "s"}).out.find("no run of 's' is left"), std::string::npos);
  ASSERT_EQ(here.invar({"slurm", "s", "--rerun", "failed"}).code, 0);
  EXPECT_TRUE(has_line(content(here.folder() / "s/slurm.sh"), "#SBATCH --array=1-4"));
  const auto before = fs::last_write_time(here.folder() / "s/runs/0002/run.json");
  EXPECT_EQ(as_slurm_would(here, "s/slurm.sh", "SLURM_JOB_ID=8 SLURM_ARRAY_TASK_ID=2"), 4);
  EXPECT_NE(fs::last_write_time(here.folder() / "s/runs/0002/run.json"), before) << "it ran again";
  EXPECT_FALSE(fs::exists(here.folder() / "asked")) << "nothing is put back: " << content(here.folder() / "asked");
}

// A run that ended with 75 is requeued by the script if Slurm does not do it, but not after the job was cancelled.
TEST(SlurmVerb, PutsBackWhereSlurmDoesNot) {
  const Workplace here;
  here.write("a spec.yaml", swing_spec(50, 1000));
  ASSERT_EQ(here.invar({"slurm", "a spec.yaml", "--out", "r 1%"}).code, 0);
  const std::string script = "'r 1%.slurm.sh'";
  EXPECT_EQ(faults_of(here.folder() / "r 1%.slurm.sh"), "");
  EXPECT_NE(content(here.folder() / "r 1%.slurm.sh").find("/r 1%%.slurm.txt\"\n"), std::string::npos);
  for (const auto& [requeue_exit, asked] : {std::pair{"75", false}, {"(null)", true}, {"1,75", false}, {"175", true}}) {
    SCOPED_TRACE(requeue_exit);
    put_commands(here, requeue_exit);
    fs::remove(here.folder() / "asked");
    const int rows = rows_in(here.folder() / "r 1%");
    std::thread signal([&] {  // USR1 to the run alone
      for (int i = 0; i < 12000 && rows_in(here.folder() / "r 1%") <= rows; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      for (const auto& entry : fs::directory_iterator(here.folder() / "r 1%"))
        if (entry.path().filename().string().starts_with("lock.")) ::kill(static_cast<pid_t>(json_of(entry.path())["pid"]), SIGUSR1);
    });
    EXPECT_EQ(as_slurm_would(here, script, "SLURM_JOB_ID=7"), 75) << content(here.folder() / "said");
    signal.join();
    EXPECT_EQ(content(here.folder() / "asked"), asked ? "requeue 7\n" : "");
  }
  EXPECT_NE(here.invar({"status", "r 1%"}).out.find("waiting, preempted 4 times"), std::string::npos) << here.invar({"status", "r 1%"}).out;
  EXPECT_EQ(here.invar({"slurm", "r 1%"}).code, 0);
  EXPECT_NE(content(here.folder() / "r 1%.slurm.sh").find(" resume "), std::string::npos);
}

// A run that has failed, a sweep that has not begun: two specs, one array, one table.
TEST(SlurmVerb, AFolderOfSeveralSpecs) {
  const Workplace here;
  here.write("swing.yaml", swing_spec(20, 1, two_fail));
  here.write("beam.yaml", R"(title: a bar
mesh: {rectangle: {to: [4, 1], cells: [2, 1]}}
physics: {type: solid, kind: plane_strain}
materials: {rubber: {model: linear_elastic, young: 1, poisson: 0.3}}
boundary: {left: {u_x: 0, u_y: 0}}
loads: {pull: {type: traction, region: right, x: 0.001}}
output: {fields: none, quantities: {tip: {type: point, point: [4, 0.5], component: u_x}}}
)");
  ASSERT_EQ(here.invar({"run", "beam.yaml", "--out", "all/beam"}).code, 0);
  ASSERT_EQ(here.invar({"slurm", "swing.yaml", "--out", "all/it's", "--set", "solver.max_cuts=0"}).code, 0);
  ASSERT_EQ(here.invar({"slurm", "all"}).code, 0);
  const std::string script = content(here.folder() / "all/slurm.sh");
  EXPECT_TRUE(has_line(script, "#SBATCH --array=1-4")) << script;
  EXPECT_EQ(faults_of(here.folder() / "all/slurm.sh"), "");
  put_commands(here, "75");
  EXPECT_EQ(as_slurm_would(here, "all/slurm.sh", "SLURM_JOB_ID=7 SLURM_ARRAY_TASK_ID=2"), 4) << content(here.folder() / "said");
  ASSERT_EQ(here.invar({"slurm", "all", "--rerun", "failed"}).code, 0);
  EXPECT_NE(content(here.folder() / "all/slurm.sh").find("  1) arguments=(run '" + here.folder().string() + "/all/it'\\''s' -q --rerun failed --task 2) ;;\n"), std::string::npos);
  const Ended collected = here.invar({"collect", "all"});
  EXPECT_EQ(collected.code, 0) << collected.said();
  const std::string csv = content(here.folder() / "all/runs.csv");
  EXPECT_TRUE(csv.starts_with("name,spec,loads.pull.y,quantities.tip,state,exit_code,seconds,reason\nbeam,beam.yaml,,0.")) << csv;
  EXPECT_NE(csv.find("\nit's/0002,swing.yaml,1000000000.0,,failed,4,"), std::string::npos) << csv;
  EXPECT_EQ(here.invar({"report", "all"}).code, 0);
  EXPECT_NE(content(here.folder() / "all/report.html").find("beam.yaml"), std::string::npos);
}

TEST(SlurmVerb, Mistakes) {
  const Workplace here;
  here.write("spec.yaml", swing_spec(20, 1));
  EXPECT_EQ(here.invar({"slurm", "none.yaml"}).code, 3);
  EXPECT_EQ(here.invar({"slurm", "."}).code, 74);
  EXPECT_EQ(here.invar({"slurm", "spec.yaml", "--rerun", "all"}).code, 2);
  EXPECT_EQ(here.invar({"slurm", "spec.yaml", "--time", "soon"}).code, 2);
  EXPECT_EQ(here.invar({"slurm", "spec.yaml", "--over", "loads.pul.y=1,2"}).code, 3);
  EXPECT_EQ(here.invar({"run", ".", "--task", "1"}).code, 74);
  EXPECT_EQ(ranges_text({1, 2, 3, 4, 7, 9, 10}), "1-4,7,9-10");
  EXPECT_EQ(ranges_text({}), "");
}

}  // namespace
}  // namespace invar::test
