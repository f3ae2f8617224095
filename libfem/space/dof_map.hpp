#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/petsc.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// One scalar component of a (mixed) Lagrange space.
struct Component {
  std::string name;         // e.g. "u_x", "p"
  int order = 1;            // 1: dofs at vertices; 2: at all nodes of a second-order mesh
  std::string region = {};  // region whose nodes carry the component; empty: everywhere
  bool in_cells = false;    // no dofs on nodes without cells, where no equation would determine them
};

/// Dof numbering of a mixed continuous Lagrange space on a distributed mesh. The dofs of a node are contiguous: its
/// components in the order in which the space was given them. Local dofs: owned first, then ghosts, in node order.
class DofMap {
 public:
  /// Collective. Components of higher order are sorted first; otherwise the order is kept. Throws std::invalid_argument
  /// if a component's order exceeds the mesh's, or the mesh has no region of that name.
  DofMap(std::shared_ptr<const Mesh> mesh, std::vector<Component> components, MPI_Comm comm);

  const Mesh& mesh() const { return *mesh_; }
  std::shared_ptr<const Mesh> mesh_pointer() const { return mesh_; }
  MPI_Comm comm() const { return comm_; }
  const std::vector<Component>& components() const { return components_; }
  int n_components() const { return static_cast<int>(components_.size()); }
  /// Distinct orders, highest first; `basis_of(c)` is the position of component c's order in it.
  const std::vector<int>& orders() const { return orders_; }
  int basis_of(int component) const { return basis_[component]; }

  int n_owned() const { return first_dof_[mesh_->n_owned_nodes]; }
  int n_local() const { return first_dof_.back(); }
  long long global_offset() const { return offset_; }
  long long n_global() const { return n_global_; }

  /// First local dof of a local node; the node's dofs end at first_dof(node + 1).
  int first_dof(int node) const { return first_dof_[node]; }
  int dof_count(int node) const { return first_dof_[node + 1] - first_dof_[node]; }
  /// Global number of the first dof of a local node.
  long long global_dof(int node) const { return global_first_[node]; }
  /// Local dof of a component at a node; −1 if the component has no dof there or does not exist.
  int dof(int node, int component) const {
    const std::vector<int>& place = kinds_[kind_[node]].place;
    if (component >= static_cast<int>(place.size()) || place[component] < 0) return -1;
    return first_dof_[node] + place[component];
  }
  /// The component of a node's k-th dof.
  int component_at(int node, int k) const { return kinds_[kind_[node]].components[k]; }
  /// Number of dofs per node if it is the same at all nodes with dofs, else 1 (PETSc's block size).
  int block_size() const;

  /// A zero vector with ghost entries; it shares the lists of the exchange with all others (VecDuplicate).
  VecHandle create_vector() const;

 private:
  /// Data shared by all nodes with the same components.
  struct NodeKind {
    std::vector<int> components;  // components at the node, ascending
    std::vector<int> place;       // per component of the space: its position in `components`, −1: none
  };
  void find_kinds();

  std::shared_ptr<const Mesh> mesh_;
  std::vector<Component> components_;
  MPI_Comm comm_;
  std::vector<int> orders_, basis_;
  std::vector<NodeKind> kinds_;
  std::vector<int> kind_;                 // [n_nodes]
  std::vector<int> first_dof_;            // [n_nodes + 1]
  std::vector<long long> global_first_;   // [n_nodes]
  long long offset_ = 0, n_global_ = 0;
  VecHandle model_;  // what create_vector() duplicates: to set up an exchange took a sixth of the time of small problems
};

/// Read access to a ghosted vector as a local array, for the lifetime of the object; the constructor updates the
/// ghosts.
class LocalArray {
 public:
  explicit LocalArray(Vec v);
  ~LocalArray();
  LocalArray(const LocalArray&) = delete;
  LocalArray& operator=(const LocalArray&) = delete;
  const double* data() const { return data_; }

 private:
  Vec global_, local_ = nullptr;
  const double* data_ = nullptr;
};

}  // namespace invar
