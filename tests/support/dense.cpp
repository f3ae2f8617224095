#include "tests/support/dense.hpp"

#include <Eigen/Eigenvalues>

namespace invar::test {

Eigen::VectorXd dense_solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) { return A.partialPivLu().solve(b); }
Eigen::VectorXcd dense_solve(const Eigen::MatrixXcd& A, const Eigen::VectorXcd& b) { return A.partialPivLu().solve(b); }
Eigen::VectorXd accurate_solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const Vector x = Matrix(A.cast<long double>()).partialPivLu().solve(Vector(b.cast<long double>()));
  return x.cast<double>();
}
Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) { return A.colPivHouseholderQr().solve(b); }

Eigen::MatrixXd dense_cholesky(const Eigen::MatrixXd& A) { return A.llt().matrixL(); }
Eigen::MatrixXd orthogonal_columns(const Eigen::MatrixXd& A, int n) {
  return Eigen::HouseholderQR<Eigen::MatrixXd>(A).householderQ() * Eigen::MatrixXd::Identity(A.rows(), n);
}
Eigen::MatrixXd dense_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) { return A * B; }

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of(A);
  return {of.eigenvalues(), of.eigenvectors()};
}

Eigen::VectorXcd dense_eigenvalues(const Eigen::MatrixXd& A) { return A.eigenvalues(); }

Eigen::MatrixXd dense_inverse(const Eigen::MatrixXd& A) { return A.inverse(); }
double dense_determinant(const Eigen::MatrixXd& A) { return A.determinant(); }

}  // namespace invar::test
