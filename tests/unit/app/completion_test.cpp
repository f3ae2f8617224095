// invar completion and the man page, which come from the tables of the command line.
#include <gtest/gtest.h>

#include <cstdlib>

#include "apps/invar/spec/command_table.hpp"
#include "tests/unit/app/program.hpp"

namespace invar {
namespace {

using test::Ended, test::Workplace, test::content;

bool installed(const std::string& program) { return std::system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0; }

/// Runs a command of the shell in the folder; its exit code, and in `out` what it printed.
int shell(const Workplace& here, const std::string& command, std::string& out) {
  const std::string file = (here.folder() / "said").string();
  const int status = std::system(("cd '" + here.folder().string() + "' && { " + command + "; } > '" + file + "' 2>&1").c_str());
  out = content(file);
  return status;
}

/// What bash offers for the last of these words.
std::string offered(const Workplace& here, const std::vector<std::string>& words) {
  std::string script = "compopt() { :; }\n. ./invar.bash\nCOMP_WORDS=(";
  for (const std::string& w : words) script += "'" + w + "' ";
  script += ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) + "\n_invar\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
  here.write("ask.sh", script);
  std::string out;
  EXPECT_EQ(shell(here, "bash ask.sh", out), 0) << out;
  return '\n' + out;
}

TEST(Completion, BashOffersWhatFits) {
  const Workplace here;
  const Ended written = here.invar({"completion", "bash"});
  ASSERT_EQ(written.code, 0) << written.said();
  here.write("invar.bash", written.out);
  here.write("beam.yaml", "");
  here.write("beam.csv", "");
  std::filesystem::create_directories(here.folder() / "results");
  const auto offers = [&](const std::vector<std::string>& words, const std::string& word) {
    const std::string all = offered(here, words);
    return all.find('\n' + word + '\n') != std::string::npos;
  };
  for (const VerbRow& v : verb_rows()) EXPECT_TRUE(offers({"invar", ""}, v.name)) << v.name;
  EXPECT_TRUE(offers({"invar", "va"}, "validate"));
  EXPECT_FALSE(offers({"invar", "va"}, "run"));
  EXPECT_TRUE(offers({"invar", "run", "be"}, "beam.yaml"));
  EXPECT_FALSE(offers({"invar", "run", "be"}, "beam.csv"));
  EXPECT_TRUE(offers({"invar", "run", "beam.yaml", "--e"}, "--expect"));
  EXPECT_FALSE(offers({"invar", "validate", "beam.yaml", "--e"}, "--expect"));
  EXPECT_TRUE(offers({"invar", "resume", "res"}, "results"));
  EXPECT_FALSE(offers({"invar", "resume", "be"}, "beam.yaml"));
  EXPECT_TRUE(offers({"invar", "run", "beam.yaml", "--out", "res"}, "results"));
  EXPECT_TRUE(offers({"invar", "run", "beam.yaml", "--set", "optimizer.max_it"}, "optimizer.max_iterations="));
  EXPECT_TRUE(offers({"invar", "schema", "so"}, "solid"));
  EXPECT_TRUE(offers({"invar", "init", "ten"}, "tensile"));
  EXPECT_TRUE(offers({"invar", "completion", ""}, "zsh"));
  EXPECT_EQ(offered(here, {"invar", "run", "beam.yaml", "--", "--e"}), "\n\n");  // PETSc's own
}

TEST(Completion, ShellsReadTheirScripts) {
  const Workplace here;
  for (const std::string name : {"bash", "zsh", "fish"}) {
    const Ended written = here.invar({"completion", name});
    ASSERT_EQ(written.code, 0) << written.said();
    for (const VerbRow& v : verb_rows()) EXPECT_NE(written.out.find(v.name), std::string::npos) << name << ' ' << v.name;
    for (const OptionRow& o : option_rows()) {
      const std::string option = o.name;
      if (!option.starts_with("--")) continue;
      EXPECT_NE(written.out.find(name == "fish" ? "-l " + option.substr(2) : option), std::string::npos) << name << ' ' << option;
    }
    here.write("script", written.out);
    std::string out;
    if (installed(name)) {
      EXPECT_EQ(shell(here, name + " -n script", out), 0) << out;
    }
  }
  const Ended unknown = here.invar({"completion", "bahs"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("did you mean 'bash'?"), std::string::npos) << unknown.err;
}

TEST(ManPage, NamesEveryVerbAndOptionWithoutWarnings) {
  const Workplace here;
  const Ended written = here.invar({"schema", "--man"});
  ASSERT_EQ(written.code, 0) << written.said();
  for (const VerbRow& v : verb_rows()) EXPECT_NE(written.out.find("\\fB" + std::string(v.name) + "\\fR"), std::string::npos) << v.name;
  if (!installed("groff")) GTEST_SKIP() << "groff is not installed";
  here.write("invar.1", written.out);
  std::string out;
  EXPECT_EQ(shell(here, "groff -man -ww -Tascii -P-c -P-b -P-u invar.1 > page", out), 0);
  EXPECT_EQ(out, "");
  EXPECT_NE(content(here.folder() / "page").find("EXIT STATUS"), std::string::npos);
}

TEST(Version, SaysWithWhatItWasBuilt) {
  const Workplace here;
  EXPECT_EQ(here.invar({"--version"}).out, "invar " INVAR_VERSION "\n");
  const Ended all = here.invar({"--version", "-v"});
  EXPECT_EQ(all.code, 0);
  for (const char* library : {"build ", "PETSc ", "MPI ", "Eigen ", "VTK ", "yaml-cpp ", "pictures   "})
    EXPECT_NE(all.out.find(library), std::string::npos) << library << all.out;
}

}  // namespace
}  // namespace invar
