#include "apps/invar/spec/command_line.hpp"

#include <gtest/gtest.h>

#include "apps/invar/spec/command_table.hpp"
#include "apps/invar/spec/usage_error.hpp"

namespace invar {
namespace {

CommandLine parse(std::vector<std::string> words) { return CommandLine::parse(words); }

std::string complaint(std::vector<std::string> words) {
  try {
    CommandLine::parse(words);
  } catch (const UsageError& e) {
    const std::string all = e.what();
    return all.substr(0, all.find('\n'));
  }
  return "";
}

TEST(CommandLine, TakesAllParts) {
  const CommandLine line =
      parse({"run", "a.yaml", "--set", "a.b=1", "--set=c=x=y", "--out", "there", "--expect", "-v",
             "-v", "--", "-ksp_monitor", "--set"});
  EXPECT_EQ(line.verb, Verb::run);
  EXPECT_EQ(line.spec, "a.yaml");
  EXPECT_EQ(line.sets, (std::vector<std::string>{"a.b=1", "c=x=y"}));
  EXPECT_EQ(line.out, "there");
  EXPECT_TRUE(line.expect);
  EXPECT_EQ(line.verbosity, 2);
  EXPECT_EQ(line.petsc_options, (std::vector<std::string>{"-ksp_monitor", "--set"}));
}

TEST(CommandLine, Shortest) {
  EXPECT_EQ(parse({"validate", "a.yaml"}).verb, Verb::validate);
  EXPECT_EQ(parse({"check", "a.yaml", "-q"}).verbosity, -1);
  EXPECT_EQ(parse({"resume", "results/a", "--expect"}).verb, Verb::resume);
  EXPECT_EQ(parse({"verify", "results/a", "--set", "verify.refine=order"}).verb, Verb::verify);
  EXPECT_EQ(parse({"check", "-vv", "a.yaml"}).verbosity, 2);
  EXPECT_TRUE(parse({"schema", "--markdown"}).markdown);
  EXPECT_EQ(parse({"schema", "--markdown", "solid"}).word, "solid");
  EXPECT_EQ(parse({"schema"}).word, "");
  EXPECT_TRUE(parse({"schema", "--man"}).man);
  EXPECT_EQ(parse({"init", "tensile"}).word, "tensile");
  EXPECT_TRUE(parse({"init", "--list"}).list);
  EXPECT_EQ(parse({"completion", "zsh"}).word, "zsh");
  EXPECT_EQ(parse({"run", "s", "--task", "12", "--rerun", "failed"}).tasks, std::vector<int>{12});
  EXPECT_EQ(parse({"run", "s", "--task", "3,1,12"}).tasks, (std::vector<int>{3, 1, 12}));
  EXPECT_TRUE(parse({"run", "a.yaml", "--resume"}).resume);
  EXPECT_EQ(parse({"slurm", "a.yaml", "--ranks", "4", "--time", "2-12:00:00"}).time, "2-12:00:00");
  EXPECT_EQ(parse({"--version", "-v"}).verbosity, 1);
  EXPECT_TRUE(parse({"--help"}).help);
  EXPECT_TRUE(parse({"run", "--help"}).help);
  EXPECT_TRUE(parse({"--version"}).version);
  EXPECT_FALSE(parse({"run", "a.yaml"}).out.has_value());
}

TEST(CommandLine, Complaints) {
  EXPECT_TRUE(complaint({}).starts_with("no verb given; to begin with: invar init"));
  EXPECT_EQ(complaint({"rnu", "a.yaml"}), "unknown verb 'rnu'; did you mean 'run'?");
  EXPECT_EQ(complaint({"resume"}), "'resume' needs a run folder: invar resume RUNDIR");
  EXPECT_EQ(complaint({"resume", "a", "b"}), "one run folder at a time, got 'a' and 'b'");
  EXPECT_EQ(complaint({"resume", "a", "--out", "b"}), "option '--out' does not apply to 'resume'");
  EXPECT_EQ(complaint({"a.yaml"}), "no verb before 'a.yaml'; did you mean 'invar run a.yaml'?");
  EXPECT_EQ(complaint({"run"}), "'run' needs a spec file: invar run SPEC");
  EXPECT_EQ(complaint({"run", "a", "b"}), "one spec at a time, got 'a' and 'b'");
  EXPECT_EQ(complaint({"run", "a", "--expct"}),
            "unknown option '--expct'; did you mean '--expect'?");
  EXPECT_EQ(complaint({"validate", "a", "--expect"}),
            "option '--expect' does not apply to 'validate'");
  EXPECT_EQ(complaint({"run", "a", "--out"}), "option '--out' needs a value: --out DIR");
  EXPECT_EQ(complaint({"run", "a", "--out", "--expect"}),
            "option '--out' needs a value: --out DIR");
  EXPECT_EQ(complaint({"run", "a", "--out", "x", "--out", "y"}), "option '--out' is given twice");
  EXPECT_EQ(complaint({"run", "a", "--set", "x"}),
            "'--set x' is not of the form --set PATH=VALUE");
  EXPECT_EQ(complaint({"run", "a", "--expect=yes"}), "option '--expect' takes no value");
  EXPECT_EQ(complaint({"run", "a", "-ksp_monitor"}), "unknown option '-ksp_monitor'");
  EXPECT_EQ(complaint({"run", "a", "-q", "-v"}), "-q and -v exclude each other");
  EXPECT_EQ(complaint({"schema", "solid", "flow"}), "one physics at a time, got 'solid' and 'flow'");
  EXPECT_EQ(complaint({"completion"}), "'completion' needs a shell: invar completion SHELL");
  EXPECT_EQ(complaint({"slurm"}), "'slurm' needs a spec file or a folder: invar slurm SPEC|DIR");
  EXPECT_EQ(complaint({"slurm", "a", "--time", "soon"}), "'--time soon' is no time: minutes, minutes:seconds, hours:minutes:seconds or days-hours:minutes:seconds");
  for (const auto& [text, seconds] : std::vector<std::pair<std::string, double>>{{"30", 1800}, {"0:45", 45}, {"1:02:03", 3723}, {"2-12", 216000}, {"2-12:30", 217800}, {"2-12:00:05", 216005}})
    EXPECT_EQ(time_limit(text), seconds) << text;
  for (const char* text : {"", "0", "1:2:3:4", "1-2:3:4:5", "-1", "1:", "a", "1 h", "1-2-3"}) EXPECT_FALSE(time_limit(text)) << text;
  EXPECT_EQ(complaint({"slurm", "a", "--ranks", "0"}), "'--ranks 0' is no number between 1 and 1048576");
  EXPECT_EQ(complaint({"run", "a", "--rerun", "failed"}), "'--rerun' of 'run' needs --task or --resume: without them a run always starts from the beginning");
  EXPECT_EQ(complaint({"run", "a", "--task", "2,0"}), "'--task 0' is no number between 1 and 100000");
  EXPECT_EQ(complaint({"run", "a", "--task", "2,3,2"}), "'--task 2,3,2' names run 2 twice");
  EXPECT_EQ(complaint({"run", "a", "--task", "2", "--out", "b"}), "'--task' takes no --out and no --set: the sweep defines its runs");
  EXPECT_EQ(complaint({"--version", "now"}), "'--version' takes no 'now', only -v");
}

TEST(CommandLine, RowsSayWhatFollows) {
  const VerbRow run{Verb::run, "run", "run SPEC", ""}, schema{Verb::schema, "schema", "schema [PHYSICS]", ""},
      alone{Verb::none, "alone", "alone", ""};
  EXPECT_EQ(run.operand(), "SPEC");
  EXPECT_TRUE(run.operand_required());
  EXPECT_EQ(schema.operand(), "PHYSICS");
  EXPECT_FALSE(schema.operand_required());
  EXPECT_EQ(alone.operand(), "");
  EXPECT_FALSE(alone.operand_required());
  for (const VerbRow& v : verb_rows())
    if (const std::string operand = v.operand(); !operand.empty()) {
      EXPECT_EQ(placeholder(operand).name, operand) << v.name << ": its placeholder has no row";
    }
  for (const OptionRow& o : option_rows())
    if (o.argument) {
      EXPECT_STREQ(placeholder(o.argument).name, o.argument) << o.name << ": its placeholder has no row";
    }
}

TEST(CommandLine, UsageNamesEveryVerbOptionAndExitCode) {
  const std::string usage = CommandLine::usage();
  for (const char* word : {"validate SPEC", "run SPEC", "resume RUNDIR", "check SPEC", "schema", "--set", "--out",
                           "--expect", "--markdown", "-v ", "-q", "--help", "--version", "  75  "})
    EXPECT_NE(usage.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace invar
