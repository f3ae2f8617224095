#pragma once
#include <memory>

#include "libfem/design/boundary/boundary_source.hpp"
#include "libfluid/mesh_motion/mesh_motion.hpp"

namespace invar {

/// The shape of a mesh as a design: θ moves a boundary, the mesh follows, and its nodal coordinates are the control of
/// every case on that mesh. Failed motions and meshes of poor quality are failures with their reason.
class ShapeDesign final : public Parameterization {
 public:
  struct Target {
    int case_index, control;  // the case's "coordinates"
  };
  ShapeDesign(std::shared_ptr<BoundarySource> source, std::shared_ptr<MeshMotion> motion, std::vector<Target> targets)
      : source_(std::move(source)), motion_(std::move(motion)), targets_(std::move(targets)) {}

  const MeshMotion& motion() const { return *motion_; }
  /// The moving region.
  const std::string& moving() const { return motion_->options().moving.front(); }
  /// Converts a derivative by all nodal positions [node × dim] to one by the boundary's positions, with the mesh
  /// following; at the last `apply`.
  Evaluation boundary_gradient(const std::vector<double>& x_bar, std::vector<double>& boundary_bar) {
    return motion_->vjp(x_bar, boundary_bar);
  }

  std::vector<DesignVariable> variables() const override { return source_->variables(); }
  DesignVector start() const override { return source_->start(); }
  DesignVector lower() const override { return source_->lower(); }
  DesignVector upper() const override { return source_->upper(); }
  LocalEntries local_entries() const override { return source_->local_entries(); }
  Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) override;
  void want(std::vector<Controls>& d_bar) const override;
  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) override {
    source_->set_monitor(monitor);
    motion_->set_monitor(monitor);
  }
  void save(StateWriter& out) const override { motion_->save(out); }
  void restore(StateReader& in) override { motion_->restore(in); }
  Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) override;
  Evaluation vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) override;
  Evaluation vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot, const std::vector<Controls>& d_bar,
                         std::vector<Controls>& d_bar_dot, DesignVector& theta_bar_dot) override;

 private:
  std::vector<double> zeros() const { return std::vector<double>(motion_->mesh().coordinates.size(), 0.0); }
  std::vector<double> sum(const std::vector<Controls>& d_bar) const;

  std::shared_ptr<BoundarySource> source_;
  std::shared_ptr<MeshMotion> motion_;
  std::vector<Target> targets_;
};

}  // namespace invar
