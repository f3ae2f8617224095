#pragma once
#include <memory>
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// The velocity that an incompressible flow can have, made of any field w [m/s] on the nodes: u of
///   (1 − l² Δ) u + ∇p = w,   ∇·u = 0,   u = g where the flow's velocity is prescribed
/// on the flow's own Taylor–Hood space, with its prescribed pressures too; elsewhere on the boundary
/// l² ∂u/∂n = p n. With l = 0 that is the velocity nearest to w in the mean square (Girault and Raviart, Finite
/// Element Methods for Navier–Stokes Equations, 1986, ch. I.3): one that is free of divergence in the discrete
/// sense and takes the prescribed values is left as it is. Wiggles shorter than l [m] are smoothed away.
///
/// In matrices u = g + R A⁻¹ Rᵀ (M w − A g), R leaving out what is prescribed; A is factored once. Fields have
/// dim entries for each local node; of inputs those of owned nodes are read, outputs are complete. Calls are
/// collective.
class SolenoidalProjection {
 public:
  /// flow: with Taylor–Hood elements; g is what it prescribes at time `start` with its present controls.
  /// Throws std::invalid_argument when l is not a length.
  SolenoidalProjection(FormResidual& flow, FlowKind kind, double start, double l);

  const Mesh& mesh() const { return dofs_->mesh(); }
  /// A field of which owned entries are given.
  std::vector<double> completed(const std::vector<double>& field) const { return field_of(vector_of(field)); }
  /// ∫ N² of the owned nodes' shape functions [node], m³, planar per metre of depth.
  std::vector<double> node_weights() const;

  Evaluation apply(const std::vector<double>& w, std::vector<double>& u);
  /// u_dot = ∂u/∂w · w_dot, and w_bar = (∂u/∂w)ᵀ u_bar, of which owned entries are complete.
  Evaluation jvp(const std::vector<double>& w_dot, std::vector<double>& u_dot);
  Evaluation vjp(const std::vector<double>& u_bar, std::vector<double>& w_bar);

 private:
  VecHandle vector_of(const std::vector<double>& field) const;
  std::vector<double> field_of(Vec v) const;
  /// Zeroes what belongs to prescribed unknowns.
  void release(Vec v) const;

  std::shared_ptr<const DofMap> dofs_;
  std::vector<int> held_;       // owned unknowns that are prescribed, or neither velocity nor pressure
  VecHandle g_, lift_;          // g, zero where nothing is prescribed; A g
  std::unique_ptr<AssembledMatrix> mass_, operator_;
  LinearSolver solver_;
};

}  // namespace invar
