// Swelling and fibres as a user has them: known deformations, swelling and angles as design variables, what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A strip of two equal layers, of which the upper one swells and bends it; half of it, about a plane of symmetry.
std::string two_layers(const std::string& physics, const std::string& law, const std::string& more) {
  return "title: two layers\n"
         "mesh:\n"
         "  rectangle: {to: [0.1, 0.002], cells: [100, 4]}\n"
         "  parts: {lower: 0.001 - y, upper: y - 0.001}\n"
         "physics: " + physics + "\n"
         "materials:\n"
         "  paper: {region: lower, " + law + "}\n"
         "  gel: {region: upper, " + law + ", swelling: 1e-5}\n"
         "boundary: {left: {u_x: 0}, left_bottom: {u_y: 0}}\n" + more;
}

/// Timoshenko, J. Opt. Soc. Am. 11 (1925): layers of equal height and stiffness that differ by a strain s bend with the curvature 3 s/(2 h);
/// the tip of a strip of length L moves by half of that times L². Found from the tip's displacement, s is what bends it so.
TEST(SwellingRun, BendsTwoLayersAsTimoshenkoSays) {
  const double s = 1e-5, tip = -0.5 * 1.5 * s / 0.002 * 0.1 * 0.1;
  const std::string found = "design:\n  - {variable: materials.gel.swelling}\n"
                            "objective:\n  - {type: point, point: [0.1, 0], component: u_y, target: " + std::to_string(4e3 * tip) + "e-3, noise: 1e-6}\n";
  struct Way { const char *physics, *law; };
  for (const Way& w : {Way{"{type: solid, kind: plane_stress}", "model: linear_elastic, young: 1e6, poisson: 0.3"},
                       Way{"{type: solid, kind: plane_stress}", "model: neo_hookean, incompressible: true, young: 1e6"},
                       Way{"{type: solid, kind: plane_stress}", "model: transversely_isotropic, E_along: 1e6, E_across: 1e6, nu_along: 0.3, nu_across: 0.3, G_along: 384615.4, angle: 20"}}) {
    SCOPED_TRACE(std::string(w.physics) + w.law);
    const Workplace here;
    here.write("spec.yaml", two_layers(w.physics, w.law, "output: {probes: {tip: {point: [0.1, 0], component: u_y}}}\n"));
    const Ended forward = here.invar({"run", "spec.yaml"});
    ASSERT_EQ(forward.code, 0) << forward.said();
    EXPECT_NEAR(json_of(here.run_folder() / "results.json")["probes"]["tip"].get<double>(), tip, 2e-3 * std::abs(tip));
    here.write("spec.yaml", two_layers(w.physics, w.law, found));
    const Ended inverse = here.invar({"run", "spec.yaml"});
    ASSERT_EQ(inverse.code, 0) << inverse.said();
    EXPECT_NEAR(json_of(here.run_folder() / "results.json")["fit"]["materials.gel.swelling"]["value"].get<double>(), 4 * s, 0.02 * s);
  }
}

/// Free, a body that keeps its volume grows by 1 + s along every axis, without stress; between plane walls that hold its depth by (1 + s)³
/// in the plane.
TEST(SwellingRun, GrowsFreelyWithoutStress) {
  const double s = 0.2;
  const auto block = [&](const std::string& physics, const std::string& law) {
    return "title: a block\nmesh: {rectangle: {to: [1, 1], cells: [2, 2]}}\nphysics: " + physics + "\nmaterials: {gel: {" + law +
           ", swelling: 0.2}}\nboundary: {left: {u_x: 0}, bottom: {u_y: 0}}\ntime: {steps: 4}\n"
           "output:\n  probes: {corner: {point: [1, 1], component: u_x}}\n  quantities: {energy: {type: stored_energy}}\n";
  };
  const Workplace here;
  const auto solved = [&](const std::string& spec) {
    here.write("spec.yaml", spec);
    const Ended end = here.invar({"run", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    return json_of(here.run_folder() / "results.json");
  };
  for (const char* law : {"model: neo_hookean, young: 1e4, poisson: 0.3", "model: yeoh, c1: 1e3, c2: 10, c3: 1, bulk: 1e4, volumetric: logarithmic",
                          "model: neo_hookean, young: 1e4, incompressible: true"}) {
    const nlohmann::json r = solved(block("{type: solid, kind: plane_stress}", law));
    EXPECT_NEAR(r["probes"]["corner"].get<double>(), s, 1e-9) << law;
    EXPECT_NEAR(r["quantities"]["energy"].get<double>(), 0, 1e-6) << law;
  }
  const nlohmann::json r = solved(block("{type: solid, kind: plane_strain, formulation: mixed}", "model: neo_hookean, young: 1e4, incompressible: true"));
  EXPECT_NEAR(r["probes"]["corner"].get<double>(), std::pow(1 + s, 1.5) - 1, 1e-9);
}

TEST(SwellingRun, FieldsOfAnglesAndSwellingHaveExactGradients) {
  const Workplace here;
  here.write("spec.yaml", R"(title: fields
mesh: {rectangle: {to: [0.04, 0.01], cells: [8, 3]}}
physics: {type: solid, kind: plane_strain, formulation: mixed}
materials:
  tissue: {model: holzapfel_gasser_ogden, mu: 15e3, fibre1_stiffness: 40e3, fibre1_exponent: 4, fibre1_dispersion: 0.08, fibre1_angle: 35, incompressible: true, swelling: 0.03}
boundary: {left: {u_x: 0, u_y: 0}, right: {u_x: 0.004}}
design:
  - {kind: field, radius: 0.012, scale: linear, variable: materials.tissue.fibre1_angle, lower: -90, upper: 90}
  - {kind: field, radius: 0.012, scale: linear, variable: materials.tissue.swelling, lower: 0, upper: 0.3}
  - {variable: materials.tissue.fibre1_dispersion}
objective:
  - {type: point, point: [0.03, 0.01], component: u_y, target: 0.001}
)");
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(SwellingRun, SaysWhatDoesNotGoTogether) {
  const Workplace here;
  const auto said = [&](const std::string& physics, const std::string& law, const std::string& more = "") {
    here.write("spec.yaml", "title: a block\nmesh: {rectangle: {to: [1, 1], cells: [2, 2]}}\nphysics: " + physics + "\nmaterials:\n  gel: {" + law +
                                "}\nboundary: {left: {u_x: 0, u_y: 0}}\n" + more);
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_EQ(end.code, 3);
    return end.said();
  };
  const std::string mixed = said("{type: solid, kind: plane_strain, formulation: mixed}", "model: yeoh, c1: 1, c2: 0, c3: 0, bulk: 9, volumetric: entropic");
  EXPECT_NE(mixed.find("'volumetric' is not a constant of 'yeoh' in the mixed formulation"), std::string::npos) << mixed;
  const std::string coupled = said("{type: solid, kind: plane_strain}", "model: neo_hookean, young: 1, poisson: 0.3, volumetric: entropic");
  EXPECT_NE(coupled.find("spec.yaml:5:"), std::string::npos) << coupled;
  const std::string relaxing = said("{type: solid, kind: plane_strain}", "model: neo_hookean, young: 1, poisson: 0.3, swelling: 0.1, relaxation: {a: {shear: 1, time: 1}}",
                                    "time: {scheme: backward_euler, step: 0.5, inertia: false}\n");
  EXPECT_NE(relaxing.find("'relaxation' is not available with 'swelling'"), std::string::npos) << relaxing;
  const std::string gone = said("{type: solid, kind: plane_strain}", "model: neo_hookean, young: 1, poisson: 0.3, swelling: -1");
  EXPECT_NE(gone.find("spec.yaml:5:"), std::string::npos) << gone;
}

}  // namespace
}  // namespace invar::test
