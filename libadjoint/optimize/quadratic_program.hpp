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
  enum class Status { solved, infeasible, failed };  // failed: H is not positive definite, or the iteration does not end
  Status status = Status::failed;
  Eigen::VectorXd d;            // [n], exactly on active bounds
  Eigen::VectorXd multipliers;  // [m], ≥ 0 for inequalities: H d + g + Aᵀ y + (bound multipliers) = 0
};

/// Solves it by the dual active-set method of Goldfarb and Idnani (Math. Programming 27, 1983): starting from the
/// unconstrained minimum, violated constraints are added one at a time, and the objective increases with each. No
/// feasible start is needed, and infeasibility is detected.
QuadraticSolution minimum_of(const QuadraticProgram& program);

}  // namespace invar
