// The eigenvalues of a posterior against those of an independent library: SLEPc's Krylov–Schur method on the same products.
#include <cstdio>
#include <cstdlib>

#include "libadjoint/inference/laplace_posterior.hpp"
#include "tests/unit/design/gaussian_plate.hpp"

#ifdef INVAR_SLEPC
#include <slepceps.h>
#endif

namespace invar::gaussian {
namespace {

#ifdef INVAR_SLEPC

/// H = J_lᵀ (1 − P) J_l of the local entries, P the projection to the columns of J_s of the shared ones.
class HessianShell {
 public:
  explicit HessianShell(CaseFunctional& f) : f_(f), theta_(f.start()) {
    of_shared_.resize(f.residual_count(), static_cast<Eigen::Index>(theta_.shared.size()));
    for (std::size_t k = 0; k < theta_.shared.size(); ++k) {
      DesignVector unit = DesignVector::zeros_like(theta_);
      unit.shared[k] = 1;
      DenseVector column;
      EXPECT_TRUE(f.residual_jvp(theta_, unit, column).ok);
      of_shared_.col(static_cast<Eigen::Index>(k)) = column.normalized();  // one at most
    }
    const auto n = static_cast<PetscInt>(theta_.local.size());
    check(MatCreateShell(f.comm(), n, n, PETSC_DETERMINE, PETSC_DETERMINE, this, shell_.out()));
    check(MatShellSetOperation(shell_, MATOP_MULT, reinterpret_cast<void (*)()>(&multiply)));
  }
  HessianShell(const HessianShell&) = delete;
  HessianShell& operator=(const HessianShell&) = delete;

  Mat matrix() const { return shell_; }

 private:
  static PetscErrorCode multiply(Mat shell, Vec x, Vec y) {
    HessianShell* self = nullptr;
    check(MatShellGetContext(shell, &self));
    DesignVector v = DesignVector::zeros_like(self->theta_), g;
    const PetscScalar* in = nullptr;
    check(VecGetArrayRead(x, &in));
    std::copy(in, in + v.local.size(), v.local.begin());
    check(VecRestoreArrayRead(x, &in));
    DenseVector w;
    EXPECT_TRUE(self->f_.residual_jvp(self->theta_, v, w).ok);
    w -= self->of_shared_ * (self->of_shared_.transpose() * w);
    EXPECT_TRUE(self->f_.residual_vjp(self->theta_, w, g).ok);
    PetscScalar* out = nullptr;
    check(VecGetArray(y, &out));
    std::copy(g.local.begin(), g.local.end(), out);
    check(VecRestoreArray(y, &out));
    return 0;
  }

  CaseFunctional& f_;
  DesignVector theta_;
  DenseMatrix of_shared_;
  MatHandle shell_;
};

/// The largest `wanted` eigenvalues, and the residual of the worst pair relative to 1 + λ.
std::pair<std::vector<double>, double> by_krylov_schur(Mat matrix, MPI_Comm comm, PetscInt wanted) {
  EPS eps = nullptr;
  check(EPSCreate(comm, &eps));
  check(EPSSetOperators(eps, matrix, nullptr));
  check(EPSSetProblemType(eps, EPS_HEP));
  check(EPSSetType(eps, EPSKRYLOVSCHUR));
  check(EPSSetWhichEigenpairs(eps, EPS_LARGEST_REAL));
  check(EPSSetDimensions(eps, wanted, PETSC_DEFAULT, PETSC_DEFAULT));
  check(EPSSetTolerances(eps, 1e-12, 1000));
  check(EPSSolve(eps));
  PetscInt found = 0;
  check(EPSGetConverged(eps, &found));
  EXPECT_GE(found, wanted);
  std::vector<double> values;
  double worst = 0;
  for (PetscInt k = 0; k < std::min(found, wanted); ++k) {
    PetscScalar value = 0, imaginary = 0;
    PetscReal error = 0;
    check(EPSGetEigenvalue(eps, k, &value, &imaginary));
    check(EPSComputeError(eps, k, EPS_ERROR_ABSOLUTE, &error));
    values.push_back(value);
    worst = std::max(worst, error / (1 + value));
  }
  check(EPSDestroy(&eps));
  return {values, worst};
}

TEST(SlepcPosterior, FindsTheSameEigenvalues) {
  check(SlepcInitializeNoArguments());
  for (const bool with_number : {false, true}) {
    Plate p(16, with_number, 14, 0.004);
    LaplacePosterior posterior;
    ASSERT_TRUE(posterior.find(*p.functional, p.functional->start()).ok);
    ASSERT_GT(posterior.rank(), 8);
    const HessianShell hessian(*p.functional);
    const auto [expected, error] = by_krylov_schur(hessian.matrix(), p.functional->comm(), posterior.rank() + 1);
    ASSERT_EQ(expected.size(), static_cast<std::size_t>(posterior.rank() + 1));
    EXPECT_LT(error, 1e-9);
    double most = 0;
    for (int k = 0; k < posterior.rank(); ++k) {
      EXPECT_NEAR(posterior.eigenvalues()[k], expected[k], 1e-8 * (1 + expected[k])) << k;
      most = std::max(most, std::abs(posterior.eigenvalues()[k] - expected[k]) / (1 + expected[k]));
    }
    EXPECT_LE(expected.back(), PosteriorOptions{}.smallest);  // none above the threshold is missing
    if (std::getenv("INVAR_PRINT"))
      std::printf("%d eigenvalues from %.4g to %.4g, next %.4g: largest difference from SLEPc %.1e of 1 + lambda\n", posterior.rank(), expected.front(), expected[expected.size() - 2], expected.back(), most);
  }
  check(SlepcFinalize());
}

#else

TEST(SlepcPosterior, FindsTheSameEigenvalues) { GTEST_SKIP() << "SLEPc (Debian: libslepc-real-dev) was not found when this was configured"; }

#endif

}  // namespace
}  // namespace invar::gaussian
