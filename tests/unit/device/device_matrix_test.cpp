// Matrices in device memory against those on the host: values, products, facts; solves by cuDSS that read them there.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "libadjoint/linearization.hpp"
#include "libadjoint/solve/singularity.hpp"
#include "libfem/device/device_library.hpp"
#include "libfem/device/device_matrix.hpp"
#include "libfem/device/device_vector.hpp"
#include "libfem/solid/solid_device.hpp"
#include "libfluid/flow/flow_device.hpp"
#include "tests/support/cudss_library.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/device/form_comparison.hpp"
#include "tests/unit/device/vector_entries.hpp"
#include "tests/unit/flow/flow_problem.hpp"
#include "tests/unit/form/solid_problem.hpp"

namespace invar::device_test {
namespace {

/// An equation with the state at which it is linearised.
struct Equation {
  std::shared_ptr<FormResidual> residual;
  VecHandle state;

  EvaluationPoint point() const { return test::at_full_load(*residual, state); }
  Mat tangent() const {
    residual->jacobian(point());
    return residual->matrix();
  }
};

Equation cavity() {
  test::FlowProblem flow(make_rectangle(0, 0, 1, 1, 4, 4, Shape::triangle, 2), {.parameters = {1, 0.01}, .comm = PETSC_COMM_SELF});
  flow.hold({"left", "right", "bottom", "top"}, [](int, const double*) { return 0.0; });
  flow.hold("left_bottom", 2);
  flow.residual()->finish();
  return {flow.residual(), flow.interpolate([](int i, const double* x) { return i == 0 ? std::sin(3 * x[1]) : x[0] * x[1]; })};
}

Equation block() {
  test::SolidProblem solid(make_box({0, 0, 0}, {1, 1, 1}, {1, 1, 1}, Shape::tetrahedron, 2), SolidKind::spatial, {.comm = PETSC_COMM_SELF});
  solid.material("neo_hookean", {1, 0.3});
  solid.hold({"left"}, [](int, const double*) { return 0.0; });
  solid.finish();
  return {solid.residual(), solid.interpolate([](int i, const double* x) { return 0.05 * x[0] * (1 + i); })};
}

/// The same equation with its forms and its matrix on a device.
Equation moved(const Equation& equation, std::span<const DeviceKind> kinds, const std::shared_ptr<Device>& device) {
  EXPECT_TRUE(forms_without_kernels(*equation.residual, kinds).empty());
  move_to_device(*equation.residual, kinds, device);
  keep_matrix_on_device(*equation.residual, device);
  VecHandle state = zeros_like(equation.state);
  check(VecCopy(equation.state, state));
  return {equation.residual, std::move(state)};
}

void fill(Vec v) {
  PetscInt n = 0;
  check(VecGetLocalSize(v, &n));
  Array waves(static_cast<std::size_t>(n));
  for (PetscInt i = 0; i < n; ++i) waves[i] = std::sin(1 + 0.7 * i);
  set_entries(v, waves);
}

/// The CUDA device if there is one and cuDSS for it; else emulation.
std::shared_ptr<Device> device_here() {
  return !test::cudss_is_replaced() && cuda_device() ? cuda_device() : make_device(Device::Kind::emulation);
}

TEST(DeviceMatrix, IsTheMatrixOfTheHost) {
  ASSERT_EQ(test::cudss_is_named, 0);
  const auto device = cuda_device() ? cuda_device() : make_device(Device::Kind::watched);
  for (const bool fluid : {true, false}) {
    const Equation host = fluid ? cavity() : block();
    const Equation there = moved(fluid ? cavity() : block(), fluid ? flow_device_forms() : solid_device_forms(), device);
    const Mat A = host.tangent(), B = there.tangent();
    VecHandle x, y, x_there = create_device_vector(device, there.residual->dofs().n_local()), y_there = zeros_like(x_there);
    check(MatCreateVecs(A, x.out(), y.out()));
    fill(x), fill(x_there);
    for (const bool transpose : {false, true}) {
      check(transpose ? MatMultTranspose(A, x, y) : MatMult(A, x, y));
      const long before = device->host_accesses();
      check(transpose ? MatMultTranspose(B, x_there, y_there) : MatMult(B, x_there, y_there));
      EXPECT_EQ(device->host_accesses(), before);
      EXPECT_LE(difference(entries_of(y_there), entries_of(y)), 1e-13);
      check(transpose ? MatMultTranspose(B, x, y) : MatMult(B, x, y));  // vectors on the host
      EXPECT_LE(difference(entries_of(y), entries_of(y_there)), 0.0);
    }
    check(MatGetRowMaxAbs(A, y, nullptr));
    check(MatGetRowMaxAbs(B, y_there, nullptr));
    EXPECT_LE(difference(entries_of(y_there), entries_of(y)), 1e-13);
    double sum = 0, sum_there = 0;
    check(MatNorm(A, NORM_INFINITY, &sum));
    check(MatNorm(B, NORM_INFINITY, &sum_there));
    EXPECT_NEAR(sum_there, sum, 1e-13 * sum);
    check(MatMult(A, x, y));
    VecHandle copied = zeros_like(y);
    check(MatMult(DeviceRows::host_matrix(B), x, copied));
    EXPECT_LE(difference(entries_of(copied), entries_of(y)), 1e-13);
    PetscInt row = 0;
    EXPECT_EQ(find_bad_row(B, row), "");
  }
  EXPECT_TRUE(device->conflicts().empty());
}

/// Tangent and adjoint solves give what MUMPS gives on the host, and values do not leave the device.
TEST(DeviceMatrix, CudssReadsValuesThere) {
  for (const bool fluid : {true, false}) {
    const auto device = device_here();
    const Equation host = fluid ? cavity() : block();
    const Equation there = moved(fluid ? cavity() : block(), fluid ? flow_device_forms() : solid_device_forms(), device);
    for (const char* method : fluid ? std::vector{"cudss"} : std::vector{"cudss", "cudss_ldlt", "cudss_cholesky"}) {
      LinearSolver exact(PETSC_COMM_SELF, {.method = "mumps"}), solver(PETSC_COMM_SELF, {.method = method});
      for (int values = 0; values < 2; ++values) {  // factors, then factors of other values in the same pattern
        check(VecScale(there.state, 1 + 0.1 * values));
        check(VecCopy(there.state, host.state));
        Linearization reference(*host.residual, exact, host.point()), linear(*there.residual, solver, there.point());
        VecHandle b = zeros_like(host.state), x = zeros_like(b), expected = zeros_like(b);
        fill(b);
        const long long before = device->traffic().bytes_down;
        for (const bool adjoint : {false, true}) {
          const SolveReport report = adjoint ? linear.solve_adjoint(b, x) : linear.solve_tangent(b, x);
          ASSERT_TRUE(report.converged) << report.reason;
          EXPECT_EQ(report.method, method);
          ASSERT_TRUE((adjoint ? reference.solve_adjoint(b, expected) : reference.solve_tangent(b, expected)).converged);
          EXPECT_LE(difference(entries_of(x), entries_of(expected)), 1e-9);
        }
        const long long matrix = 8 * static_cast<long long>(there.residual->dofs().n_global()) * 40;
        EXPECT_LT(device->traffic().bytes_down - before, matrix) << "the values of the matrix were copied to the host";
      }
    }
  }
}

/// Where cuDSS fails, MUMPS gets a copy on the host.
TEST(DeviceMatrix, AnotherMethodGetsACopy) {
  if (!test::cudss_is_replaced()) GTEST_SKIP() << "the original is not that weak";
  const auto device = make_device(Device::Kind::emulation);
  const Equation there = moved(cavity(), flow_device_forms(), device);
  LinearSolver solver(PETSC_COMM_SELF, {.method = "cudss"});
  VecHandle b = zeros_like(there.state), x = zeros_like(b), left = zeros_like(b);
  fill(b);
  setenv("STAND_IN_PIVOT", "0.3", 1);  // perturbs nearly all pivots
  for (int k = 0; k < 2; ++k) {        // the second matrix goes to MUMPS at once
    solver.set_operator(there.tangent(), false);
    const SolveReport report = solver.solve(b, x);
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_EQ(report.method, "mumps");
    check(MatMult(there.residual->matrix(), x, left));
    EXPECT_LE(difference(entries_of(left), entries_of(b)), 1e-9);
  }
  unsetenv("STAND_IN_PIVOT");
}

/// What `device: auto` compares with the free memory.
TEST(DeviceMatrix, TheNeedOfMemoryIsKnownBeforehand) {
  for (const bool fluid : {true, false}) {
    const std::span<const DeviceKind> kinds = fluid ? flow_device_forms() : solid_device_forms();
    const auto device = make_device(Device::Kind::emulation);
    const Equation host = fluid ? cavity() : block();
    const std::size_t expected = device_bytes(*host.residual, kinds);
    const Equation there = moved(host, kinds, device);
    there.tangent();
    const double held = double(device->traffic().most_held);
    EXPECT_GT(double(expected), 0.5 * held);
    EXPECT_LT(double(expected), 4.0 * held);
  }
}

}  // namespace
}  // namespace invar::device_test
