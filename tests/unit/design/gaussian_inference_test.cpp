// Inference in a problem that is exactly Gaussian: a field of forces in an elastic plate, which the displacements depend on linearly, and a
// traction of which nothing is known. Everything the program finds is compared with the formulas for dense matrices.
#include <Eigen/Dense>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/inference/goodness_of_fit.hpp"
#include "libadjoint/inference/posterior_field.hpp"
#include "libadjoint/maps/number_design.hpp"
#include "libadjoint/normal_number.hpp"
#include "libadjoint/optimize/gauss_newton.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/design/field/gaussian_field.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/support/dense.hpp"

#include <gtest/gtest.h>

namespace invar::gaussian {
namespace {

using DenseMatrix = Eigen::MatrixXd;
using DenseVector = Eigen::VectorXd;

/// Forces in x on n × n cells, markers on the plate, and perhaps a traction on its right side.
struct Plate {
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> residual;
  std::shared_ptr<StaticCase> process;
  std::shared_ptr<GaussianField> field;
  std::unique_ptr<CaseFunctional> functional;

  Plate(int n, bool with_number, int markers = 9, double noise = 0.01, int order = 1) {
    const MPI_Comm comm = PETSC_COMM_WORLD;
    mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 1, 1, n, n, Shape::quadrilateral, order), comm));
    dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", order}, {"u_y", order}}, comm);
    residual = std::make_shared<FormResidual>(dofs);
    const auto number = [&](const char* name, double v) { return ControlledValue{residual->add_control({name, ""}, {v}), {}}; };
    residual->add_form(make_displacement_form(SolidKind::plane_strain, make_material({.name = "linear_elastic"}), CellBatches::on_cells(dofs, "", 2 * order)),
                       {number("young", 1), number("poisson", 0.3)});
    int cells = 0;
    for (const CellBlock& block : mesh->cells) cells += block.count();
    const int force = residual->add_control({.name = "force", .layout = ControlLayout::cells}, std::vector<double>(cells, 0.0));
    residual->add_form(make_body_force(SolidKind::plane_strain, CellBatches::on_cells(dofs, "", 2 * order)), {{force, {}}, number("zero", 0)});
    const ControlledValue pull = number("pull", 0.2);
    residual->add_form(make_traction(SolidKind::plane_strain, CellBatches::on_facets(dofs, "right", 2 * order)), {pull, number("none", 0)});
    for (int i = 0; i < 2; ++i) residual->add_dirichlet({"left", i, number(i ? "u_y" : "u_x", 0)});
    residual->finish();
    LoadSteppingOptions stepping;
    stepping.newton.rtol = 1e-13;
    process = std::make_shared<StaticCase>("plate", residual, std::make_shared<LinearSolver>(comm, LinearSolverOptions{.rtol = 1e-14}),
                                           std::vector<double>{1.0}, 0.0, stepping);
    std::vector<Sample> samples;
    std::vector<double> target, distance;
    for (int i = 0; i < markers; ++i)
      for (int j = 0; j < 2; ++j) {
        samples.push_back({{0.13 + 0.8 * std::fmod(0.618 * i, 1.0), 0.09 + 0.8 * (i + 0.5) / markers}, j});
        target.push_back(0.2 * std::sin(1.0 + 2.1 * i + j));
      }
    DataSet set{"markers", make_point_samples(dofs, samples, distance), {0}, target, {}};
    for (std::size_t i = 0; i < target.size(); ++i) set.noise.push_back(noise * (1 + 0.1 * static_cast<double>(i % 3)));
    process->data().push_back(std::move(set));
    auto prior = std::make_shared<BilaplacianPrior>(mesh, "", 0.8, 0.5);
    field = std::make_shared<GaussianField>(mesh, prior, "", VariableTransform(), FieldRange{}, std::vector<double>(cells, 0.3),
                                            std::vector<FieldTarget>{{0, force}});
    std::vector<std::shared_ptr<Parameterization>> design;
    if (with_number) {
      DesignEntry entry{{"pull", VariableTransform(), 0.2, -INFINITY, INFINITY}, {{0, pull.control}}};
      design.push_back(std::make_shared<NumberDesign>(std::vector<DesignEntry>{entry}));
    }
    design.push_back(field);
    functional = std::make_unique<CaseFunctional>(std::vector<std::shared_ptr<StaticCase>>{process}, std::move(design), comm);
  }

  /// Entries before this rank's, and of all: shared ones first.
  std::vector<DesignVector> units() const {
    const DesignVector like = functional->start();
    long long mine = static_cast<long long>(like.local.size()), first = 0, all = 0;
    MPI_Exscan(&mine, &first, 1, MPI_LONG_LONG, MPI_SUM, functional->comm());
    MPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, functional->comm());
    std::vector<DesignVector> units;
    for (std::size_t k = 0; k < like.shared.size(); ++k) {
      units.push_back(DesignVector::zeros_like(like));
      units.back().shared[k] = 1;
    }
    for (long long k = 0; k < all; ++k) {
      units.push_back(DesignVector::zeros_like(like));
      if (k >= first && k < first + mine) units.back().local[static_cast<std::size_t>(k - first)] = 1;
    }
    return units;
  }
};

/// ρ and its Jacobian by differences, which are exact here.
struct Dense {
  DenseVector rho;
  DenseMatrix J, precision, covariance;

  explicit Dense(Plate& p) {
    CaseFunctional& f = *p.functional;
    const std::vector<DesignVector> units = p.units();
    const DesignVector start = f.start(), known = f.prior_precision();
    EXPECT_TRUE(f.residuals(start, rho).ok);
    J.resize(rho.size(), static_cast<Eigen::Index>(units.size()));
    precision = DenseMatrix::Zero(J.cols(), J.cols());
    for (std::size_t k = 0; k < units.size(); ++k) {
      DesignVector moved = start;
      moved.axpy(1, units[k]);
      DenseVector there;
      EXPECT_TRUE(f.residuals(moved, there).ok);
      J.col(static_cast<Eigen::Index>(k)) = there - rho;
      precision(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(k)) = k < start.shared.size() ? 0 : 1;
    }
    covariance = test::dense_inverse(J.transpose() * J + precision);
  }
  /// From the start, whose θ is 0 but for the shared entries, of which nothing is known.
  DenseVector most_probable() const { return -covariance * (J.transpose() * rho); }
};

void compare_with_dense(bool with_number) {
  Plate p(5, with_number);
  CaseFunctional& f = *p.functional;
  const Dense dense(p);
  const std::vector<DesignVector> units = p.units();
  const DesignVector start = f.start();

  // Products.
  const DenseVector w = DenseVector::LinSpaced(dense.rho.size(), -1, 2);
  DesignVector g;
  ASSERT_TRUE(f.residual_vjp(start, w, g).ok);
  const DenseVector expected = dense.J.transpose() * w;
  for (std::size_t k = 0; k < units.size(); ++k) {
    DenseVector column;
    ASSERT_TRUE(f.residual_jvp(start, units[k], column).ok);
    EXPECT_LT((column - dense.J.col(static_cast<Eigen::Index>(k))).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_NEAR(dot(g, units[k], f.comm()), expected[static_cast<Eigen::Index>(k)], 1e-9);
  }

  // The most probable point.
  OptimizerOptions options;
  options.gradient_tolerance = 1e-12;
  options.function_tolerance = 0;
  options.step_tolerance = 0;
  options.max_iterations = 60;
  const OptimizerResult found = GaussNewton(options).minimize(f, start);
  EXPECT_TRUE(found.converged) << found.reason;
  const DenseVector most_probable = dense.most_probable();
  DesignVector step = found.theta;
  step.axpy(-1, start);
  for (std::size_t k = 0; k < units.size(); ++k)
    EXPECT_NEAR(dot(step, units[k], f.comm()), most_probable[static_cast<Eigen::Index>(k)], 1e-8) << k;

  // Covariance, of single entries and of others; evidence; eigenvalues.
  LaplacePosterior posterior({.smallest = 1e-10});
  ASSERT_TRUE(posterior.find(f, found.theta).ok);
  for (std::size_t k = 0; k < units.size(); ++k) {
    DesignVector mixed = units[k];
    mixed.axpy(0.5, units[(3 * k + 1) % units.size()]);
    DenseVector v = DenseVector::Zero(dense.J.cols());
    v[static_cast<Eigen::Index>(k)] += 1;
    v[static_cast<Eigen::Index>((3 * k + 1) % units.size())] += 0.5;
    EXPECT_NEAR(posterior.variance(mixed), v.dot(dense.covariance * v), 1e-8);
  }
  if (with_number) {
    EXPECT_NEAR(posterior.shared_covariance()(0, 0), dense.covariance(0, 0), 1e-8 * dense.covariance(0, 0));
  }
  const auto shared = static_cast<Eigen::Index>(start.shared.size());
  const DenseMatrix A = dense.J.transpose() * dense.J + dense.precision;
  EXPECT_NEAR(posterior.negative_log_evidence(found.value), found.value + 0.5 * std::log(test::dense_determinant(A)), 1e-7);
  const DenseMatrix Js = dense.J.leftCols(shared), Jl = dense.J.rightCols(dense.J.cols() - shared);
  DenseMatrix left = DenseMatrix::Identity(dense.J.rows(), dense.J.rows());
  if (with_number) left -= Js * test::dense_inverse(Js.transpose() * Js) * Js.transpose();
  DenseVector lambda = Eigen::SelfAdjointEigenSolver<DenseMatrix>(left * Jl * Jl.transpose() * left).eigenvalues().reverse();
  ASSERT_GE(lambda.size(), posterior.rank());
  for (int i = 0; i < posterior.rank(); ++i)
    EXPECT_NEAR(posterior.eigenvalues()[i], lambda[i], 1e-8 * (1 + lambda[i]));

  // Deviation of the field, in cells.
  PosteriorField of_field;
  ASSERT_TRUE(find_posterior_field(posterior, f, with_number ? 1 : 0, *p.field, of_field).ok);
  DenseMatrix B(static_cast<Eigen::Index>(of_field.deviation.size()), static_cast<Eigen::Index>(units.size()));
  for (std::size_t k = 0; k < units.size(); ++k) {
    std::vector<double> q;
    ASSERT_TRUE(p.field->spread(units[k].local, q).ok);
    B.col(static_cast<Eigen::Index>(k)) = Eigen::Map<DenseVector>(q.data(), B.rows());
  }
  const DenseMatrix of_q = B * dense.covariance * B.transpose(), before = B.rightCols(B.cols() - shared) * B.rightCols(B.cols() - shared).transpose();
  for (std::size_t c = 0; c < of_field.deviation.size(); ++c) {
    if (!p.field->designed()[c]) continue;
    const auto i = static_cast<Eigen::Index>(c);
    EXPECT_NEAR(of_field.prior_deviation[c], std::sqrt(before(i, i)), 1e-8);
    EXPECT_NEAR(of_field.deviation[c], std::sqrt(of_q(i, i)), 1e-8);
    EXPECT_LT(of_field.deviation[c], of_field.prior_deviation[c]);
  }
}

TEST(GaussianInference, IsTheDenseFormula) { compare_with_dense(false); }
TEST(GaussianInference, IsTheDenseFormulaWithANumberOfWhichNothingIsKnown) { compare_with_dense(true); }

// These are the same fields on finer cells: neither the rank nor the eigenvalues change much.
TEST(GaussianInference, EigenvaluesDoNotDependOnTheMesh) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (ranks > 1) GTEST_SKIP() << "a study on finer meshes; ranks are compared by the dense formula";
  std::vector<DenseVector> values;
  std::vector<double> resolved;
  for (const int n : {24, 48}) {
    Plate p(n, false, 12, 0.003, 2);
    LaplacePosterior posterior({.smallest = 0.1});
    ASSERT_TRUE(posterior.find(*p.functional, p.functional->start()).ok);
    values.push_back(posterior.eigenvalues());
    resolved.push_back(posterior.resolved_directions());
    EXPECT_LE(posterior.products(), 40);
  }
  EXPECT_LE(std::abs(values[0].size() - values[1].size()), 1);
  EXPECT_GE(std::min(values[0].size(), values[1].size()), 10);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(values[0][i], values[1][i], 0.02 * (1 + values[1][i])) << i;
  EXPECT_NEAR(resolved[0], resolved[1], 0.01 * resolved[1]);
}

// Few data in many cells: the eigenvalues are those of J Jᵀ, a matrix as small as the data are few.
TEST(GaussianInference, FewDataAreSeenInManyCells) {
  for (const double noise : {0.05, 0.5}) {
    SCOPED_TRACE(noise);
    Plate p(40, false, 3, noise);
    CaseFunctional& f = *p.functional;
    const DesignVector start = f.start();
    const int data = f.residual_count();
    std::vector<DesignVector> rows(data);
    for (int i = 0; i < data; ++i) ASSERT_TRUE(f.residual_vjp(start, DenseVector::Unit(data, i), rows[i]).ok);
    DenseMatrix gram(data, data);
    for (int i = 0; i < data; ++i)
      for (int j = 0; j < data; ++j) gram(i, j) = dot(rows[i], rows[j], f.comm());
    const DenseVector expected = Eigen::SelfAdjointEigenSolver<DenseMatrix>(gram).eigenvalues().reverse();
    LaplacePosterior posterior;
    ASSERT_TRUE(posterior.find(f, start).ok);
    ASSERT_EQ(posterior.rank(), (expected.array() > 0.1).count());
    EXPECT_GT(posterior.rank(), 0);
    for (int i = 0; i < posterior.rank(); ++i) EXPECT_NEAR(posterior.eigenvalues()[i], expected[i], 1e-6 * (1 + expected[i])) << i;
  }
}

// Draws have the covariance of the formula: 2000 of them leave √(2/2000) = 3 % of a variance, five times that at worst.
TEST(GaussianInference, SamplesHaveTheCovariance) {
  Plate p(3, true, 4);
  const Dense dense(p);
  CaseFunctional& f = *p.functional;
  LaplacePosterior posterior({.smallest = 1e-10});
  const DesignVector start = f.start();
  ASSERT_TRUE(posterior.find(f, start).ok);
  int rank = 0;
  MPI_Comm_rank(f.comm(), &rank);
  std::mt19937_64 random(100 + static_cast<unsigned>(rank)), shared(7);
  const std::vector<DesignVector> units = p.units();
  constexpr int draws = 2000;
  DenseMatrix sum = DenseMatrix::Zero(dense.J.cols(), dense.J.cols());
  for (int k = 0; k < draws; ++k) {
    DesignVector x = posterior.sample(random, shared);
    x.axpy(-1, start);
    DenseVector v(dense.J.cols());
    for (std::size_t i = 0; i < units.size(); ++i) v[static_cast<Eigen::Index>(i)] = dot(x, units[i], f.comm());
    sum += v * v.transpose() / draws;
  }
  for (Eigen::Index i = 0; i < sum.rows(); ++i)
    for (Eigen::Index j = 0; j < sum.rows(); ++j)
      EXPECT_NEAR(sum(i, j), dense.covariance(i, j), 5 * std::sqrt(2.0 / draws) * std::sqrt(dense.covariance(i, i) * dense.covariance(j, j)));
}

// Bands of 95 % contain the truth in 95 % of the cells, on average over data that were made from fields as likely as the prior says; and a
// noise of which a third was stated is found out. 200 sets of 36 cells, of which a dozen directions are independent: a standard
// error of half a percent. Long: run by the test `coverage`.
TEST(GaussianInference, DISABLED_BandsCoverTheTruth) {
  for (const double understated : {1.0, 3.0}) {
    Plate p(6, false, 12);
    CaseFunctional& f = *p.functional;
    LaplacePosterior posterior({.smallest = 1e-6});
    ASSERT_TRUE(posterior.find(f, f.start()).ok);
    std::mt19937_64 random(5);
    DataSet& set = p.process->data()[0];
    constexpr int sets = 200;
    long long covered = 0, counted = 0;
    int flagged = 0;
    PosteriorField of_field;
    OptimizerOptions options;
    options.gradient_tolerance = 1e-9;
    for (int k = 0; k < sets; ++k) {
      DesignVector truth = f.start();
      for (double& x : truth.local) x = normal_number(random);
      f.forget();
      ASSERT_TRUE(f.solve(truth).ok);
      set.target = p.process->observed(set);
      std::vector<double> q = p.field->coordinates();
      for (std::size_t i = 0; i < set.target.size(); ++i) set.target[i] += understated * set.noise[i] * normal_number(random);
      f.forget();
      const OptimizerResult found = GaussNewton(options).minimize(f, f.start());
      ASSERT_TRUE(found.converged) << found.reason;
      ASSERT_TRUE(f.solve(found.theta).ok);
      p.field->set_truth(std::move(q));
      ASSERT_TRUE(find_posterior_field(posterior, f, 0, *p.field, of_field).ok);
      covered += of_field.covered, counted += of_field.counted;
      DenseVector rho;
      ASSERT_TRUE(f.residuals(found.theta, rho).ok);
      flagged += goodness_of_fit(rho.squaredNorm(), static_cast<int>(rho.size()), posterior.resolved_directions()).too_large;
    }
    const double share = static_cast<double>(covered) / static_cast<double>(counted);
    std::printf("noise %g times as large as stated: %.1f %% covered, %d of %d flagged\n", understated, 100 * share, flagged, sets);
    if (understated == 1) {
      EXPECT_NEAR(share, 0.95, 0.015);
      EXPECT_LE(flagged, 2);
    } else {
      EXPECT_GE(flagged, 190);
    }
  }
}

}  // namespace
}  // namespace invar::gaussian
