// Multigrid on congruent cells on a device: operator, levels and solves against those of the host, and what the host is asked for.
#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/device/device_lattice.hpp"
#include "libfem/device/device_vector.hpp"
#include "tests/unit/device/form_comparison.hpp"
#include "tests/unit/device/guarded_device.hpp"
#include "tests/unit/device/vector_entries.hpp"
#include "tests/unit/form/lattice_bodies.hpp"

namespace invar::device_test {
namespace {

using test::Body;

/// One body on the host and one on a device, both by cells, and their matrix.
struct Pair {
  Body host, there;
  MatHandle assembled;

  Pair(const Mesh& mesh, double contrast, const std::shared_ptr<Device>& device)
      : host(mesh, contrast, "linear_elastic", PETSC_COMM_SELF), there(mesh, contrast, "linear_elastic", PETSC_COMM_SELF) {
    assembled = host.whole();
    move_to_device(there.residual(), solid_device_forms(), device);
    EXPECT_TRUE(use_device_lattice(there.residual(), device));
    EXPECT_TRUE(host.residual().use_cell_matrix());
    host.assemble(), there.assemble();
  }
};

using Apply = PetscErrorCode (*)(Mat, Vec, Vec);

/// A product with a vector of waves, which is on the device if the matrix wants that.
Array applied(Apply apply, Mat A, bool transposed = false) {
  VecHandle right, left;
  check(MatCreateVecs(A, right.out(), left.out()));
  PetscInt n = 0;
  Vec x = transposed ? left : right, y = transposed ? right : left;
  check(VecGetLocalSize(x, &n));
  Array waves;
  for (PetscInt i = 0; i < n; ++i) waves.push_back(std::sin(1.0 + 0.7 * double(i)));
  set_entries(x, waves);
  check(apply(A, x, y));
  return entries_of(y);
}
Array diagonal_of(Mat A) {
  VecHandle d;
  check(MatCreateVecs(A, nullptr, d.out()));
  check(MatGetDiagonal(A, d));
  return entries_of(d);
}

TEST(DeviceLattice, OperatorsAndTransfersAreThoseOfTheHost) {
  for (const test::NamedMesh& m : test::lattice_meshes()) {
    const auto device = make_device(Device::Kind::watched);
    Pair pair(m.mesh, 1e3, device);
    const auto levels = pair.there.residual().matrix_hints().levels, expected = pair.host.residual().matrix_hints().levels;
    ASSERT_EQ(levels->count(), expected->count()) << m.name;
    EXPECT_EQ(levels->set_up(), "") << m.name;
    EXPECT_EQ(expected->set_up(), "") << m.name;
    PetscReal norm, exact;
    check(MatNorm(levels->finest(), NORM_INFINITY, &norm));
    check(MatNorm(pair.assembled, NORM_INFINITY, &exact));
    EXPECT_GE(norm, (1 - 1e-12) * exact) << m.name;
    EXPECT_LE(norm, 2 * exact) << m.name;
    EXPECT_EQ(levels->count(), m.name == std::string("bar") ? 3 : 2);
    for (int level = 0; level < levels->count(); ++level) {
      SCOPED_TRACE(m.name + std::string(", level ") + std::to_string(level));
      const Mat A = levels->matrix(level), B = expected->matrix(level);
      EXPECT_LE(difference(applied(MatMult, A), applied(MatMult, B)), 1e-12);
      EXPECT_LE(difference(diagonal_of(A), diagonal_of(B)), 1e-12);
      if (level == 0) continue;
      const Mat P = levels->prolongation(level), Q = expected->prolongation(level);
      EXPECT_LE(difference(applied(MatMult, P), applied(MatMult, Q)), 1e-14);
      EXPECT_LE(difference(applied(MatMultTranspose, P, true), applied(MatMultTranspose, Q, true)), 1e-14);
    }
    EXPECT_TRUE(device->conflicts().empty()) << *device->conflicts().begin();
  }
}

SolveReport solved(LinearSolver& solver, FormResidual& r, Vec b, Vec x, bool again) {
  if (again) return solver.solve_transpose(b, x);
  solver.set_levels(r.matrix_hints().levels);
  solver.set_operator(r.matrix(), true);
  return solver.solve(b, x);
}

// Of a cycle only vectors of the coarsest level are on the host: one that is restricted to it, one that is interpolated.
TEST(DeviceLattice, SolvesInTheIterationsOfTheHostWithoutAskingIt) {
  for (const double contrast : {1.0, 1e6}) {
    const auto device = std::make_shared<GuardedDevice>();
    Pair pair(make_box({0, 0, 0}, {2, 1, 1}, {16, 8, 8}, Shape::hexahedron), contrast, device);
    const Array load = entries_of(pair.host.vector(2));
    const VecHandle b = with_entries(zeros_like(pair.host.vector(0)), load), x = zeros_like(b);
    const VecHandle b_there = with_entries(pair.there.residual().create_vector(), load), x_there = zeros_like(b_there);
    LinearSolver host(PETSC_COMM_SELF, {.method = "cg_lattice", .rtol = 1e-10}), there(PETSC_COMM_SELF, {.method = "cg_lattice", .rtol = 1e-10});
    for (const bool again : {false, true}) {
      const long before = device->host_accesses();
      const SolveReport expected = solved(host, pair.host.residual(), b, x, again), report = solved(there, pair.there.residual(), b_there, x_there, again);
      const long after = device->host_accesses();
      ASSERT_TRUE(report.converged) << report.reason;
      EXPECT_NEAR(report.iterations, expected.iterations, 1) << contrast;
      EXPECT_LE(difference(entries_of(x_there), entries_of(x)), 1e-9 * contrast);
      if (again) {
        EXPECT_EQ(after - before, 2 * report.iterations);
      }
    }
  }
}

// At large strains the element matrices differ by more than factors, and the equation is assembled.
TEST(DeviceLattice, IsGivenUpWhereCellsDiffer) {
  const Mesh box = make_box({0, 0, 0}, {7, 6, 6}, {7, 6, 6}, Shape::hexahedron);
  const auto device = make_device(Device::Kind::emulation);
  Body host(box, 1, "neo_hookean", PETSC_COMM_SELF), there(box, 1, "neo_hookean", PETSC_COMM_SELF);
  move_to_device(there.residual(), solid_device_forms(), device);
  ASSERT_TRUE(use_device_lattice(there.residual(), device));
  there.assemble();
  MatType type;
  check(MatGetType(there.residual().matrix(), &type));
  EXPECT_STREQ(type, MATSHELL) << "at rest the cells are alike";
  there.assemble(there.vector(4, 0.01)), host.assemble(host.vector(4, 0.01));
  EXPECT_LE(difference(applied(MatMult, there.residual().matrix()), applied(MatMult, host.residual().matrix())), 1e-12);
}

}  // namespace
}  // namespace invar::device_test
