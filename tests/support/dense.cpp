#include "tests/support/dense.hpp"

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

Eigen::MatrixXd dense_inverse(const Eigen::MatrixXd& A) { return A.inverse(); }
double dense_determinant(const Eigen::MatrixXd& A) { return A.determinant(); }

}  // namespace invar::test
