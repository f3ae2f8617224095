// Too many and too few constraints of mechanisms.
#include <gtest/gtest.h>

#include "libfem/mechanism/tied_equation.hpp"
#include "tests/unit/mechanism/mobile.hpp"

namespace invar::mechanisms {
namespace {

TEST(MechanismConstraints, RedundantOnesAreSeen) {
  Mobile mobile;
  RigidBody &a = mobile.body(3, {0, 0, 0}, 1, {1, 1, 1}), &b = mobile.body(3, {1, 0, 0}, 1, {1, 1, 1});
  const std::vector<Tie> none;
  ConstraintRank rank(none, [](PetscInt) { return false; }, 0);
  int independent = 0;
  const auto count = [&](const Joint& joint) {
    int added = 0, all = 0;
    for (const JointConstraint& c : constraints_of(joint)) added += rank.add(*c.make(c.map, 1000)), ++all;
    independent += added;
    return std::array<int, 2>{added, all};
  };
  EXPECT_EQ(count({JointKind::hinge, {&a, nullptr}, {0, 0, 0}, {0, 0, 1}}), (std::array<int, 2>{6, 6}));
  EXPECT_EQ(count({JointKind::hinge, {&b, &a}, {1, 0, 0}, {0, 1, 0}}), (std::array<int, 2>{6, 6}));
  EXPECT_EQ(count({JointKind::hinge, {&a, nullptr}, {0, 0, 2}, {0, 0, 1}})[0], 0);  // a second hinge on the same axis
  int free = 24 - independent;
  for (const RigidBody* body : {&a, &b})
    for (int k = 0; k < body->orthogonality_count(); ++k) free -= rank.add(*body->orthogonality(k, 1000));
  EXPECT_EQ(free, 2);  // the two angles
}

// An arm on a ball joint whose centre a spring holds turns about the line through both; a body beside it is free.
TEST(MechanismConstraints, FreeMotionsInStaticsAreFound) {
  Mobile m;
  RigidBody& arm = m.body(3, {1, 2, 0}, 1, {1, 1, 1});
  RigidBody& loose = m.body(3, {0, 0, 2}, 1, {1, 1, 1});
  m.mechanism->add_term(arm.spring({m.number(2), m.number(0)}));
  m.joints.push_back({JointKind::ball, {&arm, nullptr}, {1, 0, 0}, {}});
  m.constrain();
  m.numbers->finish();
  TiedEquation tied(m.numbers, m.mechanism);
  tied.solve({});
  tied.finish();
  StepTable load;
  load.equation[Level::value].unknown = 1;
  load.time = load.end = 1;
  const auto motions = tied.free_motions(load);
  EXPECT_EQ(motions.size(), 7u);
  EXPECT_EQ(arm.described(motions), "turn about the axis through (1, 2, 0) along (0, 1, 0)");
  EXPECT_EQ(loose.described(motions), "turn about every axis and move in every direction");
  EXPECT_EQ(arm.described({motions.back()}).empty() + loose.described({motions.back()}).empty(), 1);  // they have nothing to do with each other
}

}  // namespace
}  // namespace invar::mechanisms
