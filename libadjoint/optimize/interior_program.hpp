#pragma once
#include "libadjoint/optimize/entry_layout.hpp"
#include "libadjoint/optimize/quadratic_program.hpp"

namespace invar {

/// A symmetric positive definite matrix diag(δ) + U C Uᵀ with few columns U, as in limited-memory quasi-Newton methods.
struct LowRankMatrix {
  Eigen::VectorXd diagonal;     // [n] δ
  Eigen::MatrixXd columns;      // [n × r] U
  Eigen::MatrixXd inverse;      // [r × r] C⁻¹, symmetric

  Eigen::VectorXd times(const Eigen::VectorXd& v, const EntryLayout& layout) const;
};

/// Solves a quadratic programme with Hessian `matrix` (program.hessian is not read) by a primal–dual interior-point method with Mehrotra's
/// predictor, for any number of variables, which may be distributed, and many constraints. A step costs one dense system whose size is the
/// number of rows plus the number of columns of U. Every bound must be finite, lower ≤ 0 ≤ upper; variables with equal bounds are fixed.
/// scale: typical sizes of the variables. Rows may be violated at a penalty that is raised until it no longer helps, so that a solution
/// always exists. Nocedal and Wright, Numerical Optimization (2006), ch. 16.6 and 19.
QuadraticSolution interior_minimum_of(const QuadraticProgram& program, const LowRankMatrix& matrix, const Eigen::VectorXd& scale, const EntryLayout& layout);

}  // namespace invar
