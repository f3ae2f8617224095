#pragma once
#include "libadjoint/static_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfluid/mesh_motion/mesh_motion.hpp"

namespace invar {

/// Mesh motion by an elastic equilibrium (`MeshElasticity`), with its exact derivatives up to the solver tolerance.
class ElasticMotion final : public MeshMotion {
 public:
  /// Collective. Throws std::invalid_argument if a region does not exist.
  ElasticMotion(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, MeshMotionOptions options);

  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) override { process_->set_monitor(monitor); }
  void save(StateWriter& out) const override { process_->save(out); }
  void restore(StateReader& in) override { process_->restore(in); }

  Evaluation jvp(const std::vector<double>& boundary_dot, std::vector<double>& x_dot) override;
  Evaluation vjp(const std::vector<double>& x_bar, std::vector<double>& boundary_bar) override;
  Evaluation vjp_tangent(const std::vector<double>& boundary_dot, const std::vector<double>& x_bar,
                         const std::vector<double>& x_bar_dot, std::vector<double>& boundary_bar_dot) override;

 private:
  Evaluation displace(const std::vector<double>& boundary, std::vector<double>& displacement) override;
  VecHandle to_vector(const std::vector<double>& nodal) const;
  std::vector<double> to_nodal(Vec v) const;
  double force_floor(const std::vector<double>& stiffness) const;
  Controls wanted() const;
  void make_room();

  std::shared_ptr<const DofMap> dofs_;
  std::shared_ptr<FormResidual> residual_;
  int boundary_ = -1;                   // control: displacement of boundary nodes
  std::unique_ptr<StaticCase> process_;
};

}  // namespace invar
