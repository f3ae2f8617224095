#include <gtest/gtest.h>

#include <set>

#include "libfem/solid/material_library.hpp"
#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A beam whose reaction curve is data too, so that there is a fit curve.
void prepare(const Workplace& here) {
  here.write("markers.csv", beam_markers);
  here.write("curve.csv", "t,force\n0.5,-0.0125\n1,-0.025\n");
  here.write("spec.yaml", beam({{"{type: markers, file: markers.csv}",
                                 "{type: markers, file: markers.csv}\n"
                                 "  - {type: reaction, name: shear, region: left, direction: [0, 1], file: curve.csv, weight: 2}"},
                                {"output:", "output:\n  fields: all"}}));
}

TEST(GoodRun, TheRunFolderHoldsEverything) {
  const Workplace here;
  prepare(here);
  const Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_EQ(end.err, "");
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(here.run_folder()))
    if (entry.is_regular_file() && entry.path().extension() != ".checkpoint") files.insert(entry.path().lexically_relative(here.run_folder()).string());
  EXPECT_EQ(files, (std::set<std::string>{"input.yaml", "resolved.yaml", "run.json", "log.txt", "history.csv", "results.json", "design.json",
                                          "certificate.json", "curves/shear.csv", "curves/shear.svg", "fields/case.pvd", "fields/case_1.vtu",
                                          "fields/case_2.vtu"}));
  EXPECT_FALSE(fs::is_empty(here.run_folder() / "checkpoints"));
  EXPECT_EQ(content(here.run_folder() / "input.yaml"), content(here.folder() / "spec.yaml"));
  EXPECT_EQ(content(here.run_folder() / "log.txt"), end.out);
  const nlohmann::json run = json_of(here.run_folder() / "run.json"), results = json_of(here.run_folder() / "results.json");
  EXPECT_EQ(run["exit_code"], 0);
  EXPECT_TRUE(json_of(here.run_folder() / "certificate.json")["passed"].get<bool>());
  const nlohmann::json young = results["fit"]["materials.rubber.young"];
  EXPECT_LT(young["lower_95"], young["value"]);
  EXPECT_LT(young["value"], young["upper_95"]);
  // Statics: whatever the modulus, the clamp carries −0.1 Pa · 0.25 m, and the data say just that.
  std::istringstream curve(content(here.run_folder() / "curves/shear.csv"));
  std::string line;
  std::getline(curve, line);
  EXPECT_EQ(line, "t,measured,model,difference,lower_95,upper_95,measured_lower_95,measured_upper_95");
  int rows = 0;
  while (std::getline(curve, line)) {
    ++rows;
    std::istringstream columns(line);
    std::vector<double> v;
    for (std::string column; std::getline(columns, column, ',');) v.push_back(std::stod(column));
    ASSERT_EQ(v.size(), 8u) << line;
    EXPECT_NEAR(v[3], 0, 1e-10) << line;
    EXPECT_LT(v[6], v[4]) << line;  // a new measurement scatters more than the curve
    EXPECT_GT(v[7], v[5]) << line;
  }
  EXPECT_EQ(rows, 2);
  const Ended again = here.invar({"validate", "results/spec/resolved.yaml"});
  EXPECT_EQ(again.code, 0) << again.said();
}

TEST(GoodRun, IsTheSameEveryTime) {
  const Workplace here;
  prepare(here);
  for (const char* out : {"first", "second"}) ASSERT_EQ(here.invar({"run", "spec.yaml", "-q", "--out", out}).code, 0);
  const std::string first = content(here.folder() / "first/results.json");
  EXPECT_GT(first.size(), 100u);
  EXPECT_EQ(first, content(here.folder() / "second/results.json"));
}

TEST(GoodRun, ResolvedSpecGivesTheSameResults) {
  const Workplace here;
  prepare(here);
  ASSERT_EQ(here.invar({"run", "spec.yaml", "-q", "--set", "materials.rubber.poisson=0.4"}).code, 0);
  ASSERT_EQ(here.invar({"run", "results/spec/resolved.yaml", "-q", "--out", "again"}).code, 0);
  EXPECT_EQ(content(here.run_folder() / "results.json"), content(here.folder() / "again/results.json"));
}

TEST(GoodRun, SetChangesTheSpec) {
  const Workplace here;
  prepare(here);
  const Ended end = here.invar({"run", "spec.yaml", "-q", "--set", "title=other", "--set", "output.fields=none"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_EQ(json_of(here.run_folder() / "results.json")["title"], "other");
  EXPECT_FALSE(fs::exists(here.run_folder() / "fields"));
  const Ended wrong = here.invar({"run", "spec.yaml", "--set", "materials.rubber.yuong=2", "--out", "none"});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(wrong.err.find("--set materials.rubber.yuong: error: unknown key 'yuong'; did you mean 'young'?"), std::string::npos)
      << wrong.err;
  EXPECT_FALSE(fs::exists(here.folder() / "none"));
}

TEST(GoodRun, WithoutDesignPrintsEveryLoadStep) {
  const Workplace here;
  const std::string whole = beam();
  here.write("spec.yaml", whole.substr(0, whole.find("design:")) + "time: {steps: 3}\n");
  const Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.out.find("Newton"), std::string::npos) << end.out;
  for (const char* row : {"    1     0.333333 ", "    2     0.666667 ", "    3      1.00000 "})
    EXPECT_NE(end.out.find(row), std::string::npos) << end.out;
  EXPECT_EQ(end.out.find('\r'), std::string::npos);
  EXPECT_EQ(end.out.find('\x1b'), std::string::npos);
}

TEST(GoodRun, SaysLessAndMore) {
  const Workplace here;
  prepare(here);
  const std::string quiet = here.invar({"run", "spec.yaml", "-q"}).out, normal = here.invar({"run", "spec.yaml"}).out,
                    verbose = here.invar({"run", "spec.yaml", "-v"}).out;
  EXPECT_EQ(quiet.find("iteration"), std::string::npos) << quiet;
  EXPECT_NE(normal.find("iteration"), std::string::npos) << normal;
  EXPECT_EQ(normal.find("residuals"), std::string::npos) << normal;
  EXPECT_NE(verbose.find("case case, t = 0.5: residuals"), std::string::npos) << verbose;
}

TEST(GoodRun, PetscOptionsTakeEffect) {
  const Workplace here;
  prepare(here);
  const Ended end = here.invar({"run", "spec.yaml", "-q", "--", "-invar_ksp_type", "gmres", "-invar_pc_type", "jacobi",
                                "-invar_ksp_view", "-ksp_type", "cg"});
  for (const char* words : {"KSP Object: (invar_)", "type: gmres", "type: jacobi"})
    EXPECT_NE(end.out.find(words), std::string::npos) << words;
  EXPECT_NE(end.out.find("warning: PETSc option -ksp_type was not used"), std::string::npos);
}

TEST(GoodRun, CheckPrintsTheCertificate) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam());
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  for (const char* words : {"taylor ", "dot product ", "finite difference  materials.rubber.young", "hessian symmetry ", " checks passed"})
    EXPECT_NE(end.out.find(words), std::string::npos) << words << " in\n" << end.out;
  EXPECT_FALSE(fs::exists(here.folder() / "results"));
}

TEST(GoodRun, CheckOfAShippedSpec) {
  const Workplace here;
  const Ended end = here.invar({"check", INVAR_SOURCE_DIR "/configs/03_find_load.yaml", "-q", "--set", "mesh.rectangle.cells=[10, 2]", "--set", "time.steps=2"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_TRUE(end.out.starts_with("all ") && end.out.ends_with(" checks passed\n")) << end.out;
}

TEST(GoodRun, SchemaNamesEveryMaterial) {
  const Workplace here;
  const Ended end = here.invar({"schema"}), page = here.invar({"schema", "--markdown"});
  EXPECT_EQ(end.code, 0);
  const nlohmann::json schema = nlohmann::json::parse(end.out);
  EXPECT_TRUE(schema.contains("$schema"));
  for (const std::string_view name : material_names()) {
    EXPECT_NE(end.out.find('"' + std::string(name) + '"'), std::string::npos) << name;
    EXPECT_NE(page.out.find("`materials.<name>, model: " + std::string(name) + "`\n"), std::string::npos) << name;
  }
}

TEST(GoodRun, WrongCommandLinesAreRefused) {
  const Workplace here;
  here.write("spec.yaml", beam());
  const std::vector<std::pair<std::vector<std::string>, std::string>> lines = {
      {{"rnu", "spec.yaml"}, "unknown verb 'rnu'; did you mean 'run'?"},
      {{"spec.yaml"}, "did you mean 'invar run spec.yaml'?"},
      {{"run", "spec.yaml", "--ot", "x"}, "unknown option '--ot'; did you mean '--out'?"},
      {{"run", "spec.yaml", "--set", "design"}, "is not of the form --set PATH=VALUE"}};
  for (const auto& [arguments, words] : lines) {
    const Ended end = here.invar(arguments);
    EXPECT_EQ(end.code, 2);
    EXPECT_NE(end.err.find(words), std::string::npos) << end.err;
  }
  EXPECT_EQ(here.invar({"run", "nothing.yaml"}).err, "nothing.yaml: error: no such file\n1 mistake\n");
  EXPECT_FALSE(fs::exists(here.folder() / "results"));
}

// A Poisson's ratio of 0.495 is a bulk modulus of 99.7 times the shear modulus. In plane stress the thickness gives way.
TEST(GoodRun, ElementsThatLockAreReported) {
  const Workplace here;
  here.write("spec.yaml", "title: a beam\nmesh: {rectangle: {to: [4, 1], cells: [4, 1]}}\nphysics: {type: solid, kind: plane_strain, order: 1}\n"
                          "materials: {gel: {model: neo_hookean, young: 1, poisson: 0.495}}\nboundary: {left: {u_x: 0, u_y: 0}}\n"
                          "loads: {tip: {type: traction, region: right, y: -1e-4}}\noutput: {fields: none}\n");
  const std::string said = "material 'gel' is nearly incompressible (its bulk modulus is 99.7 times its shear modulus)";
  const auto says = [&](const std::string& setting) { return here.invar({"run", "spec.yaml", "--set", setting}).said().find(said) != std::string::npos; };
  EXPECT_TRUE(says("physics.order=1"));
  EXPECT_FALSE(says("physics.order=2"));
  EXPECT_FALSE(says("physics.kind=plane_stress"));
}

}  // namespace
}  // namespace invar::test
