#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

struct MeshMotionOptions {
  std::vector<std::string> moving;   // facet regions whose nodes are moved as given
  struct Sliding {
    std::string region;
    int component;                   // that stays; along the others the nodes are free
  };
  std::vector<Sliding> sliding{};    // e.g. planes of symmetry
  double stiffening = 1;             // stiffness of a cell ~ (its volume)^(−stiffening)
  double least_quality = 0.05;       // scaled Jacobian below which a moved mesh is refused ...
  double least_ratio = 0.1;          // ... or this share of the undeformed mesh's worst, where that is less
};

/// Where the nodes go when the boundary moves: an elastic mesh in equilibrium. Facets of other
/// regions than those that are named stay where they are, and hold their nodes where they meet moving ones (boundary in no
/// region at all is free). The moved mesh is looked
/// at before anything is solved on it: cells of poor quality and boundaries that cross themselves are
/// reported, not passed on. Derivatives are those of the equilibrium, exact to solver tolerance.
class MeshMotion {
 public:
  /// Collective. Throws std::invalid_argument for regions that are not there.
  MeshMotion(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, MeshMotionOptions options);

  const Mesh& mesh() const { return *mesh_; }
  MPI_Comm comm() const { return comm_; }
  const MeshMotionOptions& options() const { return options_; }

  /// coordinates [node × dim, m, ghosts included] when the boundary moves by `boundary` [node × dim], of
  /// which nodes of moving regions are read.
  Evaluation move(const std::vector<double>& boundary, std::vector<double>& coordinates);
  /// The worst scaled Jacobian of the mesh as last moved.
  double quality() const { return quality_; }

  /// What the next move begins with; see Case.
  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) { process_->set_monitor(monitor); }
  void save(StateWriter& out) const { process_->save(out); }
  void restore(StateReader& in) { process_->restore(in); }

  // Derivatives at the last successful move; entries of owned nodes count in adjoints.

  Evaluation jvp(const std::vector<double>& boundary_dot, std::vector<double>& x_dot);
  /// boundary_bar = (∂x/∂boundary)ᵀ x_bar
  Evaluation vjp(const std::vector<double>& x_bar, std::vector<double>& boundary_bar);
  /// The derivative of that along boundary_dot while x_bar moves by x_bar_dot.
  Evaluation vjp_tangent(const std::vector<double>& boundary_dot, const std::vector<double>& x_bar,
                         const std::vector<double>& x_bar_dot, std::vector<double>& boundary_bar_dot);

 private:
  VecHandle to_vector(const std::vector<double>& nodal) const;
  std::vector<double> to_nodal(Vec v) const;
  std::vector<double> cell_stiffness() const;
  double force_floor(const std::vector<double>& stiffness) const;
  Evaluation inspect(const std::vector<double>& coordinates);
  Controls wanted() const;

  std::shared_ptr<const Mesh> mesh_;
  MPI_Comm comm_;
  MeshMotionOptions options_;
  std::shared_ptr<const DofMap> dofs_;
  std::shared_ptr<FormResidual> residual_;
  int boundary_ = -1;                   // control: displacement of boundary nodes
  std::unique_ptr<StaticCase> process_;
  double undeformed_quality_ = 1, quality_ = 1;
};

}  // namespace invar
