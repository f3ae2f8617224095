// Which ties a moving shape breaks: of a plate whose nodes move as given functions say.
#include "libfem/mechanism/shape_probe.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "libfem/mechanism/mechanism.hpp"
#include "libfem/mechanism/region_ties.hpp"
#include "libfem/mechanism/rest_numbers.hpp"
#include "libfem/mechanism/tied_equation.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"

namespace invar::mechanisms {
namespace {

using Velocity = std::function<std::array<double, 2>(const double* x)>;

/// [0, 2] × [0, 1] with a designed shape. On the right side u_y is prescribed at its three nodes: 0, ½ and 1, which is linear in y.
struct Plate {
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> residual;
  std::shared_ptr<Mechanism> mechanism;
  std::shared_ptr<TiedEquation> tied;

  Plate() {
    const Mesh serial = make_rectangle(0, 0, 2, 1, 4, 2, Shape::quadrilateral);
    const auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
    dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 1}, {"u_y", 1}}, PETSC_COMM_WORLD);
    residual = std::make_shared<FormResidual>(dofs);
    for (const double height : {0.0, 0.5, 1.0}) {
      DirichletCondition held{"", 1, {residual->add_control({"", ""}, {height}), {}}};
      for (int node = 0; node < mesh->node_total(); ++node)
        if (const double* x = &mesh->coordinates[std::size_t(node) * 2]; x[0] > 1.99 && std::abs(x[1] - height) < 0.01) held.nodes.push_back(node);
      residual->add_dirichlet(std::move(held));
    }
    residual->add_coordinates();
    residual->finish();
    mechanism = std::make_shared<Mechanism>(residual);
  }
  /// The right side stays plane: u_y = a + b y.
  void keep_plane() {
    auto rest = std::make_shared<RestNumbers>(residual);
    const auto unknown = [&](const char* name) { return static_cast<PetscInt>(dofs->n_global()) + mechanism->add_unknown(name); };
    RegionMotion motion{1, unknown("end.u_y"), {}};
    motion.slope[1] = unknown("end.u_y_y");
    std::vector<LinearConstraint> constraints;
    tie_motion(gather_region(*dofs, "right"), motion, 0, constraints, rest.get());
    tied = std::make_shared<TiedEquation>(residual, mechanism);
    mechanism->read_rest(rest);
    tied->set_rest(rest);
    EXPECT_TRUE(tied->solve(constraints).contradicted.empty());
    tied->set_names({}, {"end"});
  }
  /// The nodes at x = 1 on bottom and top move alike, by a constraint for the positions that they have.
  void tie_middle() {
    LinearConstraint alike{.terms = {}, .keeps_positions = true};
    for (const char* side : {"bottom", "top"})
      for (const RegionNodes::Node& node : gather_region(*dofs, side).nodes)
        if (std::abs(node.x[0] - 1) < 0.01) alike.terms.push_back({node.dofs[0], side[0] == 't' ? 1.0 : -1.0});
    tied = std::make_shared<TiedEquation>(residual, mechanism);
    EXPECT_TRUE(tied->solve({alike}).contradicted.empty());
  }
  ShapeProbe probe(const Velocity& velocity) const;
};

/// x + θ v(x), of one number θ.
class MovedNodes final : public Parameterization {
 public:
  MovedNodes(const FormResidual& residual, const Velocity& velocity) : control_(residual.coordinates_control()), from_(residual.control_values()[control_]) {
    for (std::size_t k = 0; k < from_.size(); k += 2)
      for (const double v : velocity(&from_[k])) velocity_.push_back(v);
  }
  std::vector<DesignVariable> variables() const override { return {{"size", VariableTransform(), 0, -1, 1}}; }
  Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) override { return write(1, theta, d); }
  void want(std::vector<Controls>& d_bar) const override { d_bar[0][control_].assign(from_.size(), 0.0); }
  Evaluation jvp(const DesignVector&, const DesignVector& theta_dot, std::vector<Controls>& d_dot) override { return write(0, theta_dot, d_dot); }
  Evaluation vjp(const DesignVector&, std::vector<Controls>&, DesignVector&) override { return Evaluation::failure("is not asked for"); }
  Evaluation vjp_tangent(const DesignVector&, const DesignVector&, const std::vector<Controls>&, std::vector<Controls>&, DesignVector&) override {
    return Evaluation::failure("is not asked for");
  }

 private:
  Evaluation write(double share, const DesignVector& theta, std::vector<Controls>& d) const {
    for (std::size_t k = 0; k < from_.size(); ++k) d[0][control_][k] = share * from_[k] + theta.shared[0] * velocity_[k];
    return Evaluation::success(0);
  }
  int control_;
  std::vector<double> from_, velocity_;
};

ShapeProbe Plate::probe(const Velocity& velocity) const {
  MovedNodes shape(*residual, velocity);
  return probe_shape(shape, {{residual.get(), tied.get(), 1.0}}, PETSC_COMM_WORLD);
}

TEST(ShapeProbe, FindsPrescribedValuesThatNoLongerLieOnAPlane) {
  Plate plate;
  plate.keep_plane();
  EXPECT_TRUE(plate.probe([](const double* x) { return std::array{0.0, x[1] * x[0]}; }).broken.empty()) << "the height of the side is scaled";
  EXPECT_TRUE(plate.probe([](const double* x) { return std::array{x[0], 0.3 * x[0]}; }).broken.empty()) << "the side moves as a whole";
  const ShapeProbe bent = plate.probe([](const double* x) { return std::array{0.0, x[1] * x[1] * x[0]}; });
  EXPECT_EQ(bent.broken, std::set<std::string>{"end"}) << "its middle is no longer half way";
  EXPECT_FALSE(bent.moves_fixed_nodes);
}

TEST(ShapeProbe, FindsFixedNodesThatMove) {
  Plate plate;
  plate.tie_middle();
  EXPECT_FALSE(plate.probe([](const double* x) { return std::array{x[0] > 1.2 ? x[0] : 0.0, 0.0}; }).moves_fixed_nodes);
  EXPECT_TRUE(plate.probe([](const double* x) { return std::array{0.0, x[1] * x[0]}; }).moves_fixed_nodes);
}

TEST(ShapeProbe, IsOfCasesWithTiesOnly) {
  const Plate plate;
  const ShapeProbe probe = plate.probe([](const double* x) { return std::array{x[0], x[1]}; });
  EXPECT_FALSE(probe.moves_fixed_nodes);
  EXPECT_TRUE(probe.broken.empty());
}

}  // namespace
}  // namespace invar::mechanisms
