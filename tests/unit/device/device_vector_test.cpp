// PETSc vectors on a device: every operation against a vector of PETSc's own, and Krylov methods on products of DeviceForm, which ask
// the host for nothing.
#include <random>

#include "libfem/device/device_vector.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/unit/device/form_comparison.hpp"
#include "tests/unit/device/vector_entries.hpp"

namespace invar::device_test {
namespace {

constexpr int n_numbers = 5000;  // two teams

Array some_numbers(unsigned seed, std::size_t n = n_numbers) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Array a(n);
  for (double& v : a) v = uniform(random);
  return a;
}

/// Three vectors of one kind and what a sequence of all operations makes of them.
struct Operations {
  VecHandle x, y, z;
  Array reductions;
  bool one_by_one_is_the_same = true;  // bitwise

  explicit Operations(VecHandle first) : x(std::move(first)) {
    check(VecDuplicate(x, y.out()));
    check(VecDuplicate(x, z.out()));
    set_entries(x, some_numbers(1)), set_entries(y, some_numbers(2)), set_entries(z, some_numbers(3));
  }
  void run() {
    double value = 0, several[2], dots[11];
    const auto keep = [&] { reductions.push_back(value); };
    check(VecAXPY(x, 0.7, y));
    check(VecAYPX(y, -0.4, z));
    check(VecAXPBY(z, 1.5, 0.2, x));
    check(VecWAXPY(z, 0.3, x, y));
    check(VecAXPBYPCZ(z, 0.1, 0.2, 0.3, x, y));
    const double factors[] = {0.5, -0.25, 0.1, 0.2, -0.1, 0.3, 0.2, -0.3, 0.1, 0.4, -0.2};  // more than a kernel takes at once
    Vec many[] = {x, y, y, x, x, y, x, x, y, y, x};
    check(VecMAXPY(z, 11, factors, many));
    check(VecMDot(z, 11, many, dots));
    reductions.insert(reductions.end(), dots, dots + 11);
    check(VecDot(x, z, &value)), keep();
    one_by_one_is_the_same &= value == dots[0];
    for (const NormType type : {NORM_1, NORM_2, NORM_INFINITY}) check(VecNorm(z, type, &value)), keep();
    check(VecNorm(x, NORM_1_AND_2, several));
    reductions.insert(reductions.end(), several, several + 2);
    check(VecMax(z, nullptr, &value)), keep();
    check(VecMin(z, nullptr, &value)), keep();
    check(VecScale(x, -2.0));
    check(VecShift(x, 5.0));
    check(VecReciprocal(x));
    check(VecSqrtAbs(x));
    check(VecAbs(y));
    check(VecPointwiseMult(z, z, x));
    check(VecPointwiseDivide(y, z, x));
    check(VecSwap(x, y));
    check(VecCopy(z, x));
    check(VecSet(z, 0.5));
    check(VecPointwiseMult(z, z, z));
  }
};

TEST(DeviceVector, OperationsAreThoseOfPetsc) {
  for (const auto& device : {make_device(Device::Kind::emulation), make_device(Device::Kind::watched), cuda_device()}) {
    if (!device) continue;
    const long before = device->host_accesses();
    Operations host(host_vector(n_numbers)), on_device(create_device_vector(device, n_numbers));
    EXPECT_TRUE(is_on_device(on_device.z));
    EXPECT_FALSE(is_on_device(host.z));
    EXPECT_EQ(device->host_accesses() - before, 3) << "the numbers that were given";
    host.run();
    on_device.run();
    EXPECT_EQ(device->host_accesses() - before, 3) << "no operation asks the host";
    EXPECT_LE(difference(on_device.reductions, host.reductions), 1e-13);
    EXPECT_TRUE(on_device.one_by_one_is_the_same);
    for (const auto member : {&Operations::x, &Operations::y, &Operations::z})
      EXPECT_LE(difference(entries_of(on_device.*member), entries_of(host.*member)), 1e-14);
    EXPECT_EQ(device->host_accesses() - before, 6);
    EXPECT_TRUE(device->conflicts().empty());
  }
}

/// ∂r/∂u of a solid under a follower pressure, by its products, between masks that hold the dofs of one side.
class TangentOperator {
 public:
  TangentOperator(const std::shared_ptr<Device>& device, bool symmetric) {
    const auto mesh = std::make_shared<const Mesh>(test::distorted_block(Shape::hexahedron, 1, true));
    dofs_ = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 1}, {"u_y", 1}, {"u_z", 1}}, PETSC_COMM_SELF);
    const CellBatches cells = CellBatches::on_cells(dofs_, "", 2), top = CellBatches::on_facets(dofs_, "top", 2);
    add(device, make_displacement_form(SolidKind::spatial, make_material({"neo_hookean"}), cells), {10, 0.3});
    if (!symmetric) add(device, make_follower_pressure(SolidKind::spatial, top), {2});
    u_ = create_device_vector(device, n());
    X_ = DeviceArray<double>(device, std::span<const double>(mesh->coordinates));
    mask_ = create_device_vector(device, n());
    work_ = create_device_vector(device, n());
    Array u = some_numbers(5, std::size_t(n())), free(u.size(), 1.0);
    for (double& v : u) v *= 0.02;
    for (const int node : mesh->find_region("left")->nodes)
      for (int c = 0; c < 3; ++c) free[std::size_t(dofs_->dof(node, c))] = 0;
    set_entries(u_, u), set_entries(mask_, free);
    check(MatCreateShell(PETSC_COMM_SELF, n(), n(), n(), n(), this, mat_.out()));
    check(MatShellSetOperation(mat_, MATOP_MULT, reinterpret_cast<void (*)()>(&product<false>)));
    check(MatShellSetOperation(mat_, MATOP_MULT_TRANSPOSE, reinterpret_cast<void (*)()>(&product<true>)));
    if (symmetric) check(MatSetOption(mat_, MAT_SYMMETRIC, PETSC_TRUE));
  }

  int n() const { return dofs_->n_local(); }
  Mat mat() const { return mat_; }

 private:
  void add(const std::shared_ptr<Device>& device, std::unique_ptr<WeakForm> host, const Array& constants) {
    for (std::size_t k = 0; k < constants.size(); ++k) host->coefficients()[k] = Coefficient::constant(constants[k]);
    forms_.push_back(take_listed(std::move(host), device));
  }
  template <bool Transposed>
  static PetscErrorCode product(Mat mat, Vec x, Vec y) {
    TangentOperator* self = nullptr;
    check(MatShellGetContext(mat, &self));
    check(VecPointwiseMult(self->work_, self->mask_, x));
    check(VecSet(y, 0.0));
    FormState at;
    at.coordinates = self->X_.data();
    at.unknown[Level::value] = device_numbers(self->u_);
    FormTangent direction;
    direction.unknown[Level::value] = device_numbers(self->work_);
    FormCotangent out;
    out.unknown[Level::value] = changed_device_numbers(y);
    for (const auto& form : self->forms_) {
      if (Transposed) form->vjp(at, device_numbers(self->work_), out);
      else form->jvp(at, direction, out.unknown[Level::value]);
    }
    check(VecPointwiseMult(y, self->mask_, y));
    check(VecAXPY(y, 1.0, x));
    check(VecAXPY(y, -1.0, self->work_));
    return 0;
  }

  std::shared_ptr<const DofMap> dofs_;
  std::vector<std::unique_ptr<WeakForm>> forms_;
  VecHandle u_, mask_, work_;
  DeviceArray<double> X_;
  MatHandle mat_;
};

void expect_krylov_methods_without_host(const std::shared_ptr<Device>& device) {
  for (const bool symmetric : {true, false}) {
    const TangentOperator A(device, symmetric);
    VecHandle b = create_device_vector(device, A.n()), x = zeros_like(b), r = zeros_like(b);
    set_entries(b, some_numbers(9, std::size_t(A.n())));
    for (const char* method : {KSPCG, KSPMINRES, KSPGMRES, KSPFGMRES, KSPCHEBYSHEV})
      for (const bool transposed : {false, true}) {
        const std::string name = method;
        if (!symmetric && (name == KSPCG || name == KSPMINRES || name == KSPCHEBYSHEV)) continue;
        SCOPED_TRACE(name + (transposed ? ", transposed" : "") + (symmetric ? ", symmetric" : ""));
        KspHandle ksp;
        PC pc;
        check(KSPCreate(PETSC_COMM_SELF, ksp.out()));
        check(KSPSetOperators(ksp, A.mat(), A.mat()));
        check(KSPSetType(ksp, method));
        check(KSPGetPC(ksp, &pc));
        check(PCSetType(pc, PCNONE));
        if (name == KSPCHEBYSHEV) check(KSPChebyshevSetEigenvalues(ksp, 30.0, 0.05));
        check(KSPSetTolerances(ksp, 1e-9, PETSC_DEFAULT, PETSC_DEFAULT, 2000));
        check(KSPGMRESSetRestart(ksp, 200));
        const long before = device->host_accesses();
        check(transposed ? KSPSolveTranspose(ksp, b, x) : KSPSolve(ksp, b, x));
        check(transposed ? MatMultTranspose(A.mat(), x, r) : MatMult(A.mat(), x, r));
        check(VecAYPX(r, -1.0, b));
        double left = 0, load = 0;
        check(VecNorm(r, NORM_2, &left));
        check(VecNorm(b, NORM_2, &load));
        EXPECT_EQ(device->host_accesses(), before);
        KSPConvergedReason reason;
        PetscInt iterations = 0;
        check(KSPGetConvergedReason(ksp, &reason));
        check(KSPGetIterationNumber(ksp, &iterations));
        EXPECT_GT(reason, 0);
        EXPECT_GT(iterations, 10);
        EXPECT_LE(left, 1e-7 * load);
      }
  }
}
TEST(DeviceVector, KrylovMethodsDoNotAskTheHost) { expect_krylov_methods_without_host(make_device(Device::Kind::emulation)); }
TEST(DeviceVector, KrylovMethodsDoNotAskTheHostOfACudaDevice) {
  if (!cuda_device()) GTEST_SKIP() << "no CUDA device, or a program without CUDA code";
  expect_krylov_methods_without_host(cuda_device());
}

}  // namespace
}  // namespace invar::device_test
