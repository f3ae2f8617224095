#include <gtest/gtest.h>

#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A bar of two cells along x whose right end is put elsewhere at once, with nothing between: a process in time.
std::string displaced_bar(const std::string& material, const std::string& u_x) {
  return "title: a bar\nmesh: {rectangle: {to: [2, 1], cells: [2, 1]}}\n"
         "physics: {type: solid, kind: plane_strain, order: 1}\nmaterials:\n  rubber: " +
         material + "\nboundary:\n  left: {u_x: 0, u_y: 0}\n  right: {u_x: " + u_x +
         ", u_y: 0}\ntime: {scheme: backward_euler, inertia: false, end: 1, steps: 1}\nsolver: {max_cuts: 0}\n";
}

std::string failure_of(const std::string& spec, int ranks = 1) {
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml"}, ranks);
  EXPECT_EQ(end.code, 4) << end.said();
  return end.out;
}

/// The right cell takes all of it: its length is 1 − 1.5.
TEST(Inadmissible, NamesTheElementThatIsTurnedInsideOut) {
  for (const int ranks : {1, 2}) {
    const std::string said = failure_of(displaced_bar("{model: neo_hookean, young: 100, poisson: 0.3}", "-1.5"), ranks);
    EXPECT_NE(said.find("'rubber' (neo_hookean) at (1.5, 0.5) is inverted: det F = -0.5, and must be positive"), std::string::npos) << said;
  }
}

/// F = diag(3, 1, 1): I1 − 3 = 11 / 3^(2/3) − 3 = 2.288.
TEST(Inadmissible, NamesTheLawAndItsBound) {
  const std::string said = failure_of(displaced_bar("{model: gent, mu: 100, jm: 2, bulk: 300}", "2"));
  EXPECT_NE(said.find("'rubber' (gent) at (1.5, 0.5) has no finite stress: stretched to I1 - 3 = 2.288"), std::string::npos) << said;
  EXPECT_NE(said.find("det F = 3"), std::string::npos) << said;
  EXPECT_NE(said.find("jm = 2 (limit Jm of"), std::string::npos) << said;
}

/// A failure of Newton's method from an admissible start: trial points were inadmissible, but the numbers of the spec are valid.
TEST(Inadmissible, IsNotSaidOfStatesThatAreAdmissible) {
  const std::string said = failure_of(R"(title: a strip pushed together
mesh: {rectangle: {to: [1, 0.02], cells: [20, 1]}}
physics: {type: solid, kind: plane_stress}
materials:
  steel: {model: saint_venant_kirchhoff, young: 1000, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0}
  right: {u_x: -0.01, u_y: 0}
loads:
  push: {type: traction, region: top, y: 0.001}
  top: {type: traction, region: top, y: -1}
time: {control: arc_length, scaled: [loads.top.y], steps: 20, end: 0.3}
solver: {max_iterations: 8, max_cuts: 0}
)");
  EXPECT_EQ(said.find("not a finite number"), std::string::npos) << said;
}

/// A square of four cells; every load is finite where it acts, but for the one at the upper half of the right side.
TEST(Inadmissible, NamesTheLoadThatIsNoNumberAndItsPlace) {
  const std::string square = R"spec(title: a square
mesh: {rectangle: {to: [1, 1], cells: [2, 2]}}
physics: {type: solid, kind: plane_strain, order: 1}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  weight: {type: body_force, y: -1}
  push: {type: traction, region: top, y: "-sqrt(x)"}
  pull: {type: traction, region: right, x: "sqrt(0.5 - y)"}
solver: {max_cuts: 0}
)spec";
  for (const int ranks : {1, 2}) {
    const std::string said = failure_of(square, ranks);
    EXPECT_NE(said.find("the traction 'pull' is not a finite number in the equation of u_x at (1, 1), region '"), std::string::npos) << said;
  }
  const std::string flow = R"spec(title: a channel
mesh: {rectangle: {to: [1, 1], cells: [2, 2]}}
physics: {type: flow, kind: planar}
materials:
  water: {model: newtonian, density: 1, viscosity: 1}
boundary:
  left: {u_x: 1, u_y: 0}
loads:
  wind: {type: traction, region: right, y: "log(y - 0.5)"}
)spec";
  const std::string said = failure_of(flow);
  EXPECT_NE(said.find("the traction 'wind' is not a finite number in the equation of u_y at (1, 0"), std::string::npos) << said;
}

}  // namespace
}  // namespace invar::test
