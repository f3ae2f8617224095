#pragma once
#include "libadjoint/optimize/entry_layout.hpp"
#include "libadjoint/optimize/quadratic_program.hpp"

namespace invar {

/// A symmetric positive definite matrix of any size, diag(δ) + U C Uᵀ with few columns, as limited-memory methods have it.
struct LowRankMatrix {
  Eigen::VectorXd diagonal;     // [n] δ
  Eigen::MatrixXd columns;      // [n × r] U
  Eigen::MatrixXd inverse;      // [r × r] C⁻¹, symmetric

  Eigen::VectorXd times(const Eigen::VectorXd& v, const EntryLayout& layout) const;
};

/// Solves a quadratic programme (its `hessian` is not read, `matrix` stands in its place) by a primal–dual interior-point method with
/// Mehrotra's predictor, for any number of variables, which may be distributed, and many constraints: a step costs one dense system of as many
/// unknowns as there are rows and columns of U, whatever of them is active. Every bound must be finite, lower ≤ 0 ≤ upper; variables whose
/// bounds are equal stay. scale: typical sizes of the variables. Rows may be violated at a price that is raised until that no longer helps, so that there
/// is always a solution. Nocedal and Wright, Numerical Optimization (2006), ch. 16.6 and 19.
QuadraticSolution interior_minimum_of(const QuadraticProgram& program, const LowRankMatrix& matrix, const Eigen::VectorXd& scale, const EntryLayout& layout);

}  // namespace invar
