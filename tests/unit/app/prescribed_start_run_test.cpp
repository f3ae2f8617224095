// Motions that are prescribed and begin with a speed or an acceleration.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

/// A block of 3 kg that moves as a whole: all its nodes are held on its sides.
std::string shaken(const std::string& scheme, const std::string& motion, const std::string& rest) {
  return R"--(title: a block that is shaken
mesh: {rectangle: {to: [1, 1], cells: [1, 1]}}
physics: {type: solid, kind: plane_strain, order: 1}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3, density: 3}
boundary:
  left: {u_x: 0.1*()--" + motion + R"--(), u_y: 0}
  right: {u_x: 0.1*()--" + motion + R"--(), u_y: 0}
time: {scheme: )--" + scheme + R"--(, end: 0.4, steps: 40}
)--" + rest;
}

struct Motion {
  std::string formula;
  double (*acceleration)(double t);
};
const Motion sine{"sin(5*t)", [](double t) { return -2.5 * std::sin(5 * t); }};
const Motion cosine{"1 - cos(5*t)", [](double t) { return 2.5 * std::cos(5 * t); }};

/// A scheme, and the first time that its forces are of second order at: sdirk2 knows none where time begins, bdf2 begins with a step of
/// first order, which the next two remember.
struct Scheme {
  const char* name;
  int first;
};
class PrescribedStart : public ::testing::TestWithParam<Scheme> {};

// Each side moves half of the mass. With zero initial rates and accelerations the solution would oscillate about the prescribed motion.
TEST_P(PrescribedStart, ForcesAreMassTimesAcceleration) {
  for (const Motion& motion : {sine, cosine}) {
    SCOPED_TRACE(motion.formula);
    const Workplace here;
    results_when_solved(here, shaken(GetParam().name, motion.formula, "output:\n  fields: none\n  quantities:\n    push: {type: reaction, region: left, direction: [1, 0]}\n"));
    std::istringstream curve(content(here.run_folder() / "curves/push.csv"));
    std::string heading;
    curve >> heading;
    double t = 0, force = 0;
    char comma = 0;
    int read = 0;
    for (; curve >> t >> comma >> force; ++read) {
      if (read >= GetParam().first) {
        EXPECT_NEAR(force, 1.5 * motion.acceleration(t), 0.03) << t;
      }
    }
    EXPECT_GE(read, 40);
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, PrescribedStart,
                         ::testing::Values(Scheme{"newmark", 0}, Scheme{"generalised_alpha", 0}, Scheme{"sdirk2", 1}, Scheme{"bdf2", 4}),
                         [](const auto& tested) { return std::string(tested.param.name); });

// When the first step of a law with history variables is linearised, prescribed values are the previous ones, not zero.
TEST(PrescribedStartRun, ALawWithAMemoryFollowsAMotionThatIsNotZero) {
  const auto solved = [](const std::string& scheme) {
    const Workplace here;
    return results_when_solved(here, R"(title: a block that is pulled further
mesh: {rectangle: {to: [1, 1], cells: [3, 3]}}
physics: {type: solid, kind: plane_strain, order: 1}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3, density: 0.001, relaxation: {slow: {shear: 20, time: 0.5}}}
boundary:
  left: {u_x: 0, u_y: 0}
  right: {u_x: 0.5*sin(3*t), u_y: 0}
time: {scheme: )" + scheme + R"(, end: 0.5, steps: 20}
solver: {rtol: 1e-10}
output:
  fields: none
  quantities:
    pull: {type: reaction, region: right, direction: [1, 0]}
)")["quantities"]["pull"].template get<double>();
  };
  // newmark damps no waves: the motion begins with 1.5 m/s, and density × speed of waves × that is a hundredth of the force.
  const double newmark = solved("newmark"), reference = solved("bdf2");
  EXPECT_NEAR(newmark, reference, 0.02 * std::abs(reference));
}

}  // namespace
}  // namespace invar::test
