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

/// The lower L with L Lᵀ = A.
Eigen::MatrixXd dense_cholesky(const Eigen::MatrixXd& A);
/// The first n columns of the orthogonal factor of A.
Eigen::MatrixXd orthogonal_columns(const Eigen::MatrixXd& A, int n);
/// A B. One product for all files.
Eigen::MatrixXd dense_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// Eigenvalues, ascending, and orthonormal eigenvectors of a symmetric A.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

/// Eigenvalues of any A.
Eigen::VectorXcd dense_eigenvalues(const Eigen::MatrixXd& A);

Eigen::MatrixXd dense_inverse(const Eigen::MatrixXd& A);
double dense_determinant(const Eigen::MatrixXd& A);

}  // namespace invar::test
