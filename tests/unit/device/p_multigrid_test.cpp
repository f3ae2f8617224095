// Multigrid on products of a device: products and the coarse matrix against assembled matrices of the host, symmetry of a cycle, solves
// against MUMPS, and no vector that the host asks for.
#include "libadjoint/solve/linear_method.hpp"
#include "libadjoint/solve/options_scope.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/device/device_vector.hpp"
#include "libfem/device/p_multigrid.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfem/space/prolongation.hpp"
#include "tests/unit/device/form_comparison.hpp"
#include "tests/unit/device/guarded_device.hpp"
#include "tests/unit/device/vector_entries.hpp"

namespace invar::device_test {
namespace {

Array product(Mat A, const Array& x) {
  VecHandle from, to;
  check(MatCreateVecs(A, from.out(), to.out()));
  set_entries(from, x);
  check(MatMult(A, from, to));
  return entries_of(to);
}

/// ∂r/∂u of a sheared block of curved cells with a modulus of its own in each, under dead loads, clamped at one side: levels on a device,
/// whose vectors are there too, and assembled matrices of the host.
class ShearedBlock {
 public:
  ShearedBlock(Shape shape, std::shared_ptr<Device> device, double poisson = 0.3) : device_(std::move(device)), poisson_(poisson) {
    const Mesh straight = make_box({0, 0, 0}, {1.5, 1, 1}, {3, 2, 2}, shape, 2);
    mesh_ = std::make_shared<const Mesh>(test::warped(straight, [](double* x) { x[1] += 0.1 * x[0] * x[0], x[2] -= 0.05 * x[0] * x[1]; }));
    dofs_ = std::make_shared<const DofMap>(mesh_, std::vector<Component>{{"u_x", 2}, {"u_y", 2}, {"u_z", 2}}, PETSC_COMM_SELF);
    held_.assign(dofs_->n_local(), 0);
    for (const int node : mesh_->find_region("left")->nodes)
      for (int c = 0; c < 3; ++c) {
        held_[dofs_->dof(node, c)] = 1;
        held_rows_.push_back(dofs_->dof(node, c));
      }
    for (int node = 0; node < mesh_->node_total(); ++node) {
      const double* x = &mesh_->coordinates[3 * node];
      const double size = poisson < 0.4 ? 1 : 0.01;  // a tangent at the pressures of arbitrary volumes would be indefinite
      for (const double v : {0.3 * x[1] * x[0], 0.2 * std::sin(2 * x[0]), -0.1 * x[0] * x[2]}) u_.push_back(size * v);
    }
    forms_.push_back(take_listed(stiffness(4), device_));
    auto load = make_traction(SolidKind::spatial, CellBatches::on_facets(dofs_, "right", 2));
    for (int c = 0; c < 3; ++c) load->coefficients()[c] = Coefficient::constant(c + 1);
    forms_.push_back(take_listed(std::move(load), device_));
    tangent_ = std::make_shared<DeviceTangent>(dofs_, held_, device_, [this] { return create_device_vector(device_, n()); });
    levels_ = std::make_shared<PMultigrid>(tangent_, dofs_, held_rows_);
    std::vector<FormAt> all;
    for (const auto& form : forms_) all.push_back({form.get(), state()});
    EXPECT_TRUE(tangent_->linearise(all, 1.0));
    EXPECT_EQ(levels_->set_up(), "");
  }

  int n() const { return dofs_->n_local(); }
  /// Another modulus in all cells, without a new linearisation.
  void stiffen() {
    for (double& modulus : forms_[0]->coefficients()[0].values) modulus *= 3;
  }
  const std::shared_ptr<PMultigrid>& levels() const { return levels_; }
  const DeviceTangent& tangent() const { return *tangent_; }
  MatHandle prolongation() const { return prolongation_from_linear(*dofs_, held_rows_); }
  MatHandle assembled(int degree) const {
    AssembledMatrix K(dofs_);
    K.constrain(held_);
    K.begin();
    stiffness(degree)->jacobian(state(), K);
    K.end();
    check(MatSetOption(K.mat(), MAT_SYMMETRIC, PETSC_TRUE));
    check(PetscObjectReference(PetscObject(K.mat())));
    return MatHandle(K.mat());
  }
  /// Without structure, zero where unknowns are held.
  Array some_numbers(unsigned seed) const {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Array a(std::size_t(n()), 0.0);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = held_[i] ? 0.0 : uniform(random);
    return a;
  }
  Array of_free(Array a) const {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (held_[i]) a[i] = 0;
    return a;
  }
  VecHandle on_device(const Array& a) const { return with_entries(create_device_vector(device_, n()), a); }

 private:
  std::unique_ptr<WeakForm> stiffness(int degree) const {
    auto form = make_displacement_form(SolidKind::spatial, make_material({"neo_hookean"}), CellBatches::on_cells(dofs_, "", degree));
    int n_cells = 0;
    for (const CellBlock& block : mesh_->cells) n_cells += block.count();
    Array young(n_cells);
    for (int i = 0; i < n_cells; ++i) young[i] = 10 + 3 * std::sin(i);
    form->coefficients()[0] = {Coefficient::Layout::per_cell, young};
    form->coefficients()[1] = Coefficient::constant(poisson_);
    return form;
  }
  FormState state() const {
    FormState at;
    at.coordinates = mesh_->coordinates.data();
    at.unknown[Level::value] = u_.data();
    return at;
  }

  std::shared_ptr<Device> device_;
  double poisson_;
  std::shared_ptr<const Mesh> mesh_;
  std::shared_ptr<const DofMap> dofs_;
  std::vector<char> held_;
  std::vector<int> held_rows_;
  Array u_;
  std::vector<std::unique_ptr<WeakForm>> forms_;
  std::shared_ptr<DeviceTangent> tangent_;
  std::shared_ptr<PMultigrid> levels_;
};

class PMultigridDevice : public testing::TestWithParam<Shape> {};

TEST_P(PMultigridDevice, ProductsAreThoseOfAssembledMatrices) {
  const auto device = make_device(Device::Kind::watched);
  const ShearedBlock block(GetParam(), device);
  const int cheap = GetParam() == Shape::tetrahedron ? 2 : 4;
  const Array x = block.some_numbers(1);
  EXPECT_LE(difference(block.of_free(product(block.tangent().mat(Rule::full), x)), block.of_free(product(block.assembled(4), x))), 1e-12);
  EXPECT_LE(difference(block.of_free(product(block.tangent().mat(Rule::cheap), x)), block.of_free(product(block.assembled(cheap), x))), 1e-12);
  EXPECT_TRUE(device->conflicts().empty()) << *device->conflicts().begin();
}

// The coarse matrix is integrated with linear shape functions; products with the prolongation give the same.
TEST_P(PMultigridDevice, CoarseMatrixIsTheGalerkinProduct) {
  const ShearedBlock block(GetParam(), make_device(Device::Kind::emulation));
  const MatHandle K = block.assembled(GetParam() == Shape::tetrahedron ? 2 : 4), P = block.prolongation();
  MatHandle galerkin;
  check(MatPtAP(K, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, galerkin.out()));
  Mat coarse = block.levels()->matrix(0);
  PetscInt n = 0;
  check(MatGetSize(coarse, &n, nullptr));
  VecHandle x = host_vector(n), fine = host_vector(block.n());
  check(MatMultTranspose(P, with_entries(std::move(fine), block.some_numbers(2)), x));  // zero where unknowns are held
  EXPECT_LE(difference(product(coarse, entries_of(x)), product(galerkin, entries_of(x))), 1e-12);
}

TEST_P(PMultigridDevice, TransferIsThatOfTheHostAndItsTranspose) {
  const ShearedBlock block(GetParam(), make_device(Device::Kind::emulation));
  const MatHandle P = block.prolongation();
  Mat transfer = block.levels()->prolongation(1);
  PetscInt n = 0;
  check(MatGetSize(P, nullptr, &n));
  VecHandle coarse = host_vector(n), coarse_of_host = host_vector(n), fine = host_vector(block.n());
  const Array v = block.some_numbers(3);
  set_entries(fine, v);
  check(MatMultTranspose(transfer, block.on_device(v), coarse));
  check(MatMultTranspose(P, fine, coarse_of_host));
  EXPECT_LE(difference(entries_of(coarse), entries_of(coarse_of_host)), 1e-14);
  VecHandle on_device = block.on_device(v);
  check(MatMult(transfer, coarse, on_device));
  check(MatMult(P, coarse, fine));
  EXPECT_LE(difference(entries_of(on_device), entries_of(fine)), 1e-14);
}

/// PETSc's multigrid as LinearSolver makes it of levels.
KspHandle cycle_of(PMultigrid& levels) {
  const std::string prefix = "cycle_";
  const OptionsScope options(prefix, std::string(find_linear_method("cg_p_multigrid").options) + " " + levels.options());
  KspHandle ksp;
  PC pc;
  check(KSPCreate(PETSC_COMM_SELF, ksp.out()));
  check(KSPSetOptionsPrefix(ksp, prefix.c_str()));
  check(KSPSetOperators(ksp, levels.finest(), levels.finest()));
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, PCMG));
  check(PCMGSetLevels(pc, 2, nullptr));
  check(PCMGSetInterpolation(pc, 1, levels.prolongation(1)));
  check(KSPSetFromOptions(ksp));
  for (const int level : {0, 1}) {
    KSP smoother;
    check(PCMGGetSmoother(pc, level, &smoother));
    check(KSPSetOperators(smoother, levels.matrix(level), levels.matrix(level)));
  }
  check(KSPSetUp(ksp));
  return ksp;
}

TEST_P(PMultigridDevice, AnOperatorKeepsTheCoefficientsOfItsLinearisation) {
  ShearedBlock block(GetParam(), make_device(Device::Kind::emulation));
  const Array x = block.some_numbers(3);
  const Mat A = block.levels()->finest();
  const VecHandle from = block.on_device(x), y = block.on_device(x);
  check(MatMult(A, from, y));
  const Array before = entries_of(y);
  block.stiffen();
  check(MatMult(A, from, y));
  EXPECT_EQ(entries_of(y), before);
}

TEST_P(PMultigridDevice, ACycleIsSymmetricAndPositive) {
  const auto device = make_device(Device::Kind::emulation);
  const ShearedBlock block(GetParam(), device);
  const KspHandle ksp = cycle_of(*block.levels());
  PC pc;
  check(KSPGetPC(ksp, &pc));
  const VecHandle x = block.on_device(block.some_numbers(4)), y = block.on_device(block.some_numbers(5)), Mx = zeros_like(x), My = zeros_like(x);
  check(PCApply(pc, x, Mx));
  const long before = device->host_accesses();
  check(PCApply(pc, x, Mx));
  check(PCApply(pc, y, My));
  EXPECT_EQ(device->host_accesses(), before) << "only coarse vectors are on the host";
  double yMx = 0, xMy = 0, xMx = 0;
  check(VecDot(y, Mx, &yMx));
  check(VecDot(x, My, &xMy));
  check(VecDot(x, Mx, &xMx));
  EXPECT_NEAR(yMx, xMy, 1e-12 * xMx);
  EXPECT_GT(xMx, 0);
}

TEST_P(PMultigridDevice, SolvesAndAsksTheHostForNothing) {
  for (const double poisson : {0.3, 0.49}) {
    const auto device = make_device(Device::Kind::emulation);
    const ShearedBlock block(GetParam(), device, poisson);
    const Array b = block.some_numbers(6);
    const VecHandle load = block.on_device(b), x = zeros_like(load);
    LinearSolver solver(PETSC_COMM_SELF, {.method = "cg_p_multigrid", .rtol = 1e-12});
    solver.set_levels(block.levels());
    solver.set_operator(block.levels()->finest(), true);
    const SolveReport report = solver.solve(load, x);
    EXPECT_TRUE(report.converged) << report.reason;
    const long before = device->host_accesses();
    EXPECT_TRUE(solver.solve_transpose(load, x).converged);
    EXPECT_EQ(device->host_accesses(), before);

    const MatHandle K = block.assembled(4);
    const MatHandle P = block.prolongation();
    VecHandle expected = host_vector(block.n());
    LinearSolver two_level(PETSC_COMM_SELF, {.method = "cg_two_level", .rtol = 1e-12});
    two_level.set_prolongation(P);
    two_level.set_operator(K, true);
    EXPECT_LE(report.iterations, 1.15 * two_level.solve(with_entries(host_vector(block.n()), b), expected).iterations) << poisson;
    LinearSolver direct(PETSC_COMM_SELF, {.method = "mumps_cholesky"});
    direct.set_operator(K, true);
    EXPECT_TRUE(direct.solve(with_entries(host_vector(block.n()), b), expected).converged);
    EXPECT_LE(difference(entries_of(x), entries_of(expected)), 1e-9) << poisson;
  }
}

/// A block that is pulled and sheared: the state, and the gradient of Σ w u to the moduli of all cells.
struct Pulled {
  ProcessReport report;
  Array u, gradient;
};
Pulled pull(const std::shared_ptr<Device>& device, const std::string& method, double poisson) {
  const auto mesh = std::make_shared<const Mesh>(make_box({0, 0, 0}, {2, 1, 1}, {4, 2, 2}, Shape::tetrahedron, 2));
  const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 2}, {"u_y", 2}, {"u_z", 2}}, PETSC_COMM_SELF);
  const auto residual = std::make_shared<FormResidual>(dofs);
  FormResidual& r = *residual;
  const auto number = [&](const char* name, double v) { return ControlledValue{r.add_control({name, ""}, {v}), {}}; };
  const int young = r.add_control({.name = "young", .layout = ControlLayout::cells}, Array(mesh->cells[0].count(), 10.0));
  r.add_form(make_displacement_form(SolidKind::spatial, make_material({"neo_hookean"}), CellBatches::on_cells(dofs, "", 4)),
             {ControlledValue{young, {}}, number("poisson", poisson)});
  r.add_form(make_traction(SolidKind::spatial, CellBatches::on_facets(dofs, "top", 2)), {number("x", 0.3), number("y", 0.1), number("z", 0.2)});
  const int one = r.add_control({"one", ""}, {1.0});
  for (int c = 0; c < 3; ++c) {
    r.add_dirichlet({"left", c, {one, [](const double*, double) { return 0.0; }, false}});
    r.add_dirichlet({"right", c, {one, [c](const double* x, double) { return c == 0 ? 0.4 : 0.3 * x[1]; }, true}});
  }
  r.finish();
  r.set_prolongation(prolongation_from_linear(*dofs, r.constrained_rows()));
  if (device) {
    move_to_device(r, solid_device_forms(), device);
    EXPECT_TRUE(use_p_multigrid(r, device));
  }
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-12;
  StaticCase problem("pull", residual, std::make_shared<LinearSolver>(PETSC_COMM_SELF, LinearSolverOptions{.method = method, .rtol = 1e-12}), {1.0}, 0.0, stepping);
  const long accesses = device ? device->host_accesses() : 0;
  Pulled found{problem.run(r.control_values()), {}, {}};
  EXPECT_TRUE(found.report.ok) << found.report.reason;
  if (!found.report.ok) return found;
  if (device) {
    EXPECT_EQ(device->host_accesses(), accesses) << "Newton's method and its linear solves ask the host for nothing";
  }
  found.u = entries_of(problem.state(0));
  Array weights(std::size_t(dofs->n_local()));
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = std::sin(3.0 * double(i));
  Controls gradient;
  for (const auto& values : r.control_values()) gradient.emplace_back(values.size(), 0.0);
  const SolveReport adjoint = problem.state_vjp(0, with_entries(r.create_vector(), weights), gradient);
  EXPECT_TRUE(adjoint.converged) << adjoint.reason;
  found.gradient = gradient[young];
  return found;
}

TEST(PMultigridOfSolids, StatesAndGradientsAreThoseOfFactorsOnTheHost) {
  for (const double poisson : {0.3, 0.49}) {
    const auto device = std::make_shared<GuardedDevice>();
    const Pulled direct = pull(nullptr, "mumps_cholesky", poisson), host = pull(nullptr, "cg_two_level", poisson), emulated = pull(device, "cg_p_multigrid", poisson);
    EXPECT_LE(difference(emulated.u, direct.u), 1e-9) << poisson;
    EXPECT_LE(difference(emulated.gradient, direct.gradient), 1e-9) << poisson;
    EXPECT_LE(emulated.report.newton_iterations, host.report.newton_iterations) << poisson;
    EXPECT_LE(emulated.report.linear_iterations, 1.15 * host.report.linear_iterations) << poisson;
    EXPECT_EQ(pull(device, "cg_p_multigrid", poisson).gradient, emulated.gradient) << "the same bits each time";
  }
}

INSTANTIATE_TEST_SUITE_P(Cells, PMultigridDevice, testing::Values(Shape::tetrahedron, Shape::hexahedron));

}  // namespace
}  // namespace invar::device_test
