// Rigid parts in soft bodies, joints, drives and tendons: derivatives over load steps and in time, in the plane and in space.
#include <array>
#include <cmath>
#include <optional>

#include "libfem/mechanism/constraint_rank.hpp"
#include "libfem/mechanism/joint.hpp"
#include "libfem/mechanism/region_ties.hpp"
#include "libfem/mechanism/rigid_body.hpp"
#include "libfem/mechanism/tendon.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/mark_cells.hpp"
#include "tests/unit/gradient/tied_problem.hpp"

namespace invar::gradient_test {
namespace {

/// A soft body, held below, whose upper side is a rigid plate that carries an arm on a hinge.
class PlateWithArm : public TiedSolid {
 public:
  /// driven: a motor turns the arm, which slides along the ground, and a tendon has a given length. Else the arm swings against a
  /// spring, with a torque and a damper, and its centre is held by springs; a tendon has a given tension, and a spring joins two points of the soft body.
  /// joint: without one of the above a ball or a weld holds the arm, which the rest loads as if it swung.
  PlateWithArm(int dim, bool driven, bool moves, MPI_Comm comm, JointKind joint = JointKind::hinge) : TiedSolid(mesh_of(dim), moves, comm), dim_(dim) {
    const bool turns = joint == JointKind::hinge, spins = moves && joint != JointKind::weld;
    for (int i = 0; i < dim; ++i) nodal_->add_dirichlet({"bottom", i, {number("bottom", 0.01), [i](const double* x, double t) { return t * (0.3 + i) * x[0]; }, true, true}});
    const auto some = [dim](std::vector<double> of_plane, std::vector<double> of_space) { return dim == 2 ? of_plane : of_space; };
    const auto load = numbers("force", some({0.012, -0.02}, {0.012, -0.02, 0.007}), true);
    Numbers mass, spin, motor, length, spring, damper, torque, tension, between, post;
    if (moves) mass = numbers("mass", some({0.03, 0.004}, {0.03, 0.004, 0.005, 0.006}));
    if (spins) spin = numbers("spin", {0.4});
    if (driven) {
      motor = numbers("motor", {0.3}, true), length = shrinking(0.9);
    } else {
      if (turns) spring = numbers("spring", {0.3, 0.2}), torque = numbers("torque", {0.02}, true);
      tension = numbers("tension", {0.03}, true);
      between = numbers("between", {0.3, 0.5});
      between.push_back(moves ? numbers("damping", {0.1})[0] : MechanismNumber{});
      if (moves && turns) damper = numbers("damper", {0.05});
      post = numbers("post", {0.2});
      post.push_back(moves ? numbers("post damping", {0.1})[0] : MechanismNumber{});
    }
    begin();
    std::vector<LinearConstraint> constraints;
    const RegionNodes top = gather_region(*dofs_, "top");
    plate_.emplace(*mechanism_, "plate", dim, centre_of(top));
    arm_.emplace(*mechanism_, "arm", dim, std::array<double, 3>{0.6, 1.4, dim == 3 ? 0.5 : 0.0});
    plate_->tie_nodes(top, components(), {}, first(), 0, constraints);
    add(arm_->dead_force(load));
    if (moves) {
      add(arm_->inertia(mass));
      if (spins) begin_with_spin(spin[0]);
    }
    const Joint hinge{joint, {&*arm_, &*plate_}, hinge_at(), {0, 0, dim == 3 && turns ? 1.0 : 0.0}};
    const auto through = attached({{0.2, 0.3, 0.3}, {0.5, 0.6, 0.6}, {0.9, 0.4, 0.4}}, "tendon", 1, constraints);
    const auto ends = attached({{0.3, 0.4, 0.6}, {0.9, 0.7, 0.3}}, "spring", 2, constraints);
    tie(constraints);
    ConstraintRank rank(solved_.ties, [this](PetscInt unknown) { return tied_->is_held(unknown); }, first());
    const auto constrain = [&](const std::string& name, auto make) {
      std::unique_ptr<MechanismTerm> term = make(mechanism_->size());
      if (!rank.add(*term)) return false;
      multipliers_.insert(mechanism_->add_unknown(name, true));
      add(std::move(term));
      return true;
    };
    std::vector<Joint> joints{hinge};
    if (driven) joints.push_back({JointKind::slider, {&*arm_, nullptr}, {0.6, 1.4, hinge_at()[2]}, {0.8, 0.6, 0.0}});
    for (const Joint& one : joints)
      for (JointConstraint& c : constraints_of(one)) EXPECT_TRUE(constrain(c.key, [&](int multiplier) { return c.make(c.map, multiplier); })) << c.key;
    if (driven) {
      EXPECT_TRUE(constrain("motor", [&](int multiplier) { return joint_motor(hinge, multiplier, motor); }));
      EXPECT_TRUE(constrain("length", [&](int multiplier) { return cable_of_length(through, dim, multiplier, length); }));
    } else {
      add(arm_->spring(post));
      if (turns) {
        add(torsion_spring(hinge, spring));
        if (moves) add(torsion_damper(hinge, damper));
        add(joint_torque(hinge, torque));
      }
      add(cable_of_tension(through, dim, tension));
      add(spring_between(ends, dim, between));
    }
    for (const RigidBody* body : {&*plate_, &*arm_})
      for (int k = 0; k < body->orthogonality_count(); ++k) constrain(body->name() + ".rigid", [&](int multiplier) { return body->orthogonality(k, multiplier); });
    tied_->finish();
    for (int k = 0; k < mechanism_->size(); ++k) names_[std::to_string(k)] = k;
  }

 private:
  using Numbers = std::vector<MechanismNumber>;

  static Mesh mesh_of(int dim) {
    Mesh serial = dim == 2 ? make_rectangle(0, 0, 1.2, 1, 3, 3, Shape::quadrilateral, 2) : make_box({0, 0, 0}, {1.2, 1, 1}, {2, 2, 2}, Shape::hexahedron);
    for (std::size_t n = 0; n < serial.coordinates.size(); n += dim)  // bent cells
      serial.coordinates[n + 1] += 0.04 * std::sin(5 * serial.coordinates[n]) * serial.coordinates[n + 1] * (1 - serial.coordinates[n + 1]);
    return serial;
  }
  std::array<double, 3> hinge_at() const { return {0.6, 1.1, dim_ == 3 ? 0.5 : 0.0}; }
  std::vector<int> components() const { return dim_ == 2 ? std::vector{0, 1} : std::vector{0, 1, 2}; }
  Numbers numbers(const std::string& name, const std::vector<double>& values, bool grows = false) {
    Numbers all;
    for (const double v : values) all.push_back({number(name, v), grows ? std::function<double(double)>([](double t) { return t; }) : nullptr});
    return all;
  }
  /// The length that the tendon has at rest times a number, 1, and down to so much of it.
  Numbers shrinking(double share) {
    const auto gap = [this](double x, double y, double z) { return std::hypot(x, y, dim_ == 3 ? z : 0.0); };
    const double rest = gap(0.3, 0.3, 0.3) + gap(0.4, 0.2, 0.2);
    return {{number("length", 1), [rest, share](double t) { return rest * (1 - (1 - share) * t); }}};
  }
  /// About its joint: velocities that the hinge lets it have.
  void begin_with_spin(const MechanismNumber& spin) {
    const auto times = [&](double factor) { return MechanismNumber{spin.control, [factor](double) { return factor; }}; };
    mechanism_->add_initial(Level::rate, arm_->turn(1, 0), times(1));
    mechanism_->add_initial(Level::rate, arm_->turn(0, 1), times(-1));
    mechanism_->add_initial(Level::rate, arm_->shift(0), times(-0.3));
  }
  std::vector<AttachedPoint> attached(const std::vector<std::array<double, 3>>& places, const char* name, int source, std::vector<LinearConstraint>& out) {
    std::vector<AttachedPoint> points;
    for (std::array<double, 3> at : places) {
      if (dim_ == 2) at[2] = 0;
      points.push_back({at, {-1, -1, -1}});
    }
    const auto wrong = attach_points(*dofs_, *mechanism_, name, components(), first(), source, points, out);
    EXPECT_FALSE(wrong) << *wrong;
    return points;
  }
  void add(std::unique_ptr<MechanismTerm> term) { mechanism_->add_term(std::move(term)); }

  int dim_;
  std::optional<RigidBody> plate_, arm_;
};

/// The half of a body, in space the quarter, that its planes of symmetry leave, which move. One end is rigid: at its nodes on the planes
/// displacements are prescribed.
class HalfLink : public TiedSolid {
 public:
  HalfLink(int dim, bool moves, MPI_Comm comm) : TiedSolid(mesh_of(dim), moves, comm) {
    nodal_->add_dirichlet({"left", 0, {number("left", 0.01), [](const double* x, double t) { return t * (1 + x[1] * x[1]); }, true, true}});
    for (int i = 1; i < dim; ++i)  // as a whole, so that the end is not strained
      nodal_->add_dirichlet({i == 1 ? "bottom" : "back", i, {number("plane", 0.03 - 0.01 * i), [](const double*, double t) { return t * (1 + 0.5 * t); }, false, true}});
    std::vector<MechanismNumber> pull{{number("pull", 0.06), [](double t) { return t; }}};
    for (int i = 1; i < dim; ++i) pull.push_back({});
    begin();
    const RegionNodes nodes = gather_region(*dofs_, "link");
    link_.emplace(*mechanism_, "link", dim, centre_of(nodes));
    std::vector<LinearConstraint> constraints;
    std::vector<int> components;
    for (int i = 0; i < dim; ++i) components.push_back(i);
    link_->tie_nodes(nodes, components, {}, first(), 0, constraints);
    tie(constraints);
    mechanism_->add_term(link_->dead_force(pull));
    ConstraintRank rank(solved_.ties, [this](PetscInt unknown) { return tied_->is_held(unknown); }, first());
    for (int k = 0; k < link_->orthogonality_count(); ++k) {
      std::unique_ptr<MechanismTerm> term = link_->orthogonality(k, mechanism_->size());
      if (!rank.add(*term)) continue;
      multipliers_.insert(mechanism_->add_unknown("link.rigid", true));
      mechanism_->add_term(std::move(term));
    }
    tied_->finish();
    for (int k = 0; k < mechanism_->size(); ++k) names_[std::to_string(k)] = k;
  }

 private:
  static Mesh mesh_of(int dim) {
    Mesh serial = dim == 2 ? make_rectangle(0, 0, 1.2, 1, 3, 3, Shape::quadrilateral, 2) : make_box({0, 0, 0}, {1.2, 1, 1}, {3, 2, 2}, Shape::hexahedron);
    mark_cells(serial, "link", [](double x, double, double) { return x > 0.8; });
    return serial;
  }
  std::optional<RigidBody> link_;
};

/// What does not matter is not tested.
void expect_all_to_matter(CaseFunctional& f, const DesignVector& theta) {
  DesignVector g;
  ASSERT_TRUE(f.gradient(theta, g).ok);
  for (std::size_t i = 0; i < g.shared.size(); ++i) EXPECT_GT(std::abs(g.shared[i]), 1e-9) << f.names()[i];
}

// On several ranks each kind of drive in one of the dimensions.
TEST(RigidParts, AreExactOverLoadSteps) {
  for (const int dim : {2, 3})
    for (const bool driven : {false, true}) {
      if (rank_count() > 1 && (dim == 3) == driven) continue;
      SCOPED_TRACE(std::to_string(dim) + (driven ? " driven" : ""));
      const PlateWithArm body(dim, driven, false, PETSC_COMM_WORLD);
      CaseFunctional f = functional_of(body, body.at_rest());
      const DesignVector theta = probed(f);
      expect_all_to_matter(f, theta);
      check_adjoint_against_tangent(f, theta);
      check_taylor(f, theta, 0.01);
      check_hessian(f, theta);
      if (rank_count() == 1) check_differences(f, theta);
    }
}

// A driven arm whose length or angle is designed violates its constraints initially: the first step jumps, which the derivatives include.
TEST(RigidParts, AreExactInTime) {
  for (const int dim : {2, 3})
    for (const bool driven : {false, true})
      for (const auto kind : {TimeScheme::Kind::bdf2, TimeScheme::Kind::generalised_alpha}) {
        if ((rank_count() > 1 || dim == 3) && (kind == TimeScheme::Kind::bdf2) == driven) continue;
        if (rank_count() > 1 && (dim == 3) == driven) continue;
        SCOPED_TRACE(std::to_string(dim) + (driven ? " driven" : ""));
        const PlateWithArm body(dim, driven, true, PETSC_COMM_WORLD);
        CaseFunctional f = functional_of(body, body.in_time(kind));
        const DesignVector theta = probed(f);
        expect_all_to_matter(f, theta);
        check_adjoint_against_tangent(f, theta);
        check_taylor(f, theta, 0.01);
        check_hessian(f, theta);
      }
}

TEST(RigidParts, AreExactWithBallsAndWelds) {
  for (const auto& [dim, joint, kind] : {std::tuple{3, JointKind::ball, TimeScheme::Kind::generalised_alpha}, {2, JointKind::weld, TimeScheme::Kind::bdf2},
                                         {3, JointKind::weld, TimeScheme::Kind::generalised_alpha}}) {
    if (rank_count() > 1 && joint != JointKind::ball) continue;
    SCOPED_TRACE(std::to_string(dim) + (joint == JointKind::ball ? " ball" : " weld"));
    for (const bool moves : {false, true}) {
      if (joint == JointKind::ball && !moves) continue;  // at rest nothing keeps the arm from turning about the line to its centre
      const PlateWithArm body(dim, false, moves, PETSC_COMM_WORLD, joint);
      CaseFunctional f = functional_of(body, moves ? std::shared_ptr<Case>(body.in_time(kind)) : body.at_rest());
      const DesignVector theta = probed(f);
      expect_all_to_matter(f, theta);
      check_adjoint_against_tangent(f, theta);
      check_taylor(f, theta, 0.01);
      if (!moves) check_hessian(f, theta);
    }
  }
}

TEST(RigidParts, AreExactOnPlanesOfSymmetry) {
  for (const int dim : {2, 3}) {
    SCOPED_TRACE(dim);
    const HalfLink at_rest(dim, false, PETSC_COMM_WORLD);
    CaseFunctional f = functional_of(at_rest, at_rest.at_rest());
    const DesignVector theta = probed(f);
    expect_all_to_matter(f, theta);
    check_adjoint_against_tangent(f, theta);
    check_taylor(f, theta, 0.01);
    check_hessian(f, theta);
    if (rank_count() == 1) check_differences(f, theta);
    for (const auto kind : {TimeScheme::Kind::bdf2, TimeScheme::Kind::generalised_alpha}) {
      if (dim == 3 && kind == TimeScheme::Kind::bdf2) continue;
      const HalfLink moving(dim, true, PETSC_COMM_WORLD);
      CaseFunctional g = functional_of(moving, moving.in_time(kind));
      const DesignVector start = probed(g);
      expect_all_to_matter(g, start);
      check_adjoint_against_tangent(g, start);
      check_taylor(g, start, 0.01);
    }
  }
}

TEST(RigidParts, RanksAgree) {
  if (rank_count() == 1) GTEST_SKIP() << "on several ranks";
  const PlateWithArm together(2, true, false, PETSC_COMM_WORLD), alone(2, true, false, PETSC_COMM_SELF);
  expect_ranks_agree(functional_of(together, together.at_rest()), functional_of(alone, alone.at_rest()), "rigid parts");
}

}  // namespace
}  // namespace invar::gradient_test
