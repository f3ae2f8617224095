// Which problems over a density are recognised as convex, and that they are.
#include "apps/invar/problem/convexity.hpp"

#include <gtest/gtest.h>

#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

using Edits = std::vector<std::pair<std::string, std::string>>;

/// A sheet that hangs on its left side, with texts replaced.
Problem sheet_problem(const Workplace& here, const Edits& edits = {}) {
  std::string spec = R"(title: a sheet of variable thickness
mesh: {rectangle: {to: [3, 1], cells: [6, 3]}}
physics: {type: solid, kind: plane_stress, order: 1}
materials:
  sheet: {model: linear_elastic, young: 1, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  load: {type: traction, region: right, y: -1}
design:
  - {kind: solid_density, variable: materials.sheet.young, void_share: 1e-3, start: 0.5, stages: [{penalty: 1, iterations: 5}]}
objective:
  - {type: compliance}
constraints:
  - {type: material_volume, upper: 1.5}
)";
  for (const auto& [from, to] : edits) {
    const std::size_t at = spec.find(from);
    if (at == std::string::npos) throw std::logic_error("the sheet has no '" + from + "'");
    spec.replace(at, from.size(), to);
  }
  here.write("spec.yaml", spec);
  return build_problem(here.folder() / "spec.yaml", {}, PETSC_COMM_WORLD);
}

const Edits orthotropic{{"{model: linear_elastic, young: 1, poisson: 0.3}", "{model: orthotropic, E1: 1, E2: 2, E3: 1, nu12: 0.2, nu23: 0.3, nu13: 0.25, G12: 0.5, G23: 0.5, G13: 0.5, material_share: 1}"},
                        {"materials.sheet.young", "materials.sheet.material_share"}};
const Edits springs{{"loads:\n", "loads:\n  bed: {type: foundation, region: bottom, y: 0.1}\n  prop: {type: spring, region: right_bottom, y: 0.2}\n"}};

/// Between two designs the objective is below its chord, and the constraint is on it.
TEST(Convexity, OfRecognisedProblemsHoldsAlongChords) {
  for (const Edits& edits : {Edits{}, orthotropic, springs}) {
    const Workplace here;
    Problem problem = sheet_problem(here, edits);
    EXPECT_EQ(why_not_convex(problem), "");
    const auto value = [&](const DesignVector& theta) {
      const Evaluation e = problem.functional->value(theta);
      EXPECT_TRUE(e.ok) << e.reason;
      return e.value;
    };
    const auto volume = [&](const DesignVector& theta) {
      std::vector<double> c;
      EXPECT_TRUE(problem.functional->constraint_values(theta, c).ok);
      return c.at(0);
    };
    const DesignVector start = problem.functional->start();
    for (int seed = 1; seed <= 3; ++seed) {
      DesignVector a = start, b = start, middle = start;
      for (std::size_t k = 0; k < a.local.size(); ++k) {
        a.local[k] = 0.5 + 0.45 * std::sin(1.7 * seed * (k + 1)), b.local[k] = 0.5 + 0.45 * std::cos(2.3 * seed * (k + 2));
        middle.local[k] = (a.local[k] + b.local[k]) / 2;
      }
      EXPECT_LT(value(middle), (value(a) + value(b)) / 2) << seed;
      EXPECT_NEAR(volume(middle), (volume(a) + volume(b)) / 2, 1e-13) << seed;
    }
  }
}

TEST(Convexity, IsNotClaimedOfOthers) {
  const std::pair<Edits, const char*> others[] = {
      {{{"penalty: 1", "penalty: 3"}}, "the stiffness is not affine in the density: penalty and steepness"},
      {{{"linear_elastic", "neo_hookean"}}, "material 'sheet' is not linear elastic"},
      {{{"poisson: 0.3}", "poisson: 0.3, swelling: 0.1}"}}, "material 'sheet' is not linear elastic"},
      {{{"materials.sheet.young", "materials.sheet.poisson"}}, "the stress of material 'sheet' is not affine in the designed constant"},
      {{{"u_y: 0}", "u_y: 0.1}"}}, "the support 'left' moves"},
      {{{"{type: traction, region: right, y: -1}", "{type: traction, region: right, y: -1}\n  push: {type: pressure, region: top, p: 0.1}"}},
       "load 'push' is neither known to be dead nor a spring to the ground"},
      {{{"boundary:", "ties: {end: {type: plane, region: right, u_x: free}}\nboundary:"}}, "nodes are tied to each other or to rigid parts"},
      {{{"type: compliance", "type: compliance, weight: -1"}}, "'compliance' is maximised"},
      {{{"type: compliance", "type: point, point: [3, 0], component: u_y"}}, "the objective 'point' is not known to be convex"},
      {{{"type: material_volume, upper: 1.5", "type: compliance, upper: 100"}}, "the constraint 'compliance' is not affine in the density"}};
  for (const auto& [edits, why] : others) {
    const Workplace here;
    EXPECT_EQ(why_not_convex(sheet_problem(here, edits)), why);
  }
}

}  // namespace
}  // namespace invar::test
