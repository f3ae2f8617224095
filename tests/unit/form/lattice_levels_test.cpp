// Matrices that are sums over congruent cells, and multigrid on them, against assembled matrices and PETSc's products.
#include <gtest/gtest.h>

#include <cmath>

#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/cell_lattice.hpp"
#include "tests/unit/form/lattice_bodies.hpp"

namespace invar::test {
namespace {

double norm(Vec x) {
  PetscReal value;
  check(VecNorm(x, NORM_2, &value));
  return value;
}

double difference(Vec a, Vec b) {
  const VecHandle d = zeros_like(a);
  check(VecWAXPY(d, -1, a, b));
  return norm(d) / norm(a);
}

VecHandle product(Mat A, Vec x) {
  VecHandle y;
  check(MatCreateVecs(A, nullptr, y.out()));
  check(MatMult(A, x, y));
  return y;
}

TEST(CellMatrix, IsTheAssembledMatrix) {
  for (const NamedMesh& m : lattice_meshes()) {
    Body cells(m.mesh, 1e3);
    const MatHandle A = cells.whole();
    ASSERT_TRUE(cells.residual().use_cell_matrix()) << m.name;
    cells.assemble();
    const Mat K = cells.residual().matrix();
    MatType type;
    check(MatGetType(K, &type));
    EXPECT_STREQ(type, MATSHELL) << m.name;
    const VecHandle x = cells.vector(1);
    EXPECT_LT(difference(product(A, x), product(K, x)), 1e-13) << m.name;
    VecHandle of_cells, of_whole;
    check(MatCreateVecs(A, of_cells.out(), of_whole.out()));
    check(MatGetDiagonal(K, of_cells));
    check(MatGetDiagonal(A, of_whole));
    EXPECT_LT(difference(of_whole, of_cells), 1e-13) << m.name;
    PetscReal bound, exact;
    check(MatNorm(K, NORM_INFINITY, &bound));
    check(MatNorm(A, NORM_INFINITY, &exact));
    EXPECT_GE(bound, 0.999 * exact) << m.name;
  }
}

// Every level against PETSc's Pᵀ K P of the level before, which begins with the assembled matrix.
TEST(LatticeLevels, AreGalerkinProducts) {
  for (const NamedMesh& m : lattice_meshes()) {
    Body cells(m.mesh, 1e3);
    const MatHandle A = cells.whole();
    ASSERT_TRUE(cells.residual().use_cell_matrix()) << m.name;
    cells.assemble();
    const std::shared_ptr<MultigridLevels> levels = cells.residual().matrix_hints().levels;
    ASSERT_GE(levels->count(), 2);
    for (const bool again : {false, true}) {
      EXPECT_EQ(levels->set_up(), "") << m.name;
      MatHandle finer;
      check(MatDuplicate(A, MAT_COPY_VALUES, finer.out()));
      for (int level = levels->count() - 2; level >= 0; --level) {
        MatHandle galerkin, here;
        MatHandle interpolation;
        check(MatComputeOperator(levels->prolongation(level + 1), MATAIJ, interpolation.out()));
        check(MatPtAP(finer, interpolation, MAT_INITIAL_MATRIX, PETSC_DEFAULT, galerkin.out()));
        check(MatConvert(levels->matrix(level), MATAIJ, MAT_INITIAL_MATRIX, here.out()));
        VecHandle x, y;
        check(MatCreateVecs(here, x.out(), y.out()));
        // Unknowns that are coupled to nothing have a diagonal there and none in the product.
        check(MatGetDiagonal(galerkin, y));
        PetscInt n, first;
        check(VecGetLocalSize(x, &n));
        check(VecGetOwnershipRange(x, &first, nullptr));
        double *a, *d;
        check(VecGetArray(x, &a));
        check(VecGetArray(y, &d));
        for (PetscInt i = 0; i < n; ++i) a[i] = d[i] == 0 ? 0 : std::sin(1.0 + 0.7 * double(first + i));
        check(VecRestoreArray(x, &a));
        check(VecRestoreArray(y, &d));
        EXPECT_GT(norm(x), 0) << m.name;
        EXPECT_LT(difference(product(galerkin, x), product(here, x)), 1e-13) << m.name << ", level " << level << ", " << again;
        finer = std::move(here);
      }
    }
  }
}

/// Iterations to 1e-10 of `cg_lattice`, whose solution is compared with that of factors where there are few unknowns.
int iterations(const Mesh& mesh, double contrast) {
  Body body(mesh, contrast);
  EXPECT_TRUE(body.residual().use_cell_matrix());
  body.assemble();
  LinearSolver solver(PETSC_COMM_WORLD, {.method = "cg_lattice", .rtol = 1e-10});
  solver.set_levels(body.residual().matrix_hints().levels);
  solver.set_operator(body.residual().matrix(), true);
  const VecHandle load = body.vector(2), expected = body.vector(3);
  VecHandle b, x;
  check(MatCreateVecs(body.residual().matrix(), b.out(), x.out()));
  check(MatMult(body.residual().matrix(), expected, b));
  const SolveReport report = solver.solve(b, x);
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_LT(difference(expected, x), 1e-10 * 1e3 * contrast);
  return report.iterations;
}

TEST(LatticeLevels, IterationsDoNotGrowWithTheMesh) {
  const auto box = [](int n) { return make_box({0, 0, 0}, {2, 1, 1}, {2 * n, n, n}, Shape::hexahedron); };
  const int coarse = iterations(box(4), 1), fine = iterations(box(12), 1);
  EXPECT_LE(fine, coarse + 5);
  EXPECT_LE(fine, 25);
}

TEST(LatticeLevels, SolvesForBodiesOfSoftAndStiffCells) {
  EXPECT_LE(iterations(make_box({0, 0, 0}, {2, 1, 1}, {16, 8, 8}, Shape::hexahedron), 1e6), 120);
}

// Sheared boxes are no lattice; at large strains the element matrices differ by more than factors.
TEST(CellMatrix, IsGivenUpWhereCellsDiffer) {
  Mesh sheared = make_box({0, 0, 0}, {1, 1, 1}, {2, 2, 2}, Shape::hexahedron);
  for (std::size_t i = 0; i < sheared.coordinates.size(); i += 3) sheared.coordinates[i] += 0.1 * sheared.coordinates[i + 1];
  EXPECT_FALSE(find_cell_lattice(sheared));
  EXPECT_FALSE(Body(sheared, 1).residual().use_cell_matrix());
  EXPECT_FALSE(Body(make_box({0, 0, 0}, {1, 1, 1}, {2, 2, 2}, Shape::tetrahedron), 1).residual().use_cell_matrix());
  EXPECT_FALSE(Body(make_box({0, 0, 0}, {1, 1, 1}, {2, 2, 2}, Shape::hexahedron, 2), 1).residual().use_cell_matrix());

  const Mesh box = make_box({0, 0, 0}, {7, 6, 6}, {7, 6, 6}, Shape::hexahedron);
  Body cells(box, 1, "neo_hookean");
  const VecHandle u = cells.vector(4, 0.01), x = cells.vector(5);
  const MatHandle at_rest = cells.whole(), when_bent = cells.whole(u);
  ASSERT_TRUE(cells.residual().use_cell_matrix());
  cells.assemble();
  MatType type;
  check(MatGetType(cells.residual().matrix(), &type));
  EXPECT_STREQ(type, MATSHELL) << "at rest the cells are alike";
  LinearSolver solver(PETSC_COMM_WORLD, {.umfpack_up_to = 0});
  solver.set_levels(cells.residual().matrix_hints().levels);
  for (const bool bent : {false, true}) {
    bent ? cells.assemble(u) : cells.assemble();
    const Mat K = cells.residual().matrix(), A = bent ? when_bent : at_rest;
    EXPECT_LT(difference(product(A, x), product(K, x)), 1e-13);
    solver.set_operator(K, true);
    EXPECT_EQ(solver.method(), bent ? "mumps_cholesky" : "cg_lattice");
    VecHandle b = product(A, x), y = zeros_like(b);
    EXPECT_TRUE(solver.solve(b, y).converged);
    EXPECT_LT(difference(x, y), 1e-8);
  }
}

}  // namespace
}  // namespace invar::test
