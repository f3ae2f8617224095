#pragma once
#include <Eigen/Dense>
#include <vector>

namespace invar {

/// A small dense strictly convex quadratic programme:
///   min ½ dᵀ H d + gᵀ d   s.t.   A d + b ≤ 0 (rows; = 0 for equations),   lower ≤ d ≤ upper.
struct QuadraticProgram {
  Eigen::MatrixXd hessian;      // [n × n] symmetric, positive definite
  Eigen::VectorXd gradient;     // [n]
  Eigen::MatrixXd rows;         // [m × n]
  Eigen::VectorXd offsets;      // [m]
  std::vector<bool> equation;   // [m]
  Eigen::VectorXd lower, upper; // [n], may be infinite
};

struct QuadraticSolution {
  enum class Status { solved, infeasible, failed };  // failed: H not positive definite, or no end
  Status status = Status::failed;
  Eigen::VectorXd d;            // [n], exactly at the bounds that hold it
  Eigen::VectorXd multipliers;  // [m], ≥ 0 for inequalities: H d + g + Aᵀ y + (bounds' part) = 0
};

/// Solves it by the dual active-set method of Goldfarb and Idnani (Math. Programming 27, 1983):
/// from the unconstrained minimum, violated constraints are added one at a time, and the objective
/// rises with each; no feasible start is needed and infeasibility is recognised.
QuadraticSolution minimum_of(const QuadraticProgram& program);

}  // namespace invar
