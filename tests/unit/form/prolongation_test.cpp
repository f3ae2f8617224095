// Linear elements as coarse space of quadratic ones: the Galerkin product is the operator of the linear elements; and which data linear methods get.
#include <gtest/gtest.h>

#include "libfem/device/device_solver.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/rigid_body_modes.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfem/space/prolongation.hpp"

namespace invar {
namespace {

/// A clamped elastic block whose bottom may slide, on displacements of this order.
class Block {
 public:
  Block(std::shared_ptr<const Mesh> mesh, int order)
      : dofs(std::make_shared<const DofMap>(
            mesh, std::vector<Component>{{"u_x", order}, {"u_y", order}, {"u_z", order}}, PETSC_COMM_WORLD)),
        residual(dofs) {
    const auto number = [&](double v) { return ControlledValue{residual.add_control({"", ""}, {v}), {}}; };
    const ControlledValue zero = number(0);
    residual.add_form(make_displacement_form(SolidKind::spatial, material_,
                                             CellBatches::on_cells(dofs, "", 4)),
                      {number(3), number(0.3)});
    for (int i = 0; i < 3; ++i) residual.add_dirichlet({"left", i, zero});
    residual.add_dirichlet({"bottom", 1, zero});
    residual.finish();
    VecHandle rest = residual.create_vector();
    residual.jacobian({rest, residual.given()});
  }
  std::shared_ptr<const DofMap> dofs;
  FormResidual residual;

 private:
  std::shared_ptr<const Material> material_ = make_material({"linear_elastic"});
};

TEST(Prolongation, TheGalerkinProductIsTheLinearOperator) {
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    const auto mesh = std::make_shared<const Mesh>(
        distribute(make_box({0, 0, 0}, {2, 1, 1}, {4, 3, 2}, shape, 2), PETSC_COMM_WORLD));
    Block linear(mesh, 1), quadratic(mesh, 2);
    const MatHandle P = prolongation_from_linear(*linear.dofs, *quadratic.dofs, quadratic.residual.constrained_rows());
    MatHandle coarse;
    check(MatPtAP(quadratic.residual.matrix(), P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, coarse.out()));
    PetscInt block = 0;
    check(MatGetBlockSize(coarse, &block));
    EXPECT_EQ(block, 3) << "multigrid below needs to know the components";

    // What is held is coupled to nothing; its diagonal may differ.
    std::vector<PetscInt> held;
    for (const int i : linear.residual.constrained_rows()) held.push_back(PetscInt(linear.dofs->global_offset() + i));
    PetscReal size, off, lost;
    check(MatNorm(coarse, NORM_FROBENIUS, &size));
    MatHandle kept_apart;
    check(MatDuplicate(coarse, MAT_COPY_VALUES, kept_apart.out()));
    check(MatZeroRowsColumns(kept_apart, PetscInt(held.size()), held.data(), 1, nullptr, nullptr));
    check(MatZeroRows(coarse, PetscInt(held.size()), held.data(), 1, nullptr, nullptr));
    check(MatAXPY(kept_apart, -1, coarse, DIFFERENT_NONZERO_PATTERN));
    check(MatNorm(kept_apart, NORM_FROBENIUS, &lost));
    EXPECT_EQ(lost, 0) << "a column of what is held";
    check(MatZeroRows(linear.residual.matrix(), PetscInt(held.size()), held.data(), 1, nullptr, nullptr));
    check(MatAXPY(coarse, -1, linear.residual.matrix(), DIFFERENT_NONZERO_PATTERN));
    check(MatNorm(coarse, NORM_FROBENIUS, &off));
    EXPECT_LT(off, 1e-13 * size) << name_of(shape);
  }
}

TEST(Prolongation, HeldValuesStayThoseOfTheirVertices) {
  const auto mesh = std::make_shared<const Mesh>(
      distribute(make_box({0, 0, 0}, {2, 1, 1}, {4, 3, 2}, Shape::tetrahedron, 2), PETSC_COMM_WORLD));
  Block linear(mesh, 1), quadratic(mesh, 2);
  const MatHandle P = prolongation_from_linear(*linear.dofs, *quadratic.dofs, quadratic.residual.constrained_rows());
  // Any function that vanishes on what is held does so after prolongation: also between vertices.
  VecHandle coarse = linear.dofs->create_vector(), fine = quadratic.dofs->create_vector();
  check(VecSet(coarse, 1));
  double* a = nullptr;
  check(VecGetArray(coarse, &a));
  for (const int i : linear.residual.constrained_rows()) a[i] = 0;
  check(VecRestoreArray(coarse, &a));
  check(MatMult(P, coarse, fine));
  const double* f = nullptr;
  check(VecGetArrayRead(fine, &f));
  for (const int i : quadratic.residual.constrained_rows()) EXPECT_EQ(f[i], 0);
  for (int n = 0; n < mesh->n_owned_nodes; ++n) {
    const double* x = &mesh->coordinates[std::size_t(n) * 3];
    if (x[0] < 0.5 + 1e-9 || x[1] < 1.0 / 3 + 1e-9) continue;
    for (int c = 0; c < 3; ++c) EXPECT_DOUBLE_EQ(f[quadratic.dofs->dof(n, c)], 1) << "away from what is held: the constant itself";
  }
  check(VecRestoreArrayRead(fine, &f));
}

std::shared_ptr<const Mesh> box_of(int cells, Shape shape, int order) {
  return std::make_shared<const Mesh>(distribute(make_box({0, 0, 0}, {1, 1, 1}, {cells, cells, cells}, shape, order), PETSC_COMM_WORLD));
}

PreparedEquation prepared(Block& block) {
  return {.residual = block.residual, .symmetric = block.residual.symmetric(), .at_rest = true, .coarse_space = block.dofs->orders()[0] == 2};
}

/// A method has the data that it needs, or the equation is not of its kind.
TEST(SolverData, IsWhatTheEquationHas) {
  const auto mesh = box_of(2, Shape::hexahedron, 2);
  Block quadratic(mesh, 2), linear(mesh, 1);
  const LinearMethod &two_level = find_linear_method("cg_two_level"), &lattice = find_linear_method("cg_lattice");
  EXPECT_FALSE(prepare_for(two_level, prepared(linear)));
  EXPECT_EQ(linear.residual.matrix_hints().prolongation, nullptr);
  int taken_over = 0;
  PreparedEquation wrapped = prepared(quadratic);
  wrapped.take_over = [&] { ++taken_over; };
  EXPECT_TRUE(prepare_for(two_level, wrapped));
  EXPECT_NE(quadratic.residual.matrix_hints().prolongation, nullptr);
  EXPECT_EQ(taken_over, 1);
  for (const char* method : {"field_split", "block_triangular", "block_gauss_seidel", "coupled_amg"}) EXPECT_FALSE(prepare_for(find_linear_method(method), prepared(linear))) << method;
  for (const char* method : {"mumps", "cg_gamg"}) EXPECT_TRUE(prepare_for(find_linear_method(method), prepared(linear))) << method;

  PreparedEquation moving = prepared(linear);
  moving.at_rest = false;
  EXPECT_FALSE(prepare_for(lattice, moving));
  Block first_order(box_of(2, Shape::hexahedron, 1), 1);
  EXPECT_TRUE(prepare_for(lattice, prepared(first_order)));
  EXPECT_NE(first_order.residual.matrix_hints().levels, nullptr);
}

/// `auto` gets what may pay: a coarse space in space for symmetric matrices, levels of congruent cells from 30000 unknowns on.
TEST(SolverData, OfAutoIsWhatMayPay) {
  const auto mesh = box_of(2, Shape::hexahedron, 2);
  Block symmetric(mesh, 2), unsymmetric(mesh, 2);
  prepare_for_auto(prepared(symmetric));
  EXPECT_NE(symmetric.residual.matrix_hints().prolongation, nullptr);
  PreparedEquation other = prepared(unsymmetric);
  other.symmetric = false;
  prepare_for_auto(other);
  EXPECT_EQ(unsymmetric.residual.matrix_hints().prolongation, nullptr);
  for (const int cells : {20, 21}) {  // 27783 and 31944 unknowns
    Block block(box_of(cells, Shape::hexahedron, 1), 1);
    prepare_for_auto(prepared(block));
    EXPECT_EQ(block.residual.matrix_hints().levels != nullptr, cells == 21);
  }
}

TEST(SolverData, OfTiedUnknownsIsTheCoarseSpaceOnly) {
  for (const LinearMethod& method : linear_methods())
    EXPECT_EQ(supports_tied_unknowns(method), method.needs == LinearMethod::Needs::nothing || method.needs == LinearMethod::Needs::prolongation) << method.name;
}

}  // namespace
}  // namespace invar
