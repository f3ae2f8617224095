// Displacements from images, as a user has them: pixels, frames, missing values, points beside the specimen, a camera that moves.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/unit/app/program.hpp"

namespace invar {
namespace {

/// Two frames of a strip of 0.1 m x 0.05 m with E = 100 kPa and ν = 0.3 that is pulled by 2 kPa, in pixels of 0.1 mm: noise of 0.02 pixels,
/// one displacement missing and one wrong by half a pixel in each frame, a column of points beside the strip. turn: of the camera about
/// pixel (500, 600) from frame to frame, rad.
std::string images(double turn, double noise = 0.02) {
  std::mt19937 random(5);
  std::normal_distribution<double> error(0, noise);
  std::ostringstream csv;
  csv.precision(10);
  csv << "image,X,Y,U,V\n";
  for (int frame = 1; frame <= 2; ++frame)
    for (int i = -1; i < 12; ++i)
      for (int j = 0; j < 7; ++j) {
        const double x = (i + 0.5) * 0.1 / 12, y = (j + 0.3) * 0.05 / 7, stress = 1000. * frame;
        const double X = 100 + 1e4 * x, Y = 900 - 1e4 * y;
        const double right = X + 1e4 * stress / 1e5 * x - 500, down = Y + 1e4 * 0.3 * stress / 1e5 * y - 600, c = std::cos(turn * frame), s = std::sin(turn * frame);
        const double U = c * right - s * down + 500 - X + 0.3 * frame + error(random) + (i == 7 && j == 2 ? 0.5 : 0);
        const double V = s * right + c * down + 600 - Y - 0.7 + error(random);
        csv << frame << ',' << X << ',' << Y << ',';
        if (i != 4 || j != 4) csv << U;
        csv << ',' << V << '\n';
      }
  return csv.str();
}

std::string imaged_strip(const std::string& motion, const std::string& more = "") {
  return R"spec(title: a strip
mesh: {rectangle: {to: [0.1, 0.05], cells: [6, 3]}}
physics: {type: solid, kind: plane_stress}
materials: {strip: {model: linear_elastic, young: 5e4, poisson: 0.2}}
boundary: {left: {u_x: 0}, bottom: {u_y: 0}}
loads: {pull: {type: traction, region: right, x: 2000}}
design:
  - {variable: materials.strip.young, scale: log}
  - {variable: materials.strip.poisson}
objective:
  - type: image_correlation
    file: points.csv
    frames: frames.csv
    columns: {frame: image, t: load, x: X, y: Y, u_x: U, u_y: V}
    deviations: [0.02, 0.02]
    scale: 1e-4
    origin: [100, 900]
    downward: true
    rigid_motion: )spec" + motion + "\n" + more;
}

TEST(ImageRun, FindsTheLawAndListsWhatIsWrong) {
  const test::Workplace here;
  here.write("points.csv", images(0.002));
  here.write("frames.csv", "image,load,force\n2,1,100\n1,0.5,50\n");
  here.write("spec.yaml", imaged_strip("fitted"));
  const test::Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  const nlohmann::json results = test::json_of(here.run_folder() / "results.json"), &fit = results["fit"];
  for (const auto& [name, truth] : {std::pair{"materials.strip.young", 1e5}, {"materials.strip.poisson", 0.3}}) {
    EXPECT_NEAR(fit[name]["value"].get<double>(), truth, 4 * fit[name]["standard_error"].get<double>()) << name;
    EXPECT_LT(fit[name]["standard_error"].get<double>(), 0.01 * truth);
  }
  EXPECT_EQ(results["inference"]["degrees_of_freedom"], 2 * (2 * 83 - 3) - 2);
  const nlohmann::json& outliers = results["outliers"]["image_correlation"];
  EXPECT_EQ(outliers["count"], 2) << outliers;
  EXPECT_EQ(outliers["of"], 2 * 2 * 83);
  EXPECT_EQ(outliers["farthest"][0]["row"].get<int>() % 91, 8 * 7 + 2 + 1);
  EXPECT_NEAR(outliers["farthest"][0]["deviations"].get<double>(), -25, 4);
  for (const char* said : {"14 points lie outside the mesh, and are left out: row 1 by", "2 displacements are missing", "2 displacements lack another component of their row", "2 of 332 values deviate by more than four standard deviations",
                           "the misfit is larger than the stated noise allows"})
    EXPECT_NE(end.said().find(said), std::string::npos) << said << "\n" << end.said();
}

// An unmodelled rotation is a wrong model, which is reported; intervals are computed with a larger noise.
TEST(ImageRun, AMotionThatIsNotFittedIsNoticed) {
  const test::Workplace here;
  here.write("points.csv", images(0.002));
  here.write("frames.csv", "image,load\n1,0.5\n2,1\n");
  here.write("spec.yaml", imaged_strip("none"));
  const test::Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  const nlohmann::json inference = test::json_of(here.run_folder() / "results.json")["inference"];
  EXPECT_GT(inference["noise_variance"].get<double>(), 100);
  EXPECT_NE(end.said().find("the model does not describe the data"), std::string::npos) << end.said();
}

/// Two models of the same data: Poisson's ratio is free, or it is held at a wrong value.
TEST(ImageRun, ModelsAreComparedByTheirEvidence) {
  const test::Workplace here;
  here.write("points.csv", images(0));
  here.write("frames.csv", "image,load\n1,0.5\n2,1\n");
  const std::string compared = "sweep:\n  design: list\n  compare_models: true\n  points:\n    - {title: held, design: [{variable: materials.strip.young, scale: log}]}\n";
  here.write("spec.yaml", imaged_strip("fitted", "    mask: \"(abs(x - 0.0625) > 1e-3 || abs(y - 0.01643) > 1e-3) ? 1 : -1\"\n" + compared + "    - {title: free}\n"));
  ASSERT_EQ(here.invar({"sweep", "spec.yaml", "--out", "runs"}).code, 0);
  const test::Ended end = here.invar({"collect", "runs"});
  ASSERT_EQ(end.code, 0) << end.said();
  const nlohmann::json c = test::json_of(here.folder() / "runs/summary.json")["comparison"];
  EXPECT_EQ(c["winner"], "0002") << c;
  EXPECT_GT(c["models"][0]["probability"].get<double>(), 0.999);
  EXPECT_NE(end.said().find("best model by evidence: 0002"), std::string::npos) << end.said();
  EXPECT_NE(end.said().find("0001 does not describe the data"), std::string::npos) << end.said();
  EXPECT_EQ(end.said().find("0002 does not describe the data"), std::string::npos) << end.said();
  EXPECT_EQ(here.invar({"report", "runs"}).code, 0);
  // Of other data: there is nothing to compare.
  here.write("spec.yaml", imaged_strip("fitted", compared + "    - {title: fewer, \"objective[0].mask\": \"0.06 - x\"}\n"));
  const test::Ended other = here.invar({"sweep", "spec.yaml", "--out", "others"});
  ASSERT_EQ(other.code, 0) << other.said();
  EXPECT_NE(here.invar({"collect", "others"}).said().find("the models are not compared"), std::string::npos);
}

TEST(ImageRun, MistakesAreSaidAtTheirPlace) {
  const test::Workplace here;
  here.write("points.csv", "image,X,Y,U,V\n1,150,850,0.1,0.1\n3,160,840,0.1,0.1\n");
  here.write("frames.csv", "image,load\n1,0.5\n");
  here.write("spec.yaml", imaged_strip("none"));
  const test::Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 3);
  EXPECT_NE(end.said().find("points.csv:3:1: error: the frame of this row has no load parameter or time"), std::string::npos) << end.said();
  std::string unsaid = imaged_strip("none");
  unsaid.erase(unsaid.find("    rigid_motion"));
  here.write("spec.yaml", unsaid);
  EXPECT_NE(here.invar({"validate", "spec.yaml"}).said().find("rigid_motion"), std::string::npos);
}

// Data must not be lost by a slip of the pen: 0.4 s.
TEST(ImageRun, WhatIsNamedAndMissingIsAMistake) {
  const test::Workplace here;
  here.write("points.csv", "image,X,Y,U,V,sd\n1,150,850,0.1,0.1,0.02\n# the second frame\n2,160,840,0.1,0.1,\n");
  here.write("frames.csv", "image,load\n1,0.5\n2,1\n");
  const std::string right = imaged_strip("none"), columns = "u_x: U, u_y: V}", known = "its columns: image, X, Y, U, V, sd";
  const auto said = [&](const std::string& from, const std::string& to) {
    std::string spec = right;
    spec.replace(spec.find(from), from.size(), to);
    here.write("spec.yaml", spec);
    return here.invar({"validate", "spec.yaml"});
  };
  const auto expect_one = [](const test::Ended& end, const std::vector<std::string>& words) {
    SCOPED_TRACE(end.said());
    EXPECT_EQ(end.code, 3);
    EXPECT_TRUE(end.err.ends_with("\n1 mistake\n"));
    for (const std::string& word : words) EXPECT_NE(end.err.find(word), std::string::npos) << "no '" << word << "'";
  };
  EXPECT_EQ(said("u_x", "u_x").code, 0);
  expect_one(said(columns, "u_x: Ux, u_y: V}"), {"spec.yaml:14:55: error: the file under 'file' has no column 'Ux'", known});
  expect_one(said(columns, "u_x: U, u_y: V, status: ok}"), {"spec.yaml:14:", "the file under 'file' has no column 'ok'", known});
  expect_one(said(columns, "u_x: U, u_y: V, noise_x: dU}"), {"the file under 'file' has no column 'dU'", known});
  expect_one(said("t: load", "t: time"), {"the file under 'frames' has no column 'time'", "its columns: image, load"});
  expect_one(said("frame: image", "frame: picture"), {"the file under 'file' has no column 'picture'"});
  expect_one(said(columns, "u_x: U, u_y: V, u_z: sd}"), {"spec.yaml:14:", "the mesh is two-dimensional"});
  std::string no_deviations = columns.substr(0, columns.size() - 1) + ", noise: sd}\n";
  const std::string both = columns + "\n    deviations: [0.02, 0.02]\n";
  expect_one(said(both, no_deviations), {"points.csv:4:1: error: the cell in column 'sd' is empty"});
  here.write("frames.csv", "image,load\n1,0.5\n2,1\n1,0.75\n");
  const test::Ended twice = said("u_x", "u_x");
  EXPECT_EQ(twice.code, 3);
  for (const char* line : {"frames.csv:2:1: error: frame 1 is listed 2 times, here with load = 0.5", "frames.csv:4:1: error: frame 1 is listed 2 times, here with load = 0.75"})
    EXPECT_NE(twice.said().find(line), std::string::npos) << twice.said();
  here.write("frames.csv", "image,load\n1,0.5\n2,1\n1,0.5\n");  // which says the same again
  EXPECT_EQ(said("u_x", "u_x").code, 0);
}

}  // namespace
}  // namespace invar
