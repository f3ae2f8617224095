// Places of rigid parts, joints and tendons as numbers of a design, and rigid parts and tendons in a designed shape: derivatives over load steps
// and in time.
#include <cmath>
#include <optional>

#include "libfem/design/boundary/free_boundary.hpp"
#include "libfem/mechanism/constraint_rank.hpp"
#include "libfem/mechanism/joint.hpp"
#include "libfem/mechanism/region_ties.hpp"
#include "libfem/mechanism/rest_numbers.hpp"
#include "libfem/mechanism/rigid_body.hpp"
#include "libfem/mechanism/tendon.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfluid/mesh_motion/shape_design.hpp"
#include "tests/unit/gradient/tied_problem.hpp"

namespace invar::gradient_test {
namespace {

enum class DesignedPart { places, shape };

/// A soft body, held below, whose upper side is a rigid plate; an arm without cells hangs on it by a hinge; a cable and a spring through
/// the body.
class PlacedParts : public TiedSolid {
 public:
  /// places: those of plate, arm, joint and of a point of the cable; shape: the upper side, with the plate and what is within.
  PlacedParts(int dim, DesignedPart what, bool moves, MPI_Comm comm) : TiedSolid(mesh_of(dim), moves, comm), dim_(dim), what_(what) {
    for (int i = 0; i < dim; ++i) nodal_->add_dirichlet({"bottom", i, {number("bottom", 0.01), [i](const double* x, double t) { return t * (0.3 + i) * x[0]; }, true, true}});
    if (what == DesignedPart::shape) nodal_->add_coordinates();
    begin();
    rest_ = std::make_shared<RestNumbers>(nodal_);
    std::vector<LinearConstraint> constraints;
    const RegionNodes top = gather_region(*dofs_, "top");
    plate_.emplace(*mechanism_, "plate", dim, centre_of_plate(top));
    arm_.emplace(*mechanism_, "arm", dim, place({0.6, 1.4, 0.5}, false));
    plate_->tie_nodes(top, components(), {}, first(), 0, constraints, rest_.get());
    mechanism_->add_term(arm_->dead_force(numbers("force", {0.012, -0.02, 0.007}, dim, true)));
    mechanism_->add_term(plate_->dead_force(numbers("weight", {0.02, -0.03, 0.01}, dim, true)));
    if (moves) mechanism_->add_term(arm_->inertia(numbers("mass", {0.03, 0.004, 0.005, 0.006}, dim == 2 ? 2 : 4)));
    if (moves) mechanism_->add_term(plate_->inertia(numbers("mass", {0.02, 0.003, 0.002, 0.004}, dim == 2 ? 2 : 4)));
    const Joint hinge{JointKind::hinge, {&*arm_, &*plate_}, place({0.55, 1.1, 0.45}, false), {0, 0, dim == 3 ? 1.0 : 0.0}};
    std::vector<AttachedPoint> cable{{place({0.2, 0.3, 0.3}, true)}, {place({0.5, 0.42, 0.6}, false)}, {place({0.9, 0.4, 0.4}, true)}};
    const PointSurroundings around{.rest = rest_.get()};
    if (what == DesignedPart::shape) cable[1].at = place({0.5, 0.42, 0.6}, true);
    const auto wrong = attach_points(*dofs_, *mechanism_, "cable", components(), first(), 1, cable, constraints, around);
    EXPECT_FALSE(wrong) << *wrong;
    mechanism_->read_rest(rest_);
    tied_ = std::make_shared<TiedEquation>(nodal_, mechanism_);
    tied_->set_rest(rest_);
    solved_ = tied_->solve(constraints);
    EXPECT_TRUE(solved_.contradicted.empty());
    ConstraintRank rank(solved_.ties, [this](PetscInt unknown) { return tied_->is_held(unknown); }, first());
    const auto constrain = [&](const std::string& name, auto make) {
      std::unique_ptr<MechanismTerm> term = make(mechanism_->size());
      if (!rank.add(*term)) return;
      multipliers_.insert(mechanism_->add_unknown(name, true));
      mechanism_->add_term(std::move(term));
    };
    for (JointConstraint& c : constraints_of(hinge)) constrain(c.key, [&](int multiplier) { return c.make(c.map, multiplier); });
    mechanism_->add_term(torsion_spring(hinge, numbers("spring", {0.3, 0.2}, 2)));
    mechanism_->add_term(cable_of_tension(cable, dim, numbers("tension", {0.05}, 1, true)));
    for (const RigidBody* body : {&*plate_, &*arm_})
      for (int k = 0; k < body->orthogonality_count(); ++k) constrain(body->name() + ".rigid", [&](int multiplier) { return body->orthogonality(k, multiplier); });
    tied_->finish();
    for (const int k : {plate_->shift(1), arm_->shift(0), arm_->turn(0, 1), mechanism_->size() - 1})
      names_[std::to_string(k)] = k;
  }
  /// With moved coordinates of the mesh, and any q, the plate's nodes have the motion of a rigid body from where they are then.
  void expect_rigid_in_a_moved_mesh() const {
    Setting given = nodal_->given();
    Controls d = *given.controls;
    std::vector<double>& X = d[nodal_->coordinates_control()];
    for (std::size_t n = 0; n < X.size(); n += dim_) X[n] += 0.05 * std::sin(3 * X[n + 1]), X[n + 1] += 0.1 * X[n] * X[n];
    given.controls = std::make_shared<const Controls>(std::move(d));
    const VecHandle q = tied_->equation()->create_vector();
    PetscInt begin = 0, end = 0;
    check(VecGetOwnershipRange(q, &begin, &end));
    for (PetscInt k = begin; k < end; ++k) check(VecSetValue(q, k, std::sin(1.0 + double(k)), INSERT_VALUES));
    check(VecAssemblyBegin(q));
    check(VecAssemblyEnd(q));
    const EvaluationPoint at{State(q), given};
    const auto value_of = [&](int unknown) {
      double value = 0;
      tied_->value_of(unknown)->evaluate(at, &value);
      return value;
    };
    std::vector<double> shift, turn;
    for (int i = 0; i < dim_; ++i) {
      shift.push_back(value_of(plate_->shift(i)));
      for (int j = 0; j < dim_; ++j) turn.push_back(value_of(plate_->turn(i, j)));
    }
    const std::vector<double> numbers = rest_->values(*given.controls);  // the first ones are the centre
    const std::vector<double>& moved = nodal_->coordinates(given);
    tied_->unfold(at, [&](const EvaluationPoint& u) {
      const double* a = nullptr;
      check(VecGetArrayRead(u.levels[Level::value], &a));
      for (const int node : dofs_->mesh().find_region("top")->nodes)
        for (int i = 0; i < dim_ && node < dofs_->mesh().n_owned_nodes; ++i) {
          double expected = shift[i];
          for (int j = 0; j < dim_; ++j) expected += turn[i * dim_ + j] * (moved[std::size_t(node) * dim_ + j] - numbers[j]);
          EXPECT_NEAR(a[dofs_->dof(node, i)], expected, 1e-13);
        }
      check(VecRestoreArrayRead(u.levels[Level::value], &a));
    });
  }
  /// The numbers and, with its own, the shape.
  std::vector<std::shared_ptr<Parameterization>> parameters() const {
    std::vector<std::shared_ptr<Parameterization>> all{std::make_shared<NumberDesign>(design())};
    if (what_ == DesignedPart::places) return all;
    MeshMotionOptions options;
    options.moving = {"top"};
    if (dim_ == 3) options.method = MeshMotionOptions::Method::inverse_distance;
    options.sliding = {{"left", 0}, {"right", 0}};
    if (dim_ == 3) options.sliding.insert(options.sliding.end(), {{"back", 2}, {"front", 2}});
    const FreeBoundaryOptions free{.region = "top", .smoothing = 0.3, .largest = 0.2, .ends_move = true};
    const std::shared_ptr<const Mesh> mesh = dofs_->mesh_pointer();
    all.push_back(std::make_shared<ShapeDesign>(std::make_shared<FreeBoundary>(mesh, comm(), free), make_mesh_motion(mesh, comm(), options),
                                                std::vector<ShapeDesign::Target>{{0, nodal_->coordinates_control()}}));
    return all;
  }

 private:
  static Mesh mesh_of(int dim) {
    Mesh serial = dim == 2 ? make_rectangle(0, 0, 1.2, 1, 3, 3, Shape::quadrilateral, 2) : make_box({0, 0, 0}, {1.2, 1, 1}, {2, 2, 2}, Shape::hexahedron);
    for (std::size_t n = 0; n < serial.coordinates.size(); n += dim)  // bent cells
      serial.coordinates[n + 1] += 0.04 * std::sin(5 * serial.coordinates[n]) * serial.coordinates[n + 1] * (1 - serial.coordinates[n + 1]);
    return serial;
  }
  std::vector<int> components() const { return dim_ == 2 ? std::vector{0, 1} : std::vector{0, 1, 2}; }
  std::vector<MechanismNumber> numbers(const std::string& name, std::vector<double> values, int count, bool grows = false) {
    std::vector<MechanismNumber> all;
    values.resize(count);
    for (const double v : values) all.push_back({number(name, v), grows ? std::function<double(double)>([](double t) { return t; }) : nullptr});
    return all;
  }
  RestPlace place(std::array<double, 3> x, bool fixed) {
    if (dim_ == 2) x[2] = 0;
    RestPlace all(x);
    for (int i = 0; i < dim_ && !fixed; ++i) all.let_follow(i, {.control = number("place", x[i])});
    return all;
  }
  RestPlace centre_of_plate(const RegionNodes& top) {
    if (what_ == DesignedPart::shape) return centre_in_shape(top, *rest_);
    RestPlace centre(centre_of(top));
    for (int i = 0; i < dim_; ++i) centre.let_follow(i, {.rest = rest_->add_control(number("plate", centre.start()[i]))});
    return centre;
  }

  int dim_;
  DesignedPart what_;
  std::shared_ptr<RestNumbers> rest_;
  std::optional<RigidBody> plate_, arm_;
};

template <class C>
CaseFunctional placed_functional(const PlacedParts& parts, const std::shared_ptr<C>& c) {
  return CaseFunctional({c}, parts.parameters(), parts.comm());
}

// On several ranks each in one of the dimensions.
TEST(RigidPlaces, AreExactOverLoadSteps) {
  for (const int dim : {2, 3})
    for (const DesignedPart what : {DesignedPart::places, DesignedPart::shape}) {
      if (rank_count() > 1 && (dim == 3) == (what == DesignedPart::places)) continue;
      SCOPED_TRACE(std::to_string(dim) + (what == DesignedPart::places ? " places" : " shape"));
      const PlacedParts parts(dim, what, false, PETSC_COMM_WORLD);
      CaseFunctional f = placed_functional(parts, parts.at_rest());
      const DesignVector theta = probed(f);
      check_adjoint_against_tangent(f, theta);
      check_taylor(f, theta, 0.01);
      check_hessian(f, theta);
      if (rank_count() == 1 && what == DesignedPart::places) check_differences(f, theta);
    }
}

TEST(RigidPlaces, NodesFollowTheDesignedShape) {
  for (const int dim : {2, 3}) PlacedParts(dim, DesignedPart::shape, false, PETSC_COMM_WORLD).expect_rigid_in_a_moved_mesh();
}

TEST(RigidPlaces, AreExactInTime) {
  for (const DesignedPart what : {DesignedPart::places, DesignedPart::shape})
    for (const auto kind : {TimeScheme::Kind::bdf2, TimeScheme::Kind::generalised_alpha}) {
      if ((kind == TimeScheme::Kind::bdf2) == (what == DesignedPart::places) && rank_count() > 1) continue;
      SCOPED_TRACE(what == DesignedPart::places ? "places" : "shape");
      const PlacedParts parts(rank_count() > 1 && what == DesignedPart::shape ? 3 : 2, what, true, PETSC_COMM_WORLD);
      CaseFunctional f = placed_functional(parts, parts.in_time(kind));
      const DesignVector theta = probed(f);
      check_adjoint_against_tangent(f, theta);
      check_taylor(f, theta, 0.01);
      check_hessian(f, theta);
    }
}

TEST(RigidPlaces, RanksAgree) {
  if (rank_count() == 1) GTEST_SKIP() << "on several ranks";
  const PlacedParts together(2, DesignedPart::places, false, PETSC_COMM_WORLD), alone(2, DesignedPart::places, false, PETSC_COMM_SELF);
  expect_ranks_agree(placed_functional(together, together.at_rest()), placed_functional(alone, alone.at_rest()), "places");
}

}  // namespace
}  // namespace invar::gradient_test
