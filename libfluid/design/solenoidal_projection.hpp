#pragma once
#include <memory>
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// Projection of any nodal field w [m/s] to a velocity u of incompressible flow:
///   (1 − l² Δ) u + ∇p = w,   ∇·u = 0,   u = g where the flow's velocity is prescribed
/// in the flow's own Taylor–Hood space, with its prescribed pressures; elsewhere on the boundary l² ∂u/∂n = p n. With l
/// = 0, u is the admissible velocity nearest to w in the mean square (Girault and Raviart, Finite Element Methods for
/// Navier–Stokes Equations, 1986, ch. I.3); a discretely divergence-free w with the prescribed values is unchanged.
/// Variations shorter than l [m] are damped.
/// In matrices u = g + R A⁻¹ Rᵀ (M w − A g), where R omits prescribed unknowns; A and M depend on the nodal positions,
/// g on other controls of the flow. A is factorised once per set of positions. Fields have dim entries per local node;
/// of inputs owned entries are read, outputs are complete. Calls are collective.
class SolenoidalProjection {
 public:
  /// flow: with Taylor–Hood elements; g are its prescribed values at time `start`. Throws std::invalid_argument if l is
  /// negative or not finite.
  SolenoidalProjection(std::shared_ptr<FormResidual> flow, FlowKind kind, double start, double l);

  const Mesh& mesh() const { return dofs_->mesh(); }
  /// Whether derivatives by nodal positions are wanted.
  bool wants_shape(const Controls& d_bar) const {
    const int k = flow_->coordinates_control();
    return k >= 0 && !d_bar[k].empty();
  }
  /// Completes a field with given owned entries.
  std::vector<double> completed(const std::vector<double>& field) const { return field_of(vector_of(field)); }
  /// ∫ N² of the owned nodes' shape functions [node] on the mesh as given, m³, planar per metre of depth.
  std::vector<double> node_weights() const;

  /// u for w and the flow's controls d, which the flow keeps.
  Evaluation apply(const std::vector<double>& w, const Controls& d, std::vector<double>& u);
  // Derivatives at the w and d of the last `apply`:

  /// u_dot = ∂u/∂w · w_dot + ∂u/∂d · d_dot
  Evaluation jvp(const std::vector<double>& w_dot, const Controls& d_dot, std::vector<double>& u_dot);
  /// w_bar = (∂u/∂w)ᵀ u_bar; d_bar += (∂u/∂d)ᵀ u_bar if wanted; for numbers the rank's share.
  Evaluation vjp(const std::vector<double>& u_bar, std::vector<double>& w_bar, Controls& d_bar);

  /// The monitor observes the solves from now on.
  void set_monitor(std::shared_ptr<SolveMonitor> monitor) { solver_.set_monitor(std::move(monitor)); }

 private:
  VecHandle vector_of(const std::vector<double>& field) const;
  std::vector<double> field_of(Vec v) const;
  /// `release` zeroes entries of unknowns that are not solved for; the second returns a copy of these entries only.
  void release(Vec v) const;
  VecHandle held_part(Vec v) const;
  void factor();

  std::shared_ptr<FormResidual> flow_;
  std::shared_ptr<const DofMap> dofs_;
  double start_;
  Setting given_;                    // of the last `apply`
  std::vector<int> held_;            // owned unknowns that are prescribed, or neither velocity nor pressure
  std::vector<double> coordinates_;  // for which A was factorised
  std::unique_ptr<WeakForm> equations_, inertia_;
  std::unique_ptr<AssembledMatrix> operator_;
  LinearSolver solver_;
  VecHandle velocity_, source_;      // u with p, and w
};

}  // namespace invar
