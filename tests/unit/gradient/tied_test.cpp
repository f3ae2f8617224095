// Unknowns that are tied to each other and to numbers of a mechanism: derivatives of the solved equation, for load steps and in time.
#include <array>
#include <numbers>

#include "libfem/mechanism/region_ties.hpp"
#include "libfem/mesh/boxes.hpp"
#include "tests/unit/gradient/tied_problem.hpp"

namespace invar::gradient_test {
namespace {

/// A body in the plane, whose sides are tied.
class TiedBody : public TiedSolid {
 public:
  /// plate: its lower side is held, its upper one stays plane and moves as a number says, a mean of its right side is given.
  /// Else a periodic cell with mean strains that are given and free.
  TiedBody(bool plate, CellType cell, bool moves, MPI_Comm comm) : TiedSolid(mesh_of(plate, cell), moves, comm) {
    if (plate)
      for (int i = 0; i < 2; ++i) nodal_->add_dirichlet({"bottom", i, {number("bottom", 0.02), [i](const double* x, double t) { return t * (0.3 + i) * x[0]; }, true, true}});
    const std::array<double, 4> values = plate ? std::array{0.08, 0.05, 0.0, 0.0} : std::array{0.12, 0.05, -0.03, 0.02};
    for (int k = 0; k < (plate ? 2 : 4); ++k) given_[k] = number("given", values[k]);
    begin();
    std::vector<LinearConstraint> constraints;
    plate ? add_plate(constraints) : add_cell(constraints);
    tie(constraints);
    tied_->finish();
  }

  /// Sum and largest of the forces along an axis that hold the plate's body: of its supports, and of the plate (x) or the mean (y).
  std::pair<double, double> held_by(const EvaluationPoint& u, int axis) const {
    const std::shared_ptr<Observable> forces[] = {support_force({axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0}),
                                                  tied_->force_of(names_.at(axis == 0 ? "shift" : "mean"))};
    double sum = 0, largest = 0;
    for (const auto& force : forces) {
      double f = 0;
      force->evaluate(u, &f);
      sum += f, largest = std::max(largest, std::abs(f));
    }
    return {sum, largest};
  }

 private:
  static Mesh mesh_of(bool plate, CellType cell) {
    Mesh serial = make_rectangle(0, 0, 1.2, 1, 3, 3, cell.shape, cell.order);
    if (plate)  // bent cells
      for (std::size_t n = 0; n < serial.coordinates.size(); n += 2)
        serial.coordinates[n + 1] += 0.03 * std::sin(std::numbers::pi * serial.coordinates[n] / 0.6) * serial.coordinates[n + 1] * (1 - serial.coordinates[n + 1]);
    return serial;
  }
  PetscInt unknown(const std::string& name) { return first() + (names_[name] = mechanism_->add_unknown(name)); }
  /// Held at a number times t.
  PetscInt held(const std::string& name, int control) {
    const PetscInt u = unknown(name);
    mechanism_->hold(names_[name], {control, [](double t) { return t; }});
    return u;
  }
  void add_plate(std::vector<LinearConstraint>& out) {
    const RegionNodes top = gather_region(*dofs_, "top"), right = gather_region(*dofs_, "right");
    tie_motion(top, {1, unknown("lift"), {unknown("slope")}}, 0, out);
    tie_motion(top, {0, held("shift", given_[0]), {}}, 1, out);
    tie_mean(right, 1, held("mean", given_[1]), 2, out);
  }
  void add_cell(std::vector<LinearConstraint>& out) {
    std::vector<MeanGradient> gradients{{0, {held("xx", given_[0]), held("xy", given_[1])}}, {1, {held("yx", given_[2]), unknown("yy")}}};
    tie_periodic(gather_region(*dofs_, "left"), gather_region(*dofs_, "right"), gradients, 0, out);
    tie_periodic(gather_region(*dofs_, "bottom"), gather_region(*dofs_, "top"), gradients, 0, out);
    for (int i = 0; i < 2; ++i) tie_mean(gather_region(*dofs_, "bottom"), i, held("still." + std::to_string(i), given_[3]), 1 + i, out);
  }

  std::array<int, 4> given_{};  // numbers that ties read
};

constexpr CellType tied_quads{Shape::quadrilateral, 2}, tied_triangles{Shape::triangle, 2};

// Adjoint against tangent, Taylor orders, Hessian, and the whole way by differences. On several ranks every kind of tie and of cell
// once.
TEST(Tied, IsExactOverLoadSteps) {
  for (const bool plate : {true, false})
    for (const CellType cell : {tied_quads, tied_triangles}) {
      if (rank_count() > 1 && (cell.shape == Shape::triangle) == plate) continue;
      const TiedBody body(plate, cell, false, PETSC_COMM_WORLD);
      CaseFunctional f = functional_of(body, body.at_rest());
      const DesignVector theta = probed(f);
      check_adjoint_against_tangent(f, theta);
      check_taylor(f, theta);
      check_hessian(f, theta);
      if (rank_count() == 1) check_differences(f, theta);
    }
}

// No loads: forces that hold a body add up to zero. Plate and mean have held nodes among those which they read.
TEST(Tied, ForcesThatHoldABodyBalance) {
  const TiedBody body(true, tied_quads, false, PETSC_COMM_WORLD);
  const std::shared_ptr<StaticCase> c = body.at_rest();
  CaseFunctional f = functional_of(body, c);
  ASSERT_TRUE(f.value(f.start()).ok);
  c->with_state(1, [&](const EvaluationPoint& u) {
    for (const int axis : {0, 1}) {
      const auto [sum, largest] = body.held_by(u, axis);
      EXPECT_GT(largest, 0.01);
      EXPECT_NEAR(sum, 0, 1e-11 * largest) << axis;
    }
  });
}

TEST(Tied, IsExactInTime) {
  for (const bool plate : {true, false})
    for (const auto kind : {TimeScheme::Kind::bdf2, TimeScheme::Kind::generalised_alpha}) {
      if (rank_count() > 1 && (kind == TimeScheme::Kind::bdf2) == plate) continue;
      const TiedBody body(plate, tied_quads, true, PETSC_COMM_WORLD);
      CaseFunctional f = functional_of(body, body.in_time(kind));
      const DesignVector theta = probed(f);
      check_adjoint_against_tangent(f, theta);
      check_taylor(f, theta, 0.01);
    }
}

TEST(Tied, RanksAgree) {
  if (rank_count() == 1) GTEST_SKIP() << "on several ranks";
  for (const bool plate : {true, false}) {
    const TiedBody together(plate, tied_triangles, false, PETSC_COMM_WORLD), alone(plate, tied_triangles, false, PETSC_COMM_SELF);
    expect_ranks_agree(functional_of(together, together.at_rest()), functional_of(alone, alone.at_rest()), plate ? "plate" : "cell");
  }
}

}  // namespace
}  // namespace invar::gradient_test
