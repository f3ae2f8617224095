// Ties in a designed shape: means, periodic sides and planes whose nodes move, designed points of tendons in cells that move; derivatives over load
// steps and in time.
#include <array>
#include <cmath>

#include "libfem/design/boundary/free_boundary.hpp"
#include "libfem/mechanism/region_ties.hpp"
#include "libfem/mechanism/rest_numbers.hpp"
#include "libfem/mechanism/tendon.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfluid/mesh_motion/shape_design.hpp"
#include "tests/unit/gradient/tied_problem.hpp"

namespace invar::gradient_test {
namespace {

enum class Tying { plate, cell, spatial };

/// A body whose tied sides move with its shape.
class ShapedTies : public TiedSolid {
 public:
  /// plate, spatial: the upper side is plane, with one of its nodes prescribed besides; means of the side that is designed and of the body are
  /// prescribed; a cable through designed points. cell: a periodic cell with mean strains that are given and free.
  ShapedTies(Tying tying, bool moves, MPI_Comm comm) : TiedSolid(mesh_of(tying), moves, comm), tying_(tying), dim_(tying == Tying::spatial ? 3 : 2) {
    if (tying != Tying::cell) {
      for (int i = 0; i < dim_; ++i) nodal_->add_dirichlet({"bottom", i, {number("bottom", 0.02), [i](const double* x, double t) { return t * (0.3 + i) * x[0]; }, true, true}});
      if (dim_ == 2) nodal_->add_dirichlet({"left_top", 1, {number("corner", 0.03), [](const double*, double t) { return t; }, true, true}});
    }
    nodal_->add_coordinates();
    begin();
    rest_ = std::make_shared<RestNumbers>(nodal_);
    std::vector<LinearConstraint> constraints;
    tying == Tying::cell ? add_cell(constraints) : add_plate(constraints);
    mechanism_->read_rest(rest_);
    tied_ = std::make_shared<TiedEquation>(nodal_, mechanism_);
    tied_->set_rest(rest_);
    tied_->set_names({}, {"0", "1", "2", "3", "4"});
    solved_ = tied_->solve(constraints);
    EXPECT_TRUE(solved_.contradicted.empty());
    if (tying != Tying::cell)
      mechanism_->add_term(cable_of_tension(cable_, dim_, {{number("tension", 0.05), [](double t) { return t; }}}));
    tied_->finish();
  }
  std::vector<std::shared_ptr<Parameterization>> parameters() const {
    MeshMotionOptions options;
    options.moving = {tying_ == Tying::cell ? "top" : "right"};
    options.method = MeshMotionOptions::Method::inverse_distance;
    if (tying_ == Tying::cell) options.sliding = {{"left", 0}, {"right", 0}};
    else options.sliding = {{"bottom", 1}, {"top", 1}};
    if (dim_ == 3) options.sliding.insert(options.sliding.end(), {{"back", 2}, {"front", 2}});
    const FreeBoundaryOptions free{.region = options.moving[0], .smoothing = 0.3, .largest = 0.2, .ends_move = true};
    const std::shared_ptr<const Mesh> mesh = dofs_->mesh_pointer();
    return {std::make_shared<NumberDesign>(design()),
            std::make_shared<ShapeDesign>(std::make_shared<FreeBoundary>(mesh, comm(), free), make_mesh_motion(mesh, comm(), options),
                                          std::vector<ShapeDesign::Target>{{0, nodal_->coordinates_control()}})};
  }
  /// With moved coordinates and any q: the means of what is prescribed and the jumps between sides are those of the mesh as it is then.
  void expect_ties_hold_in_a_moved_mesh() const {
    Setting given = nodal_->given();
    Controls d = *given.controls;
    std::vector<double>& X = d[nodal_->coordinates_control()];
    for (std::size_t n = 0; n < X.size(); n += dim_) X[n] += 0.05 * std::sin(3 * X[n + 1]), X[n + 1] += 0.1 * X[n] * X[n];
    given.controls = std::make_shared<const Controls>(d);
    const VecHandle q = tied_->equation()->create_vector();
    PetscInt begin = 0, end = 0;
    check(VecGetOwnershipRange(q, &begin, &end));
    for (PetscInt k = begin; k < end; ++k) check(VecSetValue(q, k, std::sin(1.0 + double(k)), INSERT_VALUES));
    check(VecAssemblyBegin(q));
    check(VecAssemblyEnd(q));
    const EvaluationPoint at{State(q), given};
    const auto value_of = [&](const std::string& name) {
      double value = 0;
      tied_->value_of(names_.at(name))->evaluate(at, &value);
      return value;
    };
    const std::vector<double>& moved = nodal_->coordinates(given);
    const std::string side = tying_ == Tying::cell ? "bottom" : "right";
    const NodalMeasures measures(dofs_->mesh(), *dofs_->mesh().find_region(side), false);
    const std::vector<double> shares = measures.values(moved);
    tied_->unfold(at, [&](const EvaluationPoint& u) {
      std::array<double, 2> sums{};  // ∫ u_y, length
      const double* a = nullptr;
      check(VecGetArrayRead(u.levels[Level::value], &a));
      if (rank_count() == 1)  // shares of ghosts are elsewhere
        for (const int node : dofs_->mesh().find_region(side)->nodes) sums[0] += shares[node] * a[dofs_->dof(node, 1)], sums[1] += shares[node];
      if (rank_count() == 1) {
        EXPECT_NEAR(sums[0] / sums[1], value_of(tying_ == Tying::cell ? "still.1" : "mean"), 1e-13);
      }
      if (tying_ == Tying::cell && rank_count() == 1) {
        double largest = 0;
        for (const auto& [here, there] : partners())
          for (int i = 0; i < 2; ++i) {
            double jump = a[dofs_->dof(there, i)] - a[dofs_->dof(here, i)];
            for (int j = 0; j < 2; ++j) jump -= value_of(std::string(1, "xy"[i]) + "xy"[j]) * (moved[std::size_t(there) * 2 + j] - moved[std::size_t(here) * 2 + j]);
            largest = std::max(largest, std::abs(jump));
          }
        EXPECT_LT(largest, 1e-12);
      }
      check(VecRestoreArrayRead(u.levels[Level::value], &a));
    });
    EXPECT_TRUE(tied_->broken(d).empty());
  }

 private:
  static Mesh mesh_of(Tying tying) {
    Mesh serial = tying == Tying::spatial ? make_box({0, 0, 0}, {1.2, 1, 1}, {2, 2, 1}, Shape::hexahedron)
                                          : make_rectangle(0, 0, 1.2, 1, 3, 3, tying == Tying::plate ? Shape::quadrilateral : Shape::triangle, 2);
    if (tying != Tying::cell)
      for (std::size_t n = 0; n < serial.coordinates.size(); n += serial.dim)  // bent cells
        serial.coordinates[n + 1] += 0.04 * std::sin(5 * serial.coordinates[n]) * serial.coordinates[n + 1] * (1 - serial.coordinates[n + 1]);
    return serial;
  }
  /// Nodes at the left and below with those at the right and above.
  std::vector<std::pair<int, int>> partners() const {
    const Mesh& mesh = dofs_->mesh();
    std::vector<std::pair<int, int>> all;
    for (const auto& [side, other, axis] : {std::tuple{"left", "right", 1}, std::tuple{"bottom", "top", 0}})
      for (const int a : mesh.find_region(side)->nodes)
        for (const int b : mesh.find_region(other)->nodes)
          if (std::abs(mesh.coordinates[2 * a + axis] - mesh.coordinates[2 * b + axis]) < 1e-9) all.push_back({a, b});
    return all;
  }
  PetscInt unknown(const std::string& name) { return first() + (names_[name] = mechanism_->add_unknown(name)); }
  PetscInt held(const std::string& name, double value) {
    const PetscInt u = unknown(name);
    mechanism_->hold(names_[name], {number("given", value), [](double t) { return t; }});
    return u;
  }
  RestPlace designed_place(std::array<double, 3> x) {
    if (dim_ == 2) x[2] = 0;
    RestPlace all(x);
    for (int i = 0; i < dim_; ++i) all.let_follow(i, {.control = number("place", x[i])});
    return all;
  }
  void add_plate(std::vector<LinearConstraint>& out) {
    const RegionNodes top = gather_region(*dofs_, "top"), right = gather_region(*dofs_, "right"), body = gather_region(*dofs_, "body");
    tie_motion(top, {1, unknown("lift"), {unknown("slope")}}, 0, out, rest_.get());
    tie_motion(top, {0, held("shift", 0.08), {}}, 1, out, rest_.get());
    tie_mean(right, 1, held("mean", 0.05), 2, out, rest_.get());
    tie_mean(body, 0, held("drift", 0.03), 3, out, rest_.get());
    cable_ = {{RestPlace(0.2, 0.3, dim_ == 2 ? 0 : 0.3)}, {designed_place({0.5, 0.45, 0.6})}, {designed_place({0.95, 0.4, 0.4})}};
    const auto wrong = attach_points(*dofs_, *mechanism_, "cable", dim_ == 2 ? std::vector{0, 1} : std::vector{0, 1, 2}, first(), 4, cable_, out, {.rest = rest_.get()});
    EXPECT_FALSE(wrong) << *wrong;
  }
  void add_cell(std::vector<LinearConstraint>& out) {
    std::vector<MeanGradient> gradients{{0, {held("xx", 0.12), held("xy", 0.05)}}, {1, {held("yx", -0.03), unknown("yy")}}};
    for (const auto& [side, other] : {std::pair{"left", "right"}, std::pair{"bottom", "top"}})
      EXPECT_FALSE(tie_periodic(gather_region(*dofs_, side), gather_region(*dofs_, other), gradients, 0, out, rest_.get()));
    for (int i = 0; i < 2; ++i) tie_mean(gather_region(*dofs_, "bottom"), i, held("still." + std::to_string(i), 0.02), 1 + i, out, rest_.get());
  }

  Tying tying_;
  int dim_;
  std::shared_ptr<RestNumbers> rest_;
  std::vector<AttachedPoint> cable_;
};

template <class C>
CaseFunctional shaped_functional(const ShapedTies& body, const std::shared_ptr<C>& c) {
  return CaseFunctional({c}, body.parameters(), body.comm());
}

TEST(TiedShape, TiesHoldInTheMeshAsItIs) {
  for (const Tying tying : {Tying::plate, Tying::cell, Tying::spatial}) ShapedTies(tying, false, PETSC_COMM_WORLD).expect_ties_hold_in_a_moved_mesh();
}

TEST(TiedShape, IsExactOverLoadSteps) {
  for (const Tying tying : {Tying::plate, Tying::cell, Tying::spatial}) {
    SCOPED_TRACE(int(tying));
    const ShapedTies body(tying, false, PETSC_COMM_WORLD);
    CaseFunctional f = shaped_functional(body, body.at_rest());
    const DesignVector theta = probed(f);
    check_adjoint_against_tangent(f, theta);
    check_taylor(f, theta, 0.01);
    check_hessian(f, theta);
    if (rank_count() == 1) check_differences(f, theta);
  }
}

TEST(TiedShape, IsExactInTime) {
  for (const Tying tying : {Tying::plate, Tying::cell}) {
    SCOPED_TRACE(int(tying));
    const ShapedTies body(tying, true, PETSC_COMM_WORLD);
    CaseFunctional f = shaped_functional(body, body.in_time(tying == Tying::plate ? TimeScheme::Kind::bdf2 : TimeScheme::Kind::generalised_alpha));
    const DesignVector theta = probed(f);
    check_adjoint_against_tangent(f, theta);
    check_taylor(f, theta, 0.01);
    check_hessian(f, theta);
  }
}

TEST(TiedShape, RanksAgree) {
  if (rank_count() == 1) GTEST_SKIP() << "on several ranks";
  for (const Tying tying : {Tying::plate, Tying::cell}) {
    const ShapedTies together(tying, false, PETSC_COMM_WORLD), alone(tying, false, PETSC_COMM_SELF);
    expect_ranks_agree(shaped_functional(together, together.at_rest()), shaped_functional(alone, alone.at_rest()), "numbers");
  }
}

}  // namespace
}  // namespace invar::gradient_test
