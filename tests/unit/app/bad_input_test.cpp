#include <gtest/gtest.h>

#include <future>
#include <regex>
#include <tuple>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// One wrong input, and words that its one message must contain.
struct Bad {
  const char* name;
  Edits edits;
  std::vector<std::string> words;
  std::string file = "", text = "";  // a file beside the spec, or the markers' file when it has no name
};

const char* rectangle = "rectangle: {to: [1, 0.25], cells: [4, 1]}";
const char* law = "{model: neo_hookean, young: 100, poisson: 0.3}";
const char* term = "{type: markers, file: markers.csv}";
const char* young = "materials.rubber.young, start: 80, lower: 10, upper: 1000";
const Edits tip_only = {{young, "loads.tip.y"}};
const Edits reaction = {{term, "{type: reaction, region: left, direction: [0, 1], file: curve.csv}"}};

Edits with(Edits edits, const std::string& from, const std::string& to) {
  edits.push_back({from, to});
  return edits;
}

/// Every input of the table, a few at a time: exit code 3, one mistake, its words, and no run folder.
void expect_all_refused(const std::vector<Bad>& table) {
  const auto refused = [](const Bad& bad) {
    const Workplace here;
    here.write("spec.yaml", beam(bad.edits));
    here.write("markers.csv", bad.file.empty() && !bad.text.empty() ? bad.text : beam_markers);
    if (!bad.file.empty()) here.write(bad.file, bad.text);
    Ended end = here.invar({"run", "spec.yaml"});
    if (fs::exists(here.folder() / "results")) end.err += "LEFT A RUN FOLDER";
    return end;
  };
  constexpr std::size_t at_once = 4;
  for (std::size_t first = 0; first < table.size(); first += at_once) {
    std::vector<std::future<Ended>> ends;
    for (std::size_t i = first; i < std::min(first + at_once, table.size()); ++i)
      ends.push_back(std::async(std::launch::async, refused, std::cref(table[i])));
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const Ended end = ends[i].get();
      SCOPED_TRACE(std::string(table[first + i].name) + ":\n" + end.said());
      EXPECT_EQ(end.code, 3);
      EXPECT_EQ(end.out, "");
      EXPECT_TRUE(end.err.ends_with("\n1 mistake\n"));
      for (const std::string& word : table[first + i].words)
        EXPECT_NE(end.err.find(word), std::string::npos) << "no '" << word << "'";
    }
  }
}

TEST(BadInput, Meshes) {
  const Edits file = {{rectangle, "file: beam.msh"}};
  const auto patch = [](const std::string& corners) {
    return Edits{{rectangle, "patch: {corners: " + corners + ", cells: [2, 2]}"}};
  };
  expect_all_refused({
      {"missing", file, {"spec.yaml:2:14: error: ", "beam.msh: cannot be opened; give the path of a .msh"}},
      {"cut off", file, {"spec.yaml:2:14: error: ", "beam.msh:5: the number of nodes is 4; the rest of the file is too short"},
       "beam.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n"},
      {"empty", file, {"beam.msh:1: the file ends without $MeshFormat; it is truncated"}, "beam.msh", ""},
      {"no gzip", file, {"beam.msh: cannot be read", "give a complete .msh or .msh.gz file"}, "beam.msh", "\x1f\x8b garbage"},
      {"no size", {{"to: [1, 0.25]", "to: [0, 0.25]"}}, {"needs at least one cell and a positive size"}},
      {"too many", {{"cells: [4, 1]", "cells: [1000000000, 1000000000]"}}, {"their unknowns exceed the range of integers"}},
      {"mirrored", patch("[[0, 0], [0, 1], [1, 1], [1, 0]]"), {"a convex quadrilateral, counterclockwise"}},
      {"not convex", patch("[[0, 0], [1, 0], [0.2, 0.2], [0, 1]]"), {"a convex quadrilateral, counterclockwise"}},
      {"wrong dimension", {{"kind: plane_strain", "kind: spatial"}},
       {"spec.yaml:3:10", "the mesh has dimension 2 and the kind is 'spatial'; use plane_strain"}},
  });
}

// Two squares beside each other, the right one of two rectangles: a node hangs in the middle of their common edge.
TEST(BadInput, CellsThatTouchUnconnectedAreReported) {
  const auto said = [](const std::string& named) {
    const Workplace here;
    here.write("two.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"body\"\n1 2 \"seam\"\n$EndPhysicalNames\n"
                          "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n6 2 1 0\n7 1 0.5 0\n8 2 0.5 0\n$EndNodes\n"
                          "$Elements\n" + std::string(named.empty() ? "3" : "4") + "\n1 3 2 1 1 1 2 3 4\n2 3 2 1 1 2 5 8 7\n3 3 2 1 1 7 8 6 3\n" + named + "$EndElements\n");
    here.write("spec.yaml", "title: two squares\nmesh: {file: two.msh}\nphysics: {type: solid, kind: plane_strain}\nmaterials: {gel: {model: neo_hookean, young: 1, poisson: 0.3}}\n");
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    return end.err;
  };
  EXPECT_NE(said("").find("warning: spec.yaml:2:14: cells touch without being connected: 3 facets of the boundary lie on others without common nodes, the first at (1, 0.5)"), std::string::npos);
  EXPECT_EQ(said("4 1 2 2 2 2 3\n"), "");
}

// A reaction contains the loads on its region: of a held side it changes by the whole load, 0.7 N/m², which nothing else feels.
TEST(BadInput, ALoadOnAHeldSideIsReported) {
  const auto run = [](const std::string& load) {
    const Workplace here;
    here.write("spec.yaml", "title: a block\nmesh: {rectangle: {to: [1, 1], cells: [2, 2]}}\nphysics: {type: solid, kind: plane_strain}\n"
                            "materials: {gel: {model: neo_hookean, young: 3, poisson: 0.3}}\nboundary: {left: {u_x: 0, u_y: 0}, right: {u_x: 0.1, u_y: 0}}\n" + load +
                            "output: {fields: none, quantities: {pull: {type: reaction, region: right, direction: [1, 0]}, hold: {type: reaction, region: left, direction: [1, 0]}}}\n");
    const Ended end = here.invar({"run", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    const bool warned = end.said().find("warning: spec.yaml:6:37: the whole displacement of 'right' is prescribed: the load 'traction' changes reactions there, and nothing else") != std::string::npos;
    const nlohmann::json q = json_of(here.run_folder() / "results.json")["quantities"];
    return std::tuple(warned, q["pull"].get<double>(), q["hold"].get<double>());
  };
  const auto [no_warning, pull, hold] = run("");
  const auto [warned, less, same] = run("loads: {t: {type: traction, region: right, x: 0.7}}\n");
  EXPECT_FALSE(no_warning);
  EXPECT_TRUE(warned);
  EXPECT_NEAR(less, pull - 0.7, 1e-9);
  EXPECT_NEAR(same, hold, 1e-9);
}

TEST(BadInput, Regions) {
  expect_all_refused({
      {"facet", {{"region: right", "region: rigth"}},
       {"spec.yaml:9:33: error: the mesh has no facet region 'rigth'; did you mean 'right'?",
        "its facet regions: left, right, bottom, top"}},
      {"all, of facets", {{"region: right", "region: all"}}, {"spec.yaml:9:33: error: the mesh has no facet region 'all'"}},
      {"all, of points", {{"traction, region: right", "spring, region: all"}}, {"the mesh has no point region 'all'", "its point regions: left_bottom"}},
      {"cell", {{"{model:", "{region: bdoy, model:"}},
       {"spec.yaml:5:20: error: the mesh has no cell region 'bdoy'; did you mean 'body'?"}},
      {"support", {{"left: {u_x", "lfet: {u_x"}}, {"spec.yaml:7:3: error: the mesh has no region 'lfet'; did you mean 'left'?"}},
      {"two materials", {{"boundary:", "  other: {model: linear_elastic, young: 1, poisson: 0}\nboundary:"}}, {"4 cells have more than one material"}},
      {"third axis of a load", {{"y: 0.1}", "z: 0.1}"}}, {"the mesh is two-dimensional; use x and y"}},
      {"third axis of a support", {{"u_y: 0}", "u_y: 0, u_z: 0}"}}, {"the mesh is two-dimensional; use u_x and u_y"}},
      {"probe outside", {{"point: [1, 0.25]", "point: [1, 0.75]"}}, {"the point lies outside the mesh, by 0.5 m"}},
      {"probe of another dimension", {{"point: [1, 0.25]", "point: [1, 0.25, 0]"}}, {"the mesh has dimension 2"}},
  });
}

TEST(BadInput, DataFiles) {
  expect_all_refused({
      {"missing", {{"markers.csv", "nothing.csv"}}, {"nothing.csv: no such file"}},
      {"nan", {}, {"markers.csv:2:8: error: a number must be finite in column 'u_x', got 'nan'"}, "", "x,y,u_x,u_y\n1,0.25,nan,0.1\n"},
      {"text", {}, {"markers.csv:3:8: error: expected a number in column 'u_x', got 'far'"}, "", "x,y,u_x\n1,0.25,1\n1,0.25,far\n"},
      {"short row", {}, {"markers.csv:2:1: error: this row has 3 columns, expected 4"}, "", "x,y,u_x,u_y\n1,0.25,0.1\n"},
      {"no rows", {}, {"markers.csv: no data: the file has no row of numbers"}, "", "x,y,u_x,u_y\n"},
      {"no column", {}, {"a marker file needs columns x, y, (z) and at least one of u_x, u_y named"}, "", "x,y,ux\n1,0.25,0.1\n"},
      {"outside", {}, {"markers.csv:3:1: error: this marker lies outside the mesh, by 0.5 m"}, "", "x,y,u_x\n1,0.25,0\n1,0.75,0\n"},
      {"infinite", reaction, {"curve.csv:2:5: error: a number must be finite in column 'force', got 'inf'"},
       "curve.csv", "t,force\n0.5,inf\n"},
      {"other name", reaction, {"no column 't' in ", "allowed: time, force"}, "curve.csv", "time,force\n0.5,1\n"},
      {"no such time", {{"title: a beam", "title: a beam\ntime: {values: [0.5, 1]}"}, {term, "{type: markers, file: markers.csv, at: 0.7}"}},
       {"'at' is none of the case's 'time.values'"}},
      {"beyond the end", {{"title: a beam", "title: a beam\ntime: {steps: 2}"}, {term, "{type: markers, file: markers.csv, at: 5}"}},
       {"the objective needs t = 5, which is outside the range of the load parameter, from 0 to 1"}},
  });
}

TEST(BadInput, Values) {
  expect_all_refused({
      {"text for a number", {{"young: 100", "young: soft"}}, {"spec.yaml:5:39: error: expected a number, got 'soft'"}},
      {"half a cell", {{"[4, 1]", "[4.5, 1]"}}, {"expected an integer, got '4.5'"}},
      {"nan", {{"young: 100", "young: .nan"}}, {"spec.yaml:5:39: error: a number must not be undefined"}},
      {"unknown key", {{"young: 100", "yuong: 100"}}, {"spec.yaml:5:32: error: unknown key 'yuong'; did you mean 'young'?"}},
      {"unknown section", {{"boundary:", "bondary:"}}, {"spec.yaml:6:1: error: unknown key 'bondary'; did you mean 'boundary'?"}},
      {"key twice", {{"title: a beam", "title: a beam\ntitle: again"}}, {"spec.yaml:2:1: error: duplicate key 'title'"}},
      {"formula", {{"y: 0.1}", "y: \"sin(x\"}"}}, {"spec.yaml:9:43: error: cannot read the formula 'sin(x'"}},
      {"formula of numbers", {{"y: 0.1}", "y: 2*loads.g.y}"}}, {"Variables: x, y, z, t; constants: pi, e. Numbers of the spec have no name in formulas"}},
      {"decimal comma", {{"young: 100, poisson: 0.3}", "young: 100, poisson: 0,35}"}}, {"spec.yaml:5:55: error: unknown key '35'", "numbers have a decimal point: poisson: 0.35"}},
      {"decimal comma, quoted", {{"young: 100", "young: \"99,5\""}}, {"numbers have a decimal point: 99.5"}},
      {"decimal comma in a formula", {{"y: 0.1}", "y: \"0,1\"}"}}, {"spec.yaml:9:43: error: the formula '0,1' has several values"}},
      {"no time", {{"title: a beam", "title: a beam\ntime: {steps: 2, end: 0}"}}, {"the load parameter ends where it starts"}},
      {"back and forth", {{"title: a beam", "title: a beam\ntime: {values: [0.5, 0.2]}"}}, {"load parameters must move away from the start"}},
      {"name of a file", {{"file: markers.csv}", "file: markers.csv, name: ../../elsewhere}"}}, {"cannot name a file"}},
      {"no materials", {{std::string("materials:\n  rubber: ") + law + "\n", ""}}, {"section 'materials' is missing"}},
      {"initial velocity of a support", {{"title: a beam", "title: a beam\ntime: {scheme: newmark, end: 1, steps: 2}\ninitial: {left: {v_y: 2}}"}, {"young: 100", "density: 1, young: 100"}},
       {"spec.yaml:3:23: error: 'boundary' prescribes u_y: 0 there from the start on"}},
      {"third axis of a target", {{term, "{type: displacement_field, region: body, u_z: 1}"}}, {"the mesh is two-dimensional"}},
  });
}

TEST(BadInput, Materials) {
  const auto material = [](const std::string& text) { return with(tip_only, law, text); };
  const auto mixed = [&](const std::string& text) { return with(material(text), "plane_strain}", "plane_strain, formulation: mixed}"); };
  expect_all_refused({
      {"negative modulus", {{"young: 100", "young: -100"}}, {"spec.yaml:5:39: error: value -100 is out of range, expected a number > 0"}},
      {"missing constant", {{", poisson: 0.3", ""}}, {"spec.yaml:5:11: error: 'poisson' is missing"}},
      {"incompressible without pressure", material("{model: neo_hookean, incompressible: true, young: 1}"),
       {"an incompressible material needs 'formulation: mixed'"}},
      {"incompressible with bulk", mixed("{model: neo_hookean, incompressible: true, young: 1, bulk: 1}"), {"has no bulk modulus"}},
      {"neither bulk nor incompressible", mixed("{model: neo_hookean, young: 1}"), {"'bulk' is missing"}},
      {"constant of the other form", mixed("{model: neo_hookean, young: 1, poisson: 0.3, bulk: 1}"),
       {"'poisson' is not a constant of 'neo_hookean' in the mixed formulation", "its constants: young, bulk"}},
      {"bulk besides poisson", material("{model: neo_hookean, young: 1, poisson: 0.3, bulk: 1}"),
       {"'bulk' is not a constant of 'neo_hookean' in the displacement formulation"}},
      {"mass at rest", material("{model: neo_hookean, young: 1, poisson: 0.3, density: 9}"), {"'density' is for processes in time", "give 'time' a 'scheme'"}},
      {"yield at rest", material("{model: hencky, young: 1, poisson: 0.3, plasticity: {yield_stress: 1}}"), {"'plasticity' is for processes in time"}},
      {"term too many", material("{model: ogden, terms: 1, mu1: 1, alpha1: 2, mu2: 3, bulk: 9}"), {"'mu2' is not a constant of 'ogden'"}},
      // In the small a shear modulus: ½ Σ mu·alpha, 2 (c10 + c01); S of the plane 1-2 wants nu12² < E1/E2.
      {"ogden, mu·alpha < 0", material("{model: ogden, mu1: 1, alpha1: -2, bulk: 9}"), {"'rubber' is unstable at rest"}},
      {"mooney, c10 + c01 < 0", mixed("{model: mooney_rivlin, incompressible: true, c10: 1, c01: -1.01}"), {"'rubber' is unstable at rest"}},
      {"orthotropic, nu12 > 1", material("{model: orthotropic, E1: 1, E2: 1, E3: 1, nu12: 1.01, nu23: 0, nu13: 0, G12: 1, G23: 1, G13: 1}"),
       {"'rubber' is unstable at rest"}},
      {"mixed, first order", with(mixed("{model: neo_hookean, incompressible: true, young: 1}"), "mixed}", "mixed, order: 1}"),
       {"the mixed formulation needs order 2"}},
  });
}

TEST(BadInput, SolversThatDoNotSuit) {
  const auto solver = [](const std::string& name) { return Edits{{"output:", "solver: {linear: " + name + "}\noutput:"}}; };
  expect_all_refused({
      {"unknown", solver("mumsp"), {"spec.yaml:14:18: error: ", "did you mean 'mumps'?"}},
      {"flow's", solver("field_split"), {"spec.yaml:14:18: error: 'field_split' is for flow of one fluid", "use auto"}},
      {"of second order", with(solver("cg_two_level"), "plane_strain}", "plane_strain, order: 1}"),
       {"spec.yaml:14:18: error: 'cg_two_level' is for displacements on elements of second order", "use auto"}},
      {"of grids", with(solver("cg_lattice"), "plane_strain}", "plane_strain, order: 2}"),
       {"spec.yaml:14:18: error: 'cg_lattice' is for displacements at rest on congruent rectangles or boxes of first order", "use auto"}},
      {"of symmetric operators", with(solver("cg_hypre"), "{type: traction, region: right, y: 0.1}", "{type: pressure, region: top, p: 0.1}"),
       {"spec.yaml:14:18: error: ", "'cg_hypre' needs a symmetric operator; use mumps"}},
  });
}

TEST(BadInput, DesignVariables) {
  const auto variable = [](const std::string& text) { return Edits{{young, text}}; };
  expect_all_refused({
      {"unknown", variable("materials.rubber.yuong"), {"spec.yaml:11:16: error: there is no design variable at", "did you mean 'materials.rubber.young'?"}},
      {"start outside", {{"start: 80", "start: 5"}}, {"the start 5 is outside the bounds [10, 1000]"}},
      {"bounds crossed", {{"lower: 10,", "lower: 2000,"}}, {"the lower bound 2000 is above the upper one, 1000"}},
      {"logarithm of nothing", variable("loads.tip.y, start: 0, scale: log"), {"scaling 'log'"}},
      {"range falling", {{"upper: 1000", "upper: 1000, range: [100, 20]"}}, {"the range must be ascending and within the bounds [10, 1000]"}},
      {"twice", {{"upper: 1000}", "upper: 1000}\n  - {variable: materials.rubber.young}"}}, {"'materials.rubber.young' is listed twice"}},
      {"starts without bounds", {{"title: a beam", "title: a beam\noptimizer: {starts: 3}"}, {young, "loads.tip.y"}},
       {"'loads.tip.y' needs a range, or two bounds"}},
      {"nothing wanted", {{std::string("objective:\n  - ") + term + "\n", ""}}, {"there is a 'design' without an 'objective'"}},
      {"method of squares", {{"title: a beam", "title: a beam\noptimizer: {method: levenberg_marquardt}"}, {term, "{type: compliance}"}},
       {"levenberg_marquardt minimises sums of squares", "use quasi_newton"}},
      {"second derivatives of a shortened sweep", {{"title: a beam", "title: a beam\noptimizer: {method: newton_cg}\ntime: {scheme: newmark, end: 1, steps: 4, horizon: 2}"}, {"young: 100", "density: 1, young: 100"}},
       {"newton_cg needs second derivatives, and a sweep over the last part of a process has none; use quasi_newton"}},
      {"an option of another method", {{"title: a beam", "title: a beam\noptimizer: {max_move: 0.1}"}}, {"spec.yaml:2:13: error: 'max_move' is for mma, sqp and interior_point"}},
      {"an option of mma", {{"title: a beam", "title: a beam\noptimizer: {method: sqp, conservative: false}"}}, {"'conservative' is for mma"}},
  });
}

TEST(BadInput, Expectations) {
  const auto expecting = [](const std::string& number) { return Edits{{"output:", "expect: {" + number + ": {value: 1}}\noutput:"}}; };
  expect_all_refused({
      {"section", expecting("objectiv"), {"spec.yaml:14:10: error: results.json will contain no number 'objectiv'; did you mean 'objective'?", "optimizer, "}},
      {"probe", expecting("probes.tpi"), {"did you mean 'probes.tip'?", "allowed there: tip"}},
      {"variable", expecting("fit.materials.rubber.poisson.value"), {"spec.yaml:14:10", "allowed there: young"}},
      {"number of a variable", expecting("fit.materials.rubber.young.valu"), {"allowed there: value, standard_error, lower_95, upper_95, identifiable, at_bound"}},
  });
}

/// The names that `expect` may use, against those of a run.
TEST(BadInput, EveryNumberOfResultsMayBeExpected) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  const std::string spec = beam({{"output:\n", "constraints:\n  - {type: stored_energy, upper: 1e9}\noutput:\n  quantities: {w: {type: stored_energy}}\n  errors: {u_x: 0}\n"},
                                 {"upper: 1000}", "upper: 1000}\n  - {variable: loads.tip.y}"}});
  std::string fit = spec;
  fit.erase(fit.find("constraints:"), fit.find("output:") - fit.find("constraints:"));
  for (const std::string& text : {spec, fit}) {
    here.write("spec.yaml", text);
    ASSERT_NE(here.invar({"run", "spec.yaml", "--out", "out"}).code, 3);
    std::string expect = "expect:\n";
    const auto results = json_of(here.folder() / "out/results.json").flatten();
    for (const auto& [path, number] : results.items())
      if ((number.is_number() || number.is_boolean()) && !path.starts_with("/inference/correlation/"))
        expect += "  " + std::regex_replace(path.substr(1), std::regex("/"), ".") + ": {value: 0}\n";
    ASSERT_NE(expect.find("  constraints.") == std::string::npos, expect.find("  intervals.w.tells_sign") == std::string::npos) << expect;
    here.write("spec.yaml", text + expect);
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
  }
}

TEST(BadInput, OneVariableUnderTwoNamesIsRefused) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam({{"boundary:\n  left: {u_x: 0, u_y: 0}\n", "cases: {a: {boundary: {left: {u_x: 0, u_y: 0}}}}\n"},
                                {"upper: 1000}", "upper: 1000}\n  - {variable: cases.a.materials.rubber.young}"}}));
  const Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 3);
  EXPECT_NE(end.err.find("'cases.a.materials.rubber.young' is already set by 'materials.rubber.young'"), std::string::npos) << end.err;
}

/// What mistakes leave readable is checked, too, without errors that follow from them.
TEST(BadInput, AllMistakesAreReportedAtOnce) {
  const struct {
    Edits edits;
    std::vector<std::string> said;
  } table[] = {
      {{{"young: 100", "yuong: 100"}, {"cells: [4, 1]", "cells: [4]"}, {"y: 0.1}", "y: []}"}}, {"spec.yaml:2:", "spec.yaml:5:", "spec.yaml:9:"}},
      {{{"young: 100", "yuong: 100"}, {"left: {u_x", "lfet: {u_x"}, {"right, y: 0.1", "rihgt, y: q*x"}, {"markers.csv", "nothing.csv"}, {"output:", "expect: {probes.tpi: {value: 1}}\noutput:"}},
       {"spec.yaml:5:32: error: unknown key 'yuong'", "spec.yaml:7:3: error: the mesh has no region 'lfet'", "spec.yaml:9:33: error: the mesh has no region 'rihgt'",
        "spec.yaml:9:43: error: cannot read the formula", "spec.yaml:13:27: error: ", "spec.yaml:14:10: error: results.json"}},
      {{{"- {type: markers", "- {type: complaince}\n  - {type: markers"}, {"rubber.young, start", "rubber.yuong, start"}, {"[1, 0.25], component", "[1, 0.75], component"}, {"title: a beam", "title: a beam\noptimizer: {mehtod: mma}"}},
       {"spec.yaml:2:13: error: unknown key 'mehtod'", "spec.yaml:12:16: error: there is no design variable", "spec.yaml:14:12: error: unknown value 'complaince'", "spec.yaml:18:18: error: the point lies outside"}},
      {{{"left: {u_x", "lfet: {u_x"}, {"rubber.young, start", "rubber.yuong, start"}, {"- {type: markers", "- {type: reaction, region: rihgt, direction: [0, 1]}\n  - {type: markers"}},
       {"spec.yaml:7:3: error: the mesh has no region 'lfet'", "spec.yaml:11:16: error: there is no design variable", "spec.yaml:13:30: error: the mesh has no region 'rihgt'"}},
  };
  for (const auto& [edits, said] : table) {
    const Workplace here;
    here.write("markers.csv", beam_markers);
    here.write("spec.yaml", beam(edits));
    const Ended end = here.invar({"run", "spec.yaml"});
    SCOPED_TRACE(end.said());
    EXPECT_EQ(end.code, 3);
    for (const std::string& words : said) EXPECT_NE(end.err.find(words), std::string::npos) << words;
    EXPECT_TRUE(end.err.ends_with("\n" + std::to_string(said.size()) + " mistakes\n"));
  }
}

}  // namespace
}  // namespace invar::test
