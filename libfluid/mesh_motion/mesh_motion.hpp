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
  std::vector<std::string> moving;   // facet regions with prescribed motion
  struct Sliding {
    std::string region;
    int component;                   // fixed component; the nodes slide along the others
  };
  std::vector<Sliding> sliding{};    // e.g. planes of symmetry
  double stiffening = 1;             // elastic: stiffness of a cell ~ (its volume)^(−stiffening)
  double least_quality = 0.05;       // smallest admissible scaled Jacobian of a moved mesh ...
  double least_ratio = 0.1;          // ... or this fraction of the undeformed mesh's smallest, if that is less
};

/// Mesh motion: nodal positions for a moving boundary. Other facet regions are fixed, also at nodes shared with moving
/// ones; facets that are also in a moving region move; boundary in no region is free. The moved mesh is checked before
/// anything is solved on it: cells of poor quality and boundaries that intersect themselves are failures. Derivatives
/// are exact.
class MeshMotion {
 public:
  /// Throws std::invalid_argument if a region does not exist.
  MeshMotion(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, MeshMotionOptions options);
  virtual ~MeshMotion() = default;

  const Mesh& mesh() const { return *mesh_; }
  MPI_Comm comm() const { return comm_; }
  const MeshMotionOptions& options() const { return options_; }

  /// coordinates [node × dim, m, ghosts included] for boundary displacements `boundary` [node × dim], which are read at
  /// nodes of moving regions.
  Evaluation move(const std::vector<double>& boundary, std::vector<double>& coordinates);
  /// The smallest scaled Jacobian of the last moved mesh.
  double quality() const { return quality_; }

  /// Data on which the next move depends; see Case.
  virtual void set_monitor(const std::shared_ptr<SolveMonitor>&) {}
  virtual void save(StateWriter&) const {}
  virtual void restore(StateReader&) {}

  // Derivatives at the last successful move; adjoints use entries of owned nodes.

  virtual Evaluation jvp(const std::vector<double>& boundary_dot, std::vector<double>& x_dot) = 0;
  /// boundary_bar = (∂x/∂boundary)ᵀ x_bar
  virtual Evaluation vjp(const std::vector<double>& x_bar, std::vector<double>& boundary_bar) = 0;
  /// Derivative of the result of `vjp` along boundary_dot while x_bar changes by x_bar_dot.
  virtual Evaluation vjp_tangent(const std::vector<double>& boundary_dot, const std::vector<double>& x_bar,
                                 const std::vector<double>& x_bar_dot, std::vector<double>& boundary_bar_dot) = 0;

 protected:
  /// The displacements of all nodes.
  virtual Evaluation displace(const std::vector<double>& boundary, std::vector<double>& displacement) = 0;

  bool moves(const std::string& region) const;
  bool slides(const std::string& region) const;
  /// Regions whose nodes move or slide according to the options.
  std::vector<std::string> regions_that_move() const;
  std::shared_ptr<const Mesh> mesh_;
  MPI_Comm comm_;
  MeshMotionOptions options_;

 private:
  Evaluation inspect(const std::vector<double>& coordinates);
  double undeformed_quality_ = 1, quality_ = 1;
};

/// Uses the method in the options. Collective.
std::shared_ptr<MeshMotion> make_mesh_motion(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, MeshMotionOptions options);

}  // namespace invar
