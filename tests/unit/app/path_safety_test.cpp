#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "tests/unit/app/program.hpp"

// What a spec may read and write: apps/README.md, "A spec reads and writes what it names".

namespace invar::test {
namespace {

const char* const plain = R"(title: a block
mesh: {rectangle: {to: [1, 1], cells: [2, 2]}}
physics: {type: solid, kind: plane_strain}
materials:
  body: {model: linear_elastic, young: 3, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0}
  right: {u_x: t}
output: {quantities: {force: {type: reaction, region: right, direction: [1, 0]}}}
)";

std::string with_mesh(const std::string& file) {
  std::string spec = plain;
  return spec.replace(spec.find("{rectangle"), spec.find("\nphysics") - spec.find("{rectangle"), "{file: " + file + "}");
}
/// An entry of the objective for each file, each on a line of its own.
std::string with_objective(const std::string& entry, const std::vector<std::string>& files) {
  std::string spec = plain + std::string("design: [{variable: materials.body.young}]\nobjective:\n");
  for (std::size_t k = 0; k < files.size(); ++k)
    spec += "  - {name: n" + std::to_string(k) + ", " + entry + ", file: " + files[k] + "}\n";
  return spec;
}
std::string with_curves(const std::vector<std::string>& files) {
  return with_objective("type: reaction, region: right, direction: [1, 0]", files);
}
std::string with_points(const std::vector<std::string>& files) { return with_objective("type: markers", files); }
std::string with_data(const std::string& file) { return with_curves({file}); }
std::string with_start(const std::string& folder) {
  return with_data("../good/data.csv") + "optimizer: {start: {from: " + folder + "}}\n";
}

/// Everything below a folder: what it is and holds.
std::map<std::string, std::string> everything_in(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    all[entry.path().string()] = entry.is_symlink() ? fs::read_symlink(entry.path()).string() : entry.is_regular_file() ? content(entry.path()) : "";
  return all;
}

class PathSafety : public testing::Test {
 protected:
  void SetUp() override {
    good = here.folder().parent_path() / "good";
    fs::create_directory(good);
    std::ofstream(good / "data.csv") << "t,force\n0.5,1\n1,2.1\n";
    std::ofstream(good / "points.csv") << "x,y,u_x\n0.5,0.5,0.4\n";
    fs::copy_file(std::string(INVAR_SOURCE_DIR) + "/tests/unit/mesh/data/annulus_22.msh", good / "annulus.msh");
    fs::create_symlink(good / "data.csv", here.folder() / "link.csv");
    fs::create_symlink("loop.csv", here.folder() / "loop.csv");
    fs::create_symlink(good / "nothing", here.folder() / "dangling.csv");
    fs::create_directory_symlink(good, here.folder() / "link_to_folder");
    ::mkfifo((here.folder() / "pipe").c_str(), 0600);
  }
  Workplace here;
  fs::path good;
};

/// No name makes the program hang, crash, or write: it is read, or refused at its place.
TEST_F(PathSafety, HostileNamesInEveryKeyThatNamesAFile) {
  const std::string long_name(4096, 'n'), long_path = [] {
    std::string path = "a";
    for (int i = 0; i < 1000; ++i) path += "/../a";
    return path;
  }();
  // What cannot be a name is refused before a file is read.
  const std::vector<std::string> no_names = {"\"a\\0b\"", "\"\\x1b]0;x\\x07\"", "' '"},
                                 names = {"/dev/zero", "/proc/self/fd/0", "/proc/self/mem", "pipe", "loop.csv", "dangling.csv", "link_to_folder", "/",
                                          "../../../../../../../../etc/passwd", "'|touch made'", "'$(touch made)'", "'http://localhost/'", "'%s%s%n'",
                                          long_name, long_path};
  // but for the name all is well
  for (const std::string& right : {with_curves({"../good/data.csv", "link.csv"}), with_points({"../good/points.csv", "../good/points.csv"})}) {
    here.write("spec.yaml", right);
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
  }
  const auto before = everything_in(good);
  // A name that is refused does not keep the program from reading the next: each is refused at its place.
  const auto expect_refused = [&](const std::string& what, const std::string& spec, const std::vector<int>& lines) {
    here.write("spec.yaml", spec);
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_EQ(end.code, 3) << what << "\n" << end.said();
    for (const int line : lines) {
      const std::size_t place = end.err.find("spec.yaml:" + std::to_string(line) + ":");
      EXPECT_NE(place, std::string::npos) << what << ", line " << line << "\n" << end.said();
      EXPECT_NE(end.err.find("error: ", place), std::string::npos) << what << ", line " << line << "\n" << end.said();
    }
    EXPECT_LT(end.err.size(), 12000u * lines.size()) << what;
    EXPECT_FALSE(fs::exists(here.folder() / "results")) << what;
    EXPECT_FALSE(fs::exists(here.folder() / "made")) << what;
    EXPECT_EQ(everything_in(good), before) << what;
  };
  const int first = 1 + static_cast<int>(std::ranges::count(with_curves({}), '\n'));
  for (const auto& list : {no_names, names}) {
    std::vector<int> lines(list.size());
    std::iota(lines.begin(), lines.end(), first);
    expect_refused("objective.file of curves", with_curves(list), lines);
    expect_refused("objective.file of points", with_points(list), lines);
    for (const std::string& name : list) {
      const std::string short_name = name.substr(0, 40), start = with_start(name);
      expect_refused("mesh.file: " + short_name, with_mesh(name), {2});
      expect_refused("optimizer.start.from: " + short_name, start, {static_cast<int>(std::ranges::count(start, '\n'))});
    }
  }
}

/// What is written out is named: elsewhere, absolute, or behind a link.
TEST_F(PathSafety, NamedFilesAreReadWhereverTheyAre) {
  for (const std::string& name : std::vector<std::string>{"../good/data.csv", "link.csv", "link_to_folder/data.csv", "'" + (good / "data.csv").string() + "'"}) {
    here.write("spec.yaml", with_data(name));
    const auto before = everything_in(good);
    const Ended end = here.invar({"run", "spec.yaml", "-q"});
    EXPECT_EQ(end.code, 0) << name << "\n" << end.said();
    EXPECT_EQ(everything_in(good), before);
  }
}

/// Names become files of the run folder, and stay in it.
TEST_F(PathSafety, NamesCannotLeaveTheRunFolder) {
  const std::string spec = plain;
  for (const std::string name : {"../out", "/out", "..", ".", ".hidden", "a/b", "\"a\\0b\""}) {
    for (const std::string& more : std::vector<std::string>{"output.quantities={" + name + ": {type: reaction, region: right, direction: [1, 0]}}", "cases={" + name + ": {}}"}) {
      here.write("spec.yaml", spec);
      const Ended end = here.invar({"run", "spec.yaml", "-q", "--set", more});
      EXPECT_EQ(end.code, 3) << more << "\n" << end.said();
      EXPECT_FALSE(fs::exists(here.folder() / "results")) << more;
    }
  }
  here.write("spec.yaml", spec);
  EXPECT_EQ(here.invar({"run", "spec.yaml", "-q", "--set", "output.quantities={" + std::string(4096, 'q') + ": {type: reaction, region: right, direction: [1, 0]}}"}).code, 3);
}

/// Links in the folder of a run that is to go on would lead out of it.
TEST_F(PathSafety, AResumedRunFollowsNoLinks) {
  here.write("spec.yaml", with_data("../good/data.csv"));
  ASSERT_EQ(here.invar({"run", "spec.yaml", "-q"}).code, 0);
  // of a run that was killed: one that has ended is left alone
  here.write("results/spec/run.json", R"({"program": "invar"})");
  for (const char* name : {"history.csv", "log.txt", "fields"}) {
    fs::remove_all(here.run_folder() / name);
    fs::create_symlink(std::string(name) == "fields" ? good : good / "data.csv", here.run_folder() / name);
    const auto before = everything_in(good);
    const Ended end = here.invar({"resume", "results/spec", "-q"});
    EXPECT_EQ(end.code, 74) << end.said();
    EXPECT_NE(end.err.find("symbolic link"), std::string::npos) << end.said();
    EXPECT_EQ(everything_in(good), before);
    fs::remove(here.run_folder() / name);
  }
}

/// PETSc would obey a .petscrc in the current folder: write files, start programs.
TEST_F(PathSafety, OptionsBesideASpecAreNotObeyed) {
  here.write("spec.yaml", plain);
  for (const char* file : {".petscrc", "petscrc"}) here.write(file, "-log_view :made\n-options_view\n-start_in_debugger touch,made\n");
  const Ended end = here.invar({"run", "spec.yaml", "-q"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_FALSE(fs::exists(here.folder() / "made"));
  EXPECT_EQ(end.said().find("petsc"), std::string::npos) << end.said();
}

}  // namespace
}  // namespace invar::test
