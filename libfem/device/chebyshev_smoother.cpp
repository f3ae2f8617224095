#include "libfem/device/chebyshev_smoother.hpp"

#include <type_traits>

#include "libadjoint/solve/library_failure.hpp"
#include "libfem/device/device_tangent.hpp"
#include "libfem/device/multigrid_kernels.hpp"
#include "libfem/device/vector_access.hpp"

namespace invar {
namespace {

constexpr int steps = 3;
constexpr int estimate_steps = 10;            // of conjugate gradients
constexpr double safety = 1.1, damped = 0.1;  // largest and smallest damped eigenvalue, of the estimate

class ChebyshevSmoother {
 public:
  void set_up(Mat A) {
    if (A != A_.get()) {
      check(PetscObjectReference(PetscObject(A)));
      A_ = MatHandle(A);
      prepare();
    }
    PetscReal largest = 1, smallest = 1;
    check(KSPSolve(estimate_, noise_, solution_));
    check(KSPComputeExtremeSingularValues(estimate_, &largest, &smallest));
    largest_ = safety * largest;
    tangent().set_bound(largest_);
  }

  void apply(Vec b, Vec x) {
    const auto device = tangent().device();
    const ReadVector from(device, b);
    WrittenVector to(device, x);
    const double low = damped / safety * largest_, middle = 0.5 * (largest_ + low), half = 0.5 * (largest_ - low);
    double rho = half / middle;
    step({.from = from.data(), .of_r = 1 / middle, .x = to.data()});
    for (int k = 1; k < steps; ++k) {
      tangent().multiply(Rule::cheap, d_.data(), Ad_.data());
      const double next = 1 / (2 * middle / half - rho);
      step({.from = k == 1 ? from.data() : r_.data(), .Ad = Ad_.data(), .of_d = next * rho, .of_r = 2 * next / half, .x = to.data()});
      rho = next;
    }
    to.finish();
  }

 private:
  struct Step {
    const double *from, *Ad = nullptr;
    double of_d = 0, of_r = 1;
    double* x;
  };

  DeviceTangent& tangent() const { return DeviceTangent::of(A_); }

  void step(const Step& s) {
    const auto with_size = [&](auto size) {
      constexpr int N = decltype(size)::value;
      tangent().device()->run(
          OneByOne{tangent().n() / N, ChebyshevStep<N>{tangent().inverse_blocks(), s.from, s.Ad, s.of_d, s.of_r, r_.data(), d_.data(), s.x}});
    };
    if (tangent().components() == 2) with_size(std::integral_constant<int, 2>());
    else with_size(std::integral_constant<int, 3>());
  }

  void prepare() {
    const auto device = tangent().device();
    const std::size_t n = tangent().n();
    r_ = DeviceArray<double>(device, n), d_ = DeviceArray<double>(device, n), Ad_ = DeviceArray<double>(device, n);
    noise_ = create_device_vector(device, PetscInt(n));
    solution_ = create_device_vector(device, PetscInt(n));
    tangent().set_noise(changed_device_numbers(noise_));
    PC pc;
    check(KSPCreate(PETSC_COMM_SELF, estimate_.out()));
    check(KSPSetType(estimate_, KSPCG));
    check(KSPSetOperators(estimate_, A_, A_));
    check(KSPSetNormType(estimate_, KSP_NORM_NONE));
    check(KSPSetTolerances(estimate_, 0, 0, PETSC_DEFAULT, estimate_steps));
    check(KSPSetComputeSingularValues(estimate_, PETSC_TRUE));
    check(KSPGetPC(estimate_, &pc));
    check(PCSetType(pc, PCSHELL));
    check(PCShellSetContext(pc, this));
    check(PCShellSetApply(pc, [](PC self, Vec b, Vec x) {
      return called(self, [&](ChebyshevSmoother& s) {
        const ReadVector from(s.tangent().device(), b);
        WrittenVector to(s.tangent().device(), x);
        s.step({.from = from.data(), .x = to.data()});
        to.finish();
      });
    }));
  }

  template <class Work>
  static PetscErrorCode called(PC pc, const Work& work) {
    return library_error(PETSC_COMM_SELF, [&] {
      ChebyshevSmoother* self = nullptr;
      check(PCShellGetContext(pc, &self));
      work(*self);
    });
  }
  friend PetscErrorCode create_smoother(PC);

  MatHandle A_;
  double largest_ = 1;
  DeviceArray<double> r_, d_, Ad_;
  VecHandle noise_, solution_;
  KspHandle estimate_;
};

PetscErrorCode create_smoother(PC pc) {
  using S = ChebyshevSmoother;
  return library_error(PETSC_COMM_SELF, [pc] {
    const auto apply = [](PC self, Vec b, Vec x) { return S::called(self, [&](S& s) { s.apply(b, x); }); };
    check(PCSetType(pc, PCSHELL));
    check(PCShellSetName(pc, "invar_device_chebyshev"));
    check(PCShellSetContext(pc, new S));
    check(PCShellSetSetUp(pc, [](PC self) {
      return S::called(self, [&](S& s) {
        Mat A;
        check(PCGetOperators(self, nullptr, &A));
        s.set_up(A);
      });
    }));
    check(PCShellSetApply(pc, apply));
    check(PCShellSetApplyTranspose(pc, apply));
    check(PCShellSetDestroy(pc, [](PC self) { return S::called(self, [](S& s) { delete &s; }); }));
  });
}

}  // namespace

void register_device_chebyshev() { check(PCRegister("invar_device_chebyshev", create_smoother)); }

}  // namespace invar
