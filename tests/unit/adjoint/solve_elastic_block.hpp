#pragma once
#include <Eigen/Dense>
#include <array>
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar::test {

/// Linear elasticity of a block of m×m×m equal cubes with Lagrange elements of degree 1 or 2, held
/// at x = 0 (identity rows), E = 1, ν = 0.3: a 3-D vector problem with its rigid-body modes. A hinge: held at x = z = 0 only, so that
/// a rotation is free, along which the load acts.
struct ElasticBlock {
  MatHandle K;
  VecHandle load;            // constant force density in z on the free nodes
  NullSpaceHandle modes;     // six rigid-body motions

  explicit ElasticBlock(int m, int degree = 1, double young = 1, bool hinge = false) {
    const int side = m * degree + 1, nodes = side * side * side;
    check(MatCreate(PETSC_COMM_WORLD, K.out()));
    int ranks, rank;
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    const int first = nodes / ranks * rank, last = rank + 1 < ranks ? first + nodes / ranks : nodes;
    check(MatSetSizes(K, 3 * (last - first), 3 * (last - first), 3 * nodes, 3 * nodes));
    check(MatSetBlockSize(K, 3));
    check(MatSetType(K, MATAIJ));
    const int dense = degree == 1 ? 81 : 375;
    check(MatSeqAIJSetPreallocation(K, dense, nullptr));
    check(MatMPIAIJSetPreallocation(K, dense, nullptr, dense, nullptr));

    const Eigen::MatrixXd element = young * stiffness(degree, 1.0 / m);
    const int q = degree + 1, local = q * q * q;
    std::vector<PetscInt> dofs(3 * local);
    for (int e = rank; e < m * m * m; e += ranks) {
      const int ex = e % m * degree, ey = e / m % m * degree, ez = e / (m * m) * degree;
      Eigen::MatrixXd k = element;
      for (int a = 0; a < local; ++a) {
        const int x = ex + a % q, y = ey + a / q % q, z = ez + a / (q * q);
        for (int c = 0; c < 3; ++c) {
          dofs[3 * a + c] = 3 * (x + side * (y + side * z)) + c;
          if (x > 0 || (hinge && z > 0)) continue;
          k.row(3 * a + c).setZero(), k.col(3 * a + c).setZero();
        }
      }
      check(MatSetValues(K, 3 * local, dofs.data(), 3 * local, dofs.data(), k.data(), ADD_VALUES));
    }
    for (int i = first; i < last; ++i)
      if (i % side == 0 && !(hinge && i / (side * side) > 0))
        for (int c = 0; c < 3; ++c) check(MatSetValue(K, 3 * i + c, 3 * i + c, 1, ADD_VALUES));
    check(MatAssemblyBegin(K, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(K, MAT_FINAL_ASSEMBLY));

    VecHandle x;
    check(MatCreateVecs(K, x.out(), load.out()));
    for (int i = first; i < last; ++i) {
      const double at[] = {double(i % side) / (side - 1), double(i / side % side) / (side - 1),
                           double(i / (side * side)) / (side - 1)};
      for (int c = 0; c < 3; ++c) check(VecSetValue(x, 3 * i + c, at[c], INSERT_VALUES));
      if (i % side || (hinge && i / (side * side) > 0)) check(VecSetValue(load, 3 * i + 2, 1.0 / nodes, INSERT_VALUES));
    }
    for (Vec v : {x.get(), load.get()}) check(VecAssemblyBegin(v)), check(VecAssemblyEnd(v));
    check(VecSetBlockSize(x, 3));
    check(MatNullSpaceCreateRigidBody(x, modes.out()));
  }

 private:
  /// Element matrix [3q³ × 3q³] of a cube with edge h, from products of one-dimensional integrals.
  static Eigen::MatrixXd stiffness(int degree, double h) {
    const double nu = 0.3, lame = nu / ((1 + nu) * (1 - 2 * nu)), mu = 0.5 / (1 + nu);
    const int q = degree + 1, local = q * q * q;
    const double s = std::sqrt(0.6), point[] = {-s, 0, s}, weight[] = {5. / 9, 8. / 9, 5. / 9};
    // I[d][e](i, j) = ∫ φ_i^(d) φ_j^(e) over one edge
    std::array<std::array<Eigen::MatrixXd, 2>, 2> I;
    for (auto& row : I) row.fill(Eigen::MatrixXd::Zero(q, q));
    for (int p = 0; p < 3; ++p) {
      const double t = point[p];
      Eigen::VectorXd f[2] = {Eigen::VectorXd(q), Eigen::VectorXd(q)};
      if (degree == 1) f[0] << (1 - t) / 2, (1 + t) / 2, f[1] << -0.5, 0.5;
      else f[0] << t * (t - 1) / 2, 1 - t * t, t * (t + 1) / 2, f[1] << t - 0.5, -2 * t, t + 0.5;
      f[1] *= 2 / h;
      for (int d = 0; d < 2; ++d)
        for (int e = 0; e < 2; ++e) I[d][e] += weight[p] * h / 2 * f[d] * f[e].transpose();
    }
    Eigen::MatrixXd k(3 * local, 3 * local);
    for (int a = 0; a < local; ++a)
      for (int b = 0; b < local; ++b) {
        Eigen::Matrix3d g;  // g(c, d) = ∫ ∂_c φ_a ∂_d φ_b
        for (int c = 0; c < 3; ++c)
          for (int d = 0; d < 3; ++d)
            g(c, d) = I[c == 0][d == 0](a % q, b % q) * I[c == 1][d == 1](a / q % q, b / q % q) *
                      I[c == 2][d == 2](a / (q * q), b / (q * q));
        k.block<3, 3>(3 * a, 3 * b) =
            lame * g + mu * g.transpose() + mu * g.trace() * Eigen::Matrix3d::Identity();
      }
    return k;
  }
};

}  // namespace invar::test
