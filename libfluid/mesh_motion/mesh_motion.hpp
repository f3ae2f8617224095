#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/state_archive.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

class SolveMonitor;

struct MeshMotionOptions {
  enum class Method { elastic, inverse_distance } method = Method::elastic;
  std::vector<std::string> moving;   // facet regions whose nodes are moved as given
  struct Sliding {
    std::string region;
    int component;                   // that stays; along the others the nodes are free
  };
  std::vector<Sliding> sliding{};    // e.g. planes of symmetry
  double stiffening = 1;             // elastic: stiffness of a cell ~ (its volume)^(−stiffening)
  double least_quality = 0.05;       // scaled Jacobian below which a moved mesh is refused ...
  double least_ratio = 0.1;          // ... or this share of the undeformed mesh's worst, where that is less
};

/// Where the nodes go when the boundary moves. Facet regions that are not named stay where they are, and hold their
/// nodes where they meet moving ones; facets that are in a named region, too, follow that one; boundary in no region at
/// all is free. The moved mesh is looked at before anything is solved on it: cells of poor quality and boundaries that
/// cross themselves are reported, not passed on. Derivatives are exact.
class MeshMotion {
 public:
  /// Throws std::invalid_argument for regions that are not there.
  MeshMotion(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, MeshMotionOptions options);
  virtual ~MeshMotion() = default;

  const Mesh& mesh() const { return *mesh_; }
  MPI_Comm comm() const { return comm_; }
  const MeshMotionOptions& options() const { return options_; }

  /// coordinates [node × dim, m, ghosts included] when the boundary moves by `boundary` [node × dim], of
  /// which nodes of moving regions are read.
  Evaluation move(const std::vector<double>& boundary, std::vector<double>& coordinates);
  /// The worst scaled Jacobian of the mesh as last moved.
  double quality() const { return quality_; }

  /// What the next move begins with; see Case.
  virtual void set_monitor(const std::shared_ptr<SolveMonitor>&) {}
  virtual void save(StateWriter&) const {}
  virtual void restore(StateReader&) {}

  // Derivatives at the last successful move; entries of owned nodes count in adjoints.

  virtual Evaluation jvp(const std::vector<double>& boundary_dot, std::vector<double>& x_dot) = 0;
  /// boundary_bar = (∂x/∂boundary)ᵀ x_bar
  virtual Evaluation vjp(const std::vector<double>& x_bar, std::vector<double>& boundary_bar) = 0;
  /// The derivative of that along boundary_dot while x_bar moves by x_bar_dot.
  virtual Evaluation vjp_tangent(const std::vector<double>& boundary_dot, const std::vector<double>& x_bar,
                                 const std::vector<double>& x_bar_dot, std::vector<double>& boundary_bar_dot) = 0;

 protected:
  /// The displacements of all nodes.
  virtual Evaluation displace(const std::vector<double>& boundary, std::vector<double>& displacement) = 0;

  bool moves(const std::string& region) const;
  bool slides(const std::string& region) const;
  /// Regions whose nodes the options let move or slide.
  std::vector<std::string> regions_that_move() const;
  std::shared_ptr<const Mesh> mesh_;
  MPI_Comm comm_;
  MeshMotionOptions options_;

 private:
  Evaluation inspect(const std::vector<double>& coordinates);
  double undeformed_quality_ = 1, quality_ = 1;
};

/// By the method that the options name. Collective.
std::shared_ptr<MeshMotion> make_mesh_motion(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, MeshMotionOptions options);

}  // namespace invar
