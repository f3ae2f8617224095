#pragma once
// A problem that is exactly Gaussian: a field of forces in an elastic plate, which the displacements depend on linearly, and a traction of
// which nothing is known.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <memory>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/maps/number_design.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/design/field/gaussian_field.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/support/dense.hpp"

namespace invar::gaussian {

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

}  // namespace invar::gaussian
