#pragma once
#include "libfluid/mesh_motion/boundary_rotation.hpp"
#include "libfluid/mesh_motion/mesh_motion.hpp"

namespace invar {

/// Mesh motion by inverse-distance weighting: every node follows nearby boundary nodes k, each of which moves it as a
/// rigid body with displacement u_k and rotation R_k:
///   x = X + Σ_k w_k (u_k + (R_k − I)(X − X_k)) / Σ_k w_k,   w_k = A_k ((L/d)³ + (L/4d)⁵),   d = |X − X_k|,
/// A_k a share of the boundary, L the extent of the moving part (E. Luke, E. Collins, E. Blades, J. Comput. Phys. 231,
/// 2012). Thin layers of cells at a wall move with it rigidly. Fixed boundaries take part with u = 0 and R = I; along
/// directions in which they slide they do not take part. No system is solved; the cost is nodes times boundary nodes.
template <int Dim>
class InverseDistanceMotion final : public MeshMotion {
 public:
  /// Collective. Throws std::invalid_argument if a region does not exist.
  InverseDistanceMotion(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, MeshMotionOptions options);

  Evaluation jvp(const std::vector<double>& boundary_dot, std::vector<double>& x_dot) override;
  Evaluation vjp(const std::vector<double>& x_bar, std::vector<double>& boundary_bar) override;
  Evaluation vjp_tangent(const std::vector<double>& boundary_dot, const std::vector<double>& x_bar,
                         const std::vector<double>& x_bar_dot, std::vector<double>& boundary_bar_dot) override;

 private:
  using Rotation = BoundaryRotation<Dim>;
  static constexpr int n_matrix = Rotation::n_matrix;
  enum class State : char { free, moves, stays };

  Evaluation displace(const std::vector<double>& boundary, std::vector<double>& displacement) override;
  void gather_boundary();
  State state(int k, int component) const { return states_[std::size_t(k) * Dim + component]; }
  double weight(const double* x, int k) const;
  /// Calls use(moving node k, w_k/Σw, X − X_k, component) for all contributions to a component of a node.
  template <class Use>
  void follow(int node, Use&& use) const;
  /// Displacements of moving boundary nodes [node × Dim], zero at others; on every rank.
  std::vector<double> gathered(const std::vector<double>& boundary) const;
  /// Sums the contributions of all ranks to boundary nodes, at their owners.
  std::vector<double> to_owners(std::vector<double> at_boundary) const;
  /// Displacements [local node × Dim] from boundary displacements and rotations.
  std::vector<double> spread(const std::vector<double>& u, const std::vector<double>& turns) const;
  /// The transpose, over owned nodes of this rank.
  void collect(const std::vector<double>& x_bar, std::vector<double>& u_bar, std::vector<double>& turns_bar) const;

  std::vector<double> places_, areas_;   // of boundary nodes of all ranks
  std::vector<State> states_;            // [boundary node × Dim]
  std::vector<int> moving_;              // boundary nodes with a moving component
  std::vector<int> position_;            // [local node]: number among boundary nodes; −1: inside
  std::vector<double> total_;            // [local node × Dim]: Σ w
  double extent_ = 1;                    // L
  Rotation rotation_;
  std::vector<double> moved_;            // places of boundary nodes at the last move
};

extern template class InverseDistanceMotion<2>;
extern template class InverseDistanceMotion<3>;

}  // namespace invar
