#pragma once
#include <Eigen/Dense>

/// Dense linear algebra that tests compare with. Compiled once: Eigen's decompositions take seconds in every file that has one.
namespace invar::test {

/// A⁻¹ b.
Eigen::VectorXd dense_solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
Eigen::VectorXcd dense_solve(const Eigen::MatrixXcd& A, const Eigen::VectorXcd& b);
/// The same in long double, rounded at the end.
Eigen::VectorXd accurate_solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// The x of least |A x − b|.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

Eigen::MatrixXd dense_inverse(const Eigen::MatrixXd& A);
double dense_determinant(const Eigen::MatrixXd& A);

}  // namespace invar::test
